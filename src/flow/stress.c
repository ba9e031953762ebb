/* See stress.h. */
#include "flow/stress.h"

#include "base/blocks.h"

#include <math.h>

/* Least part of a full neighbourhood's moment that sums are corrected for: a plane surface has
 * half. A particle that comes near the matter must feel it little by little, as the plain sums do,
 * and not at once in full: drops that fell into a pool were crushed so. */
static const float sparsest_moment = 0.45f;

/* Flatter than this (determinant, relative to a round M of the same trace) M is not inverted and β
 * stands in for it: threads and sheets of particles. */
static const float flattest_moment = 0.4f;

/* Unless pressure may pull, matter that has come apart keeps nearly its rest density: it must not
 * have to be squeezed through a void before it pushes back. */
static const double sparsest = 0.95;

/* Spray: where less than this part of a full neighbourhood is left, compression has nothing to rest
 * on and is given off at the speed of sound. Else a drop would carry its pressure through the air.
 */
static const double spray = 0.5;

/* The same for tensors, which are corrected in corners too. Beyond, part of M is added to it: N <=
 * M⁻¹ keeps dissipation positive whatever the motion (passes.h). */
static const float sparsest_tensor = 0.3f, flattest_tensor = 0.6f;

/* The complete viscosity damps no motion faster than 4.3 ν tr N / 3 Σ g (largest eigenvalues of
 * blocks, sheets and threads, on lattices and in disorder of 0.3 spacings, supports of 2 and 3
 * spacings: 1.4 to 4.2). The step rule knows R²/6ν, of which 0.3 are to leave a margin: this part
 * of R² tr N Σ g, times ν, is the viscosity that it has to be told. */
static const float stiffest_step = 1.0f / 24;

/* Sound is damped by a bulk viscosity of this part of c R, which motion that keeps volumes does not
 * feel (Sun et al. 2023). */
static const double sound_damping = 0.1;

/* No faster than this part of its own speed is a particle shifted. */
static const float fastest_shift = 0.2f;

/* What a neighbourhood may hold more or less than on a lattice, in disorder and when it is
 * stretched; and how much of what is beyond is corrected for each unit of strain. */
static const double tolerated_crowd = 0.004, tolerated_gap = 0.03, strained_part = 10;

/* Gaps are known as such only inside: where no side lacks neighbours (R |Σ g d|, 1 at a plane
 * surface), and not in sheets and threads. */
static const double most_onesided = 0.3, sparsest_inside = 0.85;

/* ---- Eight particles at a time -----------------------------------------------------------------
 */

