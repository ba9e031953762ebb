/* From forces to acceleration: what ends the second pass. XSPH, which the papers use as a filter of
 * the velocity itself [PPLT09 eq. 13], is applied here too. */
#ifndef TL_FLOW_MOMENTUM_H
#define TL_FLOW_MOMENTUM_H

#include "flow/body_force.h"
#include "flow/passes.h"

/* Sums and extremes over a block of particles. */
typedef struct tl_momentum_sums {
    double viscous_power; /* W: made into heat by pairwise viscosity */
    double damping_power; /* W: taken by the artificial viscosity */
    double xsph_loss;     /* J: kinetic energy taken by XSPH */
    double holding[3];    /* N: what keeps held matter from being accelerated */
    double holding_power; /* W: of that */
    float acceleration2;  /* largest |a|², m²/s⁴ */
    size_t worst;         /* the particle that has it, or the first that is not finite */
    bool broken;
} tl_momentum_sums;

typedef struct tl_momentum_update {
    const tl_records *records;
    tl_pass_units units;
    float *acceleration; /* [3 n] */
    double *velocity;    /* [3 n] */
    tl_body_force force;
    double xsph;
    const uint8_t *held;       /* [n] what keeps its velocity; NULL: nothing */
    tl_momentum_sums *partial; /* [blocks] */
} tl_momentum_update;

/* The tl_forces_fn of the second pass; context is a tl_momentum_update. */
void tl_momentum_finish(void *context, const tl_forces *forces, size_t begin, size_t end);

/* The total of `count` particles. */
tl_momentum_sums tl_momentum_total(const tl_momentum_sums *partial, size_t count);

#endif
