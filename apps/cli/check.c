/* `tallow check`: every finding of a scene. */
#include "base/text.h"
#include "command.h"
#include "scene/scene.h"
#include "scene_of.h"
#include "terminal.h"

#include <string.h>

static void print_finding_object(const tl_diagnostic *finding, bool is_last) {
    printf("    {\"kind\": \"%s\", \"file\": ", finding->is_warning ? "warning" : "error");
    cli_print_json(stdout, finding->file);
    printf(", \"line\": %d, \"column\": %d, \"what\": ", finding->line, finding->column);
    cli_print_json(stdout, finding->what);
    printf(", \"hint\": ");
    cli_print_json(stdout, finding->hint);
    printf("}%s\n", is_last ? "" : ",");
}

static void print_object(const tl_diagnostics *findings, const tl_error *error, bool is_good) {
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
    printf("  ]\n}\n");
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

/* What only shows when the bodies are filled: overlaps, too many particles for the memory. */
static tl_status try_to_build(const tl_scene *scene, tl_error *error) {
    tl_world *world;
    TL_TRY(tl_world_create(scene, NULL, &world, error));
    tl_world_destroy(world);
    return TL_OK;
}

int cli_check(const cli_arguments *arguments) {
    tl_diagnostics findings = {0};
    tl_scene *scene;
    tl_error error = {0};
    tl_status status = cli_load_scene(arguments, &findings, &scene, &error);
    if (status == TL_OK)
        status = try_to_build(scene, &error);
    if (cli_has(arguments, "json")) {
        print_object(&findings, &error, status == TL_OK);
    } else {
        cli_print_findings(stderr, &findings);
        if (status != TL_OK && findings.error_count == 0)
            cli_complain_error(&error);
        else if (status == TL_OK && !cli_has(arguments, "quiet"))
            print_scene(arguments->words[0], scene);
    }
    tl_scene_destroy(scene);
    tl_diagnostics_clear(&findings);
    return status == TL_OK ? CLI_DONE : CLI_BAD_INPUT;
}
