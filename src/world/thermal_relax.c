/* The packing of least energy: FIRE (Bitzek et al. 2006, PRL 97, 170201), damped dynamics that
 * stops whenever it goes uphill. Only bonds act: bodies find their shape in empty space. */
#include "base/log.h"
#include "world/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 20000, LATENCY = 5 };

/* Relaxed when no force exceeds this part of ε/r0. */
static const double tolerance = 1e-6;

/* N: the force at which bonds count as relaxed, of the weakest material; m: its separation. */
static double rest_force(const tl_world *w, double *length) {
    double force = HUGE_VAL;
    *length = HUGE_VAL;
    for (size_t m = 0; m < w->def.material_count; m++) {
        const tl_potential *p = &w->thermal.potentials[m];
        if (!(p->energy > 0))
            continue;
        force = fmin(force, tolerance * p->energy / p->separation);
        *length = fmin(*length, p->separation);
    }
    return force;
}

typedef struct fire {
    double dt, longest, mixing;
    int downhill;
} fire;

/* Turns the velocities towards the force, or stops where they go uphill. Returns the largest force.
 */
static double steer(tl_world *w, fire *f) {
    double *v = tl_velocity(w), power = 0, v2 = 0, f2 = 0, largest = 0;
    const double *a = tl_field_data(&w->fields, w->thermal.acceleration);
    for (size_t i = 0; i < w->fields.count; i++) {
        const double mass = (double)tl_mass(w)[i];
        double own = 0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            power += mass * a[k] * v[k];
            v2 += v[k] * v[k];
            own += mass * mass * a[k] * a[k];
        }
        f2 += own / (mass * mass);
        largest = fmax(largest, own);
    }
    if (power <= 0) {
        memset(v, 0, 3 * w->fields.count * sizeof *v);
        *f = (fire){0.5 * f->dt, f->longest, 0.1, 0};
        return sqrt(largest);
    }
    const double turn = f2 > 0 ? f->mixing * sqrt(v2 / f2) : 0;
    for (size_t k = 0; k < 3 * w->fields.count; k++)
        v[k] = (1 - f->mixing) * v[k] + turn * a[k];
    if (++f->downhill > LATENCY) {
        f->dt = fmin(1.1 * f->dt, f->longest);
        f->mixing *= 0.99;
    }
    return sqrt(largest);
}

static tl_status descend(tl_world *w, tl_error *error) {
    double length;
    const double rest = rest_force(w, &length);
    const double stable = tl_world_thermal_step_size(w) / w->def.thermal.step;
    fire f = {0.05 * stable, 0.5 * stable, 0.1, 0};
    memset(tl_velocity(w), 0, 3 * w->fields.count * sizeof(double));
    for (int step = 0; step < MOST_STEPS; step++) {
        bool broken;
        size_t worst;
        TL_TRY(tl_world_thermal_forces(w, &broken, &worst, error));
        if (broken)
            return TL_OK; /* the evaluation of the initial state will name the particle */
        const double force = steer(w, &f);
        if (force <= rest) {
            tl_log_message(&w->log, TL_LOG_INFO, "relaxed in %d steps to a bond energy of %.6g J",
                           step, w->state.bond_energy);
            return TL_OK;
        }
        double *x = tl_position(w), *v = tl_velocity(w);
        const double *a = tl_field_data(&w->fields, w->thermal.acceleration);
        for (size_t i = 0; i < w->fields.count; i++) {
            double way2 = 0;
            for (size_t k = 3 * i; k < 3 * i + 3; k++) {
                v[k] += f.dt * a[k];
                way2 += f.dt * f.dt * v[k] * v[k];
            }
            /* What starts far from rest must not leap across its neighbours. */
            const double part = fmin(1, 0.05 * length / sqrt(way2 + 1e-300));
            for (size_t k = 3 * i; k < 3 * i + 3; k++)
                x[k] += part * f.dt * v[k];
        }
    }
    tl_log_message(&w->log, TL_LOG_WARNING, "not quite relaxed after %d steps", MOST_STEPS);
    return TL_OK;
}

tl_status tl_world_thermal_relax(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    double *kept = tl_field_data(&w->fields, w->thermal.kept_velocity);
    memcpy(kept, tl_velocity(w), 3 * n * sizeof *kept);
    w->state.max_acceleration = 0;
    w->thermal.bonds_only = true;
    const tl_status status = descend(w, error);
    w->thermal.bonds_only = false;
    /* Sorting may have moved the field, and reordered it along with the particles. */
    kept = tl_field_data(&w->fields, w->thermal.kept_velocity);
    memcpy(tl_velocity(w), kept, 3 * n * sizeof *kept);
    return status;
}
