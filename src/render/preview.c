/* See preview.h. The passes: shadows, what each sample shows, occlusion, light, words. */
#include "render/overlay.h"
#include "render/picture.h"
#include "render/triangles.h"

tl_preview_scene tl_preview_default(void) {
    return (tl_preview_scene){
        .stride = 3,
        .colour = {0.20f, 0.50f, 0.85f},
        .background_top = {0.70f, 0.77f, 0.84f},
        .background_bottom = {0.93f, 0.94f, 0.95f},
        .to_light = {-0.45, -0.35, 0.85},
        .daylight = 1,
    };
}

tl_preview_matter tl_preview_plain_matter(void) {
    return (tl_preview_matter){.roughness = 0.4f, .refraction = 1.45f, .glows = true};
}

static tl_status draw(const tl_parallel *parallel, tl_arena *arena, const tl_preview_scene *scene,
                      const tl_camera *camera, int width, int height, unsigned char *rgb,
                      tl_error *error) {
    tl_view view;
    TL_TRY(tl_view_create(arena, scene, camera, width, height, &view, error));
    TL_TRY(tl_triangles_build(parallel, arena, &view, error));
    TL_TRY(tl_shadow_build(parallel, arena, &view, error));
    TL_TRY(tl_raster(parallel, arena, &view, error));
    TL_TRY(tl_occlude(parallel, arena, &view, error));
    TL_TRY(tl_shade(parallel, arena, &view, rgb, error));
    tl_overlay_draw(scene, width, height, rgb);
    return TL_OK;
}

tl_status tl_preview_draw(const tl_parallel *parallel, const tl_preview_scene *scene,
                          const tl_camera *camera, int width, int height, unsigned char *rgb,
                          tl_error *error) {
    if (width < 1 || height < 1 || width > TL_PREVIEW_MAX_SIZE || height > TL_PREVIEW_MAX_SIZE)
        return tl_fail(error, TL_BAD_INPUT, "preview", "1280 x 720 is a good size",
                       "an image of %d x %d pixels cannot be drawn", width, height);
    tl_arena arena = {0};
    const tl_status status = (scene->skin ? tl_skin_picture : draw)(parallel, &arena, scene, camera,
                                                                    width, height, rgb, error);
    tl_arena_free(&arena);
    return status;
}
