/* Lights: where they are seen from a place, and how bright they are there. */
#ifndef TL_TRACE_LAMPS_H
#define TL_TRACE_LAMPS_H

#include "trace/space.h"

/* A round light, far away or at a place. */
typedef struct tl_trace_lamp {
    bool is_far, is_flame;
    tl_float3 center; /* the unit vector towards it when it is far */
    float size;       /* m, its radius; when far, the sine of half its angle; 0: a point */
    tl_float3 power;  /* π times this is the irradiance of what faces it (in 1 m) */
} tl_trace_lamp;

typedef struct tl_trace_lamps {
    tl_trace_lamp *items;
    size_t count;
    tl_float3 zenith, horizon;
} tl_trace_lamps;

tl_status tl_trace_lamps_make(const tl_trace_scene *scene, tl_space *space, tl_trace_lamps *out,
                              tl_error *error);

tl_float3 tl_sky_light(const tl_trace_lamps *lamps, tl_float3 along);

/* A direction towards a lamp. */
typedef struct tl_trace_lamp_sample {
    tl_float3 along, light;  /* light: radiance / density; of a point: irradiance */
    float distance, density; /* density: 1/sr; 0: of a point */
} tl_trace_lamp_sample;

bool tl_trace_lamp_choose(const tl_trace_lamp *lamp, tl_float3 place, tl_float2 u,
                          tl_trace_lamp_sample *out);

/* If a ray meets a lamp that is not a point: its radiance, the distance, and the density with which
 * tl_trace_lamp_choose finds this direction. */
bool tl_trace_lamp_meet(const tl_trace_lamp *lamp, const tl_ray *ray, tl_float3 *radiance,
                        float *distance, float *density);

#endif
