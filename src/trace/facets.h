/* Microfacets: GGX with Smith's masking (Walter et al. 2007), in the frame whose z is the normal.
 * α = roughness². Directions point away from the surface. Visible normals are sampled by spherical
 * caps (Dupuy & Benyoub 2023, "Sampling visible GGX normals with spherical caps"). */
#ifndef TL_TRACE_FACETS_H
#define TL_TRACE_FACETS_H

#include "math/pi.h"
#include "render/float3.h"
#include "trace/sampler.h"

/* The part that a smooth boundary reflects, for light that meets it at a cosine from the side where
 * the index is `from` of 1 / eta on the other: eta = n_other / n_here. */
static inline float tl_fresnel(float cosine, float eta) {
    const float c = fabsf(cosine), s2 = (1 - c * c) / (eta * eta);
    if (s2 >= 1)
        return 1;
    const float t = sqrtf(1 - s2);
    const float across = (c - eta * t) / (c + eta * t), along = (eta * c - t) / (eta * c + t);
    return 0.5f * (across * across + along * along);
}

/* Of a metal that reflects f0 head on (Schlick 1994). */
static inline float tl_fresnel_metal(float cosine, float f0) {
    const float m = 1 - fabsf(cosine), m2 = m * m;
    return f0 + (1 - f0) * m2 * m2 * m;
}

static inline float tl_facet_lambda(tl_float3 v, float alpha) {
    const float across = alpha * alpha * (v.x * v.x + v.y * v.y);
    return 0.5f * (sqrtf(1 + across / fmaxf(v.z * v.z, 1e-12f)) - 1);
}

static inline float tl_facet_density(tl_float3 h, float alpha) {
    const float a2 = alpha * alpha, d = (h.x * h.x + h.y * h.y) + a2 * h.z * h.z;
    return a2 / (TL_PI_F * d * d);
}

/* A normal as seen from v. */
static inline tl_float3 tl_facet_sample(tl_float3 v, float alpha, tl_float2 u) {
    const tl_float3 w = tl_float3_unit((tl_float3){alpha * v.x, alpha * v.y, v.z});
    const float z = (1 - u.y) * (1 + w.z) - w.z, s = sqrtf(fmaxf(0, 1 - z * z));
    const float phi = 2 * TL_PI_F * u.x;
    const tl_float3 h = {s * cosf(phi) + w.x, s * sinf(phi) + w.y, z + w.z};
    return tl_float3_unit((tl_float3){alpha * h.x, alpha * h.y, fmaxf(h.z, 1e-6f)});
}

static inline tl_float3 tl_reflect(tl_float3 v, tl_float3 h) {
    return tl_float3_sub(tl_float3_scale(h, 2 * tl_float3_dot(v, h)), v);
}

/* v bent at a facet whose normal is on its side; false when all is reflected. */
static inline bool tl_refract(tl_float3 v, tl_float3 h, float eta, tl_float3 *out) {
    const float c = tl_float3_dot(v, h), s2 = (1 - c * c) / (eta * eta);
    if (s2 >= 1)
        return false;
    *out = tl_float3_unit(tl_float3_mad(tl_float3_scale(v, -1 / eta), c / eta - sqrtf(1 - s2), h));
    return true;
}

/* Unit vectors x and y that make a frame with z (Duff et al. 2017). */
static inline void tl_frame_about(tl_float3 z, tl_float3 *x, tl_float3 *y) {
    const float sign = copysignf(1, z.z), a = -1 / (sign + z.z), b = z.x * z.y * a;
    *x = (tl_float3){1 + sign * z.x * z.x * a, sign * b, -sign * z.x};
    *y = (tl_float3){b, sign + z.y * z.y * a, -z.y};
}

static inline tl_float3 tl_cosine_sample(tl_float2 u) {
    const float r = sqrtf(u.x), phi = 2 * TL_PI_F * u.y;
    return (tl_float3){r * cosf(phi), r * sinf(phi), sqrtf(fmaxf(1e-6f, 1 - u.x))};
}

#endif
