/* What either scheme is expected to take, and which one is taken. */
#include "scene/scene.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tl_choice choice_for(const char *text) {
    tl_scene *scene;
    tl_world *world;
    tl_error error;
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "block", NULL, &scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_OK, "%s", error.what);
    const tl_choice choice = *tl_world_choice(world);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return choice;
}

/* A block of 5 cm on a floor, and what else is said of the floor and after it. */
static tl_choice choice_of(double viscosity, double duration, const char *more) {
    char text[1024];
    snprintf(text, sizeof text,
             "spacing: 5 mm\nduration: %g s\n"
             "materials: {stuff: {density: 1000, viscosity: %g}}\n"
             "bodies:\n  - {material: stuff, box: {from: [0, 0, 0], to: [5 cm, 5 cm, 5 cm]}}\n"
             "walls:\n  - {name: floor, plane: z, at: 0%s",
             duration, viscosity, more);
    return choice_for(text);
}

static int scheme_of(double viscosity, double duration) {
    return choice_of(viscosity, duration, "}\n").taken;
}

Test(choice, thin_liquids_that_splash_are_solved_explicitly) {
    cr_expect_eq(scheme_of(0.001, 0.5), TL_SCHEME_EXPLICIT);
    cr_expect_eq(scheme_of(0.001, 10), TL_SCHEME_EXPLICIT);
    cr_expect_eq(scheme_of(0.1, 0.5), TL_SCHEME_EXPLICIT);
}

Test(choice, thick_liquids_are_solved_implicitly) {
    cr_expect_eq(scheme_of(20, 0.5), TL_SCHEME_COUPLED);
    cr_expect_eq(scheme_of(1e5, 0.5), TL_SCHEME_COUPLED);
    cr_expect_eq(scheme_of(1e5, 100), TL_SCHEME_COUPLED);
}

/* Steps of 20 ms against steps of a third of one: matter that comes to rest need not be thick. */
Test(choice, what_comes_to_rest_for_long_is_solved_implicitly) {
    cr_expect_eq(scheme_of(1, 0.1), TL_SCHEME_EXPLICIT);
    cr_expect_eq(scheme_of(1, 20), TL_SCHEME_COUPLED);
}

Test(choice, rigid_bodies_alone_are_nothing_to_solve) {
    const tl_choice choice = choice_for(
        "spacing: 5 mm\nduration: 100 s\ngravity: [0, 0, 0]\n"
        "flow: {sound_speed: 1000}\nbodies:\n"
        "  - {material: steel, rigid: true, box: {from: [0, 0, 0], to: [5 cm, 5 cm, 5 cm]}}\n");
    cr_expect_lt(choice.by_coupled.seconds, choice.by_explicit.seconds);
    cr_expect_eq(choice.taken, TL_SCHEME_EXPLICIT);
}

/* A block as above of one material, in a scene that knows jelly as well. */
static tl_choice choice_beside_jelly(const char *material, const char *more) {
    char text[1024];
    snprintf(text, sizeof text,
             "spacing: 5 mm\nduration: 0.5 s\n"
             "materials: {thin: {density: 1000, viscosity: 0.001}, "
             "jelly: {like: thin, elastic: {modulus: 500}}}\n"
             "bodies:\n  - {material: %s, box: {from: [0, 0, 0], to: [5 cm, 5 cm, 5 cm]}%s",
             material, more);
    return choice_for(text);
}

Test(choice, elastic_matter_is_solved_implicitly) {
    const tl_choice jelly = choice_beside_jelly("jelly", "}\n");
    cr_expect_eq(jelly.taken, TL_SCHEME_COUPLED);
    cr_expect_lt(jelly.by_explicit.seconds, jelly.by_coupled.seconds);
    tl_text text = {0};
    tl_choice_explain(&jelly, "", &text);
    cr_expect(strstr(text.bytes, "scheme: coupled, since some of the matter is elastic\n"), "%s",
              text.bytes);
    cr_expect_null(strstr(text.bytes, "explicit"), "%s", text.bytes);
    free(text.bytes);
}

Test(choice, elastic_matter_that_nothing_is_made_of_does_not_count) {
    cr_expect_eq(choice_beside_jelly("thin", "}\n").taken, TL_SCHEME_EXPLICIT);
    cr_expect_eq(choice_beside_jelly("jelly", ", rigid: true}\n").taken, TL_SCHEME_EXPLICIT);
}

