/* Forces on each particle, in worlds that move. What a solve makes of them is in solve.c. */
#include "world/state.h"

#include <criterion/criterion.h>

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

static void compare(tl_scheme scheme) {
    static tl_seed seeds[N * N * N];
    make_seeds(seeds);
    tl_world *a = run(scheme, false, seeds), *b = run(scheme, true, seeds);
    const double time = a->state.time;
    cr_assert_float_eq(b->state.time, time, 1e-6 * time);
    for (size_t k = 0; k < 3 * a->fields.count; k++) {
        cr_assert_float_eq(tl_velocity(b)[k], tl_velocity(a)[k], 1e-5 * 9.8 * time, "%zu", k);
        cr_assert_float_eq(tl_position(b)[k], tl_position(a)[k], 1e-6 * dx, "%zu", k);
    }
    tl_world_destroy(a);
    tl_world_destroy(b);
}

Test(body_force, moves_explicit_matter_as_gravity_does) { compare(TL_SCHEME_EXPLICIT); }

Test(body_force, moves_coupled_matter_as_gravity_does) { compare(TL_SCHEME_COUPLED); }
