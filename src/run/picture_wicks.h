/* The wicks that pictures show where sources are flames on wicks. */
#ifndef TL_RUN_PICTURE_WICKS_H
#define TL_RUN_PICTURE_WICKS_H

#include "output/frame.h"
#include "render/preview.h"
#include "scene/scene.h"

typedef struct tl_wick_mesh {
    tl_mesh form;  /* as it stands at the start */
    size_t source; /* of the scene: its number */
} tl_wick_mesh;

/* Makes the wick of source number `source`; the mesh borrows its triangles. Free it with
 * tl_mesh_free(&out->form). */
tl_status tl_wick_make(const tl_scene *scene, size_t source, tl_wick_mesh *out,
                       tl_preview_mesh *mesh, tl_error *error);

/* Brings the mesh to where the wick is in a frame. */
void tl_wick_burn(const tl_scene *scene, const tl_wick_mesh *wick, const tl_frame *frame,
                  tl_preview_mesh *mesh);

#endif
