/* Loading scenes: text → tree → overrides → library → struct → checks. See scene.h. */
#include "scene/scene.h"

#include "base/file.h"
#include "scene/check.h"
#include "scene/data.h"
#include "scene/forms.h"
#include "scene/library.h"
#include "scene/schema.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers in files have a decimal point, whatever the language of the program: the thread is put
 * into the C locale for the time of a call. */
typedef struct c_numbers {
    locale_t ours, before;
} c_numbers;

static c_numbers begin_c_numbers(void) {
    c_numbers guard = {.ours = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (guard.ours)
        guard.before = uselocale(guard.ours);
    return guard;
}

static void end_c_numbers(c_numbers guard) {
    if (!guard.ours)
        return;
    uselocale(guard.before);
    freelocale(guard.ours);
}

/* Elements without a name get one: PREFIX-1, PREFIX-2 ... */
static bool name_elements(tl_arena *arena, const tl_param_list *list, size_t size,
                          const char *prefix) {
    for (size_t i = 0; i < list->count; i++) {
        char **name = (char **)(void *)((char *)list->items + i * size);
        char made[40];
        snprintf(made, sizeof made, "%s-%zu", prefix, i + 1);
        if (!*name && !(*name = tl_arena_text(arena, made, strlen(made))))
            return false;
    }
    return true;
}

/* An override of a library material that the scene does not define changes the library's. */
static const tl_yaml_node *adopt_for(tl_arena *trees, const tl_yaml_node *root,
                                     const char *override) {
    static const char prefix[] = "materials.";
    char name[TL_YAML_MAX_KEY];
    if (strncmp(override, prefix, sizeof prefix - 1) != 0)
        return root;
    const char *start = override + sizeof prefix - 1;
    const size_t length = strcspn(start, ".=");
    if (start[length] != '.' || length >= sizeof name)
        return root;
    memcpy(name, start, length);
    name[length] = 0;
    return tl_library_adopt(trees, root, name, NULL);
}

/* The complete tree of a scene; *out stays NULL after an error that leaves none. */
static tl_status read_tree(tl_arena *trees, tl_report *report, const tl_yaml_source *source,
                           const tl_scene_options *options, const tl_yaml_node **out) {
    tl_yaml_problem problem;
    const tl_yaml_node *root;
    const tl_status status = tl_yaml_parse(trees, source, &root, &problem);
    if (status == TL_BAD_INPUT) {
        tl_report_yaml(report, source, &problem);
        return TL_OK;
    }
    if (status != TL_OK)
        return status;
    if (tl_yaml_is_null(root)) {
        const tl_yaml_node start = {.source = source, .line = 1, .column = 1};
        root = tl_yaml_mapping(trees, &start);
    } else if (root->kind != TL_YAML_MAPPING) {
        tl_report_error(report, root, "begin with spacing: 1 cm",
                        "a scene is a mapping from keys to values");
        return TL_OK;
    }
    for (size_t i = 0; root && i < options->override_count; i++) {
        root = adopt_for(trees, root, options->overrides[i]);
        if (root)
            root = tl_override_apply(trees, report, root, options->overrides[i]);
    }
    *out = root ? tl_library_resolve(trees, report, root) : NULL;
    return *out ? TL_OK : TL_NO_MEMORY;
}

static tl_status fill_scene(tl_scene *scene, tl_report *report, const tl_yaml_node *root) {
    tl_arena arena = {0};
    bool good = tl_schema_bind(&arena, report, &tl_scene_table, root, scene);
    good = good && name_elements(&arena, &scene->bodies, sizeof(tl_body_def), "body") &&
           name_elements(&arena, &scene->walls, sizeof(tl_wall_def), "wall") &&
           name_elements(&arena, &scene->sources, sizeof(tl_source_def), "source") &&
           name_elements(&arena, &scene->emitters, sizeof(tl_emitter_def), "emitter") &&
           name_elements(&arena, &scene->drains, sizeof(tl_drain_def), "drain") &&
           name_elements(&arena, &scene->measures, sizeof(tl_measure_def), "measure");
    scene->arena = arena;
    if (!good)
        return TL_NO_MEMORY;
    tl_scene_complete(scene, root, report);
    tl_scene_check(scene, root, report);
    tl_scene_check_measures(scene, root, report);
    return TL_OK;
}

static tl_status load(const tl_yaml_source *source, const tl_scene_options *options, tl_scene **out,
                      tl_error *error) {
    tl_diagnostics own = {0};
    tl_report report = {.list = options->diagnostics ? options->diagnostics : &own};
    tl_diagnostics_clear(report.list);
    tl_arena trees = {0};
    const tl_yaml_node *root = NULL;
    tl_scene *scene = tl_allocate(1, sizeof *scene);
    tl_status status = scene ? read_tree(&trees, &report, source, options, &root) : TL_NO_MEMORY;
    if (status == TL_OK && root)
        status = fill_scene(scene, &report, root);
    if (status != TL_OK)
        tl_fail(error, status, source->file, NULL, "no memory to read the scene");
    else
        status = tl_report_status(&report, error);
    tl_arena_free(&trees);
    tl_diagnostics_clear(&own);
    if (status != TL_OK) {
        tl_scene_destroy(scene);
        return status;
    }
    *out = scene;
    return TL_OK;
}

tl_status tl_scene_load_memory(const char *text, size_t size, const char *name,
                               const tl_scene_options *options, tl_scene **out, tl_error *error) {
    static const tl_scene_options none = {0};
    *out = NULL;
    const tl_yaml_source source = {.file = name ? name : "scene", .text = text, .size = size};
    const c_numbers guard = begin_c_numbers();
    const tl_status status = load(&source, options ? options : &none, out, error);
    end_c_numbers(guard);
    return status;
}

/* The file that `path` means, freed with free(): itself, or a scene of the library. */
static tl_status find_file(const char *path, char **out, tl_error *error) {
    if (strchr(path, '/') || tl_file_exists(path)) {
        *out = strdup(path);
        return *out ? TL_OK : tl_fail_memory(error, strlen(path), 1);
    }
    char name[256];
    snprintf(name, sizeof name, "%s", path);
    const size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0)
        name[length - 5] = 0;
    return tl_data_find("scenes", name, out, error);
}

