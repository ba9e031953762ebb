/* Scenes that are right load and write back, overrides reach them, and descriptions tell them. */
#include "base/file.h"
#include "scene/data.h"
#include "scene/fill.h"
#include "scene/schema.h"
#include "scene_texts.h"

#include <math.h>
#include <stdio.h>

/* ---- Loading and writing ---- */

Test(scene, a_minimal_scene_is_completed_by_the_defaults_and_the_library) {
    tl_scene *scene = load(minimal, NULL);
    const tl_material *water = scene->materials.items;
    cr_assert_eq(scene->spacing, 0.01);
    cr_assert_eq(scene->gravity[2], -9.81);
    cr_assert_eq(scene->frame_rate, 125);
    cr_assert_eq(scene->flow.support, 0);
    cr_assert_eq(scene->flow.max_step, 0);
    cr_assert_eq(scene->materials.count, 1);
    cr_assert_str_eq(water->name, "water");
    cr_assert_eq(water->density, 998.2);
    cr_assert_eq(water->viscosity.value, 0.0010016);
    cr_assert_not_null(water->source);
    cr_assert(body_at(scene, 0)->has_box && !body_at(scene, 0)->has_sphere);
    cr_assert_str_eq(tl_scene_title(scene), "Untitled");
    tl_scene_destroy(scene);
}

Test(scene, every_material_of_the_library_has_its_numbers_and_a_source) {
    char **names;
    size_t count;
    cr_assert_eq(tl_data_list("materials", &names, &count, NULL), TL_OK);
    cr_assert_geq(count, 6);
    for (size_t i = 0; i < count; i++) {
        char override[200];
        snprintf(override, sizeof override, "bodies.pool.material=%s", names[i]);
        tl_scene *scene = load(minimal, override);
        const tl_material *material = scene->materials.items;
        cr_assert_eq(scene->materials.count, 1);
        cr_assert_str_eq(material->name, names[i]);
        cr_assert_not_null(material->source);
        cr_assert(material->density != 1000 && tl_viscosity_at(material, 1, 20) != 0.001, "%s",
                  names[i]);
        tl_scene_destroy(scene);
    }
    tl_data_free_list(names);
}

Test(scene, strange_texts_and_numbers_survive_writing) {
    tl_scene *scene = load("title: \"a \\\"b\\\" \\\\ : # \\t \\u2028 \\uFFFE \\x07 ünï 蜂 ~\"\n"
                           "spacing: 0.1 m\nseed: 9007199254740992\n"
                           "gravity: [1e-300, 0.1, -3.3333333333333335]\n"
                           "materials:\n  'a: b ''c''': {like: honey, colour: [0.1, 0.25, 1]}\n"
                           "  null: {density: 7}\n"
                           "bodies:\n  - {name: '- x', material: \"a: b 'c'\",\n"
                           "     cylinder: {from: [0,0,0], to: [0,1,0], radius: 1}}\n"
                           "walls: [{normal: [0.3, 0, 0.1], through: [0, 0, -10]}]\n",
                           NULL);
    cr_assert_eq(((const tl_material *)scene->materials.items)->density, 1425);
    cr_assert_null(((const tl_material *)scene->materials.items)->like);
    cr_assert_str_eq(((const tl_wall_def *)scene->walls.items)->name, "wall-1");
    round_trip(scene);
    tl_scene_destroy(scene);
}

Test(scene, aliases_repeat_values) {
    tl_scene *scene = load("spacing: 0.1\nbodies:\n"
                           "  - {name: a, material: water, velocity: &v [1, 2, 3],\n"
                           "     sphere: {center: [0, 0, 0], radius: 1}}\n"
                           "  - {name: b, material: water, velocity: *v,\n"
                           "     sphere: {center: [3, 0, 0], radius: 1}}\n",
                           "bodies.a.velocity=[9, 0, 0]");
    cr_assert_eq(body_at(scene, 0)->velocity[0], 9);
    cr_assert_eq(body_at(scene, 1)->velocity[0], 1);
    cr_assert_eq(body_at(scene, 1)->velocity[2], 3);
    tl_scene_destroy(scene);
}

Test(scene, a_file_that_is_not_there_is_answered_with_the_nearest_name) {
    tl_scene *scene;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_file("dambreak", NULL, &scene, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.fix, "dam-break") && strstr(error.what, TL_SOURCE_DIR "/scenes"));
    cr_assert_eq(tl_scene_load_file("/nowhere/x.yaml", NULL, &scene, &error), TL_IO_FAILED);
}

