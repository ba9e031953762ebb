/* Random numbers that depend on a seed and a counter only, so that any thread can draw number i
 * (splitmix64, Steele, Lea & Flood 2014). */
#ifndef TL_BASE_RANDOM_H
#define TL_BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t tl_random_bits(uint64_t seed, uint64_t counter) {
    uint64_t z = seed + (counter + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static inline double tl_random_uniform(uint64_t seed, uint64_t counter) {
    return (double)(tl_random_bits(seed, counter) >> 11) * 0x1p-53;
}

#endif
