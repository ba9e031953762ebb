/* See check.h. */
#include "scene/check.h"

#include "base/text.h"
#include "scene/data.h"
#include "scene/schema.h"
#include "scene/shapes.h"

#include <stdlib.h>
#include <string.h>

typedef struct checker {
    const tl_scene *scene;
    const tl_yaml_node *root;
    tl_report *report;
    const tl_body_def *bodies;
    const tl_wall_def *walls;
    double spacing;
} checker;

/* Distances below this part of a spacing are rounding of files, not mistakes. */
static const double tolerance = 0.01;

static const char axis_names[] = "xyz";

static const char *nearest_material(const checker *c, const char *name) {
    const tl_material *materials = c->scene->materials.items;
    const size_t count = c->scene->materials.count;
    const char **names = tl_allocate(count, sizeof *names);
    for (size_t m = 0; names && m < count; m++)
        names[m] = materials[m].name;
    const char *nearest = names ? tl_nearest_word(name, names, count) : NULL;
    free(names);
    return nearest;
}

/* The material of element i of a list. */
static void check_material(const checker *c, const char *list, size_t i, const char *name) {
    const tl_material *materials = c->scene->materials.items;
    const size_t count = c->scene->materials.count;
    if (!name)
        return;
    for (size_t m = 0; m < count; m++)
        if (strcmp(materials[m].name, name) == 0)
            return;
    tl_text hint = {0};
    const char *nearest = nearest_material(c, name);
    if (nearest)
        tl_text_print(&hint, "did you mean %.60s?", nearest);
    tl_error library = {0};
    char *path = NULL;
    if (!nearest && tl_data_find("materials", name, &path, &library) != TL_OK)
        tl_text_print(&hint, "%s", library.fix);
    tl_report_error(c->report, tl_yaml_place(c->root, "%s.%zu.material", list, i), hint.bytes,
                    "there is no material \"%.60s\"", name);
    free(hint.bytes);
    free(path);
}

static void check_shape_count(const checker *c, size_t i) {
    const tl_body_def *b = &c->bodies[i];
    const int shapes = b->has_box + b->has_sphere + b->has_cylinder + b->has_limbs + b->has_gable +
                       tl_form_count(&b->form);
    if (shapes != 1)
        tl_report_error(c->report, tl_yaml_place(c->root, "bodies.%zu", i),
                        "give exactly one of box, sphere, cylinder, limbs, gable, mesh, cone, "
                        "capsule, torus, rounded_box, text and terrain",
                        shapes ? "body \"%.60s\" has more than one shape"
                               : "body \"%.60s\" has no shape",
                        b->name);
}

/* Names are how messages and overrides speak of elements. */
static void check_names(const checker *c, const char *list, const tl_param_list *items,
                        size_t size) {
    for (size_t i = 1; i < items->count; i++) {
        const char *name = *(char *const *)(const void *)((const char *)items->items + i * size);
        for (size_t j = 0; j < i; j++) {
            const char *other =
                *(char *const *)(const void *)((const char *)items->items + j * size);
            if (strcmp(name, other) != 0)
                continue;
            tl_report_error(c->report, tl_yaml_place(c->root, "%s.%zu.name", list, i),
                            "give each a name of its own", "two of the %s are called \"%.60s\"",
                            list, name);
            return;
        }
    }
}

static bool check_box(const checker *c, const tl_box_def *box, const tl_yaml_node *at) {
    for (int k = 0; k < 3; k++)
        if (!(box->from[k] < box->to[k])) {
            tl_report_error(c->report, tl_yaml_place(at, "to"), "from is the lowest corner",
                            "the box has no extent along %c: from %g m to %g m", axis_names[k],
                            box->from[k], box->to[k]);
            return false;
        }
    return true;
}

/* The spacing of body i. */
static double spacing_of(const checker *c, size_t i) {
    return tl_body_spacing(c->scene, &c->bodies[i]);
}

