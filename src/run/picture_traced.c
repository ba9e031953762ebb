/* See picture_traced.h. */
#include "run/picture_traced.h"

#include "base/timer.h"
#include "render/overlay.h"
#include "run/picture_matter.h"
#include "trace/povray.h"

#include <stdlib.h>

/* Adds samples, ever more at once, up to the number or until the time is over. */
static void add_samples(tl_trace *trace, const tl_picture_options *options, double began) {
    const int most = options->samples > 0 ? options->samples : TL_TRACED_SAMPLES;
    for (int done; (done = tl_trace_samples(trace)) < most;) {
        const double used = tl_now() - began;
        int next = done > 0 ? done : 1;
        if (options->seconds > 0 && done > 0) {
            if (used >= options->seconds)
                return;
            const int fit = (int)(done * (options->seconds - used) / used);
            next = fit < 1 ? 1 : fit < next ? fit : next;
        }
        tl_trace_add(trace, next < most - done ? next : most - done);
    }
}

static tl_status draw(tl_shot *shot, tl_trace *trace, double began, tl_error *error) {
    const tl_picture_options *options = shot->options;
    const size_t pixels = (size_t)options->width * (size_t)options->height;
    float *light = tl_allocate(pixels, 3 * sizeof *light);
    if (!light)
        return tl_fail_memory(error, pixels, 3 * sizeof *light);
    tl_status status = TL_OK;
    add_samples(trace, options, began);
    if (options->keep_noise)
        tl_trace_light_of(trace, light);
    else
        status = tl_trace_denoise(trace, light, error);
    if (status == TL_OK) {
        tl_trace_develop(light, pixels, 1, shot->rgb);
        tl_overlay_draw(&shot->view, options->width, options->height, shot->rgb);
    }
    free(light);
    return status;
}

tl_status tl_look_traced(tl_shot *shot, tl_error *error) {
    const double began = tl_now();
    tl_matter_scene matter;
    tl_trace *trace = NULL;
    tl_status status = tl_matter_scene_make(shot, &matter, error);
    if (status == TL_OK)
        status = tl_trace_create(shot->parallel, &matter.scene, &shot->camera, shot->options->width,
                                 shot->options->height, &trace, error);
    if (status == TL_OK)
        status = draw(shot, trace, began, error);
    tl_trace_destroy(trace);
    tl_matter_scene_free(&matter);
    return status;
}

tl_status tl_look_povray(tl_shot *shot, tl_error *error) {
    tl_matter_scene matter;
    tl_status status = tl_matter_scene_make(shot, &matter, error);
    if (status == TL_OK)
        status = tl_povray_write(shot->path, &matter.scene, &shot->camera, error);
    tl_matter_scene_free(&matter);
    return status;
}
