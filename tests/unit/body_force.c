/* Forces on each particle, in worlds that move. What a solve makes of them is in solve.c. */
#include "scene/scene.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 8, STEPS = 6 };

static const double dx = 0.01;
static const float gravity[3] = {1.5f, 0, -9.8125f};

static const tl_material syrup = {.name = (char *)"syrup", .density = 1000, .viscosity.value = 2};

static const tl_wall_def ground = {.name = (char *)"ground", .plane = TL_SIDE_Z};

/* A cube on the ground that is sheared: walls, pressure and viscosity take part. */
static void make_seeds(tl_seed seeds[N * N * N]) {
    for (size_t i = 0; i < N * N * N; i++) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        seeds[i] = (tl_seed){.velocity = {0.05 * (double)at[2], 0, 0}};
        for (int k = 0; k < 3; k++)
            seeds[i].position[k] = dx * ((double)at[k] + 0.5);
    }
}

static void fill_force(tl_world *w) {
    cr_assert_eq(tl_world_want_body_force(w, NULL), TL_OK);
    float *force = tl_field_data(&w->fields, w->handle.body_force);
    for (size_t k = 0; k < 3 * w->fields.count; k++)
        force[k] = gravity[k % 3];
}

/* A world after some steps, pulled by gravity or by the same force on each particle. */
static tl_world *run(tl_scheme scheme, bool each, const tl_seed *seeds) {
    tl_world_def def = {.spacing = dx,
                        .flow = {.scheme = (int)scheme,
                                 .support = 2,
                                 .sound_speed = 10,
                                 .artificial_viscosity = 0.05,
                                 .density_diffusion = 0.1,
                                 .shifting = 0.5,
                                 .cfl = 0.3,
                                 .motion = 0.4,
                                 .tolerance = 1e-3,
                                 .max_iterations = 500,
                                 .stabilization = 1,
                                 .max_step = 0.002,
                                 .skin = 0.1},
                        .materials = &syrup,
                        .material_count = 1,
                        .walls = &ground,
                        .wall_count = 1,
                        .seeds = seeds,
                        .seed_count = N * N * N};
    tl_world *w;
    bool broken = false;
    size_t worst;
    for (int k = 0; k < 3 && !each; k++)
        def.gravity[k] = (double)gravity[k];
    cr_assert_eq(tl_world_make(&def, NULL, &w, NULL), TL_OK);
    if (each)
        fill_force(w);
    if (each && scheme == TL_SCHEME_EXPLICIT)
        cr_assert_eq(tl_world_evaluate(w, 0, &broken, &worst, NULL), TL_OK);
    for (int step = 0; step < STEPS; step++)
        cr_assert_eq(tl_world_step(w, NULL, NULL), TL_OK);
    return w;
}

/* The energy that gravity gives is the work that the field does, and both books close. */
static void compare_books(const tl_world *a, const tl_world *b) {
    tl_ledger by_gravity, by_field;
    tl_world_ledger(a, &by_gravity);
    tl_world_ledger(b, &by_field);
    const double fallen = a->state.initial_potential - by_gravity.potential_energy;
    cr_expect_eq(by_gravity.field_work, 0);
    cr_expect_eq(by_field.potential_energy, 0);
    cr_expect_gt(fabs(fallen), 0);
    cr_expect_float_eq(by_field.field_work, fallen, 1e-4 * fabs(fallen));
    cr_expect_float_eq(by_field.energy_error, by_gravity.energy_error, 1e-4 * fabs(fallen),
                       "%g, %g", by_field.energy_error, by_gravity.energy_error);
}

static void compare_worlds(tl_world *a, tl_world *b) {
    const double time = a->state.time;
    cr_assert_float_eq(b->state.time, time, 1e-6 * time);
    for (size_t k = 0; k < 3 * a->fields.count; k++) {
        cr_assert_float_eq(tl_velocity(b)[k], tl_velocity(a)[k], 1e-5 * 9.8 * time, "%zu", k);
        cr_assert_float_eq(tl_position(b)[k], tl_position(a)[k], 1e-6 * dx, "%zu", k);
    }
    compare_books(a, b);
    tl_world_destroy(a);
    tl_world_destroy(b);
}

