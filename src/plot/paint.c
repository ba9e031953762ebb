/* Drawings as pixels. A line is a chain of capsules: a pixel is covered as far as its centre is
 * inside, with a ramp one pixel wide at the edge. What belongs to one line or text is gathered in a
 * mask first, by the largest coverage, and blended once, so that joints and crossings of a line
 * with itself do not show. */
#include "base/memory.h"
#include "output/png.h"
#include "plot/drawing.h"
#include "plot/strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct canvas {
    uint8_t *rgb, *mask; /* the mask is zero outside of a shape being painted */
    int width, height;
    int left, top, right, bottom; /* touched part of the mask; right and bottom exclusive */
} canvas;

static int clamp(double value, int low, int high) {
    return !(value > low) ? low : value >= high ? high : (int)value;
}

/* The pixels of row y that a segment may cover: none are tried far from a long slanted line. */
static void find_span(const canvas *c, const double a[2], const double b[2], double reach, int y,
                      int *left, int *right) {
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    double t0 = 0, t1 = 1;
    if (dy != 0) {
        const double s = (y + 0.5 - reach - a[1]) / dy, e = (y + 0.5 + reach - a[1]) / dy;
        t0 = fmin(fmax(fmin(s, e), 0), 1);
        t1 = fmin(fmax(fmax(s, e), 0), 1);
    }
    *left = clamp(floor(a[0] + fmin(t0 * dx, t1 * dx) - reach), 0, c->width);
    *right = clamp(ceil(a[0] + fmax(t0 * dx, t1 * dx) + reach), 0, c->width);
}

/* Covers the pixels within `radius` of the segment from a to b. */
static void cover(canvas *c, const double a[2], const double b[2], double radius) {
    const double reach = radius + 0.5, dx = b[0] - a[0], dy = b[1] - a[1];
    const double inverse = dx * dx + dy * dy > 0 ? 1 / (dx * dx + dy * dy) : 0;
    const int top = clamp(floor(fmin(a[1], b[1]) - reach), 0, c->height),
              bottom = clamp(ceil(fmax(a[1], b[1]) + reach), 0, c->height);
    for (int y = top; y < bottom; y++) {
        int left, right;
        find_span(c, a, b, reach, y, &left, &right);
        c->left = left < c->left ? left : c->left;
        c->right = right > c->right ? right : c->right;
        for (int x = left; x < right; x++) {
            const double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
            const double t = fmin(fmax((px * dx + py * dy) * inverse, 0), 1);
            const double inside = reach - hypot(px - t * dx, py - t * dy);
            if (inside <= 0)
                continue;
            const uint8_t value = (uint8_t)lround(255 * fmin(inside, 1));
            uint8_t *mask = &c->mask[(size_t)y * (size_t)c->width + (size_t)x];
            *mask = value > *mask ? value : *mask;
        }
    }
    c->top = top < c->top ? top : c->top;
    c->bottom = bottom > c->bottom ? bottom : c->bottom;
}

static void begin_shape(canvas *c) {
    c->left = c->width, c->top = c->height;
    c->right = c->bottom = 0;
}

static void end_shape(canvas *c, tl_colour colour) {
    const int ink[3] = {colour >> 16 & 255, colour >> 8 & 255, colour & 255};
    for (int y = c->top; y < c->bottom; y++)
        for (int x = c->left; x < c->right; x++) {
            const size_t at = (size_t)y * (size_t)c->width + (size_t)x;
            const int part = c->mask[at];
            for (int k = 0; part && k < 3; k++)
                c->rgb[3 * at + (size_t)k] =
                    (uint8_t)((c->rgb[3 * at + (size_t)k] * (255 - part) + ink[k] * part + 127) /
                              255);
            c->mask[at] = 0;
        }
}

/* The dashes of a segment; `phase` is how far the pattern has come. */
static double cover_dashes(canvas *c, const double a[2], const double b[2], const tl_pen *pen,
                           double phase) {
    const double length = hypot(b[0] - a[0], b[1] - a[1]), period = 2 * pen->dash;
    if (!(length > 0))
        return phase;
    for (double from = -phase; from < length; from += period) {
        const double s = fmax(from, 0) / length, e = fmin(from + pen->dash, length) / length;
        if (e <= 0)
            continue;
        const double p[2] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])};
        const double q[2] = {a[0] + e * (b[0] - a[0]), a[1] + e * (b[1] - a[1])};
        cover(c, p, q, 0.5 * pen->width);
    }
    return fmod(phase + length, period);
}

