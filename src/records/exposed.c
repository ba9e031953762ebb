/* See exposed.h. Three passes: fullness and its gradient; how far each ball is drawn back; rays.
 * The last two are for the few particles near a surface. Lengths are in spacings within. */
#include "records/exposed.h"

#include "base/blocks.h"
#include "base/random.h"
#include "math/kernels.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 128, SETS = 32, MOST_NEAR = 1024 };

/* Measured on lattices, shaken ones and close packings cut by planes, spheres and boxes. */
static const float full = 0.92f, flat = 0.4f; /* fullness and slope beyond which matter is inside */
static const float sample_radius =
    0.6f; /* of walls: hardly beyond their surface, yet without gaps */
/* A wall hides the face that lies on it, not what only looks at it. */
static const float wall_range = 0.6f;
static const float deepest = 0.65f; /* how far a ball is drawn back at most */

struct tl_ray_set {
    float from[RAYS][3], along[RAYS][3]; /* unit: a point of the ball, a direction */
};

typedef struct job {
    tl_exposed *out;
    const tl_records *records;
    const tl_neighbor_list *list, *touching;
    const tl_sizes *sizes;
    float sample_spacing;
} job;

static float spacing_of(const job *c, size_t i) { return (float)tl_spacing_of(c->sizes, i); }

/* Value at x of the line through points that rise in x, constant outside. */
static float on_line(const float (*points)[2], int count, float x) {
    if (x <= points[0][0])
        return points[0][1];
    for (int k = 1; k < count; k++)
        if (x < points[k][0]) {
            const float part = (x - points[k - 1][0]) / (points[k][0] - points[k - 1][0]);
            return points[k - 1][1] + part * (points[k][1] - points[k - 1][1]);
        }
    return points[count - 1][1];
}

/* ---- Fullness ----------------------------------------------------------------------------------
 */

/* Volumes of the neighbours of particle i over its own; all have one where they are alike. */
TL_INLINE tl_wide parts_of(const job *c, size_t i, const uint32_t *row, tl_wide mass) {
    tl_wide v[4];
    if (!tl_sizes_differ(c->sizes))
        return tl_splat(1.0f);
    TL_GATHER4(c->records->a, v, row, v);
    return mass * v[3] * (float)(1 / tl_volume_of(c->sizes, i));
}

/* Weight (1 - q²)² of a broad kernel: the particle itself is an eighth of the sum, so that fullness
 * tells of the place and not of the nearest neighbour's distance. */
static const float inverse_reach2 = (float)(1 / (TL_EXPOSED_REACH * TL_EXPOSED_REACH));
static const float weight_norm = /* 1 / ∫ weight dV */
    (float)(105 / (32 * TL_PI * TL_EXPOSED_REACH * TL_EXPOSED_REACH * TL_EXPOSED_REACH));

static void find_fullness(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *c = context;
    const tl_record *a = c->records->a;
    const tl_wide one = tl_splat(1.0f);
    for (size_t i = begin; i < end; i++) {
        const float *self = a[i].x, scale = 1 / spacing_of(c, i);
        size_t size;
        const uint32_t *row = tl_longer_row(c->list, c->touching, i, &size);
        tl_wide sum = tl_splat(0.0f), gx = sum, gy = sum, gz = sum;
        for (size_t k = 0; k < size; k += TL_LANES) {
            tl_wide x[4];
            TL_GATHER4(a, x, row + k, x);
            const tl_wide dx = (x[0] - self[0]) * scale, dy = (x[1] - self[1]) * scale,
                          dz = (x[2] - self[2]) * scale;
            const tl_wide w = tl_positive(one - (dx * dx + dy * dy + dz * dz) * inverse_reach2);
            const tl_wide part = parts_of(c, i, row + k, x[3]), wide = part * w;
            sum += wide * w;
            gx -= wide * dx, gy -= wide * dy, gz -= wide * dz;
        }
        float *f = c->out->facing + i * TL_BALL;
        tl_store_sum4(f, gx, gy, gz, sum);
        /* Twice the gradient: |f| is 1 about where a flat surface is near. */
        for (int k = 0; k < 3; k++)
            f[k] *= 8 * inverse_reach2 * weight_norm;
        f[3] *= weight_norm;
    }
}

