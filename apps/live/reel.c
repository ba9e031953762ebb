/* See reel.h. */
#include "reel.h"

#include "base/array.h"
#include "output/vtp.h"
#include "run/folder.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

tl_status live_reel_show(live_reel *r, size_t index, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_frame frame;
    tl_run_path(r->folder, path, "frames/%05" PRId64 ".vtp", r->numbers[index]);
    TL_TRY(tl_vtp_read(path, &frame, error));
    tl_frame_free(&r->frame);
    r->frame = frame;
    r->shown = index;
    return TL_OK;
}

static int compare_numbers(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

tl_status live_reel_open(live_reel *r, const char *folder, tl_error *error) {
    char path[TL_RUN_PATH];
    DIR *frames = opendir(tl_run_path(folder, path, "frames"));
    *r = (live_reel){.folder = folder};
    if (!frames)
        return tl_fail(error, TL_BAD_INPUT, path, "give the folder of a run that has frames",
                       "no frames to be shown");
    tl_status status = TL_OK;
    for (const struct dirent *entry; status == TL_OK && (entry = readdir(frames));) {
        char *end;
        const long long number = strtoll(entry->d_name, &end, 10);
        if (end == entry->d_name || strcmp(end, ".vtp") != 0)
            continue;
        status = TL_ARRAY_RESERVE(r->numbers, r->count, r->count + 1, error);
        if (status == TL_OK)
            r->numbers[r->count++] = number;
    }
    closedir(frames);
    TL_TRY(status);
    if (r->count == 0)
        return tl_fail(error, TL_BAD_INPUT, path, NULL, "there is no frame in it");
    qsort(r->numbers, r->count, sizeof *r->numbers, compare_numbers);
    return live_reel_show(r, 0, error);
}

void live_reel_free(live_reel *r) {
    tl_frame_free(&r->frame);
    tl_array_free(r->numbers);
}
