/* Scenes: what is right loads and writes back; what is wrong is said, all of it, with its place. */
#include "scene/scene.h"

#include "base/file.h"
#include "scene/data.h"
#include "scene/fill.h"
#include "scene/schema.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char minimal[] = "spacing: 1 cm\n"
                              "bodies:\n"
                              "  - {name: pool, material: water, box: {from: [0, 0, 0], "
                              "to: [0.1, 0.1, 0.1]}}\n";

static tl_scene *load(const char *text, const char *override) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    const tl_scene_options options = {.overrides = &override, .override_count = override != NULL};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", &options, &scene, &error), TL_OK,
                 "%s: %s (%s)", error.where, error.what, error.fix);
    return scene;
}

/* The findings of a scene that must be refused. */
static tl_diagnostics refuse_bytes(const char *text, size_t size, const char *override,
                                   tl_error *error) {
    tl_diagnostics found = {0};
    tl_scene *scene = NULL;
    const tl_scene_options options = {
        .overrides = &override, .override_count = override != NULL, .diagnostics = &found};
    cr_assert_eq(tl_scene_load_memory(text, size, "test", &options, &scene, error), TL_BAD_INPUT,
                 "accepted: %s [%s]", text, override ? override : "");
    cr_assert_null(scene);
    cr_assert_gt(found.error_count, 0);
    return found;
}

/* Asserts that one finding stands at file:line:column with these words in it. */
static void finds(const tl_diagnostics *found, const char *file, int line, int column,
                  const char *what, const char *hint) {
    tl_text all = {0};
    for (size_t i = 0; i < found->count; i++) {
        const tl_diagnostic *d = &found->items[i];
        if (strcmp(d->file, file) == 0 && d->line == line && d->column == column &&
            strstr(d->what, what) && strstr(d->hint, hint)) {
            free(all.bytes);
            return;
        }
        tl_text_print(&all, "\n%s:%d:%d: %s (%s)", d->file, d->line, d->column, d->what, d->hint);
    }
    cr_assert_fail("no finding %s:%d:%d \"%s\" (%s) among:%s", file, line, column, what, hint,
                   all.bytes);
}

static void refuses(const char *text, const char *override, const char *file, int line, int column,
                    const char *what, const char *hint) {
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text, strlen(text), override, &error);
    finds(&found, file, line, column, what, hint);
    tl_diagnostics_clear(&found);
}

static const tl_body_def *body_at(const tl_scene *scene, size_t i) {
    cr_assert_lt(i, scene->bodies.count);
    return (const tl_body_def *)scene->bodies.items + i;
}

/* ---- Loading and writing ---- */

Test(scene, a_minimal_scene_is_completed_by_the_defaults_and_the_library) {
    tl_scene *scene = load(minimal, NULL);
    const tl_material *water = scene->materials.items;
    cr_assert_eq(scene->spacing, 0.01);
    cr_assert_eq(scene->gravity[2], -9.81);
    cr_assert_eq(scene->frame_rate, 25);
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

/* Writes, loads and writes again: the texts must be equal, and so every value. */
static void round_trip(tl_scene *scene) {
    char *first, *second;
    cr_assert_eq(tl_scene_write(scene, &first, NULL), TL_OK);
    tl_scene *again = load(first, NULL);
    cr_assert_eq(tl_scene_write(again, &second, NULL), TL_OK);
    cr_assert_str_eq(first, second);
    cr_assert_eq(memcmp(&scene->flow, &again->flow, sizeof scene->flow), 0);
    cr_assert_eq(scene->spacing, again->spacing);
    cr_assert_eq(memcmp(&scene->camera, &again->camera, offsetof(tl_camera_def, path)), 0);
    const tl_param_list *path = &scene->camera.path;
    cr_assert_eq(path->count, again->camera.path.count);
    if (path->count)
        cr_assert_eq(
            memcmp(path->items, again->camera.path.items, path->count * sizeof(tl_camera_key_def)),
            0);
    cr_assert_eq(scene->bodies.count, again->bodies.count);
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const size_t skip = offsetof(tl_body_def, box);
        cr_assert_eq(memcmp((const char *)body_at(scene, i) + skip,
                            (const char *)body_at(again, i) + skip, sizeof(tl_body_def) - skip),
                     0);
        const tl_mesh *mesh = &body_at(scene, i)->mesh;
        cr_assert_eq(mesh->vertex_count, body_at(again, i)->mesh.vertex_count);
        if (mesh->vertex_count)
            cr_assert_eq(memcmp(mesh->vertices, body_at(again, i)->mesh.vertices,
                                mesh->vertex_count * sizeof *mesh->vertices),
                         0);
        const tl_param_list *limbs = &body_at(scene, i)->limbs;
        cr_assert_eq(limbs->count, body_at(again, i)->limbs.count);
        if (limbs->count)
            cr_assert_eq(memcmp(limbs->items, body_at(again, i)->limbs.items,
                                limbs->count * sizeof(tl_limb_def)),
                         0);
    }
    cr_assert_str_eq(scene->title, again->title);
    free(first);
    free(second);
    tl_scene_destroy(again);
}

