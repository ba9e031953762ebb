/* Motion of the particles under their velocity, acceleration and shift, and the last line of
 * defence against walls. */
#include "world/state.h"

#include <math.h>

typedef struct motion_sums {
    double speed2;     /* largest */
    size_t worst;      /* the particle that has it, or the first that is not finite */
    double wall_work;  /* J, by collisions */
    double impulse[3]; /* N s, by collisions */
    double shift_work; /* J, against gravity, by shifting */
    bool broken;
} motion_sums;

typedef struct motion_context {
    tl_world *w;
    const double *before; /* velocities */
    double dt;
    motion_sums *partial;
} motion_context;

/* Stops a particle that moves into a wall, seen from the wall. */
static void stop_at(tl_vec3 n, tl_vec3 wall, double v[3], double mass, motion_sums *sums) {
    const double normal[3] = {n.x, n.y, n.z};
    const double approach = tl_vec3_dot(tl_vec3_sub(tl_vec3_of(v), wall), n);
    if (approach >= 0)
        return;
    sums->wall_work -= mass * approach * (tl_vec3_dot(tl_vec3_of(v), n) - 0.5 * approach);
    for (int k = 0; k < 3; k++) {
        v[k] -= approach * normal[k];
        sums->impulse[k] -= mass * approach * normal[k];
    }
}

/* The last line of defence: no particle centre enters a solid, whatever pressure did. */
static void collide(const tl_world *w, double x[3], double v[3], double mass, motion_sums *sums) {
    const double clearance = 0.05 * w->def.spacing;
    for (size_t s = 0; s < w->shapes.count; s++) {
        const tl_shape *shape = &w->shapes.items[s];
        tl_vec3 n;
        const double distance = tl_shape_distance_in(shape, &shape->other, tl_vec3_of(x), &n);
        if (distance >= clearance)
            continue;
        const tl_vec3 out = tl_vec3_mad(tl_vec3_of(x), clearance - distance, n);
        x[0] = out.x, x[1] = out.y, x[2] = out.z;
        stop_at(n, tl_shape_velocity(shape, out), v, mass, sums);
    }
}

void tl_world_place_walls(tl_world *w, double time, double dt) {
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
    const double *gravity = w->def.gravity;
    motion_sums sums = {.speed2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        double speed2 = 0, lifted = 0, before[3];
        kept_density[i] = density[i];
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            before[k - 3 * i] = x[k];
            kept_v[k] = (float)c->before[k];
            v[k] += c->dt * (double)a[k];
            x[k] += c->dt * (v[k] + (double)shift[k]);
            lifted -= (double)shift[k] * gravity[k - 3 * i];
        }
        sums.shift_work += c->dt * (double)mass[i] * lifted;
        collide(w, x + 3 * i, v + 3 * i, (double)mass[i], &sums);
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            moved[k] = (float)(x[k] - before[k - 3 * i]);
            speed2 += v[k] * v[k];
        }
        note_speed(&sums, i, speed2);
    }
    c->partial[begin / TL_BLOCK] = sums;
}

tl_status tl_world_move(tl_world *w, const double *before, double dt, bool *broken, size_t *worst,
                        tl_error *error) {
    const size_t n = w->fields.count, blocks = tl_block_count(n, TL_BLOCK);
    TL_TRY(tl_world_partials(w, n, sizeof(motion_sums), error));
    motion_context c = {w, before, dt, w->partial};
    tl_parallel_for(&w->parallel, n, TL_BLOCK, move_range, &c);
    double speed2 = 0;
    *broken = false;
    for (size_t b = 0; b < blocks; b++) {
        if (!*broken && (c.partial[b].broken || c.partial[b].speed2 > speed2)) {
            *broken = c.partial[b].broken;
            *worst = c.partial[b].worst;
            speed2 = fmax(speed2, c.partial[b].speed2);
        }
        w->state.wall_work += c.partial[b].wall_work;
        w->state.numerical_heat -= c.partial[b].shift_work;
        for (int k = 0; k < 3; k++)
            w->state.wall_impulse[k] += c.partial[b].impulse[k];
    }
    w->state.max_speed = sqrt(speed2);
    return TL_OK;
}
