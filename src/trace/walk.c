/* See walk.h. Scattering is the same in all directions, and as far for all colours; what is lost at
 * a turn is the colour's (substance.h). Walks that carry little end early, at random. */
#include "trace/walk.h"

enum { MOST_TURNS = 4096, FREE_TURNS = 8 };

typedef struct numbers {
    uint64_t seed, count;
} numbers;

static float next(numbers *n) {
    return (float)(tl_random_bits(n->seed, n->count++) >> 40) * 0x1p-24f;
}

static tl_float3 any_direction(numbers *n) {
    const float z = 1 - 2 * next(n), s = sqrtf(fmaxf(0, 1 - z * z)), phi = 2 * TL_PI_F * next(n);
    return (tl_float3){s * cosf(phi), s * sinf(phi), z};
}

/* Into the matter, by Lambert's law. */
static tl_float3 first_direction(tl_float3 normal, numbers *n) {
    const float u = next(n), v = next(n);
    const tl_float3 d = tl_cosine_sample((tl_float2){u, v});
    tl_float3 x, y;
    tl_frame_about(normal, &x, &y);
    return tl_float3_mad(tl_float3_mad(tl_float3_scale(x, d.x), d.y, y), -d.z, normal);
}

/* Goes on with the chance of what is left of the light. */
static bool survives(int turn, tl_float3 *left, numbers *n) {
    const float most = fmaxf(left->x, fmaxf(left->y, left->z));
    if (turn < FREE_TURNS || most > 0.5f)
        return true;
    const float chance = fmaxf(2 * most, 0.02f);
    if (next(n) >= chance)
        return false;
    *left = tl_float3_scale(*left, 1 / chance);
    return true;
}

bool tl_walk(const tl_space *space, const tl_meeting *enters, uint64_t seed, tl_meeting *leaves,
             tl_float3 *left, uint64_t *rays) {
    numbers n = {seed, 0};
    const tl_float3 albedo = tl_substance_scattering(enters->colour);
    const float path = enters->substance->path;
    tl_ray ray = {.from = tl_space_beside(space, enters->place, tl_float3_scale(enters->face, -1)),
                  .along = first_direction(enters->normal, &n)};
    const float inward = tl_float3_dot(ray.along, enters->face);
    if (inward > 0)
        ray.along = tl_float3_mad(ray.along, -2 * inward, enters->face);
    *left = (tl_float3){1, 1, 1};
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        ray.limit = -logf(1 - next(&n)) * path;
        ++*rays;
        if (tl_thing_meet(enters->thing, &ray, leaves))
            return true;
        ray.from = tl_float3_mad(ray.from, ray.limit, ray.along);
        ray.along = any_direction(&n);
        *left = tl_float3_times(*left, albedo);
        if (!survives(turn, left, &n))
            return false;
    }
    return false;
}
