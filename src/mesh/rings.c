/* See rings.h. Rings are found as the form gives them, then turned, scaled and moved with it: its
 * centroid tells where it has been put. */
#include "mesh/rings.h"

#include "math/pi.h"
#include <math.h>

/* A circle seen at an angle (sine) below this has no farthest point. */
static const double steepest = 1e-6;

/* A round form where its own coordinates put it. */
typedef struct shape {
    tl_ring rings[TL_MOST_RINGS];
    size_t count;
    tl_vec3 centroid;
    double volume;
} shape;

static void shape_of_cone(const tl_cone_def *c, shape *s) {
    const tl_vec3 from = tl_vec3_of(c->from), along = tl_vec3_sub(tl_vec3_of(c->to), from);
    const double a = c->radius, b = c->end_radius, length = tl_vec3_length(along);
    const double squares = a * a + a * b + b * b;
    s->centroid = tl_vec3_mad(from, (squares + a * b + 2 * b * b) / (4 * squares), along);
    s->volume = TL_PI / 3 * squares * length;
    const tl_vec3 axis = tl_vec3_scale(along, 1 / length);
    s->rings[s->count++] = (tl_ring){from, axis, a, 0};
    s->rings[s->count++] = (tl_ring){tl_vec3_of(c->to), axis, b, 0};
}

static void shape_of_capsule(const tl_capsule_def *c, shape *s) {
    const tl_vec3 from = tl_vec3_of(c->from), to = tl_vec3_of(c->to), up = {0, 0, 1};
    const double length = tl_vec3_length(tl_vec3_sub(to, from)), r = c->radius;
    s->centroid = tl_vec3_scale(tl_vec3_add(from, to), 0.5);
    s->volume = TL_PI * r * r * (length + 4 * r / 3);
    s->rings[s->count++] = (tl_ring){from, up, 0, r};
    if (length > 0)
        s->rings[s->count++] = (tl_ring){to, up, 0, r};
}

static void shape_of_torus(const tl_torus_def *t, shape *s) {
    s->centroid = tl_vec3_of(t->center);
    s->volume = 2 * TL_PI * TL_PI * t->radius * t->tube_radius * t->tube_radius;
    s->rings[s->count++] =
        (tl_ring){s->centroid, tl_vec3_unit(tl_vec3_of(t->axis)), t->radius, t->tube_radius};
}

static void shape_of_box(const tl_rounded_box_def *b, shape *s) {
    const tl_vec3 up = {0, 0, 1}, low = tl_vec3_of(b->from), high = tl_vec3_of(b->to);
    const double r = b->radius;
    const tl_vec3 size = tl_vec3_sub(high, low),
                  core = {size.x - 2 * r, size.y - 2 * r, size.z - 2 * r};
    if (!(r > 0))
        return;
    s->centroid = tl_vec3_scale(tl_vec3_add(low, high), 0.5);
    s->volume = core.x * core.y * core.z +
                2 * r * (core.x * core.y + core.y * core.z + core.z * core.x) +
                TL_PI * r * r * (core.x + core.y + core.z) + 4 * TL_PI / 3 * r * r * r;
    for (int c = 0; c < 8; c++)
        s->rings[s->count++] =
            (tl_ring){{c & 1 ? high.x - r : low.x + r, c & 2 ? high.y - r : low.y + r,
                       c & 4 ? high.z - r : low.z + r},
                      up,
                      0,
                      r};
}

size_t tl_form_rings(const tl_form_def *form, const tl_mesh_moments *placed,
                     tl_ring out[TL_MOST_RINGS]) {
    shape s = {.count = 0};
    if (form->has_cone)
        shape_of_cone(&form->cone, &s);
    else if (form->has_capsule)
        shape_of_capsule(&form->capsule, &s);
    else if (form->has_torus)
        shape_of_torus(&form->torus, &s);
    else if (form->has_rounded_box)
        shape_of_box(&form->rounded_box, &s);
    const double *angle = form->rotate;
    const tl_turn x = tl_turn_by((tl_vec3){angle[0], 0, 0}),
                  y = tl_turn_by((tl_vec3){0, angle[1], 0}),
                  z = tl_turn_by((tl_vec3){0, 0, angle[2]});
    const tl_turn turn = tl_turn_after(z, tl_turn_after(y, x));
    const double factor = form->has_height ? cbrt(placed->volume / s.volume) : form->scale;
    for (size_t k = 0; k < s.count; k++) {
        const tl_ring *own = &s.rings[k];
        const tl_vec3 d = tl_turn_apply(turn, tl_vec3_sub(own->centre, s.centroid));
        out[k] = (tl_ring){tl_vec3_mad(placed->centroid, factor, d), tl_turn_apply(turn, own->axis),
                           factor * own->radius, factor * own->thickness};
    }
    return s.count;
}

bool tl_ring_farthest(const tl_ring *ring, tl_vec3 d, tl_vec3 *out) {
    *out = ring->centre;
    if (ring->radius == 0)
        return true;
    const tl_vec3 across = tl_vec3_mad(d, -tl_vec3_dot(d, ring->axis), ring->axis);
    const double size = tl_vec3_length(across);
    *out = tl_vec3_mad(ring->centre, ring->radius / fmax(size, steepest), across);
    return size > steepest;
}
