/* The motion of thermal particles, by leap-frog (kick, drift, kick) or by the modified midpoint
 * method of the paper [Ton91 eq. 22, 23]. Damping -bv is solved exactly around the rest of the
 * step. See cohesive.h. */
#include "base/blocks.h"
#include "cohesion/cohesive.h"

#include <math.h>
#include <string.h>

/* Vibrations limit the step to 2/ω. A push of exponent p over a length L is a spring of
 * (p + 1) m a / L at least, and what is fast meets it within L / (p + 1). */
double tl_cohesive_stable_step(const tl_cohesive *t, const tl_cohesive_matter *m,
                               const tl_cohesive_params *params, double max_speed,
                               double max_acceleration) {
    const tl_collision *c = &t->collision;
    const double volume = tl_volume_of_spacing(tl_least_spacing(&m->sizes));
    double frequency2 = 0, exponent = c->exponent, length = c->distance;
    for (size_t k = 0; k < m->material_count; k++) {
        const tl_potential *p = &t->potentials[k];
        if (!(p->energy > 0))
            continue;
        const double mass = m->materials[k].density * volume;
        frequency2 = fmax(frequency2, tl_potential_frequency2(p, p->energy, mass));
        exponent = fmax(exponent, p->n);
        length = fmin(length, p->separation);
    }
    frequency2 = fmax(frequency2, (exponent + 1) * max_acceleration / length);
    double dt = params->step * 2 / sqrt(frequency2);
    if (max_speed > 0)
        dt = fmin(dt, params->step * length / ((exponent + 1) * max_speed));
    if (params->integrator == TL_MIDPOINT)
        dt *= (double)params->substeps;
    return params->max_step > 0 ? fmin(dt, params->max_step) : dt;
}

typedef struct motion {
    const tl_cohesive_matter *m;
    tl_cohesive_part part;
    double dt, damp; /* e^(-b dt/2) */
    tl_cohesive_sums *partial;
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
static void note(const tl_cohesive_matter *m, size_t i, tl_cohesive_sums *sums) {
    const double *x = m->position + 3 * i, *v = m->velocity + 3 * i, *g = m->force.uniform;
    const double mass = (double)m->mass[i], speed2 = square(v);
    sums->kinetic_energy += 0.5 * mass * speed2;
    sums->potential_energy -= mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
    for (size_t k = 0; k < 3 && m->force.each; k++)
        sums->pulled += mass * (double)m->force.each[3 * i + k] * x[k];
    if (!isfinite(speed2) || speed2 > sums->speed2) {
        if (!sums->broken)
            sums->worst = i;
        sums->speed2 = fmax(sums->speed2, isfinite(speed2) ? speed2 : 0);
        sums->broken = sums->broken || !isfinite(speed2);
    }
}

/* A sub-step that goes across a good part of the range is not fine, nor is one to nowhere. */
static void note_way(const tl_cohesive_matter *m, size_t i, double way2, tl_cohesive_sums *sums) {
    if (way2 < 0.0625 * m->range * m->range)
        return;
    if (!sums->broken)
        sums->worst = i;
    sums->broken = true;
}

static void move_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const motion *c = context;
    const tl_cohesive_matter *m = c->m;
    double *kept_x = m->kept_position;
    double *kept_v = m->kept_velocity;
    const double *a = m->acceleration;
    const double half = 0.5 * c->dt;
    tl_cohesive_sums sums = {.speed2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        double *x = m->position + 3 * i, *v = m->velocity + 3 * i;
        const double mass = (double)m->mass[i];
        if (c->part == TL_MOVE_BEGIN) {
            note(m, i, &sums);
            memcpy(kept_x + 3 * i, x, 3 * sizeof *x);
            memcpy(kept_v + 3 * i, v, 3 * sizeof *v);
            sums.loss += damp(v, mass, c->damp);
            for (size_t k = 0; k < 3; k++) {
                v[k] += half * a[3 * i + k];
                x[k] += c->dt * v[k];
            }
            note_way(m, i, c->dt * c->dt * square(v), &sums);
        } else {
            for (size_t k = 0; k < 3; k++)
                v[k] += half * a[3 * i + k];
            sums.loss += damp(v, mass, c->damp);
            note(m, i, &sums);
        }
    }
    c->partial[begin / TL_BLOCK] = sums;
}

