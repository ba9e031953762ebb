/* Scenes with emitters and drains, right and wrong. */
#include "base/text.h"
#include "materials/param_hash.h"
#include "scene/scene.h"
#include "scene/schema.h"
#include "tallow/tallow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A scene whose emitter, from column 6 of line 6 on, and drain are as given. */
static const char frame[] = "spacing: 1 cm\n"
                            "duration: 2 s\n"
                            "walls:\n"
                            "  - {name: floor, plane: z}\n"
                            "emitters:\n"
                            "  - {name: tap, %s}\n"
                            "drains:\n"
                            "  - {name: sink, %s}\n";

static const char fine[] =
    "material: water, speed: 1, disc: {center: [0, 0, 1], direction: [0, 0, -1], radius: 3 cm}";
static const char below[] = "plane: z, at: 5 cm";

static tl_status load(const char *emitter, const char *drain, tl_scene **scene, tl_error *error) {
    char text[2048];
    snprintf(text, sizeof text, frame, emitter, drain);
    return tl_scene_load_memory(text, strlen(text), "test", &(tl_scene_options){0}, scene, error);
}

static void refuses(const char *emitter, const char *drain, const char *where, const char *what) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_expect_eq(load(emitter, drain, &scene, &error), TL_BAD_INPUT, "accepted {%s} {%s}", emitter,
                 drain);
    cr_expect(strstr(error.what, what), "%s: %s", error.what, what);
    cr_expect(strstr(error.where, where), "%s: %s, not %s", error.what, error.where, where);
    tl_scene_destroy(scene);
}

Test(scene_emit, emitters_and_drains_are_read_and_written_back) {
    tl_scene *scene = NULL, *again = NULL;
    tl_error error = {0};
    cr_assert_eq(
        load("material: honey, flow_rate: [[0 s, 0], [1 s, 6 L/min]], temperature: [[0, 20], [1, "
             "40]], "
             "rectangle: {center: [0, 0, 1], direction: [1, 0, -1], width: 5 cm, height: 2 cm}, "
             "from: 0.1 s, until: 3 s, limit: 20 mL, length: 4 cm, velocity: [0.1, 0, 0]",
             "sphere: {center: [0, 0, 0], radius: 4}, outside: true", &scene, &error),
        TL_OK, "%s: %s", error.where, error.what);
    tl_text text = {0};
    tl_schema_write(&tl_scene_table, scene, 0, &text);
    cr_assert_eq(tl_scene_load_memory(text.bytes, text.length, "again", &(tl_scene_options){0},
                                      &again, &error),
                 TL_OK, "%s: %s\n%s", error.where, error.what, text.bytes);
    const tl_emitter_def *a = scene->emitters.items, *b = again->emitters.items;
    cr_expect_eq(tl_param_hash(0, &tl_emitter_table, a), tl_param_hash(0, &tl_emitter_table, b));
    cr_expect_eq(tl_param_hash(0, &tl_drain_table, scene->drains.items),
                 tl_param_hash(0, &tl_drain_table, again->drains.items));
    cr_expect_float_eq(tl_schedule_peak(&b->flow_rate), 1e-4, 1e-12);
    cr_expect_float_eq(b->limit, 2e-5, 1e-12);
    cr_expect_eq(tl_schedule_at(&b->temperature, 0.5), 30);
    free(text.bytes);
    tl_scene_destroy(scene);
    tl_scene_destroy(again);
}

Test(scene_emit, a_scene_may_begin_empty) {
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    tl_error error = {0};
    cr_assert_eq(load(fine, below, &scene, &error), TL_OK, "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_OK, "%s", error.what);
    cr_expect_eq(tl_world_count(world), 0);
    cr_assert_eq(tl_world_advance(world, 0.1, &error), TL_OK, "%s", error.what);
    cr_expect_gt(tl_world_count(world), 200);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

/* `fine` with `old` replaced. */
static const char *with(const char *old, const char *new) {
    static char text[512];
    const char *at = strstr(fine, old);
    cr_assert_not_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - fine), fine, new, at + strlen(old));
    return text;
}

