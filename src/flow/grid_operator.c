/* The operators of the background grids (grids.h): sums of cells over their particles, the sums of
 * coarser cells from those, and the stencils of the nodes. */
#include "base/simd.h"
#include "flow/grid_levels.h"

#include <math.h>
#include <string.h>

/* ---- Sums of cells -----------------------------------------------------------------------------
 */

typedef struct assembly {
    tl_grids *g;
    const tl_grid_matter *m;
    tl_grid_level *v;
    float largest; /* trace of a diagonal block */
} assembly;

static void sum_particle(const tl_grids *g, const tl_grid_matter *m, size_t i,
                         float (*sums)[TL_GRID_PRODUCTS]) {
    /* Weights along the axes from those of the corners. */
    const float *w = g->weight[i];
    const float f[3] = {w[1] + w[3] + w[5] + w[7], w[2] + w[3] + w[6] + w[7],
                        w[4] + w[5] + w[6] + w[7]};
    float axis[3][3], product[TL_GRID_PRODUCTS];
    for (int k = 0; k < 3; k++) {
        axis[k][0] = (1 - f[k]) * (1 - f[k]);
        axis[k][1] = f[k] * (1 - f[k]);
        axis[k][2] = f[k] * f[k];
    }
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                product[9 * z + 3 * y + x] = axis[0][x] * axis[1][y] * axis[2][z];
    const float amount[3] = {m->mass[i], m->stiffness[i].shear,
                             m->stiffness[i].bulk - 2.0f / 3 * m->stiffness[i].shear};
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < TL_GRID_PRODUCTS; k++)
            sums[c][k] += amount[c] * product[k];
    if (!m->wall_of[i])
        return;
    const float *wall = m->walls[m->wall_of[i] - 1];
    for (int c = 0; c < 6; c++)
        for (int k = 0; k < TL_GRID_PRODUCTS; k++)
            sums[3 + c][k] += wall[c] * product[k];
}

