/* Heat at the surface through whole worlds: a ball that is lumped cools along the exact curves,
 * takes up the radiation of its solid angle, and the books close. */
#include "heat/loss.h"
#include "heat_build.h"
#include "math/kernels.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double radius = 0.05, spacing = 0.005, density = 2700, heat = 900;

static bool in_ball(const double x[3], void *context) {
    (void)context;
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < radius * radius;
}

/* A ball that conducts so well that it has nearly one temperature. */
static plate ball(double temperature, double jitter) {
    plate p = plate_make(spacing);
    const double from[3] = {-0.06, -0.06, -0.06}, to[3] = {0.06, 0.06, 0.06};
    p.materials[0].density = density;
    p.materials[0].specific_heat = heat;
    p.materials[0].conductivity = 500;
    p.def.heat.max_step = 4;
    p.materials[0].emissivity = p.materials[0].absorptivity = 0.8;
    plate_add_box(&p, from, to, 0, temperature);
    plate_keep(&p, in_ball, NULL);
    plate_jitter(&p, jitter);
    return p;
}

static double capacity_of(const plate *p) {
    return density * heat * pow(spacing, 3) * (double)p->count;
}

static double area_of(const plate *p) {
    return pow(36 * TL_PI, 1.0 / 3) * pow(pow(spacing, 3) * (double)p->count, 2.0 / 3);
}

static double mean_temperature(tl_world *w) {
    const tl_ledger l = plate_books(w);
    return l.thermal_energy / (l.mass * heat);
}

Test(heat_surface, newtons_cooling_is_exponential) {
    for (int shaken = 0; shaken < 2; shaken++) {
        plate p = ball(200, 0.2 * shaken);
        p.def.heat.has_ambient = true;
        p.def.heat.ambient.value = 20;
        p.def.heat.convection = 50;
        p.materials[0].emissivity = 0;
        const double rate = 50 * area_of(&p) / capacity_of(&p);
        tl_world *w = plate_world(&p);
        for (double t = 200; t < 900; t *= 2) {
            plate_run(w, t);
            const double exact = 20 + 180 * exp(-rate * t), found = mean_temperature(w);
            cr_log_info("%4g s: %.2f °C, exact %.2f °C", t, found, exact);
            cr_expect_lt(fabs(found - exact), 0.02 * 180);
        }
        plate_expect_closed(w);
        cr_expect_eq(plate_books(w).lost_radiation, 0);
        tl_world_destroy(w);
    }
}

/* 1/(4 Ta³) (ln((T + Ta)/(T - Ta)) + 2 atan(T/Ta)) grows as ε σ A t / C. */
static double radiative_age(double t, double a) {
    return (log((t + a) / (t - a)) + 2 * atan(t / a)) / (4 * a * a * a);
}

static double exact_radiative(double start, double ambient, double rate) {
    const double s = start + TL_ZERO_CELSIUS, a = ambient + TL_ZERO_CELSIUS;
    double low = a + 1e-9, high = s;
    for (int k = 0; k < 100; k++) {
        const double middle = (low + high) / 2;
        *(radiative_age(middle, a) - radiative_age(s, a) > rate ? &low : &high) = middle;
    }
    return (low + high) / 2 - TL_ZERO_CELSIUS;
}

Test(heat_surface, radiative_cooling_follows_the_fourth_power) {
    plate p = ball(600, 0);
    p.def.heat.has_ambient = true;
    p.def.heat.ambient.value = 20;
    const double rate = 0.8 * TL_STEFAN_BOLTZMANN * area_of(&p) / capacity_of(&p);
    tl_world *w = plate_world(&p);
    for (double t = 200; t < 1700; t *= 2) {
        plate_run(w, t);
        const double exact = exact_radiative(600, 20, rate * t), found = mean_temperature(w);
        cr_log_info("%4g s: %.2f °C, exact %.2f °C", t, found, exact);
        cr_expect_lt(fabs(found - exact), 0.02 * 580);
    }
    plate_expect_closed(w);
    cr_expect_eq(plate_books(w).lost_convection, 0);
    tl_world_destroy(w);
}

