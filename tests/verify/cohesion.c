/* Thermal particles: what they conserve, the order of their integrators, and conduction. */
#include "cohesion_build.h"

#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK                                                                                      \
    "bodies: [{name: block, material: wax, fill: hexagonal, temperature: 0,\n"                     \
    "  box: {from: [0, 0, 0], to: [4.8, 4.2, 3.9]}}]\n"

/* Random velocities of up to `speed` along each axis, without drift of the whole. */
static void shake(stuff *s, double speed) {
    double *v = stuff_field(s, "velocity"), mean[3] = {0};
    const uint64_t *id = stuff_field(s, "id");
    const size_t n = tl_world_count(s->world);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            v[3 * i + k] = speed * (2 * tl_random_uniform(3, 3 * id[i] + k) - 1);
            mean[k] += v[3 * i + k] / (double)n;
        }
    for (size_t i = 0; i < 3 * n; i++)
        v[i] -= mean[i % 3];
}

static double energy(const stuff *s) {
    const tl_ledger l = stuff_books(s);
    return l.kinetic_energy + l.potential_energy + l.bond_energy + l.contact_energy;
}

/* Mean energy over 500 steps: the shadow energy that leap-frog keeps differs by a ripple. */
static double mean_energy(stuff *s) {
    double sum = 0;
    for (int i = 0; i < 500; i++) {
        stuff_step(s, 1);
        sum += energy(s) / 500;
    }
    return sum;
}

/* Drift of a shaken block over 10⁵ steps, relative to its energy, and to its kinetic energy: where
 * the block settles, so does the difference between its energy and what leap-frog keeps. */
static void check_drift(const char *text, double speed, const char *what) {
    stuff s = stuff_open(text, 1);
    shake(&s, speed);
    stuff_step(&s, 10000); /* what the shaking has loosened settles */
    const double start = mean_energy(&s);
    double kinetic = 0;
    for (int i = 0; i < 20; i++) {
        stuff_step(&s, 4950);
        kinetic += stuff_books(&s).kinetic_energy / 20;
    }
    const double end = mean_energy(&s);
    const tl_ledger l = stuff_books(&s);
    cr_log_info(
        "%s: %.0f steps, %.0f rejected, of %.3g s, energy %.9g to %.9g J: %.2g of it; kinetic "
        "%.4g J: %.2g of it",
        what, l.steps, l.rejected, l.dt, start, end, fabs(end / start - 1), kinetic,
        fabs(end - start) / kinetic);
    cr_expect_lt(fabs(end / start - 1), 1e-4);
    cr_expect_lt(fabs(end - start), 1e-3 * kinetic);
    stuff_close(&s);
}

Test(cohesion, keeps_the_energy_of_a_solid_over_a_hundred_thousand_steps) {
    check_drift(HEAD MATERIAL("", "") "gravity: [0, 0, 0]\n" BLOCK, 4, "solid");
}

Test(cohesion, keeps_the_energy_of_a_liquid_in_a_tank_over_a_hundred_thousand_steps) {
    check_drift(
        HEAD MATERIAL("", ", repulsion: 12") "gravity: [0, 0, -1]\n" BLOCK
                                             "walls: [{name: tank, box: {from: [-1.5, -1.5, "
                                             "-1.5], to: [6.5, 6, 9]}}]\n",
        38, "liquid in a tank");
}

Test(cohesion, keeps_energy_with_a_stretched_distance) {
    check_drift(
        HEAD MATERIAL("", ", stretch: [1, 1, 1.3]") "gravity: [0, 0, 0]\n"
                                                    "thermal_particles: {relax: true}\n" BLOCK,
        4, "stretched");
}

Test(cohesion, keeps_momentum_to_rounding) {
    stuff s = stuff_open(HEAD MATERIAL("", "") "gravity: [0, 0, 0]\n" BLOCK, 1);
    shake(&s, 6);
    stuff_step(&s, 3000);
    const tl_ledger l = stuff_books(&s);
    const double p = fmax(fabs(l.momentum[0]), fmax(fabs(l.momentum[1]), fabs(l.momentum[2])));
    cr_log_info("momentum %.2g kg m/s of %.3g", p, sqrt(2 * l.mass * l.kinetic_energy));
    cr_expect_lt(p, 1e-11 * sqrt(2 * l.mass * l.kinetic_energy));
    stuff_close(&s);
}

/* ---- Order ---- */

