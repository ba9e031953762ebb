/* The loop of a run, and its beginning and end. See run.h. */
#include "run/run.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/timer.h"
#include "output/frame.h"
#include "output/ply.h"
#include "output/pvd.h"
#include "output/vtp.h"
#include "plot/plot.h"
#include "run/books.h"
#include "run/folder.h"
#include "run/measures.h"
#include "run/picture.h"
#include "run/picture_film.h"
#include "run/picture_worker.h"
#include "run/steering.h"
#include "scene/scene.h"
#include "surface/surface.h"
#include "world/world.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    const tl_scene *scene;
    const tl_run_options *options;
    tl_run_folder folder;
    tl_log log; /* to log.txt, and on to the caller */
    tl_world *world;
    tl_picture *picture;       /* NULL when no film is wanted */
    tl_picture_worker *worker; /* who draws it */
    tl_surface surface;        /* empty when none is wanted */
    tl_measures measures;      /* empty when nothing is measured */
    tl_steering steering;      /* what is told the world, if it is steered */
    bool is_steered;

    int64_t frame;      /* the last one written; -1 before frame 0 */
    int64_t end_frame;  /* of the scene */
    int64_t last_frame; /* of this session */
    tl_pvd list;        /* of the frames written */

    double began, began_at;    /* tl_now() and simulated time when this session began */
    double wall_before;        /* s, earlier sessions */
    double step_time, updates; /* s spent in steps, and particles they moved */
    uint64_t rejected;
    double dt;
    size_t warnings; /* that there were when this session began */
} run;

static void log_to_both(void *context, tl_log_level level, const char *message) {
    run *r = context;
    tl_run_folder_log(&r->folder, level, message);
    const tl_log *next = &r->options->log;
    if (next->write && level >= next->level)
        next->write(next->context, level, message);
}

static run begin(const tl_scene *scene, const tl_run_options *options) {
    return (run){
        .scene = scene, .options = options, .folder = {.log = -1}, .frame = -1, .began = tl_now()};
}

/* What only the scene decides; called once it is known. */
static void plan(run *r) {
    r->log = (tl_log){.write = log_to_both, .context = r, .level = TL_LOG_INFO};
    const double frames = ceil(r->scene->duration * r->scene->frame_rate * (1 - 1e-12));
    r->end_frame = (int64_t)fmin(fmax(frames, 1), INT32_MAX);
    const int64_t asked = r->options->last_frame;
    const int64_t wanted = asked > 0 ? asked : r->scene->output.last_frame;
    r->last_frame = wanted > 0 && wanted < r->end_frame ? wanted : r->end_frame;
}

static double frame_time(const run *r, int64_t frame) {
    return frame < r->end_frame ? (double)frame / r->scene->frame_rate : r->scene->duration;
}

static tl_world_options world_options(const run *r) {
    return (tl_world_options){
        .threads = r->options->threads, .log = r->log, .steered = r->is_steered};
}

/* ---- Reports ------------------------------------------------------------------------------- */

static double wall_time(const run *r) { return r->wall_before + tl_now() - r->began; }

static double speed(const run *r) { return r->step_time > 0 ? r->updates / r->step_time : 0; }

static void report(const run *r, bool wrote_frame) {
    if (!r->options->progress)
        return;
    const double now = tl_world_time(r->world), elapsed = tl_now() - r->began;
    const double done = now - r->began_at, left = frame_time(r, r->last_frame) - now;
    r->options->progress(r->options->context,
                         &(tl_run_progress){.frame = r->frame,
                                            .frame_count = r->last_frame,
                                            .wrote_frame = wrote_frame,
                                            .time = now,
                                            .duration = frame_time(r, r->last_frame),
                                            .dt = r->dt,
                                            .particles = tl_world_count(r->world),
                                            .steps = tl_world_steps(r->world),
                                            .rejected = r->rejected,
                                            .updates_per_second = speed(r),
                                            .elapsed = elapsed,
                                            .remaining = done > 0 ? elapsed * left / done : -1});
}

static void summarize(const run *r, tl_run_result *out) {
    *out = (tl_run_result){.frame = r->frame,
                           .frame_count = r->end_frame,
                           .duration = r->scene->duration,
                           .rejected = r->rejected,
                           .wall_time = wall_time(r),
                           .updates_per_second = speed(r),
                           .threads = tl_parallel_create(r->options->threads).threads};
    if (!r->world)
        return;
    out->time = tl_world_time(r->world);
    out->steps = tl_world_steps(r->world);
    out->particles = tl_world_count(r->world);
    out->hash = tl_world_hash(r->world);
    out->warning_count = tl_world_warnings(r->world, out->warnings, TL_MOST_WARNINGS);
}

