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

enum { N = 84 };
static const double STEP = 0.05; /* of T */

/* Place of the front at time T, from its places every STEP. */
static double place_at(const double z[N + 1], double T) {
    const int k = (int)(T / STEP);
    return z[k] + (T / STEP - k) * (z[k + 1] - z[k]);
}

/* Runs a dam and finds the places of its front. */
static tl_world *run_dam(tl_scheme scheme, double z[N + 1]) {
    const double dx = A / 16, width = 6 * dx;
    setup s = setup_make(dx);
    s.def.gravity[2] = -G;
    s.def.flow.scheme = scheme;
    setup_periodic(&s, 1, 0, width);
    setup_add_box(&s, 0, 0, 0, A, width, 2 * A);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_X, 0);
    tl_world *world = setup_world(&s, 1);
    z[0] = 1;
    for (int k = 1; k <= N; k++) {
        run_to(world, k * STEP / sqrt(2 * G / A));
        z[k] = front(world, dx);
    }
    return world;
}

/* Ours is ahead at first: in the experiment a sheet of waxed paper had to give way. */
static void expect_experiment(const double z[N + 1], size_t points) {
    for (size_t e = 0; e < points; e++) {
        const double T = experiment[e][0], measured = experiment[e][1], place = place_at(z, T);
        cr_log_info("T %.3f: Z %.3f, experiment %.3f: %+.1f %%", T, place, measured,
                    100 * (place / measured - 1));
        cr_expect_float_eq(place / measured, 1, 0.1, "at T = %.3f", T);
    }
}

Test(dam, front_runs_as_in_the_experiment) {
    double z[N + 1];
    tl_world *world = run_dam(TL_SCHEME_EXPLICIT, z);
    expect_experiment(z, sizeof experiment / sizeof experiment[0]);
    tl_ledger books;
    tl_world_ledger(world, &books);
    cr_expect_lt(fabs(books.energy_error), 0.02 * (books.kinetic_energy + books.potential_energy));
    cr_expect_lt(books.density_error, 0.05);
    tl_world_destroy(world);
}

/* Later the front is a sheet of one layer, from which single particles fly ahead. Compression that
 * is let out over many steps is no reason to solve again: steps took 121 iterations when it was. */
Test(dam, front_starts_as_in_the_experiment_in_coupled_steps) {
    double z[N + 1];
    tl_world *world = run_dam(TL_SCHEME_COUPLED, z);
    expect_experiment(z, 3);
    const tl_ledger now = books(world);
    cr_log_info("%.0f steps, %.1f iterations each", now.steps, now.iterations / now.steps);
    cr_expect_lt(now.iterations / now.steps, 25);
    tl_world_destroy(world);
}
