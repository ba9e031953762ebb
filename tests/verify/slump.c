/* Yield stress against gravity. Bingham cylinders slump until their own weight no longer makes them
 * yield (Pashias et al. 1996, with the yield on the second invariant: 2 τ' becomes √3 τ'), sheets
 * on a slope stop at the thickness τ0 / (ρ g sin), and what does not yield creeps with the plateau
 * viscosity. Plastic viscosities are so high that inertia plays no role. */
#include "../unit/sample_materials.h"
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double RHO = 1000, G = 9.81;

/* ---- Cylinders ---- */

static const double HEIGHT = 0.2;

/* s' = 1 - √3 τ' (1 - ln(√3 τ')): how much lower the cylinder ends, relative to its height. */
static double pashias(double tau) {
    const double y = sqrt(3) * tau;
    return y < 1 ? 1 - y * (1 - log(y)) : 0;
}

/* Top of the matter within two spacings of the axis: mean of the highest layer there. */
static double height_at_axis(tl_world *world, double dx) {
    double top = 0, sum = 0;
    int count = 0;
    const double *x = positions(world);
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (hypot(x[3 * i], x[3 * i + 1]) < 2 * dx)
            top = fmax(top, x[3 * i + 2]);
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (hypot(x[3 * i], x[3 * i + 1]) < 2 * dx && x[3 * i + 2] > top - 0.5 * dx) {
            sum += x[3 * i + 2];
            count++;
        }
    return sum / count + 0.5 * dx;
}

/* Mean height of the matter around the axis, with weights that fade out towards half the width: of
 * its top, or of all within a distance, single particles tell, which come and go. */
static double middle_at_axis(tl_world *world) {
    double sum = 0, all = 0;
    const double *x = positions(world), radius = 0.25 * HEIGHT;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double weight = fmax(1 - pow(hypot(x[3 * i], x[3 * i + 1]) / radius, 2), 0);
        sum += weight * x[3 * i + 2];
        all += weight;
    }
    return sum / all;
}

/* How much lower a heap ends whose shape is that of a wide sheet held by its yield stress,
 * h² = 2 τ0 (R - r) / (ρ g), and that has the cylinder's volume (Roussel & Coussot 2005). */
static double spread(double tau) {
    const double length = 2 * tau * HEIGHT, volume = M_PI * pow(HEIGHT, 3) / 4;
    const double radius = pow(volume * 15 / (8 * M_PI * sqrt(length)), 0.4);
    return 1 - sqrt(length * radius) / HEIGHT;
}

typedef struct slumped {
    double s;       /* 1 - height / HEIGHT at the end */
    double settled; /* how much of the height went in the last second */
    double middle;  /* m: mean height of all at the end */
    double sinking; /* m/s: its speed in the last second */
} slumped;

/* A cylinder as wide as high, 16 particles high. With 100 Pa·s it moves at 0.4 m/s at most, Re < 1:
 * inertia plays no role. */
static slumped slump(double tau, double plateau, int contact, double until) {
    const double dx = HEIGHT / 16;
    setup s = setup_make(dx);
    s.material = plastic(TL_RHEOLOGY_BINGHAM, tau * RHO * G * HEIGHT, 100, plateau);
    setup_implicit(&s, 0.04);
    s.def.gravity[2] = -G;
    setup_add_cylinder(&s, 0.5 * HEIGHT, 0, HEIGHT);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = contact;
    tl_world *world = setup_world(&s, 1);
    run_to(world, until - 1);
    const double before = middle_at_axis(world), middle = mean_of(world, 2);
    run_to(world, until);
    const slumped out = {.s = 1 - height_at_axis(world, dx) / HEIGHT,
                         .settled = 1 - middle_at_axis(world) / before,
                         .middle = mean_of(world, 2),
                         .sinking = middle - mean_of(world, 2)};
    cr_log_info("tau' %.2f, plateau %.0e Pa·s, %s: s' %.4f, Pashias %.4f; in the last second "
                "%.2g of the height; mean height %.4f m, sinking with %.3g m/s",
                tau, plateau, contact == TL_CONTACT_NO_SLIP ? "no slip" : "free slip", out.s,
                pashias(tau), out.settled, out.middle, out.sinking);
    tl_world_destroy(world);
    return out;
}

