/* The sort goes in two strides so that its working memory does not grow with the number of threads:
 * first into at most 1024 buckets of consecutive cells, with one histogram for each part of the
 * points, then each bucket by cell. Both are stable, so neither the parts nor the threads show in
 * the result. See cells.h. */
#include "neighbors/cells.h"

#include <string.h>

typedef struct sort_job {
    tl_cells *cells;
    const tl_points *points;
    uint32_t *order; /* where the indices go; NULL: cells->id, with the coordinates */
    size_t part;     /* points in a part */
    size_t bucket_count;
    int shift; /* bucket of a cell: cell >> shift */
    uint32_t bucket_start[TL_CELL_BUCKETS + 1];
    uint32_t fullest[TL_CELL_BUCKETS];
} sort_job;

/* Cells are numbered from the origin of space, not from the box: subtracting a far corner first
 * would round away what separates near points. Clamped where the numbers would not fit; the map
 * stays monotone, and near points are then no further than one cell apart. */
static int64_t cell_coordinate(double scale, float x) {
    const double limit = 0x1p61;
    double v = (double)x * scale;
    v = v < -limit ? -limit : v > limit ? limit : v;
    const int64_t truncated = (int64_t)v;
    return truncated - (v < (double)truncated);
}

/* Halves the longest axis until the table is no larger than it should be. A folded axis keeps at
 * least nine cells, because the product exceeds 4096 before each halving; with three or more, no
 * cell is its own neighbour twice. */
static void lay_table(tl_cells *cells, size_t point_count, const float low[3],
                      const float high[3]) {
    size_t limit = 4 * point_count + 4096;
    if (limit > INT32_MAX)
        limit = INT32_MAX;
    uint64_t size[3];
    for (int k = 0; k < 3; k++) {
        cells->origin[k] = cell_coordinate(cells->scale, low[k]);
        size[k] = (uint64_t)(cell_coordinate(cells->scale, high[k]) - cells->origin[k]) + 1;
        cells->folded[k] = false;
    }
    while ((double)size[0] * (double)size[1] * (double)size[2] > (double)limit) {
        const int longest = size[0] >= size[1] && size[0] >= size[2] ? 0
                            : size[1] >= size[2]                     ? 1
                                                                     : 2;
        size[longest] = (size[longest] + 1) / 2;
        cells->folded[longest] = true;
    }
    for (int k = 0; k < 3; k++)
        cells->size[k] = (uint32_t)size[k];
    cells->count = size[0] * size[1] * size[2];
}

static uint32_t cell_of(const tl_cells *cells, const float *xyz) {
    uint32_t at[3];
    for (int k = 0; k < 3; k++) {
        const int64_t from_origin = cell_coordinate(cells->scale, xyz[k]) - cells->origin[k];
        at[k] = cells->folded[k] ? (uint32_t)((uint64_t)from_origin % cells->size[k])
                                 : (uint32_t)from_origin;
    }
    return (at[2] * cells->size[1] + at[1]) * cells->size[0] + at[0];
}

/* Cell of each point, and how many of a part's points each bucket gets. */
static void count_parts(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sort_job *job = context;
    const tl_cells *cells = job->cells;
    uint32_t *histogram = cells->histogram + begin / job->part * job->bucket_count;
    memset(histogram, 0, job->bucket_count * sizeof *histogram);
    for (size_t i = begin; i < end; i++) {
        const uint32_t cell = cell_of(cells, job->points->xyz + job->points->stride * i);
        cells->key[i] = cell;
        histogram[cell >> job->shift]++;
    }
}

/* Turns the counts into where each part's points start within each bucket. */
static void place_parts(sort_job *job) {
    const size_t parts = tl_block_count(job->points->count, job->part);
    uint32_t at = 0;
    for (size_t b = 0; b < job->bucket_count; b++) {
        job->bucket_start[b] = at;
        for (size_t p = 0; p < parts; p++) {
            uint32_t *slot = &job->cells->histogram[p * job->bucket_count + b];
            const uint32_t count = *slot;
            *slot = at;
            at += count;
        }
    }
    job->bucket_start[job->bucket_count] = at;
}

static void scatter_parts(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sort_job *job = context;
    const tl_cells *cells = job->cells;
    uint32_t *next = cells->histogram + begin / job->part * job->bucket_count;
    for (size_t i = begin; i < end; i++) {
        const uint32_t cell = cells->key[i], to = next[cell >> job->shift]++;
        cells->bucket_key[to] = cell;
        cells->bucket_id[to] = (uint32_t)i;
    }
}

