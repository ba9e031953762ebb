/* `tallow export`: the frames of a run in other formats. */
#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "frames.h"
#include "output/csv.h"
#include "output/ply.h"
#include "output/vtp.h"
#include "run/folder.h"
#include "run/picture.h"
#include "terminal.h"

#include <inttypes.h>
#include <string.h>

typedef struct job {
    const char *folder;
    tl_scene *scene;     /* of run.yaml, and */
    tl_picture *picture; /* of it, for scenes */
} job;

static tl_status write_csv(const job *j, const char *path, const tl_frame *frame, tl_error *error) {
    (void)j;
    return tl_csv_write(path, frame, error);
}

static tl_status write_ply(const job *j, const char *path, const tl_frame *frame, tl_error *error) {
    (void)j;
    return tl_ply_write(path, frame, TL_DOUBLES_KEPT, error);
}

static tl_status write_vtp(const job *j, const char *path, const tl_frame *frame, tl_error *error) {
    (void)j;
    return tl_vtp_write(path, frame, TL_DOUBLES_KEPT, error);
}

static tl_status write_povray(const job *j, const char *path, const tl_frame *frame,
                              tl_error *error) {
    return tl_picture_povray(j->picture, frame, path, error);
}

static const struct format {
    const char *name, *suffix;
    tl_status (*write)(const job *j, const char *path, const tl_frame *frame, tl_error *error);
} formats[] = {{"csv", "csv", write_csv},
               {"ply", "ply", write_ply},
               {"vtp", "vtp", write_vtp},
               {"povray", "pov", write_povray}};

enum { FORMATS = sizeof formats / sizeof *formats };

/* POV-Ray gets walls, lights and camera too: they are in run.yaml. */
static tl_status open_picture(job *j, const char *colour_by, tl_error *error) {
    char path[TL_RUN_PATH];
    TL_TRY(tl_scene_load_file(tl_run_path(j->folder, path, "run.yaml"), NULL, &j->scene, error));
    tl_picture_options options = tl_picture_options_of(j->scene);
    options.look = TL_LOOK_SPHERES;
    options.colour_by = colour_by ? colour_by : options.colour_by;
    return tl_picture_create(j->scene, &options, &j->picture, error);
}

static const struct format *find_format(const char *name) {
    const char *names[FORMATS];
    for (size_t i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
        if (name && strcmp(name, names[i]) == 0)
            return &formats[i];
    }
    const char *nearest = name ? tl_nearest_word(name, names, FORMATS) : NULL;
    if (!name)
        cli_complain("which format? --to csv, --to ply, --to vtp or --to povray");
    else if (nearest)
        cli_complain("there is no format %s; did you mean %s?", name, nearest);
    else
        cli_complain("there is no format %s; there are csv, ply, vtp and povray", name);
    return NULL;
}

static tl_status export_frame(const job *j, int64_t number, const struct format *format,
                              const char *target, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_frame frame = {0};
    tl_run_path(j->folder, path, "frames/%05" PRId64 ".vtp", number);
    TL_TRY(tl_vtp_read(path, &frame, error));
    tl_run_path(target, path, "%05" PRId64 ".%s", number, format->suffix);
    const tl_status status = format->write(j, path, &frame, error);
    tl_frame_free(&frame);
    return status;
}

int cli_export(const cli_arguments *arguments) {
    job j = {.folder = arguments->words[0]};
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
        tl_run_path(j.folder, target, "%s", format->name);
    tl_status status = cli_find_frames(j.folder, from, to, &numbers, &count, &error);
    if (status == TL_OK && format->write == write_povray)
        status = open_picture(&j, cli_value(arguments, "colour-by"), &error);
    if (status == TL_OK)
        status = tl_folder_make(target, &error);
    for (size_t i = 0; status == TL_OK && i < count; i++)
        status = export_frame(&j, numbers[i], format, target, &error);
    tl_array_free(numbers);
    tl_picture_destroy(j.picture);
    tl_scene_destroy(j.scene);
    if (status != TL_OK)
        cli_complain_error(&error);
    else if (!cli_has(arguments, "quiet"))
        printf("%zu frame%s in %s/\n", count, count == 1 ? "" : "s", target);
    return cli_exit_code(status);
}
