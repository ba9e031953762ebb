/* See extrude.h. The outline is cut into slabs at the heights of all its points and crossings:
 * within a slab sides do not meet, and what they enclose is a row of trapezoids. All corners on the
 * line between two slabs belong to the trapezoids above and below, so that nothing is left open. */
#include "mesh/extrude.h"

#include <stdlib.h>
#include <string.h>

tl_status tl_outline_add(tl_outline *o, double x, double y, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(o->points, o->count, o->count + 1, error));
    o->points[o->count][0] = x;
    o->points[o->count++][1] = y;
    return TL_OK;
}

tl_status tl_outline_close(tl_outline *o, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(o->ends, o->contours, o->contours + 1, error));
    o->ends[o->contours++] = o->count;
    return TL_OK;
}

void tl_outline_free(tl_outline *o) {
    TL_ARRAYS_FREE(o->points, o->ends);
    *o = (tl_outline){0};
}

/* A side of the outline, from its lower to its higher end. */
typedef struct side {
    double low[2], high[2];
    int sign; /* +1: the outline runs upwards here */
} side;

/* A side where it passes a slab. */
typedef struct cut {
    double bottom, top; /* x on the lines below and above */
    int sign;
} cut;

/* A line between slabs: its corners from left to right. */
typedef struct line {
    double *x;
    size_t count;
    uint32_t first;      /* vertex of the first corner on the near face; the far one follows */
    bool *below, *above; /* whether the outline is filled between corner i and the next */
} line;

typedef struct extrusion {
    tl_mesh *mesh;
    double near, far;
    double closest; /* what is nearer is one */
    side *sides;
    size_t side_count;
    double *heights;
    size_t height_count;
    line *lines; /* one a height */
    cut *cuts;   /* of the present slab */
    size_t cut_count;
    tl_error *error;
} extrusion;

static double x_at(const side *s, double y) {
    if (y <= s->low[1])
        return s->low[0];
    if (y >= s->high[1])
        return s->high[0];
    const double part = (y - s->low[1]) / (s->high[1] - s->low[1]);
    return s->low[0] + part * (s->high[0] - s->low[0]);
}

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_cuts(const void *a, const void *b) {
    const cut *p = a, *q = b;
    const double x = p->bottom + p->top, y = q->bottom + q->top;
    return (x > y) - (x < y);
}

/* Sorted, each once; what is nearer than `closest` is one. */
static size_t make_unique(double *numbers, size_t count, double closest) {
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (numbers[i] - numbers[kept - 1] > closest)
            numbers[kept++] = numbers[i];
    return kept;
}

static tl_status add_height(extrusion *e, double y) {
    TL_TRY(TL_ARRAY_RESERVE(e->heights, e->height_count, e->height_count + 1, e->error));
    e->heights[e->height_count++] = y;
    return TL_OK;
}

static tl_status add_crossing(extrusion *e, const side *s, const side *t) {
    const double low = fmax(s->low[1], t->low[1]), high = fmin(s->high[1], t->high[1]);
    if (!(low < high))
        return TL_OK;
    const double before = x_at(s, low) - x_at(t, low), after = x_at(s, high) - x_at(t, high);
    if (!(before * after < 0))
        return TL_OK;
    return add_height(e, low + (high - low) * before / (before - after));
}

static tl_status find_sides(extrusion *e, const tl_outline *o) {
    e->sides = tl_allocate(o->count, sizeof *e->sides);
    if (!e->sides)
        return tl_fail_memory(e->error, o->count, sizeof *e->sides);
    for (size_t c = 0, begin = 0; c < o->contours; begin = o->ends[c++])
        for (size_t i = begin; i < o->ends[c]; i++) {
            const double *from = o->points[i], *to = o->points[i + 1 < o->ends[c] ? i + 1 : begin];
            TL_TRY(add_height(e, from[1]));
            if (from[1] == to[1])
                continue;
            const bool up = from[1] < to[1];
            side *s = &e->sides[e->side_count++];
            memcpy(s->low, up ? from : to, sizeof s->low);
            memcpy(s->high, up ? to : from, sizeof s->high);
            s->sign = up ? 1 : -1;
        }
    for (size_t i = 0; i < e->side_count; i++)
        for (size_t j = 0; j < i; j++)
            TL_TRY(add_crossing(e, &e->sides[i], &e->sides[j]));
    return TL_OK;
}

