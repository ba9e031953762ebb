/* The runs that `tallow render` draws. See render.h. */
#include "render.h"

#include "base/file.h"
#include "frames.h"
#include "output/vtp.h"
#include "run/picture_colours.h"
#include "run/picture_stage.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

void cli_render_note(const char *format, ...) {
    const cli_style style = cli_style_of(stderr);
    va_list arguments;
    fprintf(stderr, "%snote:%s ", style.yellow, style.reset);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* ---- Frames -------------------------------------------------------------------------------- */

tl_status cli_render_read(const cli_render_run *run, int64_t number, tl_frame *out,
                          tl_error *error) {
    char path[TL_RUN_PATH];
    return tl_vtp_read(tl_run_path(run->folder, path, "frames/%05" PRId64 ".vtp", number), out,
                       error);
}

/* A run that was killed on a bad disk may leave a last frame that is not whole. */
static tl_status drop_half_frame(cli_render_run *run, tl_error *error) {
    tl_frame frame;
    const int64_t last = run->numbers[run->count - 1];
    const tl_status status = cli_render_read(run, last, &frame, error);
    tl_frame_free(&frame);
    if (status != TL_BAD_INPUT)
        return status;
    if (run->count == 1)
        return tl_fail(error, TL_BAD_INPUT, run->folder, "go on with the run: tallow resume",
                       "its only frame, %05" PRId64 ", is not whole", last);
    cli_render_note("skipping the last frame of %s, %05" PRId64 ", which is not whole", run->folder,
                    last);
    run->count--;
    return TL_OK;
}

/* Keeps every so many of the frames first .. last. */
static tl_status choose_frames(cli_render_run *run, int64_t first, int64_t last, int64_t every,
                               tl_error *error) {
    size_t kept = 0, seen = 0;
    for (size_t i = 0; i < run->count; i++)
        if (run->numbers[i] >= first && run->numbers[i] <= last && seen++ % (size_t)every == 0)
            run->numbers[kept++] = run->numbers[i];
    if (kept == 0)
        return tl_fail(error, TL_BAD_INPUT, run->folder, "`tallow info` tells how many there are",
                       "none of the wanted frames is there; the last is %05" PRId64,
                       run->numbers[run->count - 1]);
    run->count = kept;
    return TL_OK;
}

double cli_render_time(const cli_render_run *run, int64_t number) {
    return fmin((double)number / run->scene->frame_rate, run->scene->duration);
}

int64_t cli_render_nearest(const cli_render_run *run, double time) {
    int64_t best = run->numbers[0];
    for (size_t i = 1; i < run->count; i++)
        if (fabs(cli_render_time(run, run->numbers[i]) - time) <
            fabs(cli_render_time(run, best) - time))
            best = run->numbers[i];
    return best;
}

/* ---- A run --------------------------------------------------------------------------------- */

static tl_status load_scene(cli_render_run *run, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_run_path(run->folder, path, "run.yaml");
    if (!tl_file_exists(path))
        return tl_fail(error, TL_BAD_INPUT, run->folder, "name the folder of a run",
                       "there is no run.yaml here to tell of walls, colours and camera");
    return tl_scene_load_file(path, NULL, &run->scene, error);
}

tl_status cli_render_open(const cli_render_options *options, const char *folder, bool is_companion,
                          cli_render_run *out, tl_error *error) {
    *out = (cli_render_run){0};
    if ((size_t)snprintf(out->folder, sizeof out->folder, "%s", folder) >= sizeof out->folder - 200)
        return tl_fail(error, TL_BAD_INPUT, NULL, "use a shorter folder name", "path too long");
    for (size_t end = strlen(out->folder); end > 1 && out->folder[end - 1] == '/'; end--)
        out->folder[end - 1] = 0;
    TL_TRY(cli_find_frames(out->folder, 0, INT64_MAX, &out->numbers, &out->count, error));
    TL_TRY(load_scene(out, error));
    TL_TRY(drop_half_frame(out, error));
    return is_companion ? TL_OK
                        : choose_frames(out, options->first, options->last, options->every, error);
}

void cli_render_close(cli_render_run *run) {
    tl_picture_destroy(run->picture);
    tl_scene_destroy(run->scene);
    tl_array_free(run->numbers);
    *run = (cli_render_run){0};
}

/* ---- Pictures ------------------------------------------------------------------------------ */

/* Looks and colours are those of the first scene, for all to be compared. */
static tl_picture_options options_for(const cli_render_options *o, const tl_scene *first,
                                      const tl_scene *scene, int width, int height) {
    tl_picture_options p = tl_picture_options_of(first);
    p.width = width;
    p.height = height;
    p.threads = o->threads;
    p.colour_by = o->colour_by ? o->colour_by : p.colour_by;
    p.colour_map = o->colour_map ? o->colour_map : p.colour_map;
    for (int k = 0; o->look && tl_look_names[k]; k++)
        if (strcmp(o->look, tl_look_names[k]) == 0)
            p.look = k;
    p.slow = o->slow > 0 ? o->slow : p.slow;
    p.title = o->side_by_side ? tl_scene_title(scene) : NULL;
    p.samples = (int)o->samples;
    p.seconds = o->seconds;
    p.keep_noise = o->no_denoise;
    p.no_caption = o->no_caption;
    p.no_legend = o->no_legend;
    p.scale_bar = o->scale_bar;
    return p;
}

static tl_status find_array(const cli_render_options *o, const tl_scene *first,
                            const tl_frame *frame, const tl_frame_array **out, tl_error *error) {
    const char *of_scene = first->output.colour_by;
    const char *name = o->colour_by ? o->colour_by : of_scene ? of_scene : "material";
    return tl_colours_find(frame, name, o->colour_by ? "--colour-by" : "output.colour_by", out,
                           error);
}

/* Widens the range by the frames of a run; *is_field stays true while there is a field to them. */
static tl_status widen_by_run(const cli_render_options *o, const tl_scene *first,
                              const cli_render_run *run, double *low, double *high, bool *is_field,
                              tl_error *error) {
    for (size_t i = 0; *is_field && i < run->count; i++) {
        const tl_frame_array *by;
        tl_frame frame;
        TL_TRY(cli_render_read(run, run->numbers[i], &frame, error));
        const tl_status status = find_array(o, first, &frame, &by, error);
        if (status == TL_OK && tl_colours_are_of_materials(by))
            *is_field = false;
        else if (status == TL_OK)
            tl_colours_widen(by, frame.count, low, high);
        tl_frame_free(&frame);
        TL_TRY(status);
    }
    return TL_OK;
}

/* The range of the first scene is for its own field. */
static bool scene_has_range(const cli_render_options *o, const tl_scene *scene) {
    const tl_output_def *output = &scene->output;
    const bool is_same =
        !o->colour_by || (output->colour_by && strcmp(o->colour_by, output->colour_by) == 0);
    return is_same && output->colour_from != output->colour_to;
}

static tl_status find_range(const cli_render_options *o, const cli_render_run *runs, size_t count,
                            double *from, double *to, tl_error *error) {
    tl_preview_legend ends = {0};
    double low = HUGE_VAL, high = -HUGE_VAL;
    bool is_field = true;
    *from = *to = 0;
    if (o->has_range) {
        *from = o->range[0], *to = o->range[1];
        return TL_OK;
    }
    if (scene_has_range(o, runs[0].scene)) {
        *from = runs[0].scene->output.colour_from, *to = runs[0].scene->output.colour_to;
        return TL_OK;
    }
    for (size_t r = 0; r < count; r++)
        TL_TRY(widen_by_run(o, runs[0].scene, &runs[r], &low, &high, &is_field, error));
    if (is_field) {
        tl_colours_round(low, high, &ends);
        *from = ends.min, *to = ends.max;
    }
    return TL_OK;
}

/* What the frames lack shows before anything is written. */
static tl_status check_array(const cli_render_options *o, const tl_scene *first,
                             const cli_render_run *run, tl_error *error) {
    const tl_frame_array *by;
    tl_frame frame;
    TL_TRY(cli_render_read(run, run->numbers[0], &frame, error));
    const tl_status status = find_array(o, first, &frame, &by, error);
    tl_frame_free(&frame);
    return status;
}

/* ---- The action ---------------------------------------------------------------------------- */

/* Reads so many frames at even distances, the first and the last among them. One that is not whole
 * is passed over: it may be none of those that are drawn. */
static void widen_by_frames(const cli_render_run *run, const int64_t *numbers, size_t count,
                            tl_extent *seen) {
    enum { MOST = 240 };
    const size_t used = count < MOST ? count : MOST;
    for (size_t i = 0; i < used; i++) {
        tl_frame frame;
        const size_t at = used > 1 ? i * (count - 1) / (used - 1) : 0;
        if (cli_render_read(run, numbers[at], &frame, NULL) != TL_OK)
            continue;
        tl_extent_add_frame(seen, &frame, 0.5 * run->scene->spacing);
        tl_frame_free(&frame);
    }
}

/* Where the matter of a finished run was, in all of its frames, whichever of them are drawn; a
 * camera that stands by itself needs it. A run that is at work is drawn as it draws itself. */
static tl_status find_action(const cli_render_run *run, tl_picture_options *p, tl_error *error) {
    const double last = ceil(run->scene->duration * run->scene->frame_rate * (1 - 1e-12));
    int64_t *numbers = NULL;
    size_t count = 0;
    if (tl_camera_is_given(&run->scene->camera))
        return TL_OK;
    const tl_status status = cli_find_frames(run->folder, 0, INT64_MAX, &numbers, &count, error);
    if (status == TL_OK && count > 0 && (double)numbers[count - 1] >= last) {
        p->seen = tl_extent_none();
        widen_by_frames(run, numbers, count, &p->seen);
        p->has_seen = !tl_extent_is_none(&p->seen);
    }
    tl_array_free(numbers);
    return status;
}

tl_status cli_render_prepare(const cli_render_options *options, cli_render_run *runs, size_t count,
                             int width, int height, tl_error *error) {
    double from, to;
    for (size_t r = 0; r < count; r++)
        TL_TRY(check_array(options, runs[0].scene, &runs[r], error));
    TL_TRY(find_range(options, runs, count, &from, &to, error));
    for (size_t r = 0; r < count; r++) {
        tl_picture_options p = options_for(options, runs[0].scene, runs[r].scene, width, height);
        p.from = from;
        p.to = to;
        TL_TRY(find_action(&runs[r], &p, error));
        TL_TRY(tl_picture_create(runs[r].scene, &p, &runs[r].picture, error));
    }
    return TL_OK;
}
