/* A font of strokes: letters are lines and arcs for a pen of any width, so that text is smooth at
 * every size. Printable ASCII, signs of units and formulas (° ± µ · × Δ − – …), and raised digits
 * (⁻¹²³). Proportional; figures are all of one width. */
#ifndef TL_PLOT_STROKES_H
#define TL_PLOT_STROKES_H

#include "tallow/tallow.h"

/* Heights over the baseline as parts of the size. */
#define TL_STROKES_CAPITAL 0.72
#define TL_STROKES_SMALL   0.51

/* Called with one unbroken line of a letter: `count` points (x, y), y up, in units of the size. */
typedef void tl_stroke_fn(void *context, const double *points, size_t count);

/* Draws text (UTF-8) from the origin to the right. What the font lacks becomes a question mark. */
void tl_strokes_write(const char *text, tl_stroke_fn *draw, void *context);

/* How far the text reaches, in units of the size. */
double tl_strokes_width(const char *text);

#endif
