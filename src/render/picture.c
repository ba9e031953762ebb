/* See picture.h. */
#include "render/picture.h"

#include "base/timer.h"
#include "render/finish.h"
#include "render/lay.h"
#include "render/overlay.h"
#include "render/triangles.h"

/* All of a scene but the matter under its skin. */
static tl_preview_scene without_matter(const tl_preview_scene *scene) {
    const size_t gone = scene->skin->count, stride = scene->stride ? scene->stride : 3;
    tl_preview_scene rest = *scene;
    rest.count = scene->count - gone;
    rest.positions = scene->positions ? scene->positions + gone * stride : NULL;
    rest.radii = scene->radii ? scene->radii + gone : NULL;
    rest.colours = scene->colours ? scene->colours + 3 * gone : NULL;
    /* The shadows of walls are those of the first light that is far away. */
    for (size_t i = scene->light_count; i-- > 0;)
        if (!scene->lights[i].is_near)
            rest.to_light = scene->lights[i].at;
    return rest;
}

const char *const tl_preview_pass_names[TL_PASSES] = {"shapes", "depths", "skin",   "corners",
                                                      "lamps",  "walls",  "matter", "finish"};

typedef struct stopwatch {
    double *seconds, since;
} stopwatch;

static void note(stopwatch *watch, tl_preview_pass pass) {
    const double now = tl_now();
    if (watch->seconds)
        watch->seconds[pass] = now - watch->since;
    watch->since = now;
}

static tl_status see(const tl_parallel *parallel, tl_arena *arena, tl_view *view,
                     tl_float3 *scratch, stopwatch *watch, tl_error *error) {
    TL_TRY(tl_triangles_build(parallel, arena, view, error));
    TL_TRY(tl_shadow_build(parallel, arena, view, error));
    TL_TRY(tl_raster(parallel, arena, view, error));
    note(watch, TL_PASS_DEPTHS);
    TL_TRY(tl_skin_soften(parallel, arena, view, error));
    tl_skin_turn(parallel, view, scratch);
    tl_skin_join(view);
    note(watch, TL_PASS_SKIN);
    TL_TRY(tl_occlude(parallel, arena, view, error));
    note(watch, TL_PASS_CORNERS);
    return TL_OK;
}

tl_status tl_skin_picture(const tl_parallel *parallel, tl_arena *arena,
                          const tl_preview_scene *scene, const tl_camera *camera, int width,
                          int height, unsigned char *rgb, tl_error *error) {
    const size_t pixels = (size_t)width * (size_t)height;
    const tl_preview_scene rest = without_matter(scene);
    stopwatch watch = {scene->pass_seconds, tl_now()};
    tl_view view;
    tl_skin skin;
    tl_air air;
    TL_TRY(tl_view_create(arena, &rest, camera, width, height, &view, error));
    view.typical_radius = 0.5 * scene->skin->spacing;
    TL_TRY(tl_skin_make(parallel, arena, &view, scene, &skin, error));
    view.skin = &skin;
    tl_float3 *backdrop = tl_arena_allocate(arena, pixels, sizeof *backdrop);
    /* Only clear matter looks at the backdrop of other pixels than its own. */
    tl_float3 *light = skin.thickness ? tl_arena_allocate(arena, pixels, sizeof *light) : backdrop;
    if (!backdrop || !light)
        return tl_fail_memory(error, pixels, sizeof *light);
    note(&watch, TL_PASS_SHAPES);
    TL_TRY(see(parallel, arena, &view, backdrop, &watch, error));
    TL_TRY(tl_air_make(parallel, arena, &view, &air, error));
    note(&watch, TL_PASS_LAMPS);
    TL_TRY(tl_shade_backdrop(parallel, arena, &air, backdrop, error));
    note(&watch, TL_PASS_WALLS);
    TL_TRY(tl_skin_lay(parallel, arena, &air, backdrop, light, error));
    note(&watch, TL_PASS_MATTER);
    TL_TRY(tl_finish(parallel, arena, &view, light, rgb, error));
    tl_overlay_draw(scene, width, height, rgb);
    note(&watch, TL_PASS_FINISH);
    return TL_OK;
}
