/* The step, of whatever dynamics: a size of its own choosing, and rejection: an attempt that ends
 * in nonsense is taken back and tried again smaller. */
#include "base/log.h"
#include "base/timer.h"
#include "world/guard.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>

/* Steps smaller than this part of the stable one are given up: the flow is not to be saved so. */
static const double smallest_part = 1e-3;

/* How much a step may be longer than the one before. */
static const double largest_growth = 1.2;

const tl_dynamics *tl_dynamics_of(const tl_world_def *def) {
    if (def->thermal_particles)
        return &tl_cohesive_dynamics;
    if (def->flow.scheme == TL_SCHEME_NONE)
        return &tl_still_dynamics;
    return def->flow.scheme == TL_SCHEME_EXPLICIT ? &tl_explicit_dynamics : &tl_implicit_dynamics;
}

/* Cuts the last steps before the stop evenly, so that none is tiny. */
static double fit_to_stop(const tl_world *w, double dt) {
    const double left = w->stop - w->state.time;
    if (!(left < 2 * dt) || left <= 0)
        return dt;
    return left <= dt * (1 + 1e-9) ? left : 0.5 * left;
}

/* Lists may have been built in between, and count. */
void tl_world_return_to(tl_world *w, const tl_world_state *kept) {
    const double builds = w->state.builds, returned = w->state.returned_energy;
    w->state = *kept;
    w->state.builds = builds; /* lists, and on which side of a world places are, stay */
    w->state.returned_energy = returned;
}

double tl_world_speed_of(const tl_world *w, size_t i) {
    return tl_vec3_length(tl_vec3_of(tl_velocity(w) + 3 * i));
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
    const double *x = tl_position(w) + 3 * worst;
    char where[256];
    snprintf(where, sizeof where, "particle %llu at (%.4g, %.4g, %.4g) m", (unsigned long long)id,
             x[0], x[1], x[2]);
    return w->dynamics->explain(w, dt, where, worst, error);
}

static void report_step(const tl_world *w, int rejected, tl_step_report *report) {
    if (!report)
        return;
    *report = (tl_step_report){.time = w->state.time,
                               .dt = w->state.dt,
                               .step = (uint64_t)w->state.steps,
                               .rejected = rejected,
                               .max_speed = w->state.max_speed,
                               .density_error = w->state.density_error};
}

/* What follows a step of dt that was accepted. */
static tl_status follow_up(tl_world *w, double dt, tl_error *error) {
    tl_world_book_force(w, dt);
    TL_TRY(tl_world_remember(w, dt, error));
    if (w->dynamics->after)
        TL_TRY(w->dynamics->after(w, dt, error));
    tl_world_watch(w); /* before particles leave: links know them by their numbers */
    if (w->def.with_heat && !w->dynamics->heats)
        TL_TRY(tl_world_exchange_heat(w, dt, error));
    tl_world_settle_gauges(w, dt);
    tl_world_count_gates(w);
    TL_TRY(tl_world_drain(w, dt, error));
    TL_TRY(tl_world_emit(w, dt, error));
    TL_TRY(tl_world_run_tap(w, dt, error));
    TL_TRY(tl_world_resample(w, error));
    TL_TRY(tl_world_refine(w, error));
    tl_world_mark_sides(w);
    return TL_OK;
}

tl_status tl_world_step(tl_world *w, tl_step_report *report, tl_error *error) {
    const tl_world_state kept = w->state;
    const double stable = fmin(w->dynamics->step_size(w),
                               fmin(tl_world_emitter_step_size(w), tl_world_tap_step_size(w)));
    double free_dt = kept.free_dt > 0 ? fmin(stable, largest_growth * kept.free_dt) : stable;
    uint64_t culprit = 0;
    tl_world_keep_gauges(w);
    tl_world_use_hand(w);
    for (int rejected = 0; free_dt >= smallest_part * stable; rejected++, free_dt *= 0.5) {
        const double dt = fit_to_stop(w, free_dt);
        size_t worst = 0;
        bool fine;
        tl_world_aim_emitters(w, dt);
        TL_TRY(w->dynamics->attempt(w, dt, &fine, &worst, error));
        if (!fine) {
            /* The first attempt knows best: what is not finite spreads to the neighbours. */
            if (rejected == 0)
                culprit = id_of(w, worst);
            tl_log_message(&w->log, TL_LOG_DEBUG, "step of %.3g s at %.6g s rejected", dt,
                           kept.time);
            TL_TRY(w->dynamics->take_back(w, &kept, error));
            tl_world_return_gauges(w);
            continue;
        }
        w->state.time = dt == w->stop - kept.time ? w->stop : kept.time + dt;
        w->state.dt = dt;
        w->state.free_dt = free_dt;
        w->state.steps += 1;
        w->state.rejected += rejected;
        TL_TRY(follow_up(w, dt, error));
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
