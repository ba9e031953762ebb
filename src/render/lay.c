/* See lay.h. Clear matter shows what is behind it, moved as its surface bends light and dimmed the
 * more the thicker it is. */
#include "render/lay.h"

#include "render/bundle.h"
#include "render/glass.h"
#include "render/glow.h"
#include "render/veil.h"

enum { PIXELS = TL_TILE / 2 };

/* Light that went through this many viewing distances of clear matter has its colour. */
#define TINT_LENGTH 0.15f

/* The part of light that clear matter throws about, as water with some bubbles does. */
#define HAZE 0.12f

typedef struct lay_job {
    const tl_air *air;
    const tl_float3 *backdrop;
    tl_float3 *light;
    tl_glass glass;
    uint32_t *edges; /* a list for each thread */
    tl_veil *veils;  /* one for each thread; NULL: none is wanted */
    tl_glow glow;
    tl_preview_matter plain;
    const tl_preview_matter *matters;
} lay_job;

/* The light behind a place between pixels. */
static tl_float3 look_behind(const lay_job *job, float x, float y) {
    const tl_view *view = job->air->view;
    const float most_x = (float)view->width - 1.001f, most_y = (float)view->height - 1.001f;
    x = x > 0 ? (x < most_x ? x : most_x) : 0, y = y > 0 ? (y < most_y ? y : most_y) : 0;
    const int i = (int)x, j = (int)y;
    const size_t p = (size_t)j * (size_t)view->width + (size_t)i;
    const size_t right = i + 1 < view->width, down = j + 1 < view->height ? (size_t)view->width : 0;
    const tl_float3 *b = job->backdrop;
    const float fx = x - (float)i, fy = y - (float)j;
    return tl_float3_mix(tl_float3_mix(b[p], b[p + right], fx),
                         tl_float3_mix(b[p + down], b[p + down + right], fx), fy);
}

/* What is seen through clear matter. A ray that is bent by an angle over the thickness comes out
 * that much to the side. */
static tl_float3 see_through(const lay_job *job, size_t p, int x, int y, const tl_surface *s,
                             const tl_preview_matter *matter, tl_float3 colour) {
    const tl_view *view = job->air->view;
    const float thick = fmaxf(view->skin->thickness[p], 2 * view->skin->spacing),
                bend = 1 - 1 / matter->refraction;
    const float aside = fminf(bend * thick / (s->depth * view->pixel), 0.08f * (float)view->height);
    const tl_float3 seen =
        look_behind(job, (float)x - aside * s->normal.x, (float)y + aside * s->normal.y);
    const float length =
        matter->translucency > 0 ? matter->translucency : TINT_LENGTH * view->focus;
    const float way = thick / length;
    const tl_float3 left = {powf(fmaxf(colour.x, 0.01f), way), powf(fmaxf(colour.y, 0.01f), way),
                            powf(fmaxf(colour.z, 0.01f), way)};
    return tl_float3_times(seen, left);
}

/* Pixels of the skin, and what they show. */
typedef struct skin_pixels {
    tl_bundle bundle;
    int x[TL_LANES], y[TL_LANES];
    tl_surface surface[TL_LANES];
    const tl_preview_matter *matter[TL_LANES];
    float roughness[TL_LANES], reflection[TL_LANES], metal[TL_LANES], translucency[TL_LANES];
} skin_pixels;

/* K beyond its melting range over which the look of matter changes, so that it does so evenly where
 * that range is none. */
#define MELT_BLUR 2.0f

/* 0 where matter looks solid, 1 where it looks molten. */
static float molten_at(const tl_preview_matter *matter, float temperature) {
    return matter->melts ? tl_smoothstep(matter->solidus - MELT_BLUR, matter->liquidus + MELT_BLUR,
                                         temperature)
                         : 0;
}

static float mix(float a, float b, float t) { return a + t * (b - a); }

