/* The response of matter: what it answers to a rate of strain, whatever its law. All who ask for
 * stress, viscosity or heat ask here.
 *
 *   η = τ/γ̇       the secant viscosity: solves hold it, and renew it
 *   η_t = dτ/dγ̇   the tangent viscosity
 *   τ = η γ̇       the stress, σ = 2 η e with the rate of strain e (without its trace)
 *   q = τ γ̇       the heat, W/m³; never negative
 *
 * A law without memory gives η alone, and the rest follows from it here. One with memory has fields
 * of its own (memory.h) and changes what it would answer without them (model.h). Elastic matter
 * remembers too, whatever its law of viscosity (elastic.h). */
#ifndef TL_MATERIALS_RESPOND_H
#define TL_MATERIALS_RESPOND_H

#include "materials/rheology.h"

#include <stddef.h>

/* What particles remember (memory.h), and how many fields of it a law has at most. */
typedef struct tl_memory tl_memory;
enum { TL_MEMORIES = 5 };

/* What is wanted, to be added up. Nothing else is found. */
typedef enum tl_respond_part {
    TL_RESPOND_VISCOSITY = 1,
    TL_RESPOND_TANGENT = 2,
    TL_RESPOND_STRESS = 4,
    TL_RESPOND_TENSOR = 8, /* needs the strain */
    TL_RESPOND_HEAT = 16,
    TL_RESPOND_HELD = 32, /* η is that of `out`, held by a solve: the law is not asked for it */
    TL_RESPOND_REMEMBER = 64, /* memories become those of the end of the step */
    TL_RESPOND_SLACK = 128,   /* needs the strain, and η that is held */
} tl_respond_part;

/* Matter that is strained. Arrays begin at the first particle that is asked about; what only some
 * of the laws or parts need may be missing (0). */
typedef struct tl_strained {
    /* Of the flow. */
    const float *rate;        /* 1/s: γ̇ */
    const float (*strain)[6]; /* 1/s: e, as xx yy zz xy xz yz */
    const float (*turn)[3];   /* rad: by which matter has turned in the step, axis times angle */
    const double *volume;     /* m³: heat is then that of these volumes, W */
    /* Of the matter. */
    const tl_material *materials;
    const uint8_t *material;  /* indices into materials; quickest where neighbours are of one */
    const float *temperature; /* °C */
    const float *molten;      /* liquid fractions; missing: by temperature (tl_molten_at) */
    const tl_memory *memory;  /* missing: nobody remembers anything */
    size_t first;             /* number of the first of them in the memory */
    /* Of the step. */
    double dt;       /* s */
    double stiffest; /* m²/s: η/ρ is no larger; 0: as large as it likes */
} tl_strained;

/* How stress changes with the rate of strain, where that is not 2 η de:
 * dσ = 2 (η - loss) de - N (N:de). Matter that yields has less to set against more of the same. */
typedef struct tl_slack {
    float loss;         /* Pa·s; may be negative */
    float direction[6]; /* √(Pa·s): N */
} tl_slack;

/* The answer; only what is wanted is touched. */
typedef struct tl_response {
    float *viscosity;   /* Pa·s: η, with a relative error below 1e-5 */
    float *tangent;     /* η_t/η, over the last tenth of the rate; 1 where η is 0 */
    float *stress;      /* Pa: τ */
    float (*tensor)[6]; /* Pa: σ without pressure */
    float *heat;        /* W/m³: q; W where volumes are given */
    tl_slack *slack;
} tl_response;

/* The answer of n particles; `wanted` of tl_respond_part. */
void tl_respond(const tl_strained *in, unsigned wanted, const tl_response *out, size_t n);

#endif
