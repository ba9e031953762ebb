/* measures.csv: what the scene measures, a row a frame and more often if it asks for that. Rows are
 * added and cut back as those of the ledger are (books.h). */
#ifndef TL_RUN_MEASURES_H
#define TL_RUN_MEASURES_H

#include "measure/measure.h"

/* Adds the row of the last look at a world, and before the first one the header.
 * frame  the last frame before it, or its own */
tl_status tl_measures_add(const char *path, const tl_measures *measures, int64_t frame, double time,
                          tl_error *error);

/* Drops rows that are later than `time`, and a row that is cut short. A file of other columns is
 * TL_BAD_INPUT. */
tl_status tl_measures_rewind(const char *path, const tl_measures *measures, double time,
                             tl_error *error);

#endif
