/* The interface of the searches: checks what comes in, keeps the threads' working memory, and puts
 * the rows that the methods find into the list. See neighbors.h and search.h. */
#include "neighbors/neighbors.h"

#include "neighbors/search.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Indices a thread reserves at a time; what is left of it when a row does not fit is lost. */
enum { CHUNK = 16384 };

const char *const tl_search_method_names[] = {"grid", "octree", "kdtree", "brute", NULL};

static const tl_search_steps *const methods[] = {
    [TL_SEARCH_GRID] = &tl_grid_steps,
    [TL_SEARCH_OCTREE] = &tl_octree_steps,
    [TL_SEARCH_KDTREE] = &tl_kdtree_steps,
    [TL_SEARCH_BRUTE] = &tl_brute_steps,
};

tl_search *tl_search_create(tl_search_method method) {
    tl_search *search = tl_allocate(1, sizeof *search);
    if (search)
        search->method = method;
    return search;
}

#define WORKER_ARRAYS(w) (w)->x, (w)->y, (w)->z, (w)->radius2, (w)->id, (w)->row

static void free_workers(tl_search *search) {
    for (size_t t = 0; t < tl_array_capacity(search->workers); t++)
        TL_ARRAYS_FREE(WORKER_ARRAYS(&search->workers[t]));
    tl_array_free(search->workers);
}

void tl_search_destroy(tl_search *search) {
    if (!search)
        return;
    free_workers(search);
    tl_cells_free(&search->cells);
    tl_tree_free(&search->tree);
    free(search);
}

size_t tl_search_bytes(const tl_search *search) {
    size_t bytes = sizeof *search + tl_cells_bytes(&search->cells) + tl_tree_bytes(&search->tree) +
                   tl_array_bytes(search->workers);
    for (size_t t = 0; t < tl_array_capacity(search->workers); t++)
        bytes += TL_ARRAYS_BYTES(WORKER_ARRAYS(&search->workers[t]));
    return bytes;
}

void tl_neighbor_list_free(tl_neighbor_list *list) {
    TL_ARRAYS_FREE(list->begin, list->size, list->index);
    *list = (tl_neighbor_list){0};
}

size_t tl_neighbor_list_bytes(const tl_neighbor_list *list) {
    return TL_ARRAYS_BYTES(list->begin, list->size, list->index);
}

/* ---- Points ---------------------------------------------------------------------------------- */

static bool is_fine(const tl_points *points, size_t i) {
    const float *p = tl_point(points, i);
    return fabsf(p[0]) <= FLT_MAX && fabsf(p[1]) <= FLT_MAX && fabsf(p[2]) <= FLT_MAX;
}

static bool is_radius(float radius) {
    return radius > 0.0f && radius * radius >= FLT_MIN && radius * radius <= FLT_MAX;
}

static bool has_fine_radius(const tl_points *points, size_t i) {
    return !points->radii || (is_radius(points->radii[i]) && points->radii[i] <= points->radius);
}

/* Widens the worker's box by some points. */
static void measure_points(void *context, size_t begin, size_t end, int thread) {
    const tl_search *search = context;
    const tl_points *points = search->points;
    tl_worker *worker = &search->workers[thread];
    float low[3], high[3];
    memcpy(low, worker->low, sizeof low);
    memcpy(high, worker->high, sizeof high);
    bool bad = false;
    for (size_t i = begin; i < end; i++) {
        const float *p = tl_point(points, i);
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
        bad |= !(is_fine(points, i) && has_fine_radius(points, i));
    }
    memcpy(worker->low, low, sizeof low);
    memcpy(worker->high, high, sizeof high);
    worker->bad |= bad;
}

static tl_status fail_first_bad(const tl_points *points, tl_error *error) {
    size_t i = 0;
    while (is_fine(points, i) && has_fine_radius(points, i))
        i++;
    char where[32];
    snprintf(where, sizeof where, "particle %zu", i);
    const float *p = tl_point(points, i);
    if (!is_fine(points, i))
        return tl_fail(error, TL_BAD_INPUT, where, "take smaller steps, or mend the positions",
                       "the position (%g, %g, %g) is not finite", (double)p[0], (double)p[1],
                       (double)p[2]);
    return tl_fail(error, TL_BAD_INPUT, where, "give a radius above zero and within the bound",
                   "the search radius %g is not within (0, %g]", (double)points->radii[i],
                   (double)points->radius);
}

/* Finds the box of all points (left in the first worker), or the first point that is not fine. */
static tl_status measure(tl_search *search, const tl_parallel *parallel, tl_error *error) {
    const size_t threads = (size_t)parallel->threads;
    for (size_t t = 0; t < threads; t++) {
        tl_worker *w = &search->workers[t];
        for (int k = 0; k < 3; k++)
            w->low[k] = FLT_MAX, w->high[k] = -FLT_MAX;
        w->bad = false;
    }
    tl_parallel_for(parallel, search->points->count, 4096, measure_points, search);
    tl_worker *all = &search->workers[0];
    for (size_t t = 0; t < threads; t++) {
        const tl_worker *w = &search->workers[t];
        for (int k = 0; k < 3; k++) {
            all->low[k] = fminf(all->low[k], w->low[k]);
            all->high[k] = fmaxf(all->high[k], w->high[k]);
        }
        all->bad |= w->bad;
    }
    return all->bad ? fail_first_bad(search->points, error) : TL_OK;
}

