/* `tallow bench sizes`: plane Poiseuille flow by particles of one size, and by those of three sizes
 * whose layers beside the plates are half as wide as those in the middle. Error of the velocity
 * against the exact one, particles, time and iterations a step. All take turns, and the fastest
 * turn of each counts. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/timer.h"
#include "scene/schema.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 30, TURNS = 3, LAYERS = 5, RUNS = 4 };

/* Layers of equal particles, from plate to plate; sizes as parts of the scene's spacing. */
typedef struct bench_run {
    const char *name;
    int across; /* particles of the scene's spacing from plate to plate */
    double size[LAYERS];
} bench_run;

static const bench_run runs[RUNS] = {
    {"one size", 10, {1, 1, 1, 1, 1}},
    {"one size", 14, {1, 1, 1, 1, 1}},
    {"one size", 20, {1, 1, 1, 1, 1}},
    /* Halves of the volume from one to the next but one, as refine has it; whole numbers fit. */
    {"three sizes", 10, {0.5, 2.0 / 3, 1, 2.0 / 3, 0.5}},
};

typedef struct bench_sized {
    double seconds, iterations, error, particles; /* the first two a step */
} bench_sized;

typedef struct channel {
    tl_world_def def;
    tl_material matter;
    tl_wall_def plates[2];
    tl_seed *seeds;
    size_t count;
} channel;

/* The volume of a layer of cubes is that of the layer: they fit as they may in its plane. */
static tl_status add_layer(channel *c, double size, double width, double from, double to,
                           tl_error *error) {
    const int n = (int)fmax(lround(width / size), 1),
              rows = (int)fmax(lround((to - from) / size), 1);
    const size_t more = (size_t)n * (size_t)n * (size_t)rows;
    TL_TRY(TL_ARRAY_RESERVE(c->seeds, c->count, c->count + more, error));
    for (size_t k = 0; k < more; k++) {
        const size_t x = k % (size_t)n, y = k / (size_t)n % (size_t)n, z = k / (size_t)(n * n);
        c->seeds[c->count++] =
            (tl_seed){.size = cbrt(width * width * (to - from) / (double)more),
                      .position = {((double)x + 0.5) * width / n, ((double)y + 0.5) * width / n,
                                   from + ((double)z + 0.5) * (to - from) / rows}};
    }
    return TL_OK;
}

/* Between plates at 0 and 1, u = z (1 - z): the force is so much larger than inertia that a few
 * steps are steady. */
static tl_status make_channel(const bench_run *run, channel *c, tl_error *error) {
    static const double border[LAYERS + 1] = {0, 0.2, 0.4, 0.6, 0.8, 1};
    const double dx = 1.0 / run->across, width = 0.6, dt = 0.2 * dx;
    *c = (channel){.matter = {.density = 0.1 * dt, .viscosity.value = 1},
                   .plates = {{.plane = TL_SIDE_Z}, {.plane = TL_SIDE_MINUS_Z, .at = 1}}};
    c->def = (tl_world_def){.spacing = dx,
                            .gravity = {2 / c->matter.density, 0, 0},
                            .period_to = {width, width, 0},
                            .material_count = 1,
                            .wall_count = 2};
    if (!tl_schema_defaults(&tl_flow_table, &c->def.flow))
        return tl_fail_memory(error, 1, 1);
    c->def.flow.scheme = TL_SCHEME_COUPLED;
    c->def.flow.max_step = dt;
    c->def.flow.pulls = true;
    for (int k = 0; k < LAYERS; k++)
        TL_TRY(add_layer(c, run->size[k] * dx, width, border[k], border[k + 1], error));
    bool differ = false;
    for (size_t i = 0; i < c->count; i++) {
        const double size = c->seeds[i].size;
        c->def.least_size = i > 0 ? fmin(c->def.least_size, size) : size;
        c->def.most_size = fmax(c->def.most_size, size);
        differ = differ || fabs(size / dx - 1) > 1e-6;
    }
    if (!differ)
        c->def.least_size = c->def.most_size = 0;
    return TL_OK;
}

static double error_of(tl_world *world) {
    tl_field_view x, v, size;
    double error = 0, scale = 0;
    (void)tl_world_field(world, "position", &x);
    (void)tl_world_field(world, "velocity", &v);
    const bool sized = tl_world_field(world, "size", &size);
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double z = ((const double *)x.data)[3 * i + 2], exact = z * (1 - z);
        const double volume = sized ? pow((double)((const float *)size.data)[i], 3) : 1;
        error += volume * pow(((const double *)v.data)[3 * i] - exact, 2);
        scale += volume * exact * exact;
    }
    return sqrt(error / scale);
}

static tl_status take_turn(const bench_run *run, int threads, bench_sized *out, tl_error *error) {
    channel c;
    tl_world *world = NULL;
    tl_status status = make_channel(run, &c, error);
    c.def.materials = &c.matter;
    c.def.walls = c.plates;
    c.def.seeds = c.seeds;
    c.def.seed_count = c.count;
    if (status == TL_OK)
        status = tl_world_make(&c.def, &(tl_world_options){.threads = threads}, &world, error);
    tl_array_free(c.seeds);
    const double start = tl_now();
    for (int k = 0; k < STEPS && status == TL_OK; k++)
        status = tl_world_step(world, NULL, error);
    if (status == TL_OK) {
        tl_ledger ledger;
        tl_world_ledger(world, &ledger);
        out->seconds = fmin(out->seconds, (tl_now() - start) / STEPS);
        out->iterations = ledger.iterations / ledger.steps;
        out->particles = ledger.particles;
        out->error = error_of(world);
    }
    tl_world_destroy(world);
    return status;
}

static void print_results(const bench_sized *all, bool json) {
    for (int r = 0; r < RUNS; r++) {
        const bench_sized *b = &all[r];
        const double each = b->seconds / b->particles;
        if (json)
            printf("  {\"sizes\": \"%s\", \"across\": %d, \"particles\": %.0f, \"error\": %.5f, "
                   "\"seconds\": %.5f, \"iterations\": %.1f}%s\n",
                   runs[r].name, runs[r].across, b->particles, b->error, b->seconds, b->iterations,
                   r + 1 < RUNS ? "," : "");
        else
            printf("  %-11s %4d %10.0f %8.2f %% %9.2f ms %11.1f %8.2f us %7.2f us\n", runs[r].name,
                   runs[r].across, b->particles, 100 * b->error, 1e3 * b->seconds, b->iterations,
                   1e6 * each, 1e6 * each / b->iterations);
    }
}

int cli_bench_sizes(const cli_arguments *arguments, int threads) {
    const bool json = cli_has(arguments, "json");
    bench_sized all[RUNS];
    for (int r = 0; r < RUNS; r++)
        all[r].seconds = HUGE_VAL;
    for (int k = 0; k < RUNS * TURNS; k++) {
        tl_error error = {0};
        const tl_status status = take_turn(&runs[k % RUNS], threads, &all[k % RUNS], &error);
        if (status != TL_OK) {
            cli_complain_error(&error);
            return cli_exit_code(status);
        }
    }
    if (!json)
        printf("Plane Poiseuille flow, %d steps from rest, %d threads; beside the plates three "
               "sizes are half of those in the middle\n\n"
               "                     particles    error of     a step               a particle\n"
               "  sizes     across              velocity       wall  iterations      step  "
               "iteration\n",
               STEPS, threads);
    printf("%s", json ? "[\n" : "");
    print_results(all, json);
    printf("%s", json ? "]\n" : "");
    return cli_exit_code(TL_OK);
}
