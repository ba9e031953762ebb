/* Materials of a scene: laws, rheologies and temperatures are read, written back, changed by --set
 * and by `like`, and refused with their place. */
#include "scene/data.h"
#include "scene/fill.h"
#include "scene/scene.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scene whose first material is `material`, in flow style; errors in it are in line 2. */
static char *scene_of(const char *material, const char *temperature) {
    static char text[2000];
    snprintf(text, sizeof text,
             "spacing: 0.1\nmaterials: {it: %s}\n"
             "bodies: [{name: b, material: it, box: {from: [0, 0, 0], to: [1, 1, 2]}%s%s}]\n",
             material, *temperature ? ", temperature: " : "", temperature);
    return text;
}

static tl_scene *load(const char *text, const char *override) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    const tl_scene_options options = {.overrides = &override, .override_count = override != NULL};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", &options, &scene, &error), TL_OK,
                 "%s: %s (%s)\n%s", error.where, error.what, error.fix, text);
    return scene;
}

/* Asserts that the first finding has these words, stands in `line` and under the first letter of
 * `at`. */
static void refuses(const char *text, int line, const char *at, const char *what,
                    const char *hint) {
    tl_diagnostics found = {0};
    tl_scene *scene = NULL;
    const tl_scene_options options = {.diagnostics = &found};
    const char *start = text;
    for (int l = 1; l < line; l++)
        start = strchr(start, '\n') + 1;
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", &options, &scene, NULL),
                 TL_BAD_INPUT, "accepted: %s", text);
    const tl_diagnostic *d = &found.items[0];
    cr_assert(strstr(d->what, what) && strstr(d->hint, hint), "%s\n%s (%s)", text, d->what,
              d->hint);
    /* columns count letters; all that stands before the places here is ASCII */
    cr_assert(d->line == line && d->column == strstr(start, at) - start + 1,
              "%s\n%d:%d: %s, expected %d", text, d->line, d->column, d->what,
              (int)(strstr(start, at) - start + 1));
    tl_diagnostics_clear(&found);
}

static const tl_material *first(const tl_scene *scene) { return scene->materials.items; }

/* Writes and loads again: the texts must be equal, and the viscosities. */
static void round_trip(const tl_scene *scene) {
    char *one, *two;
    cr_assert_eq(tl_scene_write(scene, &one, NULL), TL_OK);
    tl_scene *again = load(one, NULL);
    cr_assert_eq(tl_scene_write(again, &two, NULL), TL_OK);
    cr_assert_str_eq(one, two);
    for (double rate = 0; rate < 1e3; rate = 10 * rate + 0.01)
        for (double T = -20; T < 120; T += 7)
            cr_assert_eq(tl_viscosity_at(first(scene), rate, T),
                         tl_viscosity_at(first(again), rate, T), "%s", one);
    free(one);
    free(two);
    tl_scene_destroy(again);
}

static double viscosity_of(const char *material, const char *override, double rate, double T) {
    tl_scene *scene = load(scene_of(material, ""), override);
    const double viscosity = tl_viscosity_at(first(scene), rate, T);
    round_trip(scene);
    tl_scene_destroy(scene);
    return viscosity;
}

Test(scene_materials, every_law_is_read_with_its_units) {
    cr_assert_eq(viscosity_of("{viscosity: 30 mPa·s}", NULL, 1, 20), 0.03);
    cr_assert_eq(viscosity_of("{viscosity: {law: constant, value: 3 poise}}", NULL, 1, 20), 0.3);
    cr_assert_float_eq(
        viscosity_of("{viscosity: {law: linear, from: [20 °C, 5 Pa·s], to: [333.15 K, 10 mPa·s]}}",
                     NULL, 1, 40),
        2.505, 1e-9);
    cr_assert_float_eq(
        viscosity_of("{viscosity: {law: exponential, slope: -0.01, offset: 8}}", NULL, 1, 100), 1e7,
        1e-2);
    cr_assert_float_eq(viscosity_of("{viscosity: {law: arrhenius, value: 10 Pa·s, at: 25 °C, "
                                    "energy: 90 kJ/mol}}",
                                    NULL, 1, 25),
                       10, 1e-12);
    cr_assert_float_eq(viscosity_of("{viscosity: {law: table, points: [[20, 1e6], [60, 10], "
                                    "[65, 0.01]], interpolation: logarithmic}}",
                                    NULL, 1, 40),
                       sqrt(1e7), 1e-6);
}

