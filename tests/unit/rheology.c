/* Rheologies and temperature laws: each against its formula, the wide one against the one in
 * double, and everywhere finite. */
#include "base/random.h"
#include "sample_materials.h"
#include "sample_response.h"

#include <criterion/criterion.h>
#include <math.h>

enum { RATES = 1003 }; /* not a whole number of lanes */

/* Zero, then evenly spaced decades from 1e-12 to 1e12. */
static void spread_rates(float rate[RATES]) {
    rate[0] = 0;
    for (int i = 1; i < RATES; i++)
        rate[i] = (float)pow(10, -12 + 24.0 * (i - 1) / (RATES - 2));
}

static double relative_error(double value, double expected) {
    return value == expected ? 0 : fabs(value - expected) / fmax(fabs(expected), 1e-300);
}

/* The largest relative departure of viscosities_of from tl_viscosity_at. */
static double worst_error(const tl_material *m, float temperature) {
    static float rate[RATES], T[RATES], viscosity[RATES];
    static uint8_t index[RATES];
    spread_rates(rate);
    for (int i = 0; i < RATES; i++)
        T[i] = temperature;
    viscosities_of(m, index, rate, T, NULL, viscosity, RATES);
    double worst = 0;
    for (int i = 0; i < RATES; i++) {
        const double expected = tl_viscosity_at(m, (double)rate[i], (double)temperature);
        cr_assert(isfinite(viscosity[i]) && viscosity[i] >= 0, "%g at %g 1/s", (double)viscosity[i],
                  (double)rate[i]);
        worst = fmax(worst, relative_error((double)viscosity[i], expected));
    }
    return worst;
}

/* ---- Models ---- */

Test(rheology, each_model_is_its_formula) {
    const double g = 3.7, n = 0.4;
    tl_material m = jump(99, n, 2, 5);
    const double s = g / 5;
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20),
                       2 * (1 - exp(-100 * s)) * (pow(s, n - 1) + 1 / s), 1e-9);
    m = jump_by_stress(10, 4, n, 1000);
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20),
                       (1 - exp(-1000 * g / 10)) * (10 / g + 4 * pow(g, n - 1)), 1e-9);
    m = power_law(4, n, 0, 1e9);
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20), 4 * pow(g, n - 1), 1e-9);
    m = plastic(TL_RHEOLOGY_BINGHAM, 10, 2, 102);
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20), 2 + 10 * (1 - exp(-10 * g)) / g, 1e-9);
    m = herschel_bulkley(10, 4, n, 100);
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20), 4 * pow(g, n - 1) + 10 * (1 - exp(-10 * g)) / g,
                       1e-9);
    m = plastic(TL_RHEOLOGY_CASSON, 10, 4, 144); /* √m = (12 - 2) / √10 */
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20),
                       pow(2 + sqrt(10 / g) * (1 - exp(-sqrt(10 * g))), 2), 1e-9);
    m = thinning(TL_RHEOLOGY_CROSS, 100, 1, 2, 0.6);
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20), 1 + 99 / (1 + pow(2 * g, 0.6)), 1e-9);
    m = thinning(TL_RHEOLOGY_CARREAU, 100, 1, 2, n);
    cr_assert_float_eq(tl_viscosity_at(&m, g, 20), 1 + 99 * pow(1 + 4 * g * g, (n - 1) / 2), 1e-9);
}

Test(rheology, at_rest_the_viscosity_is_the_plateau) {
    const struct {
        tl_material m;
        double rest;
    } cases[] = {
        {jump(1500, 0.5, 10, 2), 15010},
        {jump(0, 0.5, 10, 2), 10},
        {jump_by_stress(25, 4, 0.4, 1e4), 1e4},
        {power_law(12, 0.3, 1e-3, 1e5), 1e5},
        {power_law(12, 1.3, 1e-3, 1e5), 1e-3},
        {plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000), 3000},
        {plastic(TL_RHEOLOGY_BINGHAM, 0, 2, 3000), 2},
        {herschel_bulkley(15, 8, 0.45, 5000), 5000},
        {plastic(TL_RHEOLOGY_CASSON, 10, 1.5, 1000), 1000},
        {thinning(TL_RHEOLOGY_CROSS, 500, 0.1, 3, 0.7), 500},
        {thinning(TL_RHEOLOGY_CARREAU, 500, 0.1, 3, 0.3), 500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const float rate = 0, T = 20;
        const uint8_t index = 0;
        float wide;
        viscosities_of(&cases[i].m, &index, &rate, &T, NULL, &wide, 1);
        cr_assert_float_eq(tl_viscosity_at(&cases[i].m, 0, 20), cases[i].rest, 1e-9 * cases[i].rest,
                           "%zu", i);
        cr_assert_lt(relative_error((double)wide, cases[i].rest), 1e-6, "%zu: %g", i, (double)wide);
    }
}

