/* See picture.h. */
#include "run/picture.h"

#include "base/array.h"
#include "base/parallel.h"
#include "output/png.h"
#include "run/picture_colours.h"
#include "run/picture_looks.h"
#include "run/picture_stage.h"
#include "run/picture_traced.h"
#include "run/picture_words.h"
#include "scene/pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tl_picture {
    const tl_scene *scene;
    tl_picture_options options;
    tl_parallel parallel;
    tl_picture_stage stage;
    const tl_colormap *map;
    tl_look_fn *look;
    tl_picture_surface surface;
    unsigned char *pixels; /* of a PNG file */
    double *positions;
    float *colours, *radii;
};

tl_picture_options tl_picture_options_of(const tl_scene *scene) {
    const tl_output_def *output = &scene->output;
    return (tl_picture_options){.width = (int)output->width,
                                .height = (int)output->height,
                                .colour_by = output->colour_by ? output->colour_by : "material",
                                .colour_map = tl_colour_map_names[output->colour_map],
                                .look = output->look,
                                .slow = tl_pace_of_scene(scene, 1).slow,
                                .from = output->colour_from,
                                .to = output->colour_to};
}

/* The renderer takes doubles, and walls that are balls after the particles. */
static tl_status place_spheres(tl_picture *picture, const tl_frame *frame, tl_preview_scene *view,
                               tl_error *error) {
    const tl_picture_stage *stage = &picture->stage;
    const size_t n = frame->count, count = n + stage->ball_count;
    const size_t room = count + 1; /* no array is NULL: looks may count from the first ball */
    TL_TRY(TL_ARRAY_RESERVE(picture->positions, 0, 3 * room, error));
    TL_TRY(TL_ARRAY_RESERVE(picture->radii, 0, room, error));
    TL_TRY(TL_ARRAY_RESERVE(picture->colours, 0, 3 * room, error));
    for (size_t i = 0; i < 3 * n; i++)
        picture->positions[i] = tl_frame_number(&frame->array[0], i);
    const tl_frame_array *size = tl_frame_find(frame, "size");
    for (size_t i = 0; i < n; i++)
        picture->radii[i] =
            (float)(0.5 * (size ? tl_frame_number(size, i) : picture->scene->spacing));
    for (size_t b = 0; b < stage->ball_count; b++) {
        const tl_picture_stage_ball *ball = &stage->balls[b];
        double *at = picture->positions + 3 * (n + b);
        at[0] = ball->center.x, at[1] = ball->center.y, at[2] = ball->center.z;
        memcpy(picture->colours + 3 * (n + b), ball->colour, sizeof ball->colour);
        picture->radii[n + b] = ball->radius;
    }
    view->positions = picture->positions;
    view->colours = picture->colours;
    view->radius = 0.5 * picture->scene->spacing;
    view->radii = stage->ball_count > 0 || size ? picture->radii : NULL;
    view->count = count;
    return TL_OK;
}

/* Colours the particles; true when there is a legend to them. */
static bool colour_spheres(tl_picture *picture, const tl_frame_array *by, size_t count,
                           tl_preview_legend *legend) {
    const tl_picture_options *options = &picture->options;
    if (tl_colours_are_of_materials(by)) {
        tl_colours_by_material(by, count, picture->scene, picture->colours);
        return false;
    }
    double low = HUGE_VAL, high = -HUGE_VAL;
    legend->map = picture->map;
    if (options->from != options->to) {
        legend->min = options->from, legend->max = options->to;
    } else {
        tl_colours_widen(by, count, &low, &high);
        tl_colours_round(low, high, legend);
    }
    tl_colours_by_field(by, count, legend, picture->colours);
    return true;
}

static void show_stage(const tl_picture_stage *stage, tl_preview_scene *view) {
    view->planes = stage->planes;
    view->plane_count = stage->plane_count;
    view->boxes = stage->boxes;
    view->box_count = stage->box_count;
    view->meshes = stage->meshes.items;
    view->mesh_count = stage->meshes.count;
}

tl_status tl_picture_check(const tl_picture *picture, const tl_frame *frame, tl_error *error) {
    const tl_frame_array *by;
    return tl_colours_find(frame, picture->options.colour_by, "output.colour_by", &by, error);
}

