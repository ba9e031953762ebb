/* See picture_colours.h. The ends of a colour bar are round numbers around what a frame holds: a
 * frame looks the same whichever session of the run draws it, and the bar seldom changes from frame
 * to frame. */
#include "run/picture_colours.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

tl_status tl_colours_find(const tl_frame *frame, const char *name, const char *where,
                          const tl_frame_array **out, tl_error *error) {
    *out = tl_frame_find(frame, name);
    if (*out)
        return TL_OK;
    const char *names[TL_MAX_FIELDS];
    for (size_t i = 0; i < frame->array_count; i++)
        names[i] = frame->array[i].name;
    const char *nearest = tl_nearest_word(name, names, frame->array_count);
    tl_text fix = {0};
    if (nearest)
        tl_text_print(&fix, "did you mean %s? ", nearest);
    tl_text_print(&fix, "there are");
    for (size_t i = 0; i < frame->array_count; i++)
        tl_text_print(&fix, "%s %s", i ? "," : "", names[i]);
    tl_fail(error, TL_BAD_INPUT, where, fix.bytes, "there is no field called %s", name);
    free(fix.bytes);
    return TL_BAD_INPUT;
}

bool tl_colours_are_of_materials(const tl_frame_array *array) {
    return strcmp(array->name, "material") == 0;
}

/* Of vectors the length; of symmetric tensors √(½ S:S), which is the stress of a simple shear. */
static double magnitude(const tl_frame_array *array, size_t element) {
    const size_t n = (size_t)array->components;
    if (n == 1)
        return tl_frame_number(array, element);
    double sum = 0;
    for (size_t c = 0; c < n; c++) {
        const double x = tl_frame_number(array, element * n + c);
        sum += (n == 6 && c < 3 ? 0.5 : 1) * x * x;
    }
    return sqrt(sum);
}

void tl_colours_widen(const tl_frame_array *array, size_t count, double *low, double *high) {
    if (array->components > 1)
        *low = fmin(*low, 0);
    for (size_t i = 0; i < count; i++) {
        const double x = magnitude(array, i);
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

/* The least of 1, 2, 5, 10, ... times a power of ten that is not below x. */
static double round_up(double x) {
    const double power = pow(10, floor(log10(x)));
    return power * (x <= power ? 1 : x <= 2 * power ? 2 : x <= 5 * power ? 5 : 10);
}

void tl_colours_round(double low, double high, tl_preview_legend *legend) {
    if (!(high > low) || !isfinite(high - low))
        high = (low = isfinite(low) ? low : 0) + 1;
    const double unit = round_up((high - low) / 4);
    legend->min = floor(low / unit) * unit;
    legend->max = ceil(high / unit) * unit;
}

void tl_colours_by_field(const tl_frame_array *array, size_t count, const tl_preview_legend *legend,
                         float *rgb) {
    for (size_t i = 0; i < count; i++)
        tl_colormap_at(legend->map,
                       (magnitude(array, i) - legend->min) / (legend->max - legend->min),
                       &rgb[3 * i]);
}

void tl_colours_by_material(const tl_frame_array *array, size_t count, const tl_scene *scene,
                            float *rgb) {
    static const float none[3] = {0};
    const tl_material *materials = scene->materials.items;
    for (size_t i = 0; i < count; i++) {
        const size_t index = (size_t)tl_frame_number(array, i);
        memcpy(&rgb[3 * i], index < scene->materials.count ? materials[index].colour : none,
               sizeof none);
    }
}
