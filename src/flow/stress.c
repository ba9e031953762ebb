/* See stress.h. */
#include "flow/stress.h"

#include <math.h>

/* Least part of a full neighbourhood's moment that sums are corrected for: a plane surface has
 * half. A particle that comes near the matter must feel it little by little, as the plain sums do,
 * and not at once in full: drops that fell into a pool were crushed so. */
static const float sparsest_moment = 0.45f;

/* Flatter than this (determinant, relative to a round M of the same trace) M is not inverted and β
 * stands in for it: threads and sheets of particles. */
static const float flattest_moment = 0.4f;

/* Without tension, matter that has come apart keeps nearly its rest density: it must not have to be
 * squeezed through a void before it pushes back. */
static const double sparsest = 0.95;

/* Spray: where less than this part of a full neighbourhood is left, compression has nothing to rest
 * on and is given off at the speed of sound. Else a drop would carry its pressure through the air.
 */
static const double spray = 0.5;

/* No faster than this part of its own speed is a particle shifted. */
static const float fastest_shift = 0.2f;

/* ---- Eight particles at a time -----------------------------------------------------------------
 */

/* What the sums of eight particles give, before anything is advanced. */
typedef struct lane_results {
    float beta[TL_LANES];
    float full[TL_LANES];        /* moment, relative to a lattice */
    float divergence[TL_LANES];  /* tr L, 1/s */
    float worked[TL_LANES];      /* β tr H, 1/s */
    float diffusion[TL_LANES];   /* of ρ/ρ0, 1/s */
    float strain_rate[TL_LANES]; /* γ̇, 1/s */
    float shift[3][TL_LANES];    /* m/s */
} lane_results;

/* H M⁻¹ by cofactors, or β H where M is too flat or too small: then 1/β exceeds its mean. */
TL_INLINE void velocity_gradient(const tl_wide H[9], const tl_wide m[6], tl_wide beta,
                                 tl_wide L[9]) {
    const tl_wide cxx = m[1] * m[2] - m[5] * m[5], cyy = m[0] * m[2] - m[4] * m[4],
                  czz = m[0] * m[1] - m[3] * m[3], cxy = m[4] * m[5] - m[3] * m[2],
                  cxz = m[3] * m[5] - m[4] * m[1], cyz = m[3] * m[4] - m[0] * m[5];
    const tl_wide determinant = m[0] * cxx + m[3] * cxy + m[4] * cxz;
    const tl_wide mean = 1.0f / beta, least = flattest_moment * mean * mean * mean;
    const tl_wide scale = 1.0f / tl_max(determinant, tl_splat(1e-30f));
    for (int r = 0; r < 9; r += 3) {
        const tl_wide x = H[r], y = H[r + 1], z = H[r + 2];
        L[r] = tl_select_less(least, determinant, scale * (x * cxx + y * cxy + z * cxz), beta * x);
        L[r + 1] =
            tl_select_less(least, determinant, scale * (x * cxy + y * cyy + z * cyz), beta * y);
        L[r + 2] =
            tl_select_less(least, determinant, scale * (x * cxz + y * cyz + z * czz), beta * z);
    }
}

/* γ̇ = sqrt(½ D:D) */
TL_INLINE tl_wide strain_rate(const tl_wide L[9]) {
    const tl_wide xy = L[1] + L[3], xz = L[2] + L[6], yz = L[5] + L[7];
    return tl_sqrt(2.0f * (L[0] * L[0] + L[4] * L[4] + L[8] * L[8]) + xy * xy + xz * xz + yz * yz);
}

/* Shift velocity, from where neighbours crowd. At a free surface Σ g d points inward and must not
 * move it: neighbours are missing there. */
TL_INLINE void shift_velocity(const tl_stress_update *u, const tl_wide side[3], tl_wide speed,
                              tl_wide full, tl_wide out[3]) {
    const tl_wide inside = tl_min(tl_positive((full - 0.8f) * 10.0f), tl_splat(1.0f));
    const tl_wide strength = (float)(-u->params->shifting * u->support) * inside;
    for (int k = 0; k < 3; k++)
        out[k] = strength * side[k];
    const tl_wide length = tl_sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    const tl_wide scale =
        speed * tl_min(fastest_shift / tl_max(length, tl_splat(1e-30f)), tl_splat(1.0f));
    for (int k = 0; k < 3; k++)
        out[k] *= scale;
}

/* Rate of ρ/ρ0 by diffusion: its spread beyond the hydrostatic one of a fluid at rest. */
TL_INLINE tl_wide diffusion_rate(const tl_stress_update *u, tl_wide spread, const tl_wide side[3]) {
    const double c = u->sound_speed, strength = u->params->density_diffusion * u->support * c;
    tl_wide rate = (float)(strength / u->volume) * spread;
    for (int k = 0; k < 3; k++)
        rate -= (float)(strength * u->gravity[k] / (c * c)) * side[k];
    return rate;
}

