/* Walls along which matter slips a little (Navier 1823): their traction is η u / b, as if the
 * matter stuck to a wall at the slip length b behind the surface. A film of thickness H = 1 m under
 * a body force along its floor has the steady profile u = G (b + z - z² / 2 H), G the rate at the
 * floor; its other side is a plane of symmetry. Periodic in x and y. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double H = 1, RATE = 1, ETA = 1;

typedef struct film {
    double error; /* relative, L2 */
    double speed; /* m/s, mean */
    double heat;  /* of viscosity in the last steps, relative to that of the exact flow */
    double other; /* of anything else, relative to that */
} film;

enum { STEPS = 40, LAST = 10 };

static void step(tl_world *world, int steps) {
    for (int k = 0; k < steps; k++) {
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    }
}

/* The end of a run of a film that is b away from sticking to a floor with velocity `belt`. */
static film look_at(tl_world *world, double b, double belt) {
    const size_t n = tl_world_count(world);
    double error = 0, scale = 0;
    film out = {0};
    step(world, STEPS - LAST);
    const tl_ledger before = books(world);
    step(world, LAST);
    const tl_ledger after = books(world);
    for (size_t i = 0; i < n; i++) {
        const double z = positions(world)[3 * i + 2], v = velocities(world)[3 * i] - belt;
        const double exact = RATE * (b + z - z * z / (2 * H));
        error += pow(v - exact, 2);
        scale += exact * exact;
        out.speed += v / (double)n;
    }
    out.error = sqrt(error / scale);
    /* The force ETA RATE / H at the mean speed G (b + H / 3), on an area of 36 dx². */
    const double dx = H / ((double)n / 36), power = ETA * RATE * RATE * (b + H / 3) * 36 * dx * dx;
    const double due = power * (after.time - before.time);
    out.heat = (after.viscous_heat - before.viscous_heat) / due;
    out.other = (after.numerical_heat - before.numerical_heat) / due;
    return out;
}

/* A film with n layers, light enough to be steady after a few steps. */
static film film_on(const tl_wall_def *floor, double b, int n, double jitter) {
    const double dx = H / n, speed = RATE * (b + 0.5 * H), dt = 0.1 * dx / speed;
    setup s = setup_make(dx);
    s.material.viscosity.value = ETA;
    s.material.density = 0.1 * ETA * RATE * dt / (speed * H);
    setup_implicit(&s, dt);
    s.def.flow.tension = true;
    s.def.flow.tolerance = 1e-3;
    s.def.gravity[0] = ETA * RATE / (s.material.density * H);
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, H);
    setup_jitter(&s, jitter);
    tl_wall_def *wall = setup_add_plane(&s, TL_SIDE_Z, 0);
    wall->slip = floor->slip, wall->has_slip = floor->has_slip;
    wall->slip_length = floor->slip_length, wall->has_slip_length = floor->has_slip_length;
    wall->velocity[0] = floor->velocity[0];
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H)->contact = TL_CONTACT_FREE_SLIP;
    tl_world *world = setup_world(&s, 2);
    const film out = look_at(world, b, floor->velocity[0]);
    tl_world_destroy(world);
    return out;
}

static film film_of_slip(double slip, int n) {
    const tl_wall_def floor = {.slip = slip, .has_slip = true};
    return film_on(&floor, 0.5 * H / n * slip / (1 - slip), n, 0);
}

static film film_of_length(double b, int n, double jitter) {
    const tl_wall_def floor = {.slip_length = b, .has_slip_length = true};
    return film_on(&floor, b, n, jitter);
}

Test(slip, is_the_part_of_the_drag_on_the_first_layer_that_is_missing) {
    const double slips[] = {0.05, 0.25, 0.5, 0.75, 0.9};
    double last = film_of_slip(0, 20).speed;
    for (int k = 0; k < 5; k++) {
        const film coarse = film_of_slip(slips[k], 10), fine = film_of_slip(slips[k], 20);
        const double order = log2(coarse.error / fine.error);
        cr_log_info("slip %.2f: L2 error %.4f with 10, %.4f with 20 layers, order %.2f; speed %.4f",
                    slips[k], coarse.error, fine.error, order, fine.speed);
        cr_expect_lt(coarse.error, 0.035, "slip %g", slips[k]);
        cr_expect_lt(fine.error, 0.012, "slip %g", slips[k]);
        cr_expect_gt(order, 0.9, "slip %g", slips[k]);
        cr_expect_gt(fine.speed, last, "slip %g", slips[k]);
        last = fine.speed;
    }
}

Test(slip, lengths_are_the_same_at_any_spacing_and_in_disorder) {
    const double lengths[] = {0.05, 0.25, 1};
    for (int k = 0; k < 3; k++) {
        const film coarse = film_of_length(lengths[k], 10, 0),
                   fine = film_of_length(lengths[k], 20, 0),
                   loose = film_of_length(lengths[k], 20, 0.15);
        const double exact = lengths[k] + H / 3;
        cr_log_info("slip length %.2f: L2 error %.4f with 10, %.4f with 20, %.4f in disorder; "
                    "speed %+.2f %%, heat %+.2f %%, numerical %.2f %%",
                    lengths[k], coarse.error, fine.error, loose.error,
                    100 * (fine.speed / exact - 1), 100 * (fine.heat - 1), 100 * fine.other);
        cr_expect_lt(fine.error, 0.012, "%g m", lengths[k]);
        cr_expect_lt(loose.error, 0.02, "%g m", lengths[k]);
        cr_expect_gt(coarse.error / fine.error, 1.8, "%g m", lengths[k]);
        cr_expect_lt(fabs(fine.speed / exact - 1), 0.01, "%g m", lengths[k]);
        cr_expect_lt(fabs(fine.heat - 1), 0.02, "%g m", lengths[k]);
    }
}

/* All is as on a floor at rest, seen from the belt. */
Test(slip, belts_drag_what_slips_along_them) {
    const tl_wall_def belt = {
        .slip_length = 0.25, .has_slip_length = true, .velocity = {-0.5, 0, 0}};
    const film still = film_of_length(0.25, 10, 0), moving = film_on(&belt, 0.25, 10, 0);
    cr_log_info("speed %.4f on a belt, %.4f at rest; heat %.4f, %.4f", moving.speed, still.speed,
                moving.heat, still.heat);
    cr_expect_lt(fabs(moving.speed - still.speed), 2e-3);
    cr_expect_lt(fabs(moving.heat - still.heat), 5e-3);
}
