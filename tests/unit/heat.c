/* Heat in worlds: what is conserved, what stays within bounds, what has the same bits, what is
 * refused. */
#include "base/random.h"
#include "scene/scene.h"
#include "scratch_folder.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

TestSuite(heat, .init = scratch_make, .fini = scratch_remove);

/* A scene that shakes a box of particles; `rest` has the other sections. */
static tl_scene *load(const char *rest) {
    static char text[4000];
    snprintf(text, sizeof text, "spacing: 0.1\ngravity: [0, 0, 0]\n%s", rest);
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s: %s (%s)\n%s", error.where, error.what, error.fix, text);
    return scene;
}

static tl_world *make(const tl_scene *scene, int threads) {
    tl_world *world = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_world_create(scene, &(tl_world_options){.threads = threads}, &world, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    tl_world_make_adverse(world);
    return world;
}

static void step(tl_world *w) {
    tl_error error = {0};
    cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
}

static double *enthalpy_of(tl_world *w) {
    tl_field_view view;
    cr_assert(tl_world_field(w, "enthalpy", &view));
    return view.data;
}

static void expect_closed(const tl_world *w, double moved) {
    tl_ledger l;
    tl_world_ledger(w, &l);
    cr_log_info("%g J of %g J are not explained", l.heat_error, moved);
    cr_expect_leq(fabs(l.heat_error), 1e-12 * moved);
}

/* Each particle another temperature, between 0 and `range`. */
static void shuffle(tl_world *w, double range) {
    for (size_t i = 0; i < tl_world_count(w); i++)
        enthalpy_of(w)[i] = range * tl_random_uniform(5, i);
    w->state.initial_heat = tl_world_enthalpy(w);
}

static const char shaken[] = "flow: {scheme: none}\n"
                             "materials: {m: {density: 1, specific_heat: 1, conductivity: 1}}\n"
                             "bodies: [{material: m, fill: jittered, jitter: 0.3, temperature: 0, "
                             "box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n";

Test(heat, a_pair_has_one_conductance_to_the_last_bit) {
    char rest[2000];
    snprintf(rest, sizeof rest,
             "%sheat: {}\nperiodic: {box: {from: [0, 0, 0], to: [1, 1, 1]}, x: true, y: true}\n",
             shaken);
    tl_scene *scene = load(rest);
    tl_world *w = make(scene, 1);
    const tl_conduction *c = &w->heat.exchange.conduction;
    size_t pairs = 0, crossing = 0;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->size[i]; k++) {
            const size_t j = c->index[c->begin[i] + k];
            const size_t source = tl_source_of(c->records, j);
            const float G = c->conductance[c->begin[i] + k];
            if (G == 0)
                continue;
            bool found = false;
            for (size_t l = 0; l < c->size[source] && !found; l++) {
                const size_t back = c->index[c->begin[source] + l];
                found = tl_source_of(c->records, back) == i &&
                        c->conductance[c->begin[source] + l] == G;
            }
            cr_assert(found, "%zu and %zu differ", i, source);
            pairs++;
            crossing += tl_is_image(c->records, j);
        }
    cr_assert(pairs > 30000 && crossing > 1000, "%zu %zu", pairs, crossing);
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

Test(heat, what_is_shut_in_keeps_its_energy_and_its_extremes) {
    const char *const schemes[] = {"explicit", "implicit"};
    for (int k = 0; k < 2; k++) {
        char rest[2000];
        snprintf(rest, sizeof rest, "%sheat: {scheme: %s}\n", shaken, schemes[k]);
        tl_scene *scene = load(rest);
        tl_world *w = make(scene, 1);
        shuffle(w, 100);
        double low = 100, high = 0;
        for (size_t i = 0; i < tl_world_count(w); i++) {
            low = fmin(low, enthalpy_of(w)[i]);
            high = fmax(high, enthalpy_of(w)[i]);
        }
        for (int s = 0; s < 20; s++) {
            step(w);
            for (size_t i = 0; i < tl_world_count(w); i++)
                cr_assert(enthalpy_of(w)[i] >= low - 1e-4 && enthalpy_of(w)[i] <= high + 1e-4,
                          "%s: %.9g", schemes[k], enthalpy_of(w)[i]);
        }
        expect_closed(w, tl_world_enthalpy(w));
        tl_world_destroy(w);
        tl_scene_destroy(scene);
    }
}

/* One step a million times too long for explicit ones. */
Test(heat, a_million_times_too_stiff_is_stable_and_monotone) {
    char rest[2000];
    snprintf(rest, sizeof rest, "%sheat: {scheme: automatic, max_step: 1}\n", shaken);
    tl_scene *scene = load(rest);
    tl_world *w = make(scene, 1);
    const double explicit_step = w->state.heat_stable;
    w->def.heat.max_step = 1e6 * explicit_step;
    shuffle(w, 100);
    const double mean = tl_world_enthalpy(w) / (double)tl_world_count(w) * 1e3;
    step(w);
    double low = 1e9, high = -1e9;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        low = fmin(low, enthalpy_of(w)[i]);
        high = fmax(high, enthalpy_of(w)[i]);
    }
    cr_log_info(
        "step %g times the explicit one: from 0..100 to %.6f..%.6f, mean %.6f; %g iterations",
        w->state.dt / explicit_step, low, high, mean, w->state.heat_iterations);
    cr_expect(low >= 0 && high <= 100);
    cr_expect(high - low < 0.01 && fabs(0.5 * (high + low) - mean) < 0.01);
    expect_closed(w, tl_world_enthalpy(w));
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

static void count_failures(void *context, tl_log_level level, const char *message) {
    (void)level;
    const char *at = strstr(message, "iterations, ");
    if (strncmp(message, "heat over", 9) == 0 && at)
        *(int *)context += atoi(at + strlen("iterations, "));
}

/* Matter of random enthalpy in all phases, between walls as well; sharp and mushy melting. */
Test(heat, implicit_steps_of_any_length_find_the_enthalpies_of_melting_matter) {
    const char *const liquidus[] = {"10", "10.001", "25"};
    const double lengths[] = {30, 1e3, 1e6};
    for (int k = 0; k < 18; k++) {
        char rest[2000];
        snprintf(rest, sizeof rest,
                 "flow: {scheme: none}\nheat: {scheme: implicit}\n"
                 "materials: {m: {density: 1, specific_heat: 1, liquid_specific_heat: 3, "
                 "conductivity: 1, liquid_conductivity: 0.1, latent_heat: 30, solidus: 10, "
                 "liquidus: %s, boiling: 90, latent_heat_of_vaporisation: 200}}\n"
                 "bodies: [{material: m, fill: jittered, jitter: 0.3, temperature: 0, "
                 "box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n%s",
                 liquidus[k % 3],
                 k < 9 ? ""
                       : "walls: [{plane: z, at: 0, temperature: 80}, "
                         "{plane: -z, at: 1, temperature: -40, heat_capacity: 0.3}]\n");
        tl_scene *scene = load(rest);
        tl_world *w = NULL;
        int failures = 0;
        const tl_world_options options = {.threads = 1,
                                          .log = {count_failures, &failures, TL_LOG_DEBUG}};
        cr_assert_eq(tl_world_create(scene, &options, &w, NULL), TL_OK);
        w->def.heat.max_step = lengths[k / 3 % 3] * w->state.heat_stable;
        for (size_t i = 0; i < tl_world_count(w); i++)
            enthalpy_of(w)[i] = -20 + 150 * tl_random_uniform(3, i);
        w->state.initial_heat = tl_world_enthalpy(w);
        for (int s = 0; s < 3; s++)
            step(w);
        for (size_t i = 0; i < tl_world_count(w) && k < 9; i++)
            cr_assert(enthalpy_of(w)[i] > -20.001 && enthalpy_of(w)[i] < 130.001);
        cr_expect_eq(failures, 0);
        expect_closed(w, 50);
        tl_world_destroy(w);
        tl_scene_destroy(scene);
    }
}

static const char melting[] =
    "flow: {scheme: none}\n"
    "heat: {scheme: %s, max_step: %s}\n"
    "materials:\n"
    "  m: {density: 1, specific_heat: 1, liquid_specific_heat: 2, conductivity: 1, "
    "liquid_conductivity: 0.5, latent_heat: 30, solidus: 10, liquidus: %s, heating: 20}\n"
    "bodies: [{material: m, fill: jittered, temperature: 0, "
    "box: {from: [0, 0, 0], to: [%s, 1, 1]}}]\n"
    "walls:\n"
    "  - {plane: z, at: 0, temperature: [[0 s, 50], [1 s, 100]]}\n"
    "  - {plane: -z, at: 1, temperature: 60, conductance: 2}\n"
    "  - {plane: x, at: 0, temperature: 80, heat_capacity: 3}\n";

static tl_scene *load_melting(const char *scheme, const char *step_length, const char *liquidus,
                              const char *length) {
    char rest[3000];
    snprintf(rest, sizeof rest, melting, scheme, step_length, liquidus, length);
    return load(rest);
}

Test(heat, melting_between_walls_closes_the_books) {
    const char *const schemes[] = {"explicit", "implicit"}, *const liquidus[] = {"10", "25"};
    for (int k = 0; k < 4; k++) {
        tl_scene *scene = load_melting(schemes[k / 2], "0.02", liquidus[k % 2], "1");
        tl_world *w = make(scene, 2);
        for (int s = 0; s < 20; s++)
            step(w);
        tl_ledger l;
        tl_world_ledger(w, &l);
        cr_log_info("%s, liquidus %s: thermal energy %.6f J, %g iterations", schemes[k / 2],
                    liquidus[k % 2], l.thermal_energy, l.heat_iterations);
        cr_expect(l.temperature_min >= 0 && l.temperature_max <= 100, "%g to %g °C",
                  l.temperature_min, l.temperature_max);
        cr_expect(l.temperature_mean > l.temperature_min && l.temperature_mean < l.temperature_max);
        cr_expect(l.liquid_fraction > 0.01 && l.liquid_fraction <= 1, "%g", l.liquid_fraction);
        cr_expect_gt(l.volumetric_heat, 0);
        cr_expect_float_eq(l.volumetric_heat, 20 * l.time, 1e-5 * 20 * l.time);
        expect_closed(w, fabs(l.conducted_heat) + l.volumetric_heat);
        tl_world_destroy(w);
        tl_scene_destroy(scene);
    }
}

Test(heat, explicit_and_implicit_agree) {
    double energy[2];
    for (int k = 0; k < 2; k++) {
        tl_scene *scene = load_melting(k ? "implicit" : "explicit", "0.0005", "25", "1");
        tl_world *w = make(scene, 2);
        cr_assert_eq(tl_world_advance(w, 0.1, NULL), TL_OK);
        energy[k] = tl_world_enthalpy(w);
        tl_world_destroy(w);
        tl_scene_destroy(scene);
    }
    cr_log_info("%.6f J and %.6f J", energy[0], energy[1]);
    cr_expect_float_eq(energy[0], energy[1], 2e-3 * energy[0]);
}

Test(heat, four_threads_give_the_bits_of_one) {
    const char *const schemes[] = {"explicit", "implicit"};
    for (int k = 0; k < 2; k++) {
        tl_scene *scene = load_melting(schemes[k], "0.02", "10", "6");
        tl_world *one = make(scene, 1), *four = make(scene, 4);
        cr_assert_gt(tl_world_count(one), 5000);
        for (int s = 0; s < 4; s++) {
            step(one);
            step(four);
            cr_assert_eq(tl_world_hash(one), tl_world_hash(four), "%s, step %d", schemes[k], s);
        }
        tl_world_destroy(one);
        tl_world_destroy(four);
        tl_scene_destroy(scene);
    }
}

Test(heat, a_resumed_world_goes_on_with_the_same_bits) {
    tl_scene *scene = load_melting("automatic", "0.02", "10", "1");
    tl_world *w = make(scene, 2), *resumed = NULL;
    for (int s = 0; s < 3; s++)
        step(w);
    cr_assert_eq(tl_world_save(w, in_scratch("s.h5"), NULL), TL_OK);
    cr_assert_eq(tl_world_load(scene, NULL, in_scratch("s.h5"), &resumed, NULL), TL_OK);
    cr_assert_eq(tl_world_hash(w), tl_world_hash(resumed));
    for (int s = 0; s < 3; s++) {
        step(w);
        step(resumed);
        cr_assert_eq(tl_world_hash(w), tl_world_hash(resumed), "step %d", s);
    }
    tl_world_destroy(resumed);
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

/* Fat that melts on a hot plate, boils there and flows, a few steps from each other's exchange. */
static tl_scene *load_flow(const char *scheme) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, -10]\nspacing: 0.0625\n"
        "flow: {scheme: %s}\nheat: {viscous_heating: true}\n"
        "materials: {m: {density: 1000, viscosity: {law: linear, from: [10, 200], to: [30, 10]}, "
        "specific_heat: 1, conductivity: 2000, latent_heat: 20, solidus: 10, liquidus: 30, "
        "boiling: 80, latent_heat_of_vaporisation: 5}}\n"
        "bodies: [{material: m, temperature: 5, box: {from: [0, 0, 0], to: [1, 1, 0.6]}}]\n"
        "walls: [{plane: z, at: 0, temperature: 300, conductance: 1e7},"
        " {plane: x, at: 0, temperature: 5, heat_capacity: 100}]\n",
        scheme);
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    return scene;
}

