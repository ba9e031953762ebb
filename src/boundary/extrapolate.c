/* See extrapolate.h. */
#include "boundary/extrapolate.h"

#include "base/blocks.h"

#include <string.h>

typedef struct keep_context {
    const tl_records *records;
    tl_neighbor_list *list;
} keep_context;

static void keep_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const keep_context *c = context;
    const uint32_t padding = (uint32_t)tl_records_total(c->records);
    for (size_t i = c->records->particles + begin; i < c->records->particles + end; i++) {
        uint32_t *row = c->list->index + c->list->begin[i], kept = 0;
        for (uint32_t k = 0; k < c->list->size[i]; k++)
            if (tl_records_is_matter(c->records, row[k]))
                row[kept++] = row[k];
        for (size_t k = kept; k < tl_pad_lanes(c->list->size[i]); k++)
            row[k] = padding;
        c->list->size[i] = kept;
    }
}

void tl_keep_matter(const tl_parallel *parallel, const tl_records *records,
                    tl_neighbor_list *list) {
    keep_context c = {records, list};
    tl_parallel_for(parallel, records->samples, TL_BLOCK, keep_range, &c);
    list->pair_count = 0;
    for (size_t i = 0; i < list->row_count; i++)
        list->pair_count += list->size[i];
}

typedef struct sample_context {
    const tl_pass *pass;
    const tl_extrapolation *e;
    tl_wall_action *partial;
    float unit; /* the slope of tl_pass_units */
} sample_context;

/* f·d for matter at d, of a group of lanes: f is what acts on each particle besides gravity. */
TL_INLINE tl_wide pull_along(const tl_extrapolation *e, const uint32_t *row, const tl_wide d[3]) {
    tl_wide sum = tl_splat(0);
    for (size_t k = 0; k < 3; k++) {
        float own[TL_LANES];
        for (size_t l = 0; l < TL_LANES; l++) {
            const size_t j = tl_source_of(e->records, row[l]);
            own[l] = j < e->records->particles ? e->force.each[3 * j + k] : 0; /* the padding */
        }
        sum += tl_load(own) * d[k];
    }
    return sum;
}

/* ---- Velocity ----------------------------------------------------------------------------------
 */

/* Sums over the matter near one sample with weight V_j W. Any bell serves as a weight: one kernel
 * for all flows. */
typedef struct velocity_sums {
    float weight, velocity[3], volume, mass; /* Σ (1, v_j, V_j, m_j) */
    float drop;                              /* Σ m_j g·d */
} velocity_sums;

static void sum_velocity(const sample_context *c, size_t i, velocity_sums *out) {
    const tl_pass *pass = c->pass;
    const tl_record *a = pass->records->a, *self = &a[i];
    const float gravity[3] = {(float)c->e->force.uniform[0], (float)c->e->force.uniform[1],
                              (float)c->e->force.uniform[2]};
    const float inverse_support = 1 / pass->support;
    tl_wide weight = tl_splat(0), u = weight, v = weight, w = weight, volume = weight,
            mass = weight, drop = weight;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide x[4], y[4];
        TL_GATHER4(a, x, row + k, x);
        TL_GATHER4(a, v, row + k, y);
        const tl_wide d[3] = {x[0] - self->x[0], x[1] - self->x[1], x[2] - self->x[2]};
        const tl_wide q = tl_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * inverse_support;
        const tl_wide own = x[3] * y[3];
        const tl_wide share = own * tl_kernel_shape(TL_KERNEL_WENDLAND, q);
        weight += share;
        u += share * y[0], v += share * y[1], w += share * y[2];
        volume += share * own;
        mass += share * x[3];
        drop += share * x[3] * (gravity[0] * d[0] + gravity[1] * d[1] + gravity[2] * d[2]);
        if (c->e->force.each)
            drop += share * x[3] * pull_along(c->e, row + k, d);
    }
    float s[8];
    tl_store_sum4(s, weight, u, v, w);
    tl_store_sum4(s + 4, volume, mass, drop, tl_splat(0));
    *out = (velocity_sums){s[0], {s[1], s[2], s[3]}, s[4], s[5], s[6]};
}

/* The velocity a sample shows, so that the mean of both sides of the wall moves as the wall does.
 */
