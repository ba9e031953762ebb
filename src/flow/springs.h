/* Springs between the particles of elastic matter, against motions that its stress does not see.
 *
 * Terms with ς (strain.h) slow hourglasses down; stress drives them on, and in elastic matter
 * nothing would bring them back. So each particle knows how far it has moved within its memory, D.
 * With ΔD = D_j - D_i a pair was d - ΔD, and has grown by
 *
 *   P = ½ (|d|² - |d - ΔD|²) = d·ΔD - ½ |ΔD|².
 *
 * For affine motion P = d·ε d exactly (ε Almansi's strain), so the fit of strain.h takes it out,
 * and the terms with ς, with P for p and a stiffness for ς, are an elastic force on what is left:
 * along the lines of centres, free of turns, without a history of pairs, and from an energy,
 *
 *   ½ Σ V k Σ ω (P - d·ε d)².
 *
 * A solid, which forgets nothing, knows all of its pairs as they were, Y = d - ΔD (ties.h), and for
 * affine motion P = Y·E Y (E Green's strain). Its springs fit that to the pairs, weights and arms
 * of then, which never change, so that their force is the gradient of their energy, and its work
 * what they store, however far it is drawn or squashed.
 *
 * Of other matter, pairs of matter alone count, in the fits of P too, and only those that were near
 * each other: d - ΔD of two that have met is no place where they were. Those who forget at
 * different paces, 1/λ, count less, by the square of the slower over the faster: what one of them
 * remembers the other does not know any more. */
#ifndef TL_FLOW_SPRINGS_H
#define TL_FLOW_SPRINGS_H

#include "flow/solve.h"

typedef struct tl_springs_task {
    const double *way;      /* [3 n] m: D */
    const double *velocity; /* [3 n] m/s: of the last step */
    const float *stiffness; /* [n] Pa: κG; 0: no spring */
    const float *lag;       /* [n] s: P is less d·Δu times this (β₂ of materials/elastic.h) */
    const float *pace;      /* [n] 1/s: 1/λ; NULL: all forget at the same */
    double full;            /* S of a full neighbourhood on a lattice */
} tl_springs_task;

/* Finds solver->recalled, the force of the springs per volume, at the places in the motion records.
 * Velocities and ς there are lost. Returns the energy of the springs, J. */
double tl_springs_find(tl_solver *solver, const tl_springs_task *task);

/* Matter that flows forgets how its motion was not affine, each particle at its own pace: D becomes
 * k D + (1 - k) D', where D' is what the neighbours' D say by a linear fit, and k is keeps [n]. To
 * forget D itself at different paces would tear particles apart that move together. The places are
 * those in the motion records, whose velocities are lost. */
void tl_springs_forget(tl_solver *solver, const float *keeps, double *way);

#endif
