/* Rigid bodies in explicit flow: their particles have the part s of the volume spacing³ (rigid.h).
 * Diffusion of density compares volumes, Σ g (V_i - V_j) (flow/stress.h), and would take that for
 * a density. What pairs across the surface of a body must add to it, so that it compares V / s, is
 *
 *   Σ g_ij (e_i - e_j),   e = V (1/s - 1) in a body and 0 elsewhere,   g_ij = V_j |W'| / r
 */
#include "world/state.h"

#include <math.h>
#include <string.h>

static float volume_of(const tl_world *w, size_t i) { return tl_record_volume(&w->records.a[i]); }

/* The particle i of a body and all that is near it but the body itself. Bodies do not feel each
 * other's particles, nor those of walls. */
static void add_row(tl_world *w, size_t i, const tl_rigid *r, float unit) {
    const float *self = w->records.a[i].x, inverse_support = (float)(1 / w->support);
    const float volume = volume_of(w, i), excess = volume * (float)(1 / r->part - 1);
    size_t size;
    const uint32_t *row = tl_neighbor_row(&w->list, i, &size);
    for (size_t n = 0; n < size; n++) {
        const uint32_t j = row[n];
        if (j >= w->records.particles || tl_rigid_of(w, j))
            continue;
        const float *x = w->records.a[j].x;
        const float d[3] = {x[0] - self[0], x[1] - self[1], x[2] - self[2]};
        const float q = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * inverse_support;
        const float slope = tl_lane(tl_kernel_slope((tl_kernel)w->def.flow.kernel, tl_splat(q)), 0);
        w->rigids.even[i] -= unit * slope * volume_of(w, j) * excess;
        w->rigids.even[j] += unit * slope * volume * excess;
    }
}

tl_status tl_world_even_rigids(tl_world *w, tl_error *error) {
    tl_rigids *all = &w->rigids;
    if (all->count == 0 && !w->layered)
        return TL_OK;
    const size_t n = w->fields.count;
    TL_TRY(TL_RESERVE(all->even, all->even_capacity, 0, n, error));
    memset(all->even, 0, n * sizeof *all->even);
    const double R = w->support, norm = tl_kernel_norm((tl_kernel)w->def.flow.kernel) / pow(R, 5);
    const double strength = w->def.flow.density_diffusion * R * w->sound_speed;
    const float unit = (float)(strength * norm / pow(w->def.spacing, 3));
    if (w->layered)
        tl_world_even_layers(w);
    if (all->count == 0)
        return TL_OK;
    const float *depth = tl_field_data(&w->fields, all->depth);
    for (size_t i = 0; i < n; i++) {
        const uint32_t k = tl_rigid_of(w, i);
        if (k && (double)depth[i] < w->support)
            add_row(w, i, &all->items[k - 1], unit);
    }
    return TL_OK;
}