static void show_velocity(const tl_extrapolation *e, const tl_sample *sample,
                          const velocity_sums *sums, float v[3]) {
    const tl_shape *shape = &e->shapes->items[sample->shape];
    const tl_vec3 own = tl_sample_velocity(shape, sample, e->origin);
    const float wall[3] = {(float)own.x, (float)own.y, (float)own.z};
    if (!(sums->weight > 0)) {
        memcpy(v, wall, sizeof wall);
        return;
    }
    float mean[3], approach = 0;
    for (int k = 0; k < 3; k++) {
        mean[k] = sums->velocity[k] / sums->weight;
        approach += (mean[k] - wall[k]) * sample->normal[k];
    }
    for (int k = 0; k < 3; k++)
        v[k] = (1 - shape->slip) * (2 * wall[k] - mean[k]) +
               shape->slip * (mean[k] - 2 * approach * sample->normal[k]);
}

/* Mass and 1/ρ of a sample: those of the matter, the compression continued hydrostatically. */
static void show_density(const tl_extrapolation *e, const velocity_sums *sums, tl_record *record) {
    record->mass = e->sample_mass;
    record->inverse_density = 1 / e->sample_density;
    if (!(sums->weight > 0))
        return;
    record->mass = sums->mass / sums->weight;
    record->inverse_density = (sums->volume + sums->drop / e->stiffness) / sums->mass;
}

static void velocity_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sample_context *c = context;
    const tl_extrapolation *e = c->e;
    for (size_t s = begin; s < end; s++) {
        velocity_sums sums;
        const size_t i = e->records->particles + s;
        sum_velocity(c, i, &sums);
        const tl_sample *sample = &e->samples->items[s];
        tl_record *record = &e->records->a[i];
        show_velocity(e, sample, &sums, record->v);
        show_density(e, &sums, record);
    }
}

void tl_extrapolate_velocity(const tl_pass *pass, const tl_extrapolation *e) {
    sample_context c = {pass, e, NULL, 0};
    tl_parallel_for(pass->parallel, e->samples->count, TL_BLOCK, velocity_range, &c);
}

/* ---- Stress ------------------------------------------------------------------------------------
 */

/* Sums over the matter near one sample, with G = V_j |W'|/r d, d from the sample to the matter. */
typedef struct stress_sums {
    float weight, pressure, viscosity, hydrostatic; /* Σ V W (1, p_j, μ_j), Σ m β W g·d */
    float side[3], flux;                            /* Σ G, Σ G·v_j */
    float press[3];                                 /* Σ p_j G */
    float drag[3], own_drag[3];                     /* Σ V_j |W'|/r (v_w - v_j) (μ_j, 1) */
    float drag_power, own_drag_power; /* ½ Σ V_j |W'|/r (|v_w|² - |v_j|²) (μ_j, 1) */
    float damping[3], damping_power;  /* the artificial viscosity's force on the matter */
} stress_sums;

