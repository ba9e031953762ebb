/* Motion of the particles under their velocity, acceleration and shift, and the last line of
 * defence against walls. */
#include "base/blocks.h"
#include "mesh/sweep.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* No particle centre comes nearer to a wall than this part of a spacing. */
static const double least_distance = 0.05;

typedef struct motion_sums {
    double speed2;     /* largest */
    size_t worst;      /* the particle that has it, or the first that is not finite */
    double wall_work;  /* J, by collisions with walls that move */
    double lost;       /* J, by collisions */
    double impulse[3]; /* N s, by collisions */
    double shift_work; /* J, against forces from afar, by shifting and by what is not let in */
    bool broken;
} motion_sums;

typedef struct motion_context {
    tl_world *w;
    const double *before; /* velocities */
    double dt;
    motion_sums *partial;
    double (*hits)[3]; /* [n] N s: of walls in collisions; NULL: nobody asks */
} motion_context;

/* Gives a particle that moves into a wall the speed it bounces off with, seen from the wall. */
static void stop_at(const tl_shape *shape, tl_vec3 n, tl_vec3 wall, double v[3], double mass,
                    motion_sums *sums) {
    const double normal[3] = {n.x, n.y, n.z};
    const double approach = tl_vec3_dot(tl_vec3_sub(tl_vec3_of(v), wall), n);
    if (approach >= 0)
        return;
    const double change = -(1 + shape->bounce) * approach;
    const double work = mass * change * tl_vec3_dot(wall, n);
    sums->wall_work += work;
    sums->lost += work - mass * change * (tl_vec3_dot(tl_vec3_of(v), n) + 0.5 * change);
    for (int k = 0; k < 3; k++) {
        v[k] += change * normal[k];
        sums->impulse[k] += mass * change * normal[k];
    }
}

/* A particle on its way from one place to another. */
typedef struct flight {
    double from[3], *x, *v, mass;
    double spacing; /* m, its own */
} flight;

/* The way in the frame of a mesh, which is never passed at any speed. True when it was touched. */
static bool meet_mesh(const tl_shape *shape, const flight *f, motion_sums *sums) {
    const tl_vec3 from = tl_pose_back(&shape->pose, tl_vec3_of(f->from));
    const tl_vec3 to = tl_pose_back(&shape->other, tl_vec3_of(f->x));
    const tl_slide slide =
        tl_solid_move(shape->solid, from, to, least_distance * f->spacing, shape->bounce, 1);
    if (slide.touches == 0)
        return false;
    const tl_vec3 end = tl_pose_apply(&shape->other, slide.end);
    f->x[0] = end.x, f->x[1] = end.y, f->x[2] = end.z;
    stop_at(shape, tl_turn_apply(shape->other.turn, slide.touch.normal),
            tl_shape_velocity(shape, tl_pose_apply(&shape->pose, slide.end)), f->v, f->mass, sums);
    return true;
}

static bool meet_solid(const tl_shape *shape, const flight *f, motion_sums *sums) {
    const double clearance = least_distance * f->spacing;
    tl_vec3 n;
    const double distance = tl_shape_distance_in(shape, &shape->other, tl_vec3_of(f->x), &n);
    if (distance >= clearance)
        return false;
    const tl_vec3 out = tl_vec3_mad(tl_vec3_of(f->x), clearance - distance, n);
    f->x[0] = out.x, f->x[1] = out.y, f->x[2] = out.z;
    stop_at(shape, n, tl_shape_velocity(shape, out), f->v, f->mass, sums);
    return true;
}

/* Where walls leave no room, a particle keeps its place beside the mesh it would have passed. */
static void hold_back(const tl_world *w, const flight *f) {
    for (size_t s = 0; s < w->shapes.count; s++) {
        const tl_shape *shape = &w->shapes.items[s];
        if (!shape->solid)
            continue;
        const tl_vec3 from = tl_pose_back(&shape->pose, tl_vec3_of(f->from));
        if (!tl_solid_blocks(shape->solid, from, tl_pose_back(&shape->other, tl_vec3_of(f->x))))
            continue;
        const tl_vec3 kept = tl_pose_apply(&shape->other, from);
        f->x[0] = kept.x, f->x[1] = kept.y, f->x[2] = kept.z;
    }
}

/* Matter never enters a rigid body; the momentum it has with it goes by pressure. */
static void stay_outside(const tl_shape *body, const flight *f) {
    const tl_vec3 from = tl_pose_back(&body->pose, tl_vec3_of(f->from));
    const tl_vec3 to = tl_pose_back(&body->other, tl_vec3_of(f->x));
    const tl_slide slide = tl_solid_move(body->solid, from, to, least_distance * f->spacing, 0, 1);
    if (slide.touches == 0)
        return;
    const tl_vec3 end = tl_pose_apply(&body->other, slide.end);
    f->x[0] = end.x, f->x[1] = end.y, f->x[2] = end.z;
}

/* The last line of defence: no particle centre enters a solid, whatever pressure did. One wall may
 * push it towards another, so all are asked again. */
