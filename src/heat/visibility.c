/* See visibility.h. Balls are drawn by all threads at once: a texel takes the least of (distance,
 * index), which is the same in any order. Then each particle collects the texels that show it. */
#include "heat/visibility.h"

#include "base/blocks.h"
#include "math/kernels.h"
#include "mesh/sweep.h"

#include <stdatomic.h>
#include <string.h>

enum { FACES = 6, LEAST = 32, MOST = 512, MOST_SINGLE = 1024 }; /* texels on an edge */
static const double widest_single = 1.2; /* tangent of the half angle of a single picture */
/* Spacings. A rim is the envelope of what sticks out farthest: balls are drawn a little smaller
 * than they are for areas. */
static const float largest_radius = 0.72f;
static const float deep_fullness = 0.96f, deep_slope = 0.25f; /* see exposed.c */
static const uint64_t nobody = UINT32_MAX;

/* A ball that may be seen. Of one that has matter on one side only, the other is hidden. */
typedef struct tl_seen_ball {
    float x[3], radius; /* m; relative to the records' origin */
    float normal[3];    /* unit, outward; zero where several sides are open */
    uint32_t particle;
    bool is_covered; /* no ray leaves it: others hide it from everything outside */
} tl_seen_ball;

/* Slope of fullness (exposed.c) from which a particle has one open side. */
static const float one_sided = 0.8f;
/* Cosine beyond which that side is not seen from behind, surfaces being rough; when one map is not
 * all, less care is enough. */
static const float turned_away = 0.6f, turned_away_coarse = 0.2f;
static const double coarse = 2; /* detail below which maps are coarse */

/* One picture: texel (i, j) looks along x u + y v + w with x, y from -width to width. */
typedef struct face {
    float u[3], v[3], w[3];
} face;

typedef struct extent {
    double low[3], high[3], distance; /* of the balls, relative to the source; sum of distances */
} extent;

typedef struct job {
    tl_visibility *visibility;
    const tl_sight *sight;
    tl_emitter emitter;
    float source[3]; /* relative to the records' origin */
    face faces[FACES];
    int face_count, size; /* texels on an edge */
    float width;          /* tangent of the half angle */
    bool is_outside;      /* the source stands clear of all matter: backs are hidden */
    double *found;        /* [particles] part of the light */
} job;

/* ---- Which way to look -------------------------------------------------------------------------
 */

static const extent nothing = {
    {HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0};

static void find_extent(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *c = context;
    extent e = nothing;
    for (size_t i = begin; i < end; i++) {
        const tl_seen_ball *ball = &c->visibility->balls[i];
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double x = (double)(ball->x[k] - c->source[k]);
            e.low[k] = fmin(e.low[k], x - (double)ball->radius);
            e.high[k] = fmax(e.high[k], x + (double)ball->radius);
            square += x * x;
        }
        e.distance += sqrt(square);
    }
    ((extent *)c->visibility->partial)[begin / TL_BLOCK] = e;
}

static void join_extent(void *total, const void *partial) {
    extent *e = total;
    const extent *p = partial;
    for (int k = 0; k < 3; k++) {
        e->low[k] = fmin(e->low[k], p->low[k]);
        e->high[k] = fmax(e->high[k], p->high[k]);
    }
    e->distance += p->distance;
}

static extent join_extents(const job *c, size_t count) {
    extent e = nothing;
    tl_join_blocks(&e, c->visibility->partial, sizeof e, count, join_extent);
    e.distance /= (double)count;
    return e;
}

