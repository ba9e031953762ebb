/* See frames.h. */
#include "frames.h"

#include "base/array.h"
#include "run/folder.h"
#include "terminal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool cli_frame_range(const cli_arguments *arguments, int64_t *from, int64_t *to) {
    const char *text = cli_value(arguments, "frames");
    *from = 0;
    *to = INT64_MAX;
    if (!text)
        return true;
    char *end;
    const char *colon = strchr(text, ':');
    errno = 0;
    if (text != colon) {
        *from = strtoll(text, &end, 10);
        if (errno || end == text || (*end && end != colon))
            goto bad;
    }
    if (!colon) {
        *to = *from;
    } else if (colon[1]) {
        *to = strtoll(colon + 1, &end, 10);
        if (errno || *end)
            goto bad;
    }
    if (*from >= 0 && *from <= *to)
        return true;
bad:
    cli_complain("--frames %s: expected A:B, A:, :B or one number", text);
    return false;
}

static int compare_numbers(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

tl_status cli_find_frames(const char *folder, int64_t from, int64_t to, int64_t **out,
                          size_t *count, tl_error *error) {
    char path[TL_RUN_PATH];
    size_t all = 0;
    DIR *frames = opendir(tl_run_path(folder, path, "frames"));
    if (!frames)
        return tl_fail(error, TL_BAD_INPUT, folder, "name the folder of a run",
                       "no frames in this folder");
    tl_status status = TL_OK;
    for (struct dirent *item; status == TL_OK && (item = readdir(frames));) {
        char *end;
        const long long number = strtoll(item->d_name, &end, 10);
        if (end == item->d_name || strcmp(end, ".vtp") != 0)
            continue;
        all++;
        if (number < from || number > to)
            continue;
        status = TL_ARRAY_RESERVE(*out, *count, *count + 1, error);
        if (status == TL_OK)
            (*out)[(*count)++] = number;
    }
    closedir(frames);
    if (*count > 0)
        qsort(*out, *count, sizeof **out, compare_numbers);
    if (status == TL_OK && all == 0)
        return tl_fail(error, TL_BAD_INPUT, folder, "run the scene with output.frames: true",
                       "this run has no frames");
    if (status == TL_OK && *count == 0)
        status = tl_fail(error, TL_BAD_INPUT, path, "choose others with --frames",
                         "none of the wanted frames is there");
    return status;
}
