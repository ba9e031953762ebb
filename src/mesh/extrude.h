/* Flat outlines drawn out into solids. */
#ifndef TL_MESH_EXTRUDE_H
#define TL_MESH_EXTRUDE_H

#include "mesh/mesh.h"

/* Closed contours in a plane; one runs around its holes the other way. */
typedef struct tl_outline {
    double (*points)[2];
    size_t count;
    size_t *ends; /* [contours] past the last point of each */
    size_t contours;
} tl_outline;

tl_status tl_outline_add(tl_outline *outline, double x, double y, tl_error *error);

/* Ends the contour that the points since the last end make. */
tl_status tl_outline_close(tl_outline *outline, tl_error *error);

void tl_outline_free(tl_outline *outline);

/* Adds the solid between `near` and `far` along y whose section in x and z is what the outline
 * winds around. Contours may cross. */
tl_status tl_mesh_extrude(tl_mesh *mesh, const tl_outline *outline, double near, double far,
                          tl_error *error);

#endif
