/* See lamp.h. Here: the maps. */
#include "render/lamp.h"

#include "math/extremes.h"

#include <string.h>

enum { FAR_TEXELS = 1024, CUBE_TEXELS = 512, BLOCKS = TL_TILE / TL_MAP_BLOCK };

/* A face of the cube reaches this much beyond its edges, for lookups beside them. */
#define FACE 1.06f

typedef struct map_job {
    const tl_blots *blots;
    tl_tile_grid grid;
    size_t size;           /* texels on a side */
    float *depth, *blocks; /* [y][x] of texels, and the least of each block of them */
} map_job;

/* The least depth in each block of a tile. */
static void find_blocks(const float *depth, float least[BLOCKS][BLOCKS]) {
    for (int j = 0; j < BLOCKS; j++)
        for (int i = 0; i < BLOCKS; i++)
            least[j][i] = INFINITY;
    for (int y = 0; y < TL_TILE; y++)
        for (int i = 0; i < BLOCKS; i++) {
            const float *row = depth + y * TL_TILE + i * TL_MAP_BLOCK;
            float *l = &least[y / TL_MAP_BLOCK][i];
            for (int k = 0; k < TL_MAP_BLOCK; k++)
                *l = tl_smaller(row[k], *l);
        }
}

static void draw_tiles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const map_job *job = context;
    const size_t tiles = job->size / TL_TILE;
    for (size_t t = begin; t < end; t++) {
        float depth[TL_TILE * TL_TILE], least[BLOCKS][BLOCKS];
        for (int k = 0; k < TL_TILE * TL_TILE; k++)
            depth[k] = INFINITY;
        tl_blots_draw(job->blots, t, &job->grid, depth);
        find_blocks(depth, least);
        const size_t x0 = t % tiles, y0 = t / tiles;
        for (size_t y = 0; y < TL_TILE; y++)
            memcpy(job->depth + (y0 * TL_TILE + y) * job->size + x0 * TL_TILE, depth + y * TL_TILE,
                   TL_TILE * sizeof *depth);
        for (size_t j = 0; j < BLOCKS; j++)
            memcpy(job->blocks + ((y0 * BLOCKS + j) * tiles + x0) * BLOCKS, least[j],
                   sizeof least[j]);
    }
}

/* The least depth in each block and in those within the widest lookup around it: what is nearer to
 * the lamp is lit, and needs no closer look. */
static void find_least(const float *of_blocks, int blocks, float *out) {
    const int near = (TL_WIDEST + TL_MAP_BLOCK - 1) / TL_MAP_BLOCK;
    for (int y = 0; y < blocks; y++)
        for (int x = 0; x < blocks; x++) {
            float least = INFINITY;
            for (int j = y - near; j <= y + near; j++)
                for (int i = x - near; i <= x + near; i++)
                    if (i >= 0 && j >= 0 && i < blocks && j < blocks)
                        least = tl_smaller(of_blocks[j * blocks + i], least);
            out[y * blocks + x] = least;
        }
}

static bool choose_solid(const void *context, size_t particle) {
    const tl_skin *skin = context;
    return !skin->shapes[particle].is_deep && !tl_skin_is_clear(skin, particle);
}

static bool choose_clear(const void *context, size_t particle) {
    const tl_skin *skin = context;
    return !skin->shapes[particle].is_deep && tl_skin_is_clear(skin, particle);
}

/* Draws a face of a map. */
static tl_status draw_face(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                           const tl_lens *lens, tl_blot_choice *choose, size_t face,
                           tl_light_map *map, tl_error *error) {
    const tl_skin *skin = view->skin;
    const size_t faces = map->is_cube ? TL_CUBE : 1, size = (size_t)lens->tiles_x * TL_TILE;
    const size_t texels = size * size, side = size / TL_MAP_BLOCK, blocks = side * side;
    tl_blots blots;
    TL_TRY(tl_blots_make(parallel, arena, lens, skin->shapes, skin->matter->count, 1, choose, skin,
                         &blots, error));
    if (blots.bins.start[lens->tiles_x * lens->tiles_y] == 0)
        return TL_OK;
    if (!map->size) {
        map->depth = tl_arena_allocate(arena, faces * texels, sizeof *map->depth);
        map->least = tl_arena_allocate(arena, faces * blocks, sizeof *map->least);
        if (!map->depth || !map->least)
            return tl_fail_memory(error, faces * texels, sizeof *map->depth);
        for (size_t k = 0; k < faces * blocks; k++) /* so that no texel is asked without matter */
            map->least[k] = INFINITY;
        map->size = (int)size;
    }
    map_job job = {.blots = &blots, .size = size, .depth = map->depth + face * texels};
    job.blocks = tl_arena_allocate(arena, blocks, sizeof *job.blocks);
    if (!job.blocks)
        return tl_fail_memory(error, blocks, sizeof *job.blocks);
    for (int k = 0; k < TL_TILE; k++)
        job.grid.x[0][k] = job.grid.x[1][k] = job.grid.y[k] = (float)k + 0.5f;
    tl_parallel_for(parallel, (size_t)lens->tiles_x * (size_t)lens->tiles_y, 1, draw_tiles, &job);
    find_least(job.blocks, (int)side, map->least + face * blocks);
    return TL_OK;
}

/* Fits a flat lens to the matter that is not too far from what is looked at: one stray particle
 * must not stretch a texel until it is larger than the scene. */
