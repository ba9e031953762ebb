/* What pressure knows of no-slip walls.
 *
 * The samples below such a wall continue the flow linearly: all that they show is the velocity of
 * the one particle. How the flow changes along the wall they cannot tell, and a fit that takes
 * them at their word finds but 0.8 of what the first layer grows by along it. So the layer feels
 * 0.8 of the slope of a pressure along the wall (virtual work), and in a tank at rest liquid sinks
 * at the walls and rises in between for ever.
 *
 * With t the part of d along the wall, what a sample shows of a flow E is (m(d) - m(t))·E. So
 *
 *   tr E = l·b,   B l = 1,   B = A - Σ ω m(t) m(d)ᵀ over samples,
 *
 * is exact for linear flows that the wall allows, and for those that change along it. On a lattice
 * the first layer feels 0.98 of the slope of pressure along the wall, and what a uniform pressure
 * pushes it with is as little as before (0.03 of what it has on one side). A fit of the same
 * weights without m(t), which is symmetric, pushes with 0.3.
 *
 * Stress by viscosity keeps the plain fit; l is that of border.h, and so are the sweeps. It holds
 * for matter that finds its order anew (ν dt well below dx²). In thick matter, what is wrong with
 * the plain one is a creep of a fifth of ρ g dx² / η at walls. */
#ifndef TL_FLOW_WALL_LEVEL_H
#define TL_FLOW_WALL_LEVEL_H

#include "flow/strain.h"

/* Adds the pair with direction d and weight w of a sample of a no-slip wall, whose unit normal is
 * n, to what the link does not tell. n = 0: nobody knows it. */
void tl_wall_level_add(tl_wall_link *link, const float d[3], float w, const float n[3]);

/* Whether some matter beside no-slip walls asks for it. */
bool tl_wall_level_wanted(const tl_strain *s, const tl_strain_matter *matter);

/* l of particle i beside walls, if it asks for it: from its moments and S over plain weights, walls
 * included. It counts as one at a border then. */
void tl_wall_level_find(tl_strain *s, const tl_strain_matter *matter, size_t i,
                        const float moments[TL_FOURTHS], float S);

#endif