Test(slump, cylinders_end_as_high_as_their_yield_stress_holds_them_and_stop) {
    const double taus[] = {0.1, 0.15, 0.2, 0.25, 0.3};
    for (int k = 0; k < 5; k++) {
        const slumped end = slump(taus[k], 1e6, TL_CONTACT_NO_SLIP, 5);
        cr_expect_lt(fabs(end.s - pashias(taus[k])), 0.06);
        cr_expect_lt(end.settled, 0.005);
    }
}

/* There a foot as wide as this holds much of the heap back, which Pashias leaves out: his 0.70 is
 * missed by 0.08. */
/* Mean heights of a soft block on its way down and at rest, with steps of `dt`. */
static void sink(double dt, double height[2]) {
    const double dx = 0.0125, side = 0.15;
    setup s = setup_make(dx);
    s.material = plastic(TL_RHEOLOGY_BINGHAM, 500, 40, 1e5);
    setup_implicit(&s, dt);
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, side, side, 0.2);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_world *world = setup_world(&s, 1);
    for (int k = 0; k < 2; k++) {
        run_to(world, k == 0 ? 0.2 : 1);
        height[k] = mean_of(world, 2);
    }
    cr_log_info("steps of %g ms: mean height %.4f m at 0.2 s, %.4f m at 1 s", 1e3 * dt, height[0],
                height[1]);
    tl_world_destroy(world);
}

/* Matter at rest is as stiff as its plateau. The viscosity of its motion must be found in the step
 * that sets it moving: with two tries a step it hung for a tenth of a second in steps of 20 ms, was
 * 14 % too high, and came to rest 4 % too low. */
Test(slump, yields_at_once_in_long_steps) {
    double brief[2], middling[2], lengthy[2];
    sink(0.002, brief);
    sink(0.01, middling);
    sink(0.02, lengthy);
    cr_expect_float_eq(middling[0] / brief[0], 1, 0.015);
    cr_expect_float_eq(middling[1] / brief[1], 1, 0.01);
    cr_expect_float_eq(lengthy[0] / brief[0], 1, 0.04);
    cr_expect_float_eq(lengthy[1] / brief[1], 1, 0.015);
}

Test(slump, soft_cylinder_ends_as_a_sheet) {
    const slumped end = slump(0.05, 1e6, TL_CONTACT_NO_SLIP, 7);
    cr_log_info("a sheet: %.4f", spread(0.05));
    cr_expect_lt(fabs(end.s - spread(0.05)), 0.06);
    cr_expect_lt(end.settled, 0.005);
}

/* Where nothing yields the stress of given loads does not depend on the viscosity. (With τ' = 0.3
 * parts still yield after five seconds, and the ratio is 2.5 with steps of 10 to 40 ms.) */
Test(slump, slumped_cylinder_creeps_as_slowly_as_its_plateau_is_high) {
    const double ratio = slump(0.5, 3e5, TL_CONTACT_NO_SLIP, 5).sinking /
                         slump(0.5, 1e6, TL_CONTACT_NO_SLIP, 5).sinking;
    cr_log_info("it sinks %.2f times as fast with a plateau that is 3.33 times lower", ratio);
    cr_expect(ratio > 2.7 && ratio < 3.7);
}

/* Limit analysis: under a uniform stretch the weight works with ρ g V z̄ and the yield stress
 * against it with √3 τ0 V, whatever the shape. */
Test(slump, nothing_rests_higher_on_a_slippery_floor_than_yield_stress_carries) {
    const double taus[] = {0.1, 0.2};
    for (int k = 0; k < 2; k++)
        cr_expect_lt(slump(taus[k], 1e6, TL_CONTACT_FREE_SLIP, 4).middle,
                     sqrt(3) * taus[k] * HEIGHT);
}

/* ---- Sheets on a slope ---- */

static const double PULL = 0.5 * 9810; /* ρ g sin 30°, Pa/m */
static const double CRITICAL = 0.1;    /* m: thickness that just flows */
static const double PLASTIC = 500;     /* Pa·s */

/* Steady speed of the surface (m/s) of a sheet of `layers` spacings, of which 20 just flow. *exact
 * is the integral of the rate that the law has at the stress of each height. */
