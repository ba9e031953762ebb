/* The wide type of doubles: four that are worked on together, and a scalar twin of one lane. For
 * sums that must keep energy over many steps, where floats would not do. Rows padded for the wide
 * type of floats (simd.h) are padded for this one too. */
#ifndef TL_BASE_SIMD_DOUBLE_H
#define TL_BASE_SIMD_DOUBLE_H

#include "base/simd.h"

#ifdef TL_SIMD_SCALAR

enum { TL_DOUBLE_LANES = 1 };
typedef double tl_wide_double;

TL_INLINE tl_wide_double tl_splat_double(double x) { return x; }
TL_INLINE double tl_sum_double(tl_wide_double x) { return x; }
TL_INLINE double tl_lane_double(tl_wide_double x, int lane) {
    (void)lane;
    return x;
}
TL_INLINE tl_wide_double tl_set_lane_double(tl_wide_double x, int lane, double value) {
    (void)x, (void)lane;
    return value;
}
/* a < b ? x : y, lane by lane. */
TL_INLINE tl_wide_double tl_select_less_double(tl_wide_double a, tl_wide_double b, tl_wide_double x,
                                               tl_wide_double y) {
    return a < b ? x : y;
}

/* Records of four doubles: out[f] lane l = base[4 * index[l] + f]. */
TL_INLINE void tl_gather4_double(const double *base, const uint32_t *index, tl_wide_double out[4]) {
    for (int f = 0; f < 4; f++)
        out[f] = base[4 * (size_t)index[0] + (size_t)f];
}

#else

enum { TL_DOUBLE_LANES = 4 };
typedef double tl_wide_double __attribute__((vector_size(32)));
typedef int64_t tl_wide_long_ __attribute__((vector_size(32)));

TL_INLINE tl_wide_double tl_splat_double(double x) { return (tl_wide_double){x, x, x, x}; }
TL_INLINE double tl_sum_double(tl_wide_double x) { return (x[0] + x[2]) + (x[1] + x[3]); }
TL_INLINE double tl_lane_double(tl_wide_double x, int lane) { return x[lane]; }
TL_INLINE tl_wide_double tl_set_lane_double(tl_wide_double x, int lane, double value) {
    x[lane] = value;
    return x;
}
/* a < b ? x : y, lane by lane. */
TL_INLINE tl_wide_double tl_select_less_double(tl_wide_double a, tl_wide_double b, tl_wide_double x,
                                               tl_wide_double y) {
    const tl_wide_long_ mask = a < b;
    return (tl_wide_double)(((tl_wide_long_)x & mask) | ((tl_wide_long_)y & ~mask));
}

/* Records of four doubles: out[f] lane l = base[4 * index[l] + f]. */
TL_INLINE void tl_gather4_double(const double *base, const uint32_t *index, tl_wide_double out[4]) {
    tl_wide_double a[4];
    for (int l = 0; l < 4; l++)
        memcpy(&a[l], base + 4 * (size_t)index[l], sizeof a[l]);
    const tl_wide_double t0 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
    const tl_wide_double t1 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    const tl_wide_double t2 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
    const tl_wide_double t3 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
}

#endif

TL_INLINE tl_wide_double tl_sqrt_double(tl_wide_double x) {
    for (int l = 0; l < TL_DOUBLE_LANES; l++)
        x = tl_set_lane_double(x, l, __builtin_sqrt(tl_lane_double(x, l)));
    return x;
}

TL_INLINE tl_wide_double tl_min_double(tl_wide_double a, tl_wide_double b) {
    return tl_select_less_double(a, b, a, b);
}
TL_INLINE tl_wide_double tl_max_double(tl_wide_double a, tl_wide_double b) {
    return tl_select_less_double(b, a, a, b);
}

#endif
