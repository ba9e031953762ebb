/* Elastic matter against strength of materials and rheology: beams that swing, bars that hang and
 * are drawn, shear that starts up, stress that is forgotten, balls that bounce; and that nothing
 * creeps, is braked by its spin or gains energy by itself. */
#include "boundary/move.h"
#include "build.h"

#include "math/pi.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

static setup elastic_setup(double dx, double modulus, double step) {
    setup s = setup_make(dx);
    setup_implicit(&s, step);
    s.material.viscosity.value = 0;
    s.material.elastic = (tl_elastic){.modulus.value = modulus};
    s.material.has_elastic = true;
    s.def.flow.tolerance = 0.01;
    return s;
}

static const float (*stresses(tl_world *w))[6] {
    tl_field_view view;
    cr_assert(tl_world_field(w, "elastic_stress", &view));
    return view.data;
}

static void expect_near(double found, double expected, double relative, const char *what) {
    cr_expect_float_eq(found, expected, relative * fabs(expected), "%s: %.5g, not %.5g", what,
                       found, expected);
}

/* ---- Beam --------------------------------------------------------------------------------------
 */

/* First mode of a clamped beam at x in 0..1, 2 at its tip. */
static const double first_mode = 1.8751040687;
static double mode_at(double x) {
    const double k = first_mode, s = 0.7340955137;
    return cosh(k * x) - cos(k * x) - s * (sinh(k * x) - sin(k * x));
}

typedef struct swing {
    double frequency; /* over that of Euler and Bernoulli */
    double kept;      /* part of the amplitude after a period */
} swing;

/* How far the beam swings along its mode, m at the tip. */
static double swung(tl_world *w, double length, double rest) {
    double up = 0, weight = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double *x = positions(w) + 3 * i, m = mode_at(fmin(x[0] / length, 1));
        up += m * (x[2] - rest);
        weight += m * m / 2;
    }
    return up / weight;
}

/* A beam of 32 x 4 x 4 cm swings by 2 % of its length, three times up and down. */
static swing vibrate(int across, double modulus, double step) {
    const double length = 0.32, height = 0.04, dx = height / across;
    setup s = elastic_setup(dx, modulus, step);
    setup_add_box(&s, 0, 0, 0, length, height, height);
    setup_add_plane(&s, TL_SIDE_X, 0);
    const double f = first_mode * first_mode / (2 * TL_PI) * height / (length * length) *
                     sqrt(3 * modulus / 1000 / 12);
    const double speed = 0.02 * length * 2 * TL_PI * f;
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].velocity[2] = speed * mode_at(s.seeds[i].position[0] / length) / 2;
    tl_world *w = setup_world(&s, 1);
    enum { CROSSINGS = 7 };
    double last = 0, time = 0, peak = 0, crossing[CROSSINGS], peaks[CROSSINGS];
    int crossings = 0;
    while (crossings < CROSSINGS && time < 6 / f) {
        run_to(w, time + step);
        const double now = swung(w, length, height / 2), t = tl_world_time(w);
        peak = fmax(peak, fabs(now));
        if (last * now < 0) {
            peaks[crossings] = peak;
            crossing[crossings++] = time + (t - time) * last / (last - now);
            peak = 0;
        }
        last = now;
        time = t;
    }
    cr_assert_eq(crossings, CROSSINGS, "it does not swing");
    const tl_ledger l = books(w);
    const swing out = {3 / (crossing[6] - crossing[0]) / f, cbrt(peaks[6] / peaks[0])};
    cr_log_info("%d across, %g Pa, %g ms: frequency %.3f, kept %.3f a period; %.0f iterations a "
                "step, %g refused; energy %.2g of the motion's off",
                across, modulus, 1e3 * step, out.frequency, out.kept, l.iterations / l.steps,
                l.rejected, l.energy_error / (l.kinetic_energy + l.elastic_energy));
    cr_expect_eq(l.rejected, 0);
    cr_expect_lt(fabs(l.energy_error), 0.01 * (l.kinetic_energy + l.elastic_energy));
    tl_world_destroy(w);
    return out;
}

