/* Finds what each sample of the picture shows: spheres by exact ray intersection, through a depth
 * buffer that lives only while its tile is drawn.
 *
 * For a ray d = (x, y, 1) and a sphere (c, r): depth = (d·c - sqrt(D)) / d·d with
 * D = (d·c)² - d·d (c·c - r²). In floats that loses a small far sphere altogether. With
 * e = d - c / c_z, D = d·d r² - |e × c|², which has no large terms that cancel. */
#include "render/skin.h"
#include "render/triangles.h"

#include <string.h>

typedef struct raster_job {
    tl_view *view;
    tl_rect *rects;
    tl_bins bins;
} raster_job;

/* The samples [*from, *to) between the two rays tangent to a sphere in the plane of one axis: `c`
 * across, `z` along the line of sight, z > r. */
static void bound_axis(const tl_view *view, double c, double z, double r, int samples, double sign,
                       uint16_t *from, uint16_t *to) {
    const double root = r * sqrt(c * c + z * z - r * r), scale = 1 / (z * z - r * r);
    const double low = (c * z - root) * scale, high = (c * z + root) * scale;
    const double per_slope = 2 * sign / (double)view->pixel;
    const double a = low * per_slope + 0.5 * samples, b = high * per_slope + 0.5 * samples;
    /* Samples sit within half a sample of their nominal centre. */
    const double first = fmax(fmin(a, b) - 1, 0), last = fmin(fmax(a, b) + 1, samples);
    *from = (uint16_t)(first < last ? first : 0);
    *to = (uint16_t)(first < last ? ceil(last) : 0);
}

static void project_spheres(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const raster_job *job = context;
    const tl_view *view = job->view;
    const tl_preview_scene *scene = view->scene;
    const size_t stride = scene->stride ? scene->stride : 3;
    for (size_t i = begin; i < end; i++) {
        const tl_vec3 c = tl_view_point(view, tl_vec3_of(scene->positions + i * stride));
        const double r = scene->radii ? (double)scene->radii[i] : scene->radius;
        tl_rect rect = {0};
        /* Beyond 1e15 the squares of floats overflow; NaN fails every comparison. */
        if (r > 0 && c.z > r * 1.0001 && c.z < 1e15 && fabs(c.x) < 1e15 && fabs(c.y) < 1e15) {
            bound_axis(view, c.x, c.z, r, 2 * view->width, 1, &rect.x0, &rect.x1);
            bound_axis(view, c.y, c.z, r, 2 * view->height, -1, &rect.y0, &rect.y1);
            if (rect.y0 >= rect.y1)
                rect = (tl_rect){0};
            view->spheres[i] = (tl_view_sphere){(float)c.x, (float)c.y, (float)c.z, (float)r};
        }
        job->rects[i] = rect;
    }
}

static void start_tile(const tl_view *view, size_t number, tl_tile *t) {
    t->x0 = (int)(number % (size_t)view->tiles_x) * TL_TILE;
    t->y0 = (int)(number / (size_t)view->tiles_x) * TL_TILE;
    for (int k = 0; k < TL_TILE; k++) {
        t->ray_x[0][k] = tl_sample_x(view, t->x0 + k, 0);
        t->ray_x[1][k] = tl_sample_x(view, t->x0 + k, 1);
        t->ray_y[k] = tl_sample_y(view, 0, t->y0 + k);
        t->shift[k] = k & 1 ? 0.25f * view->pixel : 0;
    }
    for (int k = 0; k < TL_TILE * TL_TILE; k++)
        t->depth[k] = INFINITY;
    t->shown = view->shown + number * TL_TILE * TL_TILE;
    memset(t->shown, 0xFF, TL_TILE * TL_TILE * sizeof *t->shown);
}

static void draw_sphere(tl_tile *restrict t, const tl_view_sphere *s, uint32_t number,
                        tl_rect area) {
    enum { STEP = 8 }; /* a constant, so that the inner loop becomes vector code */
    const float cx = s->x, cy = s->y, cz = s->z, square = s->radius * s->radius, zz = cz * cz;
    const float px = cx / cz, py = cy / cz;
    for (int row = area.y0; row < area.y1; row++) {
        const float *rays = t->ray_x[row & 1], ray_y = t->ray_y[row];
        for (int column = area.x0 & ~(STEP - 1); column < area.x1; column += STEP) {
            float *restrict depth = t->depth + row * TL_TILE + column;
            uint32_t *restrict shown = t->shown + row * TL_TILE + column;
            for (int k = 0; k < STEP; k++) {
                const float x = rays[column + k], y = ray_y + t->shift[column + k];
                const float ex = x - px, ey = y - py, cross = ex * cy - ey * cx;
                const float a = 1 + x * x + y * y, b = x * cx + y * cy + cz;
                const float d = a * square - zz * (ex * ex + ey * ey) - cross * cross;
                const float z = d > 0 ? (b - sqrtf(d)) / a : INFINITY;
                const bool nearer = z < depth[k];
                depth[k] = nearer ? z : depth[k];
                shown[k] = nearer ? number : shown[k];
            }
        }
    }
}

