/* Moments of a mesh whose parts may lie in each other, as those of figures put together often do:
 * what is inside of several of them counts once. Exact for all else; of what was counted too often,
 * the points of a fine lattice are taken away. */
#ifndef TL_MESH_OVERLAP_H
#define TL_MESH_OVERLAP_H

#include "mesh/mesh.h"

tl_status tl_mesh_find_union(const tl_mesh *mesh, tl_mesh_moments *out, tl_error *error);

#endif
