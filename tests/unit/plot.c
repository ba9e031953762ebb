/* Axes have good ticks, thinned lines look like all of their rows, and what is drawn is there. */
#include "plot/plot.h"
#include "base/random.h"
#include "output/xml.h"
#include "plot/groups.h"
#include "plot/strokes.h"
#include "plot/trace.h"
#include "scratch_folder.h"
#include "world/ledger.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

TestSuite(plot, .init = scratch_make, .fini = scratch_remove);

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

/* ---- Paint --------------------------------------------------------------------------------- */

/* Covered area in pixels. */
static double measure_ink(const tl_drawing *drawing) {
    const size_t bytes = 3 * (size_t)drawing->width * (size_t)drawing->height;
    uint8_t *rgb = malloc(bytes);
    cr_assert_eq(tl_drawing_paint(drawing, rgb, NULL), TL_OK);
    double sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum += 255 - rgb[i];
    free(rgb);
    return sum / (3 * 255);
}

Test(plot, a_line_covers_its_area_at_any_angle) {
    double worst = 0;
    for (int k = 0; k < 32; k++) {
        const double angle = 0.1 + 0.2 * k, width = 1 + 0.1 * k;
        const double ends[] = {100.3, 100.7, 100.3 + 80 * cos(angle), 100.7 + 80 * sin(angle)};
        tl_drawing d = {.width = 200, .height = 200};
        tl_draw_line(&d, ends, 2, (tl_pen){0x000000, width, 0}, NULL);
        const double area = 80 * width + 3.14159265 * width * width / 4;
        worst = fmax(worst, fabs(measure_ink(&d) / area - 1));
        tl_drawing_free(&d);
    }
    cr_log_info("largest error of the area of a line: %.2g", worst);
    cr_assert_lt(worst, 0.03);
}

Test(plot, crossing_itself_does_not_make_a_line_darker_nor_do_dashes_last_longer) {
    const double there[] = {20.5, 50.5, 180.5, 50.5};
    double again[12];
    for (int i = 0; i < 12; i++)
        again[i] = there[i % 4];
    tl_drawing once = {.width = 200, .height = 100}, thrice = once, dashed = once;
    tl_draw_line(&once, there, 2, (tl_pen){0x000000, 1.7, 0}, NULL);
    tl_draw_line(&thrice, again, 6, (tl_pen){0x000000, 1.7, 0}, NULL);
    tl_draw_line(&dashed, there, 2, (tl_pen){0x000000, 1.7, 10}, NULL);
    cr_assert_eq(measure_ink(&once), measure_ink(&thrice));
    /* Eight dashes of ten pixels with round ends. */
    cr_assert_float_eq(measure_ink(&dashed), 8 * (10 * 1.7 + 3.1416 * 1.7 * 1.7 / 4), 4);
    tl_drawing_free(&once);
    tl_drawing_free(&thrice);
    tl_drawing_free(&dashed);
}

Test(plot, lines_far_off_the_page_are_cut_at_its_edge) {
    const double far[] = {-1e9, 50.5, 1e9, 50.5}, away[] = {-1e9, -1e9, -50, 1e12};
    tl_drawing d = {.width = 100, .height = 100};
    tl_draw_line(&d, far, 2, (tl_pen){0x000000, 1, 0}, NULL);
    tl_draw_line(&d, away, 2, (tl_pen){0x000000, 1, 0}, NULL);
    tl_draw_box(&d, -1e9, 90, 2e9, 2e9, 0x000000);
    cr_assert_float_eq(measure_ink(&d), 100 + 1000, 1);
    tl_drawing_free(&d);
}

/* ---- Text ---------------------------------------------------------------------------------- */

typedef struct extent {
    double left, right, bottom, top;
    size_t strokes;
} extent;

static void measure_stroke(void *context, const double *points, size_t count) {
    extent *e = context;
    cr_assert_gt(count, 0);
    e->strokes++;
    for (size_t i = 0; i < count; i++) {
        e->left = fmin(e->left, points[2 * i]);
        e->right = fmax(e->right, points[2 * i]);
        e->bottom = fmin(e->bottom, points[2 * i + 1]);
        e->top = fmax(e->top, points[2 * i + 1]);
    }
}

static extent measure_text(const char *text) {
    extent e = {1e9, -1e9, 1e9, -1e9, 0};
    tl_strokes_write(text, measure_stroke, &e);
    return e;
}