Test(rheology, at_high_rates_yield_stress_and_plateau_are_forgotten) {
    tl_material m = plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000);
    cr_assert_lt(relative_error(tl_viscosity_at(&m, 1e9, 20), 2), 1e-6);
    m = plastic(TL_RHEOLOGY_CASSON, 30, 2, 3000);
    cr_assert_lt(relative_error(tl_viscosity_at(&m, 1e12, 20), 2), 1e-5);
    m = herschel_bulkley(30, 4, 0.5, 3000);
    cr_assert_lt(relative_error(tl_viscosity_at(&m, 1e16, 20), 4e-8), 1e-5);
    m = jump(1500, 0.5, 10, 2);
    cr_assert_lt(relative_error(tl_viscosity_at(&m, 2e16, 20), 10e-8), 1e-5);
    m = thinning(TL_RHEOLOGY_CARREAU, 500, 0.1, 3, 0.3);
    cr_assert_lt(relative_error(tl_viscosity_at(&m, 1e12, 20), 0.1), 1e-4);
}

Test(rheology, eight_lanes_agree_with_the_oracle_to_five_digits) {
    tl_material all[12];
    const size_t count = everyday(all);
    for (size_t i = 0; i < count; i++) {
        const double error = worst_error(&all[i], 20);
        cr_assert_lt(error, 1e-5, "material %zu: %g", i, error);
    }
}

/* A random number between two, evenly in its logarithm. */
static double any(uint64_t *state, double low, double high) {
    return low * pow(high / low, tl_random_uniform(7, (*state)++));
}

static tl_material any_material(uint64_t *s) {
    switch ((int)(8 * tl_random_uniform(7, (*s)++))) {
    case 0: return jump(any(s, 1e-3, 1e9), any(s, 0.05, 1), any(s, 1e-3, 1e6), any(s, 1e-3, 1e3));
    case 1:
        return jump_by_stress(any(s, 1e-3, 1e6), any(s, 1e-3, 1e6), any(s, 0.05, 1),
                              any(s, 1e-3, 1e12));
    case 2: return power_law(any(s, 1e-3, 1e6), any(s, 0.05, 2), 1e-6, any(s, 1, 1e9));
    case 3:
        return plastic(TL_RHEOLOGY_BINGHAM, any(s, 1e-3, 1e6), any(s, 1e-3, 1e3),
                       any(s, 1e3, 1e12));
    case 4:
        return herschel_bulkley(any(s, 1e-3, 1e6), any(s, 1e-3, 1e6), any(s, 0.05, 2),
                                any(s, 1e-3, 1e12));
    case 5:
        return plastic(TL_RHEOLOGY_CASSON, any(s, 1e-3, 1e6), any(s, 1e-3, 1e3), any(s, 1e3, 1e12));
    case 6:
        return thinning(TL_RHEOLOGY_CROSS, any(s, 1, 1e9), any(s, 1e-3, 1), any(s, 1e-6, 1e6),
                        any(s, 0.05, 1));
    default:
        return thinning(TL_RHEOLOGY_CARREAU, any(s, 1, 1e9), any(s, 1e-3, 1), any(s, 1e-6, 1e6),
                        any(s, 0.05, 1));
    }
}

