/* Spreading particles evenly in a body, without a lattice. */
#ifndef TL_SCENE_RELAX_H
#define TL_SCENE_RELAX_H

#include "scene/fill_form.h"

/* Moves places that are inside of a body until they are about a spacing apart and half a spacing
 * below the surface. `conforming` makes the outermost layer lie at that depth exactly. `random` is
 * the seed of the first push off the lattice. The same for any number of threads. */
tl_status tl_relax(const tl_body_def *body, double spacing, bool conforming, uint64_t random,
                   const tl_parallel *parallel, tl_places *places, tl_error *error);

#endif
