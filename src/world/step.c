/* The step: leap-frog with the velocity half a step behind, one evaluation a step, a step size of
 * its own choosing, and rejection: a step that ends in nonsense is taken back and tried again
 * smaller.
 *
 *   v += dt a,  x += dt (v + shift),  then ρ, S and a anew at the new place (evaluate.c) */
#include "base/log.h"
#include "base/timer.h"
#include "world/guard.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps smaller than this part of the stable one are given up: the flow is not to be saved so. */
static const double smallest_part = 1e-3;

/* A compression beyond this is a blow-up, not a flow. */
static const double largest_compression = 0.3;

/* A particle may not move farther than this part of the support in one step. */
static const double longest_move = 0.25;

/* How much a step may be longer than the one before. */
static const double largest_growth = 1.2;

/* ---- Step size ---------------------------------------------------------------------------------
 */

/* physics: Δt = C min( R/(|v|+c), ρR²/(6η), √(R/|a|) ). */
static double stable_step(const tl_world *w) {
    if (w->def.thermal_particles)
        return tl_world_thermal_step_size(w);
    if (w->def.flow.scheme == TL_SCHEME_NONE)
        return tl_world_heat_step_size(w);
    if (w->def.flow.scheme != TL_SCHEME_EXPLICIT)
        return tl_world_implicit_step_size(w);
    const double R = w->support, c = w->fastest_sound + w->state.max_speed;
    double dt = R / c;
    if (w->state.max_kinematic_viscosity > 0)
        dt = fmin(dt, R * R / (6 * w->state.max_kinematic_viscosity));
    if (w->state.max_acceleration > 0)
        dt = fmin(dt, sqrt(R / w->state.max_acceleration));
    const double longest = w->def.flow.max_step;
    return fmin(w->def.flow.cfl * dt, longest > 0 ? longest : 0.01);
}

/* Cuts the last steps before the stop evenly, so that none is tiny. */
static double fit_to_stop(const tl_world *w, double dt) {
    const double left = w->stop - w->state.time;
    if (!(left < 2 * dt) || left <= 0)
        return dt;
    return left <= dt * (1 + 1e-9) ? left : 0.5 * left;
}

/* ---- Keep and restore --------------------------------------------------------------------------
 */

/* Goes back to before the attempt, to within float32 of what it changed. */
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

static tl_status restore(tl_world *w, const tl_world_state *kept, tl_error *error) {
    if (w->def.thermal_particles)
        return tl_world_thermal_take_back(w, kept, error);
    if (w->def.flow.scheme != TL_SCHEME_EXPLICIT) {
        const double builds = w->state.builds;
        w->state = *kept;
        w->state.builds = builds;
        return TL_OK; /* an implicit step changes nothing before it is accepted */
    }
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, take_back_range, w);
    tl_world_place_walls(w, kept->time, kept->dt);
    tl_world_take_back_rigids(w);
    /* Accelerations are found again: cheaper than keeping them in every step. Lists may have been
     * built in between, and count. */
    bool broken;
    size_t worst;
    TL_TRY(tl_world_evaluate(w, 0, &broken, &worst, error));
    const double builds = w->state.builds;
    w->state = *kept;
    w->state.builds = builds;
    return TL_OK;
}

/* ---- Books -------------------------------------------------------------------------------------
 */

/* Integrates the powers and forces under which this step moves. */
static void keep_books(tl_world *w, double dt) {
    tl_world_state *s = &w->state;
    s->viscous_heat += dt * s->viscous_power;
    s->numerical_heat -= dt * s->numerical_power;
    s->wall_work += dt * s->wall_power;
    for (int k = 0; k < 3; k++)
        s->wall_impulse[k] += dt * s->wall_force[k];
}

/* ---- The step ----------------------------------------------------------------------------------
 */

static bool acceptable(const tl_world *w, double dt, bool broken) {
    return !broken && w->state.compression < largest_compression &&
           w->state.max_speed * dt < longest_move * w->support;
}

/* One attempt with a given dt. *fine tells whether the result can be accepted. */
static tl_status attempt(tl_world *w, double dt, bool *fine, size_t *worst, tl_error *error) {
    if (w->def.thermal_particles)
        return tl_world_attempt_thermal(w, dt, fine, worst, error);
    tl_world_aim_emitters(w, dt);
    if (w->def.flow.scheme == TL_SCHEME_NONE) {
        *fine = true;
        return TL_OK;
    }
    if (w->def.flow.scheme != TL_SCHEME_EXPLICIT)
        return tl_world_attempt_implicit(w, dt, fine, worst, error);
    double since = tl_now();
    bool broken;
    keep_books(w, dt);
    tl_world_lead_explicit(w, dt);
    tl_shapes_aim(&w->shapes, w->state.time, w->state.time + dt);
    TL_TRY(tl_world_move(w, tl_velocity(w), dt, &broken, worst, error));
    tl_shapes_arrive(&w->shapes);
    tl_world_lap(w, TL_STAGE_MOVE, &since);
    *fine = false;
    if (broken || w->state.max_speed * dt >= longest_move * w->support)
        return TL_OK;
    TL_TRY(tl_world_evaluate(w, dt, &broken, worst, error));
    *fine = acceptable(w, dt, broken);
    return TL_OK;
}

