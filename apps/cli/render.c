/* `tallow render`: pictures and films from the frames of runs. */
#include "render.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/timer.h"
#include "output/film.h"
#include "scene/pace.h"
#include "terminal.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One film, sheet or still, of one run or of several beside each other. */
typedef struct job {
    const cli_render_options *options;
    cli_render_run *runs;
    size_t run_count;
    cli_render_panel *panels; /* of one picture */
    cli_render_sheet sheet;
    char folder[TL_RUN_PATH], file[TL_RUN_PATH]; /* where it goes; a file for one picture */
    bool is_terminal;
    double began;
} job;

/* ---- Words --------------------------------------------------------------------------------- */

static void report(const job *j, const char *name, size_t particles, size_t done, size_t count) {
    char clock[CLI_SHORT], left[CLI_SHORT], p[CLI_SHORT];
    const double elapsed = tl_now() - j->began;
    if (j->options->quiet)
        return;
    printf("%spicture %s (%zu/%zu)  %s particles  %s a picture  %s left%s",
           j->is_terminal ? "\r" : "", name, done, count, cli_count((double)particles, p),
           cli_clock(elapsed / (double)done, clock),
           cli_clock(elapsed * (double)(count - done) / (double)done, left),
           j->is_terminal ? "\033[K" : "\n");
    if (j->is_terminal && done == count)
        putchar('\n');
    fflush(stdout);
}

static void say(const job *j, const char *what, const char *path) {
    if (!j->options->quiet)
        printf("%s %s\n", what, path);
}

/* ---- One picture --------------------------------------------------------------------------- */

static bool ends_with_png(const char *text) {
    const size_t length = strlen(text);
    return length > 4 && strcmp(text + length - 4, ".png") == 0;
}

static tl_status draw_one(job *j, size_t count, const char *name, tl_error *error) {
    size_t particles;
    if (!*j->file) {
        TL_TRY(tl_folder_make(j->folder, error));
        tl_run_path(j->folder, j->file, "%s", name);
    }
    TL_TRY(
        cli_render_sheet_draw(j->options, &j->sheet, j->panels, count, j->file, &particles, error));
    if (particles == 0)
        cli_render_note("there are no particles in %s", j->file);
    say(j, "a picture in", j->file);
    return TL_OK;
}

static tl_status draw_still(job *j, tl_error *error) {
    char name[64];
    j->panels[0] = (cli_render_panel){&j->runs[0], j->runs[0].numbers[0], 0};
    snprintf(name, sizeof name, "still-%05" PRId64 ".png", j->panels[0].number);
    return draw_one(j, 1, name, error);
}

/* Frames at even distances, the first and the last among them. */
static tl_status draw_sheet(job *j, tl_error *error) {
    cli_render_run *run = &j->runs[0];
    const size_t places = (size_t)j->options->columns * (size_t)j->options->rows;
    const size_t count = run->count < places ? run->count : places;
    for (size_t i = 0; i < count; i++) {
        const size_t at = count > 1 ? (i * (run->count - 1) + (count - 1) / 2) / (count - 1) : 0;
        j->panels[i] = (cli_render_panel){run, run->numbers[at], 0};
    }
    return draw_one(j, count, "sheet.png", error);
}

/* ---- Films --------------------------------------------------------------------------------- */

/* Pictures of an earlier film do not belong to this one. */
static tl_status clear_pictures(const char *path, tl_error *error) {
    DIR *folder = opendir(path);
    if (!folder)
        return tl_fail_errno(error, path, "read the folder");
    for (const struct dirent *item; (item = readdir(folder));) {
        const size_t digits = strspn(item->d_name, "0123456789");
        if (digits >= 5 && strcmp(item->d_name + digits, ".png") == 0)
            unlinkat(dirfd(folder), item->d_name, 0);
    }
    closedir(folder);
    return TL_OK;
}

static size_t picture_count(const job *j) {
    return j->options->turntable > 0 ? (size_t)j->options->turntable : j->runs[0].count;
}

/* The panels of picture k, and its number. */
static int64_t set_panels(job *j, size_t k) {
    cli_render_run *run = &j->runs[0];
    if (j->options->turntable > 0) {
        const double turn = 2 * acos(-1) * (double)k / (double)j->options->turntable;
        j->panels[0] = (cli_render_panel){run, run->numbers[run->count - 1], turn};
        return (int64_t)k;
    }
    const int64_t number = run->numbers[k];
    j->panels[0] = (cli_render_panel){run, number, 0};
    for (size_t r = 1; r < j->run_count; r++)
        j->panels[r] = (cli_render_panel){
            &j->runs[r], cli_render_nearest(&j->runs[r], cli_render_time(run, number)), 0};
    return number;
}

