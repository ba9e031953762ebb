/* See substance.h. */
#include "trace/substance.h"

#include "render/view.h"

#include <string.h>

enum { SAMPLES = 1024 }; /* of an entry of the tables */

/* Facets smoother than this are a mirror: floats tell no difference. */
#define SMOOTHEST 1e-3f

float tl_albedo_at(const tl_albedo *albedo, float cosine) {
    const float x = sqrtf(tl_clamp01(fabsf(cosine))) * (TL_ALBEDO_STEPS - 1);
    const int k = x < TL_ALBEDO_STEPS - 2 ? (int)x : TL_ALBEDO_STEPS - 2;
    return albedo->at[k] + (x - (float)k) * (albedo->at[k + 1] - albedo->at[k]);
}

float tl_substance_reflects(const tl_substance *s, int side, float cosine) {
    if (s->alpha == 0)
        return tl_fresnel(cosine, side ? 1 / s->index : s->index);
    return tl_albedo_at(&s->reflected[side], cosine);
}

/* Parts of the light from v that facets reflect, that they reflect or let pass, and that mirrors
 * would reflect. */
static void measure(tl_float3 v, float alpha, float eta, float *reflected, float *whole,
                    float *mirror) {
    const float count = SAMPLES, lambda = tl_facet_lambda(v, alpha);
    *reflected = *whole = *mirror = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        tl_sampler sampler = {.sample = i};
        const tl_float3 h = tl_facet_sample(v, alpha, tl_sampler_next(&sampler));
        const tl_float3 r = tl_reflect(v, h);
        const float f = tl_fresnel(tl_float3_dot(v, h), eta);
        tl_float3 t;
        if (r.z > 0) {
            const float g = (1 + lambda) / (1 + lambda + tl_facet_lambda(r, alpha));
            *reflected += f * g / count;
            *whole += f * g / count;
            *mirror += g / count;
        }
        if (tl_refract(v, h, eta, &t) && t.z < 0)
            *whole += (1 - f) / (1 + tl_facet_lambda(t, alpha)) / count;
    }
}

static void tabulate(tl_substance *s) {
    for (int k = 0; k < TL_ALBEDO_STEPS; k++) {
        const float x = fmaxf((float)k, 0.2f) / (TL_ALBEDO_STEPS - 1), c = x * x;
        const tl_float3 v = {sqrtf(1 - c * c), 0, c};
        for (int side = 1; side >= 0; side--)
            measure(v, s->alpha, side ? 1 / s->index : s->index, &s->reflected[side].at[k],
                    &s->whole[side].at[k], &s->mirror.at[k]);
    }
}

/* ∫ E(μ) 2 μ dμ */
static float mean_reflected(const tl_substance *s) {
    enum { STEPS = 256 };
    float sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const float cosine = ((float)i + 0.5f) / STEPS;
        sum += tl_substance_reflects(s, 0, cosine) * 2 * cosine / STEPS;
    }
    return sum;
}

static float absorb(float colour, double depth) {
    return depth > 0 ? (float)(-log(fmax((double)colour, 1e-3)) / depth) : 0;
}

void tl_substance_make(const tl_trace_matter *matter, tl_substance *out) {
    const float roughness = tl_clamp01(matter->roughness), alpha = roughness * roughness;
    memset(out, 0, sizeof *out);
    out->colour = tl_linear(matter->colour);
    out->alpha = alpha < SMOOTHEST ? 0 : alpha;
    out->index = fmaxf(matter->refraction, 1);
    out->clarity = matter->thin ? 1 : tl_clamp01(matter->clarity);
    out->metal = tl_clamp01(matter->metal);
    out->path = (float)matter->translucency;
    out->thin = matter->thin;
    out->absorption =
        (tl_float3){absorb(out->colour.x, matter->depth), absorb(out->colour.y, matter->depth),
                    absorb(out->colour.z, matter->depth)};
    if (out->alpha > 0)
        tabulate(out);
    out->mean_reflected = mean_reflected(out);
}

static float invert(float a) {
    const float s = 4.09712f + 4.20863f * a - sqrtf(9.59217f + 41.6808f * a + 17.7126f * a * a);
    return tl_clamp01(1 - s * s);
}

tl_float3 tl_substance_scattering(tl_float3 colour) {
    return (tl_float3){invert(tl_clamp01(colour.x)), invert(tl_clamp01(colour.y)),
                       invert(tl_clamp01(colour.z))};
}
