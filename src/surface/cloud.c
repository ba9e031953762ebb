/* See cloud.h. */
#include "surface/cloud.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Beyond this many spacings floats do not tell a tenth of a spacing. */
#define FARTHEST 1e6

static double position_of(const tl_frame *frame, size_t i, int k) {
    const tl_frame_array *a = &frame->array[0];
    return a->type == TL_F32 ? (double)((const float *)a->data)[3 * i + (size_t)k]
                             : ((const double *)a->data)[3 * i + (size_t)k];
}

static bool is_wanted(const tl_frame_array *material, size_t i, int only) {
    if (only < 0 || !material)
        return true;
    return material->type == TL_U8 ? ((const uint8_t *)material->data)[i] == only
                                   : ((const uint32_t *)material->data)[i] == (uint32_t)only;
}

static tl_status find_middle(tl_cloud *cloud, const tl_frame *frame, tl_error *error) {
    memset(cloud->middle, 0, sizeof cloud->middle);
    for (size_t i = 0; i < frame->count; i++)
        for (int k = 0; k < 3; k++) {
            const double x = position_of(frame, i, k);
            if (!isfinite(x))
                return tl_fail(error, TL_BAD_INPUT, NULL, "run the scene again",
                               "the place of particle %zu is not a number", i);
            cloud->middle[k] += x / (double)frame->count;
        }
    return TL_OK;
}

/* The unit of a cloud whose particles differ: the largest. */
static tl_status find_sizes(tl_cloud *cloud, const tl_frame *frame, const tl_frame_array *size,
                            tl_error *error) {
    double least = HUGE_VAL, most = 0;
    cloud->sized = size && frame->count > 0;
    cloud->least = 1;
    if (!cloud->sized)
        return TL_OK;
    for (size_t i = 0; i < frame->count; i++) {
        const double own = tl_frame_number(size, i);
        if (!(own > 0 && isfinite(own)))
            return tl_fail(error, TL_BAD_INPUT, NULL, "run the scene again",
                           "the size of particle %zu is %g m", i, own);
        least = fmin(least, own);
        most = fmax(most, own);
    }
    cloud->spacing = most;
    cloud->least = (float)(least / most);
    return TL_ARRAY_RESERVE(cloud->size, 0, frame->count + 1, error);
}

static void take_particles(tl_cloud *cloud, const tl_frame *frame, int only, float low[3],
                           float high[3]) {
    const tl_frame_array *material = tl_frame_find(frame, "material"),
                         *size = tl_frame_find(frame, "size");
    cloud->count = cloud->left_out = 0;
    for (size_t i = 0; i < frame->count; i++) {
        float *to = cloud->xyz + 3 * cloud->count;
        bool is_near = true;
        if (!is_wanted(material, i, only))
            continue;
        for (int k = 0; k < 3; k++) {
            const double x = (position_of(frame, i, k) - cloud->middle[k]) / cloud->spacing;
            is_near = is_near && fabs(x) < FARTHEST;
            to[k] = (float)x;
        }
        if (!is_near) {
            cloud->left_out++;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            low[k] = cloud->count == 0 || to[k] < low[k] ? to[k] : low[k];
            high[k] = cloud->count == 0 || to[k] > high[k] ? to[k] : high[k];
        }
        if (cloud->sized)
            cloud->size[cloud->count] = (float)(tl_frame_number(size, i) / cloud->spacing);
        cloud->index[cloud->count++] = (uint32_t)i;
    }
}

tl_status tl_cloud_make(tl_cloud *cloud, const tl_frame *frame, double spacing, float radius,
                        int only, const tl_parallel *parallel, tl_error *error) {
    float low[3] = {0}, high[3] = {0};
    cloud->spacing = spacing;
    TL_TRY(find_sizes(cloud, frame, tl_frame_find(frame, "size"), error));
    TL_TRY(find_middle(cloud, frame, error));
    TL_TRY(TL_ARRAY_RESERVE(cloud->xyz, 0, 3 * frame->count + 3, error));
    TL_TRY(TL_ARRAY_RESERVE(cloud->index, 0, frame->count + 1, error));
    take_particles(cloud, frame, only, low, high);
    const tl_points points = {.xyz = cloud->xyz,
                              .stride = 3,
                              .count = cloud->count,
                              .radius = radius,
                              .radii = cloud->sized ? cloud->size : NULL};
    if (cloud->count == 0)
        return TL_OK;
    return tl_cells_sort(&cloud->cells, parallel, &points, low, high, NULL, error);
}

void tl_cloud_free(tl_cloud *cloud) {
    TL_ARRAYS_FREE(cloud->xyz, cloud->size, cloud->index);
    tl_cells_free(&cloud->cells);
    *cloud = (tl_cloud){0};
}

/* The cells from first to last along an axis, counted from the table's origin: cut to the table
 * unless it is folded. */
static bool find_range(const tl_cells *cells, int k, float low, float high, int64_t *first,
                       int64_t *last) {
    *first = (int64_t)floor((double)low * cells->scale) - cells->origin[k];
    *last = (int64_t)floor((double)high * cells->scale) - cells->origin[k];
    if (!cells->folded[k]) {
        *first = *first > 0 ? *first : 0;
        *last = *last < cells->size[k] ? *last : (int64_t)cells->size[k] - 1;
    }
    assert(*last - *first < TL_CLOUD_BOX);
    return *first <= *last;
}

static size_t fold(const tl_cells *cells, int k, int64_t at) {
    const int64_t size = cells->size[k];
    return (size_t)(cells->folded[k] ? (at % size + size) % size : at);
}

size_t tl_cloud_runs(const tl_cloud *cloud, const float low[3], const float high[3],
                     tl_stretch out[TL_CLOUD_RUNS]) {
    const tl_cells *cells = &cloud->cells;
    int64_t first[3], last[3];
    size_t count = 0;
    for (int k = 0; k < 3; k++)
        if (!find_range(cells, k, low[k], high[k], &first[k], &last[k]))
            return 0;
    const int64_t step = cells->folded[0] ? 1 : last[0] - first[0] + 1;
    for (int64_t z = first[2]; z <= last[2]; z++)
        for (int64_t y = first[1]; y <= last[1]; y++) {
            const size_t row =
                (fold(cells, 2, z) * cells->size[1] + fold(cells, 1, y)) * cells->size[0];
            for (int64_t x = first[0]; x <= last[0]; x += step) {
                const size_t cell = row + fold(cells, 0, x);
                const tl_stretch s = {cells->start[cell], cells->start[cell + (size_t)step]};
                if (s.begin < s.end)
                    out[count++] = s;
            }
        }
    return count;
}