static void compare(tl_scheme scheme) {
    static tl_seed seeds[N * N * N];
    make_seeds(seeds);
    compare_worlds(run(scheme, false, seeds), run(scheme, true, seeds));
}

Test(body_force, moves_explicit_matter_as_gravity_does) { compare(TL_SCHEME_EXPLICIT); }

Test(body_force, moves_coupled_matter_as_gravity_does) { compare(TL_SCHEME_COUPLED); }

/* ---- Scenes ------------------------------------------------------------------------------------
 */

/* The world of a scene whose last line is that of gravity, after some steps. `pull` fills the field
 * before each; NULL: there is none. */
typedef void pull_fn(tl_world *w);

static tl_world *run_scene(const char *text, const char *settings, pull_fn *pull, int steps) {
    char all[2048];
    tl_scene *scene = NULL;
    tl_world *w = NULL;
    tl_error error = {0};
    bool broken;
    size_t worst;
    const int length = snprintf(all, sizeof all, "%s%s", text, settings);
    cr_assert_eq(
        tl_scene_load_memory(all, (size_t)length, "pulled", &(tl_scene_options){0}, &scene, &error),
        TL_OK, "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(scene, NULL, &w, &error), TL_OK, "%s", error.what);
    if (pull) {
        cr_assert_eq(tl_world_want_body_force(w, NULL), TL_OK);
        pull(w);
    }
    if (pull && w->dynamics->accelerates)
        cr_assert_eq(tl_world_evaluate(w, 0, &broken, &worst, NULL), TL_OK);
    for (int step = 0; step < steps; step++) {
        if (pull)
            pull(w);
        cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK, "%s", error.what);
    }
    tl_scene_destroy(scene);
    return w;
}

static const char pulled[] = "gravity: [0, 0, 0]\n", fallen[] = "gravity: [1.5, 0, -9.8125]\n";

static void pull_alike(tl_world *w) {
    float *force = tl_field_data(&w->fields, w->handle.body_force);
    for (size_t k = 0; k < 3 * w->fields.count; k++)
        force[k] = gravity[k % 3];
}

static void compare_scenes(const char *text) {
    compare_worlds(run_scene(text, fallen, NULL, STEPS),
                   run_scene(text, pulled, pull_alike, STEPS));
}

/* One body swims, one lies on the ground, one falls. */
#define STONES(scheme)                                                                             \
    "spacing: 1 cm\nduration: 1 s\n"                                                               \
    "flow: {scheme: " scheme ", sound_speed: 20, max_step: 1 ms}\n"                                \
    "materials: {syrup: {density: 1000, viscosity: 5}, stone: {density: 2500, viscosity: 10}}\n"   \
    "bodies:\n"                                                                                    \
    "  - {material: syrup, box: {from: [0, 0, 0], to: [0.12, 0.12, 0.06]}}\n"                      \
    "  - {material: stone, rigid: true, sphere: {center: [0.06, 0.06, 0.1], radius: 0.03}}\n"      \
    "  - {material: stone, rigid: true, sphere: {center: [0.3, 0.06, 0.03], radius: 0.03}}\n"      \
    "  - {material: stone, rigid: true, sphere: {center: [0.3, 0.3, 0.2], radius: 0.03}}\n"        \
    "walls: [{name: ground, plane: z}]\n"

Test(body_force, moves_rigid_bodies_in_coupled_flow_as_gravity_does) {
    compare_scenes(STONES("coupled"));
}

Test(body_force, moves_rigid_bodies_in_explicit_flow_as_gravity_does) {
    compare_scenes(STONES("explicit"));
}

static const char grains[] =
    "spacing: 1 m\nduration: 1 s\ndynamics: thermal-particles\n"
    "materials: {wax: {density: 0.8, cohesion: {repulsion: 8, attraction: 6, energy: 40 J, "
    "separation: 1.2 m}}}\n"
    "bodies: [{material: wax, box: {from: [0, 0, 9], to: [3, 3, 12]}}]\n"
    "walls: [{plane: z}]\n";

