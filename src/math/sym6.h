/* Symmetric 6x6 matrices on the wide type, one matrix a lane, packed by rows of the lower triangle:
 * element (r, c), c <= r, is at r (r + 1) / 2 + c. Used for fits of strain rates, whose six
 * components stand in the order xx yy zz xy xz yz. */
#ifndef TL_MATH_SYM6_H
#define TL_MATH_SYM6_H

#include "base/simd.h"

enum { TL_SYM6 = 21 };

TL_INLINE int tl_sym6_at(int r, int c) {
    return r >= c ? r * (r + 1) / 2 + c : c * (c + 1) / 2 + r;
}

/* out = A x */
TL_INLINE void tl_sym6_times(const tl_wide A[TL_SYM6], const tl_wide x[6], tl_wide out[6]) {
    for (int r = 0; r < 6; r++) {
        tl_wide sum = A[tl_sym6_at(r, 0)] * x[0];
        for (int c = 1; c < 6; c++)
            sum += A[tl_sym6_at(r, c)] * x[c];
        out[r] = sum;
    }
}

/* The inverse of a positive definite A by its factors L D Lᵀ. Pivots are kept above `least`. */
TL_INLINE void tl_sym6_invert(const tl_wide A[TL_SYM6], tl_wide least, tl_wide out[TL_SYM6]) {
    tl_wide L[6][6], pivot[6];
    for (int j = 0; j < 6; j++) {
        tl_wide d = A[tl_sym6_at(j, j)];
        for (int k = 0; k < j; k++)
            d -= L[j][k] * L[j][k] * pivot[k];
        pivot[j] = tl_max(d, least);
        const tl_wide scale = 1.0f / pivot[j];
        for (int i = j + 1; i < 6; i++) {
            tl_wide s = A[tl_sym6_at(i, j)];
            for (int k = 0; k < j; k++)
                s -= L[i][k] * L[j][k] * pivot[k];
            L[i][j] = s * scale;
        }
    }
    /* N = L⁻¹, unit lower triangle. */
    tl_wide N[6][6];
    for (int j = 0; j < 6; j++)
        for (int i = j + 1; i < 6; i++) {
            tl_wide s = L[i][j];
            for (int k = j + 1; k < i; k++)
                s += L[i][k] * N[k][j];
            N[i][j] = -s;
        }
    /* A⁻¹ = Nᵀ D⁻¹ N */
    for (int r = 0; r < 6; r++)
        for (int c = 0; c <= r; c++) {
            tl_wide s = (r == c ? tl_splat(1.0f) : N[r][c]) / pivot[r];
            for (int k = r + 1; k < 6; k++)
                s += N[k][r] * N[k][c] / pivot[k];
            out[tl_sym6_at(r, c)] = s;
        }
}

#endif
