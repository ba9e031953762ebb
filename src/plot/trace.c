/* See trace.h. */
#include "plot/trace.h"

#include "base/array.h"

#include <math.h>
#include <string.h>

typedef struct point {
    double x, y;
} point;

/* Points of one column of pixels. `order` counts rows, so that the extremes can be put in order. */
typedef struct bucket {
    double column; /* of pixels */
    size_t count, least_order, largest_order;
    point first, least, largest, last;
} bucket;

typedef struct trace {
    double *points;
    size_t count;
    bucket bucket;
} trace;

bool tl_axis_takes(const tl_axis *axis, double value) {
    return fabs(value) < 1e300 && (!axis->is_log || value > 1e-290);
}

static void add(trace *t, point p) {
    const double *last = t->count > 0 ? t->points + 2 * (t->count - 1) : NULL;
    if (last && last[0] == p.x && last[1] == p.y)
        return;
    t->points[2 * t->count] = p.x;
    t->points[2 * t->count + 1] = p.y;
    t->count++;
}

/* Puts the bucket's points into the line. */
static tl_status empty(trace *t, tl_error *error) {
    const bucket *b = &t->bucket;
    if (b->count == 0)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(t->points, 2 * t->count, 2 * (t->count + 4), error));
    const bool least_first = b->least_order < b->largest_order;
    add(t, b->first);
    add(t, least_first ? b->least : b->largest);
    add(t, least_first ? b->largest : b->least);
    add(t, b->last);
    t->bucket.count = 0;
    return TL_OK;
}

static void fill(bucket *b, point p, double column, size_t order) {
    if (b->count++ == 0) {
        *b = (bucket){.column = column,
                      .count = 1,
                      .least_order = order,
                      .largest_order = order,
                      .first = p,
                      .least = p,
                      .largest = p};
    } else if (p.y < b->least.y) {
        b->least = p;
        b->least_order = order;
    } else if (p.y > b->largest.y) {
        b->largest = p;
        b->largest_order = order;
    }
    b->last = p;
}

static tl_status finish(trace *t, tl_trace_fn *draw, void *context, tl_error *error) {
    TL_TRY(empty(t, error));
    if (t->count > 0)
        draw(context, t->points, t->count);
    t->count = 0;
    return TL_OK;
}

tl_status tl_trace(const tl_plot_area *area, const double *x, const double *y, size_t rows,
                   tl_trace_fn *draw, void *context, tl_error *error) {
    trace t = {0};
    tl_status status = TL_OK;
    for (size_t i = 0; i < rows && status == TL_OK; i++) {
        if (!tl_axis_takes(&area->x, x[i]) || !tl_axis_takes(&area->y, y[i])) {
            status = finish(&t, draw, context, error);
            continue;
        }
        const point p = {area->left + area->width * tl_axis_at(&area->x, x[i]),
                         area->top + area->height * (1 - tl_axis_at(&area->y, y[i]))};
        const double column = floor(p.x);
        if (t.bucket.count > 0 && column != t.bucket.column)
            status = empty(&t, error);
        fill(&t.bucket, p, column, i);
    }
    if (status == TL_OK)
        status = finish(&t, draw, context, error);
    tl_array_free(t.points);
    return status;
}