Test(scene_materials, every_model_is_read_and_written_back) {
    static const char *const models[] = {
        "newtonian, viscosity: {law: exponential, slope: -0.02, offset: 1}",
        ("jump, jump: {law: linear, from: [40, 1500], to: [65, 5]}, exponent: 0.5, "
         "reference_viscosity: 100 Pa·s, reference_rate: 1 1/s"),
        "jump, jump: 20",
        "jump, yield_stress: 10 Pa, consistency: 4, plateau_viscosity: 1 kPa·s",
        "power-law, consistency: 10, exponent: 0.4, max_viscosity: 1e4",
        "bingham, yield_stress: 10, plastic_viscosity: 2, plateau_viscosity: 200",
        "herschel-bulkley, yield_stress: 10, consistency: 2, exponent: 0.5, plateau_viscosity: 2e3",
        "casson, yield_stress: 10, plastic_viscosity: 2, plateau_viscosity: 200",
        "cross, plateau_viscosity: 20, infinite_viscosity: 1, time: 3 s, exponent: 0.7",
        "carreau, plateau_viscosity: 20, time: 3 ms, exponent: 0.3",
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "{density: 900, rheology: {model: %s}}", models[i]);
        cr_assert_gt(viscosity_of(text, NULL, 1, 20), 0.1, "%s", models[i]);
    }
}

Test(scene_materials, set_changes_laws_and_rheologies) {
    const char *wax = "{rheology: {model: jump, jump: {law: linear, from: [40, 1500], to: [65, 5]},"
                      " reference_viscosity: 2}}";
    cr_assert_eq(viscosity_of(wax, NULL, 0, 20), 3002);
    cr_assert_eq(viscosity_of(wax, "materials.it.rheology.jump=9", 0, 20), 20);
    cr_assert_eq(viscosity_of(wax, "materials.it.rheology.jump.from=[40, 99]", 0, 20), 200);
    cr_assert_eq(viscosity_of("{}", "materials.it.viscosity={law: constant, value: 7}", 0, 20), 7);
}

Test(scene_materials, a_rheology_takes_the_place_of_the_viscosity_it_is_like) {
    const char *bingham = "rheology: {model: bingham, yield_stress: 9, plastic_viscosity: 1, "
                          "plateau_viscosity: 50}";
    char text[300];
    snprintf(text, sizeof text, "{like: honey, %s}", bingham);
    cr_assert_eq(viscosity_of(text, NULL, 0, 20), 50);
    cr_assert_eq(viscosity_of("{like: basalt-lava, viscosity: 3}", NULL, 0, 20), 3);
    cr_assert_eq(
        viscosity_of("{like: basalt-lava, rheology: {plateau_viscosity: 20 kPa·s}}", NULL, 0, 20),
        20000);
    /* a law of another kind replaces the one of the library, of the same kind it changes it */
    cr_assert_eq(viscosity_of("{like: honey, viscosity: {law: constant, value: 4}}", NULL, 0, 20),
                 4);
    cr_assert_float_eq(
        viscosity_of("{like: bitumen, viscosity: {law: arrhenius, value: 4}}", NULL, 0, 60), 4,
        1e-12);
    snprintf(text, sizeof text, "{viscosity: 1, %s}", bingham);
    refuses(scene_of(text, ""), 2, "1, rheo", "both a viscosity and a rheology", "leave out one");
}

