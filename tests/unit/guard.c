/* The guard: what each rule warns of and what not, and how a world tells and remembers it. */
#include "world/guard.h"

#include "scratch_folder.h"
#include "world/state.h"

#include <stdio.h>

static bool warns(tl_guard_rule rule, tl_guard_view view) {
    return tl_guard_value(rule, &view) > tl_guard_limit(rule);
}

Test(guard, crowding_is_told_in_a_twentieth_of_the_steps_but_not_for_a_moment) {
    cr_expect(warns(TL_GUARD_CROWDING, (tl_guard_view){.steps = 500, .crowded = 26}));
    cr_expect_not(warns(TL_GUARD_CROWDING, (tl_guard_view){.steps = 500, .crowded = 25}));
    cr_expect_not(warns(TL_GUARD_CROWDING, (tl_guard_view){.steps = 40, .crowded = 19}));
    cr_expect(warns(TL_GUARD_CROWDING, (tl_guard_view){.steps = 40, .crowded = 20}));
}

Test(guard, energy_is_told_when_a_twentieth_of_what_moved_is_unexplained) {
    cr_expect(warns(TL_GUARD_ENERGY, (tl_guard_view){.unexplained = 5.1, .moved = 100}));
    cr_expect_not(warns(TL_GUARD_ENERGY, (tl_guard_view){.unexplained = 4.9, .moved = 100}));
    /* Before anything has happened every error is large. */
    const tl_guard_view early = {.unexplained = 0.5, .moved = 0.9, .slight = 1};
    cr_expect_not(warns(TL_GUARD_ENERGY, early));
    cr_expect_not(warns(TL_GUARD_ENERGY, (tl_guard_view){.unexplained = 1}));
}

Test(guard, walls_are_told_when_a_twentieth_of_what_is_near_is_too_near) {
    cr_expect(warns(TL_GUARD_WALLS, (tl_guard_view){.near_wall = 1000, .too_near = 51}));
    cr_expect_not(warns(TL_GUARD_WALLS, (tl_guard_view){.near_wall = 1000, .too_near = 50}));
    cr_expect_not(warns(TL_GUARD_WALLS, (tl_guard_view){.near_wall = 40, .too_near = 20}));
}

Test(guard, surfaces_are_told_when_a_seventh_of_them_is_lost) {
    cr_expect(warns(TL_GUARD_SURFACE, (tl_guard_view){.at_surface = 1000, .lost = 151}));
    cr_expect_not(warns(TL_GUARD_SURFACE, (tl_guard_view){.at_surface = 1000, .lost = 150}));
    cr_expect_not(warns(TL_GUARD_SURFACE, (tl_guard_view){.at_surface = 49, .lost = 49}));
}

