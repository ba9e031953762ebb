/* Numbers for one sample of one pixel. Pairs are points of a (0,2)-sequence (Sobol), shuffled and
 * scrambled by a hash a pixel and pair as in Burley (2020, "Practical hash-based Owen scrambling"),
 * after Laine & Karras (2011): every power of two of samples is well spread in each pair. */
#ifndef TL_TRACE_SAMPLER_H
#define TL_TRACE_SAMPLER_H

#include "base/random.h"

typedef struct tl_sampler {
    uint32_t pixel, sample, pair;
} tl_sampler;

typedef struct tl_float2 {
    float x, y;
} tl_float2;

static inline uint32_t tl_sampler_reverse(uint32_t x) {
    x = x << 16 | x >> 16;
    x = (x & 0x00FF00FFu) << 8 | (x & 0xFF00FF00u) >> 8;
    x = (x & 0x0F0F0F0Fu) << 4 | (x & 0xF0F0F0F0u) >> 4;
    x = (x & 0x33333333u) << 2 | (x & 0xCCCCCCCCu) >> 2;
    return (x & 0x55555555u) << 1 | (x & 0xAAAAAAAAu) >> 1;
}

/* Each bit is turned over by a hash of the bits above it. */
static inline uint32_t tl_sampler_scramble(uint32_t x, uint32_t seed) {
    x = tl_sampler_reverse(x);
    x ^= x * 0x3D20ADEAu;
    x += seed;
    x *= (seed >> 16) | 1;
    x ^= x * 0x05526C56u;
    x ^= x * 0x53A22864u;
    return tl_sampler_reverse(x);
}

/* The second coordinate of Sobol's points from the first: Pascal's triangle modulo 2, by halves. */
static inline uint32_t tl_sampler_pascal(uint32_t x) {
    x ^= x << 16;
    x ^= (x & 0x00FF00FFu) << 8;
    x ^= (x & 0x0F0F0F0Fu) << 4;
    x ^= (x & 0x33333333u) << 2;
    return x ^ (x & 0x55555555u) << 1;
}

/* [0, 1) */
static inline float tl_sampler_float(uint32_t bits) { return (float)(bits >> 8) * 0x1p-24f; }

static inline tl_float2 tl_sampler_next(tl_sampler *s) {
    const uint64_t key = tl_random_bits(s->pixel, 2 * (uint64_t)s->pair);
    const uint64_t keys = tl_random_bits(s->pixel, 2 * (uint64_t)s->pair + 1);
    const uint32_t index = tl_sampler_scramble(s->sample, (uint32_t)key);
    const uint32_t first = tl_sampler_reverse(index), second = tl_sampler_pascal(first);
    s->pair++;
    return (tl_float2){tl_sampler_float(tl_sampler_scramble(first, (uint32_t)keys)),
                       tl_sampler_float(tl_sampler_scramble(second, (uint32_t)(keys >> 32)))};
}

#endif
