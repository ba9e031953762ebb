/* The light that comes along one ray. */
#ifndef TL_TRACE_PATH_H
#define TL_TRACE_PATH_H

#include "trace/flames.h"
#include "trace/lamps.h"

typedef struct tl_scenery {
    tl_space space;
    tl_trace_lamps lamps;
    tl_flames flames;
    float most, contact; /* as in tl_trace_scene */
} tl_scenery;

/* What the first surface on the way is like, and the flames before it. */
typedef struct tl_features {
    tl_float3 colour, normal;
    float distance;
    tl_float3 flame; /* their light, and the part that they let through of what is behind them */
    float passes;
} tl_features;

/* The light that is behind the flames before the first surface. */
tl_float3 tl_path_light(const tl_scenery *scenery, tl_ray ray, tl_sampler *sampler,
                        tl_features *features, uint64_t *rays);

#endif