/* ---- A frame ------------------------------------------------------------------------------- */

static tl_status save(const run *r, const tl_run_snapshot *at, tl_error *error) {
    char path[TL_RUN_PATH];
    if (r->worker)
        TL_TRY(tl_picture_worker_wait(r->worker, error));
    tl_run_snapshot_path(r->folder.path, at, path);
    TL_TRY(tl_world_save(r->world, path, error));
    return tl_run_prune_snapshots(r->folder.path, (size_t)r->scene->output.keep_snapshots, error);
}

static tl_status list_frame(run *r, int64_t frame, double time, tl_error *error) {
    char name[64];
    snprintf(name, sizeof name, "frames/%05" PRId64 ".vtp", frame);
    return tl_pvd_add(&r->list, time, name, error);
}

void tl_view_world(const tl_world *world, tl_frame *out) {
    const size_t sources = tl_world_definition(world)->source_count;
    tl_vec3 at;
    double power;
    tl_frame_of_fields(tl_world_fields(world), tl_world_time(world), tl_world_steps(world), out);
    for (size_t s = 0; s < sources && tl_world_flame(world, s, &at, &power); s++)
        out->flame[out->flame_count++] = (tl_frame_flame){{at.x, at.y, at.z}, power};
}

static tl_status write_points(run *r, int64_t frame, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_frame view;
    tl_view_world(r->world, &view);
    tl_run_path(r->folder.path, path, "frames/%05" PRId64 ".vtp", frame);
    TL_TRY(tl_vtp_write(path, &view, TL_DOUBLES_AS_FLOATS, error));
    TL_TRY(list_frame(r, frame, view.time, error));
    return tl_pvd_write(tl_run_path(r->folder.path, path, "frames.pvd"), &r->list, error);
}

static tl_status write_surface(run *r, int64_t frame, tl_error *error) {
    const tl_surface_options options = {.spacing = r->scene->spacing,
                                        .cells = TL_SURFACE_CELLS,
                                        .smooth = TL_SURFACE_SMOOTH,
                                        .material = -1,
                                        .threads = r->options->threads};
    char path[TL_RUN_PATH];
    tl_frame view;
    tl_view_world(r->world, &view);
    TL_TRY(tl_surface_make(&r->surface, &view, &options, error));
    tl_run_path(r->folder.path, path, "surface/%05" PRId64 ".ply", frame);
    return tl_ply_write_mesh(path, &r->surface.vertices,
                             (const uint32_t(*)[3])r->surface.mesh.triangles,
                             r->surface.mesh.triangle_count, TL_DOUBLES_AS_FLOATS, error);
}

_Static_assert(TL_MAX_FLAMES <= (int)TL_FRAME_FLAMES, "frames keep all sources");

/* Drawn while the next steps run, from what the file of the frame holds: `tallow render` draws the
 * same picture again. */
static tl_status draw_picture(run *r, const char *path, tl_error *error) {
    tl_frame view, stored;
    tl_view_world(r->world, &view);
    TL_TRY(tl_frame_copy(&view, TL_DOUBLES_AS_FLOATS, &stored, error));
    const tl_status status = tl_picture_worker_give(r->worker, &stored, path, error);
    tl_frame_free(&stored);
    return status;
}

static tl_status write_measures(run *r, int64_t frame, tl_error *error) {
    char path[TL_RUN_PATH];
    if (r->measures.count == 0)
        return TL_OK;
    TL_TRY(tl_measures_look(&r->measures, r->world, error));
    return tl_measures_add(tl_run_path(r->folder.path, path, "measures.csv"), &r->measures, frame,
                           tl_world_time(r->world), error);
}

/* Whether the last step has come to the time of a row. Only the state tells, so a run that goes on
 * has the same rows. */
static bool measures_due(const run *r, double dt) {
    const double rate = r->scene->measure_rate * (1 + 1e-12), now = tl_world_time(r->world);
    return r->measures.count > 0 && rate > 0 && floor(now * rate) > floor((now - dt) * rate);
}