static void sum_stress(const sample_context *c, size_t i, stress_sums *out) {
    const tl_pass *pass = c->pass;
    const tl_record *a = pass->records->a, *self = &a[i];
    const float R = pass->support, inverse_support = 1 / R, softening = 0.01f * R * R;
    const float gravity[3] = {(float)c->e->force.uniform[0], (float)c->e->force.uniform[1],
                              (float)c->e->force.uniform[2]};
    const float own_speed2 =
        self->v[0] * self->v[0] + self->v[1] * self->v[1] + self->v[2] * self->v[2];
    const tl_wide zero = tl_splat(0);
    tl_wide weight = zero, pressure = zero, viscosity = zero, hydrostatic = zero, flux = zero;
    tl_wide drag_power = zero, own_drag_power = zero, damping_power = zero;
    tl_wide side[3], press[3], drag[3], own_drag[3], damping[3];
    for (int k = 0; k < 3; k++)
        side[k] = press[k] = drag[k] = own_drag[k] = damping[k] = zero;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide x[4], v[4], s[4]; /* the last as in tl_stress */
        TL_GATHER4(a, x, row + k, x);
        TL_GATHER4(a, v, row + k, v);
        TL_GATHER4(pass->records->b, pressure, row + k, s);
        const tl_wide d[3] = {x[0] - self->x[0], x[1] - self->x[1], x[2] - self->x[2]};
        const tl_wide u[3] = {self->v[0] - v[0], self->v[1] - v[1], self->v[2] - v[2]};
        const tl_wide r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const tl_wide q = tl_sqrt(r2) * inverse_support, volume = x[3] * v[3];
        const tl_wide w = tl_kernel_shape(TL_KERNEL_WENDLAND, q), share = volume * w;
        weight += share;
        pressure += share * s[0];
        viscosity += share * s[1];
        hydrostatic +=
            x[3] * s[2] * w * (gravity[0] * d[0] + gravity[1] * d[1] + gravity[2] * d[2]);

        const tl_wide slope = -tl_kernel_slope(pass->kernel, q), g = volume * slope;
        const tl_wide along = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
        const tl_wide speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        /* The pair's artificial viscosity as the second pass has it, seen from the matter. */
        const tl_wide approach = -(u[0] * d[0] + u[1] * d[1] + u[2] * d[2]);
        const tl_wide push = x[3] * slope * (0.5f * (self->inverse_density + v[3])) *
                             (tl_negative(approach) / (r2 + softening));
        flux += g * along;
        for (int n = 0; n < 3; n++) {
            side[n] += g * d[n];
            press[n] += g * s[0] * d[n];
            own_drag[n] += g * u[n];
            drag[n] += g * s[1] * u[n];
            damping[n] -= push * d[n];
        }
        own_drag_power += 0.5f * g * (own_speed2 - speed2);
        drag_power += 0.5f * g * s[1] * (own_speed2 - speed2);
        damping_power += push * (0.5f * approach - along);
        if (c->e->force.each)
            hydrostatic += x[3] * s[2] * w * pull_along(c->e, row + k, d);
    }
    float f[24];
    tl_store_sum4(f, weight, pressure, viscosity, hydrostatic);
    tl_store_sum4(f + 4, side[0], side[1], side[2], flux);
    tl_store_sum4(f + 8, press[0], press[1], press[2], drag_power);
    tl_store_sum4(f + 12, drag[0], drag[1], drag[2], own_drag_power);
    tl_store_sum4(f + 16, own_drag[0], own_drag[1], own_drag[2], damping_power);
    tl_store_sum4(f + 20, damping[0], damping[1], damping[2], zero);
    *out = (stress_sums){.weight = f[0],
                         .pressure = f[1],
                         .viscosity = f[2],
                         .hydrostatic = f[3],
                         .side = {f[4], f[5], f[6]},
                         .flux = f[7],
                         .press = {f[8], f[9], f[10]},
                         .drag_power = f[11],
                         .drag = {f[12], f[13], f[14]},
                         .own_drag_power = f[15],
                         .own_drag = {f[16], f[17], f[18]},
                         .damping_power = f[19],
                         .damping = {f[20], f[21], f[22]}};
}

/* The b-record a sample shows. */
static void show_stress(const tl_extrapolation *e, const stress_sums *sums, tl_stress *b) {
    *b = (tl_stress){.beta = 1};
    if (!(sums->weight > 0))
        return;
    /* The matter is at x_w + d: going from it to the sample is going by -d. */
    b->pressure = (sums->pressure - sums->hydrostatic) / sums->weight;
    if (b->pressure < 0 && !e->pulls)
        b->pressure = 0;
    b->viscosity = sums->viscosity / sums->weight;
}

/* Adds what one sample does to the matter: forces, and the work that is not in the matter's own
 * books of pressure work (p_i V_i tr H_i) and of viscous and damping heat (half of each pair's). */
static void add_action(const sample_context *c, const tl_record *record, const tl_stress *b,
                       const stress_sums *s, tl_wall_action *action) {
    const float volume = tl_record_volume(record), *v = record->v;
    const double unit = (double)c->unit;
    const double damping = (double)(c->e->damping * record->mass);
    float press_power = b->pressure * s->flux;
    for (int k = 0; k < 3; k++) {
        const float force = volume * (s->press[k] + b->pressure * s->side[k] + s->drag[k] +
                                      b->viscosity * s->own_drag[k]);
        press_power += s->press[k] * v[k];
        action->force[k] += unit * ((double)force + damping * (double)s->damping[k]);
    }
    const float power = volume * (press_power + s->drag_power + b->viscosity * s->own_drag_power);
    action->numerical += unit * ((double)power + damping * (double)s->damping_power);
}

