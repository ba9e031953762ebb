/* How open each pixel is to the sky: screen-space ambient occlusion. A pixel looks at the depth of
 * a few others around it, and counts how far they rise above its own surface. The pattern turns
 * from pixel to pixel over 4 × 4 of them; the shading pass averages over the same 4 × 4. */
#include "render/view.h"

enum { TAPS = 12, TURNS = 16 };

typedef struct occlusion_job {
    tl_view *view;
    float reach;                /* m */
    float taps[TURNS][TAPS][2]; /* in units of the reach on screen */
} occlusion_job;

static void set_taps(occlusion_job *job) {
    /* The turns of a 4 × 4 block, spread so that neighbours differ much (an ordered dither). */
    static const int order[TURNS] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    for (int t = 0; t < TURNS; t++)
        for (int k = 0; k < TAPS; k++) {
            const double turn = order[t] / (double)TURNS;
            const double angle = 2.399963 * k + 6.283185 * turn; /* the golden angle */
            const double radius = sqrt((k + 0.25 + 0.5 * turn) / TAPS);
            job->taps[t][k][0] = (float)(radius * cos(angle));
            job->taps[t][k][1] = (float)(radius * sin(angle));
        }
}

/* How far one tap rises above the surface, 0..1. */
static float rise(const tl_view *view, const tl_surface *s, int x, int y, float reach) {
    if (x < 0 || y < 0 || x >= view->width || y >= view->height)
        return 0;
    const float depth = view->depth[(size_t)y * (size_t)view->width + (size_t)x];
    if (!(fabsf(depth - s->depth) < reach))
        return 0;
    const tl_float3 p = {tl_sample_x(view, 2 * x, 2 * y) * depth,
                         tl_sample_y(view, 2 * x, 2 * y) * depth, depth};
    const tl_float3 v = tl_float3_sub(p, s->position);
    const float square = tl_float3_dot(v, v), above = tl_float3_dot(v, s->normal);
    if (!(above > 0 && square < reach * reach))
        return 0;
    return fmaxf(above / sqrtf(square) - 0.1f, 0) * (1 - square / (reach * reach));
}

static unsigned char openness(const occlusion_job *job, int x, int y) {
    const tl_view *view = job->view;
    const float depth = view->depth[(size_t)y * (size_t)view->width + (size_t)x];
    if (!(depth < 8 * view->focus))
        return 255;
    const tl_surface s =
        tl_surface_at(view, *tl_view_sample(view, 2 * x, 2 * y), tl_sample_x(view, 2 * x, 2 * y),
                      tl_sample_y(view, 2 * x, 2 * y));
    const float wide = job->reach / (s.depth * view->pixel);
    const float most = 0.06f * (float)view->height;
    const float pixels = wide < 2 ? 2 : wide > most ? most : wide;
    const float reach = pixels * s.depth * view->pixel;
    const float(*taps)[2] = job->taps[(y & 3) * 4 + (x & 3)];
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += rise(view, &s, x + (int)lrintf(taps[k][0] * pixels),
                    y + (int)lrintf(taps[k][1] * pixels), reach);
    return (unsigned char)(255 * tl_clamp01(1 - 2.2f * sum / TAPS));
}

static void occlude_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const occlusion_job *job = context;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < job->view->width; x++)
            job->view->open[y * (size_t)job->view->width + (size_t)x] = openness(job, x, (int)y);
}

tl_status tl_occlude(const tl_parallel *parallel, tl_arena *arena, tl_view *view, tl_error *error) {
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    view->open = tl_arena_allocate(arena, pixels, 1);
    if (!view->open)
        return tl_fail_memory(error, pixels, 1);
    occlusion_job job = {.view = view};
    const float wide = 6 * (float)view->typical_radius, most = 0.1f * view->focus;
    job.reach = wide > 0 && wide < most ? wide : most;
    set_taps(&job);
    tl_parallel_for(parallel, (size_t)view->height, 8, occlude_rows, &job);
    return TL_OK;
}
