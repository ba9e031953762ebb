/* Surface tension: the force of curved surfaces on the matter, for the implicit solve.
 *
 *   F_i = V_i γ_i κ_i G_i,   G_i = Σ_j ω_ij m·(A_i⁻¹ 1 + A_j⁻¹ 1) d
 *
 * where κ is the sum of both curvatures of the surface near by, and V G what the operator of the
 * solve makes of a uniform pressure of -1 (flow/strain.h): nothing inside on a lattice, an area
 * with its normal at surfaces. Pressure pushes by the very same sums, so p = γκ balances it
 * particle by particle, in any packing, up to the outermost layer: where κ is uniform nothing
 * moves. That needs κ of all matter near a surface, and not of what is at it alone; so it goes on
 * inwards.
 *
 * κ is found from normals (facing.h), which are fitted over the surface (curvature.h).
 *
 * Errors of κ would leave a net force and torque: they are taken from each lump that touches
 * nothing, in proportion to area (world/tension.c).
 *
 * The shape is that at the start of the step. What κ has of waves shorter than a support is
 * smoothed out, so steps are stable up to five times the capillary limit of explicit schemes
 * (tl_tension_longest_step). */
#ifndef TL_TENSION_TENSION_H
#define TL_TENSION_TENSION_H

#include "boundary/samples.h"
#include "flow/solve.h"
#include "tension/depth.h"

/* Which way the surface near a record faces: gathered as floats. */
typedef struct tl_facing {
    float normal[3]; /* unit, out of the matter; 0 where there is no surface */
    float depth;     /* m: below the surface, if that is flat */
} tl_facing;

/* How a surface is bent near a record; the same. */
typedef struct tl_bent {
    float curvature; /* 1/m: κ, positive where the matter bulges */
    float part;      /* 0 .. 1: how much the particle is one of the surface */
    float known;     /* 1: κ has been found; else 0 */
    float unused;
} tl_bent;

/* Walls near a particle, or other things that matter wets. */
typedef struct tl_wetting {
    float normal[3]; /* unit, into the matter; 0: none is near */
    float distance;  /* m: of the nearest */
    float filling;   /* Σ V W */
    float cosine;    /* of the contact angle, in the mean */
    float plain[3];  /* the normal of the surface, as the matter alone has it */
} tl_wetting;

typedef struct tl_tension {
    float (*side)[4];    /* [total + 1] where matter is missing, m⁻¹ */
    tl_facing *facing;   /* [total + 1] */
    tl_bent *bent;       /* [total + 1] */
    tl_wetting *wetting; /* [links] of the particle of each */
    float *smooth;       /* [n] κ, from one sweep to the next */
    float *found;        /* [n] the same: 1 where it is known */
    float (*push)[3];    /* [n] 1/m: G; between liquids N/m³: the force */
    float *filling;      /* [n] Σ V W of one liquid; and what follows between liquids alone */
    float *gamma, *area; /* [n] N/m; N/m²: γ |G| */
    tl_depths depths;
    tl_kernel kernel;
    bool has_depths;
} tl_tension;

typedef struct tl_tension_task {
    const float *gamma;  /* [n] N/m */
    const float *cosine; /* [n] of contact angles, on what has none of its own */
    const tl_shapes *shapes;
    const tl_neighbor_list *list;
    const tl_samples *samples;
    double filling, full;    /* Σ V W and S on a lattice */
    const uint8_t *material; /* [n] of which one liquid alone is seen; NULL: all matter is one */
    uint8_t colour;          /* that one */
} tl_tension_task;

/* Room for what is near the pairs at hand. */
tl_status tl_tension_begin(tl_tension *tension, const tl_strain *strain, tl_error *error);

/* Finds the force on each particle per volume, N/m³, at the places in the motion records of the
 * solver (tl_pairs_make has run), whose tractions are lost. */
tl_status tl_tension_find(tl_tension *tension, tl_solver *solver, const tl_tension_task *task,
                          float (*force)[3], tl_error *error);

/* s: steps of liquids with this γ, density and viscosity may be no longer, at a spacing dx: where
 * inertia counts five times √(ρ dx³ / 2πγ), about; where viscosity does, 4 η dx / γ. */
double tl_tension_longest_step(double gamma, double density, double viscosity, double spacing);

size_t tl_tension_bytes(const tl_tension *tension);
void tl_tension_free(tl_tension *tension);

#endif
