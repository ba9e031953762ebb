/* Every point against every other: the oracle of the other searches, kept as plain as it can be. */
#include "neighbors/search.h"

static void fill_rows(void *context, size_t begin, size_t end, int thread) {
    tl_search *search = context;
    tl_worker *worker = &search->workers[thread];
    const tl_points *points = search->points;
    for (size_t i = begin; i < end; i++) {
        size_t size = 0;
        for (size_t j = 0; j < points->count; j++)
            if (tl_is_near(tl_point(points, i), tl_point_radius2(points, i), tl_point(points, j),
                           tl_point_radius2(points, j)))
                worker->row[size++] = (uint32_t)j;
        tl_row_put_sorted(search, worker, i, size);
    }
}

static tl_status prepare(tl_search *search, const tl_parallel *parallel, tl_search_needs *needs,
                         tl_error *error) {
    (void)parallel;
    (void)error;
    needs->row = search->points->count;
    return TL_OK;
}

static void fill(tl_search *search, const tl_parallel *parallel) {
    tl_parallel_for(parallel, search->row_count, 16, fill_rows, search);
}

const tl_search_steps tl_brute_steps = {prepare, fill};
