/* The implicit flow: viscosity and pressure in one solve.
 *
 * Find u with   m (u - uⁿ) / dt = m g + F(σ),   σ = 2 η dev H - p I,   p = λ + K (θ e - dt tr H)
 *
 * where F is the force of stress (strain.h), H the rate of logarithmic strain over the step,
 *
 *   H = E(u) + ½ dt LᵀL - dt E²,
 *
 * e = ρ/ρ0 - 1 the compression at its start and λ the pressure of the last step: an elastic bulk
 * whose spring is slowly let out (θ) until no compression is left, so K need not be large. With
 * θ = 1, the augmented Lagrangian, inertia and pressure swing against each other and grow. Forces
 * act along the lines of centres at the start, so angular momentum is kept; H is zero for a finite
 * rotation, so a spinning block neither grows nor is braked. Pressure may not pull more than
 * viscosity does: p >= -η γ̇ (a thread that is drawn out needs that much to stay whole, water keeps
 * p >= 0 and comes apart).
 *
 * Elastic matter has a stress from before, which is part of σ (materials/elastic.h), and springs
 * against what that does not see (springs.h), whose force is known at the start.
 *
 * On even packings some patterns of pressure push nothing. What they would leave in e and λ is
 * taken out by averaging e and dt tr H over neighbours before they are kept.
 *
 * Outer iterations renew η, the set of particles under pressure and the residual, with velocities
 * in double precision; the correction is found by conjugate gradients in single precision,
 * preconditioned by 3x3 blocks and background grids (grids.h). */
#ifndef TL_FLOW_SOLVE_H
#define TL_FLOW_SOLVE_H

#include "base/scratch.h"
#include "flow/body_force.h"
#include "flow/grids.h"
#include "flow/rigid_modes.h"
#include "flow/strain.h"
#include "materials/respond.h"

/* The response (materials/respond.h) of particles [begin, end), TL_BLOCK at most. `flow` has rates
 * and volumes, and whoever answers adds the rest, strains as the task has them; its arrays and
 * those of `out` begin at particle `begin`. */
typedef void tl_respond_fn(void *context, const tl_strained *flow, unsigned wanted,
                           const tl_response *out, size_t begin, size_t end);

/* What a solve is about. */
typedef enum tl_solve_part {
    TL_SOLVE_COUPLED,
    TL_SOLVE_VISCOSITY, /* with λ for pressure */
    TL_SOLVE_PRESSURE,
} tl_solve_part;

typedef struct tl_solve_task {
    tl_solve_part part;
    double dt;
    tl_body_force force;
    double spacing; /* m: of the scene, for the grids */
    tl_sizes sizes;
    double full;         /* S of a full neighbourhood on a lattice */
    double stiffness;    /* Pa: the least bulk stiffness */
    double relief;       /* θ at most */
    double thick_relief; /* the same, where ν dt > dx² */
    double depth;        /* m: of the matter, along gravity */
    double thin_depth;   /* m: to thin matter, which knows splashes to be little; 0: as above */
    double brace;        /* σ: strength of the terms with ς, relative to viscosity */
    double damping;      /* α: of the same terms, relative to ρ dx |u| */
    double tolerance;    /* of the residual, relative to the momentum of force in the step */
    int max_iterations, max_outer;
    bool curved;      /* use H instead of E */
    bool pulls;       /* let pressure pull without limit */
    double *velocity; /* [3 n] a first guess in, u out */
    const float *mass;
    const float *carried; /* [n] Pa: acts already, and p is its change; NULL: nothing does */
    const uint8_t *led;   /* [n] not 0: the velocity is given, whatever it takes; NULL: of none */
    float *strain_rate;   /* [n] γ̇ out */
    float (*strain)[6];   /* [n] dev H out; NULL: nobody asks */
    float *viscosity;     /* [n] η in (first guess) and out */
    double (*push)[3];    /* [n] N: of walls on each particle, out; NULL: nobody asks */
    tl_respond_fn *respond;
    void *respond_context;
} tl_solve_task;

typedef struct tl_solve_report {
    int outer, iterations;
    bool converged, broken;
    size_t worst;           /* the first particle that is not finite */
    double residual;        /* relative to the reference of the tolerance */
    double volume_error;    /* of changes of volume, in the mean (tl_balance_smooth) */
    double viscous_power;   /* W: made into heat by viscosity */
    double numerical_power; /* W: taken by ς, by pressure and by the curvature of paths */
    double lag;             /* J: kinetic energy that the implicit step loses, ½ m |u - uⁿ|² */
    double wall_force[3];   /* N: of walls on the matter */
    double wall_power;      /* W: of walls that move */
    double led_impulse[3];  /* N s: what it took to give velocities to those that are led */
    double led_work;        /* J: the same */
    double acceleration;    /* m/s²: largest, of what is not led */
} tl_solve_report;

typedef struct tl_solver {
    tl_strain strain;
    tl_rigid_modes modes; /* rigid bodies, if any */
    tl_grids *grids;
    tl_scratch *scratch; /* the owner's: to be set before tl_solver_begin */
    /* The caller fills these, between tl_solver_begin and tl_solve. */
    double *given;       /* [3 n] velocities before the step, for the caller to go back to */
    double *start;       /* [3 n] uⁿ */
    float *lambda;       /* [n] λ */
    float *compression;  /* [n] e */
    float *rest_density; /* [n] */
    /* If some has surface tension, else NULL. */
    float (*tension)[3]; /* [n] N/m³: its force (tension/tension.h) */
    float *bears;        /* [n] Pa: pull that pressure bears; NULL: none of itself */
    /* And these if some of the matter is elastic, else NULL. */
    float (*recalled)[3]; /* [n] N/m³: the force of its springs (springs.h) */
    float *modulus;       /* [n] Pa */
    float *springy;       /* [n] Pa·s: what terms with ς know beside η and damping */
    tl_slack *slack;      /* [n] of what yields, xy, xz and yz twice; NULL: nothing may */
    /* Results. */
    float *pressure; /* [n] p */
    float *left;     /* [n] e - dt tr H: the compression at the end, smoothed */
    float *dilation; /* [n] tr H */
    /* Working memory. */
    float *shear, *bulk, *pull;
    tl_block *blocks;     /* [n] of the preconditioner, inverted */
    float even_viscosity; /* of all matter when ς was found; NaN: not all have the same */
    float (*walls)[6];
    bool thin;     /* all matter is: artificial viscosity acts on it in full */
    void *partial; /* [blocks] results that are added up */
    /* From the scratch, for the time of a solve (tl_balance_take), */
    float *w, *r;       /* [4 n] correction and residual */
    tl_averaged *means; /* [n] of e and dt tr H among neighbours */
    /* and for that of its iterations (tl_iterate_take). */
    float *z, *q; /* [4 n] M⁻¹ r and A p */
} tl_solver;

/* Room for the particles of solver->strain. */
tl_status tl_solver_begin(tl_solver *solver, tl_error *error);

/* m²/s: matter of less kinematic viscosity than this gets artificial viscosity, in steps of dt.
 * `damping` is that of the task. */
double tl_solve_thin(double damping, double spacing, double dt);

/* Solves for the pairs and links in solver->strain (tl_strain_make has run). */
tl_status tl_solve(tl_solver *solver, const tl_solve_task *task, tl_solve_report *report,
                   tl_error *error);

size_t tl_solver_bytes(const tl_solver *solver);
void tl_solver_free(tl_solver *solver);

#endif
