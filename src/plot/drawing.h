/* A drawing: lines, rectangles and text on a page, collected first and then written as SVG or
 * painted as pixels. Both look the same but for the font. Coordinates are pixels, y downwards,
 * pixel centres at halves. */
#ifndef TL_PLOT_DRAWING_H
#define TL_PLOT_DRAWING_H

#include "base/parallel.h"
#include "base/text.h"

/* 0xRRGGBB. */
typedef uint32_t tl_colour;

typedef struct tl_pen {
    tl_colour colour;
    double width;
    double dash; /* length of dashes and of the gaps between them; 0: an unbroken line */
} tl_pen;

typedef enum tl_anchor { TL_ANCHOR_START, TL_ANCHOR_MIDDLE, TL_ANCHOR_END } tl_anchor;

typedef struct tl_lettering {
    tl_colour colour;
    double size; /* capitals are TL_STROKES_CAPITAL of it */
    tl_anchor anchor;
    bool is_bold;
} tl_lettering;

typedef enum tl_shape_kind { TL_SHAPE_LINE, TL_SHAPE_BOX, TL_SHAPE_TEXT } tl_shape_kind;

typedef struct tl_shape {
    tl_shape_kind kind;
    tl_pen pen;             /* of lines; the colour of boxes */
    tl_lettering lettering; /* of text */
    size_t first, count;    /* points: a line's, two corners of a box, the place of a text */
    size_t text;            /* offset of a text, or of a line's name; 0: none */
} tl_shape;

/* Zero-initialise but for the size. As with tl_text, `failed` stays true once memory runs out. */
typedef struct tl_drawing {
    double width, height; /* pixels; whole */
    tl_shape *shapes;
    double *points; /* pairs */
    size_t shape_count, point_count;
    tl_text words; /* zero-terminated texts, one after the other */
    bool failed;
} tl_drawing;

/* A line through `count` points (x, y), with round ends and corners; a dot if there is one. SVG
 * viewers show the name (NULL: none) when the mouse is over it. */
void tl_draw_line(tl_drawing *drawing, const double *points, size_t count, tl_pen pen,
                  const char *name);
void tl_draw_box(tl_drawing *drawing, double x, double y, double width, double height,
                 tl_colour colour);

/* Text (UTF-8) whose baseline begins, has its middle or ends at (x, y). */
void tl_draw_text(tl_drawing *drawing, double x, double y, const char *text, tl_lettering style);

/* Width of a text in pixels. */
double tl_text_width(const char *text, double size);

/* Half the width of the pen that writes text. */
double tl_lettering_radius(const tl_lettering *style);

void tl_drawing_free(tl_drawing *drawing);

/* The drawing as an SVG file on white, whole or not at all. */
tl_status tl_drawing_write_svg(const tl_drawing *drawing, const char *title, const char *path,
                               tl_error *error);

/* Paints the drawing on white: width * height RGB pixels, anti-aliased. */
tl_status tl_drawing_paint(const tl_drawing *drawing, uint8_t *rgb, tl_error *error);

/* The same as a PNG file. */
tl_status tl_drawing_write_png(const tl_drawing *drawing, const tl_parallel *parallel,
                               const char *path, tl_error *error);

#endif
