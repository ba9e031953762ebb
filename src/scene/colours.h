/* Colours that have names. */
#ifndef TL_SCENE_COLOURS_H
#define TL_SCENE_COLOURS_H

#include <stdbool.h>

/* NULL-terminated. */
extern const char *const tl_colour_names[];

/* Reads "#rrggbb", "#rgb" or a name into sRGB of 0..1; false for anything else. */
bool tl_colour_read(const char *text, float out[3]);

#endif
