/* Axes have good ticks, and thinned lines look like all of their rows. */
#include "base/random.h"
#include "plot/axis.h"
#include "plot/drawing.h"
#include "plot/trace.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static double uniform(uint64_t seed, uint64_t i) {
    return (double)(tl_random_bits(seed, i) >> 11) * 0x1p-53;
}

/* ---- Axes ---------------------------------------------------------------------------------- */

static bool is_one_two_five(double step) {
    const double part = step / pow(10, floor(log10(step) + 1e-6));
    return fabs(part - 1) < 1e-6 || fabs(part - 2) < 1e-6 || fabs(part - 5) < 1e-6;
}

Test(plot, ticks_are_one_two_or_five_times_a_power_of_ten) {
    size_t fewest = SIZE_MAX, most = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        const double size = pow(10, 24 * uniform(1, i) - 12), at = (uniform(2, i) - 0.5) * size;
        const double high = at + size * pow(10, -4 * uniform(3, i));
        const bool fits = i % 2;
        tl_axis axis;
        tl_axis_choose(at, high, "J", false, fits, 6, &axis);
        cr_assert_geq(axis.tick_count, 2, "%zu ticks from %g to %g", axis.tick_count, at, high);
        cr_assert(axis.low <= at + 1e-9 * fabs(at) && axis.high >= high - 1e-9 * fabs(high));
        const double step = axis.tick[1].value - axis.tick[0].value;
        cr_assert(is_one_two_five(step), "step %g from %g to %g", step, at, high);
        for (size_t k = 0; k < axis.tick_count; k++) {
            const double part = tl_axis_at(&axis, axis.tick[k].value);
            cr_assert(part > -1e-6 && part < 1 + 1e-6);
            cr_assert_float_eq(remainder(axis.tick[k].value, step), 0, 1e-6 * step);
        }
        fewest = axis.tick_count < fewest ? axis.tick_count : fewest;
        most = axis.tick_count > most ? axis.tick_count : most;
    }
    cr_log_info("%zu to %zu ticks where about 6 were wanted", fewest, most);
    cr_assert_leq(most, 9);
}

/* The number that a label and the unit stand for. */
static double read_label(const char *label, const char *unit) {
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"nJ", 1e-9},       {"µJ", 1e-6},      {"mJ", 1e-3}, {"J", 1},
                 {"kJ", 1e3},        {"MJ", 1e6},       {"GJ", 1e9},  {"10¹² J", 1e12},
                 {"10⁻¹² J", 1e-12}, {"10⁻¹⁵ J", 1e-15}};
    char plain[64];
    const bool is_negative = strncmp(label, "−", strlen("−")) == 0;
    snprintf(plain, sizeof plain, "%s%s", is_negative ? "-" : "",
             label + (is_negative ? strlen("−") : 0));
    char *end;
    const double value = strtod(plain, &end);
    cr_assert(end != plain && !*end, "\"%s\" is not a number", label);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].unit, unit) == 0)
            return value * units[i].factor;
    cr_assert_fail("unknown unit %s", unit);
    return 0;
}

Test(plot, labels_with_their_unit_read_back_as_the_values) {
    for (uint64_t i = 0; i < 5000; i++) {
        const double size = pow(10, 24 * uniform(4, i) - 11.9), at = (uniform(5, i) - 0.5) * size;
        tl_axis axis;
        tl_axis_choose(at, at + size * pow(10, -3 * uniform(6, i)), "J", false, false, 6, &axis);
        const double step = axis.tick[1].value - axis.tick[0].value;
        for (size_t k = 0; k < axis.tick_count; k++) {
            const double value = read_label(axis.tick[k].label, axis.unit);
            cr_assert_float_eq(value, axis.tick[k].value, 1e-6 * step, "%s %s is not %g",
                               axis.tick[k].label, axis.unit, axis.tick[k].value);
            cr_assert_leq(strlen(axis.tick[k].label), 12, "long label %s", axis.tick[k].label);
        }
    }
}

