/* Flames: volumes that shine, and let little of what is behind them through. Their light on other
 * things is that of lamps (lamps.h). */
#ifndef TL_TRACE_FLAMES_H
#define TL_TRACE_FLAMES_H

#include "trace/space.h"

typedef struct tl_flame {
    tl_float3 foot;             /* the bottom of its axis */
    tl_float3 side[2], up;      /* axes of its frame, at right angles; the last is its own */
    float wide, tall, strength; /* m */
} tl_flame;

typedef struct tl_flames {
    tl_flame *items;
    size_t count;
} tl_flames;

tl_status tl_flames_make(const tl_trace_scene *scene, tl_space *space, tl_flames *out,
                         tl_error *error);

/* The light of the flames along a ray up to a distance; *passes is the part that is left of what
 * comes from there. */
tl_float3 tl_flames_meet(const tl_flames *flames, const tl_ray *ray, float distance, float *passes);

#endif
