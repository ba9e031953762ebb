/* See solve.h. */
#include "flow/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bulk stiffness times dt, relative to viscosity: enough to keep the volume, little enough for the
 * grids. */
static const float bulk_of_viscosity = 3;

/* Bulk stiffness in units of ρ (dx / dt)²: pressure crosses three spacings a step. */
static const double bulk_of_inertia = 10;

/* How far pressure may pull, relative to η γ̇. Planar stretch of a free sheet needs 1. */
static const float cohesion = 2;

/* A residual this many tolerances large at the end is still taken: the set of particles under
 * pressure may flicker at a free surface without harm. */
static const double acceptable = 5;

/* Outer iterations that renew η and the set of particles under pressure. */
static const int renewals = 2;

/* Part of its neighbours' mean that a particle takes on when pressure is smoothed. */
static const float smoothing = 0.7f;

/* Edge of the finest cells of the background grids, in spacings. */
static const double cell_of_spacing = 4;

/* Below this part of a full neighbourhood no pressure acts: spray. */
static const float thinnest = 0.2f, thin = 0.4f;

typedef struct stress_sums {
    double viscous_power, force_power, wall_power, lag, residual2;
    double wall_force[3], acceleration2;
    size_t broken; /* index + 1 */
} stress_sums;

/* ---- Room --------------------------------------------------------------------------------------
 */

tl_status tl_solver_begin(tl_solver *s, tl_error *error) {
    const size_t n = s->strain.particles, lanes = tl_pad_lanes(n);
    if (!s->grids)
        s->grids = tl_grids_create();
    if (!s->grids)
        return tl_fail_memory(error, 1, 1);
    TL_TRY(TL_RESERVE(s->shear, s->shear_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->bulk, s->bulk_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->pressure, s->pressure_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->compression, s->compression_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->rest_density, s->density_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->dilation, s->dilation_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->pull, s->pull_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->left, s->left_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->lambda, s->lambda_capacity, 0, lanes, error));
    TL_TRY(TL_RESERVE(s->blocks, s->blocks_capacity, 0, 8 * lanes, error));
    TL_TRY(TL_RESERVE(s->w, s->w_capacity, 0, 4 * lanes, error));
    TL_TRY(TL_RESERVE(s->r, s->r_capacity, 0, 4 * lanes, error));
    TL_TRY(TL_RESERVE(s->z, s->z_capacity, 0, 4 * lanes, error));
    TL_TRY(TL_RESERVE(s->q, s->q_capacity, 0, 4 * lanes, error));
    TL_TRY(TL_RESERVE(s->start, s->start_capacity, 0, 3 * lanes, error));
    TL_TRY(TL_RESERVE(s->walls, s->walls_capacity, 0, s->strain.link_count, error));
    return tl_reserve(&s->partial, &s->partial_bytes, 0, (n / TL_BLOCK + 1) * sizeof(stress_sums),
                      1, error);
}

size_t tl_solver_bytes(const tl_solver *s) {
    return tl_strain_bytes(&s->strain) + (s->grids ? tl_grids_bytes(s->grids) : 0) +
           sizeof(float) * (s->shear_capacity + s->bulk_capacity + 7 * s->pressure_capacity +
                            s->blocks_capacity + s->w_capacity + s->r_capacity + s->z_capacity +
                            s->q_capacity) +
           sizeof(double) * s->start_capacity + s->partial_bytes;
}

void tl_solver_free(tl_solver *s) {
    tl_strain_free(&s->strain);
    tl_grids_destroy(s->grids);
    void *arrays[] = {
        s->shear,    s->bulk,   s->blocks, s->w,        s->r,           s->z,
        s->q,        s->start,  s->walls,  s->pressure, s->compression, s->rest_density,
        s->dilation, s->lambda, s->left,   s->pull,     s->partial};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    *s = (tl_solver){0};
}

/* ---- Eight particles ---------------------------------------------------------------------------
 */

