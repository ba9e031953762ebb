/* Very viscous matter in the implicit scheme: it bends, turns and falls as it should, whatever the
 * step and the tolerance. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double RHO = 1000, G = 9.81;

static void newtonian(setup *s, double eta) {
    s->material.density = RHO;
    s->material.viscosity.value = eta;
}

/* ---- Momentum ---- */

typedef struct motion {
    double momentum[3], spin[3], gyration; /* of all, about the centre of mass */
} motion;

static motion motion_of(tl_world *world) {
    motion m = {0};
    const double *x = positions(world), *v = velocities(world);
    const size_t n = tl_world_count(world);
    const double mass = books(world).mass / (double)n;
    double centre[3], sum = 0;
    for (int k = 0; k < 3; k++)
        centre[k] = mean_of(world, k);
    for (size_t i = 0; i < n; i++) {
        double r[3], u[3];
        for (size_t k = 0; k < 3; k++) {
            r[k] = x[3 * i + k] - centre[k];
            u[k] = v[3 * i + k];
            m.momentum[k] += mass * u[k];
            sum += r[k] * r[k];
        }
        m.spin[0] += mass * (r[1] * u[2] - r[2] * u[1]);
        m.spin[1] += mass * (r[2] * u[0] - r[0] * u[2]);
        m.spin[2] += mass * (r[0] * u[1] - r[1] * u[0]);
    }
    m.gyration = sqrt(sum / (double)n);
    return m;
}

Test(stiff, spinning_block_keeps_its_shape_and_its_spin) {
    setup s = setup_make(0.1);
    newtonian(&s, 1e6);
    setup_implicit(&s, 0.005);
    setup_add_box(&s, -0.5, -0.5, -0.3, 0.5, 0.5, 0.3);
    for (size_t i = 0; i < s.count; i++) { /* about the z axis, once a second */
        s.seeds[i].velocity[0] = -2 * M_PI * s.seeds[i].position[1];
        s.seeds[i].velocity[1] = 2 * M_PI * s.seeds[i].position[0];
    }
    tl_world *world = setup_world(&s, 2);
    const motion before = motion_of(world);
    run_to(world, 1);
    const motion after = motion_of(world);
    const tl_ledger l = books(world);
    cr_log_info("after a turn: radius of gyration %+.4f %%, spin %+.2g of itself, kinetic energy "
                "%.4f J, steps %d, e %.3g",
                100 * (after.gyration / before.gyration - 1), after.spin[2] / before.spin[2] - 1,
                l.kinetic_energy, (int)l.steps, l.density_error);
    double scale = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        scale += RHO * 1e-3 * hypot(velocities(world)[3 * i], velocities(world)[3 * i + 1]);
    cr_log_info("momentum %.2g, %.2g, %.2g of the sum of |m u|", after.momentum[0] / scale,
                after.momentum[1] / scale, after.momentum[2] / scale);
    cr_expect_lt(fabs(after.gyration / before.gyration - 1), 0.005);
    cr_expect_lt(fabs(after.spin[2] / before.spin[2] - 1), 1e-4);
    for (int k = 0; k < 3; k++)
        cr_expect_lt(fabs(after.momentum[k]), 1e-5 * scale);
    tl_world_destroy(world);
}

Test(stiff, block_falls_as_one) {
    setup s = setup_make(0.1);
    newtonian(&s, 1e6);
    setup_implicit(&s, 0.01);
    s.def.gravity[2] = -G;
    s.def.flow.motion = 1;
    setup_add_box(&s, 0, 0, 0, 0.8, 0.8, 0.8);
    tl_world *world = setup_world(&s, 2);
    double start[512][3];
    for (size_t i = 0; i < 512; i++)
        for (size_t k = 0; k < 3; k++)
            start[names(world)[i]][k] = positions(world)[3 * i + k];
    double path = 0;
    while (tl_world_time(world) < 0.3) {
        tl_step_report report;
        cr_assert_eq(tl_world_step(world, &report, NULL), TL_OK);
        path -= report.dt * G * report.time; /* of the implicit step: x += dt u(t + dt) */
    }
    double speed = 0, way = 0;
    for (size_t i = 0; i < 512; i++)
        for (size_t k = 0; k < 3; k++) {
            const double v = k == 2 ? -G * tl_world_time(world) : 0, d = k == 2 ? path : 0;
            speed = fmax(speed, fabs(velocities(world)[3 * i + k] - v));
            way = fmax(way, fabs(positions(world)[3 * i + k] - start[names(world)[i]][k] - d));
        }
    cr_log_info("fall of %.3g m: speeds within %.2g m/s, places within %.2g m", path, speed, way);
    cr_expect_lt(speed, 1e-6 * G * 0.3);
    cr_expect_lt(way, 1e-6 * fabs(path));
    tl_world_destroy(world);
}

