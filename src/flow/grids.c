/* See grids.h. Cells and nodes are found through a hash table and numbered in the order of the
 * particles, so the same matter always gives the same grids. */
#include "flow/grid_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Room --------------------------------------------------------------------------------------
 */

tl_grids *tl_grids_create(void) { return tl_allocate(1, sizeof(tl_grids)); }

#define ARRAYS(g) (g)->cell_of, (g)->start, (g)->member, (g)->weight, (g)->push, (g)->key, (g)->slot
#define LEVEL_ARRAYS(v)                                                                            \
    (v)->at, (v)->corner, (v)->parent, (v)->octant, (v)->sums, (v)->walled, (v)->slopes,           \
        (v)->node_at, (v)->node_cell, (v)->around, (v)->stencil, (v)->inverse, (v)->x, (v)->r,     \
        (v)->t

void tl_grids_destroy(tl_grids *g) {
    if (!g)
        return;
    for (int l = 0; l < TL_GRID_LEVELS; l++)
        TL_ARRAYS_FREE(LEVEL_ARRAYS(&g->level[l]));
    TL_ARRAYS_FREE(ARRAYS(g));
    free(g);
}

size_t tl_grids_bytes(const tl_grids *g) {
    size_t bytes = sizeof *g + TL_ARRAYS_BYTES(ARRAYS(g));
    for (int l = 0; l < TL_GRID_LEVELS; l++)
        bytes += TL_ARRAYS_BYTES(LEVEL_ARRAYS(&g->level[l]));
    return bytes;
}

size_t tl_grids_nodes(const tl_grids *g) { return g->levels ? g->level[0].nodes : 0; }

/* ---- Numbering ---------------------------------------------------------------------------------
 */

static uint64_t key_of(const int32_t at[3]) {
    const uint64_t bias = 1u << 20, mask = (1u << 21) - 1;
    return 1 + ((((uint64_t)at[2] + bias) & mask) << 42 | (((uint64_t)at[1] + bias) & mask) << 21 |
                (((uint64_t)at[0] + bias) & mask));
}

static tl_status clear_table(tl_grids *g, size_t entries, tl_error *error) {
    size_t size = 64;
    while (size < 2 * entries)
        size *= 2;
    TL_TRY(TL_ARRAY_RESERVE(g->key, 0, size, error));
    TL_TRY(TL_ARRAY_RESERVE(g->slot, 0, size, error));
    memset(g->key, 0, size * sizeof *g->key);
    g->table = size;
    return TL_OK;
}

/* The number of a place: the one it has, or `next`, which it then has. */
static uint32_t number(tl_grids *g, const int32_t at[3], uint32_t next) {
    const uint64_t key = key_of(at);
    size_t h = (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) & (g->table - 1);
    while (g->key[h] && g->key[h] != key)
        h = (h + 1) & (g->table - 1);
    if (!g->key[h]) {
        g->key[h] = key;
        g->slot[h] = next;
    }
    return g->slot[h];
}

/* The cell of particle i, and its trilinear weights there. */
static void place_particle(tl_grids *g, const tl_grid_matter *m, double cell, size_t i,
                           int32_t at[3]) {
    float f[3];
    for (int k = 0; k < 3; k++) {
        const double s = (double)m->place[m->stride * i + (size_t)k] / cell, low = floor(s);
        at[k] = (int32_t)low;
        f[k] = (float)(s - low);
    }
    for (int k = 0; k < 8; k++)
        g->weight[i][k] =
            (k & 1 ? f[0] : 1 - f[0]) * (k & 2 ? f[1] : 1 - f[1]) * (k & 4 ? f[2] : 1 - f[2]);
}

