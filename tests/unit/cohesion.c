/* Worlds of thermal particles: the same bits for any number of threads and after a resume, and what
 * is said about scenes that cannot be. */
#include "../verify/cohesion_build.h"

#include "scene/schema.h"

#include <math.h>
#include <stdio.h>

#include "scratch_folder.h"

/* Two bodies, a ball, a floor and a periodic axis, with heat and friction. */
#define BUSY                                                                                       \
    HEAD MATERIAL("specific_heat: 1, conductivity: 1, ",                                           \
                  "") "gravity: [0, 0, -2]\nheat: {}\n"                                            \
                      "thermal_particles: {friction: 0.2, damping: 0.1, integrator: %s}\n"         \
                      "periodic: {box: {from: [-4, -5.5, -9], to: [14, 5.5, 30]}, y: true}\n"      \
                      "walls:\n"                                                                   \
                      "- {name: floor, plane: z, at: 0, temperature: 150, heat_capacity: 400}\n"   \
                      "- {name: ball, sphere: {center: [2, 0, 1], radius: 2}}\n"                   \
                      "bodies:\n"                                                                  \
                      "- {name: low, material: wax, fill: hexagonal, temperature: 20,\n"           \
                      "   box: {from: [0, -5.16, 3.6], to: [11.92, 5.16, 6.52]}}\n"                \
                      "- {name: high, material: wax, fill: hexagonal, temperature: 90, velocity: " \
                      "[0, 1, -6],\n"                                                              \
                      "   box: {from: [3, -3, 7.3], to: [10.15, 3, 11.2]}}\n"

static uint64_t run_busy(const char *integrator, int threads, int steps, const char *save,
                         const char *load) {
    char text[2048];
    snprintf(text, sizeof text, BUSY, integrator);
    stuff s = stuff_open(text, threads);
    tl_error error = {0};
    if (load) {
        tl_world_destroy(s.world);
        cr_assert_eq(
            tl_world_load(s.scene, &(tl_world_options){.threads = threads}, load, &s.world, &error),
            TL_OK, "%s: %s", error.where, error.what);
        tl_world_make_adverse(s.world);
    }
    stuff_step(&s, steps);
    if (save)
        cr_assert_eq(tl_world_save(s.world, save, &error), TL_OK, "%s", error.what);
    const uint64_t hash = tl_world_hash(s.world);
    const tl_ledger l = stuff_books(&s);
    cr_expect(l.contact_energy > 0 || load, "they touch");
    cr_expect(isfinite(l.energy_error));
    stuff_close(&s);
    return hash;
}

Test(cohesion_world, has_the_same_bits_for_any_number_of_threads) {
    static const char *const integrators[] = {"leap-frog", "midpoint"};
    for (int i = 0; i < 2; i++) {
        const uint64_t one = run_busy(integrators[i], 1, 1200, NULL, NULL);
        for (int threads = 2; threads <= 3; threads++)
            cr_expect_eq(run_busy(integrators[i], threads, 1200, NULL, NULL), one,
                         "%s with %d threads", integrators[i], threads);
    }
}

Test(cohesion_world, goes_on_from_a_snapshot_with_the_same_bits) {
    static const char *const integrators[] = {"leap-frog", "midpoint"};
    scratch_make();
    const char *path = in_scratch("a.h5");
    for (int i = 0; i < 2; i++) {
        const uint64_t whole = run_busy(integrators[i], 2, 1200, NULL, NULL);
        run_busy(integrators[i], 1, 800, path, NULL);
        cr_expect_eq(run_busy(integrators[i], 2, 400, NULL, path), whole, "%s", integrators[i]);
    }
    scratch_remove();
}

/* ---- Bad input ---- */

static void refuses(const char *text, const char *word) {
    stuff s;
    tl_error error = {0};
    cr_expect_eq(stuff_try(text, 1, &s, &error), TL_BAD_INPUT, "%s", text);
    cr_expect(strstr(error.what, word), "\"%s\" does not say %s", error.what, word);
    cr_expect_neq(error.fix[0], 0, "and how to mend it: %s", error.what);
    stuff_close(&s);
}

#define CUBE "bodies: [{name: cube, material: wax, box: {from: [0, 0, 1], to: [3, 3, 4]}}]\n"

Test(cohesion_world, refuses_what_cannot_hold_together) {
    refuses(HEAD MATERIAL("", ", repulsion: 6") CUBE, "repulsion");
    refuses(HEAD MATERIAL("", ", repulsion: 4, attraction: 9") CUBE, "attraction");
    refuses(HEAD MATERIAL("", ", stretch: [1, 0, 1]") CUBE, "stretch");
    refuses(HEAD "materials: {wax: {density: 1}}\n" CUBE, "cohesion");
    refuses(HEAD MATERIAL("", "") CUBE "thermal_particles: {collision: {distance: 0}}\n",
            "distance");
    refuses(HEAD MATERIAL("", "") CUBE "thermal_particles: {collision: {distance: -1}}\n",
            "distance");
}

