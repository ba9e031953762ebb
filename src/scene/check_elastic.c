/* Elastic matter is for implicit steps. See check.h. */
#include "scene/check.h"

#include "scene/schema.h"

#include <string.h>

static bool is_elastic(const tl_scene *scene, const char *material) {
    const tl_material *materials = scene->materials.items;
    for (size_t m = 0; material && m < scene->materials.count; m++)
        if (strcmp(materials[m].name, material) == 0)
            return materials[m].has_elastic;
    return false;
}

/* The first material that is elastic and may be strained; NULL: none. */
static const char *elastic_in_use(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    const tl_emitter_def *emitters = scene->emitters.items;
    for (size_t i = 0; i < scene->bodies.count; i++)
        if (!bodies[i].rigid && is_elastic(scene, bodies[i].material))
            return bodies[i].material;
    for (size_t i = 0; i < scene->emitters.count; i++)
        if (is_elastic(scene, emitters[i].material))
            return emitters[i].material;
    return NULL;
}

static void check_hardening(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_material *materials = scene->materials.items;
    for (size_t m = 0; m < scene->materials.count; m++)
        if (materials[m].elastic.hardening != 0 && !materials[m].elastic.has_yield_stress)
            tl_report_error(
                report, tl_yaml_place(root, "materials.%s.elastic.hardening", materials[m].name),
                "add a yield_stress, or leave out hardening",
                "material \"%.60s\" hardens as it flows, but never yields", materials[m].name);
}

void tl_scene_check_elastic(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const char *name = elastic_in_use(scene);
    check_hardening(scene, root, report);
    if (!name)
        return;
    if (scene->dynamics == TL_DYNAMICS_COHESIVE)
        tl_report_error(report, tl_yaml_place(root, "dynamics"),
                        "leave out dynamics, or take a material without elastic: bonds are springs",
                        "thermal particles cannot be elastic, and material \"%.60s\" is", name);
    else if (scene->flow.scheme == TL_SCHEME_EXPLICIT)
        tl_report_error(report, tl_yaml_place(root, "flow.scheme"),
                        "leave out scheme, or use scheme: coupled",
                        "explicit flow cannot be elastic, and material \"%.60s\" is", name);
}