/* Indices of a group of lanes within a block; the last particle is repeated at the block's end. */
static size_t group(size_t first, size_t end, uint32_t index[TL_LANES]) {
    const size_t count = end - first < TL_LANES ? end - first : TL_LANES;
    for (size_t l = 0; l < TL_LANES; l++)
        index[l] = (uint32_t)(l < count ? l : count - 1);
    return count;
}

TL_INLINE void load_fit(const tl_fit *fits, const uint32_t index[TL_LANES], tl_wide b[8]) {
    tl_gather4((const float *)fits, TL_FIT, index, b);
    tl_gather4((const float *)fits + 4, TL_FIT, index, b + 4);
}

TL_INLINE void load_inverse(const tl_strain *s, size_t first, tl_wide inverse[TL_SYM6]) {
    for (int k = 0; k < TL_SYM6; k++)
        inverse[k] = tl_load(s->inverse + first * TL_SYM6 + (size_t)k * TL_LANES);
}

/* T = A⁻¹ (stress - ς b), stored to the tension records of the group. */
TL_INLINE void store_tension(const tl_strain *s, size_t first, size_t count,
                             const tl_wide inverse[TL_SYM6], const tl_wide stress[6],
                             const tl_wide b[6], tl_wide hold) {
    tl_wide load[6], T[6];
    float lanes[6][TL_LANES];
    for (int k = 0; k < 6; k++)
        load[k] = stress[k] - hold * (1 / (1 + TL_LEAST_ROUND)) * b[k];
    tl_sym6_times(inverse, load, T);
    for (int k = 0; k < 6; k++)
        tl_store(lanes[k], T[k]);
    for (size_t l = 0; l < count; l++)
        for (int k = 0; k < 6; k++)
            s->tension[(first + l) * TL_TENSION + (size_t)k] = lanes[k][l];
}

/* 2 η dev E + κ tr E I, where shear and bulk are η and K dt. Stress and strain work as Σ σ_k E_k:
 * shear components of σ count twice. */
TL_INLINE void stress_of(const tl_wide E[6], tl_wide shear, tl_wide bulk, tl_wide out[6]) {
    const tl_wide trace = E[0] + E[1] + E[2];
    const tl_wide round = (bulk - (2.0f / 3) * shear) * trace;
    for (int k = 0; k < 3; k++)
        out[k] = 2.0f * shear * E[k] + round;
    for (int k = 3; k < 6; k++)
        out[k] = 4.0f * shear * E[k];
}

/* ---- The operator ------------------------------------------------------------------------------
 */

typedef struct operation {
    tl_solver *s;
    const tl_solve_task *task;
    double *dot; /* [blocks] p·A p */
} operation;

static void finish_fit(void *context, const tl_fit *fits, size_t begin, size_t end) {
    const operation *o = context;
    const tl_solver *s = o->s;
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = group(first, end, index);
        tl_wide b[8], inverse[TL_SYM6], E[6], stress[6], x[4];
        load_fit(fits + (first - begin), index, b);
        load_inverse(&s->strain, first, inverse);
        tl_sym6_times(inverse, b, E);
        stress_of(E, tl_load(s->shear + first), tl_load(s->bulk + first), stress);
        tl_gather4(s->strain.motion + first * TL_MOTION, TL_MOTION, index, x);
        store_tension(&s->strain, first, count, inverse, stress, b, x[3]);
    }
    /* The force of ς waits for the second sweep. */
    for (size_t i = begin; i < end; i++)
        memcpy(s->q + 4 * i, fits[i - begin].hold, 3 * sizeof(float));
}

static void finish_force(void *context, const float (*force)[4], size_t begin, size_t end) {
    const operation *o = context;
    const tl_solver *s = o->s;
    double dot = 0;
    for (size_t i = begin; i < end; i++) {
        const float *m = s->strain.motion + i * TL_MOTION;
        const float mass = o->task->mass[i], scale = (float)o->task->dt * m[7];
        for (size_t k = 0; k < 3; k++) {
            float *q = &s->q[4 * i + k];
            *q = mass * m[4 + k] - scale * (*q + force[i - begin][k]);
            dot += (double)(*q * m[4 + k]);
        }
    }
    o->dot[begin / TL_BLOCK] = dot;
}

