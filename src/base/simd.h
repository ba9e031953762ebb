/* The wide type: eight floats that are worked on together, on GCC/Clang vector extensions, and its
 * scalar twin of one lane (-Dsimd=scalar), the oracle of the wide build. A solver is written once
 * on it. This is the only file with intrinsics.
 *
 * The lane count does not depend on the processor, so a result does not either (beyond fused
 * multiply-add, which is chosen by the build). No comparison operators on the wide type outside
 * this file: they yield -1 with eight lanes and 1 with one. */
#ifndef TL_BASE_SIMD_H
#define TL_BASE_SIMD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

#define TL_INLINE static inline __attribute__((always_inline))

#ifdef TL_SIMD_SCALAR

enum { TL_LANES = 1 };
typedef float tl_wide;
typedef int32_t tl_wide_int;

TL_INLINE tl_wide tl_splat(float x) { return x; }
TL_INLINE tl_wide_int tl_splat_int(int32_t x) { return x; }
TL_INLINE tl_wide tl_load(const float *p) { return *p; }
TL_INLINE void tl_store(float *p, tl_wide x) { *p = x; }
TL_INLINE tl_wide tl_sqrt(tl_wide x) { return __builtin_sqrtf(x); }
TL_INLINE tl_wide tl_min(tl_wide a, tl_wide b) { return a < b ? a : b; }
TL_INLINE tl_wide tl_max(tl_wide a, tl_wide b) { return a > b ? a : b; }
/* a < b ? x : y, lane by lane. */
TL_INLINE tl_wide tl_select_less(tl_wide a, tl_wide b, tl_wide x, tl_wide y) {
    return a < b ? x : y;
}
TL_INLINE float tl_sum(tl_wide x) { return x; }
TL_INLINE float tl_lane(tl_wide x, int lane) {
    (void)lane;
    return x;
}

/* Four fields of TL_LANES records: out[f] lane l = base[stride * index[l] + f]. */
TL_INLINE void tl_gather4(const float *base, size_t stride, const uint32_t *index, tl_wide out[4]) {
    const float *p = base + stride * (size_t)index[0];
    for (int f = 0; f < 4; f++)
        out[f] = p[f];
}

/* The sums over all lanes of four wides, stored to out[0..3]. */
TL_INLINE void tl_store_sum4(float *out, tl_wide a, tl_wide b, tl_wide c, tl_wide d) {
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
}

/* Bit l is set where a < b in lane l. */
TL_INLINE unsigned tl_mask_less(tl_wide a, tl_wide b) { return a < b; }

/* Writes the lanes of `x` whose bit in `mask` is set to out[0..], in order, and returns their
 * number. May write up to TL_LANES elements. */
TL_INLINE int tl_compress_store(uint32_t *out, tl_wide_int x, unsigned mask) {
    *out = (uint32_t)x;
    return mask & 1;
}

TL_INLINE tl_wide_int tl_load_int(const uint32_t *p) { return (int32_t)*p; }

#else

enum { TL_LANES = 8 };
typedef float tl_wide __attribute__((vector_size(32)));
typedef int32_t tl_wide_int __attribute__((vector_size(32)));
typedef float tl_quad __attribute__((vector_size(16)));

TL_INLINE tl_wide tl_splat(float x) { return (tl_wide){x, x, x, x, x, x, x, x}; }
TL_INLINE tl_wide_int tl_splat_int(int32_t x) { return (tl_wide_int){x, x, x, x, x, x, x, x}; }
TL_INLINE tl_wide tl_load(const float *p) {
    tl_wide x;
    memcpy(&x, p, sizeof x);
    return x;
}
TL_INLINE void tl_store(float *p, tl_wide x) { memcpy(p, &x, sizeof x); }
TL_INLINE tl_wide_int tl_load_int(const uint32_t *p) {
    tl_wide_int x;
    memcpy(&x, p, sizeof x);
    return x;
}

TL_INLINE tl_wide tl_sqrt(tl_wide x) {
#ifdef __AVX__
    return (tl_wide)_mm256_sqrt_ps((__m256)x);
#else
    for (int l = 0; l < TL_LANES; l++)
        x[l] = __builtin_sqrtf(x[l]);
    return x;
#endif
}