/* Writes all that belongs to the next frame, the snapshot last: it waits for the picture. */
static tl_status write_frame(run *r, tl_error *error) {
    const int64_t frame = r->frame + 1;
    char path[TL_RUN_PATH];
    if (r->scene->output.frames)
        TL_TRY(write_points(r, frame, error));
    if (r->scene->output.surface)
        TL_TRY(write_surface(r, frame, error));
    if (r->picture) {
        tl_run_path(r->folder.path, path, "pictures/%05" PRId64 ".png", frame);
        TL_TRY(draw_picture(r, path, error));
    }
    tl_books_row row = {.frame = frame, .wall_time = wall_time(r)};
    tl_world_ledger(r->world, &row.ledger);
    TL_TRY(tl_books_add(tl_run_path(r->folder.path, path, "ledger.csv"), &row, error));
    TL_TRY(write_measures(r, frame, error));

    const int64_t every = r->scene->output.snapshot_every;
    if (frame == r->last_frame || (every > 0 && frame > 0 && frame % every == 0))
        TL_TRY(save(r, &(tl_run_snapshot){.frame = frame}, error));
    r->frame = frame;
    report(r, true);
    return TL_OK;
}

/* ---- The loop ------------------------------------------------------------------------------ */

static bool should_stop(const run *r) {
    return r->options->should_stop && r->options->should_stop(r->options->context);
}

/* Keeps what was done since the last frame. */
static tl_status interrupt(const run *r, tl_error *error) {
    const tl_run_snapshot at = {.frame = r->frame, .step = tl_world_steps(r->world)};
    TL_TRY(save(r, &at, error));
    return tl_fail(error, TL_INTERRUPTED, r->folder.path, NULL,
                   "stopped at t = %g s after frame %" PRId64, tl_world_time(r->world), r->frame);
}

/* The newest warning ends a strict run. What was done is kept: whoever is not afraid may go on. */
static tl_status check_warnings(const run *r, tl_error *error) {
    tl_warning found[TL_MOST_WARNINGS];
    if (!r->options->strict || tl_world_warnings(r->world, NULL, 0) <= r->warnings)
        return TL_OK;
    const size_t count = tl_world_warnings(r->world, found, TL_MOST_WARNINGS);
    size_t newest = 0;
    for (size_t i = 1; i < count; i++)
        newest = found[i].first_time > found[newest].first_time ? i : newest;
    const tl_run_snapshot at = {.frame = r->frame, .step = tl_world_steps(r->world)};
    TL_TRY(save(r, &at, error));
    return tl_fail(error, TL_DOUBTED, r->folder.path, "without --strict a run goes on",
                   "%s at %.4g s: %s", found[newest].code, found[newest].first_time,
                   found[newest].message);
}

static tl_status step_to(run *r, double time, tl_error *error) {
    tl_world_set_stop(r->world, time);
    while (tl_world_time(r->world) < time) {
        if (should_stop(r))
            return interrupt(r, error);
        tl_step_report step;
        TL_TRY(tl_steering_replay(&r->steering, r->world, error));
        const double before = tl_now();
        TL_TRY(tl_world_step(r->world, &step, error));
        r->step_time += tl_now() - before;
        r->updates += (double)tl_world_count(r->world);
        r->rejected += (uint64_t)step.rejected;
        r->dt = step.dt;
        report(r, false);
        if (tl_world_time(r->world) < time && measures_due(r, step.dt))
            TL_TRY(write_measures(r, r->frame, error));
        TL_TRY(check_warnings(r, error));
    }
    return TL_OK;
}

static tl_status loop(run *r, tl_error *error) {
    if (r->frame < 0)
        TL_TRY(write_frame(r, error));
    while (r->frame < r->last_frame) {
        TL_TRY(step_to(r, frame_time(r, r->frame + 1), error));
        TL_TRY(write_frame(r, error));
    }
    return TL_OK;
}

/* ---- The end ------------------------------------------------------------------------------- */

/* A film that cannot be made, for want of ffmpeg, does not spoil the run. */
static bool make_film(run *r) {
    const tl_run_options *options = r->options;
    tl_error error;
    if (!r->picture)
        return true;
    if (tl_run_poster(r->folder.path, r->scene, r->frame, options->threads, &error) != TL_OK)
        tl_log_message(&r->log, TL_LOG_WARNING, "no poster: %s", error.what);
    if (tl_picture_worker_wait(r->worker, &error) == TL_OK &&
        tl_run_redraw(r->folder.path, r->picture, r->frame, options->should_stop, options->context,
                      &error) == TL_OK &&
        tl_run_film(r->folder.path, r->scene, &r->log, &error) == TL_OK)
        return true;
    if (!should_stop(r)) /* Ctrl-C ends ffmpeg too */
        tl_log_message(&r->log, TL_LOG_WARNING, "no film: %s%s%s", error.what,
                       *error.fix ? "; " : "", error.fix);
    return false;
}

