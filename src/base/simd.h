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

TL_INLINE int tl_compress_store_float(float *out, tl_wide x, unsigned mask) {
    *out = x;
    return mask & 1;
}

TL_INLINE tl_wide_int tl_load_int(const uint32_t *p) { return (int32_t)*p; }

/* The bits of a float as an integer, and back. */
TL_INLINE tl_wide_int tl_bits(tl_wide x) {
    tl_wide_int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
TL_INLINE tl_wide tl_of_bits(tl_wide_int bits) {
    tl_wide x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

TL_INLINE tl_wide tl_of_int(tl_wide_int x) { return (tl_wide)x; }
/* Towards zero. */
TL_INLINE tl_wide_int tl_to_int(tl_wide x) { return (tl_wide_int)x; }
TL_INLINE tl_wide tl_floor(tl_wide x) { return __builtin_floorf(x); }
TL_INLINE tl_wide tl_gather(const float *base, tl_wide_int index) { return base[index]; }

#else

enum { TL_LANES = 8 };
typedef float tl_wide __attribute__((vector_size(32)));
typedef int32_t tl_wide_int __attribute__((vector_size(32)));
typedef float tl_quad __attribute__((vector_size(16)));

TL_INLINE tl_wide tl_splat(float x) { return (tl_wide){x, x, x, x, x, x, x, x}; }
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

/* The bits of floats as integers, and back. */
TL_INLINE tl_wide_int tl_bits(tl_wide x) { return (tl_wide_int)x; }
TL_INLINE tl_wide tl_of_bits(tl_wide_int bits) { return (tl_wide)bits; }
TL_INLINE tl_wide tl_of_int(tl_wide_int x) { return __builtin_convertvector(x, tl_wide); }
/* Towards zero. */
TL_INLINE tl_wide_int tl_to_int(tl_wide x) { return __builtin_convertvector(x, tl_wide_int); }

TL_INLINE tl_wide tl_floor(tl_wide x) {
#ifdef __AVX__
    return (tl_wide)_mm256_floor_ps((__m256)x);
#else
    for (int l = 0; l < TL_LANES; l++)
        x[l] = __builtin_floorf(x[l]);
    return x;
#endif
}

/* base[index], lane by lane. */
TL_INLINE tl_wide tl_gather(const float *base, tl_wide_int index) {
    tl_wide x;
    for (int l = 0; l < TL_LANES; l++)
        x[l] = base[index[l]];
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

/* Four floats from each of two places; one instruction loads the upper half into its place. */
TL_INLINE tl_wide tl_load_halves_(const float *low, const float *high) {
#ifdef __AVX__
    return (tl_wide)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)),
                                         _mm_loadu_ps(high), 1);
#else
    tl_wide x;
    memcpy(&x, low, 4 * sizeof *low);
    memcpy((float *)&x + 4, high, 4 * sizeof *high);
    return x;
#endif
}

/* Four fields of TL_LANES records: out[f] lane l = base[stride * index[l] + f]. One 16-byte load a
 * record and an 8x4 transpose in registers beat the hardware's gathers two- to threefold. */
TL_INLINE void tl_gather4(const float *base, size_t stride, const uint32_t *index, tl_wide out[4]) {
    tl_wide a[4];
    for (int q = 0; q < 4; q++)
        a[q] =
            tl_load_halves_(base + stride * (size_t)index[q], base + stride * (size_t)index[q + 4]);
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
#ifdef __AVX512VL__
    return _mm256_cmp_ps_mask((__m256)a, (__m256)b, _CMP_LT_OQ);
#elif defined(__AVX__)
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
#else
    unsigned mask = 0;
    for (int l = 0; l < TL_LANES; l++)
        mask |= (unsigned)(a[l] < b[l]) << l;
    return mask;
#endif
}

/* The lanes of `x` whose bit in `mask` is set, moved to the front in order; the rest is
 * unspecified.
 */
