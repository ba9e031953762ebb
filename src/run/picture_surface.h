/* The look `surface`: matter drawn as the smooth surface that `tallow surface` finds. */
#ifndef TL_RUN_PICTURE_SURFACE_H
#define TL_RUN_PICTURE_SURFACE_H

#include "render/preview.h"
#include "surface/surface.h"

struct tl_shot;

/* Kept from picture to picture to be used again. Zero-initialise. */
typedef struct tl_picture_surface {
    tl_surface surface;
    float *colours; /* three a vertex */
    tl_preview_mesh *meshes;
} tl_picture_surface;

/* Finds the surface of the shot's frame, its colours with it, as a mesh to be drawn. */
tl_status tl_picture_surface_make(const struct tl_shot *shot, tl_preview_mesh *out,
                                  tl_error *error);

/* The same without colours, for a look that finds its own. */
tl_status tl_picture_surface_find(const struct tl_shot *shot, tl_preview_mesh *out,
                                  tl_error *error);

/* A tl_look_fn. */
tl_status tl_look_surface(struct tl_shot *shot, tl_error *error);

void tl_picture_surface_free(tl_picture_surface *memory);

#endif
