/* A dam break with one thread and with four, explicit or implicit as the argument says, as a plain
 * program: Criterion does not run under ThreadSanitizer. Worlds must have the same bits after every
 * step. */
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 19, NY = 16, NZ = 20, COUNT = NX * NY * NZ };

static const double dx = 0.025;

/* A column of liquid in one corner of a tank, with an obstacle before it and a belt beyond. */
static tl_world *make(const tl_seed *seeds, tl_scheme scheme, tl_viscosity_form viscosity,
                      int threads) {
    static const tl_material water = {.density = 1000, .viscosity.value = 1e-3};
    static const tl_wall_def walls[] = {
        {.has_box = true,
         .box = {{0, 0, 0}, {0.8, 0.4, 1}},
         .open = TL_SIDE_Z,
         .contact = TL_CONTACT_FREE_SLIP},
        {.has_box = true, .outside = true, .box = {{0.5, 0.1, 0}, {0.6, 0.3, 0.2}}},
        {.normal = {-1, 0, 0.2}, .through = {0.75, 0, 0}, .velocity = {0.2, 0, 1}},
    };
    const tl_world_def def = {.spacing = dx,
                              .gravity = {0, 0, -9.81},
                              .flow = {.scheme = (int)scheme,
                                       .viscosity = (int)viscosity,
                                       .support = 2,
                                       .artificial_viscosity = 0.05,
                                       .density_diffusion = 0.1,
                                       .xsph = 0.1,
                                       .shifting = 0.5,
                                       .cfl = 0.3,
                                       .max_step = 0.01,
                                       .motion = 0.4,
                                       .tolerance = 0.02,
                                       .max_iterations = 200,
                                       .stabilization = 2,
                                       .skin = 0.01},
                              .materials = &water,
                              .material_count = 1,
                              .walls = walls,
                              .wall_count = 3,
                              .seeds = seeds,
                              .seed_count = COUNT};
    tl_world *world;
    tl_error error = {0};
    if (tl_world_make(&def, &(tl_world_options){.threads = threads}, &world, &error) != TL_OK)
        fprintf(stderr, "%s: %s\n", error.where, error.what);
    else
        tl_world_make_adverse(world);
    return world;
}

static bool step_together(tl_world *one, tl_world *four, int steps) {
    for (int s = 0; s < steps; s++) {
        if (tl_world_hash(one) != tl_world_hash(four)) {
            fprintf(stderr, "after %d steps four threads differ from one\n", s);
            return false;
        }
        if (tl_world_step(one, NULL, NULL) != TL_OK || tl_world_step(four, NULL, NULL) != TL_OK) {
            fprintf(stderr, "step %d failed\n", s);
            return false;
        }
    }
    return tl_world_hash(one) == tl_world_hash(four);
}

/* The ways to step, by the names that tests/unit/meson.build gives. */
static const struct way {
    const char *name;
    tl_scheme scheme;
    tl_viscosity_form viscosity;
    int steps;
} ways[] = {
    {"pairwise", TL_SCHEME_EXPLICIT, TL_VISCOSITY_PAIRWISE, 20},
    {"nested", TL_SCHEME_EXPLICIT, TL_VISCOSITY_NESTED, 20},
    {"complete", TL_SCHEME_EXPLICIT, TL_VISCOSITY_COMPLETE, 20},
    {"coupled", TL_SCHEME_COUPLED, TL_VISCOSITY_PAIRWISE, 5},
};

static bool same_bits(const tl_seed *seeds, const struct way *way) {
    tl_world *one = make(seeds, way->scheme, way->viscosity, 1),
             *four = make(seeds, way->scheme, way->viscosity, 4);
    const bool fine = one && four && step_together(one, four, way->steps);
    tl_world_destroy(one);
    tl_world_destroy(four);
    return fine;
}

int main(int argc, char **argv) {
    const struct way *way = NULL;
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
        if (argc == 2 && strcmp(argv[1], ways[w].name) == 0)
            way = &ways[w];
    if (!way)
        return 2;
    tl_seed *seeds = calloc(COUNT, sizeof *seeds);
    if (!seeds)
        return 2;
    /* Fast enough for the lists to be built anew every few steps. */
    for (size_t i = 0; i < COUNT; i++)
        seeds[i] = (tl_seed){.position = {((double)(i % NX) + 0.5) * dx,
                                          ((double)(i / NX % NY) + 0.5) * dx,
                                          ((double)(i / NX / NY) + 0.5) * dx},
                             .velocity = {2 * (double)(i % NX) / NX, 0, 0}};
    const bool fine = same_bits(seeds, way);
    free(seeds);
    return !fine;
}
