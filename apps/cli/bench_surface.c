/* `tallow bench surface`: surfaces of a block of particles at half-spacing cells, as `tallow
 * surface` makes them, on one and on more threads; seconds, processor time a particle, and memory.
 */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/timer.h"
#include "surface/surface.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* A cube of particles as a liquid has them: a lattice, each moved by up to a tenth of the spacing.
 */
static double *make_block(size_t *count) {
    const size_t n = (size_t)fmax(2, round(cbrt((double)*count)));
    *count = n * n * n;
    double *place = tl_allocate(*count, 3 * sizeof *place);
    for (size_t i = 0; place && i < *count; i++) {
        const size_t at[3] = {i % n, i / n % n, i / n / n};
        for (size_t k = 0; k < 3; k++)
            place[3 * i + k] = (double)at[k] + 0.2 * tl_random_uniform(1, 3 * i + k);
    }
    return place;
}

static tl_status measure(const double *place, size_t count, int threads, int64_t repeats, bool json,
                         bool last, tl_error *error) {
    const tl_surface_options options = {.spacing = 1,
                                        .cells = TL_SURFACE_CELLS,
                                        .smooth = TL_SURFACE_SMOOTH,
                                        .material = -1,
                                        .threads = threads};
    tl_frame frame = {.count = count, .array_count = 1};
    frame.array[0] = (tl_frame_array){"position", "m", "", TL_F64, 3, place};
    tl_surface surface = {0};
    tl_status status = TL_OK;
    double best = HUGE_VAL, processor = HUGE_VAL;
    for (int64_t r = 0; r < repeats && status == TL_OK; r++) {
        const double start = tl_now();
        const clock_t used = clock();
        status = tl_surface_make(&surface, &frame, &options, error);
        best = fmin(best, tl_now() - start);
        processor = fmin(processor, (double)(clock() - used) / CLOCKS_PER_SEC);
    }
    char bytes[CLI_SHORT];
    if (json)
        printf("  {\"particles\": %zu, \"threads\": %d, \"triangles\": %zu, \"seconds\": %.4g, "
               "\"processor_seconds\": %.4g, \"bytes\": %zu}%s\n",
               count, threads, surface.mesh.triangle_count, best, processor,
               tl_surface_bytes(&surface), last ? "" : ",");
    else
        printf("  %9zu %8d %10zu %9.3f s %9.3f s %10s\n", count, threads,
               surface.mesh.triangle_count, best, processor,
               cli_bytes((double)tl_surface_bytes(&surface), bytes));
    fflush(stdout);
    tl_surface_free(&surface);
    return status;
}

int cli_bench_surface(const cli_arguments *arguments, int threads, int64_t repeats) {
    const size_t sizes[] = {100000, 1000000};
    const size_t size_count = cli_has(arguments, "large") ? 2 : 1;
    const bool json = cli_has(arguments, "json");
    const int kinds = threads > 1 ? 2 : 1;
    tl_error error = {0};
    tl_status status = TL_OK;
    if (json)
        printf("[\n");
    else
        printf("The surface of a block at half-spacing cells\n\n"
               "  particles  threads  triangles      time   processor     memory\n");
    for (size_t s = 0; s < size_count && status == TL_OK; s++) {
        size_t count = sizes[s];
        double *place = make_block(&count);
        if (!place)
            status = tl_fail_memory(&error, count, 3 * sizeof *place);
        for (int k = 0; k < kinds && status == TL_OK; k++) {
            const bool last = s + 1 == size_count && k + 1 == kinds;
            status = measure(place, count, k ? threads : 1, repeats, json, last, &error);
        }
        free(place);
    }
    if (json)
        printf("]\n");
    if (status != TL_OK)
        cli_complain_error(&error);
    return cli_exit_code(status);
}
