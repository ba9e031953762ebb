/* Vectors of three floats, for pixels. */
#ifndef TL_RENDER_FLOAT3_H
#define TL_RENDER_FLOAT3_H

#include "math/vec3.h"

typedef struct tl_float3 {
    float x, y, z;
} tl_float3;

static inline tl_float3 tl_float3_of(tl_vec3 a) {
    return (tl_float3){(float)a.x, (float)a.y, (float)a.z};
}
static inline tl_float3 tl_float3_add(tl_float3 a, tl_float3 b) {
    return (tl_float3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline tl_float3 tl_float3_sub(tl_float3 a, tl_float3 b) {
    return (tl_float3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline tl_float3 tl_float3_scale(tl_float3 a, float s) {
    return (tl_float3){a.x * s, a.y * s, a.z * s};
}
/* a + s b */
static inline tl_float3 tl_float3_mad(tl_float3 a, float s, tl_float3 b) {
    return (tl_float3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
/* Component by component. */
static inline tl_float3 tl_float3_times(tl_float3 a, tl_float3 b) {
    return (tl_float3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline tl_float3 tl_float3_mix(tl_float3 a, tl_float3 b, float t) {
    return tl_float3_mad(a, t, tl_float3_sub(b, a));
}
static inline float tl_float3_dot(tl_float3 a, tl_float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline tl_float3 tl_float3_cross(tl_float3 a, tl_float3 b) {
    return (tl_float3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline tl_float3 tl_float3_unit(tl_float3 a) {
    const float square = tl_float3_dot(a, a);
    return square > 0 ? tl_float3_scale(a, 1 / sqrtf(square)) : a;
}
static inline float tl_clamp01(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
/* 0 at and below a, 1 at and above b, smooth between. */
static inline float tl_smoothstep(float a, float b, float x) {
    const float t = tl_clamp01((x - a) / (b - a));
    return t * t * (3 - 2 * t);
}

#endif
