/* See grids.h. Cells and nodes are found through a hash table and numbered in the order of the
 * particles, so the same matter always gives the same grids. */
#include "flow/grids.h"

#include "base/simd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LEVELS = 12,
    PRODUCTS = 27,   /* of two trilinear weights: N0², N0 N1, N1² along each axis */
    CHANNELS = 9,    /* mass, μ, κ and six of the wall blocks */
    STENCIL = 27,    /* nodes around a node, itself included */
    COARSEST = 27,   /* nodes that are solved directly */
    NODE_GRAIN = 64, /* nodes or cells a block of parallel work */
    SMOOTHINGS = 2   /* before and after the coarser level */
};

/* Step of the smoother, Jacobi with each row's other numbers added to its diagonal block by size:
 * that cannot overshoot below 2, whatever bulk and shear are. */
static const float damping = 1.4f;

/* Sums of one channel over products of gradients: ∂p N_a ∂q N_b for nodes a, b. */
typedef struct gradients {
    float same[3][3][3];     /* [p]: both along p; indexed by the products along the other axes */
    float mixed[3][2][2][3]; /* xy, xz, yz: half along the first, along the second, product */
} gradients;

typedef struct level {
    double cell; /* m */
    size_t cells, nodes;
    int32_t (*at)[3];                  /* [cells] place */
    uint32_t (*corner)[8];             /* [cells] nodes */
    uint32_t *parent;                  /* [cells] cell of the next level */
    uint8_t *octant;                   /* [cells] which child of its parent */
    float (*sums)[CHANNELS][PRODUCTS]; /* [cells] */
    bool *walled;                      /* [cells] some of its particles touch a wall */
    gradients (*slopes)[2];            /* [cells] of μ and of κ - 2/3 μ */
    int32_t (*node_at)[3];             /* [nodes] */
    uint32_t (*node_cell)[8];          /* [nodes] cell + 1 in which it is corner k; 0: none */
    uint32_t (*around)[STENCIL];       /* [nodes] neighbours; `nodes` where there is none */
    float (*stencil)[STENCIL][12];     /* [nodes] 3x3 blocks by columns of four */
    float (*inverse)[12];              /* [nodes] of the diagonal block */
    float *x, *r, *t;                  /* [4 (nodes + 1)] */
    size_t at_c, corner_c, parent_c, octant_c, sums_c, walled_c, slopes_c, node_at_c, node_cell_c,
        around_c, stencil_c, inverse_c, x_c, r_c, t_c;
} level;

struct tl_grids {
    level level[MAX_LEVELS];
    int levels;
    size_t particles;
    uint32_t *cell_of, *start, *member; /* [n], [cells + 1], [n] */
    float (*weight)[8];                 /* [n] trilinear */
    size_t cell_of_c, start_c, member_c, weight_c;
    float (*push)[3][8]; /* [cells] restriction, before the nodes collect it */
    size_t push_c;
    uint64_t *key;
    uint32_t *slot;
    size_t key_c, slot_c, table;
    double dense[3 * COARSEST * 3 * COARSEST];
};

tl_grids *tl_grids_create(void) { return tl_allocate(1, sizeof(tl_grids)); }

void tl_grids_destroy(tl_grids *g) {
    if (!g)
        return;
    for (int l = 0; l < MAX_LEVELS; l++) {
        level *v = &g->level[l];
        void *arrays[] = {v->at,      v->corner,    v->parent, v->octant,  v->sums,
                          v->node_at, v->node_cell, v->around, v->stencil, v->inverse,
                          v->x,       v->r,         v->t};
        for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
            free(arrays[k]);
    }
    void *arrays[] = {g->cell_of, g->start, g->member, g->weight, g->push, g->key, g->slot};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    free(g);
}