/* What the sums of eight particles give, before anything is advanced. */
typedef struct lane_results {
    float beta[TL_LANES];
    float full[TL_LANES];        /* moment, relative to a lattice */
    float divergence[TL_LANES];  /* tr L, 1/s */
    float worked[TL_LANES];      /* β tr H, 1/s */
    float diffusion[TL_LANES];   /* of ρ/ρ0 by its spread, 1/s */
    float drop[TL_LANES];        /* c² times what of it is hydrostatic, m²/s³ */
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

/* The support and the volume of particle i. Explicit steps know particles of one size only, so far
 * (world.c refuses others). */
static double support_of(const tl_stress_update *u, size_t i) {
    (void)i;
    return u->sizes.support;
}
static double volume_of(const tl_stress_update *u, size_t i) {
    (void)i;
    return u->sizes.volume;
}

/* `factor` times the support of each lane's particle. */
TL_INLINE tl_wide supports_of(const tl_stress_update *u, double factor, size_t first,
                              const uint32_t index[TL_LANES]) {
    float out[TL_LANES];
    for (int l = 0; l < TL_LANES; l++)
        out[l] = (float)(factor * support_of(u, first + index[l]));
    return tl_load(out);
}

TL_INLINE tl_wide squared_supports_of(const tl_stress_update *u, size_t first,
                                      const uint32_t index[TL_LANES]) {
    float out[TL_LANES];
    for (int l = 0; l < TL_LANES; l++) {
        const double R = support_of(u, first + index[l]);
        out[l] = (float)(R * R);
    }
    return tl_load(out);
}

/* Shift velocity, from where neighbours crowd. At a free surface Σ g d points inward and must not
 * move it: neighbours are missing there. */
TL_INLINE void shift_velocity(tl_wide most, const tl_wide side[3], tl_wide speed, tl_wide full,
                              tl_wide out[3]) {
    const tl_wide inside = tl_min(tl_positive((full - 0.8f) * 10.0f), tl_splat(1.0f));
    const tl_wide strength = most * inside;
    for (int k = 0; k < 3; k++)
        out[k] = strength * side[k];
    const tl_wide length = tl_sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    const tl_wide scale =
        speed * tl_min(fastest_shift / tl_max(length, tl_splat(1e-30f)), tl_splat(1.0f));
    for (int k = 0; k < 3; k++)
        out[k] *= scale;
}

/* The strength of diffusion times gravity, and over the volume, of each lane's particle. */
TL_INLINE void diffusion_of(const tl_stress_update *u, size_t first, const uint32_t index[TL_LANES],
                            tl_wide out[4]) {
    float lanes[4][TL_LANES];
    for (int l = 0; l < TL_LANES; l++) {
        const size_t i = first + index[l];
        const double strength = u->params->density_diffusion * support_of(u, i) * u->sound_speed;
        for (size_t k = 0; k < 3; k++)
            lanes[k][l] = (float)(strength * tl_body_force_along(&u->force, i, k));
        lanes[3][l] = (float)(strength / volume_of(u, i));
    }
    for (int k = 0; k < 4; k++)
        out[k] = tl_load(lanes[k]);
}

/* What of the spread of ρ/ρ0 is that of a fluid at rest, times c² and the strength of diffusion. */
TL_INLINE tl_wide hydrostatic_spread(const tl_wide pull[3], const tl_wide side[3]) {
    tl_wide drop = tl_splat(0.0f);
    for (int k = 0; k < 3; k++)
        drop += pull[k] * side[k];
    return drop;
}

enum { RATES = sizeof(tl_rates) / sizeof(float), LANE_RATES = 20 }; /* all but the filling */

/* Their sums r, in the order of tl_rates, with units, and their velocity gradients; returns β. */
TL_INLINE tl_wide load_rates(const tl_stress_update *u, const tl_rates *rates,
                             const uint32_t index[TL_LANES], tl_wide r[LANE_RATES], tl_wide L[9]) {
    _Static_assert(RATES == LANE_RATES + 1, "five gathers of four, and the filling");
    for (int k = 0; k < LANE_RATES; k += 4)
        tl_gather4((const float *)rates + k, RATES, index, r + k);
    for (int k = 0; k < LANE_RATES; k++)
        r[k] *= u->units.slope;
    const tl_wide *H = r, *m = r + 9;
    const float least_trace = 3 * sparsest_moment * (float)u->lattice.moment;
    const tl_wide beta = 3.0f / tl_max(m[0] + m[1] + m[2], tl_splat(least_trace));
    velocity_gradient(H, m, beta, L);
    return beta;
}

/* e = dev ½ (L + Lᵀ), for laws that remember more than a rate. Lanes beyond the last repeat it. */
static void keep_strain(const tl_stress_update *u, const tl_wide L[9], size_t first,
                        const uint32_t index[TL_LANES]) {
    const tl_wide third = (1.0f / 3) * (L[0] + L[4] + L[8]);
    const tl_wide e[6] = {L[0] - third,         L[4] - third,         L[8] - third,
                          0.5f * (L[1] + L[3]), 0.5f * (L[2] + L[6]), 0.5f * (L[5] + L[7])};
    for (int k = 0; k < 6; k++) {
        float lanes[TL_LANES];
        tl_store(lanes, e[k]);
        for (size_t l = 0; l < TL_LANES; l++)
            u->strain[first + index[l]][k] = lanes[l];
    }
}

static void evaluate_lanes(const tl_stress_update *u, const tl_rates *rates, size_t first,
                           const uint32_t index[TL_LANES], lane_results *out) {
    tl_wide r[LANE_RATES], v[4], L[9], shift[3], diffusion[4];
    const tl_wide beta = load_rates(u, rates, index, r, L);
    TL_GATHER4(&u->records->a[first], v, index, v);
    const tl_wide *H = r, *m = r + 9, *side = r + 16;
    const tl_wide most = supports_of(u, -u->params->shifting, first, index);
    diffusion_of(u, first, index, diffusion);
    const tl_wide full = (m[0] + m[1] + m[2]) * (float)(1 / (3 * u->lattice.moment));
    shift_velocity(most, side, tl_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), full, shift);
    tl_store(out->beta, beta);
    tl_store(out->full, full);
    tl_store(out->divergence, L[0] + L[4] + L[8]);
    tl_store(out->worked, beta * (H[0] + H[4] + H[8]));
    tl_store(out->diffusion, diffusion[3] * r[15]);
    tl_store(out->drop, hydrostatic_spread(diffusion, side));
    tl_store(out->strain_rate, strain_rate(L));
    if (u->strain)
        keep_strain(u, L, first, index);
    for (int k = 0; k < 3; k++)
        tl_store(out->shift[k], shift[k]);
}

