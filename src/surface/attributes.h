/* Fields of particles on the vertices of their surface: numbers are means over the particles near
 * by, weighted with the blobs' shape; words such as the material are those of the nearest. */
#ifndef TL_SURFACE_ATTRIBUTES_H
#define TL_SURFACE_ATTRIBUTES_H

#include "surface/surface.h"

/* Fills surface->vertices: position, normal, and of the frame what surfaces show, and the field
 * `also` unless it is NULL. */
tl_status tl_surface_attributes(tl_surface *surface, const tl_frame *frame, const char *also,
                                const tl_parallel *parallel, tl_error *error);

/* The particle of the cloud, in its sorted order, that is nearest to each vertex. */
void tl_surface_nearest(const tl_surface *surface, const tl_parallel *parallel, uint32_t *out);

#endif