static double flow_down(int layers, double *exact) {
    const double dx = CRITICAL / 20, h = layers * dx;
    setup s = setup_make(dx);
    s.material = plastic(TL_RHEOLOGY_BINGHAM, PULL * CRITICAL, PLASTIC, 1000 * PLASTIC);
    setup_implicit(&s, 0.04);
    s.def.gravity[0] = G * 0.5;
    s.def.gravity[2] = -G * sqrt(0.75);
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, h);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_world *world = setup_world(&s, 1);
    run_to(world, 1.5);
    double speed = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (positions(world)[3 * i + 2] > h - dx)
            speed += velocities(world)[3 * i] / 36;
    *exact = 0;
    for (int k = 0; k < 1000; k++)
        *exact += rate_at(&s.material, PULL * h * (k + 0.5) / 1000) * (h - 0.5 * dx) / 1000;
    cr_log_info("%.2f of the critical thickness: %.4g m/s, exact %.4g", layers / 20.0, speed,
                *exact);
    tl_world_destroy(world);
    return speed;
}

/* The layer that shears has the thickness y with U = ρ g sin y² / 2 η_p; the rest is plug. */
static double plug(double thickness, double speed) {
    return thickness - sqrt(2 * PLASTIC * speed / PULL);
}

Test(slump, sheet_on_a_slope_stops_at_its_critical_thickness) {
    double exact;
    const double thin = flow_down(18, &exact);
    cr_expect_lt(fabs(thin / exact - 1), 0.05);
    /* Two spacings of flow are too few to be right: 9 times as fast would be. */
    cr_expect_gt(flow_down(22, &exact), 2 * thin);
    const double some = flow_down(30, &exact);
    cr_expect_lt(fabs(some / exact - 1), 0.1);
    const double thick = flow_down(40, &exact);
    cr_expect_lt(fabs(thick / exact - 1), 0.02);
    /* √U grows linearly with the thickness, from where it stops. */
    const double stop = (1.5 * sqrt(thick) - 2 * sqrt(some)) / (sqrt(thick) - sqrt(some));
    cr_log_info("stops at %.3f of the critical thickness; plug %.3f and %.3f of it", stop,
                plug(1.5 * CRITICAL, some) / CRITICAL, plug(2 * CRITICAL, thick) / CRITICAL);
    cr_expect_lt(fabs(stop - 1), 0.1);
    cr_expect_lt(fabs(plug(2 * CRITICAL, thick) / CRITICAL - 1), 0.1);
}

/* ---- Creep ---- */

/* Height after time t of a block that creeps under its weight between plane sections. A section at
 * Z of the block at rest carries ρ g (H - Z) λ, λ its stretch; it gets shorter at the rate e with
 * 3 η(√3 e) e = stress. */
static double crept_height(const tl_material *m, double H, double t) {
    enum { SECTIONS = 100, STEPS = 200 };
    double height = 0;
    for (int k = 0; k < SECTIONS; k++) {
        const double load = RHO * G * H * (SECTIONS - k - 0.5) / SECTIONS;
        double l = 1;
        for (int n = 0; n < STEPS; n++) { /* midpoint rule */
            const double half = l - 0.5 * t / STEPS * l * rate_at(m, load * l / sqrt(3)) / sqrt(3);
            l -= t / STEPS * half * rate_at(m, load * half / sqrt(3)) / sqrt(3);
        }
        height += l * H / SECTIONS;
    }
    return height;
}

Test(slump, block_below_yield_creeps_with_the_plateau_viscosity) {
    const double H = 0.2, dx = H / 12;
    setup s = setup_make(dx);
    s.material = plastic(TL_RHEOLOGY_BINGHAM, 2 * RHO * G * H, 100, 1e5);
    setup_implicit(&s, 0.5);
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, 8 * dx, 8 * dx, H);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = TL_CONTACT_FREE_SLIP;
    tl_world *world = setup_world(&s, 1);
    run_to(world, 60);
    double top = 0.5 * dx;
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (names(world)[i] >= 64 * 11)
            top += positions(world)[3 * i + 2] / 64;
    const double exact = crept_height(&s.material, H, 60);
    cr_log_info("after 60 s %.5f m high, exact %.5f: sinks by %+.2f %% too much", top, exact,
                100 * ((H - top) / (H - exact) - 1));
    cr_expect_lt(fabs((H - top) / (H - exact) - 1), 0.03);
    tl_world_destroy(world);
}
