/* See preview.h. The passes: shadows, what each sample shows, occlusion, light, words. */
#include "render/overlay.h"
#include "render/view.h"

tl_preview_scene tl_preview_default(void) {
    return (tl_preview_scene){
        .stride = 3,
        .colour = {0.20f, 0.50f, 0.85f},
        .background_top = {0.70f, 0.77f, 0.84f},
        .background_bottom = {0.93f, 0.94f, 0.95f},
        .to_light = {-0.45, -0.35, 0.85},
    };
}

static tl_status draw(const tl_parallel *parallel, tl_arena *arena, const tl_preview_scene *scene,
                      const tl_camera *camera, int width, int height, unsigned char *rgb,
                      tl_error *error) {
    tl_view view;
    TL_TRY(tl_view_create(arena, scene, camera, width, height, &view, error));
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
    const tl_status status = draw(parallel, &arena, scene, camera, width, height, rgb, error);
    tl_arena_free(&arena);
    return status;
}

void tl_camera_frame(tl_vec3 box_from, tl_vec3 box_to, int width, int height, tl_camera *out) {
    const tl_vec3 size = tl_vec3_sub(box_to, box_from);
    if (!tl_vec3_finite(box_from) || !tl_vec3_finite(size) || !(tl_vec3_length(size) > 0)) {
        const tl_vec3 at = tl_vec3_finite(box_from) ? box_from : (tl_vec3){0, 0, 0};
        box_from = tl_vec3_sub(at, (tl_vec3){0.5, 0.5, 0.5});
        box_to = tl_vec3_add(at, (tl_vec3){0.5, 0.5, 0.5});
    }
    const tl_vec3 centre = tl_vec3_scale(tl_vec3_add(box_from, box_to), 0.5);
    const tl_vec3 forward = tl_vec3_unit((tl_vec3){-0.42, 0.80, -0.36}), z = {0, 0, 1};
    const tl_vec3 right = tl_vec3_unit(tl_vec3_cross(forward, z));
    const tl_vec3 up = tl_vec3_cross(right, forward);
    const double view = 0.55, margin = 0.90, tangent_y = margin * tan(0.5 * view);
    const double tangents[2] = {tangent_y * width / height, tangent_y};
    /* From distance D and moved by s across, a corner (c across, z along) is seen when
     * |c - s| <= t (D + z): the extremes of ±c - t z over the corners give s and D. */
    double most[2] = {-INFINITY, -INFINITY}, least[2] = {-INFINITY, -INFINITY};
    for (int corner = 0; corner < 8; corner++) {
        const tl_vec3 p = {corner & 1 ? box_to.x : box_from.x, corner & 2 ? box_to.y : box_from.y,
                           corner & 4 ? box_to.z : box_from.z};
        const tl_vec3 d = tl_vec3_sub(p, centre);
        const double across[2] = {tl_vec3_dot(d, right), tl_vec3_dot(d, up)};
        for (int k = 0; k < 2; k++) {
            const double along = tangents[k] * tl_vec3_dot(d, forward);
            most[k] = fmax(most[k], across[k] - along);
            least[k] = fmax(least[k], -across[k] - along);
        }
    }
    const double distance =
        fmax((most[0] + least[0]) / (2 * tangents[0]), (most[1] + least[1]) / (2 * tangents[1]));
    out->look_at = tl_vec3_mad(centre, 0.5 * (most[0] - least[0]), right);
    out->look_at = tl_vec3_mad(out->look_at, 0.5 * (most[1] - least[1]), up);
    out->from = tl_vec3_mad(out->look_at, -distance, forward);
    out->up = z;
    out->field_of_view = view;
}
