/* Groups of things that are joined pair by pair: each knows one of lower number in its group, and
 * the first of a group itself. */
#ifndef TL_BASE_GROUPS_H
#define TL_BASE_GROUPS_H

#include <stdint.h>

/* The first of the group of i; halves the way there. */
static inline uint32_t tl_group_first(uint32_t *group, uint32_t i) {
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}

/* Makes one group of two, by their first; returns the first of both. */
static inline uint32_t tl_group_join(uint32_t *group, uint32_t a, uint32_t b) {
    const uint32_t first = a < b ? a : b;
    group[a < b ? b : a] = first;
    return first;
}

#endif
