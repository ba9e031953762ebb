/* The public header alone: what a program that links libtallow does, and what it is told when it
 * asks for what cannot be. */
#include <tallow/tallow.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char dam[] = "title: A small dam\n"
                          "spacing: 5 cm\n"
                          "duration: 0.5 s\n"
                          "frame_rate: 40\n"
                          "bodies:\n"
                          "  - {name: block, material: water, box: {from: [0, 0, 0], "
                          "to: [0.4, 0.3, 0.4]}}\n"
                          "walls:\n"
                          "  - {name: tank, box: {from: [0, 0, 0], to: [0.8, 0.3, 0.8]}, "
                          "open: z}\n";
enum { COUNT = 8 * 6 * 8 };

static char snapshot[256];

static void choose_path(void) {
    const char *folder = getenv("TMPDIR");
    snprintf(snapshot, sizeof snapshot, "%s/tallow-api-%ld.h5", folder ? folder : "/tmp",
             (long)getpid());
}

static void remove_file(void) { unlink(snapshot); }

TestSuite(api, .init = choose_path, .fini = remove_file);

static tl_scene *load(const char *text) {
    tl_scene *scene;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "dam", NULL, &scene, &error), TL_OK,
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

static void step(tl_world *world, int times) {
    tl_error error = {0};
    for (int i = 0; i < times; i++)
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
}

static tl_field_view view_of(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view;
}

Test(api, a_scene_tells_what_is_in_it) {
    tl_scene *scene = load(dam);
    cr_assert_str_eq(tl_scene_title(scene), "A small dam");
    cr_assert_eq(tl_scene_duration(scene), 0.5);
    cr_assert_eq(tl_scene_frame_rate(scene), 40);
    cr_assert_eq(tl_scene_spacing(scene), 0.05);
    tl_scene_destroy(scene);
}

Test(api, a_written_scene_makes_the_same_world) {
    tl_scene *scene = load(dam), *again;
    char *text;
    cr_assert_eq(tl_scene_write(scene, &text, NULL), TL_OK);
    again = load(text);
    tl_world *a = create(scene), *b = create(again);
    step(a, 5);
    step(b, 5);
    cr_assert_eq(tl_world_hash(a), tl_world_hash(b));
    tl_world_destroy(a);
    tl_world_destroy(b);
    tl_scene_destroy(scene);
    tl_scene_destroy(again);
    free(text);
}

Test(api, steps_are_reported_and_counted) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene);
    cr_assert(tl_world_time(world) == 0 && tl_world_steps(world) == 0);
    cr_assert_eq(tl_world_count(world), COUNT);
    for (uint64_t s = 1; s <= 10; s++) {
        const double before = tl_world_time(world);
        const uint64_t hash = tl_world_hash(world);
        tl_step_report report = {0};
        cr_assert_eq(tl_world_step(world, &report, NULL), TL_OK);
        cr_assert(report.step == s && tl_world_steps(world) == s);
        cr_assert(report.dt > 0 && report.time == tl_world_time(world));
        cr_assert_float_eq(report.time, before + report.dt, 1e-15);
        cr_assert(report.max_speed > 0 && report.max_speed < 1 && report.density_error < 0.02);
        cr_assert_neq(tl_world_hash(world), hash);
    }
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, advancing_ends_exactly_at_the_time) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene);
    const double times[] = {0.01, 0.0100001, 1.0 / 30, 0.1};
    for (int t = 0; t < 4; t++) {
        cr_assert_eq(tl_world_advance(world, times[t], NULL), TL_OK);
        cr_assert_eq(tl_world_time(world), times[t]);
    }
    const uint64_t hash = tl_world_hash(world);
    cr_assert_eq(tl_world_advance(world, 0.05, NULL), TL_OK); /* over already */
    cr_assert_eq(tl_world_hash(world), hash);
    step(world, 1);
    cr_assert_gt(tl_world_time(world), 0.1);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, every_field_is_found_by_number_and_by_name) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene);
    const size_t count = tl_world_field_count(world);
    cr_assert_gt(count, 8);
    for (size_t i = 0; i < count; i++) {
        tl_field_view a, b;
        cr_assert(tl_world_field_at(world, i, &a) && tl_world_field(world, a.name, &b));
        cr_assert(a.data == b.data && a.data && a.count == COUNT && a.components > 0);
        cr_assert(a.name[0] && a.doc[0] && a.unit && tl_type_size(a.type) > 0);
    }
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, a_field_that_is_not_there_is_missed_and_touches_nothing) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene);
    tl_field_view view = {.count = 77};
    const char *const misses[] = {"", "Position", "position ", "positio", "colour"};
    for (int m = 0; m < 5; m++)
        cr_assert_not(tl_world_field(world, misses[m], &view));
    cr_assert_not(tl_world_field_at(world, tl_world_field_count(world), &view));
    cr_assert_not(tl_world_field_at(world, SIZE_MAX, &view));
    cr_assert_eq(view.count, 77);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, a_field_written_in_place_changes_the_world_and_its_future) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene), *other = create(scene);
    const tl_field_view velocity = view_of(world, "velocity");
    cr_assert(velocity.type == TL_F64 && velocity.components == 3);
    double *v = velocity.data;
    for (size_t i = 0; i < velocity.count; i++)
        v[3 * i + 2] = 0.25;
    cr_assert_neq(tl_world_hash(world), tl_world_hash(other));
    cr_assert_eq(((double *)view_of(world, "velocity").data)[5], 0.25);
    double mean[2] = {0};
    tl_world *both[2] = {world, other};
    for (int w = 0; w < 2; w++) {
        step(both[w], 1);
        const double *after = view_of(both[w], "velocity").data;
        for (size_t i = 0; i < COUNT; i++)
            mean[w] += after[3 * i + 2] / COUNT;
    }
    cr_assert_float_eq(mean[0] - mean[1], 0.25, 0.02);
    tl_world_destroy(world);
    tl_world_destroy(other);
    tl_scene_destroy(scene);
}

