/* Four searches, one answer. Brute force is the oracle of the others. */
#include "neighbors_clouds.h"

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
