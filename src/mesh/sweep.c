/* See sweep.h. A sphere touches a triangle in its face, in an edge or in a corner: the centre then
 * meets a plane, a cylinder or a sphere. The path is walked box by box through the grid, with leaps
 * over empty space, until no earlier touch is possible. */
#include "mesh/sweep.h"
#include "mesh/facets.h"
#include "mesh/predicates.h"

#include <string.h>

enum { RECENT = 32 }; /* triangles remembered as asked */

typedef struct path {
    const tl_solid *s;
    tl_vec3 from, to, way;
    double radius;
    bool exact;       /* ask only whether the line meets a triangle */
    tl_encounter out; /* with the first touch so far */
    uint32_t recent[RECENT];
} path;

static void offer(path *p, double time, tl_vec3 point, tl_vec3 normal, uint32_t triangle) {
    const double best = p->out.touches ? p->out.touch.time : 1;
    /* Of equals the first in the mesh, whatever the order of the cells. */
    if (!(time <= best) || (p->out.touches && time == best && triangle >= p->out.touch.triangle))
        return;
    p->out.touch = (tl_touch){time, point, normal, triangle};
    p->out.touches = true;
}

/* When a point that starts at w and moves by d comes to `radius` from the origin; negative: never.
 * The nearest approach is found as a vector, so that a small radius is not lost far away. */
static double approach(tl_vec3 w, tl_vec3 d, double radius) {
    const double along = tl_vec3_dot(w, d), d2 = tl_vec3_dot(d, d);
    if (!(along < 0))
        return -1;
    const tl_vec3 nearest = tl_vec3_mad(w, -along / d2, d);
    const double depth2 = radius * radius - tl_vec3_dot(nearest, nearest);
    if (!(depth2 >= 0))
        return -1;
    return fmax((-along - sqrt(depth2 * d2)) / d2, 0);
}

static void touch_corner(path *p, tl_vec3 a, uint32_t t) {
    const double time = approach(tl_vec3_sub(p->from, a), p->way, p->radius);
    if (time < 0)
        return;
    const tl_vec3 centre = tl_vec3_mad(p->from, time, p->way);
    offer(p, time, a, tl_vec3_unit(tl_vec3_sub(centre, a)), t);
}

static tl_vec3 across(tl_vec3 v, tl_vec3 unit) {
    return tl_vec3_mad(v, -tl_vec3_dot(v, unit), unit);
}

static void touch_edge(path *p, tl_vec3 a, tl_vec3 b, uint32_t t) {
    const tl_vec3 ab = tl_vec3_sub(b, a), w = tl_vec3_sub(p->from, a);
    const double length = tl_vec3_length(ab);
    const tl_vec3 unit = tl_vec3_unit(ab);
    const double time = approach(across(w, unit), across(p->way, unit), p->radius);
    if (time < 0)
        return;
    const double along = tl_vec3_dot(tl_vec3_mad(w, time, p->way), unit);
    if (!(along >= 0 && along <= length))
        return;
    const tl_vec3 point = tl_vec3_mad(a, along, unit), centre = tl_vec3_mad(p->from, time, p->way);
    offer(p, time, point, tl_vec3_unit(tl_vec3_sub(centre, point)), t);
}

/* What overlaps at the start: the distance from a triangle is convex along the path, so that it is
 * met at once or not at all. */
static bool touch_overlap(path *p, const tl_facet *f, uint32_t t) {
    bool in_face;
    const tl_vec3 point = tl_nearest_on_facet(f, p->from, &in_face);
    const tl_vec3 away = tl_vec3_sub(p->from, point);
    if (tl_vec3_dot(away, away) >= p->radius * p->radius)
        return false;
    p->out.overlaps = true;
    if (tl_vec3_dot(away, p->way) < 0)
        offer(p, 0, point, tl_vec3_unit(away), t);
    return true;
}

static void touch_rim(path *p, const tl_facet *f, uint32_t t) {
    for (int k = 0; k < 3; k++) {
        touch_edge(p, f->corner[k], f->corner[(k + 1) % 3], t);
        touch_corner(p, f->corner[k], t);
    }
}

static void meet_facet(path *p, const tl_facet *f) {
    p->out.meets =
        p->out.meets || tl_segment_meets(p->from, p->to, f->corner[0], f->corner[1], f->corner[2]);
}

static void touch_facet(path *p, const tl_facet *f, uint32_t t) {
    const double height = tl_vec3_dot(f->normal, tl_vec3_sub(p->from, f->corner[0]));
    const double rise = tl_vec3_dot(f->normal, p->way), side = height < 0 ? -1 : 1;
    const double start = fabs(height), end = start + side * rise;
    const bool is_far = fmin(start, end) > p->radius;
    /* Beyond the slack heights have the right side. */
    if ((!is_far || p->radius < p->s->slack) && !p->out.touches)
        meet_facet(p, f);
    if (is_far)
        return;
    if (start <= p->radius && touch_overlap(p, f, t))
        return;
    const double time = fmax((start - p->radius) / (start - end), 0);
    const tl_vec3 centre = tl_vec3_mad(p->from, time, p->way);
    if (end < start && tl_is_over_facet(f, centre)) /* before its rim, as it is convex */
        offer(p, time, tl_vec3_mad(centre, -(height + time * rise), f->normal),
              tl_vec3_scale(f->normal, side), t);
    else
        touch_rim(p, f, t);
}

