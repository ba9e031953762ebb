/* The fast search. The points of a cell share their candidates: these are gathered once from the 27
 * cells around, culled against the box that the cell's points really occupy, and each point then
 * tests them eight at a time from contiguous memory. Cells smaller than the radius were tried and
 * were slower: more runs, shorter ones. */
#include "neighbors/search.h"

#include <math.h>

/* The neighbouring cells of one cell: up to 9 rows of cells along x, each in up to two runs of
 * consecutive cells (two where a folded axis wraps). */
typedef struct surroundings {
    uint32_t at[3][3]; /* coordinates along y and z */
    int count[3];
    uint32_t run[2][2]; /* [first, last] along x */
    int runs;
} surroundings;

/* The box of the points of a cell that own rows, and the square of their largest radius: cells are
 * as large as the largest radius of all, and most of what is near a cell of small points is far
 * from these. */
typedef struct box {
    tl_wide low[3], high[3], radius2;
} box;

/* The coordinates c - 1, c, c + 1 that exist along an axis. */
static int touching(const tl_cells *cells, int axis, uint32_t c, uint32_t out[3]) {
    const uint32_t size = cells->size[axis];
    int n = 0;
    if (c > 0 || cells->folded[axis])
        out[n++] = c > 0 ? c - 1 : size - 1;
    out[n++] = c;
    if (c + 1 < size || cells->folded[axis])
        out[n++] = c + 1 < size ? c + 1 : 0;
    return n;
}

static surroundings surround(const tl_cells *cells, uint32_t cell) {
    surroundings s;
    const uint32_t x = cell % cells->size[0], row = cell / cells->size[0];
    const uint32_t c[3] = {x, row % cells->size[1], row / cells->size[1]};
    for (int k = 0; k < 3; k++)
        s.count[k] = touching(cells, k, c[k], s.at[k]);
    /* Along x, consecutive cells are consecutive in memory: one run, unless it wraps. */
    s.runs = 0;
    for (int k = 0; k < s.count[0]; k++) {
        if (s.runs > 0 && s.at[0][k] == s.run[s.runs - 1][1] + 1)
            s.run[s.runs - 1][1]++;
        else
            s.run[s.runs][0] = s.run[s.runs][1] = s.at[0][k], s.runs++;
    }
    return s;
}

/* The box of the points [first, last) that own rows; false when none does. */
static bool enclose(const tl_cells *cells, size_t row_count, uint32_t first, uint32_t last,
                    float radius2, bool radii, box *out) {
    const float *const from[3] = {cells->x, cells->y, cells->z};
    float low[3], high[3], largest = radii ? 0 : radius2;
    bool any = false;
    for (uint32_t i = first; i < last; i++) {
        if (cells->id[i] >= row_count)
            continue;
        for (int k = 0; k < 3; k++) {
            const float v = from[k][i];
            low[k] = !any || v < low[k] ? v : low[k];
            high[k] = !any || v > high[k] ? v : high[k];
        }
        if (radii)
            largest = cells->radius2[i] > largest ? cells->radius2[i] : largest;
        any = true;
    }
    for (int k = 0; any && k < 3; k++)
        out->low[k] = tl_splat(low[k]), out->high[k] = tl_splat(high[k]);
    out->radius2 = tl_splat(largest);
    return any;
}

TL_INLINE tl_wide outside(tl_wide low, tl_wide high, tl_wide x) {
    return tl_positive(tl_max(low - x, x - high));
}

/* Arrays over points or candidates. Passed by value: stores through them could otherwise change
 * where the loops believe the arrays are, and the compiler would read the pointers anew each time.
 */
typedef struct columns {
    float *x, *y, *z, *radius2;
    uint32_t *id;
} columns;

/* Appends the points [first, last) that may be near a point in the box; returns the new number. */
TL_INLINE size_t gather_run(columns points, const box *around, uint32_t first, uint32_t last,
                            bool radii, columns out, size_t n) {
    for (uint32_t i = first; i < last; i += TL_LANES) {
        const tl_wide x = tl_load(points.x + i);
        const tl_wide y = tl_load(points.y + i);
        const tl_wide z = tl_load(points.z + i);
        const tl_wide d2 = tl_square_length_wide(outside(around->low[0], around->high[0], x),
                                                 outside(around->low[1], around->high[1], y),
                                                 outside(around->low[2], around->high[2], z));
        const tl_wide reach2 =
            radii ? tl_max(around->radius2, tl_load(points.radius2 + i)) : around->radius2;
        unsigned mask = tl_mask_less(d2, reach2);
        if (last - i < TL_LANES)
            mask &= (1u << (last - i)) - 1;
        tl_compress_store_float(out.x + n, x, mask);
        tl_compress_store_float(out.y + n, y, mask);
        tl_compress_store_float(out.z + n, z, mask);
        if (radii)
            tl_compress_store_float(out.radius2 + n, tl_load(points.radius2 + i), mask);
        n += (size_t)tl_compress_store(out.id + n, tl_load_int(points.id + i), mask);
    }
    return n;
}

