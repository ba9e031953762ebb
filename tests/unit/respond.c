/* The response of matter: for every law viscosity, tangent, stress and heat are of one curve, and
 * only what is wanted is found. */
#include "sample_materials.h"
#include "sample_response.h"

#include <criterion/criterion.h>
#include <math.h>

enum { COUNT = 517 }; /* more than is answered for at a time, and not a whole number of lanes */

static float rate[COUNT], T[COUNT];
static uint8_t material[COUNT];

/* Rates of all decades from 1e-6 to 1e6, at 20 °C. */
static tl_strained strain(const tl_material *materials) {
    for (int i = 0; i < COUNT; i++) {
        rate[i] = (float)pow(10, -6 + 12.0 * i / (COUNT - 1));
        T[i] = 20;
        material[i] = 0;
    }
    return (tl_strained){
        .rate = rate, .materials = materials, .material = material, .temperature = T};
}

/* All laws, and a melt whose solid is mixed in. */
static size_t all_laws(tl_material out[13]) {
    size_t n = everyday(out);
    out[n] = plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000);
    out[n].has_solid_viscosity = out[n].has_solidus = out[n].has_liquidus = true;
    out[n].solid_viscosity.value = 1e5;
    out[n].solidus = 10;
    out[n].liquidus = 30;
    return n + 1;
}

static double stress_at(const tl_material *m, double g) { return tl_viscosity_at(m, g, 20) * g; }

Test(respond, stress_is_viscosity_times_rate_and_heat_their_product) {
    tl_material all[13];
    const size_t n = all_laws(all);
    for (size_t k = 0; k < n; k++) {
        float viscosity[COUNT], stress[COUNT], heat[COUNT];
        const tl_strained in = strain(&all[k]);
        tl_respond(&in, TL_RESPOND_VISCOSITY | TL_RESPOND_STRESS | TL_RESPOND_HEAT,
                   &(tl_response){.viscosity = viscosity, .stress = stress, .heat = heat}, COUNT);
        for (int i = 0; i < COUNT; i++) {
            const double g = (double)rate[i], tau = stress_at(&all[k], g);
            cr_assert_float_eq((double)viscosity[i], tau / g, 2e-5 * tau / g, "%zu, %g", k, g);
            cr_assert_eq(stress[i], viscosity[i] * rate[i]);
            cr_assert_geq(heat[i], 0);
            cr_assert_float_eq((double)heat[i], (double)stress[i] * g, 1e-6 * tau * g);
        }
    }
}

/* The tangent is taken over the last tenth of the rate: a central difference about 0.95 γ̇. */
Test(respond, tangent_is_the_slope_of_the_stress) {
    tl_material all[13];
    const size_t n = all_laws(all);
    for (size_t k = 0; k < n; k++) {
        float viscosity[COUNT], tangent[COUNT];
        const tl_strained in = strain(&all[k]);
        double worst = 0, farthest = 0;
        tl_respond(&in, TL_RESPOND_VISCOSITY | TL_RESPOND_TANGENT,
                   &(tl_response){.viscosity = viscosity, .tangent = tangent}, COUNT);
        for (int i = 0; i < COUNT; i++) {
            const double g = (double)rate[i], eta = (double)viscosity[i], h = 1e-4 * g;
            const double found = eta * (double)tangent[i];
            const double wide = (stress_at(&all[k], g) - stress_at(&all[k], 0.9 * g)) / (0.1 * g);
            const double middle = 0.95 * g, narrow = (stress_at(&all[k], middle + h) -
                                                      stress_at(&all[k], middle - h)) /
                                                     (2 * h);
            worst = fmax(worst, fabs(found - wide) / eta);
            farthest = fmax(farthest, fabs(found - narrow) / eta);
        }
        cr_log_info("law %zu: %.1e of η from the chord, %.1e from the slope", k, worst, farthest);
        cr_expect_lt(worst, 5e-5, "%zu: %g", k, worst);
        /* A limit of the viscosity is a corner of the curve, on which slopes jump. */
        cr_expect_lt(farthest, all[k].rheology.model == TL_RHEOLOGY_POWER_LAW ||
                                       all[k].rheology.model == TL_RHEOLOGY_HERSCHEL_BULKLEY
                                   ? 0.5
                                   : 2e-3);
    }
}

