/* What walls are, and what of them does nothing. See check.h. */
#include "math/pi.h"
#include "scene/check.h"
#include "scene/schema.h"
#include "scene/shapes.h"

typedef struct site {
    const tl_scene *scene;
    const tl_yaml_node *root;
    tl_report *report;
    const tl_wall_def *walls;
} site;

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

/* Keys that say something, in a wall that has no use for it. Run.yaml has all keys. */
static void check_idle(const site *c, const tl_wall_def *w, const tl_yaml_node *at) {
    const bool oblique = !is_zero(w->normal), form = tl_wall_is_form(w),
               open = w->open != TL_SIDE_NONE, box = w->has_box;
    const struct {
        const char *key;
        bool said, used;
        const char *needs;
    } keys[] = {
        {"at", w->at != 0, w->plane != TL_SIDE_NONE, "plane"},
        {"through", !is_zero(w->through), oblique, "normal"},
        {"outside", w->outside, box, "box"},
        {"open", open, box || form, "a box, a cylinder, a sphere or a form"},
        {"hollow", w->hollow, form, "a cylinder, a sphere or a form"},
        {"thickness", w->thickness > 0, form && open, "a vessel that is open"},
        {"opacity", w->opacity < 1, form || (box && w->outside),
         "a cylinder, a sphere, a form or a box that is an obstacle"},
    };
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (keys[k].said && !keys[k].used)
            tl_report_warning(c->report, tl_yaml_place(at, "%s", keys[k].key), NULL,
                              "%s does nothing without %s", keys[k].key, keys[k].needs);
}

static void check_wall_kind(const site *c, size_t i) {
    const tl_wall_def *w = &c->walls[i];
    const tl_yaml_node *at = tl_yaml_place(c->root, "walls.%zu", i);
    const bool oblique = !is_zero(w->normal);
    const int kinds = (w->plane != TL_SIDE_NONE) + oblique + w->has_box + w->has_sphere +
                      w->has_cylinder + tl_form_count(&w->form);
    if (kinds != 1) {
        tl_report_error(
            c->report, at,
            "give exactly one of plane, normal, box, sphere, cylinder, mesh, cone, capsule, torus "
            "and rounded_box",
            kinds ? "wall \"%.60s\" is more than one thing"
                  : "wall \"%.60s\" is neither a plane nor a box nor a form",
            w->name);
        return;
    }
    if (w->outside && w->open != TL_SIDE_NONE)
        tl_report_error(c->report, tl_yaml_place(at, "open"), "leave out open, or outside",
                        "only a tank can be open: wall \"%.60s\" is an obstacle", w->name);
    check_idle(c, w, at);
}

static void check_wall_velocity(const site *c, size_t i) {
    const tl_wall_def *w = &c->walls[i];
    const tl_vec3 v = tl_vec3_of(w->velocity);
    const tl_yaml_node *at = tl_yaml_place(c->root, "walls.%zu.velocity", i);
    if (is_zero(w->velocity))
        return;
    if (w->has_box || tl_wall_is_form(w)) {
        tl_report_error(c->report, at, "use planes, each with its own velocity, or motion",
                        "only a plane can move along itself");
        return;
    }
    tl_vec3 normal[6];
    double offset[6];
    tl_wall_faces(w, normal, offset);
    if (fabs(tl_vec3_dot(v, normal[0])) > 1e-9 * tl_vec3_length(v))
        tl_report_error(c->report, at, "take away the part along the normal",
                        "wall \"%.60s\" can only move along itself", w->name);
}

/* Here the law of roughness (wall.h) is 5 % off without other friction, 13 % with some. */
static const double steepest_roughness = 0.2;

/* What a wall has that does nothing, or not quite what it says. */
static void check_wall_contact(const site *c, size_t i) {
    const tl_wall_def *w = &c->walls[i];
    const tl_yaml_node *at = tl_yaml_place(c->root, "walls.%zu", i);
    const double slope = 2 * TL_PI * w->roughness.height / w->roughness.period;
    const bool slips = w->has_slip_length ? w->slip_length > 0
                       : w->has_slip      ? w->slip > 0
                                          : w->contact == TL_CONTACT_FREE_SLIP;
    if (w->has_stickiness && c->scene->flow.scheme == TL_SCHEME_EXPLICIT)
        tl_report_warning(c->report, tl_yaml_place(at, "stickiness"), "use scheme: coupled",
                          "stickiness does nothing in explicit flow");
    if (w->has_roughness && !slips)
        tl_report_warning(c->report, tl_yaml_place(at, "roughness"),
                          "add contact: free-slip, or a slip_length",
                          "roughness does nothing on a wall that matter sticks to");
    else if (w->has_roughness && slope > steepest_roughness)
        tl_report_warning(
            c->report, tl_yaml_place(at, "roughness"), "make it part of the wall's form",
            "wall \"%.60s\" is too steep for roughness: 2π height / period is %.2g, and "
            "should be %g at most",
            w->name, slope, steepest_roughness);
}

void tl_scene_check_wall_kinds(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const site s = {scene, root, report, scene->walls.items};
    for (size_t i = 0; i < scene->walls.count; i++)
        check_wall_kind(&s, i);
}

void tl_scene_check_walls(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const site s = {scene, root, report, scene->walls.items};
    for (size_t i = 0; i < scene->walls.count; i++) {
        check_wall_velocity(&s, i);
        check_wall_contact(&s, i);
    }
}
