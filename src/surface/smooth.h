/* Smoothing that keeps the volume: Taubin's pairs of steps along and against the Laplacian (1995),
 * which flatten ripples of a few edges and leave what is longer, and then each closed piece moved
 * along its normals until it has the volume it had. */
#ifndef TL_SURFACE_SMOOTH_H
#define TL_SURFACE_SMOOTH_H

#include "base/parallel.h"
#include "mesh/mesh.h"

/* Who is beside whom in a closed mesh, and of which piece a vertex is. Zero-initialise. */
typedef struct tl_mesh_links {
    size_t *begin;      /* [vertices + 1] into beside */
    uint32_t *beside;   /* [3 triangles] the vertices that share an edge with one */
    uint32_t *piece;    /* [vertices] */
    size_t piece_count; /* pieces that hang together */
} tl_mesh_links;

tl_status tl_mesh_link(tl_mesh_links *links, const tl_mesh *mesh, tl_error *error);
void tl_mesh_links_free(tl_mesh_links *links);

/* Unit normals of vertices, outward: the mean of the triangles around, by area. */
void tl_mesh_normals(const tl_mesh *mesh, float (*out)[3]);

/* Volume and area of each piece; out[piece_count][2]. */
void tl_mesh_measure(const tl_mesh *mesh, const tl_mesh_links *links, double (*out)[2]);

/* `pairs` of smoothing steps. */
tl_status tl_mesh_smooth(tl_mesh *mesh, const tl_mesh_links *links, int pairs,
                         const tl_parallel *parallel, tl_error *error);

/* Moves pieces along their normals until piece p has the volume wanted[p]; one that is inside out,
 * as the wall of a bubble is, has a negative volume. */
tl_status tl_mesh_set_volumes(tl_mesh *mesh, const tl_mesh_links *links, const double *wanted,
                              tl_error *error);

#endif
