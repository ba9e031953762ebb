/* A table of numbers from a CSV file whose header names columns and units: "time [s],mass [kg]".
 * Read by its header alone, so that ledgers of other versions, and of runs that are still being
 * written, can be plotted: a last row without its newline is left out. */
#ifndef TL_PLOT_TABLE_H
#define TL_PLOT_TABLE_H

#include "base/array.h"

typedef struct tl_column {
    const char *name, *unit; /* the latter may be "" */
    double *values;          /* as many as the table has rows */
} tl_column;

/* Zero-initialise; free with tl_table_free also after a failure. */
typedef struct tl_table {
    tl_column *columns;
    size_t column_count;
    size_t rows;
    tl_arena arena; /* names and units */
} tl_table;

/* TL_BAD_INPUT with the line when a row has other fields than the header, or is not of numbers. An
 * empty file, or one whose header is cut short, has no columns. "nan" and "inf" are numbers. */
tl_status tl_table_read(const char *path, tl_table *out, tl_error *error);

/* The index of a column; SIZE_MAX when there is none. */
size_t tl_table_find(const tl_table *table, const char *name);

/* A new column of zeros; `values` of it may then be filled. */
tl_status tl_table_add(tl_table *table, const char *name, const char *unit, tl_column **out,
                       tl_error *error);

void tl_table_free(tl_table *table);

#endif