/* Only of a run that is finished, and has its film: until then a resume goes on with them. */
static void drop_pictures(const run *r) {
    char film[TL_RUN_PATH];
    tl_error error;
    if (tl_run_drops_pictures(r->scene) &&
        tl_file_exists(tl_run_film_path(r->folder.path, r->scene, film)) &&
        tl_run_folder_drop_pictures(r->folder.path, &error) != TL_OK)
        tl_log_message(&r->log, TL_LOG_WARNING, "the pictures stay: %s", error.what);
}

/* The sheet of plots alone: the others are there when asked for (`tallow plot`). A run that
 * diverged is one to look at; on a full disk there is no room for a plot. */
static void draw_plots(run *r, tl_status status) {
    char table[TL_RUN_PATH], plots[TL_RUN_PATH];
    tl_error error;
    if (!r->scene->output.plots || r->frame < 0 ||
        (status != TL_OK && status != TL_DIVERGED && status != TL_DOUBTED))
        return;
    tl_run_path(r->folder.path, table, "ledger.csv");
    tl_run_path(r->folder.path, plots, "plots");
    tl_plot_options options = {.title = r->scene->title ? r->scene->title : "Untitled",
                               .only_overview = true,
                               .threads = r->options->threads};
    tl_status drawn = tl_plot_ledger(table, plots, &options, &error);
    options.overview = "measures";
    if (drawn == TL_OK && r->measures.count > 0)
        drawn = tl_plot_ledger(tl_run_path(r->folder.path, table, "measures.csv"), plots, &options,
                               &error);
    if (drawn != TL_OK)
        tl_log_message(&r->log, TL_LOG_WARNING, "no plots: %s", error.what);
}

static tl_status end(run *r, tl_status status, tl_run_result *result, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_run_path(r->folder.path, path, "result.json");
    draw_plots(r, status);
    if (status == TL_OK && !make_film(r) && should_stop(r))
        status =
            tl_fail(error, TL_INTERRUPTED, r->folder.path, NULL, "stopped while the film was made");
    summarize(r, result);
    result->state = status == TL_INTERRUPTED       ? TL_RUN_INTERRUPTED
                    : status != TL_OK              ? TL_RUN_FAILED
                    : r->last_frame < r->end_frame ? TL_RUN_STOPPED
                                                   : TL_RUN_FINISHED;
    if (status != TL_OK && error) {
        snprintf(result->message, sizeof result->message, "%s", error->what);
        tl_log_message(&r->log, status == TL_INTERRUPTED ? TL_LOG_INFO : TL_LOG_ERROR, "%s%s%s",
                       error->where, *error->where ? ": " : "", error->what);
    }
    tl_log_message(&r->log, TL_LOG_INFO,
                   "%s: frame %" PRId64 ", step %" PRIu64 ", hash %016" PRIx64,
                   tl_run_state_name(result->state), result->frame, result->steps, result->hash);
    /* The first failure is the one to tell of. */
    const tl_status written = tl_run_result_write(path, result, status == TL_OK ? error : NULL);
    if (result->state == TL_RUN_FINISHED && written == TL_OK)
        drop_pictures(r);
    return status == TL_OK ? written : status;
}

/* ---- The beginning ------------------------------------------------------------------------- */

/* How a change of a parameter is told in log.txt and at the head of run.yaml. */
#define TL_RUN_CHANGE "from t = %g s on: %s"

static bool is_change(const char *override) {
    return strncmp(override, "output.", 7) != 0 && strncmp(override, "duration=", 9) != 0;
}

/* What has changed on the way, from the file as it was, and what changes now. Where a run ends is
 * no part of what it is. */
