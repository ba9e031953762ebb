/* What sweeps over a packing find: fits, rates of strain, forces. */
#ifndef TL_TESTS_STRAIN_SWEEPS_H
#define TL_TESTS_STRAIN_SWEEPS_H

#include "packing.h"

#include <stdlib.h>

static const double still[3] = {0};
static const packing_plan lattice = {.n = {9, 8, 10}}, jittered = {.n = {9, 8, 10}, .jitter = 0.25},
                          uneven = {.n = {9, 8, 10}, .jitter = 0.25, .uneven = true},
                          graded = {.n = {9, 5, 6}, .jitter = 0.25, .graded = true};

static const double flows[][3][3] = {{{0, 0, 2}, {0, 0, 0}, {0, 0, 0}},
                                     {{2, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                                     {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                     {{1, -2, 0.5}, {0.7, -3, 4}, {2.5, 0.1, 2}}};

static const tl_wall_def corner[] = {{.plane = TL_SIDE_Z, .velocity = {0.4, 0, 0}},
                                     {.plane = TL_SIDE_X, .contact = TL_CONTACT_FREE_SLIP}};
static const packing_plan in_a_corner = {
    .n = {8, 9, 7}, .jitter = 0.25, .uneven = true, .walls = corner, .wall_count = 2};
static const packing_plan repeated = {.n = {8, 9, 7},
                                      .jitter = 0.25,
                                      .uneven = true,
                                      .periodic = {true},
                                      .walls = corner,
                                      .wall_count = 1};

static inline void keep_fits(void *context, const tl_fit *fits, size_t begin, size_t end) {
    memcpy((tl_fit *)context + begin, fits, (end - begin) * sizeof *fits);
}

static inline tl_fit *fits_of(const packing *p, bool exact, float curve) {
    tl_fit *fits = calloc(p->count, sizeof *fits);
    tl_strain_fit(&p->solver.strain, exact, curve, keep_fits, fits);
    return fits;
}

/* A⁻¹ x, with the inverse that the solver uses. */
static inline void times_inverse(const packing *p, size_t i, const double x[6], double out[6]) {
    const float *inverse =
        p->solver.strain.inverse + i / TL_LANES * TL_LANES * TL_SYM6 + i % TL_LANES;
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int c = 0; c < 6; c++)
            out[r] += (double)inverse[tl_sym6_at(r, c) * TL_LANES] * x[c];
    }
}

static inline void strain_rate(const packing *p, const tl_fit *fits, size_t i, double E[6]) {
    double b[6];
    for (int k = 0; k < 6; k++)
        b[k] = (double)fits[i].b[k];
    times_inverse(p, i, b, E);
}

/* xx yy zz xy xz yz of ½ (G + Gᵀ) + curve Gᵀ G */
static inline void strain_of(const double G[3][3], double curve, double E[6]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        const int r = row[k], c = column[k];
        E[k] = 0.5 * (G[r][c] + G[c][r]);
        for (int l = 0; l < 3; l++)
            E[k] += curve * G[l][r] * G[l][c];
    }
}

static inline double size_of(const double E[6]) {
    double squares = 0;
    for (int k = 0; k < 6; k++)
        squares += (k < 3 ? 1 : 2) * E[k] * E[k];
    return sqrt(squares);
}

static inline void keep_forces(void *context, const float (*force)[4], size_t begin, size_t end) {
    memcpy((float(*)[4])context + begin, force, (end - begin) * sizeof *force);
}

/* Forces of the stress that the velocities make, N, with random shear, bulk and ς:
 * σ = 2 η dev E + κ tr E I. Walls stand still. */
static inline double (*forces_of(const packing *p, double shear, double bulk, double brace))[3] {
    const tl_strain *s = &p->solver.strain;
    double(*out)[3] = calloc(p->count, sizeof *out);
    float(*force)[4] = calloc(p->count, sizeof *force);
    for (size_t i = 0; i < p->count; i++)
        packing_motion(p, i)->brace = (float)(brace * random_between(0.2, 2, 21, i));
    tl_strain_share_motion(s);
    tl_fit *fits = fits_of(p, false, 0);
    for (size_t i = 0; i < p->count; i++) {
        double E[6], load[6], T[6];
        strain_rate(p, fits, i, E);
        const double eta = shear * random_between(0.1, 10, 22, i);
        const double kappa = bulk * random_between(0.1, 10, 23, i);
        const double trace = E[0] + E[1] + E[2];
        for (int k = 0; k < 6; k++)
            load[k] = (k < 3 ? 2 * eta * E[k] + (kappa - 2 * eta / 3) * trace : 4 * eta * E[k]) -
                      (double)packing_motion(p, i)->brace / (1 + (double)TL_LEAST_ROUND) *
                          (double)fits[i].b[k];
        times_inverse(p, i, load, T);
        for (size_t k = 0; k < 6; k++)
            s->traction[i].T[k] = (float)T[k];
    }
    tl_strain_share_traction(s);
    tl_strain_force(s, NULL, 0, keep_forces, force);
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = packing_volume(p, i) * (double)(force[i][k] + fits[i].brace[k]);
    free(fits);
    free(force);
    return out;
}

/* The largest A⁻¹ b, in units of the rate of the velocities. */
static inline double largest_rate(const packing *p) {
    tl_fit *fits = fits_of(p, true, 0);
    double worst = 0, E[6];
    for (size_t i = 0; i < p->count; i++) {
        strain_rate(p, fits, i, E);
        worst = fmax(worst, size_of(E));
    }
    free(fits);
    return worst;
}

/* The velocities, as they are in the records. */
static inline double (*velocities_of(const packing *p))[3] {
    double(*out)[3] = calloc(p->count, sizeof *out);
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = (double)packing_motion(p, i)->u[k];
    return out;
}

static inline double dot(const packing *p, const double (*a)[3], const double (*b)[3]) {
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2];
    return sum;
}

/* Forces of one thread and of two, to the bit. */
static inline void expect_the_same_for_threads(packing_plan how) {
    packing one, two;
    packing_make(&one, &how);
    how.threads = 2;
    packing_make(&two, &how);
    packing_shake(&one, 4);
    packing_shake(&two, 4);
    double(*a)[3] = forces_of(&one, 1, 2, 3), (*b)[3] = forces_of(&two, 1, 2, 3);
    cr_assert_eq(memcmp(a, b, one.count * sizeof *a), 0);
    free(a), free(b);
    packing_free(&one);
    packing_free(&two);
}

#endif
