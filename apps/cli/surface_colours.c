/* See surface_colours.h. */
#include "surface_colours.h"

#include "render/colormap.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

static double magnitude(const tl_frame_array *a, size_t i) {
    const size_t n = (size_t)a->components;
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        const double x = (double)((const float *)a->data)[n * i + k];
        if (n == 1)
            return x;
        sum += x * x;
    }
    return sqrt(sum);
}

static void colour_by_field(cli_surface_colours *c, const tl_frame_array *a, size_t count,
                            double low, double high) {
    const tl_colormap *map = tl_colormap_by_name("viridis");
    if (low == high) {
        low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, magnitude(a, i));
            high = fmax(high, magnitude(a, i));
        }
    }
    const double scale = high > low ? 1 / (high - low) : 0;
    for (size_t i = 0; i < count; i++)
        tl_colormap_at(map, (magnitude(a, i) - low) * scale, c->rgb[i]);
}

static void colour_by_material(cli_surface_colours *c, const tl_frame_array *a, size_t count,
                               const tl_scene *scene) {
    static const float grey[3] = {0.8f, 0.8f, 0.8f};
    const tl_material *materials = scene ? scene->materials.items : NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t m = a && a->type == TL_U8 ? ((const uint8_t *)a->data)[i] : 0;
        memcpy(c->rgb[i], materials && m < scene->materials.count ? materials[m].colour : grey,
               sizeof grey);
    }
}

tl_status cli_colour_surface(cli_surface_colours *c, const tl_scene *scene,
                             const tl_frame *vertices, tl_error *error) {
    const char *name =
        scene ? (scene->output.colour_by ? scene->output.colour_by : "material") : "temperature";
    const tl_frame_array *by = tl_frame_find(vertices, name);
    TL_TRY(TL_ARRAY_RESERVE(c->rgb, 0, vertices->count + 1, error));
    if (by && by->type == TL_F32)
        colour_by_field(c, by, vertices->count, scene ? scene->output.colour_from : 0,
                        scene ? scene->output.colour_to : 0);
    else
        colour_by_material(c, tl_frame_find(vertices, "material"), vertices->count, scene);
    return TL_OK;
}