static face face_towards(tl_vec3 w) {
    const tl_vec3 other = fabs(w.z) < 0.9 ? (tl_vec3){0, 0, 1} : (tl_vec3){1, 0, 0};
    const tl_vec3 u = tl_vec3_unit(tl_vec3_cross(other, w)), v = tl_vec3_cross(w, u);
    return (face){{(float)u.x, (float)u.y, (float)u.z},
                  {(float)v.x, (float)v.y, (float)v.z},
                  {(float)w.x, (float)w.y, (float)w.z}};
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Tangent of half the angle in which a picture along `f` has all of the extent; infinite when some
 * of it is beside or behind the source. */
static double width_of(const extent *e, const face *f) {
    double width = 0;
    for (int corner = 0; corner < 8; corner++) {
        float x[3];
        for (int k = 0; k < 3; k++)
            x[k] = (float)(corner >> k & 1 ? e->high[k] : e->low[k]);
        const double ahead = (double)dot(x, f->w);
        const double aside = fmax(fabs((double)dot(x, f->u)), fabs((double)dot(x, f->v)));
        if (!(ahead > 0))
            return HUGE_VAL;
        width = fmax(width, aside / ahead);
    }
    return width;
}

/* One picture if it holds everything, else a cube; fine enough to show every particle at the mean
 * distance. */
static void choose_faces(job *c, const extent *e) {
    static const tl_vec3 sides[FACES] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                         {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    const tl_vec3 middle = {(e->low[0] + e->high[0]) / 2, (e->low[1] + e->high[1]) / 2,
                            (e->low[2] + e->high[2]) / 2};
    c->faces[0] = face_towards(tl_vec3_unit(middle));
    const double width = width_of(e, &c->faces[0]);
    const bool single = width < widest_single;
    c->face_count = single ? 1 : FACES;
    for (int k = 0; k < 3; k++)
        c->is_outside |= e->low[k] > 0 || e->high[k] < 0;
    c->width = single ? (float)(1.001 * width) : 1;
    for (int k = 0; k < FACES && !single; k++)
        c->faces[k] = face_towards(sides[k]);
    const double wanted = 2 * (double)c->width * e->distance * c->sight->detail / c->sight->spacing;
    c->size = (int)fmin(fmax(wanted, LEAST), single ? MOST_SINGLE : MOST);
}

/* ---- Solids ------------------------------------------------------------------------------------
 */

static bool is_in_solid(const tl_shapes *shapes, tl_vec3 x) {
    for (size_t s = 0; s < (shapes ? shapes->count : 0); s++) {
        tl_vec3 normal;
        if (tl_shape_distance(&shapes->items[s], x, &normal) < 0)
            return true;
    }
    return false;
}

/* Distance along `d` at which a ray from `s` enters a box; infinite when it does not. */
static float box_entry(const tl_shape *box, tl_vec3 s, tl_vec3 d) {
    const double from[3] = {box->from.x - s.x, box->from.y - s.y, box->from.z - s.z};
    const double to[3] = {box->to.x - s.x, box->to.y - s.y, box->to.z - s.z};
    const double way[3] = {d.x, d.y, d.z};
    double low = 0, high = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double along = way[k];
        if (along == 0) {
            if (from[k] > 0 || to[k] < 0)
                return INFINITY;
            continue;
        }
        const double a = from[k] / along, b = to[k] / along;
        low = fmax(low, fmin(a, b));
        high = fmin(high, fmax(a, b));
    }
    return low < high ? (float)low : INFINITY;
}

/* The same for a mesh. */
static float mesh_entry(const tl_shape *mesh, tl_vec3 s, tl_vec3 d) {
    tl_vec3 low, high;
    tl_solid_bounds(mesh->solid, &low, &high);
    const tl_vec3 middle = tl_vec3_scale(tl_vec3_add(low, high), 0.5);
    const double farthest =
        tl_vec3_length(tl_vec3_sub(middle, s)) + tl_vec3_length(tl_vec3_sub(high, middle));
    const double way = farthest / tl_vec3_length(d);
    tl_touch touch;
    return tl_solid_sweep(mesh->solid, s, tl_vec3_mad(s, way, d), 0, &touch)
               ? (float)(way * touch.time)
               : INFINITY;
}

/* The same for what can hide something: half-spaces do not, source and matter are on the same side
 * of each. */
static float shape_entry(const job *c, const tl_shape *shape, const float d[3]) {
    tl_vec3 s = c->emitter.position, along = {(double)d[0], (double)d[1], (double)d[2]};
    if (!shape->is_box && !shape->solid)
        return INFINITY;
    if (shape->moves) {
        s = tl_pose_back(&shape->pose, s);
        along = tl_turn_apply(tl_turn_inverse(shape->pose.turn), along);
    }
    return shape->is_box ? box_entry(shape, s, along) : mesh_entry(shape, s, along);
}

/* The places on the map's edge: middle of texel i. */
static float middle_of(const job *c, int i) {
    return (2 * ((float)i + 0.5f) / (float)c->size - 1) * c->width;
}

static uint64_t key_of(float distance, uint64_t who) {
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits); /* rises with a distance that is not negative */
    return (uint64_t)bits << 32 | who;
}

static void clear_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *c = context;
    const tl_shapes *shapes = c->sight->shapes;
    for (size_t row = begin; row < end; row++) {
        const face *f = &c->faces[row / (size_t)c->size];
        const float y = middle_of(c, (int)(row % (size_t)c->size));
        for (int i = 0; i < c->size; i++) {
            const float x = middle_of(c, i);
            float d[3], nearest = INFINITY;
            for (int k = 0; k < 3; k++)
                d[k] = x * f->u[k] + y * f->v[k] + f->w[k];
            for (size_t s = 0; s < (shapes ? shapes->count : 0); s++)
                nearest = fminf(nearest, shape_entry(c, &shapes->items[s], d));
            atomic_store_explicit(&c->visibility->texels[row * (size_t)c->size + (size_t)i],
                                  key_of(nearest, nobody), memory_order_relaxed);
        }
    }
}