Test(scene_materials, phases_may_have_viscosities_of_their_own) {
    static const char both[] =
        "{solidus: 50, liquidus: 60, viscosity: 2, solid_viscosity: 8 kPa·s%s}";
    char text[200];
    snprintf(text, sizeof text, both, "");
    cr_assert_eq(viscosity_of(text, NULL, 1, 40), 8000);
    cr_assert_float_eq(viscosity_of(text, NULL, 1, 55), sqrt(16000), 1e-9);
    cr_assert_eq(viscosity_of(text, NULL, 1, 70), 2);
    snprintf(text, sizeof text, both,
             ", liquid_viscosity: {law: linear, from: [60, 4], to: [80, 2]}");
    cr_assert_eq(viscosity_of(text, NULL, 1, 70), 3);
    /* What gives a viscosity of its own means it for all phases. */
    cr_assert_eq(viscosity_of("{like: paraffin, viscosity: 7}", NULL, 1, 20), 7);
    cr_assert_eq(viscosity_of("{like: paraffin, solid_viscosity: 7}", NULL, 1, 20), 7);
    cr_assert_eq(viscosity_of("{like: paraffin, solid_viscosity: 7}", NULL, 1, 70), 0.00342);
    cr_assert_eq(viscosity_of("{like: ice, viscosity: 7}", NULL, 1, 20), 7);
    refuses(scene_of("{viscosity: 1, solid_viscosity: 5}", ""), 2, "5}", "but does not melt",
            "solidus");
    refuses(scene_of("{viscosity: 1, liquidus: 3, solid_viscosity: -5}", ""), 2, "-5",
            "out of range", "");
}

/* The viscosity of a material of the library at a shear rate and a temperature. */
static double library(const char *name, double rate, double T) {
    char text[100];
    snprintf(text, sizeof text, "{like: %s}", name);
    return viscosity_of(text, NULL, rate, T);
}

Test(scene_materials, the_library_has_the_numbers_of_its_sources) {
    cr_assert_float_eq(library("honey", 0, 20), 19, 1e-9);
    cr_assert_float_eq(library("bitumen", 0, 135), 426e-6 * 1028, 5e-3 * 0.438);
    cr_assert_float_eq(library("soda-lime-glass", 0, 1000), pow(10, -2.585 + 4215.0 / 737), 5);
    /* far beyond the yield the stress is the yield stress and the flow's part */
    cr_assert_float_eq(10 * library("clay", 10, 20), 90 + 10 * 0.2, 1e-6);
    cr_assert_float_eq(library("butter", 1, 4.5), 95e3 + 0.018, 1);
    cr_assert_float_eq(library("butter", 1, 20), 12e3 + 0.018, 1);
    cr_assert_float_eq(library("shaving-foam", 1, 20), 31.9 + 27.2, 1e-6);
    cr_assert_eq(library("ice", 0, -1), 1e15);
    cr_assert_float_eq(library("ice", 0, 20), 1.0016e-3, 1e-12);
    cr_assert_float_eq(library("solder", 0, 250), 2.3e-3, 1e-12);
    cr_assert_eq(library("solder", 0, 180), 1e5);
}

Test(scene_materials, waxes_and_fats_of_the_library_stand_cold_and_pour_molten) {
    const struct {
        const char *name;
        double molten, viscosity;
    } cases[] = {{"paraffin", 64, 0.00342},
                 {"beeswax", 66, 0.005},
                 {"tallow", 60, 0.018},
                 {"butter", 40, 0.018}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_geq(library(cases[i].name, 0, 20), 0.999e5, "%s", cases[i].name);
        const double molten = library(cases[i].name, 1000, cases[i].molten);
        cr_assert_float_eq(molten, cases[i].viscosity, 0.06 * cases[i].viscosity, "%s: %g",
                           cases[i].name, molten);
        for (double T = 0; T < 80; T += 1)
            cr_assert_leq(library(cases[i].name, 1, T + 1), library(cases[i].name, 1, T), "%s %g",
                          cases[i].name, T);
    }
}

