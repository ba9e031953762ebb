/* ledger.csv: one row a frame, with the columns of tl_ledger_columns between the frame's number and
 * the wall time. Rows are added, each with one write; a row that is cut short by a kill is dropped
 * when the run is resumed. */
#ifndef TL_RUN_BOOKS_H
#define TL_RUN_BOOKS_H

#include "base/error.h"
#include "base/text.h"
#include "world/ledger.h"

typedef struct tl_books_row {
    int64_t frame;
    tl_ledger ledger;
    double wall_time; /* s since the run began, without the time between a stop and its resume */
} tl_books_row;

/* Adds `text` to a file with one write, or leaves the file as it was. */
tl_status tl_books_append(const char *path, const tl_text *text, tl_error *error);

/* Removes a file that may be missing. */
tl_status tl_books_remove(const char *path, tl_error *error);

/* Adds a row, and before the first one the header. The row is there whole or not at all. */
tl_status tl_books_add(const char *path, const tl_books_row *row, tl_error *error);

/* All whole rows, an array. A file that is missing has none. */
tl_status tl_books_read(const char *path, tl_books_row **rows, size_t *count, tl_error *error);

/* Drops the rows after `frame` and returns the wall time of the last that stays, or 0. */
tl_status tl_books_rewind(const char *path, int64_t frame, double *wall_time, tl_error *error);

#endif
