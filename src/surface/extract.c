/* See extract.h. A vertex on an edge of the grid belongs to the block that holds the edge's first
 * point among its first seven along every axis. Blocks count what they own, then all is written to
 * its place: vertices and triangles are in the order of blocks, and of cells within them. */
#include "surface/extract.h"

#include "surface/cell.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELLS = TL_BLOCK_CELLS,
    CELL_COUNT = CELLS * CELLS * CELLS,
    NO_VERTEX = UINT16_MAX,
    GRAIN = 4 /* blocks */
};

/* What a block owns. */
typedef struct share {
    uint16_t rank[3][CELL_COUNT]; /* of the vertex on the edge from a point along an axis */
    uint32_t edge_vertices, vertices, triangles;
    size_t first_vertex, first_triangle;
} share;

typedef struct job {
    const tl_blocks *blocks;
    tl_cell_table table;
    share *shares;
    tl_mesh *mesh;
} job;

static int point_index(int x, int y, int z) { return (z * TL_BLOCK_SIDE + y) * TL_BLOCK_SIDE + x; }

static int cell_index(int x, int y, int z) { return (z * CELLS + y) * CELLS + x; }

static void load_corners(const float *value, int x, int y, int z, float out[8]) {
    for (int c = 0; c < 8; c++)
        out[c] = value[point_index(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2))];
}

static void count_edges(int i, const float corner[8], share *s) {
    for (int axis = 0; axis < 3; axis++)
        s->rank[axis][i] =
            (corner[0] >= 0) != (corner[1 << axis] >= 0) ? (uint16_t)s->edge_vertices++ : NO_VERTEX;
}

static void count_block(const job *j, size_t block) {
    share *s = &j->shares[block];
    const float *value = j->blocks->value[block];
    tl_cell_surface scratch;
    uint32_t extra = 0;
    for (int z = 0; z < CELLS; z++)
        for (int y = 0; y < CELLS; y++)
            for (int x = 0; x < CELLS; x++) {
                float corner[8];
                load_corners(value, x, y, z, corner);
                count_edges(cell_index(x, y, z), corner, s);
                const unsigned signs = tl_cell_signs(corner);
                if (signs == 0 || signs == 255)
                    continue;
                const tl_cell_surface *cell = tl_cell_surface_of(&j->table, corner, &scratch);
                s->triangles += (uint32_t)cell->triangle_count;
                extra += (uint32_t)cell->extra_count;
            }
    s->vertices = s->edge_vertices + extra;
}

static void count_blocks(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t b = begin; b < end; b++)
        count_block(context, b);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* The shares of a block and of those after it, by bits for x, y and z. */
typedef struct vicinity {
    const share *share[8];
} vicinity;

static vicinity find_vicinity(const job *j, size_t block) {
    vicinity v;
    for (int n = 0; n < 8; n++) {
        const int32_t *at = j->blocks->at[block];
        const int32_t beside[3] = {at[0] + (n & 1), at[1] + (n >> 1 & 1), at[2] + (n >> 2)};
        const size_t found = n == 0 ? block : tl_blocks_find(j->blocks, beside);
        v.share[n] = found == SIZE_MAX ? NULL : &j->shares[found];
    }
    return v;
}

static uint32_t vertex_of_edge(const vicinity *v, int x, int y, int z, int edge) {
    const int corner = tl_cell_edge_corner(edge);
    int at[3] = {x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2)}, beside = 0;
    for (int k = 0; k < 3; k++)
        if (at[k] == CELLS) {
            at[k] = 0;
            beside |= 1 << k;
        }
    const share *s = v->share[beside];
    return (uint32_t)(s->first_vertex + s->rank[edge / 4][cell_index(at[0], at[1], at[2])]);
}

static tl_vec3 place_of(const tl_blocks *b, size_t block, const double local[3]) {
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = b->origin[k] + b->cell * ((double)b->at[block][k] * CELLS + local[k]);
    return tl_vec3_of(p);
}