Test(scene, every_scene_of_the_gallery_loads_without_findings_and_writes_back_to_itself) {
    char **names;
    size_t count;
    cr_assert_eq(tl_data_list("scenes", &names, &count, NULL), TL_OK);
    cr_assert_geq(count, 5);
    for (size_t i = 0; i < count; i++) {
        tl_scene *scene;
        tl_error error = {0};
        tl_diagnostics found = {0};
        const tl_scene_options options = {.diagnostics = &found};
        cr_assert_eq(tl_scene_load_file(names[i], &options, &scene, &error), TL_OK, "%s: %s",
                     error.where, error.what);
        cr_assert_eq(found.count, 0, "%s: %s", names[i], found.count ? found.items[0].what : "");
        round_trip(scene);
        tl_seed *seeds;
        size_t seed_count;
        cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){1}, &seeds, &seed_count, &error), TL_OK,
                     "%s", error.what);
        /* The figures of [Ton91] have 69 and 192 particles; emitters may begin with none. */
        const bool few = scene->dynamics == TL_DYNAMICS_THERMAL;
        cr_assert(scene->emitters.count > 0 || seed_count > (few ? 60 : 1000), "%s", names[i]);
        free(seeds);
        tl_scene_destroy(scene);
    }
    tl_data_free_list(names);
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

/* ---- Errors ---- */

Test(scene, all_errors_are_found_at_once_with_their_places) {
    static const char text[] = "spacing: 3 kPa\n"
                               "duratoin: 5 s\n"
                               "frame_rate: fast\n"
                               "flow: {kernel: gauss, tension: maybe}\n"
                               "gravity: [0, 1]\n"
                               "materials:\n"
                               "  honey: {like: hony}\n"
                               "bodies:\n"
                               "  - {name: a, material: watr}\n"
                               "  - [1]\n"
                               "walls:\n"
                               "  - {name: w, plane: z, normal: [0, 0, 1]}\n"
                               "  - {name: w, colour: #fff\n"
                               "     }\n";
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text, sizeof text - 1, NULL, &error);
    finds(&found, "test", 1, 10, "expected a length, such as 3 mm; got a pressure", "");
    finds(&found, "test", 2, 1, "duratoin", "did you mean duration?");
    finds(&found, "test", 3, 13, "frame_rate", "");
    finds(&found, "test", 4, 16, "kernel cannot be \"gauss\"", "wendland");
    finds(&found, "test", 4, 32, "tension is a switch", "true or false");
    finds(&found, "test", 5, 10, "three numbers", "[0, 0, 1]");
    finds(&found, "test", 7, 17, "hony", "did you mean honey?");
    finds(&found, "test", 9, 25, "no material \"watr\"", "did you mean water?");
    finds(&found, "test", 9, 5, "body \"a\" has no shape", "exactly one");
    finds(&found, "test", 10, 5, "body wants a mapping; got a list", "");
    finds(&found, "test", 12, 5, "more than one thing", "exactly one");
    finds(&found, "test", 13, 5, "neither a plane nor a box", "");
    finds(&found, "test", 13, 15, "colour wants a value", "quote it");
    finds(&found, "test", 13, 12, "are called \"w\"", "");
    cr_assert_str_eq(error.where, "test:7:17"); /* the library is asked before values are read */
    cr_assert_str_eq(found.items[1].source, "spacing: 3 kPa");
    tl_diagnostics_clear(&found);
}

