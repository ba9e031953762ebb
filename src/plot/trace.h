/* The line of a column across the page. Many rows fall on one column of pixels; of those the first,
 * the least, the largest and the last are kept, which draws the same picture as all of them would
 * (the M4 aggregation of Jugel et al., VLDB 2014). Values that are not finite, and those that a
 * logarithmic axis has no place for, break the line. */
#ifndef TL_PLOT_TRACE_H
#define TL_PLOT_TRACE_H

#include "base/error.h"
#include "plot/axis.h"

/* Where the axes lie on the page; y is downwards. */
typedef struct tl_plot_area {
    double left, top, width, height; /* pixels */
    tl_axis x, y;
} tl_plot_area;

/* Whether an axis has a place for a value: one that is finite, with room for sums. */
bool tl_axis_takes(const tl_axis *axis, double value);

/* Called with each unbroken part of the line: `count` points (x, y) in pixels. */
typedef void tl_trace_fn(void *context, const double *points, size_t count);

/* Follows `rows` values over x. Rows need not be in order of x. */
tl_status tl_trace(const tl_plot_area *area, const double *x, const double *y, size_t rows,
                   tl_trace_fn *draw, void *context, tl_error *error);

#endif
