/* Held matter as a no-slip wall: where the surface of the solid lies, as seen from a particle of
 * the flow. With the sums over the held neighbours (and over samples of walls behind them),
 *
 *   F = Σ V |W'| r,   n = -Σ V |W'| d / |...|,
 *
 * the surface is as far away as that of even layers would be which fill the neighbourhood with F,
 * and lies across n. On lattices that is right to 0.01 spacings, in disorder of 0.15 spacings to
 * 0.06 (standard deviation). A held particle at d stands D = -n·d below the particle, and seems to
 * move against it with s = D / distance times its velocity (links.h).
 *
 * What flows over a material with a solid_slip α [Chao12 eq. 3.16] slips by it as along walls with
 * that slip: pairs count with their normal part, and friction drags as if the matter stuck at the
 * slip length behind the surface (friction.h). Nothing comes off: pairs pull as they push. */
#ifndef TL_BOUNDARY_HELD_H
#define TL_BOUNDARY_HELD_H

#include "boundary/friction.h"
#include "flow/strain.h"
#include "materials/material.h"

enum { TL_HELD_STEPS = 32 };

/* What the particles are made of, for the slip of what is held. */
typedef struct tl_held_matter {
    const uint8_t *material;      /* [n] */
    const tl_material *materials; /* NULL: everything sticks */
} tl_held_matter;

/* F of layers below surfaces at distances of 0, 1/32 ... 1 supports, and what slips there. */
typedef struct tl_held_profile {
    float filling[TL_HELD_STEPS + 1];
    float unit;     /* of V |W'| / r: norm / support⁵ */
    double spacing; /* m: of the scene, by which slip is measured */
    tl_held_matter matter;
    tl_friction friction;
} tl_held_profile;

void tl_held_profile_make(tl_held_profile *profile, tl_kernel kernel, double support,
                          double spacing, tl_held_matter matter);

/* True for matter that is held, and its images; rigid bodies have links of their own. */
static inline bool tl_is_held(const tl_strain *s, size_t j) {
    return tl_records_is_matter(s->records, j) && tl_strain_is_held(s, j) &&
           !tl_strain_body_of(s, j);
}

/* Adds to the link of particle i the held matter in its row. */
void tl_held_add(const tl_held_profile *profile, const tl_strain *s, size_t i, const uint32_t *row,
                 size_t size, tl_wall_link *link);

#endif
