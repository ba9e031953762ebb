/* The light that comes along one ray. */
#ifndef TL_TRACE_PATH_H
#define TL_TRACE_PATH_H

#include "trace/lamps.h"

typedef struct tl_scenery {
    tl_space space;
    tl_trace_lamps lamps;
    float most, contact; /* as in tl_trace_scene */
} tl_scenery;

/* What the first surface on the way is like. */
typedef struct tl_features {
    tl_float3 colour, normal;
    float distance;
} tl_features;

tl_float3 tl_path_light(const tl_scenery *scenery, tl_ray ray, tl_sampler *sampler,
                        tl_features *features, uint64_t *rays);

#endif
