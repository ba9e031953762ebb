/* Particles of different sizes, and what knows one size only. See check.h. */
#include "scene/check.h"

#include "resample/voids.h"
#include "scene/schema.h"

#include <math.h>
#include <string.h>

/* Spacings may differ by this factor from the scene's, and by the other one without a warning:
 * neighbours of 3 times the volume see each other within a few parts of a hundred. */
static const double most_ratio = 3.01, advised_ratio = 1.45;

typedef struct site {
    const tl_scene *scene;
    const tl_yaml_node *root;
    tl_report *report;
} site;

static void check_body(const site *s, size_t i) {
    const tl_body_def *b = (const tl_body_def *)s->scene->bodies.items + i;
    const tl_yaml_node *at = tl_yaml_place(s->root, "bodies.%zu.spacing", i);
    const double ratio = b->spacing / s->scene->spacing, apart = fmax(ratio, 1 / ratio);
    if (!b->has_spacing)
        return;
    if (b->rigid || b->has_gable)
        tl_report_error(s->report, at, "leave out its spacing",
                        "body \"%.60s\" cannot have a spacing of its own: %s", b->name,
                        b->rigid ? "it is rigid" : "it is a gable");
    else if (apart > most_ratio)
        tl_report_error(s->report, at, "stay within a factor of 3",
                        "the spacing of body \"%.60s\" is %.3g times the scene's", b->name, ratio);
    else if (apart > advised_ratio)
        tl_report_warning(
            s->report, at, "within 1.44 times the volumes of particles differ by 3; or use refine",
            "the spacing of body \"%.60s\" is %.3g times the scene's: where they meet, the "
            "flow is less precise",
            b->name, ratio);
}

static void check_region(const site *s, size_t k) {
    const tl_refine_def *r = (const tl_refine_def *)s->scene->refine.items + k;
    const tl_body_def *bodies = s->scene->bodies.items, *body = NULL;
    const tl_yaml_node *at = tl_yaml_place(s->root, "refine.%zu", k);
    for (size_t i = 0; i < s->scene->bodies.count && r->body; i++)
        body = strcmp(bodies[i].name, r->body) == 0 ? &bodies[i] : body;
    if (r->has_box && r->has_sphere)
        tl_report_error(s->report, at, "make two of it", "refine has a box and a sphere");
    if (!r->has_box && !r->has_sphere && !r->body && !r->has_warmer && !r->has_surface)
        tl_report_error(s->report, at, "add a box, a sphere, the name of a body, warmer or surface",
                        "refine does not say where");
    if (r->has_until && !r->has_warmer)
        tl_report_error(s->report, tl_yaml_place(at, "until"), "add warmer",
                        "until does nothing without warmer");
    else if (r->has_until && r->until > r->warmer)
        tl_report_error(s->report, tl_yaml_place(at, "until"), "give a temperature below warmer",
                        "what is %g °C warm would split and merge by turns", r->warmer);
    if (r->body && !body)
        tl_report_error(s->report, tl_yaml_place(at, "body"), NULL, "there is no body \"%.60s\"",
                        r->body);
    if (body && (body->rigid || body->has_gable))
        tl_report_error(s->report, tl_yaml_place(at, "body"), "leave it out",
                        "body \"%.60s\" cannot be refined: %s", r->body,
                        body->rigid ? "it is rigid" : "it is a gable");
}

static void check_rule(const site *s) {
    if (s->scene->has_resample && s->scene->resample.split == TL_SPLIT_VOID &&
        !tl_voids_available())
        tl_report_error(s->report, tl_yaml_place(s->root, "resample.split"),
                        "install Qhull (libqhull-dev) and build again, or use split: strain",
                        "this build of tallow cannot find voids");
}

void tl_scene_check_sizes(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const site s = {scene, root, report};
    check_rule(&s);
    if (!tl_scene_sizes_differ(scene))
        return;
    if (scene->dynamics == TL_DYNAMICS_COHESIVE)
        tl_report_error(report, tl_yaml_place(root, "dynamics"),
                        "leave out refine and the spacings of bodies",
                        "thermal particles all have one size");
    else if (scene->flow.scheme == TL_SCHEME_EXPLICIT)
        tl_report_error(report, tl_yaml_place(root, "flow.scheme"),
                        "leave out scheme, or use scheme: coupled",
                        "the explicit scheme knows particles of one size only");
    for (size_t i = 0; i < scene->bodies.count; i++)
        check_body(&s, i);
    for (size_t k = 0; k < scene->refine.count; k++)
        check_region(&s, k);
}
