/* Steps that are refused leave no trace: the world is as it was, and goes on as if nothing had been
 * tried. */
#include "sample_materials.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { N = 8, COUNT = N * N * N };

static const double dx = 0.01;

/* A block that yields as it is sheared, on a wall that lets go of what pulls. Its lists outlast the
 * test: making them anew, for which an attempt may be the occasion, is counted. */
static tl_world *block(int scheme) {
    static tl_material paste;
    paste = plastic(TL_RHEOLOGY_BINGHAM, 10, 5, 1000);
    static const tl_wall_def floor = {
        .name = (char *)"floor", .plane = TL_SIDE_Z, .has_stickiness = true, .stickiness = 100};
    tl_seed *seeds = calloc(COUNT, sizeof *seeds);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        for (size_t k = 0; k < 3; k++)
            seeds[i].position[k] = dx * ((double)at[k] + 0.5);
        seeds[i].velocity[0] = 2 * seeds[i].position[2];
    }
    const tl_world_def def = {.spacing = dx,
                              .gravity = {0, 0, -9.81},
                              .flow = {.scheme = scheme,
                                       .motion = 0.4,
                                       .tolerance = 0.05,
                                       .max_iterations = 200,
                                       .stabilization = 1,
                                       .skin = 1},
                              .materials = &paste,
                              .material_count = 1,
                              .walls = &floor,
                              .wall_count = 1,
                              .seeds = seeds,
                              .seed_count = COUNT};
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_world_make(&def, &(tl_world_options){.threads = 1}, &world, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    free(seeds);
    return world;
}

static void step(tl_world *w) {
    tl_error error = {0};
    cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
}

/* Has all attempts at a step refused: none is as exact as asked for. */
static void refuse(tl_world *w) {
    const tl_flow_params kept = w->def.flow;
    w->def.flow.max_iterations = 3;
    w->def.flow.tolerance = 1e-30;
    cr_assert_eq(tl_world_step(w, NULL, NULL), TL_DIVERGED);
    w->def.flow = kept;
}

Test(refusal, an_implicit_step_that_is_given_up_leaves_every_saved_bit) {
    static const int schemes[] = {TL_SCHEME_COUPLED, TL_SCHEME_SPLIT, TL_SCHEME_INCREMENTAL};
    for (int k = 0; k < 3; k++) {
        tl_world *w = block(schemes[k]), *twin = block(schemes[k]);
        for (int s = 0; s < 4; s++) {
            const uint64_t before = tl_world_hash(w);
            refuse(w);
            cr_expect_eq(tl_world_hash(w), before, "scheme %d, after %d steps", k, s);
            step(w);
            step(twin);
            cr_expect_eq(tl_world_hash(w), tl_world_hash(twin), "scheme %d, step %d", k, s);
        }
        tl_world_destroy(w);
        tl_world_destroy(twin);
    }
}
