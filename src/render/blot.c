/* See blot.h. */
#include "render/blot.h"

#include "base/simd.h"

/* The greatest margin that anyone asks for. */
#define MARGIN 2

typedef struct blot_job {
    const tl_lens *lens;
    const tl_ellipsoid *shapes;
    tl_blot_choice *choose;
    const void *context;
    float margin;
    tl_blot *blots;
    tl_rect *rects;
} blot_job;

static tl_vec3 times(const float M[6], tl_vec3 v) {
    return (tl_vec3){(double)M[0] * v.x + (double)M[3] * v.y + (double)M[5] * v.z,
                     (double)M[3] * v.x + (double)M[1] * v.y + (double)M[4] * v.z,
                     (double)M[5] * v.x + (double)M[4] * v.y + (double)M[2] * v.z};
}

/* False when the shape is nearer to the plane of the eye than the formula is good for, or off the
 * screen. */
static bool project(const tl_lens *lens, const tl_ellipsoid *shape, tl_blot *out) {
    const tl_vec3 away = tl_vec3_sub(shape->at, lens->eye);
    const double z = tl_vec3_dot(away, lens->forward), reach = (double)shape->reach;
    if (!(reach > 0) || !(z < 1e15) || !(lens->flat || z > 1.5 * reach))
        return false;
    const double step = (lens->flat ? 1 : z) / lens->scale, most = 1.5 * reach * MARGIN / step;
    const double x = lens->x0 + tl_vec3_dot(lens->right, away) / step;
    const double y = lens->y0 + tl_vec3_dot(lens->down, away) / step;
    if (!(x > -most && y > -most && x < lens->tiles_x * TL_TILE + most &&
          y < lens->tiles_y * TL_TILE + most))
        return false;
    const tl_vec3 d = lens->flat ? lens->forward : tl_vec3_scale(away, 1 / z);
    const tl_vec3 Md = times(shape->M, d);
    const double A = tl_vec3_dot(d, Md);
    const double bx = step * tl_vec3_dot(lens->right, Md) / A;
    const double by = step * tl_vec3_dot(lens->down, Md) / A;
    const tl_vec3 Mx = times(shape->M, lens->right), My = times(shape->M, lens->down);
    const double unit = step * step / A;
    const double qxx = unit * tl_vec3_dot(lens->right, Mx) - bx * bx;
    const double qyy = unit * tl_vec3_dot(lens->down, My) - by * by;
    const double qxy = unit * tl_vec3_dot(lens->right, My) - bx * by;
    const double determinant = qxx * qyy - qxy * qxy, top = 1 / A;
    if (!(determinant > 0))
        return false;
    *out = (tl_blot){
        .x = (float)x,
        .y = (float)y,
        .z = (float)z,
        .bx = (float)bx,
        .by = (float)by,
        .qxx = (float)qxx,
        .qxy = (float)qxy,
        .qyy = (float)qyy,
        .top = (float)top,
        /* Seen aslant, far off the screen, the formula stretches shapes without end. */
        .wide = (float)fmin(sqrt(top * qyy / determinant), 1.5 * reach / step),
        .high = (float)fmin(sqrt(top * qxx / determinant), 1.5 * reach / step),
    };
    return true;
}

/* Samples [from, to) that touch middle ± half, held to [0, size]. */
static bool bound(float middle, float half, int size, uint16_t *from, uint16_t *to) {
    const float first = fmaxf(floorf(middle - half), 0);
    const float last = fminf(ceilf(middle + half), (float)size);
    if (!(first < last))
        return false;
    *from = (uint16_t)first, *to = (uint16_t)last;
    return true;
}

static void project_shapes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const blot_job *job = context;
    const tl_lens *lens = job->lens;
    for (size_t i = begin; i < end; i++) {
        tl_blot *s = &job->blots[i];
        tl_rect r;
        job->rects[i] = (tl_rect){0};
        if (!job->choose(job->context, i) || !project(lens, &job->shapes[i], s))
            continue;
        s->particle = (uint32_t)i;
        s->is_deep = job->shapes[i].is_deep;
        if (bound(s->x, job->margin * s->wide, lens->tiles_x * TL_TILE, &r.x0, &r.x1) &&
            bound(s->y, job->margin * s->high, lens->tiles_y * TL_TILE, &r.y0, &r.y1))
            job->rects[i] = r;
    }
}

tl_status tl_blots_make(const tl_parallel *parallel, tl_arena *arena, const tl_lens *lens,
                        const tl_ellipsoid *shapes, size_t count, float margin,
                        tl_blot_choice *choose, const void *context, tl_blots *out,
                        tl_error *error) {
    blot_job job = {lens, shapes, choose, context, margin, NULL, NULL};
    job.blots = tl_arena_allocate(arena, count, sizeof *job.blots);
    job.rects = tl_arena_allocate(arena, count, sizeof *job.rects);
    if (!job.blots || !job.rects)
        return tl_fail_memory(error, count, sizeof *job.blots);
    tl_parallel_for(parallel, count, TL_BLOCK, project_shapes, &job);
    *out = (tl_blots){.items = job.blots, .count = count};
    return tl_bins_build(parallel, arena, job.rects, count, lens->tiles_x, lens->tiles_y,
                         &out->bins, error);
}

/* The part of middle ± half in a tile, in whole wides along x. */
static void clip(float middle, float half, int unit, int *from, int *to) {
    const float first = fmaxf(floorf(middle - half), 0);
    const float last = fminf(ceilf(middle + half), TL_TILE);
    *from = first < last ? (int)first / unit * unit : 0;
    *to = first < last ? (int)last : 0;
}

static void draw(const tl_blot *s, float corner_x, float corner_y, const tl_tile_grid *grid,
                 float *depth) {
    const float cx = s->x - corner_x, cy = s->y - corner_y;
    int left, right, top, bottom;
    clip(cx, s->wide, TL_LANES, &left, &right);
    clip(cy, s->high, 1, &top, &bottom);
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column += TL_LANES) {
            float *at = depth + row * TL_TILE + column;
            const tl_wide dx = tl_load(&grid->x[row & 1][column]) - tl_splat(cx);
            const tl_wide dy = tl_load(&grid->shift[column]) + tl_splat(grid->y[row] - cy);
            const tl_wide left_over =
                s->top - (dx * (s->qxx * dx + 2 * s->qxy * dy) + s->qyy * (dy * dy));
            const tl_wide z = s->z - s->bx * dx - s->by * dy - tl_sqrt(tl_positive(left_over));
            const tl_wide old = tl_load(at);
            tl_store(at, tl_select_less(tl_splat(0), left_over, tl_min(z, old), old));
        }
}

void tl_blots_draw(const tl_blots *blots, size_t tile, const tl_tile_grid *grid, float *depth) {
    const tl_bins *bins = &blots->bins;
    const float x = (float)(tile % (size_t)bins->tiles_x * TL_TILE);
    const float y = (float)(tile / (size_t)bins->tiles_x * TL_TILE);
    for (size_t k = bins->start[tile]; k < bins->start[tile + 1]; k++) {
        const tl_blot *s = &blots->items[bins->items[k]];
        if (!s->is_deep)
            draw(s, x, y, grid, depth);
    }
}
