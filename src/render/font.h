/* A small bitmap font: printable ASCII and the signs of units, ° ± ² ³ µ · ×. */
#ifndef TL_RENDER_FONT_H
#define TL_RENDER_FONT_H

#include <stdbool.h>

enum { TL_FONT_WIDTH = 5, TL_FONT_HEIGHT = 9, TL_FONT_ADVANCE = 6 }; /* dots; baseline at row 7 */

/* The glyph at *text (UTF-8), which is moved past it; -1 at the end. What the font lacks becomes a
 * question mark. */
int tl_font_next(const char **text);

/* Whether a glyph has a dot at (x, y), from its top left. */
bool tl_font_dot(int glyph, int x, int y);

#endif
