/* What a flame looks like: a drop with its tip up. It is TL_FLAME_TALL times as tall as its width
 * says, and its middle, where it is widest, stands at the part TL_FLAME_MIDDLE of its height. */
#ifndef TL_RENDER_FLAME_H
#define TL_RENDER_FLAME_H

#include "render/float3.h"

#define TL_FLAME_TALL    3.9f
#define TL_FLAME_MIDDLE  0.44f
#define TL_FLAME_HALF    0.56f /* of its width: from the axis to the rim, at most */
#define TL_FLAME_OPACITY 0.9f  /* of what is behind its middle, so much is not seen */

/* Half its width over its height, from 0 at the bottom to 1. */
static inline float tl_flame_half_width(float t) {
    return 1.295f * sqrtf(t) * (1 - t) * (1 + 0.35f * t);
}

/* The part that is dark: around the wick, where fuel is gas and does not burn yet. */
static inline float tl_flame_dark(float t, float in) {
    return tl_smoothstep(0.1f, 0.75f, in) * (1 - tl_smoothstep(0.16f, 0.44f, t));
}

/* How much flame there is at a height, and at `in`, from 0 at the rim to 1 at the axis. */
static inline float tl_flame_body(float t, float in) {
    return tl_smoothstep(0, 0.75f, in) * tl_smoothstep(0, 0.14f, t) *
           (1 - 0.6f * tl_flame_dark(t, in)) * (1 - 0.75f * tl_smoothstep(0.65f, 1, t));
}

/* Linear light, brighter than white: blue at the bottom, orange at the rim. */
static inline tl_float3 tl_flame_light(float t, float in) {
    const tl_float3 core = {3.2f, 2.3f, 1.0f}, rim = {1.6f, 0.6f, 0.10f};
    const tl_float3 base = {0.05f, 0.11f, 0.55f}, dim = {0.85f, 0.42f, 0.14f};
    const tl_float3 hot = tl_float3_mix(rim, core, tl_smoothstep(0.15f, 0.8f, in));
    const tl_float3 inner = tl_float3_mix(hot, dim, tl_flame_dark(t, in));
    return tl_float3_mix(base, inner, tl_smoothstep(0.06f, 0.26f, t));
}

/* Linear light of what glows at the end of a wick, at `in`, from 0 at its rim to 1. */
static inline tl_float3 tl_ember_light(float in) {
    const tl_float3 hot = {2.2f, 0.5f, 0.06f}, rim = {0.8f, 0.1f, 0.01f};
    return tl_float3_mix(rim, hot, in);
}

#endif