Test(heat, flow_with_heat_has_the_same_bits_with_four_threads_and_when_resumed) {
    const char *const schemes[] = {"explicit", "coupled"};
    for (int k = 0; k < 2; k++) {
        tl_scene *scene = load_flow(schemes[k]);
        tl_world *one = make(scene, 1), *four = make(scene, 4), *resumed = NULL;
        const size_t count = tl_world_count(one);
        for (int s = 0; s < (k ? 8 : 60); s++) {
            step(one);
            step(four);
        }
        cr_assert_eq(tl_world_hash(one), tl_world_hash(four), "%s", schemes[k]);
        cr_assert_lt(tl_world_count(one), count, "nothing boiled with %s", schemes[k]);
        cr_assert_eq(tl_world_save(one, in_scratch("s.h5"), NULL), TL_OK);
        cr_assert_eq(tl_world_load(scene, NULL, in_scratch("s.h5"), &resumed, NULL), TL_OK);
        for (int s = 0; s < 3; s++) {
            step(four);
            step(resumed);
        }
        cr_assert_eq(tl_world_hash(four), tl_world_hash(resumed), "%s", schemes[k]);
        tl_ledger l;
        tl_world_ledger(four, &l);
        cr_log_info("%s: %g s, %zu of %zu left, friction %g J", schemes[k], l.time,
                    tl_world_count(four), count, l.friction_heat);
        expect_closed(four, l.conducted_heat + l.boiled_energy);
        tl_world_destroy(one);
        tl_world_destroy(four);
        tl_world_destroy(resumed);
        tl_scene_destroy(scene);
    }
}