static void draw_plane(tl_tile *restrict t, const tl_view_plane *plane, uint32_t shows) {
    enum { STEP = 8 };        /* as above */
    if (!(plane->offset < 0)) /* seen from behind */
        return;
    const tl_float3 n = plane->normal, u = plane->u, v = plane->v;
    for (int row = 0; row < TL_TILE; row++)
        for (int column = 0; column < TL_TILE; column += STEP) {
            float *restrict depth = t->depth + row * TL_TILE + column;
            uint32_t *restrict shown = t->shown + row * TL_TILE + column;
            for (int k = 0; k < STEP; k++) {
                const float x = t->ray_x[row & 1][column + k];
                const float y = t->ray_y[row] + t->shift[column + k];
                const float along = n.x * x + n.y * y + n.z, z = plane->offset / along;
                const float across = fabsf(z * (u.x * x + u.y * y + u.z) - plane->at_u);
                const float upward = fabsf(z * (v.x * x + v.y * y + v.z) - plane->at_v);
                const bool nearer = (along < 0) & (z < depth[k]) & (across <= plane->half_u) &
                                    (upward <= plane->half_v);
                depth[k] = nearer ? z : depth[k];
                shown[k] = nearer ? shows : shown[k];
            }
        }
}

static void draw_box(tl_tile *t, const tl_view *view, const tl_view_box *box, uint32_t shows) {
    const tl_rect area = tl_tile_clip(t, box->bounds);
    for (int row = area.y0; row < area.y1; row++)
        for (int column = area.x0; column < area.x1; column++) {
            const int k = row * TL_TILE + column;
            int axis;
            const float z = tl_view_box_enter(view, box, t->ray_x[row & 1][column],
                                              t->ray_y[row] + t->shift[column], &axis, NULL);
            if (z > 0 && z < t->depth[k]) {
                t->depth[k] = z;
                t->shown[k] = shows;
            }
        }
}

/* Hands the depth of each pixel's first sample on to the occlusion pass. */
static void keep_depth(const tl_view *view, const tl_tile *t) {
    for (int row = 0; row < TL_TILE && t->y0 + row < 2 * view->height; row += 2) {
        float *out = view->depth + (size_t)((t->y0 + row) / 2) * (size_t)view->width + t->x0 / 2;
        for (int column = 0; column < TL_TILE && t->x0 + column < 2 * view->width; column += 2)
            out[column / 2] = t->depth[row * TL_TILE + column];
    }
}

static void draw_tiles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const raster_job *job = context;
    const tl_view *view = job->view;
    for (size_t number = begin; number < end; number++) {
        tl_tile t;
        start_tile(view, number, &t);
        for (size_t k = job->bins.start[number]; k < job->bins.start[number + 1]; k++) {
            const uint32_t i = job->bins.items[k];
            draw_sphere(&t, &view->spheres[i], i, tl_tile_clip(&t, job->rects[i]));
        }
        tl_triangles_draw(view, number, &t);
        for (size_t i = 0; i < view->plane_count; i++)
            draw_plane(&t, &view->planes[i], TL_SHOWS_PLANE + (uint32_t)i);
        for (size_t i = 0; i < view->box_count; i++)
            if (view->boxes[i].filled)
                draw_box(&t, view, &view->boxes[i], TL_SHOWS_BOX + (uint32_t)i);
        keep_depth(view, &t);
        if (view->skin)
            tl_skin_draw(view, number, &t);
    }
}

tl_status tl_raster(const tl_parallel *parallel, tl_arena *arena, tl_view *view, tl_error *error) {
    const size_t count = view->scene->count;
    const size_t tiles = (size_t)view->tiles_x * (size_t)view->tiles_y;
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    raster_job job = {.view = view};
    view->spheres = tl_arena_allocate(arena, count, sizeof *view->spheres);
    view->shown = tl_arena_allocate(arena, tiles * TL_TILE * TL_TILE, sizeof *view->shown);
    view->depth = tl_arena_allocate(arena, pixels, sizeof *view->depth);
    job.rects = tl_arena_allocate(arena, count, sizeof *job.rects);
    if (!view->spheres || !view->shown || !view->depth || !job.rects)
        return tl_fail_memory(error, count + tiles * TL_TILE * TL_TILE, sizeof *view->spheres);
    tl_parallel_for(parallel, count, TL_BLOCK, project_spheres, &job);
    TL_TRY(tl_bins_build(parallel, arena, job.rects, count, view->tiles_x, view->tiles_y, &job.bins,
                         error));
    tl_parallel_for(parallel, tiles, 1, draw_tiles, &job);
    return TL_OK;
}