Test(body_force, moves_thermal_particles_as_gravity_does) { compare_scenes(grains); }

/* A block that falls out of the world below and comes in again above. */
#define ROUND(dynamics)                                                                            \
    "spacing: 1 cm\nduration: 1 s\n" dynamics                                                      \
    "materials: {syrup: {density: 1000, viscosity: 5}}\n"                                          \
    "periodic: {box: {from: [0, 0, 0], to: [0.1, 0.1, 0.2]}, z: true}\n"                           \
    "bodies: [{material: syrup, box: {from: [0, 0, 0.05], to: [0.04, 0.04, 0.09]}}]\n"             \
    "gravity: [0, 0, -9.8125]\n"

static void expect_round(const char *text) {
    tl_world *w = run_scene(text, "", NULL, 0);
    tl_ledger l;
    while (w->state.time < 0.3)
        cr_assert_eq(tl_world_step(w, NULL, NULL), TL_OK);
    tl_world_ledger(w, &l);
    cr_expect_gt(l.returned_energy, 0.5 * l.kinetic_energy);
    cr_expect_lt(fabs(l.energy_error), 0.02 * l.kinetic_energy, "%g J of %g J", l.energy_error,
                 l.kinetic_energy);
    cr_expect_eq(tl_world_warnings(w, NULL, 0), 0);
    tl_world_destroy(w);
}

Test(body_force, books_close_where_gravity_goes_round_in_coupled_flow) {
    expect_round(ROUND("flow: {scheme: coupled, max_step: 2 ms}\n"));
}

Test(body_force, books_close_where_gravity_goes_round_in_explicit_flow) {
    expect_round(ROUND("flow: {scheme: explicit, sound_speed: 30}\n"));
}

/* As one that turns with the frame would: 1/s² times the distance from an axis along y. */
static void pull_around(tl_world *w) {
    float *force = tl_field_data(&w->fields, w->handle.body_force);
    for (size_t i = 0; i < w->fields.count; i++) {
        const double *x = tl_position(w) + 3 * i;
        const float own[3] = {(float)(50 * x[2]), 0, 0};
        memcpy(force + 3 * i, own, sizeof own);
    }
}

static void expect_turned(const char *text) {
    tl_world *w = run_scene(text, pulled, pull_around, 40);
    const tl_rigid *r = &w->rigids.items[0];
    /* Σ m z f = 50 Σ m z², of all axes alike in a ball: half of the inertia. */
    cr_expect_float_eq(r->spin.y, 25 * w->state.time, 0.05 * 25 * w->state.time, "%g rad/s",
                       r->spin.y);
    cr_expect_float_eq(r->spin.x, 0, 1e-3 * r->spin.y);
    tl_ledger l;
    tl_world_ledger(w, &l);
    cr_expect_gt(l.kinetic_energy, 0);
    cr_expect_float_eq(l.field_work, l.kinetic_energy, 0.1 * l.kinetic_energy, "%g J of %g J",
                       l.field_work, l.kinetic_energy);
    tl_world_destroy(w);
}

/* A ball that nothing touches, and a drop for there to be a flow. */
#define BALL(scheme)                                                                               \
    "spacing: 1 cm\nduration: 1 s\n"                                                               \
    "flow: {scheme: " scheme ", sound_speed: 20, max_step: 1 ms}\n"                                \
    "materials: {syrup: {density: 1000, viscosity: 5}, stone: {density: 2500, viscosity: 10}}\n"   \
    "bodies:\n"                                                                                    \
    "  - {material: stone, rigid: true, sphere: {center: [0, 0, 0], radius: 0.06}}\n"              \
    "  - {material: syrup, box: {from: [1, 0, -0.01], to: [1.02, 0.02, 0.01]}}\n"

Test(body_force, that_differs_across_a_body_turns_it_in_coupled_flow) {
    expect_turned(BALL("coupled"));
}

Test(body_force, that_differs_across_a_body_turns_it_in_explicit_flow) {
    expect_turned(BALL("explicit"));
}
