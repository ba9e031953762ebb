/* Particles of different sizes from scenes: bodies with a spacing of their own, and refine. */
#include "scene/fill.h"
#include "scene_texts.h"

#include <math.h>

static size_t seed(const char *text, tl_seed **seeds) {
    tl_scene *scene = load(text, NULL);
    size_t count;
    tl_error error = {0};
    cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){.threads = 1}, seeds, &count, &error), TL_OK,
                 "%s", error.what);
    tl_scene_destroy(scene);
    return count;
}

#define BOX "spacing: 0.1\nbodies:\n  - {material: honey, box: {from: [0, 0, 0], to: [1, 1, 2]}}\n"

Test(scene_sizes, a_body_has_a_spacing_of_its_own) {
    tl_seed *seeds;
    const size_t count = seed("spacing: 0.1\nbodies:\n"
                              "  - {material: honey, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n"
                              "  - {material: honey, spacing: 0.125, box: {from: [0, 0, 1], to: "
                              "[1, 1, 2]}}\n",
                              &seeds);
    cr_assert_eq(count, 1000 + 512);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(seeds[i].size, i < 1000 ? 0.1 : 0.125);
    free(seeds);
}

/* Volume and centre of mass are those of the box; inside of the region there is a lattice. */
Test(scene_sizes, refine_keeps_volume_and_centre_and_grades_by_halves) {
    tl_seed *seeds;
    const size_t count =
        seed(BOX "refine:\n  - {box: {from: [0, 0, 0], to: [1, 1, 0.5]}, levels: 3}\n", &seeds);
    double volume = 0, moment[3] = {0};
    size_t fine = 0;
    for (size_t i = 0; i < count; i++) {
        const double V = pow(seeds[i].size, 3), z = seeds[i].position[2];
        volume += V;
        for (int k = 0; k < 3; k++)
            moment[k] += V * seeds[i].position[k];
        const double level = log2(1e-3 / V), expected = z < 0.5 ? 3 : z < 0.7 ? 2 : z < 0.9 ? 1 : 0;
        cr_assert_float_eq(level, expected, 1e-9, "level %g at %g", level, z);
        fine += z < 0.5;
    }
    cr_expect_eq(fine, 8 * 500);
    cr_expect_eq(count, 8 * 500 + 4 * 200 + 2 * 200 + 1100);
    cr_expect_float_eq(volume, 2, 1e-9);
    cr_expect_float_eq(moment[0] / volume, 0.5, 1e-9);
    cr_expect_float_eq(moment[2] / volume, 1, 1e-9);
    for (size_t i = 0; i < 8; i++) /* of the first cube */
        for (int k = 0; k < 3; k++) {
            const double at = seeds[i].position[k];
            cr_expect(fabs(at - 0.025) < 1e-12 || fabs(at - 0.075) < 1e-12, "%g", at);
        }
    free(seeds);
}

Test(scene_sizes, refine_by_the_name_of_a_body_leaves_the_others) {
    tl_seed *seeds;
    const size_t count =
        seed("spacing: 0.1\nbodies:\n"
             "  - {name: a, material: honey, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n"
             "  - {name: b, material: honey, box: {from: [0, 0, 1], to: [1, 1, 2]}}\n"
             "refine:\n  - {body: b, levels: 1}\n",
             &seeds);
    cr_assert_eq(count, 1000 + 2000);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(seeds[i].size < 0.09, seeds[i].body == 1);
    free(seeds);
}

Test(scene_sizes, what_cannot_be_is_refused_where_it_stands) {
    refuses(BOX "refine:\n  - {levels: 2}\n", NULL, "test", 5, 5, "does not say where",
            "add a box");
    refuses(BOX "refine:\n  - {body: nobody}\n", NULL, "test", 5, 12, "there is no body", "");
    refuses(BOX "refine:\n  - {body: body-1}\nflow: {scheme: explicit}\n", NULL, "test", 6, 16,
            "one size only", "coupled");
    refuses("spacing: 0.1\nbodies:\n  - {material: honey, spacing: 0.5, box: {from: [0, 0, 0], to: "
            "[1, 1, 2]}}\n",
            NULL, "test", 3, 32, "5 times the scene's", "factor of 3");
    refuses("spacing: 0.1\nbodies:\n  - {material: honey, rigid: true, spacing: 0.2, box: {from: "
            "[0, 0, 0], to: [1, 1, 2]}}\n",
            NULL, "test", 3, 45, "it is rigid", "leave out");
}

/* By temperature at the start, before anything has moved. */
Test(scene_sizes, refine_by_temperature_cuts_what_is_warm_and_knows_what_it_was) {
    tl_seed *seeds;
    const size_t count =
        seed("spacing: 0.1\nheat: {}\nbodies:\n"
             "  - {material: honey, temperature: 20 °C, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n"
             "  - {material: honey, temperature: 60 °C, box: {from: [0, 0, 1], to: [1, 1, 2]}}\n"
             "refine:\n  - {warmer: 50 °C, levels: 3}\n",
             &seeds);
    cr_assert_eq(count, 1000 + 8000);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(seeds[i].size < 0.06, seeds[i].body == 1);
        cr_assert_float_eq(seeds[i].whole, 0.1, 1e-12);
    }
    free(seeds);
}

Test(scene_sizes, refine_that_would_split_and_merge_by_turns_is_refused) {
    refuses(BOX "refine:\n  - {until: 40 °C, body: body-1}\n", NULL, "test", 5, 13, "does nothing",
            "add warmer");
    refuses(BOX "refine:\n  - {warmer: 40 °C, until: 50 °C}\n", NULL, "test", 5, 28, "by turns",
            "below warmer");
}
