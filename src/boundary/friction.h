/* Friction of walls along which matter slips (Navier 1823): the traction is η u / b, u the velocity
 * along the surface, relative to it, and b the slip length: as if the matter stuck to a wall at b
 * behind the surface. So a particle at the distance y carries η u / (y + b) on its share of the
 * area,
 *
 *   a = V Σ g (-d·n) · 2 / M,   g = V_sample |W'| / r,
 *
 * over its wall samples: on a lattice, whose moment is M, the shares of all layers add up to the
 * area. */
#ifndef TL_BOUNDARY_FRICTION_H
#define TL_BOUNDARY_FRICTION_H

#include "flow/strain.h"

typedef struct tl_friction {
    float area; /* 2 / M */
} tl_friction;

void tl_friction_make(tl_friction *f, tl_kernel kernel, double support, double spacing);

/* Adds the friction of a sample of a wall with normal n and velocity v: `across` is g (-d·n),
 * `depth` the distance from the place where the matter seems to stick, `spacing` the particle's. */
void tl_friction_add(const tl_friction *f, tl_wall_link *link, const float n[3], float across,
                     double depth, double spacing, const float v[3]);

#endif
