/* Numbers with units mean what a physicist reads, or are refused with the reason. */
#include "scene/units.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value_of(const char *text, tl_unit unit) {
    double value = 0;
    tl_unit_problem problem = {0};
    cr_assert(tl_unit_parse(text, unit, &value, &problem), "%s: %s", text, problem.what);
    return value;
}

/* Asserts that the text is refused, with both words in the message or the hint. */
static void refused(const char *text, tl_unit unit, const char *what, const char *hint) {
    double value;
    tl_unit_problem problem = {0};
    cr_assert_not(tl_unit_parse(text, unit, &value, &problem), "%s was read as %g", text, value);
    cr_assert(strstr(problem.what, what), "%s: \"%s\" lacks \"%s\"", text, problem.what, what);
    cr_assert(strstr(problem.hint, hint), "%s: \"%s\" lacks \"%s\"", text, problem.hint, hint);
}

Test(units, prefixes_are_exact_powers_of_ten) {
    cr_assert_eq(value_of("3 mm", TL_UNIT_LENGTH), 0.003);
    cr_assert_eq(value_of("0.7 mm", TL_UNIT_LENGTH), 0.0007);
    cr_assert_eq(value_of("160cm", TL_UNIT_LENGTH), 1.6);
    cr_assert_eq(value_of("9 nm", TL_UNIT_LENGTH), 9e-9);
    cr_assert_eq(value_of("9 µm", TL_UNIT_LENGTH), 9e-6);
    cr_assert_eq(value_of("9 μm", TL_UNIT_LENGTH), 9e-6);
    cr_assert_eq(value_of("9 um", TL_UNIT_LENGTH), 9e-6);
    cr_assert_eq(value_of("1.1 kPa", TL_UNIT_PRESSURE), 1100);
    cr_assert_eq(value_of("2 GPa", TL_UNIT_PRESSURE), 2e9);
    cr_assert_eq(value_of("1e-3 Pa·s", TL_UNIT_VISCOSITY), 1e-3);
    cr_assert_eq(value_of("0.89 mPa s", TL_UNIT_VISCOSITY), 0.00089);
    cr_assert_eq(value_of("2 cP", TL_UNIT_VISCOSITY), 0.002);
    cr_assert_eq(value_of("1 poise", TL_UNIT_VISCOSITY), 0.1);
    cr_assert_eq(value_of("5 g", TL_UNIT_MASS), 0.005);
    cr_assert_eq(value_of("1.5 kg", TL_UNIT_MASS), 1.5);
    cr_assert_eq(value_of("3 bar", TL_UNIT_PRESSURE), 3e5);
    cr_assert_eq(value_of("30 %", TL_UNIT_NONE), 0.3);
}

Test(units, heat_has_its_dimensions) {
    cr_assert_eq(value_of("90 kJ/mol", TL_UNIT_MOLAR_ENERGY), 9e4);
    cr_assert_eq(value_of("0.2 W/(m·K)", TL_UNIT_CONDUCTIVITY), 0.2);
    cr_assert_eq(value_of("2.1 kJ/(kg·K)", TL_UNIT_HEAT), 2100);
    cr_assert_eq(value_of("333.4 J/g", TL_UNIT_LATENT_HEAT), 333400);
    refused("90 kJ", TL_UNIT_MOLAR_ENERGY, "a molar energy", "");
    refused("2 kJ/kg", TL_UNIT_HEAT, "got a latent heat", "");
}

Test(units, whole_names_go_before_prefixes) {
    cr_assert_eq(value_of("2 min", TL_UNIT_TIME), 120);
    cr_assert_eq(value_of("2 h", TL_UNIT_TIME), 7200);
    cr_assert_float_eq(value_of("1 in", TL_UNIT_LENGTH), 0.0254, 1e-17);
    cr_assert_eq(value_of("3 ms", TL_UNIT_TIME), 0.003);
}

Test(units, compound_units_are_found_by_dimension) {
    cr_assert_eq(value_of("1.2 g/cm^3", TL_UNIT_DENSITY), 1200);
    cr_assert_eq(value_of("1.2 g/cm³", TL_UNIT_DENSITY), 1200);
    cr_assert_eq(value_of("2 kg/L", TL_UNIT_DENSITY), 2000);
    cr_assert_eq(value_of("9.81 m/s²", TL_UNIT_ACCELERATION), 9.81);
    cr_assert_eq(value_of("9.81 m s^-2", TL_UNIT_ACCELERATION), 9.81);
    cr_assert_eq(value_of("9.81 m·s⁻²", TL_UNIT_ACCELERATION), 9.81);
    cr_assert_eq(value_of("9.81 m/s/s", TL_UNIT_ACCELERATION), 9.81);
    cr_assert_eq(value_of("5 N/m^2", TL_UNIT_PRESSURE), 5);
    cr_assert_eq(value_of("5 J/m³", TL_UNIT_PRESSURE), 5);
    cr_assert_eq(value_of("5 kg/(m·s)", TL_UNIT_VISCOSITY), 5);
    cr_assert_eq(value_of("7 W s/m³", TL_UNIT_PRESSURE), 7);
    cr_assert_eq(value_of("72 mN/m", TL_UNIT_SURFACE_TENSION), 0.072);
    cr_assert_eq(value_of("5 J/m²", TL_UNIT_SURFACE_TENSION), 5);
    cr_assert_eq(value_of("25 Hz", TL_UNIT_FREQUENCY), 25);
    cr_assert_eq(value_of("25 fps", TL_UNIT_FREQUENCY), 25);
    cr_assert_eq(value_of("25 1/s", TL_UNIT_FREQUENCY), 25);
    cr_assert_eq(value_of("25 /s", TL_UNIT_FREQUENCY), 25);
    cr_assert_float_eq(value_of("36 m/min", TL_UNIT_SPEED), 0.6, 1e-15);
    cr_assert_eq(value_of("2 GiB", TL_UNIT_MEMORY), 2147483648.0);
}

