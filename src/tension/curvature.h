/* Curvature of the surface.
 *
 * A particle stands for the place y = x + δ n of the surface above it. Over the tangent plane the
 * normals of the neighbours are n_j - n_i = S (y_j - y_i) to first order, for a sphere exactly; the
 * trace of the S that fits best is κ.
 *
 * All that is averaged on the way (normals, the fit, and κ itself once) takes from waves of the
 * surface in proportion to k²: together as much as 1 + 3.8 times what one average of κ takes, by
 * the second moments of the weights on a plane. So κ + 3.8 (κ - its own average) has them right to
 * fourth order. */
#ifndef TL_TENSION_CURVATURE_H
#define TL_TENSION_CURVATURE_H

#include "tension/tension.h"

/* Spacings: a ball of this radius is the smallest whose curvature is believed. */
#define TL_SHARPEST 2.0f

/* Finds the κ of all that is near a surface, from facing and parts. */
void tl_curvature_find(tl_tension *tension, const tl_strain *strain);

#endif
