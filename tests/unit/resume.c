/* A snapshot that is whole but says what no run says is refused before any of it is used. */
#include "scratch_folder.h"
#include "world/state.h"

#include <math.h>

TestSuite(resume, .init = scratch_make, .fini = scratch_remove);

static const char scene_text[] =
    "spacing: 1 cm\n"
    "duration: 1 s\n"
    "materials: {m: {density: 1000, viscosity: 1 Pa·s}}\n"
    "bodies:\n"
    "  - {material: m, box: {from: [0, 0, 0], to: [0.03, 0.03, 0.03]}}\n"
    "  - {material: m, box: {from: [0.1, 0, 0], to: [0.12, 0.02, 0.02]}, rigid: true}\n"
    "emitters:\n"
    "  - {material: m, rectangle: {center: [0.3, 0, 0.1], direction: [0, 0, -1], width: 2 cm, "
    "height: 2 cm}, speed: 0.1 m/s}\n"
    "walls: [{plane: z, at: 0}]\n";

static tl_scene *load_scene(void) {
    tl_scene *scene;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(scene_text, strlen(scene_text), "test", NULL, &scene, &error),
                 TL_OK, "%s", error.what);
    return scene;
}

static tl_world *make_world(const tl_scene *scene) {
    tl_world *world;
    tl_error error = {0};
    const tl_world_options one = {.threads = 1};
    cr_assert_eq(tl_world_create(scene, &one, &world, &error), TL_OK, "%s", error.what);
    return world;
}

/* What loading says of a snapshot in which a byte pattern replaces number i of a field. */
static tl_error load_with(const char *field, size_t i, const void *bytes, size_t size) {
    tl_scene *scene = load_scene();
    tl_world *world = make_world(scene), *again = NULL;
    tl_error error = {0};
    tl_field_view view;
    cr_assert(tl_world_field(world, field, &view), "%s", field);
    cr_assert_lt(i, view.count * (size_t)view.components);
    memcpy((char *)view.data + i * size, bytes, size);
    cr_assert_eq(tl_world_save(world, in_scratch("s.h5"), &error), TL_OK, "%s", error.what);
    const tl_status status = tl_world_load(scene, NULL, in_scratch("s.h5"), &again, &error);
    cr_assert_eq(status, TL_BAD_INPUT, "%s", field);
    cr_assert_null(again);
    cr_assert(strstr(error.where, "s.h5"), "%s", error.where);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return error;
}

Test(resume, indices_of_nothing_are_refused) {
    const uint8_t many = 200;
    const uint32_t far = 77;
    cr_assert(strstr(load_with("nozzle", 3, &many, 1).what, "\"nozzle\" of its particle 3 is 200"));
    cr_assert(strstr(load_with("material", 0, &many, 1).what, "material"));
    cr_assert(strstr(load_with("body", 5, &far, 4).what, "body"));
}

Test(resume, numbers_that_are_none_are_refused) {
    const double nan_number = (double)NAN, far = 1e30, nothing = 0;
    const float infinite = INFINITY, none = 0;
    cr_assert(strstr(load_with("position", 7, &nan_number, 8).what, "position"));
    cr_assert(strstr(load_with("position", 7, &far, 8).what, "position"));
    cr_assert(strstr(load_with("list_position", 7, &infinite, 4).what, "list_position"));
    cr_assert(strstr(load_with("velocity", 7, &nan_number, 8).what, "velocity"));
    cr_assert(strstr(load_with("density", 7, &nothing, 8).what, "density"));
    cr_assert(strstr(load_with("mass", 7, &none, 4).what, "mass"));
}

static void set_time(tl_world *w) { w->state.time = 1e300; }
static void set_builds(tl_world *w) { w->state.builds = 0.5; }
static void set_advance(tl_world *w) { w->emitters[0].advance = 1e300; }
static void set_turn(tl_world *w) { w->rigids.items[0].pose.turn.w = 3; }

Test(resume, a_state_that_no_run_has_is_refused) {
    void (*const spoil[])(tl_world *) = {set_time, set_builds, set_advance, set_turn};
    tl_scene *scene = load_scene();
    for (size_t i = 0; i < sizeof spoil / sizeof *spoil; i++) {
        tl_world *world = make_world(scene), *again;
        tl_error error = {0};
        spoil[i](world);
        cr_assert_eq(tl_world_save(world, in_scratch("s.h5"), &error), TL_OK, "%s", error.what);
        cr_assert_eq(tl_world_load(scene, NULL, in_scratch("s.h5"), &again, &error), TL_BAD_INPUT,
                     "%zu", i);
        cr_assert(strstr(error.what, "numbers that no run has"), "%s", error.what);
        tl_world_destroy(world);
    }
    tl_scene_destroy(scene);
}

Test(resume, a_rigid_body_without_its_particles_is_refused) {
    const uint32_t other = 0;
    tl_scene *scene = load_scene();
    tl_world *world = make_world(scene);
    tl_field_view body;
    size_t i = 0;
    cr_assert(tl_world_field(world, "body", &body));
    while (((const uint32_t *)body.data)[i] != 1)
        i++;
    cr_assert(strstr(load_with("body", i, &other, 4).what, "rigid body 0"));
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(resume, a_snapshot_as_it_was_written_goes_on) {
    tl_scene *scene = load_scene();
    tl_world *world = make_world(scene), *again;
    tl_error error = {0};
    for (int step = 0; step < 3; step++)
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_save(world, in_scratch("s.h5"), &error), TL_OK);
    cr_assert_eq(tl_world_load(scene, NULL, in_scratch("s.h5"), &again, &error), TL_OK, "%s",
                 error.what);
    cr_assert_eq(tl_world_hash(again), tl_world_hash(world));
    tl_world_destroy(again);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}
