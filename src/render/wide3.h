/* Vectors of three floats of as many pixels as there are lanes. */
#ifndef TL_RENDER_WIDE3_H
#define TL_RENDER_WIDE3_H

#include "base/simd.h"
#include "render/float3.h"

typedef struct tl_wide3 {
    tl_wide x, y, z;
} tl_wide3;

TL_INLINE tl_wide3 tl_wide3_splat(tl_float3 a) {
    return (tl_wide3){tl_splat(a.x), tl_splat(a.y), tl_splat(a.z)};
}
TL_INLINE tl_wide3 tl_wide3_load(const float a[3][TL_LANES]) {
    return (tl_wide3){tl_load(a[0]), tl_load(a[1]), tl_load(a[2])};
}
TL_INLINE void tl_wide3_store(float out[3][TL_LANES], tl_wide3 a) {
    tl_store(out[0], a.x), tl_store(out[1], a.y), tl_store(out[2], a.z);
}
TL_INLINE tl_wide3 tl_wide3_add(tl_wide3 a, tl_wide3 b) {
    return (tl_wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}
TL_INLINE tl_wide3 tl_wide3_sub(tl_wide3 a, tl_wide3 b) {
    return (tl_wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}
TL_INLINE tl_wide3 tl_wide3_scale(tl_wide3 a, tl_wide s) {
    return (tl_wide3){a.x * s, a.y * s, a.z * s};
}
/* a + s b */
TL_INLINE tl_wide3 tl_wide3_mad(tl_wide3 a, tl_wide s, tl_wide3 b) {
    return (tl_wide3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
/* Component by component. */
TL_INLINE tl_wide3 tl_wide3_times(tl_wide3 a, tl_wide3 b) {
    return (tl_wide3){a.x * b.x, a.y * b.y, a.z * b.z};
}
TL_INLINE tl_wide3 tl_wide3_mix(tl_wide3 a, tl_wide3 b, tl_wide t) {
    return tl_wide3_mad(a, t, tl_wide3_sub(b, a));
}
TL_INLINE tl_wide tl_wide3_dot(tl_wide3 a, tl_wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
TL_INLINE tl_wide3 tl_wide3_unit(tl_wide3 a) {
    return tl_wide3_scale(a, 1 / tl_sqrt(tl_max(tl_wide3_dot(a, a), tl_splat(1e-30f))));
}
TL_INLINE tl_wide tl_wide_part(tl_wide x) { return tl_min(tl_positive(x), tl_splat(1)); }
TL_INLINE tl_wide tl_wide_abs(tl_wide x) { return tl_max(x, -x); }
/* 0 at and below a, 1 at and above b, smooth between. */
TL_INLINE tl_wide tl_wide_smoothstep(float a, float b, tl_wide x) {
    const tl_wide t = tl_wide_part((x - a) * (1 / (b - a)));
    return t * t * (3 - 2 * t);
}

#endif
