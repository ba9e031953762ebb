/* A few words of a scene cannot ask for work without end. */
#include "tallow/tallow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static tl_error refusal(const char *body) {
    char text[1024];
    snprintf(text, sizeof text,
             "spacing: 1 mm\nduration: 1 s\n"
             "bodies:\n  - {material: water, %s}\nwalls: [{plane: z, at: -900}]\n",
             body);
    tl_scene *scene;
    tl_world *world = NULL;
    tl_error error = {0};
    if (tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error) == TL_OK) {
        cr_assert_neq(tl_world_create(scene, NULL, &world, &error), TL_OK);
        tl_scene_destroy(scene);
    }
    cr_assert_null(world);
    return error;
}

/* 6e13 places in the box around them, and 200 particles. */
Test(bounds, limbs_that_are_far_apart_are_refused_at_once) {
    const tl_error error = refusal("limbs: [{from: [-20, -20, -20], radius: 3 mm}, "
                                   "{from: [20, 20, 20], radius: 3 mm}]");
    cr_assert(strstr(error.what, "the box around the limbs"), "%s", error.what);
}

Test(bounds, a_ring_of_more_triangles_than_a_scene_may_have_is_refused) {
    const tl_error error = refusal("torus: {radius: 60, tube_radius: 20}");
    cr_assert(strstr(error.what, "more than 1500000 triangles"), "%s", error.what);
}

Test(bounds, a_mouth_of_more_particles_than_make_sense_is_refused) {
    const tl_error error =
        refusal("box: {from: [0, 0, 0], to: [1 cm, 1 cm, 1 cm]}}\n"
                "emitters:\n  - {material: water, speed: 1, disc: {center: [0, 0, "
                "9], direction: [0, 0, 1], radius: 1.2}");
    cr_assert(strstr(error.what, "a layer of an emitter would have 4.52e+06 particles"), "%s",
              error.what);
}
