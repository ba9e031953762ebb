/* See view.h. */
#include "render/triangles.h"

static float linear_channel(float s) {
    s = tl_clamp01(s);
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

tl_float3 tl_linear(const float rgb[3]) {
    return (tl_float3){linear_channel(rgb[0]), linear_channel(rgb[1]), linear_channel(rgb[2])};
}

tl_vec3 tl_view_turn(const tl_view *view, tl_vec3 v) {
    return (tl_vec3){tl_vec3_dot(v, view->right), tl_vec3_dot(v, view->up),
                     tl_vec3_dot(v, view->forward)};
}

tl_vec3 tl_view_point(const tl_view *view, tl_vec3 point) {
    return tl_view_turn(view, tl_vec3_sub(point, view->eye));
}

int tl_pixel_parts(const tl_view *view, int px, int py, tl_pixel_part parts[4]) {
    const uint32_t *rows[2] = {tl_view_sample(view, 2 * px, 2 * py),
                               tl_view_sample(view, 2 * px, 2 * py + 1)};
    const uint32_t shown[4] = {rows[0][0], rows[0][1], rows[1][0], rows[1][1]};
    if (shown[0] == shown[1] && shown[0] == shown[2] && shown[0] == shown[3]) {
        parts[0] = (tl_pixel_part){shown[0], tl_pixel_x(view, px), tl_pixel_y(view, py), 1};
        return 1;
    }
    int count = 0;
    for (int first = 0, done = 0; first < 4; first++) {
        if (done >> first & 1)
            continue;
        float x = 0, y = 0, number = 0;
        for (int k = first; k < 4; k++)
            if (shown[k] == shown[first]) {
                x += tl_sample_x(view, 2 * px + (k & 1), 2 * py + (k >> 1));
                y += tl_sample_y(view, 2 * px + (k & 1), 2 * py + (k >> 1));
                number++;
                done |= 1 << k;
            }
        parts[count++] = (tl_pixel_part){shown[first], x / number, y / number, 0.25f * number};
    }
    return count;
}

tl_vec3 tl_view_light(const tl_view *view) {
    const tl_vec3 light = tl_vec3_unit(view->scene->to_light);
    return tl_vec3_length(light) > 0.5 ? light : (tl_vec3){0, 0, 1};
}

/* The mean over the spheres whose radius makes sense. */
static double mean_radius(const tl_preview_scene *scene) {
    if (!scene->radii)
        return scene->count && scene->radius > 0 && isfinite(scene->radius) ? scene->radius : 0;
    double sum = 0, number = 0;
    for (size_t i = 0; i < scene->count; i++)
        if (scene->radii[i] > 0 && isfinite(scene->radii[i])) {
            sum += (double)scene->radii[i];
            number++;
        }
    return number > 0 ? sum / number : 0;
}

static tl_status aim(tl_view *view, const tl_camera *camera, tl_error *error) {
    const tl_vec3 line = tl_vec3_sub(camera->look_at, camera->from);
    const double focus = tl_vec3_length(line);
    if (!tl_vec3_finite(camera->from) || !tl_vec3_finite(line) || !(focus > 0) || !isfinite(focus))
        return tl_fail(error, TL_BAD_INPUT, "camera", "place it a little away from what it shows",
                       "the camera looks at the point where it stands");
    if (!(camera->field_of_view > 0 && camera->field_of_view < 3.1))
        return tl_fail(error, TL_BAD_INPUT, "camera", "0.6 rad (35 degrees) is a good value",
                       "a field of view of %g rad cannot be drawn", camera->field_of_view);
    view->eye = camera->from;
    view->look_at = camera->look_at;
    view->focus = (float)focus;
    view->forward = tl_vec3_unit(line);
    view->right = tl_vec3_cross(view->forward, tl_vec3_unit(camera->up));
    if (!(tl_vec3_length(view->right) > 1e-6)) {
        const tl_vec3 f = view->forward;
        const tl_vec3 other = fabs(f.y) < 0.9 ? (tl_vec3){0, 1, 0} : (tl_vec3){1, 0, 0};
        view->right = tl_vec3_cross(f, other);
    }
    view->right = tl_vec3_unit(view->right);
    view->up = tl_vec3_cross(view->right, view->forward);
    view->pixel = (float)(2 * tan(0.5 * camera->field_of_view) / view->height);
    const tl_vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++)
        view->axes[k] = tl_float3_of(tl_view_turn(view, world[k]));
    return TL_OK;
}