Test(choice, the_scene_has_the_last_word) {
    const tl_choice choice = choice_of(1e5, 1, "}\nflow: {scheme: explicit}\n");
    cr_expect_eq(choice.taken, TL_SCHEME_EXPLICIT);
    cr_expect_eq(choice.asked, TL_SCHEME_EXPLICIT);
    cr_expect_gt(choice.by_explicit.seconds, choice.by_coupled.seconds);
}

/* Water in the middle of a hollow ball, over one, and over a board falls until it meets them. */
Test(choice, matter_falls_until_it_meets_walls_of_any_form) {
    static const struct {
        const char *wall;
        double fall; /* m: of the lowest layer */
    } cases[] = {{"{sphere: {center: [0, 0, 0], radius: 20 cm}, hollow: true}", 0.2 - 0.02},
                 {"{sphere: {center: [0, 0, -30 cm], radius: 10 cm}}", 0.2 - 0.02},
                 {"{box: {from: [-9, -9, -9], to: [9, 9, -0.2]}, outside: true}", 0.2 - 0.02},
                 {"{plane: z, at: -20 cm}", 0.2 - 0.02}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "spacing: 1 cm\nduration: 1 s\n"
                 "materials: {water: {density: 1000, viscosity: 0.001}}\n"
                 "bodies:\n  - {material: water, box: {from: [-2 cm, -2 cm, -2 cm], "
                 "to: [2 cm, 2 cm, 2 cm]}}\nwalls:\n  - %s\n",
                 cases[k].wall);
        const tl_choice choice = choice_for(text);
        const double g = 9.81, fall = choice.facts.speed * choice.facts.speed / (2 * g);
        cr_expect_gt(fall, cases[k].fall - 0.01, "%s: %g m", cases[k].wall, fall);
        cr_expect_lt(fall, cases[k].fall + 0.05, "%s: %g m", cases[k].wall, fall);
    }
}

Test(choice, belts_keep_the_flow_going) {
    const tl_choice still = choice_of(1, 10, "}\n"),
                    belt = choice_of(1, 10, ", velocity: [9, 0, 0]}\n");
    cr_expect_eq(still.facts.driving, 0);
    cr_expect_eq(belt.facts.driving, 9);
    cr_expect_gt(belt.by_coupled.steps, 5 * still.by_coupled.steps);
}

/* Bitumen of 180 °C is as thin as oil, but not on a floor of 20 °C. */
Test(choice, temperatures_that_matter_may_come_to_count) {
    static const char hot[] =
        "spacing: 5 mm\nduration: 1 s\nheat: {}\n"
        "materials: {tar: {like: bitumen, specific_heat: 1800, conductivity: 0.2}}\nbodies:\n"
        "  - {material: tar, temperature: 180, box: {from: [0, 0, 0], "
        "to: [5 cm, 5 cm, 5 cm]}}\n"
        "walls:\n  - {name: floor, plane: z, at: 0";
    char text[1024];
    snprintf(text, sizeof text, "%s}\n", hot);
    const tl_choice alone = choice_for(text);
    snprintf(text, sizeof text, "%s, temperature: 20}\n", hot);
    const tl_choice cooled = choice_for(text);
    cr_expect_lt(alone.facts.stiffest, 1e-4);
    cr_expect_gt(cooled.facts.stiffest, 10);
    cr_expect_float_eq(cooled.facts.thinnest, alone.facts.thinnest, 1e-9);
    cr_expect_eq(cooled.taken, TL_SCHEME_COUPLED);
}

Test(choice, what_was_taken_is_said_with_the_reason) {
    const tl_choice thin = choice_of(0.001, 1, "}\n"), thick = choice_of(1e4, 1, "}\n");
    tl_text text = {0};
    tl_choice_explain(&thin, "# ", &text);
    cr_expect(strstr(text.bytes, "# scheme: explicit, since coupled steps would take"), "%s",
              text.bytes);
    cr_expect(strstr(text.bytes, "# support: 2 spacings\n"), "%s", text.bytes);
    cr_expect(strstr(text.bytes, "explicit steps, or"), "%s", text.bytes);
    text.length = 0;
    tl_choice_explain(&thick, "", &text);
    cr_expect_eq(strncmp(text.bytes, "scheme: coupled, since explicit ones would take", 46), 0,
                 "%s", text.bytes);
    free(text.bytes);
}