/* ---- Balls -------------------------------------------------------------------------------------
 */

/* A ball as a face sees it, and the texels that it may cover. */
typedef struct disc {
    float x, y, z, radius2;
    bool about_source; /* the source is inside */
    int x0, x1, y0, y1;
} disc;

/* The range of a picture's edge that a circle about (x, z) covers: between its tangents. */
static void cover(const job *c, float x, float z, float radius2, int *first, int *end) {
    const float below = z * z - radius2;
    *first = 0, *end = c->size;
    if (z <= 0 || below <= 0)
        return; /* it reaches around the source: anything may be covered */
    const float root = sqrtf(radius2 * fmaxf(x * x + below, 0)), scale = 0.5f * (float)c->size;
    const float low = ((x * z - root) / below / c->width + 1) * scale;
    const float high = ((x * z + root) / below / c->width + 1) * scale;
    *first = low > 0 ? (int)fminf(low, (float)c->size) : 0;
    *end = high < (float)c->size ? (int)fmaxf(high + 1, 0) : c->size;
}

/* Deep in the matter nothing is seen. */
static bool is_deep(const float *facing) {
    return facing[3] > deep_fullness && dot(facing, facing) < deep_slope * deep_slope;
}

tl_status tl_visibility_gather(tl_visibility *v, const tl_sight *sight, tl_error *error) {
    const size_t particles = sight->records->particles;
    v->count = 0;
    TL_TRY(TL_ARRAY_RESERVE(v->balls, 0, particles, error));
    for (size_t i = 0; i < particles; i++) {
        const float *f = sight->exposed->facing + i * TL_BALL;
        const float *ball = sight->exposed->balls + i * TL_BALL, slope = sqrtf(dot(f, f));
        if (is_deep(f))
            continue;
        tl_seen_ball *out = &v->balls[v->count++];
        *out = (tl_seen_ball){.particle = (uint32_t)i,
                              .is_covered = tl_exposed_area(sight->exposed, i) == 0};
        out->radius = fminf(ball[3], largest_radius * (float)tl_spacing_of(&sight->sizes, i));
        for (int k = 0; k < 3; k++) {
            out->x[k] = ball[k];
            out->normal[k] = slope > one_sided ? f[k] / slope : 0;
        }
    }
    return TL_OK;
}

/* Faces away from the source by so much that what is behind it hides it. */
static bool is_turned_away(const tl_seen_ball *ball, const float from[3], float cosine) {
    const float along = dot(ball->normal, from);
    return along > 0 && along * along > cosine * cosine * dot(from, from);
}

/* Coarse maps leave out what no ray leaves, though it fills gaps between balls: three
 * thousandths of the light are lost in them, and half of the time is saved. */
static bool is_hidden(const job *c, const tl_seen_ball *ball, const float from[3]) {
    const bool is_coarse = c->sight->detail < coarse;
    return c->is_outside &&
           ((is_coarse && ball->is_covered) ||
            is_turned_away(ball, from, is_coarse ? turned_away_coarse : turned_away));
}

/* False when the ball is out of the picture. */
static bool project(const job *c, size_t i, int number, disc *out) {
    const tl_seen_ball *ball = &c->visibility->balls[i];
    const float from[3] = {ball->x[0] - c->source[0], ball->x[1] - c->source[1],
                           ball->x[2] - c->source[2]};
    if (is_hidden(c, ball, from))
        return false;
    const face *f = &c->faces[number];
    const float x = dot(from, f->u), y = dot(from, f->v), z = dot(from, f->w), r = ball->radius;
    const float slant = r * sqrtf(1 + c->width * c->width);
    if (z < -r || fabsf(x) > z * c->width + slant || fabsf(y) > z * c->width + slant)
        return false;
    *out = (disc){.x = x, .y = y, .z = z, .radius2 = r * r};
    out->about_source = x * x + y * y + z * z <= r * r;
    cover(c, x, z, r * r, &out->x0, &out->x1);
    cover(c, y, z, r * r, &out->y0, &out->y1);
    return true;
}

/* Distance at which the ray along (x, y, 1) enters the ball, in lengths of that vector; negative
 * when it does not. Written with the cross product, which keeps its digits far away. */
static float entry(const disc *b, float x, float y) {
    if (b->about_source)
        return 0;
    const float cx = b->y - b->z * y, cy = b->z * x - b->x, cz = b->x * y - b->y * x;
    const float square = 1 + x * x + y * y, along = b->x * x + b->y * y + b->z;
    const float inside = square * b->radius2 - (cx * cx + cy * cy + cz * cz);
    if (!(inside > 0 && along > 0))
        return -1;
    return fmaxf((along - sqrtf(inside)) / square, 0);
}

