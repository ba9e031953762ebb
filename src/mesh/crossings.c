/* Triangles that pass through each other. See inspect.h. Triangles are put into the cells of a grid
 * that their boxes touch; a pair is tested in the one cell that holds the lowest corner of what
 * their boxes share. */
#include "mesh/inspect.h"

#include <stdlib.h>

/* Pairs looked at before the search is given up: some seconds. */
static const size_t most_pairs = 100000000;

typedef struct box {
    double low[3], high[3];
} box;

typedef struct grid {
    box around;
    double size;
    size_t n[3];
    box *boxes;      /* [triangles] */
    uint32_t *begin; /* [cells + 1] */
    uint32_t *items; /* triangles by cell */
} grid;

static void corner_of(const tl_mesh *m, size_t t, int k, double out[3]) {
    const tl_vec3 v = tl_mesh_corner(m, t, k);
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static box box_of(const tl_mesh *m, size_t t) {
    box b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int k = 0; k < 3; k++) {
        double x[3];
        corner_of(m, t, k, x);
        for (int a = 0; a < 3; a++) {
            b.low[a] = x[a] < b.low[a] ? x[a] : b.low[a];
            b.high[a] = x[a] > b.high[a] ? x[a] : b.high[a];
        }
    }
    return b;
}

static size_t cell_along(const grid *g, int a, double x) {
    const double cell = (x - g->around.low[a]) / g->size;
    return cell <= 0 ? 0 : cell >= (double)g->n[a] ? g->n[a] - 1 : (size_t)cell;
}

