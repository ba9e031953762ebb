/* See passes.h. The pair maths is in rate_pair and force_pair; the rest is loops. Each kernel gets
 * its own copy of the loops through constant arguments of inlined functions. */
#include "flow/passes.h"

#include <math.h>
#include <string.h>

/* A particle's neighbour lanes: place, mass, velocity and 1/ρ, relative where that is what is used.
 */
typedef struct lanes {
    tl_wide dx, dy, dz, mass, du, dv, dw, inverse_density;
    tl_wide r2, q;
} lanes;

TL_INLINE lanes load_lanes(const tl_record *a, const tl_record *self, const uint32_t *index,
                           float inverse_support) {
    tl_wide x[4], v[4];
    TL_GATHER4(a, x, index, x);
    TL_GATHER4(a, v, index, v);
    lanes n = {.dx = x[0] - self->x[0],
               .dy = x[1] - self->x[1],
               .dz = x[2] - self->x[2],
               .mass = x[3],
               .du = v[0] - self->v[0],
               .dv = v[1] - self->v[1],
               .dw = v[2] - self->v[2],
               .inverse_density = v[3]};
    n.r2 = n.dx * n.dx + n.dy * n.dy + n.dz * n.dz;
    n.q = tl_sqrt(n.r2) * inverse_support;
    return n;
}

/* ---- First pass --------------------------------------------------------------------------------
 */

typedef struct rate_sums {
    tl_wide gradient[9], moment[6], spread, side[3], weight, filling;
} rate_sums;

TL_INLINE void rate_pair(tl_kernel kernel, tl_filling filling, const lanes *n, float own_volume,
                         rate_sums *s) {
    const tl_wide volume = n->mass * n->inverse_density;
    const tl_wide g = -volume * tl_kernel_slope(kernel, n->q);
    const tl_wide gx = g * n->dx, gy = g * n->dy, gz = g * n->dz;
    s->gradient[0] += n->du * gx, s->gradient[1] += n->du * gy, s->gradient[2] += n->du * gz;
    s->gradient[3] += n->dv * gx, s->gradient[4] += n->dv * gy, s->gradient[5] += n->dv * gz;
    s->gradient[6] += n->dw * gx, s->gradient[7] += n->dw * gy, s->gradient[8] += n->dw * gz;
    s->moment[0] += n->dx * gx, s->moment[1] += n->dy * gy, s->moment[2] += n->dz * gz;
    s->moment[3] += n->dx * gy, s->moment[4] += n->dx * gz, s->moment[5] += n->dy * gz;
    s->spread += g * (own_volume - volume);
    s->side[0] += gx, s->side[1] += gy, s->side[2] += gz;
    s->weight += tl_select_less(tl_splat(0.0f), n->r2, g, tl_splat(0.0f)); /* not with itself */
    if (filling == TL_FILLING_COUNT)
        s->filling += tl_kernel_shape(kernel, n->q);
    else if (filling == TL_FILLING_VOLUME)
        s->filling += volume * tl_kernel_shape(kernel, n->q);
}

typedef struct rate_context {
    const tl_pass *pass;
    tl_filling filling;
    tl_rates_fn *finish;
    void *context;
} rate_context;

/* The sums over row i. */
TL_INLINE void sum_rates(tl_kernel kernel, tl_filling filling, const tl_pass *pass, size_t i,
                         tl_rates *out) {
    const tl_record *a = pass->records->a, *self = &a[i];
    const float inverse_support = 1 / pass->support, own_volume = tl_record_volume(self);
    const tl_wide zero = tl_splat(0.0f);
    rate_sums s = {.spread = zero, .weight = zero, .filling = zero};
    for (int k = 0; k < 9; k++)
        s.gradient[k] = zero;
    for (int k = 0; k < 6; k++)
        s.moment[k] = zero;
    for (int k = 0; k < 3; k++)
        s.side[k] = zero;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        const lanes n = load_lanes(a, self, row + k, inverse_support);
        rate_pair(kernel, filling, &n, own_volume, &s);
    }
    TL_STORE_SUM4(out, gradient, s.gradient[0], s.gradient[1], s.gradient[2], s.gradient[3]);
    TL_STORE_SUM4(out, gradient[4], s.gradient[4], s.gradient[5], s.gradient[6], s.gradient[7]);
    TL_STORE_SUM4(out, gradient[8], s.gradient[8], s.moment[0], s.moment[1], s.moment[2]);
    TL_STORE_SUM4(out, moment[3], s.moment[3], s.moment[4], s.moment[5], s.spread);
    TL_STORE_SUM4(out, side, s.side[0], s.side[1], s.side[2], s.weight);
    out->filling = filling ? tl_sum(s.filling) : 0;
}

