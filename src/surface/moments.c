/* See moments.h. */
#include "surface/moments.h"

#include "math/eigen3.h"
#include "math/kernels.h"

/* Σ w d with d over the size, and w by volumes over its own. */
static void scale(tl_moments *m, float size) {
    const float cube = 1 / (size * size * size);
    m->sum *= cube;
    for (int k = 0; k < 3; k++)
        m->first[k] *= cube / size;
    for (int k = 0; k < 6; k++)
        m->second[k] *= cube / (size * size);
}

tl_moments tl_moments_find(const tl_cloud *cloud, const float x[3], float reach, float size) {
    const float support = reach * size;
    const tl_cells *cells = &cloud->cells;
    const float low[3] = {x[0] - support, x[1] - support, x[2] - support};
    const float high[3] = {x[0] + support, x[1] + support, x[2] + support};
    const tl_wide inverse = tl_splat(1 / (support * support)), lane = tl_lane_numbers();
    tl_stretch runs[TL_CLOUD_RUNS];
    const size_t count = tl_cloud_runs(cloud, low, high, runs);
    tl_wide sum[10] = {0};
    for (size_t r = 0; r < count; r++)
        for (uint32_t i = runs[r].begin; i < runs[r].end; i += TL_LANES) {
            const tl_wide dx = tl_load(cells->x + i) - tl_splat(x[0]),
                          dy = tl_load(cells->y + i) - tl_splat(x[1]),
                          dz = tl_load(cells->z + i) - tl_splat(x[2]);
            const tl_wide q = tl_sqrt((dx * dx + dy * dy + dz * dz) * inverse);
            tl_wide w = tl_select_less(lane, tl_splat((float)(runs[r].end - i)),
                                       tl_kernel_shape(TL_KERNEL_WENDLAND, q), tl_splat(0));
            if (cloud->sized) {
                const tl_wide square = tl_load(cells->radius2 + i);
                w = tl_select_less(tl_splat(0), w, w * (square * tl_sqrt(square)), tl_splat(0));
            }
            const tl_wide wx = w * dx, wy = w * dy, wz = w * dz;
            sum[0] += w;
            sum[1] += wx, sum[2] += wy, sum[3] += wz;
            sum[4] += wx * dx, sum[5] += wy * dy, sum[6] += wz * dz;
            sum[7] += wx * dy, sum[8] += wy * dz, sum[9] += wx * dz;
        }
    tl_moments m = {.sum = tl_sum(sum[0])};
    for (int k = 0; k < 3; k++)
        m.first[k] = tl_sum(sum[1 + k]);
    for (int k = 0; k < 6; k++)
        m.second[k] = tl_sum(sum[4 + k]);
    if (cloud->sized)
        scale(&m, size);
    return m;
}

void tl_moments_variances(const tl_moments *m, double value[3], double vector[3][3]) {
    static const int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    double C[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            C[r][c] = (double)(m->second[at[r][c]] / m->sum) -
                      (double)(m->first[r] / m->sum) * (double)(m->first[c] / m->sum);
    tl_eigen3(C, value, vector);
    for (int k = 0; k < 3; k++)
        value[k] = fmax(value[k], 0);
}
