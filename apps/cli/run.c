/* `tallow run` and `tallow resume`. */
#include "run/run.h"
#include "command.h"
#include "run/folder.h"
#include "scene_of.h"
#include "terminal.h"

#include "base/file.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* How often the user asked to stop. The one global: signal handlers have no context. */
static volatile sig_atomic_t stop_requests;

static void request_stop(int signal_number) {
    (void)signal_number;
    if (stop_requests++ > 0)
        _exit(CLI_INTERRUPTED);
}

static void catch_signals(void) {
    struct sigaction action = {.sa_handler = request_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool stop_is_requested(void *context) {
    (void)context;
    return stop_requests > 0;
}

static void show(void *context, const tl_run_progress *now) { cli_progress_show(context, now); }

/* Warnings come between redraws of the bar. */
static void show_message(void *context, tl_log_level level, const char *message) {
    cli_progress *progress = context;
    const cli_style style = cli_style_of(stderr);
    cli_progress_hide(progress);
    if (level == TL_LOG_WARNING)
        fprintf(stderr, "%swarning:%s %s\n", style.yellow, style.reset, message);
}

/* ---- The closing words --------------------------------------------------------------------- */

static void print_contents(const char *folder) {
    static const struct {
        const char *name, *doc;
    } files[] = {
        {"film.mp4", "the film"},
        {"film.webm", "the film"},
        {"film.gif", "the film"},
        {"poster.png", "one picture of it"},
        {"frames.pvd", "all frames, for ParaView"},
        {"surface/00000.ply", "the surface as a mesh, one a frame"},
        {"plots/overview.svg", "mass, momentum, energy and steps over time"},
        {"ledger.csv", "the same as numbers, one row a frame"},
        {"measures.csv", "what the scene measures, as numbers"},
        {"run.yaml", "every parameter as used"},
        {"log.txt", "what happened"},
    };
    const cli_style style = cli_style_of(stdout);
    char path[TL_RUN_PATH];
    printf("%s%s/%s\n", style.bold, folder, style.reset);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (tl_file_exists(tl_run_path(folder, path, "%s", files[i].name)))
            printf("  %-20s%s\n", files[i].name, files[i].doc);
}

static void print_summary(const char *folder, const tl_run_result *result) {
    char clock[CLI_SHORT], particles[CLI_SHORT], speed[CLI_SHORT];
    printf("%s: frame %" PRId64 " of %" PRId64 ", t = %g s, %" PRIu64 " steps of %s particles"
           " in %s",
           tl_run_state_name(result->state), result->frame, result->frame_count, result->time,
           result->steps, cli_count((double)result->particles, particles),
           cli_clock(result->wall_time, clock));
    if (result->updates_per_second > 0)
        printf(" (%s updates/s)", cli_count(result->updates_per_second, speed));
    printf("\nhash %016" PRIx64 "\n", result->hash);
    print_contents(folder);
}

static void print_end_object(const char *folder, const tl_run_result *result) {
    printf("{\"event\": \"end\", \"state\": \"%s\", \"folder\": ",
           tl_run_state_name(result->state));
    cli_print_json(stdout, folder);
    printf(", \"frame\": %" PRId64 ", \"frames\": %" PRId64 ", \"time\": %.9g, \"steps\": %" PRIu64
           ", \"rejected\": %" PRIu64 ", \"particles\": %" PRIu64 ", \"hash\": \"%016" PRIx64
           "\", \"wall_time\": %.3f, \"updates_per_second\": %.6g, \"message\": ",
           result->frame, result->frame_count, result->time, result->steps, result->rejected,
           result->particles, result->hash, result->wall_time, result->updates_per_second);
    cli_print_json(stdout, result->message);
    printf("}\n");
}

/* Says how it ended and returns the exit code. */
static int conclude(const cli_arguments *arguments, const char *folder, tl_status status,
                    const tl_run_result *result, const tl_error *error) {
    const bool has_begun = result->state != TL_RUN_UNKNOWN;
    if (cli_has(arguments, "json") && has_begun)
        print_end_object(folder, result);
    else if (!cli_has(arguments, "quiet") && has_begun && status == TL_OK)
        print_summary(folder, result);
    fflush(stdout);
    if (status == TL_INTERRUPTED)
        fprintf(stderr, "interrupted: %s\n", error->what);
    else if (status != TL_OK)
        cli_complain_error(error);
    if (status != TL_OK && status != TL_INTERRUPTED && result->steps > 0)
        fprintf(stderr, "  it got to frame %" PRId64 " of %" PRId64 ", t = %g s\n", result->frame,
                result->frame_count, result->time);
    if (result->state == TL_RUN_STOPPED && !cli_has(arguments, "quiet"))
        fprintf(stderr, "to go on: tallow resume %s\n", folder);
    else if (has_begun &&
             (status == TL_INTERRUPTED || status == TL_IO_FAILED || status == TL_DOUBTED))
        fprintf(stderr, "to go on: tallow resume %s\n", folder);
    return cli_exit_code(status);
}

/* ---- The commands -------------------------------------------------------------------------- */

/* Options that both commands have. */
static bool fill_options(const cli_arguments *arguments, cli_progress *progress,
                         tl_run_options *out) {
    int64_t threads;
    *progress = cli_progress_begin(cli_has(arguments, "quiet"), cli_has(arguments, "json"));
    *out = (tl_run_options){
        .log = {.write = show_message, .context = progress, .level = TL_LOG_WARNING},
        .progress = show,
        .should_stop = stop_is_requested,
        .context = progress};
    if (!cli_integer(arguments, "threads", 1, 4096, 0, &threads) ||
        !cli_integer(arguments, "frames", 1, INT32_MAX, 0, &out->last_frame))
        return false;
    out->threads = (int)threads;
    out->strict = cli_has(arguments, "strict");
    return true;
}

/* Findings of a scene that does not load, or its warnings. A scene that is not there, or has more
 * wrong with it than a place can tell, has no findings: then the error speaks. */
static int complain_of_scene(const tl_diagnostics *findings, tl_status status,
                             const tl_error *error) {
    if (findings->count > 0)
        cli_print_findings(stderr, findings);
    if (findings->error_count == 0)
        cli_complain_error(error);
    return status == TL_NO_MEMORY ? CLI_FAILED : CLI_BAD_INPUT;
}

int cli_run(const cli_arguments *arguments) {
    char folder[TL_RUN_PATH];
    cli_progress progress;
    tl_run_options options;
    tl_diagnostics findings = {0};
    tl_scene *scene;
    tl_error error = {0};
    if (!fill_options(arguments, &progress, &options))
        return CLI_BAD_INPUT;
    cli_default_folder(arguments->words[0], folder, sizeof folder);
    options.folder = cli_value(arguments, "output") ? cli_value(arguments, "output") : folder;
    options.force = cli_has(arguments, "force");
    options.replay = cli_value(arguments, "replay");
    options.scene_path = arguments->words[0];
    char **overrides = cli_overrides(arguments, &options.scene_options.override_count);
    if (!overrides) {
        cli_complain("no memory for the command line");
        return CLI_FAILED;
    }
    options.scene_options.overrides = (const char *const *)overrides;

    int code;
    tl_status status = cli_load_scene(arguments, &findings, &scene, &error);
    if (status != TL_OK) {
        code = complain_of_scene(&findings, status, &error);
    } else {
        tl_run_result result;
        if (!cli_has(arguments, "quiet"))
            cli_print_findings(stderr, &findings);
        catch_signals();
        status = tl_run_start(scene, &options, &result, &error);
        cli_progress_hide(&progress);
        code = conclude(arguments, options.folder, status, &result, &error);
        tl_scene_destroy(scene);
    }
    cli_overrides_free(overrides);
    tl_diagnostics_clear(&findings);
    return code;
}

int cli_resume(const cli_arguments *arguments) {
    char folder[TL_RUN_PATH];
    cli_progress progress;
    tl_run_options options;
    tl_run_result result;
    tl_diagnostics findings = {0};
    tl_error error = {0};
    if (!fill_options(arguments, &progress, &options))
        return CLI_BAD_INPUT;
    snprintf(folder, sizeof folder, "%s", arguments->words[0]);
    for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--)
        folder[end - 1] = 0;
    char **overrides = cli_overrides(arguments, &options.override_count);
    if (!overrides) {
        cli_complain("no memory for the command line");
        return CLI_FAILED;
    }
    options.folder = folder;
    options.overrides = (const char *const *)overrides;
    options.diagnostics = &findings;
    catch_signals();
    const tl_status status = tl_run_resume(&options, &result, &error);
    cli_progress_hide(&progress);
    int code;
    if (findings.error_count > 0)
        code = complain_of_scene(&findings, status, &error);
    else
        code = conclude(arguments, folder, status, &result, &error);
    cli_overrides_free(overrides);
    tl_diagnostics_clear(&findings);
    return code;
}
