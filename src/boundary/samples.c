/* See samples.h. Each shape has a lattice in a frame of its own: columns (u, v) along the surface
 * and layers below it. Points near the surface mark the columns they can feel; marked columns
 * become samples in lattice order, so that the same matter always gives the same samples in the
 * same order. A box takes the lattice of its own corner, and every place in its shell. */
#include "boundary/samples.h"

#include "base/simd.h"

#include <string.h>

/* The lattice of a half-space. */
typedef struct frame {
    tl_vec3 u, v, n;       /* orthonormal; n into the matter */
    double step_u, step_v; /* m: the spacing, fitted to the period */
    double offset;         /* of the surface along n */
    double anchor_u, anchor_v;
    long low_u, low_v, count_u, count_v; /* the marked window */
    long limit_u, limit_v;               /* columns in a period, 0: no period */
} frame;

/* Two axes along the surface; for planes across an axis these are the axes, so that lattices of
 * neighbouring walls and of box-filled matter match. */
static void choose_axes(tl_vec3 n, tl_vec3 *u, tl_vec3 *v) {
    const tl_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int first = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(tl_vec3_dot(n, axes[k])) < fabs(tl_vec3_dot(n, axes[first])) - 1e-9)
            first = k;
    *u = tl_vec3_unit(tl_vec3_mad(axes[first], -tl_vec3_dot(axes[first], n), n));
    *v = tl_vec3_cross(n, *u);
}

/* Period along a lattice axis that is a coordinate axis; 0 otherwise. */
static double period_along(tl_vec3 axis, const double period[3]) {
    const double c[3] = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
    for (int k = 0; k < 3; k++)
        if (c[k] > 1 - 1e-9)
            return period[k];
    return 0;
}

static frame make_frame(const tl_shape *shape, const tl_sampling *s) {
    const tl_vec3 normal = tl_turn_apply(shape->pose.turn, shape->normal);
    frame f = {.n = normal, .step_u = s->spacing, .step_v = s->spacing};
    choose_axes(f.n, &f.u, &f.v);
    f.offset = shape->offset + tl_vec3_dot(normal, tl_vec3_sub(shape->pose.place, s->origin));
    const tl_vec3 anchor = tl_vec3_sub(s->anchor, s->origin);
    f.anchor_u = tl_vec3_dot(f.u, anchor);
    f.anchor_v = tl_vec3_dot(f.v, anchor);
    const double period_u = period_along(f.u, s->period), period_v = period_along(f.v, s->period);
    if (period_u > 0) {
        f.limit_u = lround(period_u / s->spacing);
        f.step_u = period_u / (double)f.limit_u;
        if (tl_vec3_dot(f.u, (tl_vec3){1, 1, 1}) < 0)
            f.anchor_u -= period_u;
    }
    if (period_v > 0) {
        f.limit_v = lround(period_v / s->spacing);
        f.step_v = period_v / (double)f.limit_v;
        if (tl_vec3_dot(f.v, (tl_vec3){1, 1, 1}) < 0)
            f.anchor_v -= period_v;
    }
    return f;
}

static tl_vec3 place_of(const float *p) {
    return (tl_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* Column coordinates of a point; the centre of column k is at k. */
static double column_u(const frame *f, tl_vec3 x) {
    return (tl_vec3_dot(f->u, x) - f->anchor_u) / f->step_u - 0.5;
}
static double column_v(const frame *f, tl_vec3 x) {
    return (tl_vec3_dot(f->v, x) - f->anchor_v) / f->step_v - 0.5;
}

/* Finds the points less than `reach` above the surface, eight at a time: few are, and all are
 * asked. Returns how many. */
static size_t find_near(const frame *f, double reach, const float *places, size_t stride,
                        size_t count, uint32_t *near) {
    const float nx = (float)f->n.x, ny = (float)f->n.y, nz = (float)f->n.z;
    const float limit = (float)(f->offset + reach);
    size_t found = 0, i = 0;
    /* Four floats are read at each place: not at the last one, which may end the array. */
    for (; i + TL_LANES < count; i += TL_LANES) {
        uint32_t index[TL_LANES];
        for (size_t l = 0; l < TL_LANES; l++)
            index[l] = (uint32_t)(i + l);
        tl_wide x[4];
        tl_gather4(places, stride, index, x);
        const unsigned mask = tl_mask_less(nx * x[0] + ny * x[1] + nz * x[2], tl_splat(limit));
        if (mask)
            found += (size_t)tl_compress_store(near + found, tl_load_int(index), mask);
    }
    for (; i < count; i++) {
        const float *x = places + stride * i;
        near[found] = (uint32_t)i;
        found += nx * x[0] + ny * x[1] + nz * x[2] < limit;
    }
    return found;
}

/* The window of columns that the near points can feel. */
static void find_window(frame *f, double reach, const float *places, size_t stride,
                        const uint32_t *near, size_t count) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        const tl_vec3 x = place_of(places + stride * near[i]);
        const double c[2] = {column_u(f, x), column_v(f, x)};
        for (int k = 0; k < 2; k++) {
            low[k] = c[k] < low[k] ? c[k] : low[k];
            high[k] = c[k] > high[k] ? c[k] : high[k];
        }
    }
    const double margin_u = reach / f->step_u, margin_v = reach / f->step_v;
    f->low_u = (long)floor(low[0] - margin_u);
    f->low_v = (long)floor(low[1] - margin_v);
    f->count_u = (long)ceil(high[0] + margin_u) - f->low_u + 1;
    f->count_v = (long)ceil(high[1] + margin_v) - f->low_v + 1;
}

