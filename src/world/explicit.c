/* The explicit scheme: leap-frog with the velocity half a step behind, one evaluation a step.
 *
 *   v += dt a,  x += dt (v + shift),  then ρ, S and a anew at the new place (evaluate.c) */
#include "base/timer.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* A compression beyond this is a blow-up, not a flow. */
static const double largest_compression = 0.3;

/* A particle may not move farther than this part of the support in one step. */
static const double longest_move = 0.25;

static tl_status begin(tl_world *w, bool *broken, tl_error *error) {
    size_t worst;
    return tl_world_evaluate(w, 0, broken, &worst, error);
}

/* physics: Δt = C min( R/(|v|+c), ρR²/(6η), √(R/|a|) ). */
static double step_size(const tl_world *w) {
    const double R = tl_least_support(&w->sizes), c = w->fastest_sound + w->state.max_speed;
    double dt = R / c;
    if (w->state.max_kinematic_viscosity > 0)
        dt = fmin(dt, R * R / (6 * w->state.max_kinematic_viscosity));
    if (w->state.max_acceleration > 0)
        dt = fmin(dt, sqrt(R / w->state.max_acceleration));
    const double longest = w->def.flow.max_step;
    return fmin(w->def.flow.cfl * dt, longest > 0 ? longest : 0.01);
}

/* Integrates the powers and forces under which this step moves. */
static void keep_books(tl_world *w, double dt) {
    tl_world_state *s = &w->state;
    s->viscous_heat += dt * s->viscous_power;
    s->numerical_heat -= dt * s->numerical_power;
    s->wall_work += dt * s->wall_power;
    for (int k = 0; k < 3; k++)
        s->wall_impulse[k] += dt * s->wall_force[k];
    tl_world_book_thrusts(w, dt);
}

static bool acceptable(const tl_world *w, double dt, bool broken) {
    return !broken && w->state.density_error < largest_compression &&
           w->state.max_speed * dt < longest_move * tl_least_support(&w->sizes);
}

static tl_status attempt(tl_world *w, double dt, bool *fine, size_t *worst, tl_error *error) {
    double since = tl_now();
    bool broken;
    keep_books(w, dt);
    tl_world_lead_explicit(w, dt);
    tl_shapes_aim(&w->shapes, w->state.time, w->state.time + dt);
    TL_TRY(tl_world_move(w, tl_velocity(w), dt, &broken, worst, error));
    tl_shapes_arrive(&w->shapes);
    tl_world_lap(w, TL_STAGE_MOVE, &since);
    *fine = false;
    if (broken || w->state.max_speed * dt >= longest_move * tl_least_support(&w->sizes))
        return TL_OK;
    TL_TRY(tl_world_evaluate(w, dt, &broken, worst, error));
    *fine = acceptable(w, dt, broken);
    return TL_OK;
}

/* To within float32 of what the attempt changed. */
static void take_back_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    double *x = tl_position(w), *v = tl_velocity(w);
    const float *moved = tl_field_data(&w->fields, w->handle.last_move);
    const float *kept_v = tl_field_data(&w->fields, w->handle.kept_velocity);
    const double *kept_density = tl_field_data(&w->fields, w->handle.kept_density);
    for (size_t k = 3 * begin; k < 3 * end; k++) {
        x[k] -= (double)moved[k];
        v[k] = (double)kept_v[k];
    }
    memcpy(tl_density(w) + begin, kept_density + begin, (end - begin) * sizeof *kept_density);
}

static tl_status take_back(tl_world *w, const tl_world_state *kept, tl_error *error) {
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, take_back_range, w);
    tl_world_place_walls(w, kept->time, kept->dt);
    tl_rigids_take_back(&w->rigids);
    /* Accelerations are found again: cheaper than keeping them in every step. */
    bool broken;
    size_t worst;
    TL_TRY(tl_world_evaluate(w, 0, &broken, &worst, error));
    tl_world_return_to(w, kept);
    return TL_OK;
}

static tl_status explain(const tl_world *w, double dt, const char *where, size_t worst,
                         tl_error *error) {
    return tl_fail(error, TL_DIVERGED, where,
                   "lower flow.cfl, raise flow.sound_speed or flow.artificial_viscosity, or use a "
                   "smaller spacing",
                   "at %.6g s no step down to %.3g s is acceptable: speed %.3g m/s, density %.4g "
                   "kg/m³, compression %.3g",
                   w->state.time, dt, tl_world_speed_of(w, worst), tl_density(w)[worst],
                   w->state.density_error);
}

const tl_dynamics tl_explicit_dynamics = {
    .moves = true,
    .flows = true,
    .accelerates = true,
    .compresses = true,
    .begin = begin,
    .step_size = step_size,
    .attempt = attempt,
    .take_back = take_back,
    .explain = explain,
};
