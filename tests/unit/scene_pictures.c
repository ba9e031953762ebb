/* Lights, looks and cameras in scenes, right and wrong. */
#include "run/picture_words.h"
#include "scene/scene.h"
#include "scene/schema.h"
#include "tallow/tallow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A scene with a camera path, from line 2 on. */
static tl_status load_camera(const char *path, tl_scene **scene, tl_error *error) {
    char text[1024];
    snprintf(text, sizeof text,
             "spacing: 1 cm\ncamera:\n  path:\n%s"
             "bodies:\n  - {material: honey, sphere: {center: [0, 0, 0], radius: 3 cm}}\n",
             path);
    return tl_scene_load_memory(text, strlen(text), "test", &(tl_scene_options){0}, scene, error);
}

static void refuses_camera(const char *path, const char *where, const char *what) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_expect_eq(load_camera(path, &scene, &error), TL_BAD_INPUT, "accepted %s", path);
    cr_expect(strstr(error.what, what), "%s: %s", error.what, what);
    cr_expect(strstr(error.where, where), "%s: %s, not %s", error.what, error.where, where);
    tl_scene_destroy(scene);
}

Test(scene_pictures, camera_paths_are_read_and_written_again) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_assert_eq(load_camera("    - {at: 0, from: [1, 0, 30 cm], look_at: [0, 0, 0]}\n"
                             "    - {at: 500 ms, from: [0, 1, 0], field_of_view: 20 deg}\n",
                             &scene, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    for (int again = 0; again < 2; again++) {
        const tl_camera_key_def *keys = scene->camera.path.items;
        cr_assert_eq(scene->camera.path.count, 2);
        cr_expect(keys[0].from[2] == 0.3 && !keys[0].has_field_of_view && keys[0].has_look_at);
        cr_expect(keys[1].at == 0.5 && !keys[1].has_look_at);
        char *text;
        tl_scene *copy = NULL;
        cr_assert_eq(tl_scene_write(scene, &text, &error), TL_OK);
        cr_assert_eq(tl_scene_load_memory(text, strlen(text), "run.yaml", NULL, &copy, &error),
                     TL_OK, "%s", error.what);
        free(text);
        tl_scene_destroy(scene);
        scene = copy;
    }
    tl_scene_destroy(scene);
}

Test(scene_pictures, wrong_camera_paths_are_refused) {
    refuses_camera("    - {at: 1, from: [1, 0, 0]}\n    - {at: 1, from: [2, 0, 0]}\n", "test:5:12",
                   "at 1 s after one at 1 s");
    refuses_camera("    - {from: [1, 0, 0]}\n", "test:4:7", "at");
    refuses_camera("    - {at: 1, from: [1, 0, 0], look_at: [1, 0, 0]}\n",
                   "test:4:", "where it is");
}

/* Who sees a picture must know that its heat is not in the time it tells. */
Test(scene_pictures, the_caption_tells_the_speed_of_heat_if_it_is_not_that_of_motion) {
    const tl_frame frame = {.time = 1.5};
    const tl_frame_array by = {.name = "temperature", .unit = "°C"};
    const tl_picture_options options = {.width = 64, .height = 64};
    tl_scene scene = {.has_heat = true, .heat = {.speed = 60}};
    tl_shot shot = {.scene = &scene, .options = &options, .frame = &frame, .by = &by};
    tl_picture_words words;
    tl_shot_add_words(&shot, &words);
    cr_assert_str_eq(shot.view.caption, "t = 1.500 s   heat × 60");
    scene.heat.speed = 1;
    tl_shot_add_words(&shot, &words);
    cr_assert_str_eq(shot.view.caption, "t = 1.500 s");
}
