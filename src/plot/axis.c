/* See axis.h. */
#include "plot/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The least of 1, 2, 5, 10 times a power of ten that is not below x, with room for rounding. */
static double round_up(double x) {
    const double power = pow(10, floor(log10(x)));
    const double part = x / power * (1 - 1e-9);
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* ---- Units --------------------------------------------------------------------------------- */

static void print_raised(int number, char *out, size_t size) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", number);
    *out = 0;
    for (const char *p = plain; *p; p++) {
        const char *sign = *p == '-' ? "⁻" : digits[*p - '0'];
        if (strlen(out) + strlen(sign) < size)
            strcat(out, sign);
    }
}

static void print_power(int exponent, const char *unit, char *out) {
    char raised[TL_AXIS_LABEL];
    print_raised(exponent, raised, sizeof raised);
    snprintf(out, TL_AXIS_UNIT, "10%s%s%.24s", raised, *unit ? " " : "", unit);
}

/* Names 10^exponent of a unit: a prefix where one is usual, else the power. */
static void name_unit(const char *unit, int exponent, char *out) {
    static const char *const prefixes[] = {"n", "µ", "m", "", "k", "M", "G"};
    const bool has_gram = strncmp(unit, "kg", 2) == 0; /* the one unit that has a prefix already */
    const int index = exponent / 3 + 3 + has_gram;
    const bool is_usual = index >= 0 && index < 7 && *unit && (unsigned char)*unit < 128 &&
                          *unit != '1' && !(has_gram && exponent > 0) &&
                          !(*unit == 's' && exponent > 0);
    if (exponent == 0)
        snprintf(out, TL_AXIS_UNIT, "%.48s", unit);
    else if (is_usual)
        snprintf(out, TL_AXIS_UNIT, "%s%.48s", prefixes[index], unit + has_gram);
    else
        print_power(exponent, unit, out);
}

/* Labels are in 10^exponent of the unit. Counts stay whole as long as they can be read. */
static int choose_exponent(double largest, const char *unit) {
    if (largest == 0 || (largest >= (*unit ? 0.1 : 0.01) && largest < (*unit ? 1e4 : 1e6)))
        return 0;
    return 3 * (int)floor(log10(largest) / 3 + 1e-9);
}

/* ---- Ticks --------------------------------------------------------------------------------- */

/* With a minus sign instead of a hyphen, and none for zero. */
static void print_value(double value, int decimals, char *out) {
    char digits[TL_AXIS_LABEL - 4];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool is_zero = strspn(digits, "0.,") == strlen(digits);
    snprintf(out, TL_AXIS_LABEL, "%s%s", value < 0 && !is_zero ? "−" : "", digits);
}

static void place_ticks(tl_axis *axis, double step, const char *unit) {
    const int exponent = choose_exponent(fmax(fabs(axis->low), fabs(axis->high)), unit);
    const double scale = pow(10, -exponent);
    const double places = -floor(log10(step * scale) + 1e-9);
    const int decimals = (int)fmin(fmax(places, 0), 15);
    name_unit(unit, exponent, axis->unit);
    for (double i = ceil(axis->low / step - 1e-6);
         i * step <= axis->high + 1e-6 * step && axis->tick_count < TL_AXIS_TICKS; i++) {
        tl_tick *tick = &axis->tick[axis->tick_count++];
        tick->value = i * step;
        print_value(tick->value * scale, decimals, tick->label);
    }
}

/* Ends that a constant, or what rounding makes of one, can stand between. */
static void part_ends(tl_axis *axis) {
    double size = fmax(fabs(axis->low), fabs(axis->high));
    if (size < 1e-290) /* too small for powers of ten */
        size = axis->low = axis->high = 0;
    if (axis->high - axis->low > 1e-9 * size)
        return; /* never for zero */
    const double middle = 0.5 * axis->low + 0.5 * axis->high;
    axis->low = middle - (size > 0 ? 0.1 * size : 1);
    axis->high = middle + (size > 0 ? 0.1 * size : 1);
}

static void choose_linear(tl_axis *axis, const char *unit, bool fits, int wanted) {
    part_ends(axis);
    /* Zero belongs to an axis that comes near it. */
    if (!fits && axis->low > 0 && axis->low < 0.4 * axis->high)
        axis->low = 0;
    if (!fits && axis->high < 0 && axis->high > 0.4 * axis->low)
        axis->high = 0;
    const double step = round_up((axis->high - axis->low) / fmax(wanted, 1));
    if (!fits) {
        axis->low = step * floor(axis->low / step + 1e-9);
        axis->high = step * ceil(axis->high / step - 1e-9);
    }
    place_ticks(axis, step, unit);
}

static void print_log(double value, char *out) {
    const int exponent = (int)floor(log10(value) + 1e-9);
    char raised[TL_AXIS_LABEL - 8];
    print_raised(exponent, raised, sizeof raised);
    const double first = value * pow(10, -exponent);
    if (exponent >= -3 && exponent <= 4)
        print_value(value, exponent < 0 ? -exponent : 0, out);
    else if (first < 1.5)
        snprintf(out, TL_AXIS_LABEL, "10%s", raised);
    else
        snprintf(out, TL_AXIS_LABEL, "%.0f·10%s", first, raised);
}

static void choose_log(tl_axis *axis, bool fits, int wanted) {
    double from = floor(log10(axis->low) + 1e-9), to = ceil(log10(axis->high) - 1e-9);
    if (to <= from)
        to = from + 1;
    if (!fits || axis->high <= axis->low * (1 + 1e-9)) {
        axis->low = pow(10, from);
        axis->high = pow(10, to);
    }
    const double every = fmax(ceil((to - from) / fmax(wanted, 1)), 1);
    const bool has_between = 3 * (to - from) <= wanted + 2;
    for (double e = from; e <= to; e += every)
        for (int k = 0; k < (has_between ? 3 : 1); k++) {
            const double value = pow(10, e) * (k == 0 ? 1 : k == 1 ? 2 : 5);
            if (value < axis->low * (1 - 1e-9) || value > axis->high * (1 + 1e-9) ||
                axis->tick_count == TL_AXIS_TICKS)
                continue;
            tl_tick *tick = &axis->tick[axis->tick_count++];
            tick->value = value;
            print_log(value, tick->label);
        }
}

void tl_axis_choose(double low, double high, const char *unit, bool is_log, bool fits, int wanted,
                    tl_axis *out) {
    *out = (tl_axis){.low = low, .high = high, .is_log = is_log};
    if (is_log) {
        name_unit(unit, 0, out->unit);
        choose_log(out, fits, wanted);
    } else {
        choose_linear(out, unit, fits, wanted);
    }
}

double tl_axis_at(const tl_axis *axis, double value) {
    if (axis->is_log)
        return log(value / axis->low) / log(axis->high / axis->low);
    /* Halves keep ends that are far apart from overflowing. */
    return (0.5 * value - 0.5 * axis->low) / (0.5 * axis->high - 0.5 * axis->low);
}
