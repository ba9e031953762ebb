/* The ffmpeg command, fed with bytes through its standard input. */
#ifndef TL_OUTPUT_ENCODER_H
#define TL_OUTPUT_ENCODER_H

#include "base/error.h"

#include <sys/types.h>

typedef struct tl_encoder {
    pid_t process;
    int input;    /* our end of its standard input, or -1 */
    int messages; /* what it prints to its standard error */
} tl_encoder;

/* Starts ffmpeg with `arguments`, its name first and NULL last. `film` is what it makes, for
 * messages. */
tl_status tl_encoder_start(tl_encoder *encoder, const char *const *arguments, const char *film,
                           tl_error *error);

/* False when ffmpeg no longer listens: tl_encoder_finish will say why. */
bool tl_encoder_send(const tl_encoder *encoder, const char *bytes, size_t size);

/* Ends the input, waits, and tells what went wrong if something did. To be called once after every
 * start that went well. */
tl_status tl_encoder_finish(tl_encoder *encoder, const char *film, tl_error *error);

#endif
