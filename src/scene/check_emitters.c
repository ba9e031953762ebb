/* Checks of emitters and drains. See check.h. */
#include "scene/check.h"

#include "scene/schema.h"
#include "scene/shapes.h"

#include <stdlib.h>

/* Distances below this part of a spacing are rounding of files, not mistakes. */
static const double tolerance = 0.01;

/* Places of a nozzle times what may be there; of wide nozzles among many things not every place is
 * looked at. */
enum { MOST_LOOKS = 1000000 };

typedef struct site {
    const tl_scene *scene;
    tl_report *report;
    const tl_yaml_node *node; /* of the emitter or drain */
} site;

/* ---- Emitters ----------------------------------------------------------------------------------
 */

static bool check_mouth(const site *s, const tl_emitter_def *e) {
    const int mouths = e->has_disc + e->has_rectangle + e->form.has_mesh;
    if (mouths != 1) {
        tl_report_error(s->report, s->node, "give exactly one of disc, rectangle and mesh",
                        mouths ? "emitter \"%.60s\" has more than one mouth"
                               : "emitter \"%.60s\" has no mouth",
                        e->name);
        return false;
    }
    if (e->form.has_mesh) /* nozzles know what is wrong with it */
        return true;
    const char *mouth = e->has_disc ? "disc" : "rectangle";
    const double *direction = e->has_disc ? e->disc.direction : e->rectangle.direction;
    if (!(tl_vec3_length(tl_vec3_of(direction)) > 0)) {
        tl_report_error(s->report, tl_yaml_place(s->node, "%s.direction", mouth),
                        "write direction: [0, 0, -1]", "the direction of emitter \"%.60s\" is zero",
                        e->name);
        return false;
    }
    const double least = s->scene->spacing * (1 - tolerance);
    const double size =
        e->has_disc ? e->disc.radius : fmin(e->rectangle.width, e->rectangle.height);
    if (size < least) {
        tl_report_error(s->report,
                        tl_yaml_place(s->node, e->has_disc ? "disc.radius"
                                               : e->rectangle.width < e->rectangle.height
                                                   ? "rectangle.width"
                                                   : "rectangle.height"),
                        "make it wider, or the spacing smaller",
                        "the mouth of emitter \"%.60s\" is too narrow: %g m < a spacing of %g m",
                        e->name, size, s->scene->spacing);
        return false;
    }
    return true;
}

static void check_flow(const site *s, const tl_emitter_def *e) {
    if (e->has_speed && e->has_flow_rate)
        tl_report_error(s->report, tl_yaml_place(s->node, "flow_rate"), "leave out one of them",
                        "emitter \"%.60s\" has both a speed and a flow_rate", e->name);
    if (!e->has_speed && !e->has_flow_rate)
        tl_report_error(s->report, s->node, "add speed: 0.1 m/s, or flow_rate: 5 mL/s",
                        "emitter \"%.60s\" has neither a speed nor a flow_rate", e->name);
    if (e->has_until && e->until <= e->from)
        tl_report_error(s->report, tl_yaml_place(s->node, "until"), "until is later than from",
                        "emitter \"%.60s\" closes before it opens: %g s, %g s", e->name, e->until,
                        e->from);
    if (s->scene->dynamics != TL_DYNAMICS_FLOW || s->scene->flow.scheme == TL_SCHEME_NONE)
        tl_report_error(s->report, s->node, "leave out the emitter",
                        "emitters need matter that flows");
}

/* How deep a point is in the solid side of a wall (m); not positive outside. */
static double wall_depth(const tl_wall_def *wall, tl_vec3 x) {
    tl_vec3 normal[6];
    double offset[6], depth = -HUGE_VAL;
    const int faces = tl_wall_faces(wall, normal, offset);
    for (int f = 0; f < faces; f++)
        depth = fmax(depth, offset[f] - tl_vec3_dot(normal[f], x));
    return faces > 0 ? depth : tl_obstacle_depth(wall, x);
}

