/* How large particles are. All are alike so far; who means *this* particle asks for it by its
 * index, so that only this file knows. Lengths that happen to be equal mean different things:
 *
 *   tl_spacing_of, tl_support_of    of particle i: edge of its cube, radius of its kernel
 *   tl_least_spacing, _support      what a limit that holds for all keeps to: steps, ways
 *   tl_largest_support              how far a search must reach
 *   tl_common_support               of all pairs: pair loops hold it constant
 *   spacing of the scene            its resolution: filling, wall samples, grids, pictures */
#ifndef TL_PARTICLES_SIZE_H
#define TL_PARTICLES_SIZE_H

#include <math.h>
#include <stddef.h>

typedef struct tl_sizes {
    double spacing, support; /* m, of every particle */
    double volume;           /* m³: spacing³ */
} tl_sizes;

static inline double tl_volume_of_spacing(double spacing) { return pow(spacing, 3); }

static inline tl_sizes tl_sizes_alike(double spacing, double support) {
    return (tl_sizes){spacing, support, tl_volume_of_spacing(spacing)};
}

static inline double tl_spacing_of(const tl_sizes *s, size_t i) {
    (void)i;
    return s->spacing;
}

static inline double tl_support_of(const tl_sizes *s, size_t i) {
    (void)i;
    return s->support;
}

/* At rest. */
static inline double tl_volume_of(const tl_sizes *s, size_t i) {
    (void)i;
    return s->volume;
}

/* Between two particles, the same from both sides. */
static inline double tl_spacing_between(const tl_sizes *s, size_t i, size_t j) {
    return 0.5 * (tl_spacing_of(s, i) + tl_spacing_of(s, j));
}

static inline double tl_least_spacing(const tl_sizes *s) { return s->spacing; }
static inline double tl_least_support(const tl_sizes *s) { return s->support; }
static inline double tl_largest_support(const tl_sizes *s) { return s->support; }

/* Where particles differ there is none: pairs have ½ (h_i + h_j). Who calls this has to change. */
static inline double tl_common_support(const tl_sizes *s) { return s->support; }

#endif
