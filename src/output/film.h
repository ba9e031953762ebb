/* Pictures to film, by the `ffmpeg` command. */
#ifndef TL_OUTPUT_FILM_H
#define TL_OUTPUT_FILM_H

#include "base/log.h"

typedef enum tl_film_format {
    TL_FILM_MP4,  /* H.264, yuv420p: plays everywhere */
    TL_FILM_WEBM, /* VP9 */
    TL_FILM_GIF,  /* 256 colours; no player waits less than 0.02 s between pictures */
} tl_film_format;

extern const char *const tl_film_suffixes[]; /* NULL-terminated, in the order of the formats */

typedef struct tl_film_options {
    int format;        /* tl_film_format */
    double frame_rate; /* pictures of the folder a second of the film, 0.001 to 1000 */
    double film_rate;  /* pictures of the film a second, repeated or left out; 0: the same */
} tl_film_options;

/* Makes a film of the .png files of a folder, in the order of their numbers. The film appears whole
 * or not at all, and the pictures stay, whatever happens. An odd last row or column of pixels is
 * cut off in MP4 and WebM, for H.264 cannot hold it.
 * log  may be NULL */
tl_status tl_film_make(const char *picture_folder, const tl_film_options *options,
                       const char *film_path, const tl_log *log, tl_error *error);

#endif
