/* Meshes from files. */
#ifndef TL_MESH_LOAD_H
#define TL_MESH_LOAD_H

#include "mesh/mesh.h"

/* The triangles of a file as they are, neither repaired nor placed: OBJ; with assimp also PLY, STL,
 * glTF, 3DS and what else it reads, in a child process with limits of time and memory (import.c). A
 * file that would need more memory than there is, one that crashes its reader or goes beyond the
 * limits, and one with vertices that are not numbers, is refused. */
tl_status tl_mesh_load(const char *path, tl_mesh *out, tl_error *error);

/* Wavefront OBJ: vertices, with colours behind the coordinates if there are any, and faces, which
 * are cut into triangles from their first corner; all else is passed over. `text` ends with a zero,
 * `name` is for messages. */
tl_status tl_mesh_read_obj(const char *text, const char *name, tl_mesh *out, tl_error *error);

/* Whether other formats than OBJ can be read. */
bool tl_mesh_has_assimp(void);

#endif