/* Nothing of the nozzle may be in a wall, in a body or in a drain, at the start or at the end. */
static void check_place(const site *s, const tl_emitter_def *e, const tl_nozzle *nozzle,
                        double time) {
    const tl_body_def *bodies = s->scene->bodies.items;
    const tl_wall_def *walls = s->scene->walls.items;
    const tl_drain_def *drains = s->scene->drains.items;
    const double nearest = tolerance * s->scene->spacing;
    const size_t things = s->scene->walls.count + s->scene->bodies.count + s->scene->drains.count;
    const size_t stride = 1 + nozzle->count * things / MOST_LOOKS;
    for (size_t p = 0; p < 2 * nozzle->count; p += stride) {
        const bool first = p < nozzle->count;
        const double depth = first ? 0.5 * nozzle->layer : nozzle->length;
        const tl_vec3 x = tl_nozzle_place(nozzle, time, depth, first ? p : p - nozzle->count);
        for (size_t w = 0; w < s->scene->walls.count; w++)
            if (wall_depth(&walls[w], x) > nearest) {
                tl_report_error(s->report, s->node, "move the emitter, or the wall",
                                "the nozzle of emitter \"%.60s\" is in wall \"%.60s\" at %g s",
                                e->name, walls[w].name, time);
                return;
            }
        for (size_t b = 0; b < s->scene->bodies.count && time == 0; b++)
            if (tl_body_depth(&bodies[b], x) > nearest) {
                tl_report_error(s->report, s->node, "move the emitter, or the body",
                                "the nozzle of emitter \"%.60s\" is in body \"%.60s\"", e->name,
                                bodies[b].name);
                return;
            }
        for (size_t d = 0; d < s->scene->drains.count; d++)
            if (tl_drain_distance(&drains[d], x) < nearest) {
                tl_report_error(s->report, s->node, "move the emitter, or the drain",
                                "what comes from emitter \"%.60s\" leaves at once by drain "
                                "\"%.60s\"",
                                e->name, drains[d].name);
                return;
            }
    }
}

static void check_emitter(const site *s, const tl_emitter_def *e) {
    check_flow(s, e);
    if (!check_mouth(s, e) || s->report->list->error_count > 0)
        return;
    tl_nozzle nozzle;
    tl_error error = {0};
    if (tl_nozzle_make(e, s->scene->spacing, &nozzle, &error) != TL_OK) {
        tl_report_error(s->report, s->node, error.fix, "%s", error.what);
        return;
    }
    check_place(s, e, &nozzle, 0);
    if (s->report->list->error_count == 0 && tl_vec3_length(nozzle.velocity) > 0)
        check_place(s, e, &nozzle, e->has_until ? e->until : s->scene->duration);
    tl_nozzle_free(&nozzle);
}

/* ---- Drains ------------------------------------------------------------------------------------
 */

static void check_drain(const site *s, const tl_drain_def *d) {
    const bool oblique = tl_vec3_length(tl_vec3_of(d->normal)) > 0;
    const int kinds = (d->plane != TL_SIDE_NONE) + oblique + d->has_box + d->has_sphere;
    if (kinds != 1)
        tl_report_error(s->report, s->node, "give exactly one of plane, normal, box and sphere",
                        kinds ? "drain \"%.60s\" is more than one thing"
                              : "drain \"%.60s\" is nowhere",
                        d->name);
    for (int k = 0; k < 3 && d->has_box; k++)
        if (!(d->box.from[k] < d->box.to[k])) {
            tl_report_error(
                s->report, tl_yaml_place(s->node, "box.to"), "from is the lowest corner",
                "the box of drain \"%.60s\" has no extent along %s", d->name, tl_axis_names[k + 1]);
            break;
        }
    if (d->outside && !d->has_box && !d->has_sphere)
        tl_report_warning(s->report, tl_yaml_place(s->node, "outside"), "turn the normal around",
                          "outside does nothing without box or sphere");
    if (s->scene->dynamics != TL_DYNAMICS_FLOW || s->scene->flow.scheme == TL_SCHEME_NONE)
        tl_report_error(s->report, s->node, "leave out the drain", "drains need matter that flows");
}

void tl_scene_check_emitters(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_emitter_def *emitters = scene->emitters.items;
    const tl_drain_def *drains = scene->drains.items;
    for (size_t d = 0; d < scene->drains.count; d++)
        check_drain(&(site){scene, report, tl_yaml_place(root, "drains.%zu", d)}, &drains[d]);
    for (size_t e = 0; e < scene->emitters.count; e++)
        check_emitter(&(site){scene, report, tl_yaml_place(root, "emitters.%zu", e)}, &emitters[e]);
    if (scene->emitters.count > UINT8_MAX)
        tl_report_error(report, tl_yaml_place(root, "emitters"), "use 255 at most", "%zu emitters",
                        scene->emitters.count);
}