Test(scene_materials, what_melts_in_the_library_has_its_heats) {
    char **names;
    size_t count, melting = 0;
    cr_assert_eq(tl_data_list("materials", &names, &count, NULL), TL_OK);
    for (size_t i = 0; i < count; i++) {
        char text[100];
        snprintf(text, sizeof text, "{like: %s}", names[i]);
        tl_scene *scene = load(scene_of(text, ""), NULL);
        const tl_material *m = first(scene);
        cr_assert(m->source && strlen(m->source) > 40, "%s has no source", names[i]);
        if (m->has_solidus || m->has_liquidus) {
            melting++;
            cr_expect(m->specific_heat > 0 && m->latent_heat > 0 && m->conductivity > 0, "%s",
                      names[i]);
        }
        tl_scene_destroy(scene);
    }
    cr_assert_geq(melting, 12);
    tl_data_free_list(names);
}

static const char three[] = "spacing: 0.1\n"
                            "materials:\n"
                            "  thick: {like: honey, viscosity: 70, colour: red}\n"
                            "  heavy: {like: thick, density: 5000}\n"
                            "  honey: {like: honey, density: 1}\n"
                            "  other: {like: honey}\n"
                            "bodies: [{name: b, material: heavy, box: {from: [0, 0, 0], to: [1, "
                            "1, 2]}}]\n";

Test(scene_materials, like_may_name_a_material_of_the_scene) {
    tl_scene *scene = load(three, NULL);
    const tl_material *m = scene->materials.items;
    cr_assert_eq(m[1].viscosity.value, 70);
    cr_assert_eq(m[1].density, 5000);
    cr_assert_float_eq((double)m[1].colour[0], 0xd6 / 255.0, 1e-6);
    cr_assert_eq(m[1].specific_heat, m[0].specific_heat, "not of the library in the end");
    cr_assert_gt(m[1].specific_heat, 0);
    /* a material that is like its own name is that of the library; others mean that of the scene */
    cr_assert_eq(m[2].density, 1);
    cr_assert_eq(m[3].density, 1);
    cr_assert_eq(m[0].density, 1, "honey of the scene counts for thick, whatever their order");
    round_trip(scene);
    tl_scene_destroy(scene);
}

Test(scene_materials, circles_and_strangers_of_like_are_named_with_their_place) {
    static const char circle[] =
        "spacing: 0.1\n"
        "materials:\n"
        "  a: {like: b}\n"
        "  b: {density: 5, like: c}\n"
        "  c: {like: a}\n"
        "bodies: [{name: b, material: a, box: {from: [0, 0, 0], to: [1, 1, 2]}}]\n";
    refuses(circle, 5, "a}", "in a circle", "on its own");
    static const char unknown[] =
        "spacing: 0.1\n"
        "materials: {solder: {density: 8000}, it: {like: nickel}}\n"
        "bodies: [{name: b, material: it, box: {from: [0, 0, 0], to: [1, 1, 2]}}]\n";
    refuses(unknown, 2, "nickel", "no material called \"nickel\"", "");
}

/* Nobody who writes copper means solder. */
Test(scene_materials, hints_do_not_take_one_word_for_another) {
    tl_diagnostics found = {0};
    tl_scene *scene = NULL;
    const tl_scene_options options = {.diagnostics = &found};
    static const char text[] =
        "spacing: 0.1\nmaterials: {solder: {density: 8000}}\n"
        "bodies: [{name: b, material: pewter, box: {from: [0, 0, 0], to: [1, 1, 2]}}]\n";
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", &options, &scene, NULL),
                 TL_BAD_INPUT);
    cr_assert_null(strstr(found.items[0].hint, "solder?"), "%s", found.items[0].hint);
    tl_diagnostics_clear(&found);
    /* a metal is not told to have the heat of wax alone */
    refuses("spacing: 0.1\nheat: {}\nmaterials: {m: {density: 8960, look: {metal: 1}}}\n"
            "bodies: [{name: b, material: m, box: {from: [0, 0, 0], to: [1, 1, 2]}}]\n",
            3, "{density", "no specific_heat", "metals have 0.1 to 0.9");
}