static void list_changes(const run *r, const char *path, tl_text *out) {
    char *before = NULL;
    size_t size;
    if (tl_file_exists(path) && tl_file_read(path, (size_t)1 << 30, &before, &size, NULL) == TL_OK)
        for (const char *line = before; *line == '#'; line = strchr(line, '\n') + 1) {
            const char *end = strchr(line, '\n');
            if (!end)
                break;
            if (strncmp(line, "# from ", 7) == 0)
                tl_text_print(out, "%.*s\n", (int)(end - line), line);
        }
    free(before);
    for (size_t i = 0; i < r->options->override_count; i++)
        if (is_change(r->options->overrides[i]))
            tl_text_print(out, "# " TL_RUN_CHANGE "\n", tl_world_time(r->world),
                          r->options->overrides[i]);
}

/* The scheme, and the form of viscosity, that were chosen stand in the place of `automatic`: a run
 * that is made longer goes on with it, whatever would be chosen then. */
static tl_status write_scene(const run *r, tl_error *error) {
    char path[TL_RUN_PATH], *text;
    const tl_choice *choice = tl_world_choice(r->world);
    tl_scene used = *r->scene;
    tl_text reasons = {0}, changes = {0};
    tl_file file;
    tl_run_path(r->folder.path, path, "run.yaml");
    list_changes(r, path, &changes);
    if (choice->taken != TL_SCHEME_NONE)
        used.flow.scheme = choice->taken;
    used.flow.viscosity = tl_world_definition(r->world)->flow.viscosity;
    TL_TRY(tl_scene_write(&used, &text, error));
    tl_choice_explain(choice, TL_RUN_REASON, &reasons);
    tl_status status = tl_file_begin(&file, path, error);
    if (status == TL_OK) {
        fprintf(file.stream,
                "# The scene of this run, every parameter as used. Made by tallow %s.\n"
                "# `tallow run` of this file gives the same run again%s.\n%s%s%s",
                tl_version(), changes.bytes ? ", but for what changed on the way" : "",
                reasons.bytes ? reasons.bytes : "", changes.bytes ? changes.bytes : "", text);
        status = tl_file_commit(&file, error);
    }
    free(text);
    free(reasons.bytes);
    free(changes.bytes);
    return status;
}

static tl_status prepare(run *r, tl_error *error) {
    tl_picture_options options = tl_picture_options_of(r->scene);
    tl_frame view;
    r->began_at = tl_world_time(r->world);
    r->warnings = tl_world_warnings(r->world, NULL, 0);
    TL_TRY(tl_measures_make(r->scene->measures.items, r->scene->measures.count, r->world,
                            &r->measures, error));
    if (!r->scene->output.film)
        return TL_OK;
    options.threads = r->options->threads;
    TL_TRY(tl_picture_create(r->scene, &options, &r->picture, error));
    tl_view_world(r->world, &view);
    TL_TRY(tl_picture_check(r->picture, &view, error));
    return tl_picture_worker_start(r->picture, &r->worker, error);
}

static void log_beginning(const run *r) {
    tl_log_message(&r->log, TL_LOG_INFO, "%s: %zu particles, %" PRId64 " frames, from t = %g s",
                   r->scene->title ? r->scene->title : "untitled", tl_world_count(r->world),
                   r->end_frame, r->began_at);
    tl_text reasons = {0};
    tl_choice_explain(tl_world_choice(r->world), "", &reasons);
    for (char *line = reasons.bytes, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        tl_log_message(&r->log, TL_LOG_INFO, "%s", line);
    }
    free(reasons.bytes);
}

static void clean_up(run *r) {
    tl_picture_worker_stop(r->worker);
    tl_picture_destroy(r->picture);
    tl_surface_free(&r->surface);
    tl_measures_free(&r->measures);
    tl_world_destroy(r->world);
    tl_steering_free(&r->steering);
    tl_pvd_free(&r->list);
    tl_run_folder_release(&r->folder);
}

/* Reads the record of what is told the world, if there is one. */
static tl_status begin_steering(run *r, const char *record, const char *scene,
                                const tl_scene_options *options, tl_error *error) {
    r->is_steered = record && tl_file_exists(record);
    if (!r->is_steered)
        return TL_OK;
    r->steering = tl_steering_begin(scene, options);
    return tl_steering_read(&r->steering, record, error);
}

/* So that the run can go on by itself. */
static tl_status keep_record(const run *r, tl_error *error) {
    char path[TL_RUN_PATH];
    return r->is_steered
               ? tl_steering_write(&r->steering, tl_run_path(r->folder.path, path, "steering.txt"),
                                   error)
               : TL_OK;
}

