/* One symmetric cycle over the levels of the background grids (grids.h): smoothing, the coarser
 * level, smoothing; and the way from the particles to the finest nodes and back. */
#include "base/simd.h"
#include "flow/grid_levels.h"

#include <string.h>

enum { SMOOTHINGS = 2 }; /* before and after the coarser level */

/* Step of the smoother, Jacobi with each row's other numbers added to its diagonal block by size:
 * that cannot overshoot below 2, whatever bulk and shear are. */
static const float damping = 1.4f;

/* ---- The cycle ---------------------------------------------------------------------------------
 */

typedef struct cycle {
    tl_grids *g;
    tl_grid_level *v;
    const float *r; /* of particles */
    float *z;
    bool first; /* smoothing from nothing */
} cycle;

static void times_block(const float *A, const float *x, float out[4]) {
    for (int p = 0; p < 4; p++)
        out[p] += A[p] * x[0] + A[4 + p] * x[1] + A[8 + p] * x[2];
}

/* r - A x at node n. */
static void residual(const tl_grid_level *v, size_t n, const float *x, float out[4]) {
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < TL_GRID_STENCIL; k++)
        times_block(v->stencil[n][k], x + 4 * (size_t)v->around[n][k], sum);
    for (int p = 0; p < 4; p++)
        out[p] = v->r[4 * n + (size_t)p] - sum[p];
}

/* t = x + ω D⁻¹ (r - A x); the caller swaps x and t. */
static void smooth_nodes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cycle *c = context;
    tl_grid_level *v = c->v;
    for (size_t n = begin; n < end; n++) {
        float rest[4], step[4] = {0, 0, 0, 0};
        if (c->first)
            memcpy(rest, v->r + 4 * n, sizeof rest);
        else
            residual(v, n, v->x, rest);
        times_block(v->inverse[n], rest, step);
        for (size_t p = 0; p < 4; p++)
            v->t[4 * n + p] = (c->first ? 0 : v->x[4 * n + p]) + damping * step[p];
    }
}

static void smooth(const tl_parallel *parallel, tl_grid_level *v, bool first) {
    cycle c = {.v = v, .first = first};
    tl_parallel_for(parallel, v->nodes, TL_GRID_GRAIN, smooth_nodes, &c);
    float *swap = v->x;
    v->x = v->t;
    v->t = swap;
}

static void residual_nodes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cycle *c = context;
    for (size_t n = begin; n < end; n++)
        residual(c->v, n, c->v->x, c->v->t + 4 * n);
}

/* The nodes of the coarser level around node n, and their weights. */
static int coarse_nodes(const tl_grid_level *v, const tl_grid_level *up, size_t n, uint32_t id[8],
                        float weight[8]) {
    /* Any cell of the node will do: its parent's corners are the coarse nodes. */
    int a = 0;
    while (!v->node_cell[n][a])
        a++;
    const uint32_t cell = v->node_cell[n][a] - 1, parent = v->parent[cell];
    int count = 0;
    for (int k = 0; k < 8; k++) {
        float w = 1;
        for (int axis = 0; axis < 3; axis++) {
            const int from = (v->octant[cell] >> axis & 1) + (a >> axis & 1); /* 0, 1, 2 */
            const float upper = 0.5f * (float)from;
            w *= k >> axis & 1 ? upper : 1 - upper;
        }
        if (w <= 0)
            continue;
        id[count] = up->corner[parent][k];
        weight[count++] = w;
    }
    return count;
}

static void cycle_level(tl_grids *g, const tl_parallel *parallel, int l);

/* Corrects level l by the level above it. */
static void correct_from_above(tl_grids *g, const tl_parallel *parallel, int l) {
    tl_grid_level *v = &g->level[l], *up = v + 1;
    cycle c = {.v = v};
    tl_parallel_for(parallel, v->nodes, TL_GRID_GRAIN, residual_nodes, &c);
    memset(up->r, 0, 4 * up->nodes * sizeof *up->r);
    uint32_t id[8];
    float weight[8];
    for (size_t n = 0; n < v->nodes; n++) {
        const int count = coarse_nodes(v, up, n, id, weight);
        for (int k = 0; k < count; k++)
            for (size_t p = 0; p < 3; p++)
                up->r[4 * id[k] + p] += weight[k] * v->t[4 * n + p];
    }
    cycle_level(g, parallel, l + 1);
    for (size_t n = 0; n < v->nodes; n++) {
        const int count = coarse_nodes(v, up, n, id, weight);
        for (int k = 0; k < count; k++)
            for (size_t p = 0; p < 3; p++)
                v->x[4 * n + p] += weight[k] * up->x[4 * id[k] + p];
    }
}

