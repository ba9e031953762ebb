/* Where voids are, and what their neighbours give: by Qhull, beside brute force. */
#include "resample/voids.h"
#include "resample/shares.h"

#include "base/array.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const double LIMIT = 0.95;

/* A lattice of edge³ places with unit spacing in some disorder, but one. */
static size_t make_places(int edge, double disorder, int left_out, double *x, double *limits) {
    size_t n = 0;
    for (int i = 0; i < edge * edge * edge; i++) {
        const int at[3] = {i % edge, i / edge % edge, i / edge / edge};
        if (i == left_out)
            continue;
        for (size_t k = 0; k < 3; k++)
            x[3 * n + k] = at[k] + disorder * (2 * tl_random_uniform(1, 3 * n + k) - 1);
        limits[n++] = LIMIT;
    }
    return n;
}

static double nearest(const double *x, size_t n, tl_vec3 to) {
    double r = HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        r = fmin(r, tl_vec3_length(tl_vec3_sub(tl_vec3_of(x + 3 * i), to)));
    return r;
}

static size_t find(const double *x, size_t n, const double *limits, tl_void **voids) {
    size_t count;
    tl_error error = {0};
    cr_assert_eq(tl_voids_find(x, n, limits, voids, &count, &error), TL_OK, "%s", error.what);
    return count;
}

/* Spheres through eight corners of a cube have a radius of 0.87, and that about a hole has 1. */
Test(voids, a_lattice_has_none_but_where_a_particle_is_missing) {
    double x[3 * 343], limits[343];
    tl_void *voids;
    if (!tl_voids_available())
        cr_skip_test("no Qhull");
    cr_expect_eq(find(x, make_places(7, 0, -1, x, limits), limits, &voids), 0);
    tl_array_free(voids);
    const size_t n = make_places(7, 0, 171, x, limits);
    cr_assert_eq(find(x, n, limits, &voids), 1);
    cr_expect_float_eq(voids[0].radius, 1, 1e-12);
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(((double *)&voids[0].center)[k], 3, 1e-12);
    for (int c = 0; c < 4; c++) {
        const tl_vec3 corner = tl_vec3_of(x + 3 * voids[0].corners[c]);
        cr_expect_float_eq(tl_vec3_length(tl_vec3_sub(corner, voids[0].center)), 1, 1e-12);
    }
    tl_array_free(voids);
}

/* Each sphere is empty and touches its corners; and whatever place is that far from all, one of the
 * spheres holds it. */
Test(voids, all_that_brute_force_finds_are_found_and_no_others) {
    enum { EDGE = 8, N = EDGE * EDGE * EDGE };
    double x[3 * N], limits[N];
    tl_void *voids;
    if (!tl_voids_available())
        cr_skip_test("no Qhull");
    const size_t n = make_places(EDGE, 0.45, 0, x, limits), count = find(x, n, limits, &voids);
    for (size_t v = 0; v < count; v++) {
        const double r = voids[v].radius;
        cr_expect_gt(r, LIMIT);
        cr_expect_float_eq(nearest(x, n, voids[v].center), r, 1e-9 * r);
        for (int c = 0; c < 4; c++) {
            const tl_vec3 corner = tl_vec3_of(x + 3 * voids[v].corners[c]);
            cr_expect_float_eq(tl_vec3_length(tl_vec3_sub(corner, voids[v].center)), r, 1e-9 * r);
        }
    }
    size_t lonely = 0;
    for (int s = 0; s < 100000; s++) {
        double at[3];
        for (size_t k = 0; k < 3; k++)
            at[k] = 1.5 + (EDGE - 4) * tl_random_uniform(2, (uint64_t)(3 * s) + k);
        const tl_vec3 place = tl_vec3_of(at);
        if (!(nearest(x, n, place) > LIMIT + 1e-9))
            continue;
        bool held = false;
        for (size_t v = 0; v < count && !held; v++)
            held = tl_vec3_length(tl_vec3_sub(voids[v].center, place)) < voids[v].radius;
        cr_expect(held, "nobody is at %g %g %g", at[0], at[1], at[2]);
        lonely++;
    }
    cr_expect_gt(lonely, 100);
    tl_array_free(voids);
}