Test(rheology, any_parameters_give_five_digits_a_rising_stress_and_a_bound) {
    uint64_t state = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const tl_material m = any_material(&state);
        const double error = worst_error(&m, 20);
        cr_assert_lt(error, 1e-5, "trial %d, model %d: %g", trial, m.rheology.model, error);
        const double bound = tl_plateau_viscosity(&m, 20);
        double before = 0, largest = 0;
        for (double rate = 1e-20; rate < 1e30; rate *= 1.3) {
            const double viscosity = tl_viscosity_at(&m, rate, 20), stress = viscosity * rate;
            cr_assert(stress >= before * (1 - 1e-12), "trial %d: the stress falls at %g 1/s", trial,
                      rate);
            before = stress;
            largest = fmax(largest, viscosity);
        }
        largest = fmax(largest, fmax(tl_viscosity_at(&m, 0, 20), tl_viscosity_at(&m, 1e30, 20)));
        cr_assert(largest <= bound * (1 + 1e-9), "trial %d, model %d: %g > %g", trial,
                  m.rheology.model, largest, bound);
        cr_assert(largest >= bound * 0.98, "trial %d, model %d: %g < %g", trial, m.rheology.model,
                  largest, bound);
    }
}

Test(rheology, extremes_of_parameters_and_rates_stay_finite) {
    const double viscosities[] = {0, 1e-6, 1, 1e12, 1e15}, exponents[] = {1e-6, 0.5, 1},
                 stresses[] = {1e-6, 1, 1e12};
    const float rates[] = {0,    1e-38f, 1e-30f, 1e-12f, 1e-3f, 1,
                           1e3f, 1e12f,  1e20f,  1e25f,  1e29f, 1e30f};
    enum { COUNT = sizeof rates / sizeof rates[0] };
    const uint8_t index[COUNT] = {0};
    const float T[COUNT] = {0};
    for (int i = 0; i < 5 * 5 * 3 * 3; i++) {
        const double a = viscosities[i % 5], b = viscosities[i / 5 % 5];
        const double n = exponents[i / 25 % 3], tau = stresses[i / 75];
        const tl_material all[] = {
            jump(0, n, a, 1e-6),
            jump(1e9, n, a, 1e6),
            jump(1e12, n, b, 1),
            jump_by_stress(tau, fmin(a, 1e12), n, b),
            power_law(fmin(a, 1e12), n, 0, b),
            power_law(fmin(a, 1e12), 3 * n, b, 1e15),
            plastic(TL_RHEOLOGY_BINGHAM, tau, a, b),
            plastic(TL_RHEOLOGY_BINGHAM, 0, a, b),
            herschel_bulkley(tau, fmin(a, 1e12), 3 * n, b),
            herschel_bulkley(0, fmin(a, 1e12), n, b),
            plastic(TL_RHEOLOGY_CASSON, tau, a, b),
            plastic(TL_RHEOLOGY_CASSON, 0, a, b),
            thinning(TL_RHEOLOGY_CROSS, a, b, 1e9, n),
            thinning(TL_RHEOLOGY_CROSS, a, b, 0, n),
            thinning(TL_RHEOLOGY_CARREAU, a, b, 1e9, n),
            thinning(TL_RHEOLOGY_CARREAU, a, b, 0, n),
        };
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            float viscosity[COUNT];
            viscosities_of(&all[k], index, rates, T, NULL, viscosity, COUNT);
            for (int r = 0; r < COUNT; r++) {
                const double exact = tl_viscosity_at(&all[k], (double)rates[r], 0);
                cr_assert(isfinite(viscosity[r]) && viscosity[r] >= 0, "case %d, %zu, %g 1/s: %g",
                          i, k, (double)rates[r], (double)viscosity[r]);
                cr_assert(isfinite(exact) && exact >= 0, "case %d, %zu, %g 1/s: %g", i, k,
                          (double)rates[r], exact);
            }
            const double plateau = tl_plateau_viscosity(&all[k], 0);
            cr_assert(isfinite(plateau), "case %d, %zu", i, k);
        }
    }
}