Test(plot, units_take_the_usual_prefixes) {
    const struct {
        double high;
        const char *unit, *expected;
    } cases[] = {{3e-4, "s", "µs"},          {5e5, "s", "10³ s"},   {2e-6, "kg", "mg"},
                 {4e-5, "kg m/s", "mg m/s"}, {3e4, "kg", "10³ kg"}, {3e4, "J", "kJ"},
                 {2e-3, "m/s", "mm/s"},      {90, "°C", "°C"},      {3e-3, "", "10⁻³"},
                 {250000, "", ""},           {2.5e7, "", "10⁶"},    {5e-3, "°C", "10⁻³ °C"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tl_axis axis;
        tl_axis_choose(0, cases[i].high, cases[i].unit, false, false, 6, &axis);
        cr_expect_str_eq(axis.unit, cases[i].expected, "%g %s: %s", cases[i].high, cases[i].unit,
                         axis.unit);
    }
}

Test(plot, constants_rounding_and_extremes_have_an_axis) {
    const double ends[][2] = {{0, 0},         {5, 5},           {-3, -3},
                              {1e299, 1e299}, {1, 1 + 1e-15},   {-1e299, 1e299},
                              {0, 4.9e-324},  {1e-280, 2e-280}, {-2, -2 + 1e-14}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int fits = 0; fits < 2; fits++) {
            tl_axis axis;
            tl_axis_choose(ends[i][0], ends[i][1], "kg", false, fits, 6, &axis);
            cr_assert(axis.tick_count >= 2 && axis.high > axis.low, "%g to %g: %zu ticks",
                      ends[i][0], ends[i][1], axis.tick_count);
            const double part = tl_axis_at(&axis, ends[i][0]);
            cr_assert(part >= 0 && part <= 1, "%g is at %g", ends[i][0], part);
            for (size_t k = 1; k < axis.tick_count; k++)
                cr_assert_str_neq(axis.tick[k].label, axis.tick[k - 1].label);
        }
}

Test(plot, a_logarithmic_axis_has_ticks_for_any_range) {
    for (uint64_t i = 0; i < 2000; i++) {
        const double low = pow(10, 20 * uniform(7, i) - 15);
        const double high = low * pow(10, i % 7 == 0 ? 0 : 25 * uniform(8, i));
        tl_axis axis;
        tl_axis_choose(low, high, "J", true, false, 6, &axis);
        cr_assert(axis.low > 0 && axis.low <= low * (1 + 1e-9) && axis.high >= high * (1 - 1e-9));
        cr_assert(axis.tick_count >= 2 && axis.tick_count <= 9, "%zu ticks from %g to %g",
                  axis.tick_count, low, high);
        cr_assert_float_eq(tl_axis_at(&axis, sqrt(axis.low * axis.high)), 0.5, 1e-9);
    }
}

/* ---- Lines --------------------------------------------------------------------------------- */

typedef struct line {
    double points[200000];
    size_t count, parts, longest;
} line;

static void keep_part(void *context, const double *points, size_t count) {
    line *l = context;
    memcpy(l->points + 2 * l->count, points, 2 * count * sizeof *points);
    l->count += count;
    l->parts++;
    l->longest = count > l->longest ? count : l->longest;
}

static tl_plot_area make_area(double rows) {
    tl_plot_area area = {.left = 10, .top = 10, .width = 300, .height = 200};
    tl_axis_choose(0, rows, "", false, true, 6, &area.x);
    tl_axis_choose(-1, 1, "", false, false, 6, &area.y);
    return area;
}

enum { MANY = 50000 };

static void make_noise(double *x, double *y) {
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (double)i;
        y[i] = 0.6 * sin(20.0 * (double)i / MANY) + 0.3 * (uniform(9, i) - 0.5);
    }
}