/* ---- One particle ------------------------------------------------------------------------------
 */

/* Rate of the relative density by which spray gives off its compression, 1/s. */
static double release_rate(const tl_stress_update *u, size_t i, double density, double rest,
                           double full) {
    if (full >= spray || density <= rest)
        return 0;
    return -(1 - full / spray) * (u->sound_speed / support_of(u, i)) * (1 - rest / density);
}

static bool is_held(const tl_stress_update *u, size_t i) { return u->held && u->held[i]; }

static bool is_rigid(const tl_stress_update *u, size_t i) {
    return u->bodies && u->body[i] < u->bodies && u->rigid_of[u->body[i]];
}

/* Neighbours are missing on no side. */
static bool is_inside(const tl_stress_update *u, const tl_rates *r, size_t i) {
    const double x = (double)r->side[0], y = (double)r->side[1], z = (double)r->side[2];
    const double R = support_of(u, i);
    return sqrt(x * x + y * y + z * z) * (double)u->units.slope * R < most_onesided;
}

/* What the neighbourhood holds beyond what is tolerated, relative to a lattice of the particle's
 * density: the mean of S = Σ V|W'| r / 3 and Σ V W, which stretch changes against each other
 * (world/crowd.c): 0.87 and 1.09 on one that is flattened to 0.7, at R = 2 dx. Thin liquids do
 * not stay stretched: there S alone is looked at, which costs nothing. */
static double crowding(const tl_stress_update *u, const tl_rates *r, size_t i, double full) {
    const double filling = u->filling == TL_FILLING_VOLUME
                               ? (double)(u->units.shape * r->filling) / u->lattice.filling
                               : full;
    const double around = 0.5 * (full + filling), excess = around - 1;
    if (excess > tolerated_crowd)
        return excess - tolerated_crowd;
    if (excess < -tolerated_gap && around > sparsest_inside && is_inside(u, r, i))
        return excess + tolerated_gap;
    return 0;
}

/* Rate of the relative density by which crowding is corrected, 1/s. Strain crowds particles in ways
 * that the divergence does not see; what is at rest stays as it is. Thick ones that flow faster
 * than ν/R², the rate at which viscosity reaches across a support, find their order themselves. */
static double crowd_rate(const tl_stress_update *u, const tl_rates *r, const lane_results *e,
                         int lane, size_t i, double rest) {
    if (is_held(u, i) || is_rigid(u, i))
        return 0;
    const double R = support_of(u, i);
    const double thickness = (double)u->viscosity[i] / rest / (R * R);
    const double rate = u->filling == TL_FILLING_VOLUME
                            ? fmin((double)e->strain_rate[lane], thickness)
                            : (double)e->strain_rate[lane];
    return strained_part * rate * crowding(u, r, i, (double)e->full[lane]);
}