static void solve_coarsest(tl_grids *g, tl_grid_level *v) {
    const size_t size = 3 * v->nodes;
    const double *L = g->dense;
    double y[3 * TL_GRID_COARSEST];
    for (size_t i = 0; i < size; i++) {
        double s = (double)v->r[i / 3 * 4 + i % 3];
        for (size_t k = 0; k < i; k++)
            s -= L[i * size + k] * y[k];
        y[i] = s / L[i * size + i];
    }
    for (size_t i = size; i-- > 0;) {
        double s = y[i];
        for (size_t k = i + 1; k < size; k++)
            s -= L[k * size + i] * y[k];
        y[i] = s / L[i * size + i];
        v->x[i / 3 * 4 + i % 3] = (float)y[i];
    }
}

static void cycle_level(tl_grids *g, const tl_parallel *parallel, int l) {
    tl_grid_level *v = &g->level[l];
    const bool top = l == g->levels - 1;
    if (top && v->nodes <= TL_GRID_COARSEST) {
        solve_coarsest(g, v);
        return;
    }
    for (int k = 0; k < SMOOTHINGS; k++)
        smooth(parallel, v, k == 0);
    if (!top)
        correct_from_above(g, parallel, l);
    for (int k = 0; k < SMOOTHINGS; k++)
        smooth(parallel, v, false);
}

/* ---- To and from particles ---------------------------------------------------------------------
 */

static void push_cells(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cycle *c = context;
    const tl_grids *g = c->g;
    for (size_t cell = begin; cell < end; cell++) {
        tl_wide sum[4][8 / TL_LANES];
        for (int p = 0; p < 3; p++)
            for (int w = 0; w < 8 / TL_LANES; w++)
                sum[p][w] = tl_splat(0.0f);
        for (uint32_t k = g->start[cell]; k < g->start[cell + 1]; k++) {
            const size_t i = g->member[k];
            for (int w = 0; w < 8 / TL_LANES; w++) {
                const tl_wide weight = tl_load(g->weight[i] + w * TL_LANES);
                for (size_t p = 0; p < 3; p++)
                    sum[p][w] += c->r[4 * i + p] * weight;
            }
        }
        for (int p = 0; p < 3; p++)
            for (int w = 0; w < 8 / TL_LANES; w++)
                tl_store(g->push[cell][p] + w * TL_LANES, sum[p][w]);
    }
}

static void collect_nodes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cycle *c = context;
    tl_grid_level *v = c->v;
    for (size_t n = begin; n < end; n++) {
        float sum[4] = {0};
        for (int a = 0; a < 8; a++)
            for (int p = 0; p < 3 && v->node_cell[n][a]; p++)
                sum[p] += c->g->push[v->node_cell[n][a] - 1][p][a];
        memcpy(v->r + 4 * n, sum, sizeof sum);
    }
}

static void pull_cells(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cycle *c = context;
    const tl_grids *g = c->g;
    for (size_t cell = begin; cell < end; cell++) {
        tl_wide x[8 / TL_LANES][4];
        for (int w = 0; w < 8 / TL_LANES; w++)
            tl_gather4(c->v->x, 4, c->v->corner[cell] + w * TL_LANES, x[w]);
        for (uint32_t k = g->start[cell]; k < g->start[cell + 1]; k++) {
            const size_t i = g->member[k];
            tl_wide sum[3];
            for (int p = 0; p < 3; p++)
                sum[p] = tl_splat(0.0f);
            for (int w = 0; w < 8 / TL_LANES; w++) {
                const tl_wide weight = tl_load(g->weight[i] + w * TL_LANES);
                for (int p = 0; p < 3; p++)
                    sum[p] += weight * x[w][p];
            }
            float added[4];
            tl_store_sum4(added, sum[0], sum[1], sum[2], tl_splat(0.0f));
            for (size_t p = 0; p < 3; p++)
                c->z[4 * i + p] += added[p];
        }
    }
}

void tl_grids_correct(tl_grids *g, const tl_parallel *parallel, const float *r, float *z) {
    cycle c = {.g = g, .v = &g->level[0], .r = r, .z = z};
    tl_parallel_for(parallel, c.v->cells, TL_GRID_GRAIN, push_cells, &c);
    tl_parallel_for(parallel, c.v->nodes, TL_GRID_GRAIN, collect_nodes, &c);
    cycle_level(g, parallel, 0);
    tl_parallel_for(parallel, c.v->cells, TL_GRID_GRAIN, pull_cells, &c);
}
