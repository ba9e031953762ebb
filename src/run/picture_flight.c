/* Where matter will be, as far as a scene tells: tl_extent_guess of picture_extent.h.
 *
 * Bodies and jets fly freely, x + v t + g t²/2, until they meet a wall. Jets leave a heap there:
 * half a ball of all that has come. */
#include "math/pi.h"
#include "run/picture_extent.h"
#include "scene/shapes.h"

/* What would fly farther than this, in sizes of what is there at the start, is left to itself. */
#define FARTHEST 4.0

typedef struct flight {
    tl_vec3 from, velocity;
    tl_vec3 half; /* of the box that flies */
    double time;  /* s, that it may take */
} flight;

static double plane_height(const tl_wall_def *wall, tl_vec3 p) {
    const double place[3] = {p.x, p.y, p.z};
    if (wall->plane != TL_SIDE_NONE) {
        const double height = place[(wall->plane - TL_SIDE_X) % 3] - wall->at;
        return wall->plane < TL_SIDE_MINUS_X ? height : -height;
    }
    return tl_vec3_dot(tl_vec3_sub(p, tl_vec3_of(wall->through)),
                       tl_vec3_unit(tl_vec3_of(wall->normal)));
}

/* Whether a place is beyond one of the faces of a tank, the open one not counted. */
static bool is_out_of_tank(const tl_wall_def *wall, tl_vec3 p) {
    const double place[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        if ((place[k] < wall->box.from[k] && wall->open != TL_SIDE_MINUS_X + k) ||
            (place[k] > wall->box.to[k] && wall->open != TL_SIDE_X + k))
            return true;
    return false;
}

static bool is_in_box(const tl_box_def *box, tl_vec3 p) {
    return p.x > box->from[0] && p.y > box->from[1] && p.z > box->from[2] && p.x < box->to[0] &&
           p.y < box->to[1] && p.z < box->to[2];
}

/* Whether a wall is in the way of what was at `from` and would be at `to`. */
static bool stops(const tl_wall_def *wall, tl_vec3 from, tl_vec3 to) {
    if (wall->has_box)
        return wall->outside ? is_in_box(&wall->box, to)
                             : !is_out_of_tank(wall, from) && is_out_of_tank(wall, to);
    if (wall->has_sphere)
        return tl_vec3_length(tl_vec3_sub(to, tl_vec3_of(wall->sphere.center))) <
               wall->sphere.radius;
    if (wall->mesh.vertex_count > 0) { /* what is below a form has met it */
        tl_vec3 low, high;
        tl_mesh_bounds(&wall->mesh, &low, &high);
        return to.z < low.z && from.z > low.z && to.x > low.x && to.x < high.x && to.y > low.y &&
               to.y < high.y;
    }
    return plane_height(wall, from) > plane_height(wall, to) && plane_height(wall, to) < 0;
}

static bool is_stopped(const tl_scene *scene, tl_vec3 from, tl_vec3 to) {
    const tl_wall_def *walls = scene->walls.items;
    for (size_t i = 0; i < scene->walls.count; i++)
        if (stops(&walls[i], from, to))
            return true;
    return false;
}

/* The point of a box that goes ahead. */
static tl_vec3 front_of(const flight *f, tl_vec3 at, tl_vec3 velocity) {
    return (tl_vec3){at.x + copysign(f->half.x, velocity.x) * (fabs(velocity.x) > 0),
                     at.y + copysign(f->half.y, velocity.y) * (fabs(velocity.y) > 0),
                     at.z + copysign(f->half.z, velocity.z) * (fabs(velocity.z) > 0)};
}

/* Adds the way of a flight; returns where it ends. */
static tl_vec3 add_flight(tl_extent *e, const tl_scene *scene, const flight *f, double size) {
    enum { MOST = 4000 };
    const tl_vec3 g = tl_vec3_of(scene->gravity);
    const double fall = 0.1 * sqrt(tl_vec3_length(g) * size);
    tl_vec3 at = f->from;
    double t = 0;
    for (int k = 0; k < MOST; k++) {
        tl_extent_add(e, tl_vec3_sub(at, f->half), 0);
        tl_extent_add(e, tl_vec3_add(at, f->half), 0);
        const tl_vec3 v = tl_vec3_mad(f->velocity, t, g);
        const double speed = tl_vec3_length(v) + fall;
        if (!(speed > 0) || t >= f->time ||
            tl_vec3_length(tl_vec3_sub(at, f->from)) > FARTHEST * size)
            break;
        t = fmin(t + 0.01 * size / speed, f->time);
        const tl_vec3 next = tl_vec3_mad(tl_vec3_mad(f->from, t, f->velocity), 0.5 * t * t, g);
        const tl_vec3 now = tl_vec3_mad(f->velocity, t, g);
        if (is_stopped(scene, front_of(f, f->from, now), front_of(f, next, now)))
            break;
        at = next;
    }
    return at;
}

static void add_body(tl_extent *e, const tl_scene *scene, const tl_body_def *body, double size) {
    const tl_box_def box = tl_body_bounds(body);
    const tl_vec3 low = tl_vec3_of(box.from), high = tl_vec3_of(box.to);
    const flight f = {.from = tl_vec3_scale(tl_vec3_add(low, high), 0.5),
                      .velocity = tl_vec3_of(body->velocity),
                      .half = tl_vec3_scale(tl_vec3_sub(high, low), 0.5),
                      .time = scene->duration};
    add_flight(e, scene, &f, size);
}

/* m: the radius of half a ball of all that comes out. */
static double heap_of(const tl_emitter_def *emitter, double area, double until) {
    double volume = area * tl_emitter_way(emitter, area, emitter->from, until);
    if (emitter->has_limit)
        volume = fmin(volume, emitter->limit);
    return volume > 0 ? cbrt(1.5 * volume / TL_PI) : 0;
}

/* A nozzle may move: from the first to the last of what comes out. */
static void add_jet(tl_extent *e, const tl_scene *scene, const tl_emitter_def *emitter,
                    double size) {
    const tl_mouth mouth = tl_emitter_mouth(emitter);
    const double until =
        emitter->has_until ? fmin(emitter->until, scene->duration) : scene->duration;
    const double speed = tl_emitter_peak(emitter, mouth.area);
    const double heap = fmin(heap_of(emitter, mouth.area, until), size);
    const tl_vec3 moves = tl_vec3_of(emitter->velocity),
                  r = {mouth.reach, mouth.reach, mouth.reach};
    const double times[2] = {fmin(emitter->from, until), until};
    for (int k = 0; k < 2; k++) {
        const flight f = {.from = tl_vec3_mad(mouth.center, times[k], moves),
                          .velocity = tl_vec3_mad(moves, speed, tl_vec3_unit(mouth.direction)),
                          .half = r,
                          .time = scene->duration - emitter->from};
        const tl_vec3 end = add_flight(e, scene, &f, size);
        tl_extent_add(e, (tl_vec3){end.x - heap, end.y - heap, end.z}, 0);
        tl_extent_add(e, (tl_vec3){end.x + heap, end.y + heap, end.z + heap}, 0);
    }
}

/* The size of what is there at the start; walls are what matter may have to go to. */
static double first_size(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    const tl_emitter_def *emitters = scene->emitters.items;
    tl_extent e = tl_extent_none();
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const tl_box_def box = tl_body_bounds(&bodies[i]);
        tl_extent_add(&e, tl_vec3_of(box.from), 0);
        tl_extent_add(&e, tl_vec3_of(box.to), 0);
    }
    for (size_t i = 0; i < scene->emitters.count; i++) {
        const tl_mouth mouth = tl_emitter_mouth(&emitters[i]);
        const tl_vec3 way = tl_vec3_scale(tl_vec3_of(emitters[i].velocity), scene->duration);
        tl_extent_add(&e, mouth.center, 2 * mouth.reach);
        tl_extent_add(&e, tl_vec3_add(mouth.center, way), 2 * mouth.reach);
    }
    const tl_extent all = tl_extent_of_scene(scene, &e);
    return tl_extent_is_none(&all) ? 0 : tl_vec3_length(tl_vec3_sub(all.to, all.from));
}

/* Where the world repeats itself nothing gets away. */
tl_extent tl_extent_guess(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    const tl_emitter_def *emitters = scene->emitters.items;
    const double size = first_size(scene);
    tl_extent e = tl_extent_none();
    for (size_t i = 0; i < scene->bodies.count; i++) {
        if (scene->has_periodic) {
            const tl_box_def box = tl_body_bounds(&bodies[i]);
            tl_extent_add(&e, tl_vec3_of(box.from), 0);
            tl_extent_add(&e, tl_vec3_of(box.to), 0);
        } else {
            add_body(&e, scene, &bodies[i], size);
        }
    }
    for (size_t i = 0; i < scene->emitters.count; i++)
        add_jet(&e, scene, &emitters[i], size);
    return e;
}
