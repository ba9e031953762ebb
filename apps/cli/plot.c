/* `tallow plot`: the ledger of a run as curves over time. */
#include "plot/plot.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "command.h"
#include "run/folder.h"
#include "scene/scene.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

typedef struct names {
    char *text; /* a copy of the option, cut at its commas */
    const char **items;
    size_t count;
} names;

static bool split_names(const char *text, names *out) {
    *out = (names){0};
    if (!text)
        return true;
    out->text = strdup(text);
    out->items = tl_allocate(strlen(text) + 1, sizeof *out->items);
    if (!out->text || !out->items) {
        cli_complain("no memory for the command line");
        return false;
    }
    for (char *at = out->text, *next; at; at = next) {
        next = strchr(at, ',');
        if (next)
            *next++ = 0;
        if (!*at) {
            cli_complain("--columns %s: expected names with commas in between", text);
            return false;
        }
        out->items[out->count++] = at;
    }
    return true;
}

static bool parse_format(const char *text, unsigned *out) {
    *out = 0;
    if (!text)
        return true;
    *out = strcmp(text, "svg") == 0 ? TL_PLOT_SVG : strcmp(text, "png") == 0 ? TL_PLOT_PNG : 0;
    if (!*out)
        cli_complain("there is no format %s; there are svg and png", text);
    return *out != 0;
}

static bool parse_log(const char *text, tl_plot_options *out) {
    if (!text)
        return true;
    out->log_x = strchr(text, 'x') != NULL;
    out->log_y = strchr(text, 'y') != NULL;
    if (strcmp(text, "x") == 0 || strcmp(text, "y") == 0 || strcmp(text, "xy") == 0)
        return true;
    cli_complain("--log %s: expected x, y or xy", text);
    return false;
}

static bool parse_size(const char *text, tl_plot_options *out) {
    char rest;
    if (!text || (sscanf(text, "%5dx%5d%c", &out->width, &out->height, &rest) == 2 &&
                  out->width > 0 && out->height > 0))
        return true;
    cli_complain("--size %s: expected WIDTHxHEIGHT in pixels, such as 1280x800", text);
    return false;
}

static void print_path(void *context, const char *path) {
    (void)context;
    puts(path);
}

/* The scene's title, or the folder's name when there is none to be read. */
static void find_title(const char *folder, char *out, size_t size) {
    char path[TL_RUN_PATH];
    tl_scene *scene = NULL;
    const bool is_read =
        tl_scene_load_file(tl_run_path(folder, path, "run.yaml"), NULL, &scene, NULL) == TL_OK;
    snprintf(out, size, "%s", is_read && scene->title ? scene->title : folder);
    tl_scene_destroy(scene);
}

static tl_status draw(const char *folder, const char *target, tl_plot_options *options,
                      tl_error *error) {
    char path[TL_RUN_PATH], title[256];
    if (!tl_file_exists(tl_run_path(folder, path, "ledger.csv")))
        return tl_fail(error, TL_BAD_INPUT, folder,
                       "name the folder of a run, such as out/dam-break",
                       tl_file_exists(folder) ? "no ledger.csv in this folder" : "no such folder");
    find_title(folder, title, sizeof title);
    options->title = title;
    return tl_plot_ledger(path, target, options, error);
}

int cli_plot(const cli_arguments *arguments) {
    char folder[TL_RUN_PATH], target[TL_RUN_PATH];
    tl_error error = {0};
    tl_plot_options options = {.over = cli_value(arguments, "over"),
                               .wrote = cli_has(arguments, "quiet") ? NULL : print_path};
    names columns = {0};
    int code = CLI_BAD_INPUT;
    snprintf(folder, sizeof folder, "%s", arguments->words[0]);
    for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--)
        folder[end - 1] = 0;
    if (cli_value(arguments, "output"))
        snprintf(target, sizeof target, "%s", cli_value(arguments, "output"));
    else
        tl_run_path(folder, target, "plots");
    if (split_names(cli_value(arguments, "columns"), &columns) &&
        parse_format(cli_value(arguments, "to"), &options.formats) &&
        parse_log(cli_value(arguments, "log"), &options) &&
        parse_size(cli_value(arguments, "size"), &options)) {
        options.columns = columns.items;
        options.column_count = columns.count;
        const tl_status status = draw(folder, target, &options, &error);
        if (status != TL_OK)
            cli_complain_error(&error);
        code = cli_exit_code(status);
    }
    free(columns.text);
    free(columns.items);
    return code;
}
