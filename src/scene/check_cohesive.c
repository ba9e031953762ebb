/* What thermal particles ask of a scene, and what only they can do. See check.h. */
#include "scene/check.h"

#include "cohesion/potential.h"
#include "scene/schema.h"

#include <math.h>
#include <string.h>

typedef struct checker {
    const tl_scene *scene;
    const tl_yaml_node *root;
    tl_report *report;
} checker;

static const tl_material *material_of(const tl_scene *scene, const tl_body_def *body) {
    const tl_material *materials = scene->materials.items;
    for (size_t m = 0; body->material && m < scene->materials.count; m++)
        if (strcmp(materials[m].name, body->material) == 0)
            return &materials[m];
    return NULL;
}

double tl_scene_reach(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    double reach = 0;
    double spacing = scene->spacing;
    for (size_t i = 0; i < scene->bodies.count; i++)
        spacing = fmax(spacing, tl_body_spacing(scene, &bodies[i]));
    if (scene->dynamics != TL_DYNAMICS_COHESIVE)
        return tl_flow_support(&scene->flow) * (1 + scene->flow.skin) * spacing;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const tl_material *m = material_of(scene, &bodies[i]);
        tl_potential p;
        if (m && m->has_cohesion &&
            tl_potential_make(&m->cohesion, scene->spacing, m->name, &p, NULL) == TL_OK)
            reach = fmax(reach, p.range / fmin(p.stretch[0], fmin(p.stretch[1], p.stretch[2])));
    }
    const tl_collision_params *c = &scene->cohesive.collision;
    reach = fmax(reach, c->has_distance ? c->distance : scene->spacing);
    return reach * (1 + scene->cohesive.skin);
}

/* The lowest temperature that a body starts with, °C. */
static double coldest(const tl_temperature_def *t) {
    return t->has_value ? t->value : fmin(t->from, t->to);
}

static void check_body(const checker *c, size_t i) {
    const tl_body_def *body = (const tl_body_def *)c->scene->bodies.items + i;
    const tl_material *m = material_of(c->scene, body);
    if (!m)
        return;
    if (!m->has_cohesion) {
        tl_report_error(c->report, tl_yaml_place(c->root, "bodies.%zu.material", i),
                        "add cohesion: {energy: 200 J} to the material",
                        "material \"%.60s\" has no cohesion, which thermal particles need",
                        m->name);
        return;
    }
    const double mass = m->density * pow(c->scene->spacing, 3);
    const double heat = mass * m->specific_heat * coldest(&body->temperature);
    if (heat >= m->cohesion.energy * (1 - m->cohesion.least))
        tl_report_warning(c->report, tl_yaml_place(c->root, "bodies.%zu", i),
                          "lower its temperature, or raise cohesion.energy",
                          "body \"%.60s\" is a gas: a particle has %.3g J of heat and its bonds an "
                          "energy of %.3g J",
                          body->name, heat, m->cohesion.energy);
}

static void check_material(const checker *c, const tl_material *m) {
    tl_potential p;
    tl_error error = {0};
    if (!m->has_cohesion ||
        tl_potential_make(&m->cohesion, c->scene->spacing, m->name, &p, &error) == TL_OK)
        return;
    const tl_yaml_node *all = tl_yaml_get(c->root, "materials");
    const tl_yaml_node *at = tl_yaml_place(tl_yaml_get(all, m->name), "cohesion");
    tl_report_error(c->report, at ? at : c->root, error.fix, "material \"%.60s\": %s", m->name,
                    error.what);
}

static void check_cohesive(const checker *c) {
    const tl_scene *scene = c->scene;
    const tl_material *materials = scene->materials.items;
    for (size_t i = 0; i < scene->bodies.count; i++)
        check_body(c, i);
    for (size_t m = 0; m < scene->materials.count; m++)
        check_material(c, &materials[m]);
    static const char *const idle[] = {"flow", "heat.ambient", "heat.convection"};
    for (size_t k = 0; k < sizeof idle / sizeof idle[0]; k++) {
        const tl_yaml_node *heat = tl_yaml_get(c->root, "heat");
        const tl_yaml_node *at = k == 0 ? tl_yaml_get(c->root, "flow")
                                 : heat ? tl_yaml_get(heat, idle[k] + 5)
                                        : NULL;
        if (at)
            tl_report_warning(c->report, at, NULL, "%s does nothing to thermal particles", idle[k]);
    }
    if (scene->sources.count > 0)
        tl_report_error(c->report, tl_yaml_place(c->root, "sources"),
                        "heat them by walls that have a temperature, or by heating",
                        "sources do not shine on thermal particles yet");
}

static void check_flow(const checker *c) {
    const tl_yaml_node *given = tl_yaml_get(c->root, "thermal_particles");
    if (given)
        tl_report_warning(c->report, given, "add dynamics: thermal-particles",
                          "thermal_particles does nothing to a flow");
}

void tl_scene_check_cohesive(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const checker c = {scene, root, report};
    if (scene->dynamics == TL_DYNAMICS_COHESIVE)
        check_cohesive(&c);
    else
        check_flow(&c);
}
