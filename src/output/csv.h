/* Frames as text: a header "position_x [m],position_y [m],...", then one row a particle. Floats
 * have 9 digits and doubles 17, so that every number reads back as itself. The decimal point is a
 * point, whatever the locale of the program. */
#ifndef TL_OUTPUT_CSV_H
#define TL_OUTPUT_CSV_H

#include "output/frame.h"

/* Writes a frame, whole or not at all. */
tl_status tl_csv_write(const char *path, const tl_frame *frame, tl_error *error);

#endif
