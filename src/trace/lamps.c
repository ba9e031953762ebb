/* See lamps.h. From a place every lamp is a disc of directions, of which all are taken with the
 * same density 1 / 2π(1 − cos θ), θ half the angle that it is seen under. */
#include "trace/lamps.h"

#include <string.h>

/* Smaller lamps are points: their discs are lost in the rounding of floats. */
#define SMALLEST_SINE 1e-3f

static tl_trace_lamp lamp_of_light(const tl_trace_light *light, const tl_space *space) {
    tl_trace_lamp lamp = {.is_far = tl_vec3_length(light->towards) > 0,
                          .power = {light->power[0], light->power[1], light->power[2]}};
    if (lamp.is_far) {
        lamp.center = tl_float3_of(tl_vec3_unit(light->towards));
        lamp.size = (float)sin(0.5 * fmin(light->size, 3));
        if (lamp.size < SMALLEST_SINE)
            lamp.size = 0;
    } else {
        lamp.center = tl_float3_of(tl_vec3_sub(light->position, space->origin));
        lamp.size = (float)light->size;
    }
    return lamp;
}

tl_status tl_trace_lamps_make(const tl_trace_scene *scene, tl_space *space, tl_trace_lamps *out,
                              tl_error *error) {
    const float *z = scene->sky.zenith, *h = scene->sky.horizon;
    *out = (tl_trace_lamps){.zenith = {z[0], z[1], z[2]}, .horizon = {h[0], h[1], h[2]}};
    const size_t room = scene->light_count + scene->flame_count + 1;
    out->items = tl_arena_allocate(&space->arena, room, sizeof *out->items);
    if (!out->items)
        return tl_fail_memory(error, room, sizeof *out->items);
    for (size_t i = 0; i < scene->light_count; i++)
        out->items[out->count++] = lamp_of_light(&scene->lights[i], space);
    for (size_t i = 0; i < scene->flame_count; i++) {
        const tl_trace_flame *flame = &scene->flames[i];
        tl_trace_light light = {.position = flame->position, .size = 0.5 * flame->width};
        memcpy(light.power, flame->power, sizeof light.power);
        out->items[out->count] = lamp_of_light(&light, space);
        out->items[out->count++].is_flame = true;
    }
    return TL_OK;
}

tl_float3 tl_sky_light(const tl_trace_lamps *lamps, tl_float3 along) {
    return tl_float3_mix(lamps->horizon, lamps->zenith, tl_smoothstep(0, 1, along.z));
}

/* Direction, distance and half angle of the disc. False within the lamp. */
static bool find_disc(const tl_trace_lamp *lamp, tl_float3 place, tl_float3 *middle,
                      float *distance, float *sine) {
    if (lamp->is_far) {
        *middle = lamp->center, *distance = INFINITY, *sine = lamp->size;
        return true;
    }
    const tl_float3 way = tl_float3_sub(lamp->center, place);
    *distance = sqrtf(tl_float3_dot(way, way));
    if (*distance <= lamp->size || !(*distance > 0))
        return false;
    *middle = tl_float3_scale(way, 1 / *distance);
    *sine = lamp->size / *distance;
    if (*sine < SMALLEST_SINE)
        *sine = 0;
    return true;
}

/* 1 − cos θ without cancellation. */
static float versine(float sine) { return sine * sine / (1 + sqrtf(1 - sine * sine)); }

/* Irradiance π power / d² = π L sin² θ, and sin θ = size / d. */
static tl_float3 radiance_of(const tl_trace_lamp *lamp) {
    return tl_float3_scale(lamp->power, 1 / (lamp->size * lamp->size));
}

/* From a place at a distance from the centre to the surface of the lamp along a direction. */
static float way_to(const tl_trace_lamp *lamp, float distance, float versine_of_angle) {
    if (lamp->is_far)
        return INFINITY;
    const float c = 1 - versine_of_angle, across2 = distance * distance * (1 - c * c);
    return distance * c - sqrtf(fmaxf(0, lamp->size * lamp->size - across2));
}

bool tl_trace_lamp_choose(const tl_trace_lamp *lamp, tl_float3 place, tl_float2 u,
                          tl_trace_lamp_sample *out) {
    tl_float3 middle, x, y;
    float distance, sine;
    if (!find_disc(lamp, place, &middle, &distance, &sine))
        return false;
    if (sine == 0) {
        const float fall = lamp->is_far ? 1 : 1 / (distance * distance);
        *out = (tl_trace_lamp_sample){middle, tl_float3_scale(lamp->power, TL_PI_F * fall),
                                      distance, 0};
        return true;
    }
    const float all = versine(sine), v = u.x * all, s = sqrtf(v * (2 - v)), phi = 2 * TL_PI_F * u.y;
    tl_frame_about(middle, &x, &y);
    tl_float3 along = tl_float3_scale(middle, 1 - v);
    along = tl_float3_mad(along, s * cosf(phi), x);
    along = tl_float3_mad(along, s * sinf(phi), y);
    *out = (tl_trace_lamp_sample){along, tl_float3_scale(radiance_of(lamp), 2 * TL_PI_F * all),
                                  way_to(lamp, distance, v), 1 / (2 * TL_PI_F * all)};
    return true;
}

bool tl_trace_lamp_meet(const tl_trace_lamp *lamp, const tl_ray *ray, tl_float3 *radiance,
                        float *distance, float *density) {
    tl_float3 middle;
    float to_center, sine;
    if (!find_disc(lamp, ray->from, &middle, &to_center, &sine) || sine == 0)
        return false;
    const float all = versine(sine), cosine = tl_float3_dot(middle, ray->along);
    if (cosine < 1 - all)
        return false;
    *radiance = radiance_of(lamp);
    *distance = way_to(lamp, to_center, 1 - cosine);
    *density = 1 / (2 * TL_PI_F * all);
    return true;
}
