/* Thermal particles [Ton91]: what a world of them holds, and what a step does with them. They move
 * under bonds, collisions, gravity and damping (forces.c, motion.c); friction and heat follow once
 * a step is accepted (friction.c, exchange.c). The step itself is world/cohesive.c. */
#ifndef TL_COHESION_COHESIVE_H
#define TL_COHESION_COHESIVE_H

#include "cohesion/bonds.h"
#include "cohesion/conduction.h"
#include "cohesion/obstacles.h"
#include "flow/body_force.h"
#include "heat/contact.h"
#include "materials/enthalpy.h"
#include "materials/material.h"
#include "particles/fields.h"
#include "particles/size.h"
#include "records/images.h"

typedef struct tl_cohesive {
    tl_potential *potentials; /* [materials] */
    tl_collision collision;
    tl_bonds bonds;
    tl_bond_heat heat;
    double *power, *weight; /* [n] of conduction: W, W/K */
    double *wall_heat;      /* [blocks * walls] J */
    size_t bodies;          /* how many there are */
    bool rows_cut;          /* the lists hold bonds; false when they are new */
    bool bonds_only;        /* nothing else acts: while relaxing */
    /* Handles of fields. */
    int acceleration, kept_position, kept_velocity, unspent_heat;
    int change, last_velocity; /* of the midpoint method only; else -1 */
} tl_cohesive;

/* All particles, and what is around them; arrays belong to the world. */
typedef struct tl_cohesive_matter {
    const tl_parallel *parallel;
    size_t count;
    double *position, *velocity; /* [3n] m, m/s */
    const float *mass;           /* [n] kg */
    const uint8_t *material;     /* [n] */
    const uint32_t *body;        /* [n] */
    double *enthalpy;            /* [n] J/kg; NULL without heat */
    const float *temperature;    /* [n] °C */
    /* Fields of tl_cohesive. */
    double *acceleration, *kept_position, *kept_velocity, *unspent_heat, *change, *last_velocity;
    const tl_records *records; /* for their images */
    const tl_material *materials;
    size_t material_count;
    const tl_caloric *calorics; /* [materials]; NULL without heat */
    const tl_shapes *shapes;
    const tl_heat_wall *walls; /* [walls]; NULL without heat */
    size_t wall_count;
    tl_vec3 origin;
    double period[3]; /* m */
    tl_body_force force;
    tl_sizes sizes; /* of particles */
    double range;   /* m; nothing is felt beyond it */
} tl_cohesive_matter;

/* Sums over all particles of one evaluation or motion. */
typedef struct tl_cohesive_sums {
    double bond_energy, contact_energy;      /* J */
    double kinetic_energy, potential_energy; /* J */
    double pulled;                           /* J: Σ m f·x of forces f besides gravity */
    double loss;                             /* J, by damping */
    double wall_force[3];                    /* N */
    double acceleration2, speed2;            /* largest */
    size_t worst;                            /* whose is the largest, or is not finite */
    bool broken;
} tl_cohesive_sums;

/* What loops get. */
typedef struct tl_cohesive_work {
    tl_cohesive *cohesive;
    const tl_cohesive_matter *matter;
    void *partial; /* [blocks] */
} tl_cohesive_work;

/* Declares the fields that only thermal particles have. make.c */
tl_status tl_cohesive_declare(tl_cohesive *cohesive, tl_fields *fields, bool midpoint,
                              tl_error *error);

/* Makes potentials and collisions. */
tl_status tl_cohesive_make(tl_cohesive *cohesive, const tl_cohesive_params *params,
                           const tl_material *materials, size_t count, double spacing,
                           tl_error *error);

/* True where nothing is cold enough to hold together, once forces are known. */
bool tl_cohesive_is_gas(const tl_cohesive *cohesive, const tl_cohesive_matter *matter);

size_t tl_cohesive_bytes(const tl_cohesive *cohesive);
void tl_cohesive_free(tl_cohesive *cohesive);

