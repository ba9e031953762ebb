/* How far a linear map turns. */
#ifndef TL_MATH_POLAR_H
#define TL_MATH_POLAR_H

#include "math/mat3.h"
#include "math/pose.h"

/* How far the turn q is from the one nearest to A: Newton's step towards it, of Σ |A e_k - q e_k|²,
 * and far off that of a map that stretches evenly. Where A maps all nearly onto a line, what it
 * leaves open is left alone. */
static inline tl_vec3 tl_turn_short_of(tl_turn q, const double (*A)[3]) {
    static const double open = 2e-3;
    tl_vec3 off = {0, 0, 0};
    double along = 0, square = 1e-300, H[3][3] = {{0}}, inverse[3][3];
    for (int k = 0; k < 3; k++) {
        const tl_vec3 axis = tl_turn_apply(q, (tl_vec3){k == 0, k == 1, k == 2});
        const tl_vec3 column = {A[0][k], A[1][k], A[2][k]};
        const double e[3] = {axis.x, axis.y, axis.z};
        off = tl_vec3_add(off, tl_vec3_cross(axis, column));
        along += tl_vec3_dot(axis, column);
        square += tl_vec3_dot(column, column);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                H[a][b] -= 0.5 * (A[a][k] * e[b] + A[b][k] * e[a]);
    }
    for (int a = 0; a < 3; a++)
        H[a][a] += along + open * sqrt(square);
    const bool near = H[0][0] > 0 && H[0][0] * H[1][1] > H[0][1] * H[0][1] &&
                      tl_mat3_invert((const double(*)[3])H, inverse);
    const tl_vec3 by = near ? tl_mat3_times((const double(*)[3])inverse, off) : off;
    if (near && tl_vec3_dot(by, by) < 1)
        return by;
    return tl_vec3_scale(tl_vec3_unit(off),
                         2 * atan2(tl_vec3_length(off), along + sqrt(square / 3)));
}

/* The turn nearest to A: the R of A = R U. Where A maps all onto a plane or a line, what it leaves
 * open is not turned. */
static inline tl_turn tl_turn_of(const double (*A)[3]) {
    enum { MOST = 10 };
    tl_turn q = tl_turn_none();
    for (int tries = 0; tries < MOST; tries++) {
        const tl_vec3 by = tl_turn_short_of(q, A);
        q = tl_turn_unit(tl_turn_after(tl_turn_by(by), q));
        if (!(tl_vec3_dot(by, by) > 1e-20))
            break;
    }
    return q;
}

#endif