static void add_pixel(const lay_job *job, skin_pixels *q, size_t p, int x, int y) {
    const tl_view *view = job->air->view;
    const tl_surface s = tl_skin_at(view->skin, p, tl_pixel_x(view, x), tl_pixel_y(view, y));
    const tl_preview_matter *matter = &job->matters[view->skin->kinds[p]];
    const tl_paint paint = tl_skin_paint(view->skin, p);
    const float molten = molten_at(matter, paint.temperature);
    const int l = tl_bundle_add(&q->bundle, job->air, x, y, &s, paint.colour);
    q->x[l] = x, q->y[l] = y, q->surface[l] = s, q->matter[l] = matter;
    q->roughness[l] = mix(matter->roughness, matter->melt_roughness, molten);
    q->reflection[l] = tl_reflection_of(matter->refraction);
    q->metal[l] = matter->metal;
    q->translucency[l] = mix(matter->translucency, matter->melt_translucency, molten);
}

/* The light of one of the pixels, given what it throws back. */
static tl_float3 finish_pixel(const lay_job *job, const skin_pixels *q, int l, tl_float3 body,
                              tl_float3 mirror, float thrown) {
    const tl_view *view = job->air->view;
    const tl_preview_matter *matter = q->matter[l];
    const size_t p = q->bundle.pixel[l];
    if (matter->clarity > 0 && view->skin->thickness) {
        const tl_float3 seen = see_through(job, p, q->x[l], q->y[l], &q->surface[l], matter,
                                           tl_skin_paint(view->skin, p).colour);
        body = tl_float3_mix(body, tl_float3_scale(seen, 1 - thrown), (1 - HAZE) * matter->clarity);
    }
    if (matter->glows) /* hollows are as bright as the rest, but let faces be told apart */
        body = tl_float3_mad(body, 0.7f + 0.3f * view->open[p],
                             tl_glow_at(&job->glow, tl_skin_paint(view->skin, p).temperature));
    return tl_float3_add(body, mirror);
}

static void light_pixels(const lay_job *job, skin_pixels *q) {
    const tl_skin *skin = job->air->view->skin;
    float body[3][TL_LANES], mirror[3][TL_LANES], thrown[TL_LANES];
    if (!q->bundle.count)
        return;
    const tl_surfaces surfaces = tl_bundle_surfaces(&q->bundle);
    const tl_substances substances = {.roughness = tl_load(q->roughness),
                                      .reflection = tl_load(q->reflection),
                                      .metal = tl_load(q->metal),
                                      .translucency = tl_load(q->translucency),
                                      .is_matter = true};
    const tl_shines shines = tl_shine_at(job->air, &surfaces, &substances);
    tl_wide3_store(body, shines.body);
    tl_wide3_store(mirror, shines.mirror);
    tl_store(thrown, shines.thrown);
    for (int l = 0; l < q->bundle.count; l++) {
        const size_t p = q->bundle.pixel[l];
        const float cover = 0.25f * (float)skin->cover[p];
        const tl_float3 light =
            finish_pixel(job, q, l, tl_bundle_get(body, l), tl_bundle_get(mirror, l), thrown[l]);
        job->light[p] = cover < 1 ? tl_float3_mix(job->backdrop[p], light, cover) : light;
    }
    q->bundle.count = 0;
}

static void lay_glass(const lay_job *job, int x0, int y0, int x1, int y1, const uint32_t *edges,
                      size_t near) {
    const tl_view *view = job->air->view;
    const tl_skin *skin = view->skin;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            const size_t p = (size_t)y * (size_t)view->width + (size_t)x;
            const float cover = 0.25f * (float)skin->cover[p];
            const tl_layer layers[2] = {{skin->behind[p], 1 - cover},
                                        {cover > 0 ? 1 / skin->near[p] : 0, cover}};
            job->light[p] =
                tl_glass_over(view, &job->glass, edges, near, x, y, layers, 2, job->light[p]);
        }
}

static void lay_veils(const lay_job *job, size_t number, tl_veil *veil, int x0, int y0, int x1,
                      int y1) {
    const tl_view *view = job->air->view;
    tl_veil_find(view, number, veil);
    for (int y = y0; y < y1 && veil->any; y++)
        for (int x = x0; x < x1; x++) {
            tl_float3 *light = &job->light[(size_t)y * (size_t)view->width + (size_t)x];
            *light = tl_veil_over(veil, x - x0, y - y0, *light);
        }
}

