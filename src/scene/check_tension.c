/* Surface tension, and that between liquids, is for implicit steps. See check.h. */
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

static bool is_material(const tl_scene *scene, const char *name) {
    const tl_material *materials = scene->materials.items;
    for (size_t m = 0; m < scene->materials.count; m++)
        if (strcmp(materials[m].name, name) == 0)
            return true;
    return false;
}

static bool is_same_pair(const tl_interface_def *a, const tl_interface_def *b) {
    return (strcmp(a->between, b->between) == 0 && strcmp(a->and, b->and) == 0) ||
           (strcmp(a->between, b->and) == 0 && strcmp(a->and, b->between) == 0);
}

static void check_interface(const tl_scene *scene, size_t k, const tl_yaml_node *root,
                            tl_report *report) {
    const tl_interface_def *all = scene->interfaces.items, *f = &all[k];
    const tl_yaml_node *at = tl_yaml_place(root, "interfaces.%zu", k);
    if (!f->between || !f->and)
        return;
    for (int side = 0; side < 2; side++) {
        const char *name = side ? f->and : f->between;
        if (!is_material(scene, name))
            tl_report_error(report, tl_yaml_place(at, side ? "and" : "between"),
                            "name a material of the scene",
                            "no matter of this scene is of a material \"%.60s\"", name);
    }
    if (strcmp(f->between, f->and) == 0)
        tl_report_error(report, tl_yaml_place(at, "and"),
                        "give the material a surface_tension, if its surface is meant",
                        "there is no interface between \"%.60s\" and itself", f->and);
    for (size_t j = 0; j < k; j++)
        if (all[j].between && all[j].and &&is_same_pair(&all[j], f))
            tl_report_error(report, at, "leave one of them out",
                            "the tension between \"%.60s\" and \"%.60s\" is given twice",
                            f->between, f->and);
}

static void check_interfaces(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_yaml_node *scheme = tl_yaml_place(root, "flow.scheme");
    for (size_t k = 0; k < scene->interfaces.count; k++)
        check_interface(scene, k, root, report);
    if (scene->interfaces.count == 0)
        return;
    if (scene->dynamics == TL_DYNAMICS_COHESIVE)
        tl_report_error(report, tl_yaml_place(root, "interfaces"), "leave them out",
                        "thermal particles have no tension between them");
    else if (scene->flow.scheme == TL_SCHEME_EXPLICIT)
        tl_report_error(report, scheme, "leave out scheme, or use scheme: coupled",
                        "explicit flow has no tension between liquids");
}

void tl_scene_check_tension(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const char *name = tension_in_use(scene);
    check_interfaces(scene, root, report);
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
