/* How heat is exchanged: the parameters of the scene's section `heat`. */
#ifndef TL_HEAT_PARAMS_H
#define TL_HEAT_PARAMS_H

#include "base/schedule.h"

typedef enum tl_heat_scheme {
    TL_HEAT_AUTOMATIC,
    TL_HEAT_EXPLICIT,
    TL_HEAT_IMPLICIT
} tl_heat_scheme;

typedef enum tl_conduction_law {
    TL_CONDUCTION_FITTED,    /* conduction.h */
    TL_CONDUCTION_LAPLACIAN, /* [Chao12 eq. 3.24] */
} tl_conduction_law;

typedef enum tl_loss_law {
    TL_LOSS_SURFACE,   /* of what is open of it, at the temperature there */
    TL_LOSS_PARTICLES, /* of whole particles [Chao12 eq. 3.21] */
} tl_loss_law;

typedef struct tl_heat_params {
    int scheme;           /* tl_heat_scheme */
    int conduction;       /* tl_conduction_law */
    int loss;             /* tl_loss_law */
    double tolerance;     /* of the implicit solve */
    double accuracy;      /* of a step of it */
    double max_step;      /* s; 0: by itself */
    double speed;         /* seconds of heat in a second of motion */
    tl_schedule ambient;  /* °C: of the air and the room around */
    bool has_ambient;     /* else no heat is lost to them */
    double convection;    /* W/(m² K): to the air, by Newton's law of cooling */
    bool viscous_heating; /* what viscosity takes from the motion warms the matter */
} tl_heat_params;

extern const tl_param_table tl_heat_table;

#endif
