/* Mending what is harmless in a mesh: vertices that are there twice, triangles without area,
 * triangles that are there twice, sides that disagree. */
#ifndef TL_MESH_REPAIR_H
#define TL_MESH_REPAIR_H

#include "mesh/mesh.h"

/* What was mended. */
typedef struct tl_mesh_repairs {
    size_t welded;   /* vertices that lay on another one */
    size_t flat;     /* triangles without area */
    size_t repeated; /* triangles that were there before */
    size_t turned;   /* triangles that looked the other way than their neighbours, or inwards */
    size_t shells;   /* parts that hang together */
} tl_mesh_repairs;

/* Mends `mesh` and sets mesh->closed. Each shell looks outwards; one that was inside out within
 * another is a hollow, and stays so. `repairs` may be NULL. */
tl_status tl_mesh_repair(tl_mesh *mesh, tl_mesh_repairs *repairs, tl_error *error);

/* How often the triangles [begin, end) wind around a point: 1 inside of a closed mesh, 0 outside
 * (van Oosterom & Strackee 1983). */
double tl_mesh_winding(const tl_mesh *mesh, size_t begin, size_t end, tl_vec3 point);

#endif
