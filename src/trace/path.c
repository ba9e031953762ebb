/* See path.h. At every surface one lamp is asked for directly, and the way goes on in a direction
 * chosen by the matter; both find lamps, and are weighted by the power heuristic (Veach 1997).
 *
 * Light that comes to a dull surface by way of mirrors and lenses is rare and bright: sparks, not
 * caustics. Instead lamps shine straight through clear matter, less what is reflected and absorbed,
 * and lamps that a dull surface sees by way of a mirror are left out. */
#include "trace/path.h"

#include "trace/scatter.h"
#include "trace/walk.h"

enum { MOST_BOUNCES = 32, FREE_BOUNCES = 4, MOST_PANES = 16 };

typedef struct path {
    const tl_scenery *scenery;
    tl_sampler *sampler;
    uint64_t *rays;
    tl_ray ray;
    tl_float3 light, left;      /* found; the part that gets to the camera */
    const tl_substance *inside; /* clear matter that the ray is in, or NULL */
    float density;              /* with which the ray was chosen; 0: it could be no other */
    bool is_first;              /* straight from the camera */
    bool was_dull;              /* some surface before the last was */
    int bounces;
} path;

/* A surface in the frame of its normal, on the side that the light goes to. */
typedef struct spot {
    tl_float3 place, face, x, y, z;
    int side;
} spot;

static tl_float3 to_local(const spot *s, tl_float3 v) {
    return (tl_float3){tl_float3_dot(v, s->x), tl_float3_dot(v, s->y), tl_float3_dot(v, s->z)};
}

static tl_float3 to_world(const spot *s, tl_float3 v) {
    return tl_float3_mad(tl_float3_mad(tl_float3_scale(s->x, v.x), v.y, s->y), v.z, s->z);
}

static spot spot_of(const tl_meeting *m, tl_float3 along) {
    spot s = {.place = m->place, .face = m->face, .z = m->normal};
    s.side = tl_float3_dot(along, m->face) > 0 && m->thing;
    if (s.side)
        s.face = tl_float3_scale(s.face, -1), s.z = tl_float3_scale(s.z, -1);
    if (tl_float3_dot(s.z, along) > -1e-3f)
        s.z = s.face; /* a smooth normal that looks away */
    tl_frame_about(s.z, &s.x, &s.y);
    return s;
}

static float largest(tl_float3 a) { return fmaxf(a.x, fmaxf(a.y, a.z)); }

/* Adds light that comes along the path. */
static void add_light(path *p, tl_float3 light) {
    light = tl_float3_times(light, p->left);
    const float most = largest(light), limit = p->scenery->most;
    if (limit > 0 && p->bounces > 0 && most > limit)
        light = tl_float3_scale(light, limit / most);
    p->light = tl_float3_add(p->light, light);
}

static tl_float3 absorbed(const tl_substance *m, float way) {
    const tl_float3 a = m->absorption;
    return (tl_float3){expf(-a.x * way), expf(-a.y * way), expf(-a.z * way)};
}

/* ---- Lamps --------------------------------------------------------------------------------- */

/* What a pane reflects with both of its faces. */
static float pane_reflects(const tl_substance *m, float cosine) {
    const float f = tl_fresnel(cosine, m->index);
    return 2 * f / (1 + f);
}

/* The part of a lamp's light that comes through clear matter on the way. */
static tl_float3 comes_through(const path *p, tl_ray ray, const tl_substance *inside) {
    const tl_space *space = &p->scenery->space;
    tl_float3 part = {1, 1, 1};
    ++*p->rays;
    if (space->is_opaque)
        return tl_space_blocks(space, &ray) ? (tl_float3){0, 0, 0} : part;
    for (int k = 0; k < MOST_PANES; k++) {
        tl_meeting m;
        const bool is_met = tl_space_meet(space, &ray, &m);
        if (inside)
            part = tl_float3_times(part, absorbed(inside, is_met ? m.distance : 0));
        if (!is_met)
            return part;
        if (m.substance->clarity == 0)
            break;
        const float cosine = tl_float3_dot(m.normal, ray.along);
        const bool leaves = tl_float3_dot(m.face, ray.along) > 0;
        const float back = m.substance->thin ? pane_reflects(m.substance, cosine)
                                             : tl_fresnel(cosine, m.substance->index);
        if (leaves || inside != m.substance)
            part = tl_float3_scale(part, m.substance->clarity * (1 - back));
        if (!m.substance->thin)
            inside = leaves ? NULL : m.substance;
        ray.from = tl_space_beside(space, m.place, leaves ? m.face : tl_float3_scale(m.face, -1));
        ray.limit -= m.distance;
        ++*p->rays;
    }
    return (tl_float3){0, 0, 0};
}

