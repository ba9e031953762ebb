/* See blocks.h. */
#include "surface/blocks.h"

#include <assert.h>
#include <string.h>

int tl_block_compare(const int32_t a[3], const int32_t b[3]) {
    for (int k = 2; k >= 0; k--)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

bool tl_block_is_mixed(const float value[TL_BLOCK_POINTS]) {
    size_t inside = 0;
    for (size_t i = 0; i < TL_BLOCK_POINTS; i++)
        inside += value[i] >= 0;
    return inside > 0 && inside < TL_BLOCK_POINTS;
}

tl_status tl_blocks_add(tl_blocks *b, const int32_t at[3], const float value[TL_BLOCK_POINTS],
                        tl_error *error) {
    const size_t n = b->count;
    assert(n == 0 || tl_block_compare(b->at[n - 1], at) < 0);
    TL_TRY(TL_ARRAY_RESERVE(b->at, n, n + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(b->value, n, n + 1, error));
    memcpy(b->at[n], at, sizeof b->at[n]);
    memcpy(b->value[n], value, sizeof b->value[n]);
    b->count++;
    return TL_OK;
}

size_t tl_blocks_find(const tl_blocks *b, const int32_t at[3]) {
    size_t low = 0, high = b->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = tl_block_compare(b->at[middle], at);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

void tl_blocks_free(tl_blocks *b) {
    TL_ARRAYS_FREE(b->at, b->value);
    b->at = NULL, b->value = NULL;
    b->count = 0;
}
