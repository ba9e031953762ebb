/* A table of cubic cells a little wider than the radius, and the stable counting sort of points
 * into it. Near points are in the same or in touching cells.
 *
 * A box with more cells than the points deserve (about four a point) is folded: coordinates along
 * an axis are taken modulo the table's size. Points from far apart then share a cell, which costs
 * time and nothing else: the distance test tells them apart. */
#ifndef TL_NEIGHBORS_CELLS_H
#define TL_NEIGHBORS_CELLS_H

#include "neighbors/neighbors.h"

/* Buckets of consecutive cells, and parts of consecutive points, in the sort. */
enum { TL_CELL_BUCKETS = 1024, TL_CELL_PARTS = 128 };

typedef struct tl_cells {
    double scale;       /* cells a metre */
    int64_t origin[3];  /* cell coordinates of the table's first cell */
    uint32_t size[3];   /* cells along each axis */
    bool folded[3];     /* taken modulo size */
    size_t count;       /* of cells */
    size_t point_count; /* of the last sort */
    uint32_t fullest;   /* most points in one cell */
    /* Points in cell order; cell c holds [start[c], start[c + 1]). */
    uint32_t *start;            /* [count + 1] */
    float *x, *y, *z, *radius2; /* [point_count + TL_LANES]; radius2 only with radii */
    uint32_t *id;               /* the point's own index */
    /* Working memory of the sort. */
    uint32_t *key, *bucket_key, *bucket_id; /* [point_count] */
    uint32_t *histogram;                    /* [parts][buckets] */
} tl_cells;

/* Lays the table over the box [low, high] of the points and sorts them. Writes their indices in
 * cell order to `order`, or, when that is NULL, to cells->id with copies of their coordinates. */
tl_status tl_cells_sort(tl_cells *cells, const tl_parallel *parallel, const tl_points *points,
                        const float low[3], const float high[3], uint32_t *order, tl_error *error);

void tl_cells_free(tl_cells *cells);
size_t tl_cells_bytes(const tl_cells *cells);

#endif
