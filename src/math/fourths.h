/* Fourth moments Σ w d d d d of the pairs of a particle, d = x_j - x_i: the fifteen that differ, in
 * the order of tl_fourths_of. They are the 6x6 matrix A = Σ w m mᵀ of what is fitted to pairs,
 * m = (dx² dy² dz² 2dxdy 2dxdz 2dydz): rates of strain (flow/strain.h), conductances
 * (heat/conduction.h). */
#ifndef TL_MATH_FOURTHS_H
#define TL_MATH_FOURTHS_H

#include "math/sym6.h"

enum { TL_FOURTHS = 15 };

/* The products of one pair. */
static inline void tl_fourths_of(const float d[3], float out[TL_FOURTHS]) {
    const float x = d[0], y = d[1], z = d[2];
    const float xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    const float all[TL_FOURTHS] = {xx * xx, yy * yy, zz * zz, xx * xy, xx * xz,
                                   yy * xy, yy * yz, zz * xz, zz * yz, xx * yy,
                                   xx * zz, yy * zz, xx * yz, yy * xz, zz * xy};
    for (int k = 0; k < TL_FOURTHS; k++)
        out[k] = all[k];
}

/* Adds w times those of the pairs x, y, z. */
TL_INLINE void tl_fourths_add(tl_wide q[TL_FOURTHS], tl_wide w, tl_wide x, tl_wide y, tl_wide z) {
    const tl_wide xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    const tl_wide wxx = w * xx, wyy = w * yy, wzz = w * zz;
    q[0] += wxx * xx, q[1] += wyy * yy, q[2] += wzz * zz;
    q[3] += wxx * xy, q[4] += wxx * xz, q[5] += wyy * xy;
    q[6] += wyy * yz, q[7] += wzz * xz, q[8] += wzz * yz;
    q[9] += wxx * yy, q[10] += wxx * zz, q[11] += wyy * zz;
    q[12] += wxx * yz, q[13] += wyy * xz, q[14] += wzz * xy;
}

/* A of all lanes. */
TL_INLINE void tl_fourths_matrix(const tl_wide q[TL_FOURTHS], tl_wide A[TL_SYM6]) {
    A[0] = q[0];
    A[1] = q[9], A[2] = q[1];
    A[3] = q[10], A[4] = q[11], A[5] = q[2];
    A[6] = 2 * q[3], A[7] = 2 * q[5], A[8] = 2 * q[14], A[9] = 4 * q[9];
    A[10] = 2 * q[4], A[11] = 2 * q[13], A[12] = 2 * q[7], A[13] = 4 * q[12], A[14] = 4 * q[10];
    A[15] = 2 * q[12], A[16] = 2 * q[6], A[17] = 2 * q[8], A[18] = 4 * q[13], A[19] = 4 * q[14],
    A[20] = 4 * q[11];
}

/* Σ w |d|⁴ */
TL_INLINE tl_wide tl_fourths_sum(const tl_wide q[TL_FOURTHS]) {
    return q[0] + q[1] + q[2] + 2.0f * (q[9] + q[10] + q[11]);
}

#endif