Test(api, ids_name_particles_for_ever) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene);
    step(world, 60);
    const tl_field_view id = view_of(world, "id");
    bool seen[COUNT] = {false};
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t name = ((uint64_t *)id.data)[i];
        cr_assert(name < COUNT && !seen[name]);
        seen[name] = true;
    }
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, a_loaded_world_is_the_saved_one_and_stays_so) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene), *again;
    tl_error error = {0};
    /* Also between two builds of the neighbour lists, which are not saved. */
    for (int round = 0; round < 4; round++) {
        step(world, 13);
        cr_assert_eq(tl_world_save(world, snapshot, &error), TL_OK, "%s", error.what);
        cr_assert_eq(tl_world_load(scene, NULL, snapshot, &again, &error), TL_OK, "%s", error.what);
        cr_assert_eq(tl_world_hash(again), tl_world_hash(world));
        cr_assert_eq(tl_world_steps(again), tl_world_steps(world));
        step(world, 30);
        step(again, 30);
        cr_assert_eq(tl_world_hash(again), tl_world_hash(world), "round %d", round);
        tl_world_destroy(again);
    }
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, the_number_of_threads_does_not_show) {
    /* So many particles that loops are shared among four threads. */
    const char *finer = "spacing=2 cm";
    tl_scene *scene;
    cr_assert_eq(tl_scene_load_memory(dam, strlen(dam), "dam", &(tl_scene_options){&finer, 1, NULL},
                                      &scene, NULL),
                 TL_OK);
    uint64_t hash[5];
    for (int t = 0; t < 5; t++) {
        const tl_world_options options = {.threads = t};
        tl_world *world;
        cr_assert_eq(tl_world_create(scene, &options, &world, NULL), TL_OK);
        cr_assert_gt(tl_world_count(world), 4 * 4 * 256);
        step(world, 20);
        hash[t] = tl_world_hash(world);
        tl_world_destroy(world);
    }
    for (int t = 2; t < 6; t++)
        cr_expect_eq(hash[t % 5], hash[1], "%d threads", t % 5);
    tl_scene_destroy(scene);
}

/* ---- What cannot be ---- */

static tl_scene *const stale_scene = (tl_scene *)(void *)snapshot;
static tl_world *const stale_world = (tl_world *)(void *)snapshot;