Test(heat, what_boils_leaves_with_its_mass_and_energy) {
    tl_scene *scene =
        load("flow: {scheme: none}\nheat: {max_step: 0.01}\n"
             "materials: {m: {density: 1, specific_heat: 1, conductivity: 0.01, boiling: 100, "
             "latent_heat_of_vaporisation: 500, heating: 3000}}\n"
             "bodies: [{material: m, temperature: {along: x, from: 0, to: 95}, "
             "box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n");
    tl_world *w = make(scene, 2), *resumed = NULL;
    tl_ledger first, l;
    tl_world_ledger(w, &first);
    while (tl_world_count(w) > 600)
        step(w);
    cr_assert_eq(tl_world_save(w, in_scratch("s.h5"), NULL), TL_OK);
    cr_assert_eq(tl_world_load(scene, NULL, in_scratch("s.h5"), &resumed, NULL), TL_OK);
    step(w);
    step(resumed);
    cr_expect_eq(tl_world_hash(w), tl_world_hash(resumed));
    tl_world_ledger(w, &l);
    cr_log_info("%g kg boiled with %g J; %zu left", l.boiled_mass, l.boiled_energy,
                tl_world_count(w));
    cr_expect_float_eq(l.boiled_mass + l.mass, first.mass, 1e-6 * first.mass);
    /* A step overshoots by 30 J/kg; only what leaves together with all its neighbours keeps that.
     */
    cr_expect_geq(l.boiled_energy, (600 - 1e-6) * l.boiled_mass);
    cr_expect_leq(l.boiled_energy, 603 * l.boiled_mass);
    expect_closed(w, l.volumetric_heat);
    cr_expect_eq(l.energy_error, 0);
    tl_world_destroy(resumed);
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

Test(heat, worlds_without_heat_have_no_field_of_it) {
    tl_scene *scene = load("bodies: [{material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n");
    tl_world *w = make(scene, 1);
    tl_field_view view;
    cr_expect(!tl_world_field(w, "enthalpy", &view) && !tl_world_field(w, "phase", &view));
    tl_ledger l;
    tl_world_ledger(w, &l);
    cr_expect_eq(l.temperature_max, 0);
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}

Test(heat, an_empty_section_a_warm_wall_or_heating_turn_heat_on) {
    const char *const sections[] = {"heat:\n", "heat: {}\n",
                                    "walls: [{plane: z, at: 0, temperature: 5}]\n",
                                    "materials: {water: {like: water, heating: 1}}\n"};
    for (int k = 0; k < 4; k++) {
        char rest[400];
        snprintf(rest, sizeof rest,
                 "%sbodies: [{material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n",
                 sections[k]);
        tl_scene *scene = load(rest);
        cr_expect(scene->has_heat && scene->heat.tolerance == 1e-6, "%s", rest);
        tl_scene_destroy(scene);
    }
}

Test(heat, bad_input_is_refused_with_its_reason) {
    const struct {
        const char *text, *what;
    } cases[] = {
        {"heat: {}\nmaterials: {m: {}}\n", "no specific_heat"},
        {"heat: {}\nmaterials: {m: {specific_heat: 1, latent_heat: 3}}\n", "does not melt"},
        {"heat: {}\nmaterials: {m: {specific_heat: 1, latent_heat: -3}}\n", "out of range"},
        {"heat: {}\nmaterials: {m: {specific_heat: 1, latent_heat_of_vaporisation: 3}}\n",
         "does not boil"},
        {"materials: {m: {solidus: 40, liquidus: 30}}\n", "molten before"},
        {"materials: {m: {liquidus: 40, boiling: 30}}\n", "boils before"},
        {"materials: {m: {emissivity: 1.1}}\n", "out of range"},
        {"materials: {m: {emissivity: -0.1}}\n", "out of range"},
        {"materials: {m: {absorptivity: 1.1}}\n", "out of range"},
        {"materials: {m: {liquidus: -274}}\n", "out of range"},
        {"materials: {m: {boiling: -274}}\n", "out of range"},
        {"heat: {}\nmaterials: {m: {specific_heat: -1}}\n", "out of range"},
        {"heat: {}\nmaterials: {m: {specific_heat: 1, conductivity: -1}}\n", "out of range"},
        {"heat: {}\nmaterials: {m: {specific_heat: 1, latent_heat_of_vaporisation: -3}}\n",
         "out of range"},
        {"heat: {ambient: -280}\nmaterials: {m: {specific_heat: 1}}\n", "out of range"},
        {"heat: {ambient: 20, convection: -1}\nmaterials: {m: {specific_heat: 1}}\n",
         "out of range"},
        {"materials: {m: {solidus: -300}}\n", "out of range"},
        {"materials: {m: {specific_heat: 1}}\nwalls: [{plane: z, at: 0, temperature: -300}]\n",
         "out of range"},
        {"materials: {m: {specific_heat: 1}}\n"
         "walls: [{plane: z, at: 0, temperature: [[2, 5], [1, 6]]}]\n",
         "rise in time"},
        {"materials: {m: {specific_heat: 1}}\n"
         "walls: [{plane: z, at: 0, temperature: [[2, 5, 6]]}]\n",
         "a time and a value"},
        {"materials: {m: {specific_heat: 1}}\n"
         "walls: [{plane: z, at: 0, temperature: [[0, 5], [1, 6]], heat_capacity: 3}]\n",
         "cannot both"},
        {"heat: {scheme: quick}\nmaterials: {m: {specific_heat: 1}}\n", "scheme cannot be"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "spacing: 0.1\n%sbodies: [{material: m, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n",
                 cases[k].text);
        tl_scene *scene;
        tl_error error = {0};
        cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error),
                     TL_BAD_INPUT, "accepted: %s", text);
        cr_expect(strstr(error.what, cases[k].what), "%s: %s", text, error.what);
    }
}

Test(heat, a_scene_with_heat_reads_back_as_it_was_written) {
    tl_scene *scene = load_melting("implicit", "0.02", "25", "1"), *again;
    char *one, *two;
    cr_assert_eq(tl_scene_write(scene, &one, NULL), TL_OK);
    cr_assert_eq(tl_scene_load_memory(one, strlen(one), "test", NULL, &again, NULL), TL_OK);
    cr_assert_eq(tl_scene_write(again, &two, NULL), TL_OK);
    cr_assert_str_eq(one, two);
    cr_assert(strstr(one, "[[0, 50], [1, 100]] # s, °C"), "%s", one);
    free(one);
    free(two);
    tl_scene_destroy(scene);
    tl_scene_destroy(again);
}
