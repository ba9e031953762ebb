/* Colour maps: from a number in 0..1 to an sRGB colour. */
#ifndef TL_RENDER_COLORMAP_H
#define TL_RENDER_COLORMAP_H

typedef struct tl_colormap tl_colormap;

extern const char *const tl_colormap_names[]; /* NULL-terminated */

/* NULL when there is no such map. */
const tl_colormap *tl_colormap_by_name(const char *name);

/* The colour at t; t is held to 0..1, and a NaN gets a grey that is on no map. */
void tl_colormap_at(const tl_colormap *map, double t, float rgb[3]);

#endif
