/* Very viscous matter in the implicit scheme: it bends, turns and falls as it should, whatever the
 * step and the tolerance. */
#include "../unit/sample_materials.h"
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
    s.def.flow.tolerance = 0.01; /* what is kept of the spin is a matter of this */
    setup_add_box(&s, -0.5, -0.5, -0.3, 0.5, 0.5, 0.3);
    for (size_t i = 0; i < s.count; i++) { /* about the z axis, once a second */
        s.seeds[i].velocity[0] = -2 * M_PI * s.seeds[i].position[1];
        s.seeds[i].velocity[1] = 2 * M_PI * s.seeds[i].position[0];
    }
    tl_world *world = setup_world(&s, 1);
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
    tl_world *world = setup_world(&s, 1);
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

/* From N = ν dt/dx² = 10⁶ to 10¹⁴: single precision does not tell the last ones apart. */
Test(stiff, solids_of_any_viscosity_fall_turn_and_land_without_a_refused_step) {
    for (double eta = 1e7; eta <= 1e15; eta *= 100) {
        setup s = setup_make(0.01);
        newtonian(&s, eta);
        setup_implicit(&s, 0.02);
        s.def.gravity[2] = -G;
        setup_add_plane(&s, TL_SIDE_Z, 0);
        setup_add_box(&s, 0, 0, 0.05, 0.04, 0.06, 0.14);
        for (size_t i = 0; i < s.count; i++)
            s.seeds[i].velocity[1] = -2 * (s.seeds[i].position[2] - 0.095);
        tl_world *world = setup_world(&s, 1);
        const double before = motion_of(world).gyration;
        run_to(world, 0.3);
        const tl_ledger l = books(world);
        const double shape = motion_of(world).gyration / before - 1;
        cr_log_info("%g Pa·s: %g steps, %g refused, radius of gyration %+.2g of itself", eta,
                    l.steps, l.rejected, shape);
        cr_expect_eq(l.rejected, 0, "%g Pa·s: %g steps refused", eta, l.rejected);
        cr_expect_lt(fabs(shape), 0.005, "%g Pa·s: shape changes by %g", eta, shape);
        tl_world_destroy(world);
    }
}

/* About no axis of its own, and while other matter lies on a floor. */
Test(stiff, what_tumbles_in_flight_is_not_strained) {
    setup s = setup_make(0.01);
    newtonian(&s, 1e7);
    setup_implicit(&s, 0.005);
    s.def.gravity[2] = -G;
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_box(&s, 0, 0, 0.3, 0.04, 0.06, 0.08 + 0.3);
    const size_t tumbles = s.count;
    for (size_t i = 0; i < tumbles; i++) {
        const double *x = s.seeds[i].position, y[3] = {x[0] - 0.02, x[1] - 0.03, x[2] - 0.34};
        const double spin[3] = {5, -8, 12};
        for (int k = 0; k < 3; k++)
            s.seeds[i].velocity[k] =
                spin[(k + 1) % 3] * y[(k + 2) % 3] - spin[(k + 2) % 3] * y[(k + 1) % 3];
    }
    setup_add_box(&s, 0.2, 0, 0, 0.24, 0.04, 0.04);
    tl_world *world = setup_world(&s, 1);
    const double kinetic = books(world).kinetic_energy;
    run_to(world, 0.15);
    const tl_ledger l = books(world);
    cr_log_info("tumbling, of its energy: %.2g unexplained, %.2g of viscous heat; %g steps of %.3g "
                "iterations",
                l.energy_error / kinetic, l.viscous_heat / kinetic, l.steps,
                l.iterations / l.steps);
    cr_expect_eq(l.rejected, 0);
    cr_expect_lt(fabs(l.energy_error), 0.01 * kinetic);
    cr_expect_lt(l.viscous_heat, 0.01 * kinetic);
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
    tl_world *world = setup_world(&s, 1);
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
    cr_expect_lt(fabs(beam(4, 8) - 1), 0.2);
    cr_expect_lt(fabs(beam(6, 8) - 1), 0.2);
}

/* ---- Cube on a floor ---- */

/* A unit cube of kinematic viscosity nu (m²/s) on a floor; n particles along its edges. */
static setup cube(int n, double nu, int contact) {
    setup s = setup_make(1.0 / n);
    newtonian(&s, nu * RHO);
    setup_implicit(&s, 0.005);
    s.def.flow.artificial_viscosity = 0.05;
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, 1, 1, 1);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = contact;
    return s;
}

