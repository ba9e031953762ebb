/* The stress tensors that particles carry (passes.h): eight numbers each, so that two 16-byte loads
 * bring one.
 *
 *   pressure    xx yy zz xy   xz yz μ w      -p N, pressure alone, and what else of the b-record
 *                                            the second pass needs: it reads this in its place
 *   symmetric   xx yy zz xy   xz yz - -      β η (L + Lᵀ), the nested viscosity's
 *   traceless   xx yy xy yx   xz zx yz zy    η ((L + Lᵀ) N - β L) - p (N - β I), the complete
 *                                            one's, but for its trace, which the b-record's
 *                                            pressure takes: zz is -(xx + yy) */
#ifndef TL_RECORDS_TENSORS_H
#define TL_RECORDS_TENSORS_H

#include "base/simd.h"

enum { TL_TENSOR = 8 }; /* floats of a tensor */

typedef union tl_tensor {
    float s[TL_TENSOR];
    struct {
        float pressure[6];       /* -p N */
        float viscosity, matter; /* μ and w of the b-record */
    } whole;                     /* TL_TENSORS_PRESSURE */
} tl_tensor;
_Static_assert(sizeof(tl_tensor) == TL_TENSOR * sizeof(float), "gathered as floats");

/* The b-record of a particle or sample (records.h). */
typedef struct tl_stress {
    float pressure;  /* β p */
    float viscosity; /* μ = β η */
    float beta;
    float matter; /* w: 1 for matter, 0 for samples */
} tl_stress;
_Static_assert(sizeof(tl_stress) == 4 * sizeof(float), "gathered as floats");

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
static inline void tl_tensor_pack(tl_tensors kind, const float S[9], tl_tensor *out) {
    const float symmetric[TL_TENSOR] = {S[0], S[4], S[8], S[1], S[2], S[5]};
    const float traceless[TL_TENSOR] = {S[0], S[4], S[1], S[3], S[2], S[6], S[5], S[7]};
    for (int k = 0; k < TL_TENSOR; k++)
        out->s[k] = kind == TL_TENSORS_TRACELESS ? traceless[k] : symmetric[k];
}

/* The same of S - β p I beside a b-record. */
static inline void tl_tensor_pack_pressure(const float S[9], const tl_stress *b, tl_tensor *out) {
    const float p = b->pressure;
    const float whole[TL_TENSOR] = {S[0] - p, S[4] - p, S[8] - p,     S[1],
                                    S[2],     S[5],     b->viscosity, b->matter};
    for (int k = 0; k < TL_TENSOR; k++)
        out->s[k] = whole[k];
}

#endif
