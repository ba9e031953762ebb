/* The flow in a box whose lid moves, Re = 100, against Ghia, Ghia & Shin (1982, J. Comput. Phys.
 * 48, 387, tables I and II): velocities on the two lines through its middle. The box is one period
 * of six spacings wide. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

/* Heights and u there, places and w there. */
static const double published[2][12][2] = {{{0.9531, 0.68717},
                                            {0.8516, 0.23151},
                                            {0.7344, 0.00332},
                                            {0.6172, -0.13641},
                                            {0.5, -0.20581},
                                            {0.4531, -0.21090},
                                            {0.2813, -0.15662},
                                            {0.1719, -0.10150},
                                            {0.1016, -0.06434},
                                            {0.0703, -0.04775},
                                            {0.0625, -0.04192},
                                            {0.0547, -0.03717}},
                                           {{0.9453, -0.10313},
                                            {0.9063, -0.16914},
                                            {0.8594, -0.22445},
                                            {0.8047, -0.24533},
                                            {0.5, 0.05454},
                                            {0.2344, 0.17527},
                                            {0.2266, 0.17507},
                                            {0.1563, 0.16077},
                                            {0.0938, 0.12317},
                                            {0.0781, 0.10890},
                                            {0.0703, 0.10091},
                                            {0.0625, 0.09233}}};

/* Sums of a linear fit by weights around a place: 1, a, b, aa, ab, bb; f, af, bf. */
typedef struct fit {
    double sums[9];
} fit;

static void add_to_fit(tl_world *world, fit *f, double x, double z, size_t component, double dx) {
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double *p = positions(world) + 3 * i, v = velocities(world)[3 * i + component];
        const double a = (p[0] - x) / dx, b = (p[2] - z) / dx, r2 = a * a + b * b;
        if (r2 > 2.25)
            continue;
        const double w = exp(-1.5 * r2);
        const double terms[9] = {w,         w * a, w * b,     w * a * a, w * a * b,
                                 w * b * b, w * v, w * a * v, w * b * v};
        for (int k = 0; k < 9; k++)
            f->sums[k] += terms[k];
    }
}

static double value_of(const fit *f) {
    const double *s = f->sums;
    const double c0 = s[3] * s[5] - s[4] * s[4], c1 = s[2] * s[4] - s[1] * s[5],
                 c2 = s[1] * s[4] - s[2] * s[3];
    return (s[6] * c0 + s[7] * c1 + s[8] * c2) / (s[0] * c0 + s[1] * c1 + s[2] * c2);
}

/* Root of the mean square error of both lines, of the lid's speed, from 6 to 7 s. */
static double measure(int n, double support) {
    const double dx = 1.0 / n, width = 6 * dx;
    setup s = setup_make(dx);
    s.material.viscosity.value = 10;
    s.def.flow.support = support;
    setup_periodic(&s, 1, 0, width);
    setup_add_box(&s, 0, 0, 0, 1, width, 1);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_X, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_X, 1);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, 1)->velocity[0] = 1;
    tl_world *world = setup_world(&s, 1);
    fit fits[2][12] = {0};
    for (int look = 0; look <= 10; look++) {
        run_to(world, 6 + 0.1 * look);
        for (int k = 0; k < 12; k++) {
            add_to_fit(world, &fits[0][k], 0.5, published[0][k][0], 0, dx);
            add_to_fit(world, &fits[1][k], published[1][k][0], 0.5, 2, dx);
        }
    }
    tl_world_destroy(world);
    double sum = 0;
    for (int line = 0; line < 2; line++)
        for (int k = 0; k < 12; k++)
            sum += pow(value_of(&fits[line][k]) - published[line][k][1], 2);
    return sqrt(sum / 24);
}

/* The error is that of few neighbours: with 2.5 spacings, as coupled steps have, it is theirs. */
Test(cavity, lid_drives_the_flow_as_published) {
    const double coarse = measure(12, 0), fine = measure(20, 0), wide = measure(16, 2.5);
    cr_log_info("%.4f with 12 across, %.4f with 20; %.4f with 16 and a support of 2.5", coarse,
                fine, wide);
    cr_expect_lt(fine, 0.035);
    cr_expect_lt(fine, coarse);
    cr_expect_lt(wide, 0.03);
}