static double add_blocks(const double *partial, size_t n) {
    double sum = 0;
    for (size_t b = 0; b < tl_block_count(n, TL_BLOCK); b++)
        sum += partial[b];
    return sum;
}

/* q = A p for the direction in the motion records. Returns p·q. */
static double apply(tl_solver *s, const tl_solve_task *task) {
    operation o = {s, task, s->partial};
    tl_strain_share_motion(&s->strain);
    tl_strain_fit(&s->strain, false, 0, finish_fit, &o);
    tl_strain_share_tension(&s->strain);
    tl_strain_force(&s->strain, finish_force, &o);
    return add_blocks(o.dot, s->strain.particles);
}

/* ---- State of stress ---------------------------------------------------------------------------
 */

typedef struct state_context {
    tl_solver *s;
    const tl_solve_task *task;
    int outer; /* number of the outer iteration */
    stress_sums *partial;
} state_context;

/* H from E, both in place: the part of LᵀL is in E already (the sweep adds it to p). */
TL_INLINE void logarithmic(tl_wide E[6], tl_wide dt) {
    const tl_wide xx = E[0], yy = E[1], zz = E[2], xy = E[3], xz = E[4], yz = E[5];
    E[0] -= dt * (xx * xx + xy * xy + xz * xz);
    E[1] -= dt * (xy * xy + yy * yy + yz * yz);
    E[2] -= dt * (xz * xz + yz * yz + zz * zz);
    E[3] -= dt * (xx * xy + xy * yy + xz * yz);
    E[4] -= dt * (xx * xz + xy * yz + xz * zz);
    E[5] -= dt * (xy * xz + yy * yz + yz * zz);
}

/* Bulk stiffness of particle i, Pa. */
static float bulk_stiffness(const tl_solve_task *t, float viscosity, float density,
                            float fullness) {
    const double inertia = bulk_of_inertia * (double)density * pow(t->spacing / t->dt, 2);
    const float K =
        fmaxf(bulk_of_viscosity * viscosity / (float)t->dt, (float)fmax(t->stiffness, inertia));
    return K * fminf(fmaxf((fullness - thinnest) / (thin - thinnest), 0), 1);
}

/* ς: as strong as the viscosity it stands beside, with some damping at the speed of pressure where
 * there is little. */
static float hold_strength(const tl_solve_task *t, float viscosity, float density, float S,
                           float K) {
    const float artificial = (float)(t->damping * t->spacing) * sqrtf(density * K);
    return 15 * ((float)t->hold * viscosity + artificial) / fmaxf(S, 0.1f * (float)t->full);
}

/* η, pressure and ς of one particle at strain rate H. */
static void set_state(const state_context *c, size_t i, float rate, float trace) {
    tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    float *m = s->strain.motion + i * TL_MOTION;
    const float S = s->strain.around[4 * i + 3];
    const float eta = t->part == TL_SOLVE_PRESSURE ? 0 : t->viscosity[i];
    const float K = bulk_stiffness(t, t->viscosity[i], s->rest_density[i], S / (float)t->full);
    const float dt = (float)t->dt;
    /* Held through the solve: a bound that moves keeps the set from settling. */
    if (c->outer == 0)
        s->pull[i] = t->tension ? 1e30f : cohesion * t->viscosity[i] * rate;
    const float pull = s->pull[i];
    const float p = s->lambda[i] + K * ((float)t->relief * s->compression[i] - dt * trace);
    /* At free surfaces the set may flicker for ever: it is renewed twice, then kept. Who should
     * have left it is held back a little in this step, who should have joined it does so in the
     * next. */
    const bool pressed = t->part != TL_SOLVE_VISCOSITY && K > 0 &&
                         (c->outer < renewals ? p >= -pull : s->bulk[i] > 0);
    s->shear[i] = eta;
    s->bulk[i] = pressed ? K * dt : 0;
    s->pressure[i] = t->part == TL_SOLVE_VISCOSITY ? s->lambda[i] : pressed ? p : K > 0 ? -pull : 0;
    m[3] = hold_strength(t, eta, s->rest_density[i], S, K);
    float *T = s->strain.tension + i * TL_TENSION;
    T[6] = (75 * eta + 9 * s->bulk[i]) / fmaxf(S * S, 1e-6f);
}