size_t tl_grids_bytes(const tl_grids *g) {
    size_t bytes = sizeof *g + g->particles * (8 + sizeof *g->weight);
    for (int l = 0; l < g->levels; l++)
        bytes += g->level[l].nodes * (sizeof *g->level[l].stencil + 300) +
                 g->level[l].cells * (sizeof *g->level[l].sums + 200);
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
    TL_TRY(TL_RESERVE(g->key, g->key_c, 0, size, error));
    TL_TRY(TL_RESERVE(g->slot, g->slot_c, 0, size, error));
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

/* Cells of the finest level, and the particles of each. */
static tl_status find_cells(tl_grids *g, const tl_grid_matter *m, double cell, tl_error *error) {
    level *v = &g->level[0];
    const size_t n = m->count;
    v->cell = cell;
    v->cells = 0;
    g->particles = n;
    TL_TRY(TL_RESERVE(g->cell_of, g->cell_of_c, 0, n, error));
    TL_TRY(TL_RESERVE(g->weight, g->weight_c, 0, n, error));
    TL_TRY(TL_RESERVE(g->member, g->member_c, 0, n, error));
    TL_TRY(clear_table(g, n, error));
    int32_t last[3] = {INT32_MAX, 0, 0};
    for (size_t i = 0; i < n; i++) {
        int32_t at[3];
        float f[3];
        for (int k = 0; k < 3; k++) {
            const double s = (double)m->place[m->stride * i + (size_t)k] / cell, low = floor(s);
            at[k] = (int32_t)low;
            f[k] = (float)(s - low);
        }
        for (int k = 0; k < 8; k++)
            g->weight[i][k] =
                (k & 1 ? f[0] : 1 - f[0]) * (k & 2 ? f[1] : 1 - f[1]) * (k & 4 ? f[2] : 1 - f[2]);
        if (i > 0 && memcmp(at, last, sizeof at) == 0) {
            g->cell_of[i] = g->cell_of[i - 1];
            continue;
        }
        memcpy(last, at, sizeof at);
        g->cell_of[i] = number(g, at, (uint32_t)v->cells);
        if (g->cell_of[i] == v->cells) {
            TL_TRY(TL_RESERVE(v->at, v->at_c, v->cells, v->cells + 1, error));
            memcpy(v->at[v->cells++], at, sizeof at);
        }
    }
    TL_TRY(TL_RESERVE(g->start, g->start_c, 0, v->cells + 2, error));
    memset(g->start, 0, (v->cells + 2) * sizeof *g->start);
    for (size_t i = 0; i < n; i++)
        g->start[g->cell_of[i] + 2]++;
    for (size_t c = 2; c < v->cells + 2; c++)
        g->start[c] += g->start[c - 1];
    for (size_t i = 0; i < n; i++)
        g->member[g->start[g->cell_of[i] + 1]++] = (uint32_t)i;
    return TL_OK;
}

/* Nodes of a level, and who stands around whom. */
static tl_status find_nodes(tl_grids *g, level *v, tl_error *error) {
    TL_TRY(clear_table(g, 8 * v->cells + 8, error));
    TL_TRY(TL_RESERVE(v->corner, v->corner_c, 0, v->cells, error));
    TL_TRY(TL_RESERVE(v->sums, v->sums_c, 0, v->cells, error));
    TL_TRY(TL_RESERVE(v->walled, v->walled_c, 0, v->cells, error));
    TL_TRY(TL_RESERVE(v->slopes, v->slopes_c, 0, v->cells, error));
    v->nodes = 0;
    for (size_t c = 0; c < v->cells; c++)
        for (int k = 0; k < 8; k++) {
            const int32_t at[3] = {v->at[c][0] + (k & 1), v->at[c][1] + (k >> 1 & 1),
                                   v->at[c][2] + (k >> 2)};
            const uint32_t id = number(g, at, (uint32_t)v->nodes);
            if (id == v->nodes) {
                TL_TRY(TL_RESERVE(v->node_at, v->node_at_c, v->nodes, v->nodes + 1, error));
                memcpy(v->node_at[v->nodes++], at, sizeof at);
            }
            v->corner[c][k] = id;
        }
    TL_TRY(TL_RESERVE(v->node_cell, v->node_cell_c, 0, v->nodes, error));
    TL_TRY(TL_RESERVE(v->around, v->around_c, 0, v->nodes, error));
    TL_TRY(TL_RESERVE(v->stencil, v->stencil_c, 0, v->nodes, error));
    TL_TRY(TL_RESERVE(v->inverse, v->inverse_c, 0, v->nodes, error));
    TL_TRY(TL_RESERVE(v->x, v->x_c, 0, 4 * (v->nodes + 1), error));
    TL_TRY(TL_RESERVE(v->r, v->r_c, 0, 4 * (v->nodes + 1), error));
    TL_TRY(TL_RESERVE(v->t, v->t_c, 0, 4 * (v->nodes + 1), error));
    float *last[] = {v->x, v->r, v->t};
    for (int k = 0; k < 3; k++)
        memset(last[k] + 4 * v->nodes, 0, 4 * sizeof(float));
    memset(v->node_cell, 0, v->nodes * sizeof *v->node_cell);
    for (size_t a = 0; a < v->nodes; a++)
        for (int k = 0; k < STENCIL; k++)
            v->around[a][k] = (uint32_t)v->nodes;
    for (size_t c = 0; c < v->cells; c++)
        for (int a = 0; a < 8; a++) {
            const uint32_t node = v->corner[c][a];
            v->node_cell[node][a] = (uint32_t)c + 1;
            for (int b = 0; b < 8; b++) {
                const int k = ((b >> 2) - (a >> 2) + 1) * 9 +
                              ((b >> 1 & 1) - (a >> 1 & 1) + 1) * 3 + (b & 1) - (a & 1) + 1;
                v->around[node][k] = v->corner[c][b];
            }
        }
    return TL_OK;
}

/* Cells of the level above. */
static tl_status find_parents(tl_grids *g, level *v, level *up, tl_error *error) {
    up->cell = 2 * v->cell;
    up->cells = 0;
    TL_TRY(clear_table(g, v->cells, error));
    TL_TRY(TL_RESERVE(v->parent, v->parent_c, 0, v->cells, error));
    TL_TRY(TL_RESERVE(v->octant, v->octant_c, 0, v->cells, error));
    for (size_t c = 0; c < v->cells; c++) {
        const int32_t *at = v->at[c], half[3] = {at[0] >> 1, at[1] >> 1, at[2] >> 1};
        v->octant[c] = (uint8_t)((at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2);
        v->parent[c] = number(g, half, (uint32_t)up->cells);
        if (v->parent[c] == up->cells) {
            TL_TRY(TL_RESERVE(up->at, up->at_c, up->cells, up->cells + 1, error));
            memcpy(up->at[up->cells++], half, sizeof half);
        }
    }
    return TL_OK;
}

tl_status tl_grids_place(tl_grids *g, const tl_parallel *parallel, const tl_grid_matter *m,
                         double cell, tl_error *error) {
    (void)parallel;
    TL_TRY(find_cells(g, m, cell, error));
    TL_TRY(TL_RESERVE(g->push, g->push_c, 0, g->level[0].cells, error));
    g->levels = 1;
    TL_TRY(find_nodes(g, &g->level[0], error));
    while (g->level[g->levels - 1].nodes > COARSEST && g->levels < MAX_LEVELS) {
        level *v = &g->level[g->levels - 1];
        TL_TRY(find_parents(g, v, v + 1, error));
        TL_TRY(find_nodes(g, v + 1, error));
        g->levels++;
    }
    return TL_OK;
}

/* ---- Sums of cells -----------------------------------------------------------------------------
 */

typedef struct assembly {
    tl_grids *g;
    const tl_grid_matter *m;
    level *v;
    float largest; /* trace of a diagonal block */
} assembly;

static void sum_particle(const tl_grids *g, const tl_grid_matter *m, size_t i,
                         float (*sums)[PRODUCTS]) {
    /* Weights along the axes from those of the corners. */
    const float *w = g->weight[i];
    const float f[3] = {w[1] + w[3] + w[5] + w[7], w[2] + w[3] + w[6] + w[7],
                        w[4] + w[5] + w[6] + w[7]};
    float axis[3][3], product[PRODUCTS];
    for (int k = 0; k < 3; k++) {
        axis[k][0] = (1 - f[k]) * (1 - f[k]);
        axis[k][1] = f[k] * (1 - f[k]);
        axis[k][2] = f[k] * f[k];
    }
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                product[9 * z + 3 * y + x] = axis[0][x] * axis[1][y] * axis[2][z];
    const float amount[3] = {m->mass[i], m->shear[2 * i],
                             m->bulk[2 * i] - 2.0f / 3 * m->shear[2 * i]};
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < PRODUCTS; k++)
            sums[c][k] += amount[c] * product[k];
    if (!m->wall_of[i])
        return;
    const float *wall = m->walls[m->wall_of[i] - 1];
    for (int c = 0; c < 6; c++)
        for (int k = 0; k < PRODUCTS; k++)
            sums[3 + c][k] += wall[c] * product[k];
}

static void sum_cells(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const assembly *a = context;
    for (size_t c = begin; c < end; c++) {
        float(*sums)[PRODUCTS] = a->v->sums[c];
        memset(sums, 0, sizeof a->v->sums[c]);
        a->v->walled[c] = false;
        for (uint32_t k = a->g->start[c]; k < a->g->start[c + 1]; k++) {
            sum_particle(a->g, a->m, a->g->member[k], sums);
            a->v->walled[c] |= a->m->wall_of[a->g->member[k]] != 0;
        }
    }
}

/* A parent's products of weights from its child's, along one axis: the lower child has
 * N1' = N1 / 2, the upper one N0' = N0 / 2. */
static const float inherit[2][3][3] = {{{1, 1, 0.25f}, {0, 0.5f, 0.25f}, {0, 0, 0.25f}},
                                       {{0.25f, 0, 0}, {0.25f, 0.5f, 0}, {0.25f, 1, 1}}};

static void add_child(const float *from, int octant, float *to) {
    static const int step[3] = {1, 3, 9};
    float work[2][PRODUCTS];
    memcpy(work[0], from, sizeof work[0]);
    for (int axis = 0; axis < 3; axis++) {
        const float(*T)[3] = inherit[octant >> axis & 1];
        const float *in = work[axis & 1];
        float *out = work[~axis & 1];
        for (int k = 0; k < PRODUCTS; k++) {
            const int digit = k / step[axis] % 3, base = k - digit * step[axis];
            out[k] = 0;
            for (int d = 0; d < 3; d++)
                out[k] += T[digit][d] * in[base + d * step[axis]];
        }
    }
    for (int k = 0; k < PRODUCTS; k++)
        to[k] += work[1][k];
}

static void sum_parents(const level *v, level *up) {
    memset(up->sums, 0, up->cells * sizeof *up->sums);
    memset(up->walled, 0, up->cells * sizeof *up->walled);
    for (size_t c = 0; c < v->cells; c++) {
        up->walled[v->parent[c]] |= v->walled[c];
        for (int k = 0; k < (v->walled[c] ? CHANNELS : 3); k++)
            add_child(v->sums[c][k], v->octant[c], up->sums[v->parent[c]][k]);
    }
}

/* ---- Stencils ----------------------------------------------------------------------------------
 */

static void contract(const float *Q, float scale, gradients *out) {
    static const int step[3] = {1, 3, 9};
    for (int p = 0; p < 3; p++) {
        const int u = p == 0 ? 1 : 0, v = p == 2 ? 1 : 2;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                const float *q = Q + i * step[u] + j * step[v];
                out->same[p][j][i] = scale * (q[0] + 2 * q[step[p]] + q[2 * step[p]]);
            }
    }
    static const int pairs[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    for (int m = 0; m < 3; m++) {
        const int sp = step[pairs[m][0]], sq = step[pairs[m][1]], sr = step[pairs[m][2]];
        for (int h = 0; h < 2; h++)
            for (int l = 0; l < 2; l++)
                for (int k = 0; k < 3; k++) {
                    const float *q = Q + h * sp + l * sq + k * sr;
                    out->mixed[m][h][l][k] = scale * (q[0] + q[sp] + q[sq] + q[sp + sq]);
                }
    }
}

/* G[p][q] = Σ ∂p N_a ∂q N_b */
static void gradient_products(const gradients *s, int a, int b, float G[3][3]) {
    const int A[3] = {a & 1, a >> 1 & 1, a >> 2}, B[3] = {b & 1, b >> 1 & 1, b >> 2};
    float sa[3], sb[3];
    for (int k = 0; k < 3; k++) {
        sa[k] = A[k] ? 1.0f : -1.0f;
        sb[k] = B[k] ? 1.0f : -1.0f;
    }
    G[0][0] = sa[0] * sb[0] * s->same[0][A[2] + B[2]][A[1] + B[1]];
    G[1][1] = sa[1] * sb[1] * s->same[1][A[2] + B[2]][A[0] + B[0]];
    G[2][2] = sa[2] * sb[2] * s->same[2][A[1] + B[1]][A[0] + B[0]];
    static const int pairs[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    for (int m = 0; m < 3; m++) {
        const int p = pairs[m][0], q = pairs[m][1], r = pairs[m][2];
        /* where one weight is derived, the other's products add up: N_b (N0 + N1) */
        G[p][q] = sa[p] * sb[q] * s->mixed[m][B[p]][A[q]][A[r] + B[r]];
        G[q][p] = sa[q] * sb[p] * s->mixed[m][A[p]][B[q]][A[r] + B[r]];
    }
}

static void add_block(const float (*sums)[PRODUCTS], const gradients slopes[2], int a, int b,
                      float block[12]) {
    const int k = ((a >> 2) + (b >> 2)) * 9 + ((a >> 1 & 1) + (b >> 1 & 1)) * 3 + (a & 1) + (b & 1);
    float S[3][3], L[3][3];
    gradient_products(&slopes[0], a, b, S);
    gradient_products(&slopes[1], a, b, L);
    const float trace = S[0][0] + S[1][1] + S[2][2] + sums[0][k];
    const float wall[3][3] = {{sums[3][k], sums[6][k], sums[7][k]},
                              {sums[6][k], sums[4][k], sums[8][k]},
                              {sums[7][k], sums[8][k], sums[5][k]}};
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
            block[4 * q + p] += (p == q ? trace : 0) + S[q][p] + L[p][q] + wall[p][q];
}

static void contract_cells(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const assembly *a = context;
    const float scale = (float)(1 / (a->v->cell * a->v->cell));
    for (size_t c = begin; c < end; c++)
        for (int k = 0; k < 2; k++)
            contract(a->v->sums[c][1 + k], scale, &a->v->slopes[c][k]);
}

/* The inverse of a symmetric 3x3 block, by columns of four; nothing for a block smaller than
 * `least`: of a node that matter barely touches. */
static void invert_block(const float *A, float least, float *out) {
    memset(out, 0, 12 * sizeof *out);
    const float size = A[0] + A[5] + A[10], unit = 1 / size, more = 1e-6f;
    if (!(size > least))
        return;
    const float a = unit * A[0] + more, d = unit * A[5] + more, f = unit * A[10] + more;
    const float b = unit * A[4], c = unit * A[8], e = unit * A[9];
    const float ca = d * f - e * e, cb = c * e - b * f, cc = b * e - c * d;
    const float scale = unit / fmaxf(a * ca + b * cb + c * cc, 1e-12f);
    const float inverse[12] = {
        ca, cb, cc, 0, cb, a * f - c * c, b * c - a * e, 0, cc, b * c - a * e, a * d - b * b, 0};
    for (int k = 0; k < 12; k++)
        out[k] = scale * inverse[k];
}

static void assemble_nodes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const assembly *as = context;
    level *v = as->v;
    for (size_t n = begin; n < end; n++) {
        memset(v->stencil[n], 0, sizeof v->stencil[n]);
        for (int a = 0; a < 8; a++) {
            if (!v->node_cell[n][a])
                continue;
            const float(*sums)[PRODUCTS] =
                (const float(*)[PRODUCTS])v->sums[v->node_cell[n][a] - 1];
            const gradients *slopes = v->slopes[v->node_cell[n][a] - 1];
            for (int b = 0; b < 8; b++) {
                const int k = ((b >> 2) - (a >> 2) + 1) * 9 +
                              ((b >> 1 & 1) - (a >> 1 & 1) + 1) * 3 + (b & 1) - (a & 1) + 1;
                add_block(sums, slopes, a, b, v->stencil[n][k]);
            }
        }
    }
}

/* Inverts the diagonal blocks, each with the sizes of its row's other numbers added. */
static void invert_nodes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const assembly *as = context;
    level *v = as->v;
    for (size_t n = begin; n < end; n++) {
        float diagonal[12];
        memcpy(diagonal, v->stencil[n][13], sizeof diagonal);
        for (int k = 0; k < STENCIL; k++)
            for (int p = 0; p < 3 && k != 13; p++)
                for (int q = 0; q < 3; q++)
                    diagonal[5 * p] += fabsf(v->stencil[n][k][4 * q + p]);
        invert_block(diagonal, 1e-9f * as->largest, v->inverse[n]);
    }
}