/* Sides that lie on each other are one; where two run against each other there is none. */
static void join_cuts(extrusion *e) {
    size_t kept = 0;
    for (size_t i = 0; i < e->cut_count; i++) {
        cut *before = kept ? &e->cuts[kept - 1] : NULL;
        if (before && fabs(before->bottom - e->cuts[i].bottom) <= e->closest &&
            fabs(before->top - e->cuts[i].top) <= e->closest) {
            before->sign += e->cuts[i].sign;
            kept -= before->sign == 0;
        } else {
            e->cuts[kept++] = e->cuts[i];
        }
    }
    e->cut_count = kept;
}

/* The sides that pass the slab above line k, from left to right. */
static void cut_slab(extrusion *e, size_t k) {
    const double bottom = e->heights[k], top = e->heights[k + 1], middle = (bottom + top) / 2;
    e->cut_count = 0;
    for (size_t i = 0; i < e->side_count; i++) {
        const side *s = &e->sides[i];
        if (s->low[1] < middle && s->high[1] > middle)
            e->cuts[e->cut_count++] = (cut){x_at(s, bottom), x_at(s, top), s->sign};
    }
    qsort(e->cuts, e->cut_count, sizeof *e->cuts, compare_cuts);
    join_cuts(e);
}

static tl_status add_corner(extrusion *e, line *l, double x) {
    TL_TRY(TL_ARRAY_RESERVE(l->x, l->count, l->count + 1, e->error));
    l->x[l->count++] = x;
    return TL_OK;
}

static size_t corner_at(const line *l, double x) {
    size_t best = 0;
    for (size_t i = 1; i < l->count; i++)
        if (fabs(l->x[i] - x) < fabs(l->x[best] - x))
            best = i;
    return best;
}

static tl_status place_corners(extrusion *e) {
    for (size_t k = 0; k + 1 < e->height_count; k++) {
        cut_slab(e, k);
        for (size_t i = 0; i < e->cut_count; i++) {
            TL_TRY(add_corner(e, &e->lines[k], e->cuts[i].bottom));
            TL_TRY(add_corner(e, &e->lines[k + 1], e->cuts[i].top));
        }
    }
    for (size_t k = 0; k < e->height_count; k++) {
        line *l = &e->lines[k];
        l->count = make_unique(l->x, l->count, e->closest);
        l->first = (uint32_t)e->mesh->vertex_count;
        l->below = tl_allocate(l->count, sizeof *l->below);
        l->above = tl_allocate(l->count, sizeof *l->above);
        if (!l->below || !l->above)
            return tl_fail_memory(e->error, l->count, 2);
        for (size_t i = 0; i < 2 * l->count; i++)
            TL_TRY(tl_mesh_add_vertex(
                e->mesh, (tl_vec3){l->x[i / 2], i % 2 ? e->far : e->near, e->heights[k]},
                e->error));
    }
    return TL_OK;
}

static uint32_t vertex(const line *l, size_t corner, bool far) {
    return l->first + 2 * (uint32_t)corner + far;
}

/* Near and far triangle over three corners that are counter-clockwise in x and z. */
static tl_status add_faces(extrusion *e, const line *l[3], const size_t corner[3]) {
    uint32_t v[2][3];
    for (int k = 0; k < 3; k++)
        for (int far = 0; far < 2; far++)
            v[far][k] = vertex(l[k], corner[k], far);
    TL_TRY(tl_mesh_add_triangle(e->mesh, v[0][0], v[0][1], v[0][2], e->error));
    return tl_mesh_add_triangle(e->mesh, v[1][0], v[1][2], v[1][1], e->error);
}

