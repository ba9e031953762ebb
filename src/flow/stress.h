/* From the velocity gradient to density, pressure and stress: what ends the first pass.
 *
 *   ρ += dt (-ρ tr L + δ term)        or ρ = ρ0 Σ V W / lattice value
 *   p = c² (ρ - ρ0), p >= 0 unless tension is on
 *   S = η D',  D = L + Lᵀ, D' its deviator;  γ̇ = sqrt(½ D':D')
 *
 * Density diffusion after Molteni & Colagrossi (2009), on the relative density, with the
 * hydrostatic part taken out (Fourtakas et al. 2019) so that a column at rest stays at rest. */
#ifndef TL_FLOW_STRESS_H
#define TL_FLOW_STRESS_H

#include "flow/params.h"
#include "flow/passes.h"

/* What the flow needs of a material. */
typedef struct tl_fluid {
    double rest_density; /* kg/m³ */
    float viscosity;     /* Pa·s */
} tl_fluid;

/* Sums and extremes over a block of particles. */
typedef struct tl_stress_sums {
    double viscous_power;   /* W: made into heat */
    double diffusion_power; /* W: given to elastic energy by density diffusion */
    double compression;     /* largest (ρ - ρ0) / ρ0 */
    size_t worst;           /* the particle that has it, or the first that is not finite */
    bool broken;            /* a number is not finite */
} tl_stress_sums;

typedef struct tl_stress_update {
    tl_records *records; /* b-records are written */
    double *density;
    float *pressure, *strain_rate;
    const uint8_t *material;
    const tl_fluid *fluids;
    const tl_flow_params *params;
    double dt; /* s: 0 leaves the density as it is */
    double sound_speed, support;
    double volume;          /* of a particle at rest, m³ */
    double lattice_filling; /* Σ V W of a full neighbourhood */
    double gravity[3];
    tl_stress_sums *partial; /* [blocks] */
} tl_stress_update;

/* The tl_rates_fn of the first pass; context is a tl_stress_update. */
void tl_stress_finish(void *context, const tl_rates *rates, size_t begin, size_t end);

/* Adds the blocks in order. */
tl_stress_sums tl_stress_total(const tl_stress_sums *partial, size_t blocks);

/* Pressure of the state equation, Pa. */
static inline double tl_state_pressure(const tl_stress_update *u, double density, double rest) {
    const double p = u->sound_speed * u->sound_speed * (density - rest);
    return p < 0 && !u->params->tension ? 0 : p;
}

#endif