TL_INLINE void rate_block(tl_kernel kernel, tl_filling filling, const rate_context *c, size_t begin,
                          size_t end) {
    tl_rates rates[TL_BLOCK];
    for (size_t i = begin; i < end; i++)
        sum_rates(kernel, filling, c->pass, i, &rates[i - begin]);
    c->finish(c->context, rates, begin, end);
}

TL_INLINE void rate_block_any(tl_kernel kernel, const rate_context *c, size_t begin, size_t end) {
    switch (c->filling) {
    case TL_FILLING_NONE: rate_block(kernel, TL_FILLING_NONE, c, begin, end); break;
    case TL_FILLING_COUNT: rate_block(kernel, TL_FILLING_COUNT, c, begin, end); break;
    case TL_FILLING_VOLUME: rate_block(kernel, TL_FILLING_VOLUME, c, begin, end); break;
    }
}

static void rate_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const rate_context *c = context;
    switch (c->pass->kernel) {
    case TL_KERNEL_WENDLAND: rate_block_any(TL_KERNEL_WENDLAND, c, begin, end); break;
    case TL_KERNEL_QUINTIC: rate_block_any(TL_KERNEL_QUINTIC, c, begin, end); break;
    case TL_KERNEL_QUARTIC: rate_block_any(TL_KERNEL_QUARTIC, c, begin, end); break;
    case TL_KERNEL_CUBIC: rate_block_any(TL_KERNEL_CUBIC, c, begin, end); break;
    case TL_KERNEL_POLY6: rate_block_any(TL_KERNEL_POLY6, c, begin, end); break;
    case TL_KERNEL_SPIKY: rate_block_any(TL_KERNEL_SPIKY, c, begin, end); break;
    case TL_KERNEL_VISCOSITY: rate_block_any(TL_KERNEL_VISCOSITY, c, begin, end); break;
    case TL_KERNEL_COUNT: break;
    }
}

void tl_pass_rates(const tl_pass *pass, tl_filling filling, tl_rates_fn *finish, void *context) {
    rate_context c = {pass, filling, finish, context};
    tl_parallel_for(pass->parallel, pass->records->particles, TL_BLOCK, rate_range, &c);
}

/* ---- Second pass -------------------------------------------------------------------------------
 */

typedef struct force_sums {
    tl_wide force[3], viscous_heat, smoothing[3], damping_heat;
} force_sums;

/* What force_pair needs to know of particle i. */
typedef struct force_self {
    float inverse_density, pressure, viscosity;
    float damping; /* ½ α c h ρ_i */
    float softening;
    const tl_tensor *tensor; /* S, if any */
} force_self;

/* What force_pair needs to know of the neighbours. */
typedef struct force_lanes {
    tl_wide pressure, viscosity, matter; /* of the b-records, or of tensors that hold them */
    tl_wide c[TL_TENSOR];                /* if there are tensors */
} force_lanes;

/* g (S_i + S_j) d */
TL_INLINE void add_traction(tl_tensors kind, tl_wide g, const lanes *n, const tl_tensor *own,
                            const tl_wide other[TL_TENSOR], tl_wide force[3]) {
    const tl_wide gx = g * n->dx, gy = g * n->dy, gz = g * n->dz;
    tl_wide s[TL_TENSOR], S[9];
    for (int k = 0; k < TL_TENSOR; k++)
        s[k] = own->s[k] + other[k];
    TL_TENSOR_UNPACK(kind, s, S);
    force[0] += S[0] * gx + S[1] * gy + S[2] * gz;
    force[1] += S[3] * gx + S[4] * gy + S[5] * gz;
    force[2] += S[6] * gx + S[7] * gy + S[8] * gz;
}