static void finish_state_fit(void *context, const tl_fit *fits, size_t begin, size_t end) {
    const state_context *c = context;
    tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    stress_sums sums = {0};
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = group(first, end, index);
        tl_wide b[8], inverse[TL_SYM6], H[6], x[4];
        float rates[TL_LANES], traces[TL_LANES], pressures[TL_LANES];
        /* ς as the sweep used it; set_state renews it. */
        tl_gather4(s->strain.motion + first * TL_MOTION, TL_MOTION, index, x);
        load_fit(fits + (first - begin), index, b);
        load_inverse(&s->strain, first, inverse);
        tl_sym6_times(inverse, b, H);
        if (t->curved)
            logarithmic(H, tl_splat((float)t->dt));
        const tl_wide trace = H[0] + H[1] + H[2];
        /* γ̇² = 2 dev H : dev H */
        const tl_wide squares = H[0] * H[0] + H[1] * H[1] + H[2] * H[2] +
                                2.0f * (H[3] * H[3] + H[4] * H[4] + H[5] * H[5]);
        tl_store(rates, tl_sqrt(tl_positive(2.0f * (squares - trace * trace * (1.0f / 3)))));
        tl_store(traces, trace);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            t->strain_rate[i] = rates[l];
            s->dilation[i] = traces[l];
        }
        if (c->outer < renewals)
            t->law(t->law_context, t->strain_rate, t->viscosity, first, first + count);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            set_state(c, i, rates[l], traces[l]);
            pressures[l] = s->pressure[i];
            if (!isfinite(rates[l]) && !sums.broken)
                sums.broken = i + 1;
            sums.viscous_power +=
                (double)(s->strain.motion[i * TL_MOTION + 7] * s->shear[i] * rates[l] * rates[l]);
        }
        for (size_t l = count; l < TL_LANES; l++)
            pressures[l] = 0;
        tl_wide stress[6];
        stress_of(H, tl_load(s->shear + first), tl_splat(0.0f), stress);
        for (int k = 0; k < 3; k++)
            stress[k] -= tl_load(pressures);
        store_tension(&s->strain, first, count, inverse, stress, b, x[3]);
    }
    for (size_t i = begin; i < end; i++)
        memcpy(s->q + 4 * i, fits[i - begin].hold, 3 * sizeof(float));
    c->partial[begin / TL_BLOCK] = sums;
}

/* What walls do to particle i: the part of its force that comes through its link. */
static void add_wall_force(const tl_strain *s, size_t i, float volume, stress_sums *sums) {
    const tl_wall_link *link = &s->link[s->link_of[i] - 1];
    const float *T = s->tension + i * TL_TENSION, *m = s->motion + i * TL_MOTION;
    float lever[6][3];
    tl_strain_lever(link->thirds, lever);
    const float *D = link->drag, *u = m + 4;
    const float drag[3] = {D[0] * u[0] + D[3] * u[1] + D[4] * u[2],
                           D[3] * u[0] + D[1] * u[1] + D[5] * u[2],
                           D[4] * u[0] + D[5] * u[1] + D[2] * u[2]};
    for (int k = 0; k < 3; k++) {
        float f = m[3] * (link->pull[k] - drag[k]);
        for (int r = 0; r < 6; r++)
            f += lever[r][k] * T[r];
        sums->wall_force[k] += (double)(volume * f);
    }
    float power =
        m[3] * (link->stir - link->pull[0] * u[0] - link->pull[1] * u[1] - link->pull[2] * u[2]);
    for (int r = 0; r < 6; r++)
        power += link->drive[r] * T[r];
    sums->wall_power += (double)(volume * power);
}