Test(scene, the_data_path_goes_before_the_library) {
    char folder[128], path[200];
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tallow-data-XXXXXX", base ? base : P_tmpdir);
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/materials", folder);
    cr_assert_eq(tl_folder_make(path, NULL), TL_OK);
    snprintf(path, sizeof path, "%s/materials/water.yaml", folder);
    FILE *file = fopen(path, "w");
    fputs("like: mercury\nviscosity: 5\n", file);
    fclose(file);
    snprintf(path, sizeof path, "/nowhere:%s", folder);
    setenv("TALLOW_PATH", path, 1);
    tl_scene *scene = load(minimal, NULL);
    const tl_material *water = scene->materials.items;
    cr_assert(water->viscosity.value == 5 && water->density == 13534);
    tl_scene_destroy(scene);
    snprintf(path, sizeof path, "%s/materials/water.yaml", folder);
    file = fopen(path, "w");
    fputs("like: water\n", file);
    fclose(file);
    refuses(minimal, NULL, path, 1, 7, "circle", "");
    remove(path);
    *strrchr(path, '/') = 0;
    remove(path);
    remove(folder);
}

/* ---- Merge keys ---- */

Test(scene, merge_keys_take_over_what_is_not_given) {
    tl_scene *scene = load("spacing: 1 cm\n"
                           "walls:\n"
                           "  - &floor {name: floor, plane: z, at: -1, bounce: 0.5}\n"
                           "  - &slippery {name: side, plane: x, at: -2, contact: free-slip}\n"
                           "  - {<<: *floor, name: lower, at: -3}\n"
                           "  - {name: mixed, <<: [*slippery, *floor]}\n"
                           "bodies:\n"
                           "  - {name: pool, material: water, box: {from: [0, 0, 0], "
                           "to: [0.1, 0.1, 0.1]}}\n",
                           NULL);
    const tl_wall_def *w = scene->walls.items;
    cr_assert(strcmp(w[2].name, "lower") == 0 && w[2].plane == TL_SIDE_Z);
    cr_assert(w[2].at == -3 && w[2].bounce == 0.5);
    /* the first of a list counts before the others */
    cr_assert(strcmp(w[3].name, "mixed") == 0 && w[3].plane == TL_SIDE_X && w[3].at == -2);
    cr_assert(w[3].bounce == 0.5 && w[3].contact == TL_CONTACT_FREE_SLIP);
    cr_assert(w[0].at == -1, "an anchor was changed by what takes from it");
    tl_scene_destroy(scene);
}

Test(scene, what_merge_keys_bring_is_refused_where_it_stands) {
    const char text[] = "spacing: 1 cm\n"
                        "walls:\n"
                        "  - &floor {name: floor, plane: z, bounce: 7}\n"
                        "  - {<<: *floor, name: lower}\n"
                        "bodies: [{material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n";
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text, strlen(text), NULL, &error);
    finds(&found, "test", 3, 44, "bounce is out of range", "");
    cr_assert_eq(found.error_count, 2);
    tl_diagnostics_clear(&found);
    refuses("spacing: 1 cm\nwalls: [{<<: 5, plane: z}]\n", NULL, "test", 2, 10,
            "<< wants a mapping", "<<: *name");
    refuses("spacing: 1 cm\nwalls: [{<<: [{at: 1}, 6], plane: z}]\n", NULL, "test", 2, 10,
            "<< wants a mapping", "");
    refuses("spacing: 1 cm\nwalls: [{<<: {at: 1}, <<: {at: 2}, plane: z}]\n", NULL, "test", 2, 23,
            "given twice", "");
    refuses("spacing: 1 cm\nwalls: [{\"<<\": {at: 1}, plane: z}]\n", NULL, "test", 2, 10,
            "no parameter", "");
}

/* Nine times nine times ... as much, by merging: counted before it is made. */
Test(scene, merge_keys_cannot_multiply_a_scene_without_bound) {
    tl_text text = {0};
    tl_text_print(&text, "a0: &a0 {x: 1}\n");
    for (int level = 1; level < 40; level++) {
        tl_text_print(&text, "a%d: &a%d {", level, level);
        for (int k = 0; k < 9; k++)
            tl_text_print(&text, "k%d: {<<: *a%d}, ", k, level - 1);
        tl_text_print(&text, "<<: [*a%d, *a%d]}\n", level - 1, level - 1);
    }
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text.bytes, text.length, NULL, &error);
    cr_assert(strstr(found.items[0].what, "more than"), "%s", found.items[0].what);
    tl_diagnostics_clear(&found);
    text.length = 0;
    tl_text_print(&text, "a: &a {");
    for (int k = 0; k < 300; k++)
        tl_text_print(&text, "k%d: 1, ", k);
    tl_text_print(&text, "z: 1}\nb: {<<: *a}\n");
    found = refuse_bytes(text.bytes, text.length, NULL, &error);
    finds(&found, "test", 2, 5, "keys merged", "");
    tl_diagnostics_clear(&found);
    free(text.bytes);
}

/* ---- Overrides ---- */

