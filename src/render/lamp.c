/* See lamp.h. */
#include "render/lamp.h"

#include "base/simd.h"
#include "render/fade.h"

/* WIDEST: texels from the middle of a lookup to its rim, at most. */
enum { WIDEST = 24, FAR_TEXELS = 1024, CUBE_TEXELS = 512, TAPS = TL_FADE_WAYS, FEW = TAPS / 2 };

/* A face of the cube reaches this much beyond its edges, for lookups beside them. */
#define FACE 1.06

typedef struct map_job {
    tl_light_map *map;
    const tl_blots *blots;
    tl_tile_grid grid;
} map_job;

static void draw_tiles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const map_job *job = context;
    tl_light_map *map = job->map;
    const size_t tiles = (size_t)map->size / TL_TILE;
    for (size_t t = begin; t < end; t++) {
        float depth[TL_TILE * TL_TILE];
        for (int k = 0; k < TL_TILE * TL_TILE; k++)
            depth[k] = INFINITY;
        tl_blots_draw(job->blots, t, &job->grid, depth);
        for (size_t y = 0; y < TL_TILE; y++)
            for (size_t x = 0; x < TL_TILE; x++)
                map->depth[(t / tiles * TL_TILE + y) * (size_t)map->size + t % tiles * TL_TILE +
                           x] = depth[y * TL_TILE + x];
    }
}

/* The least depth in each block and in those within the widest lookup around it: what is nearer to
 * the lamp is lit, and needs no closer look. */
