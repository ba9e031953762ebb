/* `tallow bench cost`: the bunny that falls on bumps, of more and more particles: what a step costs
 * in proportion to them [PPLT09 fig. 10]. Explicit steps, as the paper's, and coupled ones, of
 * which an iteration is told as well. All sizes take turns, and what counts is the processor's
 * time. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "scene/scene.h"
#include "world/world.h"

#include <stdio.h>
#include <time.h>

enum { SIZES = 4, SCHEMES = 2 };
static const char *const schemes[SCHEMES] = {"explicit", "coupled"};
static const double spacings[SIZES] = {10e-3, 8e-3, 6.35e-3, 5e-3}; /* twice as many each time */
static const int steps[SCHEMES] = {20, 2};

typedef struct cost {
    tl_scene *scene;
    tl_world *world;
    double seconds, steps;
} cost;

static tl_status make_cost(cost *c, int scheme, double spacing, int threads, tl_error *error) {
    char by[2][48];
    const char *const overrides[] = {by[0], by[1]};
    const tl_scene_options options = {.overrides = overrides, .override_count = 2};
    snprintf(by[0], sizeof by[0], "spacing=%g", spacing);
    snprintf(by[1], sizeof by[1], "flow.scheme=%s", schemes[scheme]);
    TL_TRY(tl_scene_load_file("bunny-bumps", &options, &c->scene, error));
    TL_TRY(tl_world_create(c->scene, &(tl_world_options){.threads = threads}, &c->world, error));
    return tl_world_step(c->world, NULL, error); /* caches, pages and lists settle */
}

static tl_status run_turns(cost c[SCHEMES][SIZES], int64_t turns, tl_error *error) {
    for (int64_t k = 0; k < turns * SCHEMES * SIZES; k++) {
        const int scheme = (int)(k % SCHEMES);
        cost *one = &c[scheme][k / SCHEMES % SIZES];
        const clock_t start = clock();
        for (int i = 0; i < steps[scheme]; i++)
            TL_TRY(tl_world_step(one->world, NULL, error));
        one->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
        one->steps += steps[scheme];
    }
    return TL_OK;
}

/* Microseconds a particle and step. */
static double each_of(const cost *c) {
    return 1e6 * c->seconds / c->steps / (double)tl_world_count(c->world);
}

static double iterations_of(const cost *c) {
    tl_ledger books;
    tl_world_ledger(c->world, &books);
    return books.iterations / books.steps;
}

static void print_all(const cost c[SCHEMES][SIZES], bool json) {
    const cost *first = c[0], *coupled = c[1];
    if (!json)
        printf("A bunny falls on bumps: processor time of a step and a particle, and ratios to the "
               "first row\n\n"
               "  particles   explicit step          coupled iteration     iterations a step\n");
    for (int k = 0; k < SIZES; k++) {
        const size_t count = tl_world_count(first[k].world);
        const double step = each_of(&first[k]), iterations = iterations_of(&coupled[k]),
                     sweep = each_of(&coupled[k]) / iterations,
                     first_sweep = each_of(coupled) / iterations_of(coupled);
        if (json)
            printf("%s  {\"particles\": %zu, \"explicit_us\": %.4f, \"explicit_ratio\": %.3f, "
                   "\"iteration_us\": %.4f, \"iteration_ratio\": %.3f, \"iterations\": %.1f}%s\n",
                   k ? "" : "[\n", count, step, step / each_of(first), sweep, sweep / first_sweep,
                   iterations, k + 1 < SIZES ? "," : "\n]");
        else
            printf("  %9zu %9.3f us %7.2f %13.3f us %7.2f %14.1f\n", count, step,
                   step / each_of(first), sweep, sweep / first_sweep, iterations);
    }
}

int cli_bench_cost(const cli_arguments *arguments, int threads, int64_t turns) {
    cost c[SCHEMES][SIZES] = {0};
    tl_error error = {0};
    tl_status status = TL_OK;
    for (int k = 0; k < SCHEMES * SIZES && status == TL_OK; k++)
        status = make_cost(&c[k % SCHEMES][k / SCHEMES], k % SCHEMES, spacings[k / SCHEMES],
                           threads, &error);
    if (status == TL_OK)
        status = run_turns(c, turns, &error);
    if (status == TL_OK)
        print_all(c, cli_has(arguments, "json"));
    else
        cli_complain_error(&error);
    for (int k = 0; k < SCHEMES * SIZES; k++) {
        tl_world_destroy(c[k % SCHEMES][k / SCHEMES].world);
        tl_scene_destroy(c[k % SCHEMES][k / SCHEMES].scene);
    }
    return cli_exit_code(status);
}
