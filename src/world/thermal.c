/* The step of thermal particles, by leap-frog (kick, drift, kick) or by the modified midpoint
 * method of the paper [Ton91 eq. 22, 23]. Damping -bv is solved exactly around the rest of the
 * step. See thermal.h. */
#include "base/timer.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* ---- Step size ---------------------------------------------------------------------------------
 */

/* Vibrations limit the step to 2/ω. A push of exponent p over a length L is a spring of
 * (p + 1) m a / L at least, and what is fast meets it within L / (p + 1). */
static double stable_step(const tl_world *w) {
    const tl_thermal_params *params = &w->def.thermal;
    const tl_collision *c = &w->thermal.collision;
    const double volume = pow(w->def.spacing, 3);
    double frequency2 = 0, exponent = c->exponent, length = c->distance;
    for (size_t m = 0; m < w->def.material_count; m++) {
        const tl_potential *p = &w->thermal.potentials[m];
        if (!(p->energy > 0))
            continue;
        const double mass = w->materials[m].density * volume;
        frequency2 = fmax(frequency2, tl_potential_frequency2(p, p->energy, mass));
        exponent = fmax(exponent, p->n);
        length = fmin(length, p->separation);
    }
    frequency2 = fmax(frequency2, (exponent + 1) * w->state.max_acceleration / length);
    double dt = params->step * 2 / sqrt(frequency2);
    if (w->state.max_speed > 0)
        dt = fmin(dt, params->step * length / ((exponent + 1) * w->state.max_speed));
    if (params->integrator == TL_MIDPOINT)
        dt *= (double)params->substeps;
    return params->max_step > 0 ? fmin(dt, params->max_step) : dt;
}

/* Leap-frog keeps energy while its step stays the same: it is changed when it must become shorter,
 * and when it could be more than twice as long. */
double tl_world_thermal_step_size(const tl_world *w) {
    const double stable = stable_step(w), now = w->state.free_dt;
    if (!(now > 0) || now > stable)
        return now > stable ? 0.8 * stable : stable;
    return now > 0.4 * stable ? now : 0.8 * stable;
}

/* ---- Motion ------------------------------------------------------------------------------------
 */

typedef enum move_part { BEGIN, END, MIDPOINT_FIRST, MIDPOINT_NEXT, MIDPOINT_LAST } move_part;

typedef struct motion {
    tl_world *w;
    move_part part;
    double dt, damp; /* e^(-b dt/2) */
    tl_thermal_sums *partial;
} motion;

/* v through half a step of damping; returns what that takes. */
static double damp(double *v, double mass, double factor) {
    double before = 0;
    for (int k = 0; k < 3; k++) {
        before += v[k] * v[k];
        v[k] *= factor;
    }
    return 0.5 * mass * before * (1 - factor * factor);
}

static double square(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/* What the particle has now, for the books of the step. */
static void note(const tl_world *w, size_t i, tl_thermal_sums *sums) {
    const double *x = tl_position(w) + 3 * i, *v = tl_velocity(w) + 3 * i, *g = w->def.gravity;
    const double mass = (double)tl_mass(w)[i], speed2 = square(v);
    sums->kinetic_energy += 0.5 * mass * speed2;
    sums->potential_energy -= mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
    if (!isfinite(speed2) || speed2 > sums->speed2) {
        if (!sums->broken)
            sums->worst = i;
        sums->speed2 = fmax(sums->speed2, isfinite(speed2) ? speed2 : 0);
        sums->broken = sums->broken || !isfinite(speed2);
    }
}

/* A sub-step that goes across a good part of the range is not fine, nor is one to nowhere. */
static void note_way(const tl_world *w, size_t i, double way2, tl_thermal_sums *sums) {
    if (way2 < 0.0625 * w->support * w->support)
        return;
    if (!sums->broken)
        sums->worst = i;
    sums->broken = true;
}

static void move_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const motion *c = context;
    tl_world *w = c->w;
    const tl_fields *f = &w->fields;
    double *kept_x = tl_field_data(f, w->thermal.kept_position);
    double *kept_v = tl_field_data(f, w->thermal.kept_velocity);
    const double *a = tl_field_data(f, w->thermal.acceleration);
    const double half = 0.5 * c->dt;
    tl_thermal_sums sums = {.speed2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        double *x = tl_position(w) + 3 * i, *v = tl_velocity(w) + 3 * i;
        const double mass = (double)tl_mass(w)[i];
        if (c->part == BEGIN) {
            note(w, i, &sums);
            memcpy(kept_x + 3 * i, x, 3 * sizeof *x);
            memcpy(kept_v + 3 * i, v, 3 * sizeof *v);
            sums.loss += damp(v, mass, c->damp);
            for (size_t k = 0; k < 3; k++) {
                v[k] += half * a[3 * i + k];
                x[k] += c->dt * v[k];
            }
            note_way(w, i, c->dt * c->dt * square(v), &sums);
        } else {
            for (size_t k = 0; k < 3; k++)
                v[k] += half * a[3 * i + k];
            sums.loss += damp(v, mass, c->damp);
            note(w, i, &sums);
        }
    }
    c->partial[begin / TL_BLOCK] = sums;
}