static void collide(const tl_world *w, const flight *f, motion_sums *sums) {
    enum { MOST_ROUNDS = 4 };
    bool met = true, meshes = false;
    for (int round = 0; met && round < MOST_ROUNDS; round++) {
        met = false;
        for (size_t s = 0; s < w->shapes.count; s++) {
            const tl_shape *shape = &w->shapes.items[s];
            meshes = meshes || shape->solid;
            met = (shape->solid ? meet_mesh(shape, f, sums) : meet_solid(shape, f, sums)) || met;
        }
    }
    if (met && meshes)
        hold_back(w, f);
    for (size_t k = 0; k < w->rigids.shapes.count; k++)
        stay_outside(&w->rigids.shapes.items[k], f);
}

void tl_world_place_walls(tl_world *w, double time, double dt) {
    if (dt == 0) { /* before the first step the first moment tells how fast they are */
        tl_shapes_aim(&w->shapes, time, time + w->def.spacing / w->sound_speed);
        return;
    }
    tl_shapes_aim(&w->shapes, time - dt, time);
    tl_shapes_arrive(&w->shapes);
}

static void note_speed(motion_sums *sums, size_t i, double speed2) {
    if (!isfinite(speed2)) {
        if (!sums->broken)
            sums->worst = i;
        sums->broken = true;
    } else if (!sums->broken && speed2 > sums->speed2) {
        sums->speed2 = speed2;
        sums->worst = i;
    }
}

static void move_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const motion_context *c = context;
    const tl_world *w = c->w;
    double *x = tl_position(w), *v = tl_velocity(w), *density = tl_density(w);
    float *moved = tl_field_data(&w->fields, w->handle.last_move);
    float *kept_v = tl_field_data(&w->fields, w->handle.kept_velocity);
    double *kept_density = tl_field_data(&w->fields, w->handle.kept_density);
    const float *a = tl_field_data(&w->fields, w->handle.acceleration), *mass = tl_mass(w);
    const float *shift = tl_field_data(&w->fields, w->handle.shift);
    const tl_body_force force = tl_world_body_force(w);
    motion_sums sums = {.speed2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        if (c->hits)
            memset(c->hits[i], 0, sizeof c->hits[i]);
        if (tl_rigid_of(w, i))
            continue;
        flight f = {.x = x + 3 * i,
                    .v = v + 3 * i,
                    .mass = (double)mass[i],
                    .spacing = tl_spacing_of(&w->sizes, i)};
        double speed2 = 0, lifted = 0;
        kept_density[i] = density[i];
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            f.from[k - 3 * i] = x[k];
            kept_v[k] = (float)c->before[k];
            v[k] += c->dt * (double)a[k];
            x[k] += c->dt * (v[k] + (double)shift[k]);
            lifted -= (double)shift[k] * tl_body_force_along(&force, i, k - 3 * i);
        }
        sums.shift_work += c->dt * (double)mass[i] * lifted;
        const tl_vec3 aimed = tl_vec3_of(x + 3 * i);
        const tl_vec3 before = tl_vec3_of(sums.impulse);
        collide(w, &f, &sums);
        const tl_vec3 hit = tl_vec3_sub(tl_vec3_of(sums.impulse), before);
        if (c->hits)
            memcpy(c->hits[i], (const double[]){hit.x, hit.y, hit.z}, sizeof c->hits[i]);
        const tl_vec3 pushed = tl_vec3_sub(tl_vec3_of(x + 3 * i), aimed);
        sums.shift_work -= (double)mass[i] * tl_vec3_dot(tl_body_force_on(&force, i), pushed);
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            moved[k] = (float)(x[k] - f.from[k - 3 * i]);
            speed2 += v[k] * v[k];
        }
        note_speed(&sums, i, speed2);
    }
    c->partial[begin / TL_BLOCK] = sums;
}

typedef struct motion_total {
    tl_world_state *state; /* the books */
    double speed2;
    size_t *worst;
    bool broken;
} motion_total;

static void book_block(void *to, const void *from) {
    motion_total *total = to;
    const motion_sums *p = from;
    if (!total->broken && (p->broken || p->speed2 > total->speed2)) {
        total->broken = p->broken;
        *total->worst = p->worst;
        total->speed2 = fmax(total->speed2, p->speed2);
    }
    total->state->wall_work += p->wall_work;
    total->state->numerical_heat += p->lost - p->shift_work;
    for (int k = 0; k < 3; k++)
        total->state->wall_impulse[k] += p->impulse[k];
}

tl_status tl_world_move(tl_world *w, const double *before, double dt, bool *broken, size_t *worst,
                        tl_error *error) {
    const size_t n = w->fields.count;
    TL_TRY(tl_world_partials(w, n, sizeof(motion_sums), error));
    motion_context c = {w, before, dt, w->partial, NULL};
    motion_total total = {.state = &w->state, .worst = worst};
    TL_TRY(tl_world_move_rigids(w, before, dt, &total.speed2, error));
    TL_TRY(tl_world_want_pushes(w, &w->gauges.push, n, &c.hits, error));
    tl_parallel_for(&w->parallel, n, TL_BLOCK, move_range, &c);
    for (size_t i = 0; c.hits && i < n; i++)
        tl_world_book_push(w, tl_vec3_of(tl_position(w) + 3 * i), tl_vec3_of(c.hits[i]));
    total.broken = !isfinite(total.speed2);
    tl_join_blocks(&total, c.partial, sizeof *c.partial, n, book_block);
    *broken = total.broken;
    w->state.max_speed = sqrt(total.speed2);
    return TL_OK;
}
