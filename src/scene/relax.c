/* See relax.h. Places repel each other within a range R of one and a half spacings, with a force
 * (1 - r/R)² that vanishes there; a place near the surface is repelled by the mirror images of its
 * neighbours and of itself as well, which keeps it half a spacing below. Steps follow the force and
 * shorten, so that what is close to rest comes to rest.
 *
 * For a conforming fill, all that is within a spacing of the surface then becomes the outermost
 * layer: at half a spacing, and free to move only along the surface. */
#include "scene/relax.h"

#include "base/random.h"
#include "neighbors/neighbors.h"
#include "scene/shapes.h"

#include <stdlib.h>

enum { FREE_STEPS = 40, BOUND_STEPS = 20 };

static const double range = 1.5; /* R, in spacings */
/* Off the lattice, in spacings: anywhere in the cell. It is an unstable rest, but a slow one: with
 * a fifth of that, half of its order would be left in the end. */
static const double push = 0.5;

static const double longest = 0.15;   /* step, in spacings */
static const double shallowest = 0.3; /* spacings below the surface */

/* What is near the surface knows it as a plane, until it has moved by `stale`; in the end, for one
 * step. */
typedef struct surface {
    double depth;    /* m; at least the range when farther */
    tl_vec3 outward; /* unit */
    double slack;    /* m to move before it is looked for again */
} surface;

static const double stale = 0.25; /* spacings */

typedef struct relaxation {
    const tl_body_def *body;
    double spacing, gain, stale;
    tl_vec3 middle; /* of the body: lists are in single precision */
    const tl_vec3 *start;
    tl_vec3 *now, *next;
    surface *surfaces;
    bool *bound; /* of the outermost layer */
    float *xyz;
    tl_neighbor_list list;
    size_t count;
} relaxation;

static void find_surfaces(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    relaxation *r = context;
    const double R = range * r->spacing, reach = R + 4 * longest * r->spacing;
    for (size_t i = begin; i < end; i++) {
        const tl_vec3 d = tl_vec3_sub(r->now[i], r->middle);
        float *xyz = r->xyz + 3 * i;
        xyz[0] = (float)d.x, xyz[1] = (float)d.y, xyz[2] = (float)d.z;
        surface *s = &r->surfaces[i];
        if (s->slack > 0)
            continue;
        if (!tl_body_surface(r->body, r->now[i], reach, &s->depth, &s->outward))
            *s = (surface){.depth = reach};
        s->slack = fmax(s->depth - R, r->stale * r->spacing);
    }
}

static tl_vec3 repel(tl_vec3 from_other, double R) {
    const double distance = tl_vec3_length(from_other);
    if (distance >= R || distance == 0)
        return (tl_vec3){0, 0, 0};
    const double q = 1 - distance / R;
    return tl_vec3_scale(from_other, q * q / distance);
}

static tl_vec3 find_force(const relaxation *r, size_t i) {
    const double R = range * r->spacing;
    const surface *s = &r->surfaces[i];
    const bool mirrored = s->depth < R;
    const tl_vec3 x = r->now[i];
    tl_vec3 force = {0, 0, 0};
    size_t size;
    const uint32_t *row = tl_neighbor_row(&r->list, i, &size);
    for (size_t k = 0; k < size; k++) {
        const tl_vec3 d = tl_vec3_sub(x, r->now[row[k]]);
        force = tl_vec3_add(force, repel(d, R));
        if (!mirrored)
            continue;
        /* The image of j is j moved outwards by twice its depth below the plane of i. */
        const double depth = s->depth + tl_vec3_dot(d, s->outward);
        if (depth > 0)
            force = tl_vec3_add(force, repel(tl_vec3_mad(d, -2 * depth, s->outward), R));
    }
    return force;
}

static void move_places(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    relaxation *r = context;
    for (size_t i = begin; i < end; i++) {
        const tl_vec3 force = find_force(r, i);
        const double length = tl_vec3_length(force) * r->gain, most = longest * r->spacing;
        tl_vec3 step = tl_vec3_scale(force, length > most ? r->gain * most / length : r->gain);
        surface *s = &r->surfaces[i];
        const double depth = s->depth - tl_vec3_dot(step, s->outward);
        const double wanted = r->bound[i] ? r->spacing / 2 : fmax(depth, shallowest * r->spacing);
        step = tl_vec3_mad(step, depth - wanted, s->outward);
        r->next[i] = tl_vec3_add(r->now[i], step);
        s->slack -= tl_vec3_length(step);
        s->depth = wanted;
    }
}