static float largest_block(const level *v) {
    float largest = 0;
    for (size_t n = 0; n < v->nodes; n++) {
        const float *A = v->stencil[n][13];
        largest = fmaxf(largest, A[0] + A[5] + A[10]);
    }
    return largest;
}

/* Factors the coarsest operator, L Lᵀ. */
static void factor_coarsest(tl_grids *g) {
    level *v = &g->level[g->levels - 1];
    const size_t size = 3 * v->nodes;
    if (v->nodes > COARSEST)
        return;
    double *A = g->dense;
    const double largest = fmax((double)largest_block(v), 1e-300);
    memset(A, 0, size * size * sizeof *A);
    for (size_t n = 0; n < v->nodes; n++)
        for (int k = 0; k < STENCIL; k++) {
            const size_t other = v->around[n][k];
            if (other >= v->nodes)
                continue;
            for (size_t p = 0; p < 3; p++)
                for (size_t q = 0; q < 3; q++)
                    A[(3 * n + p) * size + 3 * other + q] = (double)v->stencil[n][k][4 * q + p];
        }
    for (size_t j = 0; j < size; j++) {
        double d = A[j * size + j];
        const double own = d;
        for (size_t k = 0; k < j; k++)
            d -= A[j * size + k] * A[j * size + k];
        /* Matter that touches a cell's corner only leaves nodes without a say. */
        d = sqrt(fmax(d, fmax(1e-5 * own, 1e-9 * largest)));
        A[j * size + j] = d;
        for (size_t i = j + 1; i < size; i++) {
            double s = A[i * size + j];
            for (size_t k = 0; k < j; k++)
                s -= A[i * size + k] * A[j * size + k];
            A[i * size + j] = s / d;
        }
    }
}