tl_camera tl_picture_camera(const tl_picture *picture, double time) {
    const tl_picture_options *options = &picture->options;
    return options->has_camera
               ? options->camera
               : tl_picture_stage_camera(&picture->stage, time, options->width, options->height);
}

void tl_picture_aim(tl_picture *picture, const tl_camera *camera) {
    picture->options.has_camera = camera != NULL;
    if (camera)
        picture->options.camera = *camera;
}

/* Draws into rgb, or into a file if the look does so. */
static tl_status shoot(tl_picture *picture, const tl_frame *frame, tl_look_fn *look,
                       unsigned char *rgb, const char *path, tl_error *error) {
    const tl_picture_options *options = &picture->options;
    const tl_frame_array *by;
    tl_preview_legend legend = {0};
    tl_picture_words words;
    tl_shot shot = {.parallel = &picture->parallel,
                    .scene = picture->scene,
                    .options = options,
                    .frame = frame,
                    .legend = &legend,
                    .surface = &picture->surface,
                    .view = tl_preview_default(),
                    .rgb = rgb,
                    .path = path};
    TL_TRY(tl_colours_find(frame, options->colour_by, "output.colour_by", &by, error));
    shot.by = by;
    tl_picture_stage_set(&picture->stage, frame->time);
    tl_picture_meshes_burn(&picture->stage.meshes, picture->scene, frame);
    TL_TRY(place_spheres(picture, frame, &shot.view, error));
    if (colour_spheres(picture, by, frame->count, &legend) && !options->no_legend)
        shot.view.legend = &legend;
    show_stage(&picture->stage, &shot.view);
    legend.label = words.legend;
    shot.camera = tl_picture_camera(picture, frame->time);
    tl_shot_add_words(&shot, &words);
    return look(&shot, error);
}

tl_status tl_picture_paint(tl_picture *picture, const tl_frame *frame, unsigned char *rgb,
                           tl_error *error) {
    return shoot(picture, frame, picture->look, rgb, NULL, error);
}

tl_status tl_picture_povray(tl_picture *picture, const tl_frame *frame, const char *path,
                            tl_error *error) {
    return shoot(picture, frame, tl_look_povray, NULL, path, error);
}

tl_status tl_picture_draw(tl_picture *picture, const tl_frame *frame, const char *path,
                          tl_error *error) {
    TL_TRY(tl_picture_paint(picture, frame, picture->pixels, error));
    return tl_png_write(path, picture->pixels, (size_t)picture->options.width,
                        (size_t)picture->options.height, &picture->parallel, error);
}

static tl_status set_up(tl_picture *picture, tl_error *error) {
    const tl_picture_options *options = &picture->options;
    const size_t pixels = (size_t)options->width * (size_t)options->height;
    picture->parallel = tl_parallel_create(options->threads);
    picture->map = tl_colormap_by_name(options->colour_map);
    TL_TRY(tl_look_find(options->look, &picture->look, error));
    picture->pixels = tl_allocate(pixels, 3);
    if (!picture->pixels)
        return tl_fail_memory(error, pixels, 3);
    return tl_picture_stage_make(picture->scene, options->has_seen ? &options->seen : NULL,
                                 &picture->stage, error);
}

tl_status tl_picture_create(const tl_scene *scene, const tl_picture_options *options,
                            tl_picture **out, tl_error *error) {
    tl_picture *picture = tl_allocate(1, sizeof *picture);
    *out = NULL;
    if (!picture)
        return tl_fail_memory(error, 1, sizeof *picture);
    picture->scene = scene;
    picture->options = *options;
    const tl_status status = set_up(picture, error);
    if (status == TL_OK)
        *out = picture;
    else
        tl_picture_destroy(picture);
    return status;
}

void tl_picture_destroy(tl_picture *picture) {
    if (!picture)
        return;
    tl_picture_stage_free(&picture->stage);
    tl_picture_surface_free(&picture->surface);
    free(picture->pixels);
    TL_ARRAYS_FREE(picture->positions, picture->colours, picture->radii);
    free(picture);
}