Test(api, a_scene_that_cannot_be_loaded_is_explained_and_gives_none) {
    const char *const texts[] = {"", "spacing: 1 m\nspacin: 2\n", "{", "spacing: 5 kg\n", "7\n"};
    for (int t = 0; t < 5; t++) {
        tl_scene *scene = stale_scene;
        tl_error error = {0};
        cr_assert_eq(tl_scene_load_memory(texts[t], strlen(texts[t]), "bad", NULL, &scene, &error),
                     TL_BAD_INPUT);
        cr_assert(error.status == TL_BAD_INPUT && error.what[0], "%s", texts[t]);
        cr_assert(strncmp(error.where, "bad", 3) == 0, "%s", error.where);
        cr_assert_null(scene);
        cr_assert_eq(tl_scene_load_memory(texts[t], strlen(texts[t]), NULL, NULL, &scene, NULL),
                     TL_BAD_INPUT);
    }
    tl_scene *scene = stale_scene;
    tl_error error = {0};
    cr_assert_neq(tl_scene_load_file("/no/such/scene.yaml", NULL, &scene, &error), TL_OK);
    cr_assert(strstr(error.where, "scene.yaml") && error.what[0]);
    cr_assert_null(scene);
    cr_assert_neq(tl_scene_load_file("/no/such/scene.yaml", NULL, &scene, NULL), TL_OK);
}

Test(api, a_world_that_does_not_fit_is_refused_and_gives_none) {
    tl_scene *scene;
    const char *const overrides[] = {"spacing=1e-5"};
    const tl_scene_options options = {.overrides = overrides, .override_count = 1};
    cr_assert_eq(tl_scene_load_memory(dam, strlen(dam), "dam", &options, &scene, NULL), TL_OK);
    tl_world *world = stale_world;
    tl_error error = {0};
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_NO_MEMORY);
    cr_assert(strstr(error.what, "particles") && strstr(error.fix, "spacing"));
    cr_assert_null(world);
    world = stale_world;
    cr_assert_eq(tl_world_load(scene, NULL, snapshot, &world, NULL), TL_NO_MEMORY);
    cr_assert_null(world);
    tl_scene_destroy(scene);
}

Test(api, bodies_that_overlap_are_refused_and_give_no_world) {
    tl_scene *scene =
        load("spacing: 5 cm\n"
             "bodies:\n"
             "  - {name: a, material: water, box: {from: [0, 0, 0], to: [0.4, 0.3, 0.4]}}\n"
             "  - {name: b, material: water, sphere: {center: [0.4, 0.3, 0.4], radius: 0.2}}\n");
    tl_world *world = stale_world;
    tl_error error = {0};
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_BAD_INPUT);
    cr_assert_str_not_empty(error.what);
    cr_assert_null(world);
    tl_scene_destroy(scene);
}

