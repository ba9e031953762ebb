/* A picture with a skin over its matter: the passes, one after the other. */
#ifndef TL_RENDER_PICTURE_H
#define TL_RENDER_PICTURE_H

#include "base/memory.h"
#include "render/preview.h"

tl_status tl_skin_picture(const tl_parallel *parallel, tl_arena *arena,
                          const tl_preview_scene *scene, const tl_camera *camera, int width,
                          int height, unsigned char *rgb, tl_error *error);

#endif
