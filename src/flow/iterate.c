/* See iterate.h. */
#include "flow/iterate.h"

#include "base/blocks.h"
#include "flow/lanes.h"
#include "flow/rigid_contacts.h"
#include "math/extremes.h"

#include <math.h>
#include <string.h>

/* Mass of a body that is held up, to the grids, over its own. */
static const float heavy = 1e3f;

/* ---- The operator ------------------------------------------------------------------------------
 */

typedef struct operation {
    tl_solver *s;
    const tl_solve_task *task;
    double *dot;             /* [blocks] p·A p */
    tl_stiffness *stiffness; /* [n] for the grids */
} operation;

/* Takes from the stress at E what matter that yields does not set against it. */
TL_INLINE void slacken(const tl_slack *slack, const uint32_t index[TL_LANES], const tl_wide E[6],
                       tl_wide stress[6]) {
    float lanes[6][TL_LANES];
    tl_wide N[6], along = tl_splat(0.0f);
    for (size_t l = 0; l < TL_LANES; l++)
        for (int k = 0; k < 6; k++)
            lanes[k][l] = slack[index[l]].direction[k];
    for (int k = 0; k < 6; k++) {
        N[k] = tl_load(lanes[k]);
        along += N[k] * E[k];
    }
    for (int k = 0; k < 6; k++)
        stress[k] -= N[k] * along;
}

static void finish_fit(void *context, const tl_fit *fits, size_t begin, size_t end) {
    const operation *o = context;
    const tl_solver *s = o->s;
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        tl_wide b[8], inverse[TL_SYM6], E[6], stress[6], x[4];
        tl_load_fit(fits + (first - begin), index, b);
        tl_load_inverse(&s->strain, first, inverse);
        tl_sym6_times(inverse, b, E);
        TL_GATHER4(&s->strain.motion[first], x, index, x);
        const tl_wide shear = tl_load(s->shear + first), bulk = tl_load(s->bulk + first);
        if (!s->strain.uneven) {
            tl_stress_of(E, shear, bulk, stress);
            if (s->slack)
                slacken(s->slack + first, index, E, stress);
            tl_store_traction(&s->strain, first, count, inverse, stress, b, x[3]);
            continue;
        }
        const tl_wide more =
            tl_growth_beyond(&s->strain, fits + (first - begin), first, index, b, E);
        tl_stress_of(E, shear, tl_splat(0.0f), stress);
        if (s->slack)
            slacken(s->slack + first, index, E, stress);
        tl_store_uneven_traction(&s->strain, first, count, index, inverse, stress,
                                 bulk * (E[0] + E[1] + E[2] + more), b, x[3]);
    }
    /* The force of ς waits for the second sweep. */
    for (size_t i = begin; i < end; i++)
        memcpy(s->q + 4 * i, fits[i - begin].brace, 3 * sizeof(float));
}

static void finish_force(void *context, const float (*force)[4], size_t begin, size_t end) {
    const operation *o = context;
    const tl_solver *s = o->s;
    double dot = 0;
    for (size_t i = begin; i < end; i++) {
        const tl_motion *m = &s->strain.motion[i];
        const float mass = o->task->mass[i], scale = (float)o->task->dt * m->volume;
        const bool led = o->task->led && o->task->led[i];
        for (size_t k = 0; k < 3; k++) {
            float *q = &s->q[4 * i + k];
            *q = led ? 0 : mass * m->u[k] - scale * (*q + force[i - begin][k]);
            dot += (double)(*q * m->u[k]);
        }
    }
    o->dot[begin / TL_BLOCK] = dot;
}

/* q = A p for the direction in the motion records. Returns p·q. */
static double apply(tl_solver *s, const tl_solve_task *task) {
    operation o = {s, task, s->partial, NULL};
    tl_strain_share_motion(&s->strain);
    tl_strain_fit(&s->strain, false, 0, finish_fit, &o);
    tl_strain_share_traction(&s->strain);
    tl_strain_force(&s->strain, NULL, 0, finish_force, &o);
    return tl_sum_blocks(o.dot, 1, s->strain.particles) +
           tl_modes_apply(&s->modes, &s->strain, task->dt);
}

/* ---- Preconditioner ----------------------------------------------------------------------------
 */

/* Xᵀ (C X - ς G) with X = A⁻¹ G: what a particle's own fit adds to its diagonal block. */
TL_INLINE void own_block(const tl_wide inverse[TL_SYM6], const tl_wide G[3][6], tl_wide shear,
                         tl_wide bulk, tl_wide brace, tl_wide out[6]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    tl_wide X[3][6], Y[3][6];
    for (int c = 0; c < 3; c++) {
        tl_sym6_times(inverse, G[c], X[c]);
        tl_stress_of(X[c], shear, bulk, Y[c]);
        for (int k = 0; k < 6; k++)
            Y[c][k] -= brace * (1 / (1 + TL_LEAST_ROUND)) * G[c][k];
    }
    for (int e = 0; e < 6; e++) {
        out[e] = X[row[e]][0] * Y[column[e]][0];
        for (int k = 1; k < 6; k++)
            out[e] += X[row[e]][k] * Y[column[e]][k];
    }
}

