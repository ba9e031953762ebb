/* The public header alone: hands, gravity, sources and live parameters of a world that is steered.
 */
#include <tallow/tallow.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char block[] = "spacing: 2.5 cm\n"
                            "frame_rate: 50\n"
                            "materials: {syrup: {density: 1400, viscosity: 20, conductivity: 1,\n"
                            "                    specific_heat: 2000, absorptivity: 0.9}}\n"
                            "bodies:\n"
                            "  - {material: syrup, temperature: 20,\n"
                            "     box: {from: [0, 0, 0], to: [0.3, 0.2, 0.2]}}\n"
                            "walls:\n"
                            "  - {name: floor, plane: z, at: 0, temperature: 20}\n"
                            "sources: [{name: lamp, position: [-0.2, 0.1, 0.3], power: 50}]\n";

static tl_scene *load(const char *override) {
    tl_scene *scene;
    tl_error error = {0};
    const tl_scene_options options = {.overrides = &override, .override_count = override ? 1 : 0};
    cr_assert_eq(tl_scene_load_memory(block, sizeof block - 1, "block", &options, &scene, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    return scene;
}

static tl_world *create(const tl_scene *scene, bool steered, int threads) {
    tl_world *world;
    tl_error error = {0};
    const tl_world_options options = {.steered = steered, .threads = threads};
    cr_assert_eq(tl_world_create(scene, &options, &world, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    return world;
}

static void advance(tl_world *world, double by) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(world, tl_world_time(world) + by, &error), TL_OK, "%s: %s",
                 error.where, error.what);
}

static double *places(tl_world *world) {
    tl_field_view view;
    cr_assert(tl_world_field(world, "position", &view));
    return view.data;
}

/* m: of the middle of all matter, along an axis. */
static double middle(tl_world *world, int axis) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        sum += places(world)[3 * i + (size_t)axis];
    return sum / (double)tl_world_count(world);
}

static double book(const tl_world *world, const char *name) {
    double books[128];
    const size_t count = tl_world_books(world, books, 128);
    tl_book column;
    for (size_t i = 0; i < count && tl_book_at(i, &column); i++)
        if (strcmp(column.name, name) == 0)
            return books[i];
    cr_assert_fail("no column %s", name);
    return (double)NAN;
}

static void grip_all(tl_world *world) {
    size_t caught;
    tl_error error = {0};
    cr_assert_eq(tl_world_grip(world, (double[]){0.15, 0.1, 0.1}, 1, 100, &caught, &error), TL_OK);
    cr_assert_eq(caught, tl_world_count(world));
}

static tl_world *loaded(const tl_scene *scene, const tl_world *from) {
    char path[256];
    tl_world *again;
    tl_error error = {0};
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-hands-%ld.h5", folder ? folder : "/tmp", (long)getpid());
    cr_assert_eq(tl_world_save(from, path, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_load(scene, &(tl_world_options){.steered = true}, path, &again, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    unlink(path);
    return again;
}

Test(api_hands, what_is_held_goes_where_the_hand_goes_and_falls_when_it_lets_go) {
    tl_scene *scene = load(NULL);
    tl_world *world = create(scene, true, 0);
    const double before[3] = {middle(world, 0), middle(world, 1), middle(world, 2)};
    tl_error error = {0};
    grip_all(world);
    cr_assert_eq(tl_world_carry(world, (double[]){0.15, 0.1, 0.2}, &error), TL_OK);
    advance(world, 1);
    cr_expect_float_eq(middle(world, 2), before[2] + 0.1, 0.01);
    cr_expect_float_eq(middle(world, 0), before[0], 0.01);
    tl_world_let_go(world);
    advance(world, 0.1);
    cr_expect_lt(middle(world, 2), before[2] + 0.1 - 0.03); /* ½ g t² = 0.049 m */
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_hands, the_work_of_a_hand_is_in_the_books) {
    tl_scene *scene = load(NULL);
    tl_world *world = create(scene, true, 0);
    tl_error error = {0};
    const double before = book(world, "potential_energy");
    grip_all(world);
    cr_assert_eq(tl_world_carry(world, (double[]){0.15, 0.1, 0.2}, &error), TL_OK);
    advance(world, 0.6);
    const double lifted = book(world, "potential_energy") - before;
    cr_expect_gt(lifted, 10); /* 16.8 kg by 0.1 m: 16.5 J */
    cr_expect_gt(book(world, "field_work"), lifted);
    cr_expect_lt(fabs(book(world, "energy_error")), 0.05 * book(world, "field_work"), "%g of %g J",
                 book(world, "energy_error"), book(world, "field_work"));
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_hands, a_hand_holds_what_is_near_it_and_nothing_else) {
    tl_scene *scene = load(NULL);
    tl_world *world = create(scene, true, 0);
    tl_field_view caught;
    size_t count, near = 0;
    tl_error error = {0};
    cr_assert_eq(tl_world_grip(world, (double[]){0, 0.1, 0.2}, 0.08, 50, &count, &error), TL_OK);
    cr_assert(tl_world_field(world, "caught", &caught));
    for (size_t i = 0; i < caught.count; i++) {
        const double *x = places(world) + 3 * i;
        const double way = sqrt(x[0] * x[0] + pow(x[1] - 0.1, 2) + pow(x[2] - 0.2, 2));
        cr_assert_eq(((const uint8_t *)caught.data)[i] > 0, way < 0.08);
        near += way < 0.08;
    }
    cr_assert(count == near && near > 5 && near < caught.count / 4);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

/* Everything that may be told, at two moments. */
static void tell(tl_world *world, tl_scene *thinner, int moment) {
    tl_error error = {0};
    if (moment == 0) {
        cr_assert_eq(tl_world_grip(world, (double[]){0.3, 0.1, 0.2}, 0.1, 60, NULL, &error) ||
                         tl_world_carry(world, (double[]){0.35, 0.1, 0.3}, &error) ||
                         tl_world_place_source(world, "lamp", (double[]){0.5, 0.1, 0.4}, &error),
                     TL_OK);
    } else {
        cr_assert_eq(tl_world_set_gravity(world, (double[]){1, 0, -5}, &error) ||
                         tl_world_adopt(world, thinner, &error),
                     TL_OK);
        tl_world_let_go(world);
    }
}

Test(api_hands, worlds_that_are_told_the_same_are_the_same_to_the_bit) {
    tl_scene *scene = load(NULL), *thinner = load("materials.syrup.viscosity=2");
    tl_world *a = create(scene, true, 1), *b = create(scene, true, 2);
    for (int moment = 0; moment < 2; moment++) {
        tell(a, thinner, moment);
        tell(b, thinner, moment);
        advance(a, 0.05);
        advance(b, 0.05);
        cr_assert_eq(tl_world_hash(a), tl_world_hash(b));
    }
    tl_world_destroy(a);
    tl_world_destroy(b);
    tl_scene_destroy(scene);
    tl_scene_destroy(thinner);
}

Test(api_hands, a_snapshot_knows_what_was_told) {
    tl_scene *scene = load(NULL);
    tl_world *a = create(scene, true, 0);
    tl_error error = {0};
    tell(a, NULL, 0);
    cr_assert_eq(tl_world_set_gravity(a, (double[]){0, 2, -8}, &error), TL_OK);
    advance(a, 0.04);
    tl_world *b = loaded(scene, a);
    cr_assert_eq(tl_world_hash(a), tl_world_hash(b));
    advance(a, 0.04);
    advance(b, 0.04);
    cr_assert_eq(tl_world_hash(a), tl_world_hash(b));
    tl_world_destroy(a);
    tl_world_destroy(b);
    tl_scene_destroy(scene);
}

/* The other way is how a run goes on with another value: it is there since long, and the oracle. */
static void adopts_as_a_run_goes_on(const char *override) {
    tl_scene *scene = load(NULL), *other = load(override);
    tl_world *a = create(scene, true, 0);
    tl_error error = {0};
    advance(a, 0.04);
    tl_world *b = loaded(other, a);
    cr_assert_eq(tl_world_adopt(a, other, &error), TL_OK, "%s", error.what);
    advance(a, 0.06);
    advance(b, 0.06);
    cr_expect_eq(tl_world_hash(a), tl_world_hash(b), "%s", override);
    tl_world_destroy(a);
    tl_world_destroy(b);
    tl_scene_destroy(scene);
    tl_scene_destroy(other);
}

Test(api_hands, a_scene_is_adopted_as_a_run_goes_on_with_another_value) {
    adopts_as_a_run_goes_on("materials.syrup.viscosity=0.5");
    adopts_as_a_run_goes_on("materials.syrup.conductivity=20");
    adopts_as_a_run_goes_on("walls.floor.temperature=80");
    adopts_as_a_run_goes_on("flow.max_step=2 ms");
    adopts_as_a_run_goes_on("heat.speed=30");
}

Test(api_hands, a_thinner_liquid_spreads_faster_from_then_on) {
    tl_scene *scene = load(NULL), *thinner = load("materials.syrup.viscosity=1");
    tl_world *a = create(scene, false, 0), *b = create(scene, false, 0);
    tl_error error = {0};
    cr_assert_eq(tl_world_adopt(b, thinner, &error), TL_OK); /* needs no steered world */
    advance(a, 0.2);
    advance(b, 0.2);
    cr_expect_lt(middle(b, 2), middle(a, 2) - 0.005);
    tl_world_destroy(a);
    tl_world_destroy(b);
    tl_scene_destroy(scene);
    tl_scene_destroy(thinner);
}

Test(api_hands, what_may_not_change_is_refused_and_changes_nothing) {
    tl_scene *scene = load(NULL);
    tl_world *world = create(scene, true, 0), *plain = create(scene, false, 0);
    const uint64_t before = tl_world_hash(world);
    const char *const frozen[] = {"spacing=2 cm", "materials.syrup.density=1000",
                                  "flow.scheme=coupled", "walls.floor.at=-0.1"};
    tl_error error = {0};
    for (size_t k = 0; k < sizeof frozen / sizeof *frozen; k++) {
        tl_scene *other = load(frozen[k]);
        cr_expect_eq(tl_world_adopt(world, other, &error), TL_BAD_INPUT, "%s", frozen[k]);
        tl_scene_destroy(other);
    }
    const double nowhere[3] = {(double)NAN, 0, 0}, here[3] = {0};
    cr_expect_eq(tl_world_grip(world, nowhere, 1, 1, NULL, &error), TL_BAD_INPUT);
    cr_expect_eq(tl_world_grip(world, here, -1, 1, NULL, &error), TL_BAD_INPUT);
    cr_expect_eq(tl_world_carry(world, nowhere, &error), TL_BAD_INPUT);
    cr_expect_eq(tl_world_set_gravity(world, nowhere, &error), TL_BAD_INPUT);
    cr_expect_eq(tl_world_place_source(world, "lamb", here, &error), TL_BAD_INPUT);
    cr_expect_eq(tl_world_hash(world), before);
    cr_expect_eq(tl_world_grip(plain, here, 1, 1, NULL, &error), TL_BAD_INPUT);
    cr_expect_eq(tl_world_set_gravity(plain, here, &error), TL_BAD_INPUT);
    tl_world_destroy(world);
    tl_world_destroy(plain);
    tl_scene_destroy(scene);
}

Test(api_hands, a_lamp_warms_what_it_is_moved_to) {
    tl_scene *scene = load("sources.lamp.power=5 kW");
    tl_world *world = create(scene, true, 0);
    tl_field_view view;
    tl_error error = {0};
    double sums[2] = {0};
    cr_assert_eq(tl_world_place_source(world, "lamp", (double[]){0.6, 0.1, 0.1}, &error), TL_OK);
    advance(world, 0.5);
    cr_assert(tl_world_field(world, "temperature", &view));
    for (size_t i = 0; i < view.count; i++)
        sums[places(world)[3 * i] > 0.15] += (double)((const float *)view.data)[i] - 20;
    cr_expect(sums[1] > 5 * sums[0] && sums[1] > 0, "%g K in front, %g K behind", sums[1], sums[0]);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_hands, knobs_are_the_live_numbers_of_a_scene) {
    tl_scene *scene = load(NULL);
    const size_t count = tl_scene_knobs(scene, NULL, 0);
    tl_knob *knobs = calloc(count, sizeof *knobs);
    bool thick = false, floor = false, lamp = false;
    cr_assert_eq(tl_scene_knobs(scene, knobs, count), count);
    for (size_t k = 0; k < count; k++) {
        char override[256];
        tl_error error = {0};
        thick |= strcmp(knobs[k].key, "materials.syrup.viscosity") == 0 && knobs[k].value == 20;
        floor |= strcmp(knobs[k].key, "walls.floor.temperature") == 0;
        lamp |= strcmp(knobs[k].key, "sources.lamp.power") == 0;
        cr_expect(strcmp(knobs[k].key, "materials.syrup.density") != 0);
        /* Each is an override, and changes nothing when it is given the value it has. */
        snprintf(override, sizeof override, "%s=%.17g", knobs[k].key, knobs[k].value);
        tl_scene *same = load(override);
        tl_world *world = create(scene, true, 0);
        cr_expect_eq(tl_world_adopt(world, same, &error), TL_OK, "%s: %s", override, error.what);
        tl_world_destroy(world);
        tl_scene_destroy(same);
    }
    cr_expect(thick && floor && lamp);
    free(knobs);
    tl_scene_destroy(scene);
}
