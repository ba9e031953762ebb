/* Draws for random scenes: the same seed gives the same draws, in the same order. */
#ifndef TL_TESTS_RANDOM_DICE_H
#define TL_TESTS_RANDOM_DICE_H

#include "base/random.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dice {
    uint64_t seed, drawn;
} dice;

static inline double between(dice *d, double low, double high) {
    return low + (high - low) * tl_random_uniform(d->seed, d->drawn++);
}

/* Evenly in the logarithm. */
static inline double spread(dice *d, double low, double high) {
    return low * pow(high / low, between(d, 0, 1));
}

static inline bool chance(dice *d, double part) { return between(d, 0, 1) < part; }

/* A whole number below `count`. */
static inline size_t pick(dice *d, size_t count) {
    const size_t k = (size_t)between(d, 0, (double)count);
    return k < count ? k : count - 1;
}

#define COUNT_OF(array)     (sizeof(array) / sizeof *(array))
#define ONE_OF(dice, array) ((array)[pick((dice), COUNT_OF(array))])

#endif
