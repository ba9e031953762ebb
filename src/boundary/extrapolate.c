/* See extrapolate.h. */
#include "boundary/extrapolate.h"

#include <string.h>

void tl_keep_matter(const tl_records *records, tl_neighbor_list *list) {
    const uint32_t padding = (uint32_t)tl_records_total(records);
    for (size_t i = records->particles; i < list->row_count; i++) {
        uint32_t *row = list->index + list->begin[i], kept = 0;
        for (uint32_t k = 0; k < list->size[i]; k++)
            if (tl_records_is_matter(records, row[k]))
                row[kept++] = row[k];
        list->pair_count -= list->size[i] - kept;
        for (size_t k = kept; k < tl_pad_lanes(list->size[i]); k++)
            row[k] = padding;
        list->size[i] = kept;
    }
}

typedef struct sample_context {
    const tl_pass *pass;
    const tl_extrapolation *e;
    tl_wall_action *partial;
} sample_context;

/* ---- Velocity ----------------------------------------------------------------------------------
 */

/* Sums over the matter near one sample with weight V_j W. Any bell serves as a weight: one kernel
 * for all flows. */
typedef struct velocity_sums {
    float weight, velocity[3], volume; /* Σ (1, v_j, V_j) */
    float drop;                        /* Σ g·d */
} velocity_sums;

static void sum_velocity(const sample_context *c, size_t i, velocity_sums *out) {
    const tl_pass *pass = c->pass;
    const float *a = pass->records->a, *self = a + i * TL_RECORD, *gravity = c->e->gravity;
    const float inverse_support = 1 / pass->support;
    tl_wide weight = tl_splat(0), u = weight, v = weight, w = weight, volume = weight,
            drop = weight;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide x[4], y[4];
        tl_gather4(a, TL_RECORD, row + k, x);
        tl_gather4(a + 4, TL_RECORD, row + k, y);
        const tl_wide dx = x[0] - self[0], dy = x[1] - self[1], dz = x[2] - self[2];
        const tl_wide q = tl_sqrt(dx * dx + dy * dy + dz * dz) * inverse_support;
        const tl_wide own = x[3] * y[3];
        const tl_wide share = own * tl_kernel_shape(TL_KERNEL_WENDLAND, q);
        weight += share;
        u += share * y[0], v += share * y[1], w += share * y[2];
        volume += share * own;
        drop += share * (gravity[0] * dx + gravity[1] * dy + gravity[2] * dz);
    }
    float s[8];
    tl_store_sum4(s, weight, u, v, w);
    tl_store_sum4(s + 4, volume, drop, tl_splat(0), tl_splat(0));
    *out = (velocity_sums){s[0], {s[1], s[2], s[3]}, s[4], s[5]};
}

/* The velocity a sample shows, so that the mean of both sides of the wall moves as the wall does.
 */
static void show_velocity(const tl_shape *shape, const tl_sample *sample, const velocity_sums *sums,
                          float v[3]) {
    const float wall[3] = {(float)shape->velocity.x, (float)shape->velocity.y,
                           (float)shape->velocity.z};
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
        v[k] = shape->contact == TL_CONTACT_NO_SLIP ? 2 * wall[k] - mean[k]
                                                    : mean[k] - 2 * approach * sample->normal[k];
}

/* 1/ρ of a sample: the compression of the matter, continued hydrostatically. Its mass stays. */
static float show_specific_volume(const tl_extrapolation *e, const velocity_sums *sums) {
    if (!(sums->weight > 0))
        return 1 / e->sample_density;
    const float rest = e->sample_mass / e->sample_density;
    const float volume =
        (sums->volume + rest * sums->drop / (e->sound_speed * e->sound_speed)) / sums->weight;
    return volume / e->sample_mass;
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
        float *record = e->records->a + i * TL_RECORD;
        show_velocity(&e->shapes->items[sample->shape], sample, &sums, record + 4);
        record[7] = show_specific_volume(e, &sums);
    }
}

void tl_extrapolate_velocity(const tl_pass *pass, const tl_extrapolation *e) {
    sample_context c = {pass, e, NULL};
    tl_parallel_for(pass->parallel, e->samples->count, TL_BLOCK, velocity_range, &c);
}

/* ---- Stress ------------------------------------------------------------------------------------
 */

enum { XX, YY, ZZ, XY, XZ, YZ };

