/* The rate of strain and the forces of stress: what holds for every packing, with and without
 * walls. */
#include "packing.h"

#include <stdlib.h>

static const double still[3] = {0};
static const packing_plan lattice = {.n = {9, 8, 10}}, jittered = {.n = {9, 8, 10}, .jitter = 0.25},
                          uneven = {.n = {9, 8, 10}, .jitter = 0.25, .uneven = true};

/* ---- What a sweep finds ------------------------------------------------------------------------
 */

static void keep_fits(void *context, const tl_fit *fits, size_t begin, size_t end) {
    memcpy((tl_fit *)context + begin, fits, (end - begin) * sizeof *fits);
}

static tl_fit *fits_of(const packing *p, bool exact, float curve) {
    tl_fit *fits = calloc(p->count, sizeof *fits);
    tl_strain_fit(&p->solver.strain, exact, curve, keep_fits, fits);
    return fits;
}

/* A⁻¹ x, with the inverse that the solver uses. */
static void times_inverse(const packing *p, size_t i, const double x[6], double out[6]) {
    const float *inverse =
        p->solver.strain.inverse + i / TL_LANES * TL_LANES * TL_SYM6 + i % TL_LANES;
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int c = 0; c < 6; c++)
            out[r] += (double)inverse[tl_sym6_at(r, c) * TL_LANES] * x[c];
    }
}

static void strain_rate(const packing *p, const tl_fit *fits, size_t i, double E[6]) {
    double b[6];
    for (int k = 0; k < 6; k++)
        b[k] = (double)fits[i].b[k];
    times_inverse(p, i, b, E);
}

/* xx yy zz xy xz yz of ½ (G + Gᵀ) + curve Gᵀ G */
static void strain_of(const double G[3][3], double curve, double E[6]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        const int r = row[k], c = column[k];
        E[k] = 0.5 * (G[r][c] + G[c][r]);
        for (int l = 0; l < 3; l++)
            E[k] += curve * G[l][r] * G[l][c];
    }
}

static double size_of(const double E[6]) {
    double squares = 0;
    for (int k = 0; k < 6; k++)
        squares += (k < 3 ? 1 : 2) * E[k] * E[k];
    return sqrt(squares);
}

/* ---- Fits of linear flows ----------------------------------------------------------------------
 */

/* Σ ω m mᵀ x over the pairs of particle i and its walls, in double: what b is if E = x. */
static void times_moments(const packing *p, size_t i, const double x[6], double out[6]) {
    const tl_strain *s = &p->solver.strain;
    const float *self = packing_motion(p, i);
    memset(out, 0, 6 * sizeof *out);
    for (size_t k = 0; k < s->size[i]; k++) {
        const float *other = packing_motion(p, s->index[s->begin[i] + k]);
        const double d[3] = {(double)other[0] - (double)self[0], (double)other[1] - (double)self[1],
                             (double)other[2] - (double)self[2]};
        const double m[6] = {d[0] * d[0],     d[1] * d[1],     d[2] * d[2],
                             2 * d[0] * d[1], 2 * d[0] * d[2], 2 * d[1] * d[2]};
        double along = 0;
        for (int c = 0; c < 6; c++)
            along += m[c] * x[c];
        for (int r = 0; r < 6; r++)
            out[r] += (double)s->weight[s->begin[i] + k] * m[r] * along;
    }
    if (!s->link_of[i])
        return;
    /* The fourth moments as the header numbers them: x⁴ y⁴ z⁴ x³y x³z y³x y³z z³x z³y x²y² … */
    const float *q = s->link[s->link_of[i] - 1].moments;
    const float A[6][6] = {{q[0], q[9], q[10], 2 * q[3], 2 * q[4], 2 * q[12]},
                           {q[9], q[1], q[11], 2 * q[5], 2 * q[13], 2 * q[6]},
                           {q[10], q[11], q[2], 2 * q[14], 2 * q[7], 2 * q[8]},
                           {2 * q[3], 2 * q[5], 2 * q[14], 4 * q[9], 4 * q[12], 4 * q[13]},
                           {2 * q[4], 2 * q[13], 2 * q[7], 4 * q[12], 4 * q[10], 4 * q[14]},
                           {2 * q[12], 2 * q[6], 2 * q[8], 4 * q[13], 4 * q[14], 4 * q[11]}};
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            out[r] += (double)A[r][c] * x[c];
}