enum { RATES = sizeof(tl_rates) / sizeof(float) };

/* TL_LANES consecutive particles of the block (the last one repeated at its end). */
static size_t lanes_at(size_t first, size_t end, uint32_t index[TL_LANES]) {
    const size_t count = end - first < TL_LANES ? end - first : TL_LANES;
    for (size_t l = 0; l < TL_LANES; l++)
        index[l] = (uint32_t)(l < count ? l : count - 1);
    return count;
}

/* Their sums r, in the order of tl_rates, with units, and their velocity gradients; returns β. */
TL_INLINE tl_wide load_rates(const tl_stress_update *u, const tl_rates *rates,
                             const uint32_t index[TL_LANES], tl_wide r[RATES], tl_wide L[9]) {
    _Static_assert(RATES == 20, "five gathers of four");
    for (int k = 0; k < RATES; k += 4)
        tl_gather4((const float *)rates + k, RATES, index, r + k);
    for (int k = 0; k < RATES; k++)
        r[k] *= u->units.slope;
    const tl_wide *H = r, *m = r + 9;
    const float least_trace = 3 * sparsest_moment * (float)u->lattice.moment;
    const tl_wide beta = 3.0f / tl_max(m[0] + m[1] + m[2], tl_splat(least_trace));
    velocity_gradient(H, m, beta, L);
    return beta;
}

static void evaluate_lanes(const tl_stress_update *u, const tl_rates *rates, size_t first,
                           const uint32_t index[TL_LANES], lane_results *out) {
    tl_wide r[RATES], v[4], L[9], shift[3];
    const tl_wide beta = load_rates(u, rates, index, r, L);
    tl_gather4(u->records->a + first * TL_RECORD + 4, TL_RECORD, index, v);
    const tl_wide *H = r, *m = r + 9, *side = r + 16;
    const tl_wide full = (m[0] + m[1] + m[2]) * (float)(1 / (3 * u->lattice.moment));
    shift_velocity(u, side, tl_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), full, shift);
    tl_store(out->beta, beta);
    tl_store(out->full, full);
    tl_store(out->divergence, L[0] + L[4] + L[8]);
    tl_store(out->worked, beta * (H[0] + H[4] + H[8]));
    tl_store(out->diffusion, diffusion_rate(u, r[15], side));
    tl_store(out->strain_rate, strain_rate(L));
    for (int k = 0; k < 3; k++)
        tl_store(out->shift[k], shift[k]);
}

/* ---- One particle ------------------------------------------------------------------------------
 */

/* Rate of the relative density by which spray gives off its compression, 1/s. */
static double release_rate(const tl_stress_update *u, double density, double rest, double full) {
    if (full >= spray || density <= rest)
        return 0;
    return -(1 - full / spray) * (u->sound_speed / u->support) * (1 - rest / density);
}

/* The new density. *diffused is the relative rate of it that is not the flow's. */
static double update_density(const tl_stress_update *u, const tl_rates *r, const lane_results *e,
                             int lane, double density, double rest, double *diffused) {
    *diffused = 0;
    if (u->params->density == TL_DENSITY_SUMMATION)
        return rest * u->volume * (double)(u->units.shape * r->filling) / u->lattice.filling;
    *diffused = (double)e->diffusion[lane] * (rest / density) +
                release_rate(u, density, rest, (double)e->full[lane]);
    const double updated = density * (1 + u->dt * (*diffused - (double)e->divergence[lane]));
    return !u->params->tension && updated < sparsest * rest ? sparsest * rest : updated;
}

static void note_extremes(tl_stress_sums *sums, size_t i, double compression, double strain_rate) {
    if (!isfinite(compression) || !isfinite(strain_rate)) {
        if (!sums->broken)
            sums->worst = i;
        sums->broken = true;
    } else if (!sums->broken && compression > sums->compression) {
        sums->compression = compression;
        sums->worst = i;
    }
}

/* Advances the density of particle i and sets its b-record, but for the viscosity. */
static void finish_particle(const tl_stress_update *u, const tl_rates *r, const lane_results *e,
                            int lane, size_t i, tl_stress_sums *sums) {
    const tl_fluid *fluid = &u->fluids[u->material[i]];
    const float *a = u->records->a + i * TL_RECORD, beta = e->beta[lane];
    const double rest = fluid->rest_density;
    double diffused;
    const double density = update_density(u, r, e, lane, u->density[i], rest, &diffused);
    double pressure = u->sound_speed * u->sound_speed * (density - rest);
    if (pressure < 0 && !u->params->tension)
        pressure = 0;
    u->density[i] = density;
    u->pressure[i] = (float)pressure;
    u->strain_rate[i] = e->strain_rate[lane];
    for (size_t k = 0; k < 3; k++)
        u->shift[3 * i + k] = e->shift[k][lane];
    float *b = u->records->b + i * TL_STRESS;
    b[0] = beta * (float)pressure;
    b[2] = beta;
    b[3] = 1;

    /* Pressure does the work V β p tr H on the motion and takes V p tr L from compression. */
    const double volume = (double)(a[3] * a[7]);
    sums->numerical_power +=
        volume * pressure * (diffused + (double)(e->worked[lane] - e->divergence[lane]));
    note_extremes(sums, i, density / rest - 1, (double)u->strain_rate[i]);
}

