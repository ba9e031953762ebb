/* Light on everything but matter, of a picture with a skin: walls and balls stand in the light of
 * the lamps, too. Each thing that a pixel's samples show is lit once, where its samples lie, and
 * the pixel is their mean. What is lit is collected first, so that as many points as there are
 * lanes are lit at a time. */
#include "render/bundle.h"
#include "render/tint.h"

enum { PIXELS = TL_TILE / 2 };

typedef struct backdrop_job {
    const tl_air *air;
    tl_tints tints;
    tl_float3 *light; /* [pixel] */
} backdrop_job;

/* Points of planes, all of one plane, and of all else. */
typedef struct fragments {
    const tl_view_plane *plane;
    tl_bundle matte, glossy;
    float x[TL_LANES], y[TL_LANES]; /* rays of the matte */
    float matte_weight[TL_LANES], glossy_weight[TL_LANES];
} fragments;

static void add_light(const backdrop_job *job, size_t pixel, float weight, tl_float3 light) {
    job->light[pixel] = tl_float3_mad(job->light[pixel], weight, light);
}

/* The light of points of a plane, without that of the background; *fade is the part of it. */
static tl_wide3 light_plane(const backdrop_job *job, const tl_view_plane *plane, tl_wide x,
                            tl_wide y, tl_wide open, const tl_wide turn[2], tl_wide *fade) {
    const tl_wide3 ray = {x, y, tl_splat(1)}, normal = tl_wide3_splat(plane->normal);
    const tl_wide depth = plane->offset / tl_wide3_dot(normal, ray), none = tl_splat(0);
    const tl_wide3 colour = tl_tint_plane(&job->tints, plane, x, y, depth, fade);
    if (!tl_mask_less(*fade, tl_splat(1)))
        return (tl_wide3){none, none, none};
    const tl_surfaces s = {.position = tl_wide3_scale(ray, depth),
                           .normal = normal,
                           .colour = colour,
                           .open = open,
                           .turn = {turn[0], turn[1]}};
    const tl_wide3 light = tl_shine_matte(job->air, &s);
    const tl_wide part = 1 - *fade, one = tl_splat(1); /* at the horizon light is not a number */
    return (tl_wide3){tl_select_less(*fade, one, light.x * part, none),
                      tl_select_less(*fade, one, light.y * part, none),
                      tl_select_less(*fade, one, light.z * part, none)};
}

static void light_matte(const backdrop_job *job, fragments *f) {
    const size_t width = (size_t)job->air->view->width;
    const tl_wide turn[2] = {tl_load(f->matte.turn[0]), tl_load(f->matte.turn[1])};
    float out[3][TL_LANES], faded[TL_LANES];
    tl_wide fade;
    if (!f->matte.count)
        return;
    tl_wide3_store(out, light_plane(job, f->plane, tl_load(f->x), tl_load(f->y),
                                    tl_load(f->matte.open), turn, &fade));
    tl_store(faded, fade);
    for (int l = 0; l < f->matte.count; l++) {
        const size_t pixel = f->matte.pixel[l];
        const tl_float3 behind = tl_tint_behind(&job->tints, (int)(pixel / width));
        add_light(job, pixel, f->matte_weight[l],
                  tl_float3_mad(tl_bundle_get(out, l), faded[l], behind));
    }
    f->matte.count = 0;
}

static void light_glossy(const backdrop_job *job, fragments *f) {
    const tl_substances substances = {.roughness = tl_splat(0.45f),
                                      .reflection = tl_splat(0.04f),
                                      .metal = tl_splat(0),
                                      .translucency = tl_splat(0)};
    float out[3][TL_LANES];
    if (!f->glossy.count)
        return;
    const tl_surfaces surfaces = tl_bundle_surfaces(&f->glossy);
    const tl_shines shines = tl_shine_at(job->air, &surfaces, &substances);
    tl_wide3_store(out, tl_wide3_add(shines.body, shines.mirror));
    for (int l = 0; l < f->glossy.count; l++)
        add_light(job, f->glossy.pixel[l], f->glossy_weight[l], tl_bundle_get(out, l));
    f->glossy.count = 0;
}

/* Adds what some samples of a pixel show. */
static void add_fragment(const backdrop_job *job, fragments *f, int px, int py,
                         const tl_pixel_part *part) {
    const tl_view *view = job->air->view;
    const uint32_t shows = part->shows;
    const float x = part->x, y = part->y, weight = part->weight;
    if (shows == TL_SHOWS_NOTHING) {
        add_light(job, (size_t)py * (size_t)view->width + (size_t)px, weight,
                  tl_tint_behind(&job->tints, py));
        return;
    }
    if (shows < TL_SHOWS_PLANE) {
        const tl_surface s = tl_surface_at(view, shows, x, y);
        const tl_float3 colour = tl_tint_of(&job->tints, shows, x, y);
        f->glossy_weight[tl_bundle_add(&f->glossy, job->air, px, py, &s, colour)] = weight;
        if (f->glossy.count == TL_LANES)
            light_glossy(job, f);
        return;
    }
    const tl_view_plane *plane = &view->planes[shows - TL_SHOWS_PLANE];
    if (plane != f->plane)
        light_matte(job, f);
    f->plane = plane;
    const int lane = tl_bundle_add(&f->matte, job->air, px, py, &(tl_surface){0}, plane->colour);
    f->x[lane] = x, f->y[lane] = y, f->matte_weight[lane] = weight;
    if (f->matte.count == TL_LANES)
        light_matte(job, f);
}