/* Fills `out` with the candidates for one cell, padded with points at infinity. */
TL_INLINE size_t gather(const tl_cells *cells, columns points, uint32_t cell, const box *around,
                        bool radii, columns out) {
    const surroundings s = surround(cells, cell);
    size_t n = 0;
    for (int z = 0; z < s.count[2]; z++)
        for (int y = 0; y < s.count[1]; y++)
            for (int r = 0; r < s.runs; r++) {
                const size_t row = (size_t)s.at[2][z] * cells->size[1] + s.at[1][y];
                const uint32_t *start = cells->start + row * cells->size[0];
                n = gather_run(points, around, start[s.run[r][0]], start[s.run[r][1] + 1], radii,
                               out, n);
            }
    for (size_t k = 0; k < TL_LANES; k++)
        out.x[n + k] = out.y[n + k] = out.z[n + k] = INFINITY;
    return n;
}

/* Writes which of the `n` candidates are near point i (in cell order) to `out`; returns how many.
 */
TL_INLINE size_t pick(columns points, uint32_t i, float radius2, bool radii, columns candidates,
                      size_t n, uint32_t *out) {
    const tl_wide x = tl_splat(points.x[i]), y = tl_splat(points.y[i]), z = tl_splat(points.z[i]);
    const tl_wide own = tl_splat(radii ? points.radius2[i] : radius2);
    size_t size = 0;
    for (size_t c = 0; c < n; c += TL_LANES) {
        const tl_wide d2 =
            tl_square_length_wide(tl_load(candidates.x + c) - x, tl_load(candidates.y + c) - y,
                                  tl_load(candidates.z + c) - z);
        const tl_wide reach2 = radii ? tl_max(own, tl_load(candidates.radius2 + c)) : own;
        size += (size_t)tl_compress_store(out + size, tl_load_int(candidates.id + c),
                                          tl_mask_less(d2, reach2));
    }
    return size;
}

TL_INLINE void fill_cells(tl_search *search, size_t begin, size_t end, bool radii,
                          tl_worker *worker) {
    const tl_cells *cells = &search->cells;
    const columns points = {cells->x, cells->y, cells->z, cells->radius2, cells->id};
    const columns candidates = {worker->x, worker->y, worker->z, worker->radius2, worker->id};
    const size_t row_count = search->row_count;
    const float radius2 = search->points->radius * search->points->radius;
    for (size_t cell = begin; cell < end; cell++) {
        const uint32_t first = cells->start[cell], last = cells->start[cell + 1];
        box around;
        if (first == last || !enclose(cells, row_count, first, last, radius2, radii, &around))
            continue;
        const size_t n = gather(cells, points, (uint32_t)cell, &around, radii, candidates);
        for (uint32_t i = first; i < last; i++) {
            if (points.id[i] >= row_count)
                continue;
            uint32_t *out = tl_row_open(search, worker, n);
            const size_t size = pick(points, i, radius2, radii, candidates, n, out);
            tl_row_close(search, worker, points.id[i], out, size);
        }
    }
}

static void fill_uniform(void *context, size_t begin, size_t end, int thread) {
    tl_search *search = context;
    fill_cells(search, begin, end, false, &search->workers[thread]);
}

static void fill_variable(void *context, size_t begin, size_t end, int thread) {
    tl_search *search = context;
    fill_cells(search, begin, end, true, &search->workers[thread]);
}

static tl_status prepare(tl_search *search, const tl_parallel *parallel, tl_search_needs *needs,
                         tl_error *error) {
    const tl_worker *all = &search->workers[0];
    const size_t count = search->points->count;
    TL_TRY(
        tl_cells_sort(&search->cells, parallel, search->points, all->low, all->high, NULL, error));
    const size_t most = 27 * (size_t)search->cells.fullest;
    needs->candidates = needs->row = most < count ? most : count;
    return TL_OK;
}

static void fill(tl_search *search, const tl_parallel *parallel) {
    enum { CELLS = 64 };
    tl_parallel_for(parallel, search->cells.count, CELLS,
                    search->points->radii ? fill_variable : fill_uniform, search);
}

const tl_search_steps tl_grid_steps = {prepare, fill};