static void paint_line(canvas *c, const double *points, size_t count, const tl_pen *pen) {
    double phase = 0;
    if (count == 1)
        cover(c, points, points, 0.5 * pen->width);
    for (size_t i = 1; i < count; i++, points += 2)
        if (pen->dash > 0)
            phase = cover_dashes(c, points, points + 2, pen, phase);
        else
            cover(c, points, points + 2, 0.5 * pen->width);
}

static void paint_box(canvas *c, const double *corners, tl_colour colour) {
    const int right = clamp(round(corners[2]), 0, c->width),
              bottom = clamp(round(corners[3]), 0, c->height);
    for (int y = clamp(round(corners[1]), 0, c->height); y < bottom; y++)
        for (int x = clamp(round(corners[0]), 0, c->width); x < right; x++)
            for (int k = 0; k < 3; k++)
                c->rgb[3 * ((size_t)y * (size_t)c->width + (size_t)x) + (size_t)k] =
                    (uint8_t)(colour >> (16 - 8 * k));
}

/* ---- Text ---------------------------------------------------------------------------------- */

typedef struct writer {
    canvas *canvas;
    double x, y, size, radius;
} writer;

static void paint_stroke(void *context, const double *points, size_t count) {
    const writer *w = context;
    double last[2] = {0};
    for (size_t i = 0; i < count; i++) {
        const double p[2] = {w->x + w->size * points[2 * i], w->y - w->size * points[2 * i + 1]};
        if (i > 0 || count == 1)
            cover(w->canvas, i > 0 ? last : p, p, w->radius);
        memcpy(last, p, sizeof last);
    }
}

static void paint_text(canvas *c, const double place[2], const char *text,
                       const tl_lettering *style) {
    const double shift[] = {0, 0.5, 1};
    writer w = {.canvas = c,
                .x = place[0] - shift[style->anchor] * tl_text_width(text, style->size),
                .y = place[1],
                .size = style->size,
                .radius = tl_lettering_radius(style)};
    tl_strokes_write(text, paint_stroke, &w);
}

/* ---- All ----------------------------------------------------------------------------------- */

tl_status tl_drawing_paint(const tl_drawing *d, uint8_t *rgb, tl_error *error) {
    canvas c = {.rgb = rgb, .width = (int)d->width, .height = (int)d->height};
    const size_t pixels = (size_t)c.width * (size_t)c.height;
    c.mask = d->failed ? NULL : tl_allocate(pixels, 1);
    if (!c.mask)
        return tl_fail_memory(error, pixels, 1);
    memset(rgb, 255, 3 * pixels);
    for (size_t i = 0; i < d->shape_count; i++) {
        const tl_shape *shape = &d->shapes[i];
        const double *points = d->points + 2 * shape->first;
        begin_shape(&c);
        switch (shape->kind) {
        case TL_SHAPE_LINE:
            paint_line(&c, points, shape->count, &shape->pen);
            end_shape(&c, shape->pen.colour);
            break;
        case TL_SHAPE_BOX: paint_box(&c, points, shape->pen.colour); break;
        case TL_SHAPE_TEXT:
            paint_text(&c, points, d->words.bytes + shape->text, &shape->lettering);
            end_shape(&c, shape->lettering.colour);
            break;
        }
    }
    free(c.mask);
    return TL_OK;
}

tl_status tl_drawing_write_png(const tl_drawing *d, const tl_parallel *parallel, const char *path,
                               tl_error *error) {
    const size_t width = (size_t)d->width, height = (size_t)d->height;
    uint8_t *rgb = tl_allocate(width * height, 3);
    if (!rgb)
        return tl_fail_memory(error, width * height, 3);
    tl_status status = tl_drawing_paint(d, rgb, error);
    if (status == TL_OK)
        status = tl_png_write(path, rgb, width, height, parallel, error);
    free(rgb);
    return status;
}
