/* See units.h. */
#include "scene/units.h"

#include "math/pi.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH, MASS, TIME, TEMPERATURE, ANGLE, AMOUNT, MEMORY, BASE_COUNT };

/* A quantity: coefficient · 10^decade of the SI unit with these exponents. */
typedef struct quantity {
    int exponent[BASE_COUNT];
    double coefficient;
    int decade;
} quantity;

typedef struct kind {
    const char *noun, *symbol, *example;
    int exponent[BASE_COUNT];
} kind;

static const kind kinds[TL_UNIT_COUNT_] = {
    [TL_UNIT_NONE] = {"a bare number", "", "0.5", {0}},
    [TL_UNIT_LENGTH] = {"a length", "m", "3 mm", {[LENGTH] = 1}},
    [TL_UNIT_TIME] = {"a time", "s", "2 s", {[TIME] = 1}},
    [TL_UNIT_MASS] = {"a mass", "kg", "5 g", {[MASS] = 1}},
    [TL_UNIT_TEMPERATURE] = {"a temperature", "°C", "20 °C", {[TEMPERATURE] = 1}},
    [TL_UNIT_ANGLE] = {"an angle", "rad", "90 deg", {[ANGLE] = 1}},
    [TL_UNIT_FREQUENCY] = {"a frequency", "1/s", "25 Hz", {[TIME] = -1}},
    [TL_UNIT_ANGULAR_SPEED] = {"an angular speed", "rad/s", "2 rev/s", {[ANGLE] = 1, [TIME] = -1}},
    [TL_UNIT_SPEED] = {"a speed", "m/s", "2 m/s", {[LENGTH] = 1, [TIME] = -1}},
    [TL_UNIT_ACCELERATION] = {"an acceleration", "m/s²", "9.81 m/s²", {[LENGTH] = 1, [TIME] = -2}},
    [TL_UNIT_DENSITY] = {"a density", "kg/m³", "1000 kg/m³", {[MASS] = 1, [LENGTH] = -3}},
    [TL_UNIT_PRESSURE] = {"a pressure", "Pa", "1 kPa", {[MASS] = 1, [LENGTH] = -1, [TIME] = -2}},
    [TL_UNIT_VISCOSITY] = {"a viscosity",
                           "Pa·s",
                           "1 mPa·s",
                           {[MASS] = 1, [LENGTH] = -1, [TIME] = -1}},
    [TL_UNIT_SURFACE_TENSION] = {"a surface tension", "N/m", "72 mN/m", {[MASS] = 1, [TIME] = -2}},
    [TL_UNIT_MOLAR_ENERGY] = {"a molar energy",
                              "J/mol",
                              "90 kJ/mol",
                              {[MASS] = 1, [LENGTH] = 2, [TIME] = -2, [AMOUNT] = -1}},
    [TL_UNIT_CONDUCTIVITY] = {"a thermal conductivity",
                              "W/(m·K)",
                              "0.2 W/(m·K)",
                              {[MASS] = 1, [LENGTH] = 1, [TIME] = -3, [TEMPERATURE] = -1}},
    [TL_UNIT_HEAT] = {"a specific heat",
                      "J/(kg·K)",
                      "2 kJ/(kg·K)",
                      {[LENGTH] = 2, [TIME] = -2, [TEMPERATURE] = -1}},
    [TL_UNIT_LATENT_HEAT] = {"a latent heat", "J/kg", "200 kJ/kg", {[LENGTH] = 2, [TIME] = -2}},
    [TL_UNIT_POWER] = {"a power", "W", "40 W", {[MASS] = 1, [LENGTH] = 2, [TIME] = -3}},
    [TL_UNIT_ENERGY] = {"an energy", "J", "200 J", {[MASS] = 1, [LENGTH] = 2, [TIME] = -2}},
    [TL_UNIT_FORCE] = {"a force", "N", "25 N", {[MASS] = 1, [LENGTH] = 1, [TIME] = -2}},
    [TL_UNIT_HEATING] = {"a power per volume",
                         "W/m³",
                         "1 MW/m³",
                         {[MASS] = 1, [LENGTH] = -1, [TIME] = -3}},
    [TL_UNIT_CONDUCTANCE] = {"a heat transfer coefficient",
                             "W/(m²·K)",
                             "10 W/(m²·K)",
                             {[MASS] = 1, [TIME] = -3, [TEMPERATURE] = -1}},
    [TL_UNIT_HEAT_CAPACITY] = {"a heat capacity",
                               "J/K",
                               "50 J/K",
                               {[MASS] = 1, [LENGTH] = 2, [TIME] = -2, [TEMPERATURE] = -1}},
    [TL_UNIT_VOLUME] = {"a volume", "m³", "20 mL", {[LENGTH] = 3}},
    [TL_UNIT_FLOW_RATE] = {"a volume per time", "m³/s", "5 mL/s", {[LENGTH] = 3, [TIME] = -1}},
    [TL_UNIT_MEMORY] = {"a memory size", "B", "2 GiB", {[MEMORY] = 1}},
};

