/* Four searches, one answer. Brute force is the oracle of the others. */
#include "neighbors/neighbors.h"

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

static cloud make(size_t count, float radius) {
    cloud c = {.xyz = calloc(count * STRIDE + 1, sizeof(float))};
    c.points = (tl_points){.xyz = c.xyz, .stride = STRIDE, .count = count, .radius = radius};
    return c;
}

static void drop(cloud *c) {
    free(c->xyz);
    free(c->radii);
}

static float uniform(uint64_t seed, uint64_t counter) {
    return (float)tl_random_uniform(seed, counter);
}

/* Points in a box of side `side` with a corner at `corner`. */
static cloud make_box(size_t count, float radius, float side, float corner, uint64_t seed) {
    cloud c = make(count, radius);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            c.xyz[STRIDE * i + k] = corner + side * uniform(seed, 3 * i + k);
    return c;
}

/* Radii between a tenth of the bound and the bound. */
static void vary_radii(cloud *c) {
    c->radii = calloc(c->points.count, sizeof(float));
    for (size_t i = 0; i < c->points.count; i++)
        c->radii[i] = c->points.radius * (0.1f + 0.9f * powf(uniform(99, i), 4.0f));
    c->points.radii = c->radii;
}

static int compare_indices(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static tl_neighbor_list build(tl_search_method method, int threads, const tl_points *points,
                              size_t row_count) {
    tl_search *search = tl_search_create(method);
    const tl_parallel parallel = tl_parallel_create(threads);
    tl_neighbor_list list = {0};
    tl_error error = {0};
    cr_assert_eq(tl_search_build(search, &parallel, points, row_count, &list, &error), TL_OK, "%s",
                 error.what);
    tl_search_destroy(search);
    return list;
}

/* Rows are aligned, padded with `count`, apart from each other, and their sizes add up. */
static void check_format(const tl_neighbor_list *list, size_t row_count, size_t count) {
    cr_assert_eq(list->row_count, row_count);
    cr_assert_leq(list->index_count, list->index_capacity);
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
static void check_same_sets(const tl_neighbor_list *list, const tl_neighbor_list *oracle,
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

static void check_agreement(const tl_points *points, size_t row_count) {
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

static void check_cloud(cloud c) {
    check_agreement(&c.points, c.points.count);
    drop(&c);
}

/* Unlike the searches, in double: the oracle is right as well as agreed with. */
Test(neighbors, brute_force_finds_what_the_definition_says) {
    cloud c = make_box(400, 0.3f, 1.0f, -0.5f, 3);
    vary_radii(&c);
    tl_neighbor_list list = build(TL_SEARCH_BRUTE, 1, &c.points, 400);
    size_t pairs = 0;
    for (size_t i = 0; i < 400; i++) {
        size_t at = 0;
        for (size_t j = 0; j < 400; j++) {
            double d2 = 0;
            for (size_t k = 0; k < 3; k++)
                d2 += pow((double)c.xyz[STRIDE * i + k] - (double)c.xyz[STRIDE * j + k], 2);
            const double reach = fmax((double)c.radii[i], (double)c.radii[j]);
            const bool listed = at < list.size[i] && list.index[list.begin[i] + at] == j;
            at += listed;
            if (fabs(sqrt(d2) - reach) > 1e-6)
                cr_assert_eq(listed, sqrt(d2) < reach, "pair %zu %zu", i, j);
        }
        pairs += at;
    }
    cr_assert_eq(pairs, list.pair_count);
    cr_assert_gt(pairs, 1000);
    tl_neighbor_list_free(&list);
    drop(&c);
}

Test(neighbors, methods_agree_on_random_clouds) {
    check_cloud(make_box(3000, 0.1f, 1.0f, 0.0f, 1));
    check_cloud(make_box(2000, 0.31f, 1.0f, -0.7f, 2));
    check_cloud(make_box(500, 5.0f, 1.0f, 0.0f, 3)); /* all near all */
}

Test(neighbors, methods_agree_on_clusters) {
    cloud c = make(3000, 0.05f);
    for (size_t i = 0; i < 3000; i++)
        for (size_t k = 0; k < 3; k++)
            c.xyz[STRIDE * i + k] =
                3.0f * uniform(7, 3 * (i % 11) + k) + 0.3f * powf(uniform(8, 3 * i + k), 3.0f);
    check_cloud(c);
}

/* Distances equal to the radius are outside, in every direction and also when the lattice is not
 * where float32 is exact. */
Test(neighbors, methods_agree_where_distances_equal_the_radius) {
    const float spacing[] = {1.0f, 0.1f, 0.0035f};
    for (size_t s = 0; s < 3; s++)
        for (int reach = 1; reach <= 3; reach++) {
            cloud c = make(12 * 12 * 12, spacing[s] * (float)reach);
            for (size_t i = 0; i < c.points.count; i++) {
                const size_t at[3] = {i % 12, i / 12 % 12, i / 144};
                for (size_t k = 0; k < 3; k++)
                    c.xyz[STRIDE * i + k] = spacing[s] * ((float)at[k] - 5.0f);
            }
            if (s == 0 && reach == 1) {
                tl_neighbor_list list = build(TL_SEARCH_GRID, 1, &c.points, c.points.count);
                cr_assert_eq(list.pair_count, c.points.count);
                tl_neighbor_list_free(&list);
            }
            check_cloud(c);
        }
}

/* Points a few float32 steps on either side of cell borders and of the radius. */
Test(neighbors, methods_agree_within_rounding_of_cell_borders) {
    const float radius = 0.7f;
    cloud c = make(2000, radius);
    for (size_t i = 0; i < c.points.count; i++)
        for (size_t k = 0; k < 3; k++) {
            float x = radius * floorf(6.0f * uniform(21, 3 * i + k));
            const int steps = (int)(7.0f * uniform(22, 3 * i + k)) - 3;
            for (int s = 0; s < abs(steps); s++)
                x = nextafterf(x, steps < 0 ? -INFINITY : INFINITY);
            c.xyz[STRIDE * i + k] = x;
        }
    check_cloud(c);
}

Test(neighbors, a_thousand_points_at_one_place_are_all_neighbours) {
    cloud c = make(1000, 0.01f);
    for (size_t i = 0; i < 1000; i++)
        c.xyz[STRIDE * i] = 0.3f, c.xyz[STRIDE * i + 1] = -2.0f;
    tl_neighbor_list list = build(TL_SEARCH_GRID, 2, &c.points, 1000);
    cr_assert_eq(list.pair_count, 1000000);
    tl_neighbor_list_free(&list);
    check_cloud(c);
}

Test(neighbors, methods_agree_on_lines_and_planes) {
    for (size_t axis = 0; axis < 3; axis++) {
        cloud line = make(2000, 0.01f), plane = make(2000, 0.05f);
        for (size_t i = 0; i < 2000; i++) {
            line.xyz[STRIDE * i + axis] = uniform(4, i);
            plane.xyz[STRIDE * i + axis] = uniform(5, i);
            plane.xyz[STRIDE * i + (axis + 1) % 3] = uniform(6, i);
        }
        check_cloud(line);
        check_cloud(plane);
    }
}

Test(neighbors, no_points_give_no_rows) {
    for (int m = 0; m < METHODS; m++) {
        const tl_points none = {.xyz = NULL, .stride = 3, .count = 0, .radius = 1.0f};
        tl_neighbor_list list = build((tl_search_method)m, 2, &none, 0);
        cr_assert(list.row_count == 0 && list.pair_count == 0 && list.index_count == 0);
        tl_neighbor_list_free(&list);
    }
}

Test(neighbors, one_point_is_its_own_neighbour) {
    cloud c = make_box(1, 0.5f, 1.0f, 100.0f, 1);
    for (int m = 0; m < METHODS; m++) {
        tl_neighbor_list list = build((tl_search_method)m, 2, &c.points, 1);
        size_t size;
        cr_assert_eq(tl_neighbor_row(&list, 0, &size)[0], 0);
        cr_assert_eq(size, 1);
        tl_neighbor_list_free(&list);
    }
    check_cloud(c);
}

Test(neighbors, methods_agree_on_variable_radii) {
    cloud a = make_box(2500, 0.3f, 1.0f, -0.5f, 11), b = make_box(600, 0.2f, 30.0f, -9.0f, 12);
    vary_radii(&a);
    vary_radii(&b);
    check_agreement(&a.points, 700);
    check_cloud(a);
    check_cloud(b);
}

Test(neighbors, methods_agree_far_from_the_origin) {
    check_cloud(make_box(2000, 1.0f, 10.0f, 1e4f, 13));
    check_cloud(make_box(2000, 1.0f, 10.0f, -1e4f, 14));
    check_cloud(make_box(1000, 1.0f, 20.0f, 1e7f, 15)); /* float32 steps of a radius */
}

/* Two crowds and strays, in boxes of up to 1e36 cells: the table has to fold. */
Test(neighbors, methods_agree_on_scattered_points) {
    const float extent[] = {50.0f, 1e3f, 1e6f, 1e12f};
    for (size_t e = 0; e < 4; e++)
        for (unsigned axes = 1; axes < 8; axes++) {
            cloud c = make_box(600, 1.0f, 6.0f, -3.0f, 40 + e);
            for (size_t i = 0; i < 600; i++)
                for (size_t k = 0; k < 3; k++)
                    if (axes >> k & 1 && i % 3 > 0)
                        c.xyz[STRIDE * i + k] +=
                            extent[e] * (i % 3 == 1 ? 1.0f : 2.0f * uniform(50, 3 * i + k) - 1.0f);
            check_cloud(c);
        }
}

/* Long enough along every axis that rows of cells wrap around the folded table. */
Test(neighbors, folding_loses_no_pair_and_lists_none_twice) {
    cloud c = make(3000, 1.0f);
    for (size_t i = 0; i < 3000; i++)
        for (size_t k = 0; k < 3; k++)
            c.xyz[STRIDE * i + k] =
                0.45f * (float)i * (k == 1 ? -1.0f : 1.0f) + 0.2f * uniform(60, 3 * i + k);
    check_cloud(c);
}

Test(neighbors, working_memory_follows_the_points_not_their_extent) {
    cloud c = make_box(2000, 1e-3f, 1e6f, -5e5f, 16);
    tl_search *search = tl_search_create(TL_SEARCH_GRID);
    const tl_parallel parallel = tl_parallel_create(1);
    tl_neighbor_list list = {0};
    cr_assert_eq(tl_search_build(search, &parallel, &c.points, 2000, &list, NULL), TL_OK);
    cr_assert_gt(tl_search_bytes(search), 2000 * 16);
    cr_assert_lt(tl_search_bytes(search), 400000);
    cr_assert_geq(tl_neighbor_list_bytes(&list), 2000 * 12 + list.index_count * 4);
    tl_neighbor_list_free(&list);
    tl_search_destroy(search);
    drop(&c);
}

Test(neighbors, rows_may_be_fewer_than_points) {
    cloud c = make_box(2000, 0.15f, 1.0f, 0.0f, 17);
    const size_t counts[] = {0, 1, 17, 1999};
    for (size_t k = 0; k < 4; k++)
        check_agreement(&c.points, counts[k]);
    drop(&c);
}

Test(neighbors, the_relation_is_symmetric) {
    cloud c = make_box(1500, 0.2f, 1.0f, 0.0f, 18);
    vary_radii(&c);
    tl_neighbor_list list = build(TL_SEARCH_GRID, 2, &c.points, 1500);
    unsigned char *near = calloc(1500, 1500);
    for (size_t i = 0; i < 1500; i++)
        for (size_t k = 0; k < list.size[i]; k++)
            near[1500 * i + list.index[list.begin[i] + k]]++;
    for (size_t i = 0; i < 1500; i++) {
        cr_assert_eq(near[1501 * i], 1);
        bool symmetric = true;
        for (size_t j = 0; j < i; j++)
            symmetric &= near[1500 * i + j] == near[1500 * j + i];
        cr_assert(symmetric, "row %zu", i);
    }
    free(near);
    tl_neighbor_list_free(&list);
    drop(&c);
}

Test(neighbors, rows_and_their_order_do_not_depend_on_threads) {
    cloud c = make_box(20000, 0.06f, 1.0f, 0.0f, 19);
    for (int m = 0; m < TL_SEARCH_BRUTE; m++) {
        tl_neighbor_list one = build((tl_search_method)m, 1, &c.points, 20000);
        const int threads[] = {2, 3, 8};
        for (size_t t = 0; t < 3; t++) {
            tl_neighbor_list many = build((tl_search_method)m, threads[t], &c.points, 20000);
            check_format(&many, 20000, 20000);
            cr_assert_eq(many.pair_count, one.pair_count);
            for (size_t i = 0; i < 20000; i++) {
                cr_assert_eq(many.size[i], one.size[i]);
                cr_assert_eq(memcmp(many.index + many.begin[i], one.index + one.begin[i],
                                    one.size[i] * sizeof *one.index),
                             0);
            }
            tl_neighbor_list_free(&many);
        }
        tl_neighbor_list_free(&one);
    }
    drop(&c);
}

Test(neighbors, a_search_serves_more_and_fewer_points_than_before) {
    const size_t counts[] = {500, 4000, 30, 0, 2500, 4000};
    const tl_parallel parallel = tl_parallel_create(2);
    for (int m = 0; m < METHODS; m++) {
        tl_search *search = tl_search_create((tl_search_method)m);
        tl_neighbor_list list = {0};
        for (size_t k = 0; k < 6; k++) {
            cloud c = make_box(counts[k], k % 2 ? 0.1f : 0.2f, 1.0f, 0.0f, 20 + k);
            if (k == 4)
                vary_radii(&c);
            cr_assert_eq(tl_search_build(search, &parallel, &c.points, counts[k], &list, NULL),
                         TL_OK);
            tl_neighbor_list oracle = build(TL_SEARCH_BRUTE, 1, &c.points, counts[k]);
            check_format(&list, counts[k], counts[k]);
            check_same_sets(&list, &oracle, tl_search_method_names[m]);
            tl_neighbor_list_free(&oracle);
            drop(&c);
        }
        tl_neighbor_list_free(&list);
        tl_search_destroy(search);
    }
}

Test(neighbors, a_repeated_build_allocates_nothing) {
    cloud c = make_box(5000, 0.1f, 1.0f, 0.0f, 30);
    const tl_parallel parallel = tl_parallel_create(2);
    for (int m = 0; m < METHODS; m++) {
        tl_search *search = tl_search_create((tl_search_method)m);
        tl_neighbor_list list = {0};
        cr_assert_eq(tl_search_build(search, &parallel, &c.points, 5000, &list, NULL), TL_OK);
        const size_t bytes = tl_search_bytes(search) + tl_neighbor_list_bytes(&list);
        const uint32_t *index = list.index;
        for (int r = 0; r < 5; r++)
            cr_assert_eq(tl_search_build(search, &parallel, &c.points, 5000, &list, NULL), TL_OK);
        cr_assert_eq(tl_search_bytes(search) + tl_neighbor_list_bytes(&list), bytes);
        cr_assert_eq(list.index, index);
        tl_neighbor_list_free(&list);
        tl_search_destroy(search);
    }
    drop(&c);
}

/* Whatever points the search is given, this input is refused and the list left empty. */
static void check_refused(const tl_points *points, const char *where) {
    const tl_parallel parallel = tl_parallel_create(2);
    for (int m = 0; m < METHODS; m++) {
        tl_search *search = tl_search_create((tl_search_method)m);
        tl_neighbor_list list = {0};
        tl_error error = {0};
        uint32_t order[1];
        cr_assert_eq(tl_search_build(search, &parallel, points, 1, &list, &error), TL_BAD_INPUT);
        cr_assert_str_eq(error.where, where);
        cr_assert(error.what[0] && error.fix[0]);
        cr_assert_eq(list.row_count, 0);
        cr_assert_eq(tl_cell_order(search, &parallel, points, order, NULL), TL_BAD_INPUT);
        tl_neighbor_list_free(&list);
        tl_search_destroy(search);
    }
}

Test(neighbors, the_first_point_that_is_not_finite_is_named) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t b = 0; b < 3; b++)
        for (size_t k = 0; k < 3; k++) {
            cloud c = make_box(9000, 0.1f, 1.0f, 0.0f, 31);
            c.xyz[STRIDE * 8765 + k] = bad[b];
            check_refused(&c.points, "particle 8765");
            c.xyz[STRIDE * 4321 + 1] = bad[b];
            check_refused(&c.points, "particle 4321");
            drop(&c);
        }
}

Test(neighbors, radii_that_cannot_be_used_are_refused) {
    const float bad[] = {0.0f, -1.0f, NAN, INFINITY, 1e-30f, 1e30f};
    for (size_t b = 0; b < 6; b++) {
        cloud c = make_box(50, bad[b], 1.0f, 0.0f, 32);
        check_refused(&c.points, "");
        c.points.radius = 0.1f;
        vary_radii(&c);
        c.radii[7] = bad[b];
        check_refused(&c.points, "particle 7");
        c.radii[7] = 0.11f; /* above the bound */
        check_refused(&c.points, "particle 7");
        drop(&c);
    }
}

Test(neighbors, more_points_than_an_index_can_name_are_refused) {
    float origin[3] = {0};
    const tl_points points = {.xyz = origin, .stride = 3, .count = (size_t)1 << 31, .radius = 1.0f};
    check_refused(&points, "");
}

static int64_t cell(float x, float radius) { return (int64_t)floorf(x / radius); }

Test(neighbors, cell_order_is_a_stable_sort_by_cell_for_any_method_and_threads) {
    enum { N = 30000 };
    cloud c = make_box(N, 0.1f, 1.03f, -0.5f, 33);
    uint32_t *order = malloc(N * sizeof *order), *first = malloc(N * sizeof *first);
    unsigned char *seen = calloc(N, 1);
    for (int m = 0; m < METHODS; m++) {
        tl_search *search = tl_search_create((tl_search_method)m);
        const tl_parallel parallel = tl_parallel_create(1 + m);
        cr_assert_eq(tl_cell_order(search, &parallel, &c.points, m ? order : first, NULL), TL_OK);
        cr_assert(m == 0 || memcmp(order, first, N * sizeof *order) == 0);
        tl_search_destroy(search);
    }
    for (size_t n = 0; n < N; n++)
        cr_assert(first[n] < N && !seen[first[n]]++);
    /* A cell is a hair wider than the radius; points are kept off the difference. */
    size_t compared = 0;
    for (size_t n = 1; n < N; n++) {
        int64_t key[2] = {0, 0};
        bool clear = true;
        for (size_t k = 3; k-- > 0;)
            for (size_t p = 0; p < 2; p++) {
                const float x = c.xyz[STRIDE * first[n - 1 + p] + k];
                clear &= cell(x, 0.1f) == cell(x, 0.1001f);
                key[p] = 1000 * key[p] + cell(x, 0.1f) + 500;
            }
        cr_assert(!clear || key[0] < key[1] || (key[0] == key[1] && first[n - 1] < first[n]));
        compared += clear;
    }
    cr_assert_gt(compared, N / 2);
    free(order), free(first), free(seen);
    drop(&c);
}

/* Leaves hold at most `leaf` points and share them out; only points at one place may be more. */
static void check_leaves(tl_search_method method, const tl_points *points, uint32_t leaf) {
    tl_search *search = tl_search_create(method);
    const tl_parallel parallel = tl_parallel_create(1);
    tl_neighbor_list list = {0};
    cr_assert_eq(tl_search_build(search, &parallel, points, points->count, &list, NULL), TL_OK);
    size_t held = 0;
    for (size_t n = 0; n < search->tree.node_count; n++) {
        const tl_tree_node *node = &search->tree.nodes[n];
        if (node->child_count > 0)
            continue;
        const bool one_place = memcmp(node->low, node->high, sizeof node->low) == 0;
        cr_assert(one_place || node->end - node->begin <= leaf, "%u in a leaf",
                  node->end - node->begin);
        held += node->end - node->begin;
    }
    cr_assert_eq(held, points->count);
    tl_neighbor_list_free(&list);
    tl_search_destroy(search);
}

Test(neighbors, leaves_are_small_also_with_a_stray_far_away) {
    cloud c = make_box(4000, 0.05f, 1.0f, 0.0f, 70);
    c.xyz[0] = 1e15f;
    for (size_t i = 3000; i < 3100; i++)
        memcpy(c.xyz + STRIDE * i, c.xyz + STRIDE * 3000, 3 * sizeof(float));
    check_leaves(TL_SEARCH_OCTREE, &c.points, 10);
    check_leaves(TL_SEARCH_KDTREE, &c.points, 8);
    check_cloud(c);
}
