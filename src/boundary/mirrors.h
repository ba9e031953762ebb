/* Which walls are mirrors for the matter beside them (flow/mirror.h). */
#ifndef TL_BOUNDARY_MIRRORS_H
#define TL_BOUNDARY_MIRRORS_H

#include "boundary/shapes.h"
#include "flow/strain.h"

/* True for planes at rest along which matter slides freely, and which hold it however much it
 * pulls. */
bool tl_is_mirror(const tl_shape *shape);

/* The planes of all walls that are, if all are planes; NULL: none. `origin`: of the places in the
 * records. */
void tl_mirrors_choose(tl_mirrors *mirrors, const tl_shapes *walls, tl_vec3 origin);

/* Adds the pairs of the particle of a link with its own images. `unit` is that of ω for matter. */
void tl_mirrors_link(const tl_strain *s, float unit, tl_wall_link *link);

#endif
