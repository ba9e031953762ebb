/* See drain.h. */
#include "boundary/drain.h"

#define AT(member) offsetof(tl_drain_def, member)

static const tl_param params[] = {
    {.name = "name",
     .type = TL_PARAM_TEXT,
     .offset = AT(name),
     .flags = TL_PARAM_IDLE,
     .doc = "Name, for messages"},
    {.name = "plane",
     .type = TL_PARAM_CHOICE,
     .offset = AT(plane),
     .default_value = "none",
     .choices = tl_side_names,
     .doc = "What is behind a plane whose normal points this way leaves; z: what is below"},
    {.name = "at",
     .type = TL_PARAM_NUMBER,
     .offset = AT(at),
     .unit = TL_UNIT_LENGTH,
     .default_value = "0",
     .doc = "Where the plane cuts that axis"},
    {.name = "normal",
     .type = TL_PARAM_VECTOR,
     .offset = AT(normal),
     .default_value = "[0, 0, 0]",
     .doc = "Normal of an oblique plane, away from what leaves; any length"},
    {.name = "through",
     .type = TL_PARAM_VECTOR,
     .offset = AT(through),
     .unit = TL_UNIT_LENGTH,
     .default_value = "[0, 0, 0]",
     .doc = "A point of the oblique plane"},
    {.name = "box",
     .type = TL_PARAM_SECTION,
     .offset = AT(box),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_box_table,
     .present = AT(has_box),
     .doc = "What is in the box leaves"},
    {.name = "sphere",
     .type = TL_PARAM_SECTION,
     .offset = AT(sphere),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_sphere_table,
     .present = AT(has_sphere),
     .doc = "What is in the ball leaves"},
    {.name = "outside",
     .type = TL_PARAM_SWITCH,
     .offset = AT(outside),
     .default_value = "false",
     .doc = "What is outside of the box or ball leaves instead"},
};

const tl_param_table tl_drain_table =
    TL_PARAM_TABLE(tl_drain_def, "drain", "A place where matter leaves", params);

/* As the wall would be that is given by the same words. */
static double wall_distance(const tl_drain_def *d, tl_vec3 x) {
    tl_vec3 n;
    if (d->has_sphere || d->has_box) {
        const tl_shape shape = {.is_ball = d->has_sphere,
                                .is_box = d->has_box,
                                .from = tl_vec3_of(d->has_sphere ? d->sphere.center : d->box.from),
                                .to = tl_vec3_of(d->box.to),
                                .radius = d->sphere.radius};
        return tl_shape_distance(&shape, x, &n);
    }
    if (d->plane == TL_SIDE_NONE)
        return tl_vec3_dot(tl_vec3_unit(tl_vec3_of(d->normal)),
                           tl_vec3_sub(x, tl_vec3_of(d->through)));
    const double places[3] = {x.x, x.y, x.z};
    const double away = places[(d->plane - 1) % 3] - d->at;
    return d->plane >= TL_SIDE_MINUS_X ? -away : away;
}

double tl_drain_distance(const tl_drain_def *d, tl_vec3 x) {
    return d->outside ? -wall_distance(d, x) : wall_distance(d, x);
}