/* About a cell a triangle over the surface. */
static void lay_grid(grid *g, const tl_mesh *m) {
    tl_vec3 low, high;
    enum { MOST = 256 };
    tl_mesh_bounds(m, &low, &high);
    g->around = (box){{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    double longest = 0;
    for (int a = 0; a < 3; a++)
        longest = fmax(longest, g->around.high[a] - g->around.low[a]);
    const double mean = 2 * sqrt(tl_mesh_area(m) / (double)m->triangle_count);
    g->size = fmax(fmax(mean, longest / MOST), 1e-300);
    for (int a = 0; a < 3; a++)
        g->n[a] = (size_t)((g->around.high[a] - g->around.low[a]) / g->size) + 1;
}

typedef struct range {
    size_t from[3], to[3]; /* inclusive */
} range;

static range cells_of(const grid *g, const box *b) {
    range r;
    for (int a = 0; a < 3; a++) {
        r.from[a] = cell_along(g, a, b->low[a]);
        r.to[a] = cell_along(g, a, b->high[a]);
    }
    return r;
}

static size_t cell_index(const grid *g, size_t i, size_t j, size_t k) {
    return i + g->n[0] * (j + g->n[1] * k);
}

/* Two passes: counts, then places. */
static void visit_cells(grid *g, size_t triangles, bool placing) {
    for (size_t t = 0; t < triangles; t++) {
        const range r = cells_of(g, &g->boxes[t]);
        for (size_t k = r.from[2]; k <= r.to[2]; k++)
            for (size_t j = r.from[1]; j <= r.to[1]; j++)
                for (size_t i = r.from[0]; i <= r.to[0]; i++) {
                    uint32_t *begin = &g->begin[cell_index(g, i, j, k)];
                    if (placing)
                        g->items[--*begin] = (uint32_t)t;
                    else
                        ++*begin;
                }
    }
}

/* Cells that triangles touch in all; large triangles touch many. */
static double count_entries(const grid *g, size_t triangles) {
    double entries = 0;
    for (size_t t = 0; t < triangles; t++) {
        const range r = cells_of(g, &g->boxes[t]);
        double cells = 1;
        for (int a = 0; a < 3; a++)
            cells *= (double)(r.to[a] - r.from[a] + 1);
        entries += cells;
    }
    return entries;
}

/* Six times the volume over a, b, c and d, and whether its sign is sure. */
static double side_of(tl_vec3 a, tl_vec3 b, tl_vec3 c, tl_vec3 d) {
    const tl_vec3 u = tl_vec3_sub(b, a), v = tl_vec3_sub(c, a), w = tl_vec3_sub(d, a);
    const double volume = tl_vec3_dot(tl_vec3_cross(u, v), w);
    const double scale = tl_vec3_length(u) * tl_vec3_length(v) * tl_vec3_length(w);
    return fabs(volume) > 1e-9 * scale ? volume : 0;
}

/* The side from p to q passes through the inside of a triangle. */
static bool pierces(tl_vec3 p, tl_vec3 q, const tl_vec3 c[3]) {
    const double before = side_of(c[0], c[1], c[2], p), after = side_of(c[0], c[1], c[2], q);
    if (!(before * after < 0))
        return false;
    const double u = side_of(p, q, c[0], c[1]), v = side_of(p, q, c[1], c[2]),
                 w = side_of(p, q, c[2], c[0]);
    return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

static bool cross(const tl_mesh *m, size_t s, size_t t) {
    tl_vec3 a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = tl_mesh_corner(m, s, k);
        b[k] = tl_mesh_corner(m, t, k);
        for (int l = 0; l < 3; l++)
            if (m->triangles[s][k] == m->triangles[t][l])
                return false; /* neighbours meet, as they should */
    }
    for (int k = 0; k < 3; k++)
        if (pierces(a[k], a[(k + 1) % 3], b) || pierces(b[k], b[(k + 1) % 3], a))
            return true;
    return false;
}

/* Whether the boxes meet, and the lowest corner of what they share is in this cell. */
static bool belong_here(const grid *g, const box *a, const box *b, const size_t cell[3]) {
    for (int k = 0; k < 3; k++) {
        const double low = a->low[k] > b->low[k] ? a->low[k] : b->low[k];
        if (low > a->high[k] || low > b->high[k] || cell_along(g, k, low) != cell[k])
            return false;
    }
    return true;
}

static void count_in_cells(const grid *g, const tl_mesh *m, size_t *count, bool *more) {
    size_t pairs = 0;
    for (size_t c = 0; c < g->n[0] * g->n[1] * g->n[2]; c++) {
        const size_t cell[3] = {c % g->n[0], c / g->n[0] % g->n[1], c / g->n[0] / g->n[1]};
        for (size_t i = g->begin[c]; i < g->begin[c + 1]; i++) {
            const box *a = &g->boxes[g->items[i]];
            for (size_t j = g->begin[c]; j < i; j++) {
                if (++pairs > most_pairs) {
                    *more = true;
                    return;
                }
                *count += belong_here(g, a, &g->boxes[g->items[j]], cell) &&
                          cross(m, g->items[i], g->items[j]);
            }
        }
    }
}

static tl_status fill_grid(grid *g, const tl_mesh *m, double entries, tl_error *error) {
    const size_t cells = g->n[0] * g->n[1] * g->n[2];
    g->begin = tl_allocate(cells + 1, sizeof *g->begin);
    g->items = tl_allocate((size_t)entries, sizeof *g->items);
    if (!g->begin || !g->items)
        return tl_fail_memory(error, cells + (size_t)entries, sizeof *g->items);
    visit_cells(g, m->triangle_count, false);
    for (size_t c = 0; c < cells; c++)
        g->begin[c + 1] += g->begin[c];
    visit_cells(g, m->triangle_count, true);
    return TL_OK;
}

tl_status tl_mesh_count_crossings(const tl_mesh *m, size_t *count, bool *more, tl_error *error) {
    *count = 0;
    *more = false;
    if (m->triangle_count == 0)
        return TL_OK;
    grid g = {.boxes = tl_allocate(m->triangle_count, sizeof *g.boxes)};
    if (!g.boxes)
        return tl_fail_memory(error, m->triangle_count, sizeof *g.boxes);
    for (size_t t = 0; t < m->triangle_count; t++)
        g.boxes[t] = box_of(m, t);
    lay_grid(&g, m);
    const double entries = count_entries(&g, m->triangle_count);
    tl_status status = TL_OK;
    if (entries > 32 * (double)m->triangle_count + 1e7)
        *more = true; /* needles across everything: the grid is of no use */
    else if ((status = fill_grid(&g, m, entries, error)) == TL_OK)
        count_in_cells(&g, m, count, more);
    free(g.boxes);
    free(g.begin);
    free(g.items);
    return status;
}
