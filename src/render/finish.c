/* See finish.h. What is brighter than white is spread over its surroundings, as in an eye or a
 * lens: that is how a picture tells bright from white. */
#include "render/finish.h"

#include "math/extremes.h"
#include "render/develop.h"
#include "render/flame.h"
#include "render/wide3.h"

#include <string.h>

/* COARSE: pixels on a side of a cell in which the spread is worked out. RUN: pixels that become
 * bytes together. */
enum { COARSE = 4, RUN = 64 };

typedef struct finish_job {
    const tl_view *view;
    tl_float3 *light;
    unsigned char *rgb;
    tl_develop develop;
    int wide, high; /* cells */
    tl_float3 *from, *to;
    int reach;    /* cells */
    bool *bright; /* a row of cells: whether light spreads from it, and then, to it */
    float weights[64];
} finish_job;

/* ---- Flames -------------------------------------------------------------------------------- */

static void draw_flame(const tl_view *view, const tl_preview_flame *flame, tl_float3 *light) {
    const tl_vec3 at = tl_view_point(view, flame->at);
    const tl_float3 up = tl_float3_of(tl_view_turn(view, tl_flame_up(flame->up)));
    const float scale = (float)(1 / (at.z * (double)view->pixel)),
                wide = (float)flame->width * scale;
    const float tall = TL_FLAME_TALL * wide * sqrtf(up.x * up.x + up.y * up.y);
    if (!(at.z > 0) || !(wide > 0.1f) || !(wide < 4 * (float)view->width) || !(tall > 0))
        return;
    const float ux = up.x / sqrtf(up.x * up.x + up.y * up.y);
    const float uy = -up.y / sqrtf(up.x * up.x + up.y * up.y);
    const float cx = 0.5f * (float)view->width + (float)at.x * scale;
    const float cy = 0.5f * (float)view->height - (float)at.y * scale;
    const int reach = (int)(tall + 2 * wide) + 2;
    for (int y = (int)cy - reach; y <= (int)cy + reach; y++)
        for (int x = (int)cx - reach; x <= (int)cx + reach; x++) {
            if (x < 0 || y < 0 || x >= view->width || y >= view->height)
                continue;
            const float dx = (float)x + 0.5f - cx, dy = (float)y + 0.5f - cy;
            const float t = (dx * ux + dy * uy) / tall + TL_FLAME_MIDDLE;
            const float side = fabsf(dx * uy - dy * ux) / wide;
            const size_t p = (size_t)y * (size_t)view->width + (size_t)x;
            if (!(t > 0 && t < 1) || !(view->depth[p] > (float)at.z))
                continue;
            const float in = 1 - side / fmaxf(tl_flame_half_width(t), 1e-3f);
            const float body = tl_flame_body(t, in) * TL_FLAME_OPACITY;
            light[p] = tl_float3_mix(light[p], tl_flame_light(t, in), body * flame->strength);
        }
}

/* The end of a wick that reaches the air at the rim of its flame. */
static void draw_ember(const tl_view *view, const tl_preview_flame *flame, tl_float3 *light) {
    const tl_vec3 at = tl_view_point(view, flame->ember);
    const float scale = (float)(1 / (at.z * (double)view->pixel));
    const float radius = 0.5f * (float)flame->ember_width * scale;
    if (!(at.z > 0) || !(radius > 0.1f) || !(radius < (float)view->width))
        return;
    const float cx = 0.5f * (float)view->width + (float)at.x * scale;
    const float cy = 0.5f * (float)view->height - (float)at.y * scale;
    const float near = (float)at.z - (float)flame->ember_width;
    for (int y = (int)(cy - radius); y <= (int)(cy + radius); y++)
        for (int x = (int)(cx - radius); x <= (int)(cx + radius); x++) {
            if (x < 0 || y < 0 || x >= view->width || y >= view->height)
                continue;
            const float dx = (float)x + 0.5f - cx, dy = (float)y + 0.5f - cy;
            const float in = 1 - hypotf(dx, dy) / radius;
            const size_t p = (size_t)y * (size_t)view->width + (size_t)x;
            if (in > 0 && view->depth[p] > near)
                light[p] = tl_float3_mix(light[p], tl_ember_light(in),
                                         flame->strength * tl_smoothstep(0, 0.6f, in));
        }
}