/* All that can be wrong with a scene shows before the folder is touched. */
static tl_status start(run *r, tl_error *error) {
    const tl_run_options *o = r->options;
    if (o->replay && !tl_file_exists(o->replay))
        return tl_fail(error, TL_BAD_INPUT, o->replay, "`tallow live` writes such files",
                       "there is no such file");
    TL_TRY(begin_steering(r, o->replay, o->scene_path, &o->scene_options, error));
    const tl_world_options options = world_options(r);
    if (!r->options->force)
        TL_TRY(tl_run_folder_check(r->options->folder, error));
    TL_TRY(tl_world_create(r->scene, &options, &r->world, error));
    TL_TRY(prepare(r, error));
    return tl_run_folder_take(&r->folder, r->options->folder, r->options->force, error);
}

tl_status tl_run_start(const tl_scene *scene, const tl_run_options *options, tl_run_result *result,
                       tl_error *error) {
    run r = begin(scene, options);
    *result = (tl_run_result){0};
    plan(&r);
    tl_status status = start(&r, error);
    if (status == TL_OK) {
        log_beginning(&r);
        status = write_scene(&r, error);
        if (status == TL_OK)
            status = keep_record(&r, error);
        if (status == TL_OK)
            status = loop(&r, error);
        status = end(&r, status, result, error);
    }
    clean_up(&r);
    return status;
}

/* Loads the newest snapshot that can be read; a damaged one gives way to the one before. */
static tl_status load_newest(run *r, tl_run_snapshot *at, tl_error *error) {
    const tl_world_options options = world_options(r);
    tl_run_snapshot *list;
    size_t count;
    tl_status status = tl_run_snapshots(r->folder.path, &list, &count, error);
    *at = (tl_run_snapshot){.frame = -1};
    size_t left = count;
    for (; status == TL_OK && left > 0 && !r->world; left--) {
        char path[TL_RUN_PATH];
        *at = list[left - 1];
        status = tl_world_load(r->scene, &options, tl_run_snapshot_path(r->folder.path, at, path),
                               &r->world, error);
        if (left > 1 && (status == TL_BAD_INPUT || status == TL_IO_FAILED)) {
            tl_log_message(&r->log, TL_LOG_WARNING, "skipping snapshot %s: %s", path,
                           error ? error->what : tl_status_name(status));
            status = TL_OK;
        }
    }
    tl_array_free(list);
    /* Killed before its first snapshot: from the beginning. */
    if (status == TL_OK && count == 0)
        status = tl_world_create(r->scene, &options, &r->world, error);
    return status;
}

/* The frames that stay, and what was spent on them. */
static tl_status rewind_to(run *r, const tl_run_snapshot *at, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_books_row *rows;
    size_t count;
    tl_ledger ledger;
    TL_TRY(tl_run_folder_rewind(&r->folder, at, error));
    tl_run_path(r->folder.path, path, "ledger.csv");
    TL_TRY(tl_books_rewind(path, at->frame, &r->wall_before, error));
    TL_TRY(tl_books_read(path, &rows, &count, error));
    tl_run_path(r->folder.path, path, "measures.csv");
    TL_TRY(tl_measures_rewind(path, &r->measures,
                              at->frame < 0 ? -HUGE_VAL : tl_world_time(r->world), error));
    r->frame = at->frame;
    tl_status status = TL_OK;
    for (size_t i = 0; status == TL_OK && i < count; i++)
        status = list_frame(r, rows[i].frame, rows[i].ledger.time, error);
    tl_array_free(rows);
    tl_world_ledger(r->world, &ledger);
    r->rejected = (uint64_t)ledger.rejected;
    if (status == TL_OK && r->scene->output.frames)
        status = tl_pvd_write(tl_run_path(r->folder.path, path, "frames.pvd"), &r->list, error);
    return status;
}

/* A run that stopped where it was told to, or has come farther, goes on to the end. What its result
 * says counts, even if it goes on from an earlier snapshot. */
static void plan_further(run *r, const tl_run_snapshot *at) {
    char path[TL_RUN_PATH];
    tl_run_result before;
    tl_run_path(r->folder.path, path, "result.json");
    const bool stopped = tl_run_result_read(path, &before, NULL) == TL_OK &&
                         before.state == TL_RUN_STOPPED && before.frame >= r->last_frame;
    const bool beyond = at->frame > r->last_frame || (at->frame == r->last_frame && at->step > 0);
    if (r->options->last_frame == 0 && (stopped || beyond))
        r->last_frame = r->end_frame;
}

