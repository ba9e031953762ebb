/* Solids that are held: books, belts, the same bits for any number of threads and after a resume.
 */
#include "base/parallel.h"
#include "scene/scene.h"
#include "scratch_folder.h"
#include "tallow/tallow.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

TestSuite(held, .init = scratch_make, .fini = scratch_remove);

/* Wax that is held below 20 °C and conducts well, on a plane of 0 °C that goes on for ever. */
static const char frame[] =
    "spacing: 0.1\ngravity: [0, 0, %g]\nflow: {scheme: %s}\nheat: {}\n"
    "materials: {wax: {density: 1000, viscosity: 20 Pa·s, solid_viscosity: 100 Pa·s, solid: held, "
    "specific_heat: 10, latent_heat: 100 J/kg, liquidus: 20, conductivity: 1e4}}\n"
    "periodic: {x: true, y: true, box: {from: [0, 0, 0], to: [0.6, 0.6, 1]}}\n"
    "bodies:\n"
    "  - {name: bed, material: wax, box: {from: [0, 0, 0], to: [0.6, 0.6, 0.3]}, temperature: 0}\n"
    "  - {name: melt, material: wax, box: {from: [0, 0, 0.3], to: [0.6, 0.6, 0.8]}, "
    "temperature: 30, velocity: [%g, 0, 0]}\n"
    "walls:\n"
    "  - {name: floor, plane: z, temperature: 0%s}\n";

static tl_scene *load(double gravity, const char *scheme, double velocity, const char *wall) {
    char text[2000];
    tl_scene *scene = NULL;
    tl_error error = {0};
    snprintf(text, sizeof text, frame, gravity, scheme, velocity, wall);
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    return scene;
}

static tl_world *make(const tl_scene *scene, int threads) {
    tl_world *world = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_world_create(scene, &(tl_world_options){.threads = threads}, &world, &error),
                 TL_OK, "%s", error.what);
    tl_world_make_adverse(world);
    return world;
}

static void run(tl_world *w, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(w, time, &error), TL_OK, "%s: %s", error.where, error.what);
}

static size_t count_held(tl_world *w) {
    tl_field_view view;
    cr_assert(tl_world_field(w, "held", &view) && view.type == TL_U8);
    size_t count = 0;
    for (size_t i = 0; i < view.count; i++)
        count += ((const uint8_t *)view.data)[i];
    return count;
}

static tl_ledger books(const tl_world *w) {
    tl_ledger ledger;
    tl_world_ledger(w, &ledger);
    return ledger;
}

static const char *const schemes[] = {"coupled", "explicit"};

/* A melt that slides over its frozen bed and freezes to it, without gravity: all its momentum goes
 * to the wall, and its energy to heat. */
Test(held, what_freezes_gives_its_momentum_to_the_wall_and_the_books_close) {
    for (int k = 0; k < 2; k++) {
        tl_scene *scene = load(0, schemes[k], 0.2, "");
        tl_world *w = make(scene, 1);
        const size_t first = count_held(w);
        const tl_ledger start = books(w);
        run(w, 0.02);
        const tl_ledger soon = books(w);
        const size_t then = count_held(w);
        run(w, 1.5);
        const tl_ledger l = books(w);
        cr_log_info("%s: %zu, %zu, then %zu of %zu held; momentum %g, %g, %g N s, impulse %g N s; "
                    "kinetic %g J, viscous %g J, numerical %g J, error %g J; heat error %g J",
                    schemes[k], first, then, count_held(w), tl_world_count(w), start.momentum[0],
                    soon.momentum[0], l.momentum[0], l.wall_impulse[0], start.kinetic_energy,
                    l.viscous_heat, l.numerical_heat, l.energy_error, l.heat_error);
        cr_expect_eq(first, 6 * 6 * 3);
        cr_expect_gt(soon.momentum[0], 0.5 * start.momentum[0]);
        cr_expect_eq(count_held(w), tl_world_count(w));
        cr_expect_eq(l.kinetic_energy, 0);
        cr_expect_float_eq(l.wall_impulse[0], -start.momentum[0], 2e-3 * start.momentum[0]);
        cr_expect_lt(fabs(l.energy_error), 0.01 * start.kinetic_energy);
        cr_expect_lt(fabs(l.heat_error), 1e-9 * fabs(l.conducted_heat));
        tl_world_destroy(w);
        tl_scene_destroy(scene);
    }
}