/* ---- Spread of bright light ---------------------------------------------------------------- */

/* What spreads of light that is brighter than white has its colour. */
static tl_float3 excess(tl_float3 light) {
    const float most = fmaxf(light.x, fmaxf(light.y, light.z));
    return tl_float3_scale(light, most > 1.1f ? tl_smaller(most - 1.1f, 4) / most : 0);
}

static void gather(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const finish_job *job = context;
    const tl_view *view = job->view;
    for (size_t j = begin; j < end; j++)
        for (int i = 0; i < job->wide; i++) {
            tl_float3 sum = {0, 0, 0};
            for (int y = (int)j * COARSE; y < (int)(j + 1) * COARSE && y < view->height; y++)
                for (int x = i * COARSE; x < (i + 1) * COARSE && x < view->width; x++) {
                    const tl_float3 l = job->light[(size_t)y * (size_t)view->width + (size_t)x];
                    sum = tl_float3_add(sum, excess(l));
                }
            job->bright[j] = job->bright[j] || sum.x + sum.y + sum.z > 0;
            job->to[j * (size_t)job->wide + (size_t)i] =
                tl_float3_scale(sum, 1.0f / (COARSE * COARSE));
        }
}

static tl_float3 weigh(const finish_job *job, int i, int j, int di, int dj) {
    tl_float3 sum = {0, 0, 0};
    for (int k = -job->reach; k <= job->reach; k++) {
        const int x = i + k * di, y = j + k * dj;
        if (x >= 0 && y >= 0 && x < job->wide && y < job->high)
            sum = tl_float3_mad(sum, job->weights[k < 0 ? -k : k],
                                job->from[(size_t)y * (size_t)job->wide + (size_t)x]);
    }
    return sum;
}

static void spread_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const finish_job *job = context;
    for (size_t j = begin; j < end; j++)
        for (int i = 0; i < job->wide; i++)
            job->to[j * (size_t)job->wide + (size_t)i] = weigh(job, i, (int)j, 1, 0);
}

static void spread_columns(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const finish_job *job = context;
    for (size_t j = begin; j < end; j++)
        for (int i = 0; i < job->wide; i++) {
            const tl_float3 sum = weigh(job, i, (int)j, 0, 1);
            job->to[j * (size_t)job->wide + (size_t)i] = sum;
            job->bright[j] = job->bright[j] || sum.x + sum.y + sum.z > 1e-3f;
        }
}

static void set_weights(finish_job *job) {
    const float wide = (float)job->view->height / 45 / COARSE;
    job->reach = (int)fminf(ceilf(3 * wide), 63);
    float sum = 0;
    for (int k = 0; k <= job->reach; k++) {
        const float t = (float)k / wide;
        job->weights[k] = expf(-0.5f * t * t);
        sum += (k ? 2 : 1) * job->weights[k];
    }
    for (int k = 0; k <= job->reach; k++)
        job->weights[k] /= sum;
}

static tl_float3 spread_at(const finish_job *job, int x, int y) {
    const float fx = ((float)x + 0.5f) / COARSE - 0.5f, fy = ((float)y + 0.5f) / COARSE - 0.5f;
    const int i = fx > 0 ? (int)fx : 0, j = fy > 0 ? (int)fy : 0;
    const int right = i + 1 < job->wide ? 1 : 0, down = j + 1 < job->high ? job->wide : 0;
    const tl_float3 *c = job->from + (size_t)j * (size_t)job->wide + (size_t)i;
    const float tx = tl_clamp01(fx - (float)i), ty = tl_clamp01(fy - (float)j);
    return tl_float3_mix(tl_float3_mix(c[0], c[right], tx),
                         tl_float3_mix(c[down], c[down + right], tx), ty);
}