/* The new density. *diffused is the relative rate of it that is not the flow's. */
static double update_density(const tl_stress_update *u, const tl_rates *r, const lane_results *e,
                             int lane, size_t i, double *diffused) {
    const tl_fluid *fluid = &u->fluids[u->material[i]];
    const double density = u->density[i], rest = fluid->rest_density;
    const double drop = (double)e->drop[lane] / fluid->squared_speed;
    const float even = u->even ? u->even[i] : 0;
    *diffused = 0;
    if (u->params->density == TL_DENSITY_SUMMATION)
        return rest * volume_of(u, i) * (double)(u->units.shape * r->filling) / u->lattice.filling;
    *diffused = ((double)(e->diffusion[lane] + even) - drop) * (rest / density) +
                release_rate(u, i, density, rest, (double)e->full[lane]);
    if (u->records->tensors == TL_TENSORS_PRESSURE || u->filling == TL_FILLING_VOLUME)
        *diffused += crowd_rate(u, r, e, lane, i, rest);
    const double updated = density * (1 + u->dt * (*diffused - (double)e->divergence[lane]));
    return !u->params->pulls && updated < sparsest * rest ? sparsest * rest : updated;
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
    const float beta = e->beta[lane];
    const double rest = fluid->rest_density;
    double diffused;
    const double density = update_density(u, r, e, lane, i, &diffused);
    double elastic = fluid->squared_speed * (density - rest);
    if (elastic < 0 && !u->params->pulls)
        elastic = 0;
    double pressure = elastic - sound_damping * u->sound_speed * support_of(u, i) * density *
                                    (double)e->divergence[lane];
    if (pressure < 0 && !u->params->pulls)
        pressure = 0;
    u->density[i] = density;
    u->pressure[i] = (float)pressure;
    u->strain_rate[i] = e->strain_rate[lane];
    const bool held = is_held(u, i);
    for (size_t k = 0; k < 3; k++)
        u->shift[3 * i + k] = held ? 0 : e->shift[k][lane];
    tl_stress *b = &u->records->b[i];
    b->pressure = beta * (float)pressure;
    b->beta = beta;
    b->matter = 1;

    /* Pressure does the work V β p tr H on the motion; compression gives V p tr L of it. */
    const double volume = (double)tl_record_volume(&u->records->a[i]);
    sums->numerical_power += volume * (pressure * (double)e->worked[lane] +
                                       elastic * (diffused - (double)e->divergence[lane]));
    note_extremes(sums, i, density / rest - 1, (double)u->strain_rate[i]);
}

/* Held matter takes part in pairs with what flows along it, which know one viscosity: the melt's.
 */
static float melt_viscosity(const tl_material *m, float rate) {
    return (float)tl_viscosity_of(m, (double)rate, m->has_liquidus ? m->liquidus : m->solidus, 1);
}

/* Viscosities of the block and their place in the b-records, β-weighted. */
static void update_viscosity(const tl_stress_update *u, size_t begin, size_t end,
                             tl_stress_sums *sums) {
    const tl_strained in = {.rate = u->strain_rate + begin,
                            .materials = u->materials,
                            .material = u->material + begin,
                            .temperature = u->temperature + begin,
                            .molten = u->molten ? u->molten + begin : NULL,
                            .memory = u->memory,
                            .first = begin,
                            .dt = u->dt};
    tl_respond(&in, TL_RESPOND_VISCOSITY, &(tl_response){.viscosity = u->viscosity + begin},
               end - begin);
    for (size_t i = begin; i < end; i++) {
        tl_stress *b = &u->records->b[i];
        if (is_held(u, i))
            u->viscosity[i] = melt_viscosity(&u->materials[u->material[i]], u->strain_rate[i]);
        if (is_rigid(u, i))
            u->viscosity[i] = u->rigid_viscosity;
        b->viscosity = b->beta * u->viscosity[i];
        const double kinematic = (double)u->viscosity[i] / u->fluids[u->material[i]].rest_density;
        sums->kinematic_viscosity = fmax(sums->kinematic_viscosity, kinematic);
        sums->least_viscosity = fmin(sums->least_viscosity, kinematic);
    }
}

/* ---- Tensors -----------------------------------------------------------------------------------
 */

/* What eight particles carry. */
typedef struct tensor_lanes {
    float tensor[9][TL_LANES]; /* S */
    float worked[TL_LANES];    /* S:H: power that the pairs take from the motion by it, W/m³ */
    float heat[TL_LANES];      /* what of it is viscous, W/m³ */
    float stiffness[TL_LANES]; /* how much more than its viscosity limits the step */
} tensor_lanes;

/* η and p of eight particles. */
typedef struct fluid_lanes {
    tl_wide viscosity, pressure;
} fluid_lanes;

static fluid_lanes load_fluid(const tl_stress_update *u, size_t first,
                              const uint32_t index[TL_LANES]) {
    float viscosity[TL_LANES], pressure[TL_LANES];
    for (size_t l = 0; l < TL_LANES; l++) {
        viscosity[l] = u->viscosity[first + index[l]];
        pressure[l] = u->pressure[first + index[l]];
    }
    return (fluid_lanes){tl_load(viscosity), tl_load(pressure)};
}