/* Timoshenko's beam of this form has 0.99 of the frequency of Euler's. */
Test(elastic, a_clamped_beam_swings_as_it_should) {
    const swing coarse = vibrate(4, 1e5, 0.01), fine = vibrate(4, 1e5, 0.005);
    cr_expect_float_eq(fine.frequency, 0.99, 0.03, "%g", fine.frequency);
    cr_expect_float_eq(coarse.frequency, 0.99, 0.03, "%g", coarse.frequency);
    cr_expect_gt(fine.kept, 0.975, "%g", fine.kept);
    cr_expect_lt(1 - fine.kept, 0.75 * (1 - coarse.kept), "%g, then %g", coarse.kept, fine.kept);
    cr_expect_leq(fine.kept, 1, "it gains energy");
}

Test(elastic, a_stiff_beam_swings_in_long_steps) {
    const swing stiff = vibrate(4, 1e7, 0.005); /* 18 steps a period */
    cr_expect_float_eq(stiff.frequency, 0.95, 0.06, "%g", stiff.frequency);
    cr_expect_gt(stiff.kept, 0.6);
}

/* ---- Bar that hangs ----------------------------------------------------------------------------
 */

/* How far the middle of a bar has sunk that hangs from a slippery ceiling, over ρ g L² / 6E with
 * E = 3G, once by an hour glass of 1 s, and again by another. */
static void hang(double modulus, double step, double out[2]) {
    const double length = 0.15, width = 0.05, gravity = 9.81;
    setup s = elastic_setup(0.01, modulus, step);
    s.def.gravity[2] = -gravity;
    s.material.viscosity.value = 3 * modulus * step; /* it comes to rest */
    setup_add_box(&s, 0, 0, 0, width, width, length);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, length)->contact = TL_CONTACT_FREE_SLIP;
    tl_world *w = setup_world(&s, 1);
    const double sag = 1000 * gravity * length * length / (9 * modulus);
    for (int k = 0; k < 2; k++) {
        run_to(w, k + 1);
        out[k] = (length / 2 - mean_of(w, 2)) / sag;
    }
    cr_log_info("%g Pa, %g ms: sag %.5f, then %.5f", modulus, 1e3 * step, out[0], out[1]);
    tl_world_destroy(w);
}

Test(elastic, a_bar_that_hangs_sags_and_does_not_creep) {
    double sag[2];
    hang(1e6, 0.02, sag);
    expect_near(sag[0], 1, 0.02, "sag");
    cr_expect_lt(fabs(sag[1] - sag[0]), 1e-3, "it creeps from %g to %g", sag[0], sag[1]);
}

/* ---- Spin --------------------------------------------------------------------------------------
 */

Test(elastic, a_block_spins_freely_in_steps_of_a_tenth_of_a_radian) {
    const double dx = 0.01, step = 0.1;
    setup s = elastic_setup(dx, 1e4, step);
    s.def.flow.tolerance = 0.05;
    setup_add_box(&s, -0.03, -0.03, -0.05, 0.03, 0.03, 0.05);
    for (size_t i = 0; i < s.count; i++) {
        s.seeds[i].velocity[0] = -s.seeds[i].position[1];
        s.seeds[i].velocity[1] = s.seeds[i].position[0];
    }
    tl_world *w = setup_world(&s, 1);
    run_to(w, 5 * 2 * TL_PI);
    double L = 0, r2 = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double *x = positions(w) + 3 * i, *v = velocities(w) + 3 * i;
        L += x[0] * v[1] - x[1] * v[0];
        r2 += x[0] * x[0] + x[1] * x[1];
    }
    const double start = (double)tl_world_count(w) * 2 * (0.06 * 0.06 - dx * dx) / 12;
    cr_log_info("five turns: angular momentum %.6f, size %.6f", L / start, r2 / start);
    expect_near(L, start, 1e-3, "angular momentum");
    expect_near(r2, start, 1e-3, "size");
    tl_world_destroy(w);
}

/* ---- Shear -------------------------------------------------------------------------------------
 */

typedef struct liquid {
    int law;
    double modulus, lambda; /* Pa; s, 0: a solid */
    double rate, step;
} liquid;

