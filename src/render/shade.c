/* Light: each thing that a pixel's samples show is shaded once, where its samples lie, and the
 * pixel is their mean in linear light.
 *
 * The light is a sky that is brighter above than below, dimmed where occlusion.c found a corner; a
 * warm key light with shadows and a small highlight; and a rim where surfaces turn away, which
 * parts near spheres from those behind them. */
#include "render/develop.h"
#include "render/glass.h"
#include "render/skin.h"
#include "render/tint.h"
#include "render/veil.h"

enum { PIXELS = TL_TILE / 2 };

typedef struct shade_job {
    const tl_view *view;
    tl_glass glass;
    uint32_t *edges;     /* a list for each thread */
    tl_float3 light, up; /* camera space */
    tl_tints tints;
    tl_develop develop;
    tl_veil *veils; /* one for each thread; NULL: none is wanted */
    unsigned char *rgb;
} shade_job;

static tl_float3 light_surface(const shade_job *job, const tl_surface *s, tl_float3 albedo,
                               float open, float gloss) {
    const tl_shadow_map *map = &job->view->shadows;
    const tl_float3 sky = {0.50f, 0.55f, 0.62f}, earth = {0.22f, 0.20f, 0.19f};
    const tl_float3 key = {0.92f, 0.87f, 0.78f};
    const tl_float3 n = s->normal, toward = tl_float3_unit(tl_float3_scale(s->position, -1));
    const float upward = 0.5f + 0.5f * tl_float3_dot(n, job->up);
    const float facing = tl_float3_dot(n, job->light);
    float lit = facing > -0.15f ? 1 : 0;
    if (lit > 0 && map->size)
        lit = tl_shadow_light(map, tl_float3_mad(s->position, map->bias, n));
    lit *= 0.6f + 0.4f * open; /* the key light is not a point: corners see less of it too */

    tl_float3 sum = tl_float3_scale(tl_float3_mix(earth, sky, upward), open);
    sum = tl_float3_mad(sum, lit * tl_clamp01((facing + 0.15f) / 1.15f), key);
    tl_float3 colour = tl_float3_times(albedo, sum);

    const tl_float3 half = tl_float3_unit(tl_float3_add(toward, job->light));
    float shine = tl_clamp01(tl_float3_dot(n, half));
    for (int k = 0; k < 5; k++) /* to the 32nd power */
        shine *= shine;
    const float away = 1 - tl_clamp01(tl_float3_dot(n, toward));
    const float rim = 0.25f * away * away * away * upward * open;
    colour = tl_float3_mad(colour, gloss * (0.35f * shine * lit + rim), sky);
    return (tl_float3){tl_shoulder(colour.x), tl_shoulder(colour.y), tl_shoulder(colour.z)};
}

static tl_float3 shade_plane(const shade_job *job, uint32_t shows, const tl_surface *s, float x,
                             float y, float open, tl_float3 background) {
    tl_wide fade;
    const tl_wide3 colour = tl_tint_plane(&job->tints, &job->view->planes[shows - TL_SHOWS_PLANE],
                                          tl_splat(x), tl_splat(y), tl_splat(s->depth), &fade);
    if (!(tl_lane(fade, 0) < 1))
        return background;
    const tl_float3 albedo = {tl_lane(colour.x, 0), tl_lane(colour.y, 0), tl_lane(colour.z, 0)};
    return tl_float3_mix(light_surface(job, s, albedo, open, 0), background, tl_lane(fade, 0));
}

static tl_float3 shade_at(const shade_job *job, uint32_t shows, float x, float y, float open,
                          tl_float3 background, float *depth) {
    const tl_surface s = tl_surface_at(job->view, shows, x, y);
    *depth = s.depth;
    if (shows == TL_SHOWS_NOTHING)
        return background;
    if (shows >= TL_SHOWS_PLANE)
        return shade_plane(job, shows, &s, x, y, open, background);
    const float gloss = shows >= job->view->scene->count ? 0.3f : 1;
    return light_surface(job, &s, tl_tint_of(&job->tints, shows, x, y), open, gloss);
}

/* The mean light of one pixel's samples, and what is in it. */
static tl_float3 shade_pixel(const shade_job *job, int px, int py, tl_layer layers[4],
                             int *layer_count) {
    const tl_view *view = job->view;
    const tl_float3 background = tl_tint_behind(&job->tints, py);
    const float open = view->open[(size_t)py * (size_t)view->width + (size_t)px];
    tl_pixel_part parts[4];
    tl_float3 sum = {0, 0, 0};
    *layer_count = tl_pixel_parts(view, px, py, parts);
    for (int k = 0; k < *layer_count; k++) {
        const tl_pixel_part *p = &parts[k];
        layers[k].weight = p->weight;
        sum =
            tl_float3_mad(sum, p->weight,
                          shade_at(job, p->shows, p->x, p->y, open, background, &layers[k].depth));
    }
    return sum;
}

static void shade_tiles(void *context, size_t begin, size_t end, int thread) {
    const shade_job *job = context;
    const tl_view *view = job->view;
    uint32_t *edges = job->edges + (size_t)thread * job->glass.count;
    for (size_t number = begin; number < end; number++) {
        const int x0 = (int)(number % (size_t)view->tiles_x) * PIXELS;
        const int y0 = (int)(number / (size_t)view->tiles_x) * PIXELS;
        const size_t near = tl_glass_near(&job->glass, x0, y0, PIXELS, edges);
        tl_veil *veil = job->veils ? &job->veils[thread] : NULL;
        if (veil)
            tl_veil_find(view, number, veil);
        const int wide = view->width - x0 < PIXELS ? view->width - x0 : PIXELS;
        for (int y = y0; y < y0 + PIXELS && y < view->height; y++) {
            tl_float3 row[PIXELS];
            for (int k = 0; k < wide; k++) {
                tl_layer layers[4];
                int count;
                const tl_float3 colour = shade_pixel(job, x0 + k, y, layers, &count);
                row[k] =
                    tl_glass_over(view, &job->glass, edges, near, x0 + k, y, layers, count, colour);
                if (veil && veil->any)
                    row[k] = tl_veil_over(veil, k, y - y0, row[k]);
            }
            tl_develop_row(&job->develop, y, row, wide,
                           job->rgb + 3 * ((size_t)y * (size_t)view->width + (size_t)x0));
        }
    }
}

tl_status tl_shade(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                   unsigned char *rgb, tl_error *error) {
    shade_job *job = tl_arena_allocate(arena, 1, sizeof *job);
    if (!job)
        return tl_fail_memory(error, 1, sizeof *job);
    job->view = view, job->rgb = rgb;
    job->light = tl_float3_of(tl_view_turn(view, tl_view_light(view)));
    job->up = tl_float3_of(tl_view_turn(view, (tl_vec3){0, 0, 1}));
    tl_tints_make(view, &job->tints);
    tl_develop_make(&job->develop);
    TL_TRY(tl_glass_build(arena, view, &job->glass, error));
    const size_t room = (size_t)parallel->threads * job->glass.count;
    job->edges = tl_arena_allocate(arena, room, sizeof *job->edges);
    if (!job->edges)
        return tl_fail_memory(error, room, sizeof *job->edges);
    const size_t threads = (size_t)parallel->threads;
    if (tl_veil_wanted(view) &&
        !(job->veils = tl_arena_allocate(arena, threads, sizeof *job->veils)))
        return tl_fail_memory(error, threads, sizeof *job->veils);
    tl_parallel_for(parallel, (size_t)view->tiles_x * (size_t)view->tiles_y, 1, shade_tiles, job);
    return TL_OK;
}
