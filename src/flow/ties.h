/* Ties: pairs of an elastic solid, which count by how far apart they were, not by how far they
 * are. Weights by the present distance fall as a pair grows, so that a stretched solid falls apart
 * into clumps (tensile instability); and those who were neighbours would be lost. */
#ifndef TL_FLOW_TIES_H
#define TL_FLOW_TIES_H

#include "neighbors/neighbors.h"

/* Where a record was, in the memory of its body. */
typedef struct tl_tied {
    float y[3]; /* m: y = x - D, from the same origin in all records */
    float body; /* number of the solid, from 1 on; 0: none */
} tl_tied;
_Static_assert(sizeof(tl_tied) == 4 * sizeof(float), "gathered as floats");

/* Pairs of one body that were nearer than this many supports are no contact, however near they
 * come: ties stand for them. Beyond the second they are as strange to each other as two bodies. */
#define TL_TIED_UP_TO 1.25f
#define TL_STRANGERS  1.75f

typedef struct tl_ties {
    const tl_tied *places;        /* [total + 1] */
    const tl_neighbor_list *list; /* who was within a support of whom */
    const float (*apart)[3];      /* [n] m: how far a particle has moved from where it was, seen
                                     from the wall that it sticks to; 0: it sticks to none */
} tl_ties;

#endif