static void lay_tiles(void *context, size_t begin, size_t end, int thread) {
    const lay_job *job = context;
    const tl_view *view = job->air->view;
    uint32_t *edges = job->edges + (size_t)thread * job->glass.count;
    skin_pixels q = {0};
    for (size_t number = begin; number < end; number++) {
        const int x0 = (int)(number % (size_t)view->tiles_x) * PIXELS;
        const int y0 = (int)(number / (size_t)view->tiles_x) * PIXELS;
        const int x1 = x0 + PIXELS < view->width ? x0 + PIXELS : view->width;
        const int y1 = y0 + PIXELS < view->height ? y0 + PIXELS : view->height;
        for (int y = y0; y < y1; y++)
            for (int x = x0; x < x1; x++) {
                const size_t p = (size_t)y * (size_t)view->width + (size_t)x;
                if (!view->skin->cover[p]) {
                    job->light[p] = job->backdrop[p];
                    continue;
                }
                add_pixel(job, &q, p, x, y);
                if (q.bundle.count == TL_LANES)
                    light_pixels(job, &q);
            }
        light_pixels(job, &q);
        if (view->box_count)
            lay_glass(job, x0, y0, x1, y1, edges,
                      tl_glass_near(&job->glass, x0, y0, PIXELS, edges));
        if (job->veils)
            lay_veils(job, number, &job->veils[thread], x0, y0, x1, y1);
    }
}

/* A pixel in which one sheet of matter ends before another: the other's light, from beside it. */
static bool light_of_next_sheet(const lay_job *job, int x, int y, tl_float3 *out) {
    static const int aside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const tl_view *view = job->air->view;
    const tl_skin *skin = view->skin;
    const float here = 1 / skin->near[(size_t)y * (size_t)view->width + (size_t)x];
    tl_float3 sum = {0, 0, 0};
    float number = 0;
    for (int k = 0; k < 4; k++) {
        const int i = x + aside[k][0], j = y + aside[k][1];
        if (i < 0 || j < 0 || i >= view->width || j >= view->height)
            continue;
        const size_t p = (size_t)j * (size_t)view->width + (size_t)i;
        if (skin->cover[p] == 4 && skin->front[p] == 4 &&
            1 / skin->near[p] > here + skin->spacing) {
            sum = tl_float3_add(sum, job->light[p]);
            number++;
        }
    }
    *out = tl_float3_scale(sum, number > 0 ? 1 / number : 0);
    return number > 0;
}

/* Makes the edges of sheets before others smooth. Only pixels are changed that no other reads. */
static void blend_edges(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const lay_job *job = context;
    const tl_view *view = job->air->view;
    const tl_skin *skin = view->skin;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < view->width; x++) {
            const size_t p = y * (size_t)view->width + (size_t)x;
            tl_float3 next;
            if (skin->cover[p] == 4 && skin->front[p] < 4 &&
                light_of_next_sheet(job, x, (int)y, &next))
                job->light[p] = tl_float3_mix(next, job->light[p], 0.25f * (float)skin->front[p]);
        }
}

tl_status tl_skin_lay(const tl_parallel *parallel, tl_arena *arena, const tl_air *air,
                      const tl_float3 *backdrop, tl_float3 *light, tl_error *error) {
    const tl_view *view = air->view;
    lay_job *job = tl_arena_allocate(arena, 1, sizeof *job);
    if (!job)
        return tl_fail_memory(error, 1, sizeof *job);
    job->air = air, job->backdrop = backdrop, job->light = light;
    job->plain = tl_preview_plain_matter();
    job->matters = view->skin->matter->matter_count ? view->skin->matter->matters : &job->plain;
    bool glows = false;
    for (size_t k = 0; k < view->skin->matter->matter_count; k++)
        glows = glows || job->matters[k].glows;
    if (glows)
        tl_glow_make(&job->glow, view->skin->matter->hottest);
    TL_TRY(tl_glass_build(arena, view, &job->glass, error));
    const size_t room = (size_t)parallel->threads * job->glass.count;
    job->edges = tl_arena_allocate(arena, room, sizeof *job->edges);
    if (!job->edges)
        return tl_fail_memory(error, room, sizeof *job->edges);
    const size_t threads = (size_t)parallel->threads;
    if (tl_veil_wanted(view) &&
        !(job->veils = tl_arena_allocate(arena, threads, sizeof *job->veils)))
        return tl_fail_memory(error, threads, sizeof *job->veils);
    tl_parallel_for(parallel, (size_t)view->tiles_x * (size_t)view->tiles_y, 1, lay_tiles, job);
    tl_parallel_for(parallel, (size_t)view->height, 8, blend_edges, job);
    return TL_OK;
}