Test(respond, tensor_is_as_large_as_the_stress) {
    static float strains[COUNT][6], tensor[COUNT][6], stress[COUNT];
    tl_material m = plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000);
    tl_strained in = strain(&m);
    const double e[6] = {0.5, -0.2, -0.3, 0.1, -0.4, 0.25};
    double size = 0;
    for (int k = 0; k < 6; k++)
        size += (k < 3 ? 2 : 4) * e[k] * e[k]; /* γ̇² = 2 e:e */
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 6; k++)
            strains[i][k] = (float)(e[k] * (double)rate[i] / sqrt(size));
    in.strain = (const float(*)[6])strains;
    tl_respond(&in, TL_RESPOND_STRESS | TL_RESPOND_TENSOR,
               &(tl_response){.stress = stress, .tensor = tensor}, COUNT);
    for (int i = 0; i < COUNT; i++) {
        double half = 0; /* ½ σ:σ = τ² */
        for (int k = 0; k < 6; k++)
            half += (k < 3 ? 0.5 : 1) * (double)tensor[i][k] * (double)tensor[i][k];
        cr_assert_float_eq(sqrt(half), (double)stress[i], 1e-5 * (double)stress[i]);
    }
}

Test(respond, what_is_not_wanted_is_not_touched) {
    tl_material m = jump(1500, 0.5, 10, 2);
    const tl_strained in = strain(&m);
    float others[COUNT], stress[COUNT];
    for (int i = 0; i < COUNT; i++)
        others[i] = -7;
    tl_respond(
        &in, TL_RESPOND_STRESS,
        &(tl_response){.viscosity = others, .tangent = others, .stress = stress, .heat = others},
        COUNT);
    for (int i = 0; i < COUNT; i++)
        cr_assert(others[i] == -7 && stress[i] > 0);
}

Test(respond, a_viscosity_that_is_held_answers_for_itself) {
    tl_material m = jump(1500, 0.5, 10, 2);
    tl_strained in = strain(&m);
    static double volume[COUNT];
    float viscosity[COUNT], stress[COUNT], heat[COUNT];
    for (int i = 0; i < COUNT; i++) {
        viscosity[i] = 3;
        volume[i] = 0.25;
    }
    in.volume = volume;
    tl_respond(&in, TL_RESPOND_HELD | TL_RESPOND_STRESS | TL_RESPOND_HEAT,
               &(tl_response){.viscosity = viscosity, .stress = stress, .heat = heat}, COUNT);
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(viscosity[i], 3);
        cr_assert_eq(stress[i], 3 * rate[i]);
        cr_assert_eq(heat[i], 0.75f * rate[i] * rate[i]);
    }
}

Test(respond, nothing_is_stiffer_than_the_stiffest) {
    tl_material m = plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000);
    tl_strained in = strain(&m);
    float viscosity[COUNT], tangent[COUNT];
    in.stiffest = 0.5; /* m²/s: 500 Pa·s */
    tl_respond(&in, TL_RESPOND_VISCOSITY | TL_RESPOND_TANGENT,
               &(tl_response){.viscosity = viscosity, .tangent = tangent}, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const double own = tl_viscosity_at(&m, (double)rate[i], 20);
        cr_assert_float_eq((double)viscosity[i], fmin(own, 500), 2e-5 * own);
        /* What cannot be told from rigid matter has one viscosity. */
        cr_assert(own < 501 || fabs((double)tangent[i] - 1) < 1e-5);
    }
}
