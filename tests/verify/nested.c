/* Nested viscosity against exact decay, and what it is known to miss. A shear wave u = U sin(k z) in
 * a periodic box decays with ν k². On a lattice both sums have a symbol that can be written down:
 * with G = Σ g d_z sin(k d_z) and M = Σ g d_z² the nested one damps with ν (G/M)², and the shortest
 * wave, whose neighbours are all alike in pairs, not at all. */
#include "build.h"

#include "math/kernels.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static const double U = 1, NU = 0.1;

static double wave_number(int length, double dx) { return 2 * M_PI / (length * dx); }

/* A wave of `length` spacings; artificial damping off, so that viscosity alone acts. */
static tl_world *make_wave(int length, tl_viscosity_form form, tl_kernel kernel, double support,
                           double xsph) {
    const double dx = 1.0 / 16;
    const int across = (int)ceil(2 * support * 1.05), repeats = (across + length - 1) / length;
    setup s = setup_make(dx);
    s.material.density = 1;
    s.material.viscosity.value = NU;
    s.def.flow.viscosity = (int)form;
    s.def.flow.kernel = (int)kernel;
    s.def.flow.support = support;
    s.def.flow.xsph = xsph;
    s.def.flow.artificial_viscosity = 0;
    s.def.flow.tension = true;
    s.def.flow.sound_speed = 10 * U;
    const double sides[3] = {across * dx, across * dx, repeats * length * dx};
    for (int k = 0; k < 3; k++)
        setup_periodic(&s, k, 0, sides[k]);
    setup_add_box(&s, 0, 0, 0, sides[0], sides[1], sides[2]);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].velocity[0] = U * sin(wave_number(length, dx) * s.seeds[i].position[2]);
    return setup_world(&s, 2);
}

/* The wave's amplitude: projection of u on sin(k z). */
static double amplitude(tl_world *world, int length) {
    const double *x = positions(world), *v = velocities(world);
    double along = 0, square = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double shape = sin(wave_number(length, 1.0 / 16) * x[3 * i + 2]);
        along += v[3 * i] * shape;
        square += shape * shape;
    }
    return along / square;
}

/* Rate of decay at the start, of ν k². */
static double damping(int length, tl_viscosity_form form, tl_kernel kernel, double support,
                      double xsph) {
    tl_world *world = make_wave(length, form, kernel, support, xsph);
    const double rate = NU * pow(wave_number(length, 1.0 / 16), 2), before = amplitude(world, length);
    run_to(world, 0.02 / rate);
    const double found = log(before / amplitude(world, length)) / (0.02);
    tl_world_destroy(world);
    return found;
}

/* What the symbols say. */
static double symbol(int length, tl_viscosity_form form, tl_kernel kernel, double support) {
    const double k = 2 * M_PI / length;
    const int reach = (int)ceil(support);
    double G = 0, M = 0, C = 0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double q = sqrt(x * x + y * y + z * z) / support;
                const double g = -(double)tl_lane(tl_kernel_slope(kernel, tl_splat((float)q)), 0);
                G += g * z * sin(k * z);
                M += g * z * z;
                C += g * (1 - cos(k * z));
            }
    return (form == TL_VISCOSITY_NESTED ? pow(G / M, 2) : 2 * C / M) / (k * k);
}

Test(nested, print) {
    const int lengths[] = {2, 3, 4, 6, 8, 12, 16, 32};
    const struct {
        tl_kernel kernel;
        double support;
    } cases[] = {{TL_KERNEL_WENDLAND, 2}, {TL_KERNEL_WENDLAND, 3}, {TL_KERNEL_QUINTIC, 3},
                 {TL_KERNEL_QUARTIC, 2},  {TL_KERNEL_QUARTIC, 3}};
    for (int c = 0; c < 5; c++)
        for (int l = 0; l < 8; l++) {
            const tl_kernel kernel = cases[c].kernel;
            const double support = cases[c].support;
            fprintf(stderr, "%d %g  %2d: nested %.4f (%.4f) xsph .5 %.4f  pairwise %.4f (%.4f)\n",
                    (int)kernel, support, lengths[l],
                    damping(lengths[l], TL_VISCOSITY_NESTED, kernel, support, 0),
                    symbol(lengths[l], TL_VISCOSITY_NESTED, kernel, support),
                    damping(lengths[l], TL_VISCOSITY_NESTED, kernel, support, 0.5),
                    damping(lengths[l], TL_VISCOSITY_PAIRWISE, kernel, support, 0),
                    symbol(lengths[l], TL_VISCOSITY_PAIRWISE, kernel, support));
        }
}
