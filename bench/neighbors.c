/* Times the searches on jittered lattices that lie in cell order: the best of a few repeats, per
 * particle. Times compare only within one run on one machine. */
#include "neighbors/neighbors.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRIDE = 8, BRUTE_LIMIT = 20000 };

static const int thread_counts[] = {1, 2};
static const float radii[] = {2.0f, 3.0f};

static void fail(const tl_error *error) {
    fprintf(stderr, "%s: %s\n", error->where, error->what);
    exit(1);
}

/* A cube of side^3 points, one apart, each moved by up to a fifth. */
static void jitter_lattice(float *xyz, size_t side) {
    for (size_t i = 0; i < side * side * side; i++) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        for (size_t k = 0; k < 3; k++)
            xyz[STRIDE * i + k] =
                (float)at[k] + 0.4f * (float)(tl_random_uniform(1, 3 * i + k) - 0.5);
    }
}

static void reorder(tl_search *search, const tl_parallel *parallel, tl_points *points,
                    uint32_t *order, float *sorted) {
    tl_error error;
    if (tl_cell_order(search, parallel, points, order, &error))
        fail(&error);
    for (size_t i = 0; i < points->count; i++)
        for (size_t k = 0; k < 3; k++)
            sorted[STRIDE * i + k] = points->xyz[STRIDE * order[i] + k];
    points->xyz = sorted;
}

static void measure(tl_search_method method, int threads, const float *xyz, size_t side,
                    float radius) {
    const tl_parallel parallel = tl_parallel_create(threads);
    const size_t count = side * side * side;
    const int repeats = method == TL_SEARCH_GRID ? 9 : 2;
    tl_points points = {.xyz = xyz, .stride = STRIDE, .count = count, .radius = radius};
    tl_search *search = tl_search_create(method);
    uint32_t *order = malloc(count * sizeof *order);
    float *sorted = tl_allocate(count * STRIDE, sizeof *sorted);
    if (!search || !order || !sorted)
        exit(1);
    tl_neighbor_list list = {0};
    tl_error error;
    reorder(search, &parallel, &points, order, sorted);
    double build = HUGE_VAL, sort = HUGE_VAL;
    for (int r = 0; r < repeats; r++) {
        const double start = tl_now();
        if (tl_cell_order(search, &parallel, &points, order, &error))
            fail(&error);
        const double sorted_at = tl_now();
        if (tl_search_build(search, &parallel, &points, count, &list, &error))
            fail(&error);
        sort = fmin(sort, sorted_at - start);
        build = fmin(build, tl_now() - sorted_at);
    }
    printf("%-7s %8zu %3.0f dx %7d %10.1f %10.1f %10.1f %9.1f\n", tl_search_method_names[method],
           count, (double)radius, threads, (double)list.pair_count / (double)count,
           1e9 * sort / (double)count, 1e9 * build / (double)count,
           1e-6 * (double)list.pair_count / build);
    tl_neighbor_list_free(&list);
    tl_search_destroy(search);
    free(order);
    free(sorted);
}

int main(void) {
    static const size_t sides[] = {27, 46, 100};
    printf("search   points radius threads  neighbours  order ns   build ns   Mpairs/s\n");
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        const size_t side = sides[s], count = side * side * side;
        float *xyz = tl_allocate(count * STRIDE, sizeof *xyz);
        if (!xyz)
            return 1;
        jitter_lattice(xyz, side);
        for (int m = TL_SEARCH_GRID; m <= TL_SEARCH_BRUTE; m++)
            for (size_t r = 0; r < sizeof radii / sizeof *radii; r++)
                for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++)
                    if (m != TL_SEARCH_BRUTE || count <= BRUTE_LIMIT)
                        measure((tl_search_method)m, thread_counts[t], xyz, side, radii[r]);
        free(xyz);
    }
    return 0;
}
