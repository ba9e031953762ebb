/* Where cameras are: the default view of a box, paths and turns. See preview.h. */
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
    const double view = 0.55, tangent = tan(0.5 * view), wide = 0.86 * tangent * width / height;
    /* How far the box may reach left, right; down, up: two thirds of the height, for there is more
     * to see than what was foreseen, and below there is room for words. */
    const double reach[2][2] = {{wide, wide}, {0.62 * tangent, 0.71 * tangent}};

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

/* Cubic in s on [0, 1] from a to b, whose slopes there, times the length of the stretch, are m and
 * n (Hermite). */
static double blend(double a, double b, double m, double n, double s) {
    return a + s * (m + s * (3 * (b - a) - 2 * m - n + s * (2 * (a - b) + m + n)));
}

enum { NUMBERS = 10 }; /* of a camera */

static void to_numbers(const tl_camera *c, double out[NUMBERS]) {
    const tl_vec3 parts[3] = {c->from, c->look_at, c->up};
    for (int k = 0; k < 3; k++)
        out[3 * k] = parts[k].x, out[3 * k + 1] = parts[k].y, out[3 * k + 2] = parts[k].z;
    out[9] = c->field_of_view;
}

/* The slope at a key is that between its neighbours (Catmull-Rom, with times that need not be
 * even); at the ends the camera comes to rest. */
static void slope_at(const tl_camera_key *keys, size_t count, size_t i, double out[NUMBERS]) {
    double before[NUMBERS], after[NUMBERS];
    const bool is_end = i == 0 || i + 1 == count;
    to_numbers(&keys[is_end ? i : i - 1].camera, before);
    to_numbers(&keys[is_end ? i : i + 1].camera, after);
    const double span = is_end ? 1 : keys[i + 1].time - keys[i - 1].time;
    for (int k = 0; k < NUMBERS; k++)
        out[k] = (after[k] - before[k]) / span;
}

tl_camera tl_camera_along(const tl_camera_key *keys, size_t count, double time) {
    if (!(time > keys[0].time))
        return keys[0].camera;
    if (time >= keys[count - 1].time)
        return keys[count - 1].camera;
    size_t i = 0;
    while (time >= keys[i + 1].time)
        i++;
    double a[NUMBERS], b[NUMBERS], m[NUMBERS], n[NUMBERS], at[NUMBERS];
    const double span = keys[i + 1].time - keys[i].time, s = (time - keys[i].time) / span;
    to_numbers(&keys[i].camera, a);
    to_numbers(&keys[i + 1].camera, b);
    slope_at(keys, count, i, m);
    slope_at(keys, count, i + 1, n);
    for (int k = 0; k < NUMBERS; k++)
        at[k] = blend(a[k], b[k], span * m[k], span * n[k], s);
    return (tl_camera){{at[0], at[1], at[2]}, {at[3], at[4], at[5]}, {at[6], at[7], at[8]}, at[9]};
}

void tl_camera_turn(tl_camera *camera, double angle) {
    const tl_vec3 d = tl_vec3_sub(camera->from, camera->look_at), u = camera->up;
    const double c = cos(angle), s = sin(angle);
    camera->from =
        tl_vec3_add(camera->look_at, (tl_vec3){c * d.x - s * d.y, s * d.x + c * d.y, d.z});
    camera->up = (tl_vec3){c * u.x - s * u.y, s * u.x + c * u.y, u.z};
}
