/* How walls act on the implicit flow: for each particle near a surface, the sums over the wall
 * samples it feels (flow/strain.h). No-slip: the flow goes on linearly below the surface, so a
 * sample at `depth` seems to move against the particle with s = 1 + depth / distance times its
 * velocity relative to the wall. Free-slip: only the motion along the normal is known there, so the
 * pair counts with the normal part of its direction alone; friction is a force of its own
 * (friction.h). Held matter (tl_strain_hold) counts as samples of a no-slip wall, whose surface is
 * found from the matter itself (held.h). */
#ifndef TL_BOUNDARY_LINKS_H
#define TL_BOUNDARY_LINKS_H

#include "boundary/samples.h"
#include "flow/strain.h"

/* What tells how the matter pulls at walls: as it was at the end of the last step. */
typedef struct tl_pulling {
    const double *velocity; /* [3 n] */
    const float *pressure, *viscosity;
} tl_pulling;

/* Fills the links of `s` from the samples in the rows of the list. Walls hold no matter that pulls
 * at them with more than their stickiness: where it leaves a wall with the speed u, from the
 * distance y, that is 2 η u / y - p. NULL: all hold. */
tl_status tl_links_make(tl_strain *s, const tl_neighbor_list *list, const tl_shapes *shapes,
                        const tl_samples *samples, const tl_pulling *pulling, tl_vec3 origin,
                        double spacing, tl_error *error);

/* Adds to a link the pair with direction d, weight w, factor s and velocity v of a no-slip wall. */
void tl_link_add(tl_wall_link *link, const float d[3], float w, float s, const float v[3]);

/* The part of a pair that acts on velocities along a surface that is not plane (bend.h): `more` is
 * added to s for them. */
typedef struct tl_link_along {
    float normal[3];
    float velocity[3]; /* of the wall, where the particle is */
    float more;
} tl_link_along;

/* Adds that to a pair that has been added. The exact sum of e d d, e = more d_t, is not symmetric;
 * what is added is d_n (d_t d_t n + d_t n d_t + n d_t d_t - d_t² n n n), which has the same shear
 * along the surface, no swelling and no force by pressure. */
void tl_link_add_along(tl_wall_link *link, const float d[3], float w, float s, const float v[3],
                       const tl_link_along *along);

#endif
