/* Solids that touch each other: how they would pull where they do. As at a wall of no stickiness
 * (boundary/links.h) that is 2 η u' + n·S n - p along the normal n towards strangers, with the rate
 * u' at which they leave, as it was at the end of the last step. Pairs of two that would pull
 * together have no weight in the step (flow/ties.h). */
#include "base/blocks.h"
#include "world/state.h"

#include <math.h>

/* Sums over the strangers within a support of a particle. */
typedef struct stranger_sums {
    double normal[3]; /* Σ g d, g = V |W'| / r over norms */
    double leaving;   /* Σ g d·Δu */
    double weight;    /* Σ g r² */
    double nearest2;  /* m² */
} stranger_sums;

static bool are_strangers(const tl_world *w, const tl_tied *a, const tl_tied *b) {
    const double far = (double)TL_STRANGERS * tl_largest_support(&w->sizes);
    double was2 = 0;
    for (int k = 0; k < 3; k++)
        was2 += (double)((a->y[k] - b->y[k]) * (a->y[k] - b->y[k]));
    return b->body > 0 && (a->body != b->body || was2 >= far * far);
}

static void add_stranger(const tl_world *w, size_t i, size_t j, stranger_sums *sums) {
    const double R = tl_largest_support(&w->sizes);
    const float *a = w->records.a[i].x, *b = w->records.a[j].x;
    const double *u = tl_velocity(w) + 3 * i,
                 *v = tl_velocity(w) + 3 * tl_source_of(&w->records, j);
    double d[3], r2 = 0, along = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = (double)(b[k] - a[k]);
        r2 += d[k] * d[k];
        along += d[k] * (v[k] - u[k]);
    }
    const tl_wide q = tl_splat((float)(sqrt(r2) / R));
    const double g =
        r2 > 0 ? -(double)tl_lane(tl_kernel_slope((tl_kernel)w->def.flow.kernel, q), 0) / sqrt(r2)
               : 0;
    for (int k = 0; k < 3; k++)
        sums->normal[k] += g * d[k];
    sums->leaving += g * along;
    sums->weight += g * r2;
    if (r2 < R * R)
        sums->nearest2 = fmin(sums->nearest2, r2);
}

static stranger_sums sum_strangers(const tl_world *w, size_t i) {
    const tl_tied *places = w->springs.places;
    stranger_sums sums = {.nearest2 = HUGE_VAL};
    size_t size;
    const uint32_t *row = tl_neighbor_row(&w->list, i, &size);
    for (size_t k = 0; places[i].body > 0 && k < size; k++)
        if (row[k] != i && tl_records_is_matter(&w->records, row[k]) &&
            are_strangers(w, &places[i], &places[row[k]]))
            add_stranger(w, i, row[k], &sums);
    return sums;
}

/* n·S n, Pa. */
static double stress_along(const tl_world *w, size_t i, tl_vec3 n) {
    void *memory[TL_MEMORIES];
    tl_memory_of_elastic(&w->memory, i, memory);
    const float *S = memory[TL_ELASTIC_STRESS];
    return (double)S[0] * n.x * n.x + (double)S[1] * n.y * n.y + (double)S[2] * n.z * n.z +
           2 * ((double)S[3] * n.x * n.y + (double)S[4] * n.x * n.z + (double)S[5] * n.y * n.z);
}

static void touch_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_world *w = context;
    const float *pressure = tl_field_data(&w->fields, w->handle.pressure);
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    for (size_t i = begin; i < end; i++) {
        const stranger_sums sums = sum_strangers(w, i);
        const tl_vec3 normal = tl_vec3_of(sums.normal);
        const double length = tl_vec3_length(normal);
        w->springs.pull[i] = 0;
        w->springs.near[i] = (float)sqrt(sums.nearest2);
        if (!(sums.weight > 0) || !(length > 0))
            continue;
        w->springs.pull[i] =
            (float)(2 * (double)viscosity[i] * sums.leaving / sums.weight +
                    stress_along(w, i, tl_vec3_scale(normal, 1 / length)) - (double)pressure[i]);
    }
}

tl_status tl_world_find_touch(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    if (!w->springs.tied)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(w->springs.pull, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(w->springs.near, 0, n, error));
    if (w->state.steps == 0)
        tl_world_renew_viscosities(w, 0, n);
    tl_parallel_for(&w->parallel, n, TL_BLOCK, touch_range, w);
    w->springs.ties.pull = w->springs.pull;
    return TL_OK;
}

bool tl_world_touches(const tl_world *w, size_t i) {
    return (double)w->springs.near[i] < HUGE_VAL && !(w->springs.pull[i] > 0);
}