/* ---- Marks -------------------------------------------------------------------------------------
 */

enum { TILE = 64 }; /* columns along its edge */

static long tiles_u(const frame *f) { return (f->count_u + TILE - 1) / TILE; }
static long tiles_v(const frame *f) { return (f->count_v + TILE - 1) / TILE; }

static tl_status clear_marks(tl_samples *samples, const frame *f, tl_error *error) {
    const size_t tiles = (size_t)tiles_u(f) * (size_t)tiles_v(f);
    TL_TRY(TL_ARRAY_RESERVE(samples->tile, 0, tiles, error));
    memset(samples->tile, 0, tiles * sizeof *samples->tile);
    samples->tile_count = 0;
    return TL_OK;
}

/* The mark of column (u, v) of the window. */
static tl_status find_mark(tl_samples *samples, const frame *f, long u, long v, unsigned char **out,
                           tl_error *error) {
    uint32_t *tile = &samples->tile[v / TILE * tiles_u(f) + u / TILE];
    if (*tile == 0) {
        const size_t used = samples->tile_count * TILE * TILE;
        TL_TRY(TL_ARRAY_RESERVE(samples->marks, used, used + TILE * TILE, error));
        memset(samples->marks + used, 0, TILE * TILE);
        *tile = (uint32_t)++samples->tile_count;
    }
    *out = samples->marks + ((size_t)*tile - 1) * TILE * TILE + v % TILE * TILE + u % TILE;
    return TL_OK;
}

/* Layers down to `depth`: what is that deep or deeper is out of reach of all that is on the right
 * side. */
static int layers_to(double depth, double spacing) {
    return (int)ceil(fmin(depth / spacing, 255) - 0.5 - 1e-9);
}

/* Marks the columns within reach of one point, as so many layers deep. */
static tl_status mark_columns(tl_samples *samples, const frame *f, double reach, int layers,
                              tl_vec3 x, tl_error *error) {
    const double cu = column_u(f, x), cv = column_v(f, x);
    const double ru = reach / f->step_u, rv = reach / f->step_v;
    for (long v = (long)ceil(cv - rv); v <= (long)floor(cv + rv); v++)
        for (long u = (long)ceil(cu - ru); u <= (long)floor(cu + ru); u++) {
            unsigned char *mark;
            TL_TRY(find_mark(samples, f, u - f->low_u, v - f->low_v, &mark, error));
            *mark = layers > *mark ? (unsigned char)layers : *mark;
        }
    return TL_OK;
}

/* ---- Samples -----------------------------------------------------------------------------------
 */

/* A place of the world for a sample of one shape. */
typedef struct spot {
    tl_vec3 place, normal;
    double depth, share;
} spot;

/* Whether a place is in the box of a periodic world. What is not has an image that is. */
static bool is_in_period(const tl_sampling *s, tl_vec3 place) {
    const tl_vec3 from = tl_vec3_sub(place, s->anchor);
    const double at[3] = {from.x, from.y, from.z};
    for (int k = 0; k < 3; k++)
        if (s->period[k] > 0 && (at[k] < 0 || at[k] >= s->period[k]))
            return false;
    return true;
}

static tl_status add_sample(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                            const tl_sampling *s, const spot *at, tl_error *error) {
    const tl_vec3 world = at->place, x = tl_vec3_sub(world, s->origin), normal = at->normal;
    if (!is_in_period(s, world))
        return TL_OK;
    /* Solids overlap in corners: the first shape keeps the place. */
    for (size_t other = 0; other < shape; other++) {
        tl_vec3 ignored;
        if (tl_shape_distance(&shapes->items[other], world, &ignored) < -1e-6 * s->spacing)
            return TL_OK;
    }
    TL_TRY(TL_ARRAY_RESERVE(samples->items, samples->count, samples->count + 1, error));
    samples->items[samples->count++] =
        (tl_sample){{(float)x.x, (float)x.y, (float)x.z},
                    {(float)normal.x, (float)normal.y, (float)normal.z},
                    (float)at->depth,
                    (float)at->share,
                    (uint32_t)shape};
    return TL_OK;
}

