/* Images of matter in smooth walls. */
#include "strain_sweeps.h"

static const tl_wall_def smooth[] = {{.plane = TL_SIDE_X, .contact = TL_CONTACT_FREE_SLIP},
                                     {.plane = TL_SIDE_Y, .contact = TL_CONTACT_FREE_SLIP},
                                     {.plane = TL_SIDE_Z, .contact = TL_CONTACT_FREE_SLIP}};

static packing_plan beside(size_t walls, double jitter) {
    return (packing_plan){
        .n = {8, 9, 10}, .jitter = jitter, .walls = smooth, .wall_count = walls, .mirrors = true};
}

static double (*shaken(packing *p, uint64_t seed))[3] {
    packing_shake(p, seed);
    return velocities_of(p);
}

Test(mirror, the_operator_is_symmetric_and_positive) {
    packing_plan how = beside(3, 0.25);
    how.uneven = true;
    packing p;
    packing_make(&p, &how);
    cr_assert_eq(p.solver.strain.mirrors.count, 7);
    double(*u)[3] = shaken(&p, 100), (*Au)[3] = forces_of(&p, 1, 3, 1);
    double(*v)[3] = shaken(&p, 101), (*Av)[3] = forces_of(&p, 1, 3, 1);
    const double own = -dot(&p, u, Au), other = -dot(&p, v, Av);
    cr_expect(own > 0 && other > 0, "%g, %g", own, other);
    const double skew = dot(&p, u, Av) - dot(&p, v, Au);
    cr_expect_lt(fabs(skew), 1e-5 * sqrt(own * other), "%g", skew / sqrt(own * other));
    free(u), free(v), free(Au), free(Av);
    packing_free(&p);
}

/* Along the third axis nothing pushes; along the others what walls do is known. */
Test(mirror, momentum_along_the_wall_is_kept_and_across_it_goes_to_the_wall) {
    const packing_plan how = beside(2, 0.25);
    packing p;
    packing_make(&p, &how);
    const tl_strain *s = &p.solver.strain;
    free(shaken(&p, 3));
    double(*f)[3] = forces_of(&p, 1, 3, 1), sum[3] = {0}, size = 0;
    for (size_t i = 0; i < p.count; i++) {
        float push[3] = {0};
        if (s->link_of[i])
            tl_link_force(s, &s->link[s->link_of[i] - 1], true, 0, push);
        if (tl_mirrors_any(&s->mirrors, i))
            tl_mirrors_push(s, 0, i, push);
        for (int k = 0; k < 3; k++) {
            sum[k] += f[i][k] - packing_volume(&p, i) * (double)push[k];
            size += fabs(f[i][k]);
        }
    }
    for (int k = 0; k < 3; k++)
        cr_expect_lt(fabs(sum[k]), 1e-6 * size, "%g of %g", sum[k], size);
    free(f);
    packing_free(&p);
}

/* Flows that are their own images: in free surfaces and corners too. */
Test(mirror, fits_linear_flows_along_walls) {
    const double G[3][3] = {{1, 0, 0}, {0, -2, 0}, {0, 0, 3}};
    for (size_t walls = 1; walls <= 3; walls++) {
        const packing_plan how = beside(walls, 0.25);
        packing p;
        packing_make(&p, &how);
        packing_stir(&p, still, G);
        tl_fit *fits = fits_of(&p, true, 0);
        double worst = 0, E[6], known[6];
        strain_of(G, 0, known);
        for (size_t i = 0; i < p.count; i++) {
            strain_rate(&p, fits, i, E);
            for (int k = 0; k < 6; k++)
                E[k] -= known[k];
            worst = fmax(worst, size_of(E) / size_of(known));
        }
        cr_expect_lt(worst, 4e-2, "%zu walls: %g", walls, worst);
        free(fits);
        packing_free(&p);
    }
}

/* The largest error of the force of a pressure that grows along z, over V ∇p, of matter that is far
 * from free surfaces. */
static double error_of_pressure(bool mirrors) {
    packing_plan how = beside(2, 0);
    how.n[2] = 12;
    how.mirrors = mirrors;
    packing p;
    packing_make(&p, &how);
    const tl_strain *s = &p.solver.strain;
    for (size_t i = 0; i < p.count; i++) {
        double T[6];
        const double pressure = (double)packing_motion(&p, i)->x[2];
        times_inverse(&p, i, (double[6]){-pressure, -pressure, -pressure}, T);
        for (int k = 0; k < 6; k++)
            s->traction[i].T[k] = (float)T[k];
    }
    tl_strain_share_traction(s);
    float(*force)[4] = calloc(p.count, sizeof *force);
    tl_strain_force(s, NULL, 0, keep_forces, force);
    double worst = 0;
    for (size_t i = 0; i < p.count; i++) {
        const float *x = packing_motion(&p, i)->x;
        const double R = 2 * packing_support * packing_dx;
        const bool inside = (double)x[0] < 8 * packing_dx - R &&
                            (double)x[1] < 9 * packing_dx - R && (double)x[2] > R &&
                            (double)x[2] < 12 * packing_dx - R;
        worst = inside ? fmax(worst, fabs((double)force[i][2] + 1)) : worst;
    }
    free(force);
    packing_free(&p);
    return worst;
}

/* A wall of samples, which know but the motion across it, holds its first layer by 0.95 of that. */
Test(mirror, pressure_that_grows_along_walls_pushes_as_it_does_inside) {
    cr_expect_lt(error_of_pressure(true), 2e-3, "%g", error_of_pressure(true));
    cr_expect_gt(error_of_pressure(false), 0.04);
}

/* A particle on the wall, and one behind it, have no image there. */
Test(mirror, places_on_a_wall_and_behind_it_are_finite) {
    packing_plan how = beside(3, 0);
    const float places[][3] = {{0.005f, 0.005f, 0.005f},
                               {0.005f, 0.005f, 0},
                               {0.005f, 0.005f, -1e-4f},
                               {1e-9f, 0.006f, 0.004f},
                               {0.005f, 1e-7f, 1e-7f}};
    how.n[0] = how.n[1] = how.n[2] = 1;
    for (size_t count = 1; count <= 5; count++) {
        packing p;
        packing_of(&p, places, count, &how);
        packing_shake(&p, 6);
        double(*f)[3] = forces_of(&p, 1, 3, 1);
        for (size_t i = 0; i < count; i++)
            cr_expect(isfinite(f[i][0] + f[i][1] + f[i][2]), "%zu of %zu", i, count);
        free(f);
        packing_free(&p);
    }
}

Test(mirror, images_do_not_depend_on_the_number_of_threads) {
    packing_plan how = beside(3, 0.25);
    how.n[0] = 12;
    expect_the_same_for_threads(how);
}