static void write_edges(const job *j, size_t block, int x, int y, int z, const float corner[8]) {
    const share *s = &j->shares[block];
    for (int axis = 0; axis < 3; axis++) {
        const uint16_t rank = s->rank[axis][cell_index(x, y, z)];
        if (rank == NO_VERTEX)
            continue;
        double local[3] = {x, y, z};
        local[axis] += (double)tl_cell_cut(corner[0], corner[1 << axis]);
        j->mesh->vertices[s->first_vertex + rank] = place_of(j->blocks, block, local);
    }
}

static void write_block(const job *j, size_t block) {
    const share *s = &j->shares[block];
    const float *value = j->blocks->value[block];
    const vicinity v = find_vicinity(j, block);
    size_t extra = s->first_vertex + s->edge_vertices, triangle = s->first_triangle;
    tl_cell_surface scratch;
    for (int z = 0; z < CELLS; z++)
        for (int y = 0; y < CELLS; y++)
            for (int x = 0; x < CELLS; x++) {
                float corner[8];
                load_corners(value, x, y, z, corner);
                const unsigned signs = tl_cell_signs(corner);
                if (signs == 0 || signs == 255)
                    continue;
                write_edges(j, block, x, y, z, corner);
                const tl_cell_surface *cell = tl_cell_surface_of(&j->table, corner, &scratch);
                for (int t = 0; t < cell->triangle_count; t++, triangle++)
                    for (int k = 0; k < 3; k++) {
                        const int c = cell->triangles[t][k];
                        j->mesh->triangles[triangle][k] =
                            c < TL_CELL_EDGES ? vertex_of_edge(&v, x, y, z, c)
                                              : (uint32_t)(extra + (size_t)(c - TL_CELL_EDGES));
                    }
                for (int i = 0; i < cell->extra_count; i++) {
                    const float *e = cell->extra[i];
                    const double local[3] = {x + (double)e[0], y + (double)e[1], z + (double)e[2]};
                    j->mesh->vertices[extra++] = place_of(j->blocks, block, local);
                }
            }
}

static void write_blocks(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t b = begin; b < end; b++)
        write_block(context, b);
}

static tl_status place_shares(const job *j, tl_error *error) {
    tl_mesh *m = j->mesh;
    size_t vertices = 0, triangles = 0;
    for (size_t b = 0; b < j->blocks->count; b++) {
        j->shares[b].first_vertex = vertices;
        j->shares[b].first_triangle = triangles;
        vertices += j->shares[b].vertices;
        triangles += j->shares[b].triangles;
    }
    if (vertices >= UINT32_MAX || triangles >= UINT32_MAX)
        return tl_fail(error, TL_BAD_INPUT, NULL, "choose larger cells",
                       "a surface of %zu vertices is more than a file can hold", vertices);
    TL_TRY(TL_ARRAY_RESERVE(m->vertices, 0, vertices, error));
    TL_TRY(TL_ARRAY_RESERVE(m->triangles, 0, triangles, error));
    m->vertex_count = vertices;
    m->triangle_count = triangles;
    m->closed = true;
    return TL_OK;
}

tl_status tl_surface_extract(const tl_blocks *blocks, const tl_parallel *parallel, tl_mesh *out,
                             tl_error *error) {
    job *j = tl_allocate(1, sizeof *j);
    share *shares = tl_allocate(blocks->count, sizeof *shares);
    tl_status status = TL_OK;
    if (!j || (blocks->count > 0 && !shares)) {
        status = tl_fail_memory(error, blocks->count, sizeof *shares);
    } else {
        j->blocks = blocks, j->shares = shares, j->mesh = out;
        tl_cell_table_make(&j->table);
        tl_parallel_for(parallel, blocks->count, GRAIN, count_blocks, j);
        status = place_shares(j, error);
        if (status == TL_OK)
            tl_parallel_for(parallel, blocks->count, GRAIN, write_blocks, j);
    }
    free(shares);
    free(j);
    return status;
}
