/* See passes.h. The pair maths is in rate_pair and force_pair; the rest is loops. Each kernel gets
 * its own copy of the loops through constant arguments of inlined functions. */
#include "flow/passes.h"

#include <math.h>

/* A particle's neighbour lanes: place, mass, velocity and 1/ρ, relative where that is what is used.
 */
typedef struct lanes {
    tl_wide dx, dy, dz, mass, du, dv, dw, inverse_density;
    tl_wide r2, q;
} lanes;

TL_INLINE lanes load_lanes(const float *a, const float *self, const uint32_t *index,
                           float inverse_support) {
    tl_wide x[4], v[4];
    tl_gather4(a, TL_RECORD, index, x);
    tl_gather4(a + 4, TL_RECORD, index, v);
    lanes n = {.dx = x[0] - self[0],
               .dy = x[1] - self[1],
               .dz = x[2] - self[2],
               .mass = x[3],
               .du = v[0] - self[4],
               .dv = v[1] - self[5],
               .dw = v[2] - self[6],
               .inverse_density = v[3]};
    n.r2 = n.dx * n.dx + n.dy * n.dy + n.dz * n.dz;
    n.q = tl_sqrt(n.r2) * inverse_support;
    return n;
}

/* ---- First pass --------------------------------------------------------------------------------
 */

typedef struct rate_sums {
    tl_wide gradient[9], moment, spread, side[3], filling;
} rate_sums;

TL_INLINE void rate_pair(tl_kernel kernel, const lanes *n, float own_volume, rate_sums *s) {
    const tl_wide volume = n->mass * n->inverse_density;
    const tl_wide g = -volume * tl_kernel_slope(kernel, n->q);
    const tl_wide gu = g * n->du, gv = g * n->dv, gw = g * n->dw;
    s->gradient[0] += gu * n->dx, s->gradient[1] += gu * n->dy, s->gradient[2] += gu * n->dz;
    s->gradient[3] += gv * n->dx, s->gradient[4] += gv * n->dy, s->gradient[5] += gv * n->dz;
    s->gradient[6] += gw * n->dx, s->gradient[7] += gw * n->dy, s->gradient[8] += gw * n->dz;
    s->moment += g * n->r2;
    s->spread += g * (own_volume - volume);
    s->side[0] += g * n->dx, s->side[1] += g * n->dy, s->side[2] += g * n->dz;
    s->filling += volume * tl_kernel_shape(kernel, n->q);
}

typedef struct rate_context {
    const tl_pass *pass;
    tl_rates_fn *finish;
    void *context;
} rate_context;

TL_INLINE void sum_rates(tl_kernel kernel, const tl_pass *pass, size_t i, float out[16]) {
    const float *a = pass->records->a, *self = a + i * TL_RECORD;
    const float inverse_support = 1 / pass->support, own_volume = self[3] * self[7];
    const tl_wide zero = tl_splat(0.0f);
    rate_sums s = {.moment = zero, .spread = zero, .filling = zero};
    for (int k = 0; k < 9; k++)
        s.gradient[k] = zero;
    for (int k = 0; k < 3; k++)
        s.side[k] = zero;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        const lanes n = load_lanes(a, self, row + k, inverse_support);
        rate_pair(kernel, &n, own_volume, &s);
    }
    tl_store_sum4(out, s.gradient[0], s.gradient[1], s.gradient[2], s.gradient[3]);
    tl_store_sum4(out + 4, s.gradient[4], s.gradient[5], s.gradient[6], s.gradient[7]);
    tl_store_sum4(out + 8, s.gradient[8], s.moment, s.spread, s.side[0]);
    tl_store_sum4(out + 12, s.side[1], s.side[2], s.filling, zero);
}

