/* See samples.h. Each shape has a lattice in a frame of its own: columns (u, v) along the surface
 * and layers below it. Points near the surface mark the columns they can feel; marked columns
 * become samples in lattice order, so that the same matter always gives the same samples in the
 * same order. A box takes the lattice of its own corner, and every place in its shell. */
#include "boundary/samples.h"

#include <stdlib.h>
#include <string.h>

/* The lattice of a half-space. */
typedef struct frame {
    tl_vec3 u, v, n;       /* orthonormal; n into the matter */
    double step_u, step_v; /* m: the spacing, fitted to the period */
    double offset;         /* of the surface along n */
    double anchor_u, anchor_v;
    long low_u, low_v, count_u, count_v; /* the marked window */
    long limit_u, limit_v;               /* columns in a period, 0: no period */
} frame;

/* Two axes along the surface; for planes across an axis these are the axes, so that lattices of
 * neighbouring walls and of box-filled matter match. */
static void choose_axes(tl_vec3 n, tl_vec3 *u, tl_vec3 *v) {
    const tl_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int first = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(tl_vec3_dot(n, axes[k])) < fabs(tl_vec3_dot(n, axes[first])) - 1e-9)
            first = k;
    *u = tl_vec3_unit(tl_vec3_mad(axes[first], -tl_vec3_dot(axes[first], n), n));
    *v = tl_vec3_cross(n, *u);
}

/* Period along a lattice axis that is a coordinate axis; 0 otherwise. */
static double period_along(tl_vec3 axis, const double period[3]) {
    const double c[3] = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
    for (int k = 0; k < 3; k++)
        if (c[k] > 1 - 1e-9)
            return period[k];
    return 0;
}

static frame make_frame(const tl_shape *shape, const tl_sampling *s) {
    frame f = {.n = shape->normal, .step_u = s->spacing, .step_v = s->spacing};
    choose_axes(f.n, &f.u, &f.v);
    f.offset = shape->offset - tl_vec3_dot(shape->normal, s->origin);
    const tl_vec3 anchor = tl_vec3_sub(s->anchor, s->origin);
    f.anchor_u = tl_vec3_dot(f.u, anchor);
    f.anchor_v = tl_vec3_dot(f.v, anchor);
    const double period_u = period_along(f.u, s->period), period_v = period_along(f.v, s->period);
    if (period_u > 0) {
        f.limit_u = lround(period_u / s->spacing);
        f.step_u = period_u / (double)f.limit_u;
        if (tl_vec3_dot(f.u, (tl_vec3){1, 1, 1}) < 0)
            f.anchor_u -= period_u;
    }
    if (period_v > 0) {
        f.limit_v = lround(period_v / s->spacing);
        f.step_v = period_v / (double)f.limit_v;
        if (tl_vec3_dot(f.v, (tl_vec3){1, 1, 1}) < 0)
            f.anchor_v -= period_v;
    }
    return f;
}

static tl_vec3 place_of(const float *p) {
    return (tl_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* Column coordinates of a point; the centre of column k is at k. */
static double column_u(const frame *f, tl_vec3 x) {
    return (tl_vec3_dot(f->u, x) - f->anchor_u) / f->step_u - 0.5;
}
static double column_v(const frame *f, tl_vec3 x) {
    return (tl_vec3_dot(f->v, x) - f->anchor_v) / f->step_v - 0.5;
}

/* The window of columns that any near point can feel. False when no point is near. */
static bool find_window(frame *f, double reach, const float *places, size_t stride, size_t count) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        const tl_vec3 x = place_of(places + stride * i);
        if (tl_vec3_dot(f->n, x) - f->offset >= reach)
            continue;
        const double c[2] = {column_u(f, x), column_v(f, x)};
        for (int k = 0; k < 2; k++) {
            low[k] = c[k] < low[k] ? c[k] : low[k];
            high[k] = c[k] > high[k] ? c[k] : high[k];
        }
    }
    if (low[0] > high[0])
        return false;
    const double margin_u = reach / f->step_u, margin_v = reach / f->step_v;
    f->low_u = (long)floor(low[0] - margin_u);
    f->low_v = (long)floor(low[1] - margin_v);
    f->count_u = (long)ceil(high[0] + margin_u) - f->low_u + 1;
    f->count_v = (long)ceil(high[1] + margin_v) - f->low_v + 1;
    return true;
}

/* Marks the columns within reach of one point. */
static void mark_columns(const frame *f, double reach, tl_vec3 x, unsigned char *marks) {
    const double cu = column_u(f, x), cv = column_v(f, x);
    const double ru = reach / f->step_u, rv = reach / f->step_v;
    for (long v = (long)ceil(cv - rv); v <= (long)floor(cv + rv); v++)
        for (long u = (long)ceil(cu - ru); u <= (long)floor(cu + ru); u++)
            marks[(v - f->low_v) * f->count_u + (u - f->low_u)] = 1;
}

