/* Exponential, logarithm and power of the wide type against libm, and at the ends of the range. */
#include "math/elementary.h"

#include <criterion/criterion.h>
#include <math.h>

static double lane(tl_wide x) {
    const float first = tl_lane(x, 0);
    for (int l = 1; l < TL_LANES; l++)
        cr_assert_eq(tl_lane(x, l), first, "lanes differ");
    return (double)first;
}

Test(elementary, exp_is_good_to_a_unit_in_the_last_place) {
    for (double x = -87; x <= 88; x += 0.00137) {
        const float f = (float)x;
        cr_assert_lt(fabs(lane(tl_exp(tl_splat(f))) / exp((double)f) - 1), 1.2e-7, "at %g", x);
    }
    cr_assert_eq(lane(tl_exp(tl_splat(0.0f))), 1);
}

Test(elementary, log_is_good_to_a_unit_in_the_last_place) {
    for (double x = -87; x <= 88; x += 0.00137) {
        const float f = (float)exp(x);
        const double expected = log((double)f);
        cr_assert_lt(fabs(lane(tl_log(tl_splat(f))) - expected), 1.2e-7 * fabs(expected) + 1e-10,
                     "at %g", (double)f);
    }
    cr_assert_eq(lane(tl_log(tl_splat(1.0f))), 0);
}

Test(elementary, relaxation_keeps_its_digits_where_it_is_near_one_and_far_out) {
    for (double x = -80; x < 80; x += 0.00137) {
        const float f = (float)exp(x);
        const double expected = -expm1(-(double)f) / (double)f;
        cr_assert_lt(fabs(lane(tl_relaxation(tl_splat(f))) / expected - 1), 4e-7, "at %g",
                     (double)f);
    }
    cr_assert_eq(lane(tl_relaxation(tl_splat(0.0f))), 1);
}

Test(elementary, powers_lose_no_more_than_their_logarithm) {
    for (double x = -28; x < 28; x += 0.0137)
        for (double y = -1; y < 1.01; y += 0.0731) {
            const float base = (float)exp(x), power = (float)y;
            const double expected = pow((double)base, (double)power);
            cr_assert_lt(fabs(lane(tl_pow(tl_splat(base), tl_splat(power))) / expected - 1),
                         2e-7 * (1 + fabs(x * y)), "%g ^ %g", (double)base, (double)power);
        }
}

Test(elementary, every_argument_has_a_finite_result) {
    const float ends[] = {0,     -0.0f, 1e-45f, 1e-38f, 3e38f,    INFINITY,
                          -1.0f, 1e30f, -1e30f, -3e38f, -INFINITY};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const tl_wide x = tl_splat(ends[i]);
        cr_assert(isfinite(lane(tl_exp(x))) && isfinite(lane(tl_log(x))), "at %g", (double)ends[i]);
    }
    cr_assert_lt(lane(tl_exp(tl_splat(-INFINITY))), 2e-38);
    cr_assert_lt(lane(tl_log(tl_splat(0.0f))), -87);
}
