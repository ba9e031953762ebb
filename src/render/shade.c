/* Light: each thing that a pixel's samples show is shaded once, where its samples lie, and the
 * pixel is their mean in linear light.
 *
 * The light is a sky that is brighter above than below, dimmed where occlusion.c found a corner; a
 * warm key light with shadows and a small highlight; and a rim where surfaces turn away, which
 * parts near spheres from those behind them. */
#include "render/develop.h"
#include "render/glass.h"
#include "render/shine.h"
#include "render/triangles.h"

enum { INPUT_STEPS = 1024, PIXELS = TL_TILE / 2 };

/* Where an endless plane goes over into the background, in viewing distances from the focus. */
static const float FADE_START = 0.6f, FADE_END = 3.2f;

typedef struct shade_job {
    const tl_view *view;
    tl_glass glass;
    uint32_t *edges;            /* a list for each thread */
    tl_float3 light, up, focus; /* camera space */
    tl_float3 colour, top, bottom;
    float to_linear[INPUT_STEPS + 1];
    tl_develop develop;
    unsigned char *rgb;
    const tl_air *air;   /* of a picture with a skin, and then */
    tl_float3 *backdrop; /* [pixel]: receives the light instead */
} shade_job;

static void set_tables(shade_job *job) {
    for (int i = 0; i <= INPUT_STEPS; i++) {
        const float s = (float)i / INPUT_STEPS, grey[3] = {s, s, s};
        job->to_linear[i] = tl_linear(grey).x;
    }
    tl_develop_make(&job->develop);
}

static tl_float3 background_at(const shade_job *job, int y) {
    const float t = ((float)y + 0.5f) / (float)job->view->height;
    return tl_float3_mix(job->top, job->bottom, t);
}

/* Walls and balls beside a skin stand in its light. */
static tl_float3 light_in_air(const shade_job *job, const tl_surface *s, tl_float3 albedo,
                              float open, float gloss) {
    if (!(gloss > 0))
        return tl_shine_matte(job->air, s, albedo, open);
    const tl_substance substance = {.colour = albedo, .roughness = 0.45f, .reflection = 0.04f};
    const tl_shine shine = tl_shine_at(job->air, s, &substance, open);
    return tl_float3_add(shine.body, shine.mirror);
}

