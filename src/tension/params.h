/* Tension between two liquids: an item of the scene's `interfaces`. */
#ifndef TL_TENSION_PARAMS_H
#define TL_TENSION_PARAMS_H

#include "base/param.h"

typedef struct tl_interface_def {
    char *between, *and;    /* names of materials */
    double surface_tension; /* N/m */
    size_t materials[2];    /* the same, as the world counts them */
} tl_interface_def;

extern const tl_param_table tl_interface_table;

#endif
