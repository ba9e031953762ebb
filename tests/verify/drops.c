/* Drops of thin liquid on a floor, some of them no more than a particle: the implicit step gives
 * them no energy, so they never rise above where they fell from. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double dx = 0.002, g = 9.81;

/* Clusters of wide × wide × high particles over a floor, far from one another, at heights of their
 * own so that they meet it at all parts of a step. */
static setup make_drops(int wide, int high, double contact_height) {
    setup s = setup_make(dx);
    setup_implicit(&s, 0.02);
    s.def.flow.artificial_viscosity = 0.05;
    s.def.gravity[2] = -g;
    for (int k = 0; k < 16; k++) {
        const double x = 10 * dx * (k % 4), y = 10 * dx * (k / 4),
                     z = contact_height + 0.13 * dx * k;
        setup_add_box(&s, x, y, z, x + wide * dx, y + wide * dx, z + high * dx);
    }
    setup_jitter(&s, 0.1);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    return s;
}

/* Lets drops fall and run out: mechanical energy never grows by more than a part of the first, and
 * nothing is faster than a fall from the highest place. */
static void expect_calm_by(int scheme, int wide, int high, double from, double viscosity) {
    setup s = make_drops(wide, high, from);
    s.def.flow.scheme = scheme;
    s.material.viscosity.value = viscosity;
    tl_world *world = setup_world(&s, 1);
    const tl_ledger first = books(world);
    const double top = from + (2.1 + high) * dx, fall = sqrt(2 * g * top);
    const double start = first.potential_energy;
    double least = start, fastest = 0, gain = 0;
    for (int k = 1; k <= 60; k++) {
        run_to(world, 0.005 * k);
        const tl_ledger now = books(world);
        const double energy = now.kinetic_energy + now.potential_energy;
        gain = fmax(gain, (energy - least) / start);
        least = fmin(least, energy);
        fastest = fmax(fastest, now.max_speed);
    }
    const tl_ledger last = books(world);
    cr_log_info("%d × %d × %d from %.1f dx, %g Pa·s: gain %.3f, fastest %.2f of a fall, %.0f "
                "steps, %.1f iterations each, %.0f refused",
                wide, wide, high, from / dx, viscosity, gain, fastest / fall, last.steps,
                last.iterations / last.steps, last.rejected);
    cr_expect_lt(gain, 0.02, "%d × %d from %g: energy grows by %g of the first", wide, high, from,
                 gain);
    cr_expect_lt(fastest, 1.1 * fall, "%d × %d from %g: %g m/s", wide, high, from, fastest);
    tl_world_destroy(world);
}

static void expect_calm(int wide, int high, double from, double viscosity) {
    expect_calm_by(TL_SCHEME_COUPLED, wide, high, from, viscosity);
}

Test(drops, lone_particles_get_no_energy_from_a_floor) {
    expect_calm(1, 1, 1 * dx, 1e-3);
    expect_calm(1, 1, 5 * dx, 1e-3);
    expect_calm(1, 1, 5 * dx, 0.1);
}

Test(drops, small_drops_run_out_calmly) {
    expect_calm(1, 2, 3 * dx, 1e-3);
    expect_calm(2, 2, 3 * dx, 1e-3);
    expect_calm(3, 3, 3 * dx, 1e-3);
    expect_calm(3, 3, 3 * dx, 0.05);
}

/* Pressure of the last step must go where it no longer acts. */
Test(drops, the_incremental_scheme_lets_pressure_go) {
    expect_calm_by(TL_SCHEME_INCREMENTAL, 3, 3, 3 * dx, 0.05);
    expect_calm_by(TL_SCHEME_INCREMENTAL, 4, 4, 3 * dx, 1);
}
