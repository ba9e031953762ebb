/* What the four searches share: the distance test, the place where rows are put, and the working
 * memory of each thread.
 *
 * Rows go into chunks of list->index that a thread reserves with one atomic addition. Beyond the
 * capacity, rows are only counted (they land in the thread's scratch row), so that one failed pass
 * tells how much the next one needs. */
#ifndef TL_NEIGHBORS_SEARCH_H
#define TL_NEIGHBORS_SEARCH_H

#include "neighbors/cells.h"
#include "neighbors/neighbors.h"
#include "neighbors/tree.h"

#include <stdatomic.h>

/* One thread's part of a build. */
typedef struct tl_worker {
    _Alignas(TL_ALIGNMENT) size_t cursor; /* where its next row starts in list->index */
    size_t end;                           /* of the chunk it has reserved */
    size_t pairs;
    float *x, *y, *z, *radius2; /* candidates of a cell: the grid only */
    uint32_t *id;
    uint32_t *row;         /* a row in the making */
    float low[3], high[3]; /* bounds of the points it has seen */
    bool bad;              /* it has seen a point that is not finite, or a radius out of range */
} tl_worker;

struct tl_search {
    tl_search_method method;
    tl_cells cells;     /* of the grid and of tl_cell_order */
    tl_tree tree;       /* of octree and kd-tree */
    tl_worker *workers; /* one a thread */
    /* The build under way. */
    const tl_points *points;
    tl_neighbor_list *list;
    size_t room; /* in list->index */
    size_t row_count;
    atomic_size_t used; /* indices reserved so far */
};

/* Squared length as every search evaluates it. Rounding is monotone, so a bound computed the same
 * way from a box never exceeds the squared distance to a point inside: culling needs no slack. */
TL_INLINE float tl_square_length(float x, float y, float z) { return x * x + y * y + z * z; }
TL_INLINE tl_wide tl_square_length_wide(tl_wide x, tl_wide y, tl_wide z) {
    return x * x + y * y + z * z;
}

/* The relation all searches agree on, from squared radii: rounding is monotone, hence the square of
 * the larger radius is the larger of the squares. */
TL_INLINE bool tl_is_near(const float *a, float a_radius2, const float *b, float b_radius2) {
    return tl_square_length(a[0] - b[0], a[1] - b[1], a[2] - b[2]) <
           (a_radius2 > b_radius2 ? a_radius2 : b_radius2);
}

TL_INLINE const float *tl_point(const tl_points *points, size_t i) {
    return points->xyz + points->stride * i;
}

TL_INLINE float tl_point_radius2(const tl_points *points, size_t i) {
    const float radius = points->radii ? points->radii[i] : points->radius;
    return radius * radius;
}

/* Gives the worker a chunk with room for at least `room` indices. */
void tl_row_reserve(tl_search *search, tl_worker *worker, size_t room);

/* Where the next row is to be written: at most `bound` neighbours, and up to TL_LANES indices past
 * them. */
TL_INLINE uint32_t *tl_row_open(tl_search *search, tl_worker *worker, size_t bound) {
    const size_t room = tl_pad_lanes(bound) + TL_LANES;
    if (worker->end - worker->cursor < room)
        tl_row_reserve(search, worker, room);
    return worker->end <= search->room ? search->list->index + worker->cursor : worker->row;
}

/* Pads the row that was written to `out` and makes it row i. */
TL_INLINE void tl_row_close(tl_search *search, tl_worker *worker, size_t i, uint32_t *out,
                            size_t size) {
    for (size_t k = 0; k < TL_LANES; k++)
        out[size + k] = (uint32_t)search->points->count;
    search->list->begin[i] = worker->cursor;
    search->list->size[i] = (uint32_t)size;
    worker->cursor += tl_pad_lanes(size);
    worker->pairs += size;
}

/* Puts worker->row, of `size` indices in any order, as row i in ascending order. */
void tl_row_put_sorted(tl_search *search, tl_worker *worker, size_t i, size_t size);

/* What a method does in a build: `prepare` sorts or grows its tree and says how many candidates and
 * how long rows it may meet, `fill` opens and closes the rows [0, row_count). */
typedef struct tl_search_needs {
    size_t candidates, row;
} tl_search_needs;

typedef struct tl_search_steps {
    tl_status (*prepare)(tl_search *search, const tl_parallel *parallel, tl_search_needs *needs,
                         tl_error *error);
    void (*fill)(tl_search *search, const tl_parallel *parallel);
} tl_search_steps;

extern const tl_search_steps tl_grid_steps, tl_octree_steps, tl_kdtree_steps, tl_brute_steps;

#endif