static uint64_t id_of(const tl_world *w, size_t i) {
    return ((const uint64_t *)tl_field_data(&w->fields, w->handle.id))[i];
}

/* Names the particle that made the attempts fail. It goes by its id: going back may have sorted the
 * particles anew. */
static tl_status give_up(const tl_world *w, double dt, uint64_t id, tl_error *error) {
    size_t worst = 0;
    while (worst + 1 < w->fields.count && id_of(w, worst) != id)
        worst++;
    const double *x = tl_position(w) + 3 * worst, *v = tl_velocity(w) + 3 * worst;
    char where[256];
    snprintf(where, sizeof where, "particle %llu at (%.4g, %.4g, %.4g) m", (unsigned long long)id,
             x[0], x[1], x[2]);
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (w->def.thermal_particles)
        return tl_fail(error, TL_DIVERGED, where,
                       "lower thermal_particles.step, or give cohesion an offset",
                       "at %.6g s no step down to %.3g s is acceptable: speed %.3g m/s, largest "
                       "acceleration %.3g m/s²",
                       w->state.time, dt, speed, w->state.max_acceleration);
    if (w->def.flow.scheme != TL_SCHEME_EXPLICIT)
        return tl_fail(error, TL_DIVERGED, where,
                       "raise flow.max_iterations, or lower flow.motion or flow.max_step",
                       "at %.6g s no step down to %.3g s is acceptable: %s; speed %.3g m/s, "
                       "density %.4g kg/m³",
                       w->state.time, dt, w->refusal, speed, tl_density(w)[worst]);
    return tl_fail(error, TL_DIVERGED, where,
                   "lower flow.cfl, raise flow.sound_speed or flow.artificial_viscosity, or use a "
                   "smaller spacing",
                   "at %.6g s no step down to %.3g s is acceptable: speed %.3g m/s, density %.4g "
                   "kg/m³, compression %.3g",
                   w->state.time, dt, speed, tl_density(w)[worst], w->state.compression);
}

static void report_step(const tl_world *w, int rejected, tl_step_report *report) {
    if (!report)
        return;
    *report = (tl_step_report){.time = w->state.time,
                               .dt = w->state.dt,
                               .step = (uint64_t)w->state.steps,
                               .rejected = rejected,
                               .max_speed = w->state.max_speed,
                               .density_error = w->state.compression};
}

tl_status tl_world_step(tl_world *w, tl_step_report *report, tl_error *error) {
    const tl_world_state kept = w->state;
    const double stable = fmin(stable_step(w), tl_world_emitter_step_size(w));
    double free_dt = kept.free_dt > 0 ? fmin(stable, largest_growth * kept.free_dt) : stable;
    uint64_t culprit = 0;
    for (int rejected = 0; free_dt >= smallest_part * stable; rejected++, free_dt *= 0.5) {
        const double dt = fit_to_stop(w, free_dt);
        size_t worst = 0;
        bool fine;
        TL_TRY(attempt(w, dt, &fine, &worst, error));
        if (!fine) {
            /* The first attempt knows best: what is not finite spreads to the neighbours. */
            if (rejected == 0)
                culprit = id_of(w, worst);
            tl_log_message(&w->log, TL_LOG_DEBUG, "step of %.3g s at %.6g s rejected", dt,
                           kept.time);
            TL_TRY(restore(w, &kept, error));
            continue;
        }
        w->state.time = dt == w->stop - kept.time ? w->stop : kept.time + dt;
        w->state.dt = dt;
        w->state.free_dt = free_dt;
        w->state.steps += 1;
        w->state.rejected += rejected;
        if (w->def.thermal_particles)
            TL_TRY(tl_world_thermal_after(w, dt, error));
        tl_world_watch(w); /* before particles leave: links know them by their numbers */
        if (w->def.with_heat && !w->def.thermal_particles)
            TL_TRY(tl_world_exchange_heat(w, dt, error));
        TL_TRY(tl_world_drain(w, dt, error));
        TL_TRY(tl_world_emit(w, dt, error));
        report_step(w, rejected, report);
        return TL_OK;
    }
    return give_up(w, free_dt, culprit, error);
}

tl_status tl_world_advance(tl_world *w, double time, tl_error *error) {
    tl_world_set_stop(w, time);
    while (w->state.time < time)
        TL_TRY(tl_world_step(w, NULL, error));
    return TL_OK;
}

void tl_world_set_stop(tl_world *w, double time) { w->stop = time; }

void tl_world_lap(tl_world *w, tl_stage stage, double *since) {
    const double now = tl_now();
    w->stages[stage].seconds += now - *since;
    *since = now;
}
