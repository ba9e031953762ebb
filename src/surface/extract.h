/* The level set of a field on blocks as one triangle mesh: closed, 2-manifold, oriented, with the
 * topology of the trilinear interpolant in every cell (cell.h). */
#ifndef TL_SURFACE_EXTRACT_H
#define TL_SURFACE_EXTRACT_H

#include "base/parallel.h"
#include "mesh/mesh.h"
#include "surface/blocks.h"

/* Replaces what is in `out`, whose memory is used again. No point on the rim of all blocks is
 * inside. The mesh does not depend on the number of threads. */
tl_status tl_surface_extract(const tl_blocks *blocks, const tl_parallel *parallel, tl_mesh *out,
                             tl_error *error);

#endif
