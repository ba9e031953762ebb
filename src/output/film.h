/* Pictures to film, by the `ffmpeg` command. */
#ifndef TL_OUTPUT_FILM_H
#define TL_OUTPUT_FILM_H

#include "base/log.h"

/* Makes an H.264 film (MP4, yuv420p, plays everywhere) of the .png files of a folder, in the order
 * of their numbers. The film appears whole or not at all, and the pictures stay, whatever happens.
 * An odd last row or column of pixels is cut off, for H.264 cannot hold it.
 * frame_rate  pictures a second, 0.001 to 1000
 * log         may be NULL */
tl_status tl_film_make(const char *picture_folder, double frame_rate, const char *film_path,
                       const tl_log *log, tl_error *error);

#endif
