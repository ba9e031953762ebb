/* `tallow bench thermal`: leap-frog steps of a shaken block of thermal particles in close packing,
 * 50 neighbours in range; particle-updates a second and processor time an update, for blocks of
 * several sizes on one and on more threads. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/timer.h"
#include "scene/schema.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* A block of about `count` particles in layers ABAB, with the velocities of a warm solid. */
static tl_seed *make_block(size_t *count, double distance) {
    const size_t n = (size_t)fmax(2, round(cbrt((double)*count)));
    *count = n * n * n;
    tl_seed *seeds = tl_allocate(*count, sizeof *seeds);
    for (size_t i = 0; seeds && i < *count; i++) {
        const size_t x = i % n, y = i / n % n, z = i / n / n;
        const double shift = (y + z) % 2 ? 0.5 : 0, slide = z % 2 ? 1.0 / 3 : 0;
        seeds[i].position[0] = ((double)x + shift) * distance;
        seeds[i].position[1] = ((double)y + slide) * distance * sqrt(0.75);
        seeds[i].position[2] = (double)z * distance * sqrt(2.0 / 3);
        for (size_t k = 0; k < 3; k++)
            seeds[i].velocity[k] = 6 * tl_random_uniform(1, 3 * i + k) - 3;
    }
    return seeds;
}

static tl_status make_world(size_t *count, int threads, tl_world **world, tl_error *error) {
    static const tl_material wax = {.name = (char *)"wax",
                                    .density = 0.835,
                                    .has_cohesion = true,
                                    .cohesion = {.repulsion = 8,
                                                 .attraction = 6,
                                                 .energy = 200,
                                                 .range = 1.9,
                                                 .smoothing = 0.75,
                                                 .least = 0.001,
                                                 .stretch = {1, 1, 1}}};
    tl_world_def def = {
        .spacing = 1.062, .thermal_particles = true, .materials = &wax, .material_count = 1};
    if (!tl_schema_defaults(&tl_flow_table, &def.flow) ||
        !tl_schema_defaults(&tl_cohesive_table, &def.cohesive))
        return tl_fail_memory(error, 1, 1);
    /* Distance at which the packing is at rest, with all the neighbours in range. */
    tl_seed *seeds = make_block(count, 0.95 * 1.192);
    if (!seeds)
        return tl_fail_memory(error, *count, sizeof *seeds);
    def.seeds = seeds;
    def.seed_count = *count;
    const tl_status status =
        tl_world_make(&def, &(tl_world_options){.threads = threads}, world, error);
    free(seeds);
    return status;
}

static tl_status measure(size_t count, int threads, bool json, bool last, tl_error *error) {
    tl_world *world;
    TL_TRY(make_world(&count, threads, &world, error));
    tl_status status = TL_OK;
    for (int i = 0; i < 20 && status == TL_OK; i++)
        status = tl_world_step(world, NULL, error);
    const double start = tl_now();
    const clock_t used = clock();
    double steps = 0;
    for (; steps < 2000 && tl_now() - start < 3 && status == TL_OK; steps++)
        status = tl_world_step(world, NULL, error);
    const double updates = steps * (double)count, seconds = tl_now() - start;
    const double processor = (double)(clock() - used) / CLOCKS_PER_SEC;
    if (json)
        printf("  {\"particles\": %zu, \"threads\": %d, \"updates_per_second\": %.4g, "
               "\"processor_ns\": %.2f}%s\n",
               count, threads, updates / seconds, 1e9 * processor / updates, last ? "" : ",");
    else
        printf("  %8zu %8d %12.2f M/s %14.1f ns\n", count, threads, 1e-6 * updates / seconds,
               1e9 * processor / updates);
    fflush(stdout);
    tl_world_destroy(world);
    return status;
}

int cli_bench_cohesion(const cli_arguments *arguments, int threads) {
    const size_t sizes[] = {10000, 100000, 1000000};
    const size_t size_count = cli_has(arguments, "large") ? 3 : 2;
    const bool json = cli_has(arguments, "json");
    const int kinds = threads > 1 ? 2 : 1;
    if (json)
        printf("[\n");
    else
        printf("A shaken block of thermal particles in close packing, 50 neighbours in range\n\n"
               "  particles threads  updates a second  processor time an update\n");
    for (size_t s = 0; s < size_count; s++)
        for (int k = 0; k < kinds; k++) {
            tl_error error = {0};
            const bool last = s + 1 == size_count && k + 1 == kinds;
            const tl_status status = measure(sizes[s], k ? threads : 1, json, last, &error);
            if (status != TL_OK) {
                cli_complain_error(&error);
                return cli_exit_code(status);
            }
        }
    if (json)
        printf("]\n");
    return cli_exit_code(TL_OK);
}