/* 1, 2 or 5 times a power of ten, at most `length`. */
static double round_down(double length) {
    const double ten = pow(10, floor(log10(length)));
    const double digit = length / ten;
    return ten * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

static bool set_plane(const tl_view *view, const tl_preview_plane *plane, tl_view_plane *out) {
    const tl_vec3 normal = tl_vec3_unit(plane->normal), point = tl_view_point(view, plane->point);
    if (!tl_vec3_finite(normal) || !tl_vec3_finite(point) || !(tl_vec3_length(normal) > 0))
        return false;
    const double half_u = tl_vec3_length(plane->half_u), half_v = tl_vec3_length(plane->half_v);
    const bool endless = !(half_u > 0 && half_v > 0);
    tl_vec3 u = tl_vec3_unit(plane->half_u), v = tl_vec3_unit(plane->half_v);
    if (endless) { /* lines along the world's axes where the plane allows it */
        const tl_vec3 along = fabs(normal.x) < 0.9 ? (tl_vec3){1, 0, 0} : (tl_vec3){0, 1, 0};
        u = tl_vec3_unit(tl_vec3_mad(along, -tl_vec3_dot(along, normal), normal));
        v = tl_vec3_cross(normal, u);
    }
    *out = (tl_view_plane){
        .normal = tl_float3_of(tl_view_turn(view, normal)),
        .u = tl_float3_of(tl_view_turn(view, u)),
        .v = tl_float3_of(tl_view_turn(view, v)),
        .offset = (float)tl_vec3_dot(tl_view_turn(view, normal), point),
        .at_u = (float)tl_vec3_dot(tl_view_turn(view, u), point),
        .at_v = (float)tl_vec3_dot(tl_view_turn(view, v), point),
        .half_u = endless ? INFINITY : (float)half_u,
        .half_v = endless ? INFINITY : (float)half_v,
        .endless = endless,
        .grid = (float)(plane->grid < 0   ? 0
                        : plane->grid > 0 ? plane->grid
                                          : round_down(0.12 * (double)view->focus)),
        .colour = tl_linear(plane->colour),
    };
    return true;
}

tl_rect tl_view_bounds(const tl_view *view, const tl_vec3 *points, int count) {
    const int samples_x = 2 * view->width, samples_y = 2 * view->height;
    double x0 = samples_x, y0 = samples_y, x1 = 0, y1 = 0;
    int behind = 0;
    for (int k = 0; k < count; k++) {
        const tl_vec3 p = points[k];
        if (!(p.z > 1e-6 * (double)view->focus)) {
            behind++;
            continue;
        }
        const double x = samples_x / 2.0 + 2 * p.x / p.z / (double)view->pixel;
        const double y = samples_y / 2.0 - 2 * p.y / p.z / (double)view->pixel;
        x0 = fmin(x0, x), x1 = fmax(x1, x), y0 = fmin(y0, y), y1 = fmax(y1, y);
    }
    if (behind > 0 && behind < count)
        return (tl_rect){0, 0, (uint16_t)samples_x, (uint16_t)samples_y};
    x0 = fmax(x0 - 2, 0), y0 = fmax(y0 - 2, 0);
    x1 = fmin(x1 + 2, samples_x), y1 = fmin(y1 + 2, samples_y);
    if (behind > 0 || !(x0 < x1 && y0 < y1))
        return (tl_rect){0};
    return (tl_rect){(uint16_t)x0, (uint16_t)y0, (uint16_t)ceil(x1), (uint16_t)ceil(y1)};
}

static tl_rect bound_box(const tl_view *view, tl_vec3 from, tl_vec3 to) {
    tl_vec3 corners[8];
    for (int corner = 0; corner < 8; corner++)
        corners[corner] =
            tl_view_point(view, (tl_vec3){corner & 1 ? to.x : from.x, corner & 2 ? to.y : from.y,
                                          corner & 4 ? to.z : from.z});
    return tl_view_bounds(view, corners, 8);
}

static bool set_box(const tl_view *view, const tl_preview_box *box, tl_view_box *out) {
    const tl_vec3 from = tl_vec3_sub(box->from, view->eye), to = tl_vec3_sub(box->to, view->eye);
    if (!(from.x < to.x && from.y < to.y && from.z < to.z) || !tl_vec3_finite(from) ||
        !tl_vec3_finite(to))
        return false;
    *out = (tl_view_box){
        .from = {(float)from.x, (float)from.y, (float)from.z},
        .to = {(float)to.x, (float)to.y, (float)to.z},
        .colour = tl_linear(box->colour),
        .filled = box->filled,
        .bounds = bound_box(view, box->from, box->to),
    };
    return true;
}

tl_status tl_view_create(tl_arena *arena, const tl_preview_scene *scene, const tl_camera *camera,
                         int width, int height, tl_view *out, tl_error *error) {
    *out = (tl_view){.scene = scene, .width = width, .height = height};
    out->tiles_x = (2 * width + TL_TILE - 1) / TL_TILE;
    out->tiles_y = (2 * height + TL_TILE - 1) / TL_TILE;
    TL_TRY(aim(out, camera, error));
    out->typical_radius = mean_radius(scene);
    const size_t walls = scene->plane_count + scene->box_count;
    size_t small = scene->count; /* spheres and triangles */
    for (size_t i = 0; i < scene->mesh_count; i++)
        small += scene->meshes[i].triangle_count;
    if (scene->plane_count >= 0xFFFF || scene->box_count >= 0xFFFF || small >= TL_SHOWS_BOX)
        return tl_fail(error, TL_BAD_INPUT, "preview", "draw a part of them",
                       "%zu spheres and triangles and %zu walls are too many for one picture",
                       small, walls);
    out->planes = tl_arena_allocate(arena, scene->plane_count, sizeof *out->planes);
    out->boxes = tl_arena_allocate(arena, scene->box_count, sizeof *out->boxes);
    if (!out->planes || !out->boxes)
        return tl_fail_memory(error, walls, sizeof *out->boxes);
    for (size_t i = 0; i < scene->plane_count; i++)
        out->plane_count += set_plane(out, &scene->planes[i], &out->planes[out->plane_count]);
    for (size_t i = 0; i < scene->box_count; i++)
        out->box_count += set_box(out, &scene->boxes[i], &out->boxes[out->box_count]);
    return TL_OK;
}

float tl_view_box_enter(const tl_view *view, const tl_view_box *box, float x, float y, int *axis,
                        float *leave) {
    float enter = 0, out = INFINITY;
    for (int k = 0; k < 3; k++) {
        const float along = x * view->axes[k].x + y * view->axes[k].y + view->axes[k].z;
        const float inverse = 1 / along; /* ±infinity is right for a ray along the face */
        const float a = box->from[k] * inverse, b = box->to[k] * inverse;
        const float near = a < b ? a : b, far = a < b ? b : a;
        if (near > enter) {
            enter = near;
            *axis = k;
        }
        out = far < out ? far : out;
    }
    const bool hit = enter < out;
    if (leave)
        *leave = hit ? out : INFINITY;
    return hit ? enter : INFINITY;
}

static tl_surface on_sphere(const tl_view_sphere *s, float x, float y) {
    /* With e = (x, y) - centre / z, the usual b² - a (c² - r²) loses no digits: see raster.c. */
    const float ex = x - s->x / s->z, ey = y - s->y / s->z, cross = ex * s->y - ey * s->x;
    const float a = 1 + x * x + y * y, b = x * s->x + y * s->y + s->z;
    const float square =
        a * s->radius * s->radius - s->z * s->z * (ex * ex + ey * ey) - cross * cross;
    const float depth = (b - sqrtf(square > 0 ? square : 0)) / a;
    const tl_float3 p = {x * depth, y * depth, depth};
    return (tl_surface){depth, p, tl_float3_unit((tl_float3){p.x - s->x, p.y - s->y, p.z - s->z})};
}

static tl_surface on_box(const tl_view *view, const tl_view_box *box, float x, float y) {
    int axis = 0;
    float depth = tl_view_box_enter(view, box, x, y, &axis, NULL);
    if (!(depth < INFINITY)) /* just beside an edge */
        depth = view->focus;
    const float along = x * view->axes[axis].x + y * view->axes[axis].y + view->axes[axis].z;
    return (tl_surface){depth,
                        {x * depth, y * depth, depth},
                        tl_float3_scale(view->axes[axis], along > 0 ? -1.0f : 1.0f)};
}

tl_surface tl_surface_at(const tl_view *view, uint32_t shows, float x, float y) {
    if (shows < view->scene->count)
        return on_sphere(&view->spheres[shows], x, y);
    if (shows < TL_SHOWS_BOX)
        return tl_triangle_surface(view, shows - view->scene->count, x, y);
    if (shows < TL_SHOWS_PLANE)
        return on_box(view, &view->boxes[shows - TL_SHOWS_BOX], x, y);
    if (shows == TL_SHOWS_NOTHING)
        return (tl_surface){.depth = INFINITY};
    const tl_view_plane *plane = &view->planes[shows - TL_SHOWS_PLANE];
    const float depth = plane->offset / tl_float3_dot(plane->normal, (tl_float3){x, y, 1});
    return (tl_surface){depth, {x * depth, y * depth, depth}, plane->normal};
}