static void sum_cells(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const assembly *a = context;
    for (size_t c = begin; c < end; c++) {
        float(*sums)[TL_GRID_PRODUCTS] = a->v->sums[c];
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

/* Applies T along the axis with the given step, for all places along the two others. */
TL_INLINE void inherit_along(const float T[3][3], const int step[3], const float *in, float *out) {
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            const float *from = in + j * step[2] + i * step[1];
            float *to = out + j * step[2] + i * step[1];
            for (int k = 0; k < 3; k++)
                to[k * step[0]] =
                    T[k][0] * from[0] + T[k][1] * from[step[0]] + T[k][2] * from[2 * step[0]];
        }
}

static void add_child(const float *from, int octant, float *to) {
    static const int along_x[3] = {1, 3, 9}, along_y[3] = {3, 1, 9}, along_z[3] = {9, 1, 3};
    float one[TL_GRID_PRODUCTS], two[TL_GRID_PRODUCTS];
    inherit_along(inherit[octant & 1], along_x, from, one);
    inherit_along(inherit[octant >> 1 & 1], along_y, one, two);
    inherit_along(inherit[octant >> 2], along_z, two, one);
    for (int k = 0; k < TL_GRID_PRODUCTS; k++)
        to[k] += one[k];
}

static void sum_parents(const tl_grid_level *v, tl_grid_level *up) {
    memset(up->sums, 0, up->cells * sizeof *up->sums);
    memset(up->walled, 0, up->cells * sizeof *up->walled);
    for (size_t c = 0; c < v->cells; c++) {
        up->walled[v->parent[c]] |= v->walled[c];
        for (int k = 0; k < (v->walled[c] ? TL_GRID_CHANNELS : 3); k++)
            add_child(v->sums[c][k], v->octant[c], up->sums[v->parent[c]][k]);
    }
}

/* ---- Stencils ----------------------------------------------------------------------------------
 */

static void contract(const float *Q, float scale, tl_grid_slopes *out) {
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
TL_INLINE void gradient_products(const tl_grid_slopes *s, int a, int b, float G[3][3]) {
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

TL_INLINE void add_block(const float (*sums)[TL_GRID_PRODUCTS], const tl_grid_slopes slopes[2],
                         int a, int b, float block[12]) {
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
    tl_grid_level *v = as->v;
    for (size_t n = begin; n < end; n++) {
        memset(v->stencil[n], 0, sizeof v->stencil[n]);
        for (int a = 0; a < 8; a++) {
            if (!v->node_cell[n][a])
                continue;
            const float(*sums)[TL_GRID_PRODUCTS] =
                (const float(*)[TL_GRID_PRODUCTS])v->sums[v->node_cell[n][a] - 1];
            const tl_grid_slopes *slopes = v->slopes[v->node_cell[n][a] - 1];
            for (int b = 0; b < 8; b++)
                add_block(sums, slopes, a, b, v->stencil[n][tl_grid_slot(a, b)]);
        }
    }
}

/* Inverts the diagonal blocks, each with the sizes of its row's other numbers added. */
static void invert_nodes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const assembly *as = context;
    tl_grid_level *v = as->v;
    for (size_t n = begin; n < end; n++) {
        float diagonal[12];
        memcpy(diagonal, v->stencil[n][TL_GRID_MIDDLE], sizeof diagonal);
        for (int k = 0; k < TL_GRID_STENCIL; k++)
            for (int p = 0; p < 3 && k != TL_GRID_MIDDLE; p++)
                for (int q = 0; q < 3; q++)
                    diagonal[5 * p] += fabsf(v->stencil[n][k][4 * q + p]);
        invert_block(diagonal, 1e-9f * as->largest, v->inverse[n]);
    }
}

static float largest_block(const tl_grid_level *v) {
    float largest = 0;
    for (size_t n = 0; n < v->nodes; n++) {
        const float *A = v->stencil[n][TL_GRID_MIDDLE];
        largest = fmaxf(largest, A[0] + A[5] + A[10]);
    }
    return largest;
}

/* The coarsest operator as a matrix. */
static void write_dense(const tl_grid_level *v, double *A) {
    const size_t size = 3 * v->nodes;
    memset(A, 0, size * size * sizeof *A);
    for (size_t n = 0; n < v->nodes; n++)
        for (int k = 0; k < TL_GRID_STENCIL; k++) {
            const size_t other = v->around[n][k];
            if (other >= v->nodes)
                continue;
            for (size_t p = 0; p < 3; p++)
                for (size_t q = 0; q < 3; q++)
                    A[(3 * n + p) * size + 3 * other + q] = (double)v->stencil[n][k][4 * q + p];
        }
}

/* Factors the coarsest operator, L Lᵀ. */
static void factor_coarsest(tl_grids *g) {
    const tl_grid_level *v = &g->level[g->levels - 1];
    const size_t size = 3 * v->nodes;
    if (v->nodes > TL_GRID_COARSEST)
        return;
    double *A = g->dense;
    const double largest = fmax((double)largest_block(v), 1e-300);
    write_dense(v, A);
    double own[3 * TL_GRID_COARSEST];
    for (size_t j = 0; j < size; j++)
        own[j] = A[j * size + j];
    for (size_t j = 0; j < size; j++) {
        /* Matter that touches a cell's corner only leaves nodes without a say, and the inertia of
         * very stiff matter is lost in rounding. What is left of such a row is noise, which would
         * grow from row to row. */
        const double least = fmax(1e-5 * own[j], 1e-9 * largest);
        const bool known = A[j * size + j] > 1e-5 * own[j];
        const double d = sqrt(fmax(A[j * size + j], least));
        double column[3 * TL_GRID_COARSEST];
        for (size_t i = j + 1; i < size; i++)
            column[i] = A[i * size + j] = known ? A[i * size + j] / d : 0;
        A[j * size + j] = d;
        for (size_t i = j + 1; i < size; i++)
            for (size_t k = j + 1; k <= i; k++)
                A[i * size + k] -= column[i] * column[k];
    }
}

void tl_grids_assemble(tl_grids *g, const tl_parallel *parallel, const tl_grid_matter *matter) {
    assembly a = {.g = g, .m = matter, .v = &g->level[0]};
    tl_parallel_for(parallel, a.v->cells, TL_GRID_GRAIN, sum_cells, &a);
    for (int l = 0; l < g->levels; l++) {
        a.v = &g->level[l];
        if (l > 0)
            sum_parents(a.v - 1, a.v);
        tl_parallel_for(parallel, a.v->cells, TL_GRID_GRAIN, contract_cells, &a);
        tl_parallel_for(parallel, a.v->nodes, TL_GRID_GRAIN, assemble_nodes, &a);
        a.largest = largest_block(a.v);
        tl_parallel_for(parallel, a.v->nodes, TL_GRID_GRAIN, invert_nodes, &a);
    }
    factor_coarsest(g);
}