Test(scene, overrides_reach_maps_lists_and_what_is_not_there_yet) {
    tl_scene *scene = load(minimal, "flow.cfl=0.125");
    cr_assert_eq(scene->flow.cfl, 0.125);
    tl_scene_destroy(scene);
    scene = load(minimal, "bodies.0.velocity=[1 m/s, 0, 20 cm/s]");
    cr_assert_eq(body_at(scene, 0)->velocity[2], 0.2);
    tl_scene_destroy(scene);
    scene = load(minimal, "bodies.pool.box.to.1=5 cm");
    cr_assert_eq(body_at(scene, 0)->box.to[1], 0.05);
    tl_scene_destroy(scene);
    scene = load(minimal, "materials.water.colour=#ff0000");
    cr_assert_eq(((const tl_material *)scene->materials.items)->colour[0], 1);
    cr_assert_eq(((const tl_material *)scene->materials.items)->density, 998.2);
    tl_scene_destroy(scene);
    scene = load(minimal, "walls=[{name: floor, plane: z}]");
    cr_assert_eq(scene->walls.count, 1);
    tl_scene_destroy(scene);
}

Test(scene, a_bad_override_is_reported_as_such) {
    refuses(minimal, "bodies.pol.fill=cubic", "--set", 1, 17, "no element \"pol\"", "pool");
    refuses(minimal, "bodies.1.fill=cubic", "--set", 1, 15, "no element \"1\"", "1 elements");
    refuses(minimal, "flow.clf=1", "--set", 1, 6, "no parameter \"clf\"", "cfl");
    refuses(minimal, "flow.cfl=7", "--set", 1, 10, "out of range", "0.001 to 1");
    refuses(minimal, "spacing.x=7", "--set", 1, 11, "nothing can stand below", "");
    refuses(minimal, "spacing", "--set", 1, 1, "cannot be read", "key=value");
    refuses(minimal, "=3", "--set", 1, 1, "cannot be read", "");
    refuses(minimal, "flow..cfl=3", "--set", 1, 1, "cannot be read", "");
    refuses(minimal, "spacing={", "--set", 1, 10, "", "");
    refuses(minimal, "spacing=", "--set", 1, 9, "got nothing", "");
}

/* ---- Descriptions ---- */

Test(describe, the_page_of_parameters_is_up_to_date) {
    tl_text text = {0};
    char *page;
    size_t size;
    cr_assert_eq(tl_schema_describe(NULL, TL_DESCRIBE_MARKDOWN, &text, NULL), TL_OK);
    cr_assert_eq(tl_file_read(TL_SOURCE_DIR "/docs/parameters.md", 1 << 20, &page, &size, NULL),
                 TL_OK);
    cr_assert_str_eq(page, text.bytes, "run: tallow describe --markdown > docs/parameters.md");
    free(page);
    free(text.bytes);
}

Test(describe, the_schema_for_editors_is_up_to_date) {
    tl_text text = {0};
    char *page;
    size_t size;
    cr_assert_eq(tl_schema_json(&text, NULL), TL_OK);
    cr_assert_eq(
        tl_file_read(TL_SOURCE_DIR "/scenes/scene.schema.json", 1 << 20, &page, &size, NULL),
        TL_OK);
    cr_assert_str_eq(page, text.bytes, "run: tallow describe --schema > scenes/scene.schema.json");
    free(page);
    free(text.bytes);
}

Test(describe, text_fits_a_hundred_columns_and_names_every_parameter) {
    tl_text text = {0};
    cr_assert_eq(tl_schema_describe(NULL, TL_DESCRIBE_TEXT, &text, NULL), TL_OK);
    for (const char *line = text.bytes; *line;) {
        size_t width = 0;
        for (; *line && *line != '\n'; line++)
            width += ((unsigned char)*line & 0xC0) != 0x80;
        cr_assert_leq(width, 100);
        line += *line == '\n';
    }
    for (size_t t = 0; tl_schema_tables[t]; t++)
        for (size_t i = 0; i < tl_schema_tables[t]->count; i++)
            cr_assert(strstr(text.bytes, tl_schema_tables[t]->params[i].name));
    free(text.bytes);
}

Test(describe, every_nested_table_can_be_asked_for_by_name) {
    for (size_t t = 0; tl_schema_tables[t]; t++)
        for (size_t i = 0; i < tl_schema_tables[t]->count; i++) {
            const tl_param_table *nested = tl_schema_tables[t]->params[i].table;
            tl_text text = {0};
            if (nested)
                cr_assert_eq(tl_schema_describe(nested->name, TL_DESCRIBE_JSON, &text, NULL),
                             TL_OK);
            free(text.bytes);
        }
    tl_text text = {0};
    tl_error error = {0};
    cr_assert_eq(tl_schema_describe("materal", TL_DESCRIBE_TEXT, &text, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.fix, "material"));
    free(text.bytes);
}

Test(describe, every_default_is_a_value_that_its_own_parameter_accepts) {
    for (size_t t = 0; tl_schema_tables[t]; t++) {
        const tl_param_table *table = tl_schema_tables[t];
        tl_arena arena = {0};
        tl_diagnostics found = {0};
        tl_report report = {.list = &found};
        void *out = tl_allocate(1, table->size);
        cr_assert(tl_schema_bind(&arena, &report, table, NULL, out));
        for (size_t i = 0; i < found.count; i++)
            cr_assert(strstr(found.items[i].what, "which it needs"), "%s: %s", table->name,
                      found.items[i].what);
        free(out);
        tl_diagnostics_clear(&found);
        tl_arena_free(&arena);
    }
}