/* Far from the origin, too; and what lies in a plane, or in a line, has none. */
Test(voids, places_far_away_and_in_planes_are_no_trouble) {
    double x[3 * 343], limits[343];
    tl_void *voids;
    if (!tl_voids_available())
        cr_skip_test("no Qhull");
    size_t n = make_places(7, 0, 171, x, limits);
    for (size_t c = 0; c < 3 * n; c++)
        x[c] += 1e5;
    cr_assert_eq(find(x, n, limits, &voids), 1);
    cr_expect_float_eq(voids[0].center.z, 1e5 + 3, 1e-9);
    tl_array_free(voids);
    n = make_places(7, 0, 171, x, limits);
    for (size_t i = 0; i < n; i++)
        x[3 * i + 2] = 0.5;
    cr_expect_eq(find(x, 49, limits, &voids), 0);
    tl_array_free(voids);
    cr_expect_eq(find(x, 3, limits, &voids), 0);
}

Test(voids, hulls_hold_what_is_in_them) {
    const tl_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.2, 0.2}};
    bool holds;
    if (!tl_voids_available())
        cr_skip_test("no Qhull");
    for (int s = 0; s < 300; s++) {
        const double a = 1.2 * tl_random_uniform(3, (uint64_t)(3 * s)) - 0.1,
                     b = 1.2 * tl_random_uniform(3, (uint64_t)(3 * s + 1)) - 0.1,
                     c = 1.2 * tl_random_uniform(3, (uint64_t)(3 * s + 2)) - 0.1;
        const bool expected = a > 0 && b > 0 && c > 0 && a + b + c < 1;
        cr_assert_eq(tl_hull_holds(corners, 5, (tl_vec3){a, b, c}, 0, &holds, NULL), TL_OK);
        cr_expect_eq(holds, expected, "%g %g %g", a, b, c);
    }
    cr_assert_eq(tl_hull_holds(corners, 3, (tl_vec3){0.1, 0.1, 0}, 0, &holds, NULL), TL_OK);
    cr_expect_not(holds);
}

/* For a regular neighbourhood they are the weights. */
Test(voids, shares_of_a_regular_ring_are_even) {
    double weights[6], shares[6];
    const tl_vec3 six[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int k = 0; k < 6; k++)
        weights[k] = 0.3;
    cr_assert(tl_shares_find(six, weights, 6, 1, shares));
    for (int k = 0; k < 6; k++)
        cr_expect_float_eq(shares[k], 1.0 / 6, 1e-15);
}

/* Places around the origin, more or less. */
static void make_ring(uint64_t seed, size_t count, tl_vec3 *d, double *weights) {
    for (size_t k = 0; k < count; k++) {
        double at[3];
        for (size_t c = 0; c < 3; c++)
            at[c] = tl_random_uniform(seed, 3 * k + c) - 0.2 - 0.15 * (double)c;
        d[k] = tl_vec3_of(at);
        weights[k] = 0.1 + tl_random_uniform(seed + 1000, k);
    }
}

/* Otherwise all are above 0, and their mean is the place: just where that is in the hull. */
Test(voids, shares_have_the_place_as_their_mean_where_the_hull_holds_it) {
    enum { N = 16, RINGS = 400 };
    tl_vec3 d[N];
    double weights[N], shares[N];
    int held = 0;
    if (!tl_voids_available())
        cr_skip_test("no Qhull");
    for (int ring = 0; ring < RINGS; ring++) {
        bool holds;
        make_ring((uint64_t)ring, N, d, weights);
        cr_assert_eq(tl_hull_holds(d, N, (tl_vec3){0, 0, 0}, 0, &holds, NULL), TL_OK);
        cr_assert_eq(tl_shares_find(d, weights, N, 1, shares), holds, "ring %d", ring);
        held += holds;
        tl_vec3 mean = {0, 0, 0};
        double sum = 0;
        for (int k = 0; k < N && holds; k++) {
            cr_expect_gt(shares[k], 0);
            sum += shares[k];
            mean = tl_vec3_mad(mean, shares[k], d[k]);
        }
        cr_expect_float_eq(sum, holds, 1e-14);
        cr_expect_lt(tl_vec3_length(mean), 1e-9);
    }
    cr_expect(held > RINGS / 5 && held < RINGS, "%d", held);
}
