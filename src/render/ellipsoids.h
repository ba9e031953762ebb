/* Ellipsoids for the particles of a skin, as long along each direction as the matter around them
 * reaches: flat on faces, long on threads, round where a particle is alone, so that faces are even
 * and drops have tips [Chao12 3.5.2; Yu & Turk 2013]. */
#ifndef TL_RENDER_ELLIPSOIDS_H
#define TL_RENDER_ELLIPSOIDS_H

#include "base/memory.h"
#include "render/preview.h"

/* All points x with (x - at)ᵀ M (x - at) <= 1. */
typedef struct tl_ellipsoid {
    tl_vec3 at;   /* m */
    float M[6];   /* 1/m²: xx yy zz xy yz xz */
    float reach;  /* m, of the longest axis; 0: not to be drawn */
    float fill;   /* volume of a particle, in volumes of the ellipsoid */
    bool is_deep; /* in the midst of matter: never seen from outside */
} tl_ellipsoid;

/* Finds the shapes of the spheres of scene->skin, in their order. Those whose place is not finite
 * get none. */
tl_status tl_ellipsoids_make(const tl_parallel *parallel, tl_arena *arena,
                             const tl_preview_scene *scene, tl_ellipsoid **out, tl_error *error);

#endif
