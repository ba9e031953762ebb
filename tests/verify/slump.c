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

typedef struct slumped {
    double s, last; /* 1 - height / HEIGHT at the end, and a second before */
    double middle;  /* m: mean height of all at the end */
} slumped;

/* A cylinder as wide as high, 16 particles high, after 4 s. With 100 Pa·s it moves at 0.3 m/s at
 * most, Re = 0.6: inertia plays no role. */
static slumped slump(double tau, int contact, double stabilization) {
    const double dx = HEIGHT / 16;
    setup s = setup_make(dx);
    s.material = plastic(TL_RHEOLOGY_BINGHAM, tau * RHO * G * HEIGHT, 100, 1e6);
    setup_implicit(&s, 0.04);
    s.def.flow.stabilization = stabilization;
    s.def.gravity[2] = -G;
    setup_add_cylinder(&s, 0.5 * HEIGHT, 0, HEIGHT);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = contact;
    tl_world *world = setup_world(&s, 2);
    double fastest = 0;
    while (tl_world_time(world) < 1) {
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
        fastest = fmax(fastest, books(world).max_speed);
    }
    run_to(world, 3);
    slumped out = {.last = 1 - height_at_axis(world, dx) / HEIGHT};
    run_to(world, 4);
    out.s = 1 - height_at_axis(world, dx) / HEIGHT;
    out.middle = mean_of(world, 2);
    cr_log_info("tau' %.2f, %s, stabilization %g: s' %.4f, Pashias %.4f: %+.3f; a second before "
                "%.4f; fastest %.2f m/s; mean height %.4f m, bound of a slippery floor %.4f; %d steps",
                tau, contact == TL_CONTACT_NO_SLIP ? "no slip" : "free slip", stabilization, out.s,
                pashias(tau), out.s - pashias(tau), out.last, fastest, out.middle,
                sqrt(3) * tau * HEIGHT, (int)tl_world_steps(world));
    tl_world_destroy(world);
    return out;
}

#include <stdlib.h>
Test(slump, explore) {
    const double st = getenv("STAB") ? atof(getenv("STAB")) : 2;
    const double taus[] = {0.05, 0.1, 0.15, 0.2, 0.3};
    for (int k = 0; k < 5; k++)
        slump(taus[k], getenv("SLIP") ? TL_CONTACT_FREE_SLIP : TL_CONTACT_NO_SLIP, st);
}

/* ---- Sheets on a slope ---- */

static const double SLOPE_PULL = 0.5 * 9810; /* ρ g sin 30°, Pa/m */
static const double CRITICAL = 0.1;          /* m: thickness that just flows */

typedef struct sheet {
    double speed, exact; /* m/s: of the surface */
} sheet;

/* Steady flow of a sheet of `layers` spacings, of which 20 just flow. */
static sheet flow_down(int layers, double jitter) {
    const double dx = CRITICAL / 20, h = layers * dx;
    setup s = setup_make(dx);
    s.material = plastic(TL_RHEOLOGY_BINGHAM, SLOPE_PULL * CRITICAL, 500, 5e5);
    setup_implicit(&s, 0.04);
    s.def.gravity[0] = G * 0.5;
    s.def.gravity[2] = -G * sqrt(0.75);
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, h);
    setup_jitter(&s, jitter);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_world *world = setup_world(&s, 2);
    run_to(world, 1);
    sheet out = {0, 0};
    int count = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (positions(world)[3 * i + 2] > h - dx) {
            out.speed += velocities(world)[3 * i];
            count++;
        }
    out.speed /= count;
    for (int k = 0; k < 1000; k++)
        out.exact +=
            rate_at(&s.material, SLOPE_PULL * h * (k + 0.5) / 1000) * (h - 0.5 * dx) / 1000;
    cr_log_info("%.2f of the critical thickness: %.4g m/s, exact %.4g, steps %d, jitter %g",
                layers / 20.0, out.speed, out.exact, (int)tl_world_steps(world), jitter);
    tl_world_destroy(world);
    return out;
}

Test(slump, sheet_on_a_slope_stops_at_its_critical_thickness) {
    flow_down(10, 0);
    flow_down(18, 0);
    flow_down(22, 0);
    flow_down(26, 0);
    flow_down(30, 0);
    flow_down(40, 0);
    flow_down(30, 0.15);
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
    tl_world *world = setup_world(&s, 2);
    for (int k = 1; k <= 4; k++) {
        run_to(world, 15 * k);
        double top = 0;
        for (size_t i = 0; i < tl_world_count(world); i++)
            if (names(world)[i] >= 64 * 11)
                top += positions(world)[3 * i + 2] / 64;
        const double a = RHO * G * H * 15 * k / (3 * 1e5);
        cr_log_info("%d s: height %.5f m, exact %.5f (of the plateau alone %.5f), steps %d", 15 * k,
                    top + 0.5 * dx, crept_height(&s.material, H, 15 * k), H * log(1 + a) / a,
                    (int)tl_world_steps(world));
    }
    tl_world_destroy(world);
}
