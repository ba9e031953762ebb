/* Nested viscosity on shear waves u = U sin(k z) in a periodic box, which decay with ν k²: how well
 * long ones do, and what becomes of short ones. On a lattice the rates can be written down: with
 * G = Σ g d_z sin(k d_z), C = Σ g (1 - cos(k d_z)) and M = Σ g d_z² the nested sum damps with
 * ν (G/M)², the pairwise one with 2 ν C/M. The shortest wave, k dx = π, has G = 0: nested, it
 * stays. */
#include "build.h"

#include "math/kernels.h"

#include <criterion/criterion.h>
#include <math.h>

static const double U = 1, NU = 0.1, dx = 1.0 / 16;

static double wave_number(int length) { return 2 * M_PI / (length * dx); }

/* How it is solved. */
typedef struct method {
    tl_viscosity_form form;
    tl_kernel kernel;
    double support, xsph;
} method;

/* A wave of `length` spacings; artificial damping off, so that viscosity alone acts. */
static tl_world *make_wave(int length, const method *how) {
    const int across = (int)ceil(2 * how->support * 1.05), repeats = (across + length - 1) / length;
    setup s = setup_make(dx);
    s.material.density = 1;
    s.material.viscosity.value = NU;
    s.def.flow.viscosity = (int)how->form;
    s.def.flow.kernel = (int)how->kernel;
    s.def.flow.support = how->support;
    s.def.flow.xsph = how->xsph;
    s.def.flow.artificial_viscosity = 0;
    s.def.flow.pulls = true;
    s.def.flow.sound_speed = 10 * U;
    const double sides[3] = {across * dx, across * dx, repeats * length * dx};
    for (int k = 0; k < 3; k++)
        setup_periodic(&s, k, 0, sides[k]);
    setup_add_box(&s, 0, 0, 0, sides[0], sides[1], sides[2]);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].velocity[0] = U * sin(wave_number(length) * s.seeds[i].position[2]);
    return setup_world(&s, 2);
}

/* The wave's amplitude: projection of u on sin(k z). */
static double amplitude(tl_world *world, int length) {
    const double *x = positions(world), *v = velocities(world);
    double along = 0, square = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double shape = sin(wave_number(length) * x[3 * i + 2]);
        along += v[3 * i] * shape;
        square += shape * shape;
    }
    return along / square;
}

/* The amplitude after the time in which it should fall to e^-decay, relative to that. */
static double remaining(int length, const method *how, double decay) {
    tl_world *world = make_wave(length, how);
    const double before = amplitude(world, length);
    run_to(world, decay / (NU * pow(wave_number(length), 2)));
    const double after = amplitude(world, length);
    tl_world_destroy(world);
    return after / before * exp(decay);
}

/* The rate at which it decays at the start, of ν k². */
static double damping(int length, const method *how) {
    const double decay = 0.01;
    return 1 - log(remaining(length, how, decay)) / decay;
}

/* The same by the formulas above. */
static double expected_damping(int length, const method *how) {
    const double k = 2 * M_PI / length;
    const int reach = (int)ceil(how->support);
    double G = 0, C = 0, M = 0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double q = sqrt(x * x + y * y + z * z) / how->support;
                const tl_wide slope = tl_kernel_slope(how->kernel, tl_splat((float)q));
                const double g = -(double)tl_lane(slope, 0);
                G += g * z * sin(k * z);
                C += g * (1 - cos(k * z));
                M += g * z * z;
            }
    return (how->form == TL_VISCOSITY_NESTED ? pow(G / M, 2) : 2 * C / M) / (k * k);
}

/* The nested ones first. */
static const method methods[] = {
    {TL_VISCOSITY_NESTED, TL_KERNEL_WENDLAND, 2, 0},
    {TL_VISCOSITY_NESTED, TL_KERNEL_WENDLAND, 3, 0},
    {TL_VISCOSITY_NESTED, TL_KERNEL_QUINTIC, 3, 0},
    {TL_VISCOSITY_NESTED, TL_KERNEL_QUARTIC, 2, 0},
    {TL_VISCOSITY_PAIRWISE, TL_KERNEL_WENDLAND, 2, 0},
    {TL_VISCOSITY_PAIRWISE, TL_KERNEL_QUINTIC, 3, 0},
    {TL_VISCOSITY_COMPLETE, TL_KERNEL_WENDLAND, 2, 0}, /* as pairwise, inside a lattice */
};
enum { METHODS = sizeof methods / sizeof methods[0], NESTED = 4 };

Test(nested, shear_waves_of_all_lengths_decay_as_the_lattice_says) {
    const int lengths[] = {3, 4, 6, 8, 12, 16, 32};
    for (int m = 0; m < METHODS; m++)
        for (int l = 0; l < 7; l++) {
            const double found = damping(lengths[l], &methods[m]),
                         expected = expected_damping(lengths[l], &methods[m]);
            cr_log_info("method %d, %d spacings: %.4f, expected %.4f", m, lengths[l], found,
                        expected);
            cr_expect_float_eq(found, expected, 0.01 * expected, "method %d, %d spacings: %g, %g",
                               m, lengths[l], found, expected);
        }
}

Test(nested, long_shear_waves_decay_tenfold_within_six_per_cent_and_converge) {
    for (int m = 0; m < NESTED; m++) {
        const double coarse = fabs(remaining(16, &methods[m], log(10)) - 1),
                     fine = fabs(remaining(32, &methods[m], log(10)) - 1);
        cr_log_info("method %d: %.4f -> %.4f", m, coarse, fine);
        cr_expect_lt(fine, 0.06, "method %d: %g", m, fine);
        cr_expect_gt(coarse, 3 * fine, "method %d: %g, %g", m, coarse, fine);
    }
}

/* The weakness of the nested sum, and why the papers need XSPH with it. */
Test(nested, the_shortest_wave_is_not_damped_unless_by_xsph) {
    for (int m = 0; m < METHODS; m++) {
        const double found = damping(2, &methods[m]);
        method filtered = methods[m];
        filtered.xsph = 0.1;
        const double with_xsph = damping(2, &filtered);
        cr_log_info("method %d: %.5f, with XSPH %.2f", m, found, with_xsph);
        if (m < NESTED)
            cr_expect_lt(fabs(found), 1e-3, "method %d: %g", m, found);
        else
            cr_expect_gt(found, 0.3, "method %d: %g", m, found);
        cr_expect_gt(with_xsph, 1, "method %d: %g", m, with_xsph);
    }
}