/* ---- Forces. forces.c ------------------------------------------------------------------------ */

/* Cuts lists that are new down to bonds, and fills the records of the bonds. */
tl_status tl_cohesive_bind(tl_cohesive *cohesive, const tl_cohesive_matter *matter,
                           tl_neighbor_list *list, tl_error *error);

/* Bonds, collisions, gravity: the accelerations at the present places. partial[blocks] is scratch.
 */
void tl_cohesive_forces(tl_cohesive *cohesive, const tl_cohesive_matter *matter,
                        tl_cohesive_sums *partial, tl_cohesive_sums *out);

/* The vector from a record of another body to particle i. */
tl_vec3 tl_cohesive_from_stranger(const tl_cohesive_matter *matter, size_t i, size_t record);

/* ---- Motion. motion.c ------------------------------------------------------------------------ */

/* The parts of a leap-frog step, and the sub-steps of a midpoint step. */
typedef enum tl_cohesive_part {
    TL_MOVE_BEGIN,
    TL_MOVE_END,
    TL_MIDPOINT_FIRST,
    TL_MIDPOINT_NEXT,
    TL_MIDPOINT_LAST
} tl_cohesive_part;

/* Moves all over dt, damped by damp_factor e^(-b dt/2), and adds up what was noted. */
void tl_cohesive_move(const tl_cohesive_matter *matter, tl_cohesive_part part, double dt,
                      double damp_factor, tl_cohesive_sums *partial, tl_cohesive_sums *out);

/* Places and velocities as they were before the step. */
void tl_cohesive_take_back(tl_cohesive_matter *matter);

/* s: the step that vibrations, collisions and speeds allow. */
double tl_cohesive_stable_step(const tl_cohesive *cohesive, const tl_cohesive_matter *matter,
                               const tl_cohesive_params *params, double max_speed,
                               double max_acceleration);

/* ---- Friction and heat. friction.c, exchange.c ----------------------------------------------- */

typedef struct tl_friction_sums {
    double loss, work; /* J: taken from the motion, and done by walls that move */
} tl_friction_sums;

/* Friction with that coefficient over dt, which is added to the books. partial[blocks] is scratch.
 */
void tl_cohesive_rub(const tl_cohesive *cohesive, const tl_cohesive_matter *matter, double friction,
                     double dt, tl_friction_sums *partial, tl_friction_sums *books);

typedef struct tl_exchange_sums {
    double made, rubbed; /* J: by the materials themselves, and by friction; added to */
    double fastest;      /* 1/s: largest weight per heat capacity */
    const double *given; /* [walls] J: by each of them */
} tl_exchange_sums;

/* Makes ready for exchanges at the present places. */
tl_status tl_cohesive_prepare_exchange(tl_cohesive *cohesive, const tl_cohesive_matter *matter,
                                       tl_error *error);

/* One sub-step of dt, or none with dt = 0: then only the fastest is found. partial[3 blocks] is
 * scratch. */
tl_status tl_cohesive_exchange(tl_cohesive *cohesive, const tl_cohesive_matter *matter, double dt,
                               double *partial, tl_exchange_sums *out, tl_error *error);

/* ---- The packing of least energy. relax.c ---------------------------------------------------- */

typedef struct tl_fire {
    double dt, longest, mixing; /* s, s, and the part of velocities that is turned */
    int downhill;               /* steps since it last went uphill */
    double rest, length;        /* N: the force at which all is relaxed; m: the least separation */
} tl_fire;

/* Begins at rest; `stable` is the longest stable step. */
tl_fire tl_fire_light(const tl_cohesive *cohesive, const tl_cohesive_matter *matter, double stable);

/* One step by the accelerations at hand; true, and nothing has moved, once all is relaxed. */
bool tl_fire_step(tl_fire *fire, const tl_cohesive_matter *matter);

#endif
