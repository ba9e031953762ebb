/* Clouds of points, searches over them, and what a list must be. */
#ifndef TL_TESTS_NEIGHBORS_CLOUDS_H
#define TL_TESTS_NEIGHBORS_CLOUDS_H

#include "base/random.h"
#include "neighbors/search.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 5, METHODS = 4 };

/* A cloud that owns its arrays. */
typedef struct cloud {
    float *xyz, *radii;
    tl_points points;
} cloud;

static inline cloud make(size_t count, float radius) {
    cloud c = {.xyz = calloc(count * STRIDE + 1, sizeof(float))};
    c.points = (tl_points){.xyz = c.xyz, .stride = STRIDE, .count = count, .radius = radius};
    return c;
}

static inline void drop(cloud *c) {
    free(c->xyz);
    free(c->radii);
}

static inline float uniform(uint64_t seed, uint64_t counter) {
    return (float)tl_random_uniform(seed, counter);
}

/* Points in a box of side `side` with a corner at `corner`. */
static inline cloud make_box(size_t count, float radius, float side, float corner, uint64_t seed) {
    cloud c = make(count, radius);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            c.xyz[STRIDE * i + k] = corner + side * uniform(seed, 3 * i + k);
    return c;
}

/* Radii between a tenth of the bound and the bound. */
static inline void vary_radii(cloud *c) {
    c->radii = calloc(c->points.count, sizeof(float));
    for (size_t i = 0; i < c->points.count; i++)
        c->radii[i] = c->points.radius * (0.1f + 0.9f * powf(uniform(99, i), 4.0f));
    c->points.radii = c->radii;
}

static inline int compare_indices(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline tl_neighbor_list build(tl_search_method method, int threads, const tl_points *points,
                                     size_t row_count) {
    tl_search *search = tl_search_create(method);
    const tl_parallel parallel = tl_parallel_adverse(threads);
    tl_neighbor_list list = {0};
    tl_error error = {0};
    cr_assert_eq(tl_search_build(search, &parallel, points, row_count, &list, &error), TL_OK, "%s",
                 error.what);
    tl_search_destroy(search);
    return list;
}

/* Rows are aligned, padded with `count`, apart from each other, and their sizes add up. */
static inline void check_format(const tl_neighbor_list *list, size_t row_count, size_t count) {
    cr_assert_eq(list->row_count, row_count);
    cr_assert_leq(list->index_count, tl_array_capacity(list->index));
    unsigned char *taken = calloc(list->index_count + 1, 1);
    size_t pairs = 0;
    for (size_t i = 0; i < row_count; i++) {
        const size_t padded = tl_pad_lanes(list->size[i]);
        cr_assert_eq(list->begin[i] % TL_LANES, 0);
        cr_assert_leq(list->begin[i] + padded, list->index_count);
        bool padding = true, apart = true;
        for (size_t k = 0; k < padded; k++) {
            const uint32_t j = list->index[list->begin[i] + k];
            padding &= k < list->size[i] ? j < count : j == count;
            apart &= !taken[list->begin[i] + k]++;
        }
        cr_assert(padding, "row %zu is not padded with %zu", i, count);
        cr_assert(apart, "row %zu lies on another", i);
        pairs += list->size[i];
    }
    bool clean = true;
    for (size_t k = 0; k < list->index_count; k++)
        clean &= taken[k] || list->index[k] == count;
    cr_assert(clean, "stale index between rows");
    cr_assert_eq(list->pair_count, pairs);
    free(taken);
}

/* The rows of `list`, as sets, are those of `oracle`. */
static inline void check_same_sets(const tl_neighbor_list *list, const tl_neighbor_list *oracle,
                                   const char *name) {
    cr_assert_eq(list->row_count, oracle->row_count);
    for (size_t i = 0; i < list->row_count; i++) {
        const size_t size = oracle->size[i];
        cr_assert_eq(list->size[i], size, "%s: row %zu has %u of %zu", name, i, list->size[i],
                     size);
        uint32_t *row = malloc((size + 1) * sizeof *row);
        memcpy(row, list->index + list->begin[i], size * sizeof *row);
        qsort(row, size, sizeof *row, compare_indices);
        cr_assert_eq(memcmp(row, oracle->index + oracle->begin[i], size * sizeof *row), 0,
                     "%s: row %zu differs", name, i);
        free(row);
    }
}

static inline void check_agreement(const tl_points *points, size_t row_count) {
    tl_neighbor_list oracle = build(TL_SEARCH_BRUTE, 2, points, row_count);
    check_format(&oracle, row_count, points->count);
    for (int m = 0; m < METHODS; m++) {
        tl_neighbor_list list = build((tl_search_method)m, 2, points, row_count);
        check_format(&list, row_count, points->count);
        check_same_sets(&list, &oracle, tl_search_method_names[m]);
        bool ascending = true;
        for (size_t i = 0; i < row_count; i++)
            for (size_t k = 1; k < list.size[i]; k++)
                ascending &= list.index[list.begin[i] + k - 1] < list.index[list.begin[i] + k];
        cr_assert(ascending || m == TL_SEARCH_GRID, "%s", tl_search_method_names[m]);
        tl_neighbor_list_free(&list);
    }
    tl_neighbor_list_free(&oracle);
}

static inline void check_cloud(cloud c) {
    check_agreement(&c.points, c.points.count);
    drop(&c);
}

#endif
