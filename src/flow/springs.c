/* See springs.h. */
#include "flow/springs.h"

#include "base/blocks.h"
#include "flow/border.h"
#include "flow/lanes.h"
#include "math/extremes.h"
#include "math/mat3.h"

#include <string.h>

typedef struct spring_context {
    tl_solver *s;
    const tl_springs_task *task;
    double mean[3]; /* m: of D, which single precision need not know */
    double *energy; /* [blocks] */
} spring_context;

/* Pairs that were up to this many supports apart count, less from the first on: who meets another
 * has not been moved by it. */
static const float near_part = 1.1f, far_part = 1.5f;

/* 1/s: below it all forget alike, not at all. */
static const float least_pace = 1e-6f;

/* Σ over the pairs of a row. */
typedef struct spring_sums {
    float b[6];     /* ω P m, P less what it lags behind by */
    float force[3]; /* ω (k_i + k_j) P d, of the same */
    float square;   /* ω P² */
    float strange;  /* ω r⁴ of what does not count */
    float unused;
    float c[6]; /* ω P m */
    float end[2];
} spring_sums;

/* Those at borders of viscosity have no springs: their fits count pairs in another way. */
static bool has_springs(const spring_context *c, size_t i) {
    return c->task->stiffness[i] > 0 && !(c->s->strain.uneven && c->s->strain.border[i]);
}

static void load_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const spring_context *c = context;
    const tl_strain *s = &c->s->strain;
    for (size_t i = begin; i < end; i++) {
        for (size_t k = 0; k < 3; k++) {
            s->motion[i].u[k] = (float)(c->task->way[3 * i + k] - c->mean[k]);
            s->low[i].u[k] = c->task->lag[i] * (float)c->task->velocity[3 * i + k];
        }
        s->low[i].round = c->task->pace ? c->task->pace[i] : 0;
        s->motion[i].brace = has_springs(c, i) ? 15 * c->task->stiffness[i] /
                                                     tl_larger(tl_strain_brace_trace(s, i),
                                                               0.1f * (float)c->task->full)
                                               : 0;
    }
}

/* Eight pairs of a row: d, ΔD less what it lags behind by, where the fit sees them, and the weights
 * with which they count. */
typedef struct spring_pairs {
    tl_wide d[3], D[3], y[3], weight, strange;
} spring_pairs;

/* The pairs of a particle: of a solid, its ties. */
typedef struct spring_row {
    const uint32_t *index;
    size_t size;
    bool tied;
} spring_row;

static spring_row row_of(const tl_strain *s, size_t i) {
    spring_row row = {s->index + s->begin[i], s->size[i], tl_ties_has(s->ties, i)};
    if (row.tied)
        row.index = tl_neighbor_row(s->ties->list, i, &row.size);
    return row;
}

/* Where and with which weight ties were. */
TL_INLINE spring_pairs load_ties(const tl_strain *s, size_t i, const uint32_t *index) {
    const tl_motion *self = &s->motion[i];
    tl_wide x[4], u[4];
    spring_pairs p;
    TL_GATHER4(s->motion, x, index, x);
    TL_GATHER4(s->motion, u, index, u);
    p.weight = tl_ties_load(s, i, index, p.y);
    p.strange = tl_splat(0.0f);
    for (int a = 0; a < 3; a++) {
        p.d[a] = x[a] - self->x[a];
        p.D[a] = u[a] - self->u[a];
    }
    return p;
}

