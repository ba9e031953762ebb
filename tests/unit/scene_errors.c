/* What is wrong with a scene is said, all of it, with its place; and hostile texts do no harm. */
#include "scene/yaml.h"
#include "scene_texts.h"

#include <stdio.h>

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

Test(scene, a_wrong_colour_is_told_the_names_there_are) {
    static const char text[] =
        "spacing: 1\nbodies:\n  - {material: water, sphere: {center: [0, 0, 0],"
        " radius: 3}}\nwalls:\n  - {plane: z, at: -4, colour: %s}\n";
    static const char *const wrong[][2] = {{"purpel", "did you mean purple?"},
                                           {"chartreuse", "one of: black, white"},
                                           {"chartreuse", "honey, cream"},
                                           {"'#12345'", "#rrggbb"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char scene[300];
        snprintf(scene, sizeof scene, text, wrong[i][0]);
        refuses(scene, NULL, "test", 5, 32, "is not a colour", wrong[i][1]);
    }
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

/* A scene with such a floor loads with one warning that says `what`, or with none. */
static void expect_warning(const char *floor, const char *override, const char *what) {
    char text[300];
    tl_scene *scene;
    tl_diagnostics found = {0};
    const tl_scene_options options = {&override, 1, &found};
    snprintf(text, sizeof text, "%swalls: [{name: floor, plane: z, %s}]\n", minimal, floor);
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", &options, &scene, NULL), TL_OK);
    cr_assert_eq(found.count, what != NULL, "%s", floor);
    if (what)
        cr_assert(found.items[0].is_warning && strstr(found.items[0].what, what), "%s",
                  found.items[0].what);
    tl_diagnostics_clear(&found);
    tl_scene_destroy(scene);
}

Test(scene, contact_of_walls_that_does_nothing_is_a_warning) {
    const char *coupled = "flow.scheme=coupled";
    expect_warning("stickiness: 100", "flow.scheme=explicit", "stickiness does nothing");
    expect_warning("stickiness: 100", coupled, NULL);
    expect_warning("roughness: {height: 0.01 mm, period: 1 mm}", coupled, "sticks to");
    expect_warning("slip_length: 0, roughness: {height: 0.01 mm, period: 1 mm}", coupled,
                   "sticks to");
    expect_warning("slip_length: 1 mm, roughness: {height: 0.01 mm, period: 1 mm}", coupled, NULL);
    expect_warning("contact: free-slip, roughness: {height: 0.1 mm, period: 1 mm}", coupled,
                   "too steep");
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

/* ---- Vessels ---- */

static char *with_wall(const char *wall) {
    static char text[600];
    snprintf(
        text, sizeof text,
        "spacing: 1 cm\nbodies: [{name: b, material: water, box: {from: [-5 cm, -5 cm, 10 cm], "
        "to: [5 cm, 5 cm, 20 cm]}}]\nwalls:\n  - {name: it, %s}\n",
        wall);
    return text;
}

Test(scene, vessels_that_cannot_be_are_refused_where_they_say_so) {
    const struct {
        const char *wall, *at, *what, *hint;
    } cases[] = {
        {"cylinder: {from: [0, 0, 0], to: [0, 0, 0], radius: 1}", "[0, 0, 0], rad",
         "ends where it begins", ""},
        {"cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1}, open: x", "x}",
         "no end on the side", "along its axis"},
        {"torus: {radius: 1, tube_radius: 0.2}, open: z", "z}", "torus cannot be opened",
         "capsule"},
        {"cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 1}, plane: z", "{name",
         "more than one thing", "cylinder"},
        {"cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: -1}", "-1", "out of range", ""},
        {"sphere: {center: [0, 0, 0], radius: 1}, opacity: 2", "2}", "out of range", "to 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *text = with_wall(cases[k].wall), *line = strstr(text, "  - {name: it");
        const int column = (int)(strstr(line, cases[k].at) - line) + 1;
        refuses(text, NULL, "test", 4, column, cases[k].what, cases[k].hint);
    }
}

Test(scene, liquid_may_be_in_a_vessel_but_not_in_its_wall) {
    tl_scene *scene =
        load(with_wall("cylinder: {from: [0, 0, 9 cm], to: [0, 0, 40 cm], radius: 8 cm}, open: z"),
             NULL);
    const tl_wall_def *w = scene->walls.items;
    cr_assert(w->solid && w->mesh.closed && !tl_wall_is_sealed(w));
    tl_scene_destroy(scene);
    scene = load(
        with_wall("cylinder: {from: [0, 0, 9 cm], to: [0, 0, 40 cm], radius: 8 cm}, hollow: true"),
        NULL);
    cr_assert(tl_wall_is_sealed(scene->walls.items));
    tl_scene_destroy(scene);
    /* the wall of this one goes through the body: told when it is filled */
    scene =
        load(with_wall("cylinder: {from: [0, 0, 9 cm], to: [0, 0, 40 cm], radius: 3 cm}, open: z"),
             NULL);
    tl_world *world = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "wall"), "%s", error.what);
    tl_scene_destroy(scene);
}

Test(scene, what_a_wall_has_no_use_for_is_said_but_not_what_run_yaml_writes) {
    tl_diagnostics found = {0};
    tl_scene *scene = NULL;
    const tl_scene_options options = {.diagnostics = &found};
    const char *text = with_wall("plane: z, hollow: true, thickness: 1 cm, opacity: 0.5, open: z");
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", &options, &scene, NULL), TL_OK);
    cr_assert_eq(found.count, 4);
    cr_assert(strstr(found.items[0].what, "open does nothing without a box, a cylinder"), "%s",
              found.items[0].what);
    tl_diagnostics_clear(&found);
    tl_scene_destroy(scene);
    scene = load(with_wall("plane: z"), NULL);
    char *written;
    cr_assert_eq(tl_scene_write(scene, &written, NULL), TL_OK);
    tl_scene_destroy(scene);
    cr_assert_eq(tl_scene_load_memory(written, strlen(written), "run", &options, &scene, NULL),
                 TL_OK);
    cr_assert_eq(found.count, 0, "%s", found.count ? found.items[0].what : "");
    free(written);
    tl_scene_destroy(scene);
}

/* ---- Tension between liquids ---- */

static void refuses_interfaces(const char *interfaces, int column, const char *what,
                               const char *fix) {
    char text[512];
    snprintf(text, sizeof text,
             "spacing: 5 mm\nbodies:\n"
             "  - {name: a, material: water, box: {from: [0, 0, 0], to: [1 cm, 1 cm, 1 cm]}}\n"
             "  - {name: b, material: honey, box: {from: [0, 0, 1 cm], to: [1 cm, 1 cm, 2 cm]}}\n"
             "interfaces: %s\n",
             interfaces);
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text, strlen(text), NULL, &error);
    finds(&found, "test", 5, column, what, fix);
    tl_diagnostics_clear(&found);
}

Test(scene, mistakes_in_interfaces_are_named_with_their_place) {
    refuses_interfaces("[{between: water, and: oil, surface_tension: 30 mN/m}]", 36,
                       "material \"oil\"", "name a material");
    refuses_interfaces("[{between: water, and: water, surface_tension: 30 mN/m}]", 36,
                       "between \"water\" and itself", "surface_tension");
    refuses_interfaces("[{between: water, and: honey, surface_tension: -1 mN/m}]", 60,
                       "surface_tension", "");
    refuses_interfaces("[{between: water, and: honey, surface_tension: 1}, "
                       "{between: honey, and: water, surface_tension: 2}]",
                       64, "given twice", "leave one");
}
