/* The colours of particles: of their materials, or along a map by the size of a field. */
#ifndef TL_RUN_PICTURE_COLOURS_H
#define TL_RUN_PICTURE_COLOURS_H

#include "output/frame.h"
#include "render/preview.h"
#include "scene/scene.h"

/* The array that `name` asks for. TL_BAD_INPUT, with the nearest name, when the frame has none;
 * `where` is what asked for it: "output.colour_by". */
tl_status tl_colours_find(const tl_frame *frame, const char *name, const char *where,
                          const tl_frame_array **out, tl_error *error);

/* True when the array numbers materials, which have colours of their own. */
bool tl_colours_are_of_materials(const tl_frame_array *array);

/* The least and the greatest number that elements of an array are coloured by: the value, or the
 * length of a vector, or √(½ S:S) of a symmetric tensor. These are counted from 0. Widens *low and
 * *high, infinite at first. */
void tl_colours_widen(const tl_frame_array *array, size_t count, double *low, double *high);

/* Round ends of a colour bar around what was found. */
void tl_colours_round(double low, double high, tl_preview_legend *legend);

/* Three floats an element, into rgb[3 * count]. The legend has its ends and its map. */
void tl_colours_by_field(const tl_frame_array *array, size_t count, const tl_preview_legend *legend,
                         float *rgb);
void tl_colours_by_material(const tl_frame_array *array, size_t count, const tl_scene *scene,
                            float *rgb);

#endif