TL_INLINE spring_pairs load_near(const tl_strain *s, size_t i, const uint32_t *index, size_t k) {
    const tl_motion *self = &s->motion[i];
    const float support = s->support;
    const tl_wide plain = tl_load(s->weight + s->begin[i] + k), pace = tl_splat(s->low[i].round);
    tl_wide x[4], u[4], low[4], was2 = tl_splat(0.0f);
    spring_pairs p;
    TL_GATHER4(s->motion, x, index, x);
    TL_GATHER4(s->motion, u, index, u);
    TL_GATHER4(s->low, u, index, low);
    for (int a = 0; a < 3; a++) {
        p.d[a] = x[a] - self->x[a];
        p.D[a] = u[a] - self->u[a];
        p.y[a] = p.d[a];
        was2 += (p.d[a] - p.D[a]) * (p.d[a] - p.D[a]);
    }
    const tl_wide far =
        (far_part * support - tl_sqrt(was2)) * (1 / ((far_part - near_part) * support));
    const tl_wide alike = (tl_min(low[3], pace) + least_pace) / (tl_max(low[3], pace) + least_pace);
    p.weight = plain * tl_min(tl_positive(far), tl_splat(1.0f)) * alike * alike;
    p.strange = plain - p.weight;
    return p;
}

TL_INLINE spring_pairs load_pairs(const tl_strain *s, size_t i, const spring_row *row, size_t k) {
    return row->tied ? load_ties(s, i, row->index + k) : load_near(s, i, row->index + k, k);
}

/* Adds t y yᵀ. */
TL_INLINE void add_products(tl_wide sums[6], tl_wide t, const tl_wide y[3]) {
    const tl_wide tx = t * y[0], ty = t * y[1], tz = t * y[2];
    sums[0] += tx * y[0], sums[1] += ty * y[1], sums[2] += tz * y[2];
    sums[3] += tx * y[1], sums[4] += tx * y[2], sums[5] += ty * y[2];
}

static void sum_row(const tl_strain *s, size_t i, spring_sums *out) {
    const spring_row row = row_of(s, i);
    const tl_motion *self = &s->motion[i];
    const tl_low *self_low = &s->low[i];
    const tl_wide zero = tl_splat(0.0f);
    tl_wide b[6], c[6], f[3], square = zero, strange = zero;
    for (int k = 0; k < 6; k++)
        b[k] = c[k] = zero;
    for (int k = 0; k < 3; k++)
        f[k] = zero;
    for (size_t k = 0; k < row.size; k += TL_LANES) {
        const uint32_t *index = row.index + k;
        const spring_pairs p = load_pairs(s, i, &row, k);
        tl_wide braces[4], low[4], P = zero, late = zero, r2 = zero;
        TL_GATHER4(s->motion, x, index, braces);
        TL_GATHER4(s->low, u, index, low);
        for (int a = 0; a < 3; a++) {
            P += p.D[a] * (p.d[a] - 0.5f * p.D[a]);
            late += p.d[a] * (low[a] - self_low->u[a]);
            r2 += p.d[a] * p.d[a];
        }
        const tl_wide t = p.weight * (P - late), both = (braces[3] + self->brace) * t;
        const tl_wide w = p.weight * P;
        add_products(b, t, p.y);
        add_products(c, w, p.y);
        for (int a = 0; a < 3; a++)
            f[a] += both * p.d[a];
        square += w * P;
        strange += p.strange * r2 * r2;
    }
    TL_STORE_SUM4(out, b, b[0], b[1], b[2], b[3]);
    TL_STORE_SUM4(out, b[4], b[4], b[5], f[0], f[1]);
    TL_STORE_SUM4(out, force[2], f[2], square, strange, zero);
    TL_STORE_SUM4(out, c, c[0], c[1], c[2], c[3]);
    TL_STORE_SUM4(out, c[4], c[4], c[5], zero, zero);
    for (int k = 3; k < 6; k++) {
        out->b[k] *= 2;
        out->c[k] *= 2;
    }
}

