/* See picture_looks.h. */
#include "run/picture_looks.h"

#include "run/picture_traced.h"
#include "trace/trace.h"

static tl_status draw_spheres(tl_shot *shot, tl_error *error) {
    return tl_preview_draw(shot->parallel, &shot->view, &shot->camera, shot->options->width,
                           shot->options->height, shot->rgb, error);
}

static tl_look_fn *const functions[] = {
    [TL_LOOK_SPHERES] = draw_spheres,    [TL_LOOK_SMOOTH] = tl_look_smooth,
    [TL_LOOK_SURFACE] = tl_look_surface, [TL_LOOK_TRACED] = tl_look_traced,
    [TL_LOOK_BALLS] = tl_look_smooth,    [TL_LOOK_ELLIPSOIDS] = tl_look_smooth};

tl_status tl_look_find(int look, tl_look_fn **out, tl_error *error) {
    const bool lacks_rays = look == TL_LOOK_TRACED && !tl_trace_available();
    *out = functions[look];
    if (*out && !lacks_rays)
        return TL_OK;
    return tl_fail(error, TL_BAD_INPUT, tl_look_names[look],
                   lacks_rays ? "install Embree 3 (libembree-dev) and build again, or take surface"
                              : "spheres is always there",
                   "this build of tallow cannot draw pictures that look so");
}