static void add_pixel(const backdrop_job *job, fragments *f, int px, int py) {
    tl_pixel_part parts[4];
    const int count = tl_pixel_parts(job->air->view, px, py, parts);
    for (int k = 0; k < count; k++)
        add_fragment(job, f, px, py, &parts[k]);
}

/* Whether pixels beside each other show one and the same thing only; it is in *shows. */
static bool show_one(const tl_view *view, int px, int py, uint32_t *shows) {
    const uint32_t *a = tl_view_sample(view, 2 * px, 2 * py);
    const uint32_t *b = tl_view_sample(view, 2 * px, 2 * py + 1);
    uint32_t other = 0;
    *shows = a[0];
    for (int k = 0; k < 2 * TL_LANES; k++)
        other |= (a[k] ^ a[0]) | (b[k] ^ a[0]);
    return !other;
}

/* Pixels beside each other that show one plane. */
static void light_run(const backdrop_job *job, const tl_view_plane *plane, int px, int py) {
    static const float steps[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const tl_view *view = job->air->view;
    const size_t first = (size_t)py * (size_t)view->width + (size_t)px;
    const tl_float3 behind = tl_tint_behind(&job->tints, py);
    const tl_wide turn[2] = {tl_load(job->air->turns[0][py % TL_TURNS] + px % TL_TURNS_WIDE),
                             tl_load(job->air->turns[1][py % TL_TURNS] + px % TL_TURNS_WIDE)};
    const tl_wide x = tl_pixel_x(view, px) + tl_load(steps) * view->pixel;
    float out[3][TL_LANES];
    tl_wide fade;
    const tl_wide3 light = light_plane(job, plane, x, tl_splat(tl_pixel_y(view, py)),
                                       tl_load(view->open + first), turn, &fade);
    tl_wide3_store(out, tl_wide3_mad(light, fade, tl_wide3_splat(behind)));
    for (int l = 0; l < TL_LANES; l++)
        job->light[first + (size_t)l] = tl_bundle_get(out, l);
}

/* Pixels beside each other. */
static void light_pixels(const backdrop_job *job, fragments *f, int px, int py, int count) {
    const tl_view *view = job->air->view;
    const size_t first = (size_t)py * (size_t)view->width + (size_t)px;
    bool is_seen[TL_LANES], any = false;
    uint32_t shows;
    for (int l = 0; l < count; l++) {
        is_seen[l] = !tl_skin_hides(view->skin, first + (size_t)l);
        any = any || is_seen[l];
    }
    if (!any)
        return;
    if (count == TL_LANES && show_one(view, px, py, &shows) && shows >= TL_SHOWS_PLANE &&
        shows != TL_SHOWS_NOTHING) {
        light_run(job, &view->planes[shows - TL_SHOWS_PLANE], px, py);
        return;
    }
    for (int l = 0; l < count; l++)
        if (is_seen[l]) {
            job->light[first + (size_t)l] = (tl_float3){0, 0, 0};
            add_pixel(job, f, px + l, py);
        }
}

static void light_tiles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const backdrop_job *job = context;
    const tl_view *view = job->air->view;
    fragments f = {0};
    for (size_t number = begin; number < end; number++) {
        const int x0 = (int)(number % (size_t)view->tiles_x) * PIXELS;
        const int y0 = (int)(number / (size_t)view->tiles_x) * PIXELS;
        const int x1 = x0 + PIXELS < view->width ? x0 + PIXELS : view->width;
        for (int y = y0; y < y0 + PIXELS && y < view->height; y++)
            for (int x = x0; x < x1; x += TL_LANES)
                light_pixels(job, &f, x, y, x1 - x < TL_LANES ? x1 - x : TL_LANES);
        light_matte(job, &f);
        light_glossy(job, &f);
    }
}

tl_status tl_shade_backdrop(const tl_parallel *parallel, tl_arena *arena, const tl_air *air,
                            tl_float3 *light, tl_error *error) {
    const tl_view *view = air->view;
    const float daylight = view->skin->scene->daylight;
    backdrop_job *job = tl_arena_allocate(arena, 1, sizeof *job);
    if (!job)
        return tl_fail_memory(error, 1, sizeof *job);
    job->air = air, job->light = light;
    tl_tints_make(view, &job->tints);
    job->tints.top = tl_float3_scale(job->tints.top, daylight);
    job->tints.bottom = tl_float3_scale(job->tints.bottom, daylight);
    tl_parallel_for(parallel, (size_t)view->tiles_x * (size_t)view->tiles_y, 1, light_tiles, job);
    return TL_OK;
}