static void copy_point(const sort_job *job, uint32_t from, uint32_t to) {
    const tl_points *points = job->points;
    const float *xyz = points->xyz + points->stride * from;
    tl_cells *cells = job->cells;
    cells->x[to] = xyz[0], cells->y[to] = xyz[1], cells->z[to] = xyz[2];
    cells->id[to] = from;
    if (points->radii)
        cells->radius2[to] = points->radii[from] * points->radii[from];
}

/* Sorts one bucket by cell. next[c] runs from the start of cell c to its end, which is the start of
 * the cell after: shifted by one it is the table of starts. */
static void sort_bucket(sort_job *job, size_t bucket) {
    const tl_cells *cells = job->cells;
    const size_t first = bucket << job->shift;
    size_t last = (bucket + 1) << job->shift;
    last = last < cells->count ? last : cells->count;
    uint32_t *next = cells->start + 1, at = job->bucket_start[bucket], fullest = 0;
    const uint32_t begin = at, end = job->bucket_start[bucket + 1];
    memset(next + first, 0, (last - first) * sizeof *next);
    for (uint32_t i = begin; i < end; i++)
        next[cells->bucket_key[i]]++;
    for (size_t c = first; c < last; c++) {
        const uint32_t count = next[c];
        fullest = count > fullest ? count : fullest;
        next[c] = at;
        at += count;
    }
    job->fullest[bucket] = fullest;
    if (job->order)
        for (uint32_t i = begin; i < end; i++)
            job->order[next[cells->bucket_key[i]]++] = cells->bucket_id[i];
    else
        for (uint32_t i = begin; i < end; i++)
            copy_point(job, cells->bucket_id[i], next[cells->bucket_key[i]]++);
}

static void sort_buckets(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t b = begin; b < end; b++)
        sort_bucket(context, b);
}

static tl_status reserve(const sort_job *job, tl_error *error) {
    tl_cells *cells = job->cells;
    const size_t n = job->points->count, padded = n + TL_LANES;
    const size_t parts = tl_block_count(n, job->part);
    TL_TRY(TL_ARRAY_RESERVE(cells->start, 0, cells->count + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(cells->key, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(cells->bucket_key, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(cells->bucket_id, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(cells->histogram, 0, parts * job->bucket_count, error));
    if (job->order)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(cells->x, 0, padded, error));
    TL_TRY(TL_ARRAY_RESERVE(cells->y, 0, padded, error));
    TL_TRY(TL_ARRAY_RESERVE(cells->z, 0, padded, error));
    TL_TRY(TL_ARRAY_RESERVE(cells->id, 0, padded, error));
    if (job->points->radii)
        TL_TRY(TL_ARRAY_RESERVE(cells->radius2, 0, padded, error));
    return TL_OK;
}

tl_status tl_cells_sort(tl_cells *cells, const tl_parallel *parallel, const tl_points *points,
                        const float low[3], const float high[3], uint32_t *order, tl_error *error) {
    const size_t n = points->count;
    sort_job job = {.cells = cells, .points = points, .order = order};
    /* The slack covers the rounding of the cell coordinates. */
    cells->scale = 1.0 / ((double)points->radius * (1.0 + 0x1p-16));
    cells->point_count = n;
    cells->fullest = 0;
    lay_table(cells, n, low, high);
    while (((cells->count - 1) >> job.shift) + 1 > TL_CELL_BUCKETS)
        job.shift++;
    job.bucket_count = ((cells->count - 1) >> job.shift) + 1;
    job.part = tl_block_count(n, TL_CELL_PARTS);
    job.part = job.part > 4096 ? job.part : 4096;

    TL_TRY(reserve(&job, error));
    tl_parallel_for(parallel, n, job.part, count_parts, &job);
    place_parts(&job);
    tl_parallel_for(parallel, n, job.part, scatter_parts, &job);
    cells->start[0] = 0;
    tl_parallel_for(parallel, job.bucket_count, 8, sort_buckets, &job);
    for (size_t b = 0; b < job.bucket_count; b++)
        cells->fullest = job.fullest[b] > cells->fullest ? job.fullest[b] : cells->fullest;
    return TL_OK;
}

#define ARRAYS(c)                                                                                  \
    (c)->start, (c)->x, (c)->y, (c)->z, (c)->radius2, (c)->id, (c)->key, (c)->bucket_key,          \
        (c)->bucket_id, (c)->histogram

void tl_cells_free(tl_cells *cells) {
    TL_ARRAYS_FREE(ARRAYS(cells));
    *cells = (tl_cells){0};
}

size_t tl_cells_bytes(const tl_cells *cells) { return TL_ARRAYS_BYTES(ARRAYS(cells)); }
