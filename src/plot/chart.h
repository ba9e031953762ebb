/* A chart: lines over one axis, with a title, light grid lines, and a name at the end of each line
 * where there is room, else in a legend. */
#ifndef TL_PLOT_CHART_H
#define TL_PLOT_CHART_H

#include "plot/drawing.h"

enum { TL_CHART_SERIES = 48 };

typedef struct tl_series {
    const char *name;
    const double *values;
} tl_series;

typedef struct tl_chart {
    const char *title, *note;                      /* the note stands beside the unit; may be "" */
    const char *x_name, *x_unit, *y_name, *y_unit; /* units SI; any may be "" */
    const double *x;
    size_t rows;
    tl_series series[TL_CHART_SERIES];
    size_t series_count;
    bool log_x, log_y;
    double least_left, least_right; /* pixels beside the plot at least, to align charts */
} tl_chart;

/* The pixels that the chart needs beside the plot. */
void tl_chart_margins(const tl_chart *chart, double width, double height, double *left,
                      double *right);

/* Draws the chart into a rectangle of the page. Values that cannot be shown are left out and
 * counted in the note. */
tl_status tl_chart_draw(const tl_chart *chart, tl_drawing *page, double x, double y, double width,
                        double height, tl_error *error);

/* Size of the text in a chart of this size. */
double tl_chart_text_size(double width, double height);

/* Draws text that is cut short with "…" where it is wider than `room`. */
void tl_draw_text_within(tl_drawing *page, double x, double y, const char *text, double room,
                         tl_lettering style);

#endif
