/* See scan.h. Lines along the axis `a` stand on a plane of columns (axis b) and rows (axis c); rows
 * are shared among threads, each with the list of triangles that reach it. */
#include "mesh/scan.h"

#include <stdlib.h>
#include <string.h>

typedef struct crossing {
    double at;       /* along the line */
    uint32_t column; /* of the row */
    int32_t sign;    /* +1: into the mesh */
} crossing;

typedef struct scan {
    const tl_mesh *mesh;
    const tl_lattice *lattice;
    uint8_t *votes;
    int a, b, c;
    int shells;          /* points inside of more count */
    size_t *begin;       /* [rows + 1] of `triangles` */
    uint32_t *triangles; /* by row */
    struct row_scratch {
        crossing *crossings;
        size_t count;
        bool failed;
    } * scratch; /* one a thread */
} scan;

static double along(tl_vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

/* Steps from the first to the last line of the lattice between two places; false: none. */
static bool find_range(const tl_lattice *l, int k, double low, double high, size_t *from,
                       size_t *to) {
    const double first = fmax(ceil((low - l->start[k]) / l->step[k]), 0);
    const double last = fmin(floor((high - l->start[k]) / l->step[k]), (double)l->n[k] - 1);
    if (!(first <= last))
        return false;
    *from = (size_t)first;
    *to = (size_t)last;
    return true;
}

static bool find_extent(const scan *s, size_t t, int axis, size_t *from, size_t *to) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double x = along(tl_mesh_corner(s->mesh, t, k), axis);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    return find_range(s->lattice, axis, low, high, from, to);
}

static tl_status list_rows(scan *s, tl_error *error) {
    const size_t rows = s->lattice->n[s->c], count = s->mesh->triangle_count;
    size_t from, to;
    s->begin = tl_allocate(rows + 1, sizeof *s->begin);
    if (!s->begin)
        return tl_fail_memory(error, rows, sizeof *s->begin);
    for (size_t t = 0; t < count; t++)
        if (find_extent(s, t, s->c, &from, &to))
            for (size_t r = from; r <= to; r++)
                s->begin[r]++;
    for (size_t r = 1; r <= rows; r++)
        s->begin[r] += s->begin[r - 1];
    s->triangles = tl_allocate(s->begin[rows], sizeof *s->triangles);
    if (!s->triangles)
        return tl_fail_memory(error, s->begin[rows], sizeof *s->triangles);
    for (size_t t = count; t-- > 0;)
        if (find_extent(s, t, s->c, &from, &to))
            for (size_t r = from; r <= to; r++)
                s->triangles[--s->begin[r]] = (uint32_t)t;
    return TL_OK;
}

/* On which side of the edge from vertex i to j the line (u, v) passes, seen along it. The sum is
 * always taken from the lower vertex, so that both triangles of an edge find the same number, and a
 * line on the edge belongs to one of them. */
static bool is_left(const scan *s, uint32_t i, uint32_t j, double u, double v) {
    const bool swapped = i > j;
    const tl_vec3 p = s->mesh->vertices[swapped ? j : i], q = s->mesh->vertices[swapped ? i : j];
    const double pu = along(p, s->b) - u, pv = along(p, s->c) - v, qu = along(q, s->b) - u,
                 qv = along(q, s->c) - v;
    return (pu * qv - pv * qu >= 0) != swapped;
}

static tl_status add_crossings(const scan *s, size_t t, size_t row, struct row_scratch *scratch) {
    const uint32_t *corner = s->mesh->triangles[t];
    const tl_lattice *l = s->lattice;
    size_t from, to;
    if (!find_extent(s, t, s->b, &from, &to))
        return TL_OK;
    const tl_vec3 x = tl_mesh_corner(s->mesh, t, 0);
    const tl_vec3 n = tl_vec3_cross(tl_vec3_sub(tl_mesh_corner(s->mesh, t, 1), x),
                                    tl_vec3_sub(tl_mesh_corner(s->mesh, t, 2), x));
    const double na = along(n, s->a), nb = along(n, s->b), nc = along(n, s->c);
    if (na == 0)
        return TL_OK;
    const double v = l->start[s->c] + (double)row * l->step[s->c];
    TL_TRY(TL_ARRAY_RESERVE(scratch->crossings, scratch->count, scratch->count + (to - from + 1),
                            NULL));
    for (size_t column = from; column <= to; column++) {
        const double u = l->start[s->b] + (double)column * l->step[s->b];
        const bool left = is_left(s, corner[0], corner[1], u, v);
        if (left != is_left(s, corner[1], corner[2], u, v) ||
            left != is_left(s, corner[2], corner[0], u, v))
            continue;
        const double at =
            along(x, s->a) - (nb * (u - along(x, s->b)) + nc * (v - along(x, s->c))) / na;
        scratch->crossings[scratch->count++] =
            (crossing){at, (uint32_t)column, left ? -1 : 1}; /* left: looks along the line */
    }
    return TL_OK;
}

