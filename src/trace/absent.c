/* trace.h in a build without Embree: it says so. */
#include "trace/trace.h"

bool tl_trace_available(void) { return false; }

tl_status tl_trace_create(const tl_parallel *parallel, const tl_trace_scene *scene,
                          const tl_camera *camera, int width, int height, tl_trace **out,
                          tl_error *error) {
    (void)parallel, (void)scene, (void)camera, (void)width, (void)height;
    *out = NULL;
    return tl_fail(error, TL_BAD_INPUT, "trace",
                   "install Embree 3 (libembree-dev) and build again, or take another look",
                   "this build of tallow cannot trace light");
}

void tl_trace_add(tl_trace *trace, int samples) { (void)trace, (void)samples; }

int tl_trace_samples(const tl_trace *trace) { return (void)trace, 0; }

uint64_t tl_trace_rays(const tl_trace *trace) { return (void)trace, 0; }

void tl_trace_light_of(const tl_trace *trace, float *rgb) { (void)trace, (void)rgb; }

tl_status tl_trace_denoise(const tl_trace *trace, float *rgb, tl_error *error) {
    (void)trace, (void)rgb, (void)error;
    return TL_OK;
}

void tl_trace_destroy(tl_trace *trace) { (void)trace; }