/* Viscosities of the block and their place in the b-records, β-weighted. */
static void update_viscosity(const tl_stress_update *u, size_t begin, size_t end,
                             tl_stress_sums *sums) {
    tl_viscosities(u->materials, u->material + begin, u->strain_rate + begin,
                   u->temperature + begin, u->viscosity + begin, end - begin);
    for (size_t i = begin; i < end; i++) {
        float *b = u->records->b + i * TL_STRESS;
        b[1] = b[2] * u->viscosity[i];
        const double kinematic = (double)u->viscosity[i] / u->fluids[u->material[i]].rest_density;
        sums->kinematic_viscosity = fmax(sums->kinematic_viscosity, kinematic);
    }
}

/* ---- Nested viscosity --------------------------------------------------------------------------
 */

/* β D and, per viscosity, the powers of eight particles. */
typedef struct tensor_lanes {
    float tensor[6][TL_LANES];
    float heat[TL_LANES];   /* ½ D:D = D:L */
    float worked[TL_LANES]; /* β D:H: what the pairs take from the motion */
} tensor_lanes;

static void evaluate_tensors(const tl_stress_update *u, const tl_rates *rates,
                             const uint32_t index[TL_LANES], tensor_lanes *out) {
    tl_wide r[RATES], L[9];
    const tl_wide beta = load_rates(u, rates, index, r, L), *H = r;
    const tl_wide D[6] = {2.0f * L[0], 2.0f * L[4], 2.0f * L[8],
                          L[1] + L[3], L[2] + L[6], L[5] + L[7]};
    for (int k = 0; k < 6; k++)
        tl_store(out->tensor[k], beta * D[k]);
    tl_store(out->heat, 0.5f * (D[0] * D[0] + D[1] * D[1] + D[2] * D[2]) + D[3] * D[3] +
                            D[4] * D[4] + D[5] * D[5]);
    tl_store(out->worked, beta * (D[0] * H[0] + D[1] * H[4] + D[2] * H[8] + D[3] * (H[1] + H[3]) +
                                  D[4] * (H[2] + H[6]) + D[5] * (H[5] + H[7])));
}

/* The c-records of the block, whose viscosities are known; they take the place of μ. */
static void update_tensors(const tl_stress_update *u, const tl_rates *rates, size_t begin,
                           size_t end, tl_stress_sums *sums) {
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = lanes_at(first, end, index);
        tensor_lanes e;
        evaluate_tensors(u, &rates[first - begin], index, &e);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            const float *a = u->records->a + i * TL_RECORD, viscosity = u->viscosity[i];
            float *c = u->records->c + i * TL_TENSOR;
            for (int k = 0; k < 6; k++)
                c[k] = viscosity * e.tensor[k][l];
            c[6] = c[7] = 0;
            u->records->b[i * TL_STRESS + 1] = 0;
            const double power = (double)(a[3] * a[7]) * (double)viscosity;
            sums->viscous_power += power * (double)e.heat[l];
            sums->numerical_power += power * (double)(e.heat[l] - e.worked[l]);
        }
    }
}

void tl_stress_finish(void *context, const tl_rates *rates, size_t begin, size_t end) {
    const tl_stress_update *u = context;
    tl_stress_sums sums = {.compression = -1, .worst = begin};
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = lanes_at(first, end, index);
        lane_results results;
        evaluate_lanes(u, &rates[first - begin], first, index, &results);
        for (size_t l = 0; l < count; l++)
            finish_particle(u, &rates[first - begin + l], &results, (int)l, first + l, &sums);
    }
    update_viscosity(u, begin, end, &sums);
    if (u->records->c)
        update_tensors(u, rates, begin, end, &sums);
    u->partial[begin / TL_BLOCK] = sums;
}

tl_stress_sums tl_stress_total(const tl_stress_sums *partial, size_t blocks) {
    tl_stress_sums total = {.compression = -1};
    for (size_t b = 0; b < blocks; b++) {
        total.viscous_power += partial[b].viscous_power;
        total.numerical_power += partial[b].numerical_power;
        total.kinematic_viscosity = fmax(total.kinematic_viscosity, partial[b].kinematic_viscosity);
        if (total.broken)
            continue;
        if (partial[b].broken || partial[b].compression > total.compression) {
            total.compression = partial[b].compression;
            total.worst = partial[b].worst;
            total.broken = partial[b].broken;
        }
    }
    return total;
}
