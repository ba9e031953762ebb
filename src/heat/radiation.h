/* Light of a source that falls on particles, as parts of its power.
 *
 *   square   the part is the solid angle under which the source sees the particle, over 4π
 *   kernel   [Chao12 eq. 3.19] where the source sees the particle; the paper's kernel, made a flux:
 *              q(r) = P 10/(π R²) (1 - r/R)³   on the exposed area, R the reach
 *            A plane through the source takes all of P.
 *   particles  [Chao12 eq. 3.19] as printed: P V W(r) to each particle that the source sees,
 *              W = 15/(π R⁶) (R - r)³; the paper leaves out the volume V, and so gives its Q a unit
 *              of its own. Matter all around the source, all of it seen, would take P; a surface
 *              takes the less the finer its particles are.
 *
 * Spheres and discs are made of points, which give soft shadows. What is absorbed is this times the
 * absorptivity. */
#ifndef TL_HEAT_RADIATION_H
#define TL_HEAT_RADIATION_H

#include "heat/source.h"
#include "heat/visibility.h"

typedef struct tl_radiation {
    tl_visibility visibility;
    double *seen; /* [particles] */
} tl_radiation;

/* Adds `weight` times the parts of the power of a source at `place` that fall on the particles to
 * parts[particles]. Their sum is at most 1, wherever the source is. */
tl_status tl_radiation_add(tl_radiation *radiation, const tl_parallel *parallel,
                           const tl_sight *sight, const tl_source_def *source, tl_vec3 place,
                           double weight, double *parts, tl_error *error);

size_t tl_radiation_bytes(const tl_radiation *radiation);
void tl_radiation_free(tl_radiation *radiation);

#endif
