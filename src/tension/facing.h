/* Where the surface is and which way it faces.
 *
 * The normal is that of the gradient of Σ V W, averaged once over the neighbours. Walls hide half
 * of a neighbourhood: there the matter goes on as it is at the particle, with the part c of the
 * space beside the wall that it fills. Then both halves of the gradient are cut alike and its
 * direction stays right. What touches a wall faces by the contact angle θ: its normal has cos θ
 * along that of the wall (Young), and keeps its direction along the wall. */
#ifndef TL_TENSION_FACING_H
#define TL_TENSION_FACING_H

#include "tension/tension.h"

/* Finds wetting, sides, facing, and which part of the surface each particle is. */
void tl_facing_find(tl_tension *tension, const tl_strain *strain, const tl_tension_task *task);

/* Normals near walls anew, by the curvature that is known by now. */
void tl_facing_wet(tl_tension *tension, const tl_strain *strain);

/* Weight of neighbours in means, by the square of the distance over that of the support. */
TL_INLINE tl_wide tl_facing_weight(tl_wide q2) {
    const tl_wide part = tl_positive(1.0f - q2);
    return part * part;
}

#endif