Test(scene, what_is_missing_or_empty_is_named) {
    refuses("", NULL, "test", 1, 1, "scene has no spacing", "spacing:");
    refuses("# nothing\n", NULL, "test", 1, 1, "nothing in it", "bodies");
    refuses("spacing: 1\nbodies: []\n", NULL, "test", 1, 1, "nothing in it", "bodies");
    refuses("[1, 2]\n", NULL, "test", 1, 1, "a scene is a mapping", "");
    refuses("spacing: 1\nbodies:\n  - {sphere: {radius: 3}}\n", NULL, "test", 3, 5,
            "body has no material", "");
    refuses("spacing: 1\nbodies:\n  - {sphere: {radius: 3}}\n", NULL, "test", 3, 14,
            "sphere has no center", "");
    refuses("spacing:\nbodies: 3\n", NULL, "test", 1, 1, "got nothing", "");
    refuses("spacing: 1\nbodies: 3\n", NULL, "test", 2, 9, "bodies wants a list", "- ");
    refuses("spacing: 1\nmaterials: [3]\n", NULL, "test", 2, 12, "wants a mapping", "");
}

/* A scene of one body and, where given, more lines. */
static void refuses_body(const char *body, const char *more, int line, int column, const char *what,
                         const char *hint) {
    tl_text text = {0};
    tl_text_print(&text, "spacing: 1 cm\n%sbodies:\n  - {name: b, material: water,\n     %s}\n",
                  more, body);
    refuses(text.bytes, NULL, "test", line, column, what, hint);
    free(text.bytes);
}

Test(scene, parts_that_do_not_fit_together_are_found) {
    const char *ball = "sphere: {center: [0, 0, 0], radius: 5 cm}";
    refuses_body("sphere: {center: [0, 0, 0], radius: 4 mm}", "", 4, 42, "thinner than a spacing",
                 "");
    refuses_body("box: {from: [0, 0, 0], to: [1, 0, 1]}", "", 4, 33, "no extent along y", "");
    refuses_body("box: {from: [0, 0, 0], to: [1, 1, 5 mm]}", "", 4, 11, "thinner", "smaller");
    refuses_body("box: {from: [0, 0, 0], to: [1e9, 1e9, 1e9]}", "", 3, 5, "from the origin", "");
    refuses_body("cylinder: {from: [1, 1, 1], to: [1, 1, 1], radius: 1}", "", 4, 38,
                 "ends where it begins", "");
    refuses_body("box: {from: [0, 0, 0], to: [1, 1, 1]}, sphere: {center: [0, 0, 0], radius: 1}",
                 "", 3, 5, "more than one shape", "");
    refuses_body("limbs: []", "", 4, 13, "has no limbs", "add one");
    refuses_body("limbs: [{from: [0, 0, 0], radius: 1 cm}, {from: [0, 0, 0], radius: 4 mm}]", "", 4,
                 73, "thinner than a spacing", "");
    refuses_body("limbs: [{from: [0, 0, 1], to: [0, 0, 2 cm], radius: 1 cm, end_radius: 3 cm}]",
                 "walls: [{name: f, plane: z, at: 0}]\n", 4, 5, "0.01 m into wall \"f\"", "");
    refuses_body(ball, "walls: [{name: f, plane: z, at: -4 cm}]\n", 4, 5, "0.01 m into wall \"f\"",
                 "");
    refuses_body(ball, "walls: [{name: f, plane: -z, at: 4 cm}]\n", 4, 5, "0.01 m into wall", "");
    refuses_body(ball, "walls: [{normal: [1, 1, 0], through: [-0.05, 0, 0]}]\n", 4, 5, "0.0146 m",
                 "");
    refuses_body(ball, "walls: [{box: {from: [-1, -1, 0], to: [1, 1, 1]}}]\n", 4, 5, "0.05 m", "");
    refuses_body(ball, "walls: [{box: {from: [4 cm, -1, -1], to: [1, 1, 1]}, outside: true}]\n", 4,
                 5, "0.01 m", "");
    refuses_body(ball, "walls: [{plane: x, at: -1, velocity: [1, 1, 0]}]\n", 2, 38,
                 "only move along itself", "");
    refuses_body(ball, "walls: [{box: {from: [-1, -1, -1], to: [1, 1, 1]}, velocity: [1, 0, 0]}]\n",
                 2, 62, "only a plane can move", "planes");
    refuses_body(ball, "periodic: {box: {from: [-1, -1, -1], to: [1, 1, 1]}}\n", 2, 11, "no axis",
                 "");
    refuses_body(ball, "periodic: {x: true, box: {from: [-2 cm, -1, -1], to: [2 cm, 1, 1]}}\n", 2,
                 26, "too short", "");
    refuses_body(ball, "periodic: {x: true, box: {from: [0, -1, -1], to: [1, 1, 1]}}\n", 4, 5,
                 "0.05 m out of the periodic box along x", "");
    refuses_body(ball, "output: {width: 101}\n", 2, 17, "even", "");
}