static bool is_inside(const float *facing) {
    const float slope2 = facing[0] * facing[0] + facing[1] * facing[1] + facing[2] * facing[2];
    return facing[3] > full && slope2 < flat * flat;
}

/* ---- Balls -------------------------------------------------------------------------------------
 */

/* How fast the normals turn, 1/spacing: 1/R on a sphere of radius R. */
static float find_curvature(const job *c, size_t i, const float normal[3]) {
    const tl_record *a = c->records->a;
    const float *self = a[i].x, scale = 1 / spacing_of(c, i);
    size_t size;
    const uint32_t *row = tl_longer_row(c->list, c->touching, i, &size);
    const tl_wide one = tl_splat(1.0f);
    tl_wide turn = tl_splat(0.0f), square = turn;
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide x[4], f[4];
        TL_GATHER4(a, x, row + k, x);
        tl_gather4(c->out->facing, TL_BALL, row + k, f);
        const tl_wide dx = (x[0] - self[0]) * scale, dy = (x[1] - self[1]) * scale,
                      dz = (x[2] - self[2]) * scale;
        const tl_wide r2 = dx * dx + dy * dy + dz * dz, w = tl_positive(one - r2 * inverse_reach2);
        const tl_wide slope = tl_sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        const tl_wide wide = parts_of(c, i, row + k, x[3]) * w;
        turn += wide * w *
                ((f[0] - slope * normal[0]) * dx + (f[1] - slope * normal[1]) * dy +
                 (f[2] - slope * normal[2]) * dz);
        square += wide * w * slope * r2;
    }
    const float below = tl_sum(square);
    return below > 1e-9f ? tl_sum(turn) / below : 0;
}

/* A particle's ball touches the surface from inside, and is so large that rays find no way between
 * balls. Threads and single particles have balls of about their own volume. */
static void place_ball(const job *c, size_t i) {
    static const float radii[][2] = {{0.13f, 0.62f}, {0.2f, 0.61f}, {0.277f, 0.63f}, {0.5f, 0.8f}};
    static const float slopes[][2] = {{0.7f, 1.05f}, {0.8f, 0.95f}, {1.0f, 0.3f}};
    const float *f = c->out->facing + i * TL_BALL, *x = c->records->a[i].x;
    float *ball = c->out->balls + i * TL_BALL, back = 0, normal[3] = {0};
    const float slope = sqrtf(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    const float radius = on_line(radii, 4, f[3]), spacing = spacing_of(c, i);
    if (!is_inside(f) && slope > 0) {
        for (int k = 0; k < 3; k++)
            normal[k] = f[k] / slope;
        const float turn = fminf(fmaxf(find_curvature(c, i, normal), -0.3f), 1.0f);
        const float depth = 1.8f * (f[3] - 0.5f) + 0.75f * turn;
        /* Where both sides are open (a sheet), the slope is small for the fullness. */
        const float one_sided = 1.8f * slope / on_line(slopes, 3, f[3]) - 0.8f;
        back = fminf(fmaxf(radius - depth, 0), deepest) * fminf(fmaxf(one_sided, 0), 1) * spacing;
    }
    for (int k = 0; k < 3; k++)
        ball[k] = x[k] - back * normal[k];
    ball[3] = radius * spacing;
}

static void place_balls(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t i = begin; i < end; i++)
        place_ball(context, i);
}

/* Facing of images is that of their sources; their balls stand off by the same shift. */
static void copy_images(const job *c, float *records, bool shifted) {
    tl_images_share_all(c->records, TL_SHARED_GROUP(records, TL_BALL));
    if (shifted)
        tl_images_move(c->records, records, TL_BALL);
}

static void place_samples(const job *c) {
    const tl_records *r = c->records;
    for (size_t s = r->particles; s < tl_images_begin(r); s++) {
        memcpy(c->out->balls + s * TL_BALL, r->a[s].x, 3 * sizeof(float));
        c->out->balls[s * TL_BALL + 3] = sample_radius * c->sample_spacing;
        memset(c->out->facing + s * TL_BALL, 0, TL_BALL * sizeof(float));
    }
    /* The dummy that pads the rows. */
    const size_t last = tl_records_total(r);
    memcpy(c->out->balls + last * TL_BALL, r->a[last].x, 3 * sizeof(float));
    c->out->balls[last * TL_BALL + 3] = 0;
    memset(c->out->facing + last * TL_BALL, 0, TL_BALL * sizeof(float));
}

