/* See chart.h. */
#include "plot/chart.h"

#include "base/text.h"
#include "plot/strokes.h"
#include "plot/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Colours that people with any colour vision tell apart: Okabe and Ito 2008, without the yellow
 * that is too light for a line. After a round of them lines are dashed. */
static const tl_colour palette[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                    0xe69f00, 0x56b4e9, 0x222222};
enum { COLOURS = sizeof palette / sizeof *palette, FEW_ROWS = 40 };

static const tl_colour INK = 0x222222, FAINT_INK = 0x5c5c5c, GRID = 0xe4e4e4, ZERO = 0xa8a8a8,
                       FRAME = 0x888888;

/* A chart being drawn. */
typedef struct sheet {
    const tl_chart *chart;
    tl_drawing *page;
    double x, y, width, height; /* of the whole chart */
    double size;                /* of text */
    tl_plot_area area;
    size_t hidden_count; /* values that cannot be shown */
    bool is_empty, is_constant, is_whole, has_end_labels;
    double constant;             /* what all values are, if is_constant */
    double end[TL_CHART_SERIES]; /* y of the last point of each line */
} sheet;

double tl_chart_text_size(double width, double height) {
    return fmin(fmax(fmin(height / 40, width / 56), 11.5), 48);
}

static tl_pen pen_of(const sheet *s, size_t series) {
    return (tl_pen){.colour = palette[series % COLOURS],
                    .width = fmax(s->size / 8, 1.5),
                    .dash = series >= COLOURS ? s->size / 2 : 0};
}

/* Lettering in a line's colour is darker, to be read as well as the line is seen. */
static tl_colour darken(tl_colour c) {
    tl_colour out = 0;
    for (int k = 0; k < 3; k++)
        out |= (c >> 8 * k & 255) * 3 / 4 << 8 * k;
    return out;
}

void tl_draw_text_within(tl_drawing *page, double x, double y, const char *text, double room,
                         tl_lettering style) {
    char cut[256];
    size_t length = strlen(text);
    if (length < sizeof cut && tl_text_width(text, style.size) <= room) {
        tl_draw_text(page, x, y, text, style);
        return;
    }
    length = length < sizeof cut - 4 ? length : sizeof cut - 4;
    for (; length > 0; length--) {
        if (((unsigned char)text[length] & 0xC0) == 0x80)
            continue; /* not within a letter */
        snprintf(cut, sizeof cut, "%.*s…", (int)length, text);
        if (tl_text_width(cut, style.size) <= room) {
            tl_draw_text(page, x, y, cut, style);
            return;
        }
    }
}

/* ---- Ranges -------------------------------------------------------------------------------- */

typedef struct range {
    double low, high;
} range;