Test(rheology, both_ways_to_give_a_jump_number_agree) {
    const double J = 800, n = 0.35, eta_ref = 4, rate_ref = 0.3;
    const tl_material a = jump(J, n, eta_ref, rate_ref);
    const tl_material b =
        jump_by_stress(eta_ref * rate_ref, eta_ref * pow(rate_ref, 1 - n), n, (J + 1) * eta_ref);
    for (double rate = 1e-12; rate < 1e12; rate *= 3) {
        const double x = tl_viscosity_at(&a, rate, 20), y = tl_viscosity_at(&b, rate, 20);
        cr_assert_lt(relative_error(x, y), 1e-12, "%g: %g, %g", rate, x, y);
    }
    /* and back: rate_ref = (τ0/K)^(1/n), η_ref = τ0/rate_ref, J = η0/η_ref - 1 */
    const tl_law *law = b.rheology.law;
    const double rate = pow(law[TL_YIELD_STRESS].value / law[TL_CONSISTENCY].value, 1 / n);
    const double eta = law[TL_YIELD_STRESS].value / rate;
    cr_assert_float_eq(rate, rate_ref, 1e-12);
    cr_assert_float_eq(eta, eta_ref, 1e-12);
    cr_assert_float_eq(law[TL_PLATEAU_VISCOSITY].value / eta - 1, J, 1e-9);
}

Test(rheology, materials_may_alternate_in_one_call) {
    tl_material all[12];
    const size_t count = everyday(all);
    float rate[RATES], T[RATES], together[RATES];
    uint8_t index[RATES];
    spread_rates(rate);
    for (int i = 0; i < RATES; i++) {
        /* runs of all lengths, from one up */
        index[i] = (uint8_t)(tl_random_bits(3, (uint64_t)(i / (1 + i / 40))) % count);
        T[i] = 20 + 0.05f * (float)i;
    }
    viscosities_of(all, index, rate, T, NULL, together, RATES);
    for (int i = 0; i < RATES; i++) {
        float alone;
        viscosities_of(all, &index[i], &rate[i], &T[i], NULL, &alone, 1);
        cr_assert_eq(together[i], alone, "particle %d of material %d", i, index[i]);
    }
}

/* ---- Phases ---- */

/* A material with a viscosity of its own for the solid, for the melt, or for both. */
static tl_material melting(bool solid, bool liquid) {
    tl_material m = plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000);
    m.solidus = m.liquidus = 64;
    m.has_solidus = m.has_liquidus = true;
    m.has_solid_viscosity = solid;
    m.has_liquid_viscosity = liquid;
    m.solid_viscosity = constant(1e9);
    m.liquid_viscosity = constant(3e-3);
    return m;
}

Test(rheology, the_logarithm_of_the_viscosity_follows_the_liquid_fraction) {
    enum { COUNT = 101 };
    for (int k = 1; k < 4; k++) {
        const tl_material m = melting(k & 1, k & 2);
        float rate[COUNT], T[COUNT], molten[COUNT], viscosity[COUNT];
        uint8_t index[COUNT] = {0};
        for (int i = 0; i < COUNT; i++) {
            rate[i] = 0.5f;
            T[i] = 64; /* all along, as at a sharp melting point */
            molten[i] = (float)i / (COUNT - 1);
        }
        viscosities_of(&m, index, rate, T, molten, viscosity, COUNT);
        const tl_material plain = plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000);
        const double own = tl_viscosity_of(&plain, 0.5, 64, 1), solid = k & 1 ? 1e9 : own;
        const double liquid = k & 2 ? 3e-3 : own;
        for (int i = 0; i < COUNT; i++) {
            const double f = (double)molten[i];
            const double expected = exp((1 - f) * log(solid) + f * log(liquid));
            cr_assert_lt(relative_error(tl_viscosity_of(&m, 0.5, 64, f), expected), 1e-12);
            cr_assert_lt(relative_error((double)viscosity[i], expected), 1e-5);
        }
        cr_assert_lt(relative_error((double)viscosity[0], solid), 1e-6);
        cr_assert_lt(relative_error((double)viscosity[COUNT - 1], liquid), 1e-6);
    }
}

Test(rheology, without_heat_the_phase_follows_the_temperature) {
    tl_material m = melting(true, true);
    cr_assert_eq(tl_viscosity_at(&m, 1, 63.9), 1e9);
    cr_assert_eq(tl_viscosity_at(&m, 1, 64), 3e-3);
    cr_assert_eq(tl_plateau_viscosity(&m, 20), 1e9);
    m.liquidus = 66;
    cr_assert_lt(relative_error(tl_viscosity_at(&m, 1, 65), sqrt(1e9 * 3e-3)), 1e-12);
    cr_assert_lt(worst_error(&m, 20), 1e-5);
    cr_assert_lt(worst_error(&m, 64.3f), 1e-5);
    cr_assert_lt(worst_error(&m, 80), 1e-5);
}

