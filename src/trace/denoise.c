/* Takes the noise out of a traced picture: an à-trous filter (Dammertz et al. 2010) that stops at
 * edges of normals and distances, and at differences of brightness beyond what the variance of the
 * samples explains (Schied et al. 2017, eq. 3 to 5). Colours of surfaces are divided out before,
 * and come back sharp. */
#include "trace/picture.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 5, REACH = 2 };

typedef struct filter {
    const tl_trace *trace;
    int step;
    tl_float3 *light[2]; /* divided by the colour */
    float *variance[2];  /* of its brightness */
} filter;

static tl_float3 safe_colour(const tl_trace_pixel *p, float scale) {
    const tl_float3 c = tl_float3_scale(p->colour, scale);
    return (tl_float3){fmaxf(c.x, 0.02f), fmaxf(c.y, 0.02f), fmaxf(c.z, 0.02f)};
}

static void begin_filter(void *context, size_t begin, size_t end, int thread) {
    const filter *f = context;
    const float n = (float)f->trace->samples, scale = 1 / n;
    (void)thread;
    for (size_t i = begin; i < end; i++) {
        const tl_trace_pixel *p = &f->trace->pixels[i];
        const tl_float3 c = safe_colour(p, scale), l = tl_float3_scale(p->light, scale);
        const float mean = tl_brightness(l), lit = tl_brightness(c);
        const float spread = fmaxf(0, scale * p->squares - mean * mean) / fmaxf(n - 1, 1);
        f->light[0][i] = (tl_float3){l.x / c.x, l.y / c.y, l.z / c.z};
        f->variance[0][i] = spread / (lit * lit);
    }
}

/* The variance of few samples is noisy itself: take the mean of a neighbourhood. */
static float smooth_variance(const filter *f, int from, int x, int y) {
    float sum = 0, weights = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int px = x + dx, py = y + dy;
            if (px < 0 || py < 0 || px >= f->trace->width || py >= f->trace->height)
                continue;
            const float w = (dx ? 0.5f : 1) * (dy ? 0.5f : 1);
            sum += w * f->variance[from][(size_t)py * (size_t)f->trace->width + (size_t)px];
            weights += w;
        }
    return sum / weights;
}

/* How much of a neighbour belongs to the same surface, 0 to 1. */
static float likeness(const filter *f, const tl_trace_pixel *a, const tl_trace_pixel *b,
                      float offset) {
    const float scale = 1 / (float)f->trace->samples;
    const float away = scale * fabsf(a->distance - b->distance);
    const float near = scale * fminf(a->distance, b->distance);
    if ((a->distance == 0) != (b->distance == 0))
        return 0;
    const float cosine = tl_float3_dot(tl_float3_unit(a->normal), tl_float3_unit(b->normal));
    const float facing = a->distance == 0 ? 1 : powf(tl_clamp01(cosine), 32);
    return facing * expf(-away / (0.02f * near * sqrtf(offset) + 1e-9f));
}

static void filter_pixel(const filter *f, int from, int x, int y) {
    static const float taps[REACH + 1] = {0.375f, 0.25f, 0.0625f};
    const tl_trace *t = f->trace;
    const size_t i = (size_t)y * (size_t)t->width + (size_t)x;
    const float center = tl_brightness(f->light[from][i]);
    const float tolerance = 4 * sqrtf(smooth_variance(f, from, x, y)) + 1e-4f;
    tl_float3 light = {0, 0, 0};
    float variance = 0, weights = 0;
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
            const int px = x + dx * f->step, py = y + dy * f->step;
            if (px < 0 || py < 0 || px >= t->width || py >= t->height)
                continue;
            const size_t j = (size_t)py * (size_t)t->width + (size_t)px;
            float w = taps[abs(dx)] * taps[abs(dy)];
            if (j != i) {
                const float differs = fabsf(tl_brightness(f->light[from][j]) - center);
                w *= expf(-differs / tolerance) *
                     likeness(f, &t->pixels[i], &t->pixels[j],
                              (float)((dx * dx + dy * dy) * f->step * f->step));
            }
            light = tl_float3_mad(light, w, f->light[from][j]);
            variance += w * w * f->variance[from][j];
            weights += w;
        }
    f->light[!from][i] = tl_float3_scale(light, 1 / weights);
    f->variance[!from][i] = variance / (weights * weights);
}

typedef struct pass {
    const filter *filter;
    int from;
} pass;

static void filter_rows(void *context, size_t begin, size_t end, int thread) {
    const pass *p = context;
    (void)thread;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < p->filter->trace->width; x++)
            filter_pixel(p->filter, p->from, x, (int)y);
}

static void run(filter *f, float *rgb) {
    const tl_trace *t = f->trace;
    const size_t pixels = (size_t)t->width * (size_t)t->height;
    pass p = {f, 0};
    tl_parallel_for(&t->parallel, pixels, TL_BLOCK, begin_filter, f);
    for (int k = 0; k < PASSES; k++, p.from = !p.from) {
        f->step = 1 << k;
        tl_parallel_for(&t->parallel, (size_t)t->height, 4, filter_rows, &p);
    }
    for (size_t i = 0; i < pixels; i++) {
        const tl_float3 c = safe_colour(&t->pixels[i], 1 / (float)t->samples);
        const tl_float3 l = tl_float3_times(f->light[p.from][i], c);
        rgb[3 * i] = l.x, rgb[3 * i + 1] = l.y, rgb[3 * i + 2] = l.z;
    }
    tl_trace_add_flames(t, rgb);
}

tl_status tl_trace_denoise(const tl_trace *t, float *rgb, tl_error *error) {
    const size_t pixels = (size_t)t->width * (size_t)t->height;
    tl_arena arena = {0};
    filter f = {.trace = t};
    tl_status status = TL_OK;
    for (int k = 0; k < 2; k++) {
        f.light[k] = tl_arena_allocate(&arena, pixels, sizeof *f.light[k]);
        f.variance[k] = tl_arena_allocate(&arena, pixels, sizeof *f.variance[k]);
        if (!f.light[k] || !f.variance[k])
            status = tl_fail_memory(error, pixels, sizeof *f.light[k]);
    }
    if (status == TL_OK && t->samples > 0)
        run(&f, rgb);
    tl_arena_free(&arena);
    return status;
}
