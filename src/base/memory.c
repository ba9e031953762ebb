/* See memory.h. */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool tl_size_multiply(size_t count, size_t size, size_t *out) {
    return !__builtin_mul_overflow(count, size, out);
}

void *tl_allocate(size_t count, size_t size) {
    size_t bytes, rounded;
    if (!tl_size_multiply(count, size, &bytes) ||
        __builtin_add_overflow(bytes, (size_t)TL_ALIGNMENT, &rounded))
        return NULL;
    rounded &= ~(size_t)(TL_ALIGNMENT - 1);
    void *memory = aligned_alloc(TL_ALIGNMENT, rounded);
    if (memory)
        memset(memory, 0, rounded);
    return memory;
}

size_t tl_available_memory(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file)
        return SIZE_MAX;
    char line[128];
    size_t kilobytes = SIZE_MAX / 1024;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %zu kB", &kilobytes) == 1)
            break;
    fclose(file);
    return kilobytes * 1024;
}

enum { HUGE_PAGE = 2 << 20 };

/* Blocks double as chains: the newest is first and the only one with room. */
typedef struct tl_arena_block {
    struct tl_arena_block *next;
    void *memory; /* to be freed: it starts before the block, which is aligned */
    size_t used, capacity;
    _Alignas(TL_ALIGNMENT) unsigned char bytes[];
} tl_arena_block;

/* Zeroed by calloc, which for large blocks leaves it to the system: pages are made by the threads
 * that come to use them. */
static tl_arena_block *make_block(size_t capacity) {
    size_t bytes;
    if (__builtin_add_overflow(capacity, sizeof(tl_arena_block) + TL_ALIGNMENT, &bytes))
        return NULL;
    unsigned char *memory = calloc(1, bytes);
    if (!memory)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes > 2 * HUGE_PAGE) { /* fewer, larger pages: only advice, which may fail */
        const uintptr_t first = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
        const uintptr_t last = ((uintptr_t)memory + bytes) & ~(uintptr_t)(HUGE_PAGE - 1);
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
    }
#endif
    const size_t past = (uintptr_t)memory % TL_ALIGNMENT;
    tl_arena_block *block = (tl_arena_block *)(memory + (past ? TL_ALIGNMENT - past : 0));
    block->memory = memory;
    block->capacity = capacity;
    return block;
}

void *tl_arena_allocate(tl_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (!tl_size_multiply(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + 15) & ~(size_t)15;
    tl_arena_block *block = arena->blocks;
    if (!block || block->capacity - block->used < bytes) {
        const size_t capacity = bytes > 65536 ? bytes : 65536;
        block = make_block(capacity);
        if (!block)
            return NULL;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = block->bytes + block->used;
    block->used += bytes;
    arena->total += bytes;
    return memory;
}

char *tl_arena_text(tl_arena *arena, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? tl_arena_allocate(arena, length + 1, 1) : NULL;
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

void tl_arena_free(tl_arena *arena) {
    for (tl_arena_block *block = arena->blocks; block;) {
        tl_arena_block *next = block->next;
        free(block->memory);
        block = next;
    }
    *arena = (tl_arena){0};
}
