/* Where there is room for another particle among those there are [Mao06 4.3.1-2]: the tetrahedra of
 * Delaunay have circumspheres with nobody in them, and one that is too large tells of a void. And
 * whether a place is within the convex hull of others. Both by Qhull (libqhull_r), which a build
 * may lack. */
#ifndef TL_RESAMPLE_VOIDS_H
#define TL_RESAMPLE_VOIDS_H

#include "base/error.h"
#include "math/vec3.h"

typedef struct tl_void {
    tl_vec3 center;
    double radius;
    uint32_t corners[4]; /* particles that it touches, of all that lie on it */
} tl_void;

/* Whether this build can find any. */
bool tl_voids_available(void);

/* The empty spheres through four of `count` places ([3 * count]) or more that are larger than the
 * mean of limits[] over those on them. *out is an array (base/array.h) for the caller to free; too
 * few places, and such as lie in a plane, have none. */
tl_status tl_voids_find(const double *places, size_t count, const double *limits, tl_void **out,
                        size_t *found, tl_error *error);

/* Whether x is in the convex hull of `count` places, and no nearer to its faces than `inside`. */
tl_status tl_hull_holds(const tl_vec3 *places, size_t count, tl_vec3 x, double inside, bool *holds,
                        tl_error *error);

#endif
