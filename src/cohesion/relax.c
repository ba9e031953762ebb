/* The packing of least energy: FIRE (Bitzek et al. 2006, PRL 97, 170201), damped dynamics that
 * stops whenever it goes uphill. Only bonds act: bodies find their shape in empty space. */
#include "cohesion/cohesive.h"

#include <math.h>
#include <string.h>

enum { LATENCY = 5 };

/* Relaxed when no force exceeds this part of ε/r0. */
static const double tolerance = 1e-6;

/* N: the force at which bonds count as relaxed, of the weakest material; m: its separation. */
static double rest_force(const tl_cohesive *t, const tl_cohesive_matter *m, double *length) {
    double force = HUGE_VAL;
    *length = HUGE_VAL;
    for (size_t k = 0; k < m->material_count; k++) {
        const tl_potential *p = &t->potentials[k];
        if (!(p->energy > 0))
            continue;
        force = fmin(force, tolerance * p->energy / p->separation);
        *length = fmin(*length, p->separation);
    }
    return force;
}

/* Turns the velocities towards the force, or stops where they go uphill. Returns the largest force.
 */
static double steer(tl_fire *f, const tl_cohesive_matter *m) {
    double *v = m->velocity, power = 0, v2 = 0, f2 = 0, largest = 0;
    const double *a = m->acceleration;
    for (size_t i = 0; i < m->count; i++) {
        const double mass = (double)m->mass[i];
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
        memset(v, 0, 3 * m->count * sizeof *v);
        f->dt *= 0.5;
        f->mixing = 0.1;
        f->downhill = 0;
        return sqrt(largest);
    }
    const double turn = f2 > 0 ? f->mixing * sqrt(v2 / f2) : 0;
    for (size_t k = 0; k < 3 * m->count; k++)
        v[k] = (1 - f->mixing) * v[k] + turn * a[k];
    if (++f->downhill > LATENCY) {
        f->dt = fmin(1.1 * f->dt, f->longest);
        f->mixing *= 0.99;
    }
    return sqrt(largest);
}

tl_fire tl_fire_light(const tl_cohesive *t, const tl_cohesive_matter *m, double stable) {
    tl_fire f = {.dt = 0.05 * stable, .longest = 0.5 * stable, .mixing = 0.1};
    f.rest = rest_force(t, m, &f.length);
    memset(m->velocity, 0, 3 * m->count * sizeof *m->velocity);
    return f;
}

bool tl_fire_step(tl_fire *f, const tl_cohesive_matter *m) {
    if (steer(f, m) <= f->rest)
        return true;
    double *x = m->position, *v = m->velocity;
    const double *a = m->acceleration;
    for (size_t i = 0; i < m->count; i++) {
        double way2 = 0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            v[k] += f->dt * a[k];
            way2 += f->dt * f->dt * v[k] * v[k];
        }
        /* What starts far from rest must not leap across its neighbours. */
        const double part = fmin(1, 0.05 * f->length / sqrt(way2 + 1e-300));
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            x[k] += part * f->dt * v[k];
    }
    return false;
}
