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
    s.def.flow.pulls = true;
    s.def.flow.tolerance = 1e-3;
    s.def.gravity[0] = ETA * RATE / (s.material.density * H);
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, H);
    setup_jitter(&s, jitter);
    tl_wall_def *wall = setup_add_plane(&s, TL_SIDE_Z, 0);
    wall->slip = floor->slip, wall->has_slip = floor->has_slip;
    wall->slip_length = floor->slip_length, wall->has_slip_length = floor->has_slip_length;
    wall->contact = floor->contact;
    wall->roughness = floor->roughness, wall->has_roughness = floor->has_roughness;
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

/* ---- Roughness --------------------------------------------------------------------------------
 */

/* 1/b of a rough wall is k³ s², to which 1/b of the smooth one adds. */
Test(slip, rough_walls_slip_by_the_length_that_hills_leave) {
    const tl_roughness_def rough = {.height = 0.01, .period = 0.2};
    const double b = tl_roughness_length(&rough);
    cr_expect_float_eq(b, pow(0.2 / (2 * 3.14159265358979), 3) / 1e-4, 1e-9);
    const tl_wall_def smooth = {
        .contact = TL_CONTACT_FREE_SLIP, .roughness = rough, .has_roughness = true};
    const tl_wall_def soft = {
        .slip_length = 0.25, .has_slip_length = true, .roughness = rough, .has_roughness = true};
    const film free = film_on(&smooth, b, 20, 0), both = film_on(&soft, 1 / (1 / b + 4), 20, 0);
    cr_log_info("slip length %.4f: L2 error %.4f; with another of 0.25: %.4f", b, free.error,
                both.error);
    cr_expect_lt(free.error, 0.012);
    cr_expect_lt(both.error, 0.012);
}

enum { WAVES = 10, POINTS = 48, UNKNOWNS = 2 + 2 * WAVES };

/* Least squares of rows of UNKNOWNS and a right-hand side: the first unknown (Householder). */
static double first_unknown(double (*a)[UNKNOWNS + 1], int rows) {
    double x[UNKNOWNS];
    for (int j = 0; j < UNKNOWNS; j++) {
        double v[2 * POINTS], size2 = 0, square = 0;
        for (int i = j; i < rows; i++)
            size2 += a[i][j] * a[i][j];
        for (int i = j; i < rows; i++)
            v[i] = a[i][j] + (i == j ? copysign(sqrt(size2), a[j][j]) : 0);
        for (int i = j; i < rows; i++)
            square += v[i] * v[i];
        for (int c = j; c <= UNKNOWNS; c++) {
            double part = 0;
            for (int i = j; i < rows; i++)
                part += 2 * v[i] * a[i][c] / square;
            for (int i = j; i < rows; i++)
                a[i][c] -= part * v[i];
        }
    }
    for (int j = UNKNOWNS - 1; j >= 0; j--) {
        x[j] = a[j][UNKNOWNS];
        for (int c = j + 1; c < UNKNOWNS; c++)
            x[j] -= a[j][c] * x[c];
        x[j] /= a[j][j];
    }
    return x[0];
}

/* Slip length over y = a cos x, along which it is `smooth`, of slow flow that is u = y + b far
 * away: the stream function y²/2 + b y + c + Σ (A + B y) exp(-m y) cos m x is constant there, and
 * the shear along the surface is the speed by the smooth length, at POINTS of half a wave. */
static double length_over_waves(double a, double smooth) {
    static double rows[2 * POINTS][UNKNOWNS + 1];
    for (int i = 0; i < POINTS; i++) {
        double *stream = rows[i], *shear = rows[POINTS + i];
        const double x = 3.14159265358979 * (i + 0.5) / POINTS, y = a * cos(x), t = -a * sin(x);
        const double drag = sqrt(1 + t * t) / smooth;
        stream[0] = y, stream[1] = 1, stream[UNKNOWNS] = -y * y / 2;
        shear[0] = -drag, shear[1] = 0, shear[UNKNOWNS] = t * t - 1 + drag * y;
        for (int m = 1; m <= WAVES; m++)
            for (int k = 0; k < 2; k++) {
                const double e = exp(-m * (y + a)), f = k ? y * e : e;
                const double slope = k ? (1 - m * y) * e : -m * e;
                const double bend = k ? m * (m * y - 2) * e : m * m * e;
                const double speed = slope * cos(m * x) + t * m * f * sin(m * x);
                stream[2 * m + k] = f * cos(m * x);
                shear[2 * m + k] = 4 * t * m * slope * sin(m * x) +
                                   (bend + m * m * f) * cos(m * x) * (1 - t * t) - drag * speed;
            }
    }
    return first_unknown(rows, 2 * POINTS);
}

/* Waves across the flow count twice of what those in all directions do. s² = a²/2. */
Test(slip, hills_leave_the_length_of_slow_flow_over_waves) {
    const double smooth[] = {HUGE_VAL, 10, 3};
    for (int w = 0; w < 3; w++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            const double a = k ? 0.1 : 0.2;
            const tl_roughness_def rough = {.height = a / sqrt(2), .period = 2 * 3.14159265358979};
            const double law = 1 / (1 / smooth[w] + 2 / tl_roughness_length(&rough));
            off[k] = length_over_waves(a, smooth[w]) / law - 1;
            cr_log_info("smooth length %g, slope %.3f: %+.2f %%", smooth[w], a / sqrt(2),
                        100 * off[k]);
        }
        cr_expect_lt(fabs(off[1]), 0.02);
        cr_expect_gt(log2(off[0] / off[1]), 1.7);
    }
}