Test(scene_materials, mistakes_in_laws_are_named_with_their_place) {
    const struct {
        const char *law, *at, *what, *hint;
    } cases[] = {
        {"{lw: linear}", "{lw", "viscosity has no law", "one of: constant"},
        {"{law: linaer}", "linaer", "law cannot be \"linaer\"", "did you mean linear?"},
        {"{law: linear, from: [1, 2]}", "{law", "linear has no to", "A higher temperature"},
        {"{law: linear, from: [1], to: [2, 3]}", "[1]", "a temperature and a value", "[40, 1500]"},
        {"{law: linear, from: [9, 2], to: [5, 3]}", "[5", "must rise", "colder"},
        {"{law: linear, from: [1 m, 2], to: [5, 3]}", "1 m", "temperature: expected", ""},
        {"{law: linear, from: [1, 2 Pa], to: [5, 3]}", "2 Pa", "expected a viscosity", ""},
        {"{law: linear, from: [1, -2], to: [5, 3]}", "-2", "out of range", "from 0"},
        {"{law: table, points: [[1, 2]]}", "[[1", "two to", ""},
        {"{law: table, points: [[5, 2], [1, 2]]}", "[1, 2]", "must rise", "colder"},
        {"{law: table, points: [[1, 0], [5, 2]], interpolation: logarithmic}", "[1, 0]",
         "no logarithm", "above zero"},
        {"{law: table, points: [[1, 2], [5, 2]], interpolation: log}", "log}", "cannot be \"log\"",
         "one of: linear, logarithmic"},
        {"{law: arrhenius, value: 1, at: 25, enrgy: 5}", "{law", "no energy", ""},
        {"{law: arrhenius, value: 1, at: 25, energy: 5 Pa}", "5 Pa", "expected a molar energy", ""},
        {"{law: constant, value: 1, points: []}", "points", "constant has no parameter", ""},
        {"[1, 2]", "[1", "wants a value; got a list", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "{viscosity: %s}", cases[i].law);
        refuses(scene_of(text, ""), 2, cases[i].at, cases[i].what, cases[i].hint);
    }
}

Test(scene_materials, mistakes_in_rheologies_are_named_with_their_place) {
    const struct {
        const char *rheology, *at, *what, *hint;
    } cases[] = {
        {"{yield_stress: 3}", "{yield", "rheology has no model", "one of: newtonian, jump"},
        {"{model: bingam}", "bingam", "cannot be \"bingam\"", "did you mean bingham?"},
        {"bingham", "bingham", "wants a mapping", ""},
        {"{model: casson, yield_stress: 1, plastic_viscosity: 1}", "{model",
         "casson has no plateau_viscosity", "Viscosity at rest"},
        {"{model: newtonian, viscosity: 1, yeld_stress: 1}", "yeld", "has no parameter", ""},
        {"{model: jump}", "{model", "jump has no jump", "yield_stress, consistency"},
        {"{model: jump, jump: 3, yield_stress: 4}", "4}", "two ways", "or yield_stress"},
        {"{model: jump, yield_stress: 4, consistency: 1}", "{model",
         "jump has no plateau_viscosity", ""},
        {"{model: jump, jump: 3, exponent: 1.5}", "1.5", "out of range", "to 1"},
        {"{model: bingham, yield_stress: 1, plastic_viscosity: 9, plateau_viscosity: 2}", "2}",
         "less than plastic_viscosity", ""},
        {"{model: power-law, consistency: 1, exponent: 0.5}", "{model", "no max_viscosity",
         "Upper limit"},
        {"{model: power-law, consistency: 1, exponent: 0.5, min_viscosity: 4, max_viscosity: 2}",
         "2}", "less than min_viscosity", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "{rheology: %s}", cases[i].rheology);
        refuses(scene_of(text, ""), 2, cases[i].at, cases[i].what, cases[i].hint);
    }
    refuses(scene_of("{solidus: 40, liquidus: 30}", ""), 2, "30}", "molten before", "");
}

