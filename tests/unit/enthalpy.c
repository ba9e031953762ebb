/* T(e) and e(T) are each other's inverse, and phases stand where the material has them. */
#include "materials/enthalpy.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

static tl_material wax(double solidus, double liquidus) {
    return (tl_material){.name = (char *)"wax",
                         .specific_heat = 2400,
                         .liquid_specific_heat = 1800,
                         .gas_specific_heat = 900,
                         .conductivity = 0.3,
                         .liquid_conductivity = 0.1,
                         .latent_heat = 173600,
                         .latent_heat_of_vaporisation = 5e5,
                         .solidus = solidus,
                         .liquidus = liquidus,
                         .boiling = 370,
                         .has_solidus = true,
                         .has_liquidus = true,
                         .has_boiling = true};
}

static tl_caloric curve_of(const tl_material *m) {
    tl_caloric c;
    tl_error error = {0};
    cr_assert_eq(tl_caloric_make(m, &c, &error), TL_OK, "%s", error.what);
    return c;
}

Test(enthalpy, temperature_and_back_to_rounding) {
    const tl_material kinds[] = {wax(50, 64), wax(64, 64), {.specific_heat = 4000}};
    for (int k = 0; k < 3; k++) {
        const tl_caloric c = curve_of(&kinds[k]);
        double before = -HUGE_VAL;
        for (double T = -270; T < 800; T += 0.37) {
            const double e = tl_enthalpy_at(&c, T), back = tl_temperature_at(&c, e);
            cr_assert_gt(e, before, "e must rise: %g °C", T);
            cr_assert_leq(fabs(back - T), 8 * DBL_EPSILON * (273 + fabs(T)), "%.17g %.17g", T,
                          back);
            before = e;
        }
    }
}

Test(enthalpy, enthalpy_and_back_where_no_latent_heat_is_taken_up) {
    const tl_material m = wax(64, 64);
    const tl_caloric c = curve_of(&m);
    double before = -HUGE_VAL;
    for (double e = -6e5; e < 2.5e6; e += 997) {
        const double T = tl_temperature_at(&c, e);
        cr_assert_geq(T, before, "T must not fall");
        before = T;
        const bool melting = e >= c.solidus && e <= c.liquidus;
        const bool boiling = e >= c.gas - m.latent_heat_of_vaporisation && e <= c.gas;
        if (melting)
            cr_assert_eq(T, 64);
        else if (boiling)
            cr_assert_eq(T, 370);
        else
            cr_assert_leq(fabs(tl_enthalpy_at(&c, T) - e), 16 * DBL_EPSILON * 2.5e6, "%.17g", e);
    }
}

Test(enthalpy, a_melting_range_takes_the_latent_heat_and_what_both_phases_take) {
    const tl_material m = wax(50, 64);
    const tl_caloric c = curve_of(&m);
    cr_assert_float_eq(c.liquidus - c.solidus, 173600 + 0.5 * (2400 + 1800) * 14, 1e-6);
    const double middle = 0.5 * (c.solidus + c.liquidus);
    cr_assert_float_eq(tl_temperature_at(&c, middle), 57, 1e-9);
    cr_assert_float_eq(tl_liquid_fraction(&c, middle), 0.5, 1e-12);
    cr_assert_float_eq(tl_conductivity_at(&c, middle), 0.2, 1e-12);
}

Test(enthalpy, phases_follow_the_enthalpy) {
    const tl_material m = wax(50, 64);
    const tl_caloric c = curve_of(&m);
    const struct {
        double e;
        tl_phase phase;
        double fraction;
    } cases[] = {{c.solidus, TL_PHASE_SOLID, 0},
                 {c.solidus + 1, TL_PHASE_MUSHY, 1 / (c.liquidus - c.solidus)},
                 {c.liquidus, TL_PHASE_LIQUID, 1},
                 {c.gas - 1, TL_PHASE_LIQUID, 1},
                 {c.gas, TL_PHASE_GAS, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cr_expect_eq(tl_phase_at(&c, cases[k].e), cases[k].phase, "%zu", k);
        cr_expect_float_eq(tl_liquid_fraction(&c, cases[k].e), cases[k].fraction, 1e-12, "%zu", k);
    }
}

Test(enthalpy, at_a_corner_the_direction_chooses_the_piece) {
    const tl_material m = wax(64, 64);
    const tl_caloric c = curve_of(&m);
    cr_assert_gt(c.slope[tl_caloric_piece(&c, c.solidus, -1)], 0);
    cr_assert_eq(c.slope[tl_caloric_piece(&c, c.solidus, 1)], 0);
    cr_assert_eq(c.slope[tl_caloric_piece(&c, c.liquidus, -1)], 0);
    cr_assert_gt(c.slope[tl_caloric_piece(&c, c.liquidus, 1)], 0);
}

Test(enthalpy, a_curve_that_cannot_be_is_refused) {
    tl_material cases[5];
    const char *words[] = {"no specific heat", "heat of melting", "molten before",
                           "heat of boiling", "boils before"};
    for (int k = 0; k < 5; k++)
        cases[k] = wax(50, 64);
    cases[0].specific_heat = 0;
    cases[1].has_solidus = cases[1].has_liquidus = false;
    cases[2].liquidus = 40;
    cases[3].has_boiling = false;
    cases[4].boiling = 60;
    for (int k = 0; k < 5; k++) {
        tl_caloric c;
        tl_error error = {0};
        cr_assert_eq(tl_caloric_make(&cases[k], &c, &error), TL_BAD_INPUT, "%d", k);
        cr_assert(strstr(error.what, words[k]), "%s", error.what);
    }
}
