/* Steady plane Poiseuille flow of materials that are not Newtonian (Bird, Armstrong & Hassager,
 * Dynamics of Polymeric Liquids, ch. 4): the stress is ρ f |y|, y from the middle of the channel,
 * and the shear rate follows from it. The channel is 0 < z < H, periodic in x and y. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double H = 1;

/* n/(n+1) (ρf/K)^(1/n) ((H/2)^(1+1/n) - |y|^(1+1/n)) with n = ½ and a peak of 1. */
static const double THINNING_FORCE = 4.898979485566356; /* √24 */

static double thinning(double z) {
    const double y = fabs(z - H / 2);
    return 8 * (0.125 - y * y * y);
}

/* Of η_p = 1, τ0 = 1.6 under f = 8: a plug of half-width τ0/f = 0.2 that moves with 0.36. */
static const double YIELD_STRESS = 1.6, PLASTIC_FORCE = 8;

static double plastic(double z) {
    const double plug = YIELD_STRESS / PLASTIC_FORCE, y = fmax(fabs(z - H / 2), plug);
    return PLASTIC_FORCE / 2 * (H * H / 4 - y * y) - YIELD_STRESS * (H / 2 - y);
}

static tl_rheology power_law(void) {
    tl_rheology r = {.model = TL_RHEOLOGY_POWER_LAW};
    r.law[TL_CONSISTENCY].value = 1;
    r.law[TL_EXPONENT].value = 0.5;
    r.law[TL_MAX_VISCOSITY].value = 20;
    return r;
}

static tl_rheology bingham(void) {
    tl_rheology r = {.model = TL_RHEOLOGY_BINGHAM};
    r.law[TL_YIELD_STRESS].value = YIELD_STRESS;
    r.law[TL_PLASTIC_VISCOSITY].value = 1;
    r.law[TL_PLATEAU_VISCOSITY].value = 60;
    return r;
}

/* Relative L2 error of the profile with n particles across; *middle is the largest shear rate
 * within 0.1 H of the middle. */
static double error_of(double (*exact)(double), tl_rheology rheology, double force, double until,
                       int n, double *middle) {
    const double dx = H / n, length = 6 * dx;
    setup s = setup_make(dx);
    s.material = (tl_material){.density = 1, .rheology = rheology, .has_rheology = true};
    s.def.flow.artificial_viscosity = 0;
    s.def.flow.pulls = true;
    s.def.flow.sound_speed = 10;
    s.def.gravity[0] = force;
    setup_periodic(&s, 0, 0, length);
    setup_periodic(&s, 1, 0, length);
    setup_add_box(&s, 0, 0, 0, length, length, H);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H);
    tl_world *world = setup_world(&s, 1);
    run_to(world, until);
    const double *x = positions(world), *v = velocities(world);
    tl_field_view rate;
    cr_assert(tl_world_field(world, "strain_rate", &rate));
    double error = 0, scale = 0;
    *middle = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double z = x[3 * i + 2], u = exact(z);
        error += pow(v[3 * i] - u, 2);
        scale += u * u;
        if (fabs(z - H / 2) < 0.1 * H)
            *middle = fmax(*middle, (double)((const float *)rate.data)[i]);
    }
    tl_world_destroy(world);
    return sqrt(error / scale);
}

Test(plastic, a_power_law_flows_with_its_flat_profile) {
    double middle;
    const double coarse = error_of(thinning, power_law(), THINNING_FORCE, 2, 10, &middle);
    const double fine = error_of(thinning, power_law(), THINNING_FORCE, 2, 20, &middle);
    cr_log_info("L2 error %.4f with 10, %.4f with 20 across", coarse, fine);
    cr_expect_lt(fine, 0.03);
    cr_expect_lt(fine, 0.7 * coarse);
}

Test(plastic, a_bingham_fluid_flows_with_a_plug) {
    double middle;
    const double error = error_of(plastic, bingham(), PLASTIC_FORCE, 0.6, 16, &middle);
    cr_log_info("L2 error %.4f, shear rate in the plug %.4f 1/s", error, middle);
    cr_expect_lt(error, 0.06); /* 0.9 % of it is the plateau */
    cr_expect_lt(middle, 0.05, "the plug hardly shears: at the walls it is 2.4 1/s");
}