typedef struct fit_error {
    double equations;       /* largest |b - A E|, relative */
    double inside, surface; /* largest departure of A⁻¹ b, relative; full and other particles */
} fit_error;

static fit_error error_of_fit(const packing *p, const double G[3][3], double curve, bool exact) {
    tl_fit *fits = fits_of(p, exact, (float)curve);
    double E[6], found[6], b[6];
    strain_of(G, curve, E);
    fit_error error = {0};
    const double full = 3 * tl_lattice_sums(TL_KERNEL_WENDLAND, packing_support).moment;
    for (size_t i = 0; i < p->count; i++) {
        times_moments(p, i, E, b);
        double off = 0, size = 0;
        for (int k = 0; k < 6; k++) {
            off += pow((double)fits[i].b[k] - b[k], 2);
            size += b[k] * b[k];
        }
        error.equations = fmax(error.equations, sqrt(off / size));
        strain_rate(p, fits, i, found);
        for (int k = 0; k < 6; k++)
            found[k] -= E[k];
        double *worst = (double)p->solver.strain.around[4 * i + 3] > 0.9 * full ? &error.inside
                                                                                : &error.surface;
        *worst = fmax(*worst, size_of(found) / size_of(E));
    }
    free(fits);
    return error;
}

static const double flows[][3][3] = {{{0, 0, 2}, {0, 0, 0}, {0, 0, 0}},
                                     {{2, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                                     {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                     {{1, -2, 0.5}, {0.7, -3, 4}, {2.5, 0.1, 2}}};

/* What is left of A⁻¹ b is TL_LEAST_ROUND: some parts in ten thousand on a lattice, a few in a
 * thousand in disorder, and more at edges and corners, where the fit has few directions. */
static void fits_linear_flows(const packing_plan *how, double inside, double surface) {
    for (size_t f = 0; f < sizeof flows / sizeof flows[0]; f++) {
        packing p;
        packing_make(&p, how);
        packing_stir(&p, (const double[]){0.3, -0.2, 0.1}, flows[f]);
        for (int exact = 0; exact < 2; exact++) {
            const fit_error e = error_of_fit(&p, flows[f], 0, exact);
            cr_expect_lt(e.equations, 2e-5, "flow %zu: %g", f, e.equations);
            cr_expect_lt(e.inside, inside, "flow %zu: %g", f, e.inside);
            cr_expect_lt(e.surface, surface, "flow %zu: %g", f, e.surface);
        }
        packing_free(&p);
    }
}

Test(strain, fits_linear_flows_on_a_lattice_and_at_its_free_surfaces) {
    fits_linear_flows(&lattice, 1e-3, 6e-3);
}

Test(strain, fits_linear_flows_in_disorder_and_at_its_free_surfaces) {
    fits_linear_flows(&jittered, 3e-3, 4e-2);
    fits_linear_flows(&uneven, 4e-3, 4e-2);
}

/* d·E d + curve |L d|² is d·(E + curve LᵀL) d. */
Test(strain, the_curvature_of_paths_is_fitted_as_well) {
    packing p;
    packing_make(&p, &jittered);
    packing_stir(&p, still, flows[3]);
    const fit_error e = error_of_fit(&p, flows[3], 0.02, true);
    cr_expect_lt(e.equations, 2e-6, "%g", e.equations);
    cr_expect_lt(e.inside, 3e-3, "%g", e.inside);
    packing_free(&p);
}

Test(strain, low_parts_of_velocities_show_a_flow_that_single_precision_does_not) {
    packing p;
    packing_make(&p, &lattice);
    packing_stir(&p, (const double[]){3e4, -1e5, 2e4}, flows[0]);
    cr_expect_gt(error_of_fit(&p, flows[0], 0, false).equations, 1e-2);
    cr_expect_lt(error_of_fit(&p, flows[0], 0, true).equations, 1e-4);
    packing_free(&p);
}

/* The largest A⁻¹ b, in units of the rate of the velocities. */
static double largest_rate(const packing *p) {
    tl_fit *fits = fits_of(p, true, 0);
    double worst = 0, E[6];
    for (size_t i = 0; i < p->count; i++) {
        strain_rate(p, fits, i, E);
        worst = fmax(worst, size_of(E));
    }
    free(fits);
    return worst;
}

Test(strain, rigid_motions_have_none) {
    const double spin[3][3] = {{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}, none[3][3] = {{0}};
    const packing_plan *plans[] = {&lattice, &jittered, &uneven};
    for (int k = 0; k < 3; k++) {
        packing p;
        packing_make(&p, plans[k]);
        packing_stir(&p, (const double[]){0.3, -0.2, 0.1}, none);
        cr_expect_eq(largest_rate(&p), 0);
        packing_stir(&p, (const double[]){0.3, -0.2, 0.1}, spin);
        cr_expect_lt(largest_rate(&p), 1e-4 * sqrt(14), "%g", largest_rate(&p));
        packing_free(&p);
    }
}

/* ---- Walls -------------------------------------------------------------------------------------
 */

/* v = v_wall + (n·x) c, as no-slip walls have it; free-slip walls allow more. */
static fit_error error_beside(const tl_wall_def *wall, double jitter, const double base[3],
                              const double G[3][3]) {
    const packing_plan how = {.n = {8, 8, 8}, .jitter = jitter, .walls = wall, .wall_count = 1};
    packing p;
    packing_make(&p, &how);
    size_t near = 0;
    for (size_t i = 0; i < p.count; i++)
        near += p.solver.strain.link_of[i] != 0;
    cr_assert_eq(near, p.solver.strain.link_count);
    cr_assert_geq(near, 2 * 64);
    packing_stir(&p, base, G);
    const fit_error e = error_of_fit(&p, G, 0, true);
    packing_free(&p);
    return e;
}

Test(strain, fits_linear_flows_beside_a_wall_that_moves_and_holds_the_matter) {
    const tl_wall_def wall = {.plane = TL_SIDE_Z, .velocity = {0.4, -0.1, 0}};
    const double G[3][3] = {{0, 0, 3}, {0, 0, -2}, {0, 0, 1}}, base[3] = {0.4, -0.1, 0};
    for (int disorder = 0; disorder < 2; disorder++) {
        const fit_error e = error_beside(&wall, 0.25 * disorder, base, G);
        cr_expect_lt(e.equations, 1e-4, "%g", e.equations);
        cr_expect_lt(e.inside, disorder ? 3e-3 : 1e-3, "%g", e.inside);
    }
}

Test(strain, fits_linear_flows_beside_a_wall_on_which_matter_slips) {
    const tl_wall_def wall = {.plane = TL_SIDE_Z, .contact = TL_CONTACT_FREE_SLIP};
    const double G[3][3] = {{1, 2, 3}, {0.5, -2, -2}, {0, 0, 1}}, base[3] = {0.4, -0.1, 0};
    for (int disorder = 0; disorder < 2; disorder++) {
        const fit_error e = error_beside(&wall, 0.25 * disorder, base, G);
        cr_expect_lt(e.equations, 1e-4, "%g", e.equations);
        /* The wall holds the normal motion alone: a fit beside it is half as round. */
        cr_expect_lt(e.inside, disorder ? 3e-3 : 2e-3, "%g", e.inside);
    }
}

Test(strain, fits_linear_flows_beside_an_oblique_wall) {
    /* n = (0.6, 0, 0.8), through the low corner; v = (n·x) c */
    const tl_wall_def wall = {.normal = {0.6, 0, 0.8}, .through = {-0.002, 0, -0.002}};
    const double c[3] = {2, -1, 0.5}, away = 0.6 * 0.002 + 0.8 * 0.002;
    const double G[3][3] = {
        {0.6 * c[0], 0, 0.8 * c[0]}, {0.6 * c[1], 0, 0.8 * c[1]}, {0.6 * c[2], 0, 0.8 * c[2]}};
    const packing_plan how = {.n = {8, 8, 8}, .jitter = 0.1, .walls = &wall, .wall_count = 1};
    packing p;
    packing_make(&p, &how);
    packing_stir(&p, (const double[]){away * c[0], away * c[1], away * c[2]}, G);
    const fit_error e = error_of_fit(&p, G, 0, true);
    cr_assert_gt(p.solver.strain.link_count, 20);
    cr_expect_lt(e.equations, 1e-4, "%g", e.equations);
    cr_expect_lt(e.inside, 3e-3, "%g", e.inside);
    packing_free(&p);
}

/* ---- The operator ------------------------------------------------------------------------------
 */

static void keep_forces(void *context, const float (*force)[4], size_t begin, size_t end) {
    memcpy((float(*)[4])context + begin, force, (end - begin) * sizeof *force);
}

/* Forces of the stress that the velocities make, N, with random shear, bulk and ς:
 * σ = 2 η dev E + κ tr E I. Walls stand still. */
static double (*forces_of(const packing *p, double shear, double bulk, double hold))[3] {
    const tl_strain *s = &p->solver.strain;
    double(*out)[3] = calloc(p->count, sizeof *out);
    float(*force)[4] = calloc(p->count, sizeof *force);
    for (size_t i = 0; i < p->count; i++)
        packing_motion(p, i)[3] = (float)(hold * random_between(0.2, 2, 21, i));
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
                      (double)packing_motion(p, i)[3] / (1 + (double)TL_LEAST_ROUND) *
                          (double)fits[i].b[k];
        times_inverse(p, i, load, T);
        for (size_t k = 0; k < 6; k++)
            s->tension[i * TL_TENSION + k] = (float)T[k];
    }
    tl_strain_share_tension(s);
    tl_strain_force(s, NULL, 0, keep_forces, force);
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = packing_volume(p, i) * (double)(force[i][k] + fits[i].hold[k]);
    free(fits);
    free(force);
    return out;
}

/* The velocities, as they are in the records. */
static double (*velocities_of(const packing *p))[3] {
    double(*out)[3] = calloc(p->count, sizeof *out);
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = (double)packing_motion(p, i)[4 + k];
    return out;
}

static double dot(const packing *p, const double (*a)[3], const double (*b)[3]) {
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2];
    return sum;
}

/* How bulk and ς compare to shear. */
static const double mixtures[][3] = {{1, 3, 1}, {1, 1e4, 0}, {1e4, 1, 1}, {0, 1, 0}, {0, 0, 1}};
enum { MIXTURES = sizeof mixtures / sizeof mixtures[0] };

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

Test(strain, forces_keep_momentum_and_angular_momentum) {
    const packing_plan *plans[] = {&lattice, &jittered, &uneven};
    for (int k = 0; k < 3 * MIXTURES; k++) {
        packing p;
        packing_make(&p, plans[k / MIXTURES]);
        packing_shake(&p, 3);
        const double *mix = mixtures[k % MIXTURES];
        double(*f)[3] = forces_of(&p, mix[0], mix[1], mix[2]);
        double sum[3] = {0}, turn[3] = {0}, size = 0;
        for (size_t i = 0; i < p.count; i++) {
            const float *x = packing_motion(&p, i);
            for (int a = 0; a < 3; a++) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                sum[a] += f[i][a];
                turn[a] += (double)x[b] * f[i][c] - (double)x[c] * f[i][b];
                size += fabs(f[i][a]);
            }
        }
        for (int a = 0; a < 3; a++) {
            cr_expect_lt(fabs(sum[a]), 1e-6 * size, "%g of %g", sum[a], size);
            cr_expect_lt(fabs(turn[a]), 1e-6 * size * 10 * packing_dx, "%g of %g", turn[a], size);
        }
        free(f);
        packing_free(&p);
    }
}

static void is_symmetric_and_positive(const packing_plan *how) {
    packing p;
    packing_make(&p, how);
    for (int k = 0; k < MIXTURES; k++) {
        const double *mix = mixtures[k];
        packing_shake(&p, 100);
        double(*u)[3] = velocities_of(&p), (*Au)[3] = forces_of(&p, mix[0], mix[1], mix[2]);
        packing_shake(&p, 101);
        double(*v)[3] = velocities_of(&p), (*Av)[3] = forces_of(&p, mix[0], mix[1], mix[2]);
        const double own = -dot(&p, u, Au), other = -dot(&p, v, Av);
        cr_expect(own > 0 && other > 0, "mixture %d: %g, %g", k, own, other);
        const double skew = dot(&p, u, Av) - dot(&p, v, Au);
        cr_expect_lt(fabs(skew), 1e-5 * sqrt(own * other), "mixture %d: %g", k,
                     skew / sqrt(own * other));
        free(u), free(v), free(Au), free(Av);
    }
    packing_free(&p);
}

Test(strain, the_operator_is_symmetric_and_positive) {
    is_symmetric_and_positive(&lattice);
    is_symmetric_and_positive(&uneven);
}

Test(strain, the_operator_is_symmetric_and_positive_beside_walls) {
    is_symmetric_and_positive(&in_a_corner);
}

Test(strain, the_operator_is_symmetric_and_positive_in_a_world_that_repeats) {
    is_symmetric_and_positive(&repeated);
}

/* ς is for what no linear flow explains. */
Test(strain, holding_does_not_brake_linear_flows) {
    packing p;
    packing_make(&p, &jittered);
    packing_stir(&p, still, flows[3]);
    double(*u)[3] = velocities_of(&p);
    double(*held)[3] = forces_of(&p, 0, 0, 1), (*sheared)[3] = forces_of(&p, 1, 0, 0);
    const double lost = -dot(&p, u, held), viscous = -dot(&p, u, sheared);
    cr_expect(lost > -1e-6 * viscous && lost < 1e-3 * viscous, "%g of %g", lost, viscous);
    free(u), free(held), free(sheared);
    packing_free(&p);
}

/* ---- Twins -------------------------------------------------------------------------------------
 */

Test(strain, sweeps_with_and_without_low_parts_agree_where_there_are_none) {
    const tl_wall_def resting[] = {{.plane = TL_SIDE_Z},
                                   {.plane = TL_SIDE_X, .contact = TL_CONTACT_FREE_SLIP}};
    packing_plan how = in_a_corner;
    how.walls = resting;
    packing p;
    packing_make(&p, &how);
    packing_shake(&p, 8);
    for (size_t i = 0; i < p.count; i++)
        packing_motion(&p, i)[3] = 2;
    tl_fit *plain = fits_of(&p, false, 0), *exact = fits_of(&p, true, 0);
    for (size_t i = 0; i < p.count; i++) {
        const float *a = (const float *)&plain[i], *b = (const float *)&exact[i];
        /* b is of the order of u / dx, the force of ς of u / dx². */
        for (int k = 0; k < 9; k++)
            cr_assert_float_eq(a[k], b[k], k < 6 ? 1e-4 : 1e-1, "%g, %g", (double)a[k],
                               (double)b[k]);
    }
    free(plain);
    free(exact);
    packing_free(&p);
}

/* d from particle i to j, to the nearest image; the distance. */
static double way(const packing *p, size_t i, size_t j, double period) {
    const float *a = packing_motion(p, i), *b = packing_motion(p, j);
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = (double)b[k] - (double)a[k];
    if (period > 0)
        d[0] = remainder(d[0], period);
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void compare_means(const packing_plan *how) {
    packing p;
    packing_make(&p, how);
    const tl_strain *s = &p.solver.strain;
    const double R = packing_support * packing_dx;
    const double period = how->periodic[0] ? how->n[0] * packing_dx : 0;
    float *mean = calloc(2 * p.count, sizeof *mean), *least = calloc(p.count, sizeof *least);
    float *swept = calloc(2 * p.count, sizeof *swept), (*force)[4] = calloc(p.count, sizeof *force);
    for (size_t i = 0; i < 2 * p.count; i++)
        s->tension[i / 2 * TL_TENSION + 6 + i % 2] = (float)random_between(-3, 5, 31, i);
    tl_strain_share_tension(s);
    tl_strain_average(s, 0, mean);
    tl_strain_force(s, swept, 0, keep_forces, force);
    tl_strain_least(s, least);
    for (size_t i = 0; i < p.count; i++) {
        double total = 0, sum[2] = {0}, low = (double)s->tension[i * TL_TENSION + 7];
        for (size_t j = 0; j < p.count; j++) {
            const double r = way(&p, i, j, period);
            if (j == i || r >= R)
                continue;
            /* g = ω r² = V |W'| / r */
            const double slope =
                (double)tl_lane(tl_kernel_slope(TL_KERNEL_WENDLAND, tl_splat((float)(r / R))), 0);
            const double g = packing_volume(&p, j) * -slope;
            const float *T = s->tension + j * TL_TENSION + 6;
            total += g;
            sum[0] += g * (double)T[0];
            sum[1] += g * (double)T[1];
            low = fmin(low, (double)T[1]);
        }
        cr_assert_eq((double)least[i], low);
        for (size_t k = 0; k < 2; k++) {
            cr_assert_float_eq((double)mean[2 * i + k], sum[k] / total, 1e-5);
            cr_assert_float_eq((double)swept[2 * i + k], sum[k] / total, 1e-5);
        }
    }
    free(swept);
    free(force);
    free(mean);
    free(least);
    packing_free(&p);
}

Test(strain, means_and_least_values_are_those_of_the_neighbours) {
    compare_means(&lattice);
    compare_means(&uneven);
    compare_means(&in_a_corner);
    compare_means(&repeated);
}

/* Two that touch at the rim of their supports, and two that are close. */
Test(strain, a_drop_takes_on_little_of_one_that_it_hardly_touches) {
    const double apart[] = {2.4, 0.8};
    double taken[2];
    for (int k = 0; k < 2; k++) {
        const float places[2][3] = {{0, 0, 0}, {(float)(apart[k] * packing_dx), 0, 0}};
        packing p;
        packing_of(&p, places, 2, &(packing_plan){0});
        const tl_strain *s = &p.solver.strain;
        float mean[4];
        s->tension[6] = 1, s->tension[7] = 2;
        s->tension[TL_TENSION + 6] = 101, s->tension[TL_TENSION + 7] = 2;
        tl_strain_average(s, 1, mean);
        taken[k] = (double)mean[0] - 1;
        cr_expect_float_eq((double)mean[2] - 101, -taken[k], 1e-4);
        cr_expect_float_eq((double)mean[1], 2, 1e-6);
        packing_free(&p);
    }
    cr_expect(taken[0] > 0 && taken[0] < 0.1, "%g", taken[0]);
    cr_expect(taken[1] > 1 && taken[1] < 30, "%g", taken[1]);
}

/* Thirds are Σ ω d d d, with those of walls; diagonals Σ ω (ς_i + ς_j) d d + Σ ω² r⁴ κ_j d d, with
 * ς times the drag of walls. */
Test(strain, thirds_and_diagonals_are_sums_over_the_pairs) {
    static const int triple[TL_THIRDS][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 1}, {0, 0, 2},
                                             {1, 1, 0}, {1, 1, 2}, {2, 2, 0}, {2, 2, 1}, {0, 1, 2}};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    packing p;
    packing_make(&p, &in_a_corner);
    const tl_strain *s = &p.solver.strain;
    float *found = calloc(8 * p.count, sizeof *found);
    for (size_t i = 0; i < p.count; i++) {
        packing_motion(&p, i)[3] = (float)random_between(0, 2, 51, i);
        s->tension[i * TL_TENSION + 6] = (float)random_between(0, 2, 52, i);
    }
    tl_strain_diagonal(s, found);
    for (size_t i = 0; i < p.count; i++) {
        const float *self = packing_motion(&p, i);
        const tl_wall_link *link = s->link_of[i] ? &s->link[s->link_of[i] - 1] : NULL;
        double thirds[TL_THIRDS] = {0}, D[6] = {0}, size = 0;
        for (size_t k = 0; k < s->size[i]; k++) {
            const size_t j = s->index[s->begin[i] + k];
            const float *x = packing_motion(&p, j);
            const double w = (double)s->weight[s->begin[i] + k];
            const double d[3] = {(double)x[0] - (double)self[0], (double)x[1] - (double)self[1],
                                 (double)x[2] - (double)self[2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            const double t = (double)self[3] + (double)x[3] +
                             w * r2 * r2 * (double)s->tension[j * TL_TENSION + 6];
            for (int e = 0; e < TL_THIRDS; e++)
                thirds[e] += w * d[triple[e][0]] * d[triple[e][1]] * d[triple[e][2]];
            for (int e = 0; e < 6; e++)
                D[e] += w * t * d[row[e]] * d[column[e]];
        }
        for (int e = 0; e < 6; e++) {
            D[e] += link ? (double)(self[3] * link->drag[e]) : 0;
            size += fabs(D[e]);
        }
        for (size_t e = 0; e < 6; e++)
            cr_assert_float_eq((double)found[8 * i + e], D[e], 1e-5 * size);
        for (size_t e = 0; e < TL_THIRDS; e++)
            cr_assert_float_eq((double)s->thirds[TL_THIRDS * i + e],
                               thirds[e] + (link ? (double)link->thirds[e] : 0), 1e-6 / packing_dx);
    }
    free(found);
    packing_free(&p);
}

Test(strain, does_not_depend_on_the_number_of_threads) {
    packing_plan how = in_a_corner;
    how.n[0] = 12, how.n[1] = 11, how.n[2] = 10; /* several blocks */
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

/* ---- Odd neighbourhoods ------------------------------------------------------------------------
 */

static void stays_finite(const float (*places)[3], size_t count, const packing_plan *how) {
    packing p;
    packing_of(&p, places, count, how);
    packing_shake(&p, 6);
    double(*f)[3] = forces_of(&p, 1, 3, 1);
    tl_fit *fits = fits_of(&p, true, 0.1f);
    double E[6];
    for (size_t i = 0; i < p.count; i++) {
        strain_rate(&p, fits, i, E);
        cr_expect(isfinite(size_of(E)), "particle %zu", i);
        cr_expect(isfinite(f[i][0] + f[i][1] + f[i][2]), "particle %zu", i);
    }
    free(f);
    free(fits);
    packing_free(&p);
}

Test(strain, one_particle_feels_nothing) {
    const packing_plan alone = {.n = {1, 1, 1}};
    packing p;
    packing_of(&p, (const float[][3]){{0.3f, 0.2f, 0.1f}}, 1, &alone);
    packing_shake(&p, 6);
    cr_assert_eq(largest_rate(&p), 0);
    double(*f)[3] = forces_of(&p, 1, 3, 1);
    cr_assert(f[0][0] == 0 && f[0][1] == 0 && f[0][2] == 0);
    free(f);
    packing_free(&p);
}

Test(strain, few_particles_and_those_on_top_of_each_other_have_finite_strain_rates) {
    const packing_plan free = {.n = {1, 1, 1}};
    const tl_wall_def floor = {.plane = TL_SIDE_Z};
    const packing_plan standing = {.n = {1, 1, 1}, .walls = &floor, .wall_count = 1};
    const float places[][3] = {{0.005f, 0.005f, 0.005f}, {0.005f, 0.005f, 0.005f},
                               {0.015f, 0.005f, 0.005f}, {0.015f, 0.005f, 0.00500001f},
                               {0.010f, 0.010f, 0.005f}, {0.005f, 0.005f, 0}};
    for (size_t count = 1; count <= 6; count++) {
        stays_finite(places, count, &free);
        stays_finite(places, count, &standing);
    }
}
