/* Lights and looks in scenes, right and wrong. */
#include "scene/scene.h"
#include "scene/schema.h"
#include "tallow/tallow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A scene whose light, from column 5 of line 2 on, is as given. */
static tl_status load(const char *light, tl_scene **scene, tl_error *error) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "spacing: 1 cm\nlights:\n  - {%s}\nmaterials:\n  syrup: {like: honey, look: {roughness: "
        "0.5}}\nbodies:\n  - {name: drop, material: syrup, sphere: {center: [0, 0, 0], radius: "
        "3 cm}}\n",
        light);
    return tl_scene_load_memory(text, strlen(text), "test", &(tl_scene_options){0}, scene, error);
}

static void refuses(const char *light, const char *where, const char *what) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_expect_eq(load(light, &scene, &error), TL_BAD_INPUT, "accepted {%s}", light);
    cr_expect(strstr(error.what, what), "%s: %s", error.what, what);
    cr_expect(strstr(error.where, where), "%s: %s, not %s", error.what, error.where, where);
    tl_scene_destroy(scene);
}

Test(scene_pictures, lights_and_looks_are_read) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_assert_eq(
        load("position: [1 cm, 0, 20 cm], colour: \"#ff8000\", strength: 2", &scene, &error), TL_OK,
        "%s: %s", error.where, error.what);
    const tl_light_def *light = scene->lights.items;
    cr_expect_eq(scene->lights.count, 1);
    cr_expect(light->has_position && !light->has_direction);
    cr_expect_float_eq(light->position[2], 0.2, 1e-12);
    cr_expect_float_eq(light->strength, 2, 1e-12);
    const tl_look *look = &((const tl_material *)scene->materials.items)->look;
    cr_expect_float_eq(look->roughness, 0.5, 1e-12, "what stands beside like counts");
    cr_expect_float_eq(look->refraction, 1.49, 1e-12, "the rest is that of honey");
    tl_scene_destroy(scene);
}

Test(scene_pictures, wrong_lights_are_refused) {
    refuses("strength: 1", "test:3:5", "neither");
    refuses("direction: [0, 0, 1], position: [0, 0, 1]", "test:3:5", "both");
    refuses("direction: [0, 0, 0]", "test:3:17", "zero");
    refuses("direction: [0, 0, 1], size: 4", "test:3:34", "3 rad");
}