static tl_float3 light_surface(const shade_job *job, const tl_surface *s, tl_float3 albedo,
                               float open, float gloss) {
    if (job->air)
        return light_in_air(job, s, albedo, open, gloss);
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

/* The part of [at - wide / 2, at + wide / 2] that lines of width `line` around whole numbers cover;
 * exact, so that a grid fades to grey in the distance and does not shimmer. */
static float line_cover(float at, float wide, float line) {
    const float a = at - 0.5f * wide + 0.5f * line, b = at + 0.5f * wide + 0.5f * line;
    const float to_a = floorf(a) * line + fminf(a - floorf(a), line);
    const float to_b = floorf(b) * line + fminf(b - floorf(b), line);
    return tl_clamp01((to_b - to_a) / wide);
}

/* On a plane n·p = h the ray r meets p = r h / n·r; with the ray's x, p grows by
 * (e_x - r n_x / n·r) h / n·r. */
static float grid_cover(const tl_view *view, const tl_view_plane *plane, const tl_surface *s,
                        float x, float y) {
    const tl_float3 ray = {x, y, 1}, n = plane->normal;
    const tl_float3 axes[2] = {plane->u, plane->v};
    const float inverse = 1 / tl_float3_dot(n, ray), scale = 1 / plane->grid;
    const float growth = fabsf(s->depth) * view->pixel * scale;
    const float at[2] = {plane->at_u, plane->at_v};
    float clear = 1;
    for (int k = 0; k < 2; k++) {
        const float along = tl_float3_dot(axes[k], ray), turned = along * inverse;
        const float here = (along * s->depth - at[k]) * scale;
        const float wide =
            growth * (fabsf(axes[k].x - turned * n.x) + fabsf(axes[k].y - turned * n.y));
        const float cover = line_cover(here, fmaxf(wide, 1e-4f), 0.02f);
        clear *= 1 - (cover >= 0 ? cover : 0);
    }
    return 1 - clear;
}

static tl_float3 shade_plane(const shade_job *job, uint32_t shows, const tl_surface *s, float x,
                             float y, float open, tl_float3 background) {
    const tl_view *view = job->view;
    const tl_view_plane *plane = &view->planes[shows - TL_SHOWS_PLANE];
    const tl_float3 away = tl_float3_sub(s->position, job->focus);
    const float distance = sqrtf(tl_float3_dot(away, away)) / view->focus;
    if (plane->endless && !(distance < FADE_END)) /* also where rounding met the horizon itself */
        return background;
    const float fade = plane->endless ? tl_smoothstep(FADE_START, FADE_END, distance) : 0;
    tl_float3 albedo = plane->colour;
    if (plane->grid > 0)
        albedo = tl_float3_scale(albedo, 1 - 0.22f * grid_cover(view, plane, s, x, y));
    return tl_float3_mix(light_surface(job, s, albedo, open, 0), background, fade);
}

static tl_float3 sphere_colour(const shade_job *job, uint32_t sphere) {
    const float *colours = job->view->scene->colours;
    if (!colours)
        return job->colour;
    const float *c = colours + 3 * (size_t)sphere;
    float out[3];
    for (int k = 0; k < 3; k++)
        out[k] = job->to_linear[(int)(tl_clamp01(c[k]) * INPUT_STEPS + 0.5f)];
    return (tl_float3){out[0], out[1], out[2]};
}

static tl_float3 shade_at(const shade_job *job, uint32_t shows, float x, float y, float open,
                          tl_float3 background, float *depth) {
    const tl_surface s = tl_surface_at(job->view, shows, x, y);
    *depth = s.depth;
    if (shows == TL_SHOWS_NOTHING)
        return background;
    if (shows >= TL_SHOWS_PLANE)
        return shade_plane(job, shows, &s, x, y, open, background);
    if (shows >= TL_SHOWS_BOX)
        return light_surface(job, &s, job->view->boxes[shows - TL_SHOWS_BOX].colour, open, 0.3f);
    if (shows >= job->view->scene->count)
        return light_surface(job, &s,
                             tl_triangle_colour(job->view, shows - job->view->scene->count, x, y),
                             open, 0.3f);
    return light_surface(job, &s, sphere_colour(job, shows), open, 1);
}

/* The mean light of one pixel's samples, and what is in it. */
static tl_float3 shade_pixel(const shade_job *job, int px, int py, tl_layer layers[4],
                             int *layer_count) {
    const tl_view *view = job->view;
    const uint32_t *rows[2] = {tl_view_sample(view, 2 * px, 2 * py),
                               tl_view_sample(view, 2 * px, 2 * py + 1)};
    const uint32_t shown[4] = {rows[0][0], rows[0][1], rows[1][0], rows[1][1]};
    const tl_float3 background = background_at(job, py);
    const float open = view->open[(size_t)py * (size_t)view->width + (size_t)px];
    tl_float3 sum = {0, 0, 0};
    int done = 0;
    if (shown[0] == shown[1] && shown[0] == shown[2] && shown[0] == shown[3]) {
        *layer_count = 1;
        layers[0].weight = 1;
        return shade_at(job, shown[0], tl_pixel_x(view, px), tl_pixel_y(view, py), open, background,
                        &layers[0].depth);
    }
    *layer_count = 0;
    for (int first = 0; first < 4; first++) {
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
        tl_layer *layer = &layers[(*layer_count)++];
        layer->weight = 0.25f * number;
        sum = tl_float3_mad(
            sum, layer->weight,
            shade_at(job, shown[first], x / number, y / number, open, background, &layer->depth));
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
        for (int y = y0; y < y0 + PIXELS && y < view->height; y++)
            for (int x = x0; x < x0 + PIXELS && x < view->width; x++) {
                tl_layer layers[4];
                int count;
                const tl_float3 colour = shade_pixel(job, x, y, layers, &count);
                tl_develop_pixel(
                    &job->develop, x, y,
                    tl_glass_over(view, &job->glass, edges, near, x, y, layers, count, colour),
                    job->rgb + 3 * ((size_t)y * (size_t)view->width + (size_t)x));
            }
    }
}

static void shade_backdrop(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const shade_job *job = context;
    const tl_view *view = job->view;
    for (size_t number = begin; number < end; number++) {
        const int x0 = (int)(number % (size_t)view->tiles_x) * PIXELS;
        const int y0 = (int)(number / (size_t)view->tiles_x) * PIXELS;
        for (int y = y0; y < y0 + PIXELS && y < view->height; y++)
            for (int x = x0; x < x0 + PIXELS && x < view->width; x++) {
                const size_t p = (size_t)y * (size_t)view->width + (size_t)x;
                tl_layer layers[4];
                int count;
                if (!tl_skin_hides(view->skin, p))
                    job->backdrop[p] = shade_pixel(job, x, y, layers, &count);
            }
    }
}

static void set_job(const tl_view *view, shade_job *job) {
    const tl_vec3 z = {0, 0, 1};
    job->view = view;
    job->light = tl_float3_of(tl_view_turn(view, tl_view_light(view)));
    job->up = tl_float3_of(tl_view_turn(view, z));
    job->focus = tl_float3_of(tl_view_point(view, view->look_at));
    job->colour = tl_linear(view->scene->colour);
    job->top = tl_linear(view->scene->background_top);
    job->bottom = tl_linear(view->scene->background_bottom);
    set_tables(job);
}

tl_status tl_shade_backdrop(const tl_parallel *parallel, tl_arena *arena, const tl_air *air,
                            tl_float3 *light, tl_error *error) {
    const tl_view *view = air->view;
    const float daylight = view->skin->scene->daylight;
    shade_job *job = tl_arena_allocate(arena, 1, sizeof *job);
    if (!job)
        return tl_fail_memory(error, 1, sizeof *job);
    set_job(view, job);
    job->air = air;
    job->backdrop = light;
    job->top = tl_float3_scale(job->top, daylight);
    job->bottom = tl_float3_scale(job->bottom, daylight);
    tl_parallel_for(parallel, (size_t)view->tiles_x * (size_t)view->tiles_y, 1, shade_backdrop,
                    job);
    return TL_OK;
}

tl_status tl_shade(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                   unsigned char *rgb, tl_error *error) {
    shade_job *job = tl_arena_allocate(arena, 1, sizeof *job);
    if (!job)
        return tl_fail_memory(error, 1, sizeof *job);
    set_job(view, job);
    job->rgb = rgb;
    TL_TRY(tl_glass_build(arena, view, &job->glass, error));
    const size_t room = (size_t)parallel->threads * job->glass.count;
    job->edges = tl_arena_allocate(arena, room, sizeof *job->edges);
    if (!job->edges)
        return tl_fail_memory(error, room, sizeof *job->edges);
    tl_parallel_for(parallel, (size_t)view->tiles_x * (size_t)view->tiles_y, 1, shade_tiles, job);
    return TL_OK;
}
