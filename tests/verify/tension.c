/* Surface tension in coupled flow: pressure in drops, how they swing, how they sit on walls; and
 * what a film under a ceiling bears. See docs/tension.md. */
#include "build.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double dx = 1e-3, gamma_ = 0.072, density = 1000, pi = 3.14159265358979;

/* Water with this viscosity, no gravity, and steps that nothing but the flow limits. */
static setup make_liquid(double viscosity) {
    setup s = setup_make(dx);
    setup_implicit(&s, 0);
    s.def.flow.artificial_viscosity = 0.05;
    s.material.viscosity.value = viscosity;
    s.material.surface_tension.value = gamma_;
    s.material.has_surface_tension = true;
    s.material.contact_angle = 0.5 * pi;
    return s;
}

/* Keeps what is inside of an ellipsoid about the origin, or above it, and returns the radius of a
 * ball of that volume. */
static double cut(setup *s, double wide, double high) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = s->seeds[i].position;
        if ((x[0] * x[0] + x[1] * x[1]) / (wide * wide) + x[2] * x[2] / (high * high) < 1)
            s->seeds[kept++] = s->seeds[i];
    }
    s->count = kept;
    return cbrt(3 * (double)kept / (4 * pi)) * dx;
}

/* An ellipsoid of revolution, its axis longer by a part; off the lattice's symmetries. */
static double add_drop(setup *s, double radius, double longer, double disorder) {
    const double a = radius + 3 * dx, o = 0.13 * dx;
    setup_add_box(s, o - a, 2 * o - a, -o - a, o + a, 2 * o + a, a - o);
    setup_jitter(s, disorder);
    return cut(s, radius / sqrt(1 + longer), radius * (1 + longer));
}

static double capillary_limit(void) { return sqrt(density * dx * dx * dx / (2 * pi * gamma_)); }

typedef struct drop_state {
    double core, mean; /* pressure over 2γ/R */
    double speed;      /* m/s: rms */
    double longer;     /* ⟨z²⟩ - ½⟨x² + y²⟩ over R² */
} drop_state;

static drop_state look_at(tl_world *w, double R) {
    const size_t n = tl_world_count(w);
    double centre[3], cores = 0, square = 0;
    drop_state s = {0};
    for (int k = 0; k < 3; k++)
        centre[k] = mean_of(w, k);
    for (size_t i = 0; i < n; i++) {
        const double p = (double)pressures(w)[i] * R / (2 * gamma_);
        double r2 = 0;
        for (size_t k = 0; k < 3; k++) {
            const double y = positions(w)[3 * i + k] - centre[k], v = velocities(w)[3 * i + k];
            r2 += y * y;
            s.longer += (k == 2 ? 1 : -0.5) * y * y / (R * R * (double)n);
            square += v * v / (double)n;
        }
        const bool core = r2 < 0.25 * R * R;
        s.core += core ? p : 0;
        cores += core;
        s.mean += p / (double)n;
    }
    s.core /= cores;
    s.speed = sqrt(square);
    return s;
}

/* Pressure in core and mean, over some looks once it has come to rest. */
static void expect_laplace(double spacings, double viscosity, double disorder, double from,
                           double to) {
    setup s = make_liquid(viscosity);
    const double R = add_drop(&s, spacings * dx, 0, disorder);
    tl_world *w = setup_world(&s, 1);
    drop_state mean = {0};
    for (int k = 1; k <= 5; k++) {
        run_to(w, from + 0.2 * k * (to - from));
        const drop_state now = look_at(w, R);
        mean.core += 0.2 * now.core;
        mean.mean += 0.2 * now.mean;
        mean.speed = fmax(mean.speed, now.speed);
    }
    const tl_ledger b = books(w);
    const double slow = viscosity * mean.speed / gamma_;
    cr_log_info("R %g dx, %g Pa·s: core %.3f, mean %.3f of 2γ/R, ηu/γ %.1e, longest step %.1f of "
                "the capillary limit, %.0f steps of %.1f iterations",
                spacings, viscosity, mean.core, mean.mean, slow, b.dt / capillary_limit(), b.steps,
                b.iterations / b.steps);
    cr_expect_float_eq(mean.core, 1, 0.03, "R %g, η %g: core %g", spacings, viscosity, mean.core);
    cr_expect_float_eq(mean.mean, 1, 0.03, "R %g, η %g: mean %g", spacings, viscosity, mean.mean);
    cr_expect_lt(slow, 0.01, "R %g, η %g: ηu/γ %g", spacings, viscosity, slow);
    tl_world_destroy(w);
}

