/* See repair.h. */
#include "mesh/repair.h"

#include "mesh/edges.h"
#include "mesh/orient.h"

#include <stdlib.h>
#include <string.h>

/* Vertices nearer than this part of the mesh's diagonal are one: coordinates in single precision
 * that were written as text differ by less. */
static const double weld_part = 1e-7;

/* A triangle lower than this part of its longest side is flat: its normal is rounding. */
static const double flat_part = 1e-9;

static size_t hash_cell(const int64_t cell[3], size_t mask) {
    uint64_t h = (uint64_t)cell[0] * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29)) + (uint64_t)cell[1] * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 31)) + (uint64_t)cell[2] * 0x94D049BB133111EBu;
    return (size_t)(h ^ (h >> 32)) & mask;
}

/* Cells of four tolerances: the ball around a vertex touches two along each axis. */
static void cell_of(tl_vec3 x, double size, double shift, int64_t cell[3]) {
    cell[0] = (int64_t)floor(x.x / size + shift);
    cell[1] = (int64_t)floor(x.y / size + shift);
    cell[2] = (int64_t)floor(x.z / size + shift);
}

typedef struct welder {
    uint32_t *first, *next; /* chains of kept vertices by cell: index + 1 */
    size_t mask;
    double tolerance;
} welder;

/* The kept vertex at this place + 1, or 0. */
static uint32_t find_vertex(const welder *w, const tl_vec3 *kept, tl_vec3 x) {
    int64_t low[3], cell[3];
    cell_of(x, 4 * w->tolerance, -0.5, low);
    for (int corner = 0; corner < 8; corner++) {
        for (int k = 0; k < 3; k++)
            cell[k] = low[k] + (corner >> k & 1);
        for (uint32_t i = w->first[hash_cell(cell, w->mask)]; i; i = w->next[i - 1]) {
            const tl_vec3 d = tl_vec3_sub(x, kept[i - 1]);
            if (tl_vec3_dot(d, d) <= w->tolerance * w->tolerance)
                return i;
        }
    }
    return 0;
}

/* Vertices stay in their order; map[i] is where vertex i went. */
static size_t weld(tl_mesh *m, welder *w, uint32_t *map) {
    size_t kept = 0;
    for (size_t i = 0; i < m->vertex_count; i++) {
        const uint32_t same = find_vertex(w, m->vertices, m->vertices[i]);
        map[i] = same ? same - 1 : (uint32_t)kept;
        if (same)
            continue;
        int64_t cell[3];
        cell_of(m->vertices[i], 4 * w->tolerance, 0, cell);
        uint32_t *first = &w->first[hash_cell(cell, w->mask)];
        m->vertices[kept] = m->vertices[i];
        if (m->colours)
            memcpy(m->colours[kept], m->colours[i], sizeof *m->colours);
        w->next[kept] = *first;
        *first = (uint32_t)++kept;
    }
    const size_t welded = m->vertex_count - kept;
    m->vertex_count = kept;
    return welded;
}

static tl_status weld_vertices(tl_mesh *m, size_t *welded, tl_error *error) {
    tl_vec3 low, high;
    tl_mesh_bounds(m, &low, &high);
    size_t slots = 64;
    while (slots < m->vertex_count)
        slots *= 2;
    welder w = {.first = tl_allocate(slots, sizeof *w.first),
                .next = tl_allocate(m->vertex_count, sizeof *w.next),
                .mask = slots - 1,
                .tolerance = fmax(weld_part * tl_vec3_length(tl_vec3_sub(high, low)), 1e-300)};
    uint32_t *map = tl_allocate(m->vertex_count, sizeof *map);
    const bool room = w.first && w.next && map;
    if (room) {
        /* Places relative to the mesh, so that cells of a far mesh can be told apart. */
        for (size_t i = 0; i < m->vertex_count; i++)
            m->vertices[i] = tl_vec3_sub(m->vertices[i], low);
        *welded = weld(m, &w, map);
        for (size_t i = 0; i < m->vertex_count; i++)
            m->vertices[i] = tl_vec3_add(m->vertices[i], low);
        for (size_t t = 0; t < m->triangle_count; t++)
            for (int k = 0; k < 3; k++)
                m->triangles[t][k] = map[m->triangles[t][k]];
    }
    free(w.first);
    free(w.next);
    free(map);
    return room ? TL_OK : tl_fail_memory(error, slots + m->vertex_count, 2 * sizeof(uint32_t));
}

/* Triangles without three corners. */
static size_t drop_collapsed(tl_mesh *m) {
    size_t kept = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *c = m->triangles[t];
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            memmove(m->triangles[kept++], c, sizeof *m->triangles);
    }
    const size_t dropped = m->triangle_count - kept;
    m->triangle_count = kept;
    return dropped;
}

/* The longest side of a triangle without area, or -1. */
static int flat_side(const tl_mesh *m, size_t t) {
    double longest = 0;
    int side = 0;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 d = tl_vec3_sub(tl_mesh_corner(m, t, (k + 1) % 3), tl_mesh_corner(m, t, k));
        const double square = tl_vec3_dot(d, d);
        if (square > longest)
            longest = square, side = k;
    }
    const tl_vec3 a = tl_mesh_corner(m, t, 0);
    const double area = tl_vec3_length(tl_vec3_cross(tl_vec3_sub(tl_mesh_corner(m, t, 1), a),
                                                     tl_vec3_sub(tl_mesh_corner(m, t, 2), a)));
    return area <= flat_part * longest ? side : -1;
}

