/* See refine.h. */
#include "resample/refine.h"

#include <math.h>

/* Spacings over which levels fall by one outside of a region. */
static const double grading = 2;

/* By how much who is fine may be too far away, in spacings, or too cold, K, before it is coarse
 * again: else those on the border would split and merge by turns. */
static const double slack = 1, cooler = 5;

#define AT(member) offsetof(tl_refine_def, member)

static const tl_param params[] = {
    {.name = "body",
     .type = TL_PARAM_TEXT,
     .offset = AT(body),
     .doc = "Name of a body; only its particles, and without a region all of them"},
    {.name = "box",
     .type = TL_PARAM_SECTION,
     .offset = AT(box),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_box_table,
     .present = AT(has_box),
     .doc = "Particles in a box, and by degrees around it"},
    {.name = "sphere",
     .type = TL_PARAM_SECTION,
     .offset = AT(sphere),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_sphere_table,
     .present = AT(has_sphere),
     .doc = "Particles in a ball, and by degrees around it"},
    {.name = "warmer",
     .type = TL_PARAM_NUMBER,
     .offset = AT(warmer),
     .unit = TL_UNIT_TEMPERATURE,
     .min = -273.15,
     .max = 1e5,
     .flags = TL_PARAM_OPTIONAL,
     .present = AT(has_warmer),
     .doc = "Only matter at least so warm; the scene keeps to it while it runs"},
    {.name = "until",
     .type = TL_PARAM_NUMBER,
     .offset = AT(until),
     .unit = TL_UNIT_TEMPERATURE,
     .min = -273.15,
     .max = 1e5,
     .flags = TL_PARAM_OPTIONAL,
     .present = AT(has_until),
     .doc = "What was refined by warmer merges again below this; 5 K less unless given"},
    {.name = "surface",
     .type = TL_PARAM_NUMBER,
     .offset = AT(surface),
     .unit = TL_UNIT_LENGTH,
     .min = 0,
     .max = 1e6,
     .flags = TL_PARAM_OPTIONAL,
     .present = AT(has_surface),
     .doc = "Only matter so near to a free surface; the scene keeps to it while it runs"},
    {.name = "always",
     .type = TL_PARAM_SWITCH,
     .offset = AT(always),
     .default_value = "false",
     .doc = "Particles split and merge as they come and go, not at the start alone; so they do "
            "for all entries if any has this, warmer or surface"},
    {.name = "levels",
     .type = TL_PARAM_INTEGER,
     .offset = AT(levels),
     .default_value = "3",
     .min = 1,
     .max = 5,
     .doc = "Each halves the volume of particles: 3 halve their distances"},
};

const tl_param_table tl_refine_table =
    TL_PARAM_TABLE(tl_refine_def, "refine", "Where particles are smaller", params);

/* How far x is from a region, m; 0 in it. */
static double distance_from(const tl_refine_def *r, tl_vec3 x) {
    const double place[3] = {x.x, x.y, x.z};
    double square = 0;
    if (r->has_sphere)
        return fmax(tl_vec3_length(tl_vec3_sub(x, tl_vec3_of(r->sphere.center))) - r->sphere.radius,
                    0);
    for (int k = 0; k < 3 && r->has_box; k++) {
        const double away = fmax(fmax(r->box.from[k] - place[k], place[k] - r->box.to[k]), 0);
        square += away * away;
    }
    return sqrt(square);
}

static bool is_warm(const tl_refine_def *r, const tl_refine_view *v) {
    const double until = r->has_until ? r->until : r->warmer - cooler;
    return !r->has_warmer || v->temperature >= (v->stays ? until : r->warmer);
}

int tl_refine_level(const tl_refine_def *all, size_t count, const tl_refine_view *v) {
    double level = 0;
    for (size_t k = 0; k < count; k++) {
        const tl_refine_def *r = &all[k];
        if ((r->body_at > 0 && r->body_at - 1 != v->body) || !is_warm(r, v))
            continue;
        double away = distance_from(r, v->place);
        if (r->has_surface)
            away = fmax(away, v->surface - r->surface);
        away = fmax(away - (v->stays ? slack * v->spacing : 0), 0);
        level = fmax(level, (double)r->levels - ceil(away / (grading * v->spacing) - 1e-9));
    }
    return (int)level;
}

bool tl_refine_follows(const tl_refine_def *all, size_t count) {
    bool follows = false;
    for (size_t k = 0; k < count; k++)
        follows = follows || all[k].has_warmer || all[k].has_surface || all[k].always;
    return follows;
}

int tl_refine_most(const tl_refine_def *all, size_t count) {
    int64_t most = 0;
    for (size_t k = 0; k < count; k++)
        most = all[k].levels > most ? all[k].levels : most;
    return (int)most;
}

double tl_refine_depth(const tl_refine_def *all, size_t count) {
    double depth = -1;
    for (size_t k = 0; k < count; k++)
        depth = all[k].has_surface ? fmax(depth, all[k].surface) : depth;
    return depth;
}