Test(tension, pressure_in_drops_of_thin_liquid_is_laplaces) {
    expect_laplace(5, 1e-3, 0, 0.1, 0.5);
    expect_laplace(8, 1e-3, 0, 0.1, 0.5);
}

Test(tension, pressure_in_drops_of_oil_is_laplaces) {
    expect_laplace(5, 0.05, 0.1, 0.1, 0.5);
    expect_laplace(8, 1, 0, 0.2, 0.4);
}

Test(tension, pressure_in_drops_of_thick_liquid_is_laplaces) {
    expect_laplace(5, 10, 0, 2, 4);
    expect_laplace(8, 100, 0, 4, 8);
}

Test(tension, pressure_in_a_larger_drop_is_laplaces) { expect_laplace(12, 0.5, 0, 0.3, 0.5); }

/* ---- A drop that swings ------------------------------------------------------------------------
 */

static double complex j2(double complex z) {
    return (3 / (z * z * z) - 1 / z) * csin(z) - 3 / (z * z) * ccos(z);
}

/* Of the mode l = 2 of a viscous drop: u = ∇(r²Y) A + curl curl (x j₂(kr) Y) B with k² = -p/ν. */
typedef struct drop_mode {
    double nu, R;
} drop_mode;

static double complex inward(double complex k, double r) { return 6 / r * j2(k * r); }
static double complex along(double complex k, double r) {
    const double h = 1e-4 * r;
    return j2(k * r) / r + (j2(k * (r + h)) - j2(k * (r - h))) / (2 * h);
}

/* What is left of both conditions at the surface, at a rate p: no shear, and -P + 2η ∂u/∂r =
 * -4γ u / (p R²). */
static double complex condition(const drop_mode *m, double complex p) {
    const double R = m->R, h = 1e-3 * R;
    const double complex k = csqrt(-p / m->nu);
    const double complex in = inward(k, R), on = along(k, R);
    const double complex in_slope = (inward(k, R + h) - inward(k, R - h)) / (2 * h),
                         on_slope = (along(k, R + h) - along(k, R - h)) / (2 * h);
    const double complex shear_a = 2 * R / R + (1 - R / R), shear_b = in / R + on_slope - on / R;
    const double T = 4 * gamma_ / (R * R), eta = m->nu * density;
    const double complex normal_a = density * p * R * R + 2 * eta * 2 + T * 2 * R / p,
                         normal_b = 2 * eta * in_slope + T * in / p;
    return (shear_a * normal_b - shear_b * normal_a) / cabs(j2(k * R));
}

/* The rate -λ ± iω of that mode, by secants from Lamb's for little viscosity. */
static double complex swing_of(double nu, double R) {
    const drop_mode m = {nu, R};
    const double slow = -5 * nu / (R * R), rate = sqrt(8 * gamma_ / (density * R * R * R));
    double complex p = slow + csqrt(-rate * rate), q = 1.001 * p, at_p = condition(&m, p),
                   at_q = condition(&m, q);
    for (int k = 0; k < 40 && cabs(q - p) > 1e-9 * cabs(q); k++) {
        const double complex next = q - at_q * (q - p) / (at_q - at_p);
        p = q, at_p = at_q, q = next, at_q = condition(&m, q);
    }
    return q;
}

enum { LOOKS = 30, UNKNOWNS = 4 };

