/* See picture_touch.h. */
#include "run/picture_touch.h"

#include "base/memory.h"
#include "boundary/shapes.h"
#include "cohesion/obstacles.h"

/* In d0: what is so near begins to reach for the wall, so that nothing jumps from frame to frame.
 */
#define BEGIN 1.25

/* The way to the nearest wall, or a part of it from half a spacing on. */
static tl_vec3 way_of(const tl_shapes *shapes, tl_vec3 x, double d0, double spacing) {
    double nearest = BEGIN * d0;
    tl_vec3 towards = {0, 0, 0}, normal;
    for (size_t s = 0; s < shapes->count; s++) {
        const double d = tl_shape_distance(&shapes->items[s], x, &normal);
        if (d > 0 && d < nearest)
            nearest = d, towards = tl_vec3_scale(normal, -1);
    }
    const double part = fmin((BEGIN * d0 - nearest) / ((BEGIN - 1) * d0), 1);
    const double half = fmin(0.5 * spacing, nearest);
    return tl_vec3_scale(towards, half + part * (nearest - half));
}

static tl_status find_ways(const tl_shot *shot, tl_shapes *shapes, float *ways, tl_error *error) {
    const tl_scene *scene = shot->scene;
    tl_collision collision;
    TL_TRY(tl_collision_make(&scene->cohesive.collision, scene->spacing, &collision, error));
    TL_TRY(tl_shapes_make(scene->walls.items, scene->walls.count, shapes, error));
    for (size_t i = 0; i < shot->frame->count; i++) {
        const tl_vec3 way = way_of(shapes, tl_vec3_of(shot->view.positions + 3 * i),
                                   collision.distance, scene->spacing);
        ways[3 * i] = (float)way.x, ways[3 * i + 1] = (float)way.y, ways[3 * i + 2] = (float)way.z;
    }
    return TL_OK;
}

tl_status tl_shot_find_ways(const tl_shot *shot, tl_arena *arena, const float **out,
                            tl_error *error) {
    const size_t count = shot->frame->count;
    tl_shapes shapes = {0};
    *out = NULL;
    if (shot->scene->dynamics != TL_DYNAMICS_COHESIVE || shot->scene->walls.count == 0)
        return TL_OK;
    float *ways = tl_arena_allocate(arena, count + 1, 3 * sizeof *ways);
    if (!ways)
        return tl_fail_memory(error, count, 3 * sizeof *ways);
    const tl_status status = find_ways(shot, &shapes, ways, error);
    tl_shapes_free(&shapes);
    *out = ways;
    return status;
}
