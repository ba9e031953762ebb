/* `tallow check`: every finding of a scene, and what it would take. */
#include "base/parallel.h"
#include "base/text.h"
#include "command.h"
#include "scene/scene.h"
#include "scene_of.h"
#include "terminal.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a run would take. Numbers of steps and seconds are estimates, and 0 where there is none. */
typedef struct effort {
    tl_choice choice;
    double particles; /* at the start */
    double emitted;   /* more, until the end */
    double bytes, steps, seconds;
    int threads;
} effort;

/* Exchanging heat takes this part of a step on top, more or less (docs/performance.md). */
static const double heat_part = 0.3;

static void print_finding_object(const tl_diagnostic *finding, bool is_last) {
    printf("    {\"kind\": \"%s\", \"file\": ", finding->is_warning ? "warning" : "error");
    cli_print_json(stdout, finding->file);
    printf(", \"line\": %d, \"column\": %d, \"what\": ", finding->line, finding->column);
    cli_print_json(stdout, finding->what);
    printf(", \"hint\": ");
    cli_print_json(stdout, finding->hint);
    printf("}%s\n", is_last ? "" : ",");
}

static void print_effort_object(const effort *e) {
    printf(",\n  \"expected\": {\"scheme\": \"%s\", \"particles\": %.0f, \"emitted\": %.0f, "
           "\"bytes\": %.0f, \"steps\": %.0f, \"seconds\": %.3g, \"threads\": %d}",
           tl_scheme_names[e->choice.taken], e->particles, e->emitted, e->bytes, e->steps,
           e->seconds, e->threads);
}

static void print_object(const tl_diagnostics *findings, const tl_error *error, bool is_good,
                         const effort *e) {
    printf("{\n  \"good\": %s,\n  \"findings\": [\n", is_good ? "true" : "false");
    for (size_t i = 0; i < findings->count; i++)
        print_finding_object(&findings->items[i], i + 1 == findings->count);
    /* What has no place in the scene, such as a file that is not there, is a finding too. */
    if (!is_good && findings->error_count == 0) {
        tl_diagnostic whole = {0};
        snprintf(whole.file, sizeof whole.file, "%s", error->where);
        snprintf(whole.what, sizeof whole.what, "%.383s", error->what);
        snprintf(whole.hint, sizeof whole.hint, "%s", error->fix);
        print_finding_object(&whole, true);
    }
    printf("  ]");
    if (is_good)
        print_effort_object(e);
    printf("\n}\n");
}

static void print_scene(const char *name, const tl_scene *scene) {
    const cli_style style = cli_style_of(stdout);
    printf("%s%s%s: %sgood%s", style.bold, name, style.reset, style.green, style.reset);
    if (scene->title && *scene->title)
        printf(": %s", scene->title);
    printf(
        "\n  %zu bodies, %zu emitters, %zu walls, %zu materials; spacing %g m, %g s at %g frames "
        "a second\n",
        scene->bodies.count, scene->emitters.count, scene->walls.count, scene->materials.count,
        scene->spacing, scene->duration, scene->frame_rate);
}

static void print_effort(const effort *e) {
    char number[CLI_SHORT];
    tl_text reasons = {0};
    printf("  particles: %s", cli_count(e->particles, number));
    if (e->emitted >= 1)
        printf(", and %s from emitters", cli_count(e->emitted, number));
    printf("\n  memory: %s\n", cli_bytes(e->bytes, number));
    tl_choice_explain(&e->choice, "  ", &reasons);
    printf("%s", reasons.bytes ? reasons.bytes : "");
    free(reasons.bytes);
    if (e->seconds > 0)
        printf(
            "  time: some %s on %d thread%s, without pictures; steps and time are estimates, good "
            "to a factor of three or so\n",
            cli_clock(e->seconds, number), e->threads, e->threads == 1 ? "" : "s");
}

static effort estimate(const tl_scene *scene, const tl_world *world) {
    effort e = {.choice = *tl_world_choice(world),
                .particles = (double)tl_world_count(world),
                .emitted = tl_scene_emitted(scene),
                .threads = tl_parallel_create(0).threads};
    const tl_scheme_cost cost = tl_choice_cost(&e.choice);
    tl_flow_params flow = scene->flow;
    flow.scheme = e.choice.taken;
    const size_t most = (size_t)(e.particles + e.emitted);
    e.bytes = fmax((double)tl_world_bytes(world),
                   (double)tl_world_bytes_needed(most, &flow, scene->has_heat));
    e.steps = cost.steps;
    e.seconds = cost.seconds * (e.particles + 0.5 * e.emitted) *
                (1 + (scene->has_heat ? heat_part : 0)) / e.threads;
    return e;
}

/* What only shows when the bodies are filled: overlaps, too many particles for the memory. */
static tl_status try_to_build(const tl_scene *scene, effort *out, tl_error *error) {
    tl_world *world;
    TL_TRY(tl_world_create(scene, NULL, &world, error));
    *out = estimate(scene, world);
    tl_world_destroy(world);
    return TL_OK;
}

int cli_check(const cli_arguments *arguments) {
    tl_diagnostics findings = {0};
    tl_scene *scene;
    tl_error error = {0};
    effort expected = {0};
    tl_status status = cli_load_scene(arguments, &findings, &scene, &error);
    if (status == TL_OK)
        status = try_to_build(scene, &expected, &error);
    if (cli_has(arguments, "json")) {
        print_object(&findings, &error, status == TL_OK, &expected);
    } else {
        cli_print_findings(stderr, &findings);
        if (status != TL_OK && findings.error_count == 0)
            cli_complain_error(&error);
        else if (status == TL_OK && !cli_has(arguments, "quiet")) {
            print_scene(arguments->words[0], scene);
            print_effort(&expected);
        }
    }
    tl_scene_destroy(scene);
    tl_diagnostics_clear(&findings);
    return status == TL_OK ? CLI_DONE : CLI_BAD_INPUT;
}