/* How badly e^(-λt) (a cos ωt + b sin ωt) + c + d t fits: the rest, squared. */
static double misfit(const double *y, double step, double decay, double rate) {
    double A[UNKNOWNS][UNKNOWNS + 1] = {{0}}, rows[LOOKS][UNKNOWNS], rest = 0;
    for (int n = 0; n < LOOKS; n++) {
        const double t = n * step, e = exp(-decay * t);
        const double row[UNKNOWNS] = {e * cos(rate * t), e * sin(rate * t), 1, t};
        for (int r = 0; r < UNKNOWNS; r++) {
            rows[n][r] = row[r];
            A[r][UNKNOWNS] += row[r] * y[n];
            for (int c = 0; c < UNKNOWNS; c++)
                A[r][c] += row[r] * row[c];
        }
    }
    for (int k = 0; k < UNKNOWNS; k++)
        for (int r = 0; r < UNKNOWNS; r++) {
            const double part = r == k ? 0 : A[r][k] / A[k][k];
            for (int c = k; c <= UNKNOWNS; c++)
                A[r][c] -= part * A[k][c];
        }
    for (int n = 0; n < LOOKS; n++) {
        double sum = 0;
        for (int r = 0; r < UNKNOWNS; r++)
            sum += A[r][UNKNOWNS] / A[r][r] * rows[n][r];
        rest += (y[n] - sum) * (y[n] - sum);
    }
    return rest;
}

/* The λ and ω that fit best, by steps that get smaller. */
static void fit_swing(const double *y, double step, double *decay, double *rate) {
    double best = misfit(y, step, *decay, *rate);
    for (double size = 0.2; size > 1e-4; size /= 2)
        for (bool moved = true; moved;) {
            moved = false;
            for (int k = 0; k < 4; k++) {
                const double l = *decay * (1 + (k < 2 ? (k % 2 ? -size : size) : 0)),
                             o = *rate * (1 + (k < 2 ? 0 : (k % 2 ? -size : size) / 5)),
                             now = misfit(y, step, l, o);
                if (now < best)
                    best = now, *decay = l, *rate = o, moved = true;
            }
        }
}

static void expect_lamb(double spacings, double viscosity, double longest, double decay_bound) {
    setup s = make_liquid(viscosity);
    s.def.flow.max_step = longest;
    const double R = add_drop(&s, spacings * dx, 0.07, 0);
    const double complex exact = swing_of(viscosity / density, R);
    const double turn = 2 * pi / cimag(exact), from = 0.25 * turn, step = 1.6 * turn / LOOKS;
    double y[LOOKS], decay = -creal(exact), rate = cimag(exact);
    tl_world *w = setup_world(&s, 1);
    for (int n = 0; n < LOOKS; n++) {
        run_to(w, from + n * step);
        y[n] = look_at(w, R).longer;
    }
    fit_swing(y, step, &decay, &rate);
    cr_log_info("R %g dx, %g Pa·s: %.3f of the frequency, %.3f of the decay", spacings, viscosity,
                rate / cimag(exact), decay / -creal(exact));
    cr_expect_float_eq(rate / cimag(exact), 1, 0.03);
    cr_expect_float_eq(decay / -creal(exact), 1, decay_bound);
    tl_world_destroy(w);
}

Test(tension, drops_swing_at_lambs_frequency) { expect_lamb(8, 0.1, 2e-3, 0.1); }

/* Disorder takes some energy too, at a rate of 0.3 1/s with eight spacings: much for such a thin
 * liquid, whose own is 1.4 1/s; and small drops are coarse. */
Test(tension, drops_of_thin_liquid_swing_at_lambs_frequency) {
    expect_lamb(8, 0.02, 2e-3, 0.3);
    expect_lamb(5, 0.02, 1e-3, 0.3);
}

/* ---- Books -------------------------------------------------------------------------------------
 */

/* Area of an ellipsoid of revolution of the volume of a ball, over that. */
static double area_of(double longer) {
    const double c = 1 + longer, a = 1 / sqrt(c), e = sqrt(1 - a * a / (c * c));
    return 0.5 * a * a * (1 + c / (a * e) * asin(e));
}