/* S_xz and N1 at a strain, as the laws have them. */
static void exact_shear(const liquid *m, double strain, double out[2]) {
    const double Wi = m->lambda * m->rate, t = strain / m->rate;
    const double left = m->lambda > 0 ? exp(-t / m->lambda) : 1;
    if (!(m->lambda > 0)) {
        const bool convected = m->law == TL_ELASTIC_CONVECTED;
        out[0] = m->modulus * (convected ? strain : sin(strain));
        out[1] = m->modulus * (convected ? strain * strain : 2 * (1 - cos(strain)));
    } else if (m->law == TL_ELASTIC_CONVECTED) {
        out[0] = m->modulus * Wi * (1 - left);
        out[1] = 2 * m->modulus * Wi * Wi * (1 - left * (1 + t / m->lambda));
    } else {
        const double most = m->modulus * Wi / (1 + Wi * Wi);
        out[0] = most * (1 - left * (cos(strain) - Wi * sin(strain)));
        out[1] = 2 * most * Wi * (1 - left * (cos(strain) + sin(strain) / Wi));
    }
}

static void mean_stress(tl_world *w, double out[6]) {
    const size_t n = tl_world_count(w);
    for (int k = 0; k < 6; k++) {
        out[k] = 0;
        for (size_t i = 0; i < n; i++)
            out[k] += (double)stresses(w)[i][k] / (double)n;
    }
}

/* Between two belts, without inertia; the largest errors of S_xz and N1 up to a strain. */
static void shear(const liquid *m, double amount, double errors[2]) {
    const double dx = 0.01, H = 10 * dx, L = 5 * dx;
    setup s = elastic_setup(dx, m->modulus, m->step);
    s.material.density = 1e-3 * m->modulus * m->step * m->step / (H * H);
    s.material.elastic.law = m->law;
    s.material.elastic.relaxation_time.value = m->lambda;
    s.material.elastic.has_relaxation_time = m->lambda > 0;
    s.def.flow.pulls = true;
    setup_periodic(&s, 0, 0, L);
    setup_periodic(&s, 1, 0, L);
    setup_add_box(&s, 0, 0, 0, L, L, H);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].velocity[0] = m->rate * s.seeds[i].position[2];
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H)->velocity[0] = m->rate * H;
    tl_world *w = setup_world(&s, 1);
    errors[0] = errors[1] = 0;
    for (int k = 1; k <= 4; k++) {
        double S[6], exact[2];
        run_to(w, 0.25 * k * amount / m->rate);
        mean_stress(w, S);
        exact_shear(m, 0.25 * k * amount, exact);
        errors[0] = fmax(errors[0], fabs(S[4] / exact[0] - 1));
        errors[1] = fmax(errors[1], fabs((S[0] - S[2]) / exact[1] - 1));
    }
    cr_log_info("law %d, Wi %g, dt/λ %g, strain %g: errors of S_xz %.2f %%, of N1 %.2f %%; %g "
                "refused",
                m->law, m->lambda * m->rate, m->lambda > 0 ? m->step / m->lambda : 0, amount,
                100 * errors[0], 100 * errors[1], books(w).rejected);
    tl_world_destroy(w);
}

Test(elastic, shear_starts_up_as_its_law_says) {
    const liquid cases[] = {{TL_ELASTIC_COROTATIONAL, 1e4, 1, 0.1, 0.02},
                            {TL_ELASTIC_COROTATIONAL, 1e4, 1, 0.5, 0.02},
                            {TL_ELASTIC_CONVECTED, 1e4, 1, 0.1, 0.02},
                            {TL_ELASTIC_CONVECTED, 1e4, 1, 0.5, 0.02}};
    const double amounts[] = {0.4, 2, 0.4, 2};
    for (int k = 0; k < 4; k++) {
        double errors[2];
        shear(&cases[k], amounts[k], errors);
        cr_expect_lt(errors[0], 0.02, "S_xz: %g", errors[0]);
        cr_expect_lt(errors[1], 0.04, "N1: %g", errors[1]);
    }
}

/* λγ̇ of 1 to 10, where the stress is up to fifty times G, and neighbours leave each other within
 * what is remembered. */
Test(elastic, liquids_that_are_sheared_fast_have_the_stress_of_their_law) {
    const liquid cases[] = {{TL_ELASTIC_COROTATIONAL, 1e4, 1, 1, 0.02},
                            {TL_ELASTIC_CONVECTED, 1e4, 1, 1, 0.02},
                            {TL_ELASTIC_CONVECTED, 1e4, 1, 3, 0.01},
                            {TL_ELASTIC_CONVECTED, 1e4, 1, 10, 0.004}};
    const double amounts[] = {4, 4, 6, 8};
    for (int k = 0; k < 4; k++) {
        double errors[2];
        shear(&cases[k], amounts[k], errors);
        cr_expect_lt(errors[0], 0.02, "S_xz: %g", errors[0]);
        cr_expect_lt(errors[1], 0.02, "N1: %g", errors[1]);
    }
}