/* Sums over the matter near one sample, with G = V_j |W'|/r d, d from the sample to the matter. */
typedef struct stress_sums {
    float weight, stress[6], hydrostatic; /* Σ V W (1, σ_j), Σ m β W g·d */
    float side[3], traction[3];           /* Σ G, Σ σ_j G */
    float flux[6];                        /* Σ sym(v_j ⊗ G), off-diagonal ones doubled */
    float damping[3], damping_power;      /* Σ of the artificial viscosity's force on the matter */
} stress_sums;

static void sum_stress(const sample_context *c, size_t i, stress_sums *out) {
    const tl_pass *pass = c->pass;
    const float *a = pass->records->a, *b = pass->records->b, *self = a + i * TL_RECORD;
    const float R = pass->support, inverse_support = 1 / R, softening = 0.01f * R * R;
    const float *gravity = c->e->gravity;
    const tl_wide zero = tl_splat(0);
    tl_wide weight = zero, hydrostatic = zero, power = zero, stress[6], flux[6], side[3],
            traction[3], damping[3];
    for (int k = 0; k < 6; k++)
        stress[k] = flux[k] = zero;
    for (int k = 0; k < 3; k++)
        side[k] = traction[k] = damping[k] = zero;
    size_t size;
    const uint32_t *row = tl_neighbor_row(pass->list, i, &size);
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide x[4], v[4], lo[4], hi[4];
        tl_gather4(a, TL_RECORD, row + k, x);
        tl_gather4(a + 4, TL_RECORD, row + k, v);
        tl_gather4(b, TL_RECORD, row + k, lo);
        tl_gather4(b + 4, TL_RECORD, row + k, hi);
        const tl_wide dx = x[0] - self[0], dy = x[1] - self[1], dz = x[2] - self[2];
        const tl_wide r2 = dx * dx + dy * dy + dz * dz, q = tl_sqrt(r2) * inverse_support;
        const tl_wide w = tl_kernel_shape(TL_KERNEL_WENDLAND, q), volume = x[3] * v[3];
        const tl_wide share = volume * w;
        weight += share;
        stress[XX] += share * lo[0], stress[YY] += share * lo[1], stress[ZZ] += share * lo[2];
        stress[XY] += share * lo[3], stress[XZ] += share * hi[0], stress[YZ] += share * hi[1];
        hydrostatic += x[3] * hi[2] * w * (gravity[0] * dx + gravity[1] * dy + gravity[2] * dz);

        const tl_wide slope = -tl_kernel_slope(pass->kernel, q), g = volume * slope;
        const tl_wide gx = g * dx, gy = g * dy, gz = g * dz;
        side[0] += gx, side[1] += gy, side[2] += gz;
        traction[0] += lo[0] * gx + lo[3] * gy + hi[0] * gz;
        traction[1] += lo[3] * gx + lo[1] * gy + hi[1] * gz;
        traction[2] += hi[0] * gx + hi[1] * gy + lo[2] * gz;
        flux[XX] += v[0] * gx, flux[YY] += v[1] * gy, flux[ZZ] += v[2] * gz;
        flux[XY] += v[0] * gy + v[1] * gx, flux[XZ] += v[0] * gz + v[2] * gx;
        flux[YZ] += v[1] * gz + v[2] * gy;

        /* The pair's artificial viscosity as the second pass has it, seen from the matter. */
        const tl_wide du = v[0] - self[4], dv = v[1] - self[5], dw = v[2] - self[6];
        const tl_wide approach = du * dx + dv * dy + dw * dz;
        const tl_wide push =
            x[3] * slope * (0.5f * (self[7] + v[3])) * (tl_negative(approach) / (r2 + softening));
        const tl_wide fx = -push * dx, fy = -push * dy, fz = -push * dz;
        damping[0] += fx, damping[1] += fy, damping[2] += fz;
        power += fx * v[0] + fy * v[1] + fz * v[2] + 0.5f * (push * approach);
    }
    float s[24];
    tl_store_sum4(s, weight, stress[0], stress[1], stress[2]);
    tl_store_sum4(s + 4, stress[3], stress[4], stress[5], hydrostatic);
    tl_store_sum4(s + 8, side[0], side[1], side[2], power);
    tl_store_sum4(s + 12, traction[0], traction[1], traction[2], damping[0]);
    tl_store_sum4(s + 16, flux[0], flux[1], flux[2], damping[1]);
    tl_store_sum4(s + 20, flux[3], flux[4], flux[5], damping[2]);
    *out = (stress_sums){.weight = s[0],
                         .hydrostatic = s[7],
                         .damping_power = s[11],
                         .damping = {s[15], s[19], s[23]}};
    memcpy(out->stress, s + 1, sizeof out->stress);
    memcpy(out->side, s + 8, sizeof out->side);
    memcpy(out->traction, s + 12, sizeof out->traction);
    memcpy(out->flux, s + 16, 3 * sizeof(float));
    memcpy(out->flux + 3, s + 20, 3 * sizeof(float));
}