void tl_grids_assemble(tl_grids *g, const tl_parallel *parallel, const tl_grid_matter *matter) {
    assembly a = {.g = g, .m = matter, .v = &g->level[0]};
    tl_parallel_for(parallel, a.v->cells, NODE_GRAIN, sum_cells, &a);
    for (int l = 0; l < g->levels; l++) {
        a.v = &g->level[l];
        if (l > 0)
            sum_parents(a.v - 1, a.v);
        tl_parallel_for(parallel, a.v->cells, NODE_GRAIN, contract_cells, &a);
        tl_parallel_for(parallel, a.v->nodes, NODE_GRAIN, assemble_nodes, &a);
        a.largest = largest_block(a.v);
        tl_parallel_for(parallel, a.v->nodes, NODE_GRAIN, invert_nodes, &a);
    }
    factor_coarsest(g);
}

/* ---- The cycle ---------------------------------------------------------------------------------
 */

typedef struct cycle {
    tl_grids *g;
    level *v;
    const float *r; /* of particles */
    float *z;
    bool first; /* smoothing from nothing */
} cycle;

static void times_block(const float *A, const float *x, float out[4]) {
    for (int p = 0; p < 4; p++)
        out[p] += A[p] * x[0] + A[4 + p] * x[1] + A[8 + p] * x[2];
}