Test(scene, an_open_tank_may_be_filled_from_above) {
    static const char text[] =
        "spacing: 1 cm\nwalls: [{box: {from: [0, 0, 0], to: [1, 1, 1]}, open: z}]\n"
        "bodies: [{material: water, sphere: {center: [0.5, 0.5, 2], radius: 0.1}}]\n";
    tl_scene_destroy(load(text, NULL));
    refuses(text, "walls.0.open=none", "test", 3, 10, "1.1 m into wall", "");
}

/* The diagnostics of the minimal scene with these overrides, which must load. */
static tl_diagnostics diagnostics_of(const char *const overrides[], size_t count) {
    tl_scene *scene;
    tl_diagnostics found = {0};
    const tl_scene_options options = {overrides, count, &found};
    cr_assert_eq(tl_scene_load_memory(minimal, strlen(minimal), "test", &options, &scene, NULL),
                 TL_OK);
    tl_scene_destroy(scene);
    return found;
}

Test(scene, a_nested_viscosity_without_the_explicit_scheme_is_a_warning) {
    static const char *const schemes[] = {"flow.scheme=automatic", "flow.scheme=coupled",
                                          "flow.scheme=split", "flow.scheme=incremental",
                                          "flow.scheme=explicit"};
    for (size_t s = 0; s < 5; s++) {
        const char *nested[] = {"flow.viscosity=nested", schemes[s]};
        tl_diagnostics found = diagnostics_of(nested, 2);
        cr_assert_eq(found.error_count, 0);
        cr_assert_eq(found.count, s < 4, "%s", schemes[s]);
        if (s < 4)
            cr_assert(found.items[0].is_warning && strstr(found.items[0].what, "nested") &&
                      strstr(found.items[0].hint, "scheme: explicit"));
        tl_diagnostics_clear(&found);
        const char *pairwise[] = {"flow.viscosity=pairwise", schemes[s]};
        found = diagnostics_of(pairwise, 2);
        cr_assert_eq(found.count, 0, "%s", schemes[s]);
        tl_diagnostics_clear(&found);
    }
}

