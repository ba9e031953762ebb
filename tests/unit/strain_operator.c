/* The forces of stress as an operator on velocities: what it conserves, its signs, its threads, and
 * neighbourhoods that are hardly any. */
#include "strain_sweeps.h"

/* How bulk and ς compare to shear. */
static const double mixtures[][3] = {{1, 3, 1}, {1, 1e4, 0}, {1e4, 1, 1}, {0, 1, 0}, {0, 0, 1}};
enum { MIXTURES = sizeof mixtures / sizeof mixtures[0] };

Test(strain, forces_keep_momentum_and_angular_momentum) {
    const packing_plan *plans[] = {&lattice, &jittered, &uneven, &graded};
    for (int k = 0; k < 4 * MIXTURES; k++) {
        packing p;
        packing_make(&p, plans[k / MIXTURES]);
        packing_shake(&p, 3);
        const double *mix = mixtures[k % MIXTURES];
        double(*f)[3] = forces_of(&p, mix[0], mix[1], mix[2]);
        double sum[3] = {0}, turn[3] = {0}, size = 0;
        for (size_t i = 0; i < p.count; i++) {
            const float *x = packing_motion(&p, i)->x;
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
    is_symmetric_and_positive(&graded);
}

/* Volumes here are powers of two: products with them round nothing. */
Test(strain, pairs_of_different_sizes_weigh_the_same_from_both_sides_to_the_bit) {
    packing p;
    packing_make(&p, &graded);
    const tl_strain *s = &p.solver.strain;
    size_t unlike = 0;
    for (size_t i = 0; i < p.count; i++)
        for (size_t k = 0; k < s->size[i]; k++) {
            const size_t j = s->index[s->begin[i] + k];
            const float here = s->motion[i].volume * s->weight[s->begin[i] + k];
            float there = 0;
            for (size_t e = 0; e < s->size[j]; e++)
                if (s->index[s->begin[j] + e] == i)
                    there += s->motion[j].volume * s->weight[s->begin[j] + e];
            cr_assert_eq(here, j == i ? 0 : there, "%zu, %zu: %g, %g", i, j, (double)here,
                         (double)there);
            unlike += s->motion[i].volume != s->motion[j].volume;
        }
    cr_expect_gt(unlike, 1000);
    packing_free(&p);
}

Test(strain, the_operator_is_symmetric_and_positive_beside_walls) {
    packing_plan sizes = in_a_corner;
    is_symmetric_and_positive(&in_a_corner);
    sizes.graded = true;
    sizes.uneven = false;
    is_symmetric_and_positive(&sizes);
}

Test(strain, the_operator_is_symmetric_and_positive_in_a_world_that_repeats) {
    is_symmetric_and_positive(&repeated);
}

/* ς is for what no linear flow explains. */
Test(strain, bracing_does_not_brake_linear_flows) {
    packing p;
    packing_make(&p, &jittered);
    packing_stir(&p, still, flows[3]);
    double(*u)[3] = velocities_of(&p);
    double(*braced)[3] = forces_of(&p, 0, 0, 1), (*sheared)[3] = forces_of(&p, 1, 0, 0);
    const double lost = -dot(&p, u, braced), viscous = -dot(&p, u, sheared);
    cr_expect(lost > -1e-6 * viscous && lost < 1e-3 * viscous, "%g of %g", lost, viscous);
    free(u), free(braced), free(sheared);
    packing_free(&p);
}

Test(strain, does_not_depend_on_the_number_of_threads) {
    packing_plan how = in_a_corner;
    how.n[0] = 12, how.n[1] = 11, how.n[2] = 10; /* several blocks */
    expect_the_same_for_threads(how);
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
