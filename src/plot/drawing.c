/* See drawing.h. */
#include "plot/drawing.h"

#include "base/array.h"
#include "plot/strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tl_shape *add_shape(tl_drawing *d, tl_shape_kind kind, size_t points) {
    if (d->failed ||
        TL_ARRAY_RESERVE(d->shapes, d->shape_count, d->shape_count + 1, NULL) != TL_OK ||
        TL_ARRAY_RESERVE(d->points, 2 * d->point_count, 2 * (d->point_count + points), NULL) !=
            TL_OK) {
        d->failed = true;
        return NULL;
    }
    tl_shape *shape = &d->shapes[d->shape_count++];
    *shape = (tl_shape){.kind = kind, .first = d->point_count, .count = points};
    d->point_count += points;
    return shape;
}

static size_t keep_text(tl_drawing *d, const char *text) {
    if (d->words.length == 0)
        tl_text_add(&d->words, "", 1); /* so that no text is at 0 */
    const size_t at = d->words.length;
    tl_text_add(&d->words, text, strlen(text) + 1);
    d->failed = d->failed || d->words.failed;
    return at;
}

void tl_draw_line(tl_drawing *d, const double *points, size_t count, tl_pen pen, const char *name) {
    tl_shape *shape = count > 0 ? add_shape(d, TL_SHAPE_LINE, count) : NULL;
    if (!shape)
        return;
    memcpy(d->points + 2 * shape->first, points, 2 * count * sizeof *points);
    shape->pen = pen;
    shape->text = name ? keep_text(d, name) : 0;
}

void tl_draw_box(tl_drawing *d, double x, double y, double width, double height, tl_colour colour) {
    tl_shape *shape = add_shape(d, TL_SHAPE_BOX, 2);
    if (!shape)
        return;
    const double corners[] = {x, y, x + width, y + height};
    memcpy(d->points + 2 * shape->first, corners, sizeof corners);
    shape->pen.colour = colour;
}

void tl_draw_text(tl_drawing *d, double x, double y, const char *text, tl_lettering style) {
    tl_shape *shape = *text ? add_shape(d, TL_SHAPE_TEXT, 1) : NULL;
    if (!shape)
        return;
    d->points[2 * shape->first] = x;
    d->points[2 * shape->first + 1] = y;
    shape->lettering = style;
    shape->text = keep_text(d, text);
}

double tl_text_width(const char *text, double size) { return size * tl_strokes_width(text); }

double tl_lettering_radius(const tl_lettering *style) {
    return fmax(0.5 * style->size * (style->is_bold ? 0.115 : 0.078), style->is_bold ? 0.7 : 0.5);
}

void tl_drawing_free(tl_drawing *d) {
    TL_ARRAYS_FREE(d->shapes, d->points);
    free(d->words.bytes);
    *d = (tl_drawing){.width = d->width, .height = d->height};
}
