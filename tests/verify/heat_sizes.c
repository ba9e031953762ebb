/* Heat through particles of different sizes. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>

/* A slab between 100 °C and 0 °C, whose left half has particles of 1/n and whose right half has
 * those of 1/12, steady: how far it is from the line at most. */
static double slab_error(int n) {
    const double dx = 1.0 / 12, width = 0.5;
    plate p = plate_make(dx);
    plate_add_sized_box(&p, 1.0 / n, (double[]){0, 0, 0}, (double[]){0.5, width, width}, 50);
    plate_add_sized_box(&p, dx, (double[]){0.5, 0, 0}, (double[]){1, width, width}, 50);
    plate_periodic(&p, 1, 0, width);
    plate_periodic(&p, 2, 0, width);
    plate_add_plane(&p, TL_SIDE_X, 0, 100);
    plate_add_plane(&p, TL_SIDE_MINUS_X, 1, 0);
    p.def.heat.scheme = TL_HEAT_IMPLICIT;
    tl_world *w = plate_world(&p);
    plate_run(w, 2);
    double worst = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double x = plate_places(w)[3 * i], T = (double)plate_temperatures(w)[i];
        worst = fmax(worst, fabs(T - 100 * (1 - x)) / 100);
    }
    plate_expect_closed(w);
    cr_log_info("1/%d beside 1/12: farthest from the line %.5f", n, worst);
    tl_world_destroy(w);
    return worst;
}

/* To rounding where both have one size; volumes of 2.4 and of 8 bend the line a little where they
 * meet. */
Test(heat_sizes, a_slab_of_two_sizes_has_a_linear_profile) {
    cr_expect_lt(slab_error(12), 1e-4);
    cr_expect_lt(slab_error(16), 0.005);
    cr_expect_lt(slab_error(24), 0.01);
}

/* The warm half is split while the slab takes on its profile, so that nothing is a lattice there.
 */
Test(heat_sizes, a_slab_that_is_refined_where_it_is_warm_has_a_linear_profile) {
    const double dx = 1.0 / 12, width = 0.5;
    static const tl_refine_def rule = {.warmer = 50, .has_warmer = true, .levels = 3};
    plate p = plate_make(dx);
    plate_add_sized_box(&p, dx, (double[]){0, 0, 0}, (double[]){1, width, width}, 40);
    plate_periodic(&p, 1, 0, width);
    plate_periodic(&p, 2, 0, width);
    plate_add_plane(&p, TL_SIDE_X, 0, 100);
    plate_add_plane(&p, TL_SIDE_MINUS_X, 1, 0);
    p.def.heat.scheme = TL_HEAT_IMPLICIT;
    p.def.refine = &rule;
    p.def.refine_count = 1;
    p.def.least_size = dx / 2;
    tl_world *w = plate_world(&p);
    const double before = (double)tl_world_count(w), mass = plate_books(w).mass;
    plate_run(w, 2);
    double worst = 0, square = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double x = plate_places(w)[3 * i], T = (double)plate_temperatures(w)[i];
        const double off = fabs(T - 100 * (1 - x)) / 100;
        worst = fmax(worst, off);
        square += off * off / (double)tl_world_count(w);
    }
    plate_expect_closed(w);
    cr_log_info("%zu particles of %g: farthest from the line %.5f, rms %.5f", tl_world_count(w),
                before, worst, sqrt(square));
    cr_expect_gt((double)tl_world_count(w), 3 * before);
    cr_expect_float_eq(plate_books(w).mass, mass, 1e-14 * mass);
    cr_expect_lt(sqrt(square), 0.01);
    cr_expect_lt(worst, 0.03);
    tl_world_destroy(w);
}