tl_status tl_scene_load_file(const char *path, const tl_scene_options *options, tl_scene **out,
                             tl_error *error) {
    *out = NULL;
    char *file = NULL, *text = NULL;
    size_t size = 0;
    tl_status status = find_file(path, &file, error);
    if (status == TL_OK)
        status = tl_file_read(file, TL_YAML_MAX_BYTES, &text, &size, error);
    if (status == TL_OK)
        status = tl_scene_load_memory(text, size, file, options, out, error);
    else if (options && options->diagnostics)
        tl_diagnostics_clear(options->diagnostics);
    free(text);
    free(file);
    return status;
}

void tl_scene_destroy(tl_scene *scene) {
    if (!scene)
        return;
    tl_scene_free_forms(scene);
    tl_arena_free(&scene->arena);
    free(scene);
}

const char *tl_scene_title(const tl_scene *scene) { return scene->title; }
double tl_scene_duration(const tl_scene *scene) { return scene->duration; }
double tl_scene_frame_rate(const tl_scene *scene) { return scene->frame_rate; }
double tl_scene_spacing(const tl_scene *scene) { return scene->spacing; }

tl_status tl_scene_write(const tl_scene *scene, char **out, tl_error *error) {
    const c_numbers guard = begin_c_numbers();
    tl_text text = {0};
    tl_schema_write(&tl_scene_table, scene, 0, &text);
    end_c_numbers(guard);
    if (text.failed) {
        free(text.bytes);
        return tl_fail_memory(error, text.length, 1);
    }
    *out = text.bytes;
    return TL_OK;
}