static int compare_crossings(const void *a, const void *b) {
    const crossing *p = a, *q = b;
    if (p->column != q->column)
        return p->column < q->column ? -1 : 1;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return p->sign - q->sign;
}

/* One vote for each point of the row's lines where the winding number is large enough. */
static void vote(const scan *s, size_t row, const crossing *list, size_t count) {
    const tl_lattice *l = s->lattice;
    const size_t stride[3] = {1, l->n[0], l->n[0] * l->n[1]};
    int winding = 0;
    for (size_t i = 0; i < count; i++) {
        const bool goes_on = i + 1 < count && list[i + 1].column == list[i].column;
        const bool starts = i == 0 || list[i - 1].column != list[i].column;
        winding = (starts ? 0 : winding) + list[i].sign;
        size_t from, to;
        if (winding <= s->shells || !goes_on ||
            !find_range(l, s->a, list[i].at, list[i + 1].at, &from, &to))
            continue;
        if (l->start[s->a] + (double)to * l->step[s->a] == list[i + 1].at && to-- == from)
            continue; /* a point on the surface goes with what follows it */
        uint8_t *point = s->votes + list[i].column * stride[s->b] + row * stride[s->c];
        for (size_t k = from; k <= to; k++)
            point[k * stride[s->a]]++;
    }
}

static void scan_rows(void *context, size_t begin, size_t end, int thread) {
    const scan *s = context;
    struct row_scratch *scratch = &s->scratch[thread];
    for (size_t row = begin; row < end; row++) {
        scratch->count = 0;
        for (size_t i = s->begin[row]; i < s->begin[row + 1] && !scratch->failed; i++)
            scratch->failed = add_crossings(s, s->triangles[i], row, scratch) != TL_OK;
        if (scratch->failed || scratch->count == 0)
            continue;
        qsort(scratch->crossings, scratch->count, sizeof(crossing), compare_crossings);
        vote(s, row, scratch->crossings, scratch->count);
    }
}

/* Axes b and c follow a in a right-handed order, so that signs mean the same for all three. */
static tl_status scan_along(scan *s, int axis, const tl_parallel *parallel, tl_error *error) {
    s->a = axis, s->b = (axis + 1) % 3, s->c = (axis + 2) % 3;
    tl_status status = list_rows(s, error);
    s->scratch = tl_allocate((size_t)parallel->threads, sizeof *s->scratch);
    if (status == TL_OK && s->scratch)
        tl_parallel_for(parallel, s->lattice->n[s->c], 1, scan_rows, s);
    bool failed = !s->scratch;
    for (int i = 0; s->scratch && i < parallel->threads; i++) {
        failed = failed || s->scratch[i].failed;
        tl_array_free(s->scratch[i].crossings);
    }
    free(s->scratch);
    free(s->begin);
    free(s->triangles);
    s->begin = NULL;
    s->triangles = NULL;
    if (status == TL_OK && failed)
        status = tl_fail_memory(error, s->lattice->n[s->b], sizeof(crossing));
    return status;
}

tl_status tl_mesh_scan_shells(const tl_mesh *mesh, const tl_lattice *lattice, int shells,
                              const tl_parallel *parallel, uint8_t *inside, tl_error *error) {
    const size_t count = lattice->n[0] * lattice->n[1] * lattice->n[2];
    scan s = {.mesh = mesh, .lattice = lattice, .votes = inside, .shells = shells};
    memset(inside, 0, count);
    for (int axis = 0; axis < 3; axis++)
        TL_TRY(scan_along(&s, axis, parallel, error));
    for (size_t i = 0; i < count; i++)
        inside[i] = inside[i] >= 2;
    return TL_OK;
}

tl_status tl_mesh_scan(const tl_mesh *mesh, const tl_lattice *lattice, const tl_parallel *parallel,
                       uint8_t *inside, tl_error *error) {
    return tl_mesh_scan_shells(mesh, lattice, 0, parallel, inside, error);
}
