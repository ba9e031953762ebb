/* Whether what an implicit solve has found may be taken: velocities that are finite, converged, not
 * too far for one step, and with no more energy of motion than the step had sources for. */
#include "world/state.h"

#include <math.h>
#include <stdio.h>

/* A step that moves a particle farther than this many times the wanted way is repeated. */
static const double tolerated_motion = 2;

/* Energy of motion may exceed its sources by this part of them (they are known to some per cent),
 * and by that of speeds which are this part of what falling by a spacing gives. */
static const double tolerated_energy = 0.1, slight_speed = 0.1;

/* So many spacings a step are rounding. */
static const double hardly = 1e-6;

typedef struct energies {
    double before, after, forced, stored; /* J */
    double mass;
} energies;

/* Energy of motion before and after the step, the work of forces in it, and what the springs of
 * bulk stiffness and of elastic matter held at its start. */
static energies find_energies(const tl_world *w, double dt) {
    const tl_solver *s = &w->solver;
    const tl_body_force force = tl_world_body_force(w);
    energies e = {.stored = w->springs.energy};
    for (size_t i = 0; i < w->fields.count; i++) {
        const double mass = (double)tl_mass(w)[i], *u = tl_velocity(w) + 3 * i;
        for (size_t k = 0; k < 3; k++) {
            e.before += 0.5 * mass * s->given[3 * i + k] * s->given[3 * i + k];
            e.after += 0.5 * mass * u[k] * u[k];
            e.forced += mass * tl_body_force_along(&force, i, k) * u[k] * dt;
        }
        const double volume = (double)s->strain.motion[i].volume;
        for (size_t k = 0; k < 3 && s->tension; k++)
            e.forced += volume * (double)s->tension[i][k] * u[k] * dt;
        const double p = (double)s->lambda[i], K = (double)s->bulk[i] / dt;
        e.stored += K > 0 ? 0.5 * volume * p * p / K : 0;
        e.stored += tl_world_strain_energy(w, i);
        e.mass += mass;
    }
    return e;
}

/* What the step has more energy of motion than it may have, J; not above 0 when all is well. */
static double energy_made(const tl_world *w, const tl_solve_report *r, double dt) {
    const energies e = find_energies(w, dt);
    const double g = tl_vec3_length(tl_world_mean_force(w));
    const double creep = hardly * w->def.spacing / dt;
    const double slight2 = slight_speed * slight_speed * 2 * g * w->def.spacing + creep * creep;
    const double given = fmax(e.forced, 0) + fmax(dt * r->wall_power, 0) + fmax(r->led_work, 0);
    return e.after - (1 + tolerated_energy) * (e.before + e.stored + given) -
           0.5 * e.mass * slight2;
}

bool tl_world_accepts(tl_world *w, const tl_solve_report *r, double dt, double way) {
    const double limit = tolerated_motion * w->def.flow.motion * tl_least_spacing(&w->sizes);
    const double made = r->broken || !r->converged ? 0 : energy_made(w, r, dt);
    if (r->broken || isnan(way))
        snprintf(w->refusal, sizeof w->refusal, "the solve found no finite velocities");
    else if (!r->converged)
        snprintf(w->refusal, sizeof w->refusal,
                 "the solve did not converge (error %.3g after %d iterations, %.3g wanted)",
                 r->residual, r->iterations, w->def.flow.tolerance);
    else if (!(way < limit))
        snprintf(w->refusal, sizeof w->refusal, "a particle would move %.3g spacings",
                 way / tl_least_spacing(&w->sizes));
    else if (!(made <= 0))
        snprintf(w->refusal, sizeof w->refusal,
                 "the motion would have %.3g J more than anything gave it", made);
    else
        return true;
    return false;
}
