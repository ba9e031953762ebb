/* A material: what a body is made of, in SI units. */
#ifndef TL_MATERIALS_MATERIAL_H
#define TL_MATERIALS_MATERIAL_H

#include "base/param.h"

typedef struct tl_material {
    char *name;
    char *like;       /* the library material it starts from, or NULL */
    char *source;     /* where its numbers come from; a citation, or NULL */
    double density;   /* kg/m³ at rest */
    double viscosity; /* Pa·s */
    float colour[3];
} tl_material;

extern const tl_param_table tl_material_table;

#endif