Test(guard, refusals_are_told_when_a_tenth_of_the_attempts_fail) {
    cr_expect(warns(TL_GUARD_REFUSALS, (tl_guard_view){.steps = 100, .rejected = 12}));
    cr_expect_not(warns(TL_GUARD_REFUSALS, (tl_guard_view){.steps = 100, .rejected = 11}));
    cr_expect_not(warns(TL_GUARD_REFUSALS, (tl_guard_view){.steps = 19, .rejected = 10}));
    cr_expect_not(warns(TL_GUARD_REFUSALS, (tl_guard_view){.steps = 20, .rejected = 9}));
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

enum { N = 8, COUNT = N * N * N };

static int told;
static char last[512];

static void listen(void *context, tl_log_level level, const char *message) {
    (void)context;
    told += level == TL_LOG_WARNING;
    if (level == TL_LOG_WARNING)
        snprintf(last, sizeof last, "%s", message);
}

/* COUNT particles of syrup over a floor. */
static tl_world *lay(const double (*spacings)[3]) {
    static const tl_material syrup = {
        .name = (char *)"syrup", .density = 1000, .viscosity.value = 100};
    static const tl_wall_def floor = {.name = (char *)"floor", .plane = TL_SIDE_Z};
    tl_seed *seeds = calloc(COUNT, sizeof *seeds);
    const double dx = 0.01;
    for (size_t i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++)
            seeds[i].position[k] = dx * spacings[i][k];
    const tl_world_def def = {.spacing = dx,
                              .gravity = {0, 0, -9.81},
                              .flow = {.scheme = TL_SCHEME_COUPLED,
                                       .motion = 0.4,
                                       .tolerance = 0.05,
                                       .max_iterations = 200,
                                       .stabilization = 1,
                                       .skin = 0.05},
                              .materials = &syrup,
                              .material_count = 1,
                              .walls = &floor,
                              .wall_count = 1,
                              .seeds = seeds,
                              .seed_count = COUNT};
    const tl_world_options options = {.threads = 1,
                                      .log = {.write = listen, .level = TL_LOG_WARNING}};
    tl_world *world;
    tl_error error;
    cr_assert_eq(tl_world_make(&def, &options, &world, &error), TL_OK, "%s", error.what);
    free(seeds);
    told = 0;
    return world;
}

/* A block, the lowest layer `height` spacings above the floor. */
static tl_world *block(double height) {
    double place[COUNT][3];
    for (size_t i = 0; i < COUNT; i++) {
        place[i][0] = (double)(i % N);
        place[i][1] = (double)(i / N % N);
        place[i][2] = (double)(i / N / N) + height;
    }
    return lay((const double(*)[3])place);
}

/* One sheet that touches the floor, its particles some spacings apart. */
static tl_world *sheet(double apart) {
    double place[COUNT][3];
    for (size_t i = 0; i < COUNT; i++) {
        place[i][0] = apart * (double)(i % (2 * N));
        place[i][1] = apart * (double)(i / (2 * N));
        place[i][2] = 0.05;
    }
    return lay((const double(*)[3])place);
}

static void go(tl_world *world, double seconds) {
    tl_error error;
    cr_assert_eq(tl_world_advance(world, tl_world_time(world) + seconds, &error), TL_OK, "%s",
                 error.what);
}

/* Steps once, and expects this one warning. */
static void expect_warning(tl_world *world, const char *code) {
    tl_warning warning;
    go(world, 0.01);
    cr_assert_eq(tl_world_warnings(world, &warning, 1), 1, "%zu warnings",
                 tl_world_warnings(world, NULL, 0));
    cr_expect_str_eq(warning.code, code);
    cr_expect_gt(warning.worst, warning.limit);
    cr_expect_gt(warning.first_time, 0);
    cr_expect_eq(told, 1);
    cr_expect_eq(strncmp(last, code, strlen(code)), 0, "%s", last);
    const uint64_t count = warning.count;
    go(world, 0.01);
    cr_expect_eq(tl_world_warnings(world, &warning, 1), 1);
    cr_expect_gt(warning.count, count);
    cr_expect_eq(told, 1, "told %d times", told);
    tl_world_destroy(world);
}

Test(guard, matter_that_settles_on_a_floor_is_not_in_doubt) {
    tl_world *world = block(0.5);
    go(world, 0.2);
    cr_expect_eq(tl_world_warnings(world, NULL, 0), 0, "%s", last);
    cr_expect_eq(told, 0);
    tl_world_destroy(world);
}

Test(guard, a_world_that_crowds_says_so_once) {
    tl_world *world = block(0.5);
    world->state.steps = 100;
    world->state.crowded_steps = 30;
    expect_warning(world, "crowding");
}

Test(guard, a_world_that_gains_energy_from_nowhere_says_so_once) {
    tl_world *world = block(0.5);
    world->state.viscous_heat = 10; /* more than the block could give in falling apart */
    expect_warning(world, "energy");
}

Test(guard, a_world_whose_matter_stands_in_a_wall_says_so_once) {
    expect_warning(block(0.05), "walls");
}

Test(guard, matter_that_has_run_out_to_less_than_a_layer_may_lie_on_a_wall) {
    tl_world *world = sheet(1.8);
    go(world, 0.01);
    cr_expect_eq(tl_world_warnings(world, NULL, 0), 0, "%s", last);
    tl_world_destroy(world);
    expect_warning(sheet(1), "walls");
}

Test(guard, a_world_that_refuses_its_steps_says_so_once) {
    tl_world *world = block(0.5);
    world->state.steps = 50;
    world->state.rejected = 20;
    expect_warning(world, "refusals");
}

Test(guard, a_snapshot_keeps_what_was_told, .init = scratch_make, .fini = scratch_remove) {
    const char *path = in_scratch("world.h5");
    tl_warning before, after;
    tl_error error;
    tl_world *world = block(0.05), *again = block(0.05);
    go(world, 0.01);
    cr_assert_eq(tl_world_warnings(world, &before, 1), 1);
    cr_assert_eq(tl_world_save(world, path, &error), TL_OK, "%s", error.what);
    told = 0;
    cr_assert_eq(tl_world_restore(again, path, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_warnings(again, &after, 1), 1);
    cr_expect_eq(after.count, before.count);
    cr_expect_eq(after.first_time, before.first_time);
    cr_expect_eq(after.worst, before.worst);
    go(again, 0.01);
    cr_expect_eq(told, 0, "told again: %s", last);
    tl_world_destroy(world);
    tl_world_destroy(again);
}