/* A⁻¹ of the pairs that count alone. */
static void invert_own(const tl_strain *s, size_t i, float out[TL_SYM6]) {
    tl_wide moments[TL_FOURTHS], A[TL_SYM6], inverse[TL_SYM6];
    const spring_row row = row_of(s, i);
    for (int k = 0; k < TL_FOURTHS; k++)
        moments[k] = tl_splat(0.0f);
    for (size_t k = 0; k < row.size; k += TL_LANES) {
        const spring_pairs p = load_pairs(s, i, &row, k);
        tl_fourths_add(moments, p.weight, p.y[0], p.y[1], p.y[2]);
    }
    for (int k = 0; k < TL_FOURTHS; k++)
        moments[k] = tl_splat(tl_sum(moments[k]));
    tl_fourths_matrix(moments, A);
    tl_moments_invert(A, tl_fourths_sum(moments) + tl_splat(1e-12f), inverse);
    for (int k = 0; k < TL_SYM6; k++)
        out[k] = tl_lane(inverse[k], 0);
}

/* A⁻¹; the solve's own A counts walls and strangers too. */
static void load_inverse(const tl_strain *s, size_t i, bool all_count, float out[TL_SYM6]) {
    const float *lanes = s->inverse + i / TL_LANES * TL_LANES * TL_SYM6 + i % TL_LANES;
    if (tl_ties_has(s->ties, i) || s->link_of[i] || !all_count)
        invert_own(s, i, out);
    else
        for (int k = 0; k < TL_SYM6; k++)
            out[k] = lanes[k * TL_LANES];
}

/* A⁻¹ b, less what makes up for the round part: energies must not be negative. */
static void fit_strain(const float inverse[TL_SYM6], const float b[6], float out[6]) {
    const float exact = 1 / (1 + TL_LEAST_ROUND);
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int c = 0; c < 6; c++)
            out[r] += exact * inverse[tl_sym6_at(r, c)] * b[c];
    }
}

/* Forces lag behind; the energy is that of where matter is. */
static void fit_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const spring_context *c = context;
    const tl_strain *s = &c->s->strain;
    double energy = 0;
    for (size_t i = begin; i < end; i++) {
        spring_sums sums;
        float inverse[TL_SYM6], late[6], strain[6], explained = 0;
        const float k = s->motion[i].brace;
        sum_row(s, i, &sums);
        load_inverse(s, i, !(sums.strange > 0), inverse);
        fit_strain(inverse, sums.b, late);
        fit_strain(inverse, sums.c, strain);
        for (int r = 0; r < 6; r++) {
            explained += strain[r] * sums.c[r];
            s->traction[i].T[r] = -k * late[r];
        }
        memcpy(c->s->recalled[i], sums.force, sizeof sums.force);
        energy += 0.5 * (double)(s->motion[i].volume * k) * (double)(sums.square - explained);
    }
    c->energy[begin / TL_BLOCK] = energy;
}

/* Adds Σ ω m·(T_i + T_j) d. */
static void force_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const spring_context *c = context;
    const tl_strain *s = &c->s->strain;
    for (size_t i = begin; i < end; i++) {
        const float *T = s->traction[i].T;
        tl_wide f[3] = {tl_splat(0.0f), tl_splat(0.0f), tl_splat(0.0f)};
        const spring_row row = row_of(s, i);
        for (size_t k = 0; k < row.size; k += TL_LANES) {
            const uint32_t *index = row.index + k;
            const spring_pairs p = load_pairs(s, i, &row, k);
            const tl_wide x = p.y[0], y = p.y[1], z = p.y[2];
            tl_wide a[4], b[4];
            TL_GATHER4(s->traction, T, index, a);
            TL_GATHER4(s->traction, T[4], index, b);
            const tl_wide t =
                p.weight *
                (x * ((a[0] + T[0]) * x + 2.0f * ((a[3] + T[3]) * y + (b[0] + T[4]) * z)) +
                 y * ((a[1] + T[1]) * y + 2.0f * (b[1] + T[5]) * z) + (a[2] + T[2]) * z * z);
            f[0] += t * p.d[0], f[1] += t * p.d[1], f[2] += t * p.d[2];
        }
        for (int k = 0; k < 3; k++)
            c->s->recalled[i][k] += tl_sum(f[k]);
    }
}

static void find_mean(const double *way, size_t n, double mean[3]) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            mean[k] += way[3 * i + k] / (double)n;
}

