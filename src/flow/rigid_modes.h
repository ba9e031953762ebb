/* Rigid bodies in the implicit solve: their velocity V and spin ω are unknowns of the same system,
 *
 *   M (q - qⁿ) = dt (M g + P - Σ N_iᵀ F_i),   q = (V, ω),   N_i q = V + ω × (x_i - x_body),
 *
 * where P is what else pulls it from afar and F_i the force on particle i through its link to the
 * body (strain.h): what the flow gets, the body gives, and work on one is work of the other. Their
 * particles are no matter of the flow; to the background grids they are, which carry a body as the
 * rigid motion that has the momenta of what they find at its particles. Unknowns and sums of bodies
 * are in double precision. */
#ifndef TL_FLOW_RIGID_MODES_H
#define TL_FLOW_RIGID_MODES_H

#include "flow/strain.h"

typedef struct tl_rigid_mode {
    double mass;                         /* kg */
    double inertia[3][3], inverse[3][3]; /* kg m², in the world, and its inverse */
    double start[6], now[6];             /* qⁿ and q: m/s, rad/s */
    double r[6], z[6], p[6], q[6], w[6]; /* of conjugate gradients (iterate.c) */
    double load[6];                      /* Σ Nᵀ F of its links */
    double pull[6];                      /* m/s², N m: by forces from afar besides gravity */
    double factor[6][6];                 /* of the diagonal block: Cholesky's */
    size_t particles, links;
    bool bound;   /* it has links, or holds up what has; else it only falls */
    bool carried; /* it rests on a wall, or on what does: matter need not bear its weight */
} tl_rigid_mode;

/* A point where two bodies, or a body and a wall, touch (rigid_contacts.h). */
typedef struct tl_mode_contact {
    uint32_t a, b;             /* indices of bodies; b = a: a wall */
    double arm_a[3], arm_b[3]; /* m, from their centres */
    double normal[3];          /* into a */
    double wall[3];            /* m/s: velocity of the wall */
    double target;             /* m/s: least speed at which they part */
    double friction;           /* Coulomb's coefficient */
    double rub;                /* kg: friction over slip */
    double mass;               /* kg: of the lighter of the two */
    double impulse[3];         /* N s: on a, in the last look */
    bool pushes;
    int looks; /* at it, in this step */
} tl_mode_contact;

typedef struct tl_rigid_member {
    uint32_t particle, body; /* the body's index */
    float depth;             /* m, below its surface */
    double arm[3];           /* m, from the centre */
} tl_rigid_member;

typedef struct tl_rigid_modes {
    tl_rigid_mode *items;
    size_t count;
    tl_rigid_member *members; /* in the order of particles */
    size_t member_count;
    uint32_t *member_of; /* [n] index + 1; 0: of no body */
    uint32_t *body_of;   /* [n] index + 1 */
    double (*motion)[6]; /* [count] what the sweeps see of the bodies */
    tl_mode_contact *contacts;
    size_t contact_count;
    double stiffness;       /* kg: κ */
    double *joint, *mobile; /* [6 count][6 count] factors: of the operator's diagonal, of inertia */
} tl_rigid_modes;

/* What a balance (balance.h) has of bodies. */
typedef struct tl_modes_sums {
    double residual2, force_power, lag, acceleration2;
    double free2;                     /* residual2 without contacts */
    double along;                     /* r·w */
    double wall_power, wall_force[3]; /* through contacts */
    bool changed;                     /* other contacts push or stick than before */
} tl_modes_sums;

/* Room for `count` bodies among n particles, none of which belongs to one yet. */
tl_status tl_modes_begin(tl_rigid_modes *modes, size_t count, size_t n, tl_error *error);
size_t tl_modes_bytes(const tl_rigid_modes *modes);
void tl_modes_free(tl_rigid_modes *modes);

/* Adds particle i to body k. To be called in the order of particles. */
tl_status tl_modes_add(tl_rigid_modes *modes, const tl_rigid_member *member, tl_error *error);

/* Takes the members out of the flow. */
void tl_modes_hold(const tl_rigid_modes *modes, tl_strain *strain);

/* Sets q to qⁿ and the momenta by which the members' velocities differ from it, and to the free
 * fall of what touches nothing. */
void tl_modes_guess(tl_rigid_modes *modes, const float *mass, const double *velocity, double dt,
                    const double gravity[3]);

/* Matter that slides along a body is not affine there (strain.h), by its velocities before a step
 * of dt. start: [3 n] */
void tl_modes_slide(const tl_rigid_modes *modes, tl_strain *strain, const double *start, double dt);

/* qⁿ = q, for another part of the step. */
void tl_modes_restart(tl_rigid_modes *modes);

/* Lets the exact sweep see q. */
void tl_modes_show(tl_rigid_modes *modes, tl_strain *strain);

/* After the sweeps of a balance: the residuals. `curve` is that of the sweeps. */
tl_modes_sums tl_modes_balance(tl_rigid_modes *modes, const tl_strain *strain, double dt,
                               const double gravity[3], float curve);

/* Diagonal blocks: first the inertia, then what each link adds, a block like mass (xx yy zz xy xz
 * yz); then their factors. */
void tl_modes_begin_blocks(tl_rigid_modes *modes);
void tl_modes_add_block(tl_rigid_modes *modes, const tl_wall_link *link, const float block[6]);
tl_status tl_modes_end_blocks(tl_rigid_modes *modes, tl_error *error);

/* z = part block⁻¹ r for bodies; and the members get the forces that make the same motion, for the
 * grids. r, z: [4 n] of the particles */
void tl_modes_spread(tl_rigid_modes *modes, const float *mass, double part, float *r, float *z);

/* Adds to z of the bodies what the grids found at the members, and clears those. Returns r·z. */
double tl_modes_gather(tl_rigid_modes *modes, const float *mass, float *r, float *z);

/* p = z + β p, which the next sweep sees. */
void tl_modes_direct(tl_rigid_modes *modes, tl_strain *strain, double beta);

/* q = A p, after the sweeps. Returns p·q. */
double tl_modes_apply(tl_rigid_modes *modes, const tl_strain *strain, double dt);

/* w += α p, r -= α q. Returns |r|² as if it were spread over the members. */
double tl_modes_advance(tl_rigid_modes *modes, double alpha);

/* w = 0. */
void tl_modes_clear(tl_rigid_modes *modes);

/* q += part w, and the members move accordingly. velocity: [3 n] */
void tl_modes_take(tl_rigid_modes *modes, double part, double *velocity);

#endif