/* An edge that is filled layer by layer: too thin for one, or not a whole number of them. */
static bool check_edge(const checker *c, size_t i, double length, const char *what,
                       const tl_yaml_node *at) {
    const double spacing = spacing_of(c, i), layers = length / spacing;
    const int fill = c->bodies[i].fill;
    if (layers < 1 - tolerance) {
        tl_report_error(c->report, at, "make it thicker, or the spacing smaller",
                        "body \"%.60s\" is thinner than a spacing along %s: %g m < %g m",
                        c->bodies[i].name, what, length, spacing);
        return false;
    }
    if (fill < TL_FILL_RELAXED && fill != TL_FILL_HEXAGONAL &&
        fabs(layers - round(layers)) > tolerance) {
        tl_text hint = {0};
        tl_text_print(&hint, "the fill has %g layers: %g m", round(layers),
                      round(layers) * spacing);
        tl_report_warning(c->report, at, hint.bytes,
                          "body \"%.60s\" is not a whole number of spacings along %s: %.4g",
                          c->bodies[i].name, what, layers);
        free(hint.bytes);
    }
    return true;
}

static bool check_radius(const checker *c, size_t i, double radius, const tl_yaml_node *at) {
    if (radius >= spacing_of(c, i) / 2)
        return true;
    tl_report_error(c->report, at, "make it thicker, or the spacing smaller",
                    "body \"%.60s\" is thinner than a spacing: radius %g m < %g m / 2",
                    c->bodies[i].name, radius, spacing_of(c, i));
    return false;
}

/* Neighbours are found in single precision: far out, it cannot tell them apart. */
static bool check_place(const checker *c, size_t i, const tl_yaml_node *at) {
    const double farthest = 1e5 * c->spacing;
    const tl_box_def bounds = tl_body_bounds(&c->bodies[i]);
    for (int k = 0; k < 3; k++)
        if (!(bounds.from[k] >= -farthest && bounds.to[k] <= farthest)) {
            tl_report_error(c->report, at, "move the scene to the origin",
                            "body \"%.60s\" reaches farther than 100000 spacings from the origin",
                            c->bodies[i].name);
            return false;
        }
    return true;
}

static bool check_limbs(const checker *c, size_t i, const tl_yaml_node *at) {
    const tl_param_list *limbs = &c->bodies[i].limbs;
    if (limbs->count == 0) {
        tl_report_error(c->report, at, "add one, such as {from: [0, 0, 0], radius: 1 cm}",
                        "body \"%.60s\" has no limbs", c->bodies[i].name);
        return false;
    }
    bool good = true;
    for (size_t k = 0; k < limbs->count; k++) {
        const tl_limb_def *limb = (const tl_limb_def *)limbs->items + k;
        good = check_radius(c, i, limb->radius, tl_yaml_place(at, "%zu.radius", k)) &&
               check_radius(c, i, limb->end_radius, tl_yaml_place(at, "%zu.end_radius", k)) && good;
    }
    return good;
}

/* Each particle has the volume spacing³. */
static void check_particles(const checker *c, size_t i) {
    const tl_body_def *b = &c->bodies[i];
    const double made = (double)b->particles * pow(spacing_of(c, i), 3);
    if (b->particles == 0 || fabs(made / b->volume - 1) <= 0.1)
        return;
    tl_text hint = {0};
    tl_text_print(&hint, "a spacing of %.4g m would fit", cbrt(b->volume / (double)b->particles));
    tl_report_error(c->report, tl_yaml_place(c->root, "bodies.%zu.particles", i), hint.bytes,
                    "%lld particles of %g m make %.3g m³; body \"%.60s\" has %.3g m³",
                    (long long)b->particles, spacing_of(c, i), made, b->name, b->volume);
    free(hint.bytes);
}

static bool check_form(const checker *c, size_t i, const tl_yaml_node *at) {
    check_particles(c, i);
    const tl_box_def bounds = tl_body_bounds(&c->bodies[i]);
    for (int k = 0; k < 3; k++)
        if (bounds.to[k] - bounds.from[k] < spacing_of(c, i) * (1 - tolerance)) {
            tl_report_error(c->report, at, "make it larger, or the spacing smaller",
                            "body \"%.60s\" is thinner than a spacing along %c: %g m < %g m",
                            c->bodies[i].name, axis_names[k], bounds.to[k] - bounds.from[k],
                            spacing_of(c, i));
            return false;
        }
    return true;
}