/* Takes the points in for a build or a sort: one worker a thread, input checked, box measured. */
static tl_status begin(tl_search *search, const tl_parallel *parallel, const tl_points *points,
                       tl_error *error) {
    assert(points->stride >= 3 || points->count <= 1);
    if (points->count > INT32_MAX)
        return tl_fail(error, TL_BAD_INPUT, NULL, "use fewer particles",
                       "%zu points are more than a search can number", points->count);
    if (!is_radius(points->radius))
        return tl_fail(error, TL_BAD_INPUT, NULL, "give a radius between 1e-18 m and 1e18 m",
                       "the search radius %g m cannot be used", (double)points->radius);
    TL_TRY(TL_ARRAY_RESERVE(search->workers, tl_array_capacity(search->workers),
                            (size_t)parallel->threads, error));
    search->points = points;
    return measure(search, parallel, error);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Nothing in index[] is out of range, not even between the rows. */
static void fill_gap(const tl_search *search, const tl_worker *worker) {
    if (worker->end <= search->room)
        for (size_t k = worker->cursor; k < worker->end; k++)
            search->list->index[k] = (uint32_t)search->points->count;
}

void tl_row_reserve(tl_search *search, tl_worker *worker, size_t room) {
    fill_gap(search, worker);
    const size_t size = room > CHUNK ? room : CHUNK;
    worker->cursor = atomic_fetch_add_explicit(&search->used, size, memory_order_relaxed);
    worker->end = worker->cursor + size;
}

/* Shell's sort: in place, and quick on rows of a few hundred that are nearly in order. */
static void sort_ascending(uint32_t *row, size_t size) {
    size_t gap = 1;
    while (gap < size / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < size; i++) {
            const uint32_t moved = row[i];
            size_t j = i;
            for (; j >= gap && row[j - gap] > moved; j -= gap)
                row[j] = row[j - gap];
            row[j] = moved;
        }
}

void tl_row_put_sorted(tl_search *search, tl_worker *worker, size_t i, size_t size) {
    sort_ascending(worker->row, size);
    uint32_t *out = tl_row_open(search, worker, size);
    if (out != worker->row)
        memcpy(out, worker->row, size * sizeof *out);
    tl_row_close(search, worker, i, out, size);
}

static tl_status reserve_rows(tl_neighbor_list *list, size_t row_count, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(list->begin, 0, row_count, error));
    return TL_ARRAY_RESERVE(list->size, 0, row_count, error);
}

/* Room for candidates and a row in each worker, with what a wide store may write past them. */
static tl_status reserve_workers(tl_search *search, size_t threads, tl_search_needs needs,
                                 tl_error *error) {
    const size_t row = tl_pad_lanes(needs.row) + TL_LANES;
    const size_t candidates = needs.candidates ? needs.candidates + 2 * TL_LANES : 0;
    for (size_t t = 0; t < threads; t++) {
        tl_worker *w = &search->workers[t];
        TL_TRY(TL_ARRAY_RESERVE(w->row, 0, row, error));
        float **const numbers[] = {&w->x, &w->y, &w->z, &w->radius2};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            TL_TRY(TL_ARRAY_RESERVE(*numbers[k], 0, candidates, error));
        TL_TRY(TL_ARRAY_RESERVE(w->id, 0, candidates, error));
    }
    return TL_OK;
}

/* Adds up what the workers did, and gives back the end of the last chunk. */
static void finish_rows(tl_search *search, size_t threads) {
    tl_neighbor_list *list = search->list;
    const size_t used = atomic_load_explicit(&search->used, memory_order_relaxed);
    list->row_count = search->row_count;
    list->index_count = used;
    list->pair_count = 0;
    for (size_t t = 0; t < threads; t++) {
        tl_worker *w = &search->workers[t];
        list->pair_count += w->pairs;
        if (w->end == used)
            list->index_count = w->cursor;
        else
            fill_gap(search, w);
    }
}

/* Runs the method until its rows fit: once in the steady state, twice when the list has to grow. */
static tl_status fill_rows(tl_search *search, const tl_parallel *parallel, tl_error *error) {
    const size_t threads = (size_t)parallel->threads;
    tl_neighbor_list *list = search->list;
    for (;;) {
        atomic_store_explicit(&search->used, 0, memory_order_relaxed);
        search->room = tl_array_capacity(list->index);
        for (size_t t = 0; t < threads; t++)
            search->workers[t].cursor = search->workers[t].end = search->workers[t].pairs = 0;
        methods[search->method]->fill(search, parallel);
        const size_t used = atomic_load_explicit(&search->used, memory_order_relaxed);
        if (used <= search->room)
            break;
        /* A sixteenth more, so that a list that breathes does not grow at every breath. */
        TL_TRY(TL_ARRAY_RESERVE(list->index, 0, used + used / 16 + threads * CHUNK, error));
    }
    finish_rows(search, threads);
    return TL_OK;
}

tl_status tl_search_build(tl_search *search, const tl_parallel *parallel, const tl_points *points,
                          size_t row_count, tl_neighbor_list *list, tl_error *error) {
    assert(row_count <= points->count);
    list->row_count = list->index_count = list->pair_count = 0;
    TL_TRY(begin(search, parallel, points, error));
    if (row_count == 0)
        return TL_OK;
    tl_search_needs needs = {0};
    TL_TRY(methods[search->method]->prepare(search, parallel, &needs, error));
    TL_TRY(reserve_workers(search, (size_t)parallel->threads, needs, error));
    TL_TRY(reserve_rows(list, row_count, error));
    search->list = list;
    search->row_count = row_count;
    return fill_rows(search, parallel, error);
}

tl_status tl_cell_order(tl_search *search, const tl_parallel *parallel, const tl_points *points,
                        uint32_t *order, tl_error *error) {
    TL_TRY(begin(search, parallel, points, error));
    if (points->count == 0)
        return TL_OK;
    const tl_worker *all = &search->workers[0];
    return tl_cells_sort(&search->cells, parallel, points, all->low, all->high, order, error);
}