/* Σ absorbed = power · solid angle / 4π · absorptivity, also with a lamp that is dimmed. */
Test(heat_surface, a_lamp_gives_the_power_of_its_solid_angle) {
    static double dimmed[][2] = {{0, 100}, {50, 100}, {100, 300}};
    tl_source_def lamp = {.name = (char *)"lamp", .position = {0.12, 0, 0.16}};
    lamp.power = (tl_schedule){.points = {dimmed, 3}};
    plate p = ball(20, 0);
    p.def.sources = &lamp;
    p.def.source_count = 1;
    const double part = (1 - sqrt(1 - radius * radius / 0.04)) / 2;
    tl_world *w = plate_world(&p);
    plate_run(w, 100);
    const double exact = 0.8 * part * (50 * 100 + 50 * 200), found = plate_books(w).radiated_heat;
    cr_log_info("%.2f J, exact %.2f J", found, exact);
    cr_expect_float_eq(found / exact, 1, 0.02, "%g", found / exact);
    plate_expect_closed(w);
    tl_world_destroy(w);
}

/* Of two equal balls in line with the lamp only the near one is warmed. */
Test(heat_surface, what_is_in_shadow_stays_cold) {
    tl_source_def lamp = {.name = (char *)"lamp", .position = {0, 0, 0.4}, .power.value = 5000};
    plate p = ball(20, 0.2);
    const size_t first = p.count;
    p.materials[0].conductivity = 0.1;
    for (size_t i = 0; i < first; i++) {
        cr_assert_eq(TL_ARRAY_RESERVE(p.seeds, p.count, p.count + 1, NULL), TL_OK);
        p.seeds[p.count] = p.seeds[i];
        p.seeds[p.count++].position[2] -= 0.15;
    }
    p.def.sources = &lamp;
    p.def.source_count = 1;
    tl_world *w = plate_world(&p);
    plate_run(w, 20);
    float above = 0, below = 0;
    for (size_t i = 0; i < 2 * first; i++) {
        float *warmest = plate_places(w)[3 * i + 2] > -0.075 ? &above : &below;
        *warmest = fmaxf(*warmest, plate_temperatures(w)[i]);
    }
    cr_log_info("warmest: %.2f °C in the light, %.2f °C in the shadow", (double)above,
                (double)below);
    cr_expect_gt(above, 22);
    cr_expect_lt(below, 20.01);
    plate_expect_closed(w);
    tl_world_destroy(w);
}

/* Stefan-Boltzmann's balance: a ball in the light of a lamp ends where it radiates what it gets. */
Test(heat_surface, lamp_and_loss_come_to_a_balance) {
    tl_source_def lamp = {.name = (char *)"lamp", .position = {0.3, 0, 0}, .power.value = 2e4};
    plate p = ball(20, 0);
    p.materials[0].specific_heat = 10; /* soon there */
    p.def.heat.has_ambient = true;
    p.def.heat.ambient.value = 20;
    p.def.sources = &lamp;
    p.def.source_count = 1;
    const double taken =
        2e4 * (1 - sqrt(1 - radius * radius / 0.09)) / 2; /* times ε on both sides */
    const double ambient = 20 + TL_ZERO_CELSIUS;
    const double exact =
        pow(taken / (TL_STEFAN_BOLTZMANN * area_of(&p)) + pow(ambient, 4), 0.25) - TL_ZERO_CELSIUS;
    tl_world *w = plate_world(&p);
    plate_run(w, 100);
    double mean = 0;
    const double n = plate_books(w).particles;
    for (size_t i = 0; i < (size_t)n; i++)
        mean += (double)plate_temperatures(w)[i] / n;
    cr_log_info("%.1f °C, exact %.1f °C", mean, exact);
    cr_expect_lt(fabs(mean - exact), 0.01 * (exact + TL_ZERO_CELSIUS));
    plate_expect_closed(w);
    tl_world_destroy(w);
}