Test(scene_materials, elastic_parts_are_read_and_written_back) {
    tl_scene *scene =
        load(scene_of("{elastic: {modulus: 10 kPa, relaxation_time: {law: linear, from: [20, 9 s], "
                      "to: [60, 1 ms]}}}",
                      ""),
             "materials.it.elastic.modulus=3 kPa");
    const tl_elastic *e = &first(scene)->elastic;
    cr_assert(first(scene)->has_elastic && e->has_relaxation_time);
    cr_assert_eq(e->modulus.value, 3000);
    cr_assert_float_eq(tl_law_at(&e->relaxation_time, 60), 1e-3, 1e-12);
    round_trip(scene);
    tl_scene_destroy(scene);
    scene = load(scene_of("{elastic: {modulus: 1, hardening: -3 Pa, yield_stress: {law: "
                          "exponential, slope: -0.01, offset: 3}}}",
                          ""),
                 NULL);
    cr_assert(first(scene)->elastic.has_yield_stress);
    cr_assert_eq(first(scene)->elastic.hardening, -3);
    cr_assert_float_eq(tl_law_at(&first(scene)->elastic.yield_stress, 100), 100, 1e-9);
    round_trip(scene);
    tl_scene_destroy(scene);
    scene = load(scene_of("{elastic: {modulus: 1}}", ""), NULL);
    cr_assert(!first(scene)->elastic.has_relaxation_time, "it forgets");
    cr_assert(!first(scene)->elastic.has_yield_stress, "it yields");
    round_trip(scene);
    tl_scene_destroy(scene);
}

Test(scene_materials, mistakes_in_elastic_parts_are_named_with_their_place) {
    const struct {
        const char *elastic, *at, *what, *hint;
    } cases[] = {
        {"10 kPa", "10 kPa", "elastic wants a mapping", ""},
        {"{relaxation_time: 1 s}", "{relax", "elastic has no modulus", "Shear modulus"},
        {"{modulus: -5}", "-5", "out of range", "above 0"},
        {"{modulus: 0}", "0}", "out of range", "above 0"},
        {"{modulus: 3 m}", "3 m", "expected a pressure", ""},
        {"{modulus: 5, relaxation_time: 0}", "0}", "out of range", "above 0"},
        {"{modulus: 5, relaxation_time: -1 s}", "-1 s", "out of range", "above 0"},
        {"{modulus: 5, relaxation_time: 1 Pa}", "1 Pa", "expected a time", ""},
        {"{modulus: 5, relaxationtime: 1}", "relaxationtime", "relaxationtime",
         "did you mean relaxation_time?"},
        {"{modulus: {law: linear, from: [20, 5], to: [60, 0]}}", "0]", "out of range", "above 0"},
        {"{yield_stress: 1 kPa}", "{yield", "elastic has no modulus", "Shear modulus"},
        {"{modulus: 5, yield_stress: -1}", "-1", "out of range", "above 0"},
        {"{modulus: 5, yield_stress: 0}", "0}", "out of range", "above 0"},
        {"{modulus: 5, yield_stress: 1 s}", "1 s", "expected a pressure", ""},
        {"{modulus: 5, hardening: 2}", "2}", "never yields", "add a yield_stress"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "{elastic: %s}", cases[i].elastic);
        refuses(scene_of(text, ""), 2, cases[i].at, cases[i].what, cases[i].hint);
    }
}

/* A scene with one more line, its first. */
static const char *with_line(const char *line, const char *scene) {
    static char text[3000];
    snprintf(text, sizeof text, "%s\n%s", line, scene);
    return text;
}

