/* Temperature laws: a number that may depend on the temperature. Any parameter of a rheology may be
 * one.
 *
 *   constant      value
 *   linear        from [T, value] to [T, value], constant outside
 *   exponential   10^(slope T + offset), T in °C                          [Mao06 eq. 6-9]
 *   arrhenius     value exp(energy/R (1/T - 1/at)), T and at in kelvin
 *   table         points [T, value], joined by lines (or by lines of the logarithm) */
#ifndef TL_MATERIALS_LAW_H
#define TL_MATERIALS_LAW_H

#include "base/param.h"

#include <stdint.h>

typedef enum tl_law_kind {
    TL_LAW_CONSTANT,
    TL_LAW_LINEAR,
    TL_LAW_EXPONENTIAL,
    TL_LAW_ARRHENIUS,
    TL_LAW_TABLE,
} tl_law_kind;

typedef enum tl_interpolation {
    TL_INTERPOLATION_LINEAR,
    TL_INTERPOLATION_LOGARITHMIC,
} tl_interpolation;

#define TL_GAS_CONSTANT 8.31446261815324 /* J/(mol K) */
#define TL_ICE_POINT    273.15           /* K */

/* One that is all zeros but for `value` is the constant `value`. */
typedef struct tl_law {
    int kind;             /* tl_law_kind */
    double value;         /* of constant and arrhenius */
    double at;            /* °C: where an arrhenius law has its value */
    double energy;        /* J/mol: of activation */
    double slope, offset; /* 1/°C, 1: of exponential */
    double from[2];       /* °C, value: of linear */
    double to[2];
    tl_param_list points; /* double[2]: °C, value; of table, by rising temperature */
    int interpolation;    /* tl_interpolation */
    double min, max;      /* exponential and arrhenius are held within, unless both are 0 */
} tl_law;

/* The value at a temperature (°C). */
double tl_law_at(const tl_law *law, double temperature);

/* Continues a hash over all that the value depends on. */
uint64_t tl_law_hash(uint64_t hash, const tl_law *law);

/* The parameters of each kind. */
extern const tl_param_table tl_constant_table, tl_linear_table, tl_exponential_table,
    tl_arrhenius_table, tl_table_table;
extern const tl_param_variants tl_law_variants;

#endif