/* ---- Rays --------------------------------------------------------------------------------------
 */

/* Balls about one particle, relative to its own, in spacings; padded with balls far away. */
typedef struct near_balls {
    size_t count;
    float x[MOST_NEAR], y[MOST_NEAR], z[MOST_NEAR], radius2[MOST_NEAR];
    float range[MOST_NEAR]; /* how far along a ray it still blocks */
} near_balls;

static void gather_balls(const job *c, size_t i, near_balls *out) {
    const float scale = 1 / spacing_of(c, i), *self = c->out->balls + i * TL_BALL;
    const tl_record *a = c->records->a;
    const float *place = a[i].x;
    size_t size;
    const uint32_t *row = tl_longer_row(c->list, c->touching, i, &size);
    out->count = 0;
    for (size_t k = 0; k < size && out->count < MOST_NEAR; k++) {
        const float *b = c->out->balls + (size_t)row[k] * TL_BALL;
        const float *p = a[row[k]].x;
        const float dx = p[0] - place[0], dy = p[1] - place[1], dz = p[2] - place[2];
        if (row[k] == i || (dx * dx + dy * dy + dz * dz) * scale * scale * inverse_reach2 >= 1)
            continue;
        const size_t n = out->count++;
        out->x[n] = (b[0] - self[0]) * scale;
        out->y[n] = (b[1] - self[1]) * scale;
        out->z[n] = (b[2] - self[2]) * scale;
        out->radius2[n] = b[3] * b[3] * scale * scale;
        out->range[n] = tl_records_is_matter(c->records, row[k]) ? 1e6f : wall_range;
    }
    for (size_t n = out->count; n < tl_pad_lanes(out->count); n++)
        out->x[n] = out->y[n] = out->z[n] = 1e6f, out->radius2[n] = out->range[n] = 0;
}

/* Whether a ray from `o` along the unit `d` meets a ball, or starts in one. */
static bool is_blocked(const near_balls *near, const float o[3], const float d[3]) {
    const tl_wide zero = tl_splat(0.0f);
    for (size_t n = 0; n < near->count; n += TL_LANES) {
        const tl_wide x = tl_load(near->x + n) - o[0], y = tl_load(near->y + n) - o[1],
                      z = tl_load(near->z + n) - o[2], radius2 = tl_load(near->radius2 + n),
                      range = tl_load(near->range + n);
        const tl_wide b = x * d[0] + y * d[1] + z * d[2], away2 = x * x + y * y + z * z;
        if ((tl_mask_less(zero, b) & tl_mask_less(b, range) &
             tl_mask_less(away2 - b * b, radius2)) |
            tl_mask_less(away2, radius2))
            return true;
    }
    return false;
}

static double cast_rays(const job *c, size_t i) {
    near_balls near;
    const tl_ray_set *rays = &c->out->rays[tl_random_bits(0, i) % SETS];
    float *s = c->out->surface + i * TL_SURFACE, sum[3] = {0};
    const float spacing = spacing_of(c, i), radius = c->out->balls[i * TL_BALL + 3] / spacing;
    int free_rays = 0;
    gather_balls(c, i, &near);
    for (int k = 0; k < RAYS; k++) {
        const float *n = rays->from[k], *d = rays->along[k];
        const float o[3] = {radius * n[0], radius * n[1], radius * n[2]};
        if (is_blocked(&near, o, d))
            continue;
        free_rays++;
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += d[axis];
    }
    const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int axis = 0; axis < 3; axis++)
        s[axis] = length > 0 ? sum[axis] / length : 0;
    const float area = (float)(4 * TL_PI) * radius * radius * (float)free_rays / RAYS;
    s[3] = area * spacing * spacing;
    return (double)s[3];
}

static void find_areas(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *c = context;
    double sum = 0;
    for (size_t i = begin; i < end; i++) {
        if (is_inside(c->out->facing + i * TL_BALL))
            memset(c->out->surface + i * TL_SURFACE, 0, TL_SURFACE * sizeof(float));
        else
            sum += cast_rays(c, i);
    }
    c->out->partial[begin / TL_BLOCK] = sum;
}

