/* How matter spreads around a place: sums over the particles of a cloud, weighted by the shape w of
 * Wendland's kernel, which is 1 at the place itself. Lengths are in spacings. */
#ifndef TL_SURFACE_MOMENTS_H
#define TL_SURFACE_MOMENTS_H

#include "surface/cloud.h"

typedef struct tl_moments {
    float sum, first[3], second[6]; /* Σ w, Σ w d, Σ w d dᵀ: xx yy zz xy yz xz */
} tl_moments;

/* Of the neighbourhood of a particle of this size: `support` and the result are in units of the
 * size, and neighbours count by their volumes. */
tl_moments tl_moments_find(const tl_cloud *cloud, const float x[3], float support, float size);

/* Variances of the places around, along their principal directions. */
void tl_moments_variances(const tl_moments *m, double value[3], double vector[3][3]);

#endif
