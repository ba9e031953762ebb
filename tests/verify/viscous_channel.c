/* Steady flow between two plates at rest under a body force, of every rheology, in the implicit
 * scheme. The exact profile is the integral of the rate that the law itself has at the stress of
 * each height. The channel is 0 < z < 1 m, the flow along x, periodic in x and y; the stress at the
 * plates is 1 Pa, and the matter so light that it is steady after a few steps. */
#include "../unit/sample_materials.h"
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const double H = 1, STRESS = 1;

enum { POINTS = 4000 };

/* u at the points z = k H / POINTS. */
static void find_profile(const tl_material *m, double u[POINTS + 1]) {
    u[0] = 0;
    for (int k = 0; k < POINTS; k++) {
        const double tau = STRESS * (1 - 2 * (k + 0.5) / POINTS);
        u[k + 1] = u[k] + copysign(rate_at(m, fabs(tau)), tau) * H / POINTS;
    }
}

typedef struct channel {
    double error;         /* relative, L2 */
    double centre, exact; /* m/s: speed at half the height */
} channel;

static channel flow_of(tl_material material, int n, double jitter, double stabilization) {
    const double dx = H / n;
    static double u[POINTS + 1];
    find_profile(&material, u);
    const double speed = u[POINTS / 2], dt = 0.1 * dx / speed;
    setup s = setup_make(dx);
    s.material = material;
    s.material.density = 0.1 * STRESS * dt / (4 * speed * H);
    setup_implicit(&s, dt);
    s.def.flow.tension = true;
    s.def.flow.tolerance = 1e-3;
    s.def.flow.stabilization = stabilization;
    s.def.gravity[0] = 2 * STRESS / (s.material.density * H);
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, H);
    setup_jitter(&s, jitter);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H);
    tl_world *world = setup_world(&s, 2);
    for (int k = 0; k < 40; k++) {
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    }
    channel out = {.exact = speed};
    double error = 0, scale = 0, nearest = H;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double z = positions(world)[3 * i + 2], v = velocities(world)[3 * i];
        const double exact = u[lround(z / H * POINTS)];
        error += pow(v - exact, 2);
        scale += exact * exact;
        if (fabs(z - 0.5 * H) < nearest) {
            nearest = fabs(z - 0.5 * H);
            out.centre = v;
        }
    }
    out.error = sqrt(error / scale);
    if (getenv("V"))
        cr_log_info("   time %g, steps %d, iterations", tl_world_time(world),
                    (int)tl_world_steps(world));
    tl_world_destroy(world);
    return out;
}

static const struct {
    const char *name;
} cases[] = {{"newtonian"}, {"power-law 0.5"}, {"power-law 1.5"}, {"bingham"}, {"herschel-bulkley"},
             {"casson"},    {"cross"},         {"carreau"},       {"jump"}};
enum { CASES = sizeof cases / sizeof *cases };

static tl_material material_of(int k) {
    switch (k) {
    case 0: return (tl_material){.density = 1, .viscosity.value = 1};
    case 1: return power_law(1, 0.5, 1e-3, 100);
    case 2: return power_law(1, 1.5, 1e-3, 100);
    case 3: return plastic(TL_RHEOLOGY_BINGHAM, 0.4, 0.5, 500);
    case 4: return herschel_bulkley(0.4, 0.5, 0.5, 500);
    case 5: return plastic(TL_RHEOLOGY_CASSON, 0.3, 0.3, 300);
    case 6: return thinning(TL_RHEOLOGY_CROSS, 10, 0.05, 10, 0.8);
    case 7: return thinning(TL_RHEOLOGY_CARREAU, 10, 0.05, 10, 0.3);
    default: return jump(1000, 0.5, 0.5, 1);
    }
}

Test(viscous_channel, explore) {
    const double st = getenv("STAB") ? atof(getenv("STAB")) : 1;
    for (int k = 0; k < CASES; k++) {
        const channel a = flow_of(material_of(k), 10, 0, st),
                      b = flow_of(material_of(k), 20, 0, st),
                      c = flow_of(material_of(k), 20, 0.15, st);
        cr_log_info("%-17s L2 %.4f (10) %.4f (20), order %.2f; jitter %.4f; centre %.5f exact %.5f",
                    cases[k].name, a.error, b.error, log2(a.error / b.error), c.error, b.centre,
                    b.exact);
    }
}