/* A pool at its boiling temperature under a lamp: layer after layer boils away. */
Test(heat_surface, what_evaporates_is_the_energy_by_the_latent_heat) {
    tl_source_def lamp = {.name = (char *)"lamp", .position = {0, 0, 0.1}, .power.value = 500};
    plate p = plate_make(0.005);
    p.materials[0].density = 1000;
    p.materials[0].specific_heat = 4000;
    p.materials[0].conductivity = 0.6;
    p.materials[0].absorptivity = 1;
    p.materials[0].has_boiling = true;
    p.materials[0].boiling = 100;
    p.materials[0].latent_heat_of_vaporisation = 2e6;
    p.def.heat.max_step = 200; /* some particles boil in less */
    p.def.sources = &lamp;
    p.def.source_count = 1;
    plate_add_box(&p, (double[]){-0.03, -0.03, -0.03}, (double[]){0.03, 0.03, 0}, 0, 100);
    tl_world *w = plate_world(&p);
    const double start = plate_books(w).mass;
    double time = 0;
    while (plate_books(w).mass > 0.1 * start)
        plate_run(w, time += 200);
    const tl_ledger l = plate_books(w);
    const double held = l.thermal_energy - 4000 * 100 * l.mass, given = l.radiated_heat - held;
    cr_log_info(
        "%.1f %% boiled in %g steps: %.4f kg, %.4f kg by the energy (%.1f %% of it is still "
        "in the liquid)",
        100 * l.boiled_mass / start, l.steps, l.boiled_mass, given / 2e6,
        100 * held / l.radiated_heat);
    cr_expect_gt(l.boiled_mass, 0.8 * start);
    cr_expect_float_eq(l.boiled_mass * 2e6, given, 1e-3 * given);
    plate_expect_closed(w);
    tl_world_destroy(w);
}

/* A run that goes on from a snapshot ends with the same bits. */
Test(heat_surface, a_resumed_world_goes_on_with_the_same_bits) {
    tl_source_def lamp[2] = {{.name = (char *)"a", .position = {0, 0, 0.2}, .power.value = 100},
                             {.name = (char *)"b",
                              .position = {0.2, 0, 0},
                              .velocity = {0, 1e-4, 0},
                              .power.value = 50}};
    char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-surface-XXXXXX", folder ? folder : P_tmpdir);
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    uint64_t hash[2];
    for (int resumed = 0; resumed < 2; resumed++) {
        plate p = ball(100, 0.2);
        p.materials[0].conductivity = 1;
        p.def.heat.has_ambient = true;
        p.def.heat.ambient.value = 20;
        p.def.sources = lamp;
        p.def.source_count = 2;
        tl_error error = {0};
        tl_world *w = plate_world(&p);
        if (!resumed) {
            plate_run(w, 50);
            cr_assert_eq(tl_world_save(w, path, &error), TL_OK, "%s", error.what);
        } else {
            cr_assert_eq(tl_world_restore(w, path, &error), TL_OK, "%s", error.what);
        }
        plate_run(w, 120);
        hash[resumed] = tl_world_hash(w);
        tl_world_destroy(w);
    }
    unlink(path);
    cr_expect_eq(hash[0], hash[1]);
}

/* A tank of liquid that has sloshed: what is open to the air is its level top. */
Test(heat_surface, matter_that_has_flowed_has_its_area) {
    plate p = plate_make(0.005);
    const double from[3] = {0, 0, 0}, to[3] = {0.04, 0.08, 0.08};
    p.materials[0] = (tl_material){.name = (char *)"oil",
                                   .density = 1000,
                                   .viscosity.value = 0.5,
                                   .specific_heat = 1000,
                                   .conductivity = 0.1};
    p.def.flow.scheme = TL_SCHEME_EXPLICIT;
    p.def.gravity[2] = -9.81;
    p.def.heat.has_ambient = true;
    p.def.heat.convection = 1;
    plate_add_box(&p, from, to, 0, 20);
    p.walls[0] =
        (tl_wall_def){.box = {{0, 0, 0}, {0.08, 0.08, 0.2}}, .has_box = true, .open = TL_SIDE_Z};
    p.def.wall_count = 1;
    tl_world *w = plate_world(&p);
    double area = 0;
    plate_run(w, 0.05);
    plate_run(w, 2);
    tl_field_view view;
    cr_assert(tl_world_field(w, "exposed_area", &view));
    for (size_t i = 0; i < (size_t)plate_books(w).particles; i++)
        area += (double)((const float *)view.data)[i];
    cr_log_info("%.3f of the tank's cross-section", area / 0.0064);
    cr_expect_float_eq(area / 0.0064, 1, 0.05, "%g", area / 0.0064);
    plate_expect_closed(w);
    tl_world_destroy(w);
}
