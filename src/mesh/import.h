/* The formats that assimp reads. Private to this room. */
#ifndef TL_MESH_IMPORT_H
#define TL_MESH_IMPORT_H

#include "mesh/mesh.h"

/* All triangles of a file of `size` bytes, placed by its nodes; refused in builds without assimp.
 */
tl_status tl_mesh_import(const char *path, size_t size, tl_mesh *out, tl_error *error);

#endif
