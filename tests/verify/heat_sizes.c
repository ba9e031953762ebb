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