static tl_status go_on(run *r, const tl_run_snapshot *at, tl_error *error) {
    if (r->options->override_count > 0)
        TL_TRY(write_scene(r, error));
    for (size_t i = 0; i < r->options->override_count; i++)
        if (is_change(r->options->overrides[i]))
            tl_log_message(&r->log, TL_LOG_INFO, TL_RUN_CHANGE, tl_world_time(r->world),
                           r->options->overrides[i]);
    plan_further(r, at);
    TL_TRY(rewind_to(r, at, error));
    log_beginning(r);
    return loop(r, error);
}

/* A run that cannot go on leaves the folder as it was. */
static tl_status resume(run *r, tl_run_result *result, tl_error *error) {
    char record[TL_RUN_PATH], scene[TL_RUN_PATH];
    tl_run_snapshot at;
    const tl_scene_options options = {.overrides = r->options->overrides,
                                      .override_count = r->options->override_count};
    tl_run_path(r->folder.path, record, "steering.txt");
    tl_run_path(r->folder.path, scene, "run.yaml");
    TL_TRY(begin_steering(r, record, scene, &options, error));
    TL_TRY(load_newest(r, &at, error));
    if (r->is_steered)
        TL_TRY(tl_steering_return(&r->steering, r->world,
                                  tl_steering_before(&r->steering, tl_world_steps(r->world)),
                                  error));
    TL_TRY(prepare(r, error));
    return end(r, go_on(r, &at, error), result, error);
}

/* True when the folder has all that the run was to make; *result is then what it was. */
static bool is_done(const run *r, tl_run_result *result) {
    char path[TL_RUN_PATH];
    if (r->scene->output.film && !tl_file_exists(tl_run_film_path(r->folder.path, r->scene, path)))
        return false;
    tl_run_path(r->folder.path, path, "result.json");
    const bool to_the_end = r->options->last_frame == 0 || r->last_frame == r->end_frame;
    if (to_the_end && tl_run_result_read(path, result, NULL) == TL_OK &&
        result->state == TL_RUN_FINISHED && result->frame_count == r->end_frame &&
        result->duration == r->scene->duration)
        return true;
    *result = (tl_run_result){0};
    return false;
}

/* Only what the state does not depend on may change: each override by itself, so that the one at
 * fault can be named. Errors of a scene are told when it is loaded with all of them. */
static tl_status check_changes(const run *r, const char *path, tl_error *error) {
    const tl_run_options *o = r->options;
    tl_scene *before = NULL;
    if (o->override_count == 0 || tl_scene_load_file(path, NULL, &before, NULL) != TL_OK)
        return TL_OK;
    const uint64_t hash = tl_scene_hash(before);
    tl_status status = TL_OK;
    for (size_t i = 0; i < o->override_count && status == TL_OK; i++) {
        const tl_scene_options one = {.overrides = &o->overrides[i], .override_count = 1};
        tl_scene *changed = NULL;
        if (tl_scene_load_file(path, &one, &changed, NULL) == TL_OK &&
            tl_scene_hash(changed) != hash)
            status = tl_fail(error, TL_BAD_INPUT, "--set",
                             "`tallow help resume` lists what can; for all else start a new run",
                             "%.*s cannot change in the middle of a run",
                             (int)strcspn(o->overrides[i], "="), o->overrides[i]);
        tl_scene_destroy(changed);
    }
    tl_scene_destroy(before);
    return status;
}

tl_status tl_run_resume(const tl_run_options *options, tl_run_result *result, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_scene *scene = NULL;
    tl_error spare = {0}; /* reasons are needed for the log even if the caller wants none */
    error = error ? error : &spare;
    *result = (tl_run_result){0};
    run r = begin(NULL, options);
    TL_TRY(tl_run_folder_reopen(&r.folder, options->folder, error));
    const tl_scene_options scene_options = {.overrides = options->overrides,
                                            .override_count = options->override_count,
                                            .diagnostics = options->diagnostics};
    tl_status status = tl_scene_load_file(tl_run_path(options->folder, path, "run.yaml"),
                                          &scene_options, &scene, error);
    if (status == TL_OK)
        status = check_changes(&r, path, error);
    if (status == TL_OK) {
        r.scene = scene;
        plan(&r);
        if (is_done(&r, result))
            drop_pictures(&r); /* it may have been killed just before */
        else
            status = resume(&r, result, error);
    }
    clean_up(&r);
    tl_scene_destroy(scene);
    return status;
}
