/* From the sums of the first pass to density, pressure, viscosity and shift velocity.
 *
 *   ρ += dt (-ρ tr L + δ term + crowding)   or ρ = ρ0 V0 Σ W / lattice value
 *   p = c² (ρ - ρ0) - ζ c R ρ tr L, p >= 0 unless it may pull (flow.tension)
 *   γ̇ = sqrt(½ D:D),  D = L + Lᵀ,  η = η(γ̇, T) of the material
 *   S = β η D                         if nested: of the c-records; heats by V η γ̇²
 *   S = η (D N - β L) - p (N - β I)   if complete (passes.h); its trace goes to the pressure
 *   shift = -κ |v| R Σ g d            from crowded to empty places, inside the matter only
 *
 * Density diffusion after Molteni & Colagrossi (2009), on the relative density, with the
 * hydrostatic part taken out (Fourtakas et al. 2019) so that a column at rest stays at rest.
 * Shifting after Skillen et al. (2013): particles move with v + shift, which keeps them evenly
 * spread in flows that would line them up; momentum is not touched. */
#ifndef TL_FLOW_STRESS_H
#define TL_FLOW_STRESS_H

#include "flow/body_force.h"
#include "flow/params.h"
#include "flow/passes.h"
#include "materials/material.h"
#include "materials/respond.h"
#include "particles/size.h"

/* What the flow needs of a material. */
typedef struct tl_fluid {
    double rest_density;  /* kg/m³ */
    double squared_speed; /* (m/s)²: c² of its sound, so that all liquids are as stiff */
} tl_fluid;

/* Sums and extremes over a block of particles. */
typedef struct tl_stress_sums {
    double viscous_power;       /* W: made into heat by the tensors */
    double numerical_power;     /* W: given to the matter by diffusion and by M not being β I */
    double compression;         /* largest (ρ - ρ0) / ρ0 */
    double kinematic_viscosity; /* m²/s: largest η / ρ0, as far as it limits the step */
    double least_viscosity;     /* m²/s: smallest η / ρ0 */
    size_t worst;               /* the most compressed particle, or the first that is not finite */
    bool broken;                /* a number is not finite */
} tl_stress_sums;

typedef struct tl_stress_update {
    tl_records *records; /* b-records are written, and c-records if any */
    tl_filling filling;  /* of the rates: with volumes, crowding is corrected */
    tl_pass_units units;
    double *density;
    float *pressure, *strain_rate, *viscosity, *shift;
    float (*strain)[6];      /* [n] dev ½ D out; NULL: nobody asks */
    const tl_memory *memory; /* what the matter remembers; or NULL */
    const float *temperature;
    const float *molten; /* liquid fractions; NULL: by temperature */
    const uint8_t *held; /* what does not move, and shows the viscosity of its melt; or NULL */
    const uint32_t *body, *rigid_of; /* [n], [bodies]: not 0 where body[i] is rigid */
    size_t bodies;                   /* 0: none is rigid */
    float rigid_viscosity;           /* Pa·s: what rigid bodies show */
    const float *even; /* [n] 1/s, or NULL: added to the diffusion, which takes volumes as equal */
    const uint8_t *material;
    const tl_fluid *fluids;       /* [materials] */
    const tl_material *materials; /* [materials] */
    const tl_flow_params *params;
    double dt; /* s: 0 leaves the density as it is */
    double sound_speed;
    tl_sizes sizes;
    tl_lattice lattice;
    tl_body_force force;
    tl_stress_sums *partial; /* [blocks] */
} tl_stress_update;

/* The tl_rates_fn of the first pass; context is a tl_stress_update. */
void tl_stress_finish(void *context, const tl_rates *rates, size_t begin, size_t end);

/* The total of `count` particles. */
tl_stress_sums tl_stress_total(const tl_stress_sums *partial, size_t count);

#endif
