/* Scenes with heat at the surface: sources and the air, right and wrong. */
#include "base/text.h"
#include "materials/param_hash.h"
#include "scene/data.h"
#include "scene/fill.h"
#include "scene/scene.h"
#include "scene/schema.h"
#include "tallow/tallow.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scene whose heat and sources are as given. */
static const char frame[] =
    "spacing: 1 cm\n"
    "heat: {%s}\n"
    "materials:\n"
    "  m: {specific_heat: 1000, conductivity: 1, emissivity: 0.9}\n"
    "bodies:\n"
    "  - {name: block, material: m, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n"
    "walls:\n"
    "  - {name: floor, plane: z}\n"
    "sources:\n"
    "  - {name: lamp, %s}\n";

static tl_status load(const char *heat, const char *source, tl_scene **scene, tl_error *error) {
    char text[2048];
    snprintf(text, sizeof text, frame, heat, source);
    return tl_scene_load_memory(text, strlen(text), "test", &(tl_scene_options){0}, scene, error);
}

static void refuses(const char *heat, const char *source, const char *what) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_expect_eq(load(heat, source, &scene, &error), TL_BAD_INPUT, "accepted {%s} {%s}", heat,
                 source);
    cr_expect(strstr(error.what, what), "%s: %s", error.what, what);
    tl_scene_destroy(scene);
}

Test(scene_heat, sources_are_read_and_written_back) {
    tl_scene *scene = NULL, *again = NULL;
    tl_error error = {0};
    cr_assert_eq(load("ambient: 25 °C, convection: 10 W/(m²·K)",
                      "shape: disc, position: [0, 0, 2], radius: 5 cm, normal: [0, 1, -1], "
                      "power: [[0 s, 0 W], [10 s, 1 kW]], velocity: [0, 0, 1 mm/s]",
                      &scene, &error),
                 TL_OK, "%s", error.what);
    tl_text text = {0};
    tl_schema_write(&tl_scene_table, scene, 0, &text);
    cr_assert_eq(tl_scene_load_memory(text.bytes, text.length, "again", &(tl_scene_options){0},
                                      &again, &error),
                 TL_OK, "%s: %s\n%s", error.where, error.what, text.bytes);
    const tl_source_def *a = scene->sources.items, *b = again->sources.items;
    cr_expect_eq(again->sources.count, 1);
    cr_expect_eq(tl_param_hash(0, &tl_source_table, a), tl_param_hash(0, &tl_source_table, b));
    cr_expect_eq(tl_schedule_at(&b->power, 5), 500);
    cr_expect_eq(tl_source_place(b, 100).z, 2.1);
    cr_expect(again->heat.has_ambient);
    cr_expect_eq(again->heat.ambient.value, 25);
    cr_expect_eq(again->heat.convection, 10);
    free(text.bytes);
    tl_scene_destroy(scene);
    tl_scene_destroy(again);
}

/* A candle whose wax is held, or not, and slips. */
static tl_status load_slip(const char *solid, const char *scheme, tl_scene **scene,
                           tl_error *error) {
    char text[1024];
    snprintf(text, sizeof text,
             "spacing: 1 cm\nheat: {}\nflow: {scheme: %s}\n"
             "materials: {wax: {specific_heat: 1000, conductivity: 1, solidus: 50, solid: %s,\n"
             "                  solid_slip: 0.5}}\n"
             "bodies: [{name: block, material: wax, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n",
             scheme, solid);
    return tl_scene_load_memory(text, strlen(text), "test", &(tl_scene_options){0}, scene, error);
}

