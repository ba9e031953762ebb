/* How the flow is solved: the parameters of the scene's section `flow`. */
#ifndef TL_FLOW_PARAMS_H
#define TL_FLOW_PARAMS_H

#include "base/param.h"

#include <stdint.h>

typedef enum tl_density_method { TL_DENSITY_CONTINUITY, TL_DENSITY_SUMMATION } tl_density_method;

typedef struct tl_flow_params {
    int kernel;                  /* tl_kernel */
    double support;              /* spacings */
    int density;                 /* tl_density_method */
    double sound_speed;          /* m/s; 0: ten times the speed the scene can reach */
    double artificial_viscosity; /* α of [PPLT09 eq. 12] */
    double density_diffusion;    /* δ */
    double xsph;                 /* ε */
    double shifting;             /* κ */
    bool tension;                /* let pressure be negative */
    double cfl;                  /* C of the step rule */
    double max_step;             /* s */
    int neighbors;               /* tl_search_method */
    double skin;                 /* of the support */
} tl_flow_params;

extern const tl_param_table tl_flow_table;

#endif
