/* Groups of things that are joined pair by pair: each knows one of lower number in its group, and
 * the first of a group itself. Threads may join at a time: whatever their order, the first of a
 * group is the lowest number in it. */
#ifndef TL_BASE_GROUPS_H
#define TL_BASE_GROUPS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef _Atomic(uint32_t) tl_member;

static inline uint32_t tl_group_get(const tl_member *group, size_t i) {
    return atomic_load_explicit(&group[i], memory_order_relaxed);
}

static inline void tl_group_set(tl_member *group, size_t i, uint32_t to) {
    atomic_store_explicit(&group[i], to, memory_order_relaxed);
}

/* Everything alone. */
static inline void tl_group_begin(tl_member *group, size_t count) {
    for (size_t i = 0; i < count; i++)
        tl_group_set(group, i, (uint32_t)i);
}

/* The first of the group of i; halves the way there. Who is not first never becomes it again, so
 * nothing that another thread has joined is lost by that. */
static inline uint32_t tl_group_first(tl_member *group, uint32_t i) {
    for (uint32_t next = tl_group_get(group, i); next != i; next = tl_group_get(group, i)) {
        const uint32_t after = tl_group_get(group, next);
        tl_group_set(group, i, after);
        i = after;
    }
    return i;
}

/* Makes one group of those of a and b; returns the first of both. */
static inline uint32_t tl_group_join(tl_member *group, uint32_t a, uint32_t b) {
    for (;;) {
        a = tl_group_first(group, a), b = tl_group_first(group, b);
        if (a == b)
            return a;
        const uint32_t first = a < b ? a : b, other = a < b ? b : a;
        uint32_t expected = other; /* unless another thread has joined it meanwhile */
        if (atomic_compare_exchange_strong_explicit(&group[other], &expected, first,
                                                    memory_order_relaxed, memory_order_relaxed))
            return first;
    }
}

#endif
