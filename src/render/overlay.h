/* Words on a finished picture: title, caption, legend and scale. */
#ifndef TL_RENDER_OVERLAY_H
#define TL_RENDER_OVERLAY_H

#include "render/preview.h"

void tl_overlay_draw(const tl_preview_scene *scene, int width, int height, unsigned char *rgb);

#endif