/* The sub-steps of [Ton91 eq. 22, 23], h long. Places are kept as y and the last change of y, which
 * a periodic world may wrap; z is the velocity, with the one before it in last_velocity. */
static void midpoint_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const motion *c = context;
    tl_world *w = c->w;
    const tl_fields *f = &w->fields;
    double *kept_x = tl_field_data(f, w->thermal.kept_position);
    double *kept_v = tl_field_data(f, w->thermal.kept_velocity);
    double *change = tl_field_data(f, w->thermal.change);
    double *last = tl_field_data(f, w->thermal.last_velocity);
    const double *a = tl_field_data(f, w->thermal.acceleration);
    const double h = c->dt;
    tl_thermal_sums sums = {.speed2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        double *x = tl_position(w) + 3 * i, *v = tl_velocity(w) + 3 * i;
        const double mass = (double)tl_mass(w)[i];
        if (c->part == MIDPOINT_FIRST) {
            note(w, i, &sums);
            memcpy(kept_x + 3 * i, x, 3 * sizeof *x);
            memcpy(kept_v + 3 * i, v, 3 * sizeof *v);
            sums.loss += damp(v, mass, c->damp);
        }
        for (size_t k = 3 * i, e = 0; e < 3; k++, e++) {
            const double z = v[e], acceleration = a[k];
            if (c->part == MIDPOINT_FIRST) {
                change[k] = h * z;
                v[e] = z + h * acceleration;
                x[e] += change[k];
            } else if (c->part == MIDPOINT_NEXT) {
                change[k] = 2 * h * z - change[k];
                v[e] = last[k] + 2 * h * acceleration;
                x[e] += change[k];
            } else {
                x[e] += 0.5 * (h * z - change[k]);
                v[e] = 0.5 * (z + last[k] + h * acceleration);
            }
            last[k] = z;
        }
        if (c->part == MIDPOINT_LAST) {
            sums.loss += damp(v, mass, c->damp);
            note(w, i, &sums);
        } else {
            note_way(w, i, square(change + 3 * i), &sums);
        }
    }
    c->partial[begin / TL_BLOCK] = sums;
}

/* Moves all and adds up what was noted. */
static tl_status move(tl_world *w, move_part part, double dt, double damp_factor,
                      tl_thermal_sums *out, tl_error *error) {
    double since = tl_now();
    const size_t n = w->fields.count;
    TL_TRY(tl_world_partials(w, n, sizeof(tl_thermal_sums), error));
    motion c = {w, part, dt, damp_factor, w->partial};
    tl_parallel_for(&w->parallel, n, TL_BLOCK, part <= END ? move_range : midpoint_range, &c);
    *out = (tl_thermal_sums){.speed2 = -1};
    for (size_t b = 0; b < tl_block_count(n, TL_BLOCK); b++) {
        const tl_thermal_sums *p = &c.partial[b];
        out->kinetic_energy += p->kinetic_energy;
        out->potential_energy += p->potential_energy;
        out->loss += p->loss;
        if (!out->broken && (p->broken || p->speed2 > out->speed2)) {
            out->broken = p->broken;
            out->worst = p->worst;
            out->speed2 = p->speed2;
        }
    }
    tl_world_lap(w, TL_STAGE_MOVE, &since);
    return TL_OK;
}

/* ---- An attempt --------------------------------------------------------------------------------
 */

