/* A mesh made ready for questions: how far is its surface, on which side is a point, and (sweep.h)
 * where does a moving sphere touch it. Immutable, so threads may share it. A closed mesh bounds a
 * solid; any other is a sheet that has two equal sides. */
#ifndef TL_MESH_SOLID_H
#define TL_MESH_SOLID_H

#include "mesh/mesh.h"

typedef struct tl_solid tl_solid;

/* TL_BAD_INPUT for vertices that are not finite or beyond 1e30 m and for indices beyond the
 * vertices. The solid keeps what it needs: the mesh may be freed or changed. */
tl_status tl_solid_make(const tl_mesh *mesh, tl_solid **out, tl_error *error);

void tl_solid_free(tl_solid *solid);

bool tl_solid_is_closed(const tl_solid *solid);

/* The box along the axes around it; low > high when it has no triangles. */
void tl_solid_bounds(const tl_solid *solid, tl_vec3 *low, tl_vec3 *high);

/* Sum of the areas of its triangles (m²). */
double tl_solid_area(const tl_solid *solid);

typedef struct tl_nearest {
    tl_vec3 point;     /* of the surface */
    tl_vec3 normal;    /* unit; of the face, or the mean of what meets in an edge or a corner */
    double distance;   /* m */
    uint32_t triangle; /* one that holds the point */
} tl_nearest;

/* The nearest point of the surface, if there is one within `reach` of x. Of a closed mesh the
 * normal points outward and the distance is negative inside; of a sheet the normal points towards x
 * and the distance is not negative. */
bool tl_solid_nearest(const tl_solid *solid, tl_vec3 x, double reach, tl_nearest *out);
/* The same, quicker where the nearest triangle is likely this one, as that of a place nearby is;
 * any number is allowed. */
bool tl_solid_nearest_from(const tl_solid *solid, tl_vec3 x, double reach, uint32_t guess,
                           tl_nearest *out);

/* x is in what a closed mesh bounds; false for a sheet. */
bool tl_solid_inside(const tl_solid *solid, tl_vec3 x);

#endif