/* The particles of each cell of the finest level. */
static tl_status list_members(tl_grids *g, tl_error *error) {
    const size_t n = g->particles, cells = g->level[0].cells;
    TL_TRY(TL_ARRAY_RESERVE(g->member, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(g->start, 0, cells + 2, error));
    memset(g->start, 0, (cells + 2) * sizeof *g->start);
    for (size_t i = 0; i < n; i++)
        g->start[g->cell_of[i] + 2]++;
    for (size_t c = 2; c < cells + 2; c++)
        g->start[c] += g->start[c - 1];
    for (size_t i = 0; i < n; i++)
        g->member[g->start[g->cell_of[i] + 1]++] = (uint32_t)i;
    return TL_OK;
}

/* Cells of the finest level. */
static tl_status find_cells(tl_grids *g, const tl_grid_matter *m, double cell, tl_error *error) {
    tl_grid_level *v = &g->level[0];
    const size_t n = m->count;
    v->cell = cell;
    v->cells = 0;
    g->particles = n;
    TL_TRY(TL_ARRAY_RESERVE(g->cell_of, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(g->weight, 0, n, error));
    TL_TRY(clear_table(g, n, error));
    int32_t last[3] = {INT32_MAX, 0, 0};
    for (size_t i = 0; i < n; i++) {
        int32_t at[3];
        place_particle(g, m, cell, i, at);
        if (i > 0 && memcmp(at, last, sizeof at) == 0) {
            g->cell_of[i] = g->cell_of[i - 1];
            continue;
        }
        memcpy(last, at, sizeof at);
        g->cell_of[i] = number(g, at, (uint32_t)v->cells);
        if (g->cell_of[i] == v->cells) {
            TL_TRY(TL_ARRAY_RESERVE(v->at, v->cells, v->cells + 1, error));
            memcpy(v->at[v->cells++], at, sizeof at);
        }
    }
    return list_members(g, error);
}

/* Numbers the corners of a level's cells. */
static tl_status number_nodes(tl_grids *g, tl_grid_level *v, tl_error *error) {
    TL_TRY(clear_table(g, 8 * v->cells + 8, error));
    TL_TRY(TL_ARRAY_RESERVE(v->corner, 0, v->cells, error));
    v->nodes = 0;
    for (size_t c = 0; c < v->cells; c++)
        for (int k = 0; k < 8; k++) {
            const int32_t at[3] = {v->at[c][0] + (k & 1), v->at[c][1] + (k >> 1 & 1),
                                   v->at[c][2] + (k >> 2)};
            const uint32_t id = number(g, at, (uint32_t)v->nodes);
            if (id == v->nodes) {
                TL_TRY(TL_ARRAY_RESERVE(v->node_at, v->nodes, v->nodes + 1, error));
                memcpy(v->node_at[v->nodes++], at, sizeof at);
            }
            v->corner[c][k] = id;
        }
    return TL_OK;
}

/* Room for what cells and nodes carry. */
static tl_status reserve_level(tl_grid_level *v, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(v->sums, 0, v->cells, error));
    TL_TRY(TL_ARRAY_RESERVE(v->walled, 0, v->cells, error));
    TL_TRY(TL_ARRAY_RESERVE(v->slopes, 0, v->cells, error));
    TL_TRY(TL_ARRAY_RESERVE(v->node_cell, 0, v->nodes, error));
    TL_TRY(TL_ARRAY_RESERVE(v->around, 0, v->nodes, error));
    TL_TRY(TL_ARRAY_RESERVE(v->stencil, 0, v->nodes, error));
    TL_TRY(TL_ARRAY_RESERVE(v->inverse, 0, v->nodes, error));
    TL_TRY(TL_ARRAY_RESERVE(v->x, 0, 4 * (v->nodes + 1), error));
    TL_TRY(TL_ARRAY_RESERVE(v->r, 0, 4 * (v->nodes + 1), error));
    TL_TRY(TL_ARRAY_RESERVE(v->t, 0, 4 * (v->nodes + 1), error));
    /* The node that stands for all that are not there. */
    float *last[] = {v->x, v->r, v->t};
    for (int k = 0; k < 3; k++)
        memset(last[k] + 4 * v->nodes, 0, 4 * sizeof(float));
    return TL_OK;
}

/* Nodes of a level, and who stands around whom. */
static tl_status find_nodes(tl_grids *g, tl_grid_level *v, tl_error *error) {
    TL_TRY(number_nodes(g, v, error));
    TL_TRY(reserve_level(v, error));
    for (size_t a = 0; a < v->nodes; a++) {
        memset(v->node_cell[a], 0, sizeof v->node_cell[a]);
        for (int k = 0; k < TL_GRID_STENCIL; k++)
            v->around[a][k] = (uint32_t)v->nodes;
    }
    for (size_t c = 0; c < v->cells; c++)
        for (int a = 0; a < 8; a++) {
            const uint32_t node = v->corner[c][a];
            v->node_cell[node][a] = (uint32_t)c + 1;
            for (int b = 0; b < 8; b++)
                v->around[node][tl_grid_slot(a, b)] = v->corner[c][b];
        }
    return TL_OK;
}

/* Cells of the level above. */
static tl_status find_parents(tl_grids *g, tl_grid_level *v, tl_grid_level *up, tl_error *error) {
    up->cell = 2 * v->cell;
    up->cells = 0;
    TL_TRY(clear_table(g, v->cells, error));
    TL_TRY(TL_ARRAY_RESERVE(v->parent, 0, v->cells, error));
    TL_TRY(TL_ARRAY_RESERVE(v->octant, 0, v->cells, error));
    for (size_t c = 0; c < v->cells; c++) {
        const int32_t *at = v->at[c], half[3] = {at[0] >> 1, at[1] >> 1, at[2] >> 1};
        v->octant[c] = (uint8_t)((at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2);
        v->parent[c] = number(g, half, (uint32_t)up->cells);
        if (v->parent[c] == up->cells) {
            TL_TRY(TL_ARRAY_RESERVE(up->at, up->cells, up->cells + 1, error));
            memcpy(up->at[up->cells++], half, sizeof half);
        }
    }
    return TL_OK;
}

tl_status tl_grids_place(tl_grids *g, const tl_parallel *parallel, const tl_grid_matter *m,
                         double cell, tl_error *error) {
    (void)parallel;
    TL_TRY(find_cells(g, m, cell, error));
    TL_TRY(TL_ARRAY_RESERVE(g->push, 0, g->level[0].cells, error));
    g->levels = 1;
    TL_TRY(find_nodes(g, &g->level[0], error));
    while (g->level[g->levels - 1].nodes > TL_GRID_COARSEST && g->levels < TL_GRID_LEVELS) {
        tl_grid_level *v = &g->level[g->levels - 1];
        TL_TRY(find_parents(g, v, v + 1, error));
        TL_TRY(find_nodes(g, v + 1, error));
        g->levels++;
    }
    return TL_OK;
}
