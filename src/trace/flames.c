/* See flames.h. The light along a ray is summed in steps through the cylinder around a
 * flame, in the frame of its axis: emission that its own matter takes up again, dL = σ (J - L) ds.
 * Across the axis the optical depth is the same at every height. */
#include "trace/flames.h"

#include "render/flame.h"

enum { STEPS = 24 };

/* Optical depth across a flame over the mean of tl_flame_body there, which is 0.65. */
#define DEPTH (2.3026f / 0.65f)

/* For an upright one the axes are those of the scene. */
static void set_frame(tl_flame *flame, tl_vec3 up) {
    const tl_vec3 side = tl_vec3_unit((tl_vec3){up.z, 0, -up.x});
    flame->side[0] = tl_float3_of(side);
    flame->side[1] = tl_float3_of(tl_vec3_cross(up, side));
    flame->up = tl_float3_of(up);
}

static tl_float3 turn(const tl_flame *flame, tl_float3 v) {
    return (tl_float3){tl_float3_dot(flame->side[0], v), tl_float3_dot(flame->side[1], v),
                       tl_float3_dot(flame->up, v)};
}

tl_status tl_flames_make(const tl_trace_scene *scene, tl_space *space, tl_flames *out,
                         tl_error *error) {
    *out = (tl_flames){.count = scene->flame_count};
    out->items = tl_arena_allocate(&space->arena, scene->flame_count + 1, sizeof *out->items);
    if (!out->items)
        return tl_fail_memory(error, scene->flame_count, sizeof *out->items);
    for (size_t i = 0; i < scene->flame_count; i++) {
        const tl_trace_flame *from = &scene->flames[i];
        tl_flame *flame = &out->items[i];
        flame->wide = (float)from->width, flame->tall = TL_FLAME_TALL * flame->wide;
        flame->strength = from->strength;
        set_frame(flame, tl_flame_up(from->up));
        flame->foot = tl_float3_mad(tl_float3_of(tl_vec3_sub(from->position, space->origin)),
                                    -TL_FLAME_MIDDLE * flame->tall, flame->up);
    }
    return TL_OK;
}

/* The stretch from *begin to *end of a ray that is within the cylinder; false: none is. */
static bool clip(const tl_flame *flame, tl_float3 from, tl_float3 along, float *begin, float *end) {
    const float r = TL_FLAME_HALF * flame->wide;
    const float a = along.x * along.x + along.y * along.y, b = from.x * along.x + from.y * along.y;
    const float c = from.x * from.x + from.y * from.y - r * r;
    if (a > 1e-12f) {
        const float root = b * b - a * c;
        if (!(root > 0))
            return false;
        *begin = fmaxf(*begin, (-b - sqrtf(root)) / a);
        *end = fminf(*end, (-b + sqrtf(root)) / a);
    } else if (c > 0) {
        return false;
    }
    if (fabsf(along.z) > 1e-6f) {
        const float low = -from.z / along.z, high = (flame->tall - from.z) / along.z;
        *begin = fmaxf(*begin, fminf(low, high));
        *end = fminf(*end, fmaxf(low, high));
    } else if (from.z < 0 || from.z > flame->tall) {
        return false;
    }
    return *begin < *end;
}

static tl_float3 meet(const tl_flame *flame, const tl_ray *ray, float distance, float *passes) {
    const tl_float3 from = turn(flame, tl_float3_sub(ray->from, flame->foot));
    const tl_float3 along = turn(flame, ray->along);
    tl_float3 light = {0, 0, 0};
    float begin = 0, end = distance;
    *passes = 1;
    if (!clip(flame, from, along, &begin, &end))
        return light;
    const float step = (end - begin) / STEPS;
    for (int k = 0; k < STEPS; k++) {
        const tl_float3 p = tl_float3_mad(from, begin + ((float)k + 0.5f) * step, along);
        const float t = tl_clamp01(p.z / flame->tall);
        const float half = fmaxf(tl_flame_half_width(t), 1e-3f) * flame->wide;
        const float in = 1 - hypotf(p.x, p.y) / half;
        const float body = flame->strength * tl_flame_body(t, in);
        const float stays = expf(-DEPTH * body * step / (2 * half));
        light = tl_float3_mad(light, *passes * (1 - stays), tl_flame_light(t, in));
        *passes *= stays;
    }
    return light;
}

tl_float3 tl_flames_meet(const tl_flames *flames, const tl_ray *ray, float distance,
                         float *passes) {
    tl_float3 light = {0, 0, 0};
    *passes = 1;
    for (size_t i = 0; i < flames->count; i++) {
        float left;
        light = tl_float3_mad(light, *passes, meet(&flames->items[i], ray, distance, &left));
        *passes *= left;
    }
    return light;
}
