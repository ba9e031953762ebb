/* Rheology: the viscosity η (Pa·s) of a material at a shear rate γ̇ = sqrt(½ D:D) and a
 * temperature. Each model is a file of this room and has a section in docs/rheology.md; each of its
 * parameters may follow a temperature law.
 *
 * η is finite for all rates in [0, 1e30] and all parameters in their ranges, and the stress η γ̇
 * never falls with the rate.
 *
 * A material may have a viscosity of its own for one phase, or for both. Melting then drives the
 * viscosity, not the temperature: η = η_s^(1-f) η_l^f with the liquid fraction f. Where solidus and
 * liquidus are one, matter thins by the latent heat that it takes up, and not before. */
#ifndef TL_MATERIALS_RHEOLOGY_H
#define TL_MATERIALS_RHEOLOGY_H

#include "materials/law.h"

typedef enum tl_rheology_model {
    TL_RHEOLOGY_NEWTONIAN,
    TL_RHEOLOGY_JUMP,
    TL_RHEOLOGY_POWER_LAW,
    TL_RHEOLOGY_BINGHAM,
    TL_RHEOLOGY_HERSCHEL_BULKLEY,
    TL_RHEOLOGY_CASSON,
    TL_RHEOLOGY_CROSS,
    TL_RHEOLOGY_CARREAU,
    TL_RHEOLOGY_COUNT
} tl_rheology_model;

/* The parameters of all models; each reads some of them. */
typedef enum tl_rheology_law {
    TL_VISCOSITY,           /* Pa·s */
    TL_JUMP,                /* 1 */
    TL_EXPONENT,            /* 1 */
    TL_REFERENCE_VISCOSITY, /* Pa·s */
    TL_REFERENCE_RATE,      /* 1/s */
    TL_YIELD_STRESS,        /* Pa */
    TL_CONSISTENCY,         /* Pa·s^n */
    TL_PLASTIC_VISCOSITY,   /* Pa·s */
    TL_PLATEAU_VISCOSITY,   /* Pa·s: η at rest */
    TL_INFINITE_VISCOSITY,  /* Pa·s: η at the highest rates */
    TL_MIN_VISCOSITY,       /* Pa·s */
    TL_MAX_VISCOSITY,       /* Pa·s */
    TL_RELAXATION_TIME,     /* s */
    TL_RHEOLOGY_LAWS
} tl_rheology_law;

/* As the scene gives it: model and parameters. */
typedef struct tl_rheology {
    int model; /* tl_rheology_model */
    tl_law law[TL_RHEOLOGY_LAWS];
    bool given[TL_RHEOLOGY_LAWS]; /* the file had the key */
    bool by_stress; /* jump: from yield stress, consistency and plateau, not from the jump number */
    const struct tl_model *own; /* a law that no scene can name, in place of the model; or NULL */
} tl_rheology;

typedef struct tl_material tl_material;

/* One viscosity in double, the oracle of those that matter answers (respond.h): the formulas as
 * they stand in the literature. */
double tl_viscosity_of(const tl_material *material, double rate, double temperature, double molten);

/* The same, with the liquid fraction that the temperature has. */
double tl_viscosity_at(const tl_material *material, double rate, double temperature);

/* The liquid fraction at a temperature where no heat is kept: linear over the melting range; at a
 * sharp melting point, and without one, all is molten. */
double tl_molten_at(const tl_material *material, double temperature);

/* Largest viscosity the material can have at any rate at this temperature. */
double tl_plateau_viscosity(const tl_material *material, double temperature);

/* Whether it has one viscosity at all rates, and remembers nothing. */
bool tl_is_newtonian(const tl_material *material);

/* The parameters of each model. */
extern const tl_param_table tl_newtonian_table, tl_jump_table, tl_power_law_table, tl_bingham_table,
    tl_herschel_bulkley_table, tl_casson_table, tl_cross_table, tl_carreau_table;
extern const tl_param_variants tl_rheology_variants;

#endif
