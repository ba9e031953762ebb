/* The frames of a run that a command line asks for. */
#ifndef CLI_FRAMES_H
#define CLI_FRAMES_H

#include "command.h"

#include "tallow/tallow.h"

/* Reads --frames: "a:b", "a:", ":b" or "a"; all when it is not given. False after a complaint. */
bool cli_frame_range(const cli_arguments *arguments, int64_t *from, int64_t *to);

/* The numbers of the frames in the folder of a run, in order, an array. TL_BAD_INPUT when
 * there is none. */
tl_status cli_find_frames(const char *folder, int64_t from, int64_t to, int64_t **out,
                          size_t *count, tl_error *error);

#endif
