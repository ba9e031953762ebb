/* The two sweeps over pairs of an explicit step.
 *
 * With d = x_j - x_i, V = m/ρ and g_ij = V_j |W'(r)| / r, so that V_j ∇W_ij = g_ij d:
 *
 *   M_i = Σ g d ⊗ d,  β_i = 3 / tr M_i              both I and 1 in the continuum
 *   L_i = (Σ g (v_j - v_i) ⊗ d) M_i⁻¹               velocity gradient, exact for linear flows
 *   dρ_i/dt = -ρ_i tr L_i + diffusion               continuity
 *   a_i = 1/ρ_i Σ g (-(p_i N_i + p_j N_j) d + (μ_i + μ_j) (v_j - v_i)) + damping + gravity
 *
 * with p = c² (ρ - ρ0), N = M⁻¹ and μ = β η. Plain sums, as the papers have them, are up to a third
 * off on lattices at R = 2 dx; β makes viscosity right there and at plane surfaces, M keeps a
 * sheared lattice from feeling a divergence. N makes the work of pressure that divergence: with β p
 * in its place the lattice is a solid, of 0.19 p in stretch. Pairs conserve momentum to rounding.
 * The viscous sum is Morris, Fox & Zhu (1997): pairwise viscosity. The nested one of [PPLT09
 * eq. 8-11] keeps β p and puts S = β η (L + Lᵀ) in place of μ, Σ g (S_i + S_j) d; it does not feel
 * the shortest waves. The complete one keeps both sums, with S = η ((L + Lᵀ) N - β L) - p (N - β
 * I), L = H N and H = Σ g (v_j - v_i) ⊗ d. Each particle then dissipates
 *
 *   V η (½ |L + Lᵀ|² + β Σ g |v_j - v_i - L d|²)
 *
 * exact for linear flows and never negative: surfaces are free of traction, rotations free of
 * force, and angular momentum is kept wherever N M = I. Pairwise alone has |L|² for the first term:
 * half as much in stretch, and a surface that resists rotation. */
#ifndef TL_FLOW_PASSES_H
#define TL_FLOW_PASSES_H

#include "base/parallel.h"
#include "math/kernels.h"
#include "neighbors/neighbors.h"
#include "records/images.h"

/* What both passes need to know. */
typedef struct tl_pass {
    const tl_parallel *parallel;
    const tl_records *records;
    const tl_neighbor_list *list;
    tl_kernel kernel;
    float support; /* m: of all pairs */
} tl_pass;

/* The sums of both passes leave out constant factors, which cost less after a whole block: sums
 * with g miss `slope`, sums with W miss `shape`. */
typedef struct tl_pass_units {
    float slope; /* 1/m⁵ */
    float shape; /* 1/m³ */
} tl_pass_units;

tl_pass_units tl_units_of_pass(const tl_pass *pass);

/* What the first pass finds for one particle, without tl_pass_units. */
typedef struct tl_rates {
    float gradient[9]; /* Σ g (v_j - v_i) ⊗ d, row-major: not yet times M⁻¹ */
    float moment[6];   /* M: xx yy zz xy xz yz */
    float spread;      /* Σ g (V_i - V_j), for density diffusion */
    float side[3];     /* Σ g d: points away from a free surface */
    float weight;      /* Σ g */
    float filling;     /* if it was asked for */
} tl_rates;
_Static_assert(sizeof(tl_rates) == 21 * sizeof(float), "sums are stored by fours");

/* What of the kernel itself is summed, which costs an evaluation a pair. */
typedef enum tl_filling {
    TL_FILLING_NONE,
    TL_FILLING_COUNT, /* Σ W */
    TL_FILLING_VOLUME /* Σ V W */
} tl_filling;

/* Receives the rates of particles [begin, end), which are a block of at most TL_BLOCK. */
typedef void tl_rates_fn(void *context, const tl_rates *rates, size_t begin, size_t end);

/* First pass over all particles. `finish` runs for each block, on the thread that made it. */
void tl_pass_rates(const tl_pass *pass, tl_filling filling, tl_rates_fn *finish, void *context);

/* What the second pass finds for one particle, without tl_pass_units; heats also miss a factor ½.
 */
typedef struct tl_forces {
    float force[3];     /* pressure, viscosity and damping: force per volume */
    float viscous_heat; /* Σ g (μ_i + μ_j) |v_j - v_i|²: power per volume; 0 when nested */
    float smoothing[3]; /* Σ 2 m_j / (ρ_i + ρ_j) (v_j - v_i) W over matter: XSPH */
    float damping_heat; /* ρ_i Σ m_j Π (v_i - v_j)·∇W: power per volume */
} tl_forces;
_Static_assert(sizeof(tl_forces) == 8 * sizeof(float), "sums are stored by fours");

typedef void tl_forces_fn(void *context, const tl_forces *forces, size_t begin, size_t end);

/* Second pass over all particles, with the tensors of the c-records if there are any.
 * damping  α c h of the artificial viscosity [PPLT09 eq. 12], m²/s */
void tl_pass_forces(const tl_pass *pass, float damping, bool with_xsph, tl_forces_fn *finish,
                    void *context);

/* What a full neighbourhood on a cubic lattice sums to, for a support in spacings. */
typedef struct tl_lattice {
    double filling; /* Σ V W */
    double moment;  /* tr M / 3 */
} tl_lattice;

tl_lattice tl_lattice_sums(tl_kernel kernel, double support);

#endif
