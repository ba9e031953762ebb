/* Symmetric 6x6 matrices on the wide type, against double precision. */
#include "math/sym6.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>

/* Σ s_k q_k q_kᵀ with orthonormal q at random: eigenvalues s. One matrix a lane. */
static void make_matrix(const double s[6], uint64_t seed, double A[6][6]) {
    double q[6][6];
    for (int k = 0; k < 6; k++) {
        for (int r = 0; r < 6; r++)
            q[k][r] = tl_random_uniform(seed, (uint64_t)(6 * k + r)) - 0.5;
        for (int again = 0; again < 2; again++)
            for (int j = 0; j < k; j++) {
                double dot = 0;
                for (int r = 0; r < 6; r++)
                    dot += q[k][r] * q[j][r];
                for (int r = 0; r < 6; r++)
                    q[k][r] -= dot * q[j][r];
            }
        double length = 0;
        for (int r = 0; r < 6; r++)
            length += q[k][r] * q[k][r];
        for (int r = 0; r < 6; r++)
            q[k][r] /= sqrt(length);
    }
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) {
            A[r][c] = 0;
            for (int k = 0; k < 6; k++)
                A[r][c] += s[k] * q[k][r] * q[k][c];
        }
}

/* Packs one matrix a lane. */
static void pack(double (*A)[6][6], tl_wide out[TL_SYM6]) {
    for (int r = 0; r < 6; r++)
        for (int c = 0; c <= r; c++) {
            float lanes[TL_LANES];
            for (int l = 0; l < TL_LANES; l++)
                lanes[l] = (float)A[l][r][c];
            out[tl_sym6_at(r, c)] = tl_load(lanes);
        }
}

/* The largest element of A⁻¹ A - 1, over many matrices with the largest eigenvalue `size` and the
 * least `size / condition`. */
static double inversion_error(double size, double condition) {
    double worst = 0;
    for (uint64_t turn = 0; turn < 50; turn++) {
        double A[TL_LANES][6][6];
        for (uint64_t l = 0; l < TL_LANES; l++) {
            double s[6] = {size, size / condition};
            for (uint64_t k = 2; k < 6; k++)
                s[k] = size * pow(condition, -tl_random_uniform(turn, 8 * l + k));
            make_matrix(s, 100 * turn + l, A[l]);
        }
        tl_wide packed[TL_SYM6], inverse[TL_SYM6];
        pack(A, packed);
        tl_sym6_invert(packed, tl_splat((float)(1e-3 * size / condition)), inverse);
        for (int l = 0; l < TL_LANES; l++)
            for (int r = 0; r < 6; r++)
                for (int c = 0; c < 6; c++) {
                    double product = r == c ? -1 : 0;
                    for (int k = 0; k < 6; k++)
                        product += (double)tl_lane(inverse[tl_sym6_at(r, k)], l) * A[l][k][c];
                    worst = fmax(worst, fabs(product));
                }
    }
    return worst;
}

Test(sym6, the_inverse_times_the_matrix_is_one) {
    cr_expect_lt(inversion_error(1, 1), 1e-6);
    cr_expect_lt(inversion_error(1, 10), 1e-5);
    cr_expect_lt(inversion_error(1e-9, 10), 1e-5);
    cr_expect_lt(inversion_error(1e9, 10), 1e-5);
}

Test(sym6, an_ill_conditioned_inverse_is_as_good_as_single_precision_lets_it_be) {
    for (double condition = 1e2; condition < 2e5; condition *= 10)
        cr_expect_lt(inversion_error(1, condition), 1e-6 * condition, "condition %g: %g", condition,
                     inversion_error(1, condition));
}

Test(sym6, times_is_the_product) {
    double A[TL_LANES][6][6];
    for (uint64_t l = 0; l < TL_LANES; l++)
        make_matrix((const double[]){1, 2, 3, -4, 5, -6}, 7 + l, A[l]);
    tl_wide packed[TL_SYM6], x[6], out[6];
    pack(A, packed);
    for (int k = 0; k < 6; k++)
        x[k] = tl_splat((float)(k * k - 7));
    tl_sym6_times(packed, x, out);
    for (int l = 0; l < TL_LANES; l++)
        for (int r = 0; r < 6; r++) {
            double expected = 0;
            for (int k = 0; k < 6; k++)
                expected += A[l][r][k] * (k * k - 7);
            cr_assert_float_eq(tl_lane(out[r], l), expected, 1e-4);
        }
}

/* A thread, a sheet and nothing at all have no inverse: pivots are held above `least`. */
Test(sym6, a_singular_matrix_has_a_finite_inverse) {
    const double eigenvalues[][6] = {{1, 0, 0, 0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0}};
    for (int k = 0; k < 3; k++) {
        double A[TL_LANES][6][6];
        for (uint64_t l = 0; l < TL_LANES; l++)
            make_matrix(eigenvalues[k], 7 + l, A[l]);
        tl_wide packed[TL_SYM6], inverse[TL_SYM6];
        pack(A, packed);
        tl_sym6_invert(packed, tl_splat(1e-6f), inverse);
        for (int l = 0; l < TL_LANES; l++)
            for (int e = 0; e < TL_SYM6; e++)
                cr_assert(isfinite(tl_lane(inverse[e], l)));
    }
}