double tl_springs_find(tl_solver *s, const tl_springs_task *task) {
    const size_t n = s->strain.particles;
    spring_context c = {.s = s, .task = task, .energy = s->partial};
    find_mean(task->way, n, c.mean);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, load_range, &c);
    tl_strain_share_motion(&s->strain);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, fit_range, &c);
    const double energy = tl_sum_blocks(c.energy, 1, n);
    tl_strain_share_traction(&s->strain);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, force_range, &c);
    return energy;
}

/* ---- Forgetting --------------------------------------------------------------------------------
 */

typedef struct forget_context {
    tl_solver *s;
    const float *keeps;
    double *way, mean[3];
} forget_context;

/* Part of a round neighbourhood that is added to each, so that threads and sheets are fitted, too.
 */
static const double roundest = 1e-5;

/* Σ ω, Σ ω d, Σ ω ΔD, Σ ω d dᵀ and Σ ω ΔD dᵀ over the pairs of a row that count. */
typedef struct way_sums {
    double weight, d[3], D[3], dd[3][3], Dd[3][3];
} way_sums;

static void sum_ways(const tl_strain *s, size_t i, way_sums *out) {
    *out = (way_sums){0};
    const spring_row row = row_of(s, i);
    for (size_t k = 0; k < row.size; k += TL_LANES) {
        const spring_pairs p = load_pairs(s, i, &row, k);
        out->weight += (double)tl_sum(p.weight);
        for (int a = 0; a < 3; a++) {
            const tl_wide wd = p.weight * p.d[a], wD = p.weight * p.D[a];
            out->d[a] += (double)tl_sum(wd);
            out->D[a] += (double)tl_sum(wD);
            for (int b = 0; b < 3; b++) {
                out->dd[a][b] += (double)tl_sum(wd * p.d[b]);
                out->Dd[a][b] += (double)tl_sum(wD * p.d[b]);
            }
        }
    }
}

/* D' - D of particle i; 0 where nobody is near. */
static tl_vec3 fit_way(const tl_strain *s, size_t i) {
    way_sums m;
    double inverse[3][3];
    sum_ways(s, i, &m);
    if (!(m.weight > 0))
        return (tl_vec3){0, 0, 0};
    const double trace = m.dd[0][0] + m.dd[1][1] + m.dd[2][2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            m.dd[a][b] += (a == b) * roundest * trace - m.d[a] * m.d[b] / m.weight;
            m.Dd[a][b] -= m.D[a] * m.d[b] / m.weight;
        }
    const tl_vec3 centre = tl_vec3_scale(tl_vec3_of(m.d), 1 / m.weight);
    const tl_vec3 mean = tl_vec3_scale(tl_vec3_of(m.D), 1 / m.weight);
    if (!tl_mat3_invert((const double(*)[3])m.dd, inverse))
        return mean;
    return tl_vec3_sub(mean, tl_mat3_times(m.Dd, tl_mat3_times(inverse, centre)));
}

static void load_ways(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const forget_context *c = context;
    for (size_t i = begin; i < end; i++) {
        for (size_t k = 0; k < 3; k++)
            c->s->strain.motion[i].u[k] = (float)(c->way[3 * i + k] - c->mean[k]);
        c->s->strain.low[i].round = 0;
    }
}

static void forget_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const forget_context *c = context;
    for (size_t i = begin; i < end; i++) {
        if (!(c->keeps[i] < 1))
            continue;
        const tl_vec3 by = tl_vec3_scale(fit_way(&c->s->strain, i), 1 - (double)c->keeps[i]);
        c->way[3 * i] += by.x;
        c->way[3 * i + 1] += by.y;
        c->way[3 * i + 2] += by.z;
    }
}

void tl_springs_forget(tl_solver *s, const float *keeps, double *way) {
    const size_t n = s->strain.particles;
    forget_context c = {.s = s, .keeps = keeps, .way = way};
    find_mean(way, n, c.mean);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, load_ways, &c);
    tl_strain_share_motion(&s->strain);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, forget_range, &c);
}
