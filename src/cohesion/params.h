/* How thermal particles move: the parameters of the scene's section `thermal_particles`. */
#ifndef TL_COHESION_PARAMS_H
#define TL_COHESION_PARAMS_H

#include "base/param.h"

#include <stdint.h>

typedef enum tl_integrator { TL_LEAP_FROG, TL_MIDPOINT } tl_integrator;

/* [Ton91 eq. 17]; see obstacles.h. */
typedef struct tl_collision_params {
    double force;    /* N: β */
    double exponent; /* η */
    double distance; /* m: d0; a spacing unless given */
    bool has_distance;
} tl_collision_params;

typedef struct tl_cohesive_params {
    int integrator;   /* tl_integrator */
    int64_t substeps; /* of a step of the modified midpoint method */
    double step;      /* part of the longest stable step */
    double max_step;  /* s; 0: none */
    double damping;   /* 1/s: b/m */
    double friction;  /* of obstacles: tangential over normal force */
    bool relax;       /* start from the packing of least energy */
    double skin;      /* of the neighbour lists, as a part of the range */
    int neighbors;    /* tl_search_method */
    tl_collision_params collision;
} tl_cohesive_params;

extern const tl_param_table tl_cohesive_table;
extern const tl_param_table tl_collision_table;

#endif