static bool check_shape(const checker *c, size_t i) {
    const tl_body_def *b = &c->bodies[i];
    const tl_yaml_node *at = tl_yaml_place(c->root, "bodies.%zu", i);
    if (b->has_limbs && !check_limbs(c, i, tl_yaml_place(at, "limbs")))
        return false;
    if (!check_place(c, i, at))
        return false;
    if (b->has_limbs || b->has_gable)
        return true;
    if (tl_form_given(&b->form))
        return check_form(c, i, tl_yaml_place(at, "%s", tl_form_word(&b->form)));
    if (b->has_sphere)
        return check_radius(c, i, b->sphere.radius, tl_yaml_place(at, "sphere.radius"));
    if (b->has_cylinder) {
        const double length =
            tl_vec3_length(tl_vec3_sub(tl_vec3_of(b->cylinder.to), tl_vec3_of(b->cylinder.from)));
        if (length == 0) {
            tl_report_error(c->report, tl_yaml_place(at, "cylinder.to"), NULL,
                            "the cylinder of body \"%.60s\" ends where it begins", b->name);
            return false;
        }
        return check_radius(c, i, b->cylinder.radius, tl_yaml_place(at, "cylinder.radius")) &&
               check_edge(c, i, length, "its axis", tl_yaml_place(at, "cylinder"));
    }
    if (!check_box(c, &b->box, tl_yaml_place(at, "box")))
        return false;
    bool good = true;
    for (int k = 0; k < 3; k++) {
        const char name[2] = {axis_names[k], 0};
        good =
            check_edge(c, i, b->box.to[k] - b->box.from[k], name, tl_yaml_place(at, "box")) && good;
    }
    return good;
}

/* How far a body reaches into the solid side of a wall (m). */
static double wall_overlap(const tl_body_def *b, const tl_wall_def *w) {
    tl_vec3 normal[6];
    double offset[6], deepest = 0;
    const int faces = tl_wall_faces(w, normal, offset);
    for (int f = 0; f < faces; f++)
        deepest = fmax(deepest, offset[f] - tl_body_extent(b, normal[f]));
    if (!w->has_box || !w->outside)
        return deepest;
    if (b->has_sphere) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double x = b->sphere.center[k];
            const double away = x - fmin(fmax(x, w->box.from[k]), w->box.to[k]);
            square += away * away;
        }
        return b->sphere.radius - sqrt(square);
    }
    if (!b->has_box) /* its particles are checked one by one when it is filled */
        return 0;
    double overlap = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        overlap =
            fmin(overlap, fmin(b->box.to[k], w->box.to[k]) - fmax(b->box.from[k], w->box.from[k]));
    return overlap;
}

static void check_walls_of_body(const checker *c, size_t i) {
    for (size_t w = 0; w < c->scene->walls.count; w++) {
        const double overlap = wall_overlap(&c->bodies[i], &c->walls[w]);
        if (overlap > tolerance * c->spacing)
            tl_report_error(c->report, tl_yaml_place(c->root, "bodies.%zu", i),
                            "move the body, or the wall",
                            "body \"%.60s\" reaches %.3g m into wall \"%.60s\"", c->bodies[i].name,
                            overlap, c->walls[w].name);
    }
}

