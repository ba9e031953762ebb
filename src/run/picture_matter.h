/* What a shot shows as matter and lights, for renderers that follow light: surfaces of the matter,
 * one a material, walls, the ground, lamps and sky. */
#ifndef TL_RUN_PICTURE_MATTER_H
#define TL_RUN_PICTURE_MATTER_H

#include "run/picture_looks.h"
#include "trace/trace.h"

typedef struct tl_matter_scene {
    tl_trace_scene scene;
    tl_surface *surfaces; /* of the materials; the meshes borrow from them */
    size_t surface_count;
    tl_arena arena;
} tl_matter_scene;

/* Borrows the shot. Free with tl_matter_scene_free, also after a failure. */
tl_status tl_matter_scene_make(const tl_shot *shot, tl_matter_scene *out, tl_error *error);
void tl_matter_scene_free(tl_matter_scene *m);

#endif