/* Nothing as a viscosity has no logarithm. */
Test(rheology, phases_without_viscosity_are_finite) {
    tl_material m = melting(true, true);
    m.liquid_viscosity.value = 0;
    float rate = 1, T = 64, viscosity;
    uint8_t index = 0;
    for (float f = 0; f <= 1; f += 0.125f) {
        viscosities_of(&m, &index, &rate, &T, &f, &viscosity, 1);
        cr_assert(isfinite(viscosity) && viscosity >= 0, "%g at %g", (double)viscosity, (double)f);
    }
    cr_assert_eq(viscosity, 0);
}

/* ---- Laws ---- */

static const double wax_points[][2] = {{20, 1e6}, {60, 10}, {65, 0.01}};

static tl_law table(tl_interpolation interpolation) {
    return (tl_law){.kind = TL_LAW_TABLE,
                    .points = {(void *)(uintptr_t)wax_points, 3},
                    .interpolation = (int)interpolation};
}

Test(laws, each_law_is_its_formula) {
    const tl_law linear = {.kind = TL_LAW_LINEAR, .from = {40, 1500}, .to = {65, 5}};
    cr_assert_eq(tl_law_at(&linear, -10), 1500);
    cr_assert_eq(tl_law_at(&linear, 40), 1500);
    cr_assert_float_eq(tl_law_at(&linear, 50), 1500 * 0.6 + 5 * 0.4, 1e-9);
    cr_assert_eq(tl_law_at(&linear, 65), 5);
    cr_assert_eq(tl_law_at(&linear, 500), 5);

    const tl_law decades = {.kind = TL_LAW_EXPONENTIAL, .slope = -0.01, .offset = 8};
    cr_assert_float_eq(tl_law_at(&decades, 100), 1e7, 1e-3); /* [Mao06 eq. 6-9] */

    const tl_law activated = {.kind = TL_LAW_ARRHENIUS, .value = 10, .at = 25, .energy = 9e4};
    cr_assert_eq(tl_law_at(&activated, 25), 10);
    cr_assert_float_eq(tl_law_at(&activated, 60),
                       10 * exp(9e4 / 8.31446261815324 * (1 / 333.15 - 1 / 298.15)), 1e-9);

    const tl_law straight = table(TL_INTERPOLATION_LINEAR);
    cr_assert_float_eq(tl_law_at(&straight, 40), 500005, 1e-6);
    cr_assert_float_eq(tl_law_at(&straight, 62.5), 5.005, 1e-9);
    const tl_law bent = table(TL_INTERPOLATION_LOGARITHMIC);
    cr_assert_float_eq(tl_law_at(&bent, 40), sqrt(1e7), 1e-6);
    cr_assert_float_eq(tl_law_at(&bent, 62.5), sqrt(0.1), 1e-9);
    for (int k = 0; k < 3; k++)
        cr_assert_float_eq(tl_law_at(&bent, wax_points[k][0]), wax_points[k][1], 1e-6);
    cr_assert(tl_law_at(&bent, -100) == 1e6 && tl_law_at(&bent, 1000) == 0.01);
}

/* Where a value falls by decades within a degree, no float32 temperature can hold five digits: the
 * wide value must lie among those of temperatures that differ by rounding. */