/* The samples below one column of the window, so many layers. */
static tl_status sample_column(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                               const tl_sampling *s, const frame *f, long u, long v, int layers,
                               tl_error *error) {
    const long ku = u + f->low_u, kv = v + f->low_v;
    if ((f->limit_u && (ku < 0 || ku >= f->limit_u)) ||
        (f->limit_v && (kv < 0 || kv >= f->limit_v)))
        return TL_OK;
    const double at_u = f->anchor_u + ((double)ku + 0.5) * f->step_u;
    const double at_v = f->anchor_v + ((double)kv + 0.5) * f->step_v;
    for (int layer = 0; layer < layers; layer++) {
        const double depth = ((double)layer + 0.5) * s->spacing, at_n = f->offset - depth;
        const tl_vec3 x =
            tl_vec3_mad(tl_vec3_mad(tl_vec3_scale(f->u, at_u), at_v, f->v), at_n, f->n);
        const spot at = {tl_vec3_add(x, s->origin), f->n, depth, 1};
        TL_TRY(add_sample(samples, shapes, shape, s, &at, error));
    }
    return TL_OK;
}

static tl_status sample_half_space(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                                   const tl_sampling *s, const float *places, size_t stride,
                                   size_t count, tl_error *error) {
    frame f = make_frame(&shapes->items[shape], s);
    TL_TRY(TL_ARRAY_RESERVE(samples->near, 0, count + TL_LANES, error));
    const size_t found = find_near(&f, s->reach, places, stride, count, samples->near);
    if (found == 0)
        return TL_OK;
    find_window(&f, s->reach, places, stride, samples->near, found);
    TL_TRY(clear_marks(samples, &f, error));
    const int all = layers_to(s->depth, s->spacing);
    for (size_t i = 0; i < found; i++) {
        const tl_vec3 x = place_of(places + stride * samples->near[i]);
        const double reach = s->reaches ? (double)s->reaches[samples->near[i]] : s->reach;
        const double below = fmin(reach - (tl_vec3_dot(f.n, x) - f.offset), reach);
        const int layers = s->reaches ? layers_to(fmin(below, s->depth), s->spacing) : all;
        if (layers > 0)
            TL_TRY(mark_columns(samples, &f, reach, layers, x, error));
    }
    for (long tile = 0; tile < tiles_u(&f) * tiles_v(&f); tile++) {
        if (samples->tile[tile] == 0)
            continue;
        const unsigned char *marks = samples->marks + (samples->tile[tile] - 1) * TILE * TILE;
        const long first_u = tile % tiles_u(&f) * TILE, first_v = tile / tiles_u(&f) * TILE;
        for (long k = 0; k < TILE * TILE; k++)
            if (marks[k])
                TL_TRY(sample_column(samples, shapes, shape, s, &f, first_u + k % TILE,
                                     first_v + k / TILE, marks[k], error));
    }
    return TL_OK;
}

/* The lattice of a box along one axis. */
typedef struct box_axis {
    double from, step;
    long count;       /* lattice points along the whole box */
    long first, last; /* those within reach of matter */
    long shell;       /* points from each face that are less than `depth` below it */
} box_axis;

static box_axis make_axis(double from, double to, double low, double high, const tl_sampling *s) {
    /* A plate thinner than the spacing has one layer still: matter must feel it. */
    box_axis a = {.from = from, .count = lround(fmax((to - from) / s->spacing, 1))};
    a.step = (to - from) / (double)a.count;
    a.first = (long)fmax(0, floor((low - s->reach - from) / a.step - 0.5));
    a.last = (long)fmin((double)a.count - 1, ceil((high + s->reach - from) / a.step - 0.5));
    a.shell = (long)ceil(s->depth / a.step - 0.5);
    return a;
}

static double place_on(const box_axis *a, long k) { return a->from + ((double)k + 0.5) * a->step; }
static bool is_deep(const box_axis *a, long k) { return k >= a->shell && k < a->count - a->shell; }

/* The bounds of a box of the world in the frame of a shape. */
static void carry_bounds(const tl_shape *shape, tl_vec3 *low, tl_vec3 *high) {
    const tl_vec3 from = *low, to = *high;
    if (!shape->moves)
        return;
    *low = (tl_vec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    *high = (tl_vec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int c = 0; c < 8; c++) {
        const tl_vec3 corner = {c & 1 ? to.x : from.x, c & 2 ? to.y : from.y,
                                c & 4 ? to.z : from.z};
        const tl_vec3 x = tl_pose_back(&shape->pose, corner);
        *low = (tl_vec3){fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z)};
        *high = (tl_vec3){fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z)};
    }
}