/* A step that makes or loses a good part of a bond's energy was too long. */
static bool keeps_energy(const tl_world *w, const tl_world_state *before,
                         const tl_thermal_sums *from, const tl_thermal_sums *to, double loss) {
    double bond = 0;
    for (size_t m = 0; m < w->def.material_count; m++)
        bond = fmax(bond, w->thermal.potentials[m].energy);
    const double change = to->kinetic_energy - from->kinetic_energy + to->potential_energy -
                          from->potential_energy + w->state.bond_energy - before->bond_energy +
                          w->state.contact_energy - before->contact_energy + loss;
    return fabs(change) <= 0.02 * bond + 0.001 * (from->kinetic_energy + to->kinetic_energy);
}

static tl_status sub_step(tl_world *w, move_part part, double h, double factor,
                          tl_thermal_sums *sums, bool *broken, size_t *worst, tl_error *error) {
    TL_TRY(move(w, part, h, factor, sums, error));
    *worst = sums->worst;
    *broken = sums->broken;
    return *broken ? TL_OK : tl_world_thermal_forces(w, broken, worst, error);
}

static tl_status attempt(tl_world *w, double dt, bool *fine, size_t *worst, tl_error *error) {
    const tl_world_state before = w->state;
    const bool midpoint = w->def.thermal.integrator == TL_MIDPOINT;
    const int64_t count = midpoint ? w->def.thermal.substeps : 1;
    const double factor = exp(-0.5 * dt * w->def.thermal.damping), h = dt / (double)count;
    tl_thermal_sums from, middle, to;
    bool broken;
    *fine = false;
    TL_TRY(sub_step(w, midpoint ? MIDPOINT_FIRST : BEGIN, h, factor, &from, &broken, worst, error));
    for (int64_t q = 1; q < count && !broken; q++)
        TL_TRY(sub_step(w, MIDPOINT_NEXT, h, 1, &middle, &broken, worst, error));
    if (broken)
        return TL_OK;
    TL_TRY(move(w, midpoint ? MIDPOINT_LAST : END, h, factor, &to, error));
    if (midpoint) /* the last sub-step moved places too */
        TL_TRY(tl_world_thermal_forces(w, &broken, worst, error));
    *fine = !broken && !to.broken && keeps_energy(w, &before, &from, &to, from.loss + to.loss);
    if (!*fine)
        return TL_OK;
    w->state.max_speed = sqrt(fmax(to.speed2, 0));
    w->state.damping_loss += from.loss + to.loss;
    for (int k = 0; k < 3; k++)
        w->state.wall_impulse[k] += 0.5 * dt * (before.wall_force[k] + w->state.wall_force[k]);
    return TL_OK;
}

static void take_back_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    const size_t first = 3 * begin, bytes = 3 * (end - begin) * sizeof(double);
    const double *x = tl_field_data(&w->fields, w->thermal.kept_position);
    const double *v = tl_field_data(&w->fields, w->thermal.kept_velocity);
    memcpy(tl_position(w) + first, x + first, bytes);
    memcpy(tl_velocity(w) + first, v + first, bytes);
}

static tl_status resume(tl_world *w, tl_error *error) {
    bool broken;
    size_t worst;
    return tl_world_thermal_forces(w, &broken, &worst, error);
}

/* Evaluates anew as well: whoever wrote fields since the last step has changed the energies of the
 * state that was kept. */
static tl_status take_back(tl_world *w, const tl_world_state *kept, tl_error *error) {
    tl_world_return_to(w, kept);
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, take_back_range, w);
    return resume(w, error);
}

static tl_status explain(const tl_world *w, double dt, const char *where, size_t worst,
                         tl_error *error) {
    return tl_fail(error, TL_DIVERGED, where,
                   "lower thermal_particles.step, or give cohesion an offset",
                   "at %.6g s no step down to %.3g s is acceptable: speed %.3g m/s, largest "
                   "acceleration %.3g m/s²",
                   w->state.time, dt, tl_world_speed_of(w, worst), w->state.max_acceleration);
}

const tl_dynamics tl_thermal_dynamics = {
    .moves = true,
    .heats = true,
    .meets_depths = true,
    .declare = tl_world_thermal_fields,
    .derive = tl_world_thermal_constants,
    .begin = tl_world_begin_thermal,
    .resume = resume,
    .step_size = tl_world_thermal_step_size,
    .attempt = attempt,
    .take_back = take_back,
    .after = tl_world_thermal_after,
    .explain = explain,
    .hash = tl_world_thermal_hash,
    .bytes = tl_world_thermal_bytes,
    .free = tl_world_free_thermal,
};
