/* The flames of a scene as pictures show them, and how bright the day is beside them and beside
 * matter that glows. The scene tells whether it is day, not the frame: a film does not darken when
 * a flame is lit or the first hot drop appears, nor brighten when the last is gone. */
#ifndef TL_RUN_PICTURE_LIGHT_H
#define TL_RUN_PICTURE_LIGHT_H

#include "run/picture_looks.h"

/* The light of a flame: sRGB; its strength, at so many widths from it. It is as large as the flame
 * is, from wherever one looks. */
extern const float tl_flame_colour[3];
#define TL_FLAME_LIGHT    1.1f
#define TL_FLAME_DISTANCE 4.0

/* False when matter is coloured by a field: it is to be read, and lit evenly. */
bool tl_shot_is_lifelike(const tl_shot *shot);

/* 1, or less for a dim sky. */
float tl_shot_daylight(const tl_shot *shot);

/* °C of the hottest matter that the scene starts with or pours, if it glows; else 0. Pictures are
 * exposed for it, all alike. */
float tl_shot_hottest(const tl_shot *shot);

/* The flame of a source at a time (s); false when it has none: sources that are discs are heaters,
 * and dark, and so is one without power. A flame is `spacing` thick when its source is a point. */
bool tl_flame_of_source(const tl_source_def *source, double time, double spacing,
                        tl_preview_flame *out);

/* The flame of a source in a frame: where that says how sources burn, as it says. */
bool tl_flame_in_shot(const tl_shot *shot, size_t source, tl_preview_flame *out);

#endif