static void include(range *r, double value) {
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static void find_ranges(sheet *s, range *x, range *y) {
    const tl_chart *c = s->chart;
    const tl_axis along = {.is_log = c->log_x}, up = {.is_log = c->log_y};
    *x = *y = (range){HUGE_VAL, -HUGE_VAL};
    s->is_whole = true;
    for (size_t i = 0; i < c->rows; i++) {
        const bool has_x = tl_axis_takes(&along, c->x[i]);
        if (has_x)
            include(x, c->x[i]);
        for (size_t k = 0; k < c->series_count; k++) {
            const double value = c->series[k].values[i];
            if (!has_x || !tl_axis_takes(&up, value)) {
                s->hidden_count++;
                continue;
            }
            include(y, value);
            s->is_whole = s->is_whole && value == floor(value);
        }
    }
    s->is_empty = !(x->high >= x->low) || !(y->high >= y->low);
    s->is_constant = c->rows > 1 && y->high == y->low;
    s->constant = y->low;
}

/* ---- Layout -------------------------------------------------------------------------------- */

static double widest_name(const sheet *s) {
    double width = 0;
    for (size_t k = 0; k < s->chart->series_count; k++)
        width = fmax(width, tl_text_width(s->chart->series[k].name, s->size));
    return width;
}

static double legend_entry(const sheet *s) { return widest_name(s) + 4 * s->size; }

static size_t legend_columns(const sheet *s) {
    const double fit = floor((s->width - 3 * s->size) / legend_entry(s));
    return fit > 1 ? (size_t)fit : 1;
}

/* Room above the plot: title, note and, with several lines that have no label, a legend. */
static double top_margin(const sheet *s) {
    const size_t lines = s->chart->series_count, columns = legend_columns(s);
    double margin = 4.5 * s->size;
    if (lines > 1 && !s->has_end_labels)
        margin += 1.5 * s->size * (double)((lines + columns - 1) / columns);
    return margin;
}

static double widest_label(const tl_axis *axis, double size) {
    double width = 0;
    for (size_t i = 0; i < axis->tick_count; i++)
        width = fmax(width, tl_text_width(axis->tick[i].label, size));
    return width;
}

static void lay_out(sheet *s) {
    const double size = s->size;
    range x, y;
    find_ranges(s, &x, &y);
    if (s->is_empty)
        x = y = (range){1, 10};
    const double beside = widest_name(s);
    const double height = s->height - 4.5 * size - 3.8 * size;
    s->has_end_labels = s->chart->series_count > 1 && !s->is_empty && beside < 0.3 * s->width &&
                        1.3 * size * (double)s->chart->series_count < height;
    tl_plot_area *area = &s->area;
    area->top = floor(s->y + top_margin(s)) + 0.5;
    area->height = fmax(floor(s->y + s->height - 3.8 * size - area->top), 1);
    double ticks = fmax(area->height / (3 * size), 2);
    if (s->is_whole && y.high > y.low) /* counts have no ticks between them */
        ticks = fmin(ticks, y.high - y.low);
    tl_axis_choose(y.low, y.high, s->chart->y_unit, s->chart->log_y, false, (int)ticks, &area->y);
    area->left =
        ceil(s->x + fmax(1.6 * size + widest_label(&area->y, size), s->chart->least_left)) + 0.5;
    /* Fonts that SVG viewers choose may be wider than ours. */
    const double right =
        fmax(s->has_end_labels ? 1.1 * beside + 2.2 * size : 1.6 * size, s->chart->least_right);
    area->width = fmax(floor(s->x + s->width - right - area->left), 1);
    tl_axis_choose(x.low, x.high, s->chart->x_unit, s->chart->log_x, true,
                   (int)fmax(area->width / (5 * size), 2), &area->x);
}

static double page_x(const sheet *s, double value) {
    return s->area.left + s->area.width * tl_axis_at(&s->area.x, value);
}

static double page_y(const sheet *s, double value) {
    return s->area.top + s->area.height * (1 - tl_axis_at(&s->area.y, value));
}

/* On the middle of a pixel, where a thin line is sharp. */
static double sharp(double value) { return floor(value) + 0.5; }

/* ---- Axes ---------------------------------------------------------------------------------- */

static void rule(const sheet *s, double x0, double y0, double x1, double y1, tl_colour colour) {
    tl_draw_line(s->page, (const double[]){x0, y0, x1, y1}, 2, (tl_pen){colour, 1, 0}, NULL);
}

static void draw_axes(const sheet *s) {
    const tl_plot_area *a = &s->area;
    const double right = a->left + a->width, bottom = a->top + a->height;
    tl_lettering style = {FAINT_INK, s->size, TL_ANCHOR_END, false};
    for (size_t i = 0; i < a->y.tick_count; i++) {
        const tl_tick *tick = &a->y.tick[i];
        const double y = sharp(page_y(s, tick->value));
        rule(s, a->left, y, right, y, !a->y.is_log && tick->value == 0 ? ZERO : GRID);
        tl_draw_text(s->page, a->left - 0.6 * s->size, y + 0.5 * TL_STROKES_CAPITAL * s->size,
                     tick->label, style);
    }
    style.anchor = TL_ANCHOR_MIDDLE;
    double used = -HUGE_VAL; /* labels that would touch the one before are left out */
    for (size_t i = 0; i < a->x.tick_count; i++) {
        const tl_tick *tick = &a->x.tick[i];
        const double x = sharp(page_x(s, tick->value));
        const double half = 0.5 * tl_text_width(tick->label, s->size);
        rule(s, x, bottom, x, bottom + 0.35 * s->size, FRAME);
        if (x - half < used + 0.4 * s->size)
            continue;
        tl_draw_text(s->page, x, bottom + 1.45 * s->size, tick->label, style);
        used = x + half;
    }
    rule(s, a->left, sharp(bottom), right, sharp(bottom), FRAME);
}

static void draw_x_name(const sheet *s) {
    const tl_plot_area *a = &s->area;
    char name[160];
    snprintf(name, sizeof name, "%.64s%s%s%s", s->chart->x_name, *a->x.unit ? ", " : "", a->x.unit,
             a->x.is_log ? ", logarithmic" : "");
    tl_draw_text_within(s->page, a->left + 0.5 * a->width, a->top + a->height + 3 * s->size, name,
                        a->width, (tl_lettering){FAINT_INK, s->size, TL_ANCHOR_MIDDLE, false});
}

static void draw_heading(const sheet *s) {
    const tl_chart *c = s->chart;
    const double x = s->x + s->size, room = s->width - 2 * s->size;
    tl_text note = {0};
    tl_draw_text_within(s->page, x, s->y + 1.7 * s->size, c->title, room,
                        (tl_lettering){INK, 1.2 * s->size, TL_ANCHOR_START, true});
    const char *const parts[] = {c->y_name, s->is_empty ? "" : s->area.y.unit,
                                 c->log_y ? "logarithmic" : "", c->note};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        tl_text_print(&note, "%s%s", note.length > 0 && *parts[i] ? ", " : "", parts[i]);
    if (s->is_constant)
        tl_text_print(&note, "%sconstant: %.6g %s", note.length > 0 ? "; " : "", s->constant,
                      c->y_unit);
    if (s->hidden_count > 0)
        tl_text_print(&note, "%s%zu value%s left out: not %s", note.length > 0 ? "; " : "",
                      s->hidden_count, s->hidden_count == 1 ? "" : "s",
                      c->log_x || c->log_y ? "positive" : "finite");
    if (note.bytes)
        tl_draw_text_within(s->page, x, s->y + 3.25 * s->size, note.bytes, room,
                            (tl_lettering){FAINT_INK, s->size, TL_ANCHOR_START, false});
    s->page->failed = s->page->failed || note.failed;
    free(note.bytes);
}

/* ---- Lines --------------------------------------------------------------------------------- */

typedef struct line_pen {
    sheet *sheet;
    size_t series;
} line_pen;

static void draw_part(void *context, const double *points, size_t count) {
    const line_pen *p = context;
    sheet *s = p->sheet;
    const tl_pen pen = pen_of(s, p->series);
    tl_pen dot = {pen.colour, 2.6 * pen.width, 0};
    tl_draw_line(s->page, points, count, count > 1 ? pen : dot, s->chart->series[p->series].name);
    for (size_t i = 0; s->chart->rows <= FEW_ROWS && count > 1 && i < count; i++)
        tl_draw_line(s->page, points + 2 * i, 1, dot, NULL);
    s->end[p->series] = points[2 * count - 1];
}

static tl_status draw_lines(sheet *s, tl_error *error) {
    const tl_chart *c = s->chart;
    /* The first lines are the most important: they are drawn last. */
    for (size_t k = c->series_count; k-- > 0;) {
        line_pen p = {s, k};
        s->end[k] = s->area.top + s->area.height;
        TL_TRY(tl_trace(&s->area, c->x, c->series[k].values, c->rows, draw_part, &p, error));
    }
    return TL_OK;
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Moves labels apart, each as little as can be: isotonic regression of y[i] - i * gap, which are
 * pooled where they fall out of order. `y` ascends. */
static void spread(double *y, size_t count, double gap, double low, double high) {
    double sum[TL_CHART_SERIES];
    size_t size[TL_CHART_SERIES], pools = 0;
    for (size_t i = 0; i < count; i++) {
        sum[pools] = y[i] - gap * (double)i;
        size[pools++] = 1;
        while (pools > 1 && sum[pools - 2] * (double)size[pools - 1] >
                                sum[pools - 1] * (double)size[pools - 2]) {
            sum[pools - 2] += sum[pools - 1];
            size[pools - 2] += size[pools - 1];
            pools--;
        }
    }
    const double highest = high - gap * (double)(count - 1);
    size_t i = 0;
    for (size_t p = 0; p < pools; p++)
        for (size_t n = 0; n < size[p]; n++, i++)
            y[i] = fmax(fmin(sum[p] / (double)size[p], highest), low) + gap * (double)i;
}

static void draw_end_labels(const sheet *s) {
    const size_t count = s->chart->series_count;
    const double right = s->area.left + s->area.width;
    size_t order[TL_CHART_SERIES];
    double y[TL_CHART_SERIES];
    for (size_t i = 0; i < count; i++) { /* insertion sort by height */
        size_t at = i;
        for (; at > 0 && s->end[order[at - 1]] > s->end[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t i = 0; i < count; i++)
        y[i] = s->end[order[i]];
    spread(y, count, 1.3 * s->size, s->area.top, s->area.top + s->area.height);
    for (size_t i = 0; i < count; i++) {
        const tl_pen pen = pen_of(s, order[i]);
        const double leader[] = {right + 0.3 * s->size, s->end[order[i]], right + 1.1 * s->size,
                                 y[i]};
        tl_draw_line(s->page, leader, 2, (tl_pen){pen.colour, 1, 0}, NULL);
        tl_draw_text(s->page, right + 1.5 * s->size, y[i] + 0.5 * TL_STROKES_SMALL * s->size,
                     s->chart->series[order[i]].name,
                     (tl_lettering){darken(pen.colour), s->size, TL_ANCHOR_START, false});
    }
}

static void draw_legend(const sheet *s) {
    const size_t columns = legend_columns(s);
    for (size_t k = 0; k < s->chart->series_count; k++) {
        const double x = s->x + s->size + legend_entry(s) * (double)(k % columns);
        const double y = s->y + (4.8 + 1.5 * (double)(k / columns)) * s->size;
        const double middle = y - 0.5 * TL_STROKES_SMALL * s->size;
        const tl_pen pen = pen_of(s, k);
        tl_draw_line(s->page, (const double[]){x, middle, x + 1.6 * s->size, middle}, 2, pen, NULL);
        tl_draw_text_within(s->page, x + 2.2 * s->size, y, s->chart->series[k].name,
                            s->width - 4 * s->size,
                            (tl_lettering){darken(pen.colour), s->size, TL_ANCHOR_START, false});
    }
}

void tl_chart_margins(const tl_chart *chart, double width, double height, double *left,
                      double *right) {
    sheet s = {.chart = chart,
               .width = width,
               .height = height,
               .size = tl_chart_text_size(width, height)};
    lay_out(&s);
    *left = s.area.left - 0.5;
    *right = width - (s.area.left - 0.5 + s.area.width);
}

tl_status tl_chart_draw(const tl_chart *chart, tl_drawing *page, double x, double y, double width,
                        double height, tl_error *error) {
    sheet s = {.chart = chart,
               .page = page,
               .x = x,
               .y = y,
               .width = width,
               .height = height,
               .size = tl_chart_text_size(width, height)};
    lay_out(&s);
    draw_heading(&s);
    if (s.is_empty) {
        tl_draw_text(page, x + 0.5 * width, y + 0.5 * height, "no value to show",
                     (tl_lettering){FAINT_INK, s.size, TL_ANCHOR_MIDDLE, false});
        return TL_OK;
    }
    draw_axes(&s);
    draw_x_name(&s);
    TL_TRY(draw_lines(&s, error));
    if (s.has_end_labels)
        draw_end_labels(&s);
    else if (chart->series_count > 1)
        draw_legend(&s);
    return TL_OK;
}