Test(plot, a_thinned_line_keeps_the_least_and_the_largest_of_each_pixel_column) {
    static double x[MANY], y[MANY];
    static line kept;
    make_noise(x, y);
    const tl_plot_area area = make_area(MANY - 1);
    cr_assert_eq(tl_trace(&area, x, y, MANY, keep_part, &kept, NULL), TL_OK);
    cr_log_info("%d rows became %zu points on 300 columns", MANY, kept.count);
    cr_assert_leq(kept.count, 4 * 301);
    double low[400], high[400], kept_low[400], kept_high[400];
    for (int c = 0; c < 400; c++) {
        low[c] = kept_low[c] = HUGE_VAL;
        high[c] = kept_high[c] = -HUGE_VAL;
    }
    for (size_t i = 0; i < MANY; i++) {
        const int c = (int)floor(area.left + area.width * tl_axis_at(&area.x, x[i]));
        const double at = area.top + area.height * (1 - tl_axis_at(&area.y, y[i]));
        low[c] = fmin(low[c], at);
        high[c] = fmax(high[c], at);
    }
    for (size_t i = 0; i < kept.count; i++) {
        const int c = (int)floor(kept.points[2 * i]);
        kept_low[c] = fmin(kept_low[c], kept.points[2 * i + 1]);
        kept_high[c] = fmax(kept_high[c], kept.points[2 * i + 1]);
    }
    for (int c = 0; c < 400; c++)
        cr_assert(low[c] == kept_low[c] && high[c] == kept_high[c], "column %d", c);
}

Test(plot, a_thinned_line_looks_like_all_of_its_rows) {
    static double x[MANY], y[MANY], all[2 * MANY];
    static line kept;
    static uint8_t thin[320 * 220 * 3], thick[320 * 220 * 3];
    make_noise(x, y);
    const tl_plot_area area = make_area(MANY - 1);
    cr_assert_eq(tl_trace(&area, x, y, MANY, keep_part, &kept, NULL), TL_OK);
    for (size_t i = 0; i < MANY; i++) {
        all[2 * i] = area.left + area.width * tl_axis_at(&area.x, x[i]);
        all[2 * i + 1] = area.top + area.height * (1 - tl_axis_at(&area.y, y[i]));
    }
    tl_drawing a = {.width = 320, .height = 220}, b = a;
    tl_draw_line(&a, kept.points, kept.count, (tl_pen){0x000000, 1.5, 0}, NULL);
    tl_draw_line(&b, all, MANY, (tl_pen){0x000000, 1.5, 0}, NULL);
    cr_assert_eq(tl_drawing_paint(&a, thin, NULL), TL_OK);
    cr_assert_eq(tl_drawing_paint(&b, thick, NULL), TL_OK);
    double difference = 0, ink = 0;
    for (size_t i = 0; i < sizeof thin; i++) {
        difference += abs(thin[i] - thick[i]);
        ink += 255 - thick[i];
    }
    cr_log_info("the pictures differ by %.2g of the ink", difference / ink);
    cr_assert_lt(difference, 0.06 * ink);
    tl_drawing_free(&a);
    tl_drawing_free(&b);
}

Test(plot, values_that_are_not_finite_break_the_line) {
    double x[12], y[12];
    static line kept;
    for (int i = 0; i < 12; i++)
        x[i] = i, y[i] = 0.05 * i;
    y[3] = (double)NAN;
    y[4] = HUGE_VAL;
    y[6] = -HUGE_VAL; /* 5 is alone */
    x[9] = (double)NAN;
    const tl_plot_area area = make_area(11);
    cr_assert_eq(tl_trace(&area, x, y, 12, keep_part, &kept, NULL), TL_OK);
    cr_assert(kept.parts == 4 && kept.count == 8 && kept.longest == 3, "%zu parts, %zu points",
              kept.parts, kept.count);
    for (size_t i = 0; i < 2 * kept.count; i++)
        cr_assert(isfinite(kept.points[i]));
    kept = (line){.count = 0};
    cr_assert_eq(tl_trace(&area, x, y, 0, keep_part, &kept, NULL), TL_OK);
    cr_assert_eq(kept.parts, 0);
}