static void check_period(const checker *c) {
    const tl_periodic_def *p = &c->scene->periodic;
    const tl_yaml_node *at = tl_yaml_place(c->root, "periodic");
    const bool along[3] = {p->x, p->y, p->z};
    if (!check_box(c, &p->box, tl_yaml_place(at, "box")))
        return;
    if (!p->x && !p->y && !p->z)
        tl_report_error(c->report, at, "add x: true, y: true or z: true, or remove periodic",
                        "periodic repeats the world along no axis");
    const double least = 2 * tl_scene_reach(c->scene);
    for (int k = 0; k < 3; k++) {
        const double from = p->box.from[k], to = p->box.to[k];
        if (!along[k])
            continue;
        if (to - from < least * (1 - 1e-9))
            tl_report_error(c->report, tl_yaml_place(at, "box"),
                            "make the box longer, or the spacing smaller",
                            "the period along %c is too short: %g m; particles would be their own "
                            "neighbours below %g m",
                            axis_names[k], to - from, least);
        for (size_t i = 0; i < c->scene->bodies.count; i++) {
            const tl_box_def bounds = tl_body_bounds(&c->bodies[i]);
            const double out = fmax(from - bounds.from[k], bounds.to[k] - to);
            if (out > tolerance * c->spacing)
                tl_report_error(c->report, tl_yaml_place(c->root, "bodies.%zu", i),
                                "move the body into the periodic box",
                                "body \"%.60s\" reaches %.3g m out of the periodic box along %c",
                                c->bodies[i].name, out, axis_names[k]);
        }
    }
}

static void check_geometry(const checker *c) {
    bool walls_good = true;
    for (size_t i = 0; i < c->scene->walls.count; i++)
        if (c->walls[i].has_box)
            walls_good =
                check_box(c, &c->walls[i].box, tl_yaml_place(c->root, "walls.%zu.box", i)) &&
                walls_good;
    tl_scene_check_walls(c->scene, c->root, c->report);
    for (size_t i = 0; i < c->scene->bodies.count; i++)
        if (check_shape(c, i) && walls_good)
            check_walls_of_body(c, i);
    if (c->scene->has_periodic)
        check_period(c);
}

static void check_pictures(const checker *c) {
    const tl_output_def *o = &c->scene->output;
    if (o->film && o->width % 2)
        tl_report_error(c->report, tl_yaml_place(c->root, "output.width"), NULL,
                        "films need an even width");
    if (o->film && o->height % 2)
        tl_report_error(c->report, tl_yaml_place(c->root, "output.height"), NULL,
                        "films need an even height");
}

static void check_flow(const checker *c) {
    const tl_flow_params *flow = &c->scene->flow;
    if (flow->viscosity == TL_VISCOSITY_NESTED && flow->scheme != TL_SCHEME_EXPLICIT)
        tl_report_warning(c->report, tl_yaml_place(c->root, "flow.viscosity"),
                          "add scheme: explicit to flow",
                          "only the explicit scheme has a nested viscosity");
}

/* What heat needs of a material; without heat it may be incomplete. */
static void check_heat_of(const checker *c, const tl_material *m) {
    const tl_yaml_node *given = tl_yaml_get(tl_yaml_get(c->root, "materials"), m->name);
    const tl_yaml_node *at = given ? given : c->root;
    if (!(m->specific_heat > 0))
        tl_report_error(c->report, at,
                        "add its specific_heat: metals have 0.1 to 0.9 kJ/(kg·K), stone and glass "
                        "0.8, wax and oil 2, water 4.2",
                        "material \"%.60s\" has no specific_heat, which heat needs", m->name);
    if (m->conductivity == 0)
        tl_report_warning(
            c->report, at,
            "add its conductivity: wax and oil have 0.2 W/(m·K), water 0.6, stone and "
            "glass 1 to 3, metals 10 to 400",
            "material \"%.60s\" conducts no heat", m->name);
    if (m->latent_heat > 0 && !m->has_solidus && !m->has_liquidus)
        tl_report_error(c->report, tl_yaml_place(at, "latent_heat"),
                        "give it a solidus, a liquidus or both",
                        "material \"%.60s\" has a heat of melting, but does not melt", m->name);
    if (m->latent_heat_of_vaporisation > 0 && !m->has_boiling)
        tl_report_error(c->report, tl_yaml_place(at, "latent_heat_of_vaporisation"),
                        "give it a boiling temperature",
                        "material \"%.60s\" has a heat of boiling, but does not boil", m->name);
}

