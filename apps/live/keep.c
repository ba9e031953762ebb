/* See keep.h. */
#include "keep.h"

#include "base/file.h"
#include "output/vtp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "candle-live" for the record "candle-live.txt"; the folder is there then. */
static tl_status name_file(const char *record, const char *kind, uint64_t step, const char *ending,
                           char path[TL_RUN_PATH], tl_error *error) {
    const size_t length = strlen(record), tail = strlen(".txt");
    const bool has_tail = length > tail && strcmp(record + length - tail, ".txt") == 0;
    char folder[TL_RUN_PATH - 64];
    if (length + 8 > sizeof folder)
        return tl_fail(error, TL_BAD_INPUT, record, "give --record a shorter name",
                       "the name of the record is too long");
    snprintf(folder, sizeof folder, "%.*s%s", (int)(has_tail ? length - tail : length), record,
             has_tail ? "" : "-kept");
    TL_TRY(tl_folder_make(folder, error));
    snprintf(path, TL_RUN_PATH, "%s/%s-%08" PRIu64 ".%s", folder, kind, step, ending);
    return TL_OK;
}

tl_status live_keep_frame(const live_shown *s, const char *record, char path[TL_RUN_PATH],
                          tl_error *error) {
    tl_frame frame;
    live_shown_view(s, &frame);
    TL_TRY(name_file(record, "frame", frame.step, "vtp", path, error));
    return tl_vtp_write(path, &frame, TL_DOUBLES_AS_FLOATS, error);
}

tl_status live_keep_state(const live_shown *s, const char *record, char path[TL_RUN_PATH],
                          tl_error *error) {
    if (!s->world)
        return tl_fail(error, TL_BAD_INPUT, "state", "keep a frame", "a recorded run has no state");
    TL_TRY(name_file(record, "state", tl_world_steps(s->world), "h5", path, error));
    return tl_world_save(s->world, path, error);
}
