/* See momentum.h. */
#include "flow/momentum.h"

#include "base/blocks.h"

#include <math.h>

/* v += ε Σ ... W; returns the kinetic energy per mass that this took. */
static double filter_velocity(double *v, const float smoothing[3], double strength) {
    double before = 0, after = 0;
    for (int k = 0; k < 3; k++) {
        before += v[k] * v[k];
        v[k] += strength * (double)smoothing[k];
        after += v[k] * v[k];
    }
    return 0.5 * (before - after);
}

/* Takes the acceleration of a held particle away again. */
static void hold(float *acceleration, double mass, const double *velocity, tl_momentum_sums *sums) {
    for (int k = 0; k < 3; k++) {
        const double force = -mass * (double)acceleration[k];
        sums->holding[k] += force;
        sums->holding_power += force * velocity[k];
        acceleration[k] = 0;
    }
}

void tl_momentum_finish(void *context, const tl_forces *forces, size_t begin, size_t end) {
    const tl_momentum_update *u = context;
    const float slope = u->units.slope;
    tl_momentum_sums sums = {.worst = begin, .acceleration2 = -1};
    for (size_t i = begin; i < end; i++) {
        const tl_forces *f = &forces[i - begin];
        const tl_record *a = &u->records->a[i];
        float *acceleration = u->acceleration + 3 * i, squared = 0;
        for (size_t k = 0; k < 3; k++) {
            const float own = (float)tl_body_force_along(&u->force, i, k);
            acceleration[k] = a->inverse_density * slope * f->force[k] + own;
            squared += acceleration[k] * acceleration[k];
        }
        const double mass = (double)a->mass, volume = (double)tl_record_volume(a);
        sums.viscous_power += 0.5 * volume * (double)(slope * f->viscous_heat);
        sums.damping_power += 0.5 * volume * (double)(slope * f->damping_heat);
        if (u->held && u->held[i]) {
            hold(acceleration, mass, u->velocity + 3 * i, &sums);
            continue;
        }
        if (u->xsph > 0)
            sums.xsph_loss += mass * filter_velocity(u->velocity + 3 * i, f->smoothing,
                                                     u->xsph * (double)u->units.shape);
        if (!isfinite(squared)) {
            if (!sums.broken)
                sums.worst = i;
            sums.broken = true;
        } else if (!sums.broken && squared > sums.acceleration2) {
            sums.acceleration2 = squared;
            sums.worst = i;
        }
    }
    u->partial[begin / TL_BLOCK] = sums;
}

static void join_sums(void *to, const void *from) {
    tl_momentum_sums *total = to;
    const tl_momentum_sums *p = from;
    total->viscous_power += p->viscous_power;
    total->damping_power += p->damping_power;
    total->xsph_loss += p->xsph_loss;
    total->holding_power += p->holding_power;
    for (int k = 0; k < 3; k++)
        total->holding[k] += p->holding[k];
    if (!total->broken && (p->broken || p->acceleration2 > total->acceleration2)) {
        total->acceleration2 = p->acceleration2;
        total->worst = p->worst;
        total->broken = p->broken;
    }
}

tl_momentum_sums tl_momentum_total(const tl_momentum_sums *partial, size_t count) {
    tl_momentum_sums total = {.acceleration2 = -1};
    tl_join_blocks(&total, partial, sizeof *partial, count, join_sums);
    return total;
}