TL_INLINE void twice_symmetric(const tl_wide L[9], tl_wide D[9]) {
    for (int k = 0; k < 9; k++)
        D[k] = L[k] + L[k % 3 * 3 + k / 3];
}

/* β η D, which heats by η D:L. Returns the heat. */
TL_INLINE tl_wide nest(fluid_lanes f, tl_wide beta, const tl_wide L[9], tl_wide S[9]) {
    tl_wide D[9], heat = tl_splat(0.0f);
    twice_symmetric(L, D);
    for (int k = 0; k < 9; k++) {
        S[k] = beta * f.viscosity * D[k];
        heat += 0.5f * f.viscosity * D[k] * D[k];
    }
    return heat;
}

/* N = (M + ε I)⁻¹ by cofactors. */
TL_INLINE void correct(const tl_wide M[6], float least, tl_wide N[6]) {
    const tl_wide mean = (1.0f / 3) * (M[0] + M[1] + M[2]);
    const tl_wide cube = tl_max(mean * mean * mean, tl_splat(1e-30f));
    const tl_wide determinant = M[0] * (M[1] * M[2] - M[5] * M[5]) +
                                M[3] * (M[4] * M[5] - M[3] * M[2]) +
                                M[4] * (M[3] * M[5] - M[4] * M[1]);
    const tl_wide flat = 0.5f * mean * tl_positive(flattest_tensor - determinant / cube);
    const tl_wide e = tl_max(least - mean, flat);
    const tl_wide x = M[0] + e, y = M[1] + e, z = M[2] + e;
    N[0] = y * z - M[5] * M[5], N[1] = x * z - M[4] * M[4], N[2] = x * y - M[3] * M[3];
    N[3] = M[4] * M[5] - M[3] * z, N[4] = M[3] * M[5] - M[4] * y, N[5] = M[3] * M[4] - x * M[5];
    const tl_wide scale = 1.0f / (x * N[0] + M[3] * N[3] + M[4] * N[4]);
    for (int k = 0; k < 6; k++)
        N[k] *= scale;
}

/* A N of a row-major A and a symmetric N. */
TL_INLINE void times_symmetric(const tl_wide A[9], const tl_wide N[6], tl_wide out[9]) {
    for (int r = 0; r < 9; r += 3) {
        out[r] = A[r] * N[0] + A[r + 1] * N[3] + A[r + 2] * N[4];
        out[r + 1] = A[r] * N[3] + A[r + 1] * N[1] + A[r + 2] * N[5];
        out[r + 2] = A[r] * N[4] + A[r + 1] * N[5] + A[r + 2] * N[2];
    }
}

/* Where a symmetric tensor of six has what a row-major one has. */
static const int symmetric_at[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};

/* -p (N - β I), which heats by nothing. */
TL_INLINE tl_wide press(fluid_lanes f, tl_wide beta, const tl_wide N[6], tl_wide S[9]) {
    for (int k = 0; k < 9; k++)
        S[k] = -f.pressure * (k % 4 == 0 ? N[symmetric_at[k]] - beta : N[symmetric_at[k]]);
    return tl_splat(0.0f);
}

/* η (D N - β L) - p (N - β I), L = H N: the first heats by what it takes from the motion. Returns
 * the heat. */
TL_INLINE tl_wide complete(fluid_lanes f, tl_wide beta, const tl_wide H[9], const tl_wide N[6],
                           tl_wide S[9]) {
    tl_wide L[9], D[9], P[9], heat = tl_splat(0.0f);
    times_symmetric(H, N, L);
    twice_symmetric(L, D);
    times_symmetric(D, N, S);
    press(f, beta, N, P);
    for (int k = 0; k < 9; k++) {
        const tl_wide viscous = f.viscosity * (S[k] - beta * L[k]);
        heat += viscous * H[k];
        S[k] = viscous + P[k];
    }
    return heat;
}

