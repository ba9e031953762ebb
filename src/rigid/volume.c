/* Rigid bodies in explicit flow: their particles have the part s of the volume spacing³ (rigid.h).
 * Diffusion of density compares volumes, Σ g (V_i - V_j) (flow/stress.h), and would take that for
 * a density. What pairs across the surface of a body must add to it, so that it compares V / s, is
 *
 *   Σ g_ij (e_i - e_j),   e = V (1/s - 1) in a body and 0 elsewhere,   g_ij = V_j |W'| / r
 */
#include "math/kernels.h"
#include "rigid/rigid.h"

#include <math.h>

static float volume_of(const tl_records *records, size_t i) {
    return tl_record_volume(&records->a[i]);
}

/* The particle i of a body and all that is near it but the body itself. Bodies do not feel each
 * other's particles, nor those of walls. */
static void add_row(const tl_rigids *all, const tl_rigid_matter *m, const tl_rigid_pass *p,
                    size_t i, float part, float *even) {
    const float *self = p->records->a[i].x,
                inverse_support = (float)(1 / tl_common_support(&m->sizes));
    const float volume = volume_of(p->records, i), excess = volume * part;
    size_t size;
    const uint32_t *row = tl_neighbor_row(p->list, i, &size);
    for (size_t n = 0; n < size; n++) {
        const uint32_t j = row[n];
        if (j >= p->records->particles || tl_rigid_owner(all, m, j))
            continue;
        const float *x = p->records->a[j].x;
        const float d[3] = {x[0] - self[0], x[1] - self[1], x[2] - self[2]};
        const float q = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * inverse_support;
        const float slope = tl_lane(tl_kernel_slope(p->kernel, tl_splat(q)), 0);
        even[i] -= p->unit * slope * volume_of(p->records, j) * excess;
        even[j] += p->unit * slope * volume * excess;
    }
}

void tl_rigids_even(const tl_rigids *all, const tl_rigid_matter *m, const tl_rigid_pass *pass,
                    float *even) {
    for (size_t i = 0; all->count && i < m->count; i++) {
        const uint32_t k = tl_rigid_owner(all, m, i);
        if (k && (double)m->depth[i] < tl_largest_support(&m->sizes))
            add_row(all, m, pass, i, (float)(1 / all->items[k - 1].part - 1), even);
    }
}
