/* The public header alone: what a program does to a world that runs, and what it reads from it:
 * walls that are driven, temperatures, the books, and what there is to say in scenes. */
#include <tallow/tallow.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Syrup in a tank beside a block, whose way of moving is put in for %s. */
static const char pushed[] =
    "spacing: 5 cm\n"
    "flow: {scheme: coupled, sound_speed: 30 m/s}\n"
    "materials: {syrup: {density: 1400, viscosity: 30}}\n"
    "bodies:\n"
    "  - {material: syrup, box: {from: [0.1, 0, 0], to: [0.4, 0.2, 0.2]}}\n"
    "walls:\n"
    "  - {name: tank, box: {from: [-1, 0, 0], to: [1, 0.2, 1]}, open: z}\n"
    "  - {name: ram, box: {from: [-0.1, -0.1, -0.1], to: [0.1, 0.3, 0.5]}, "
    "outside: true, %s}\n";
static const char driven[] = "driven: 0.5 m/s";

static tl_scene *load(const char *text, const char *part) {
    char whole[1024];
    tl_scene *scene;
    tl_error error = {0};
    snprintf(whole, sizeof whole, text, part);
    cr_assert_eq(tl_scene_load_memory(whole, strlen(whole), "steer", NULL, &scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    return scene;
}

static tl_world *create(const tl_scene *scene) {
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    return world;
}

static void drive(tl_world *world, double x) {
    tl_error error = {0};
    cr_assert_eq(tl_world_drive_wall(world, "ram", (double[]){x, 0, 0}, &error), TL_OK, "%s",
                 error.what);
}

static void advance(tl_world *world, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(world, time, &error), TL_OK, "%s: %s", error.where, error.what);
}

static tl_wall_view ram_of(const tl_world *world) {
    tl_wall_view ram;
    cr_assert(tl_world_wall(world, "ram", &ram));
    return ram;
}

static tl_field_view view_of(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view;
}

/* Of the particle farthest back, m. */
static double rear_of(tl_world *world) {
    const tl_field_view position = view_of(world, "position");
    double rear = HUGE_VAL;
    for (size_t i = 0; i < position.count; i++)
        rear = fmin(rear, ((const double *)position.data)[3 * i]);
    return rear;
}

Test(api_steer, a_driven_wall_goes_where_it_is_told_and_pushes_matter) {
    tl_scene *scene = load(pushed, driven);
    tl_world *world = create(scene);
    cr_assert(ram_of(world).fastest == 0.5 && ram_of(world).shift[0] == 0);
    const uint64_t before = tl_world_hash(world);
    drive(world, 0.4);
    cr_assert_neq(tl_world_hash(world), before);
    advance(world, 0.1);
    cr_assert_float_eq(ram_of(world).shift[0], 0.04, 1e-15);
    drive(world, -0.2);
    advance(world, 0.15);
    cr_assert_float_eq(ram_of(world).shift[0], 0.03, 1e-15);
    cr_assert_eq(ram_of(world).velocity[0], -0.2);
    drive(world, 0.5);
    advance(world, 0.35);
    cr_assert_float_eq(ram_of(world).shift[0], 0.13, 1e-15);
    cr_assert_gt(rear_of(world), 0.1 + 0.13);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_steer, a_wall_driven_as_a_plan_has_it_makes_the_same_world_to_the_bit) {
    tl_scene *by_hand = load(pushed, driven),
             *by_plan = load(pushed, "motion: [{speed: 0.5 m/s, along: x}]");
    tl_world *a = create(by_hand), *b = create(by_plan);
    drive(a, 0.5);
    advance(a, 0.2);
    advance(b, 0.2);
    cr_assert_eq(tl_world_steps(a), tl_world_steps(b));
    const tl_field_view x = view_of(a, "position"), y = view_of(b, "position");
    cr_assert(x.count == y.count && memcmp(x.data, y.data, x.count * 3 * sizeof(double)) == 0);
    tl_world_destroy(a);
    tl_world_destroy(b);
    tl_scene_destroy(by_hand);
    tl_scene_destroy(by_plan);
}

/* Saves when the wall has just been told, and loads that: both go on alike. */
static void resumes_alike(tl_world *world, const tl_scene *scene, double until) {
    char path[256];
    tl_world *again;
    tl_error error = {0};
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-steer-%ld.h5", folder ? folder : "/tmp", (long)getpid());
    cr_assert_eq(tl_world_save(world, path, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_load(scene, NULL, path, &again, &error), TL_OK, "%s", error.what);
    unlink(path);
    cr_assert_eq(tl_world_hash(again), tl_world_hash(world));
    cr_assert_eq(ram_of(again).velocity[0], ram_of(world).velocity[0]);
    advance(world, until);
    advance(again, until);
    cr_assert_eq(tl_world_hash(again), tl_world_hash(world));
    tl_world_destroy(again);
}

Test(api_steer, snapshots_know_where_a_driven_wall_is_and_how_it_moves) {
    const char *const schemes[] = {driven, "driven: 0.5 m/s, contact: free-slip"};
    for (int s = 0; s < 2; s++) {
        tl_scene *scene = load(pushed, schemes[s]);
        tl_world *world = create(scene);
        drive(world, 0.3);
        resumes_alike(world, scene, 0.07);
        drive(world, 0.5);
        resumes_alike(world, scene, 0.14);
        resumes_alike(world, scene, 0.2);
        drive(world, -0.1);
        resumes_alike(world, scene, 0.25);
        tl_world_destroy(world);
        tl_scene_destroy(scene);
    }
}

Test(api_steer, explicit_flow_too_goes_on_from_a_snapshot_with_a_driven_wall) {
    tl_scene *scene = load("spacing: 5 cm\nflow: {scheme: explicit}\n"
                           "bodies:\n"
                           "  - {material: water, box: {from: [0.1, 0, 0], to: [0.4, 0.2, 0.2]}}\n"
                           "walls:\n"
                           "  - {name: tank, box: {from: [-1, 0, 0], to: [1, 0.2, 1]}, open: z}\n"
                           "  - {name: ram, plane: x, at: 0.1, %s}\n",
                           driven);
    tl_world *world = create(scene);
    drive(world, 0.5);
    advance(world, 0.05);
    drive(world, 0.2);
    resumes_alike(world, scene, 0.1);
    cr_assert_gt(rear_of(world), 0.1 + 0.035);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_steer, a_wall_that_cannot_be_driven_so_is_explained_and_stays) {
    tl_scene *scene = load(pushed, driven);
    tl_world *world = create(scene);
    const uint64_t hash = tl_world_hash(world);
    const struct {
        const char *name, *what, *fix;
        double speed;
    } bad[] = {{"rom", "no wall \"rom\"", "ram", 0.1},
               {"tank", "not to be driven", "driven", 0.1},
               {"ram", "0.6 m/s are more than the 0.5", "slower", 0.6},
               {"ram", "nan m/s", "slower", (double)NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tl_error error = {0};
        cr_assert_eq(
            tl_world_drive_wall(world, bad[i].name, (double[]){0, 0, bad[i].speed}, &error),
            TL_BAD_INPUT);
        cr_assert(strstr(error.what, bad[i].what) && strstr(error.fix, bad[i].fix), "%s; %s",
                  error.what, error.fix);
        cr_assert_eq(tl_world_drive_wall(world, bad[i].name, (double[]){0, 0, bad[i].speed}, NULL),
                     TL_BAD_INPUT);
    }
    tl_wall_view none = {.fastest = 7};
    cr_assert(!tl_world_wall(world, "rom", &none) && none.fastest == 7);
    cr_assert(tl_world_wall(world, "tank", &none) && none.fastest == 0);
    cr_assert_eq(tl_world_hash(world), hash);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_steer, a_scene_cannot_have_a_wall_that_is_driven_and_moves_by_plan) {
    char text[1024];
    tl_scene *scene;
    tl_error error = {0};
    snprintf(text, sizeof text, pushed, "driven: 1 m/s, motion: [{speed: 0.5 m/s, along: x}]");
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "steer", NULL, &scene, &error),
                 TL_BAD_INPUT);
    cr_assert(strstr(error.what, "by plan"), "%s", error.what);
}

/* ---- Temperatures ------------------------------------------------------------------------------
 */

static const char warm_bar[] =
    "spacing: 5 mm\n"
    "flow: {scheme: none}\n"
    "heat: {}\n"
    "%s"
    "bodies:\n"
    "  - {material: ice, box: {from: [0, 0, 0], to: [6 cm, 1 cm, 1 cm]}, temperature: -10}\n";

static double book(const tl_world *world, const char *name) {
    double numbers[128];
    const size_t count = tl_world_books(world, numbers, 128);
    tl_book column;
    cr_assert_leq(count, 128);
    for (size_t i = 0; tl_book_at(i, &column); i++)
        if (strcmp(column.name, name) == 0)
            return numbers[i];
    cr_assert_fail("no column %s", name);
    return 0;
}

Test(api_steer, matter_takes_on_the_temperatures_it_is_given_and_the_books_stay_balanced) {
    tl_scene *scene = load(warm_bar, "");
    tl_world *world = create(scene);
    const size_t count = tl_world_count(world);
    float wanted[1024];
    cr_assert(count == 12 * 2 * 2);
    for (size_t i = 0; i < count; i++)
        wanted[i] = i % 2 ? 40 : NAN;
    const double before = book(world, "thermal_energy");
    cr_assert_eq(tl_world_warm(world, wanted, NULL), TL_OK);
    const float *temperature = view_of(world, "temperature").data,
                *molten = view_of(world, "liquid_fraction").data;
    for (size_t i = 0; i < count; i++) {
        cr_assert_float_eq(temperature[i], i % 2 ? 40 : -10, 1e-4);
        cr_assert_eq(molten[i], i % 2 ? 1 : 0);
    }
    const double brought = book(world, "thermal_energy") - before;
    cr_assert_gt(brought, 300e3 * 0.5 * book(world, "mass"));
    cr_assert_lt(fabs(book(world, "heat_error")), 1e-9 * brought);
    advance(world, 1);
    cr_assert_lt(fabs(book(world, "heat_error")), 1e-6 * brought);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_steer, temperatures_that_cannot_be_are_refused_and_change_nothing) {
    tl_scene *scene = load(warm_bar, "");
    tl_world *world = create(scene);
    const uint64_t hash = tl_world_hash(world);
    const float bad[] = {INFINITY, -INFINITY, -300};
    for (int b = 0; b < 3; b++) {
        float wanted[48] = {0};
        tl_error error = {0};
        wanted[7] = bad[b];
        cr_assert_eq(tl_world_warm(world, wanted, &error), TL_BAD_INPUT);
        cr_assert(strstr(error.what, "particle 7"), "%s", error.what);
        cr_assert_eq(tl_world_hash(world), hash);
    }
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_steer, fields_tell_whether_they_are_state) {
    tl_scene *scene = load(warm_bar, ""), *cold = load(pushed, driven);
    tl_world *world = create(scene), *other = create(cold);
    cr_assert(view_of(world, "enthalpy").is_state && view_of(world, "velocity").is_state);
    cr_assert(!view_of(world, "temperature").is_state && !view_of(world, "phase").is_state);
    cr_assert(view_of(other, "temperature").is_state);
    tl_world_destroy(world);
    tl_world_destroy(other);
    tl_scene_destroy(scene);
    tl_scene_destroy(cold);
}

/* ---- Books and words ---------------------------------------------------------------------------
 */

Test(api_steer, the_books_are_of_the_world_as_it_is_now) {
    tl_scene *scene = load(pushed, driven);
    tl_world *world = create(scene);
    const tl_field_view velocity = view_of(world, "velocity");
    for (size_t i = 0; i < velocity.count; i++)
        ((double *)velocity.data)[3 * i + 1] = 0.25;
    const double mass = book(world, "mass");
    cr_assert_float_eq(mass, 1400 * 0.3 * 0.2 * 0.2, 1e-4);
    cr_assert_float_eq(book(world, "momentum_y"), 0.25 * mass, 1e-9);
    cr_assert_eq(book(world, "particles"), (double)velocity.count);
    double few[2] = {-1, -1};
    cr_assert_gt(tl_world_books(world, few, 1), 20);
    cr_assert(few[0] == 0 && few[1] == -1);
    tl_book none = {.name = "none"};
    cr_assert(!tl_book_at(SIZE_MAX, &none) && strcmp(none.name, "none") == 0);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_steer, parameters_are_described_from_their_tables) {
    char *text;
    tl_error error = {0};
    cr_assert_eq(tl_describe("wall", &text, &error), TL_OK);
    cr_assert(text[0] == '[' && strstr(text, "\"name\": \"driven\"") &&
              !strstr(text, "\"bodies\""));
    free(text);
    cr_assert_eq(tl_describe(NULL, &text, &error), TL_OK);
    cr_assert(strstr(text, "\"bodies\""));
    free(text);
    cr_assert_eq(tl_describe("wal", &text, &error), TL_BAD_INPUT);
    cr_assert(!text && strstr(error.fix, "wall"));
}
