/* Particles as blobs whose sum is the field that the surface is a level of,
 *
 *     φ(x) = Σ_j c_j w(|G_j (x - x_j)|)
 *
 * with Wendland's shape w, w(0) = 1. In bulk matter blobs are wide and c = dx³ W(0): φ is the part
 * of the space that is filled, and by symmetry 1/2 half a spacing outside the outermost particles.
 * Threads, sheets and strays, which such a field would lose, have narrower blobs that are divided
 * by their own sum over the neighbours. These two lengths and the level meet two demands: flat
 * faces lie where they should, and a particle alone is a ball of its own volume. What is thin the
 * variances of the places around a particle tell; along them G also stretches the blob, so that
 * sheets are flat and threads even (after Yu & Turk 2013). */
#ifndef TL_SURFACE_BLOBS_H
#define TL_SURFACE_BLOBS_H

#include "surface/cloud.h"

/* In spacings: how far blobs reach in bulk matter, and those of thin matter, which are at most so
 * many times longer along it than across. */
#define TL_BLOB_BULK    2.8f
#define TL_BLOB_THIN    2.25f
#define TL_BLOB_STRETCH 1.5f
#define TL_BLOB_REACH   (TL_BLOB_THIN * TL_BLOB_STRETCH)
#define TL_BLOB_LEVEL   0.5f

/* q² = dᵀ M d of a distance d in spacings; the blob ends where q = 1. */
typedef struct tl_blob {
    float x[3];
    float M[6]; /* xx yy zz xy yz xz */
    float weight;
    float reach[3]; /* half the sides of the box around it */
    bool is_deep;   /* in the midst of matter */
} tl_blob;

/* Zero-initialise. In the order of the sorted particles of the cloud. */
typedef struct tl_blobs {
    tl_blob *blob;
    size_t count;
} tl_blobs;

/* The cells of the cloud have the radius TL_BLOB_THIN. */
tl_status tl_blobs_make(tl_blobs *blobs, const tl_cloud *cloud, bool round,
                        const tl_parallel *parallel, tl_error *error);

void tl_blobs_free(tl_blobs *blobs);

#endif