/* Mirrors a deviator at a plane: S' = M S M with M = I - 2 n nᵀ. */
static void mirror(const float n[3], float s[6]) {
    const float m[3][3] = {{s[XX], s[XY], s[XZ]}, {s[XY], s[YY], s[YZ]}, {s[XZ], s[YZ], s[ZZ]}};
    float sn[3], nsn = 0;
    for (int k = 0; k < 3; k++)
        sn[k] = m[k][0] * n[0] + m[k][1] * n[1] + m[k][2] * n[2];
    for (int k = 0; k < 3; k++)
        nsn += n[k] * sn[k];
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int c = 0; c < 6; c++) {
        const int i = row[c], j = column[c];
        s[c] = m[i][j] - 2 * (n[i] * sn[j] + sn[i] * n[j]) + 4 * nsn * n[i] * n[j];
    }
}

/* The stress a sample shows. */
static void show_stress(const tl_extrapolation *e, const tl_sample *sample, const stress_sums *sums,
                        float s[6]) {
    memset(s, 0, 6 * sizeof *s);
    if (!(sums->weight > 0))
        return;
    for (int k = 0; k < 6; k++)
        s[k] = sums->stress[k] / sums->weight;
    float pressure = -(s[XX] + s[YY] + s[ZZ]) / 3;
    for (int k = 0; k < 3; k++)
        s[k] += pressure;
    if (e->shapes->items[sample->shape].contact == TL_CONTACT_FREE_SLIP)
        mirror(sample->normal, s);
    /* The matter is at x_w + d: going from it to the sample is going by -d. */
    pressure -= sums->hydrostatic / sums->weight;
    if (pressure < 0 && !e->tension)
        pressure = 0;
    for (int k = 0; k < 3; k++)
        s[k] -= pressure;
}

/* Adds what one sample does to the matter (docs in extrapolate.h). */
static void add_action(const sample_context *c, const float *record, const float s[6],
                       const stress_sums *sums, tl_wall_action *action) {
    const float volume = record[3] * record[7], *v = record + 4, *n = sums->side;
    const float own[3] = {s[XX] * n[0] + s[XY] * n[1] + s[XZ] * n[2],
                          s[XY] * n[0] + s[YY] * n[1] + s[YZ] * n[2],
                          s[XZ] * n[0] + s[YZ] * n[1] + s[ZZ] * n[2]};
    const double R = (double)c->pass->support;
    const double unit = tl_kernel_norm(c->pass->kernel) / (R * R * R * R * R);
    const double damping = (double)(c->e->damping * record[3]);
    float work = 0;
    for (int k = 0; k < 3; k++) {
        action->force[k] += unit * ((double)(-volume * (sums->traction[k] + own[k])) +
                                    damping * (double)sums->damping[k]);
        work += sums->traction[k] * v[k];
    }
    for (int k = 0; k < 6; k++)
        work += s[k] * sums->flux[k];
    action->power += unit * ((double)(-volume * work) + damping * (double)sums->damping_power);
}

static void stress_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sample_context *c = context;
    const tl_records *records = c->e->records;
    tl_wall_action action = {0};
    for (size_t k = begin; k < end; k++) {
        stress_sums sums;
        const size_t i = records->particles + k;
        sum_stress(c, i, &sums);
        float *s = records->b + i * TL_RECORD;
        show_stress(c->e, &c->e->samples->items[k], &sums, s);
        s[6] = 1;
        s[7] = 0;
        add_action(c, records->a + i * TL_RECORD, s, &sums, &action);
    }
    c->partial[begin / TL_BLOCK] = action;
}

tl_wall_action tl_extrapolate_stress(const tl_pass *pass, const tl_extrapolation *e,
                                     tl_wall_action *partial) {
    sample_context c = {pass, e, partial};
    tl_parallel_for(pass->parallel, e->samples->count, TL_BLOCK, stress_range, &c);
    tl_wall_action total = {0};
    for (size_t b = 0; b < tl_block_count(e->samples->count, TL_BLOCK); b++) {
        for (int k = 0; k < 3; k++)
            total.force[k] += partial[b].force[k];
        total.power += partial[b].power;
    }
    return total;
}
