/* Thermal particles as a kind of dynamics [Ton91]: what a world holds for them. Private to this
 * room. A step moves particles under bonds, collisions, gravity and damping (thermal.c); heat and
 * friction follow once it is accepted (thermal_heat.c). */
#ifndef TL_WORLD_THERMAL_H
#define TL_WORLD_THERMAL_H

#include "thermal/bonds.h"
#include "thermal/conduction.h"
#include "thermal/obstacles.h"
#include "world/world.h"

struct tl_world_state;

typedef struct tl_world_thermal {
    tl_potential *potentials; /* [materials] */
    tl_collision collision;
    tl_bonds bonds;
    tl_bond_heat heat;
    double *power, *weight; /* [n] of conduction: W, W/K */
    size_t power_capacity, weight_capacity;
    double *wall_heat; /* [blocks * walls] J */
    size_t wall_heat_capacity;
    size_t bodies;   /* how many there are */
    bool rows_cut;   /* the lists hold bonds; false when they are new */
    bool bonds_only; /* nothing else acts: while relaxing */
    /* Handles of fields. */
    int acceleration, kept_position, kept_velocity, unspent_heat;
    int change, last_velocity; /* of the midpoint method only; else -1 */
} tl_world_thermal;

/* Sums over all particles of one evaluation or motion. */
typedef struct tl_thermal_sums {
    double bond_energy, contact_energy;      /* J */
    double kinetic_energy, potential_energy; /* J */
    double loss;                             /* J, by damping */
    double wall_force[3];                    /* N */
    double acceleration2, speed2;            /* largest */
    size_t worst;                            /* whose is the largest, or is not finite */
    bool broken;
} tl_thermal_sums;

/* Range of the neighbour search, potentials and collisions, from the definition. */
tl_status tl_world_thermal_constants(tl_world *world, tl_error *error);

/* Declares the fields that only thermal particles have. */
tl_status tl_world_thermal_fields(tl_world *world, tl_error *error);

/* If asked for, relaxes what was placed, and evaluates it. */
tl_status tl_world_begin_thermal(tl_world *world, bool *broken, tl_error *error);

/* Neighbours, bonds, collisions, gravity: the accelerations at the present places, and the energies
 * into the state. thermal_forces.c */
tl_status tl_world_thermal_forces(tl_world *world, bool *broken, size_t *worst, tl_error *error);

/* The vector from a record of another body to particle i. */
tl_vec3 tl_world_from_stranger(const tl_world *world, size_t i, size_t record);

/* The packing of least energy: all bodies at once, each by itself. thermal_relax.c */
tl_status tl_world_thermal_relax(tl_world *world, tl_error *error);

/* The step its vibrations, collisions and speeds allow. */
double tl_world_thermal_step_size(const tl_world *world);

/* Friction and heat over the step that was just accepted. thermal_heat.c */
tl_status tl_world_thermal_after(tl_world *world, double dt, tl_error *error);

/* The longest explicit sub-step of conduction, into the state. */
tl_status tl_world_thermal_heat_step(tl_world *world, tl_error *error);

/* Continues a hash over all that thermal particles read of a scene. */
uint64_t tl_world_thermal_hash(const tl_world *world, uint64_t hash);

size_t tl_world_thermal_bytes(const tl_world *world);
void tl_world_free_thermal(tl_world *world);

#endif
