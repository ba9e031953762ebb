/* How far linear maps turn, and tensors that are turned. */
#include "math/polar.h"

#include "base/random.h"
#include "math/pi.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static double between(double low, double high, uint64_t seed, size_t i) {
    return low + (high - low) * tl_random_uniform(seed, i);
}

/* By `angle` about an axis at random. */
static tl_turn random_turn(size_t i, double angle) {
    const tl_vec3 axis = {between(-1, 1, 1, 3 * i), between(-1, 1, 1, 3 * i + 1),
                          between(-1, 1, 1, 3 * i + 2)};
    return tl_turn_about(tl_vec3_unit(axis), angle);
}

/* Σ s_k (R q_k) q_kᵀ: stretched by s along the axes that Q turns x, y, z to, then turned by R. */
static void stretch_and_turn(tl_turn R, tl_turn Q, const double s[3], double A[3][3]) {
    memset(A, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        const tl_vec3 q = tl_turn_apply(Q, (tl_vec3){k == 0, k == 1, k == 2});
        const tl_vec3 r = tl_turn_apply(R, q);
        const double from[3] = {q.x, q.y, q.z}, to[3] = {r.x, r.y, r.z};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                A[a][b] += s[k] * to[a] * from[b];
    }
}

/* rad: the angle between two turns. */
static double apart(tl_turn a, tl_turn b) {
    return tl_vec3_length(tl_turn_vector(tl_turn_after(a, tl_turn_inverse(b))));
}

/* The largest error, over many axes and stretches between `least` and 1. */
static double error_of_turn(double angle, double least) {
    double worst = 0;
    for (size_t i = 0; i < 500; i++) {
        const tl_turn R = random_turn(i, angle), Q = random_turn(1000 + i, between(0, TL_PI, 2, i));
        const double s[3] = {1, between(least, 1, 3, i), between(least, 1, 4, i)};
        double A[3][3];
        stretch_and_turn(R, Q, s, A);
        worst = fmax(worst, apart(tl_turn_of((const double(*)[3])A), R));
    }
    return worst;
}

Test(polar, the_turn_of_a_stretch_that_is_turned_is_found) {
    static const double angles[] = {0, 1e-9, 1e-3, 0.1, 0.5, 1, 2, 2.5};
    for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++)
        for (int soft = 0; soft < 3; soft++) {
            const double least = (double[]){0.9, 0.5, 0.1}[soft];
            const double worst = error_of_turn(angles[k], least);
            cr_expect_lt(worst, 1e-9, "angle %g, stretch %g: %g", angles[k], least, worst);
        }
}

Test(polar, the_size_of_the_map_does_not_matter) {
    static const double sizes[] = {1e-20, 1e-6, 1e6, 1e20};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const tl_turn R = random_turn(k, 1.3);
        const double s[3] = {sizes[k], 0.6 * sizes[k], 0.8 * sizes[k]};
        double A[3][3];
        stretch_and_turn(R, random_turn(9, 1), s, A);
        const double off = apart(tl_turn_of((const double(*)[3])A), R);
        cr_expect_lt(off, 1e-9, "%g: %g", sizes[k], off);
    }
}

/* A sheet knows its turn, but for one that is as likely as its mirror image beyond a right angle.
 */
Test(polar, of_a_sheet_is_that_of_its_plane) {
    for (size_t i = 0; i < 200; i++) {
        const tl_turn R = random_turn(i, between(0, 1.5, 5, i)), Q = random_turn(500 + i, 2);
        const double s[3] = {1, between(0.3, 1, 6, i), 0};
        double A[3][3];
        stretch_and_turn(R, Q, s, A);
        const double off = apart(tl_turn_of((const double(*)[3])A), R);
        cr_expect_lt(off, 1e-8, "%zu: %g", i, off);
    }
}

/* A thread is brought from its direction to its new one by the shortest way: its twist is open. */
Test(polar, of_a_thread_turns_its_direction_without_a_twist) {
    for (size_t i = 0; i < 200; i++) {
        const tl_turn R = random_turn(i, between(0, 2.5, 7, i)), Q = random_turn(500 + i, 2);
        const double s[3] = {1, 0, 0};
        double A[3][3];
        stretch_and_turn(R, Q, s, A);
        const tl_turn found = tl_turn_of((const double(*)[3])A);
        const tl_vec3 before = tl_turn_apply(Q, (tl_vec3){1, 0, 0});
        const tl_vec3 after = tl_turn_apply(R, before), by = tl_turn_vector(found);
        const double off = tl_vec3_length(tl_vec3_sub(tl_turn_apply(found, before), after));
        cr_expect_lt(off, 1e-8, "%zu: %g", i, off);
        cr_expect_lt(fabs(tl_vec3_dot(by, before)), 1e-8, "%zu: twisted by %g", i,
                     tl_vec3_dot(by, before));
    }
}

/* Sums of pairs are known to single precision. */
Test(polar, rounding_hardly_twists_a_thread) {
    for (size_t i = 0; i < 200; i++) {
        const tl_turn Q = random_turn(500 + i, 2);
        double A[3][3];
        stretch_and_turn(random_turn(i, 0.1), Q, (double[]){1, 0, 0}, A);
        for (size_t k = 0; k < 9; k++)
            A[k / 3][k % 3] += between(-1e-7, 1e-7, 10, 9 * i + k);
        const tl_vec3 by = tl_turn_vector(tl_turn_of((const double(*)[3])A));
        const double twist = tl_vec3_dot(by, tl_turn_apply(Q, (tl_vec3){1, 0, 0}));
        cr_expect_lt(fabs(twist), 4e-3, "%zu: %g", i, twist);
    }
}

Test(polar, of_nothing_is_none) {
    static const double nothing[3][3];
    cr_expect_eq(apart(tl_turn_of(nothing), tl_turn_none()), 0);
}