typedef struct symbol {
    const char *name;
    bool prefixed; /* may carry a decimal prefix */
    quantity is;
} symbol;

static const symbol symbols[] = {
    {"1", false, {{0}, 1, 0}},
    {"%", false, {{0}, 1, -2}},
    {"m", true, {{[LENGTH] = 1}, 1, 0}},
    {"in", false, {{[LENGTH] = 1}, 2.54, -2}},
    {"L", true, {{[LENGTH] = 3}, 1, -3}},
    {"s", true, {{[TIME] = 1}, 1, 0}},
    {"min", false, {{[TIME] = 1}, 60, 0}},
    {"h", false, {{[TIME] = 1}, 3600, 0}},
    {"Hz", true, {{[TIME] = -1}, 1, 0}},
    {"fps", false, {{[TIME] = -1}, 1, 0}},
    {"g", true, {{[MASS] = 1}, 1, -3}},
    {"N", true, {{[MASS] = 1, [LENGTH] = 1, [TIME] = -2}, 1, 0}},
    {"Pa", true, {{[MASS] = 1, [LENGTH] = -1, [TIME] = -2}, 1, 0}},
    {"bar", true, {{[MASS] = 1, [LENGTH] = -1, [TIME] = -2}, 1, 5}},
    {"P", true, {{[MASS] = 1, [LENGTH] = -1, [TIME] = -1}, 1, -1}},
    {"poise", false, {{[MASS] = 1, [LENGTH] = -1, [TIME] = -1}, 1, -1}},
    {"J", true, {{[MASS] = 1, [LENGTH] = 2, [TIME] = -2}, 1, 0}},
    {"W", true, {{[MASS] = 1, [LENGTH] = 2, [TIME] = -3}, 1, 0}},
    {"mol", true, {{[AMOUNT] = 1}, 1, 0}},
    {"K", true, {{[TEMPERATURE] = 1}, 1, 0}},
    {"°C", false, {{[TEMPERATURE] = 1}, 1, 0}},
    {"degC", false, {{[TEMPERATURE] = 1}, 1, 0}},
    {"C", false, {{[TEMPERATURE] = 1}, 1, 0}},
    {"rad", true, {{[ANGLE] = 1}, 1, 0}},
    {"deg", false, {{[ANGLE] = 1}, TL_PI / 180, 0}},
    {"°", false, {{[ANGLE] = 1}, TL_PI / 180, 0}},
    {"rev", false, {{[ANGLE] = 1}, 2 * TL_PI, 0}},
    {"B", true, {{[MEMORY] = 1}, 1, 0}},
    {"KiB", false, {{[MEMORY] = 1}, 1024.0, 0}},
    {"MiB", false, {{[MEMORY] = 1}, 1048576.0, 0}},
    {"GiB", false, {{[MEMORY] = 1}, 1073741824.0, 0}},
};
enum { SYMBOL_COUNT = sizeof symbols / sizeof symbols[0] };