static void spread(const tl_parallel *parallel, finish_job *job, tl_float3 *buffers[2]) {
    set_weights(job);
    job->from = buffers[0], job->to = buffers[1];
    tl_parallel_for(parallel, (size_t)job->high, 4, spread_rows, job);
    job->from = buffers[1], job->to = buffers[0];
    tl_parallel_for(parallel, (size_t)job->high, 4, spread_columns, job);
    job->from = buffers[0];
}

/* ---- Bytes --------------------------------------------------------------------------------- */

/* tl_shoulder of channels. */
static void soften_highlights(const float *from, int count, float *to) {
    for (int k = 0; k < count; k += TL_LANES) {
        const tl_wide x = tl_load(from + k);
        const tl_wide over = tl_positive((x - TL_SHOULDER) * (1 / (1 - TL_SHOULDER)));
        tl_store(to + k, tl_min(x, tl_splat(TL_SHOULDER)) + (1 - TL_SHOULDER) * over / (1 + over));
    }
}

/* Pixels of row y from x on. */
static void develop_run(const finish_job *job, size_t y, int x, int count, bool spreads) {
    const size_t p = y * (size_t)job->view->width + (size_t)x;
    tl_float3 light[RUN] = {{0, 0, 0}};
    memcpy(light, job->light + p, (size_t)count * sizeof *light);
    for (int k = 0; k < count && spreads; k++)
        light[k] = tl_float3_mad(light[k], 0.4f, spread_at(job, x + k, (int)y));
    soften_highlights(&light->x, 3 * RUN, &light->x);
    tl_develop_row(&job->develop, (int)y, light, count, job->rgb + 3 * p);
}

static void develop_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const finish_job *job = context;
    const int width = job->view->width;
    for (size_t y = begin; y < end; y++) {
        const size_t j = y / COARSE, up = j > 0 ? j - 1 : 0;
        const size_t down = j + 1 < (size_t)job->high ? j + 1 : j;
        const bool spreads = job->bright[up] || job->bright[j] || job->bright[down];
        for (int x = 0; x < width; x += RUN)
            develop_run(job, y, x, width - x < RUN ? width - x : RUN, spreads);
    }
}

tl_status tl_finish(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                    tl_float3 *light, unsigned char *rgb, tl_error *error) {
    const tl_preview_scene *scene = view->skin->scene;
    finish_job *job = tl_arena_allocate(arena, 1, sizeof *job);
    if (!job)
        return tl_fail_memory(error, 1, sizeof *job);
    job->view = view, job->light = light, job->rgb = rgb;
    job->wide = (view->width + COARSE - 1) / COARSE;
    job->high = (view->height + COARSE - 1) / COARSE;
    const size_t cells = (size_t)job->wide * (size_t)job->high;
    tl_float3 *buffers[2];
    job->bright = tl_arena_allocate(arena, (size_t)job->high, sizeof *job->bright);
    if (!job->bright)
        return tl_fail_memory(error, (size_t)job->high, sizeof *job->bright);
    for (int k = 0; k < 2; k++) {
        buffers[k] = tl_arena_allocate(arena, cells, sizeof *buffers[k]);
        if (!buffers[k])
            return tl_fail_memory(error, cells, sizeof *buffers[k]);
    }
    for (size_t i = 0; i < scene->flame_count; i++)
        draw_flame(view, &scene->flames[i], light), draw_ember(view, &scene->flames[i], light);
    tl_develop_make(&job->develop);
    job->to = buffers[0];
    tl_parallel_for(parallel, (size_t)job->high, 4, gather, job);
    bool any = false;
    for (int j = 0; j < job->high; j++)
        any = any || job->bright[j];
    if (any)
        spread(parallel, job, buffers);
    tl_parallel_for(parallel, (size_t)view->height, 8, develop_rows, job);
    return TL_OK;
}
