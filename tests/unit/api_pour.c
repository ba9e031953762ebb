/* The public header alone: matter that is poured by hand into a world that is steered. */
#include <tallow/tallow.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char basin[] =
    "spacing: 1 cm\n"
    "frame_rate: 50\n"
    "materials:\n"
    "  syrup: {density: 1400, viscosity: 5, conductivity: 1, specific_heat: 2000}\n"
    "  stone: {density: 2500, viscosity: 1, conductivity: 1, specific_heat: 900}\n"
    "bodies:\n"
    "  - {material: syrup, temperature: 20, box: {from: [0, 0, 0], to: [0.1, 0.1, 0.05]}}\n"
    "  - {material: stone, rigid: true, temperature: 20,\n"
    "     box: {from: [0.02, 0.02, 0.06], to: [0.06, 0.06, 0.1]}}\n"
    "walls: [{name: floor, plane: z, at: 0, temperature: 20}]\n";

static const char tap[] =
    "spacing: 1 cm\n"
    "materials: {syrup: {density: 1400, viscosity: 5, conductivity: 1, specific_heat: 2000}}\n"
    "emitters:\n"
    "  - {name: tap, material: syrup, temperature: 60, speed: 0.5,\n"
    "     disc: {center: [0, 0, 0.3], direction: [0, 0, -1], radius: 2 cm}}\n"
    "walls: [{name: floor, plane: z, at: 0, temperature: 20}]\n";

static tl_scene *load_text(const char *text, const char *override) {
    tl_scene *scene;
    tl_error error = {0};
    const tl_scene_options options = {.overrides = &override, .override_count = override ? 1 : 0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "text", &options, &scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    return scene;
}

static tl_scene *load(void) { return load_text(basin, NULL); }

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

/* Beside all there is, 20 cm above the floor. */
static const tl_stream aside = {.material = "syrup",
                                .place = {-0.1, 0.05, 0.2},
                                .velocity = {0, 0, -0.5},
                                .radius = 0.02,
                                .temperature = 60,
                                .most = 100000};

static void pour(tl_world *world, const tl_stream *stream) {
    tl_error error = {0};
    cr_assert_eq(tl_world_pour(world, stream, &error), TL_OK, "%s", error.what);
}

Test(api_pour, a_tap_gives_its_area_times_its_speed_and_books_that) {
    tl_scene *scene = load();
    tl_world *world = create(scene, true, 0);
    const size_t before = tl_world_count(world);
    const double mass = book(world, "mass");
    cr_expect_eq(tl_world_pouring(world), TL_POURING_NOTHING);
    pour(world, &aside);
    advance(world, 0.3);
    cr_expect_eq(tl_world_pouring(world), TL_POURING);
    const double poured = (double)(tl_world_count(world) - before) * 1e-6;
    const double due = 3.14159265 * 0.02 * 0.02 * 0.5 * 0.3, layer = 12e-6;
    cr_expect_float_eq(poured, due, layer, "%g of %g m³", poured, due);
    cr_expect_float_eq(book(world, "mass") - mass, 1400 * poured, 1e-6);
    cr_expect_float_eq(book(world, "emitted_mass"), 1400 * poured, 1e-6);
    cr_expect_float_eq(book(world, "emitted_heat"), 1400 * poured * 2000 * 60, 1, "%g J",
                       book(world, "emitted_heat"));
    /* What it takes to stop a thin stream on a floor is as inexact here as that of an emitter. */
    cr_expect_lt(fabs(book(world, "energy_error")), 0.1 * book(world, "emitted_energy"),
                 "%g of %g J", book(world, "energy_error"), book(world, "emitted_energy"));
    tl_world_stop_pouring(world);
    const size_t all = tl_world_count(world);
    advance(world, 0.05);
    cr_expect_eq(tl_world_count(world), all);
    cr_expect_eq(tl_world_pouring(world), TL_POURING_NOTHING);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

/* m: the nearest that another particle is to one of those with this id or a later one. */
static double nearest_to_young(tl_world *world, uint64_t first) {
    tl_field_view view, ids;
    double least = HUGE_VAL;
    cr_assert(tl_world_field(world, "position", &view) && tl_world_field(world, "id", &ids));
    const double *x = view.data;
    for (size_t i = 0; i < view.count; i++)
        for (size_t j = 0; ((const uint64_t *)ids.data)[i] >= first && j < view.count; j++)
            if (i != j)
                least = fmin(least, hypot(hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1]),
                                          x[3 * i + 2] - x[3 * j + 2]));
    return least;
}

Test(api_pour, what_is_poured_comes_only_where_there_is_room) {
    const double places[][3] = {{0.05, 0.05, 0.025}, {0.04, 0.04, 0.08}, {-0.1, 0.05, -0.1}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) { /* matter, a rigid body, a wall */
        tl_scene *scene = load();
        tl_world *world = create(scene, true, 0);
        tl_stream within = aside;
        const size_t before = tl_world_count(world);
        memcpy(within.place, places[k], sizeof within.place);
        pour(world, &within);
        advance(world, 0.05);
        cr_expect_eq(tl_world_count(world), before, "at place %zu", k);
        cr_expect_eq(tl_world_pouring(world), TL_POURING_BLOCKED);
        tl_world_destroy(world);
        tl_scene_destroy(scene);
    }
}

