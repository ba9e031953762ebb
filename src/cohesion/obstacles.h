/* Collisions: what keeps particles out of walls, and bodies out of each other [Ton91 eq. 17, 18].
 * At the distance d from the surface (or from a particle of another body)
 *
 *   e(d) = α/d^η + β d + γ  for d <= d0, else 0;   β = η α / d0^(η+1),   γ = -α/d0^η - β d0
 *
 * so that energy and force begin at d0 without a jump. α follows from β, which the paper gives. */
#ifndef TL_COHESION_OBSTACLES_H
#define TL_COHESION_OBSTACLES_H

#include "boundary/shapes.h"
#include "cohesion/params.h"

typedef struct tl_collision {
    double exponent, distance; /* η, d0 (m) */
    double alpha, beta, gamma; /* J m^η, N, J */
} tl_collision;

/* TL_BAD_INPUT for a distance, a force or an exponent that is not above zero. */
tl_status tl_collision_make(const tl_collision_params *params, double spacing, tl_collision *out,
                            tl_error *error);

/* Energy (J) and force (N, away from the surface) at a distance; not finite at d <= 0. */
double tl_collision_at(const tl_collision *c, double d, double *force);

/* What all obstacles do to a particle. */
typedef struct tl_obstacle_sum {
    double force[3]; /* N */
    double energy;   /* J */
    double nearest;  /* m: distance from the nearest surface; negative inside */
} tl_obstacle_sum;

tl_obstacle_sum tl_obstacles_at(const tl_collision *c, const tl_shapes *shapes, tl_vec3 x);

#endif
