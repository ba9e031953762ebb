/* A material: what a body is made of, in SI units (temperatures °C). */
#ifndef TL_MATERIALS_MATERIAL_H
#define TL_MATERIALS_MATERIAL_H

#include "materials/rheology.h"

struct tl_material {
    char *name;
    char *like;       /* the library material it starts from, or NULL */
    char *source;     /* where its numbers come from; a citation, or NULL */
    double density;   /* kg/m³ at rest */
    tl_law viscosity; /* Pa·s; without a rheology */
    tl_rheology rheology;
    bool has_viscosity, has_rheology; /* exactly one of them in a scene */

    /* Used by heat; 0: not given. */
    double conductivity;      /* W/(m·K) */
    double specific_heat;     /* J/(kg·K) */
    double latent_heat;       /* J/kg: of melting */
    double emissivity;        /* 0 to 1 */
    double solidus, liquidus; /* °C */
    bool has_solidus, has_liquidus;

    float colour[3];
};

extern const tl_param_table tl_material_table;

#endif
