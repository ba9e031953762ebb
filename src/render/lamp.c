/* See lamp.h. */
#include "render/lamp.h"

enum { FAR_TEXELS = 1024, CUBE_TEXELS = 512, TAPS = 16 };

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

static bool is_clear(const tl_skin *skin, size_t particle) {
    const tl_preview_skin *m = skin->matter;
    return m->matter_count > 0 && m->matters[m->kinds ? m->kinds[particle] : 0].clarity > 0.5f;
}
static bool choose_solid(const void *skin, size_t particle) { return !is_clear(skin, particle); }
static bool choose_clear(const void *skin, size_t particle) { return is_clear(skin, particle); }

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
    if (!out->depth)
        return tl_fail_memory(error, (size_t)size * (size_t)size, sizeof(float));
    map_job job = {.map = out, .blots = &blots};
    for (int k = 0; k < TL_TILE; k++)
        job.grid.x[0][k] = job.grid.x[1][k] = job.grid.y[k] = (float)k + 0.5f;
    tl_parallel_for(parallel, (size_t)(lens->tiles_x * lens->tiles_y), 1, draw_tiles, &job);
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
        TL_TRY(draw_map(parallel, arena, view, &lens, choose_solid, &lamp->solid[face], error));
    }
    return TL_OK;
}

static tl_status make_lamp(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                           const tl_preview_light *light, tl_lamp *out, tl_error *error) {
    *out = (tl_lamp){.is_near = light->is_near, .size = light->size, .grain = view->skin->spacing};
    out->light = tl_float3_scale(tl_linear(light->colour), light->strength);
    if (light->is_near) {
        const tl_vec3 away = tl_vec3_sub(light->at, view->look_at);
        const double square = tl_vec3_dot(away, away), least = 0.01 * (double)view->focus;
        out->at = tl_float3_of(tl_view_point(view, light->at));
        out->light = tl_float3_scale(out->light, (float)fmax(square, least * least));
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
                                  .colour = {0.97f, 0.94f, 0.89f},
                                  .strength = scene->daylight,
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
    const float square = tl_float3_dot(away, away), least = lamp->size * lamp->size;
    *strength = tl_float3_scale(lamp->light, 1 / (square > least ? square : least + 1e-30f));
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

/* The face of the cube that a point is seen through. */
static const tl_light_map *face_of(const tl_lamp *lamp, tl_float3 point) {
    if (!lamp->is_near)
        return &lamp->solid[0];
    int best = 0;
    float most = -INFINITY;
    for (int face = 0; face < TL_CUBE; face++) {
        const tl_light_map *map = &lamp->solid[face];
        const float depth =
            map->size ? tl_float3_dot(tl_float3_sub(point, map->eye), map->forward) : -INFINITY;
        if (depth > most) {
            most = depth;
            best = face;
        }
    }
    return &lamp->solid[best];
}

/* Depths around a spot, at TAPS places in a disc. */
static void read_taps(const spot *s, float radius, float depth[TAPS]) {
    /* Vogel's spiral: even over the disc. */
    static const float places[TAPS][2] = {
        {0.177f, 0.000f},   {-0.226f, 0.207f}, {0.035f, -0.394f}, {0.284f, 0.371f},
        {-0.522f, -0.092f}, {0.495f, -0.315f}, {-0.166f, 0.615f}, {-0.315f, -0.608f},
        {0.684f, 0.250f},   {-0.713f, 0.294f}, {0.343f, -0.734f}, {0.254f, 0.809f},
        {-0.764f, -0.444f}, {0.897f, -0.196f}, {-0.548f, 0.779f}, {-0.122f, -0.976f},
    };
    const int last = s->map->size - 1;
    for (int k = 0; k < TAPS; k++) {
        const int x = (int)(s->x + radius * places[k][0]), y = (int)(s->y + radius * places[k][1]);
        const int i = x < 0 ? 0 : x > last ? last : x, j = y < 0 ? 0 : y > last ? last : y;
        depth[k] = s->map->depth[(size_t)j * (size_t)s->map->size + (size_t)i];
    }
}

static float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

/* The width of the penumbra in m: that of the light, seen through what is between. */
static float penumbra(const tl_lamp *lamp, const spot *s, const float depth[TAPS], float bias) {
    float sum = 0, number = 0;
    for (int k = 0; k < TAPS; k++)
        if (depth[k] < s->depth - bias) {
            sum += lamp->is_near ? (s->depth - depth[k]) / fmaxf(depth[k], 1e-6f)
                                 : s->depth - depth[k];
            number++;
        }
    return number > 0 ? lamp->size * sum / number : 0;
}

static float reaches(const tl_lamp *lamp, const tl_light_map *map, tl_float3 point) {
    spot s;
    if (!find_spot(map, point, &s))
        return 1;
    const float bias = 0.3f * lamp->grain, texel = 1.5f, most = 24;
    float depth[TAPS], sum = 0;
    read_taps(&s, clamp(2 * lamp->grain * s.texels, texel, most), depth);
    const float wide = fmaxf(penumbra(lamp, &s, depth, bias), 0.3f * lamp->grain);
    read_taps(&s, clamp(wide * s.texels, texel, most), depth);
    const float sharpness = 1 / (0.5f * lamp->grain + 0.5f * wide);
    for (int k = 0; k < TAPS; k++)
        sum += tl_clamp01(1 - (s.depth - bias - depth[k]) * sharpness);
    return sum / TAPS;
}

float tl_lamp_reaches(const tl_lamp *lamp, tl_float3 point) {
    const float clear = reaches(lamp, &lamp->clear, point);
    return reaches(lamp, face_of(lamp, point), point) * (0.6f + 0.4f * clear);
}

tl_float3 tl_lamp_comes_through(const tl_lamp *lamp, tl_float3 point, tl_float3 length) {
    spot s;
    if (!find_spot(face_of(lamp, point), point, &s))
        return (tl_float3){1, 1, 1};
    /* Light spreads on its way: the wider, the farther it goes. */
    const float wide = clamp((0.3f * length.x + 0.5f * lamp->grain) * s.texels, 1.5f, 24);
    float depth[TAPS];
    tl_float3 sum = {0, 0, 0};
    read_taps(&s, wide, depth);
    for (int k = 0; k < TAPS; k++) {
        const float way = fmaxf(s.depth - depth[k], 0) * s.length;
        sum.x += expf(-way / length.x);
        sum.y += expf(-way / length.y);
        sum.z += expf(-way / length.z);
    }
    return tl_float3_scale(sum, 1.0f / TAPS);
}
