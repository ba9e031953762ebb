/* `tallow bench viscous`: a unit cube of a very viscous liquid collapses on a no-slip floor for one
 * second; wall seconds per simulated second, with the effort of the solver and the mean height, and
 * how long the explicit scheme would have taken (from a few of its steps). The two take turns, and
 * the fastest turn of each counts. */
#include "bench_cube.h"
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/timer.h"

#include <math.h>
#include <stdlib.h>

typedef struct cube_result {
    int across;
    double kinematic;        /* m²/s */
    double seconds;          /* a simulated second */
    double explicit_seconds; /* the same, of the explicit scheme */
    double steps, iterations;
    double height[2];    /* mean, at 0.5 and 1 s */
    double volume_error; /* largest compression */
} cube_result;

static double mean_height(tl_world *world) {
    tl_field_view view;
    if (!tl_world_field(world, "position", &view))
        return 0;
    const double *x = view.data;
    double sum = 0;
    for (size_t i = 0; i < view.count; i++)
        sum += x[3 * i + 2];
    return sum / (double)view.count;
}

static tl_status run_implicit(const bench_cube *c, int threads, cube_result *out, tl_error *error) {
    tl_world_def def = c->def;
    def.flow.scheme = TL_SCHEME_COUPLED;
    tl_world *world;
    TL_TRY(tl_world_make(&def, &(tl_world_options){.threads = threads}, &world, error));
    const double start = tl_now();
    tl_status status = TL_OK;
    for (int half = 0; half < 2 && status == TL_OK; half++) {
        status = tl_world_advance(world, 0.5 * (half + 1), error);
        out->height[half] = mean_height(world);
    }
    out->seconds = fmin(out->seconds, tl_now() - start);
    tl_ledger ledger;
    tl_world_ledger(world, &ledger);
    out->steps = ledger.steps;
    out->iterations = ledger.iterations;
    out->volume_error = ledger.density_error;
    tl_world_destroy(world);
    return status;
}

/* Seconds a simulated second of the explicit scheme, from about a tenth of a second of work. */
static tl_status time_explicit(const bench_cube *c, int threads, double *seconds, tl_error *error) {
    tl_world_def def = c->def;
    def.flow.scheme = TL_SCHEME_EXPLICIT;
    tl_world *world;
    TL_TRY(tl_world_make(&def, &(tl_world_options){.threads = threads}, &world, error));
    tl_status status = TL_OK;
    for (int i = 0; i < 5 && status == TL_OK; i++)
        status = tl_world_step(world, NULL, error);
    const double start = tl_now(), from = tl_world_time(world);
    for (int i = 0; i < 100 && status == TL_OK && tl_now() - start < 2; i++)
        status = tl_world_step(world, NULL, error);
    *seconds = fmin(*seconds, (tl_now() - start) / (tl_world_time(world) - from));
    tl_world_destroy(world);
    return status;
}

/* At most so many turns, and none that starts after so many seconds. */
enum { MOST_TURNS = 5 };
static const double patience = 20;

static tl_status take_turns(const bench_cube *c, int threads, cube_result *out, tl_error *error) {
    const double start = tl_now();
    out->seconds = out->explicit_seconds = HUGE_VAL;
    for (int k = 0; k < MOST_TURNS && (k == 0 || tl_now() - start < patience); k++) {
        TL_TRY(run_implicit(c, threads, out, error));
        TL_TRY(time_explicit(c, threads, &out->explicit_seconds, error));
    }
    return TL_OK;
}

static void print_result(const cube_result *r, bool json, bool last) {
    if (json) {
        printf("  {\"across\": %d, \"kinematic_viscosity\": %g, \"seconds\": %.4f, "
               "\"explicit_seconds\": %.4g, \"steps\": %.0f, \"iterations\": %.0f, "
               "\"height\": [%.5f, %.5f], \"volume_error\": %.5f}%s\n",
               r->across, r->kinematic, r->seconds, r->explicit_seconds, r->steps, r->iterations,
               r->height[0], r->height[1], r->volume_error, last ? "" : ",");
        return;
    }
    printf("  %2d³ %4g m²/s %9.2f s %7.0f %9.1f %9.4f %7.4f %8.2f %% %9.0f times\n", r->across,
           r->kinematic, r->seconds, r->steps, r->iterations / r->steps, r->height[0], r->height[1],
           100 * r->volume_error, r->explicit_seconds / r->seconds);
    fflush(stdout);
}

int cli_bench_viscous(const cli_arguments *arguments, int threads) {
    const bool large = cli_has(arguments, "large"), json = cli_has(arguments, "json");
    const struct {
        int across;
        double kinematic;
    } cases[] = {{22, 1}, {22, 10}, {46, 1}, {46, 10}};
    const size_t count = large ? 4 : 2;
    if (json)
        printf("[\n");
    else
        printf(
            "A unit cube of liquid collapses on a no-slip floor for 1 s, %d threads\n\n"
            "  case               wall    steps iterations  mean height (m)   volume   explicit\n"
            "                                     a step    0.5 s     1 s    error    takes\n",
            threads);
    for (size_t k = 0; k < count; k++) {
        cube_result result = {.across = cases[k].across, .kinematic = cases[k].kinematic};
        bench_cube c = {0};
        tl_error error = {0};
        tl_status status = cli_make_cube(&c, result.across, result.kinematic, &error);
        if (status == TL_OK)
            status = take_turns(&c, threads, &result, &error);
        free(c.seeds);
        if (status != TL_OK) {
            cli_complain_error(&error);
            return cli_exit_code(status);
        }
        print_result(&result, json, k + 1 == count);
    }
    if (json)
        printf("]\n");
    return cli_exit_code(TL_OK);
}