Test(scene_heat, melt_slips_along_its_solid_in_implicit_steps_alone) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_assert_eq(load_slip("held", "explicit", &scene, &error), TL_BAD_INPUT);
    cr_expect(strstr(error.what, "in explicit flow melt does not slip"), "%s", error.what);
    cr_expect(strstr(error.fix, "coupled"), "%s", error.fix);
    cr_assert_eq(load_slip("held", "automatic", &scene, &error), TL_OK, "%s", error.what);
    tl_world *world = NULL;
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_OK, "%s", error.what);
    cr_expect_eq(world->choice.taken, TL_SCHEME_COUPLED);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(scene_heat, what_cannot_be_is_refused) {
    refuses("", "position: [0.5, 0.5, 0.5], power: 1", "inside of body \"block\"");
    refuses("", "position: [0.5, 0.5, -1], power: 1", "behind wall \"floor\"");
    refuses("", "position: [0, 0, 2], power: -1 W", "power is out of range");
    refuses("", "position: [0, 0, 2], power: [[0, 1], [1, -1]]", "power is out of range");
    refuses("", "position: [0, 0, 2]", "power");
    refuses("", "power: 1", "position");
    refuses("", "position: [0, 0, 2], power: 1, shape: sphere", "without a radius");
    refuses("", "position: [0, 0, 2], power: 1, radius: 1 cm", "a point, which has no radius");
    refuses("", "position: [0, 0, 2], power: 1, shape: disc, radius: 1, normal: [0, 0, 0]",
            "normal");
    refuses("", "position: [0, 0, 2], power: 1, fall_off: kernel", "no reach");
    refuses("", "position: [0, 0, 2], power: 1, reach: 1", "no kernel");
    refuses("convection: 5", "position: [0, 0, 2], power: 1", "air takes heat");
    refuses("ambient: -300 °C", "position: [0, 0, 2], power: 1", "ambient is out of range");
}

/* A rod along x with the temperature of a source at its end; returns what it starts with. */
static size_t start_rod(const char *source, tl_scene **scene, tl_seed **seeds) {
    char text[1024];
    tl_error error = {0};
    size_t count;
    snprintf(text, sizeof text,
             "spacing: 1 cm\n"
             "bodies: [{name: rod, material: paraffin, temperature: {source: flame, from: 80, to: "
             "20}, box: {from: [0, 0, 0], to: [20 cm, 3 cm, 3 cm]}}]\n"
             "sources: [{name: lamp, position: [1, 0, 0], power: 1},\n"
             "  {name: flame, position: [-5 cm, 1.5 cm, 1.5 cm], power: 1 W%s}]\n",
             source);
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, scene, &error), TL_OK, "%s",
                 error.what);
    cr_assert_eq(tl_scene_seed(*scene, &(tl_parallel){.threads = 1}, seeds, &count, &error), TL_OK);
    return count;
}

static double flame_distance(const tl_seed *seed) {
    return hypot(seed->position[0] + 0.05,
                 hypot(seed->position[1] - 0.015, seed->position[2] - 0.015));
}

Test(scene_heat, a_temperature_falls_from_a_source_as_its_light_does) {
    tl_scene *scene;
    tl_seed *seeds;
    size_t count = start_rod("", &scene, &seeds);
    cr_assert_eq(count, 180);
    for (size_t i = 0; i < count; i++) {
        const double part = 0.055 / flame_distance(&seeds[i]);
        cr_expect_float_eq((double)seeds[i].temperature, 20 + 60 * part * part, 1e-4);
    }
    free(seeds);
    tl_scene_destroy(scene);
    count = start_rod(", fall_off: kernel, reach: 15 cm", &scene, &seeds);
    size_t cold = 0;
    for (size_t i = 0; i < count; i++) {
        const double part = fmax(0.15 - flame_distance(&seeds[i]), 0) / (0.15 - 0.055);
        cr_expect_float_eq((double)seeds[i].temperature, 20 + 60 * pow(part, 3), 1e-4);
        cold += seeds[i].temperature == 20;
    }
    cr_expect_gt(cold, 80);
    free(seeds);
    tl_scene_destroy(scene);
}

Test(scene_heat, a_temperature_from_a_source_that_is_not_there_is_refused) {
    static const char text[] =
        "spacing: 1 cm\n"
        "bodies: [{name: rod, material: paraffin, temperature: {source: flam, from: 80, to: 20}, "
        "box: {from: [0, 0, 0], to: [20 cm, 3 cm, 3 cm]}}]\n"
        "sources: [{name: flame, position: [1, 0, 0], power: 1}]\n";
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error),
                 TL_BAD_INPUT);
    cr_assert_str_eq(error.what, "there is no source \"flam\"");
    cr_assert_str_eq(error.fix, "there are: flame");
}