/* ---- Tensors -----------------------------------------------------------------------------------
 */

/* Sums over the matter near one sample, with G = V_j |W'|/r d as above. */
typedef struct tensor_sums {
    float tensor[TL_TENSOR], weight; /* Σ V W (S_j, 1) */
    float side[3];                   /* Σ G */
    float pull[3];                   /* Σ S_j G */
    float flux[9];                   /* Σ v_j ⊗ G */
} tensor_sums;

TL_INLINE void sum_tensor(tl_tensors kind, const sample_context *c, size_t i, tensor_sums *out) {
    const tl_pass *pass = c->pass;
    const tl_record *a = pass->records->a, *self = &a[i];
    const float inverse_support = 1 / pass->support;
    tl_wide sums[24], *tensor = sums, *weight = sums + 8, *side = sums + 9, *pull = sums + 12,
                      *flux = sums + 15;
    for (int k = 0; k < 24; k++)
        sums[k] = tl_splat(0);
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide x[4], v[4], s[TL_TENSOR], S[9];
        TL_GATHER4(a, x, row + k, x);
        TL_GATHER4(a, v, row + k, v);
        TL_GATHER4(pass->records->c, s, row + k, s);
        TL_GATHER4(pass->records->c, s[4], row + k, s + 4);
        if (kind == TL_TENSORS_PRESSURE) { /* what S has beyond the β p of the b-record */
            tl_wide b[4];
            TL_GATHER4(pass->records->b, pressure, row + k, b);
            for (int n = 0; n < 3; n++)
                s[n] += b[0];
        }
        TL_TENSOR_UNPACK(kind, s, S);
        const tl_wide d[3] = {x[0] - self->x[0], x[1] - self->x[1], x[2] - self->x[2]};
        const tl_wide q = tl_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * inverse_support;
        const tl_wide volume = x[3] * v[3];
        const tl_wide share = volume * tl_kernel_shape(TL_KERNEL_WENDLAND, q);
        const tl_wide g = -volume * tl_kernel_slope(pass->kernel, q);
        const tl_wide G[3] = {g * d[0], g * d[1], g * d[2]};
        *weight += share;
        for (int n = 0; n < TL_TENSOR; n++)
            tensor[n] += share * s[n];
        for (int n = 0; n < 3; n++) {
            side[n] += G[n];
            pull[n] += S[3 * n] * G[0] + S[3 * n + 1] * G[1] + S[3 * n + 2] * G[2];
            for (int m = 0; m < 3; m++)
                flux[3 * n + m] += v[n] * G[m];
        }
    }
    float f[24];
    _Static_assert(sizeof *out == sizeof f, "the sums fill a tensor_sums");
    for (int k = 0; k < 24; k += 4)
        tl_store_sum4(f + k, sums[k], sums[k + 1], sums[k + 2], sums[k + 3]);
    memcpy(out, f, sizeof f);
}