/* For want of ffmpeg there are pictures alone; false then, and when no film is wanted. */
static bool make_film(const job *j, const char *pictures) {
    const cli_render_options *o = j->options;
    const tl_scene *scene = j->runs[0].scene;
    const tl_pace pace = tl_pace_of_scene(scene, (double)o->every);
    const double slow = o->slow > 0 ? o->slow : pace.slow;
    const double own = o->slow > 0 ? scene->output.film_rate : pace.film_rate;
    const double rate = o->film_rate > 0 ? o->film_rate : own;
    tl_film_options film = {.format = o->has_format ? o->format : scene->output.film_format,
                            .frame_rate = scene->frame_rate / (double)o->every / slow,
                            .film_rate = rate};
    if (o->turntable > 0)
        film.frame_rate = rate > 0 ? rate : 30;
    char path[TL_RUN_PATH];
    tl_error error = {0};
    if (film.format < 0)
        return false;
    tl_run_path(j->folder, path, "film.%s", tl_film_suffixes[film.format]);
    if (film.format != TL_FILM_GIF && (j->sheet.width % 2 || j->sheet.height % 2))
        cli_render_note("the film has even sides: it is cut to %d x %d", j->sheet.width / 2 * 2,
                        j->sheet.height / 2 * 2);
    if (tl_film_make(pictures, &film, path, NULL, &error) == TL_OK) {
        say(j, "a film in", path);
        return true;
    }
    const cli_style style = cli_style_of(stderr);
    fprintf(stderr, "%swarning:%s no film: %s%s%s\n", style.yellow, style.reset, error.what,
            *error.fix ? "; " : "", error.fix);
    return false;
}

static tl_status draw_film(job *j, tl_error *error) {
    char pictures[TL_RUN_PATH], path[TL_RUN_PATH];
    const size_t count = picture_count(j);
    tl_run_path(j->folder, pictures, "pictures");
    TL_TRY(tl_folder_make(pictures, error));
    TL_TRY(clear_pictures(pictures, error));
    j->began = tl_now();
    for (size_t k = 0; k < count; k++) {
        size_t particles;
        char name[32];
        snprintf(name, sizeof name, "%05" PRId64, set_panels(j, k));
        tl_run_path(pictures, path, "%s.png", name);
        TL_TRY(cli_render_sheet_draw(j->options, &j->sheet, j->panels, j->run_count, path,
                                     &particles, error));
        report(j, name, particles, k + 1, count);
    }
    const bool keeps = j->options->keep_pictures || j->runs[0].scene->output.keep_pictures;
    if (!make_film(j, pictures) || keeps) {
        say(j, "pictures in", pictures);
        return TL_OK;
    }
    TL_TRY(clear_pictures(pictures, error));
    rmdir(pictures); /* unless something else is there */
    return TL_OK;
}

/* ---- All ----------------------------------------------------------------------------------- */

/* Rows and columns of the panels. */
static void arrange(const job *j, int *columns, int *rows) {
    const int n = (int)j->run_count;
    *columns = n <= 3 ? n : (int)ceil(sqrt(n));
    *rows = (n + *columns - 1) / *columns;
    if (j->options->columns > 0)
        *columns = j->options->columns, *rows = j->options->rows;
}

static tl_status find_place(job *j, tl_error *error) {
    const cli_render_options *o = j->options;
    const bool is_one = o->still >= 0 || o->columns > 0;
    const char *place = o->output;
    if (place && strlen(place) >= sizeof j->folder - 64)
        return tl_fail(error, TL_BAD_INPUT, "--output", "use a shorter folder name",
                       "path too long");
    if (!place)
        tl_run_path(j->runs[0].folder, j->folder, "render");
    else if (is_one && ends_with_png(place))
        snprintf(j->file, sizeof j->file, "%s", place);
    else
        snprintf(j->folder, sizeof j->folder, "%s", place);
    return TL_OK;
}

static tl_status do_job(job *j, const char *const *folders, tl_error *error) {
    int columns, rows;
    for (size_t r = 0; r < j->run_count; r++)
        TL_TRY(cli_render_open(j->options, folders[r], r > 0, &j->runs[r], error));
    TL_TRY(find_place(j, error));
    arrange(j, &columns, &rows);
    TL_TRY(cli_render_sheet_make(j->options, j->runs[0].scene, columns, rows, &j->sheet, error));
    const size_t places = (size_t)columns * (size_t)rows;
    j->panels = tl_allocate(places, sizeof *j->panels);
    if (!j->panels)
        return tl_fail_memory(error, places, sizeof *j->panels);
    TL_TRY(cli_render_prepare(j->options, j->runs, j->run_count, j->sheet.panel_width,
                              j->sheet.panel_height, error));
    return j->options->still >= 0    ? draw_still(j, error)
           : j->options->columns > 0 ? draw_sheet(j, error)
                                     : draw_film(j, error);
}

static tl_status render(const cli_render_options *options, const char *const *folders, size_t count,
                        tl_error *error) {
    job j = {.options = options, .run_count = count, .is_terminal = isatty(STDOUT_FILENO)};
    j.runs = tl_allocate(count, sizeof *j.runs);
    if (!j.runs)
        return tl_fail_memory(error, count, sizeof *j.runs);
    const tl_status status = do_job(&j, folders, error);
    for (size_t r = 0; r < count; r++)
        cli_render_close(&j.runs[r]);
    cli_render_sheet_free(&j.sheet);
    free(j.panels);
    free(j.runs);
    return status;
}

int cli_render(const cli_arguments *arguments) {
    cli_render_options options;
    tl_error error = {0};
    if (!cli_render_parse(arguments, &options))
        return CLI_BAD_INPUT;
    const size_t together = options.side_by_side ? arguments->word_count : 1;
    tl_status status = TL_OK;
    for (size_t i = 0; status == TL_OK && i < arguments->word_count; i += together)
        status = render(&options, &arguments->words[i], together, &error);
    if (status != TL_OK)
        cli_complain_error(&error);
    return cli_exit_code(status);
}