TL_INLINE void rate_block(tl_kernel kernel, const rate_context *c, size_t begin, size_t end) {
    tl_rates rates[TL_BLOCK];
    const double R = (double)c->pass->support, norm = tl_kernel_norm(kernel);
    const float slope_unit = (float)(norm / (R * R * R * R * R));
    const float shape_unit = (float)(norm / (R * R * R));
    for (size_t i = begin; i < end; i++) {
        float sums[16];
        sum_rates(kernel, c->pass, i, sums);
        tl_rates *r = &rates[i - begin];
        for (int k = 0; k < 9; k++)
            r->gradient[k] = slope_unit * sums[k];
        r->moment = slope_unit * sums[9];
        r->spread = slope_unit * sums[10];
        for (int k = 0; k < 3; k++)
            r->side[k] = slope_unit * sums[11 + k];
        r->filling = shape_unit * sums[14];
        r->spare = 0;
    }
    c->finish(c->context, rates, begin, end);
}

static void rate_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const rate_context *c = context;
    switch (c->pass->kernel) {
    case TL_KERNEL_WENDLAND: rate_block(TL_KERNEL_WENDLAND, c, begin, end); break;
    case TL_KERNEL_QUINTIC: rate_block(TL_KERNEL_QUINTIC, c, begin, end); break;
    case TL_KERNEL_QUARTIC: rate_block(TL_KERNEL_QUARTIC, c, begin, end); break;
    case TL_KERNEL_CUBIC: rate_block(TL_KERNEL_CUBIC, c, begin, end); break;
    case TL_KERNEL_POLY6: rate_block(TL_KERNEL_POLY6, c, begin, end); break;
    case TL_KERNEL_SPIKY: rate_block(TL_KERNEL_SPIKY, c, begin, end); break;
    case TL_KERNEL_VISCOSITY: rate_block(TL_KERNEL_VISCOSITY, c, begin, end); break;
    case TL_KERNEL_COUNT: break;
    }
}

void tl_pass_rates(const tl_pass *pass, tl_rates_fn *finish, void *context) {
    rate_context c = {pass, finish, context};
    tl_parallel_for(pass->parallel, pass->records->particles, TL_BLOCK, rate_range, &c);
}

/* ---- Second pass -------------------------------------------------------------------------------
 */

typedef struct force_sums {
    tl_wide force[3], heat, damping[3], smoothing[3];
} force_sums;

/* σ_j of the neighbour lanes plus σ_i. */
typedef struct stress_lanes {
    tl_wide xx, yy, zz, xy, xz, yz, beta, matter;
} stress_lanes;

TL_INLINE stress_lanes load_stress(const float *b, const float *self, const uint32_t *index) {
    tl_wide lo[4], hi[4];
    tl_gather4(b, TL_RECORD, index, lo);
    tl_gather4(b + 4, TL_RECORD, index, hi);
    return (stress_lanes){lo[0] + self[0], lo[1] + self[1], lo[2] + self[2], lo[3] + self[3],
                          hi[0] + self[4], hi[1] + self[5], hi[2],           hi[3]};
}

TL_INLINE void force_pair(tl_kernel kernel, const lanes *n, const stress_lanes *s,
                          float own_inverse_density, float softening, bool with_xsph,
                          force_sums *sum) {
    const tl_wide slope = -tl_kernel_slope(kernel, n->q);
    const tl_wide g = n->mass * n->inverse_density * slope;
    sum->force[0] += g * (s->xx * n->dx + s->xy * n->dy + s->xz * n->dz);
    sum->force[1] += g * (s->xy * n->dx + s->yy * n->dy + s->yz * n->dz);
    sum->force[2] += g * (s->xz * n->dx + s->yz * n->dy + s->zz * n->dz);
    /* Π acts on approaching pairs only; the factor α c h comes after the sum. */
    const tl_wide approach = n->du * n->dx + n->dv * n->dy + n->dw * n->dz;
    const tl_wide specific = 0.5f * (own_inverse_density + n->inverse_density);
    const tl_wide push = n->mass * slope * specific * (tl_negative(approach) / (n->r2 + softening));
    sum->damping[0] += push * n->dx, sum->damping[1] += push * n->dy;
    sum->damping[2] += push * n->dz;
    sum->heat += push * approach;
    if (with_xsph) {
        const tl_wide w = n->mass * specific * s->matter * tl_kernel_shape(kernel, n->q);
        sum->smoothing[0] += w * n->du, sum->smoothing[1] += w * n->dv;
        sum->smoothing[2] += w * n->dw;
    }
}

typedef struct force_context {
    const tl_pass *pass;
    const tl_force_params *params;
    tl_forces_fn *finish;
    void *context;
} force_context;