Test(scene_materials, what_cannot_move_elastic_matter_is_told_so) {
    const char *jelly = scene_of("{elastic: {modulus: 500}, cohesion: {energy: 1e9}}", "");
    refuses(with_line("flow: {scheme: explicit}", jelly), 1, "explicit", "material \"it\" is",
            "coupled");
    refuses(with_line("dynamics: thermal-particles", jelly), 1, "thermal", "material \"it\" is",
            "without elastic");
    static const char *const good[] = {"flow: {scheme: split}", "flow: {scheme: incremental}",
                                       "flow: {scheme: none}", "flow: {scheme: coupled}"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        tl_scene_destroy(load(with_line(good[i], jelly), NULL));
    /* nothing is made of it, or what is keeps its shape */
    tl_scene_destroy(load("flow: {scheme: explicit}\nspacing: 0.1\nmaterials: {jelly: {density: 1, "
                          "viscosity: 1, elastic: {modulus: 5}}, it: {density: 1, viscosity: 1}}\n"
                          "bodies: [{material: it, box: {from: [0, 0, 0], to: [1, 1, 2]}}, "
                          "{name: b, rigid: true, material: jelly, box: {from: [2, 0, 0], "
                          "to: [3, 1, 2]}}]\n",
                          NULL));
}

Test(scene_materials, bodies_have_a_temperature_or_one_along_an_axis) {
    const struct {
        const char *temperature;
        double low, high;
    } cases[] = {{"", 20, 20},
                 {"300 K", 26.85, 26.85},
                 {"{value: 50}", 50, 50},
                 {"{along: z, from: 20, to: 100}", 22, 98},
                 {"{along: x, from: 100 °C, to: 20}", 96, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tl_scene *scene = load(scene_of("{}", cases[i].temperature), NULL);
        tl_seed *seeds;
        size_t count;
        cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){.threads = 1}, &seeds, &count, NULL),
                     TL_OK);
        cr_assert_float_eq((double)seeds[0].temperature, cases[i].low, 1e-4, "%zu", i);
        cr_assert_float_eq((double)seeds[count - 1].temperature, cases[i].high, 1e-4, "%zu", i);
        round_trip(scene);
        free(seeds);
        tl_scene_destroy(scene);
    }
    refuses(scene_of("{}", "{along: w}"), 3, "w}", "along cannot be", "did you mean");
    refuses(scene_of("{}", "{along: z, from: 3}"), 3, "{along", "two ends", "");
    refuses(scene_of("{}", "{from: 3, to: 4}"), 3, "{from: 3", "need an axis", "");
    refuses(scene_of("{}", "{value: 1, along: z, from: 3, to: 4}"), 3, "1, along", "not both", "");
    refuses(scene_of("{}", "-300"), 3, "-300", "out of range", "");
    refuses(scene_of("{}", "3 m"), 3, "3 m", "expected a temperature", "");
}

Test(scene_materials, surface_tension_is_read_as_a_law) {
    tl_scene *scene = load(scene_of("{surface_tension: {law: linear, from: [20, 72.7 mN/m], "
                                    "to: [80, 62.7 mN/m]}, contact_angle: 60 deg}",
                                    ""),
                           "materials.it.tensile_strength=2 kPa");
    const tl_material *m = first(scene);
    cr_assert(m->has_surface_tension);
    cr_assert_float_eq(tl_law_at(&m->surface_tension, 50), 0.0677, 1e-9);
    cr_assert_float_eq(cos(m->contact_angle), 0.5, 1e-9);
    cr_assert_eq(m->tensile_strength, 2000);
    round_trip(scene);
    tl_scene_destroy(scene);
    scene = load(scene_of("{density: 900}", ""), NULL);
    cr_assert(!first(scene)->has_surface_tension);
    cr_assert_float_eq(cos(first(scene)->contact_angle), 0, 1e-9);
    tl_scene_destroy(scene);
}

Test(scene_materials, mistakes_in_surface_tension_are_named_with_their_place) {
    refuses(scene_of("{surface_tension: -1 mN/m}", ""), 2, "-1", "surface_tension", "");
    refuses(scene_of("{surface_tension: 3 Pa}", ""), 2, "3 Pa",
            "expected a surface tension, such as 72 mN/m", "");
    refuses(scene_of("{contact_angle: 200 deg}", ""), 2, "200", "contact_angle", "");
    refuses(scene_of("{surface_tension: 1, contact_angel: 1}", ""), 2, "contact_angel",
            "contact_angel", "contact_angle");
    refuses(with_line("flow: {scheme: explicit}", scene_of("{surface_tension: 72 mN/m}", "")), 1,
            "explicit", "explicit flow has no surface tension", "coupled");
}
