/* `tallow plot`: the ledger of a run, or of several, as curves over time. See plot.h. */
#include "plot.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "command.h"
#include "run/folder.h"
#include "scene/scene.h"
#include "scene_of.h"
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

static tl_status no_ledger(const char *folder, tl_error *error) {
    return tl_fail(error, TL_BAD_INPUT, folder, "name the folder of a run, such as out/dam-break",
                   tl_file_exists(folder) ? "no ledger.csv in this folder" : "no such folder");
}

/* Whether some of the wanted columns are measured rather than booked. */
static bool wants_measures(const tl_plot_options *options) {
    for (size_t i = 0; i < options->column_count; i++)
        if (strchr(options->columns[i], '.'))
            return true;
    return false;
}

static tl_status draw_one(const char *folder, const char *target, tl_plot_options *options,
                          tl_error *error) {
    char path[TL_RUN_PATH], title[256];
    if (!tl_file_exists(tl_run_path(folder, path, "ledger.csv")))
        return no_ledger(folder, error);
    find_title(folder, title, sizeof title);
    options->title = title;
    if (!wants_measures(options))
        TL_TRY(tl_plot_ledger(path, target, options, error));
    const bool measured = tl_file_exists(tl_run_path(folder, path, "measures.csv"));
    options->overview = "measures";
    return (measured && options->column_count == 0) || wants_measures(options)
               ? tl_plot_ledger(path, target, options, error)
               : TL_OK;
}

/* The files called `name` of all folders, laid over each other. */
static tl_status draw_table(char *const *folders, size_t count, const char *name,
                            const char *target, const tl_plot_options *options, tl_error *error) {
    char(*paths)[TL_RUN_PATH] = tl_allocate(count, sizeof *paths);
    tl_plot_run *runs = tl_allocate(count, sizeof *runs);
    tl_status status = paths && runs ? TL_OK : tl_fail_memory(error, count, sizeof *paths);
    for (size_t i = 0; i < count && status == TL_OK; i++) {
        const char *slash = strrchr(folders[i], '/');
        runs[i] = (tl_plot_run){tl_run_path(folders[i], paths[i], "%s", name),
                                slash ? slash + 1 : folders[i]};
        if (!tl_file_exists(paths[i]))
            status = no_ledger(folders[i], error);
    }
    if (status == TL_OK)
        status = tl_plot_runs(runs, count, target, options, error);
    free(paths);
    free(runs);
    return status;
}

static bool all_have(char *const *folders, size_t count, const char *name) {
    char path[TL_RUN_PATH];
    for (size_t i = 0; i < count; i++)
        if (!tl_file_exists(tl_run_path(folders[i], path, "%s", name)))
            return false;
    return true;
}

tl_status cli_plot_runs(char *const *folders, size_t count, const char *target,
                        tl_plot_options *options, tl_error *error) {
    const bool measures = wants_measures(options);
    options->title = options->title ? options->title : "Runs compared";
    options->only_overview = true;
    if (!measures)
        TL_TRY(draw_table(folders, count, "ledger.csv", target, options, error));
    options->overview = "measures";
    return measures || (options->column_count == 0 && all_have(folders, count, "measures.csv"))
               ? draw_table(folders, count, "measures.csv", target, options, error)
               : TL_OK;
}

/* Beside the run, or beside the first of several. */
static void choose_target(const cli_arguments *arguments, const char *folder, char *out) {
    const char *given = cli_value(arguments, "output"), *slash = strrchr(folder, '/');
    if (given)
        snprintf(out, TL_RUN_PATH, "%s", given);
    else if (arguments->word_count == 1)
        tl_run_path(folder, out, "plots");
    else
        snprintf(out, TL_RUN_PATH, "%.*splots", slash ? (int)(slash + 1 - folder) : 0, folder);
}

static char **copy_folders(const cli_arguments *arguments) {
    char **folders = calloc(arguments->word_count + 1, sizeof *folders);
    for (size_t i = 0; folders && i < arguments->word_count; i++) {
        folders[i] = strdup(arguments->words[i]);
        for (size_t end = folders[i] ? strlen(folders[i]) : 0;
             end > 1 && folders[i][end - 1] == '/'; end--)
            folders[i][end - 1] = 0;
    }
    return folders;
}

int cli_plot(const cli_arguments *arguments) {
    char target[TL_RUN_PATH];
    tl_error error = {0};
    tl_plot_options options = {.over = cli_value(arguments, "over"),
                               .wrote = cli_has(arguments, "quiet") ? NULL : print_path};
    names columns = {0};
    int code = CLI_BAD_INPUT;
    char **folders = copy_folders(arguments);
    if (folders && folders[0] && split_names(cli_value(arguments, "columns"), &columns) &&
        parse_format(cli_value(arguments, "to"), &options.formats) &&
        parse_log(cli_value(arguments, "log"), &options) &&
        parse_size(cli_value(arguments, "size"), &options)) {
        options.columns = columns.items;
        options.column_count = columns.count;
        choose_target(arguments, folders[0], target);
        const tl_status status =
            arguments->word_count == 1
                ? draw_one(folders[0], target, &options, &error)
                : cli_plot_runs(folders, arguments->word_count, target, &options, &error);
        if (status != TL_OK)
            cli_complain_error(&error);
        code = cli_exit_code(status);
    }
    cli_overrides_free(folders);
    free(columns.text);
    free(columns.items);
    return code;
}