Test(plot, every_letter_is_drawn_within_its_width) {
    char text[2] = {0};
    for (int c = 33; c < 127; c++) {
        text[0] = (char)c;
        const extent e = measure_text(text);
        cr_assert_gt(e.strokes, 0, "%s has no stroke", text);
        cr_assert(e.left >= 0 && e.right <= tl_strokes_width(text) + 1e-9, "%s is too wide", text);
        cr_assert(e.bottom >= -0.25 && e.top <= 0.85, "%s is too high", text);
        if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
            cr_assert(fabs(e.top - TL_STROKES_CAPITAL) < 0.06, "%s is not a capital", text);
        if (c >= '0' && c <= '9')
            cr_assert_eq(tl_strokes_width(text), tl_strokes_width("0"));
    }
    cr_assert_eq(tl_strokes_width("ф"), tl_strokes_width("?"));
    cr_assert_eq(tl_strokes_width(""), 0);
    cr_assert_lt(tl_strokes_width("10⁻³"), tl_strokes_width("10-3"));
    cr_assert_gt(measure_text("⁻³").bottom, 0.25);
    cr_assert_gt(measure_text("°±µ·×Δ−–…²").strokes, 10);
}

Test(plot, no_two_letters_look_the_same) {
    for (int a = 33; a < 127; a++)
        for (int b = a + 1; b < 127; b++) {
            tl_drawing d[2];
            double ink[2];
            uint8_t rgb[2][40 * 40 * 3];
            for (int k = 0; k < 2; k++) {
                d[k] = (tl_drawing){.width = 40, .height = 40};
                tl_draw_text(&d[k], 10, 28, (const char[]){(char)(k ? b : a), 0},
                             (tl_lettering){0, 24, TL_ANCHOR_START, false});
                cr_assert_eq(tl_drawing_paint(&d[k], rgb[k], NULL), TL_OK);
                tl_drawing_free(&d[k]);
                ink[k] = 0;
            }
            for (size_t i = 0; i < sizeof rgb[0]; i++) {
                ink[0] += abs(rgb[0][i] - rgb[1][i]);
                ink[1] += 255 - rgb[0][i];
            }
            cr_assert_gt(ink[0], 0.1 * fmin(ink[1], 20000), "%c looks like %c", a, b);
        }
}

Test(plot, text_that_is_too_wide_is_cut_between_letters) {
    tl_drawing d = {.width = 400, .height = 40};
    tl_draw_text_within(&d, 0, 20, "ééééééééééééééééé", 60,
                        (tl_lettering){0, 12, TL_ANCHOR_START, false});
    cr_assert_eq(d.shape_count, 1);
    const char *text = d.words.bytes + d.shapes[0].text;
    cr_assert_leq(tl_text_width(text, 12), 60);
    cr_assert_gt(tl_text_width(text, 12), 40);
    cr_assert_eq(strlen(text) % 2, 1, "é has two bytes and … three: %s", text);
    cr_assert_str_eq(text + strlen(text) - 3, "…");
    tl_drawing_free(&d);
}

/* ---- Tables -------------------------------------------------------------------------------- */

static tl_status read_table(const char *text, tl_table *table, tl_error *error) {
    spill(in_scratch("t.csv"), text, strlen(text));
    return tl_table_read(in_scratch("t.csv"), table, error);
}

Test(plot, a_table_is_read_by_its_header) {
    tl_table t;
    tl_error error;
    cr_assert_eq(
        read_table("frame,time [s],heat [J/(kg K)]\n0,0.5,nan\n1,1e-3,-inf\n2,7", &t, &error),
        TL_OK);
    cr_assert(t.rows == 2 && t.column_count == 3, "a row being written is left out");
    cr_assert_str_eq(t.columns[2].name, "heat");
    cr_assert_str_eq(t.columns[2].unit, "J/(kg K)");
    cr_assert_str_eq(t.columns[0].unit, "");
    cr_assert(t.columns[1].values[1] == 1e-3 && isnan(t.columns[2].values[0]) &&
              t.columns[2].values[1] < 0);
    cr_assert(tl_table_find(&t, "time") == 1 && tl_table_find(&t, "tim") == SIZE_MAX);
    tl_table_free(&t);
    cr_assert_eq(read_table("a,b\r\n1,2\r\n3,4\r\n", &t, &error), TL_OK);
    cr_assert(t.rows == 2 && t.columns[1].values[1] == 4);
    cr_assert_str_eq(t.columns[1].name, "b");
    tl_table_free(&t);
}