static void check_solid_slip(const checker *c, const tl_material *m) {
    const tl_yaml_node *at = tl_yaml_place(c->root, "materials.%s.solid_slip", m->name);
    if (m->solid_slip > 0 && m->solid != TL_SOLID_HELD)
        tl_report_warning(c->report, at, "add solid: held, or leave out solid_slip",
                          "solid_slip does nothing where the solid is not held");
    else if (m->solid_slip > 0 && c->scene->flow.scheme == TL_SCHEME_EXPLICIT)
        tl_report_error(c->report, at, "use scheme: coupled, or leave out solid_slip",
                        "in explicit flow melt does not slip along its solid, and material "
                        "\"%.60s\" has a solid_slip",
                        m->name);
}

static void check_heat(const checker *c) {
    const tl_material *materials = c->scene->materials.items;
    for (size_t m = 0; m < c->scene->materials.count && !c->scene->has_heat; m++)
        if (materials[m].solid == TL_SOLID_HELD)
            tl_report_error(
                c->report, tl_yaml_place(c->root, "materials.%s.solid", materials[m].name),
                "add heat: {}, or leave out solid",
                "material \"%.60s\" is held while solid, which needs heat", materials[m].name);
    for (size_t m = 0; m < c->scene->materials.count && c->scene->has_heat; m++) {
        check_heat_of(c, &materials[m]);
        check_solid_slip(c, &materials[m]);
    }
    for (size_t i = 0; i < c->scene->walls.count; i++) {
        const tl_yaml_node *at = tl_yaml_place(c->root, "walls.%zu", i);
        const char *idle = c->walls[i].conductance > 0     ? "conductance"
                           : c->walls[i].heat_capacity > 0 ? "heat_capacity"
                                                           : NULL;
        if (idle && !c->walls[i].has_temperature)
            tl_report_warning(c->report, tl_yaml_place(at, "%s", idle),
                              "give the wall a temperature",
                              "%s does nothing on an insulating wall", idle);
        if (c->walls[i].heat_capacity > 0 && c->walls[i].temperature.points.count > 0)
            tl_report_error(c->report, tl_yaml_place(at, "temperature"),
                            "give the temperature at the start alone, or leave out heat_capacity",
                            "the temperature of wall \"%.60s\" cannot both follow a table and the "
                            "heat it gets",
                            c->walls[i].name);
    }
}

void tl_scene_check(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const checker c = {.scene = scene,
                       .root = root,
                       .report = report,
                       .bodies = scene->bodies.items,
                       .walls = scene->walls.items,
                       .spacing = scene->spacing};
    if (scene->bodies.count + scene->emitters.count == 0)
        tl_report_error(report, root, "add a body under bodies", "the scene has nothing in it");
    for (size_t i = 0; i < scene->bodies.count; i++) {
        check_material(&c, "bodies", i, c.bodies[i].material);
        check_shape_count(&c, i);
    }
    for (size_t i = 0; i < scene->emitters.count; i++)
        check_material(&c, "emitters", i, ((tl_emitter_def *)scene->emitters.items)[i].material);
    tl_scene_check_wall_kinds(scene, root, report);
    check_names(&c, "bodies", &scene->bodies, sizeof(tl_body_def));
    check_names(&c, "walls", &scene->walls, sizeof(tl_wall_def));
    check_names(&c, "sources", &scene->sources, sizeof(tl_source_def));
    check_names(&c, "emitters", &scene->emitters, sizeof(tl_emitter_def));
    check_names(&c, "drains", &scene->drains, sizeof(tl_drain_def));
    check_names(&c, "measures", &scene->measures, sizeof(tl_measure_def));
    check_pictures(&c);
    check_flow(&c);
    check_heat(&c);
    tl_scene_check_motion(scene, root, report);
    tl_scene_check_cohesive(scene, root, report);
    tl_scene_check_elastic(scene, root, report);
    tl_scene_check_tension(scene, root, report);
    tl_scene_check_sizes(scene, root, report);
    if (report->list->error_count == 0)
        check_geometry(&c);
    if (report->list->error_count == 0)
        tl_scene_check_sources(scene, root, report);
    tl_scene_check_emitters(scene, root, report);
    tl_scene_check_camera(scene, root, report);
    tl_scene_check_lights(scene, root, report);
}
