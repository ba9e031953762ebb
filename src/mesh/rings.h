/* Round forms as rings: a form is the hull of a few circles, each with a ball around all its
 * points. A ball is a point with a ball around it, a capsule two, a rounded box eight of them, a
 * cylinder or a cone two bare circles, a torus one thick circle, which is not its hull but touches
 * planes as that does. So the point of it that reaches farthest in some direction is known exactly,
 * where a mesh has facets. */
#ifndef TL_MESH_RINGS_H
#define TL_MESH_RINGS_H

#include "math/pose.h"
#include "mesh/form.h"

typedef struct tl_ring {
    tl_vec3 centre, axis; /* the axis has length 1 */
    double radius;        /* m: of the circle; 0: a ball */
    double thickness;     /* m: radius of the balls */
} tl_ring;

enum { TL_MOST_RINGS = 8 };

/* The rings of a form whose placed mesh has those moments. Returns how many; 0: it is not round. */
size_t tl_form_rings(const tl_form_def *form, const tl_mesh_moments *placed,
                     tl_ring out[TL_MOST_RINGS]);

/* The point of a ring's circle that is farthest along the unit vector d; false where many are,
 * since d is its axis. */
bool tl_ring_farthest(const tl_ring *ring, tl_vec3 d, tl_vec3 *out);

#endif
