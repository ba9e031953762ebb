/* The stress tensors that particles carry (passes.h): eight numbers each, so that two 16-byte loads
 * bring one.
 *
 *   pressure    xx yy zz xy   xz yz μ w      -p N, pressure alone, and what else of the b-record
 *                                            the second pass needs: it reads this in its place
 *   symmetric   xx yy zz xy   xz yz - -      β η (L + Lᵀ), the nested viscosity's
 *   traceless   xx yy xy yx   xz zx yz zy    η ((L + Lᵀ) N - β L) - p (N - β I), the complete
 *                                            one's, but for its trace, which the b-record's
 *                                            pressure takes: zz is -(xx + yy) */
#ifndef TL_FLOW_TENSORS_H
#define TL_FLOW_TENSORS_H

#include "base/simd.h"

enum { TL_TENSOR = 8 }; /* floats of a tensor */

typedef enum tl_tensors {
    TL_TENSORS_NONE,
    TL_TENSORS_PRESSURE,
    TL_TENSORS_SYMMETRIC,
    TL_TENSORS_TRACELESS
} tl_tensors;

/* Row-major S of packed s, for floats and for lanes alike. */
#define TL_TENSOR_UNPACK(kind, s, S)                                                               \
    do {                                                                                           \
        const bool whole = (kind) == TL_TENSORS_TRACELESS;                                         \
        (S)[0] = (s)[0], (S)[1] = whole ? (s)[2] : (s)[3], (S)[2] = (s)[4];                        \
        (S)[3] = (s)[3], (S)[4] = (s)[1], (S)[5] = whole ? (s)[6] : (s)[5];                        \
        (S)[6] = whole ? (s)[5] : (s)[4], (S)[7] = whole ? (s)[7] : (s)[5];                        \
        (S)[8] = whole ? -(s)[0] - (s)[1] : (s)[2];                                                \
    } while (0)

/* The other way round. */
static inline void tl_tensor_pack(tl_tensors kind, const float S[9], float s[TL_TENSOR]) {
    const float symmetric[TL_TENSOR] = {S[0], S[4], S[8], S[1], S[2], S[5]};
    const float traceless[TL_TENSOR] = {S[0], S[4], S[1], S[3], S[2], S[6], S[5], S[7]};
    for (int k = 0; k < TL_TENSOR; k++)
        s[k] = kind == TL_TENSORS_TRACELESS ? traceless[k] : symmetric[k];
}

/* The same of S - b0 I beside a b-record, which is p μ β w. */
static inline void tl_tensor_pack_pressure(const float S[9], const float b[4], float s[TL_TENSOR]) {
    const float whole[TL_TENSOR] = {S[0] - b[0], S[4] - b[0], S[8] - b[0], S[1],
                                    S[2],        S[5],        b[1],        b[3]};
    for (int k = 0; k < TL_TENSOR; k++)
        s[k] = whole[k];
}

#endif
