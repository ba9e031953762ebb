/* See law.h. The wide twin of the formulas is in law_wide.h. */
#include "materials/law.h"

#include "base/hash.h"

#include <math.h>

static double bounded(const tl_law *law, double value) {
    return law->min == 0 && law->max == 0 ? value : fmin(fmax(value, law->min), law->max);
}

/* On the line (or the line of the logarithm) between two points. */
static double between(const double a[2], const double b[2], double temperature, int interpolation) {
    if (!(temperature > a[0]))
        return a[1];
    if (temperature >= b[0])
        return b[1];
    const double t = (temperature - a[0]) / (b[0] - a[0]);
    if (interpolation == TL_INTERPOLATION_LOGARITHMIC)
        return exp((1 - t) * log(a[1]) + t * log(b[1]));
    return (1 - t) * a[1] + t * b[1];
}

static double look_up(const tl_law *law, double temperature) {
    const double(*points)[2] = law->points.items;
    size_t i = 0;
    while (i + 2 < law->points.count && temperature >= points[i + 1][0])
        i++;
    return between(points[i], points[i + 1], temperature, law->interpolation);
}

double tl_law_at(const tl_law *law, double temperature) {
    switch ((tl_law_kind)law->kind) {
    case TL_LAW_CONSTANT: return law->value;
    case TL_LAW_LINEAR: return between(law->from, law->to, temperature, TL_INTERPOLATION_LINEAR);
    case TL_LAW_EXPONENTIAL: return bounded(law, pow(10, law->slope * temperature + law->offset));
    case TL_LAW_ARRHENIUS: {
        const double kelvin = fmax(temperature + TL_ICE_POINT, 1), at = law->at + TL_ICE_POINT;
        return bounded(law,
                       law->value * exp(law->energy / TL_GAS_CONSTANT * (1 / kelvin - 1 / at)));
    }
    case TL_LAW_TABLE: return look_up(law, temperature);
    }
    return 0;
}

uint64_t tl_law_hash(uint64_t hash, const tl_law *law) {
    const double numbers[] = {law->kind,
                              law->value,
                              law->at,
                              law->energy,
                              law->slope,
                              law->offset,
                              law->min,
                              law->max,
                              law->from[0],
                              law->from[1],
                              law->to[0],
                              law->to[1],
                              (double)law->interpolation};
    hash = tl_hash(hash, numbers, sizeof numbers);
    return tl_hash(hash, law->points.items, law->points.count * 2 * sizeof(double));
}

/* ---- Parameters --------------------------------------------------------------------------------
 */

#define AT(member) offsetof(tl_law, member)

static const char *const kinds[] = {"constant",  "linear", "exponential",
                                    "arrhenius", "table",  NULL};
static const char *const interpolations[] = {"linear", "logarithmic", NULL};

#define KIND(word)                                                                                 \
    {                                                                                              \
        .name = "law", .type = TL_PARAM_CHOICE, .offset = AT(kind), .default_value = word,         \
        .choices = kinds, .doc = "The kind of law"                                                 \
    }

static const tl_param constant_params[] = {
    KIND("constant"),
    {.name = "value",
     .type = TL_PARAM_NUMBER,
     .offset = AT(value),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_OF_LAW,
     .doc = "The value at every temperature"},
};

static const tl_param linear_params[] = {
    KIND("linear"),
    {.name = "from",
     .type = TL_PARAM_POINT,
     .offset = AT(from),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_OF_LAW,
     .doc = "A temperature, and the value there and below"},
    {.name = "to",
     .type = TL_PARAM_POINT,
     .offset = AT(to),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_OF_LAW,
     .doc = "A higher temperature, and the value there and above"},
};

static const tl_param exponential_params[] = {
    KIND("exponential"),
    {.name = "slope",
     .type = TL_PARAM_NUMBER,
     .offset = AT(slope),
     .min = -1e3,
     .max = 1e3,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Decades a degree: the value is 10^(slope T + offset), SI"},
    {.name = "offset",
     .type = TL_PARAM_NUMBER,
     .offset = AT(offset),
     .min = -1e6,
     .max = 1e6,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Decimal logarithm of the value at 0 °C"},
};

static const tl_param arrhenius_params[] = {
    KIND("arrhenius"),
    {.name = "value",
     .type = TL_PARAM_NUMBER,
     .offset = AT(value),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_OF_LAW,
     .doc = "The value at the reference temperature"},
    {.name = "at",
     .type = TL_PARAM_NUMBER,
     .offset = AT(at),
     .unit = TL_UNIT_TEMPERATURE,
     .min = -272,
     .max = 1e5,
     .flags = TL_PARAM_REQUIRED,
     .doc = "The reference temperature"},
    {.name = "energy",
     .type = TL_PARAM_NUMBER,
     .offset = AT(energy),
     .unit = TL_UNIT_MOLAR_ENERGY,
     .min = -1e7,
     .max = 1e7,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Energy of activation; above zero the value falls with the temperature"},
};

static const tl_param table_params[] = {
    KIND("table"),
    {.name = "points",
     .type = TL_PARAM_POINTS,
     .offset = AT(points),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_OF_LAW,
     .doc = "Temperatures and values, by rising temperature; constant outside"},
    {.name = "interpolation",
     .type = TL_PARAM_CHOICE,
     .offset = AT(interpolation),
     .default_value = "linear",
     .choices = interpolations,
     .doc = "What is linear between two points: the value, or its logarithm"},
};

const tl_param_table tl_constant_table =
    TL_PARAM_TABLE(tl_law, "constant", "The same at every temperature", constant_params);
const tl_param_table tl_linear_table =
    TL_PARAM_TABLE(tl_law, "linear", "Linear between two temperatures", linear_params);
const tl_param_table tl_exponential_table = TL_PARAM_TABLE(
    tl_law, "exponential", "So many decades a degree: 10^(slope T + offset)", exponential_params);
const tl_param_table tl_arrhenius_table = TL_PARAM_TABLE(
    tl_law, "arrhenius", "Activated: value exp(energy/R (1/T - 1/at))", arrhenius_params);
const tl_param_table tl_table_table =
    TL_PARAM_TABLE(tl_law, "table", "Measured values, interpolated", table_params);

static const tl_param_table *const tables[] = {&tl_constant_table, &tl_linear_table,
                                               &tl_exponential_table, &tl_arrhenius_table,
                                               &tl_table_table};

const tl_param_variants tl_law_variants = {"law", kinds, tables};
