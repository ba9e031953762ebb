/* Checks of where the camera goes. See check.h. */
#include "scene/check.h"

#include "scene/schema.h"

/* A camera cannot look at the place where it is: nowhere would be forward. */
static void check_key(const tl_camera_key_def *key, const tl_camera_key_def *before,
                      const tl_yaml_node *node, tl_report *report) {
    if (before && !(key->at > before->at))
        tl_report_error(
            report, tl_yaml_place(node, "at"), "put the keys in the order of their times",
            "a camera cannot be at a key at %g s after one at %g s", key->at, before->at);
    if (key->has_from && key->has_look_at &&
        !(tl_vec3_length(tl_vec3_sub(tl_vec3_of(key->from), tl_vec3_of(key->look_at))) > 0))
        tl_report_error(report, tl_yaml_place(node, "look_at"), "look at another point",
                        "a camera cannot look at the place where it is");
}

void tl_scene_check_camera(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_camera_key_def *keys = scene->camera.path.items;
    for (size_t i = 0; i < scene->camera.path.count; i++)
        check_key(&keys[i], i > 0 ? &keys[i - 1] : NULL, tl_yaml_place(root, "camera.path.%zu", i),
                  report);
}