/* What the bulk of a particle adds to a block where viscosities differ: l is Σ y d. */
static void add_bulk(float bulk, const float l[3], float out[6]) {
    out[0] += bulk * l[0] * l[0], out[1] += bulk * l[1] * l[1], out[2] += bulk * l[2] * l[2];
    out[3] += bulk * l[0] * l[1], out[4] += bulk * l[0] * l[2], out[5] += bulk * l[1] * l[2];
}

TL_INLINE void load_levers(const tl_thirds *thirds, const uint32_t index[TL_LANES],
                           tl_wide G[3][6]) {
    float lanes[3][6][TL_LANES];
    for (size_t l = 0; l < TL_LANES; l++) {
        float lever[6][3];
        tl_strain_lever(&thirds[index[l]], lever);
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < 3; k++)
                lanes[k][r][l] = lever[r][k];
    }
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 6; r++)
            G[k][r] = tl_load(lanes[k][r]);
}

/* Inverts m I + dt V block, in place; with numbers near 1, so that no product leaves single
 * precision. */
static void invert_diagonal(float *D, float mass, float scale) {
    const float unit = 1 / mass, k = scale * unit;
    const float a = 1 + k * D[0], d = 1 + k * D[1], f = 1 + k * D[2];
    const float b = k * D[3], c = k * D[4], e = k * D[5];
    const float ca = d * f - e * e, cb = c * e - b * f, cc = b * e - c * d;
    const float determinant = a * ca + b * cb + c * cc;
    if (!(determinant > 1e-6f * a * d * f)) {
        const float inverse[6] = {unit / a, unit / d, unit / f, 0, 0, 0};
        memcpy(D, inverse, sizeof inverse);
        return;
    }
    const float s = unit / determinant;
    const float inverse[6] = {s * ca, s * (a * f - c * c), s * (a * d - b * b), s * cb,
                              s * cc, s * (b * c - a * e)};
    memcpy(D, inverse, sizeof inverse);
}

static void blocks_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    tl_solver *s = o->s;
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        tl_wide inverse[TL_SYM6], G[3][6], x[4], out[6];
        float lanes[6][TL_LANES];
        tl_load_inverse(&s->strain, first, inverse);
        load_levers(&s->strain.thirds[first], index, G);
        TL_GATHER4(&s->strain.motion[first], x, index, x);
        const bool uneven = s->strain.uneven;
        own_block(inverse, (const tl_wide(*)[6])G, tl_load(s->shear + first),
                  uneven ? tl_splat(0.0f) : tl_load(s->bulk + first), x[3], out);
        for (int k = 0; k < 6; k++)
            tl_store(lanes[k], out[k]);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            float *D = s->blocks[i].D;
            for (int k = 0; k < 6; k++)
                D[k] += lanes[k][l];
            if (uneven)
                add_bulk(s->bulk[i], s->strain.side[i].lever, D);
            invert_diagonal(D, o->task->mass[i], (float)o->task->dt * s->strain.motion[i].volume);
        }
    }
}

static void add_link_bulk(const tl_solver *s, const tl_wall_link *link, float out[6]) {
    const float *level = s->strain.side[link->particle].level;
    float lever[6][3], l[3] = {0};
    tl_strain_lever(&link->thirds, lever);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 3; c++)
            l[c] += level[r] * lever[r][c];
    add_bulk(s->bulk[link->particle], l, out);
}

/* What each link adds to the operator at its particle. */
static void link_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    tl_solver *s = o->s;
    for (size_t w = begin; w < end; w++) {
        const tl_wall_link *link = &s->strain.link[w];
        const size_t i = link->particle, first = i / TL_LANES * TL_LANES, lane = i - first;
        uint32_t index[TL_LANES] = {0};
        tl_wide inverse[TL_SYM6], G[3][6], out[6];
        tl_load_inverse(&s->strain, first, inverse);
        load_levers(&link->thirds, index, G);
        const float brace = s->strain.motion[i].brace;
        const bool uneven = s->strain.uneven;
        own_block(inverse, (const tl_wide(*)[6])G, tl_splat(s->shear[i]),
                  tl_splat(uneven ? 0 : s->bulk[i]), tl_splat(brace), out);
        float block[6];
        for (int k = 0; k < 6; k++)
            block[k] =
                tl_lane(out[k], (int)lane) + brace * link->drag[k] + link->slick * link->rub[k];
        if (uneven)
            add_link_bulk(s, link, block);
        const float scale = (float)o->task->dt * s->strain.motion[i].volume;
        for (int k = 0; k < 6; k++)
            s->walls[w][k] = scale * block[k];
    }
}