static void finish_state_force(void *context, const float (*force)[4], size_t begin, size_t end) {
    const state_context *c = context;
    tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    stress_sums *sums = &c->partial[begin / TL_BLOCK];
    for (size_t i = begin; i < end; i++) {
        const double mass = (double)t->mass[i];
        const float volume = s->strain.motion[i * TL_MOTION + 7];
        double change2 = 0;
        for (size_t k = 0; k < 3; k++) {
            const double u = t->velocity[3 * i + k], change = u - s->start[3 * i + k];
            const double pull = (double)volume * (double)(s->q[4 * i + k] + force[i - begin][k]);
            const double r = mass * (t->dt * t->gravity[k] - change) + t->dt * pull;
            s->r[4 * i + k] = (float)r;
            sums->residual2 += r * r;
            sums->force_power += pull * u;
            change2 += change * change;
        }
        sums->lag += 0.5 * mass * change2;
        sums->acceleration2 = fmax(sums->acceleration2, change2);
        if (s->strain.link_of[i])
            add_wall_force(&s->strain, i, volume, sums);
        if (!isfinite(sums->residual2) && !sums->broken)
            sums->broken = i + 1;
    }
}

static void split_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < 3; k++) {
            const double u = o->task->velocity[3 * i + k];
            const float high = (float)u;
            o->s->strain.motion[i * TL_MOTION + 4 + k] = high;
            o->s->strain.low[4 * i + k] = (float)(u - (double)high);
        }
}

/* Stress and residual at the present velocities. */
static stress_sums find_residual(tl_solver *s, const tl_solve_task *t, int outer) {
    operation o = {s, t, NULL};
    state_context c = {s, t, outer, s->partial};
    const size_t n = s->strain.particles;
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, split_range, &o);
    tl_strain_share_motion(&s->strain);
    tl_strain_fit(&s->strain, true, t->curved ? 0.5f * (float)t->dt : 0, finish_state_fit, &c);
    tl_strain_share_tension(&s->strain);
    tl_strain_share_motion(&s->strain);
    tl_strain_force(&s->strain, finish_state_force, &c);
    stress_sums total = {0};
    for (size_t b = 0; b < tl_block_count(n, TL_BLOCK); b++) {
        total.viscous_power += c.partial[b].viscous_power;
        total.force_power += c.partial[b].force_power;
        total.wall_power += c.partial[b].wall_power;
        total.lag += c.partial[b].lag;
        total.acceleration2 = fmax(total.acceleration2, c.partial[b].acceleration2);
        total.residual2 += c.partial[b].residual2;
        for (int k = 0; k < 3; k++)
            total.wall_force[k] += c.partial[b].wall_force[k];
        if (!total.broken)
            total.broken = c.partial[b].broken;
    }
    return total;
}

/* ---- Preconditioner ----------------------------------------------------------------------------
 */

/* Xᵀ (C X - ς G) with X = A⁻¹ G: what a particle's own fit adds to its diagonal block. */
TL_INLINE void own_block(const tl_wide inverse[TL_SYM6], const tl_wide G[3][6], tl_wide shear,
                         tl_wide bulk, tl_wide hold, tl_wide out[6]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    tl_wide X[3][6], Y[3][6];
    for (int c = 0; c < 3; c++) {
        tl_sym6_times(inverse, G[c], X[c]);
        stress_of(X[c], shear, bulk, Y[c]);
        for (int k = 0; k < 6; k++)
            Y[c][k] -= hold * (1 / (1 + TL_LEAST_ROUND)) * G[c][k];
    }
    for (int e = 0; e < 6; e++) {
        out[e] = X[row[e]][0] * Y[column[e]][0];
        for (int k = 1; k < 6; k++)
            out[e] += X[row[e]][k] * Y[column[e]][k];
    }
}

