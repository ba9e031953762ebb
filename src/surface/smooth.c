/* See smooth.h. */
#include "surface/smooth.h"

#include <stdlib.h>
#include <string.h>

/* Steps of a pair: λ and μ of a pass band that ends at 0.1, 1/λ + 1/μ = 0.1. */
#define LAMBDA 0.5
#define MU     (-1 / 1.9)

static uint32_t find_root(uint32_t *root, uint32_t i) {
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

/* The root of a piece is its first vertex; pieces are numbered in that order. */
static void number_pieces(tl_mesh_links *l, const tl_mesh *m) {
    for (size_t i = 0; i < m->vertex_count; i++)
        l->piece[i] = (uint32_t)i;
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 2; k++) {
            const uint32_t a = find_root(l->piece, m->triangles[t][k]);
            const uint32_t b = find_root(l->piece, m->triangles[t][k + 1]);
            l->piece[a > b ? a : b] = a > b ? b : a;
        }
    for (size_t i = 0; i < m->vertex_count; i++)
        l->piece[i] = find_root(l->piece, (uint32_t)i);
    l->piece_count = 0;
    for (size_t i = 0; i < m->vertex_count; i++) /* roots come before what hangs on them */
        l->piece[i] = l->piece[i] == i ? (uint32_t)l->piece_count++ : l->piece[l->piece[i]];
}

/* In a closed mesh each edge runs once each way: a vertex meets each neighbour once as the next. */
tl_status tl_mesh_link(tl_mesh_links *l, const tl_mesh *m, tl_error *error) {
    const size_t n = m->vertex_count;
    TL_TRY(TL_ARRAY_RESERVE(l->begin, 0, n + 2, error));
    TL_TRY(TL_ARRAY_RESERVE(l->beside, 0, 3 * m->triangle_count, error));
    TL_TRY(TL_ARRAY_RESERVE(l->piece, 0, n, error));
    memset(l->begin, 0, (n + 2) * sizeof *l->begin);
    size_t *next = l->begin + 1; /* runs from the start of a vertex to its end */
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            next[m->triangles[t][k] + 1]++;
    for (size_t i = 0; i < n; i++)
        next[i + 1] += next[i];
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            l->beside[next[m->triangles[t][k]]++] = m->triangles[t][(k + 1) % 3];
    number_pieces(l, m);
    return TL_OK;
}

void tl_mesh_links_free(tl_mesh_links *l) {
    TL_ARRAYS_FREE(l->begin, l->beside, l->piece);
    *l = (tl_mesh_links){0};
}

/* Twice the area times the normal. */
static tl_vec3 triangle_normal(const tl_mesh *m, size_t t) {
    const tl_vec3 a = tl_mesh_corner(m, t, 0);
    return tl_vec3_cross(tl_vec3_sub(tl_mesh_corner(m, t, 1), a),
                         tl_vec3_sub(tl_mesh_corner(m, t, 2), a));
}

void tl_mesh_normals(const tl_mesh *m, float (*out)[3]) {
    memset(out, 0, m->vertex_count * sizeof *out);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const tl_vec3 n = triangle_normal(m, t);
        for (int k = 0; k < 3; k++) {
            float *to = out[m->triangles[t][k]];
            to[0] += (float)n.x, to[1] += (float)n.y, to[2] += (float)n.z;
        }
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        const tl_vec3 n =
            tl_vec3_unit((tl_vec3){(double)out[i][0], (double)out[i][1], (double)out[i][2]});
        out[i][0] = (float)n.x, out[i][1] = (float)n.y, out[i][2] = (float)n.z;
    }
}

