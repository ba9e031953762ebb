/* 3x3 matrices of doubles, by rows. */
#ifndef TL_MATH_MAT3_H
#define TL_MATH_MAT3_H

#include "math/vec3.h"

static inline tl_vec3 tl_mat3_times(const double a[3][3], tl_vec3 v) {
    return (tl_vec3){a[0][0] * v.x + a[0][1] * v.y + a[0][2] * v.z,
                     a[1][0] * v.x + a[1][1] * v.y + a[1][2] * v.z,
                     a[2][0] * v.x + a[2][1] * v.y + a[2][2] * v.z};
}

/* False unless the determinant is positive. */
static inline bool tl_mat3_invert(const double (*a)[3], double (*out)[3]) {
    double det = 0;
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        for (int l = 0; l < 3; l++) {
            const int r = (l + 1) % 3, s = (l + 2) % 3;
            out[l][k] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
        }
        det += a[0][k] *
               (a[1][(k + 1) % 3] * a[2][(k + 2) % 3] - a[1][(k + 2) % 3] * a[2][(k + 1) % 3]);
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            out[k][l] /= det;
    return det > 0;
}

#endif
