/* Cohesion: what holds a body of thermal particles together [Ton91]. Two of its particles attract
 * each other beyond the separation r0 and repel each other within it, by a potential whose depth is
 * the energy ε at 0 °C and shrinks as they become hot (cohesion/potential.h). */
#ifndef TL_MATERIALS_COHESION_H
#define TL_MATERIALS_COHESION_H

#include "base/param.h"

typedef struct tl_cohesion {
    double repulsion;  /* n */
    double attraction; /* m < n */
    double energy;     /* J: ε, of a pair at 0 °C */
    double separation; /* m: r0; 0: that of close packing at the spacing */
    double range;      /* of the potential, in separations */
    double smoothing;  /* the part of the range from which on it fades */
    double least;      /* the part of ε that is left, however hot */
    double offset;     /* m: δ, keeps forces finite where particles meet */
    double stretch[3]; /* factors on distances along the axes: 1 everywhere is Euclid's */
} tl_cohesion;

extern const tl_param_table tl_cohesion_table;

#endif
