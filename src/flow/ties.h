/* Ties: pairs of an elastic solid count half by how far apart they are, and half by how far apart
 * they were. By the present distance alone weights fall as a pair grows, so that a stretched solid
 * falls apart into clumps (tensile instability), and those who were neighbours would be lost; by
 * the past alone squashed solids do not know who is near them, and collapse. Springs (springs.h)
 * know the past alone, and ς is measured by it: stretched pairs have long arms, and by these
 * springs would become the weaker, the farther a solid is drawn. */
#ifndef TL_FLOW_TIES_H
#define TL_FLOW_TIES_H

#include "neighbors/neighbors.h"

/* Where a record was, in the memory of its body. */
typedef struct tl_tied {
    float y[3]; /* m: y = x - D, from the same origin in all records */
    float body; /* number of the solid, from 1 on; 0: none */
} tl_tied;
_Static_assert(sizeof(tl_tied) == 4 * sizeof(float), "gathered as floats");

/* Pairs of one body that were farther from each other than these many supports count as those of
 * two bodies do, by their distance alone: wholly beyond the second. */
#define TL_TIED_UP_TO 2.0f
#define TL_STRANGERS  3.0f

/* Strangers, which are such pairs and those of two solids, push and rub where they are pressed on
 * each other, and do not hold each other: they have no weight where they would pull. */
typedef struct tl_ties {
    const tl_tied *places;        /* [total + 1] */
    const tl_neighbor_list *list; /* who was within a support of whom */
    const float (*apart)[3];      /* [n] m: how far a particle has moved from where it was, seen
                                     from the wall that it sticks to; 0: it sticks to none */
    const float *pull;            /* [n] Pa: with which it would pull at strangers */
} tl_ties;

struct tl_strain;

/* Whether particle i is part of a solid. */
static inline bool tl_ties_has(const tl_ties *ties, size_t i) {
    return ties && ties->places[i].body > 0;
}

/* Σ ω r⁴ of the ties of particle i as they were. */
float tl_ties_trace(const struct tl_strain *strain, size_t i);

/* How much larger particle i of a solid is than it was, J - 1 with the determinant J of the map
 * from where its neighbours were to where they are: what the divergence of the flow has missed of
 * it shows here, beside walls above all. 0 where too few are tied. */
double tl_ties_growth(const struct tl_strain *strain, size_t i);

#endif
