/* tl_solid_move of sweep.h. Two rules make it safe whatever rounding does. The sphere that is swept
 * is never as large as the room it has: it stops a little off what it touches, so that sliding
 * along a face does not catch on the edges inside of it. And a piece of the path is taken only if
 * the line itself, with the ends as they are in memory, meets no triangle; staying is always safe.
 */
#include "mesh/facets.h"
#include "mesh/predicates.h"
#include "mesh/sweep.h"

static const double standoff = 1e-6;     /* of the radius */
static const double worth_easing = 1e-3; /* of the radius */

/* The way out of the surface for x, and its side: 0 if x is on the surface itself. So near that the
 * difference to the nearest point is rounding, the exact side of the face tells. */
static tl_vec3 way_out(const tl_solid *s, const tl_nearest *near, tl_vec3 x, int *side) {
    const tl_facet *f = &s->facets[near->triangle];
    const double room = fabs(near->distance);
    *side = 1;
    if (room > s->slack || (room > 0 && tl_facet_is_thin(f)))
        return tl_vec3_scale(tl_vec3_sub(x, near->point), 1 / room);
    if (tl_facet_is_thin(f)) {
        *side = 0;
        return near->normal;
    }
    *side = -tl_orientation(f->corner[0], f->corner[1], f->corner[2], x);
    return tl_vec3_scale(f->normal, *side < 0 ? -1 : 1);
}

/* Moves x away from the surface until it has `radius` of room, or half, a quarter... of
 * that way if something is opposite. Returns the room it has then. */
static double make_room(const tl_solid *s, double radius, tl_vec3 *x) {
    tl_nearest near;
    if (!tl_solid_nearest(s, *x, radius, &near))
        return radius;
    const double room = fabs(near.distance);
    int side;
    const tl_vec3 out = way_out(s, &near, *x, &side);
    double step = radius - room;
    if (step < worth_easing * radius)
        return room;
    for (int k = 0; k < 4; k++, step /= 2) {
        const tl_vec3 trial = tl_vec3_mad(*x, step, out);
        /* On the surface itself there is no side to keep to. */
        const tl_vec3 start = side ? *x : tl_vec3_mad(*x, step / 1024, out);
        if (tl_solid_blocks(s, start, trial))
            continue;
        tl_nearest there = {.distance = radius};
        tl_solid_nearest(s, trial, radius, &there);
        if (fabs(there.distance) <= room)
            continue;
        *x = trial;
        return fabs(there.distance);
    }
    return room;
}

/* The empty space around x holds the whole way. */
static bool is_free(const tl_solid *s, tl_vec3 x, tl_vec3 way, double radius) {
    int at[3];
    tl_cell_of(s, x, at);
    const double empty = (tl_gap_at(s, at) - 1) * s->cell - radius - 2 * s->slack;
    return empty > 0 && tl_vec3_dot(way, way) < empty * empty;
}

/* PPLT09 5b: normal part reversed and scaled, tangential part scaled. */
static tl_vec3 respond(tl_vec3 way, tl_vec3 normal, double normal_keep, double tangent_keep) {
    const double along = tl_vec3_dot(way, normal);
    const tl_vec3 tangent = tl_vec3_mad(way, -along, normal);
    return tl_vec3_mad(tl_vec3_scale(tangent, tangent_keep), -normal_keep * along, normal);
}

tl_slide tl_solid_move(const tl_solid *s, tl_vec3 from, tl_vec3 to, double radius,
                       double normal_keep, double tangent_keep) {
    tl_slide out = {.start = from, .end = from, .way = tl_vec3_sub(to, from)};
    if (!tl_vec3_finite(from) || !tl_vec3_finite(to) || s->size[0] == 0 ||
        is_free(s, from, out.way, radius)) {
        out.end = to;
        return out;
    }
    double room = fmax(radius, 8 * s->slack), left = 1;
    tl_vec3 target = to;
    tl_encounter e = tl_solid_encounter(s, from, to, room);
    if (e.overlaps) {
        room = (1 - standoff) * make_room(s, room, &out.end);
        out.start = out.end;
        target = tl_vec3_add(out.end, out.way);
        e = tl_solid_encounter(s, out.end, target, room);
    }
    while (e.touches) {
        const tl_vec3 there = tl_vec3_mad(out.end, e.touch.time, tl_vec3_sub(target, out.end)),
                      stop = tl_vec3_mad(there, standoff * room, e.touch.normal);
        if (!tl_solid_blocks(s, out.end, stop))
            out.end = stop;
        left *= 1 - e.touch.time;
        out.way = respond(out.way, e.touch.normal, normal_keep, tangent_keep);
        out.touch = e.touch;
        if (++out.touches == TL_MOST_TOUCHES)
            return out;
        target = tl_vec3_mad(out.end, left, out.way);
        e = tl_solid_encounter(s, out.end, target, room);
    }
    if (e.meets) /* what the sweep has missed by rounding: stay */
        out.way = (tl_vec3){0, 0, 0};
    else
        out.end = target;
    return out;
}
