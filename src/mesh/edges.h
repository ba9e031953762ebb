/* Which triangles of a mesh meet at an edge: all sides of triangles, sorted by the edge they lie
 * on. */
#ifndef TL_MESH_EDGES_H
#define TL_MESH_EDGES_H

#include "mesh/mesh.h"

/* The side of a triangle that runs from its corner k to the next; side = 3 triangle + k. */
typedef struct tl_mesh_side {
    uint32_t low, high; /* vertices */
    uint32_t side;
    bool falls; /* runs from high to low */
} tl_mesh_side;

/* The sides of all triangles (three each, freed with free()) by low, high and side. */
tl_status tl_mesh_sides(const tl_mesh *mesh, tl_mesh_side **out, tl_error *error);

/* Past the last side on the same edge as sides[i]. */
static inline size_t tl_mesh_edge_end(const tl_mesh_side *sides, size_t count, size_t i) {
    size_t end = i + 1;
    while (end < count && sides[end].low == sides[i].low && sides[end].high == sides[i].high)
        end++;
    return end;
}

#endif
