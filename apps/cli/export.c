/* `tallow export`: the frames of a run in other formats. */
#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "output/csv.h"
#include "output/ply.h"
#include "output/vtp.h"
#include "run/folder.h"
#include "terminal.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static tl_status write_csv(const char *path, const tl_frame *frame, tl_error *error) {
    return tl_csv_write(path, frame, error);
}

static tl_status write_ply(const char *path, const tl_frame *frame, tl_error *error) {
    return tl_ply_write(path, frame, TL_DOUBLES_KEPT, error);
}

static tl_status write_vtp(const char *path, const tl_frame *frame, tl_error *error) {
    return tl_vtp_write(path, frame, TL_DOUBLES_KEPT, error);
}

static const struct format {
    const char *name;
    tl_status (*write)(const char *path, const tl_frame *frame, tl_error *error);
} formats[] = {{"csv", write_csv}, {"ply", write_ply}, {"vtp", write_vtp}};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *find_format(const char *name) {
    const char *names[FORMATS];
    for (size_t i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
        if (name && strcmp(name, names[i]) == 0)
            return &formats[i];
    }
    const char *nearest = name ? tl_nearest_word(name, names, FORMATS) : NULL;
    if (!name)
        cli_complain("which format? --to csv, --to ply or --to vtp");
    else if (nearest)
        cli_complain("there is no format %s; did you mean %s?", name, nearest);
    else
        cli_complain("there is no format %s; there are csv, ply and vtp", name);
    return NULL;
}

/* "a:b", "a:", ":b" or "a". */
static bool parse_range(const char *text, int64_t *from, int64_t *to) {
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

/* The numbers of the frames in a folder, in order. */
static tl_status find_frames(const char *folder, int64_t from, int64_t to, int64_t **out,
                             size_t *count, tl_error *error) {
    char path[TL_RUN_PATH];
    size_t capacity = 0;
    DIR *frames = opendir(tl_run_path(folder, path, "frames"));
    if (!frames)
        return tl_fail(error, TL_BAD_INPUT, folder, "name the folder of a run",
                       "no frames in this folder");
    tl_status status = TL_OK;
    for (struct dirent *item; status == TL_OK && (item = readdir(frames));) {
        char *end;
        const long long number = strtoll(item->d_name, &end, 10);
        if (end == item->d_name || strcmp(end, ".vtp") != 0 || number < from || number > to)
            continue;
        status = TL_RESERVE(*out, capacity, *count, *count + 1, error);
        if (status == TL_OK)
            (*out)[(*count)++] = number;
    }
    closedir(frames);
    if (*count > 0)
        qsort(*out, *count, sizeof **out, compare_numbers);
    if (status == TL_OK && *count == 0)
        status = tl_fail(error, TL_BAD_INPUT, path, "choose others with --frames",
                         "none of the wanted frames is there");
    return status;
}

static tl_status export_frame(const char *folder, int64_t number, const struct format *format,
                              const char *target, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_frame frame = {0};
    TL_TRY(
        tl_vtp_read(tl_run_path(folder, path, "frames/%05" PRId64 ".vtp", number), &frame, error));
    const tl_status status = format->write(
        tl_run_path(target, path, "%05" PRId64 ".%s", number, format->name), &frame, error);
    tl_frame_free(&frame);
    return status;
}

int cli_export(const cli_arguments *arguments) {
    const char *folder = arguments->words[0];
    const struct format *format = find_format(cli_value(arguments, "to"));
    int64_t from, to, *numbers = NULL;
    size_t count = 0;
    tl_error error = {0};
    char target[TL_RUN_PATH];
    if (!format || !parse_range(cli_value(arguments, "frames"), &from, &to))
        return CLI_BAD_INPUT;
    if (cli_value(arguments, "output"))
        snprintf(target, sizeof target, "%s", cli_value(arguments, "output"));
    else
        tl_run_path(folder, target, "%s", format->name);
    tl_status status = find_frames(folder, from, to, &numbers, &count, &error);
    if (status == TL_OK)
        status = tl_folder_make(target, &error);
    for (size_t i = 0; status == TL_OK && i < count; i++)
        status = export_frame(folder, numbers[i], format, target, &error);
    free(numbers);
    if (status != TL_OK)
        cli_complain_error(&error);
    else if (!cli_has(arguments, "quiet"))
        printf("%zu frame%s in %s/\n", count, count == 1 ? "" : "s", target);
    return cli_exit_code(status);
}