static bool fit_lens(const tl_view *view, tl_vec3 towards, tl_lens *out) {
    const tl_skin *skin = view->skin;
    const tl_vec3 other = fabs(towards.z) < 0.9 ? (tl_vec3){0, 0, 1} : (tl_vec3){1, 0, 0};
    const double far = 4 * (double)view->focus;
    *out = (tl_lens){.eye = view->look_at, .flat = true};
    out->forward = tl_vec3_scale(towards, -1);
    out->right = tl_vec3_unit(tl_vec3_cross(other, towards));
    out->down = tl_vec3_cross(out->forward, out->right);
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL;
    for (size_t i = 0; i < skin->matter->count; i++) {
        const tl_ellipsoid *s = &skin->shapes[i];
        const tl_vec3 d = tl_vec3_sub(s->at, view->look_at);
        if (!(s->reach > 0) || s->is_deep || !(tl_vec3_dot(d, d) < far * far))
            continue;
        const double x = tl_vec3_dot(d, out->right), y = tl_vec3_dot(d, out->down);
        x0 = fmin(x0, x), x1 = fmax(x1, x), y0 = fmin(y0, y), y1 = fmax(y1, y);
    }
    if (!(x0 <= x1))
        return false;
    const double margin = 4 * skin->matter->spacing;
    const double size = fmax(x1 - x0, y1 - y0) + 2 * margin;
    /* Four texels a spacing tell particles apart; more would only cost time. */
    const double wanted = 4 * size / skin->matter->spacing;
    const int tiles = (int)ceil(fmin(fmax(wanted, 256), FAR_TEXELS) / TL_TILE);
    out->tiles_x = out->tiles_y = tiles;
    out->scale = tiles * TL_TILE / size;
    out->x0 = (margin - x0) * out->scale;
    out->y0 = (margin - y0) * out->scale;
    return true;
}

static tl_status map_far(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                         tl_vec3 towards, tl_lamp *lamp, tl_error *error) {
    tl_lens lens;
    if (!fit_lens(view, towards, &lens))
        return TL_OK;
    lamp->solid = (tl_light_map){.eye = tl_float3_of(tl_view_point(view, lens.eye)),
                                 .axes = {tl_float3_of(tl_view_turn(view, lens.right)),
                                          tl_float3_of(tl_view_turn(view, lens.down)),
                                          tl_float3_of(tl_view_turn(view, lens.forward))},
                                 .x0 = (float)lens.x0,
                                 .y0 = (float)lens.y0,
                                 .scale = (float)lens.scale};
    lamp->clear = lamp->solid;
    TL_TRY(draw_face(parallel, arena, view, &lens, choose_solid, 0, &lamp->solid, error));
    return draw_face(parallel, arena, view, &lens, choose_clear, 0, &lamp->clear, error);
}

static tl_status map_near(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                          tl_vec3 at, tl_lamp *lamp, tl_error *error) {
    static const tl_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    lamp->solid = (tl_light_map){.eye = lamp->at,
                                 .axes = {view->axes[0], view->axes[1], view->axes[2]},
                                 .x0 = 0.5f * CUBE_TEXELS,
                                 .y0 = 0.5f * CUBE_TEXELS,
                                 .scale = 0.5f * CUBE_TEXELS / FACE,
                                 .is_cube = true};
    for (int face = 0; face < TL_CUBE; face++) {
        const tl_lens lens = {.eye = at,
                              .right = axes[(face / 2 + 1) % 3],
                              .down = axes[(face / 2 + 2) % 3],
                              .forward = tl_vec3_scale(axes[face / 2], face & 1 ? -1 : 1),
                              .x0 = (double)lamp->solid.x0,
                              .y0 = (double)lamp->solid.y0,
                              .scale = (double)lamp->solid.scale,
                              .tiles_x = CUBE_TEXELS / TL_TILE,
                              .tiles_y = CUBE_TEXELS / TL_TILE};
        TL_TRY(draw_face(parallel, arena, view, &lens, choose_solid, (size_t)face, &lamp->solid,
                         error));
    }
    return TL_OK;
}

static tl_status make_lamp(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                           const tl_preview_light *light, tl_lamp *out, tl_error *error) {
    *out = (tl_lamp){.is_near = light->is_near, .size = light->size, .grain = view->skin->spacing};
    out->light = tl_float3_scale(tl_linear(light->colour), light->strength);
    if (light->is_near) {
        const float away = (float)tl_vec3_length(tl_vec3_sub(light->at, view->look_at));
        const float reference =
            light->distance > 0 ? light->distance : fmaxf(away, 0.01f * view->focus);
        out->soft = fmaxf(light->size, 0.4f * reference);
        out->at = tl_float3_of(tl_view_point(view, light->at));
        out->light = tl_float3_scale(out->light, reference * reference + out->soft * out->soft);
        return map_near(parallel, arena, view, light->at, out, error);
    }
    const tl_vec3 towards = tl_vec3_unit(light->at);
    out->at = tl_float3_of(tl_view_turn(view, towards));
    return map_far(parallel, arena, view, towards, out, error);
}

tl_status tl_lamps_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                        tl_lamps *out, tl_error *error) {
    const tl_preview_scene *scene = view->skin->scene;
    const tl_preview_light key = {.at = tl_view_light(view),
                                  .colour = {0.96f, 0.93f, 0.88f},
                                  .strength = 0.9f * scene->daylight,
                                  .size = 0.06f};
    const tl_preview_light *lights = scene->light_count ? scene->lights : &key;
    *out = (tl_lamps){.count = scene->light_count ? scene->light_count : 1};
    out->items = tl_arena_allocate(arena, out->count, sizeof *out->items);
    if (!out->items)
        return tl_fail_memory(error, out->count, sizeof *out->items);
    bool has_key = false;
    for (size_t i = 0; i < out->count; i++) {
        TL_TRY(make_lamp(parallel, arena, view, &lights[i], &out->items[i], error));
        out->items[i].is_key = !has_key && !lights[i].is_near;
        has_key = has_key || !lights[i].is_near;
    }
    return TL_OK;
}