static const struct {
    const char *text;
    int decade;
} prefixes[] = {{"n", -9}, {"µ", -6}, {"μ", -6}, {"u", -6}, {"m", -3},
                {"c", -2}, {"k", 3},  {"M", 6},  {"G", 9}};

const char *tl_unit_symbol(tl_unit unit) { return kinds[unit].symbol; }

void tl_unit_print(tl_text *out, double value, tl_unit unit) {
    if (value == floor(value) && fabs(value) < 1e7) /* 30, where the shortest form is 3e+01 */
        tl_text_print(out, "%.0f", value);
    else
        tl_text_number(out, value);
    if (*kinds[unit].symbol)
        tl_text_print(out, " %s", kinds[unit].symbol);
}

static bool refuse(tl_unit_problem *problem, const char *hint, const char *what, ...)
    TL_PRINTF(3, 4);
static bool refuse(tl_unit_problem *problem, const char *hint, const char *what, ...) {
    snprintf(problem->hint, sizeof problem->hint, "%s", hint);
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(problem->what, sizeof problem->what, what, arguments);
    va_end(arguments);
    return false;
}

/* A cursor over the unit part of a text. */
typedef struct reader {
    const char *at;
    int depth;
    tl_unit_problem *problem;
} reader;

static void skip_spaces(reader *r) {
    for (;;) {
        if (*r->at == ' ' || *r->at == '\t')
            r->at++;
        else if (strncmp(r->at, "\xC2\xA0", 2) == 0) /* no-break space */
            r->at += 2;
        else
            return;
    }
}

static bool take(reader *r, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* Bytes that a symbol may be made of: letters, %, and the first bytes of µ, μ and °. */
static size_t symbol_length(const char *text) {
    size_t n = 0;
    for (;;) {
        const char c = text[n];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%')
            n += 1;
        else if (strncmp(text + n, "µ", 2) == 0 || strncmp(text + n, "μ", 2) == 0 ||
                 strncmp(text + n, "°", 2) == 0)
            n += 2;
        else
            return n;
    }
}

static const symbol *find_symbol(const char *name, size_t length) {
    for (size_t i = 0; i < SYMBOL_COUNT; i++)
        if (strlen(symbols[i].name) == length && memcmp(symbols[i].name, name, length) == 0)
            return &symbols[i];
    return NULL;
}

static bool refuse_symbol(reader *r, size_t length) {
    char word[40];
    snprintf(word, sizeof word, "%.*s", (int)(length < 32 ? length : 32), r->at);
    if (length == 0)
        return refuse(
            r->problem, "write a number and a unit, such as 3 mm or 2 kg/m³",
            *r->at ? "the unit cannot be read from \"%.24s\"" : "the unit is incomplete%s", r->at);
    const char *names[SYMBOL_COUNT];
    for (size_t i = 0; i < SYMBOL_COUNT; i++)
        names[i] = symbols[i].name;
    const char *nearest = tl_nearest_word(word, names, SYMBOL_COUNT);
    char hint[96] = "units are made of m, s, kg, N, Pa, J, W, Hz, K, °C, rad, deg, bar, P, L";
    if (nearest)
        snprintf(hint, sizeof hint, "did you mean %s?", nearest);
    return refuse(r->problem, hint, "\"%s\" is not a known unit", word);
}

/* One symbol, with its prefix. A whole name goes before a prefixed one: min is a minute. */
static bool read_symbol(reader *r, quantity *out) {
    const bool one = *r->at == '1' && (r->at[1] == '/' || r->at[1] == ' '); /* as in 1/s */
    const size_t length = one ? 1 : symbol_length(r->at);
    const symbol *found = length ? find_symbol(r->at, length) : NULL;
    int decade = 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && length && !found; i++) {
        const size_t skip = strlen(prefixes[i].text);
        if (length <= skip || memcmp(r->at, prefixes[i].text, skip) != 0)
            continue;
        found = find_symbol(r->at + skip, length - skip);
        if (found && !found->prefixed)
            found = NULL;
        decade = found ? prefixes[i].decade : 0;
    }
    if (!found)
        return refuse_symbol(r, length);
    *out = found->is;
    out->decade += decade;
    r->at += length;
    return true;
}