/* Places after 0.2 s by name, with steps of dt. */
static double *places(const char *integrator, double dt, size_t *count) {
    char text[1024];
    snprintf(text, sizeof text,
             HEAD MATERIAL(
                 "", "") "gravity: [0, 0, -1]\n" BLOCK
                         "walls: [{name: floor, plane: z, at: -0.4}]\n"
                         "thermal_particles: {integrator: %s, substeps: 4, step: 0.9, damping: 2, "
                         "max_step: %.10g}\n",
             integrator, dt);
    stuff s = stuff_open(text, 1);
    shake(&s, 4);
    stuff_run(&s, 0.2);
    *count = tl_world_count(s.world);
    double *out = tl_allocate(3 * *count, sizeof *out);
    const double *x = stuff_field(&s, "position");
    const uint64_t *id = stuff_field(&s, "id");
    for (size_t i = 0; i < *count; i++)
        memcpy(out + 3 * id[i], x + 3 * i, 3 * sizeof *out);
    cr_log_info("%s, dt %g: %.0f steps", integrator, dt, stuff_books(&s).steps);
    stuff_close(&s);
    return out;
}

static double distance(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < 3 * count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / (double)count);
}

static double order_of(const char *integrator, double dt) {
    size_t n;
    double *x[4];
    for (int k = 0; k < 4; k++)
        x[k] = places(integrator, dt / (1 << k), &n);
    const double d0 = distance(x[0], x[1], n), d1 = distance(x[1], x[2], n),
                 d2 = distance(x[2], x[3], n);
    cr_log_info("%s: differences %.3g, %.3g, %.3g m; order %.3f, %.3f", integrator, d0, d1, d2,
                log2(d0 / d1), log2(d1 / d2));
    for (int k = 0; k < 4; k++)
        free(x[k]);
    return log2(d1 / d2);
}

Test(cohesion, leap_frog_is_of_second_order_in_the_step) {
    const double order = order_of("leap-frog", 0.001);
    cr_expect(order > 1.9 && order < 2.1, "order %g", order);
}

Test(cohesion, the_modified_midpoint_method_is_of_second_order_in_the_step) {
    const double order = order_of("midpoint", 0.004);
    cr_expect(order > 1.9 && order < 2.1, "order %g", order);
}

/* ---- Heat ---- */

Test(cohesion, conserves_heat_to_rounding_within_and_between_bodies) {
    stuff s = stuff_open(
        HEAD MATERIAL("specific_heat: 1, conductivity: 2, ",
                      "") "gravity: [0, 0, -1]\nheat: {}\nthermal_particles: {relax: true}\n"
                          "walls: [{name: floor, plane: z, at: -0.9}]\n"
                          "bodies:\n"
                          "- {name: hot, material: wax, fill: hexagonal, temperature: {along: x, "
                          "from: 0, to: 150},\n"
                          "   box: {from: [0, 0, 0], to: [4.8, 4.2, 3.9]}}\n"
                          "- {name: cold, material: wax, fill: hexagonal, temperature: -50,\n"
                          "   box: {from: [0, 0, 4.4], to: [4.8, 4.2, 6.4]}}\n",
        2);
    const double start = stuff_books(&s).thermal_energy;
    const float *temperature = stuff_field(&s, "temperature");
    float least = 1e9f, most = -1e9f;
    stuff_run(&s, 1.5);
    const tl_ledger l = stuff_books(&s);
    temperature = stuff_field(&s, "temperature");
    for (size_t i = 0; i < tl_world_count(s.world); i++) {
        least = fminf(least, temperature[i]);
        most = fmaxf(most, temperature[i]);
    }
    cr_log_info("heat %.17g, then %.17g J; %.0f exchanges; temperatures %.3g to %.3g °C; "
                "energy error %.2g J",
                start, l.thermal_energy, l.heat_iterations, (double)least, (double)most,
                l.energy_error);
    cr_expect_float_eq(l.thermal_energy, start, 1e-12 * fabs(start));
    cr_expect(least > -49.9f && most < 150, "heat has crossed: %g to %g", (double)least,
              (double)most);
    cr_expect_lt(fabs(l.energy_error), 1e-3 * l.kinetic_energy);
    stuff_close(&s);
}

/* A slab that repeats itself across, whose faces differ in temperature: the slowest mode falls off
 * as exp(-α (π/L)² t). L reaches half a cell beyond the outermost particles. Only nearest
 * neighbours hold each other, so that the packing is at rest. */
