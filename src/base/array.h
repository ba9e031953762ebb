/* Arrays that know how much room they have: an array is a plain typed pointer, and its capacity
 * stands in the memory before it. So nobody has to keep the two together, and what is in use can be
 * added up. NULL is an array without room. Elements are aligned for the wide type. */
#ifndef TL_BASE_ARRAY_H
#define TL_BASE_ARRAY_H

#include "base/memory.h"

/* Room in `array` for `needed` elements at least, keeping the first `used`. Grows by half at least
 * (large ones by an eighth); new memory is zeroed. The address may change. */
#define TL_ARRAY_RESERVE(array, used, needed, error)                                               \
    tl_array_reserve((void **)&(array), (used), (needed), sizeof *(array), (error))

tl_status tl_array_reserve(void **array, size_t used, size_t needed, size_t size, tl_error *error);

/* Elements there is room for. */
size_t tl_array_capacity(const void *array);

/* Bytes in the elements there is room for: of one, or of all in a list. */
size_t tl_array_bytes(const void *array);
#define TL_ARRAYS_BYTES(...)                                                                       \
    tl_arrays_bytes((const void *const[]){__VA_ARGS__},                                            \
                    sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))

size_t tl_arrays_bytes(const void *const *arrays, size_t count);

/* The pointers are not set to NULL. */
void tl_array_free(void *array);
#define TL_ARRAYS_FREE(...)                                                                        \
    tl_arrays_free((void *const[]){__VA_ARGS__},                                                   \
                   sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))

void tl_arrays_free(void *const *arrays, size_t count);

#endif
