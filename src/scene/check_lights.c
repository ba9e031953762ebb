/* Checks of what pictures are lit by. See check.h. */
#include "scene/check.h"

#include "scene/schema.h"

static void check_light(const tl_light_def *light, const tl_yaml_node *node, tl_report *report) {
    if (light->has_direction + light->has_position != 1) {
        tl_report_error(report, node, "give exactly one of direction and position",
                        light->has_direction ? "a light has both a direction and a position"
                                             : "a light has neither a direction nor a position");
        return;
    }
    if (light->has_direction && !(tl_vec3_length(tl_vec3_of(light->direction)) > 0))
        tl_report_error(report, tl_yaml_place(node, "direction"), "write direction: [0, 0, 1]",
                        "the direction of a light is zero");
    if (light->has_direction && light->size > 3)
        tl_report_error(report, tl_yaml_place(node, "size"), "the sun has 0.005",
                        "a light that is far away is not seen under more than 3 rad");
}

void tl_scene_check_lights(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_light_def *lights = scene->lights.items;
    for (size_t i = 0; i < scene->lights.count; i++)
        check_light(&lights[i], tl_yaml_place(root, "lights.%zu", i), report);
}