static double decay_error(int cells) {
    char text[1024];
    const double y = 6 * 1.192 * sqrt(0.75), z = 6 * 1.192 * sqrt(2.0 / 3);
    snprintf(
        text, sizeof text,
        HEAD MATERIAL(
            "specific_heat: 1, conductivity: 2, ",
            ", range: 1.35, smoothing: 0.8") "gravity: [0, 0, 0]\nheat: {}\nthermal_particles: "
                                             "{damping: 20, max_step: 0.004}\n"
                                             "periodic: {box: {from: [-9, 0, 0], to: [99, %.9f, "
                                             "%.9f]}, y: true, z: true}\n"
                                             "bodies: [{name: slab, material: wax, fill: "
                                             "hexagonal, "
                                             "temperature: 0,\n"
                                             "  box: {from: [0, 0, 0], to: [%.6f, %.9f, %.9f]}}]\n",
        y, z, 1.192 * cells, y, z);
    stuff s = stuff_open(text, 2);
    const double length = 1.192 * cells, wave = 3.14159265358979 / length;
    double *x = stuff_field(&s, "position"), *heat = stuff_field(&s, "enthalpy"), mode[2];
    const size_t n = tl_world_count(s.world);
    for (size_t i = 0; i < n; i++)
        heat[i] = 10 * cos(wave * x[3 * i]);
    const double rate = 2 / (0.83502 * 1) * wave * wave, times[2] = {0.3 / rate, 1.3 / rate};
    for (int t = 0; t < 2; t++) {
        stuff_run(&s, times[t]);
        x = stuff_field(&s, "position"), heat = stuff_field(&s, "enthalpy");
        mode[t] = 0;
        for (size_t i = 0; i < n; i++)
            mode[t] += heat[i] * cos(wave * x[3 * i]);
    }
    const double found = log(mode[0] / mode[1]) / (times[1] - times[0]);
    cr_log_info("%d cells: decay %.5g /s, exact %.5g /s: %.2f %%", cells, found, rate,
                100 * (found / rate - 1));
    stuff_close(&s);
    return fabs(found / rate - 1);
}

Test(cohesion, conducts_through_a_slab_as_the_heat_equation_has_it) {
    const double coarse = decay_error(8), fine = decay_error(16);
    cr_expect_lt(coarse, 0.005, "%g", coarse);
    cr_expect_lt(fine, 0.003, "%g", fine);
    cr_expect_lt(fine, 0.75 * coarse, "%g, then %g", coarse, fine);
}

/* ---- Friction ---- */

Test(cohesion, friction_stops_a_block_where_coulomb_says_and_warms_it) {
    stuff s =
        stuff_open(HEAD MATERIAL("specific_heat: 1, conductivity: 2, ",
                                 "") "gravity: [0, 0, -1]\nheat: {}\n"
                                     "thermal_particles: {friction: 0.4, relax: true}\n"
                                     "walls: [{name: floor, plane: z, at: -0.52}]\n"
                                     "bodies: [{name: block, material: wax, fill: hexagonal, "
                                     "temperature: 0, velocity: [2, 0, "
                                     "0],\n  box: {from: [0, 0, 0], to: [7.152, 4.2, 1.95]}}]\n",
                   1);
    const double *x = stuff_field(&s, "position");
    const size_t n = tl_world_count(s.world);
    double from = 0, to = 0;
    for (size_t i = 0; i < n; i++)
        from += x[3 * i] / (double)n;
    const double start = stuff_books(&s).kinetic_energy;
    stuff_run(&s, 8);
    x = stuff_field(&s, "position");
    for (size_t i = 0; i < n; i++)
        to += x[3 * i] / (double)n;
    const tl_ledger l = stuff_books(&s);
    cr_log_info(
        "went %.4f m, Coulomb's law 5 m; heat %.4f J, motion at the start %.4f J; error %.2g "
        "J, %.2g J",
        to - from, l.thermal_energy, start, l.energy_error, l.heat_error);
    cr_expect_float_eq(to - from, 4 / (2 * 0.4), 0.25);
    cr_expect_gt(l.thermal_energy, 0.97 * start);
    cr_expect_float_eq(l.thermal_energy, l.friction_heat, 1e-9);
    cr_expect_lt(fabs(l.energy_error), 0.002 * start);
    stuff_close(&s);
}

/* ---- Rest ---- */

Test(cohesion, relaxing_finds_a_packing_at_rest_with_less_energy) {
    stuff plain = stuff_open(HEAD MATERIAL("", "") "gravity: [0, 0, 0]\n" BLOCK, 1);
    stuff relaxed = stuff_open(HEAD MATERIAL("", "") "gravity: [0, 0, 0]\n"
                                                     "thermal_particles: {relax: true}\n" BLOCK,
                               1);
    const double before = stuff_books(&plain).bond_energy,
                 after = stuff_books(&relaxed).bond_energy;
    stuff_run(&relaxed, 0.5);
    const tl_ledger l = stuff_books(&relaxed);
    cr_log_info("bond energy %.6g, relaxed %.6g J; fastest after 0.5 s %.2g m/s", before, after,
                l.max_speed);
    cr_expect_lt(after, before);
    cr_expect_lt(l.max_speed, 1e-4);
    stuff_close(&plain);
    stuff_close(&relaxed);
}
