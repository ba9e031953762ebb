/* Last touches: flames, the glow around what is very bright, and bytes. */
#ifndef TL_RENDER_FINISH_H
#define TL_RENDER_FINISH_H

#include "render/skin.h"

tl_status tl_finish(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                    tl_float3 *light, unsigned char *rgb, tl_error *error);

#endif