Test(units, angles_and_temperatures_have_their_zero_and_turn) {
    cr_assert_float_eq(value_of("90 deg", TL_UNIT_ANGLE), M_PI / 2, 1e-15);
    cr_assert_float_eq(value_of("90°", TL_UNIT_ANGLE), M_PI / 2, 1e-15);
    cr_assert_eq(value_of("1", TL_UNIT_ANGLE), 1);
    cr_assert_eq(value_of("20", TL_UNIT_TEMPERATURE), 20);
    cr_assert_eq(value_of("20 °C", TL_UNIT_TEMPERATURE), 20);
    cr_assert_eq(value_of("20 degC", TL_UNIT_TEMPERATURE), 20);
    cr_assert_eq(value_of("20 C", TL_UNIT_TEMPERATURE), 20);
    cr_assert_float_eq(value_of("293.15 K", TL_UNIT_TEMPERATURE), 20, 1e-12);
    cr_assert_float_eq(value_of("300000 mK", TL_UNIT_TEMPERATURE), 26.85, 1e-12);
}

Test(units, bare_numbers_are_si) {
    for (tl_unit unit = TL_UNIT_NONE; unit < TL_UNIT_COUNT_; unit++) {
        cr_assert_eq(value_of("-2.5e-1", unit), -0.25);
        cr_assert_eq(value_of("+.5", unit), 0.5);
    }
}

Test(units, wrong_dimensions_are_named) {
    refused("3 kPa", TL_UNIT_LENGTH, "expected a length, such as 3 mm; got a pressure", "");
    refused("3 m", TL_UNIT_NONE, "expected a bare number, such as 0.5; got a length", "");
    refused("3 m^5", TL_UNIT_LENGTH, "got something of another dimension", "");
    refused("3 rad", TL_UNIT_NONE, "got an angle", "");
    refused("3 %", TL_UNIT_LENGTH, "got a bare number", "");
}

Test(units, nonsense_is_refused_with_the_reason) {
    static const char *const bad[] = {"",          "m",       "nan",     "inf",    "0x10", "1e999",
                                      "1 2",       "25 11",   "3 m m^^", "3 m^99", "3 m^", "3 (m",
                                      "3 m)",      "3 m/",    "3 /",     "1 e5",   "--3",  "3 m^-",
                                      "3 ((((((m", "3 m\xff", "3 kmin",  "1e5e5",  "3 m·", "3 m⁻"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(bad[i], TL_UNIT_LENGTH, "", "");
    refused("0,5", TL_UNIT_LENGTH, "comma", "point");
    refused("3 poize", TL_UNIT_VISCOSITY, "poize", "poise");
    refused("3 W/m·K", TL_UNIT_PRESSURE, "two ways", "parentheses");
    refused("1e308 km", TL_UNIT_LENGTH, "too large", "");
}

Test(units, endless_texts_are_refused) {
    char text[5000];
    memset(text, '9', sizeof text - 1);
    text[sizeof text - 1] = 0;
    refused(text, TL_UNIT_LENGTH, "too large", "");
    memset(text + 1, 'm', sizeof text - 2);
    refused(text, TL_UNIT_LENGTH, "not a known unit", "");
    for (size_t i = 1; i + 1 < sizeof text; i += 2)
        memcpy(text + i, " m", 2);
    refused(text, TL_UNIT_LENGTH, "powers", "");
}

Test(units, whole_numbers_are_whole) {
    int64_t n;
    tl_unit_problem problem;
    cr_assert(tl_integer_parse("9223372036854775807", &n, &problem) && n == INT64_MAX);
    cr_assert(tl_integer_parse("1e6", &n, &problem) && n == 1000000);
    cr_assert_not(tl_integer_parse("1.5", &n, &problem));
    cr_assert_not(tl_integer_parse("9223372036854775808", &n, &problem));
    cr_assert_not(tl_integer_parse("3 m", &n, &problem));
    cr_assert_not(tl_integer_parse("", &n, &problem));
}

Test(units, printed_numbers_read_back_as_the_same_double) {
    const double values[] = {0,      30,     0.1,         1.0 / 3, 1e-7,  12345678.9,
                             -2e300, 5e-324, 0x1.8p+1000, 1e7,     -9.81, 123456789012345680.0};
    for (tl_unit unit = TL_UNIT_NONE; unit < TL_UNIT_COUNT_; unit++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            tl_text text = {0};
            tl_unit_print(&text, values[i], unit);
            cr_assert_eq(value_of(text.bytes, unit), values[i], "%s", text.bytes);
            free(text.bytes);
        }
}
