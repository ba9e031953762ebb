/* See conduction.h. */
#include "heat/conduction.h"

#include <string.h>

/* Directions in which a neighbourhood has less than about this part of a round one are not fitted:
 * threads and sheets have nothing to conduct to there. */
static const float least_round = 4e-3f;

/* ---- Room --------------------------------------------------------------------------------------
 */

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_conduction *c = context;
    for (size_t i = begin; i < end; i++) {
        const tl_record *a = &c->records->a[i];
        const float volume = tl_records_is_matter(c->records, i) ? tl_record_volume(a) : 0;
        c->node[i] = (tl_node){.x = {a->x[0], a->x[1], a->x[2]}, .volume = volume};
        if (c->graded && tl_records_is_matter(c->records, i))
            c->node[i].support = (float)tl_support_of(&c->sizes, tl_source_of(c->records, i));
        if (i < c->count)
            memset(c->moments[i], 0, sizeof c->moments[i]);
    }
}

tl_status tl_conduction_begin(tl_conduction *c, const tl_parallel *parallel,
                              const tl_records *records, const tl_neighbor_list *list,
                              tl_kernel kernel, tl_sizes sizes, tl_error *error) {
    const size_t n = records->particles, total = tl_records_total(records);
    c->parallel = parallel;
    c->records = records;
    c->kernel = kernel;
    c->sizes = sizes;
    c->graded = tl_sizes_differ(&sizes);
    c->support = c->graded ? (float)sizes.support : (float)tl_common_support(&sizes);
    c->count = n;
    c->total = total;
    c->begin = list->begin;
    TL_TRY(TL_ARRAY_RESERVE(c->size, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(c->index, 0, list->index_count, error));
    TL_TRY(TL_ARRAY_RESERVE(c->conductance, 0, list->index_count, error));
    TL_TRY(TL_ARRAY_RESERVE(c->node, 0, total + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(c->row_sum, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(c->moments, 0, n, error));
    tl_parallel_for(parallel, total, TL_BLOCK, fill_range, c);
    /* The dummy that pads the rows of the neighbour list. */
    c->node[total] = (tl_node){0};
    memcpy(c->node[total].x, records->a[total].x, sizeof c->node[total].x);
    return TL_OK;
}

#define ARRAYS(c) (c)->size, (c)->index, (c)->conductance, (c)->node, (c)->row_sum, (c)->moments

size_t tl_conduction_bytes(const tl_conduction *c) { return TL_ARRAYS_BYTES(ARRAYS(c)); }

void tl_conduction_free(tl_conduction *c) {
    TL_ARRAYS_FREE(ARRAYS(c));
    *c = (tl_conduction){0};
}

/* ---- Pairs and fits ----------------------------------------------------------------------------
 */

typedef struct fit_context {
    tl_conduction *c;
    const tl_neighbor_list *list, *touching;
    const float *conductivity;
    float unit; /* of |W'|/r: norm / support⁵ */
} fit_context;

/* |W'|/r / r² of pairs at the distance r, r² at hand and no less than `tiny`, where the others have
 * the support h: the same bits from both sides. */
TL_INLINE tl_wide graded_shape(tl_kernel kernel, float own, tl_wide h, tl_wide r2) {
    const tl_wide inverse = 2.0f / (own + h), square = inverse * inverse;
    const tl_wide unit = (float)tl_kernel_norm(kernel) * (square * square * inverse);
    return unit * -tl_kernel_slope(kernel, tl_sqrt(r2) * inverse) / r2;
}

/* Keeps the pairs of matter of row i, and adds their moments. */
TL_INLINE void pack_row(tl_kernel kernel, bool graded, const fit_context *f, size_t i) {
    const tl_conduction *c = f->c;
    const tl_node *self = &c->node[i];
    const float inverse_support = 1 / c->support;
    const float tiny = 1e-12f * c->support * c->support;
    size_t size;
    const uint32_t *row = tl_longer_row(f->list, f->touching, i, &size);
    uint32_t *index = c->index + c->begin[i], found = 0;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide q[16];
    for (int k = 0; k < 16; k++)
        q[k] = zero;
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide p[4];
        TL_GATHER4(c->node, x, row + k, p);
        const tl_wide x = p[0] - self->x[0], y = p[1] - self->x[1], z = p[2] - self->x[2];
        const tl_wide r2 = x * x + y * y + z * z;
        const tl_wide slope = -tl_kernel_slope(kernel, tl_sqrt(r2) * inverse_support);
        /* The particle itself, and whatever lies on top of it, is no pair: it has no direction. */
        tl_wide w = f->unit * p[3] * slope / r2;
        if (graded) {
            tl_wide e[4];
            TL_GATHER4(c->node, C[4], row + k, e);
            w = p[3] * graded_shape(kernel, self->support, e[3], r2);
        }
        w = tl_select_less(tl_splat(tiny), r2, w, zero);
        tl_fourths_add(q, w, x, y, z);
        found +=
            (uint32_t)tl_compress_store(index + found, tl_load_int(row + k), tl_mask_less(zero, w));
    }
    float sums[16];
    for (int k = 0; k < 16; k += 4)
        tl_store_sum4(sums + k, q[k], q[k + 1], q[k + 2], q[k + 3]);
    for (int k = 0; k < TL_FOURTHS; k++)
        c->moments[i][k] += sums[k];
    const uint32_t padded = (uint32_t)tl_pad_lanes(found);
    for (uint32_t k = found; k < padded; k++)
        index[k] = (uint32_t)i;
    c->size[i] = padded;
}

/* C of A C = (1 1 1 0 0 0) by least squares, (A² + ε² S²) C = A (1 1 1 0 0 0), and once more for
 * what that leaves over: C has no part in directions in which there are no pairs. A is scaled by
 * its trace before, so that single precision will do. */
TL_INLINE void solve_fit(const tl_wide q[TL_FOURTHS], tl_wide out[6]) {
    const tl_wide S = tl_fourths_sum(q) + tl_splat(1e-30f);
    tl_wide A[TL_SYM6], square[TL_SYM6], inverse[TL_SYM6], left[6], force[6], change[6];
    tl_fourths_matrix(q, A);
    for (int k = 0; k < TL_SYM6; k++)
        A[k] = A[k] / S;
    for (int r = 0; r < 6; r++)
        for (int c = 0; c <= r; c++) {
            tl_wide sum = tl_splat(r == c ? least_round * least_round : 0.0f);
            for (int k = 0; k < 6; k++)
                sum += A[tl_sym6_at(r, k)] * A[tl_sym6_at(k, c)];
            square[tl_sym6_at(r, c)] = sum;
        }
    tl_sym6_invert(square, tl_splat(1e-8f), inverse);
    for (int k = 0; k < 6; k++) {
        left[k] = tl_splat(k < 3 ? 1.0f : 0.0f);
        out[k] = tl_splat(0.0f);
    }
    for (int again = 0; again < 2; again++) {
        tl_sym6_times(A, left, force);
        tl_sym6_times(inverse, force, change);
        for (int k = 0; k < 6; k++)
            out[k] += change[k];
        tl_sym6_times(A, change, force);
        for (int k = 0; k < 6; k++)
            left[k] -= force[k];
    }
    for (int k = 0; k < 6; k++)
        out[k] = out[k] / S;
}

/* The fits of a group of lanes. */
static void fit_lanes(tl_conduction *c, size_t first, size_t count) {
    uint32_t index[TL_LANES];
    tl_group(first, first + count, index);
    tl_wide q[16], C[6];
    for (int k = 0; k < 16; k += 4)
        tl_gather4(&c->moments[first][k], 16, index, q + k);
    solve_fit(q, C);
    float lanes[6][TL_LANES];
    for (int k = 0; k < 6; k++)
        tl_store(lanes[k], C[k]);
    for (size_t l = 0; l < count; l++)
        for (int k = 0; k < 6; k++)
            c->node[first + l].C[k] = lanes[k][l];
}

TL_INLINE void fit_block(tl_kernel kernel, bool graded, const fit_context *f, size_t begin,
                         size_t end) {
    for (size_t i = begin; i < end; i++)
        pack_row(kernel, graded, f, i);
    for (size_t i = begin; i < end; i += TL_LANES)
        fit_lanes(f->c, i, end - i < TL_LANES ? end - i : TL_LANES);
}

static void fit_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const fit_context *f = context;
    /* One loop for the default kernel, which the compiler knows then. */
    if (f->c->graded)
        fit_block(f->c->kernel, true, f, begin, end);
    else if (f->c->kernel == TL_KERNEL_WENDLAND)
        fit_block(TL_KERNEL_WENDLAND, false, f, begin, end);
    else
        fit_block(f->c->kernel, false, f, begin, end);
}

static float unit_of(const tl_conduction *c) {
    const double R = (double)c->support;
    return (float)(tl_kernel_norm(c->kernel) / (R * R * R * R * R));
}

void tl_conduction_fit(tl_conduction *c, const tl_neighbor_list *list,
                       const tl_neighbor_list *touching) {
    fit_context f = {.c = c, .list = list, .touching = touching, .unit = unit_of(c)};
    tl_parallel_for(c->parallel, c->count, TL_BLOCK, fit_range, &f);
}

/* ---- Conductances ------------------------------------------------------------------------------
 */

/* d = x_j - x_i for the records of a group of lanes. Where j is an image, both ends of the pair
 * must find the same bits: the particle of the higher index is the one that is shifted. */
TL_INLINE void distances(const tl_conduction *c, size_t i, const uint32_t *index, tl_wide p[4]) {
    const tl_records *r = c->records;
    const float *self = c->node[i].x;
    const size_t images = tl_images_begin(r);
    bool any = false;
    for (size_t l = 0; l < TL_LANES; l++)
        any = any || index[l] >= images;
    TL_GATHER4(c->node, x, index, p);
    for (int k = 0; k < 3; k++)
        p[k] = p[k] - self[k];
    if (!any)
        return;
    float d[3][TL_LANES];
    for (int k = 0; k < 3; k++)
        tl_store(d[k], p[k]);
    for (size_t l = 0; l < TL_LANES; l++) {
        if (!tl_is_image(r, index[l]))
            continue;
        const size_t source = tl_source_of(r, index[l]);
        const float *shift = tl_image_shift(r, index[l]);
        const float *other = c->node[source].x;
        for (int k = 0; k < 3 && source < i; k++) {
            const float shifted = self[k] - shift[k];
            d[k][l] = other[k] - shifted;
        }
    }
    for (int k = 0; k < 3; k++)
        p[k] = tl_load(d[k]);
}

TL_INLINE void weigh_row(tl_kernel kernel, bool graded, const fit_context *f, size_t i) {
    const tl_conduction *c = f->c;
    const tl_node *self = &c->node[i];
    const float inverse_support = 1 / c->support;
    const uint32_t *index = c->index + c->begin[i];
    float *conductance = c->conductance + c->begin[i];
    const float tiny = 1e-12f * c->support * c->support;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide sum = zero;
    for (size_t k = 0; k < c->size[i]; k += TL_LANES) {
        tl_wide d[4], fit[4], e[4];
        distances(c, i, index + k, d);
        TL_GATHER4(c->node, C, index + k, fit);
        TL_GATHER4(c->node, C[4], index + k, e); /* the rest of C, k and h */
        const tl_wide x = d[0], y = d[1], z = d[2];
        const tl_wide r2 = x * x + y * y + z * z;
        const tl_wide slope = -tl_kernel_slope(kernel, tl_sqrt(r2) * inverse_support);
        const tl_wide stretch =
            (self->C[0] + fit[0]) * (x * x) + (self->C[1] + fit[1]) * (y * y) +
            (self->C[2] + fit[2]) * (z * z) +
            2.0f * ((self->C[3] + fit[3]) * (x * y) + (self->C[4] + e[0]) * (x * z) +
                    (self->C[5] + e[1]) * (y * z));
        const tl_wide k_sum = tl_max(self->conductivity + e[2], tl_splat(1e-30f));
        const tl_wide mean = 2.0f * (self->conductivity * e[2]) / k_sum;
        const tl_wide apart2 = tl_max(r2, tl_splat(tiny));
        const tl_wide shape =
            (self->volume * d[3]) *
            (graded ? graded_shape(kernel, self->support, e[3], apart2) : f->unit * slope / apart2);
        const tl_wide G = mean * (shape * tl_positive(stretch));
        const tl_wide kept = tl_select_less(tl_splat(tiny), r2, G, zero);
        tl_store(conductance + k, kept);
        sum += kept;
    }
    c->row_sum[i] = tl_sum(sum);
}

/* Of one row by [Chao12 eq. 3.24]. */
static void weigh_laplacian(const tl_conduction *c, size_t i) {
    const tl_node *self = &c->node[i];
    const uint32_t *index = c->index + c->begin[i];
    const float tiny = 1e-12f * c->support * c->support;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide sum = zero;
    for (size_t k = 0; k < c->size[i]; k += TL_LANES) {
        tl_wide d[4], e[4];
        distances(c, i, index + k, d);
        TL_GATHER4(c->node, C[4], index + k, e);
        const tl_wide r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const tl_wide h = c->graded ? 0.5f * (self->support + e[3]) : tl_splat(c->support);
        const tl_wide cube = h * h * h;
        const tl_wide k_sum = tl_max(self->conductivity + e[2], tl_splat(1e-30f));
        const tl_wide mean = 2.0f * (self->conductivity * e[2]) / k_sum;
        const tl_wide laplacian =
            (float)(45 / TL_PI) * (tl_positive(h - tl_sqrt(r2)) / cube) / cube;
        const tl_wide G = mean * ((self->volume * d[3]) * laplacian);
        const tl_wide kept = tl_select_less(tl_splat(tiny), r2, G, zero);
        tl_store(c->conductance + c->begin[i] + k, kept);
        sum += kept;
    }
    c->row_sum[i] = tl_sum(sum);
}

static void weigh_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const fit_context *f = context;
    for (size_t i = begin; i < end; i++)
        if (f->c->laplacian)
            weigh_laplacian(f->c, i);
        else if (f->c->graded)
            weigh_row(f->c->kernel, true, f, i);
        else if (f->c->kernel == TL_KERNEL_WENDLAND)
            weigh_row(TL_KERNEL_WENDLAND, false, f, i);
        else
            weigh_row(f->c->kernel, false, f, i);
}