TL_INLINE void load_levers(const float *thirds, const uint32_t index[TL_LANES], tl_wide G[3][6]) {
    float lanes[3][6][TL_LANES];
    for (size_t l = 0; l < TL_LANES; l++) {
        float lever[6][3];
        tl_strain_lever(thirds + TL_THIRDS * index[l], lever);
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
        const size_t count = group(first, end, index);
        tl_wide inverse[TL_SYM6], G[3][6], x[4], out[6];
        float lanes[6][TL_LANES];
        load_inverse(&s->strain, first, inverse);
        load_levers(s->strain.thirds + TL_THIRDS * first, index, G);
        tl_gather4(s->strain.motion + first * TL_MOTION, TL_MOTION, index, x);
        own_block(inverse, (const tl_wide(*)[6])G, tl_load(s->shear + first),
                  tl_load(s->bulk + first), x[3], out);
        for (int k = 0; k < 6; k++)
            tl_store(lanes[k], out[k]);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            float *D = s->blocks + 8 * i;
            for (int k = 0; k < 6; k++)
                D[k] += lanes[k][l];
            invert_diagonal(D, o->task->mass[i],
                            (float)o->task->dt * s->strain.motion[i * TL_MOTION + 7]);
        }
    }
}

/* What walls add to the grids' operator at each particle with a link. */
static void make_wall_blocks(tl_solver *s, const tl_solve_task *t) {
    for (size_t w = 0; w < s->strain.link_count; w++) {
        const tl_wall_link *link = &s->strain.link[w];
        const size_t i = link->particle, first = i / TL_LANES * TL_LANES, lane = i - first;
        uint32_t index[TL_LANES] = {0};
        tl_wide inverse[TL_SYM6], G[3][6], out[6];
        load_inverse(&s->strain, first, inverse);
        load_levers(link->thirds, index, G);
        const float hold = s->strain.motion[i * TL_MOTION + 3];
        own_block(inverse, (const tl_wide(*)[6])G, tl_splat(s->shear[i]), tl_splat(s->bulk[i]),
                  tl_splat(hold), out);
        const float scale = (float)t->dt * s->strain.motion[i * TL_MOTION + 7];
        for (int k = 0; k < 6; k++)
            s->walls[w][k] = scale * (tl_lane(out[k], (int)lane) + hold * link->drag[k]);
    }
}

static void scale_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    for (size_t i = begin; i < end; i++) {
        const float scale = (float)o->task->dt * o->s->strain.motion[i * TL_MOTION + 7];
        o->s->z[2 * i] = scale * o->s->shear[i];
        o->s->z[2 * i + 1] = scale * o->s->bulk[i];
    }
}

static void make_preconditioner(tl_solver *s, const tl_solve_task *t) {
    operation o = {s, t, NULL};
    const size_t n = s->strain.particles;
    tl_strain_diagonal(&s->strain, s->blocks);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, blocks_range, &o);
    make_wall_blocks(s, t);
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, scale_range, &o);
    const tl_grid_matter matter = {.count = n,
                                   .place = s->strain.motion,
                                   .stride = TL_MOTION,
                                   .mass = t->mass,
                                   .shear = s->z,
                                   .bulk = s->z + 1,
                                   .wall_of = s->strain.link_of,
                                   .walls = (const float(*)[6])s->walls};
    tl_grids_assemble(s->grids, s->strain.parallel, &matter);
}

/* ---- Conjugate gradients -----------------------------------------------------------------------
 */

typedef struct vectors {
    tl_solver *s;
    float alpha, beta;
    double *partial;
    bool first;
} vectors;

/* z = block⁻¹ r */
static void jacobi_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const vectors *v = context;
    for (size_t i = begin; i < end; i++) {
        const float *D = v->s->blocks + 8 * i, *r = v->s->r + 4 * i;
        float *z = v->s->z + 4 * i;
        z[0] = D[0] * r[0] + D[3] * r[1] + D[4] * r[2];
        z[1] = D[3] * r[0] + D[1] * r[1] + D[5] * r[2];
        z[2] = D[4] * r[0] + D[5] * r[1] + D[2] * r[2];
        z[3] = 0;
    }
}