static void evaluate_tensors(const tl_stress_update *u, const tl_rates *rates, size_t first,
                             const uint32_t index[TL_LANES], tensor_lanes *out) {
    tl_wide r[LANE_RATES], N[6], L[9], S[9], heat, worked = tl_splat(0.0f);
    const tl_wide beta = load_rates(u, rates, index, r, L), *H = r, *M = r + 9;
    const fluid_lanes fluid = load_fluid(u, first, index);
    const float lattice = (float)u->lattice.moment;
    if (u->records->tensors == TL_TENSORS_SYMMETRIC) {
        heat = nest(fluid, beta, L, S);
    } else if (u->records->tensors == TL_TENSORS_PRESSURE) {
        correct(M, sparsest_tensor * lattice, N);
        heat = press(fluid, beta, N, S);
    } else {
        correct(M, sparsest_tensor * lattice, N);
        heat = complete(fluid, beta, H, N, S);
        const tl_wide scale = squared_supports_of(u, first, index) * stiffest_step;
        tl_store(out->stiffness, scale * (N[0] + N[1] + N[2]) * r[19]);
    }
    for (int k = 0; k < 9; k++) {
        tl_store(out->tensor[k], S[k]);
        worked += S[k] * H[k];
    }
    tl_store(out->worked, worked);
    tl_store(out->heat, heat);
}

/* The records of particle i, whose b-record knows β p and μ: nested, S takes the place of μ;
 * complete, the pressure takes its trace; else S takes the pressure. */
static void set_tensor(tl_records *records, size_t i, float S[9]) {
    tl_stress *b = &records->b[i];
    if (records->tensors == TL_TENSORS_PRESSURE) {
        tl_tensor_pack_pressure(S, b, &records->c[i]);
        return;
    }
    if (records->tensors == TL_TENSORS_SYMMETRIC) {
        b->viscosity = 0;
    } else {
        const float mean = (S[0] + S[4] + S[8]) / 3;
        b->pressure -= mean;
        S[0] -= mean, S[4] -= mean, S[8] -= mean;
    }
    tl_tensor_pack(records->tensors, S, &records->c[i]);
}

/* The tensors of the block, whose viscosities are known. */
static void update_tensors(const tl_stress_update *u, const tl_rates *rates, size_t begin,
                           size_t end, tl_stress_sums *sums) {
    const bool complete = u->records->tensors == TL_TENSORS_TRACELESS;
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        tensor_lanes e;
        evaluate_tensors(u, &rates[first - begin], first, index, &e);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            float S[9];
            for (int k = 0; k < 9; k++)
                S[k] = e.tensor[k][l];
            set_tensor(u->records, i, S);
            const double volume = (double)tl_record_volume(&u->records->a[i]);
            sums->viscous_power += volume * (double)e.heat[l];
            sums->numerical_power += volume * (double)(e.heat[l] - e.worked[l]);
            const double kinematic =
                (double)u->viscosity[i] / u->fluids[u->material[i]].rest_density;
            if (complete)
                sums->kinematic_viscosity =
                    fmax(sums->kinematic_viscosity, kinematic * (double)e.stiffness[l]);
        }
    }
}

void tl_stress_finish(void *context, const tl_rates *rates, size_t begin, size_t end) {
    const tl_stress_update *u = context;
    tl_stress_sums sums = {.compression = -1, .least_viscosity = HUGE_VAL, .worst = begin};
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        lane_results results;
        evaluate_lanes(u, &rates[first - begin], first, index, &results);
        for (size_t l = 0; l < count; l++)
            finish_particle(u, &rates[first - begin + l], &results, (int)l, first + l, &sums);
    }
    update_viscosity(u, begin, end, &sums);
    if (u->records->tensors != TL_TENSORS_NONE)
        update_tensors(u, rates, begin, end, &sums);
    u->partial[begin / TL_BLOCK] = sums;
}

static void join_sums(void *to, const void *from) {
    tl_stress_sums *total = to;
    const tl_stress_sums *p = from;
    total->viscous_power += p->viscous_power;
    total->numerical_power += p->numerical_power;
    total->kinematic_viscosity = fmax(total->kinematic_viscosity, p->kinematic_viscosity);
    total->least_viscosity = fmin(total->least_viscosity, p->least_viscosity);
    if (!total->broken && (p->broken || p->compression > total->compression)) {
        total->compression = p->compression;
        total->worst = p->worst;
        total->broken = p->broken;
    }
}

tl_stress_sums tl_stress_total(const tl_stress_sums *partial, size_t count) {
    tl_stress_sums total = {.compression = -1, .least_viscosity = HUGE_VAL};
    tl_join_blocks(&total, partial, sizeof *partial, count, join_sums);
    return total;
}
