/* Steady flow between two plates at rest under a body force, of every rheology, in the implicit
 * scheme. The exact profile is the integral of the rate that the law itself has at the stress of
 * each height. The channel is 0 < z < 1 m, the flow along x, periodic in x and y; the stress at the
 * plates is 1 Pa, and the matter so light that it is steady after a few steps. */
#include "../unit/sample_materials.h"
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

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
    double error;  /* relative, L2 */
    double centre; /* m/s: speed of the layers at half the height */
    double plug;   /* part of the matter whose stress is below the yield stress, or at it (2 %) */
} channel;

/* Reads a world whose exact profile is u. */
static channel look_at(tl_world *world, const double u[POINTS + 1], double yield_stress) {
    tl_field_view rate, viscosity;
    cr_assert(tl_world_field(world, "strain_rate", &rate) &&
              tl_world_field(world, "viscosity", &viscosity));
    const size_t n = tl_world_count(world);
    double error = 0, scale = 0, middle = 0;
    size_t plug = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        const double z = positions(world)[3 * i + 2], v = velocities(world)[3 * i];
        const double exact = u[lround(z / H * POINTS)];
        const float stress = ((const float *)rate.data)[i] * ((const float *)viscosity.data)[i];
        error += pow(v - exact, 2);
        scale += exact * exact;
        plug += (double)stress < 1.02 * yield_stress;
        if (fabs(z - 0.5 * H) < 0.1 * H) {
            middle += v;
            count++;
        }
    }
    return (channel){sqrt(error / scale), middle / (double)count, (double)plug / (double)n};
}

/* Steady flow with n particles across. Steps carry the matter by 0.1 spacing, and its density is
 * such that they are ten times as long as it needs to become steady. */
static channel flow_of(const tl_material *material, int n, double jitter) {
    const double dx = H / n;
    static double u[POINTS + 1];
    find_profile(material, u);
    const double speed = u[POINTS / 2], dt = 0.1 * dx / speed;
    setup s = setup_make(dx);
    s.material = *material;
    s.material.density = 0.1 * STRESS * dt / (4 * speed * H);
    setup_implicit(&s, dt);
    s.def.flow.pulls = true;
    s.def.flow.tolerance = 1e-3;
    s.def.gravity[0] = 2 * STRESS / (s.material.density * H);
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, H);
    setup_jitter(&s, jitter);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H);
    tl_world *world = setup_world(&s, 1);
    for (int k = 0; k < 40; k++) {
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    }
    const channel out = look_at(world, u, material->rheology.law[TL_YIELD_STRESS].value);
    tl_world_destroy(world);
    return out;
}

enum { MODELS = 9 };

static const char *const model_names[MODELS] = {
    "newtonian", "power-law, n 1.5", "carreau", "power-law, n 0.5", "cross", "bingham",
    "casson",    "herschel-bulkley", "jump"};

static tl_material material_of(int k) {
    switch (k) {
    case 0: return (tl_material){.viscosity.value = 1};
    case 1: return power_law(1, 1.5, 1e-3, 100);
    case 2: return thinning(TL_RHEOLOGY_CARREAU, 10, 0.05, 10, 0.3);
    case 3: return power_law(1, 0.5, 1e-3, 100);
    case 4: return thinning(TL_RHEOLOGY_CROSS, 10, 0.05, 10, 0.8);
    case 5: return plastic(TL_RHEOLOGY_BINGHAM, 0.4, 0.5, 500);
    case 6: return plastic(TL_RHEOLOGY_CASSON, 0.3, 0.3, 300);
    case 7: return herschel_bulkley(0.4, 0.5, 0.5, 500);
    default: return jump(1000, 0.5, 0.5, 1);
    }
}

/* Speed in the middle of a channel whose walls are each `lost` nearer, under the same force. */
static double narrower(const tl_material *m, double lost) {
    double speed = 0;
    for (int k = 0; k < POINTS; k++)
        speed += rate_at(m, STRESS * (1 - 2 * lost / H) * (k + 0.5) / POINTS) * (0.5 * H - lost) /
                 POINTS;
    return speed;
}

/* With 20 across, and how the error falls from 10. */
static channel measure(int k, double *order) {
    const tl_material m = material_of(k);
    const channel coarse = flow_of(&m, 10, 0), fine = flow_of(&m, 20, 0);
    *order = log2(coarse.error / fine.error);
    cr_log_info("%-17s L2 error %.4f with 10, %.4f with 20 across, order %.2f", model_names[k],
                coarse.error, fine.error, *order);
    return fine;
}

/* Carreau's law is within 0.7 % with 10 across already: there its error only nearly halves. */
Test(viscous_channel, smooth_laws_flow_within_one_per_cent_and_converge) {
    for (int k = 0; k < 3; k++) {
        double order;
        cr_expect_lt(measure(k, &order).error, 0.01, "%s", model_names[k]);
        cr_expect_gt(order, k < 2 ? 2 : 0.8, "%s", model_names[k]);
    }
}

Test(viscous_channel, thinning_and_plastic_laws_flow_within_two_per_cent) {
    for (int k = 3; k < MODELS; k++) {
        double order;
        cr_expect_lt(measure(k, &order).error, 0.02, "%s", model_names[k]);
        cr_expect_gt(order, 0.9, "%s", model_names[k]);
    }
}

/* Its speed U tells how thick a layer shears: y with U = f y² / 2 η_p under the force f. The field
 * of stress is smoothed over a neighbourhood, and sees the yield surfaces to a spacing. */
Test(viscous_channel, bingham_plug_is_as_wide_as_its_yield_stress_says) {
    const tl_material m = material_of(5);
    const channel flow = flow_of(&m, 20, 0);
    const double eta = m.rheology.law[TL_PLASTIC_VISCOSITY].value, force = 2 * STRESS / H;
    const double exact = m.rheology.law[TL_YIELD_STRESS].value / STRESS;
    const double plug = 1 - 2 * sqrt(2 * eta * flow.centre / force) / H;
    cr_log_info("plug by its speed %.3f of the channel, by stress %.3f, exact %.3f; speed %+.1f %%",
                plug, flow.plug, exact, 100 * (flow.centre / narrower(&m, 0) - 1));
    cr_expect_lt(fabs(plug - exact), 0.01);
    cr_expect_lt(fabs(flow.plug - exact), 2.01 / 20);
    cr_expect_lt(fabs(flow.centre / narrower(&m, 0) - 1), 0.02);
}

/* Disorder of 0.15 spacings. */
Test(viscous_channel, disorder_costs_two_per_cent_at_most) {
    const int some[] = {0, 3, 5, 7};
    for (int k = 0; k < 4; k++) {
        const tl_material m = material_of(some[k]);
        const double even = flow_of(&m, 16, 0).error, error = flow_of(&m, 16, 0.15).error;
        cr_log_info("%-17s L2 error with 16 across %.4f, in disorder %.4f", model_names[some[k]],
                    even, error);
        cr_expect_lt(error, even + 0.02, "%s", model_names[some[k]]);
    }
}