Test(tension, surface_gives_what_it_loses) {
    setup s = make_liquid(0.5);
    s.def.flow.max_step = 1e-3;
    const double R = add_drop(&s, 8 * dx, 0.5, 0);
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.4);
    const tl_ledger last = books(w);
    const double lost = gamma_ * 4 * pi * R * R * (area_of(0.5) - 1);
    cr_log_info("surface lost %.3g J, gave %.3g; %.3g of it unexplained", lost, last.tension_work,
                last.energy_error / lost);
    cr_expect_float_eq(last.tension_work / lost, 1, 0.1);
    cr_expect_lt(fabs(last.energy_error), 0.05 * lost);
    tl_world_destroy(w);
}

Test(tension, lone_drops_keep_their_momenta) {
    setup s = make_liquid(0.01);
    s.def.flow.max_step = 1e-3;
    s.def.flow.tolerance = 1e-4;
    s.def.flow.shifting = 0; /* which moves matter beside its velocity */
    add_drop(&s, 5 * dx, 0.3, 0.2);
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.05);
    const size_t n = tl_world_count(w);
    double sum[3] = {0}, turn[3] = {0}, size = 0;
    for (size_t i = 0; i < n; i++) {
        const double *x = positions(w) + 3 * i, *v = velocities(w) + 3 * i;
        size += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int k = 0; k < 3; k++) {
            sum[k] += v[k];
            turn[k] += x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3];
        }
    }
    for (int k = 0; k < 3; k++) {
        cr_expect_lt(fabs(sum[k]), 1e-4 * size, "momentum %g of %g", sum[k], size);
        cr_expect_lt(fabs(turn[k]), 1e-4 * size * 5 * dx, "spin %g of %g", turn[k], size * 5 * dx);
    }
    tl_world_destroy(w);
}

/* ---- Drops on walls ----------------------------------------------------------------------------
 */

/* Height of the centre of a cap with this contact angle, over the cube root of its volume. */
static double height_of_cap(double angle) {
    const double c = cos(angle), h = 1 - c, volume = pi / 3 * (2 + c) * h * h;
    return (3 * (2 - h) * (2 - h) / (4 * (3 - h)) - c) / cbrt(volume);
}

static double angle_of_cap(double height) {
    double low = 0.05, high = pi - 0.05;
    for (int k = 0; k < 50; k++) {
        const double middle = 0.5 * (low + high);
        *(height_of_cap(middle) < height ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* Half a ball on a wall goes to the cap of the angle, which its centre's height tells. */
static void expect_angle(double angle, bool of_wall) {
    setup s = make_liquid(0.1);
    s.def.flow.max_step = 2e-3;
    s.material.contact_angle = of_wall ? 0.5 * pi : angle * pi / 180;
    setup_add_box(&s, -10 * dx, -10 * dx, 0, 10 * dx, 10 * dx, 10 * dx);
    cut(&s, 8 * dx, 8 * dx);
    const double volume = (double)s.count * dx * dx * dx;
    tl_wall_def *wall = setup_add_plane(&s, TL_SIDE_Z, 0);
    wall->has_contact_angle = of_wall;
    wall->contact_angle = angle * pi / 180;
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.6);
    const double found = angle_of_cap(mean_of(w, 2) / cbrt(volume)) * 180 / pi;
    cr_log_info("contact angle %g°: %.1f°", angle, found);
    cr_expect_float_eq(found, angle, 5, "%g° instead of %g°", found, angle);
    tl_world_destroy(w);
}

Test(tension, drops_sit_on_walls_at_60_degrees) { expect_angle(60, true); }
Test(tension, drops_sit_on_walls_at_90_degrees) { expect_angle(90, false); }
Test(tension, drops_sit_on_walls_at_120_degrees) { expect_angle(120, true); }

/* ---- What liquids bear -------------------------------------------------------------------------
 */

/* How far a film under a ceiling has come down after 0.2 s. It is so thick that drops do not form
 * by themselves in that time (Rayleigh and Taylor), as they do in a film of water. */
static double fallen(double strength, int layers) {
    setup s = setup_make(dx);
    setup_implicit(&s, 5e-3);
    s.def.gravity[2] = -9.81;
    s.material.viscosity.value = 1;
    s.material.tensile_strength = strength;
    setup_add_box(&s, 0, 0, -layers * dx, 8 * dx, 8 * dx, 0);
    setup_periodic(&s, 0, 0, 8 * dx);
    setup_periodic(&s, 1, 0, 8 * dx);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, 0);
    tl_world *w = setup_world(&s, 1);
    const double before = mean_of(w, 2);
    run_to(w, 0.2);
    const double way = before - mean_of(w, 2);
    cr_log_info("film of %d layers that bears %g Pa: %.2f layers lower", layers, strength,
                way / dx);
    tl_world_destroy(w);
    return way;
}

/* ρ g d of four layers is 39 Pa, of eight 78 Pa. */
Test(tension, films_hang_as_long_as_they_bear_their_weight) {
    cr_expect_lt(fallen(60, 4), 0.2 * dx);
    cr_expect_gt(fallen(25, 4), 4 * dx); /* further than it is thick */
    cr_expect_lt(fallen(120, 8), 0.2 * dx);
    cr_expect_gt(fallen(50, 8), 8 * dx);
}

/* ---- Bits --------------------------------------------------------------------------------------
 */

Test(tension, bits_do_not_depend_on_threads) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        setup s = make_liquid(0.01);
        add_drop(&s, 5 * dx, 0.2, 0.1);
        setup_add_plane(&s, TL_SIDE_Z, -5.5 * dx);
        tl_world *w = setup_world(&s, 1 + k);
        if (k)
            tl_world_make_adverse(w);
        run_to(w, 0.03);
        hash[k] = tl_world_hash(w);
        tl_world_destroy(w);
    }
    cr_expect_eq(hash[0], hash[1]);
}