static void dot_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const vectors *v = context;
    double sum = 0;
    for (size_t k = 4 * begin; k < 4 * end; k++)
        sum += (double)v->s->r[k] * (double)v->s->z[k];
    v->partial[begin / TL_BLOCK] = sum;
}

/* p = z + β p */
static void direction_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const vectors *v = context;
    for (size_t i = begin; i < end; i++) {
        float *p = v->s->strain.motion + i * TL_MOTION + 4;
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
        const float *p = v->s->strain.motion + i * TL_MOTION + 4;
        for (size_t k = 0; k < 3; k++) {
            float *r = &v->s->r[4 * i + k];
            v->s->w[4 * i + k] += v->alpha * p[k];
            *r -= v->alpha * v->s->q[4 * i + k];
            sum += (double)*r * (double)*r;
        }
    }
    v->partial[begin / TL_BLOCK] = sum;
}

static double precondition(tl_solver *s) {
    const size_t n = s->strain.particles;
    const tl_parallel *parallel = s->strain.parallel;
    vectors v = {.s = s, .partial = s->partial};
    tl_parallel_for(parallel, n, TL_BLOCK, jacobi_range, &v);
    tl_grids_correct(s->grids, parallel, s->r, s->z);
    tl_parallel_for(parallel, n, TL_BLOCK, dot_range, &v);
    return add_blocks(v.partial, n);
}

/* Solves A w = r until |r| <= target. Returns the iterations; *left is |r|. */
static int conjugate_gradients(tl_solver *s, const tl_solve_task *t, double target, double *left) {
    const size_t n = s->strain.particles;
    const tl_parallel *parallel = s->strain.parallel;
    memset(s->w, 0, 4 * n * sizeof *s->w);
    vectors v = {.s = s, .partial = s->partial, .first = true};
    double rz = precondition(s);
    int iteration = 0;
    while (iteration < t->max_iterations) {
        tl_parallel_for(parallel, n, TL_BLOCK, direction_range, &v);
        const double curvature = apply(s, t);
        iteration++;
        if (!(curvature > 0) || !(rz > 0))
            break;
        v.alpha = (float)(rz / curvature);
        tl_parallel_for(parallel, n, TL_BLOCK, advance_range, &v);
        *left = sqrt(add_blocks(v.partial, n));
        if (!(*left > target))
            break;
        const double next = precondition(s);
        v.beta = (float)(next / rz);
        v.first = false;
        rz = next;
    }
    return iteration;
}

/* ---- The solve ---------------------------------------------------------------------------------
 */

static void take_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < 3; k++)
            o->task->velocity[3 * i + k] += (double)o->s->w[4 * i + k];
}

/* The momentum that counts as much: gravity's in the step, or a part of the motion's. */
static double reference(const tl_solver *s, const tl_solve_task *t) {
    const double g = sqrt(t->gravity[0] * t->gravity[0] + t->gravity[1] * t->gravity[1] +
                          t->gravity[2] * t->gravity[2]);
    double weight = 0, motion = 0;
    for (size_t i = 0; i < s->strain.particles; i++) {
        const double mass = (double)t->mass[i], *u = s->start + 3 * i;
        weight += pow(mass * g * t->dt, 2);
        motion += mass * mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    return fmax(sqrt(weight), 1e-3 * sqrt(motion));
}

static void left_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    for (size_t i = begin; i < end; i++) {
        float *pair = o->s->strain.tension + i * TL_TENSION + 6;
        pair[0] = o->s->compression[i];
        pair[1] = (float)o->task->dt * o->s->dilation[i];
    }
}

