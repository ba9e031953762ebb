/* Which points of a lattice are inside of a mesh. Each line of points is cut by the triangles that
 * it meets; their signs add up to the winding number at each point. The lines run along x, y and z,
 * and two of the three decide: a line that slips through a crack, or along an edge, is outvoted.
 * Where shells overlap, the inside counts once. */
#ifndef TL_MESH_SCAN_H
#define TL_MESH_SCAN_H

#include "base/parallel.h"
#include "mesh/mesh.h"

/* Points start + (i, j, k) step, in the order of i, then j, then k. */
typedef struct tl_lattice {
    double start[3], step[3];
    size_t n[3];
} tl_lattice;

/* inside[i + n0 (j + n1 k)] = 1 or 0. The same for any number of threads. */
tl_status tl_mesh_scan(const tl_mesh *mesh, const tl_lattice *lattice, const tl_parallel *parallel,
                       uint8_t *inside, tl_error *error);

/* The same for what is inside of more than `shells` shells. */
tl_status tl_mesh_scan_shells(const tl_mesh *mesh, const tl_lattice *lattice, int shells,
                              const tl_parallel *parallel, uint8_t *inside, tl_error *error);

#endif
