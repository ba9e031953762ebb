/* Surface tension is for implicit steps. See check.h. */
#include "scene/check.h"

#include "scene/schema.h"

#include <string.h>

static bool has_tension(const tl_scene *scene, const char *material) {
    const tl_material *materials = scene->materials.items;
    for (size_t m = 0; material && m < scene->materials.count; m++)
        if (strcmp(materials[m].name, material) == 0)
            return materials[m].has_surface_tension;
    return false;
}

/* The first material that has one and may flow; NULL: none. */
static const char *tension_in_use(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    const tl_emitter_def *emitters = scene->emitters.items;
    for (size_t i = 0; i < scene->bodies.count; i++)
        if (!bodies[i].rigid && has_tension(scene, bodies[i].material))
            return bodies[i].material;
    for (size_t i = 0; i < scene->emitters.count; i++)
        if (has_tension(scene, emitters[i].material))
            return emitters[i].material;
    return NULL;
}

static void check_angles(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_wall_def *walls = scene->walls.items;
    for (size_t k = 0; k < scene->walls.count; k++)
        if (walls[k].has_contact_angle)
            tl_report_warning(report, tl_yaml_place(root, "walls.%zu.contact_angle", k),
                              "give a material a surface_tension, or leave out the angle",
                              "a contact angle does nothing where no matter has surface tension");
}

void tl_scene_check_tension(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const char *name = tension_in_use(scene);
    if (!name)
        check_angles(scene, root, report);
    else if (scene->dynamics == TL_DYNAMICS_COHESIVE)
        tl_report_warning(report, tl_yaml_place(root, "dynamics"), "leave out dynamics",
                          "thermal particles have no surface tension, and material \"%.60s\" has "
                          "one",
                          name);
    else if (scene->flow.scheme == TL_SCHEME_EXPLICIT)
        tl_report_error(
            report, tl_yaml_place(root, "flow.scheme"), "leave out scheme, or use scheme: coupled",
            "explicit flow has no surface tension, and material \"%.60s\" has one", name);
}