Test(plot, tables_cut_short_are_empty_and_bad_ones_are_refused_with_the_line) {
    tl_table t;
    tl_error error;
    const char *empty[] = {"", "time [s],ma", "time [s],mass\n", "time [s],mass\n1"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        cr_assert_eq(read_table(empty[i], &t, &error), TL_OK);
        cr_assert_eq(t.rows, 0);
        tl_table_free(&t);
    }
    const char *bad[] = {"a,b\n1,2\n3\n",     "a,b\n1,2\n3,\n4,5\n", "a,b\n1,2\n3,x\n",
                         "a,b\n1,2\n3,4,5\n", "a,b\n1,2\n\n3,4\n",   "a,b\n1,2\n,4\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(read_table(bad[i], &t, &error), TL_BAD_INPUT, "%s", bad[i]);
        cr_assert(strstr(error.what, "line 3"), "%s", error.what);
        tl_table_free(&t);
    }
    cr_assert_eq(read_table("a,,b\n1,2,3\n", &t, &error), TL_BAD_INPUT);
    tl_table_free(&t);
}

/* ---- Groups -------------------------------------------------------------------------------- */

/* A table with the ledger's columns and some that may come, three rows of numbers. */
static tl_table make_ledger(void) {
    const char *const coming[][2] = {{"rotation_energy", "J"},   {"ember_temperature", "°C"},
                                     {"soot_temperature", "°C"}, {"solid_fraction", ""},
                                     {"heat_to_air", "W"},       {"wall_time", "s"}};
    tl_table t = {.rows = 3};
    for (size_t i = 0; i < tl_ledger_column_count + 6; i++) {
        tl_column *column;
        const bool is_old = i < tl_ledger_column_count;
        const size_t k = is_old ? 0 : i - tl_ledger_column_count;
        cr_assert_eq(tl_table_add(&t, is_old ? tl_ledger_columns[i].name : coming[k][0],
                                  is_old ? tl_ledger_columns[i].unit : coming[k][1], &column, NULL),
                     TL_OK);
        for (size_t row = 0; row < 3; row++)
            column->values[row] = 1 + (double)(row * row) + (double)i;
    }
    cr_assert_eq(tl_plot_derive(&t, NULL), TL_OK);
    return t;
}

static const tl_plot_group *find_group(const tl_plot_group *groups, size_t count, const tl_table *t,
                                       const char *column) {
    for (size_t g = 0; g < count; g++)
        for (size_t k = 0; k < groups[g].count; k++)
            if (strcmp(t->columns[groups[g].columns[k]].name, column) == 0)
                return &groups[g];
    return NULL;
}

Test(plot, every_column_has_its_plot_also_those_that_are_not_known) {
    tl_table t = make_ledger();
    tl_plot_group *groups;
    size_t count;
    cr_assert_eq(tl_plot_find_groups(&t, &groups, &count, NULL), TL_OK);
    const char *const instead[][2] = {{"time", NULL},
                                      {"steps", "steps_per_frame"},
                                      {"rejected", "rejected_per_frame"},
                                      {"iterations", "iterations_per_step"},
                                      {"heat_iterations", "heat_iterations_per_step"},
                                      {"potential_energy", "potential_energy_change"},
                                      {"thermal_energy", "thermal_energy_change"},
                                      {"bond_energy", "bond_energy_change"}};
    for (size_t c = 0; c < t.column_count; c++) {
        const char *name = t.columns[c].name;
        for (size_t i = 0; i < sizeof instead / sizeof instead[0]; i++)
            if (strcmp(t.columns[c].name, instead[i][0]) == 0)
                name = instead[i][1];
        cr_assert(!name || find_group(groups, count, &t, name), "%s is not drawn", name);
    }
    const tl_plot_group *energy = find_group(groups, count, &t, "thermal_energy_change");
    cr_assert(energy == find_group(groups, count, &t, "kinetic_energy"));
    cr_assert_str_eq(find_group(groups, count, &t, "temperature_max")->name, "temperature");
    cr_assert_eq(find_group(groups, count, &t, "solid_fraction")->count, 1);
    for (size_t g = 0; g < count; g++) {
        for (size_t k = 1; k < groups[g].count; k++)
            cr_assert_str_eq(t.columns[groups[g].columns[0]].unit,
                             t.columns[groups[g].columns[k]].unit, "%s mixes units",
                             groups[g].name);
        for (size_t h = 0; h < g; h++)
            cr_assert_str_neq(groups[g].name, groups[h].name);
    }
    free(groups);
    tl_table_free(&t);
}

