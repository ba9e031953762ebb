/* Tension between liquids: the pressure in a drop of one in another, its momenta, and how it comes
 * back to a ball. See docs/tension.md. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double dx = 1e-3, gamma_ = 0.03, pi = 3.14159265358979;

typedef struct liquids {
    double density[2], viscosity[2]; /* around, in the drop */
} liquids;

/* A drop of so many spacings in a ball of another liquid, which is four layers wider, off the
 * symmetries of the lattice; without gravity, and without tension against the air. */
static tl_world *make_drop(const liquids *l, double spacings, double longer, double *R) {
    static tl_interface_def border;
    border = (tl_interface_def){.surface_tension = gamma_, .materials = {1, 0}};
    setup s = setup_make(dx);
    s.def.flow.scheme = TL_SCHEME_COUPLED;
    s.def.flow.tolerance = 1e-3; /* momenta are kept to that */
    s.def.flow.max_step = 0.01;
    for (int k = 0; k < 2; k++)
        s.materials[k] =
            (tl_material){.density = l->density[k], .viscosity.value = l->viscosity[k]};
    const double a = (spacings * (1 + longer) + 4) * dx, o = 0.13 * dx, wide = 1 / sqrt(1 + longer);
    setup_add_box(&s, o - a, 2 * o - a, -o - a, o + a, 2 * o + a, a - o);
    size_t kept = 0, inside = 0;
    for (size_t i = 0; i < s.count; i++) {
        const double *x = s.seeds[i].position;
        const double r2 = (x[0] * x[0] + x[1] * x[1]) / (wide * wide) +
                          x[2] * x[2] / ((1 + longer) * (1 + longer));
        if (!(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < a * a))
            continue;
        s.seeds[kept] = s.seeds[i];
        s.seeds[kept].material = r2 < spacings * spacings * dx * dx;
        inside += s.seeds[kept++].material;
    }
    s.count = kept;
    *R = cbrt(3 * (double)inside / (4 * pi)) * dx;
    s.def.interfaces = &border;
    s.def.interface_count = 1;
    return setup_world(&s, 1);
}

typedef struct state {
    double jump;   /* pressure in the core over that around, over 2γ/R */
    double speed;  /* m/s: rms */
    double longer; /* ⟨z²⟩ - ½⟨x² + y²⟩ of the drop over R² */
    double drift;  /* momentum and spin over that of all at that speed */
} state;

static state look_at(tl_world *w, double R) {
    const size_t n = tl_world_count(w);
    double centre[3] = {0}, inside = 0, core = 0, cores = 0, around = 0, arounds = 0, square = 0;
    state s = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3 && materials(w)[i]; k++)
            centre[k] += positions(w)[3 * i + k];
    for (size_t i = 0; i < n; i++)
        inside += materials(w)[i];
    for (size_t i = 0; i < n; i++) {
        double y[3], r2 = 0;
        for (size_t k = 0; k < 3; k++) {
            const double v = velocities(w)[3 * i + k];
            y[k] = positions(w)[3 * i + k] - centre[k] / inside;
            r2 += y[k] * y[k];
            square += v * v / (double)n;
        }
        const double p = (double)pressures(w)[i], r = sqrt(r2);
        if (materials(w)[i])
            s.longer += (y[2] * y[2] - 0.5 * (y[0] * y[0] + y[1] * y[1])) / (R * R * inside);
        if (r < 0.5 * R) {
            core += p;
            cores++;
        } else if (r > R + 1.5 * dx && r < R + 3 * dx) {
            around += p;
            arounds++;
        }
    }
    s.jump = (core / cores - around / arounds) * R / (2 * gamma_);
    s.speed = sqrt(square);
    const tl_ledger b = books(w);
    s.drift = sqrt(pow(b.momentum[0], 2) + pow(b.momentum[1], 2) + pow(b.momentum[2], 2)) / b.mass;
    return s;
}

static void expect_laplace(const liquids *l, double spacings, double to) {
    double R, jump = 0, speed = 0, drift = 0;
    tl_world *w = make_drop(l, spacings, 0, &R);
    for (int k = 1; k <= 5; k++) {
        run_to(w, (0.5 + 0.1 * k) * to);
        const state now = look_at(w, R);
        jump += 0.2 * now.jump;
        speed = fmax(speed, now.speed);
        drift = fmax(drift, now.drift);
    }
    const tl_ledger b = books(w);
    cr_log_info(
        "R %g dx, %g in %g kg/m3, %g in %g Pa s: jump %.3f of 2γ/R, %.1e m/s, drift %.1e m/s; "
        "%.0f steps, %.0f refused, %.1f iterations",
        spacings, l->density[1], l->density[0], l->viscosity[1], l->viscosity[0], jump, speed,
        drift, b.steps, b.rejected, b.iterations / b.steps);
    cr_expect_float_eq(jump, 1, 0.05);
    cr_expect_lt(drift, 1e-2 * speed + 1e-6);
    tl_world_destroy(w);
}

Test(interfaces, pressure_in_drops_in_another_liquid_is_laplaces) {
    const liquids alike = {{1000, 1000}, {0.05, 0.05}}, light = {{1000, 800}, {0.05, 0.05}},
                  thick = {{1000, 1000}, {0.05, 1}}, oil = {{1000, 850}, {2e-3, 2e-2}};
    expect_laplace(&alike, 5, 0.2);
    expect_laplace(&alike, 8, 0.2);
    expect_laplace(&light, 5, 0.2);
    expect_laplace(&thick, 5, 0.2);
    expect_laplace(&oil, 5, 0.2);
    expect_laplace(&oil, 8, 0.2);
}

/* The same drop, drawn out to 1.3 times its length: γ pulls it back, and viscosity takes
 * what its surface loses. (The books have little of that for work of γ: what acts there is a force
 * against pressure, and a hundredth of the volume is worth a quarter of it.) */
Test(interfaces, drops_become_round) {
    const liquids alike = {{1000, 1000}, {0.1, 0.1}};
    double R;
    tl_world *w = make_drop(&alike, 6, 0.3, &R);
    const double before = look_at(w, R).longer;
    run_to(w, 0.6);
    const state after = look_at(w, R);
    const tl_ledger b = books(w);
    /* Of an ellipsoid with the axes 1.3 and 1/√1.3: 1.0259 times the surface of the ball. */
    const double lost = 0.0259 * 4 * pi * R * R * gamma_;
    cr_log_info("longer by %.3f, then %.4f; heat %.2f of what the surface loses, jump %.3f", before,
                after.longer, b.viscous_heat / lost, after.jump);
    cr_expect_gt(before, 0.1);
    cr_expect_lt(fabs(after.longer), 0.05 * before);
    cr_expect_float_eq(b.viscous_heat / lost, 1, 0.15);
    tl_world_destroy(w);
}
