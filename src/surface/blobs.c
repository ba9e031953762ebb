/* See blobs.h. */
#include "surface/blobs.h"

#include "math/kernels.h"
#include "surface/moments.h"

#include <math.h>

/* Σ w of a thin blob in the midst of a cubic lattice, and the parts of it and of the support from
 * which on a particle is deep: one with a face near by has less, and more on one side. */
#define FULL_SUM    3.49f
#define DEEP_SUM    0.9f
#define DEEP_OFFSET 0.04f

/* Level of w at which a ball has the volume of a particle. */
#define BALL_LEVEL 0.579

/* Variances in spacings² between which matter is thin and bulk. The narrowest: 0 for sheets and
 * threads, 0.15 and more at any face of bulk matter. The middle one: 0.16 at the edges of a block
 * and of a thread of two by two, 0.21 and more at the steps of a face. */
static const double narrowest[2] = {0.02, 0.12}, middle[2] = {0.14, 0.24};

/* Weights at edges of bulk matter, in those of its midst: more would make a lip of them. */
#define MOST_AT_EDGES 1.1

/* Added to variances, so that few neighbours stretch a blob little. */
#define LEAST_VARIANCE 0.05

typedef struct job {
    const tl_cloud *cloud;
    tl_blob *blob;
    bool round;
} job;

static tl_wide blob_shape(tl_wide q2) {
    return tl_kernel_shape(TL_KERNEL_WENDLAND, tl_sqrt(tl_positive(q2)));
}

static size_t runs_around(const tl_cloud *cloud, const float x[3], const float reach[3],
                          tl_stretch runs[TL_CLOUD_RUNS]) {
    const float low[3] = {x[0] - reach[0], x[1] - reach[1], x[2] - reach[2]};
    const float high[3] = {x[0] + reach[0], x[1] + reach[1], x[2] + reach[2]};
    return tl_cloud_runs(cloud, low, high, runs);
}

/* Σ_k w of the blob at the places of the particles around it, by volumes over its own. */
static float own_sum(const tl_cloud *cloud, const tl_blob *b, float size) {
    const tl_cells *cells = &cloud->cells;
    const tl_wide lane = tl_lane_numbers();
    tl_stretch runs[TL_CLOUD_RUNS];
    const size_t count = runs_around(cloud, b->x, b->reach, runs);
    tl_wide sum = tl_splat(0), M[6];
    for (int k = 0; k < 6; k++)
        M[k] = tl_splat(b->M[k]);
    for (size_t r = 0; r < count; r++)
        for (uint32_t i = runs[r].begin; i < runs[r].end; i += TL_LANES) {
            const tl_wide dx = tl_load(cells->x + i) - tl_splat(b->x[0]),
                          dy = tl_load(cells->y + i) - tl_splat(b->x[1]),
                          dz = tl_load(cells->z + i) - tl_splat(b->x[2]);
            const tl_wide q2 = dx * (M[0] * dx + 2.0f * (M[3] * dy + M[5] * dz)) +
                               dy * (M[1] * dy + 2.0f * M[4] * dz) + M[2] * dz * dz;
            tl_wide w = tl_select_less(lane, tl_splat((float)(runs[r].end - i)), blob_shape(q2),
                                       tl_splat(0));
            if (cloud->sized) {
                const tl_wide square = tl_load(cells->radius2 + i);
                w = tl_select_less(tl_splat(0), w, w * (square * tl_sqrt(square)), tl_splat(0));
            }
            sum += w;
        }
    return tl_sum(sum) / (size * size * size);
}

static double ramp(double x, const double ends[2]) {
    const double t = fmin(fmax((x - ends[0]) / (ends[1] - ends[0]), 0), 1);
    return t * t * (3 - 2 * t);
}

static double second_of(const double v[3]) {
    return v[0] + v[1] + v[2] - fmin(fmin(v[0], v[1]), v[2]) - fmax(fmax(v[0], v[1]), v[2]);
}

static void shape_round(tl_blob *b, float support) {
    const float s = 1 / (support * support);
    for (int k = 0; k < 3; k++)
        b->M[k] = s, b->M[3 + k] = 0, b->reach[k] = support;
}

