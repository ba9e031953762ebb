/* Searches that are used again, in threads and with bad points; cells and leaves. */
#include "neighbors_clouds.h"

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
    const tl_parallel parallel = tl_parallel_adverse(2);
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
    const tl_parallel parallel = tl_parallel_adverse(2);
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
    const tl_parallel parallel = tl_parallel_adverse(2);
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
        const tl_parallel parallel = tl_parallel_adverse(1 + m);
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