TL_INLINE void sum_forces(tl_kernel kernel, bool with_xsph, const tl_pass *pass, size_t i,
                          float out[12]) {
    const float *a = pass->records->a, *self = a + i * TL_RECORD;
    const float *b = pass->records->b, *own_stress = b + i * TL_RECORD;
    const float inverse_support = 1 / pass->support;
    const float softening = 0.01f * pass->support * pass->support;
    const tl_wide zero = tl_splat(0.0f);
    force_sums s = {.heat = zero};
    for (int k = 0; k < 3; k++)
        s.force[k] = s.damping[k] = s.smoothing[k] = zero;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        const lanes n = load_lanes(a, self, row + k, inverse_support);
        const stress_lanes stress = load_stress(b, own_stress, row + k);
        force_pair(kernel, &n, &stress, self[7], softening, with_xsph, &s);
    }
    tl_store_sum4(out, s.force[0], s.force[1], s.force[2], s.heat);
    tl_store_sum4(out + 4, s.damping[0], s.damping[1], s.damping[2], zero);
    tl_store_sum4(out + 8, s.smoothing[0], s.smoothing[1], s.smoothing[2], zero);
}

TL_INLINE void force_block(tl_kernel kernel, bool with_xsph, const force_context *c, size_t begin,
                           size_t end) {
    tl_forces forces[TL_BLOCK];
    const double R = (double)c->pass->support, norm = tl_kernel_norm(kernel);
    const float slope_unit = (float)(norm / (R * R * R * R * R));
    const float shape_unit = (float)(norm / (R * R * R));
    const float damping_unit = slope_unit * c->params->damping;
    for (size_t i = begin; i < end; i++) {
        float sums[12];
        sum_forces(kernel, with_xsph, c->pass, i, sums);
        tl_forces *f = &forces[i - begin];
        for (int k = 0; k < 3; k++) {
            f->force[k] = slope_unit * sums[k];
            f->damping[k] = damping_unit * sums[4 + k];
            f->smoothing[k] = shape_unit * sums[8 + k];
        }
        f->damping_heat = 0.5f * damping_unit * sums[3];
        f->spare = f->spare2 = 0;
    }
    c->finish(c->context, forces, begin, end);
}

TL_INLINE void force_block_any(tl_kernel kernel, const force_context *c, size_t begin, size_t end) {
    if (c->params->with_xsph)
        force_block(kernel, true, c, begin, end);
    else
        force_block(kernel, false, c, begin, end);
}

static void force_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const force_context *c = context;
    switch (c->pass->kernel) {
    case TL_KERNEL_WENDLAND: force_block_any(TL_KERNEL_WENDLAND, c, begin, end); break;
    case TL_KERNEL_QUINTIC: force_block_any(TL_KERNEL_QUINTIC, c, begin, end); break;
    case TL_KERNEL_QUARTIC: force_block_any(TL_KERNEL_QUARTIC, c, begin, end); break;
    case TL_KERNEL_CUBIC: force_block_any(TL_KERNEL_CUBIC, c, begin, end); break;
    case TL_KERNEL_POLY6: force_block_any(TL_KERNEL_POLY6, c, begin, end); break;
    case TL_KERNEL_SPIKY: force_block_any(TL_KERNEL_SPIKY, c, begin, end); break;
    case TL_KERNEL_VISCOSITY: force_block_any(TL_KERNEL_VISCOSITY, c, begin, end); break;
    case TL_KERNEL_COUNT: break;
    }
}

void tl_pass_forces(const tl_pass *pass, const tl_force_params *params, tl_forces_fn *finish,
                    void *context) {
    force_context c = {pass, params, finish, context};
    tl_parallel_for(pass->parallel, pass->records->particles, TL_BLOCK, force_range, &c);
}

double tl_lattice_filling(tl_kernel kernel, double support) {
    const int reach = (int)ceil(support);
    double sum = 0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const float q = (float)(sqrt((double)(x * x + y * y + z * z)) / support);
                sum += (double)tl_lane(tl_kernel_shape(kernel, tl_splat(q)), 0);
            }
    return sum * tl_kernel_norm(kernel) / (support * support * support);
}