static float power_weight(float mine, float other) {
    return mine * mine / (mine * mine + other * other);
}

/* Light of a lamp, chosen at random, by way of a surface. */
static void ask_lamp(path *p, const spot *at, const tl_scatter *scatter) {
    const tl_trace_lamps *lamps = &p->scenery->lamps;
    const tl_float2 choice = tl_sampler_next(p->sampler), u = tl_sampler_next(p->sampler);
    if (lamps->count == 0)
        return;
    const size_t number = (size_t)(choice.x * (float)lamps->count);
    const float count = (float)lamps->count;
    tl_trace_lamp_sample s;
    float density;
    if (!tl_trace_lamp_choose(&lamps->items[number], at->place, u, &s) ||
        !(tl_float3_dot(s.along, at->face) > 0))
        return;
    tl_float3 light =
        tl_float3_times(tl_scatter_value(scatter, to_local(at, s.along), &density), s.light);
    if (!(largest(light) > 0))
        return;
    if (s.density > 0)
        light = tl_float3_scale(light, power_weight(s.density / count, density));
    const tl_ray ray = {tl_space_beside(&p->scenery->space, at->place, at->face), s.along,
                        s.distance};
    light = tl_float3_times(light, comes_through(p, ray, p->inside));
    p->bounces++; /* the lamp is one surface farther */
    add_light(p, tl_float3_scale(light, count));
    p->bounces--;
}

/* Whether lamps have not been asked for along this ray: it could be no other. */
static bool is_lens_ray(const path *p) { return p->density == 0 && !p->was_dull; }

/* Flames are seen in the picture, and by way of mirrors and lenses. Those before the first surface
 * are told apart, for they have no noise. */
static void meet_flames(path *p, float distance, tl_features *features) {
    float passes;
    if (p->scenery->flames.count == 0 || !is_lens_ray(p))
        return;
    const tl_float3 light = tl_flames_meet(&p->scenery->flames, &p->ray, distance, &passes);
    if (p->bounces == 0) {
        features->flame = light, features->passes = passes;
        return;
    }
    add_light(p, light);
    p->left = tl_float3_scale(p->left, passes);
}

/* Lamps that the ray meets itself. Those in the picture are not seen: they would be in the way.
 * Of flames one sees the flame instead. */