TL_INLINE tl_wide_int tl_compress_(tl_wide_int x, unsigned mask) {
#if defined(__AVX512VL__) && defined(__AVX512F__)
    return (tl_wide_int)_mm256_maskz_compress_epi32((__mmask8)mask, (__m256i)x);
#elif defined(__AVX2__)
    /* For each mask, the lane that goes to place k in bits 4k..4k+2. */
    static const uint32_t lanes[256] = {
        0x00000000, 0x00000000, 0x00000001, 0x00000010, 0x00000002, 0x00000020, 0x00000021,
        0x00000210, 0x00000003, 0x00000030, 0x00000031, 0x00000310, 0x00000032, 0x00000320,
        0x00000321, 0x00003210, 0x00000004, 0x00000040, 0x00000041, 0x00000410, 0x00000042,
        0x00000420, 0x00000421, 0x00004210, 0x00000043, 0x00000430, 0x00000431, 0x00004310,
        0x00000432, 0x00004320, 0x00004321, 0x00043210, 0x00000005, 0x00000050, 0x00000051,
        0x00000510, 0x00000052, 0x00000520, 0x00000521, 0x00005210, 0x00000053, 0x00000530,
        0x00000531, 0x00005310, 0x00000532, 0x00005320, 0x00005321, 0x00053210, 0x00000054,
        0x00000540, 0x00000541, 0x00005410, 0x00000542, 0x00005420, 0x00005421, 0x00054210,
        0x00000543, 0x00005430, 0x00005431, 0x00054310, 0x00005432, 0x00054320, 0x00054321,
        0x00543210, 0x00000006, 0x00000060, 0x00000061, 0x00000610, 0x00000062, 0x00000620,
        0x00000621, 0x00006210, 0x00000063, 0x00000630, 0x00000631, 0x00006310, 0x00000632,
        0x00006320, 0x00006321, 0x00063210, 0x00000064, 0x00000640, 0x00000641, 0x00006410,
        0x00000642, 0x00006420, 0x00006421, 0x00064210, 0x00000643, 0x00006430, 0x00006431,
        0x00064310, 0x00006432, 0x00064320, 0x00064321, 0x00643210, 0x00000065, 0x00000650,
        0x00000651, 0x00006510, 0x00000652, 0x00006520, 0x00006521, 0x00065210, 0x00000653,
        0x00006530, 0x00006531, 0x00065310, 0x00006532, 0x00065320, 0x00065321, 0x00653210,
        0x00000654, 0x00006540, 0x00006541, 0x00065410, 0x00006542, 0x00065420, 0x00065421,
        0x00654210, 0x00006543, 0x00065430, 0x00065431, 0x00654310, 0x00065432, 0x00654320,
        0x00654321, 0x06543210, 0x00000007, 0x00000070, 0x00000071, 0x00000710, 0x00000072,
        0x00000720, 0x00000721, 0x00007210, 0x00000073, 0x00000730, 0x00000731, 0x00007310,
        0x00000732, 0x00007320, 0x00007321, 0x00073210, 0x00000074, 0x00000740, 0x00000741,
        0x00007410, 0x00000742, 0x00007420, 0x00007421, 0x00074210, 0x00000743, 0x00007430,
        0x00007431, 0x00074310, 0x00007432, 0x00074320, 0x00074321, 0x00743210, 0x00000075,
        0x00000750, 0x00000751, 0x00007510, 0x00000752, 0x00007520, 0x00007521, 0x00075210,
        0x00000753, 0x00007530, 0x00007531, 0x00075310, 0x00007532, 0x00075320, 0x00075321,
        0x00753210, 0x00000754, 0x00007540, 0x00007541, 0x00075410, 0x00007542, 0x00075420,
        0x00075421, 0x00754210, 0x00007543, 0x00075430, 0x00075431, 0x00754310, 0x00075432,
        0x00754320, 0x00754321, 0x07543210, 0x00000076, 0x00000760, 0x00000761, 0x00007610,
        0x00000762, 0x00007620, 0x00007621, 0x00076210, 0x00000763, 0x00007630, 0x00007631,
        0x00076310, 0x00007632, 0x00076320, 0x00076321, 0x00763210, 0x00000764, 0x00007640,
        0x00007641, 0x00076410, 0x00007642, 0x00076420, 0x00076421, 0x00764210, 0x00007643,
        0x00076430, 0x00076431, 0x00764310, 0x00076432, 0x00764320, 0x00764321, 0x07643210,
        0x00000765, 0x00007650, 0x00007651, 0x00076510, 0x00007652, 0x00076520, 0x00076521,
        0x00765210, 0x00007653, 0x00076530, 0x00076531, 0x00765310, 0x00076532, 0x00765320,
        0x00765321, 0x07653210, 0x00007654, 0x00076540, 0x00076541, 0x00765410, 0x00076542,
        0x00765420, 0x00765421, 0x07654210, 0x00076543, 0x00765430, 0x00765431, 0x07654310,
        0x00765432, 0x07654320, 0x07654321, 0x76543210,
    };
    const __m256i shift = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256i from = _mm256_srlv_epi32(_mm256_set1_epi32((int)lanes[mask]), shift);
    return (tl_wide_int)_mm256_permutevar8x32_epi32((__m256i)x, from);
#else
    tl_wide_int packed = x;
    int n = 0;
    for (int l = 0; l < TL_LANES; l++)
        if (mask >> l & 1)
            packed[n++] = x[l];
    return packed;
#endif
}