Test(cohesion_world, says_when_all_is_gas) {
    static const char text[] = HEAD MATERIAL(
        "specific_heat: 1, ", "") "bodies: [{name: cube, material: wax, temperature: 300,\n"
                                  "  box: {from: [0, 0, 1], to: [3, 3, 4]}}]\n";
    tl_diagnostics found = {0};
    tl_scene *scene;
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test",
                                      &(tl_scene_options){.diagnostics = &found}, &scene, NULL),
                 TL_OK);
    bool said = false;
    for (size_t i = 0; i < found.count; i++)
        said = said || (found.items[i].is_warning && strstr(found.items[i].what, "gas"));
    cr_expect(said);
    tl_diagnostics_clear(&found);
    tl_scene_destroy(scene);
}

/* Two particles in one place. */
static tl_status make_twins(double offset, tl_world **world, tl_error *error) {
    /* They outlive the world. */
    static const tl_seed seeds[2] = {{.position = {1, 1, 1}}, {.position = {1, 1, 1}}};
    static tl_material wax;
    wax = (tl_material){.name = (char *)"wax",
                        .density = 1,
                        .has_cohesion = true,
                        .cohesion = {.repulsion = 8,
                                     .attraction = 6,
                                     .energy = 200,
                                     .range = 1.9,
                                     .smoothing = 0.75,
                                     .least = 0.001,
                                     .offset = offset,
                                     .stretch = {1, 1, 1}}};
    tl_world_def def = {.spacing = 1,
                        .thermal_particles = true,
                        .materials = &wax,
                        .material_count = 1,
                        .seeds = seeds,
                        .seed_count = 2};
    cr_assert(tl_schema_defaults(&tl_flow_table, &def.flow));
    cr_assert(tl_schema_defaults(&tl_cohesive_table, &def.cohesive));
    return tl_world_make(&def, NULL, world, error);
}

Test(cohesion_world, refuses_particles_that_coincide_unless_there_is_an_offset) {
    tl_world *world;
    tl_error error = {0};
    cr_expect_eq(make_twins(0, &world, &error), TL_BAD_INPUT);
    cr_expect(strstr(error.what, "coincide"), "%s", error.what);
    cr_expect(strstr(error.fix, "offset"), "%s", error.fix);
    cr_assert_eq(make_twins(0.1, &world, &error), TL_OK, "%s", error.what);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s", error.what);
    tl_world_destroy(world);
}

/* ---- Shapes ---- */

Test(cohesion_world, the_gable_of_the_paper_has_sixty_nine_particles_at_their_distance) {
    stuff s = stuff_open(HEAD MATERIAL("", "") "bodies: [{material: wax, gable: {}}]\n", 1);
    const double *x = stuff_field(&s, "position");
    const size_t n = tl_world_count(s.world);
    cr_expect_eq(n, 69);
    double least = 1e9, balance = 0;
    for (size_t i = 0; i < n; i++) {
        balance += x[3 * i];
        for (size_t j = 0; j < i; j++)
            least = fmin(least, hypot(x[3 * i] - x[3 * j], x[3 * i + 2] - x[3 * j + 2]));
    }
    cr_expect_float_eq(least, 1.192, 1e-4);
    cr_expect_float_eq(balance, 0, 1e-9, "it stands straight");
    stuff_close(&s);
    stuff deep =
        stuff_open(HEAD MATERIAL("", "") "bodies: [{material: wax, gable: {layers: 3}}]\n", 1);
    cr_expect_eq(tl_world_count(deep.world), 69 + 63 + 69);
    x = stuff_field(&deep, "position");
    least = 1e9;
    for (size_t i = 0; i < tl_world_count(deep.world); i++)
        for (size_t j = 0; j < i; j++) {
            const tl_vec3 d = tl_vec3_sub(tl_vec3_of(x + 3 * i), tl_vec3_of(x + 3 * j));
            least = fmin(least, tl_vec3_length(d));
        }
    cr_expect_float_eq(least, 1.192, 1e-4, "close packing, layer on layer: %g", least);
    stuff_close(&deep);
}

Test(cohesion_world, a_ball_keeps_what_falls_on_it_outside) {
    stuff s = stuff_open(
        HEAD MATERIAL("", "") "gravity: [0, 0, -5]\n"
                              "walls: [{name: floor, plane: z, at: 0}, {name: ball, sphere: "
                              "{center: [0, 0, 2], radius: "
                              "2}}]\n"
                              "bodies: [{name: rain, material: wax, velocity: [0, 0, -10],\n"
                              "  box: {from: [-4.2, -4.2, 5.5], to: [4.2, 4.2, 6.6]}}]\n",
        2);
    for (int k = 1; k <= 20; k++) {
        stuff_run(&s, 0.15 * k);
        const double *x = stuff_field(&s, "position");
        for (size_t i = 0; i < tl_world_count(s.world); i++) {
            const tl_vec3 d = {x[3 * i], x[3 * i + 1], x[3 * i + 2] - 2};
            cr_expect(tl_vec3_length(d) > 2 && x[3 * i + 2] > 0);
        }
    }
    const tl_ledger l = stuff_books(&s);
    cr_log_info("impulse of the walls (%.3g, %.3g, %.3g) N s; energy error %.2g J of %.3g J",
                l.wall_impulse[0], l.wall_impulse[1], l.wall_impulse[2], l.energy_error,
                l.kinetic_energy);
    const double change = l.momentum[2] + 10 * l.mass;
    cr_expect_float_eq(l.wall_impulse[2] - 5 * l.mass * l.time, change, 1e-3 * fabs(change));
    stuff_close(&s);
}