/* ---- Beam ---- */

/* Speed of the end of a beam held by a wall, relative to that of a beam of viscosity 3 η. */
static double beam(int high, int slender) {
    const double dx = 0.01, h = high * dx, L = slender * h, eta = 1e6;
    setup s = setup_make(dx);
    newtonian(&s, eta);
    setup_implicit(&s, 0.04);
    s.def.gravity[2] = -G;
    s.def.flow.tolerance = 1e-3;
    s.def.flow.max_iterations = 1000;
    setup_add_box(&s, 0, 0, 0, L, h, h);
    setup_add_plane(&s, TL_SIDE_X, 0);
    tl_world *world = setup_world(&s, 2);
    run_to(world, 0.2);
    double speed = 0;
    int count = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (positions(world)[3 * i] > L - dx) {
            speed -= velocities(world)[3 * i + 2];
            count++;
        }
    speed /= count;
    const double bending = RHO * G * pow(L, 4) / (8 * 3 * eta * h * h / 12);
    const double shear = RHO * G * L * L / (2 * eta * 5 / 6);
    cr_log_info("beam of %d x %d: end falls with %.4g m/s, %.3f of theory (%.4g + %.4g)", high,
                slender * high, speed, speed / (bending + shear), bending, shear);
    tl_world_destroy(world);
    return speed / (bending + shear);
}

Test(stiff, clamped_beam_bends_as_beams_do) {
    cr_expect_float_eq(beam(6, 8), 1, 0.2);
}

/* ---- Cube on a floor ---- */

static tl_world *cube(int n, double nu, int scheme, double step, double tolerance) {
    setup s = setup_make(1.0 / n);
    newtonian(&s, nu * RHO);
    setup_implicit(&s, step);
    s.def.flow.scheme = scheme;
    s.def.flow.artificial_viscosity = 0.05;
    if (tolerance > 0)
        s.def.flow.tolerance = tolerance;
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, 1, 1, 1);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    return setup_world(&s, 2);
}

/* Σ m/ρ relative to Σ m/ρ0. */
static double volume_error(tl_world *world) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        sum += RHO / densities(world)[i];
    return sum / (double)tl_world_count(world) - 1;
}

Test(stiff, cube_is_stable_over_six_decades_of_viscosity) {
    for (int decade = -3; decade <= 3; decade++) {
        tl_world *world = cube(10, pow(10, decade), TL_SCHEME_COUPLED, 0.005, 0);
        double worst = 0;
        for (int k = 1; k <= 10; k++) {
            run_to(world, 0.05 * k);
            worst = fmax(worst, fabs(volume_error(world)));
        }
        const tl_ledger l = books(world);
        cr_log_info("nu 1e%d: mean height %.4f, volume %+.2g, compression %.2g, fastest %.3g m/s, "
                    "%d steps, %d rejected, energy error %.2g of %.3g J",
                    decade, mean_of(world, 2), worst, l.density_error, l.max_speed, (int)l.steps,
                    (int)l.rejected, l.energy_error, RHO * G * 0.5);
        cr_expect_lt(worst, 0.005);
        cr_expect_lt(l.max_speed, 5);
        tl_world_destroy(world);
    }
}

Test(stiff, slump_does_not_depend_on_the_tolerance) {
    tl_world *loose = cube(10, 1, TL_SCHEME_COUPLED, 0.01, 0),
             *tight = cube(10, 1, TL_SCHEME_COUPLED, 0.01, 0.002);
    for (int k = 1; k <= 10; k++) {
        run_to(loose, 0.1 * k);
        run_to(tight, 0.1 * k);
        const double ratio = mean_of(loose, 2) / mean_of(tight, 2) - 1;
        cr_log_info("%.1f s: mean height %.5f, %+.3f %% of the tight one", 0.1 * k,
                    mean_of(loose, 2), 100 * ratio);
        cr_expect_lt(fabs(ratio), 0.01);
    }
    tl_world_destroy(loose);
    tl_world_destroy(tight);
}

Test(stiff, implicit_slump_is_the_explicit_one) {
    tl_world *implicit = cube(12, 1, TL_SCHEME_COUPLED, 0.005, 0),
             *plain = cube(12, 1, TL_SCHEME_EXPLICIT, 0, 0);
    for (int k = 1; k <= 8; k++) {
        run_to(implicit, 0.1 * k);
        run_to(plain, 0.1 * k);
        const double ratio = mean_of(implicit, 2) / mean_of(plain, 2) - 1;
        cr_log_info("%.1f s: mean height %.4f, explicit %.4f: %+.2f %%", 0.1 * k,
                    mean_of(implicit, 2), mean_of(plain, 2), 100 * ratio);
        cr_expect_lt(fabs(ratio), 0.02);
    }
    tl_world_destroy(implicit);
    tl_world_destroy(plain);
}
