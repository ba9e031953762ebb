/* Particles in parts: one becomes several, two become one, several give to a new one. Every field
 * of the table takes part by what it is (tl_field_flags): what is shared is divided and summed, a
 * place moves with its part, the rest is copied and becomes a mean by mass. Hence mass, momentum,
 * centre of mass and enthalpy are kept to rounding, mass to the bit where particles split (in 2, 4
 * or 8).
 *
 * Parts have the velocity of the whole: so angular momentum and energy are kept too. Two that
 * become one lose the spin L = μ d × u about their centre and ½ μ u², μ m1 m2 / (m1 + m2). The spin
 * is handed to particles around as ω × (x - x̄), ω = I⁻¹ L; what energy is lost is told. */
#ifndef TL_RESAMPLE_PARTS_H
#define TL_RESAMPLE_PARTS_H

#include "math/vec3.h"
#include "particles/fields.h"

/* Where parts are, about the centre of the whole. */
typedef enum tl_pattern {
    TL_PATTERN_PAIR,        /* along a direction */
    TL_PATTERN_NEAR_PAIR,   /* the same, nearer: where those around are halved, too */
    TL_PATTERN_TETRAHEDRON, /* of four, one of them in the direction */
    TL_PATTERN_CUBE,        /* of eight, one of them in the direction */
} tl_pattern;

/* Particles and which fields tell what of them. */
typedef struct tl_parts {
    tl_fields *fields;
    int id, position, velocity, mass, density;
    int size;        /* -1: all are of one size */
    double *next_id; /* the name of the next that is born */
} tl_parts;

size_t tl_pattern_count(tl_pattern pattern);

/* How far both of a pair are from the centre, in spacings of the whole. */
double tl_pair_distance(tl_pattern pattern);

/* Particle i, whose cube has the edge `spacing`, becomes parts. The first takes its place in the
 * table, the others come last. Each has a new name. */
tl_status tl_parts_split(const tl_parts *parts, size_t i, tl_pattern pattern, tl_vec3 direction,
                         double spacing, tl_error *error);

/* Particle i takes up particle j of the same material, whose place in the table is then free: its
 * mass is 0. It keeps the name of the heavier one. The spin goes to `around` ([count] indices, i
 * and j not among them).
 * *lost  J: energy of motion that is gone
 * Returns false, and changes nothing, where those around lie in a line and could not take it, or
 * where a float does not hold the sum of the masses: those of equal ones it does. */
bool tl_parts_merge(const tl_parts *parts, size_t i, size_t j, const uint32_t *around, size_t count,
                    double *lost);

/* A particle is born of `count` others of the same material, of which each gives some of its mass,
 * in kg and less than all of it. It is at the centre of what they give, and has the last place in
 * the table. Masses are kept to the bit where the gifts, their sum and what is left are floats. The
 * spin goes to those who give.
 * *born  false: nothing has changed, since they lie in a line and could not take it
 * *lost  J: energy of motion that is gone */
tl_status tl_parts_insert(const tl_parts *parts, const uint32_t *givers, const double *gifts,
                          size_t count, bool *born, double *lost, tl_error *error);

#endif