/* Sheared in a hundredth of a second by 0.2 and then held: the stress falls as e^(-t/λ). */
Test(elastic, a_strain_that_is_held_is_forgotten) {
    const double rate = 20, strain = 0.2, H = 0.1, lambda = 0.2, step = 0.005;
    for (int law = TL_ELASTIC_CONVECTED; law <= TL_ELASTIC_COROTATIONAL; law++) {
        tl_move_def belt = {.along = TL_SIDE_X,
                            .has_speed = true,
                            .speed = rate * H,
                            .has_until = true,
                            .until = strain / rate};
        setup s = elastic_setup(0.01, 1e4, step);
        s.material.density = 1e-3 * 1e4 * step * step / (H * H);
        s.material.elastic.law = law;
        s.material.elastic.relaxation_time.value = lambda;
        s.material.elastic.has_relaxation_time = true;
        s.def.flow.pulls = true;
        setup_periodic(&s, 0, 0, 0.05);
        setup_periodic(&s, 1, 0, 0.05);
        setup_add_box(&s, 0, 0, 0, 0.05, 0.05, H);
        setup_add_plane(&s, TL_SIDE_Z, 0);
        setup_add_plane(&s, TL_SIDE_MINUS_Z, H)->motion = (tl_param_list){&belt, 1};
        tl_world *w = setup_world(&s, 1);
        double start[6], now[6], error = 0;
        run_to(w, 0.02);
        mean_stress(w, start);
        for (int k = 1; k <= 4; k++) {
            run_to(w, 0.02 + 0.5 * k * lambda);
            mean_stress(w, now);
            error = fmax(error, fabs(now[4] / start[4] * exp(0.5 * k) - 1));
        }
        cr_log_info("law %d: of %.1f Pa %.1f are left after two λ; largest error %.2f %%", law,
                    start[4], now[4], 100 * error);
        cr_expect_lt(error, 0.01, "law %d: %g", law, error);
        tl_world_destroy(w);
    }
}

Test(elastic, sheared_solids_have_the_stress_of_their_law) {
    for (int law = TL_ELASTIC_CONVECTED; law <= TL_ELASTIC_COROTATIONAL; law++) {
        double errors[2];
        shear(&(liquid){law, 1e4, 0, 1, 0.02}, 1, errors);
        cr_expect_lt(errors[0], 0.02, "S_xz: %g", errors[0]);
        cr_expect_lt(errors[1], 0.04, "N1: %g", errors[1]);
    }
}

/* Steps of 20 relaxation times: it is viscous, and has the normal stress of its law. */
Test(elastic, what_soon_forgets_is_viscous_in_long_steps) {
    double errors[2];
    shear(&(liquid){TL_ELASTIC_COROTATIONAL, 1e4, 0.001, 10, 0.02}, 0.8, errors);
    cr_expect_lt(errors[0], 0.01, "S_xz: %g", errors[0]);
    cr_expect_lt(errors[1], 0.04, "N1: %g", errors[1]);
}

/* ---- Stretch -----------------------------------------------------------------------------------
 */

/* A bar between two plates that grip is drawn to `most` times its length. Its middle becomes as
 * thin as its volume asks for, and has the stress of the stretch that it has there, c_zz = s², S_zz
 * - S_xx = G (s² - 1/s) where plates are far away; returns the error of the width. */
