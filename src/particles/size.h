/* How large particles are: the edge of a particle's cube at rest, s = (m / ρ0)^⅓, and the radius of
 * its kernel, h = (R / dx) s. In most scenes all are alike, and no particle has a number of its
 * own. Who means *this* particle asks for it by its index, so that only this file knows. Lengths
 * that may happen to be equal mean different things:
 *
 *   tl_spacing_of, tl_support_of    of particle i
 *   tl_least_spacing, _support      what a limit that holds for all keeps to: steps, ways
 *   tl_largest_support              how far a search must reach
 *   tl_common_support               of all pairs, where all are alike; else ½ (h_i + h_j)
 *   spacing of the scene            its resolution: filling, nozzles, slip, pictures */
#ifndef TL_PARTICLES_SIZE_H
#define TL_PARTICLES_SIZE_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define TL_SIZE_PURE __attribute__((pure))

typedef struct tl_sizes {
    double spacing, support; /* m, of every particle, or of one with the scene's spacing */
    double volume;           /* m³: spacing³ */
    const float *own;        /* [particles] m: spacings; NULL: all are alike */
    double least, largest;   /* m: spacings of the particles there are */
} tl_sizes;

static inline double tl_volume_of_spacing(double spacing) { return pow(spacing, 3); }

static inline tl_sizes tl_sizes_alike(double spacing, double support) {
    return (tl_sizes){spacing, support, tl_volume_of_spacing(spacing), NULL, spacing, spacing};
}

/* Sizes of `count` particles of their own, in a scene of this spacing and support; their array is
 * kept as it is. */
static inline tl_sizes tl_sizes_own(double spacing, double support, const float *own,
                                    size_t count) {
    tl_sizes s = tl_sizes_alike(spacing, support);
    s.own = own;
    for (size_t i = 0; i < count; i++) {
        const double size = (double)own[i];
        s.least = i && s.least < size ? s.least : size;
        s.largest = i && s.largest > size ? s.largest : size;
    }
    return s;
}

/* Whether each particle has a size of its own. */
static inline bool tl_sizes_differ(const tl_sizes *s) { return s->own != NULL; }

/* Radius of the kernel of a particle of this spacing. */
static inline double tl_support_of_spacing(const tl_sizes *s, double spacing) {
    return s->support / s->spacing * spacing;
}

/* Of particle i; the volume is that at rest. Functions, not inlined: a branch in the midst of their
 * callers' formulas would have the compiler round these in another way, and uniform scenes keep
 * their bits. */
double tl_spacing_of(const tl_sizes *s, size_t i) TL_SIZE_PURE;
double tl_support_of(const tl_sizes *s, size_t i) TL_SIZE_PURE;
double tl_volume_of(const tl_sizes *s, size_t i) TL_SIZE_PURE;

/* Between two particles, the same from both sides. */
static inline double tl_spacing_between(const tl_sizes *s, size_t i, size_t j) {
    return 0.5 * (tl_spacing_of(s, i) + tl_spacing_of(s, j));
}

static inline double tl_least_spacing(const tl_sizes *s) { return s->least; }
static inline double tl_least_support(const tl_sizes *s) {
    return s->least < s->spacing ? tl_support_of_spacing(s, s->least) : s->support;
}
static inline double tl_largest_support(const tl_sizes *s) {
    return s->largest > s->spacing ? tl_support_of_spacing(s, s->largest) : s->support;
}

/* Only where all are alike. */
static inline double tl_common_support(const tl_sizes *s) {
    assert(!s->own);
    return s->support;
}

#endif