Test(laws, eight_lanes_agree_with_the_oracle) {
    const tl_law laws[] = {
        {.kind = TL_LAW_CONSTANT, .value = 0.1},
        {.kind = TL_LAW_LINEAR, .from = {40, 1500}, .to = {65, 5}},
        {.kind = TL_LAW_EXPONENTIAL, .slope = -0.01, .offset = 8},
        {.kind = TL_LAW_ARRHENIUS, .value = 10, .at = 25, .energy = 9e4, .max = 1e15},
        {.kind = TL_LAW_ARRHENIUS, .value = 10, .at = 25, .energy = 9e5, .max = 1e15},
        table(TL_INTERPOLATION_LINEAR),
        table(TL_INTERPOLATION_LOGARITHMIC),
    };
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        const tl_material m = {.viscosity = laws[i]};
        for (float T = -300; T < 1500; T += 0.37f) {
            const uint8_t index = 0;
            const float rate = 1;
            float wide;
            viscosities_of(&m, &index, &rate, &T, NULL, &wide, 1);
            const double t = (double)T, slack = 1e-7 * (fabs(t) + 20);
            const double a = tl_law_at(&laws[i], t - slack), b = tl_law_at(&laws[i], t + slack);
            cr_assert((double)wide >= fmin(a, b) * (1 - 1e-5) &&
                          (double)wide <= fmax(a, b) * (1 + 1e-5) + 1e-30,
                      "law %zu at %g °C: %g, not %g", i, t, (double)wide, tl_law_at(&laws[i], t));
        }
    }
}

/* Temperatures that are one in float32 make a step, not a hole. */
Test(laws, points_may_lie_closer_than_float32_can_tell) {
    double points[][2] = {{10, 9}, {1000, 5}, {1000.000001, 7}, {1200, 7}};
    for (int way = 0; way < 2; way++)
        for (size_t first = 0; first < 2; first++) {
            const tl_law law = {
                .kind = TL_LAW_TABLE, .points = {points + first, 4 - first}, .interpolation = way};
            for (double T = 999.9; T < 1000.1; T += 0.01) {
                const tl_material m = {.viscosity = law};
                const uint8_t index = 0;
                const float rate = 1, t = (float)T;
                float value;
                viscosities_of(&m, &index, &rate, &t, NULL, &value, 1);
                cr_assert(value > 4.99f && value < 7.01f, "%g at %g", (double)value, T);
            }
        }
}

Test(laws, laws_that_grow_without_bound_are_held_in_the_range) {
    const tl_law laws[] = {
        {.kind = TL_LAW_EXPONENTIAL, .slope = 1e3, .offset = 0, .min = 0, .max = 1e15},
        {.kind = TL_LAW_ARRHENIUS, .value = 1e15, .at = -272, .energy = -1e7, .max = 1e15},
        {.kind = TL_LAW_ARRHENIUS, .value = 1e15, .at = 1e5, .energy = 1e7, .max = 1e15},
    };
    const float temperatures[] = {-1e30f, -300, -273.15f, 0, 1000, 1e30f};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        for (int k = 0; k < 6; k++) {
            const tl_material m = {.viscosity = laws[i]};
            const uint8_t index = 0;
            const float rate = 1;
            float wide;
            viscosities_of(&m, &index, &rate, &temperatures[k], NULL, &wide, 1);
            const double exact = tl_law_at(&laws[i], (double)temperatures[k]);
            cr_assert(isfinite(wide) && wide >= 0 && wide <= 1.0001e15f, "%zu, %d: %g", i, k,
                      (double)wide);
            cr_assert(isfinite(exact) && exact >= 0 && exact <= 1e15, "%zu, %d: %g", i, k, exact);
        }
}

Test(laws, every_parameter_of_a_model_may_follow_one) {
    tl_material m = jump(1500, 0.5, 10, 2);
    m.rheology.law[TL_JUMP] = (tl_law){.kind = TL_LAW_LINEAR, .from = {40, 1500}, .to = {65, 5}};
    m.rheology.law[TL_EXPONENT] = (tl_law){.kind = TL_LAW_LINEAR, .from = {40, 0.4}, .to = {65, 1}};
    m.rheology.law[TL_REFERENCE_VISCOSITY] =
        (tl_law){.kind = TL_LAW_ARRHENIUS, .value = 10, .at = 25, .energy = 3e4, .max = 1e15};
    for (float T = 0; T < 100; T += 5)
        cr_assert_lt(worst_error(&m, T), 1e-5, "%g °C", (double)T);
    cr_assert_float_eq(tl_plateau_viscosity(&m, 25), 15010, 15010 * 0.05);
    cr_assert_float_eq(tl_viscosity_at(&m, 0, 25), 15010, 1e-6);
}