Test(plot, totals_become_what_happened_in_each_frame) {
    tl_table t;
    tl_error error;
    cr_assert_eq(read_table("steps,iterations,potential_energy [J]\n0,0,7\n10,50,5\n10,50,4\n"
                            "14,150,8\n",
                            &t, &error),
                 TL_OK);
    cr_assert_eq(tl_plot_derive(&t, &error), TL_OK);
    const double expected[3][4] = {{5, 5, 0, 25}, {10, 10, 0, 4}, {0, -2, -3, 1}};
    const char *names[] = {"iterations_per_step", "steps_per_frame", "potential_energy_change"};
    for (int k = 0; k < 3; k++) {
        const size_t column = tl_table_find(&t, names[k]);
        cr_assert_neq(column, SIZE_MAX);
        for (int i = 0; i < 4; i++)
            cr_assert_eq(t.columns[column].values[i], expected[k][i], "%s, row %d", names[k], i);
    }
    tl_table_free(&t);
}

Test(plot, files_of_plots_are_known_by_name_and_others_are_not) {
    cr_assert(tl_plot_makes("overview.svg") && tl_plot_makes("energy.png") &&
              tl_plot_makes("density-error.svg") && tl_plot_makes("mass+dt.svg") &&
              tl_plot_makes("potential_energy_change+steps_per_frame+wall_time.png"));
    cr_assert(!tl_plot_makes("mine.png") && !tl_plot_makes("overview.txt") &&
              !tl_plot_makes("overview") && !tl_plot_makes(".svg") &&
              !tl_plot_makes("mass+mine.svg") && !tl_plot_makes("mass+.svg") && !tl_plot_makes(""));
}

/* ---- Charts -------------------------------------------------------------------------------- */

Test(plot, labels_at_the_end_of_lines_do_not_touch) {
    double x[2] = {0, 1}, y[10][2];
    char names[10][16];
    tl_chart chart = {.title = "T",
                      .note = "",
                      .x_name = "x",
                      .x_unit = "",
                      .y_name = "",
                      .y_unit = "J",
                      .x = x,
                      .rows = 2,
                      .series_count = 10};
    for (size_t k = 0; k < 10; k++) {
        y[k][0] = (double)k;
        y[k][1] = k < 6 ? 0 : k < 9 ? 10 : 4;
        snprintf(names[k], sizeof names[k], "line %zu", k);
        chart.series[k] = (tl_series){names[k], y[k]};
    }
    tl_drawing page = {.width = 800, .height = 500};
    cr_assert_eq(tl_chart_draw(&chart, &page, 0, 0, 800, 500, NULL), TL_OK);
    double at[10];
    size_t found = 0;
    for (size_t i = 0; i < page.shape_count; i++) {
        const tl_shape *s = &page.shapes[i];
        if (s->kind != TL_SHAPE_TEXT || strncmp(page.words.bytes + s->text, "line ", 5) != 0)
            continue;
        const double *p = page.points + 2 * s->first;
        cr_assert_leq(p[0] + tl_text_width(page.words.bytes + s->text, s->lettering.size), 800);
        for (size_t k = 0; k < found; k++)
            cr_assert_geq(fabs(at[k] - p[1]), 1.2 * s->lettering.size);
        at[found++] = p[1];
    }
    cr_assert_eq(found, 10, "all have a label");
    tl_drawing_free(&page);
}

/* ---- Files --------------------------------------------------------------------------------- */

/* Reads tags with their nesting; counts those of a name. */
static size_t check_svg(const char *path, const char *name) {
    size_t size, depth = 0, found = 0;
    char *text = slurp(path, &size);
    tl_slice open[16];
    tl_xml xml = {text, text + size};
    tl_xml_tag tag;
    while (tl_xml_next(&xml, &tag)) {
        if (tag.closing) {
            cr_assert(depth > 0 && open[depth - 1].length == tag.name.length &&
                      memcmp(open[depth - 1].text, tag.name.text, tag.name.length) == 0);
            depth--;
        } else {
            found += tl_slice_is(tag.name, name);
            cr_assert_lt(depth, 16);
            if (!tag.empty)
                open[depth++] = tag.name;
        }
        for (const char *p = tl_xml_text(&xml).text; p < xml.at; p++)
            cr_assert(*p != '>' && *p != '"' && (unsigned char)*p != 127);
    }
    cr_assert_eq(depth, 0, "tags are left open");
    cr_assert_eq(xml.at, xml.end, "it ends in: %.40s", xml.at);
    free(text);
    return found;
}