Test(api_pour, nobody_is_born_near_another_however_the_tap_moves) {
    tl_scene *scene = load();
    tl_world *world = create(scene, true, 0);
    tl_stream stream = aside;
    tl_error error = {0};
    size_t born = 0;
    for (int k = 0; tl_world_time(world) < 0.3; k++) {
        const uint64_t before = tl_world_count(world); /* nobody leaves: ids count them */
        stream.place[0] = -0.03 + 0.15 * fabs(sin(0.05 * k));
        stream.place[2] = 0.13 + 0.01 * (k % 5);
        pour(world, &stream);
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s", error.what);
        cr_expect_gt(nearest_to_young(world, before), 0.85 * 0.01, "step %d", k);
        born += tl_world_count(world) - before;
    }
    cr_expect_gt(born, 50);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api_pour, a_world_gets_no_more_particles_than_it_may) {
    tl_scene *scene = load();
    tl_world *world = create(scene, true, 0);
    tl_stream little = aside;
    little.most = tl_world_count(world) + 40;
    pour(world, &little);
    advance(world, 0.2);
    cr_expect_leq(tl_world_count(world), little.most);
    cr_expect_gt(tl_world_count(world), little.most - 15); /* a layer has twelve */
    cr_expect_eq(tl_world_pouring(world), TL_POURING_FULL);
    little.most += 100; /* and goes on when it may have more */
    pour(world, &little);
    advance(world, 0.05);
    cr_expect_gt(tl_world_count(world), little.most - 100);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

static tl_world *loaded(const tl_scene *scene, const tl_world *from) {
    char path[256];
    tl_world *again;
    tl_error error = {0};
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-pour-%ld.h5", folder ? folder : "/tmp", (long)getpid());
    cr_assert_eq(tl_world_save(from, path, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_load(scene, &(tl_world_options){.steered = true}, path, &again, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    unlink(path);
    return again;
}

Test(api_pour, pouring_has_the_same_bits_for_any_threads_and_after_a_snapshot) {
    tl_scene *scene = load();
    tl_world *a = create(scene, true, 1), *b = create(scene, true, 2);
    pour(a, &aside);
    pour(b, &aside);
    advance(a, 0.1);
    advance(b, 0.1);
    cr_assert_eq(tl_world_hash(a), tl_world_hash(b));
    tl_world *c = loaded(scene, a);
    cr_assert_eq(tl_world_hash(a), tl_world_hash(c));
    advance(a, 0.1);
    advance(c, 0.1);
    cr_assert_eq(tl_world_hash(a), tl_world_hash(c));
    cr_expect_eq(tl_world_count(a), tl_world_count(c));
    tl_world_destroy(a);
    tl_world_destroy(b);
    tl_world_destroy(c);
    tl_scene_destroy(scene);
}

Test(api_pour, an_emitter_gives_from_then_on_what_it_is_told) {
    tl_scene *scene = load_text(tap, NULL), *less = load_text(tap, "emitters.tap.speed=0.2"),
             *shut = load_text(tap, "emitters.tap.speed=0");
    tl_world *world = create(scene, true, 0);
    tl_error error = {0};
    const double layers = 12e-6 * 1400, area = 3.14159265 * 0.02 * 0.02 * 1400;
    advance(world, 0.1);
    cr_assert_eq(tl_world_adopt(world, less, &error), TL_OK, "%s", error.what);
    tl_world *again = loaded(scene, world);
    cr_assert_eq(tl_world_adopt(again, less, &error), TL_OK, "%s", error.what);
    advance(world, 0.1);
    advance(again, 0.1);
    cr_expect_eq(tl_world_hash(world), tl_world_hash(again));
    const double given = book(world, "emitted_mass");
    cr_expect_float_eq(given, area * (0.5 * 0.1 + 0.2 * 0.1), layers, "%g kg", given);
    cr_assert_eq(tl_world_adopt(world, shut, &error), TL_OK, "%s", error.what);
    advance(world, 0.05);
    cr_expect_float_eq(book(world, "emitted_mass"), given, 1e-9);
    tl_world_destroy(world);
    tl_world_destroy(again);
    tl_scene_destroy(scene);
    tl_scene_destroy(less);
    tl_scene_destroy(shut);
}

Test(api_pour, what_cannot_be_poured_is_refused_and_changes_nothing) {
    tl_scene *scene = load();
    tl_world *world = create(scene, true, 0), *plain = create(scene, false, 0);
    const uint64_t before = tl_world_hash(world);
    tl_error error = {0};
    tl_stream wrong[] = {aside, aside, aside, aside, aside, aside, aside, aside};
    wrong[0].material = "water";
    wrong[1].material = "stone"; /* flows nowhere */
    wrong[2].material = "7";
    wrong[3].radius = 0.001;
    wrong[4].velocity[2] = 0;
    wrong[5].place[0] = (double)NAN;
    wrong[6].temperature = -300;
    wrong[7].place[2] = 1e9;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        cr_expect_eq(tl_world_pour(world, &wrong[k], &error), TL_BAD_INPUT, "%zu", k);
        cr_expect(*error.what && *error.fix);
    }
    cr_expect_eq(tl_world_hash(world), before);
    cr_expect_eq(tl_world_pour(plain, &aside, &error), TL_BAD_INPUT);
    tl_world_destroy(world);
    tl_world_destroy(plain);
    tl_scene_destroy(scene);
}
