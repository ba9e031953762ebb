/* See vicinity.h. */
#include "boundary/vicinity.h"

#include <string.h>

/* A drop that ran far must not cost the space between: cells grow until there are no more. */
static const double most_cells = 4e6;

static size_t at(const tl_vicinity *v, const size_t c[3]) {
    return (c[2] * v->size[1] + c[1]) * v->size[0] + c[0];
}

static void mark_around(tl_vicinity *v, const float *p) {
    const double x[3] = {(double)p[0] - v->low.x, (double)p[1] - v->low.y, (double)p[2] - v->low.z};
    size_t c[3], n[3];
    for (int k = 0; k < 3; k++)
        c[k] = (size_t)(x[k] / v->cell);
    if (v->mark[at(v, c)] & 2)
        return;
    for (n[2] = c[2] - 1; n[2] <= c[2] + 1; n[2]++)
        for (n[1] = c[1] - 1; n[1] <= c[1] + 1; n[1]++)
            for (n[0] = c[0] - 1; n[0] <= c[0] + 1; n[0]++)
                v->mark[at(v, n)] |= 1;
    v->mark[at(v, c)] |= 2;
}

tl_status tl_vicinity_make(tl_vicinity *v, const float *places, size_t stride, size_t count,
                           double reach, tl_error *error) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float x = places[stride * i + k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    double extent[3], cells;
    v->cell = reach / 1.5;
    do {
        v->cell *= 1.5;
        cells = 1;
        for (int k = 0; k < 3; k++) {
            extent[k] = count ? floor((double)(high[k] - low[k]) / v->cell) + 4 : 1;
            cells *= extent[k];
        }
    } while (cells > most_cells);
    for (int k = 0; k < 3; k++)
        v->size[k] = (size_t)extent[k];
    v->low = (tl_vec3){(double)low[0] - 1.5 * v->cell, (double)low[1] - 1.5 * v->cell,
                       (double)low[2] - 1.5 * v->cell};
    const size_t total = v->size[0] * v->size[1] * v->size[2];
    TL_TRY(TL_ARRAY_RESERVE(v->mark, 0, total, error));
    memset(v->mark, 0, total);
    for (size_t i = 0; i < count; i++)
        mark_around(v, places + stride * i);
    return TL_OK;
}

bool tl_vicinity_has(const tl_vicinity *v, tl_vec3 x) {
    const double d[3] = {(x.x - v->low.x) / v->cell, (x.y - v->low.y) / v->cell,
                         (x.z - v->low.z) / v->cell};
    size_t c[3];
    for (int k = 0; k < 3; k++) {
        if (!(d[k] >= 0 && d[k] < (double)v->size[k]))
            return false;
        c[k] = (size_t)d[k];
    }
    return v->mark[at(v, c)] != 0;
}

void tl_vicinity_free(tl_vicinity *v) {
    tl_array_free(v->mark);
    *v = (tl_vicinity){0};
}