static void lower(_Atomic uint64_t *texel, uint64_t key) {
    uint64_t old = atomic_load_explicit(texel, memory_order_relaxed);
    while (key < old && !atomic_compare_exchange_weak_explicit(
                            texel, &old, key, memory_order_relaxed, memory_order_relaxed))
        ;
}

static _Atomic uint64_t *row_of(const job *c, int number, int j) {
    const size_t size = (size_t)c->size;
    return c->visibility->texels + ((size_t)number * size + (size_t)j) * size;
}

static void draw_balls(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *c = context;
    disc b;
    for (size_t i = begin; i < end; i++)
        for (int number = 0; number < c->face_count; number++) {
            if (!project(c, i, number, &b))
                continue;
            for (int j = b.y0; j < b.y1; j++) {
                _Atomic uint64_t *row = row_of(c, number, j);
                const float y = middle_of(c, j);
                for (int k = b.x0; k < b.x1; k++) {
                    const float t = entry(&b, middle_of(c, k), y);
                    if (t >= 0)
                        lower(&row[k], key_of(t, i));
                }
            }
        }
}

/* The part of the light that goes through a texel. */
static double light_of(const job *c, int number, float x, float y) {
    const double texel = 2 * (double)c->width / c->size, square = (double)(1 + x * x + y * y);
    const double angle = texel * texel / (square * sqrt(square));
    const tl_vec3 n = c->emitter.normal;
    if (n.x == 0 && n.y == 0 && n.z == 0)
        return angle / (4 * TL_PI);
    const face *f = &c->faces[number];
    const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
    const float cosine = x * dot(f->u, normal) + y * dot(f->v, normal) + dot(f->w, normal);
    return cosine > 0 ? angle * (double)cosine / sqrt(square) / TL_PI : 0;
}

static void collect_light(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *c = context;
    double total = 0;
    disc b;
    for (size_t i = begin; i < end; i++) {
        double sum = 0;
        for (int number = 0; number < c->face_count; number++) {
            if (!project(c, i, number, &b))
                continue;
            for (int j = b.y0; j < b.y1; j++) {
                _Atomic uint64_t *row = row_of(c, number, j);
                for (int k = b.x0; k < b.x1; k++)
                    if ((uint32_t)atomic_load_explicit(&row[k], memory_order_relaxed) == i)
                        sum += light_of(c, number, middle_of(c, k), middle_of(c, j));
            }
        }
        c->found[i] = sum;
        total += sum;
    }
    ((double *)c->visibility->partial)[begin / TL_BLOCK] = total;
}

tl_status tl_visibility_add(tl_visibility *v, const tl_parallel *parallel, const tl_sight *sight,
                            const tl_emitter *emitter, double weight, double *parts,
                            tl_error *error) {
    const size_t count = v->count, blocks = tl_block_count(count, TL_BLOCK);
    if (count == 0 || is_in_solid(sight->shapes, emitter->position))
        return TL_OK;
    TL_TRY(tl_array_reserve(&v->partial, 0, blocks, sizeof(extent), error));
    TL_TRY(TL_ARRAY_RESERVE(v->found, 0, count, error));
    const tl_vec3 source = tl_vec3_sub(emitter->position, sight->origin);
    job c = {.visibility = v,
             .sight = sight,
             .emitter = *emitter,
             .source = {(float)source.x, (float)source.y, (float)source.z},
             .found = v->found};
    tl_parallel_for(parallel, count, TL_BLOCK, find_extent, &c);
    const extent e = join_extents(&c, count);
    choose_faces(&c, &e);
    const size_t rows = (size_t)c.face_count * (size_t)c.size;
    TL_TRY(TL_ARRAY_RESERVE(v->texels, 0, rows * (size_t)c.size, error));
    tl_parallel_for(parallel, rows, 8, clear_rows, &c);
    tl_parallel_for(parallel, count, TL_BLOCK, draw_balls, &c);
    tl_parallel_for(parallel, count, TL_BLOCK, collect_light, &c);

    /* Texels' angles are right to a part in a thousand; no more light may arrive than was given. */
    const double scale = weight / fmax(tl_sum_blocks(v->partial, 1, count), 1);
    for (size_t i = 0; i < count; i++)
        parts[v->balls[i].particle] += scale * v->found[i];
    return TL_OK;
}

#define ARRAYS(v) (v)->texels, (v)->partial, (v)->found, (v)->balls

size_t tl_visibility_bytes(const tl_visibility *v) { return TL_ARRAYS_BYTES(ARRAYS(v)); }

void tl_visibility_free(tl_visibility *v) {
    TL_ARRAYS_FREE(ARRAYS(v));
    *v = (tl_visibility){0};
}