Test(scene, an_edge_between_two_counts_is_a_warning) {
    tl_scene *scene;
    tl_diagnostics found = {0};
    const char *override = "bodies.pool.box.to=[0.1, 0.104, 0.1]";
    const tl_scene_options options = {&override, 1, &found};
    cr_assert_eq(tl_scene_load_memory(minimal, strlen(minimal), "test", &options, &scene, NULL),
                 TL_OK);
    cr_assert(found.count == 1 && found.error_count == 0 && found.items[0].is_warning);
    cr_assert(strstr(found.items[0].what, "along y: 10.4"));
    cr_assert(strstr(found.items[0].hint, "10 layers"));
    tl_diagnostics_clear(&found);
    tl_scene_destroy(scene);
}

/* ---- Hostile texts ---- */

static void refuses_bytes(const char *text, size_t size, int line, int column, const char *what) {
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text, size, NULL, &error);
    cr_assert_eq(found.error_count, 1);
    finds(&found, "test", line, column, what, "");
    tl_diagnostics_clear(&found);
}

Test(scene, what_is_no_text_is_refused_with_its_place) {
    refuses_bytes("spacing: 1\ntitle: a\0b", 20, 2, 9, "0x00");
    refuses_bytes("title: \xC3\xBC\xFF", 10, 1, 9, "0xFF is not UTF-8");
    refuses_bytes("title: \xC0\xAF", 9, 1, 8, "not UTF-8");
    refuses_bytes("title: \xED\xA0\x80", 10, 1, 8, "not UTF-8");
    refuses_bytes("title: \xE2\x82", 9, 1, 8, "not UTF-8");
    refuses_bytes("a: \"\\0\"", 7, 1, 4, "NUL");
    refuses_bytes("a: 1\na: 2\n", 10, 2, 1, "given twice, first on line 1");
    refuses_bytes("a: [1\nb: 2", 10, 2, 2, "");
    refuses_bytes("a:\n\t- b", 7, 2, 1, "token");
    refuses_bytes("a: 1\n---\nb: 1\n", 14, 2, 1, "second document");
    refuses_bytes("a: *b", 5, 1, 4, "&b");
    refuses_bytes("a: &b [*b]", 10, 1, 8, "&b");
    refuses_bytes("a: !x b", 7, 1, 4, "tags");
    refuses_bytes("{[1]: 2}", 8, 1, 2, "a key must be a word");
}

Test(scene, bombs_are_refused) {
    tl_text text = {0};
    for (int i = 0; i < 100; i++)
        tl_text_print(&text, "[");
    refuses_bytes(text.bytes, text.length, 1, 65, "deeper than 64");
    text.length = 0;
    tl_text_print(&text, "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n");
    for (int i = 1; i < 10; i++) {
        tl_text_print(&text, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            tl_text_print(&text, "%s*a%d", k ? ", " : "", i - 1);
        tl_text_print(&text, "]\n");
    }
    refuses_bytes(text.bytes, text.length, 6, 10, "more than 200000 values");
    text.length = 0;
    tl_text_print(&text, "spacing: 1\nbodies: [0");
    for (int i = 0; i < 5000; i++)
        tl_text_print(&text, ", 0");
    tl_text_print(&text, "]\n");
    refuses(text.bytes, NULL, "test", 2, 9, "5001 elements", "");
    free(text.bytes);
    char *large = calloc(TL_YAML_MAX_BYTES + 1, 1);
    refuses_bytes(large, TL_YAML_MAX_BYTES + 1, 1, 1, "too many");
    free(large);
}

Test(scene, a_flood_of_findings_is_cut) {
    tl_text text = {0};
    for (int i = 0; i < 1000; i++)
        tl_text_print(&text, "wrong%d: 1\n", i);
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text.bytes, text.length, NULL, &error);
    cr_assert_eq(found.count, 100);
    cr_assert_geq(found.error_count, 1000);
    cr_assert(strstr(found.items[99].what, "more findings"));
    tl_diagnostics_clear(&found);
    free(text.bytes);
}

/* ---- Filling ---- */

