/* See stress.h. */
#include "flow/stress.h"

#include "math/sym3.h"

#include <math.h>

/* An isolated pair has next to no moment: β is held at what a sparse surface would have. */
static const float largest_beta = 3.0f;

/* Below this, M is too flat to invert and β stands in for it: threads and sheets of particles. */
static const float flattest_moment = 0.1f;

/* Without tension, matter that has come apart keeps nearly its rest density: it must not have to be
 * squeezed through a void before it pushes back. */
static const double sparsest = 0.99;

/* Spray: where less than this part of a full neighbourhood is left, compression has nothing to rest
 * on and is given off at the speed of sound. Else a drop would carry its pressure through the air.
 */
static const double spray = 0.5;

/* No faster than this part of its own speed is a particle shifted. */
static const float fastest_shift = 0.2f;

/* Rate of the relative density ρ/ρ0 by diffusion, 1/s. */
static double diffusion_rate(const tl_stress_update *u, const tl_rates *r) {
    const double c = u->sound_speed;
    double hydrostatic = 0; /* expected Σ g (s_j - s_i) of a fluid at rest, s = ρ/ρ0 */
    for (int k = 0; k < 3; k++)
        hydrostatic += u->gravity[k] * (double)r->side[k] / (c * c);
    return u->params->density_diffusion * u->support * c *
           ((double)r->spread / u->volume - hydrostatic);
}

/* L = H M⁻¹, or β H where M is too flat. */
static void velocity_gradient(const tl_rates *r, float beta, float L[9]) {
    const float *m = r->moment;
    const tl_sym3 moment = {m[0], m[1], m[2], m[3], m[4], m[5]};
    tl_sym3 inverse;
    if (tl_sym3_inverse(moment, flattest_moment, &inverse)) {
        tl_sym3_multiply(r->gradient, inverse, L);
        return;
    }
    for (int k = 0; k < 9; k++)
        L[k] = beta * r->gradient[k];
}

/* γ̇² = ½ D:D */
static float strain_rate_squared(const float L[9]) {
    const float xy = L[1] + L[3], xz = L[2] + L[6], yz = L[5] + L[7];
    return 2 * (L[0] * L[0] + L[4] * L[4] + L[8] * L[8]) + xy * xy + xz * xz + yz * yz;
}

/* Rate of the relative density by which spray gives off its compression, 1/s. */
static double release_rate(const tl_stress_update *u, double density, double rest, double full) {
    if (full >= spray || density <= rest)
        return 0;
    return -(1 - full / spray) * (u->sound_speed / u->support) * (1 - rest / density);
}

/* The new density, and the relative rate of it that is not the flow's: diffusion and release.
 * full  the neighbourhood's moment, relative to a lattice */
static double update_density(const tl_stress_update *u, const tl_rates *r, double density,
                             double rest, double divergence, double full, double *diffused) {
    *diffused = 0;
    if (u->params->density == TL_DENSITY_SUMMATION)
        return rest * u->volume * (double)r->filling / u->lattice.filling;
    if (u->params->density_diffusion > 0)
        *diffused = diffusion_rate(u, r) * rest / density;
    *diffused += release_rate(u, density, rest, full);
    const double updated = density * (1 + u->dt * (*diffused - divergence));
    return !u->params->tension && updated < sparsest * rest ? sparsest * rest : updated;
}

static void shift_velocity(const tl_stress_update *u, const tl_rates *r, const float v[3],
                           float full, float shift[3]) {
    shift[0] = shift[1] = shift[2] = 0;
    if (!(u->params->shifting > 0))
        return;
    /* At a free surface Σ g d points inward and must not move it; neighbours are missing there. */
    const float inside = fminf(fmaxf((full - 0.8f) / 0.1f, 0), 1);
    const float speed = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const float strength = -(float)(u->params->shifting * u->support) * inside;
    float length = 0;
    for (int k = 0; k < 3; k++) {
        shift[k] = strength * r->side[k];
        length += shift[k] * shift[k];
    }
    length = sqrtf(length);
    const float scale = length > fastest_shift ? speed * fastest_shift / length : speed;
    for (int k = 0; k < 3; k++)
        shift[k] *= scale;
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

void tl_stress_finish(void *context, const tl_rates *rates, size_t begin, size_t end) {
    const tl_stress_update *u = context;
    tl_stress_sums sums = {.compression = -1, .worst = begin};
    const double stiffness = u->sound_speed * u->sound_speed;
    for (size_t i = begin; i < end; i++) {
        const tl_rates *r = &rates[i - begin];
        const float *a = u->records->a + i * TL_RECORD, *H = r->gradient;
        const tl_fluid *fluid = &u->fluids[u->material[i]];
        const float trace = r->moment[0] + r->moment[1] + r->moment[2];
        const float beta = trace * largest_beta > 3 ? 3 / trace : largest_beta;
        float L[9];
        velocity_gradient(r, beta, L);
        const double divergence = (double)(L[0] + L[4] + L[8]), rest = fluid->rest_density;

        const float full = trace / (3 * (float)u->lattice.moment);
        double diffused;
        const double density =
            update_density(u, r, u->density[i], rest, divergence, (double)full, &diffused);
        double pressure = stiffness * (density - rest);
        if (pressure < 0 && !u->params->tension)
            pressure = 0;
        u->density[i] = density;
        u->pressure[i] = (float)pressure;
        u->strain_rate[i] = sqrtf(strain_rate_squared(L));
        shift_velocity(u, r, a + 4, full, u->shift + 3 * i);

        float *b = u->records->b + i * TL_STRESS;
        b[0] = beta * (float)pressure;
        b[1] = beta * fluid->viscosity;
        b[2] = beta;
        b[3] = 1;

        /* Pressure does the work V β p tr H on the motion and takes V p tr L from compression. */
        const double volume = (double)(a[3] * a[7]);
        const double worked = (double)(beta * (H[0] + H[4] + H[8]));
        sums.numerical_power += volume * pressure * (diffused + worked - divergence);
        note_extremes(&sums, i, density / rest - 1, (double)u->strain_rate[i]);
    }
    u->partial[begin / TL_BLOCK] = sums;
}

tl_stress_sums tl_stress_total(const tl_stress_sums *partial, size_t blocks) {
    tl_stress_sums total = {.compression = -1};
    for (size_t b = 0; b < blocks; b++) {
        total.numerical_power += partial[b].numerical_power;
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
