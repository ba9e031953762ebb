/* Numbers with units: "3 mm", "1 kPa", "1e-3 Pa·s". A bare number is SI (temperatures °C).
 *
 * A unit is a product of symbols with decimal prefixes, checked by its dimension against what the
 * parameter wants. Powers of ten are added to the number's own exponent, so that "3 mm" is the same
 * double as "0.003". */
#ifndef TL_SCENE_UNITS_H
#define TL_SCENE_UNITS_H

#include "base/param.h"
#include "base/text.h"

#include <stdint.h>

/* Why a text is not the number that was wanted. */
typedef struct tl_unit_problem {
    char what[256];
    char hint[128]; /* may be empty */
} tl_unit_problem;

/* Reads a number of the dimension `unit` into SI. False: *problem says why. */
bool tl_unit_parse(const char *text, tl_unit unit, double *out, tl_unit_problem *problem);

/* Reads a whole number, without a unit. */
bool tl_integer_parse(const char *text, int64_t *out, tl_unit_problem *problem);

/* Prints a number in SI with its unit, so that it reads back as the same double. */
void tl_unit_print(tl_text *out, double value, tl_unit unit);

/* The SI symbol that numbers are printed with: "m", "Pa·s"; "" for a bare number. */
const char *tl_unit_symbol(tl_unit unit);

#endif
