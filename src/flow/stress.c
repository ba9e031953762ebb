/* See stress.h. */
#include "flow/stress.h"

#include <math.h>

/* An isolated pair has next to no moment: β is held at what a sparse surface would have. */
static const float largest_beta = 3.0f;

/* Without tension, matter that has come apart keeps nearly its rest density: it must not have to be
 * squeezed through a void before it pushes back. */
static const double sparsest = 0.99;

/* Rate of the relative density ρ/ρ0 by diffusion, 1/s. */
static double diffusion_rate(const tl_stress_update *u, const tl_rates *r) {
    const double c = u->sound_speed;
    double hydrostatic = 0; /* expected Σ g (s_j - s_i) of a fluid at rest, s = ρ/ρ0 */
    for (int k = 0; k < 3; k++)
        hydrostatic += u->gravity[k] * (double)r->side[k] / (c * c);
    return u->params->density_diffusion * u->support * c *
           ((double)r->spread / u->volume - hydrostatic);
}

/* The new density of particle i, and the power of diffusion. */
static double update_density(const tl_stress_update *u, const tl_rates *r, size_t i, double rest,
                             double divergence, double *diffused) {
    *diffused = 0;
    if (u->params->density == TL_DENSITY_SUMMATION)
        return rest * (double)r->filling / u->lattice_filling;
    const double density = u->density[i];
    double rate = -density * divergence;
    if (u->params->density_diffusion > 0) {
        const double diffusion = rest * diffusion_rate(u, r);
        rate += diffusion;
        *diffused = diffusion / density;
    }
    const double updated = density + u->dt * rate;
    return !u->params->tension && updated < sparsest * rest ? sparsest * rest : updated;
}

void tl_stress_finish(void *context, const tl_rates *rates, size_t begin, size_t end) {
    const tl_stress_update *u = context;
    tl_stress_sums sums = {.compression = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        const tl_rates *r = &rates[i - begin];
        const float *a = u->records->a + i * TL_RECORD;
        float *s = u->records->b + i * TL_RECORD;
        const tl_fluid *fluid = &u->fluids[u->material[i]];
        const float beta = r->moment * largest_beta > 3 ? 3 / r->moment : largest_beta;
        const float *H = r->gradient;
        const float trace = H[0] + H[4] + H[8], third = 2 * trace / 3;
        const double divergence = (double)(beta * trace);

        double diffused;
        const double density = update_density(u, r, i, fluid->rest_density, divergence, &diffused);
        const double pressure = tl_state_pressure(u, density, fluid->rest_density);

        /* D' = L + Lᵀ - ⅔ tr(L) I, still without β. */
        const float D[6] = {2 * H[0] - third, 2 * H[4] - third, 2 * H[8] - third,
                            H[1] + H[3],      H[2] + H[6],      H[5] + H[7]};
        const float squared = 0.5f * (D[0] * D[0] + D[1] * D[1] + D[2] * D[2]) + D[3] * D[3] +
                              D[4] * D[4] + D[5] * D[5];
        const float eta_beta = fluid->viscosity * beta, p = (float)pressure;
        for (int k = 0; k < 3; k++)
            s[k] = beta * (eta_beta * D[k] - p);
        for (int k = 3; k < 6; k++)
            s[k] = beta * eta_beta * D[k];
        s[6] = beta;
        s[7] = 1;
        u->density[i] = density;
        u->pressure[i] = p;
        u->strain_rate[i] = beta * sqrtf(squared);

        /* S:L = ½ η D':D' = η γ̇² */
        const double volume = (double)(a[3] * a[7]);
        sums.viscous_power += volume * (double)(eta_beta * beta * squared);
        sums.diffusion_power += volume * pressure * diffused;
        const double compression = density / fluid->rest_density - 1;
        if (!isfinite(density) || !isfinite((double)u->strain_rate[i])) {
            if (!sums.broken)
                sums.worst = i;
            sums.broken = true;
        } else if (!sums.broken && compression > sums.compression) {
            sums.compression = compression;
            sums.worst = i;
        }
    }
    u->partial[begin / TL_BLOCK] = sums;
}

tl_stress_sums tl_stress_total(const tl_stress_sums *partial, size_t blocks) {
    tl_stress_sums total = {.compression = -1};
    for (size_t b = 0; b < blocks; b++) {
        total.viscous_power += partial[b].viscous_power;
        total.diffusion_power += partial[b].diffusion_power;
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
