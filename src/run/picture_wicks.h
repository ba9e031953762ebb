/* The wicks that pictures show where sources are flames on wicks: thin, and bent over at their end,
 * with the air if it moves. How they are bent is for the eye; what they do is that of a straight
 * one. */
#ifndef TL_RUN_PICTURE_WICKS_H
#define TL_RUN_PICTURE_WICKS_H

#include "output/frame.h"
#include "render/preview.h"
#include "scene/scene.h"

/* As thick at its end as so much of its thickness: it chars. */
#define TL_WICK_THIN 0.6

typedef struct tl_wick_mesh {
    tl_mesh form;  /* as it stands at the start */
    size_t source; /* of the scene: its number */
} tl_wick_mesh;

/* Makes the wick of source number `source`; the mesh borrows its triangles. Free it with
 * tl_mesh_free(&out->form). */
tl_status tl_wick_make(const tl_scene *scene, size_t source, tl_wick_mesh *out,
                       tl_preview_mesh *mesh, tl_error *error);

/* Where its end is seen when its flame is at `flame`. */
tl_vec3 tl_wick_end(const tl_wick_def *wick, tl_vec3 flame);

/* Brings the mesh to where the wick is in a frame. */
void tl_wick_burn(const tl_scene *scene, const tl_wick_mesh *wick, const tl_frame *frame,
                  tl_preview_mesh *mesh);

#endif
