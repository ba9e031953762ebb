/* How open each pixel is to the sky: screen-space ambient occlusion. A pixel looks at the depth of
 * a few others around it, and counts how far they rise above its own surface. The pattern turns
 * from pixel to pixel over 4 × 4 of them, and the result is averaged over the same 4 × 4. */
#include "render/skin.h"
#include "render/wide3.h"

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

/* Pixels that look around together. */
typedef struct lookers {
    int count;
    float x[TL_LANES], y[TL_LANES];         /* pixels */
    float ray_x[TL_LANES], ray_y[TL_LANES]; /* through their first samples */
    float position[3][TL_LANES], normal[3][TL_LANES];
    float taps[2][TAPS][TL_LANES];
    float *open[TL_LANES]; /* where it is to be written */
} lookers;

/* What a pixel shows first: the skin, or what its first sample shows. */
static tl_surface surface_of(const tl_view *view, int x, int y, float ray_x, float ray_y) {
    const size_t pixel = (size_t)y * (size_t)view->width + (size_t)x;
    if (view->skin && view->skin->cover[pixel] > 0)
        return tl_skin_at(view->skin, pixel, ray_x, ray_y);
    return tl_surface_at(view, *tl_view_sample(view, 2 * x, 2 * y), ray_x, ray_y);
}

/* How much hides the sky before each pixel. A tap beyond the edge of the picture is taken at the
 * edge. */
static tl_wide look_around(const occlusion_job *job, const lookers *q) {
    const tl_view *view = job->view;
    const tl_wide3 position = tl_wide3_load(q->position), normal = tl_wide3_load(q->normal);
    const tl_wide x = tl_load(q->x), y = tl_load(q->y), none = tl_splat(0);
    const tl_wide ray_x = tl_load(q->ray_x), ray_y = tl_load(q->ray_y);
    const tl_wide size = position.z * view->pixel; /* m, of a pixel */
    const tl_wide pixels =
        tl_min(tl_max(job->reach / size, tl_splat(2)), tl_splat(0.09f * (float)view->height));
    const tl_wide reach = pixels * size, inverse = 1 / (reach * reach);
    const tl_wide right = tl_splat((float)view->width - 1),
                  bottom = tl_splat((float)view->height - 1);
    tl_wide sum = none;
    for (int k = 0; k < TAPS; k++) {
        const tl_wide at_x = x + tl_load(q->taps[0][k]) * pixels + 0.5f;
        const tl_wide at_y = y + tl_load(q->taps[1][k]) * pixels + 0.5f;
        const tl_wide_int i = tl_to_int(tl_min(tl_positive(at_x), right));
        const tl_wide_int j = tl_to_int(tl_min(tl_positive(at_y), bottom));
        const tl_wide depth = tl_gather(view->depth, j * view->width + i);
        const tl_wide3 v = {(ray_x + (tl_of_int(i) - x) * view->pixel) * depth - position.x,
                            (ray_y + (y - tl_of_int(j)) * view->pixel) * depth - position.y,
                            depth - position.z};
        const tl_wide square = tl_wide3_dot(v, v);
        /* The tap at the pixel itself and those at infinity are NaN, and count nothing. */
        const tl_wide steep = tl_positive(tl_wide3_dot(v, normal) / tl_sqrt(square) - 0.1f);
        sum += steep * tl_positive(1 - square * inverse);
    }
    return sum;
}

static void write_openness(const occlusion_job *job, lookers *q) {
    float sum[TL_LANES];
    tl_store(sum, look_around(job, q));
    for (int l = 0; l < q->count; l++)
        *q->open[l] = tl_clamp01(1 - 2.8f * sum[l] / TAPS);
    q->count = 0;
}

static void add_pixel(const occlusion_job *job, lookers *q, int x, int y, float *open) {
    const tl_view *view = job->view;
    if (!(view->depth[(size_t)y * (size_t)view->width + (size_t)x] < 8 * view->focus)) {
        *open = 1;
        return;
    }
    const float ray_x = tl_sample_x(view, 2 * x, 2 * y), ray_y = tl_sample_y(view, 2 * x, 2 * y);
    const tl_surface s = surface_of(view, x, y, ray_x, ray_y);
    const float(*taps)[2] = job->taps[(y / job->step & 3) * 4 + (x / job->step & 3)];
    const int l = q->count++;
    q->x[l] = (float)x, q->y[l] = (float)y, q->open[l] = open;
    q->ray_x[l] = ray_x, q->ray_y[l] = ray_y;
    q->position[0][l] = s.position.x, q->position[1][l] = s.position.y;
    q->position[2][l] = s.position.z;
    q->normal[0][l] = s.normal.x, q->normal[1][l] = s.normal.y, q->normal[2][l] = s.normal.z;
    for (int k = 0; k < TAPS; k++)
        q->taps[0][k][l] = taps[k][0], q->taps[1][k][l] = taps[k][1];
    if (q->count == TL_LANES)
        write_openness(job, q);
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
    lookers q = {0};
    for (size_t y = begin; y < end; y += (size_t)job->step) {
        float *row = job->raw + y * (size_t)job->view->width;
        for (int x = 0; x < job->view->width; x += job->step)
            add_pixel(job, &q, x, (int)y, row + x);
        if (q.count)
            write_openness(job, &q);
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