/* A rod of a material of the library whose temperature goes from far below melting to beyond
 * boiling. Returns the status of the scene. */
static tl_status run_rod(const char *name, tl_ledger *ledger, tl_error *error) {
    char text[512];
    snprintf(text, sizeof text,
             "spacing: 1 mm\nflow: {scheme: none}\nheat: {ambient: 20 °C, convection: 10}\n"
             "bodies:\n  - {name: rod, material: %s, box: {from: [0, 0, 0], to: [3 mm, 3 mm, 30 "
             "mm]}, temperature: {along: z, from: -60, to: 1200}}\n",
             name);
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    TL_TRY(tl_scene_load_memory(text, strlen(text), "test", &(tl_scene_options){0}, &scene, error));
    tl_status status = tl_world_create(scene, &(tl_world_options){.threads = 1}, &world, error);
    cr_expect_eq(status, TL_OK, "%s: %s", name, error->what);
    if (status == TL_OK) {
        cr_expect_eq(tl_world_advance(world, 5, error), TL_OK, "%s: %s", name, error->what);
        tl_world_ledger(world, ledger);
        tl_world_destroy(world);
    }
    tl_scene_destroy(scene);
    return TL_OK;
}

Test(scene_heat, the_library_melts_and_boils_or_says_what_it_lacks) {
    char **names;
    size_t count, runs = 0;
    cr_assert_eq(tl_data_list("materials", &names, &count, NULL), TL_OK);
    for (size_t i = 0; i < count; i++) {
        tl_error error = {0};
        tl_ledger l = {0};
        if (run_rod(names[i], &l, &error) != TL_OK) {
            cr_expect(strstr(error.what, names[i]) && strstr(error.what, "specific_heat"), "%s: %s",
                      names[i], error.what);
            continue;
        }
        const double moved = l.lost_radiation + l.lost_convection + l.boiled_energy;
        cr_expect_gt(moved, 0, "%s", names[i]);
        cr_expect_lt(fabs(l.heat_error), 1e-9 * moved, "%s: %g", names[i], l.heat_error);
        runs++;
    }
    cr_log_info("%zu of %zu materials know heat", runs, count);
    cr_expect_geq(runs, 13);
    tl_data_free_list(names);
}

/* A lamp that touches the block when the run begins, at no distance from a particle, and goes
 * through it: what it gives stays finite, and the books close. */
Test(scene_heat, a_source_may_touch_matter_and_go_through_it) {
    static const char text[] =
        "spacing: 1 cm\nflow: {scheme: none}\nheat: {ambient: 20, max_step: 1}\n"
        "materials: {m: {specific_heat: 1000, conductivity: 1, emissivity: 0.9}}\n"
        "bodies: [{name: block, material: m, box: {from: [0, 0, 0], to: [5 cm, 5 cm, 5 cm]}}]\n"
        "sources:\n"
        "  - {name: lamp, position: [2.5 cm, 2.5 cm, 5 cm], power: 5, velocity: [0, 0, -1 cm/s]}\n"
        "  - {name: torch, shape: sphere, radius: 2 mm, position: [0, 2.5 cm, 2.5 cm], power: 5}\n";
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    tl_error error = {0};
    tl_ledger l;
    cr_assert_eq(tl_scene_load_memory(text, sizeof text - 1, "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    cr_assert_eq(tl_world_create(scene, &(tl_world_options){.threads = 1}, &world, &error), TL_OK,
                 "%s", error.what);
    for (int k = 1; k <= 7; k++) {
        cr_assert_eq(tl_world_advance(world, k, &error), TL_OK, "%s", error.what);
        tl_world_ledger(world, &l);
        cr_expect(isfinite(l.temperature_max) && l.temperature_min >= 19.9, "%g to %g °C",
                  l.temperature_min, l.temperature_max);
        cr_expect(l.radiated_heat > 0 && l.radiated_heat <= 10.0 * k, "%g J", l.radiated_heat);
        cr_expect_lt(fabs(l.heat_error), 1e-9 * l.thermal_energy);
    }
    cr_log_info("%g J of 70 J, up to %g °C", l.radiated_heat, l.temperature_max);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}
