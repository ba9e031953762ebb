/* How deep below a surface a particle is, by how full its neighbourhood is.
 *
 * Below a flat surface Σ V W is ½ + ∫ P dz with the integral P of W over planes; where the surface
 * has the mean curvature H, it is lower by π H ∫ W ρ³ dρ to first order. */
#ifndef TL_TENSION_DEPTH_H
#define TL_TENSION_DEPTH_H

#include "math/kernels.h"

enum { TL_DEPTHS = 65 };

typedef struct tl_depths {
    double filling[TL_DEPTHS]; /* Σ V W at depths from 0 to the support, evenly */
    double bend;               /* supports: how much deeper it seems, per H times the support */
} tl_depths;

tl_depths tl_depths_make(tl_kernel kernel);

/* In supports, of what seems flat; -0.2 at least. */
double tl_depth_at(const tl_depths *depths, double filling);

#endif