static size_t fill(const char *body, tl_seed **seeds) {
    tl_text text = {0};
    tl_text_print(&text, "spacing: 0.1\nbodies:\n  - {material: water, %s}\n", body);
    tl_scene *scene = load(text.bytes, NULL);
    size_t count;
    tl_error error = {0};
    cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){1}, seeds, &count, &error), TL_OK, "%s",
                 error.what);
    tl_scene_destroy(scene);
    free(text.bytes);
    return count;
}

static double distance(const tl_seed *a, const tl_seed *b) {
    return hypot(hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]),
                 a->position[2] - b->position[2]);
}

/* Distance to the nearest other seed, and how many are that near. */
static double nearest(const tl_seed *seeds, size_t count, size_t i, int *touching) {
    double least = HUGE_VAL;
    for (size_t j = 0; j < count; j++)
        if (j != i)
            least = fmin(least, distance(&seeds[i], &seeds[j]));
    *touching = 0;
    for (size_t j = 0; j < count; j++)
        *touching += j != i && distance(&seeds[i], &seeds[j]) < least * (1 + 1e-6);
    return least;
}

Test(fill, a_box_has_an_exact_count_half_a_spacing_inside_its_faces) {
    tl_seed *seeds;
    const size_t count = fill("box: {from: [1, 2, 3], to: [1.3, 2.5, 3.2]}", &seeds);
    cr_assert_eq(count, 3 * 5 * 2);
    cr_assert_float_eq(seeds[0].position[0], 1.05, 1e-12);
    cr_assert_float_eq(seeds[0].position[1], 2.05, 1e-12);
    cr_assert_float_eq(seeds[0].position[2], 3.05, 1e-12);
    cr_assert_float_eq(seeds[count - 1].position[0], 1.25, 1e-12);
    cr_assert_float_eq(seeds[count - 1].position[1], 2.45, 1e-12);
    cr_assert_float_eq(seeds[count - 1].position[2], 3.15, 1e-12);
    free(seeds);
}

Test(fill, round_shapes_keep_their_volume_and_their_centre) {
    static const char *const fills[] = {"cubic", "hexagonal"};
    for (int f = 0; f < 2; f++)
        for (int r = 1; r < 12; r++) {
            char body[200];
            const double radius = 0.1 * r;
            tl_seed *seeds;
            snprintf(body, sizeof body, "fill: %s, sphere: {center: [1, 1, 1], radius: %g}",
                     fills[f], radius);
            const size_t ball = fill(body, &seeds);
            const double volume = 4 * M_PI / 3 * r * r * r;
            /* Lattice points in a ball differ from its volume by less than a part of its shell. */
            cr_assert_lt(fabs((double)ball - volume), 1.2 * r * r + 2, "%s %d: %zu, %g", fills[f],
                         r, ball, volume);
            for (size_t i = 0; i < ball; i++) {
                const tl_seed centre = {.position = {1, 1, 1}};
                cr_assert_leq(distance(&seeds[i], &centre), radius * (1 + 1e-9));
            }
            free(seeds);
            snprintf(body, sizeof body,
                     "fill: %s, cylinder: {from: [0, 0, 0], to: [3, 0, 4], radius: %g}", fills[f],
                     radius);
            const size_t tube = fill(body, &seeds);
            cr_assert_lt(fabs((double)tube / (50 * M_PI * r * r) - 1), r < 3 ? 0.3 : 0.1,
                         "%s %d: %zu", fills[f], r, tube);
            double middle[3] = {0};
            for (size_t i = 0; i < tube; i++)
                for (int k = 0; k < 3; k++)
                    middle[k] += seeds[i].position[k] / (double)tube;
            cr_assert_lt(fabs(middle[0] - 1.5) + fabs(middle[1]) + fabs(middle[2] - 2), 0.08);
            free(seeds);
        }
}

