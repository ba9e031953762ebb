/* How walls act on the implicit flow: for each particle near a surface, the sums over the wall
 * samples it feels (flow/strain.h). No-slip: the flow goes on linearly below the surface, so a
 * sample at `depth` seems to move against the particle with s = 1 + depth / distance times its
 * velocity relative to the wall. Free-slip: only the motion along the normal is known there, so the
 * pair counts with the normal part of its direction alone; friction is a force of its own
 * (friction.h). Held matter (tl_strain_hold) counts as samples of a no-slip wall, whose surface is
 * found from the matter itself, or of one with friction (held.h). */
#ifndef TL_BOUNDARY_LINKS_H
#define TL_BOUNDARY_LINKS_H

#include "boundary/held.h"
#include "boundary/samples.h"
#include "flow/strain.h"

/* What tells how the matter pulls at walls: as it was at the end of the last step. */
typedef struct tl_pulling {
    const double *velocity; /* [3 n] */
    const float *pressure, *viscosity;
    const float *elastic; /* [6 n] Pa: stress of springs, xx yy zz xy xz yz; or NULL */
} tl_pulling;

/* Which matter is so thin that artificial viscosity acts on it. Flow that is slow and viscous goes
 * on below curved surfaces as bend.h says; that of thin matter does not, and where this would make
 * its walls give energy (tl_link_dissipates) they are taken for less curved. */
typedef struct tl_thin_matter {
    const float *viscosity; /* [n] Pa·s */
    double least;           /* m²/s: what has less is thin */
} tl_thin_matter;

/* Fills the links of `s` from the samples in the rows of the list. Walls grip no matter that pulls
 * at them with more than their stickiness: where it leaves a wall with the speed u, from the
 * distance y, that is 2 η u / y + n·S n - p with the stress S of springs. NULL: all grip. NULL for
 * `thin`: no matter is. `held`: how what is held slips. */
tl_status tl_links_make(tl_strain *s, const tl_neighbor_list *list, const tl_shapes *shapes,
                        const tl_samples *samples, const tl_pulling *pulling,
                        const tl_thin_matter *thin, tl_held_matter held, tl_vec3 origin,
                        double spacing, tl_error *error);

/* Adds to a link the pair with direction d, weight w, factor s, velocity v and unit normal n of a
 * no-slip wall. */
void tl_link_add(tl_wall_link *link, const float d[3], float w, float s, const float v[3],
                 const float n[3]);

/* Adds the pair of a wall along which matter slips, with the part d of its direction along the
 * normal. Friction is not in it. */
void tl_link_add_across(tl_wall_link *link, const float d[3], float w, float s, const float v[3]);

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

/* Whether the terms with ς take energy through a link by itself, whatever the velocities: what they
 * take is ς (u·D u - b·A⁻¹b), b = -B u, with the drag D, lever B and moments A of the link. Sums of
 * pairs do; what tl_link_add_along adds is no such sum, and may be too much beside sharp edges. */
bool tl_link_dissipates(const tl_wall_link *link);

/* Whether the link of a particle must be found anew with less curved surfaces. */
bool tl_link_must_flatten(const tl_thin_matter *thin, const tl_strain *s, const tl_wall_link *link);

#endif