/* An exponent after a factor: ^2, ^-1, ², ³, ⁻¹; 1 when there is none. */
static bool read_power(reader *r, int *power) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶"};
    enum { LARGEST = 6 };
    const bool caret = take(r, "^") || take(r, "**");
    const int sign = take(r, caret ? "-" : "⁻") ? -1 : 1;
    if (caret) {
        if (*r->at < '0' || *r->at > '0' + LARGEST || (r->at[1] >= '0' && r->at[1] <= '9'))
            return refuse(r->problem, "write a small whole number after ^", "bad power of a unit");
        *power = sign * (*r->at++ - '0');
        return true;
    }
    for (int n = 0; n <= LARGEST; n++)
        if (take(r, raised[n])) {
            *power = sign * n;
            return true;
        }
    *power = 1;
    return sign > 0 || refuse(r->problem, "write ⁻¹ or ^-1", "bad power of a unit");
}

/* out ← out · by^power. False when the exponents leave all bounds of sense. */
static bool multiply(quantity *out, const quantity *by, int power) {
    for (int n = 0; n < (power < 0 ? -power : power); n++)
        out->coefficient =
            power < 0 ? out->coefficient / by->coefficient : out->coefficient * by->coefficient;
    out->decade += power * by->decade;
    bool small = abs(out->decade) < 1000 && isfinite(out->coefficient) && out->coefficient > 0;
    for (int b = 0; b < BASE_COUNT; b++) {
        out->exponent[b] += power * by->exponent[b];
        small = small && abs(out->exponent[b]) < 100;
    }
    return small;
}

static bool read_product(reader *r, quantity *out);

static bool read_factor(reader *r, quantity *out) {
    skip_spaces(r);
    quantity inner = {{0}, 1, 0};
    if (take(r, "(")) {
        if (++r->depth > 4)
            return refuse(r->problem, "", "too many parentheses in a unit");
        if (!read_product(r, &inner))
            return false;
        skip_spaces(r);
        if (!take(r, ")"))
            return refuse(r->problem, "close the parenthesis", "a unit without its \")\"");
        r->depth--;
    } else if (!read_symbol(r, &inner)) {
        return false;
    }
    int power = 1;
    if (!read_power(r, &power))
        return false;
    *out = (quantity){{0}, 1, 0};
    return multiply(out, &inner, power) || refuse(r->problem, "", "the powers are too large");
}

/* Factors joined by * · / or a space. What follows a division must not be multiplied: J/kg·K could
 * be read in two ways. */
static bool read_product(reader *r, quantity *out) {
    skip_spaces(r);
    bool divided = take(r, "/"), divide = divided;
    for (;;) {
        quantity factor = {{0}, 1, 0};
        if (!read_factor(r, &factor))
            return false;
        if (!multiply(out, &factor, divide ? -1 : 1))
            return refuse(r->problem, "", "the powers are too large");
        skip_spaces(r);
        if (*r->at == 0 || *r->at == ')')
            return true;
        divide = take(r, "/");
        if (!divide && divided)
            return refuse(r->problem, "put what is divided by in parentheses: W/(m·K)",
                          "a unit that can be read in two ways");
        divided = divided || divide;
        if (!divide && !take(r, "·") && !take(r, "⋅") && !take(r, ".") && !take(r, "*"))
            skip_spaces(r);
    }
}

/* Bytes of a decimal number at the start of `text`; 0 when there is none. Hexadecimal, "nan" and
 * "inf" are not numbers here. */
static size_t number_length(const char *text) {
    size_t n = text[0] == '+' || text[0] == '-';
    size_t digits = 0;
    for (; text[n] >= '0' && text[n] <= '9'; n++)
        digits++;
    if (text[n] == '.')
        for (n++; text[n] >= '0' && text[n] <= '9'; n++)
            digits++;
    if (digits == 0)
        return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        const size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        size_t m = n + 1 + sign;
        if (text[m] >= '0' && text[m] <= '9') {
            while (text[m] >= '0' && text[m] <= '9')
                m++;
            n = m;
        }
    }
    return n;
}