static tl_status iterate(relaxation *r, tl_search *search, const tl_parallel *parallel, int steps,
                         tl_error *error) {
    for (int step = 0; step < steps; step++) {
        r->gain = r->spacing * (0.5 - 0.4 * step / steps);
        r->stale = step < steps / 2 ? stale : 0;
        tl_parallel_for(parallel, r->count, TL_BLOCK, find_surfaces, r);
        const tl_points points = {
            .xyz = r->xyz, .stride = 3, .count = r->count, .radius = (float)(range * r->spacing)};
        TL_TRY(tl_search_build(search, parallel, &points, r->count, &r->list, error));
        tl_parallel_for(parallel, r->count, TL_BLOCK, move_places, r);
        tl_vec3 *swapped = r->now;
        r->now = r->next;
        r->next = swapped;
    }
    return TL_OK;
}

/* All within a spacing of the surface: as many as the layer's volume asks for. Where the body is
 * thinner than one and a half spacings, two layers have no room. */
static void bind_layer(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    relaxation *r = context;
    for (size_t i = begin; i < end; i++) {
        surface s, t;
        r->surfaces[i].slack = 0;
        if (!tl_body_surface(r->body, r->now[i], r->spacing, &s.depth, &s.outward))
            continue;
        const tl_vec3 below = tl_vec3_mad(r->now[i], s.depth - r->spacing, s.outward);
        r->bound[i] = !tl_body_surface(r->body, below, r->spacing / 2, &t.depth, &t.outward);
    }
}

/* Planes are not the surface. At last each place is moved by one plane after the other to the depth
 * where it belongs; where the body is too thin for that, as near to it as it goes. */
static tl_vec3 settle_one(const relaxation *r, size_t i) {
    enum { TRIES = 12 };
    tl_vec3 to = r->now[i], best = r->start[i];
    double least = HUGE_VAL;
    for (int k = 0; k < TRIES && least > 1e-3 * r->spacing; k++) {
        surface s;
        if (!tl_body_surface(r->body, to, r->spacing, &s.depth, &s.outward))
            return to; /* deep inside */
        const double lowest = shallowest * r->spacing;
        const double wanted = r->bound[i] ? r->spacing / 2 : fmax(s.depth, lowest);
        if (s.depth > 0 && fabs(wanted - s.depth) < least) {
            least = fabs(wanted - s.depth);
            best = to;
        }
        to = tl_vec3_mad(to, s.depth - wanted, s.outward);
    }
    return best;
}

static void settle(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    relaxation *r = context;
    for (size_t i = begin; i < end; i++)
        r->now[i] = settle_one(r, i);
}

static void push_off(relaxation *r, uint64_t random) {
    for (size_t i = 0; i < r->count; i++) {
        double d[3];
        for (uint64_t k = 0; k < 3; k++)
            d[k] = push * r->spacing * (2 * tl_random_uniform(random, 3 * i + k) - 1);
        r->now[i] = tl_vec3_add(r->start[i], tl_vec3_of(d));
    }
}

tl_status tl_relax(const tl_body_def *body, double spacing, bool conforming, uint64_t random,
                   const tl_parallel *parallel, tl_places *places, tl_error *error) {
    const tl_box_def bounds = tl_body_bounds(body);
    const size_t n = places->count;
    relaxation r = {
        .body = body,
        .spacing = spacing,
        .middle = tl_vec3_scale(tl_vec3_add(tl_vec3_of(bounds.from), tl_vec3_of(bounds.to)), 0.5),
        .start = places->items,
        .now = tl_allocate(n, sizeof *r.now),
        .next = tl_allocate(n, sizeof *r.next),
        .surfaces = tl_allocate(n, sizeof *r.surfaces),
        .bound = tl_allocate(n, sizeof *r.bound),
        .xyz = tl_allocate(n, 3 * sizeof *r.xyz),
        .count = n};
    tl_search *search = tl_search_create(TL_SEARCH_GRID);
    tl_status status = search && r.now && r.next && r.surfaces && r.bound && r.xyz
                           ? TL_OK
                           : tl_fail_memory(error, n, sizeof *r.now);
    if (status == TL_OK) {
        push_off(&r, random);
        status = iterate(&r, search, parallel, FREE_STEPS, error);
    }
    if (status == TL_OK && conforming) {
        tl_parallel_for(parallel, n, TL_BLOCK, bind_layer, &r);
        tl_parallel_for(parallel, n, TL_BLOCK, settle, &r);
        status = iterate(&r, search, parallel, BOUND_STEPS, error);
    }
    if (status == TL_OK)
        tl_parallel_for(parallel, n, TL_BLOCK, settle, &r);
    for (size_t i = 0; status == TL_OK && i < n; i++)
        places->items[i] = r.now[i];
    tl_search_destroy(search);
    tl_neighbor_list_free(&r.list);
    free(r.now);
    free(r.next);
    free(r.surfaces);
    free(r.bound);
    free(r.xyz);
    return status;
}