/* How far along each principal direction of the neighbourhood: as much farther as the matter
 * spreads farther than in the narrowest. */
static void shape_stretched(tl_blob *b, double support, double most, const double value[3],
                            const double vector[3][3]) {
    const double least = fmin(fmin(value[0], value[1]), value[2]) + LEAST_VARIANCE;
    double M[6] = {0}, reach[3] = {0};
    for (int k = 0; k < 3; k++) {
        const double length = support * fmin(sqrt((value[k] + LEAST_VARIANCE) / least), most);
        const double *v = vector[k], s = 1 / (length * length);
        M[0] += s * v[0] * v[0], M[1] += s * v[1] * v[1], M[2] += s * v[2] * v[2];
        M[3] += s * v[0] * v[1], M[4] += s * v[1] * v[2], M[5] += s * v[0] * v[2];
        for (int c = 0; c < 3; c++)
            reach[c] += length * length * v[c] * v[c];
    }
    for (int k = 0; k < 6; k++)
        b->M[k] = (float)M[k];
    for (int k = 0; k < 3; k++)
        b->reach[k] = (float)sqrt(reach[k]);
}

/* A blob that is shaped in spacings of its own. */
static void scale(tl_blob *b, float size) {
    for (int k = 0; k < 6; k++)
        b->M[k] /= size * size;
    for (int k = 0; k < 3; k++)
        b->reach[k] *= size;
}

/* dx³ W(0) for a support in spacings. */
static double filling(double support) {
    return tl_kernel_norm(TL_KERNEL_WENDLAND) / (support * support * support);
}

static void make_blob(const job *j, size_t i) {
    const tl_cells *cells = &j->cloud->cells;
    tl_blob *b = &j->blob[i];
    *b = (tl_blob){.x = {cells->x[i], cells->y[i], cells->z[i]}};
    const float size = tl_cloud_size(j->cloud, i);
    const tl_moments m = tl_moments_find(j->cloud, b->x, TL_BLOB_THIN, size);
    const float offset2 =
        m.first[0] * m.first[0] + m.first[1] * m.first[1] + m.first[2] * m.first[2];
    const float most = DEEP_OFFSET * TL_BLOB_THIN * m.sum;
    b->is_deep = m.sum > DEEP_SUM * FULL_SUM && offset2 < most * most;
    if (b->is_deep) {
        shape_round(b, TL_BLOB_BULK);
        scale(b, size);
        b->weight = (float)filling((double)TL_BLOB_BULK);
        return;
    }
    double value[3], vector[3][3];
    tl_moments_variances(&m, value, vector);
    const double broad = ramp(fmin(fmin(value[0], value[1]), value[2]), narrowest);
    const double bulk = broad * ramp(second_of(value), middle);
    const double support = bulk * (double)TL_BLOB_BULK + (1 - bulk) * (double)TL_BLOB_THIN;
    if (j->round)
        shape_round(b, (float)support);
    else
        shape_stretched(b, support, bulk + (1 - bulk) * (double)TL_BLOB_STRETCH, value, vector);
    scale(b, size);
    const double filled = filling(support);
    const double own = (double)TL_BLOB_LEVEL / BALL_LEVEL / (double)own_sum(j->cloud, b, size);
    const double edge = fmin(own, MOST_AT_EDGES * filled);
    b->weight = (float)(bulk * filled + (1 - bulk) * (broad * edge + (1 - broad) * own));
}

static void make_blobs(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t i = begin; i < end; i++)
        make_blob(context, i);
}

tl_status tl_blobs_make(tl_blobs *blobs, const tl_cloud *cloud, bool round,
                        const tl_parallel *parallel, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(blobs->blob, 0, cloud->count, error));
    blobs->count = cloud->count;
    job j = {cloud, blobs->blob, round};
    tl_parallel_for(parallel, cloud->count, TL_BLOCK, make_blobs, &j);
    return TL_OK;
}

void tl_blobs_free(tl_blobs *blobs) {
    tl_array_free(blobs->blob);
    *blobs = (tl_blobs){0};
}