/* The strip between two corners of one line or of two; what is filled lies to the left of the way
 * from a to b. */
static tl_status add_strip(extrusion *e, const line *a, size_t i, const line *b, size_t j) {
    TL_TRY(tl_mesh_add_triangle(e->mesh, vertex(a, i, false), vertex(a, i, true),
                                vertex(b, j, true), e->error));
    return tl_mesh_add_triangle(e->mesh, vertex(a, i, false), vertex(b, j, true),
                                vertex(b, j, false), e->error);
}

/* The trapezoid between two cuts, with all corners on its lower and upper side. */
static tl_status fill_trapezoid(extrusion *e, line *low, line *high, const cut *left,
                                const cut *right) {
    size_t i = corner_at(low, left->bottom), j = corner_at(high, left->top);
    const size_t i_end = corner_at(low, right->bottom), j_end = corner_at(high, right->top);
    TL_TRY(add_strip(e, high, j, low, i));
    TL_TRY(add_strip(e, low, i_end, high, j_end));
    for (size_t k = i; k < i_end; k++)
        low->above[k] = true;
    for (size_t k = j; k < j_end; k++)
        high->below[k] = true;
    while (i < i_end || j < j_end) {
        const bool along_low =
            j == j_end || (i < i_end && low->x[i + 1] - low->x[i] <= high->x[j + 1] - high->x[j]);
        if (along_low)
            TL_TRY(add_faces(e, (const line *[]){low, low, high}, (const size_t[]){i, i + 1, j}));
        else
            TL_TRY(add_faces(e, (const line *[]){low, high, high}, (const size_t[]){i, j + 1, j}));
        *(along_low ? &i : &j) += 1;
    }
    return TL_OK;
}

static tl_status fill_slabs(extrusion *e) {
    for (size_t k = 0; k + 1 < e->height_count; k++) {
        cut_slab(e, k);
        int winding = 0;
        for (size_t i = 0, left = 0; i < e->cut_count; i++) {
            const int before = winding;
            winding += e->cuts[i].sign;
            if (before == 0)
                left = i;
            if (before != 0 && winding == 0)
                TL_TRY(
                    fill_trapezoid(e, &e->lines[k], &e->lines[k + 1], &e->cuts[left], &e->cuts[i]));
        }
    }
    for (size_t k = 0; k < e->height_count; k++) {
        const line *l = &e->lines[k];
        for (size_t i = 0; i + 1 < l->count; i++)
            if (l->below[i] != l->above[i])
                TL_TRY(l->above[i] ? add_strip(e, l, i, l, i + 1) : add_strip(e, l, i + 1, l, i));
    }
    return TL_OK;
}

static tl_status extrude(extrusion *e, const tl_outline *o) {
    TL_TRY(find_sides(e, o));
    double size = 0;
    for (size_t i = 0; i < o->count; i++)
        size = fmax(size, fmax(fabs(o->points[i][0]), fabs(o->points[i][1])));
    e->closest = 1e-7 * size;
    e->height_count = make_unique(e->heights, e->height_count, e->closest);
    e->lines = tl_allocate(e->height_count, sizeof *e->lines);
    e->cuts = tl_allocate(e->side_count, sizeof *e->cuts);
    if (!e->lines || !e->cuts)
        return tl_fail_memory(e->error, e->height_count, sizeof *e->lines);
    TL_TRY(place_corners(e));
    return fill_slabs(e);
}

tl_status tl_mesh_extrude(tl_mesh *mesh, const tl_outline *outline, double near, double far,
                          tl_error *error) {
    extrusion e = {.mesh = mesh, .near = near, .far = far, .error = error};
    const tl_status status = extrude(&e, outline);
    for (size_t k = 0; e.lines && k < e.height_count; k++) {
        tl_array_free(e.lines[k].x);
        free(e.lines[k].below);
        free(e.lines[k].above);
    }
    free(e.sides);
    tl_array_free(e.heights);
    free(e.lines);
    free(e.cuts);
    return status;
}