Test(tension, runs_go_on_from_snapshots_as_in_one_piece) {
    char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-tension-XXXXXX", folder ? folder : P_tmpdir);
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    setup s = make_liquid(0.01), same;
    s.def.flow.max_step = 2e-3;
    add_drop(&s, 5 * dx, 0.2, 0.1);
    same = s;
    same.seeds = NULL;
    TL_ARRAY_RESERVE(same.seeds, 0, s.count, NULL);
    for (size_t i = 0; i < s.count; i++)
        same.seeds[i] = s.seeds[i];
    tl_world *through = setup_world(&s, 1), *resumed = setup_world(&same, 1);
    run_to(through, 0.02);
    cr_assert_eq(tl_world_save(through, path, NULL), TL_OK);
    cr_assert_eq(tl_world_restore(resumed, path, NULL), TL_OK);
    run_to(through, 0.04);
    run_to(resumed, 0.04);
    cr_expect_eq(tl_world_hash(resumed), tl_world_hash(through));
    remove(path);
    tl_world_destroy(through);
    tl_world_destroy(resumed);
}

/* ---- What is too thin --------------------------------------------------------------------------
 */

static bool is_told_of(setup *s) {
    tl_world *w = setup_world(s, 1);
    tl_warning all[8];
    bool told = false;
    run_to(w, 2e-3);
    const size_t count = tl_world_warnings(w, all, 8);
    for (size_t k = 0; k < count && k < 8; k++)
        told = told || strcmp(all[k].code, "surface") == 0;
    tl_world_destroy(w);
    return told;
}

static bool box_is_told_of(double across, double along, double high) {
    setup s = make_liquid(1);
    setup_add_box(&s, 0, 0, 0, across * dx, along * dx, high * dx);
    setup_jitter(&s, 0.05);
    return is_told_of(&s);
}

Test(tension, of_sheets_and_threads_that_are_too_thin_is_warned) {
    setup drop = make_liquid(1);
    add_drop(&drop, 4 * dx, 0, 0.1);
    cr_expect_not(is_told_of(&drop), "a drop of four spacings");
    cr_expect(box_is_told_of(14, 14, 2), "a sheet of two layers");
    cr_expect_not(box_is_told_of(14, 14, 4), "a sheet of four");
    cr_expect(box_is_told_of(2, 2, 24), "a thread of two");
    cr_expect_not(box_is_told_of(4, 4, 24), "a thread of four");
}
