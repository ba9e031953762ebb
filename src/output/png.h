/* Pictures as PNG. Made for speed: one picture a frame is written during a run. */
#ifndef TL_OUTPUT_PNG_H
#define TL_OUTPUT_PNG_H

#include "base/error.h"
#include "base/parallel.h"

/* Writes width * height RGB pixels (3 bytes each, rows from the top), whole or not at all. The
 * bytes of the file do not depend on the number of threads. */
tl_status tl_png_write(const char *path, const uint8_t *rgb, size_t width, size_t height,
                       const tl_parallel *parallel, tl_error *error);

#endif