/* ---- Through the grid ------------------------------------------------------------------------ */

static void visit_facet(path *p, uint32_t t) {
    const tl_facet *f = &p->s->facets[t];
    if (p->recent[t % RECENT] == t)
        return;
    p->recent[t % RECENT] = t;
    if (p->exact)
        meet_facet(p, f);
    else
        touch_facet(p, f, t);
}

/* A range of cells. */
typedef struct box {
    int low[3], high[3];
} box;

static bool holds(const box *b, const int at[3]) {
    for (int k = 0; k < 3; k++)
        if (at[k] < b->low[k] || at[k] > b->high[k])
            return false;
    return true;
}

/* The triangles in the cells of `new` that are not in `old`. */
static void visit_box(path *p, const box *new, const box *old) {
    const tl_solid *s = p->s;
    int at[3];
    for (at[2] = new->low[2]; at[2] <= new->high[2]; at[2]++)
        for (at[1] = new->low[1]; at[1] <= new->high[1]; at[1]++)
            for (at[0] = new->low[0]; at[0] <= new->high[0];) {
                const int gap = tl_gap_at(s, at);
                const size_t c = tl_cell_at(s, at);
                if (gap == 0 && !holds(old, at))
                    for (uint32_t i = s->starts[c]; i < s->starts[c + 1]; i++)
                        visit_facet(p, s->items[i]);
                at[0] += gap > 1 ? gap : 1;
            }
}

static box box_around(const tl_solid *s, tl_vec3 a, tl_vec3 b, double reach) {
    box out;
    tl_cell_of(s, (tl_vec3){fmin(a.x, b.x) - reach, fmin(a.y, b.y) - reach, fmin(a.z, b.z) - reach},
               out.low);
    tl_cell_of(s, (tl_vec3){fmax(a.x, b.x) + reach, fmax(a.y, b.y) + reach, fmax(a.z, b.z) + reach},
               out.high);
    return out;
}

/* Cuts [*first, *last] to the times at which a coordinate is in [low, high]. */
static void cut(double from, double way, double low, double high, double *first, double *last) {
    if (way == 0) {
        if (from < low || from > high)
            *last = -1;
        return;
    }
    const double a = (low - from) / way, b = (high - from) / way;
    *first = fmax(*first, fmin(a, b));
    *last = fmin(*last, fmax(a, b));
}

static void walk(path *p) {
    const tl_solid *s = p->s;
    const double reach = p->radius + s->slack, length = tl_vec3_length(p->way);
    const double step = fmax(s->cell, p->radius), edge = reach + s->slack;
    double time = 0, last = 1;
    cut(p->from.x, p->way.x, s->low.x - edge, s->high.x + edge, &time, &last);
    cut(p->from.y, p->way.y, s->low.y - edge, s->high.y + edge, &time, &last);
    cut(p->from.z, p->way.z, s->low.z - edge, s->high.z + edge, &time, &last);
    box old = {{1, 1, 1}, {0, 0, 0}};
    memset(p->recent, 0xff, sizeof p->recent);
    while (time <= last && !(p->exact && p->out.meets) &&
           !(p->out.touches && p->out.touch.time < time)) {
        const tl_vec3 x = tl_vec3_mad(p->from, time, p->way);
        int at[3];
        tl_cell_of(s, x, at);
        const double empty = (tl_gap_at(s, at) - 1) * s->cell - reach - s->slack;
        if (empty > step / 2) {
            time += empty / length;
            continue;
        }
        const double next = time + step / length;
        const box new = box_around(s, x, tl_vec3_mad(p->from, fmin(next, last), p->way), reach);
        visit_box(p, &new, &old);
        old = new;
        time = next;
    }
}

static bool is_possible(const tl_solid *s, tl_vec3 from, tl_vec3 to) {
    return s->size[0] > 0 && tl_vec3_finite(from) && tl_vec3_finite(to);
}

tl_encounter tl_solid_encounter(const tl_solid *s, tl_vec3 from, tl_vec3 to, double radius) {
    path p = {.s = s, .from = from, .to = to, .way = tl_vec3_sub(to, from), .radius = radius};
    if (is_possible(s, from, to))
        walk(&p);
    return p.out;
}

bool tl_solid_sweep(const tl_solid *s, tl_vec3 from, tl_vec3 to, double radius, tl_touch *out) {
    const tl_encounter e = tl_solid_encounter(s, from, to, radius);
    if (e.touches)
        *out = e.touch;
    return e.touches;
}

bool tl_solid_blocks(const tl_solid *s, tl_vec3 from, tl_vec3 to) {
    path p = {.s = s, .from = from, .to = to, .way = tl_vec3_sub(to, from), .exact = true};
    if (is_possible(s, from, to))
        walk(&p);
    return p.out.meets;
}
