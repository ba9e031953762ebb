/* Lays the skin, in its light, over what is behind it. */
#ifndef TL_RENDER_LAY_H
#define TL_RENDER_LAY_H

#include "render/shine.h"

tl_status tl_skin_lay(const tl_parallel *parallel, tl_arena *arena, const tl_air *air,
                      const tl_float3 *backdrop, tl_float3 *light, tl_error *error);

#endif
