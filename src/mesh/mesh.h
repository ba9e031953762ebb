/* A triangle mesh: the common form of everything that is not a plane, a box along the axes or a
 * ball. Matter fills it, walls and rigid bodies are bounded by it. Triangles of a closed mesh are
 * counter-clockwise seen from outside. */
#ifndef TL_MESH_MESH_H
#define TL_MESH_MESH_H

#include "base/array.h"
#include "math/vec3.h"

#include <stdint.h>

typedef struct tl_mesh {
    tl_vec3 *vertices;
    uint32_t (*triangles)[3]; /* indices of vertices */
    float (*colours)[3];      /* [vertices] 0..1; NULL: none */
    size_t vertex_count, triangle_count;
    bool closed; /* bounds a volume: each edge is shared by two triangles that agree on its side */
    size_t closed_holes; /* that the file had (holes.h) */
} tl_mesh;

/* Add one vertex, one triangle. */
tl_status tl_mesh_add_vertex(tl_mesh *mesh, tl_vec3 vertex, tl_error *error);
tl_status tl_mesh_add_triangle(tl_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, tl_error *error);

/* Corner k of a triangle. */
static inline tl_vec3 tl_mesh_corner(const tl_mesh *mesh, size_t triangle, int k) {
    return mesh->vertices[mesh->triangles[triangle][k]];
}

/* The box along the axes around all vertices; an empty mesh has low > high. */
void tl_mesh_bounds(const tl_mesh *mesh, tl_vec3 *low, tl_vec3 *high);

/* Sum of the areas of all triangles (m²). */
double tl_mesh_area(const tl_mesh *mesh);

/* Volume, centroid and second moments of what a closed mesh bounds, exact for its triangles. */
typedef struct tl_mesh_moments {
    double volume;        /* m³; negative when the mesh is inside out */
    tl_vec3 centroid;     /* m */
    double inertia[3][3]; /* m⁵: of unit density, about the centroid */
} tl_mesh_moments;
tl_mesh_moments tl_mesh_find_moments(const tl_mesh *mesh);

void tl_mesh_free(tl_mesh *mesh);

#endif
