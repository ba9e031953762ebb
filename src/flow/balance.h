/* Where an implicit solve stands: stress at the present velocities, and what is missing from the
 * balance of momentum (solve.h). */
#ifndef TL_FLOW_BALANCE_H
#define TL_FLOW_BALANCE_H

#include "flow/solve.h"

/* Outer iterations that renew the set of particles under pressure, and η. */
enum { TL_RENEWALS = 2, TL_VISCOSITY_RENEWALS = 6 };

typedef struct tl_balance {
    double residual2; /* Σ |r|², (N s)² */
    double along;     /* Σ r·w, J: of the residual along the last correction */
    double free2;     /* the same without contacts of bodies, which are stiffer than anything */
    double viscous_power, force_power, wall_power, lag;
    double wall_force[3], acceleration2;
    double led_impulse[3], led_work;
    size_t broken;    /* index + 1 of the first particle that is not finite */
    size_t kept;      /* particles under pressure that are pulled more than they can bear */
    size_t doubtful;  /* particles whose place in the set of those under pressure is a guess */
    size_t unsettled; /* particles whose η this outer iteration has changed */
    bool changed; /* the set of particles under pressure is not that of the last outer iteration */
} tl_balance;

/* Takes what outer iterations keep from the scratch: w and r, which are 0, and the means. */
void tl_balance_take(tl_solver *solver);

/* Sets ς from the viscosities at hand, for the first sweep. */
void tl_balance_begin(tl_solver *solver, const tl_solve_task *task);

/* Finds strain rates, stresses and the residual r. The first outer iterations renew η and, fewer,
 * the set of particles under pressure. At first all matter holds together that does not come apart
 * at once: who is wrongly held back leaves the set gently, but who was wrongly let go has fallen
 * deep into others before it joins. */
tl_balance tl_balance_find(tl_solver *solver, const tl_solve_task *task, int outer);

/* Smooths compression and dilation, and takes the pressure from that. Returns by how much volumes
 * change otherwise than they should, |θ e - dt tr H| in the mean over what is under pressure: what
 * another solve with that pressure could mend. */
double tl_balance_smooth(tl_solver *solver, const tl_solve_task *task);

#endif