static tl_status add_sample(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                            const tl_sampling *s, tl_vec3 x, tl_vec3 normal, tl_error *error) {
    /* Solids overlap in corners: the first shape keeps the place. */
    const tl_vec3 world = tl_vec3_add(x, s->origin);
    for (size_t other = 0; other < shape; other++) {
        tl_vec3 ignored;
        if (tl_shape_distance(&shapes->items[other], world, &ignored) < -1e-6 * s->spacing)
            return TL_OK;
    }
    TL_TRY(
        TL_RESERVE(samples->items, samples->capacity, samples->count, samples->count + 1, error));
    samples->items[samples->count++] =
        (tl_sample){{(float)x.x, (float)x.y, (float)x.z},
                    {(float)normal.x, (float)normal.y, (float)normal.z},
                    (uint32_t)shape};
    return TL_OK;
}

static tl_status sample_half_space(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                                   const tl_sampling *s, const float *places, size_t stride,
                                   size_t count, tl_error *error) {
    frame f = make_frame(&shapes->items[shape], s);
    if (!find_window(&f, s->reach, places, stride, count))
        return TL_OK;
    const size_t columns = (size_t)f.count_u * (size_t)f.count_v;
    TL_TRY(TL_RESERVE(samples->marks, samples->mark_capacity, 0, columns, error));
    memset(samples->marks, 0, columns);
    for (size_t i = 0; i < count; i++) {
        const tl_vec3 x = place_of(places + stride * i);
        if (tl_vec3_dot(f.n, x) - f.offset < s->reach)
            mark_columns(&f, s->reach, x, samples->marks);
    }
    /* A layer at depth `depth` or more is out of reach of all that is on the right side. */
    const int layers = (int)ceil(s->depth / s->spacing - 0.5 - 1e-9);
    for (long v = 0; v < f.count_v; v++)
        for (long u = 0; u < f.count_u; u++) {
            const long ku = u + f.low_u, kv = v + f.low_v;
            const bool beyond = (f.limit_u && (ku < 0 || ku >= f.limit_u)) ||
                                (f.limit_v && (kv < 0 || kv >= f.limit_v));
            if (beyond || !samples->marks[v * f.count_u + u])
                continue;
            const double at_u = f.anchor_u + ((double)ku + 0.5) * f.step_u;
            const double at_v = f.anchor_v + ((double)kv + 0.5) * f.step_v;
            for (int layer = 0; layer < layers; layer++) {
                const double at_n = f.offset - ((double)layer + 0.5) * s->spacing;
                const tl_vec3 x =
                    tl_vec3_mad(tl_vec3_mad(tl_vec3_scale(f.u, at_u), at_v, f.v), at_n, f.n);
                TL_TRY(add_sample(samples, shapes, shape, s, x, f.n, error));
            }
        }
    return TL_OK;
}

/* The lattice points in the shell of a box, from its low corner. */
static tl_status sample_box(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                            const tl_sampling *s, tl_error *error) {
    const tl_shape *box = &shapes->items[shape];
    const tl_vec3 size = tl_vec3_sub(box->to, box->from);
    /* A plate thinner than the spacing has one layer still: matter must feel it. */
    const long n[3] = {lround(fmax(size.x / s->spacing, 1)), lround(fmax(size.y / s->spacing, 1)),
                       lround(fmax(size.z / s->spacing, 1))};
    const double step[3] = {size.x / (double)n[0], size.y / (double)n[1], size.z / (double)n[2]};
    for (long z = 0; z < n[2]; z++)
        for (long y = 0; y < n[1]; y++)
            for (long x = 0; x < n[0]; x++) {
                const tl_vec3 place = {box->from.x + ((double)x + 0.5) * step[0],
                                       box->from.y + ((double)y + 0.5) * step[1],
                                       box->from.z + ((double)z + 0.5) * step[2]};
                tl_vec3 normal;
                if (tl_shape_distance(box, place, &normal) > -s->depth)
                    TL_TRY(add_sample(samples, shapes, shape, s, tl_vec3_sub(place, s->origin),
                                      normal, error));
            }
    return TL_OK;
}

tl_status tl_samples_make(tl_samples *samples, const tl_shapes *shapes, const tl_sampling *sampling,
                          const float *places, size_t stride, size_t count, tl_error *error) {
    samples->count = 0;
    for (size_t shape = 0; shape < shapes->count; shape++)
        TL_TRY(shapes->items[shape].is_box ? sample_box(samples, shapes, shape, sampling, error)
                                           : sample_half_space(samples, shapes, shape, sampling,
                                                               places, stride, count, error));
    return TL_OK;
}

void tl_samples_free(tl_samples *samples) {
    free(samples->items);
    free(samples->marks);
    *samples = (tl_samples){0};
}
