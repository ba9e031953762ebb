/* How far the matter around each particle turns in a step: what stress that is remembered turns
 * with. With the strain U = exp(dt H) of the step known, the turn R is the one that fits the pairs
 * best, Σ ω |d + dt Δu - R U d|²: exact for any affine motion, however long the step, and known for
 * threads and sheets as well. */
#ifndef TL_FLOW_SPIN_H
#define TL_FLOW_SPIN_H

#include "flow/strain.h"

/* For the places and velocities in the motion records. strain: [n] dev H, 1/s; turn: [n] rad, axis
 * times angle. */
void tl_spin_find(const tl_strain *strain, const float (*rates)[6], double dt, float (*turn)[3]);

#endif
