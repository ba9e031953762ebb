/* Heat between the particles of a body [Ton91 eq. 16]. The Laplacian over n neighbours is
 * (2d/n) Σ (θ_j - θ_i)/r², which on the paper's hexagon (d = 2) is its 4/n; in space it is 6/n:
 *
 *   dψ_i/dt = Σ_j 6 k_ij V_ij w(r)/(r² ½ (W_i + W_j)) (θ_j - θ_i),   W_i = Σ_j w(r_ij)
 *
 * with k_ij the harmonic mean, V_ij the mean volume and w the fading of the potential, so that
 * neighbours come and go without a jump. The weight of a pair is the same number seen from both
 * ends, bit for bit: what one gets the other gives. (The paper divides by the own n: at surfaces,
 * where n differs, heat would be made or lost.) */
#ifndef TL_COHESION_CONDUCTION_H
#define TL_COHESION_CONDUCTION_H

#include "cohesion/bonds.h"

/* Records θ k V W, in the order of those of the bonds. */
typedef struct tl_bond_heat {
    double *record; /* [4 (total + 1)] */
} tl_bond_heat;

/* Room for the records of `bonds`, and a dummy that conducts nothing. */
tl_status tl_bond_heat_reserve(tl_bond_heat *heat, const tl_bonds *bonds, tl_error *error);

/* W of all particles, from the places in the bonds' records. */
void tl_bond_heat_weigh(tl_bond_heat *heat, const tl_bonds *bonds, const tl_parallel *parallel,
                        const tl_potential *potentials, const uint8_t *material);

/* What each particle gets (W), and the sum of its pairs' weights (W/K). */
void tl_bond_heat_conduct(const tl_bond_heat *heat, const tl_bonds *bonds,
                          const tl_parallel *parallel, const tl_potential *potentials,
                          const uint8_t *material, double *power, double *weight);

void tl_bond_heat_free(tl_bond_heat *heat);

#endif
