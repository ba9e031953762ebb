/* See picture_words.h. */
#include "run/picture_words.h"

#include <stdio.h>

/* The greatest of 1, 2, 5, 10, ... times a power of ten that is not above x. */
static double round_down(double x) {
    const double power = pow(10, floor(log10(x))), digit = x / power;
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* A length in words, of a round number of m. */
static void print_length(double length, char *out, size_t size) {
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e3, "km"}, {1, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "µm"}};
    size_t u = 0;
    while (u < 4 && length < 0.999 * units[u].unit)
        u++;
    snprintf(out, size, "%.4g %s", length / units[u].unit, units[u].name);
}

/* As long as things are seen at the distance of what the camera looks at. */
static void add_scale(tl_shot *shot, char *label, size_t size) {
    const tl_camera *c = &shot->camera;
    const double distance = tl_vec3_length(tl_vec3_sub(c->look_at, c->from));
    const double pixel = 2 * tan(0.5 * c->field_of_view) * distance / shot->options->height;
    const double length = round_down(pixel * shot->options->width / 5);
    if (!isfinite(length) || !(length > 0))
        return;
    print_length(length, label, size);
    shot->view.scale_label = label;
    shot->view.scale_width = (int)lround(length / pixel);
}

void tl_shot_add_words(tl_shot *shot, tl_picture_words *w) {
    const tl_picture_options *options = shot->options;
    const tl_scene *scene = shot->scene;
    char pace[32] = "", heat[32] = "";
    if (options->slow > 1)
        snprintf(pace, sizeof pace, "   %.3g × slower", options->slow);
    else if (options->slow > 0 && options->slow < 1)
        snprintf(pace, sizeof pace, "   %.3g × faster", 1 / options->slow);
    if (scene->has_heat && scene->heat.speed != 1)
        snprintf(heat, sizeof heat, "   heat × %.4g", scene->heat.speed);
    snprintf(w->caption, sizeof w->caption, "t = %.3f s%s%s", shot->frame->time, pace, heat);
    snprintf(w->legend, sizeof w->legend, *shot->by->unit ? "%s, %s" : "%s", shot->by->name,
             shot->by->unit);
    shot->view.title = options->title;
    if (!options->no_caption)
        shot->view.caption = w->caption;
    if (options->scale_bar)
        add_scale(shot, w->scale, sizeof w->scale);
}