/* The lattice points in the shell of a box, as far as matter can feel them.
 * low, high  bounds of the matter */
static tl_status sample_box(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                            const tl_sampling *s, tl_vec3 low, tl_vec3 high, tl_error *error) {
    const tl_shape *box = &shapes->items[shape];
    carry_bounds(box, &low, &high);
    const box_axis x = make_axis(box->from.x, box->to.x, low.x, high.x, s);
    const box_axis y = make_axis(box->from.y, box->to.y, low.y, high.y, s);
    const box_axis z = make_axis(box->from.z, box->to.z, low.z, high.z, s);
    for (long kz = z.first; kz <= z.last; kz++)
        for (long ky = y.first; ky <= y.last; ky++)
            for (long kx = x.first; kx <= x.last; kx++) {
                if (is_deep(&z, kz) && is_deep(&y, ky) && is_deep(&x, kx))
                    kx = x.count - x.shell; /* across the inside in one step */
                if (kx > x.last)
                    break;
                const tl_vec3 place = {place_on(&x, kx), place_on(&y, ky), place_on(&z, kz)};
                tl_vec3 normal;
                const double depth = -tl_box_distance(box, place, &normal);
                if (depth >= s->depth)
                    continue;
                const spot at = {tl_pose_apply(&box->pose, place),
                                 tl_turn_apply(box->pose.turn, normal), depth, 1};
                TL_TRY(add_sample(samples, shapes, shape, s, &at, error));
            }
    return TL_OK;
}

/* Bounds of the points, in the coordinates of the world. */
static void find_bounds(const tl_sampling *s, const float *places, size_t stride, size_t count,
                        tl_vec3 *low, tl_vec3 *high) {
    *low = (tl_vec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    *high = (tl_vec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        const tl_vec3 x = tl_vec3_add(place_of(places + stride * i), s->origin);
        *low = (tl_vec3){fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z)};
        *high = (tl_vec3){fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z)};
    }
}

/* The samples of a mesh that are near the matter. */
static tl_status sample_mesh(tl_samples *samples, const tl_shapes *shapes, size_t shape,
                             const tl_sampling *s, tl_error *error) {
    const tl_shape *own = &shapes->items[shape];
    const double volume = s->spacing * s->spacing * s->spacing;
    for (size_t k = 0; k < own->cover.count; k++) {
        const tl_cover_sample *c = &own->cover.items[k];
        const tl_vec3 normal = {(double)c->normal[0], (double)c->normal[1], (double)c->normal[2]};
        const spot at = {tl_pose_apply(&own->pose, place_of(c->position)),
                         tl_turn_apply(own->pose.turn, normal), (double)c->depth,
                         (double)c->volume / volume};
        if (tl_vicinity_has(&samples->vicinity, tl_vec3_sub(at.place, s->origin)))
            TL_TRY(add_sample(samples, shapes, shape, s, &at, error));
    }
    return TL_OK;
}

tl_status tl_samples_make(tl_samples *samples, const tl_shapes *shapes, const tl_sampling *sampling,
                          const float *places, size_t stride, size_t count, tl_error *error) {
    samples->count = 0;
    samples->spacing = sampling->spacing;
    if (count == 0)
        return TL_OK;
    bool any_box = false, any_mesh = false;
    for (size_t shape = 0; shape < shapes->count; shape++) {
        any_box = any_box || shapes->items[shape].is_box;
        any_mesh = any_mesh || shapes->items[shape].solid;
    }
    tl_vec3 low = {0, 0, 0}, high = low;
    if (any_box)
        find_bounds(sampling, places, stride, count, &low, &high);
    if (any_mesh)
        TL_TRY(tl_vicinity_make(&samples->vicinity, places, stride, count, sampling->reach, error));
    for (size_t shape = 0; shape < shapes->count; shape++)
        TL_TRY(shapes->items[shape].solid ? sample_mesh(samples, shapes, shape, sampling, error)
               : shapes->items[shape].is_box
                   ? sample_box(samples, shapes, shape, sampling, low, high, error)
                   : sample_half_space(samples, shapes, shape, sampling, places, stride, count,
                                       error));
    return TL_OK;
}

#define ARRAYS(s) (s)->items, (s)->tile, (s)->marks, (s)->near

size_t tl_samples_bytes(const tl_samples *samples) {
    return TL_ARRAYS_BYTES(ARRAYS(samples), samples->vicinity.mark);
}

void tl_samples_free(tl_samples *samples) {
    TL_ARRAYS_FREE(ARRAYS(samples));
    tl_vicinity_free(&samples->vicinity);
    *samples = (tl_samples){0};
}