/* r - A x at node n. */
static void residual(const level *v, size_t n, const float *x, float out[4]) {
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < STENCIL; k++)
        times_block(v->stencil[n][k], x + 4 * (size_t)v->around[n][k], sum);
    for (int p = 0; p < 4; p++)
        out[p] = v->r[4 * n + (size_t)p] - sum[p];
}

/* t = x + ω D⁻¹ (r - A x); the caller swaps x and t. */
static void smooth_nodes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cycle *c = context;
    level *v = c->v;
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

static void smooth(const tl_parallel *parallel, level *v, bool first) {
    cycle c = {.v = v, .first = first};
    tl_parallel_for(parallel, v->nodes, NODE_GRAIN, smooth_nodes, &c);
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
static int coarse_nodes(const level *v, const level *up, size_t n, uint32_t id[8],
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
    level *v = &g->level[l], *up = v + 1;
    cycle c = {.v = v};
    tl_parallel_for(parallel, v->nodes, NODE_GRAIN, residual_nodes, &c);
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

static void solve_coarsest(tl_grids *g, level *v) {
    const size_t size = 3 * v->nodes;
    const double *L = g->dense;
    double y[3 * COARSEST];
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
    level *v = &g->level[l];
    const bool top = l == g->levels - 1;
    if (top && v->nodes <= COARSEST) {
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
    level *v = c->v;
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
    tl_parallel_for(parallel, c.v->cells, NODE_GRAIN, push_cells, &c);
    tl_parallel_for(parallel, c.v->nodes, NODE_GRAIN, collect_nodes, &c);
    cycle_level(g, parallel, 0);
    tl_parallel_for(parallel, c.v->cells, NODE_GRAIN, pull_cells, &c);
}