static void smooth_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const operation *o = context;
    tl_solver *s = o->s;
    const tl_solve_task *t = o->task;
    for (size_t i = begin; i < end; i++) {
        const float *own = s->strain.tension + i * TL_TENSION + 6, *mean = s->z + 2 * i;
        const float e = own[0] + smoothing * (mean[0] - own[0]);
        const float growth = own[1] + smoothing * (mean[1] - own[1]);
        const float K = bulk_stiffness(t, t->viscosity[i], s->rest_density[i],
                                       s->strain.around[4 * i + 3] / (float)t->full);
        const float p = s->lambda[i] + K * ((float)t->relief * e - growth);
        s->left[i] = e - growth;
        if (t->part != TL_SOLVE_VISCOSITY)
            s->pressure[i] = K > 0 ? fmaxf(p, -s->pull[i]) : 0;
    }
}

/* Smooths compression and dilation, and takes the pressure from that. */
static void smooth_pressure(tl_solver *s, const tl_solve_task *t) {
    operation o = {s, t, NULL};
    tl_parallel_for(s->strain.parallel, s->strain.particles, TL_BLOCK, left_range, &o);
    tl_strain_share_tension(&s->strain);
    tl_strain_average(&s->strain, s->z);
    tl_parallel_for(s->strain.parallel, s->strain.particles, TL_BLOCK, smooth_range, &o);
}

static tl_status place_grids(tl_solver *s, const tl_solve_task *t, tl_error *error) {
    const tl_grid_matter matter = {
        .count = s->strain.particles, .place = s->strain.motion, .stride = TL_MOTION};
    return tl_grids_place(s->grids, s->strain.parallel, &matter, cell_of_spacing * t->spacing,
                          error);
}

tl_status tl_solve(tl_solver *s, const tl_solve_task *t, tl_solve_report *report, tl_error *error) {
    TL_TRY(place_grids(s, t, error));
    const size_t n = s->strain.particles;
    operation o = {s, t, NULL};
    double scale = reference(s, t);
    *report = (tl_solve_report){0};
    for (size_t i = 0; i < n; i++) {
        const float S = s->strain.around[4 * i + 3], density = s->rest_density[i];
        const float K = bulk_stiffness(t, t->viscosity[i], density, S / (float)t->full);
        s->strain.motion[i * TL_MOTION + 3] =
            hold_strength(t, t->part == TL_SOLVE_PRESSURE ? 0 : t->viscosity[i], density, S, K);
    }
    for (;;) {
        const stress_sums now = find_residual(s, t, report->outer);
        const double size = sqrt(now.residual2);
        if (report->outer == 0)
            scale = fmax(scale, 0.1 * size);
        report->residual = scale > 0 ? size / scale : 0;
        report->viscous_power = now.viscous_power;
        report->wall_power = now.wall_power;
        report->numerical_power = now.wall_power - now.force_power - now.viscous_power;
        report->lag = now.lag;
        report->acceleration = sqrt(now.acceleration2) / t->dt;
        memcpy(report->wall_force, now.wall_force, sizeof now.wall_force);
        if (now.broken) {
            report->broken = true;
            report->worst = now.broken - 1;
            return TL_OK;
        }
        report->converged = size <= t->tolerance * scale;
        if (report->converged || report->outer == t->max_outer) {
            report->converged = size <= acceptable * t->tolerance * scale;
            break;
        }
        /* Later changes of η and of the set under pressure are few: the first one serves. */
        if (report->outer == 0)
            make_preconditioner(s, t);
        double left = size;
        report->iterations +=
            conjugate_gradients(s, t, fmax(0.5 * t->tolerance * scale, 0.02 * size), &left);
        tl_parallel_for(s->strain.parallel, n, TL_BLOCK, take_range, &o);
        report->outer++;
    }
    smooth_pressure(s, t);
    double left2 = 0;
    for (size_t i = 0; i < n; i++)
        left2 += (double)s->left[i] * (double)s->left[i];
    report->volume_error = n ? sqrt(left2 / (double)n) : 0;
    return TL_OK;
}
