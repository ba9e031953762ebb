/* How open each pixel is to the sky: screen-space ambient occlusion. A pixel looks at the depth of
 * a few others around it, and counts how far they rise above its own surface. The pattern turns
 * from pixel to pixel over 4 × 4 of them, and the result is averaged over the same 4 × 4. */
#include "render/skin.h"

#include <string.h>

enum { TAPS = 8, TURNS = 16 };

typedef struct occlusion_job {
    tl_view *view;
    float *raw;                 /* [pixel]: before the average */
    float blur;                 /* m: pixels whose depth differs more are not averaged */
    float reach;                /* m */
    int step;                   /* pixels: 2 where a skin is smooth enough for every other one */
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

/* The depth at each tap of a pixel, and how far its ray is from the pixel's own. A tap beyond the
 * edge of the picture is taken at the edge. */
static void read_taps(const tl_view *view, const float (*taps)[2], float pixels, int x, int y,
                      float depth[TAPS], float across[TAPS], float upward[TAPS]) {
    for (int k = 0; k < TAPS; k++) {
        int i = x + (int)lrintf(taps[k][0] * pixels), j = y + (int)lrintf(taps[k][1] * pixels);
        i = i < 0 ? 0 : i < view->width ? i : view->width - 1;
        j = j < 0 ? 0 : j < view->height ? j : view->height - 1;
        depth[k] = view->depth[(size_t)j * (size_t)view->width + (size_t)i];
        across[k] = (float)(i - x) * view->pixel;
        upward[k] = (float)(y - j) * view->pixel;
    }
}

/* What a pixel shows first: the skin, or what its first sample shows. */
static tl_surface surface_of(const tl_view *view, int x, int y, float ray_x, float ray_y) {
    const size_t pixel = (size_t)y * (size_t)view->width + (size_t)x;
    if (view->skin && view->skin->cover[pixel] > 0)
        return tl_skin_at(view->skin, pixel, ray_x, ray_y);
    return tl_surface_at(view, *tl_view_sample(view, 2 * x, 2 * y), ray_x, ray_y);
}

static float openness(const occlusion_job *job, int x, int y) {
    const tl_view *view = job->view;
    if (!(view->depth[(size_t)y * (size_t)view->width + (size_t)x] < 8 * view->focus))
        return 1;
    const float ray_x = tl_sample_x(view, 2 * x, 2 * y), ray_y = tl_sample_y(view, 2 * x, 2 * y);
    const tl_surface s = surface_of(view, x, y, ray_x, ray_y);
    const float wide = job->reach / (s.depth * view->pixel);
    const float most = 0.09f * (float)view->height;
    const float pixels = wide < 2 ? 2 : wide > most ? most : wide;
    const float reach = pixels * s.depth * view->pixel, inverse = 1 / (reach * reach);
    float depth[TAPS], across[TAPS], upward[TAPS], rise[TAPS], sum = 0;
    read_taps(view, job->taps[(y / job->step & 3) * 4 + (x / job->step & 3)], pixels, x, y, depth,
              across, upward);
    /* No branches here, so that this becomes vector code. */
    for (int k = 0; k < TAPS; k++) {
        const float vx = (ray_x + across[k]) * depth[k] - s.position.x;
        const float vy = (ray_y + upward[k]) * depth[k] - s.position.y;
        const float vz = depth[k] - s.position.z;
        const float square = vx * vx + vy * vy + vz * vz;
        const float above = vx * s.normal.x + vy * s.normal.y + vz * s.normal.z;
        const float steep = above / sqrtf(square) - 0.1f, near = 1 - square * inverse;
        /* The tap at the pixel itself and those at infinity are NaN, and fail the comparison. */
        rise[k] = ((steep > 0) & (near > 0)) ? steep * near : 0;
    }
    for (int k = 0; k < TAPS; k++)
        sum += rise[k];
    return tl_clamp01(1 - 2.8f * sum / TAPS);
}

/* Pixels that are left out are taken as the one before them. */
static void fill_row(const occlusion_job *job, size_t y) {
    const size_t width = (size_t)job->view->width;
    float *row = job->raw + y * width;
    for (size_t x = 1; x < width; x += 2)
        row[x] = row[x - 1];
    if (y + 1 < (size_t)job->view->height)
        memcpy(row + width, row, width * sizeof *row);
}

static void occlude_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const occlusion_job *job = context;
    for (size_t y = begin; y < end; y += (size_t)job->step) {
        for (int x = 0; x < job->view->width; x += job->step)
            job->raw[y * (size_t)job->view->width + (size_t)x] = openness(job, x, (int)y);
        if (job->step == 2)
            fill_row(job, y);
    }
}

/* Adds to the sums of pixels [first, last) of a row those of the row and column (dx, dy) away that
 * are near in depth. */
static void add_shifted(const occlusion_job *job, int y, int first, int last, int dx, int dy,
                        float *restrict sum, float *restrict number) {
    const tl_view *view = job->view;
    if (y + dy < 0 || y + dy >= view->height)
        return;
    const size_t here = (size_t)y * (size_t)view->width;
    const size_t there = (size_t)(y + dy) * (size_t)view->width;
    const int from = first + dx < 0 ? -dx : first;
    const int to = last + dx > view->width ? view->width - dx : last;
    for (int x = from; x < to; x++) {
        const float away = view->depth[here + (size_t)x] - view->depth[there + (size_t)(x + dx)];
        const float near = fabsf(away) < job->blur ? 1.0f : 0.0f;
        sum[x - first] += near * job->raw[there + (size_t)(x + dx)];
        number[x - first] += near;
    }
}

static void average_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    enum { CHUNK = 256 };
    const occlusion_job *job = context;
    const tl_view *view = job->view;
    for (int y = (int)begin; y < (int)end; y++)
        for (int first = 0; first < view->width; first += CHUNK) {
            const int last = first + CHUNK < view->width ? first + CHUNK : view->width;
            float sum[CHUNK] = {0}, number[CHUNK] = {0};
            for (int j = -2; j < 2; j++)
                for (int i = -2; i < 2; i++)
                    add_shifted(job, y, first, last, i * job->step, j * job->step, sum, number);
            float *out = view->open + (size_t)y * (size_t)view->width + first;
            for (int k = 0; k < last - first; k++) /* none where there is nothing but sky */
                out[k] = number[k] > 0 ? sum[k] / number[k] : 1;
        }
}

tl_status tl_occlude(const tl_parallel *parallel, tl_arena *arena, tl_view *view, tl_error *error) {
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    occlusion_job job = {.view = view, .step = view->skin ? 2 : 1};
    view->open = tl_arena_allocate(arena, pixels, sizeof *view->open);
    job.raw = tl_arena_allocate(arena, pixels, sizeof *job.raw);
    if (!view->open || !job.raw)
        return tl_fail_memory(error, pixels, sizeof *job.raw);
    const float wide = 6 * (float)view->typical_radius, most = 0.1f * view->focus;
    job.reach = wide > 0 && wide < most ? wide : most;
    job.blur = 2 * (float)view->typical_radius;
    job.blur = job.blur > 0.01f * view->focus ? job.blur : 0.01f * view->focus;
    set_taps(&job);
    tl_parallel_for(parallel, (size_t)view->height, 8, occlude_rows, &job);
    tl_parallel_for(parallel, (size_t)view->height, 8, average_rows, &job);
    return TL_OK;
}