void tl_mesh_measure(const tl_mesh *m, const tl_mesh_links *l, double (*out)[2]) {
    tl_vec3 low, high;
    tl_mesh_bounds(m, &low, &high);
    const tl_vec3 middle = tl_vec3_scale(tl_vec3_add(low, high), 0.5);
    memset(out, 0, l->piece_count * sizeof *out);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const tl_vec3 n = triangle_normal(m, t);
        double *sum = out[l->piece[m->triangles[t][0]]];
        sum[0] += tl_vec3_dot(tl_vec3_sub(tl_mesh_corner(m, t, 0), middle), n) / 6;
        sum[1] += tl_vec3_length(n) / 2;
    }
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Pieces of fewer vertices than this are balls as they are, and too coarse for means of neighbours
 * to be anything else. */
enum { LEAST_VERTICES = 64 };

typedef struct job {
    const tl_mesh_links *links;
    const uint32_t *size; /* vertices of each piece */
    const tl_vec3 *from;
    tl_vec3 *to;
    double step;
} job;

static void move_vertices(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *j = context;
    const size_t *start = j->links->begin;
    for (size_t i = begin; i < end; i++) {
        j->to[i] = j->from[i];
        if (j->size[j->links->piece[i]] < LEAST_VERTICES)
            continue;
        tl_vec3 sum = {0, 0, 0};
        for (size_t k = start[i]; k < start[i + 1]; k++)
            sum = tl_vec3_add(sum, j->from[j->links->beside[k]]);
        const double count = (double)(start[i + 1] - start[i]);
        const tl_vec3 mean = tl_vec3_scale(sum, 1 / count);
        j->to[i] = tl_vec3_mad(j->from[i], j->step, tl_vec3_sub(mean, j->from[i]));
    }
}

tl_status tl_mesh_smooth(tl_mesh *m, const tl_mesh_links *l, int pairs, const tl_parallel *parallel,
                         tl_error *error) {
    tl_vec3 *other = tl_allocate(m->vertex_count + 1, sizeof *other);
    uint32_t *size = tl_allocate(l->piece_count + 1, sizeof *size);
    const bool has_memory = other && size;
    for (size_t i = 0; has_memory && i < m->vertex_count; i++)
        size[l->piece[i]]++;
    for (int i = 0; has_memory && i < pairs; i++) {
        job there = {l, size, m->vertices, other, LAMBDA}, back = {l, size, other, m->vertices, MU};
        tl_parallel_for(parallel, m->vertex_count, TL_BLOCK, move_vertices, &there);
        tl_parallel_for(parallel, m->vertex_count, TL_BLOCK, move_vertices, &back);
    }
    free(other);
    free(size);
    return has_memory ? TL_OK : tl_fail_memory(error, m->vertex_count, sizeof *other);
}

/* How far to move a piece of an area for a missing volume: part of its size at most, so that one
 * that is nearly nothing stays what it is. */
static double volume_step(double missing, double area) {
    const double most = 0.05 * sqrt(area);
    return area > 0 ? fmin(fmax(missing / area, -most), most) : 0;
}

tl_status tl_mesh_set_volumes(tl_mesh *m, const tl_mesh_links *l, const double *wanted,
                              tl_error *error) {
    enum { TURNS = 4 };
    double(*now)[2] = tl_allocate(l->piece_count + 1, sizeof *now);
    float(*normal)[3] = tl_allocate(m->vertex_count + 1, sizeof *normal);
    tl_status status =
        now && normal ? TL_OK : tl_fail_memory(error, m->vertex_count, sizeof *normal);
    for (int turn = 0; status == TL_OK && turn < TURNS; turn++) {
        tl_mesh_measure(m, l, now);
        tl_mesh_normals(m, normal);
        for (size_t i = 0; i < m->vertex_count; i++) {
            const uint32_t p = l->piece[i];
            const double step = volume_step(wanted[p] - now[p][0], now[p][1]);
            const tl_vec3 n = {(double)normal[i][0], (double)normal[i][1], (double)normal[i][2]};
            m->vertices[i] = tl_vec3_mad(m->vertices[i], step, n);
        }
    }
    free(now);
    free(normal);
    return status;
}