static void write_ledger(const char *path, size_t rows) {
    FILE *file = fopen(path, "w");
    fprintf(file, "frame,time [s],steps,kinetic_energy [J],viscous_heat [J],mass [kg],odd\n");
    for (size_t i = 0; i < rows; i++)
        fprintf(file, "%zu,%g,%zu,%.9g,%.9g,12,%s\n", i, 0.1 * (double)i, 10 * i,
                1e-3 * cos(0.3 * (double)i), 1e-4 * (double)i, i % 5 ? "1e-5" : "nan");
    fclose(file);
}

static void count_file(void *context, const char *path) {
    (void)path;
    ++*(size_t *)context;
}

Test(plot, a_ledger_of_any_length_becomes_svg_and_png) {
    const size_t lengths[] = {1, 2, 3, 41, 30000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t files = 0;
        tl_error error;
        write_ledger(in_scratch("ledger.csv"), lengths[i]);
        const tl_plot_options options = {.title = "<Wax & \"honey\">",
                                         .wrote = count_file,
                                         .context = &files,
                                         .width = 640,
                                         .height = 400,
                                         .threads = 1};
        cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, &error), TL_OK,
                     "%zu rows: %s", lengths[i], error.what);
        const size_t groups = lengths[i] > 1 ? 4 : 3; /* a single row has no steps a frame */
        cr_assert_eq(files, 2 * (groups + 1), "%zu files of %zu rows", files, lengths[i]);
        cr_assert_gt(check_svg(in_scratch("energy.svg"), "polyline"), 2);
        cr_assert_gt(check_svg(in_scratch("overview.svg"), "text"), 20);
        size_t size;
        unsigned char *png = (unsigned char *)slurp(in_scratch("energy.png"), &size);
        cr_assert(png[18] == 640 / 256 && png[19] == 640 % 256 && png[23] == 400 % 256);
        free(png);
        scratch_files(true);
    }
}

Test(plot, a_plot_has_the_same_bytes_for_any_number_of_threads_and_any_locale) {
    char *first[2] = {NULL};
    size_t first_size[2] = {0};
    write_ledger(in_scratch("ledger.csv"), 500);
    for (int threads = 1; threads <= 3; threads++) {
        if (threads == 3)
            setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is none, one more of the same */
        const tl_plot_options options = {.threads = threads, .only_overview = true};
        cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, NULL), TL_OK);
        for (int k = 0; k < 2; k++) {
            size_t size;
            char *bytes = slurp(in_scratch(k ? "overview.png" : "overview.svg"), &size);
            if (!first[k]) {
                first[k] = bytes;
                first_size[k] = size;
                continue;
            }
            cr_assert(size == first_size[k] && memcmp(bytes, first[k], size) == 0);
            free(bytes);
        }
    }
    free(first[0]);
    free(first[1]);
}

Test(plot, a_full_disk_leaves_the_plots_that_were) {
    tl_error error;
    size_t size;
    const tl_plot_options options = {.only_overview = true, .threads = 1};
    write_ledger(in_scratch("ledger.csv"), 500);
    cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, NULL), TL_OK);
    char *before = slurp(in_scratch("overview.svg"), &size);
    limit_disk(8000);
    cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, &error), TL_IO_FAILED);
    limit_disk(RLIM_INFINITY);
    cr_assert(strstr(error.where, "overview.svg"), "%s: %s", error.where, error.what);
    cr_assert_eq(scratch_files(false), 3, "nothing half-written");
    size_t size_after;
    char *after = slurp(in_scratch("overview.svg"), &size_after);
    cr_assert(size == size_after && memcmp(before, after, size) == 0);
    free(before);
    free(after);
}

Test(plot, what_cannot_be_plotted_is_told) {
    tl_error error;
    const char *const wrong[] = {"kinetic_enrgy"};
    const tl_plot_options cases[] = {
        {.columns = wrong, .column_count = 1}, {.over = "tme"}, {.width = 10, .height = 10}};
    write_ledger(in_scratch("ledger.csv"), 5);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(
            tl_plot_ledger(in_scratch("ledger.csv"), in_scratch("none"), &cases[i], &error),
            TL_BAD_INPUT);
        if (i < 2)
            cr_assert(strstr(error.fix, i ? "time" : "kinetic_energy"), "%s", error.fix);
    }
    const tl_plot_options plain = {0};
    write_ledger(in_scratch("ledger.csv"), 0);
    cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), in_scratch("none"), &plain, &error),
                 TL_BAD_INPUT);
    cr_assert(strstr(error.what, "no row"), "%s", error.what);
    cr_assert_neq(tl_plot_ledger(in_scratch("missing"), in_scratch("none"), &plain, &error), TL_OK);
    cr_assert_not(tl_file_exists(in_scratch("none")), "a plot that is none leaves no folder");
}