/* The sub-steps of [Ton91 eq. 22, 23], h long. Places are kept as y and the last change of y, which
 * a periodic world may wrap; z is the velocity, with the one before it in last_velocity. */
static void midpoint_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const motion *c = context;
    const tl_cohesive_matter *m = c->m;
    double *kept_x = m->kept_position;
    double *kept_v = m->kept_velocity;
    double *change = m->change;
    double *last = m->last_velocity;
    const double *a = m->acceleration;
    const double h = c->dt;
    tl_cohesive_sums sums = {.speed2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        double *x = m->position + 3 * i, *v = m->velocity + 3 * i;
        const double mass = (double)m->mass[i];
        if (c->part == TL_MIDPOINT_FIRST) {
            note(m, i, &sums);
            memcpy(kept_x + 3 * i, x, 3 * sizeof *x);
            memcpy(kept_v + 3 * i, v, 3 * sizeof *v);
            sums.loss += damp(v, mass, c->damp);
        }
        for (size_t k = 3 * i, e = 0; e < 3; k++, e++) {
            const double z = v[e], acceleration = a[k];
            if (c->part == TL_MIDPOINT_FIRST) {
                change[k] = h * z;
                v[e] = z + h * acceleration;
                x[e] += change[k];
            } else if (c->part == TL_MIDPOINT_NEXT) {
                change[k] = 2 * h * z - change[k];
                v[e] = last[k] + 2 * h * acceleration;
                x[e] += change[k];
            } else {
                x[e] += 0.5 * (h * z - change[k]);
                v[e] = 0.5 * (z + last[k] + h * acceleration);
            }
            last[k] = z;
        }
        if (c->part == TL_MIDPOINT_LAST) {
            sums.loss += damp(v, mass, c->damp);
            note(m, i, &sums);
        } else {
            note_way(m, i, square(change + 3 * i), &sums);
        }
    }
    c->partial[begin / TL_BLOCK] = sums;
}

static void join_sums(void *total, const void *partial) {
    tl_cohesive_sums *out = total;
    const tl_cohesive_sums *p = partial;
    out->kinetic_energy += p->kinetic_energy;
    out->potential_energy += p->potential_energy;
    out->pulled += p->pulled;
    out->loss += p->loss;
    if (!out->broken && (p->broken || p->speed2 > out->speed2)) {
        out->broken = p->broken;
        out->worst = p->worst;
        out->speed2 = p->speed2;
    }
}

void tl_cohesive_move(const tl_cohesive_matter *m, tl_cohesive_part part, double dt,
                      double damp_factor, tl_cohesive_sums *partial, tl_cohesive_sums *out) {
    motion c = {m, part, dt, damp_factor, partial};
    tl_parallel_for(m->parallel, m->count, TL_BLOCK,
                    part <= TL_MOVE_END ? move_range : midpoint_range, &c);
    *out = (tl_cohesive_sums){.speed2 = -1};
    tl_join_blocks(out, partial, sizeof *partial, m->count, join_sums);
}

static void take_back_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_cohesive_matter *m = context;
    const size_t first = 3 * begin, bytes = 3 * (end - begin) * sizeof(double);
    memcpy(m->position + first, m->kept_position + first, bytes);
    memcpy(m->velocity + first, m->kept_velocity + first, bytes);
}

void tl_cohesive_take_back(tl_cohesive_matter *m) {
    tl_parallel_for(m->parallel, m->count, TL_BLOCK, take_back_range, m);
}
