/* Questions of sides that are answered without rounding: on which side of a plane a point is, and
 * whether a segment meets a triangle. What a filter cannot decide is computed with 106 bits. */
#ifndef TL_MESH_PREDICATES_H
#define TL_MESH_PREDICATES_H

#include "math/vec3.h"

/* The sign of (a - d)·((b - d) × (c - d)): +1 where a, b, c turn clockwise seen from d, -1
 * counter-clockwise, 0 in one plane. */
int tl_orientation(tl_vec3 a, tl_vec3 b, tl_vec3 c, tl_vec3 d);

/* (b - a) × (c - a), right to the last bits however thin the triangle is; zero if it has no area.
 */
tl_vec3 tl_area_vector(tl_vec3 a, tl_vec3 b, tl_vec3 c);

/* The segment p q and the triangle have a point in common, touching included. A flat triangle has
 * no inside to meet: false. */
bool tl_segment_meets(tl_vec3 p, tl_vec3 q, tl_vec3 a, tl_vec3 b, tl_vec3 c);

#endif