/* Those of walls are for the grids' operator, those of bodies for the blocks of these. */
static tl_status make_link_blocks(tl_solver *s, operation *o, tl_error *error) {
    const size_t count = s->strain.link_count;
    tl_parallel_for(s->strain.parallel, count, TL_LINK_BLOCK, link_range, o);
    tl_modes_begin_blocks(&s->modes);
    for (size_t w = 0; w < count && s->modes.count; w++)
        if (s->strain.link[w].body) {
            tl_modes_add_block(&s->modes, &s->strain.link[w], s->walls[w]);
            memset(s->walls[w], 0, sizeof s->walls[w]);
        }
    return tl_modes_end_blocks(&s->modes, error);
}

/* κ for tl_strain_diagonal; its second scalar is the part of the bulk, where viscosities differ. */
static void resist_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    const tl_solver *s = o->s;
    for (size_t i = begin; i < end; i++) {
        const float fitted = s->strain.trace[i];
        const float fit2 = tl_larger(fitted * fitted, 1e-6f);
        tl_traction *traction = &s->strain.traction[i];
        traction->kappa.all = (75 * s->shear[i] + 9 * s->bulk[i]) / fit2;
        if (!s->strain.uneven)
            continue;
        const float full = s->strain.around[i].full;
        traction->kappa.bulk = 9 * s->bulk[i] / tl_larger(full * full, 1e-6f);
        traction->kappa.all = traction->kappa.bulk + 75 * s->shear[i] / fit2;
    }
}

static void scale_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    for (size_t i = begin; i < end; i++) {
        const float scale = (float)o->task->dt * o->s->strain.motion[i].volume;
        o->stiffness[i].shear = scale * o->s->shear[i];
        o->stiffness[i].bulk = scale * o->s->bulk[i];
    }
}

/* To the grids bodies are as stiff as the stiffest matter: more would hold fast what shares a cell
 * with them. */
static void scale_bodies(const tl_solver *s, const tl_solve_task *t, tl_stiffness *out) {
    float stiffest = 0;
    for (size_t i = 0; s->modes.count && i < s->strain.particles; i++)
        stiffest = tl_strain_is_held(&s->strain, i) ? stiffest : fmaxf(stiffest, s->shear[i]);
    for (size_t k = 0; k < s->modes.member_count; k++) {
        const size_t i = s->modes.members[k].particle;
        const float scale = (float)t->dt * t->mass[i] / s->rest_density[i] * stiffest;
        out[i] = (tl_stiffness){scale, scale};
    }
}

/* What walls or other bodies hold up is to the grids as if it were very heavy, or they would move
 * it and the matter on it together. */
static const float *weigh_bodies(const tl_solver *s, const tl_solve_task *t) {
    const tl_rigid_modes *m = &s->modes;
    if (m->contact_count == 0)
        return t->mass;
    float *mass = TL_SCRATCH_TAKE(s->scratch, float, s->strain.particles, "masses for the grids");
    memcpy(mass, t->mass, s->strain.particles * sizeof *mass);
    for (size_t k = 0; k < m->member_count; k++)
        if (tl_contacts_push(m, m->members[k].body))
            mass[m->members[k].particle] *= heavy;
    return mass;
}

tl_status tl_iterate_prepare(tl_solver *s, const tl_solve_task *t, tl_error *error) {
    operation o = {s, t, NULL, NULL};
    const size_t n = s->strain.particles;
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, resist_range, &o);
    tl_strain_share_traction(&s->strain);
    tl_strain_diagonal(&s->strain, s->blocks);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, blocks_range, &o);
    TL_TRY(make_link_blocks(s, &o, error));
    const size_t mark = tl_scratch_mark(s->scratch);
    o.stiffness = TL_SCRATCH_TAKE(s->scratch, tl_stiffness, n, "stiffness for the grids");
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, scale_range, &o);
    scale_bodies(s, t, o.stiffness);
    const tl_grid_matter matter = {.count = n,
                                   .place = (const float *)s->strain.motion,
                                   .stride = sizeof *s->strain.motion / sizeof(float),
                                   .mass = weigh_bodies(s, t),
                                   .stiffness = o.stiffness,
                                   .wall_of = s->strain.link_of,
                                   .walls = (const float(*)[6])s->walls};
    tl_grids_assemble(s->grids, s->strain.parallel, &matter);
    tl_scratch_release(s->scratch, mark);
    return TL_OK;
}

/* ---- Conjugate gradients -----------------------------------------------------------------------
 */

/* Part of the blocks' correction that is taken: motions of some spacings' length, which the grids
 * correct as well, would be overdone by all of it (blocks alone overdo them up to four times). */
static const float block_part = 0.6f;