/* a < b ? x : y, lane by lane. */
TL_INLINE tl_wide tl_select_less(tl_wide a, tl_wide b, tl_wide x, tl_wide y) {
    const tl_wide_int mask = a < b;
    return (tl_wide)(((tl_wide_int)x & mask) | ((tl_wide_int)y & ~mask));
}

TL_INLINE tl_wide tl_min(tl_wide a, tl_wide b) {
#ifdef __AVX__
    return (tl_wide)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return tl_select_less(a, b, a, b);
#endif
}

TL_INLINE tl_wide tl_max(tl_wide a, tl_wide b) {
#ifdef __AVX__
    return (tl_wide)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return tl_select_less(b, a, a, b);
#endif
}

TL_INLINE float tl_lane(tl_wide x, int lane) { return x[lane]; }

TL_INLINE float tl_sum(tl_wide x) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

TL_INLINE tl_quad tl_load_quad_(const float *p) {
    tl_quad x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* Four fields of TL_LANES records: out[f] lane l = base[stride * index[l] + f]. One 16-byte load a
 * record and an 8x4 transpose in registers beat the hardware's gathers two- to threefold. */
TL_INLINE void tl_gather4(const float *base, size_t stride, const uint32_t *index, tl_wide out[4]) {
    tl_wide a[4];
    for (int q = 0; q < 4; q++)
        a[q] = __builtin_shufflevector(tl_load_quad_(base + stride * (size_t)index[q]),
                                       tl_load_quad_(base + stride * (size_t)index[q + 4]), 0, 1, 2,
                                       3, 4, 5, 6, 7);
    const tl_wide t0 = __builtin_shufflevector(a[0], a[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const tl_wide t1 = __builtin_shufflevector(a[0], a[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const tl_wide t2 = __builtin_shufflevector(a[2], a[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const tl_wide t3 = __builtin_shufflevector(a[2], a[3], 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = __builtin_shufflevector(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = __builtin_shufflevector(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = __builtin_shufflevector(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* The sums over all lanes of four wides, stored to out[0..3]. */
TL_INLINE void tl_store_sum4(float *out, tl_wide a, tl_wide b, tl_wide c, tl_wide d) {
    const tl_wide t0 = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13) +
                       __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const tl_wide t1 = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13) +
                       __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    const tl_wide u = __builtin_shufflevector(t0, t1, 0, 1, 8, 9, 4, 5, 12, 13) +
                      __builtin_shufflevector(t0, t1, 2, 3, 10, 11, 6, 7, 14, 15);
    const tl_quad s =
        __builtin_shufflevector(u, u, 0, 1, 2, 3) + __builtin_shufflevector(u, u, 4, 5, 6, 7);
    memcpy(out, &s, sizeof s);
}

/* Bit l is set where a < b in lane l. */
TL_INLINE unsigned tl_mask_less(tl_wide a, tl_wide b) {
#ifdef __AVX__
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
#else
    unsigned mask = 0;
    for (int l = 0; l < TL_LANES; l++)
        mask |= (unsigned)(a[l] < b[l]) << l;
    return mask;
#endif
}

/* Writes the lanes of `x` whose bit in `mask` is set to out[0..], in order, and returns their
 * number. May write up to TL_LANES elements. */
TL_INLINE int tl_compress_store(uint32_t *out, tl_wide_int x, unsigned mask) {
#if defined(__AVX512VL__) && defined(__AVX512F__)
    const __m256i packed = _mm256_maskz_compress_epi32((__mmask8)mask, (__m256i)x);
    memcpy(out, &packed, sizeof packed);
    return __builtin_popcount(mask);
#else
    int n = 0;
    for (int l = 0; l < TL_LANES; l++) {
        out[n] = (uint32_t)x[l];
        n += mask >> l & 1;
    }
    return n;
#endif
}

#endif

TL_INLINE tl_wide tl_positive(tl_wide x) { return tl_max(x, tl_splat(0.0f)); } /* max(x, 0) */
TL_INLINE tl_wide tl_negative(tl_wide x) { return tl_min(x, tl_splat(0.0f)); } /* min(x, 0) */

/* `n` rounded up to a whole number of wides. */
TL_INLINE size_t tl_pad_lanes(size_t n) { return (n + TL_LANES - 1) / TL_LANES * TL_LANES; }

#endif
