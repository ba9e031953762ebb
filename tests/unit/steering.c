/* Records of what was told a world: they make the same run again, and nothing else can be told. */
#include "run/steering.h"
#include "run/run.h"
#include "scratch_folder.h"

TestSuite(steering, .init = scratch_make, .fini = scratch_remove);

static const char scene_text[] =
    "spacing: 2.5 cm\n"
    "duration: 0.4 s\n"
    "frame_rate: 20\n"
    "output: {film: false, plots: false, snapshot_every: 2}\n"
    "materials: {syrup: {density: 1400, viscosity: 20, specific_heat: 2000,\n"
    "                    conductivity: 1, absorptivity: 0.9}}\n"
    "bodies: [{material: syrup, temperature: 20, box: {from: [0, 0, 0], to: [0.2, 0.2, 0.2]}}]\n"
    "walls:\n"
    "  - {name: floor, plane: z, at: 0, temperature: 20}\n"
    "  - {name: lid, plane: -z, at: 0.5, driven: 1 m/s}\n"
    "sources: [{name: lamp, position: [0, 0, 0.4], power: 10}]\n";

typedef struct live {
    tl_scene *scene;
    tl_world *world;
    tl_steering steering;
} live;

static live begin(void) {
    live l;
    tl_error error = {0};
    static char path[512];
    snprintf(path, sizeof path, "%s", in_scratch("scene.yaml"));
    spill(path, scene_text, sizeof scene_text - 1);
    cr_assert_eq(tl_scene_load_file(path, NULL, &l.scene, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_create(l.scene, &(tl_world_options){.steered = true}, &l.world, &error),
                 TL_OK, "%s", error.what);
    l.steering = tl_steering_begin(path, NULL);
    return l;
}

static void finish(live *l) {
    tl_world_destroy(l->world);
    tl_steering_free(&l->steering);
    tl_scene_destroy(l->scene);
}

static tl_status tell(live *l, const char *words) {
    tl_error error;
    return tl_steering_tell(&l->steering, l->world, words, &error);
}

/* What `tallow live` does, as somebody may act on it. */
static void play(live *l) {
    static const struct {
        uint64_t step;
        const char *words;
    } acts[] = {{0, "gravity 0 0 -5"},
                {2, "grip 0.2 0.1 0.2 0.08 80"},
                {2, "carry 0.3 0.1 0.3"},
                {4, "set materials.syrup.viscosity 5"},
                {5, "source lamp 0.4 0.1 0.4"},
                {5, "wall lid 0 0 -0.1"},
                {6, "carry 0.3 0.2 0.3"},
                {6, "pour syrup 0.1 0.1 0.3 0 0 -1 0.04 60 5000"},
                {8, "set walls.floor.temperature 70"},
                {8, "warm 0 0 0 0.1 55"},
                {9, "release"},
                {10, "pour syrup 0.1 0.05 0.3 0 0 -1 0.03 60 5000"},
                {12, "shut"},
                {9, "set materials.syrup.viscosity 1"}};
    tl_error error = {0};
    size_t next = 0;
    for (int frame = 1; frame <= 8; frame++) {
        tl_world_set_stop(l->world, frame / 20.0);
        while (tl_world_time(l->world) < frame / 20.0) {
            for (; next < sizeof acts / sizeof *acts && acts[next].step <= tl_world_steps(l->world);
                 next++)
                cr_assert_eq(tell(l, acts[next].words), TL_OK, "%s", acts[next].words);
            cr_assert_eq(tl_world_step(l->world, NULL, &error), TL_OK, "%s", error.what);
        }
    }
    cr_assert_eq(next, sizeof acts / sizeof *acts);
}

static tl_run_options options_of(const live *l, const char *folder, const char *record) {
    return (tl_run_options){.folder = folder, .replay = record, .scene_path = l->steering.path};
}

static void remove_run(const char *folder) {
    char command[600];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    cr_assert_eq(system(command), 0);
}

Test(steering, a_run_that_is_told_the_same_again_ends_with_the_same_bits) {
    live l = begin();
    tl_error error = {0};
    tl_run_result result;
    play(&l);
    cr_assert_eq(tl_steering_write(&l.steering, in_scratch("record.txt"), &error), TL_OK);
    const char *folder = in_scratch("run"), *record = in_scratch("record.txt");
    tl_run_options options = options_of(&l, folder, record);
    cr_assert_eq(tl_run_start(l.scene, &options, &result, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    cr_expect_eq(result.hash, tl_world_hash(l.world));
    remove_run(folder);

    /* Stopped in the middle, it goes on by itself. */
    options.last_frame = 4;
    cr_assert_eq(tl_run_start(l.scene, &options, &result, &error), TL_OK, "%s", error.what);
    cr_expect_neq(result.hash, tl_world_hash(l.world));
    const tl_run_options again = {.folder = folder};
    cr_assert_eq(tl_run_resume(&again, &result, &error), TL_OK, "%s", error.what);
    cr_expect_eq(result.hash, tl_world_hash(l.world));
    remove_run(folder);
    finish(&l);
}

Test(steering, a_run_that_is_told_nothing_is_another) {
    live l = begin();
    tl_error error = {0};
    tl_run_result result;
    play(&l);
    spill(in_scratch("record.txt"), "# nothing\n", 10);
    const char *folder = in_scratch("run");
    const tl_run_options options = options_of(&l, folder, in_scratch("record.txt"));
    cr_assert_eq(tl_run_start(l.scene, &options, &result, &error), TL_OK, "%s", error.what);
    cr_expect_neq(result.hash, tl_world_hash(l.world));
    remove_run(folder);
    finish(&l);
}

Test(steering, who_goes_back_to_a_snapshot_has_the_values_of_then) {
    live l = begin();
    tl_error error = {0};
    cr_assert_eq(tell(&l, "set materials.syrup.viscosity 5"), TL_OK);
    cr_assert_eq(tl_world_advance(l.world, 0.05, &error), TL_OK);
    const size_t done = l.steering.count;
    cr_assert_eq(tl_world_save(l.world, in_scratch("s.h5"), &error), TL_OK);
    cr_assert_eq(tl_world_advance(l.world, 0.15, &error), TL_OK);
    const uint64_t hash = tl_world_hash(l.world);
    cr_assert_eq(tell(&l, "set materials.syrup.viscosity 50"), TL_OK);
    tl_world_destroy(l.world);
    cr_assert_eq(tl_world_load(l.scene, &(tl_world_options){.steered = true}, in_scratch("s.h5"),
                               &l.world, &error),
                 TL_OK, "%s", error.what);
    l.steering.count = done;
    cr_assert_eq(tl_steering_return(&l.steering, l.world, done, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_advance(l.world, 0.15, &error), TL_OK);
    cr_expect_eq(tl_world_hash(l.world), hash);
    finish(&l);
}

Test(steering, what_says_nothing_that_can_be_done_is_refused_and_not_recorded) {
    static const char *const bad[] = {"",
                                      " ",
                                      "fly 1 2 3",
                                      "gravity",
                                      "gravity 1 2",
                                      "gravity 1 2 3 4",
                                      "gravity 1 2 x",
                                      "gravity nan 0 0",
                                      "gravity inf 0 0",
                                      "gravity 0x10 0 0",
                                      "gravity 1e999 0 0",
                                      "grip 0 0 0 0.1",
                                      "grip 0 0 0 -1 5",
                                      "carry 1 2",
                                      "release me",
                                      "wall lid 9 0 0",
                                      "wall floor 0 0 1",
                                      "wall 0 0 1",
                                      "source lamb 0 0 0",
                                      "set materials.syrup.density 3",
                                      "set materials.syrup.viscosity",
                                      "set materials.syrup.viscosity -3",
                                      "set materials.syrup.viscosity {law:x}",
                                      "set bodies.0.mesh /etc/passwd",
                                      "set title=x 1",
                                      "set materials.syrup 1",
                                      "warm 0 0 0 1 -500",
                                      "gravity 0 0 1\n5 5 release"};
    live l = begin();
    const uint64_t hash = tl_world_hash(l.world);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        cr_expect_eq(tell(&l, bad[k]), TL_BAD_INPUT, "%s", bad[k]);
    char endless[1000];
    memset(endless, '1', sizeof endless - 1);
    endless[sizeof endless - 1] = 0;
    cr_expect_eq(tell(&l, endless), TL_BAD_INPUT);
    cr_expect(tl_world_hash(l.world) == hash && l.steering.count == 0);
    cr_expect_eq(l.steering.value_count, 0);
    finish(&l);
}

Test(steering, a_damaged_record_is_refused_by_line) {
    static const char *const bad[] = {"x 0 release\n", "1 release\n", "3 0 release\n2 0 release\n",
                                      "-1 0 release\n", "99999999999999999999999 0 release\n"};
    live l = begin();
    tl_error error = {0};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spill(in_scratch("record.txt"), bad[k], strlen(bad[k]));
        cr_expect_eq(tl_steering_read(&l.steering, in_scratch("record.txt"), &error), TL_BAD_INPUT,
                     "%s", bad[k]);
        cr_expect(strstr(error.where, "record.txt:"), "%s", error.where);
    }
    finish(&l);
}