Test(api, a_snapshot_that_cannot_be_had_is_explained_and_gives_no_world) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene), *none = stale_world;
    tl_error error = {0};
    cr_assert_eq(tl_world_save(world, "/no/such/folder/s.h5", &error), TL_IO_FAILED);
    cr_assert(strstr(error.where, "s.h5") && strstr(error.what, "No such file"));
    cr_assert_eq(tl_world_save(world, "/no/such/folder/s.h5", NULL), TL_IO_FAILED);
    cr_assert_eq(tl_world_load(scene, NULL, snapshot, &none, &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "No such file") && !none);
    none = stale_world;
    cr_assert_eq(tl_world_load(scene, NULL, snapshot, &none, NULL), TL_IO_FAILED);
    cr_assert_null(none);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, a_periodic_channel_goes_on_from_a_snapshot_with_the_same_bits) {
    tl_scene *scene = load("spacing: 5 cm\n"
                           "flow: {scheme: explicit}\n"
                           "periodic: {x: true, box: {from: [0, 0, 0], to: [0.5, 0.3, 0.3]}}\n"
                           "materials: {syrup: {density: 1400, viscosity: 3}}\n"
                           "bodies:\n"
                           "  - {material: syrup, box: {from: [0, 0, 0], to: [0.5, 0.3, 0.3]}, "
                           "velocity: [1, 0, 0]}\n"
                           "walls:\n"
                           "  - {plane: z, at: 0}\n");
    tl_world *world = create(scene), *resumed;
    step(world, 5);
    cr_assert_eq(tl_world_save(world, snapshot, NULL), TL_OK);
    cr_assert_eq(tl_world_load(scene, NULL, snapshot, &resumed, NULL), TL_OK);
    step(world, 5);
    step(resumed, 5);
    cr_assert_eq(tl_world_hash(resumed), tl_world_hash(world));
    tl_world_destroy(resumed);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

/* Saves a world of one text and loads it with the scene of another. */
static void is_of_another_scene(const char *saved, const char *loaded) {
    tl_scene *scene = load(saved), *other = load(loaded);
    tl_world *world = create(scene), *none = stale_world;
    tl_error error = {0};
    cr_assert_eq(tl_world_save(world, snapshot, NULL), TL_OK);
    cr_assert_eq(tl_world_load(other, NULL, snapshot, &none, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "another scene") && error.fix[0], "%s", error.what);
    cr_assert_null(none);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    tl_scene_destroy(other);
}

Test(api, a_snapshot_of_a_coarser_scene_is_refused) {
    is_of_another_scene(
        "spacing: 5 cm\nbodies:\n  - {material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n",
        "spacing: 2 cm\nbodies:\n  - {material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n");
}

Test(api, a_snapshot_of_the_same_scene_with_another_viscosity_is_refused) {
    is_of_another_scene("spacing: 5 cm\nflow: {scheme: explicit}\n"
                        "bodies:\n  - {material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n",
                        "spacing: 5 cm\nflow: {scheme: explicit, viscosity: nested}\n"
                        "bodies:\n  - {material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n");
}

Test(api, a_snapshot_with_more_materials_than_the_scene_is_refused) {
    is_of_another_scene(
        "spacing: 5 cm\n"
        "flow: {sound_speed: 20 m/s}\n"
        "materials: {syrup: {density: 1400, viscosity: 3}, brine: {density: 1200}}\n"
        "bodies:\n"
        "  - {material: syrup, box: {from: [0, 0, 0], to: [0.3, 0.3, 0.3]}}\n"
        "  - {material: brine, box: {from: [0.3, 0, 0], to: [0.6, 0.3, 0.3]}}\n",
        "spacing: 5 cm\n"
        "flow: {sound_speed: 20 m/s}\n"
        "materials: {syrup: {density: 1400, viscosity: 3}}\n"
        "bodies:\n"
        "  - {material: syrup, box: {from: [0, 0, 0], to: [0.3, 0.3, 0.3]}}\n");
}

/* Writes a number over component k of a field of the particle `id` and steps until that fails. */
static void breaks_at_the_particle(const char *name, size_t k, double value, uint64_t id) {
    tl_scene *scene = load(dam);
    tl_world *world = create(scene);
    tl_error error = {0};
    char where[64];
    step(world, 3);
    const uint64_t *ids = view_of(world, "id").data;
    const tl_field_view view = view_of(world, name);
    for (size_t i = 0; i < COUNT; i++)
        if (ids[i] == id)
            ((double *)view.data)[(size_t)view.components * i + k] = value;
    tl_status status = TL_OK;
    for (int s = 0; s < 3 && status == TL_OK; s++)
        status = tl_world_step(world, NULL, &error);
    snprintf(where, sizeof where, "particle %d ", (int)id);
    cr_assert_eq(status, TL_DIVERGED, "%s = %g", name, value);
    cr_assert(strncmp(error.where, where, strlen(where)) == 0, "%s[%d] = %g of %s: %s", name,
              (int)k, value, where, error.where);
    cr_assert(error.what[0] && error.fix[0]);
    cr_assert_eq(tl_world_step(world, NULL, NULL), TL_DIVERGED);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(api, a_world_that_breaks_names_the_particle) {
    const uint64_t ids[] = {0, 100, 211, COUNT - 1};
    for (int i = 0; i < 4; i++) {
        breaks_at_the_particle("velocity", 1, (double)NAN, ids[i]);
        breaks_at_the_particle("velocity", 2, HUGE_VAL, ids[i]);
        breaks_at_the_particle("velocity", 2, 1e9, ids[i]); /* out through the lid */
        breaks_at_the_particle("position", 1, (double)NAN, ids[i]);
        breaks_at_the_particle("position", 2, 1e30, ids[i]);
        breaks_at_the_particle("density", 0, 5000, ids[i]);
    }
}

Test(api, destroying_nothing_is_fine) {
    tl_scene_destroy(NULL);
    tl_world_destroy(NULL);
    tl_diagnostics none = {0};
    tl_diagnostics_clear(&none);
    cr_assert_eq(none.count, 0);
}

Test(api, types_have_their_sizes_and_the_library_its_version) {
    cr_assert(tl_type_size(TL_F32) == 4 && tl_type_size(TL_F64) == 8 && tl_type_size(TL_U8) == 1);
    cr_assert(tl_type_size(TL_U32) == 4 && tl_type_size(TL_U64) == 8);
    cr_assert_str_eq(tl_version(), TL_VERSION);
}