/* Fits and conductivities of images are those of their particles; samples have none. */
static void share_nodes(const tl_conduction *c) {
    tl_images_share(c->records, TL_SHARED_MEMBER(c->node, tl_node, C));
    tl_images_share(c->records, TL_SHARED_MEMBER(c->node, tl_node, conductivity));
}

void tl_conduction_weigh(tl_conduction *c, const float *conductivity) {
    for (size_t i = 0; i < c->count; i++)
        c->node[i].conductivity = conductivity[i];
    share_nodes(c);
    fit_context f = {.c = c, .unit = unit_of(c)};
    tl_parallel_for(c->parallel, c->count, TL_BLOCK, weigh_range, &f);
}

/* ---- Flow --------------------------------------------------------------------------------------
 */

void tl_conduction_share(const tl_conduction *c, double *values) {
    tl_images_share(c->records, TL_SHARED(values));
}

void tl_conduction_apply(const tl_conduction *c, const double *values, double *out, size_t begin,
                         size_t end) {
    for (size_t i = begin; i < end; i++) {
        const uint32_t *index = c->index + c->begin[i];
        const float *G = c->conductance + c->begin[i];
        const double self = values[i];
        double sum[4] = {0};
        size_t k = 0;
        for (; k + 4 <= c->size[i]; k += 4)
            for (size_t l = 0; l < 4; l++)
                sum[l] += (double)G[k + l] * (values[index[k + l]] - self);
        for (; k < c->size[i]; k++)
            sum[0] += (double)G[k] * (values[index[k]] - self);
        out[i - begin] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}