TL_INLINE void force_pair(tl_kernel kernel, bool with_xsph, tl_tensors kind, const lanes *n,
                          const force_lanes *other, const force_self *self, force_sums *sum) {
    const bool whole = kind == TL_TENSORS_PRESSURE;
    const tl_wide slope = -tl_kernel_slope(kernel, n->q);
    const tl_wide g = n->mass * n->inverse_density * slope;
    const tl_wide approach = n->du * n->dx + n->dv * n->dy + n->dw * n->dz;
    const tl_wide twice = self->inverse_density + n->inverse_density; /* ≈ 2 / mean density */
    /* Π acts on approaching pairs only. */
    const tl_wide push = self->damping * (n->mass * slope) * twice *
                         (tl_negative(approach) / (n->r2 + self->softening));
    const tl_wide along = whole ? push : push - g * (self->pressure + other->pressure);
    if (kind != TL_TENSORS_NONE)
        add_traction(kind, g, n, self->tensor, other->c, sum->force);
    if (kind == TL_TENSORS_SYMMETRIC) {
        sum->force[0] += along * n->dx, sum->force[1] += along * n->dy;
        sum->force[2] += along * n->dz;
    } else {
        const tl_wide drag = g * (self->viscosity + other->viscosity);
        sum->force[0] += drag * n->du + along * n->dx;
        sum->force[1] += drag * n->dv + along * n->dy;
        sum->force[2] += drag * n->dw + along * n->dz;
        sum->viscous_heat += drag * (n->du * n->du + n->dv * n->dv + n->dw * n->dw);
    }
    sum->damping_heat += push * approach;
    if (with_xsph) {
        const tl_wide w = n->mass * (0.5f * twice) * other->matter * tl_kernel_shape(kernel, n->q);
        sum->smoothing[0] += w * n->du, sum->smoothing[1] += w * n->dv;
        sum->smoothing[2] += w * n->dw;
    }
}

typedef struct force_context {
    const tl_pass *pass;
    float damping;
    bool with_xsph;
    tl_forces_fn *finish;
    void *context;
} force_context;

/* What force_pair needs of the b- and c-records of neighbours. */
TL_INLINE void load_stress(tl_tensors kind, const tl_records *r, const uint32_t *index,
                           force_lanes *out) {
    if (kind != TL_TENSORS_NONE) {
        TL_GATHER4(r->c, s, index, out->c);
        TL_GATHER4(r->c, s[4], index, out->c + 4);
    }
    if (kind == TL_TENSORS_PRESSURE) {
        out->viscosity = out->c[6];
        out->matter = out->c[7];
        return;
    }
    tl_wide b[4]; /* as in tl_stress */
    TL_GATHER4(r->b, pressure, index, b);
    out->pressure = b[0];
    out->viscosity = b[1];
    out->matter = b[3];
}

/* The sums over row i. */
TL_INLINE void sum_forces(tl_kernel kernel, bool with_xsph, tl_tensors kind, const force_context *c,
                          size_t i, tl_forces *out) {
    const tl_pass *pass = c->pass;
    const tl_record *a = pass->records->a, *own = &a[i];
    const tl_stress *stress = &pass->records->b[i];
    const float inverse_support = 1 / pass->support;
    const force_self self = {own->inverse_density,
                             stress->pressure,
                             stress->viscosity,
                             0.5f * c->damping / own->inverse_density,
                             0.01f * pass->support * pass->support,
                             kind ? &pass->records->c[i] : NULL};
    const tl_wide zero = tl_splat(0.0f);
    force_sums s = {.viscous_heat = zero, .damping_heat = zero};
    for (int k = 0; k < 3; k++)
        s.force[k] = s.smoothing[k] = zero;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        const lanes n = load_lanes(a, own, row + k, inverse_support);
        force_lanes other;
        load_stress(kind, pass->records, row + k, &other);
        force_pair(kernel, with_xsph, kind, &n, &other, &self, &s);
    }
    TL_STORE_SUM4(out, force, s.force[0], s.force[1], s.force[2], s.viscous_heat);
    TL_STORE_SUM4(out, smoothing, s.smoothing[0], s.smoothing[1], s.smoothing[2], s.damping_heat);
}

