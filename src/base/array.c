/* See array.h. */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Stands before the elements, which begin where it ends. */
typedef struct header {
    _Alignas(TL_ALIGNMENT) size_t capacity;
    size_t size; /* of an element */
} header;

/* Bytes from which on arrays grow by an eighth only: spare room is then dearer than copying. */
enum { LARGE_ARRAY = 1 << 20 };

static header *header_of(const void *array) { return (header *)(uintptr_t)array - 1; }

static header *allocate(size_t count, size_t size) {
    size_t bytes;
    if (!tl_size_multiply(count, size, &bytes) ||
        __builtin_add_overflow(bytes, sizeof(header), &bytes))
        return NULL;
    header *head = tl_allocate(bytes, 1);
    if (head)
        *head = (header){count, size};
    return head;
}

tl_status tl_array_reserve(void **array, size_t used, size_t needed, size_t size, tl_error *error) {
    const size_t capacity = tl_array_capacity(*array);
    if (needed <= capacity)
        return TL_OK;
    const bool large = capacity > LARGE_ARRAY / size;
    size_t wanted = capacity + capacity / (large ? 8 : 2);
    if (wanted < needed)
        wanted = needed;
    header *grown = allocate(wanted, size);
    if (!grown)
        return tl_fail_memory(error, wanted, size);
    if (used)
        memcpy(grown + 1, *array, used * size);
    tl_array_free(*array);
    *array = grown + 1;
    return TL_OK;
}

size_t tl_array_capacity(const void *array) { return array ? header_of(array)->capacity : 0; }

size_t tl_array_bytes(const void *array) {
    return array ? header_of(array)->capacity * header_of(array)->size : 0;
}

size_t tl_arrays_bytes(const void *const *arrays, size_t count) {
    size_t bytes = 0;
    for (size_t k = 0; k < count; k++)
        bytes += tl_array_bytes(arrays[k]);
    return bytes;
}

void tl_array_free(void *array) {
    if (array)
        free(header_of(array));
}

void tl_arrays_free(void *const *arrays, size_t count) {
    for (size_t k = 0; k < count; k++)
        tl_array_free(arrays[k]);
}
