/* See lay.h. Clear matter shows what is behind it, moved as its surface bends light and dimmed the
 * more the thicker it is. */
#include "render/lay.h"

#include "render/glass.h"
#include "render/glow.h"

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
    tl_glow glow;
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

static tl_float3 shade_skin(const lay_job *job, size_t p, int x, int y, float *depth) {
    const tl_view *view = job->air->view;
    const tl_skin *skin = view->skin;
    const tl_surface s = tl_skin_at(skin, p, tl_pixel_x(view, x), tl_pixel_y(view, y));
    const tl_preview_matter matter = tl_skin_matter(skin, p);
    const tl_paint paint = tl_skin_paint(skin, p);
    const tl_substance substance = {.colour = paint.colour,
                                    .roughness = matter.roughness,
                                    .reflection = tl_reflection_of(matter.refraction),
                                    .metal = matter.metal,
                                    .translucency = matter.translucency,
                                    .is_matter = true};
    const tl_shine shine = tl_shine_at(job->air, &s, &substance, view->open[p]);
    tl_float3 body = shine.body;
    *depth = s.depth;
    if (matter.clarity > 0 && skin->thickness) {
        const tl_float3 seen = see_through(job, p, x, y, &s, &matter, paint.colour);
        body = tl_float3_mix(body, tl_float3_scale(seen, 1 - shine.thrown),
                             (1 - HAZE) * matter.clarity);
    }
    if (matter.glows) /* hollows are as bright as the rest, but let faces be told apart */
        body = tl_float3_mad(body, 0.7f + 0.3f * view->open[p],
                             tl_glow_at(&job->glow, paint.temperature));
    return tl_float3_add(body, shine.mirror);
}

static tl_float3 lay_pixel(const lay_job *job, int x, int y, const uint32_t *edges, size_t near) {
    const tl_view *view = job->air->view;
    const tl_skin *skin = view->skin;
    const size_t p = (size_t)y * (size_t)view->width + (size_t)x;
    const float cover = 0.25f * (float)skin->cover[p];
    tl_layer layers[2] = {{skin->behind[p], 1 - cover}, {0, cover}};
    tl_float3 colour = job->backdrop[p];
    if (cover > 0) {
        const tl_float3 skin_colour = shade_skin(job, p, x, y, &layers[1].depth);
        colour = cover < 1 ? tl_float3_mix(colour, skin_colour, cover) : skin_colour;
    }
    return tl_glass_over(view, &job->glass, edges, near, x, y, layers, 2, colour);
}

static void lay_tiles(void *context, size_t begin, size_t end, int thread) {
    const lay_job *job = context;
    const tl_view *view = job->air->view;
    uint32_t *edges = job->edges + (size_t)thread * job->glass.count;
    for (size_t number = begin; number < end; number++) {
        const int x0 = (int)(number % (size_t)view->tiles_x) * PIXELS;
        const int y0 = (int)(number / (size_t)view->tiles_x) * PIXELS;
        const size_t near = tl_glass_near(&job->glass, x0, y0, PIXELS, edges);
        for (int y = y0; y < y0 + PIXELS && y < view->height; y++)
            for (int x = x0; x < x0 + PIXELS && x < view->width; x++)
                job->light[(size_t)y * (size_t)view->width + (size_t)x] =
                    lay_pixel(job, x, y, edges, near);
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
    tl_glow_make(&job->glow);
    TL_TRY(tl_glass_build(arena, view, &job->glass, error));
    const size_t room = (size_t)parallel->threads * job->glass.count;
    job->edges = tl_arena_allocate(arena, room, sizeof *job->edges);
    if (!job->edges)
        return tl_fail_memory(error, room, sizeof *job->edges);
    tl_parallel_for(parallel, (size_t)view->tiles_x * (size_t)view->tiles_y, 1, lay_tiles, job);
    tl_parallel_for(parallel, (size_t)view->height, 8, blend_edges, job);
    return TL_OK;
}