Test(scene_emit, what_cannot_be_is_refused_at_its_place) {
    refuses(with("material: water", "material: watre"), below, "test:6:27",
            "no material \"watre\"");
    refuses(with("direction: [0, 0, -1], ", ""), below, "test:6:", "direction");
    refuses(with("[0, 0, -1]", "[0, 0, 0]"), below, "test:6:81", "direction of emitter \"tap\"");
    refuses(with("radius: 3 cm", "radius: 9 mm"), below, "test:6:101", "too narrow: 0.009 m");
    refuses(with("speed: 1", "speed: 1, flow_rate: 1 L/s"), below,
            "test:6:", "both a speed and a flow_rate");
    refuses(with("speed: 1, ", ""), below, "test:6:", "neither a speed nor a flow_rate");
    refuses(with("speed: 1", "speed: [[1, 1], [0.5, 2]]"), below, "test:6:", "must rise in time");
    refuses(with("speed: 1", "speed: -1"), below, "test:6:", "speed");
    refuses(with("speed: 1", "speed: 1, until: 1, from: 2"), below, "test:6:", "before it opens");
    refuses("material: water, speed: 1", below, "test:6:", "has no mouth");
    refuses(with("[0, 0, 1]", "[0, 0, 2 cm]"), "plane: z, at: -1",
            "test:6:", "in wall \"floor\" at 0 s");
    refuses(with("speed: 1", "speed: 1, velocity: [0, 0, -1]"), "plane: z, at: -3",
            "test:6:", "in wall \"floor\" at 2 s");
    refuses(fine, "plane: -z, at: 99 cm", "test:6:", "leaves at once by drain \"sink\"");
    refuses(with("radius: 3 cm", "radius: 1 km"), below, "test:6:", "3.14e+10 particles");
    refuses(fine, "at: 1", "test:8:", "drain \"sink\" is nowhere");
    refuses(fine, "plane: z, sphere: {center: [0, 0, 0], radius: 1}", "test:8:", "more than one");
    refuses(fine, "box: {from: [0, 0, 0], to: [1, 0, 1]}", "test:8:", "no extent along y");
    refuses(fine, "plane: z, at: 0}\nflow: {scheme: none", "test:", "need matter that flows");
    refuses(fine,
            "plane: z, at: 0}\nbodies:\n  - {name: b, material: water, box: {from: [0, 0, "
            "90 cm], to: [10 cm, 10 cm, 1]}",
            "test:6:", "in body \"b\"");
}

/* A square of 4 cm that faces up, turned over and put above the floor. */
Test(scene_emit, a_mouth_may_be_a_mesh_from_a_file) {
    static const char square[] = "v 0 0 0\nv 0.04 0 0\nv 0.04 0.04 0\nv 0 0.04 0\nf 1 2 3 4\n";
    char path[] = P_tmpdir "/tallow-mouth-XXXXXX.obj", emitter[512];
    const int file = mkstemps(path, 4);
    cr_assert_eq(write(file, square, strlen(square)), (ssize_t)strlen(square));
    close(file);
    snprintf(emitter, sizeof emitter,
             "material: water, speed: 0.5, mesh: %s, rotate: [180 deg, 0, 0], foot: [0, 0, 50 cm]",
             path);
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    tl_error error = {0};
    cr_assert_eq(load(emitter, below, &scene, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_create(scene, &(tl_world_options){.threads = 1}, &world, &error), TL_OK,
                 "%s", error.what);
    cr_assert_eq(tl_world_advance(world, 0.21, &error), TL_OK, "%s", error.what);
    cr_expect_eq(tl_world_count(world), 160, "%zu",
                 tl_world_count(world)); /* ten layers in 0.5 m/s · 0.21 s */
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    snprintf(emitter, sizeof emitter,
             "material: water, speed: 0.5, mesh: %s, disc: {center: [0, 0, 1], direction: [0, 0, "
             "-1], radius: 3 cm}",
             path);
    refuses(emitter, below, "test:6", "more than one mouth");
    unlink(path);
}
