/* Liquids of different densities in explicit flow. Diffusion of density leaves out what is
 * hydrostatic (flow/stress.h), by the density of each particle itself. Between two liquids it is
 * the mean of both, so pairs i, j of unlike ones must add
 *
 *   -δ R c Σ g_ij ½ (ρ_j - ρ_i) g·d / K,   d = x_j - x_i,   g_ij = V_j |W'| / r,   K = c² ρ0
 *
 * or the border of layers at rest would swell for ever. */
#include "world/state.h"

#include <math.h>
#include <string.h>

typedef struct layer_context {
    tl_world *w;
    double unit; /* -½ δ R c / K and that of the slope of W */
} layer_context;

static bool is_flowing(const tl_world *w, size_t i) {
    return i < w->records.particles && !tl_rigid_of(w, i);
}

static double add_row(const layer_context *c, size_t i) {
    const tl_world *w = c->w;
    const uint8_t *material = tl_material_of(w);
    const tl_record *self = &w->records.a[i];
    const tl_body_force force = tl_world_body_force(w);
    const double gravity[3] = {tl_body_force_along(&force, i, 0), tl_body_force_along(&force, i, 1),
                               tl_body_force_along(&force, i, 2)};
    const double own = w->fluids[material[i]].rest_density;
    double sum = 0;
    size_t size;
    const uint32_t *row = tl_neighbor_row(&w->list, i, &size);
    for (size_t n = 0; n < size; n++) {
        const size_t j = tl_source_of(&w->records, row[n]);
        if (!is_flowing(w, j) || material[j] == material[i])
            continue;
        const tl_record *other = &w->records.a[row[n]];
        const float d[3] = {other->x[0] - self->x[0], other->x[1] - self->x[1],
                            other->x[2] - self->x[2]};
        const float r = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const tl_wide q = tl_splat(r / (float)tl_common_support(&w->sizes));
        const float slope = tl_lane(tl_kernel_slope((tl_kernel)w->def.flow.kernel, q), 0);
        double fall = 0;
        for (int k = 0; k < 3; k++)
            fall += gravity[k] * (double)d[k];
        sum -= (double)(other->mass * other->inverse_density * slope) * fall *
               (w->fluids[material[j]].rest_density - own);
    }
    return c->unit * sum;
}

static void layer_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const layer_context *c = context;
    for (size_t i = begin; i < end; i++)
        if (is_flowing(c->w, i))
            c->w->even[i] += (float)add_row(c, i);
}

tl_status tl_world_even_densities(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    if (w->rigids.count == 0 && !w->layered)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(w->even, 0, n, error));
    memset(w->even, 0, n * sizeof *w->even);
    const double R = tl_common_support(&w->sizes);
    const double norm = tl_kernel_norm((tl_kernel)w->def.flow.kernel) / pow(R, 5);
    const double strength = w->def.flow.density_diffusion * R * w->sound_speed;
    layer_context c = {w, -0.5 * strength * norm / w->stiffness};
    if (w->layered)
        tl_parallel_for(&w->parallel, n, TL_BLOCK, layer_range, &c);
    tl_world_even_rigids(w, (float)(strength * norm / tl_volume_of_spacing(w->def.spacing)));
    return TL_OK;
}
