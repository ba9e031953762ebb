/* The searches with four threads, as a plain program: Criterion does not run under ThreadSanitizer.
 * Compares with one thread, so that it can also fail by itself. */
#include "base/random.h"
#include "neighbors/neighbors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000 };

static bool build(tl_search_method method, int threads, const tl_points *points,
                  tl_neighbor_list *list, uint32_t *order) {
    tl_search *search = tl_search_create(method);
    const tl_parallel parallel = tl_parallel_adverse(threads);
    bool fine = search != NULL;
    /* More than once: growing the list and reusing the memory are part of what threads share. */
    for (int r = 0; fine && r < 3; r++)
        fine = tl_search_build(search, &parallel, points, N - 100, list, NULL) == TL_OK &&
               tl_cell_order(search, &parallel, points, order, NULL) == TL_OK;
    tl_search_destroy(search);
    return fine;
}

static bool is_same(const tl_neighbor_list *a, const tl_neighbor_list *b) {
    if (a->row_count != b->row_count || a->pair_count != b->pair_count)
        return false;
    for (size_t i = 0; i < a->row_count; i++)
        if (a->size[i] != b->size[i] || memcmp(a->index + a->begin[i], b->index + b->begin[i],
                                               a->size[i] * sizeof *a->index) != 0)
            return false;
    return true;
}

int main(void) {
    static float xyz[3 * N], radii[N];
    static uint32_t order[2][N];
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < 3; k++)
            xyz[3 * i + k] = (float)tl_random_uniform(1, 3 * i + k);
        radii[i] = 0.06f * (0.5f + 0.5f * (float)tl_random_uniform(2, i));
    }
    int failures = 0;
    for (int m = TL_SEARCH_GRID; m <= TL_SEARCH_KDTREE; m++)
        for (int variable = 0; variable < 2; variable++) {
            const tl_points points = {xyz, 3, N, 0.06f, variable ? radii : NULL};
            tl_neighbor_list one = {0}, four = {0};
            if (!build((tl_search_method)m, 1, &points, &one, order[0]) ||
                !build((tl_search_method)m, 4, &points, &four, order[1]) || !is_same(&one, &four) ||
                memcmp(order[0], order[1], sizeof order[0]) != 0) {
                fprintf(stderr, "%s: four threads differ from one\n", tl_search_method_names[m]);
                failures++;
            }
            tl_neighbor_list_free(&one);
            tl_neighbor_list_free(&four);
        }
    return failures > 0;
}