static void meet_lamps(path *p, float distance) {
    const tl_trace_lamps *lamps = &p->scenery->lamps;
    if (p->is_first || (p->density == 0 && p->was_dull))
        return;
    for (size_t i = 0; i < lamps->count; i++) {
        tl_float3 radiance;
        float at, density;
        if (lamps->items[i].is_flame && is_lens_ray(p))
            continue;
        if (!tl_trace_lamp_meet(&lamps->items[i], &p->ray, &radiance, &at, &density) ||
            at > distance)
            continue;
        const float weight =
            p->density > 0 ? power_weight(p->density, density / (float)lamps->count) : 1;
        add_light(p, tl_float3_scale(radiance, weight));
    }
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* Goes on from a place in a direction; one that the smooth normal would send to the wrong side of
 * the triangle is mirrored back. */
static void go_on(path *p, const spot *at, tl_float3 along, bool passes) {
    const tl_float3 face = passes ? tl_float3_scale(at->face, -1) : at->face;
    const float cosine = tl_float3_dot(along, face);
    if (cosine < 0)
        along = tl_float3_mad(along, -2 * cosine, face);
    p->ray = (tl_ray){tl_space_beside(&p->scenery->space, at->place, face), along, INFINITY};
    p->is_first = false;
}

/* Straight on through a pane, or back; lamps are found as if it were not there. */
static void meet_pane(path *p, const spot *at, const tl_substance *m, float choice) {
    const float cosine = tl_float3_dot(p->ray.along, at->z), back = pane_reflects(m, cosine);
    const bool is_first = p->is_first, passes = choice >= back;
    if (passes) {
        go_on(p, at, p->ray.along, true);
        p->is_first = is_first;
    } else {
        go_on(p, at, tl_float3_mad(p->ray.along, -2 * cosine, at->z), false);
        p->was_dull = p->was_dull || p->density > 0;
        p->density = 0;
    }
}

/* Where clear matter ends just before a wall, the wall is met instead. */
static void touch_wall(const path *p, tl_meeting *m) {
    tl_meeting wall;
    if (!(p->scenery->contact > 0) || p->inside != m->substance ||
        tl_float3_dot(p->ray.along, m->face) <= 0)
        return;
    const tl_ray ray = {tl_space_beside(&p->scenery->space, m->place, m->face), p->ray.along,
                        p->scenery->contact};
    ++*p->rays;
    if (tl_space_meet(&p->scenery->space, &ray, &wall) && wall.substance->clarity == 0) {
        wall.distance += m->distance;
        *m = wall;
    }
}

/* Comes out of the body where a walk ends. */
static bool leave_body(path *p, const tl_meeting *enters) {
    tl_meeting leaves;
    tl_float3 left;
    const tl_float2 number = tl_sampler_next(p->sampler);
    const uint64_t seed = tl_random_bits(p->sampler->pixel, p->sampler->sample) +
                          (uint64_t)(number.x * 0x1p24f) * 0x9E3779B97F4A7C15u;
    if (!tl_walk(&p->scenery->space, enters, seed, &leaves, &left, p->rays))
        return false;
    p->left = tl_float3_times(p->left, left);
    spot at = spot_of(&leaves, tl_float3_scale(leaves.face, -1));
    const tl_scatter scatter = tl_scatter_leaving(leaves.substance);
    ask_lamp(p, &at, &scatter);
    tl_scattered s;
    if (!tl_scatter_sample(&scatter, 0.5f, tl_sampler_next(p->sampler), &s))
        return false;
    p->left = tl_float3_times(p->left, s.weight);
    p->density = s.density;
    p->was_dull = true;
    go_on(p, &at, to_world(&at, s.in), false);
    return true;
}

/* Meets a surface; false: the path ends. */
static bool meet_surface(path *p, const tl_meeting *m) {
    const tl_float2 choice = tl_sampler_next(p->sampler), u = tl_sampler_next(p->sampler);
    const spot at = spot_of(m, p->ray.along);
    if (m->substance->thin) {
        meet_pane(p, &at, m->substance, choice.x);
        return true;
    }
    const int side = at.side && m->substance->clarity > 0;
    if (!side && p->inside == m->substance) { /* from a wall that it is wet on */
        go_on(p, &at, p->ray.along, true);
        return true;
    }
    const tl_scatter scatter = tl_scatter_make(
        m->substance, m->colour, to_local(&at, tl_float3_scale(p->ray.along, -1)), side, choice.x);
    tl_scattered s;
    ask_lamp(p, &at, &scatter);
    if (!tl_scatter_sample(&scatter, choice.y, u, &s))
        return false;
    p->left = tl_float3_times(p->left, s.weight);
    if (s.way == TL_WAY_INTO_BODY)
        return leave_body(p, m);
    p->was_dull = p->was_dull || p->density > 0 || s.density > 0;
    p->density = s.density;
    if (s.way == TL_WAY_PASSED)
        p->inside = side ? NULL : m->substance;
    go_on(p, &at, to_world(&at, s.in), s.way == TL_WAY_PASSED);
    return true;
}

/* Long paths that carry little end early, at random. */
static bool survives(path *p) {
    if (p->bounces < FREE_BOUNCES)
        return true;
    const float chance = fminf(largest(p->left), 0.95f);
    if (tl_sampler_next(p->sampler).x >= chance)
        return false;
    p->left = tl_float3_scale(p->left, 1 / chance);
    return true;
}

static void describe_first(const tl_meeting *m, tl_features *features) {
    const bool is_plain = m->substance->clarity < 0.5f && m->substance->metal < 0.5f;
    features->colour = is_plain ? m->colour : (tl_float3){1, 1, 1};
    features->normal = m->normal;
    features->distance = m->distance;
}

tl_float3 tl_path_light(const tl_scenery *scenery, tl_ray ray, tl_sampler *sampler,
                        tl_features *features, uint64_t *rays) {
    path p = {.scenery = scenery,
              .sampler = sampler,
              .rays = rays,
              .ray = ray,
              .left = {1, 1, 1},
              .is_first = true};
    *features = (tl_features){.colour = {1, 1, 1}, .passes = 1};
    for (; p.bounces < MOST_BOUNCES; p.bounces++) {
        tl_meeting m;
        ++*rays;
        const bool is_met = tl_space_meet(&scenery->space, &p.ray, &m);
        if (is_met)
            touch_wall(&p, &m);
        meet_flames(&p, is_met ? m.distance : INFINITY, features);
        meet_lamps(&p, is_met ? m.distance : INFINITY);
        if (p.inside && is_met)
            p.left = tl_float3_times(p.left, absorbed(p.inside, m.distance));
        if (!is_met || m.fade > 0) {
            const tl_float3 sky = tl_sky_light(&scenery->lamps, p.ray.along);
            add_light(&p, is_met ? tl_float3_scale(sky, m.fade) : sky);
        }
        if (!is_met || m.fade >= 1)
            break;
        p.left = tl_float3_scale(p.left, 1 - m.fade);
        if (p.bounces == 0)
            describe_first(&m, features);
        add_light(&p, m.glow);
        if (!meet_surface(&p, &m) || !survives(&p))
            break;
    }
    return p.light;
}