/* Matter that creeps takes steps of up to 0.1 s, and ends where short steps end; what falls is
 * followed in 20 ms. */
Test(stiff, steps_grow_where_matter_creeps_and_not_where_it_falls) {
    double height[2];
    for (int k = 0; k < 2; k++) {
        setup s = cube(10, 100, TL_CONTACT_NO_SLIP);
        s.def.flow.max_step = k == 0 ? 0.005 : 0;
        tl_world *world = setup_world(&s, 1);
        run_to(world, 2);
        height[k] = mean_of(world, 2);
        cr_log_info("%d steps, mean height %.6f m", (int)books(world).steps, height[k]);
        if (k == 1)
            cr_expect_lt(books(world).steps, 30);
        tl_world_destroy(world);
    }
    cr_expect_float_eq(0.5 - height[1], 0.5 - height[0], 0.01 * (0.5 - height[0]));

    setup s = cube(10, 100, TL_CONTACT_NO_SLIP);
    s.def.flow.max_step = 0;
    s.def.wall_count = 0;
    tl_world *world = setup_world(&s, 1);
    run_to(world, 0.3);
    cr_expect_geq(books(world).steps, 15);
    cr_expect_float_eq(0.5 - mean_of(world, 2), 0.5 * G * 0.3 * 0.32, 0.02 * 0.5 * G * 0.09);
    tl_world_destroy(world);
}

/* Σ m/ρ relative to Σ m/ρ0. */
static double volume_error(tl_world *world) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        sum += RHO / densities(world)[i];
    return sum / (double)tl_world_count(world) - 1;
}

/* Mean compression: how much volume is lost. */
static double lost_volume(tl_world *world) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        sum += fmax(0, densities(world)[i] / RHO - 1);
    return sum / (double)tl_world_count(world);
}

/* Below 0.1 m²/s the cube splashes, and what comes apart counts as thinner by up to 2 %: volume is
 * gained there (docs/verification.md), not lost. */
Test(stiff, cube_is_stable_and_keeps_its_volume_over_six_decades_of_viscosity) {
    for (int decade = -3; decade <= 3; decade++) {
        setup s = cube(10, pow(10, decade), TL_CONTACT_NO_SLIP);
        tl_world *world = setup_world(&s, 1);
        double worst = 0, lost = 0;
        for (int k = 1; k <= 10; k++) {
            run_to(world, 0.05 * k);
            worst = fmax(worst, fabs(volume_error(world)));
            lost = fmax(lost, lost_volume(world));
        }
        const tl_ledger l = books(world);
        cr_log_info("nu 1e%d m2/s: mean height %.4f m, volume error %.2g, lost %.2g, largest "
                    "compression %.2g, fastest %.3g m/s, %d steps, %d rejected, energy error %.2g "
                    "J of %.3g",
                    decade, mean_of(world, 2), worst, lost, l.density_error, l.max_speed,
                    (int)l.steps, (int)l.rejected, l.energy_error, 0.5 * RHO * G);
        cr_expect_lt(lost, 0.005);
        if (decade >= -1)
            cr_expect_lt(worst, 0.005);
        cr_expect_lt(l.max_speed, sqrt(2 * G));
        cr_expect_lt(fabs(l.energy_error), 1e-3 * 0.5 * RHO * G);
        tl_world_destroy(world);
    }
}

Test(stiff, slump_does_not_depend_on_the_tolerance) {
    setup a = cube(10, 1, TL_CONTACT_NO_SLIP), b = cube(10, 1, TL_CONTACT_NO_SLIP);
    b.def.flow.tolerance = 0.1 * a.def.flow.tolerance;
    tl_world *loose = setup_world(&a, 1), *tight = setup_world(&b, 1);
    double worst = 0;
    for (int k = 1; k <= 10; k++) {
        run_to(loose, 0.1 * k);
        run_to(tight, 0.1 * k);
        worst = fmax(worst, fabs(mean_of(loose, 2) / mean_of(tight, 2) - 1));
    }
    cr_log_info("mean height changes by %.2g of itself, down to %.3f m", worst, mean_of(tight, 2));
    cr_expect_lt(worst, 0.01);
    tl_world_destroy(loose);
    tl_world_destroy(tight);
}