/* A flat triangle and its neighbour across the longest side change their common side for the other
 * diagonal: the neighbour is split where the corner of the flat one lies on it, and no hole opens.
 * False when the two look different ways. */
static bool swap_diagonal(tl_mesh *m, size_t flat, int side, size_t other, int other_side) {
    uint32_t *f = m->triangles[flat], *o = m->triangles[other];
    const uint32_t a = f[side], c = f[(side + 1) % 3], b = f[(side + 2) % 3];
    const uint32_t d = o[(other_side + 2) % 3];
    if (o[other_side] != c || d == b)
        return false;
    f[0] = a, f[1] = d, f[2] = b;
    o[0] = d, o[1] = c, o[2] = b;
    return true;
}

/* One pass over the flat triangles; *left is how many there were, *mended how many are mended. */
static tl_status split_at_flat(tl_mesh *m, size_t *left, size_t *mended, tl_error *error) {
    tl_mesh_side *sides;
    TL_TRY(tl_mesh_sides(m, &sides, error));
    const size_t count = 3 * m->triangle_count;
    bool *touched = tl_allocate(m->triangle_count, sizeof *touched);
    *left = *mended = 0;
    for (size_t i = 0, end; touched && i < count; i = end) {
        end = tl_mesh_edge_end(sides, count, i);
        for (size_t s = i; s < end; s++) {
            const size_t t = sides[s].side / 3;
            if (touched[t] || flat_side(m, t) != (int)(sides[s].side % 3))
                continue;
            ++*left;
            const size_t partner = sides[end - i == 2 ? i + (s == i) : s].side;
            if (end - i != 2 || touched[partner / 3] ||
                !swap_diagonal(m, t, (int)(sides[s].side % 3), partner / 3, (int)(partner % 3)))
                continue;
            touched[t] = touched[partner / 3] = true;
            ++*mended;
        }
    }
    free(sides);
    const bool room = touched != NULL;
    free(touched);
    return room ? TL_OK : tl_fail_memory(error, count, sizeof *touched);
}

static void drop_flat(tl_mesh *m) {
    size_t kept = 0;
    for (size_t t = 0; t < m->triangle_count; t++)
        if (flat_side(m, t) < 0)
            memmove(m->triangles[kept++], m->triangles[t], sizeof *m->triangles);
    m->triangle_count = kept;
}

static tl_status mend_flat(tl_mesh *m, size_t *flat, tl_error *error) {
    enum { PASSES = 16 }; /* rows of flat triangles are mended one after the other */
    size_t left = 0, mended = 1;
    for (size_t t = 0; t < m->triangle_count; t++)
        left += flat_side(m, t) >= 0;
    *flat += left;
    for (int pass = 0; pass < PASSES && left && mended; pass++)
        TL_TRY(split_at_flat(m, &left, &mended, error));
    drop_flat(m);
    return TL_OK;
}

/* A triangle with its least corner first, which keeps its side. */
typedef struct known {
    uint32_t corner[3], triangle;
} known;

static int compare_known(const void *a, const void *b) {
    const known *s = a, *t = b;
    for (int k = 0; k < 3; k++)
        if (s->corner[k] != t->corner[k])
            return s->corner[k] < t->corner[k] ? -1 : 1;
    return (s->triangle > t->triangle) - (s->triangle < t->triangle);
}

static tl_status drop_repeated(tl_mesh *m, size_t *dropped, tl_error *error) {
    const size_t count = m->triangle_count;
    known *all = tl_allocate(count, sizeof *all);
    if (!all)
        return tl_fail_memory(error, count, sizeof *all);
    for (size_t t = 0; t < count; t++) {
        const uint32_t *c = m->triangles[t];
        const int least = c[0] < c[1] && c[0] < c[2] ? 0 : c[1] < c[2] ? 1 : 2;
        for (int k = 0; k < 3; k++)
            all[t].corner[k] = c[(least + k) % 3];
        all[t].triangle = (uint32_t)t;
    }
    if (count)
        qsort(all, count, sizeof *all, compare_known);
    for (size_t t = 1; t < count; t++)
        if (memcmp(all[t].corner, all[t - 1].corner, sizeof all[t].corner) == 0)
            m->triangles[all[t].triangle][0] = UINT32_MAX;
    free(all);
    size_t kept = 0;
    for (size_t t = 0; t < count; t++)
        if (m->triangles[t][0] != UINT32_MAX)
            memmove(m->triangles[kept++], m->triangles[t], sizeof *m->triangles);
    *dropped = count - kept;
    m->triangle_count = kept;
    return TL_OK;
}

tl_status tl_mesh_repair(tl_mesh *m, tl_mesh_repairs *repairs, tl_error *error) {
    tl_mesh_repairs r = {0};
    TL_TRY(weld_vertices(m, &r.welded, error));
    r.flat = drop_collapsed(m);
    TL_TRY(drop_repeated(m, &r.repeated, error));
    TL_TRY(mend_flat(m, &r.flat, error));
    TL_TRY(tl_mesh_orient(m, &r.turned, &r.shells, error));
    if (repairs)
        *repairs = r;
    return TL_OK;
}