/* Writes the lanes of `x` whose bit in `mask` is set to out[0..], in order, and returns their
 * number. May write up to TL_LANES elements. */
TL_INLINE int tl_compress_store(uint32_t *out, tl_wide_int x, unsigned mask) {
    x = tl_compress_(x, mask);
    memcpy(out, &x, sizeof x);
    return __builtin_popcount(mask);
}
TL_INLINE int tl_compress_store_float(float *out, tl_wide x, unsigned mask) {
    x = (tl_wide)tl_compress_((tl_wide_int)x, mask);
    memcpy(out, &x, sizeof x);
    return __builtin_popcount(mask);
}

#endif

/* Four floats of TL_LANES records, which are structs of floats alone, from `member` on. */
#define TL_GATHER4(records, member, index, out)                                                    \
    tl_gather4((const float *)(records) +                                                          \
                   offsetof(__typeof__(*(records)), member) / sizeof(float),                       \
               sizeof *(records) / sizeof(float), index, out)

/* The sums over all lanes of four wides, stored to four floats of one record from `member` on. */
#define TL_STORE_SUM4(record, member, a, b, c, d)                                                  \
    tl_store_sum4((float *)(record) + offsetof(__typeof__(*(record)), member) / sizeof(float), a,  \
                  b, c, d)

TL_INLINE tl_wide tl_positive(tl_wide x) { return tl_max(x, tl_splat(0.0f)); } /* max(x, 0) */
TL_INLINE tl_wide tl_negative(tl_wide x) { return tl_min(x, tl_splat(0.0f)); } /* min(x, 0) */

/* 0, 1, 2, ... */
TL_INLINE tl_wide tl_lane_numbers(void) {
    float n[TL_LANES];
    for (int l = 0; l < TL_LANES; l++)
        n[l] = (float)l;
    return tl_load(n);
}

/* `n` rounded up to a whole number of wides. */
TL_INLINE size_t tl_pad_lanes(size_t n) { return (n + TL_LANES - 1) / TL_LANES * TL_LANES; }

/* Where the next lanes of a block find their items, from `first`, for tl_gather4: the last one is
 * repeated at the block's end. Returns how many differ. */
TL_INLINE size_t tl_group(size_t first, size_t end, uint32_t index[TL_LANES]) {
    const size_t count = end - first < TL_LANES ? end - first : TL_LANES;
    for (size_t l = 0; l < TL_LANES; l++)
        index[l] = (uint32_t)(l < count ? l : count - 1);
    return count;
}

#endif