/* Height of the top layer (m) of a cube on a slippery floor after 0.8 s. Its sections stay plane on
 * the whole: 3 η is its viscosity. */
static double sunk(int n, int scheme, int form) {
    setup s = cube(n, 30, TL_CONTACT_FREE_SLIP);
    s.def.flow.scheme = scheme;
    s.def.flow.viscosity = form;
    tl_world *world = setup_world(&s, 1);
    run_to(world, 0.8);
    double top = 0;
    const size_t layer = (size_t)(n * n);
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (names(world)[i] >= tl_world_count(world) - layer)
            top += positions(world)[3 * i + 2] / (double)layer;
    tl_world_destroy(world);
    return top + 0.5 / n;
}

static double exact_sinking(void) {
    const double a = G * 0.8 / (3 * 30);
    return 1 - log(1 + a) / a;
}

Test(stiff, cube_on_a_slippery_floor_sinks_as_trouton_says) {
    const double exact = exact_sinking();
    const double coarse = 1 - sunk(8, TL_SCHEME_COUPLED, 0),
                 fine = 1 - sunk(12, TL_SCHEME_COUPLED, 0);
    cr_log_info("sinks by %.5f m with 8, %.5f m with 12, exact %.5f: %+.1f %%, %+.1f %%", coarse,
                fine, exact, 100 * (coarse / exact - 1), 100 * (fine / exact - 1));
    cr_expect_lt(fabs(coarse / exact - 1), 0.03);
    cr_expect_lt(fabs(fine / exact - 1), 0.02);
}

/* Pairwise viscosity resists stretching with 1.5 η: its surfaces are not free of traction. */
Test(stiff, cube_on_a_slippery_floor_sinks_as_trouton_says_in_the_explicit_scheme) {
    const double exact = exact_sinking();
    const double coarse = (1 - sunk(6, TL_SCHEME_EXPLICIT, TL_VISCOSITY_AUTOMATIC)) / exact - 1,
                 fine = (1 - sunk(9, TL_SCHEME_EXPLICIT, TL_VISCOSITY_AUTOMATIC)) / exact - 1,
                 pairwise = (1 - sunk(6, TL_SCHEME_EXPLICIT, TL_VISCOSITY_PAIRWISE)) / exact - 1;
    cr_log_info("sinks %+.1f %% with 6, %+.1f %% with 9; pairwise %+.0f %%", 100 * coarse,
                100 * fine, 100 * pairwise);
    cr_expect_lt(fabs(fine), 0.03);
    cr_expect_gt(log(fabs(coarse / fine)) / log(9.0 / 6), 1.2);
    cr_expect_gt(pairwise, 0.5);
}

/* A cube of 12³ on a floor that holds it, down to a third of its height and more. Both schemes
 * switch their artificial viscosity off here. */
Test(stiff, explicit_and_coupled_cubes_have_the_same_height_within_two_per_cent) {
    const double viscosities[] = {0.1, 0.3, 1}, until = 0.4;
    for (int m = 0; m < 3; m++) {
        setup a = cube(12, viscosities[m], TL_CONTACT_NO_SLIP),
              b = cube(12, viscosities[m], TL_CONTACT_NO_SLIP);
        b.def.flow.scheme = TL_SCHEME_EXPLICIT;
        tl_world *coupled = setup_world(&a, 1), *plain = setup_world(&b, 1);
        double worst = 0;
        for (int k = 1; k <= 8; k++) {
            run_to(coupled, k * until / 8);
            run_to(plain, k * until / 8);
            worst = fmax(worst, fabs(mean_of(plain, 2) / mean_of(coupled, 2) - 1));
        }
        cr_log_info("%g m2/s: mean heights within %.2f %%, down to %.3f m; %d and %d steps",
                    viscosities[m], 100 * worst, mean_of(coupled, 2), (int)tl_world_steps(plain),
                    (int)tl_world_steps(coupled));
        cr_expect_lt(worst, 0.02, "%g m2/s: %g", viscosities[m], worst);
        tl_world_destroy(coupled);
        tl_world_destroy(plain);
    }
}

/* ---- The same bits ---- */