typedef struct vectors {
    tl_solver *s;
    const uint8_t *led;
    float alpha, beta;
    double *partial;
    bool first;
} vectors;

/* z = ω block⁻¹ r */
static void jacobi_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const vectors *v = context;
    for (size_t i = begin; i < end; i++) {
        const float *D = v->s->blocks[i].D, *rest = v->s->r + 4 * i;
        const float r[3] = {block_part * rest[0], block_part * rest[1], block_part * rest[2]};
        float *z = v->s->z + 4 * i;
        z[0] = D[0] * r[0] + D[3] * r[1] + D[4] * r[2];
        z[1] = D[3] * r[0] + D[1] * r[1] + D[5] * r[2];
        z[2] = D[4] * r[0] + D[5] * r[1] + D[2] * r[2];
        z[3] = 0;
    }
}

/* r·z, after z is set back to 0 where matter is held or its velocity is given: grids do not know of
 * that. */
static void dot_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const vectors *v = context;
    double sum = 0;
    const bool any = v->led || v->s->strain.holds;
    for (size_t i = begin; i < end && any; i++)
        if ((v->led && v->led[i]) || tl_strain_is_held(&v->s->strain, i))
            memset(v->s->z + 4 * i, 0, 4 * sizeof *v->s->z);
    for (size_t k = 4 * begin; k < 4 * end; k++)
        sum += (double)v->s->r[k] * (double)v->s->z[k];
    v->partial[begin / TL_BLOCK] = sum;
}

/* p = z + β p */
static void direction_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const vectors *v = context;
    for (size_t i = begin; i < end; i++) {
        float *p = v->s->strain.motion[i].u;
        for (size_t k = 0; k < 3; k++)
            p[k] = v->s->z[4 * i + k] + (v->first ? 0 : v->beta * p[k]);
    }
}

/* w += α p, r -= α q; the partial results are |r|². */
static void advance_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const vectors *v = context;
    double sum = 0;
    for (size_t i = begin; i < end; i++) {
        const float *p = v->s->strain.motion[i].u;
        for (size_t k = 0; k < 3; k++) {
            float *r = &v->s->r[4 * i + k];
            v->s->w[4 * i + k] += v->alpha * p[k];
            *r -= v->alpha * v->s->q[4 * i + k];
            sum += (double)*r * (double)*r;
        }
    }
    v->partial[begin / TL_BLOCK] = sum;
}

static double precondition(tl_solver *s, const tl_solve_task *t) {
    const size_t n = s->strain.particles;
    const tl_parallel *parallel = s->strain.parallel;
    vectors v = {.s = s, .led = t->led, .partial = s->partial};
    tl_parallel_for(parallel, n, TL_BLOCK, jacobi_range, &v);
    tl_modes_spread(&s->modes, t->mass, (double)block_part, s->r, s->z);
    tl_grids_correct(s->grids, parallel, s->r, s->z);
    const double bodies = tl_modes_gather(&s->modes, t->mass, s->r, s->z);
    tl_parallel_for(parallel, n, TL_BLOCK, dot_range, &v);
    return tl_sum_blocks(v.partial, 1, n) + bodies;
}

void tl_iterate_take(tl_solver *s) {
    const size_t lanes = tl_pad_lanes(s->strain.particles);
    s->z = TL_SCRATCH_TAKE(s->scratch, float, 4 * lanes, "preconditioned residual");
    s->q = TL_SCRATCH_TAKE(s->scratch, float, 4 * lanes, "operator times direction");
}

int tl_iterate(tl_solver *s, const tl_solve_task *t, double target, double *gain) {
    const size_t n = s->strain.particles;
    const tl_parallel *parallel = s->strain.parallel;
    memset(s->w, 0, 4 * n * sizeof *s->w);
    tl_modes_clear(&s->modes);
    vectors v = {.s = s, .partial = s->partial, .first = true};
    double rz = precondition(s, t);
    int iteration = 0;
    *gain = 0;
    while (iteration < t->max_iterations) {
        tl_parallel_for(parallel, n, TL_BLOCK, direction_range, &v);
        tl_modes_direct(&s->modes, &s->strain, v.first ? 0 : (double)v.beta);
        const double curvature = apply(s, t);
        iteration++;
        if (!(curvature > 0) || !(rz > 0))
            break;
        v.alpha = (float)(rz / curvature);
        *gain += (double)v.alpha * rz; /* r·p is r·z in each of them */
        tl_parallel_for(parallel, n, TL_BLOCK, advance_range, &v);
        const double bodies2 = tl_modes_advance(&s->modes, (double)v.alpha);
        if (!(sqrt(tl_sum_blocks(v.partial, 1, n) + bodies2) > target))
            break;
        const double next = precondition(s, t);
        v.beta = (float)(next / rz);
        v.first = false;
        rz = next;
    }
    return iteration;
}
