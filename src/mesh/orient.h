/* Which way triangles look. */
#ifndef TL_MESH_ORIENT_H
#define TL_MESH_ORIENT_H

#include "mesh/mesh.h"

/* Turns triangles so that those of a shell agree and closed shells look outwards, but for hollows
 * in others; sets mesh->closed. Triangles are sorted by shell. */
tl_status tl_mesh_orient(tl_mesh *mesh, size_t *turned, size_t *shells, tl_error *error);

#endif
