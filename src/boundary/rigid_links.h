/* How rigid bodies act on the implicit flow: as no-slip walls do (links.h), whose samples are the
 * particles of the body at their depth below its surface. A particle has one link to each body it
 * feels, behind the one to walls. */
#ifndef TL_BOUNDARY_RIGID_LINKS_H
#define TL_BOUNDARY_RIGID_LINKS_H

#include "boundary/links.h"
#include "flow/rigid_modes.h"

/* `surfaces` are those of the bodies, in their order, where they are now; `thin` is as in links.h.
 * A step of tl_pairs_make (pairs.h). */
tl_status tl_rigid_links_make(tl_strain *s, tl_rigid_modes *modes, const tl_neighbor_list *list,
                              const tl_shapes *surfaces, const tl_thin_matter *thin, tl_vec3 origin,
                              tl_error *error);

#endif
