/* The two sweeps over pairs of an explicit step, and the wall samples' own.
 *
 * With d = x_j - x_i, V = m/ρ and g_ij = V_j |W'(r)| / r, so that V_j ∇W_ij = g_ij d:
 *
 *   β_i = 3 / Σ g r²                                     1 in the continuum: ∫ r |W'| dV = 3
 *   L_i = β_i Σ g (v_j - v_i) ⊗ d                        velocity gradient, ∂v_a/∂x_b
 *   dρ_i/dt = -ρ_i tr L_i + diffusion                    continuity
 *   σ_i = β_i (-p_i I + S_i)                             p = c² (ρ - ρ0),  S = η (L + Lᵀ)'
 *   a_i = 1/ρ_i Σ g (σ_i + σ_j) d + damping + gravity    momentum
 *
 * The momentum sum is the adjoint of the gradient sum, so pairs conserve momentum and the stress
 * does exactly the work -V σ:L: the ledger closes. β makes both right on lattices, where plain sums
 * are up to a third off at R = 2 dx, and at plane surfaces; the papers leave it out ([PPLT09 eq.
 * 8-11] with the corrections of the signs and of γ̇). */
#ifndef TL_FLOW_PASSES_H
#define TL_FLOW_PASSES_H

#include "base/parallel.h"
#include "flow/records.h"
#include "math/kernels.h"
#include "neighbors/neighbors.h"

/* What both passes need to know. */
typedef struct tl_pass {
    const tl_parallel *parallel;
    const tl_records *records;
    const tl_neighbor_list *list;
    tl_kernel kernel;
    float support; /* m */
} tl_pass;

/* What the first pass finds for one particle. */
typedef struct tl_rates {
    float gradient[9]; /* Σ g (v_j - v_i) ⊗ d, row-major: not yet times β */
    float moment;      /* Σ g r² */
    float spread;      /* Σ g (V_i - V_j), for density diffusion */
    float side[3];     /* Σ g d: points away from a free surface */
    float filling;     /* Σ V_j W_ij */
    float spare;
} tl_rates;

/* Receives the rates of particles [begin, end), which are a block of at most TL_BLOCK. */
typedef void tl_rates_fn(void *context, const tl_rates *rates, size_t begin, size_t end);

/* First pass over all particles. `finish` runs for each block, on the thread that made it. */
void tl_pass_rates(const tl_pass *pass, tl_rates_fn *finish, void *context);

/* Parameters of the second pass. */
typedef struct tl_force_params {
    float damping; /* α c h of the artificial viscosity [PPLT09 eq. 12], m²/s */
    bool with_xsph;
} tl_force_params;

/* What the second pass finds for one particle. */
typedef struct tl_forces {
    float force[3];     /* Σ g (σ_i + σ_j) d: force per volume */
    float damping_heat; /* ½ Σ m_j Π (v_i - v_j)·∇W: power per mass */
    float damping[3];   /* -Σ m_j Π ∇W: acceleration */
    float spare;
    float smoothing[3]; /* Σ 2 m_j / (ρ_i + ρ_j) (v_j - v_i) W over matter: XSPH */
    float spare2;
} tl_forces;

typedef void tl_forces_fn(void *context, const tl_forces *forces, size_t begin, size_t end);

/* Second pass over all particles. */
void tl_pass_forces(const tl_pass *pass, const tl_force_params *params, tl_forces_fn *finish,
                    void *context);

/* Σ V_j W(x_j) over a cubic lattice of unit spacing: what a full neighbourhood sums to. */
double tl_lattice_filling(tl_kernel kernel, double support);

#endif
