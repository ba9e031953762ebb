/* Fits of linear flows in every packing, with and without walls. */
#include "strain_sweeps.h"

/* ---- Fits of linear flows ----------------------------------------------------------------------
 */

/* Σ ω m mᵀ x over the pairs of particle i and its walls, in double: what b is if E = x. */
static void times_moments(const packing *p, size_t i, const double x[6], double out[6]) {
    const tl_strain *s = &p->solver.strain;
    const float *self = packing_motion(p, i)->x;
    memset(out, 0, 6 * sizeof *out);
    for (size_t k = 0; k < s->size[i]; k++) {
        const float *other = packing_motion(p, s->index[s->begin[i] + k])->x;
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
        double *worst =
            (double)p->solver.strain.around[i].full > 0.9 * full ? &error.inside : &error.surface;
        *worst = fmax(*worst, size_of(found) / size_of(E));
    }
    free(fits);
    return error;
}

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

Test(strain, fits_linear_flows_among_particles_of_all_sizes) {
    fits_linear_flows(&graded, 4e-3, 4e-2);
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

Test(strain, rigid_motions_have_none) {
    const double spin[3][3] = {{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}, none[3][3] = {{0}};
    const packing_plan *plans[] = {&lattice, &jittered, &uneven, &graded};
    for (int k = 0; k < 4; k++) {
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