static void find_least(tl_light_map *map, float *scratch) {
    const int blocks = map->size / TL_MAP_BLOCK, near = (WIDEST + TL_MAP_BLOCK - 1) / TL_MAP_BLOCK;
    for (int y = 0; y < map->size; y++)
        for (int x = 0; x < map->size; x++) {
            float *least = &scratch[y / TL_MAP_BLOCK * blocks + x / TL_MAP_BLOCK];
            const float d = map->depth[(size_t)y * (size_t)map->size + (size_t)x];
            *least = (y | x) % TL_MAP_BLOCK == 0 || d < *least ? d : *least;
        }
    for (int y = 0; y < blocks; y++)
        for (int x = 0; x < blocks; x++) {
            float least = INFINITY;
            for (int j = y - near; j <= y + near; j++)
                for (int i = x - near; i <= x + near; i++)
                    if (i >= 0 && j >= 0 && i < blocks && j < blocks)
                        least = fminf(least, scratch[j * blocks + i]);
            map->least[y * blocks + x] = least;
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

static tl_status draw_map(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                          const tl_lens *lens, tl_blot_choice *choose, tl_light_map *out,
                          tl_error *error) {
    const tl_skin *skin = view->skin;
    const int size = lens->tiles_x * TL_TILE;
    tl_blots blots;
    TL_TRY(tl_blots_make(parallel, arena, lens, skin->shapes, skin->matter->count, 1, choose, skin,
                         &blots, error));
    if (blots.bins.start[lens->tiles_x * lens->tiles_y] == 0)
        return TL_OK;
    *out = (tl_light_map){
        .eye = tl_float3_of(tl_view_point(view, lens->eye)),
        .right = tl_float3_of(tl_view_turn(view, lens->right)),
        .down = tl_float3_of(tl_view_turn(view, lens->down)),
        .forward = tl_float3_of(tl_view_turn(view, lens->forward)),
        .x0 = (float)lens->x0,
        .y0 = (float)lens->y0,
        .scale = (float)lens->scale,
        .flat = lens->flat,
        .size = size,
        .depth = tl_arena_allocate(arena, (size_t)size * (size_t)size, sizeof(float)),
    };
    const size_t blocks = (size_t)(size / TL_MAP_BLOCK) * (size_t)(size / TL_MAP_BLOCK);
    float *scratch = tl_arena_allocate(arena, blocks, sizeof *scratch);
    out->least = tl_arena_allocate(arena, blocks, sizeof *out->least);
    if (!out->depth || !out->least || !scratch)
        return tl_fail_memory(error, (size_t)size * (size_t)size, sizeof(float));
    map_job job = {.map = out, .blots = &blots};
    for (int k = 0; k < TL_TILE; k++)
        job.grid.x[0][k] = job.grid.x[1][k] = job.grid.y[k] = (float)k + 0.5f;
    tl_parallel_for(parallel, (size_t)(lens->tiles_x * lens->tiles_y), 1, draw_tiles, &job);
    find_least(out, scratch);
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
    TL_TRY(draw_map(parallel, arena, view, &lens, choose_solid, &lamp->solid[0], error));
    return draw_map(parallel, arena, view, &lens, choose_clear, &lamp->clear, error);
}

static tl_status map_near(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                          tl_vec3 at, tl_lamp *lamp, tl_error *error) {
    static const tl_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int face = 0; face < TL_CUBE; face++) {
        const tl_lens lens = {.eye = at,
                              .right = axes[(face / 2 + 1) % 3],
                              .down = axes[(face / 2 + 2) % 3],
                              .forward = tl_vec3_scale(axes[face / 2], face & 1 ? -1 : 1),
                              .x0 = 0.5 * CUBE_TEXELS,
                              .y0 = 0.5 * CUBE_TEXELS,
                              .scale = 0.5 * CUBE_TEXELS / FACE,
                              .tiles_x = CUBE_TEXELS / TL_TILE,
                              .tiles_y = CUBE_TEXELS / TL_TILE};
        lamp->axes[face / 2] = tl_float3_of(tl_view_turn(view, axes[face / 2]));
        TL_TRY(draw_map(parallel, arena, view, &lens, choose_solid, &lamp->solid[face], error));
    }
    return TL_OK;
}

static tl_status make_lamp(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                           const tl_preview_light *light, tl_lamp *out, tl_error *error) {
    *out = (tl_lamp){.is_near = light->is_near, .size = light->size, .grain = view->skin->spacing};
    out->light = tl_float3_scale(tl_linear(light->colour), light->strength);
    if (light->is_near) {
        const float away = (float)tl_vec3_length(tl_vec3_sub(light->at, view->look_at));
        const float reference = fmaxf(away, 0.01f * view->focus);
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

tl_float3 tl_lamp_towards(const tl_lamp *lamp, tl_float3 point, tl_float3 *strength) {
    *strength = lamp->light;
    if (!lamp->is_near)
        return lamp->at;
    const tl_float3 away = tl_float3_sub(lamp->at, point);
    *strength = tl_float3_scale(lamp->light,
                                1 / (tl_float3_dot(away, away) + lamp->soft * lamp->soft + 1e-30f));
    return tl_float3_unit(away);
}

/* A point on a map. */
typedef struct spot {
    const tl_light_map *map;
    float x, y, depth; /* texels, m */
    float texels;      /* a m there */
    float length;      /* of a way with depth 1 */
} spot;

/* False where the map says nothing: it is lit there. */
static bool find_spot(const tl_light_map *map, tl_float3 point, spot *out) {
    if (!map->size)
        return false;
    const tl_float3 v = tl_float3_sub(point, map->eye);
    const float across = tl_float3_dot(v, map->right), along = tl_float3_dot(v, map->down);
    const float depth = tl_float3_dot(v, map->forward);
    const float step = map->flat ? map->scale : map->scale / depth;
    *out = (spot){map, map->x0 + across * step, map->y0 + along * step, depth, step, 1};
    if (!map->flat)
        out->length = sqrtf(tl_float3_dot(v, v)) / depth;
    const float most = (float)map->size - 1;
    return (map->flat || depth > 0) && out->x >= 1 && out->y >= 1 && out->x < most && out->y < most;
}

/* The face of the cube that a point is seen through: that of the axis it is farthest along. */
static const tl_light_map *face_of(const tl_lamp *lamp, tl_float3 point) {
    if (!lamp->is_near)
        return &lamp->solid[0];
    const tl_float3 v = tl_float3_sub(point, lamp->at);
    const float along[3] = {tl_float3_dot(v, lamp->axes[0]), tl_float3_dot(v, lamp->axes[1]),
                            tl_float3_dot(v, lamp->axes[2])};
    const int first = fabsf(along[0]) > fabsf(along[1]) ? 0 : 1;
    const int axis = fabsf(along[first]) > fabsf(along[2]) ? first : 2;
    return &lamp->solid[2 * axis + (along[axis] < 0)];
}

/* Depths around a spot, at the first `count` of TAPS places in a disc, turned by an angle with
 * cosine and sine `turn`. */
static void read_taps(const spot *s, float radius, const float turn[2], int count, float *depth) {
    /* Vogel's spiral: even over the disc. */
    static const float across[TAPS] = {0.177f,  -0.226f, 0.035f,  0.284f,  -0.522f, 0.495f,
                                       -0.166f, -0.315f, 0.684f,  -0.713f, 0.343f,  0.254f,
                                       -0.764f, 0.897f,  -0.548f, -0.122f};
    static const float along[TAPS] = {0.000f,  0.207f,  -0.394f, 0.371f, -0.092f, -0.315f,
                                      0.615f,  -0.608f, 0.250f,  0.294f, -0.734f, 0.809f,
                                      -0.444f, -0.196f, 0.779f,  -0.976f};
    const float c = radius * turn[0], d = radius * turn[1];
    const tl_wide last = tl_splat((float)s->map->size - 1), first = tl_splat(0);
    float x[TAPS], y[TAPS];
    for (int k = 0; k < count; k += TL_LANES) {
        const tl_wide u = tl_load(across + k), v = tl_load(along + k);
        tl_store(x + k, tl_min(tl_max(s->x + c * u - d * v, first), last));
        tl_store(y + k, tl_min(tl_max(s->y + d * u + c * v, first), last));
    }
    for (int k = 0; k < count; k++)
        depth[k] = s->map->depth[(size_t)y[k] * (size_t)s->map->size + (size_t)x[k]];
}

static float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

/* The width of the penumbra in m: that of the light, seen through what is between. Nothing is
 * between where it is negative. */
static float penumbra(const tl_lamp *lamp, const spot *s, const float depth[FEW], float bias) {
    const tl_wide none = tl_splat(0), one = tl_splat(1), limit = tl_splat(s->depth - bias);
    tl_wide sum = none, number = none;
    for (int k = 0; k < FEW; k += TL_LANES) {
        const tl_wide d = tl_load(depth + k), between = s->depth - d;
        const tl_wide gap = lamp->is_near ? between / tl_max(d, tl_splat(1e-6f)) : between;
        sum += tl_select_less(d, limit, gap, none);
        number += tl_select_less(d, limit, one, none);
    }
    const float blockers = tl_sum(number);
    return blockers > 0 ? lamp->size * tl_sum(sum) / blockers : -1;
}

static float reaches(const tl_lamp *lamp, const tl_light_map *map, tl_float3 point,
                     const float turn[2]) {
    spot s;
    if (!find_spot(map, point, &s))
        return 1;
    const float bias = 0.3f * lamp->grain, texel = 1.5f, most = WIDEST;
    const int blocks = map->size / TL_MAP_BLOCK;
    float depth[TAPS];
    if (s.depth - bias < map->least[(int)s.y / TL_MAP_BLOCK * blocks + (int)s.x / TL_MAP_BLOCK])
        return 1;
    read_taps(&s, clamp(2.8f * lamp->grain * s.texels, texel, most), turn, FEW, depth);
    const float shadow = penumbra(lamp, &s, depth, bias);
    if (shadow < 0)
        return 1;
    const float wide = fmaxf(shadow, 0.3f * lamp->grain);
    read_taps(&s, clamp(wide * s.texels, texel, most), turn, TAPS, depth);
    const float sharpness = 1 / (0.5f * lamp->grain + 0.5f * wide);
    tl_wide sum = tl_splat(0);
    for (int k = 0; k < TAPS; k += TL_LANES) {
        const tl_wide lit = 1 - (s.depth - bias - tl_load(depth + k)) * sharpness;
        sum += tl_min(tl_positive(lit), tl_splat(1));
    }
    return tl_sum(sum) / TAPS;
}

float tl_lamp_reaches(const tl_lamp *lamp, tl_float3 point, const float turn[2]) {
    const float clear = reaches(lamp, &lamp->clear, point, turn);
    return reaches(lamp, face_of(lamp, point), point, turn) * (0.6f + 0.4f * clear);
}

float tl_lamp_enters(const tl_lamp *lamp, tl_float3 point, float shift, tl_float3 length,
                     const float turn[2], tl_float3 *through) {
    const float clear = 0.6f + 0.4f * reaches(lamp, &lamp->clear, point, turn);
    spot s;
    *through = (tl_float3){1, 1, 1};
    if (!find_spot(face_of(lamp, point), point, &s))
        return clear;
    /* Light spreads on its way: the wider, the farther it goes. */
    const float wide = clamp((0.3f * length.x + 0.5f * lamp->grain) * s.texels, 1.5f, WIDEST);
    const float lengths[3] = {length.x, length.y, length.z};
    const float outside = s.depth - shift - 0.3f * lamp->grain, inside = s.depth + shift;
    const float sharpness = 1 / (0.7f * lamp->grain);
    float depth[TAPS], ways[TAPS], left[3];
    tl_wide lit = tl_splat(0);
    read_taps(&s, wide, turn, TAPS, depth);
    for (int k = 0; k < TAPS; k += TL_LANES) {
        const tl_wide d = tl_load(depth + k);
        lit += tl_min(tl_positive(1 - (outside - d) * sharpness), tl_splat(1));
        tl_store(ways + k, tl_positive(inside - d) * s.length);
    }
    if (length.x > 0) {
        tl_fade(ways, lengths, left);
        *through = (tl_float3){left[0], left[1], left[2]};
    }
    return clear * tl_sum(lit) / TAPS;
}
