/* See blocks.h. */
#include "base/blocks.h"

#include <math.h>

double tl_sum_blocks(const double *partial, size_t stride, size_t count) {
    double sum = 0;
    for (size_t b = 0; b < tl_block_count(count, TL_BLOCK); b++)
        sum += partial[b * stride];
    return sum;
}

double tl_max_blocks(const double *partial, size_t stride, size_t count) {
    double most = 0;
    for (size_t b = 0; b < tl_block_count(count, TL_BLOCK); b++)
        most = fmax(most, partial[b * stride]);
    return most;
}

void tl_join_blocks(void *total, const void *partial, size_t size, size_t count, tl_join_fn *join) {
    for (size_t b = 0; b < tl_block_count(count, TL_BLOCK); b++)
        join(total, (const char *)partial + b * size);
}
