/* What is wrong with a mesh that repair.h does not mend. */
#ifndef TL_MESH_INSPECT_H
#define TL_MESH_INSPECT_H

#include "mesh/mesh.h"

typedef struct tl_mesh_findings {
    size_t open_edges, holes; /* edges of one triangle, and the loops that they make */
    size_t crowded_edges;     /* edges of more than two triangles */
    size_t twisted_edges;     /* edges whose two triangles disagree: there is no outside */
    size_t crossings;         /* pairs of triangles that pass through each other */
    bool more_crossings;      /* the search was given up: there may be more */
} tl_mesh_findings;

tl_status tl_mesh_inspect(const tl_mesh *mesh, tl_mesh_findings *out, tl_error *error);

/* Pairs of triangles that pass through each other, and do not only touch. Gives up after some
 * seconds' work, and says so. */
tl_status tl_mesh_count_crossings(const tl_mesh *mesh, size_t *count, bool *more, tl_error *error);

#endif