static tl_vec3 on_sphere(double u, double v) {
    const double z = 1 - 2 * u, r = sqrt(1 - z * z), angle = 2 * TL_PI * v;
    return (tl_vec3){r * cos(angle), r * sin(angle), z};
}

/* Points evenly on the ball, and about each normal one direction of the cosine law: the normal plus
 * a point of the unit sphere. Particles draw from sets that are turned about, so that errors of the
 * sums do not add up where all particles see the same. */
static void make_set(tl_ray_set *set, int number) {
    const tl_vec3 axis = on_sphere((number + 0.5) / SETS, fmod(number * 0.6180339887498949, 1));
    const tl_vec3 other = fabs(axis.z) < 0.9 ? (tl_vec3){0, 0, 1} : (tl_vec3){1, 0, 0};
    const tl_vec3 u = tl_vec3_unit(tl_vec3_cross(other, axis)), v = tl_vec3_cross(axis, u);
    for (int k = 0; k < RAYS; k++) {
        /* Sequences of low discrepancy in one and two dimensions (Roberts 2018). */
        const tl_vec3 p = on_sphere((k + 0.5) / RAYS, fmod(k * 0.6180339887498949, 1));
        const int m = number * RAYS + k + 1;
        const tl_vec3 q =
            on_sphere(fmod(m * 0.7548776662466927, 1), fmod(m * 0.5698402909980532, 1));
        const tl_vec3 n = tl_vec3_mad(tl_vec3_mad(tl_vec3_scale(u, p.x), p.y, v), p.z, axis);
        const tl_vec3 d = tl_vec3_unit(tl_vec3_add(n, q));
        const double from[3] = {n.x, n.y, n.z}, along[3] = {d.x, d.y, d.z};
        for (int a = 0; a < 3; a++)
            set->from[k][a] = (float)from[a], set->along[k][a] = (float)along[a];
    }
}

static tl_status make_rays(tl_exposed *e, tl_error *error) {
    if (e->rays)
        return TL_OK;
    e->rays = tl_allocate(SETS, sizeof *e->rays);
    if (!e->rays)
        return tl_fail_memory(error, SETS, sizeof *e->rays);
    for (int k = 0; k < SETS; k++)
        make_set(&e->rays[k], k);
    return TL_OK;
}

tl_status tl_exposed_find(tl_exposed *e, const tl_parallel *parallel, const tl_records *records,
                          const tl_neighbor_list *list, const tl_neighbor_list *touching,
                          const tl_sizes *sizes, double spacing, tl_error *error) {
    const size_t n = records->particles, all = (tl_records_total(records) + 1) * TL_BALL;
    const size_t blocks = tl_block_count(n, TL_BLOCK);
    TL_TRY(TL_ARRAY_RESERVE(e->surface, 0, n * TL_SURFACE, error));
    TL_TRY(TL_ARRAY_RESERVE(e->balls, 0, all, error));
    TL_TRY(TL_ARRAY_RESERVE(e->facing, 0, all, error));
    TL_TRY(TL_ARRAY_RESERVE(e->partial, 0, blocks, error));
    TL_TRY(make_rays(e, error));
    job c = {e, records, list, touching, sizes, (float)spacing};
    place_samples(&c);
    tl_parallel_for(parallel, n, TL_BLOCK, find_fullness, &c);
    copy_images(&c, e->facing, false);
    tl_parallel_for(parallel, n, TL_BLOCK, place_balls, &c);
    copy_images(&c, e->balls, true);
    tl_parallel_for(parallel, n, TL_BLOCK, find_areas, &c);
    e->area = tl_sum_blocks(e->partial, 1, n);
    return TL_OK;
}

#define ARRAYS(e) (e)->surface, (e)->balls, (e)->facing, (e)->partial

size_t tl_exposed_bytes(const tl_exposed *e) {
    return TL_ARRAYS_BYTES(ARRAYS(e)) + (e->rays ? SETS * sizeof *e->rays : 0);
}

void tl_exposed_free(tl_exposed *e) {
    TL_ARRAYS_FREE(ARRAYS(e));
    free(e->rays);
    *e = (tl_exposed){0};
}
