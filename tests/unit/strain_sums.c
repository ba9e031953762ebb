/* Sweeps against the same sums in double precision, pair by pair. */
#include "strain_sweeps.h"

Test(strain, sweeps_with_and_without_low_parts_agree_where_there_are_none) {
    const tl_wall_def resting[] = {{.plane = TL_SIDE_Z},
                                   {.plane = TL_SIDE_X, .contact = TL_CONTACT_FREE_SLIP}};
    packing_plan how = in_a_corner;
    how.walls = resting;
    packing p;
    packing_make(&p, &how);
    packing_shake(&p, 8);
    for (size_t i = 0; i < p.count; i++)
        packing_motion(&p, i)->brace = 2;
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
    const float *a = packing_motion(p, i)->x, *b = packing_motion(p, j)->x;
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
    tl_averaged *mean = calloc(p.count, sizeof *mean), *swept = calloc(p.count, sizeof *swept);
    float *least = calloc(p.count, sizeof *least), (*force)[4] = calloc(p.count, sizeof *force);
    for (size_t i = 0; i < 2 * p.count; i++)
        s->traction[i / 2].averaged.scalar[i % 2] = (float)random_between(-3, 5, 31, i);
    tl_strain_share_traction(s);
    tl_strain_average(s, 0, mean);
    tl_strain_force(s, swept, 0, keep_forces, force);
    tl_strain_least(s, least);
    for (size_t i = 0; i < p.count; i++) {
        double total = 0, sum[2] = {0}, low = (double)s->traction[i].viscosity;
        for (size_t j = 0; j < p.count; j++) {
            const double r = way(&p, i, j, period);
            if (j == i || r >= R)
                continue;
            /* g = ω r² = V |W'| / r */
            const double slope =
                (double)tl_lane(tl_kernel_slope(TL_KERNEL_WENDLAND, tl_splat((float)(r / R))), 0);
            const double g = packing_volume(&p, j) * -slope;
            const tl_traction *there = &s->traction[j];
            total += g;
            sum[0] += g * (double)there->averaged.scalar[0];
            sum[1] += g * (double)there->averaged.scalar[1];
            low = fmin(low, (double)there->viscosity);
        }
        cr_assert_eq((double)least[i], low);
        for (size_t k = 0; k < 2; k++) {
            cr_assert_float_eq((double)mean[i].scalar[k], sum[k] / total, 1e-5);
            cr_assert_float_eq((double)swept[i].scalar[k], sum[k] / total, 1e-5);
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
        tl_averaged mean[2];
        s->traction[0].averaged = (tl_averaged){{1, 2}};
        s->traction[1].averaged = (tl_averaged){{101, 2}};
        tl_strain_average(s, 1, mean);
        taken[k] = (double)mean[0].scalar[0] - 1;
        cr_expect_float_eq((double)mean[1].scalar[0] - 101, -taken[k], 1e-4);
        cr_expect_float_eq((double)mean[0].scalar[1], 2, 1e-6);
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
    tl_block *found = calloc(p.count, sizeof *found);
    for (size_t i = 0; i < p.count; i++) {
        packing_motion(&p, i)->brace = (float)random_between(0, 2, 51, i);
        s->traction[i].kappa.all = (float)random_between(0, 2, 52, i);
    }
    tl_strain_diagonal(s, found);
    for (size_t i = 0; i < p.count; i++) {
        const tl_motion *self = packing_motion(&p, i);
        const tl_wall_link *link = s->link_of[i] ? &s->link[s->link_of[i] - 1] : NULL;
        double thirds[TL_THIRDS] = {0}, D[6] = {0}, size = 0;
        for (size_t k = 0; k < s->size[i]; k++) {
            const size_t j = s->index[s->begin[i] + k];
            const tl_motion *other = packing_motion(&p, j);
            const double w = (double)s->weight[s->begin[i] + k];
            const double d[3] = {(double)other->x[0] - (double)self->x[0],
                                 (double)other->x[1] - (double)self->x[1],
                                 (double)other->x[2] - (double)self->x[2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            const double t = (double)self->brace + (double)other->brace +
                             w * r2 * r2 * (double)s->traction[j].kappa.all;
            for (int e = 0; e < TL_THIRDS; e++)
                thirds[e] += w * d[triple[e][0]] * d[triple[e][1]] * d[triple[e][2]];
            for (int e = 0; e < 6; e++)
                D[e] += w * t * d[row[e]] * d[column[e]];
        }
        for (int e = 0; e < 6; e++) {
            D[e] += link ? (double)(self->brace * link->drag[e]) : 0;
            size += fabs(D[e]);
        }
        for (size_t e = 0; e < 6; e++)
            cr_assert_float_eq((double)found[i].D[e], D[e], 1e-5 * size);
        for (size_t e = 0; e < TL_THIRDS; e++)
            cr_assert_float_eq((double)s->thirds[i].all[e],
                               thirds[e] + (link ? (double)link->thirds.all[e] : 0),
                               1e-6 / packing_dx);
    }
    free(found);
    packing_free(&p);
}