/* On a belt the bed goes along, and drags the melt. */
Test(held, a_bed_that_is_frozen_to_a_belt_moves_with_it) {
    for (int k = 0; k < 2; k++) {
        tl_scene *scene = load(-1, schemes[k], 0, ", velocity: [0.2, 0, 0]");
        tl_world *w = make(scene, 1);
        const tl_ledger start = books(w);
        cr_expect_float_eq(start.momentum[0], 1000 * 0.36 * 0.3 * 0.2, 1e-3);
        run(w, 1.5);
        const tl_ledger l = books(w);
        cr_log_info("%s: %g J of motion, work %g J, error %g J", schemes[k], l.kinetic_energy,
                    l.wall_work, l.energy_error);
        cr_expect_float_eq(l.kinetic_energy, 0.5 * l.mass * 0.04, 1e-6 * l.mass);
        cr_expect_lt(fabs(l.energy_error), 0.01 * l.wall_work);
        tl_world_destroy(w);
        tl_scene_destroy(scene);
    }
}

Test(held, bits_depend_neither_on_threads_nor_on_a_resume) {
    for (int k = 0; k < 2; k++) {
        tl_scene *scene = load(-1, schemes[k], 0.2, "");
        tl_world *one = make(scene, 1), *three = make(scene, 3), *resumed = NULL;
        const size_t first = count_held(one);
        cr_assert_gt(tl_world_count(one), TL_BLOCK);
        for (int s = 0; s < 30; s++) {
            cr_assert_eq(tl_world_step(one, NULL, NULL), TL_OK);
            cr_assert_eq(tl_world_step(three, NULL, NULL), TL_OK);
            cr_assert_eq(tl_world_hash(one), tl_world_hash(three), "%s, step %d", schemes[k], s);
            if (s == 15) {
                cr_assert_eq(tl_world_save(one, in_scratch("s.h5"), NULL), TL_OK);
                cr_assert_eq(tl_world_load(scene, NULL, in_scratch("s.h5"), &resumed, NULL), TL_OK);
            } else if (s > 15) {
                cr_assert_eq(tl_world_step(resumed, NULL, NULL), TL_OK);
            }
        }
        cr_expect_eq(tl_world_hash(one), tl_world_hash(resumed), "%s", schemes[k]);
        cr_log_info("%s: %zu held, then %zu, at %g s", schemes[k], first, count_held(one),
                    books(one).time);
        cr_expect_gt(count_held(one), first);
        tl_world_destroy(one);
        tl_world_destroy(three);
        tl_world_destroy(resumed);
        tl_scene_destroy(scene);
    }
}

static void refuses(const char *material, const char *heat, const char *what) {
    char text[500];
    tl_scene *scene = NULL;
    tl_error error = {0};
    snprintf(text, sizeof text,
             "spacing: 0.1\n%smaterials: {m: {specific_heat: 1, conductivity: 1, %s}}\n"
             "bodies: [{material: m, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n",
             heat, material);
    cr_expect_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error),
                 TL_BAD_INPUT, "%s", material);
    cr_expect(strstr(error.what, what), "%s: %s", error.what, what);
    tl_scene_destroy(scene);
}

Test(held, what_cannot_be_held_is_refused) {
    refuses("solid: held", "heat: {}\n", "does not melt");
    refuses("solid: held, liquidus: 20", "", "needs heat");
    refuses("solid: hard, liquidus: 20", "heat: {}\n", "cannot be \"hard\"");
}

Test(held, worlds_where_nothing_is_held_have_no_field_of_it) {
    tl_scene *scene = NULL;
    static const char text[] =
        "spacing: 0.1\nheat: {}\n"
        "bodies: [{material: paraffin, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n";
    cr_assert_eq(tl_scene_load_memory(text, sizeof text - 1, "test", NULL, &scene, NULL), TL_OK);
    tl_world *w = make(scene, 1);
    tl_field_view view;
    cr_expect(!tl_world_field(w, "held", &view));
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}
