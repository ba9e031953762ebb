/* `tallow export`: the frames of a run in other formats. */
#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "frames.h"
#include "output/csv.h"
#include "output/ply.h"
#include "output/vtp.h"
#include "run/folder.h"
#include "terminal.h"

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
    if (!format || !cli_frame_range(arguments, &from, &to))
        return CLI_BAD_INPUT;
    if (cli_value(arguments, "output"))
        snprintf(target, sizeof target, "%s", cli_value(arguments, "output"));
    else
        tl_run_path(folder, target, "%s", format->name);
    tl_status status = cli_find_frames(folder, from, to, &numbers, &count, &error);
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
