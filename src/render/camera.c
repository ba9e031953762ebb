/* The default view of a box: tl_camera_frame of preview.h. */
#include "render/preview.h"

/* Corner 0..7 of a box. */
static tl_vec3 corner_of(tl_vec3 from, tl_vec3 to, int corner) {
    return (tl_vec3){corner & 1 ? to.x : from.x, corner & 2 ? to.y : from.y,
                     corner & 4 ? to.z : from.z};
}

void tl_camera_frame(tl_vec3 box_from, tl_vec3 box_to, int width, int height, tl_camera *out) {
    const tl_vec3 size = tl_vec3_sub(box_to, box_from), half = {0.5, 0.5, 0.5}, z = {0, 0, 1};
    if (!tl_vec3_finite(box_from) || !tl_vec3_finite(size) || !(tl_vec3_length(size) > 0)) {
        const tl_vec3 at = tl_vec3_finite(box_from) ? box_from : (tl_vec3){0, 0, 0};
        box_from = tl_vec3_sub(at, half);
        box_to = tl_vec3_add(at, half);
    }
    const tl_vec3 centre = tl_vec3_scale(tl_vec3_add(box_from, box_to), 0.5);
    const tl_vec3 forward = tl_vec3_unit((tl_vec3){-0.42, 0.80, -0.38});
    const tl_vec3 right = tl_vec3_unit(tl_vec3_cross(forward, z));
    const tl_vec3 axes[2] = {right, tl_vec3_cross(right, forward)};
    const double view = 0.55, tangent = tan(0.5 * view), wide = 0.92 * tangent * width / height;
    /* How far the box may reach left, right; down, up: below there is room for words. */
    const double reach[2][2] = {{wide, wide}, {0.76 * tangent, 0.92 * tangent}};

    /* From distance D and moved by s along an axis, a corner (c along it, f forward) is in when
     * -reach[0] (D + f) <= c - s <= reach[1] (D + f): the extreme corners give D, and then s. */
    double low[2] = {-HUGE_VAL, -HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, distance = 0;
    for (int k = 0; k < 2; k++) {
        for (int corner = 0; corner < 8; corner++) {
            const tl_vec3 d = tl_vec3_sub(corner_of(box_from, box_to, corner), centre);
            const double c = tl_vec3_dot(d, axes[k]), f = tl_vec3_dot(d, forward);
            low[k] = fmax(low[k], -c - reach[k][0] * f);
            high[k] = fmax(high[k], c - reach[k][1] * f);
        }
        distance = fmax(distance, (low[k] + high[k]) / (reach[k][0] + reach[k][1]));
    }
    out->look_at = centre;
    for (int k = 0; k < 2; k++) {
        const double most = distance * reach[k][0] - low[k];
        const double least = high[k] - distance * reach[k][1];
        out->look_at = tl_vec3_mad(out->look_at, 0.5 * (least + most), axes[k]);
    }
    out->from = tl_vec3_mad(out->look_at, -distance, forward);
    out->up = z;
    out->field_of_view = view;
}