/* How deep x is in the hull of two balls, by trying the balls between them. */
static double slow_depth(const double x[3], const double from[3], const double to[3], double r,
                         double s) {
    double deepest = -HUGE_VAL;
    for (int t = 0; t <= 4000; t++) {
        const double part = t / 4000.0;
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += pow(x[k] - from[k] - part * (to[k] - from[k]), 2);
        deepest = fmax(deepest, r + part * (s - r) - sqrt(square));
    }
    return deepest;
}

Test(fill, limbs_hold_the_lattice_points_between_their_ends_once) {
    const double from[3] = {0, 0, 0.5}, to[3] = {1, 0.5, 1.5}, lone[3] = {0, 0, 0.5};
    tl_seed *seeds, *again;
    const size_t count = fill("limbs: [{from: [0, 0, 0.5], to: [1, 0.5, 1.5], radius: 0.5, "
                              "end_radius: 0.25}]",
                              &seeds);
    /* Every point of the same lattice, inside or not, decides as the slow search does. */
    size_t expected = 0;
    double low = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        cr_assert_geq(slow_depth(seeds[i].position, from, to, 0.5, 0.25), -1e-6);
        low = fmin(low, seeds[i].position[2]);
    }
    cr_assert_float_eq(low, 0.05, 1e-9, "the lowest layer is half a spacing up: %g", low);
    for (int i = -18; i <= 18; i++) /* the limb is 1.75 x 1.25 x 1.75 m */
        for (int j = -13; j <= 13; j++)
            for (int k = 0; k < 18; k++) {
                const double x[3] = {seeds[0].position[0] + 0.1 * i, seeds[0].position[1] + 0.1 * j,
                                     0.05 + 0.1 * k};
                expected += slow_depth(x, from, to, 0.5, 0.25) >= 0;
            }
    cr_assert_eq(count, expected);
    const size_t twice = fill("limbs: [{from: [0, 0, 0.5], radius: 0.5}, {from: [0, 0, 0.5], to: "
                              "[1, 0.5, 1.5], radius: 0.5, end_radius: 0.25}]",
                              &again);
    cr_assert_eq(twice, count);
    cr_assert_eq(memcmp(seeds, again, count * sizeof *seeds), 0);
    free(again);
    /* A ball within the other end adds nothing to it. */
    const size_t ball = fill("limbs: [{from: [0, 0, 0.5], to: [0.1, 0, 0.5], radius: 0.5, "
                             "end_radius: 0.2}]",
                             &again);
    cr_assert_lt(fabs((double)ball - 4 * M_PI / 3 * 125), 35);
    for (size_t i = 0; i < ball; i++)
        cr_assert_geq(slow_depth(again[i].position, lone, lone, 0.5, 0.5), -1e-9);
    free(again);
    free(seeds);
}

Test(fill, hexagonal_is_close_packed_with_a_spacing_cubed_for_each) {
    tl_seed *seeds;
    const size_t count = fill("fill: hexagonal, box: {from: [0, 0, 0], to: [1, 1, 1]}", &seeds);
    cr_assert_float_eq((double)count, 1000, 60);
    int touching;
    size_t inner = 0;
    for (size_t i = 0; i < count; i++) {
        const double *x = seeds[i].position;
        cr_assert(x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1 && x[2] > 0 && x[2] < 1.001);
        if (fmin(fmin(x[0], x[1]), x[2]) < 0.25 || fmax(fmax(x[0], x[1]), x[2]) > 0.75)
            continue;
        inner++;
        cr_assert_float_eq(nearest(seeds, count, i, &touching), 0.1 * pow(2, 1.0 / 6), 1e-9);
        cr_assert_eq(touching, 12);
    }
    cr_assert_gt(inner, 50);
    free(seeds);
}

