/* The collapse of a water column twice as high as wide against the experiment of Martin & Moyce
 * (1952, Phil. Trans. R. Soc. A 244, 312, fig. 3: a = 2.25 in, n² = 2): place Z = x/a of the front
 * at time T = t √(2g/a). */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double G = 9.81, A = 0.05715;

static const double experiment[][2] = {{0.832, 1.217}, {1.219, 1.474}, {1.997, 2.292},
                                       {2.547, 2.995}, {3.345, 4.134}, {4.034, 4.944}};

/* Foremost particle near the floor. */
static double front(tl_world *world, double dx) {
    double x = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double *p = positions(world) + 3 * i;
        if (p[2] < 0.3 * A)
            x = fmax(x, p[0]);
    }
    return (x + dx / 2) / A;
}

Test(dam, front_runs_as_in_the_experiment) {
    const double dx = A / 16, width = 6 * dx;
    setup s = setup_make(dx);
    s.def.gravity[2] = -G;
    setup_periodic(&s, 1, 0, width);
    setup_add_box(&s, 0, 0, 0, A, width, 2 * A);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_X, 0);
    tl_world *world = setup_world(&s, 2);
    for (size_t k = 0; k < sizeof experiment / sizeof experiment[0]; k++) {
        run_to(world, experiment[k][0] / sqrt(2 * G / A));
        const double z = front(world, dx);
        cr_log_info("T %.3f: Z %.3f, experiment %.3f: %+.1f %%", experiment[k][0], z,
                    experiment[k][1], 100 * (z / experiment[k][1] - 1));
        cr_expect_float_eq(z / experiment[k][1], 1, 0.1, "at T = %.3f", experiment[k][0]);
    }
    tl_ledger books;
    tl_world_ledger(world, &books);
    cr_expect_lt(fabs(books.energy_error), 0.02 * (books.kinetic_energy + books.potential_energy));
    cr_expect_lt(books.density_error, 0.02);
    tl_world_destroy(world);
}