/* The number in text[0..length) times 10^decade, rounded once. */
static bool read_number(const char *text, size_t length, int decade, double *out) {
    char digits[256];
    const char *e = memchr(text, 'e', length);
    if (!e)
        e = memchr(text, 'E', length);
    const size_t mantissa = e ? (size_t)(e - text) : length;
    long exponent = e ? strtol(e + 1, NULL, 10) : 0;
    exponent = exponent > 99999 ? 99999 : exponent < -99999 ? -99999 : exponent;
    if (mantissa > sizeof digits - 24)
        return false;
    snprintf(digits, sizeof digits, "%.*se%ld", (int)mantissa, text, exponent + decade);
    *out = strtod(digits, NULL);
    return isfinite(*out);
}

static const kind *find_kind(const quantity *q) {
    for (int k = 0; k < TL_UNIT_COUNT_; k++)
        if (memcmp(kinds[k].exponent, q->exponent, sizeof q->exponent) == 0)
            return &kinds[k];
    return NULL;
}

static bool refuse_kind(const kind *wanted, const quantity *q, tl_unit_problem *problem) {
    const kind *got = find_kind(q);
    return refuse(problem, "", "expected %s, such as %s; got %s", wanted->noun, wanted->example,
                  got ? got->noun : "something of another dimension");
}

static bool refuse_text(const char *text, const kind *wanted, tl_unit_problem *problem) {
    const size_t whole = number_length(text);
    if (whole && text[whole] == ',')
        return refuse(problem, "write the decimals after a point: 0.5", "\"%.40s\" has a comma",
                      text);
    return refuse(problem, "", "expected %s, such as %s; got \"%.40s\"", wanted->noun,
                  wanted->example, text);
}

/* Whether a temperature counts from the melting point of ice, as bare numbers do. */
static bool is_celsius(const char *unit) {
    return *unit == 0 || strncmp(unit, "°C", 3) == 0 || strncmp(unit, "degC", 4) == 0 ||
           *unit == 'C';
}

bool tl_unit_parse(const char *text, tl_unit unit, double *out, tl_unit_problem *problem) {
    const kind *wanted = &kinds[unit];
    reader r = {.at = text, .problem = problem};
    skip_spaces(&r);
    const char *number = r.at;
    const size_t length = number_length(number);
    if (length == 0 || number[length] == ',')
        return refuse_text(text, wanted, problem);
    r.at += length;
    skip_spaces(&r);
    const char *unit_text = r.at;
    quantity q = {{0}, 1, 0};
    if (*r.at) {
        if (!read_product(&r, &q))
            return false;
        if (*r.at)
            return refuse_symbol(&r, 0);
        if (memcmp(q.exponent, wanted->exponent, sizeof q.exponent) != 0)
            return refuse_kind(wanted, &q, problem);
    }
    if (!read_number(number, length, q.decade, out))
        return refuse(problem, "", "\"%.40s\" is too large a number", text);
    *out *= q.coefficient;
    if (unit == TL_UNIT_TEMPERATURE && !is_celsius(unit_text))
        *out -= 273.15;
    return isfinite(*out) || refuse(problem, "", "\"%.40s\" is too large a number", text);
}

bool tl_integer_parse(const char *text, int64_t *out, tl_unit_problem *problem) {
    char *end;
    errno = 0;
    const long long whole = strtoll(text, &end, 10);
    if (end != text && *end == 0 && errno == 0) {
        *out = whole;
        return true;
    }
    double number = 0;
    if (!tl_unit_parse(text, TL_UNIT_NONE, &number, problem))
        return refuse(problem, "", "expected a whole number, such as 25; got \"%.40s\"", text);
    if (number != floor(number) || fabs(number) > 0x1p53)
        return refuse(problem, "", "expected a whole number; got %.40s", text);
    *out = (int64_t)number;
    return true;
}