Test(fill, jitter_is_bounded_and_belongs_to_the_seed) {
    tl_seed *a, *b, *still;
    const char *shape = "fill: jittered, jitter: 0.2, box: {from: [0, 0, 0], to: [1, 1, 1]}";
    const size_t count = fill(shape, &a);
    cr_assert_eq(fill(shape, &b), count);
    cr_assert_eq(memcmp(a, b, count * sizeof *a), 0);
    cr_assert_eq(fill("box: {from: [0, 0, 0], to: [1, 1, 1]}", &still), count);
    double farthest = 0, mean = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double moved = a[i].position[k] - still[i].position[k];
            farthest = fmax(farthest, fabs(moved));
            mean += moved / (3 * (double)count);
        }
    cr_assert(farthest <= 0.02 && farthest > 0.0195);
    cr_assert_lt(fabs(mean), 0.001);
    free(a);
    free(b);
    free(still);
}

Test(fill, seeds_carry_their_body_material_and_velocity) {
    tl_scene *scene = load("spacing: 0.1\nbodies:\n"
                           "  - {material: honey, sphere: {center: [0, 0, 0], radius: 0.3}}\n"
                           "  - {material: water, velocity: [1, 2, 3],\n"
                           "     sphere: {center: [1, 0, 0], radius: 0.3}}\n"
                           "materials: {x: {like: water}, honey: {like: honey}}\n",
                           NULL);
    tl_seed *seeds;
    size_t count;
    cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){1}, &seeds, &count, NULL), TL_OK);
    const tl_material *materials = scene->materials.items;
    cr_assert_eq(seeds[0].body, 0);
    cr_assert_str_eq(materials[seeds[0].material].name, "honey");
    cr_assert_eq(seeds[count - 1].body, 1);
    cr_assert_str_eq(materials[seeds[count - 1].material].name, "water");
    cr_assert_eq(seeds[count - 1].velocity[2], 3);
    cr_assert_eq(seeds[0].velocity[2], 0);
    free(seeds);
    tl_scene_destroy(scene);
}

static tl_status seed_two(const char *second, const char *walls, tl_error *error) {
    tl_text text = {0};
    tl_text_print(&text,
                  "spacing: 0.1\n%sbodies:\n"
                  "  - {name: first, material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n"
                  "  - {name: second, material: water, %s}\n",
                  walls, second);
    tl_scene *scene = load(text.bytes, NULL);
    free(text.bytes);
    tl_seed *seeds;
    size_t count;
    const tl_status status = tl_scene_seed(scene, &(tl_parallel){1}, &seeds, &count, error);
    if (status == TL_OK)
        free(seeds);
    tl_scene_destroy(scene);
    return status;
}

Test(fill, bodies_may_touch_but_not_overlap) {
    tl_error error = {0};
    cr_assert_eq(seed_two("box: {from: [1, 0, 0], to: [2, 1, 1]}", "", &error), TL_OK);
    cr_assert_eq(seed_two("box: {from: [-1, -1, -1], to: [0, 0, 0]}", "", &error), TL_OK);
    cr_assert_eq(seed_two("box: {from: [0.9, 0.9, 0.9], to: [2, 2, 2]}", "", &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"first\" and \"second\" overlap at (0.95, 0.95, 0.95)"), "%s",
              error.what);
    cr_assert_eq(seed_two("sphere: {center: [1.1, 1.1, 0.5], radius: 0.4}", "", &error),
                 TL_BAD_INPUT);
    cr_assert_eq(seed_two("sphere: {center: [1.3, 1.3, 0.5], radius: 0.4}", "", &error), TL_OK);
}

Test(fill, a_cylinder_may_pass_an_obstacle_but_not_pierce_it) {
    tl_error error = {0};
    const char *pole = "cylinder: {from: [2, 2, 0], to: [4, 4, 0], radius: 0.3}";
    cr_assert_eq(
        seed_two(pole, "walls: [{box: {from: [3.5,2,-1], to: [4,3,1]}, outside: true}]\n", &error),
        TL_OK, "%s", error.what);
    cr_assert_eq(seed_two(pole,
                          "walls: [{name: w, box: {from: [3,3,-1], to: [4,4,1]}, outside: true}]\n",
                          &error),
                 TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"second\" reaches into wall \"w\""));
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
