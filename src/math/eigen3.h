/* Eigenvalues and eigenvectors of a symmetric 3x3 matrix by Jacobi's rotations: each turns the
 * largest element beside the diagonal to zero (Golub & Van Loan, Matrix computations, 8.5). */
#ifndef TL_MATH_EIGEN3_H
#define TL_MATH_EIGEN3_H

#include <math.h>

/* A = Σ_k value[k] vector[k] vector[k]ᵀ, vectors of unit length at right angles, in no order. A is
 * used up. */
static inline void tl_eigen3(double A[3][3], double value[3], double vector[3][3]) {
    enum { TURNS = 16 };
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            vector[r][c] = r == c;
    const double size = fabs(A[0][0]) + fabs(A[1][1]) + fabs(A[2][2]);
    for (int turn = 0; turn < TURNS; turn++) {
        const double a01 = fabs(A[0][1]), a02 = fabs(A[0][2]), a12 = fabs(A[1][2]);
        const int p = a12 > a01 && a12 > a02, q = a01 >= a02 && !p ? 1 : 2;
        if (!(fabs(A[p][q]) > 1e-15 * size))
            break;
        const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            const double kp = A[k][p], kq = A[k][q];
            A[k][p] = c * kp - s * kq, A[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
            const double pk = A[p][k], qk = A[q][k];
            A[p][k] = c * pk - s * qk, A[q][k] = s * pk + c * qk;
            const double vp = vector[p][k], vq = vector[q][k];
            vector[p][k] = c * vp - s * vq, vector[q][k] = s * vp + c * vq;
        }
    }
    for (int k = 0; k < 3; k++)
        value[k] = A[k][k];
}

#endif
