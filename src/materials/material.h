/* A material: what a body is made of, in SI units (temperatures °C). */
#ifndef TL_MATERIALS_MATERIAL_H
#define TL_MATERIALS_MATERIAL_H

#include "materials/cohesion.h"
#include "materials/elastic.h"
#include "materials/look.h"
#include "materials/rheology.h"

struct tl_material {
    char *name;
    char *like;       /* the library material it starts from, or NULL */
    char *source;     /* where its numbers come from; a citation, or NULL */
    double density;   /* kg/m³ at rest */
    tl_law viscosity; /* Pa·s; without a rheology */
    tl_rheology rheology;
    bool has_viscosity, has_rheology;         /* exactly one of them in a scene */
    tl_law solid_viscosity, liquid_viscosity; /* Pa·s: of one phase, in place of the above */
    bool has_solid_viscosity, has_liquid_viscosity;
    tl_law surface_tension;   /* N/m: against air */
    bool has_surface_tension; /* without it there is none */
    double contact_angle;     /* rad: on what it wets and what has none of its own */
    double tensile_strength;  /* Pa: the pull that pressure bears beside viscosity */
    tl_elastic elastic;       /* beside viscosity or rheology */
    bool has_elastic;

    /* Used by heat (enthalpy.h); 0: not given. */
    double conductivity;                /* W/(m·K): of the solid */
    double liquid_conductivity;         /* 0: that of the solid */
    double specific_heat;               /* J/(kg·K): of the solid */
    double liquid_specific_heat;        /* 0: that of the solid */
    double gas_specific_heat;           /* 0: that of the liquid */
    double latent_heat;                 /* J/kg: of melting */
    double latent_heat_of_vaporisation; /* J/kg */
    double heating;                     /* W/m³: made in the material itself */
    double emissivity;                  /* 0 to 1 */
    double absorptivity;                /* 0 to 1; the emissivity unless given */
    double solidus, liquidus, boiling;  /* °C */
    bool has_solidus, has_liquidus, has_boiling, has_absorptivity;

    tl_cohesion cohesion; /* of thermal particles */
    bool has_cohesion;

    int solid;         /* tl_solid_state: what the flow does with what is solid, with heat on */
    double solid_slip; /* of what flows over it while it is held: 0 sticks .. 1 slides */

    float colour[3];
    tl_look look;
};

typedef enum tl_solid_state {
    TL_SOLID_FLUID, /* moves like all else: stiff by its viscosity alone */
    TL_SOLID_HELD,  /* does not move where it is frozen to a wall (world/held.c) */
} tl_solid_state;

extern const tl_param_table tl_material_table;

#endif