static setup jittered_cube(void) {
    setup s = cube(10, 1, TL_CONTACT_NO_SLIP);
    setup_jitter(&s, 0.1);
    return s;
}

static void step(tl_world *world, int count) {
    for (int k = 0; k < count; k++)
        cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
}

Test(stiff, same_bits_after_a_snapshot_at_any_step) {
    char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-stiff-XXXXXX", folder ? folder : P_tmpdir);
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    setup a = jittered_cube();
    tl_world *through = setup_world(&a, 1);
    for (int k = 0; k < 4; k++) {
        step(through, k == 0 ? 1 : 13);
        cr_assert_eq(tl_world_save(through, path, NULL), TL_OK);
        setup b = jittered_cube(), c = jittered_cube();
        tl_world *resumed = setup_world(&b, 1), *straight = setup_world(&c, 1);
        cr_assert_eq(tl_world_restore(resumed, path, NULL), TL_OK);
        cr_expect_eq(tl_world_hash(resumed), tl_world_hash(through), "restored");
        step(resumed, 10);
        step(straight, (int)tl_world_steps(resumed));
        cr_expect_eq(tl_world_hash(resumed), tl_world_hash(straight), "gone on from step %d",
                     (int)tl_world_steps(through));
        tl_world_destroy(resumed);
        tl_world_destroy(straight);
    }
    tl_world_destroy(through);
    unlink(path);
}

/* ---- Nonsense ---- */

/* Steps a small block of the material on a floor: everything stays finite, or the error says what
 * is wrong. */
static void survive(const char *name, setup *s) {
    setup_implicit(s, 0.01);
    s->def.gravity[2] = -G;
    setup_add_plane(s, TL_SIDE_Z, 0);
    tl_world *world = setup_world(s, 1);
    tl_error error = {0};
    tl_status status = TL_OK;
    for (int k = 0; k < 20 && status == TL_OK; k++)
        status = tl_world_step(world, NULL, &error);
    const tl_ledger l = books(world);
    cr_log_info("%s: %s, %d steps, %d rejected, mean height %.4f m, fastest %.3g m/s%s%s", name,
                tl_status_name(status), (int)l.steps, (int)l.rejected, mean_of(world, 2),
                l.max_speed, status == TL_OK ? "" : ": ", error.what);
    if (status != TL_OK)
        cr_expect(error.what[0] && error.where[0], "%s", name);
    for (size_t i = 0; i < 3 * tl_world_count(world); i++)
        cr_assert(isfinite(positions(world)[i]) && isfinite(velocities(world)[i]), "%s", name);
    tl_world_destroy(world);
}

static void survive_material(const char *name, tl_material material) {
    setup s = setup_make(0.02);
    s.material = material;
    setup_add_box(&s, 0, 0, 0, 0.1, 0.1, 0.1);
    survive(name, &s);
}

Test(stiff, extreme_laws_end_in_finite_flows_or_clear_errors) {
    survive_material("no viscosity", (tl_material){.density = RHO});
    survive_material("1e12 Pa·s", (tl_material){.density = RHO, .viscosity.value = 1e12});
    survive_material("power law, exponent 1e-6", power_law(100, 1e-6, 0, 1e6));
    survive_material("power law, exponent 3", power_law(100, 3, 0, 1e6));
    survive_material("jump 0", jump(0, 0.5, 100, 1));
    survive_material("jump 1e9", jump(1e9, 0.5, 100, 1));
    survive_material("jump, exponent 0", jump(1e3, 0, 100, 1));
    survive_material("bingham without yield", plastic(TL_RHEOLOGY_BINGHAM, 0, 10, 1e3));
}

Test(stiff, odd_heaps_of_particles_end_in_finite_flows_or_clear_errors) {
    for (int together = 0; together < 3; together++) {
        setup s = setup_make(0.02);
        newtonian(&s, 1e3);
        setup_add_box(&s, 0, 0, 0, 0.02, 0.02, together ? 0.04 : 0.02);
        if (together == 2)
            setup_add_box(&s, 0.02, 0, 0, 0.1, 0.1, 0.1);
        for (int k = 0; together && k < 3; k++)
            s.seeds[1].position[k] = s.seeds[0].position[k];
        survive(together == 0   ? "one particle"
                : together == 1 ? "two that coincide"
                                : "two that coincide beside others",
                &s);
    }
}
