/* The laws of heat of [Chao12] by name, each against its formula, particle by particle. */
#include "base/random.h"
#include "scene/scene.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 6 };
static const double dx = 0.1, step_time = 1e-6, density = 2, heat = 3;

/* A shaken box of particles that do not move, for one step so short that it is the rate. */
static tl_world *make(const char *keys, const char *material, const char *rest, tl_scene **scene) {
    static char text[2000];
    snprintf(text, sizeof text,
             "spacing: 0.1\nflow: {scheme: none}\n"
             "heat: {scheme: explicit, max_step: 1e-6 s%s}\n"
             "materials: {m: {density: 2, specific_heat: 3%s}}\n"
             "bodies: [{material: m, fill: jittered, jitter: 0.2, temperature: 80, "
             "box: {from: [0, 0, 0], to: [0.6, 0.6, 0.6]}}]\n%s",
             keys, material, rest);
    tl_error error = {0};
    tl_world *world = NULL;
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, scene, &error), TL_OK,
                 "%s: %s (%s)", error.where, error.what, error.fix);
    cr_assert_eq(tl_world_create(*scene, &(tl_world_options){.threads = 1}, &world, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_count(world), SIDE * SIDE * SIDE);
    return world;
}

static double *enthalpies(tl_world *w) {
    tl_field_view view;
    cr_assert(tl_world_field(w, "enthalpy", &view));
    return view.data;
}

static const double *places(tl_world *w) {
    tl_field_view view;
    cr_assert(tl_world_field(w, "position", &view));
    return view.data;
}

static double distance(const double *a, const double *b) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* Steps, and compares the rates of change of temperature (K/s) with those expected, as a part of
 * the largest. */
static void expect_rates(tl_world *w, const double *expected, const char *what) {
    const size_t n = tl_world_count(w);
    double *before = malloc(n * sizeof *before), largest = 0, off = 0;
    cr_assert(before);
    memcpy(before, enthalpies(w), n * sizeof *before);
    tl_error error = {0};
    cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    for (size_t i = 0; i < n; i++) {
        const double rate = (enthalpies(w)[i] - before[i]) / heat / step_time;
        largest = fmax(largest, fabs(expected[i]));
        off = fmax(off, fabs(rate - expected[i]));
    }
    cr_log_info("%s: within %.2g of the largest rate, %.4g K/s", what, off / largest, largest);
    cr_expect(largest > 0 && off < 1e-4 * largest, "%s: %g of %g", what, off, largest);
    free(before);
}

/* Eq. 3.24: dT/dt = c_d Σ m_j/ρ_j (T_j - T_i) ∇²W, ∇²W = 45 (h - r)/(π h⁶), c_d = k/(ρ c). */
Test(laws, conduction_is_the_laplacian_of_the_viscosity_kernel) {
    tl_scene *scene;
    tl_world *w = make(", conduction: laplacian", ", conductivity: 1.8", "", &scene);
    const size_t n = tl_world_count(w);
    const double cd = 1.8 / (density * heat), h = tl_common_support(&w->sizes);
    static double expected[SIDE * SIDE * SIDE];
    for (size_t i = 0; i < n; i++)
        enthalpies(w)[i] = heat * 100 * tl_random_uniform(5, i);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            const double r = distance(places(w) + 3 * i, places(w) + 3 * j);
            if (j != i && r < h)
                sum += dx * dx * dx * (enthalpies(w)[j] - enthalpies(w)[i]) / heat * 45 * (h - r) /
                       (TL_PI * pow(h, 6));
        }
        expected[i] = cd * sum;
    }
    expect_rates(w, expected, "conduction");
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

/* Eq. 3.21: Q = ε σ 4π h² (T⁴ - Ta⁴) of what is at the surface. */
Test(laws, dissipation_is_that_of_whole_particles_at_the_surface) {
    tl_scene *scene;
    tl_world *w =
        make(", loss: particles, ambient: 20", ", conductivity: 0, emissivity: 0.001", "", &scene);
    const size_t n = tl_world_count(w);
    const double h = tl_common_support(&w->sizes);
    static double expected[SIDE * SIDE * SIDE];
    const double Q =
        0.001 * 5.670374419e-8 * 4 * TL_PI * h * h * (pow(80 + 273.15, 4) - pow(20 + 273.15, 4));
    size_t at_surface = 0;
    /* The outermost layer is at the surface, and nothing else. */
    for (size_t i = 0; i < n; i++) {
        double deep = 1;
        for (int k = 0; k < 3; k++)
            deep =
                fmin(deep, fmin(places(w)[3 * i + (size_t)k], 0.6 - places(w)[3 * i + (size_t)k]));
        const bool open = deep < dx;
        at_surface += open;
        expected[i] = open ? -Q / (density * dx * dx * dx * heat) : 0;
    }
    cr_assert_eq(at_surface, SIDE * SIDE * SIDE - 64);
    expect_rates(w, expected, "dissipation");
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

/* Eq. 3.19: Q = δ Q_s W(r, r_s) of what the source sees, W = 15/(π r_s⁶) (r_s - r)³; Q_s is power
 * times volume. */
Test(laws, radiation_is_the_spiky_kernel_where_the_source_sees) {
    tl_scene *scene;
    tl_world *w = make("", ", conductivity: 0, absorptivity: 0.063",
                       "sources: [{position: [0.3, 0.3, 0.8], power: 65 W, fall_off: particles, "
                       "reach: 0.5}]\n",
                       &scene);
    const size_t n = tl_world_count(w);
    static double expected[SIDE * SIDE * SIDE];
    const double at[3] = {0.3, 0.3, 0.8}, volume = dx * dx * dx;
    tl_field_view lit;
    tl_error error = {0};
    cr_assert(tl_world_field(w, "lit_part", &lit));
    cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK);
    size_t seen = 0, top = 0;
    for (size_t i = 0; i < n; i++) {
        const double r = distance(places(w) + 3 * i, at), z = places(w)[3 * i + 2];
        const bool sees = (double)((const float *)lit.data)[i] > 0;
        seen += sees;
        if (z < 0.3)
            cr_expect_not(sees, "what is behind others");
        if (z > 0.5 && r < 0.4) {
            cr_expect(sees, "what is in front");
            top++;
        }
        expected[i] = sees ? 0.063 * 65 * volume * 15 / (TL_PI * pow(0.5, 6)) * pow(0.5 - r, 3) /
                                 (density * volume * heat)
                           : 0;
    }
    cr_log_info("%zu are seen, %zu of them near and on top", seen, top);
    cr_expect(top > 10 && seen < 100);
    expect_rates(w, expected, "radiation");
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

/* Liquid hotter than it may be is gone with the next exchange, and nothing else is. */
Test(laws, what_is_overheated_evaporates_at_once) {
    tl_scene *scene;
    tl_world *w = make("",
                       ", conductivity: 0, solidus: 50, liquidus: 60, latent_heat: 100, boiling: "
                       "150, latent_heat_of_vaporisation: 0",
                       "", &scene);
    const size_t n = tl_world_count(w);
    size_t hot = 0;
    for (size_t i = 0; i < n; i++) {
        const double T = 100 + 100 * tl_random_uniform(7, i);
        enthalpies(w)[i] = tl_enthalpy_at(&w->heat.calorics[0], T);
        hot += T > 150;
    }
    tl_error error = {0};
    cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK);
    cr_expect(hot > 50 && hot < n - 50);
    cr_expect_eq(tl_world_count(w), n - hot, "%zu of %zu, %zu hot", tl_world_count(w), n, hot);
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}
