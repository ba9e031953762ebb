/* The books: what is conserved, and where the rest went. One row of ledger.csv. A column is
 * declared once, in ledger.c: name, unit, doc; CSV, `tallow info` and plots read that table. */
#ifndef TL_WORLD_LEDGER_H
#define TL_WORLD_LEDGER_H

#include <stddef.h>

typedef struct tl_ledger {
    double time;       /* s */
    double steps;      /* accepted so far */
    double rejected;   /* thrown away so far */
    double iterations; /* of implicit solves so far, without rejected steps */
    double dt;         /* s, of the last step */
    double particles;
    double mass;             /* kg */
    double momentum[3];      /* kg m/s */
    double wall_impulse[3];  /* N s, given by walls to the matter so far */
    double kinetic_energy;   /* J */
    double potential_energy; /* J, in gravity, relative to the origin */
    double elastic_energy;   /* J, of compression */
    double bond_energy;      /* J, of thermal particles' bonds */
    double contact_energy;   /* J, of their collisions */
    double viscous_heat;     /* J, made by viscosity so far */
    double numerical_heat; /* J, taken by artificial viscosity, XSPH and density diffusion so far */
    double wall_work;      /* J, done by walls on the matter so far */
    double damping_loss;   /* J, taken by damping and friction of thermal particles so far */
    double softening_work; /* J, that bonds have gained by becoming hot so far */
    double energy_error;   /* J, what the books do not explain */
    double thermal_energy; /* J, enthalpy of the matter, from 0 °C on; 0 without heat */
    double conducted_heat; /* J, given by walls so far */
    double volumetric_heat;    /* J, made in materials so far */
    double friction_heat;      /* J, of viscous heating so far */
    double radiated_heat;      /* J, taken up from sources of radiation so far */
    double lost_radiation;     /* J, radiated to the surroundings so far */
    double lost_convection;    /* J, given to the air so far */
    double boiled_mass;        /* kg, that has left */
    double boiled_energy;      /* J, that it took with it */
    double emitted_mass;       /* kg, that has come from emitters */
    double emitted_energy;     /* J, of motion and in gravity, that it had then */
    double emitter_work;       /* J, of emitters on what is in their nozzles so far */
    double emitted_heat;       /* J, enthalpy that came from emitters */
    double emitter_impulse[3]; /* N s, given by emitters so far, births included */
    double blocked_time;       /* s, for which emitters had no room so far */
    double drained_mass;       /* kg, that has left by drains */
    double drained_energy;     /* J, of motion, in gravity and of compression, that it took along */
    double drained_heat;       /* J, enthalpy that it took along */
    double drained_impulse[3]; /* N s, momentum that it took along */
    double heat_error;         /* J, what these books do not explain */
    double heat_iterations;    /* sub-steps and iterations of heat so far */
    double temperature_min;    /* °C; this and the next three are 0 without heat */
    double temperature_mean;   /* °C, by mass */
    double temperature_max;    /* °C */
    double liquid_fraction;    /* part of the mass that is molten */
    double max_speed;          /* m/s */
    double density_error;      /* largest compression, relative */
} tl_ledger;

typedef struct tl_ledger_column {
    const char *name, *unit, *doc;
    size_t offset; /* of a double in tl_ledger */
} tl_ledger_column;

extern const tl_ledger_column tl_ledger_columns[];
extern const size_t tl_ledger_column_count;

#endif
