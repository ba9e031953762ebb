/* Memory on the heap: aligned for the wide type, sizes checked for overflow, and an arena for what
 * lives and dies together. Arrays that grow are in array.h. */
#ifndef TL_BASE_MEMORY_H
#define TL_BASE_MEMORY_H

#include "base/error.h"

enum { TL_ALIGNMENT = 64 };

/* True, and *out = count * size, unless that overflows. */
bool tl_size_multiply(size_t count, size_t size, size_t *out);

/* Zeroed, 64-byte aligned memory for count elements; NULL when it cannot be had. Free with free().
 */
void *tl_allocate(size_t count, size_t size);

/* Bytes of memory this machine could still give us, as the system sees it; SIZE_MAX if unknown. */
size_t tl_available_memory(void);

/* Memory that is freed all at once. Zero-initialise. */
typedef struct tl_arena {
    struct tl_arena_block *blocks;
    size_t total; /* bytes handed out */
} tl_arena;

/* Zeroed memory that lives until tl_arena_free; NULL when it cannot be had. */
void *tl_arena_allocate(tl_arena *arena, size_t count, size_t size);

/* A zero-terminated copy of the first `length` bytes of `text`; NULL when out of memory. */
char *tl_arena_text(tl_arena *arena, const char *text, size_t length);

void tl_arena_free(tl_arena *arena);

#endif
