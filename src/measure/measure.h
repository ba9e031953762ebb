/* Measures: numbers about a world, one a column. What a point sees is the local linear fit to the
 * particles around it, weighted with the kernel (moving least squares of first order), so a linear
 * field is read back exactly; where too little matter is around, there is none: NAN. What needs
 * counting from step to step the world counts (world/gauges.h). Loops are in the order of the
 * particles, so rows are the same for any number of threads. */
#ifndef TL_MEASURE_MEASURE_H
#define TL_MEASURE_MEASURE_H

#include "base/text.h"
#include "measure/params.h"
#include "world/world.h"

enum { TL_MEASURE_NAME = 160 };

typedef struct tl_measure_column {
    char name[TL_MEASURE_NAME]; /* "ball.height" */
    const char *unit;           /* "": none */
} tl_measure_column;

/* Zero-initialise. The definitions and the world must outlive it. */
typedef struct tl_measures {
    const tl_measure_def *defs;
    size_t count;
    tl_measure_column *columns; /* an array */
    size_t column_count;
    double *values;  /* [columns] of the last look */
    double *moments; /* of the points of a line, an array */
} tl_measures;

/* Names the columns. TL_BAD_INPUT when the world has no field of that name. */
tl_status tl_measures_make(const tl_measure_def *defs, size_t count, const tl_world *world,
                           tl_measures *out, tl_error *error);

/* Sets `values` to what the world is like now. */
tl_status tl_measures_look(tl_measures *measures, const tl_world *world, tl_error *error);

void tl_measures_free(tl_measures *measures);

/* The words for fields that may be measured, in the order of the fields, components last; for
 * messages of scenes, which are checked before there is a world. NULL-terminated. */
extern const char *const tl_measure_fields[];

#endif