TL_INLINE void force_block(tl_kernel kernel, bool with_xsph, tl_tensors kind,
                           const force_context *c, size_t begin, size_t end) {
    tl_forces forces[TL_BLOCK];
    for (size_t i = begin; i < end; i++)
        sum_forces(kernel, with_xsph, kind, c, i, &forces[i - begin]);
    c->finish(c->context, forces, begin, end);
}

TL_INLINE void force_block_any(tl_kernel kernel, tl_tensors kind, const force_context *c,
                               size_t begin, size_t end) {
    if (c->with_xsph)
        force_block(kernel, true, kind, c, begin, end);
    else
        force_block(kernel, false, kind, c, begin, end);
}

TL_INLINE void force_kernels(tl_tensors kind, const force_context *c, size_t begin, size_t end) {
    switch (c->pass->kernel) {
    case TL_KERNEL_WENDLAND: force_block_any(TL_KERNEL_WENDLAND, kind, c, begin, end); break;
    case TL_KERNEL_QUINTIC: force_block_any(TL_KERNEL_QUINTIC, kind, c, begin, end); break;
    case TL_KERNEL_QUARTIC: force_block_any(TL_KERNEL_QUARTIC, kind, c, begin, end); break;
    case TL_KERNEL_CUBIC: force_block_any(TL_KERNEL_CUBIC, kind, c, begin, end); break;
    case TL_KERNEL_POLY6: force_block_any(TL_KERNEL_POLY6, kind, c, begin, end); break;
    case TL_KERNEL_SPIKY: force_block_any(TL_KERNEL_SPIKY, kind, c, begin, end); break;
    case TL_KERNEL_VISCOSITY: force_block_any(TL_KERNEL_VISCOSITY, kind, c, begin, end); break;
    case TL_KERNEL_COUNT: break;
    }
}

static void force_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const force_context *c = context;
    switch (c->pass->records->tensors) {
    case TL_TENSORS_NONE: force_kernels(TL_TENSORS_NONE, c, begin, end); break;
    case TL_TENSORS_PRESSURE: force_kernels(TL_TENSORS_PRESSURE, c, begin, end); break;
    case TL_TENSORS_SYMMETRIC: force_kernels(TL_TENSORS_SYMMETRIC, c, begin, end); break;
    case TL_TENSORS_TRACELESS: force_kernels(TL_TENSORS_TRACELESS, c, begin, end); break;
    }
}

void tl_pass_forces(const tl_pass *pass, float damping, bool with_xsph, tl_forces_fn *finish,
                    void *context) {
    force_context c = {pass, damping, with_xsph, finish, context};
    tl_parallel_for(pass->parallel, pass->records->particles, TL_BLOCK, force_range, &c);
}

tl_pass_units tl_units_of_pass(const tl_pass *pass) {
    const double R = (double)pass->support, norm = tl_kernel_norm(pass->kernel);
    return (tl_pass_units){(float)(norm / (R * R * R * R * R)), (float)(norm / (R * R * R))};
}

tl_lattice tl_lattice_sums(tl_kernel kernel, double support) {
    const int reach = (int)ceil(support);
    const double unit = tl_kernel_norm(kernel) / (support * support * support);
    tl_lattice sums = {0};
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double r2 = x * x + y * y + z * z;
                const tl_wide q = tl_splat((float)(sqrt(r2) / support));
                sums.filling += unit * (double)tl_lane(tl_kernel_shape(kernel, q), 0);
                sums.moment -= unit / (support * support) * r2 / 3 *
                               (double)tl_lane(tl_kernel_slope(kernel, q), 0);
            }
    return sums;
}
