/* Closing the holes of a mesh, which is guessing and so only done on request. */
#ifndef TL_MESH_HOLES_H
#define TL_MESH_HOLES_H

#include "mesh/mesh.h"

/* Covers every loop of open edges with triangles between its own vertices, which look the way their
 * neighbours do; *holes is how many there were. The mesh is one that was repaired, and is repaired
 * again afterwards. TL_BAD_INPUT, and nothing changed, where holes meet in a vertex, where sides
 * disagree along one, and where vertices alone do not do. */
tl_status tl_mesh_close_holes(tl_mesh *mesh, size_t *holes, tl_error *error);

#endif
