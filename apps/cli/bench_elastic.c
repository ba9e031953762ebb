/* `tallow bench elastic`: steps of 5 ms of an elastic cube of 10^4 and 10^7 Pa, and of a viscous
 * one that is as stiff in such a step; time and iterations a step, and the ratio of the two. They
 * take turns, and the fastest turn of each counts. */
#include "bench_cube.h"
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/timer.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 20, TURNS = 3 };
static const double step = 0.005;

typedef struct elastic_result {
    double seconds, iterations; /* a step */
} elastic_result;

static tl_status run_steps(const bench_cube *c, int threads, elastic_result *out, tl_error *error) {
    tl_world *world;
    TL_TRY(tl_world_make(&c->def, &(tl_world_options){.threads = threads}, &world, error));
    const double start = tl_now();
    tl_status status = tl_world_advance(world, STEPS * step, error);
    tl_ledger ledger;
    tl_world_ledger(world, &ledger);
    out->seconds = fmin(out->seconds, (tl_now() - start) / ledger.steps);
    out->iterations = ledger.iterations / ledger.steps;
    tl_world_destroy(world);
    return status;
}

/* Viscous matter first, then elastic. */
static tl_status compare(int across, double modulus, int threads, elastic_result out[2],
                         tl_error *error) {
    bench_cube c = {0};
    tl_status status = cli_make_cube(&c, across, 1, error);
    c.def.flow.scheme = TL_SCHEME_COUPLED;
    c.def.flow.max_step = step;
    out[0].seconds = out[1].seconds = HUGE_VAL;
    for (int k = 0; k < 2 * TURNS && status == TL_OK; k++) {
        c.matter.has_elastic = k % 2 == 1;
        c.matter.elastic = (tl_elastic){.modulus.value = modulus};
        c.matter.viscosity.value = k % 2 == 1 ? 0 : modulus * step / 2;
        status = run_steps(&c, threads, &out[k % 2], error);
    }
    free(c.seeds);
    return status;
}

static void print_result(double modulus, const elastic_result r[2], bool json, bool last) {
    if (json)
        printf("  {\"modulus\": %g, \"viscous_seconds\": %.5f, \"viscous_iterations\": %.1f, "
               "\"seconds\": %.5f, \"iterations\": %.1f}%s\n",
               modulus, r[0].seconds, r[0].iterations, r[1].seconds, r[1].iterations,
               last ? "" : ",");
    else
        printf("  %7g Pa %9.2f ms %7.1f %12.2f ms %7.1f %9.2f\n", modulus, 1e3 * r[0].seconds,
               r[0].iterations, 1e3 * r[1].seconds, r[1].iterations, r[1].seconds / r[0].seconds);
    fflush(stdout);
}

int cli_bench_elastic(const cli_arguments *arguments, int threads) {
    static const double moduli[] = {1e4, 1e7};
    const bool json = cli_has(arguments, "json");
    const int across = cli_has(arguments, "large") ? 46 : 22;
    if (json)
        printf("[\n");
    else
        printf("A unit cube of %d³ particles on a no-slip floor, %d steps of %g ms, %d threads\n\n"
               "  modulus        viscous step            elastic step       ratio\n"
               "                wall  iterations       wall  iterations\n",
               across, STEPS, 1e3 * step, threads);
    for (size_t k = 0; k < 2; k++) {
        elastic_result result[2];
        tl_error error = {0};
        const tl_status status = compare(across, moduli[k], threads, result, &error);
        if (status != TL_OK) {
            cli_complain_error(&error);
            return cli_exit_code(status);
        }
        print_result(moduli[k], result, json, k == 1);
    }
    if (json)
        printf("]\n");
    return cli_exit_code(TL_OK);
}
