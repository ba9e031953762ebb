/* See picture_extent.h. Here: what is in view beside the matter, and what frames tell of it. */
#include "run/picture_extent.h"

#include "boundary/move.h"
#include "render/flame.h"
#include "run/picture_light.h"

#include <string.h>

enum { TIMES = 64 }; /* at which things that move are looked at */

/* Walls that are so much larger than the matter are shown as far around it as it is large itself;
 * and those that are farther from it than this part of its size are not waited for. */
#define LARGE 4.0
#define NEAR  0.5

tl_extent tl_extent_none(void) {
    return (tl_extent){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

bool tl_extent_is_none(const tl_extent *e) { return !(e->from.x <= e->to.x); }

void tl_extent_add(tl_extent *e, tl_vec3 p, double margin) {
    e->from.x = fmin(e->from.x, p.x - margin), e->to.x = fmax(e->to.x, p.x + margin);
    e->from.y = fmin(e->from.y, p.y - margin), e->to.y = fmax(e->to.y, p.y + margin);
    e->from.z = fmin(e->from.z, p.z - margin), e->to.z = fmax(e->to.z, p.z + margin);
}

static void unite(tl_extent *e, const tl_extent *other) {
    if (tl_extent_is_none(other))
        return;
    tl_extent_add(e, other->from, 0);
    tl_extent_add(e, other->to, 0);
}

static double size_of(const tl_extent *e) {
    return tl_extent_is_none(e) ? 0 : tl_vec3_length(tl_vec3_sub(e->to, e->from));
}

/* What two extents share; none if they do not. */
static tl_extent shared(const tl_extent *a, const tl_extent *b) {
    const tl_extent e = {
        {fmax(a->from.x, b->from.x), fmax(a->from.y, b->from.y), fmax(a->from.z, b->from.z)},
        {fmin(a->to.x, b->to.x), fmin(a->to.y, b->to.y), fmin(a->to.z, b->to.z)}};
    const bool meets = e.from.x <= e.to.x && e.from.y <= e.to.y && e.from.z <= e.to.z;
    return meets ? e : tl_extent_none();
}

static tl_extent grown(const tl_extent *e, double by) {
    tl_extent out = *e;
    tl_extent_add(&out, e->from, by);
    tl_extent_add(&out, e->to, by);
    return out;
}

/* ---- Frames -------------------------------------------------------------------------------- */

enum { BINS = 1024 };

/* Narrows the ends of an axis to the bins in which the first and the last are that are no strays.
 */
static void narrow(const tl_frame *frame, size_t axis, size_t strays, double *low, double *high) {
    size_t counts[BINS] = {0}, below = 0, above = 0, first = 0, last = BINS - 1;
    const double from = *low, to = *high, width = (to - from) / BINS;
    if (!(width > 0) || !isfinite(width))
        return;
    for (size_t i = 0; i < frame->count; i++) {
        const double x = tl_frame_number(&frame->array[0], 3 * i + axis);
        if (x < from)
            below++;
        else if (x > to)
            above++;
        else
            counts[(size_t)fmin((x - from) / width, BINS - 1)]++;
    }
    while (first < last && (below += counts[first]) <= strays)
        first++;
    while (last > first && (above += counts[last]) <= strays)
        last--;
    *low = from + width * (double)first;
    *high = from + width * (double)(last + 1);
}

/* Twice, since far strays make wide bins. */
static void find_ends(const tl_frame *frame, size_t axis, size_t strays, double *low,
                      double *high) {
    *low = HUGE_VAL, *high = -HUGE_VAL;
    for (size_t i = 0; i < frame->count; i++) {
        const double x = tl_frame_number(&frame->array[0], 3 * i + axis);
        *low = fmin(*low, x), *high = fmax(*high, x);
    }
    if (strays == 0)
        return;
    narrow(frame, axis, strays, low, high);
    narrow(frame, axis, strays, low, high);
}

void tl_extent_add_frame(tl_extent *e, const tl_frame *frame, double margin) {
    double low[3], high[3];
    for (size_t axis = 0; axis < 3; axis++)
        find_ends(frame, axis, frame->count / 500, &low[axis], &high[axis]);
    if (frame->count == 0 || !tl_vec3_finite(tl_vec3_of(low)) || !tl_vec3_finite(tl_vec3_of(high)))
        return;
    tl_extent_add(e, tl_vec3_of(low), margin);
    tl_extent_add(e, tl_vec3_of(high), margin);
}

/* ---- Flames -------------------------------------------------------------------------------- */

static void add_flames(tl_extent *e, const tl_scene *scene) {
    const tl_source_def *sources = scene->sources.items;
    for (size_t i = 0; i < scene->sources.count; i++)
        for (int k = 0; k <= TIMES; k++) {
            tl_preview_flame flame;
            if (!tl_flame_of_source(&sources[i], scene->duration * k / TIMES, scene->spacing,
                                    &flame))
                continue;
            const double half = (double)TL_FLAME_HALF * flame.width;
            const double tall = (double)TL_FLAME_TALL * flame.width;
            const tl_vec3 up = tl_flame_up(flame.up);
            const tl_vec3 end = tl_vec3_mad(flame.at, -(double)TL_FLAME_MIDDLE * tall, up);
            const tl_vec3 tip = tl_vec3_mad(end, tall, up);
            tl_extent_add(e, (tl_vec3){end.x - half, end.y - half, end.z}, 0);
            tl_extent_add(e, (tl_vec3){tip.x + half, tip.y + half, tip.z}, 0);
        }
}

/* ---- Walls --------------------------------------------------------------------------------- */

/* The box along the axes around a wall that is no plane, before it moves. False for planes. */
static bool wall_bounds(const tl_wall_def *wall, tl_vec3 *low, tl_vec3 *high) {
    if (wall->has_box) {
        *low = tl_vec3_of(wall->box.from), *high = tl_vec3_of(wall->box.to);
    } else if (wall->has_sphere) {
        const double r = wall->sphere.radius;
        *low = tl_vec3_add(tl_vec3_of(wall->sphere.center), (tl_vec3){-r, -r, -r});
        *high = tl_vec3_add(tl_vec3_of(wall->sphere.center), (tl_vec3){r, r, r});
    } else if (wall->mesh.vertex_count > 0) {
        tl_mesh_bounds(&wall->mesh, low, high);
    } else {
        return false;
    }
    return true;
}

static tl_extent wall_at(const tl_wall_def *wall, tl_vec3 low, tl_vec3 high, double time) {
    const tl_pose pose = tl_moves_at(&wall->motion, time);
    tl_extent e = tl_extent_none();
    for (int c = 0; c < 8; c++)
        tl_extent_add(&e,
                      tl_pose_apply(&pose, (tl_vec3){c & 1 ? high.x : low.x, c & 2 ? high.y : low.y,
                                                     c & 4 ? high.z : low.z}),
                      0);
    return e;
}

/* Matter may come anywhere in a vessel. Of other walls what is near the matter is in view, where
 * they come near it. */
static void add_wall(tl_extent *e, const tl_wall_def *wall, const tl_extent *matter,
                     double duration) {
    const double size = size_of(matter);
    const tl_extent near = grown(matter, NEAR * size), around = grown(matter, size);
    const bool is_vessel = wall->has_box ? !wall->outside : wall->hollow;
    tl_vec3 low, high;
    if (!wall_bounds(wall, &low, &high))
        return;
    for (int k = 0; k <= (wall->motion.count ? TIMES : 0); k++) {
        const tl_extent w = wall_at(wall, low, high, duration * k / TIMES);
        const tl_extent meets = shared(&w, &near), part = shared(&w, &around);
        if (tl_extent_is_none(matter) || (is_vessel && !tl_extent_is_none(&meets)))
            unite(e, &w);
        else if (!tl_extent_is_none(&meets))
            unite(e, size_of(&w) < LARGE * size ? &w : &part);
    }
}

/* A plane near by, such as the floor under a drop, belongs to the view. */
static void add_plane(tl_extent *e, const tl_wall_def *wall, double size) {
    const int axis = (wall->plane - TL_SIDE_X) % 3;
    const bool is_below = wall->plane < TL_SIDE_MINUS_X;
    double p[3] = {e->from.x, e->from.y, e->from.z}, q[3] = {e->to.x, e->to.y, e->to.z};
    double *end = is_below ? p : q;
    if (!(fabs(wall->at - end[axis]) <= NEAR * size))
        return;
    end[axis] = wall->at;
    tl_extent_add(e, tl_vec3_of(end), 0);
}

tl_extent tl_extent_of_scene(const tl_scene *scene, const tl_extent *matter) {
    const tl_wall_def *walls = scene->walls.items;
    tl_extent e = *matter;
    add_flames(&e, scene);
    for (size_t i = 0; i < scene->walls.count; i++)
        if (!walls[i].hidden)
            add_wall(&e, &walls[i], matter, scene->duration);
    const double size = size_of(&e);
    for (size_t i = 0; i < scene->walls.count; i++)
        if (walls[i].plane != TL_SIDE_NONE && !walls[i].hidden)
            add_plane(&e, &walls[i], size);
    return e;
}