static double draw(double modulus, double step, double most) {
    const double dx = 0.005, L = 0.08, W = 0.04, speed = 0.08;
    setup s = elastic_setup(dx, modulus, step);
    setup_add_box(&s, -W / 2, -W / 2, 0, W / 2, W / 2, L);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_wall_def *plate = setup_add_plane(&s, TL_SIDE_MINUS_Z, L);
    tl_move_def up = {.along = TL_SIDE_Z, .has_speed = true, .speed = speed};
    plate->motion = (tl_param_list){&up, 1};
    tl_world *w = setup_world(&s, 1);
    run_to(w, (most - 1) * L / speed);
    double wide = 0, p = 0, across = 0, rho = 0, count = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double *x = positions(w) + 3 * i;
        if (fabs(x[2] - most * L / 2) > 0.01)
            continue;
        wide = fmax(wide, fabs(x[0]) + dx / 2 / sqrt(most));
        if (hypot(x[0], x[1]) > 0.012)
            continue;
        p += (double)pressures(w)[i];
        across += (double)stresses(w)[i][0];
        rho += densities(w)[i];
        count++;
    }
    const tl_ledger l = books(w);
    /* The middle is drawn farther than the ends, by as much as its stress says. */
    double local = most;
    for (int k = 0; k < 20; k++)
        local = sqrt(1 / local - 3 * across / count / modulus);
    cr_log_info("%g Pa, %g ms, drawn to %g: width %.4f of %.4f, S_xx %.3f and p %.3f of G, density "
                "%.4f; %g steps, %g refused",
                modulus, 1e3 * step, most, 2 * wide / W, 1 / sqrt(local), across / count / modulus,
                p / count / modulus, rho / count / 1000, l.steps, l.rejected);
    cr_expect_lt(fabs(rho / count / 1000 - 1), 0.005, "density");
    cr_expect_lt(fabs(across / count - p / count), 0.06 * modulus, "nothing holds it apart");
    cr_expect_eq(l.rejected, 0);
    tl_world_destroy(w);
    return 2 * wide / W * sqrt(local) - 1;
}

Test(elastic, a_bar_is_drawn_to_twice_its_length) {
    cr_expect_lt(fabs(draw(1e5, 0.02, 1.5)), 0.02);
    cr_expect_lt(fabs(draw(1e5, 0.02, 2)), 0.03);
    cr_expect_lt(fabs(draw(1e5, 0.005, 2)), 0.03);
}

/* ---- Ball --------------------------------------------------------------------------------------
 */

/* A ball of 6 cm radius meets a slippery floor at 1 m/s. Returns the part of its speed with which
 * it leaves; energy never grows. */
static double bounce(double modulus, double step) {
    const double radius = 0.06;
    setup s = elastic_setup(0.01, modulus, step);
    setup_add_box(&s, -radius, -radius, 0, radius, radius, 2 * radius);
    size_t kept = 0;
    for (size_t i = 0; i < s.count; i++) {
        double *x = s.seeds[i].position;
        if (x[0] * x[0] + x[1] * x[1] + pow(x[2] - radius, 2) > radius * radius)
            continue;
        s.seeds[i].velocity[2] = -1;
        x[2] += 0.02;
        s.seeds[kept++] = s.seeds[i];
    }
    s.count = kept;
    tl_wall_def *floor = setup_add_plane(&s, TL_SIDE_Z, 0);
    floor->contact = TL_CONTACT_FREE_SLIP;
    floor->has_stickiness = true;
    tl_world *w = setup_world(&s, 1);
    const double contact = 4 * radius * sqrt(1000 / modulus), motion = 0.5 * books(w).mass;
    for (int k = 1; k <= 12; k++) {
        run_to(w, 0.01 + 0.25 * contact * k);
        const tl_ledger l = books(w);
        cr_expect_gt(l.numerical_heat, -0.01 * motion, "%g J were made", -l.numerical_heat);
    }
    const tl_ledger l = books(w);
    const double speed = l.momentum[2] / l.mass;
    cr_log_info("%g Pa, %g ms: comes back with %.3f of its speed; %g steps, %g refused", modulus,
                1e3 * step, speed, l.steps, l.rejected);
    cr_expect_lt(l.kinetic_energy + l.elastic_energy, motion, "energy was made");
    cr_expect_lt(fabs(l.energy_error), 0.01 * motion, "%g J", l.energy_error);
    tl_world_destroy(w);
    return speed;
}

Test(elastic, balls_bounce_and_gain_nothing) {
    const double coarse = bounce(1e4, 0.005), fine = bounce(1e4, 0.001), own = bounce(1e5, 0);
    cr_expect_gt(fine, 0.8, "%g", fine);
    cr_expect_gt(fine, coarse, "%g, then %g", coarse, fine);
    cr_expect_gt(own, 0.8, "%g", own);
}