/* S seen in a mirror with normal n: R S R, R = I - 2 n nᵀ. */
static void mirror(const float n[3], float S[9]) {
    float right[3], left[3], twice = 0; /* S n, nᵀ S, 2 n·S n */
    for (int r = 0; r < 3; r++) {
        right[r] = S[3 * r] * n[0] + S[3 * r + 1] * n[1] + S[3 * r + 2] * n[2];
        left[r] = S[r] * n[0] + S[3 + r] * n[1] + S[6 + r] * n[2];
        twice += 2 * n[r] * right[r];
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            S[3 * r + c] -= 2 * (n[r] * left[c] + right[r] * n[c] - twice * n[r] * n[c]);
}

/* The S that a sample shows. */
static void show_tensor(tl_tensors kind, const tl_shape *shape, const tl_sample *sample,
                        const tensor_sums *sums, float S[9]) {
    float mean[TL_TENSOR];
    for (int k = 0; k < TL_TENSOR; k++)
        mean[k] = sums->weight > 0 ? sums->tensor[k] / sums->weight : 0;
    TL_TENSOR_UNPACK(kind, mean, S);
    if (!(shape->slip > 0))
        return;
    float own[9];
    memcpy(own, S, sizeof own);
    mirror(sample->normal, S);
    for (int k = 0; k < 9; k++)
        S[k] = shape->slip * S[k] + (1 - shape->slip) * own[k];
}

/* Adds the force Σ (S_j + S_w) G on the matter, G towards the sample, and the work that is not in
 * the matter's own books, S_j : H_j. */
static void add_pull(const sample_context *c, const tl_record *record, const float S[9],
                     const tensor_sums *s, tl_wall_action *action) {
    const double scale = -(double)c->unit * (double)tl_record_volume(record);
    float power = 0;
    for (int r = 0; r < 3; r++) {
        const float own =
            S[3 * r] * s->side[0] + S[3 * r + 1] * s->side[1] + S[3 * r + 2] * s->side[2];
        action->force[r] += scale * (double)(s->pull[r] + own);
        power += s->pull[r] * record->v[r];
    }
    for (int k = 0; k < 9; k++)
        power += S[k] * s->flux[k];
    action->numerical += scale * (double)power;
}

static void pull_sample(const sample_context *c, size_t k, tl_wall_action *action) {
    const tl_extrapolation *e = c->e;
    const tl_tensors kind = e->records->tensors;
    const size_t i = e->records->particles + k;
    const tl_sample *sample = &e->samples->items[k];
    tensor_sums sums = {0};
    switch (kind) {
    case TL_TENSORS_NONE: return;
    case TL_TENSORS_PRESSURE: sum_tensor(TL_TENSORS_PRESSURE, c, i, &sums); break;
    case TL_TENSORS_SYMMETRIC: sum_tensor(TL_TENSORS_SYMMETRIC, c, i, &sums); break;
    case TL_TENSORS_TRACELESS: sum_tensor(TL_TENSORS_TRACELESS, c, i, &sums); break;
    }
    float S[9];
    show_tensor(kind, &e->shapes->items[sample->shape], sample, &sums, S);
    if (kind == TL_TENSORS_PRESSURE)
        tl_tensor_pack_pressure(S, &e->records->b[i], &e->records->c[i]);
    else
        tl_tensor_pack(kind, S, &e->records->c[i]);
    add_pull(c, &e->records->a[i], S, &sums, action);
}

/* ---- Both --------------------------------------------------------------------------------------
 */

/* A wall does the work of its force along its own motion, none at rest. What else its samples do,
 * moving as the matter shows them, is the scheme's. */
static void add_sample(const tl_extrapolation *e, size_t k, const tl_wall_action *own,
                       tl_wall_action *total) {
    const tl_sample *sample = &e->samples->items[k];
    const tl_vec3 v = tl_sample_velocity(&e->shapes->items[sample->shape], sample, e->origin);
    const double work = tl_vec3_dot(tl_vec3_of(own->force), v);
    for (int n = 0; n < 3; n++)
        total->force[n] += own->force[n];
    total->power += work;
    total->numerical += own->numerical - work;
}

static void stress_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sample_context *c = context;
    const tl_records *records = c->e->records;
    tl_wall_action action = {0};
    for (size_t k = begin; k < end; k++) {
        stress_sums sums;
        tl_wall_action own = {0};
        const size_t i = records->particles + k;
        sum_stress(c, i, &sums);
        tl_stress *b = &records->b[i];
        show_stress(c->e, &sums, b);
        add_action(c, &records->a[i], b, &sums, &own);
        pull_sample(c, k, &own);
        add_sample(c->e, k, &own, &action);
        if (c->e->thrust)
            memcpy(c->e->thrust[k], own.force, sizeof own.force);
    }
    c->partial[begin / TL_BLOCK] = action;
}

static void join_actions(void *to, const void *from) {
    tl_wall_action *total = to;
    const tl_wall_action *p = from;
    for (int k = 0; k < 3; k++)
        total->force[k] += p->force[k];
    total->power += p->power;
    total->numerical += p->numerical;
}

tl_wall_action tl_extrapolate_stress(const tl_pass *pass, const tl_extrapolation *e,
                                     tl_wall_action *partial) {
    sample_context c = {pass, e, partial, tl_units_of_pass(pass).slope};
    tl_parallel_for(pass->parallel, e->samples->count, TL_BLOCK, stress_range, &c);
    tl_wall_action total = {0};
    tl_join_blocks(&total, partial, sizeof *partial, e->samples->count, join_actions);
    return total;
}
