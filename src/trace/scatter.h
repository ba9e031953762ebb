/* What happens to light where it meets matter. A boundary of facets lies over one of three things,
 * chosen at random by the parts that the matter has of them: a metal, a clear inside, or a body
 * that scatters. The body takes what the boundary lets through, and gives back by the angle at
 * which light leaves (Kelemen & Szirmay-Kalos 2001): nothing is lost, and both ways are alike.
 * What rough facets lose to each other is given back to metals and to clear matter by a factor of
 * the angle (Turquin 2019, "Practical multiple scattering compensation for microfacet models").
 *
 * Directions are in the frame of the shading normal, z on the side of `out`, and point away. */
#ifndef TL_TRACE_SCATTER_H
#define TL_TRACE_SCATTER_H

#include "trace/substance.h"

typedef enum tl_scatter_kind {
    TL_SCATTER_METAL,
    TL_SCATTER_CLEAR,
    TL_SCATTER_BODY,
    TL_SCATTER_LEAVES /* light that has wandered in the body comes out */
} tl_scatter_kind;

typedef struct tl_scatter {
    const tl_substance *substance;
    tl_scatter_kind kind;
    int side; /* 1: light is inside */
    tl_float3 colour, out;
    float boundary; /* part that the boundary reflects */
    float choice;   /* probability to sample the boundary, unless the matter is clear */
} tl_scatter;

typedef enum tl_scatter_way { TL_WAY_REFLECTED, TL_WAY_PASSED, TL_WAY_INTO_BODY } tl_scatter_way;

typedef struct tl_scattered {
    tl_scatter_way way;
    tl_float3 in;     /* where the light comes from; into the body: not set */
    tl_float3 weight; /* value · cosine / density */
    float density;    /* of the choice, 1/sr; 0: no other direction could be chosen */
} tl_scattered;

/* Of the matter that a random number in [0, 1) chooses. */
tl_scatter tl_scatter_make(const tl_substance *substance, tl_float3 colour, tl_float3 out, int side,
                           float choice);

/* Of light that leaves a body. */
tl_scatter tl_scatter_leaving(const tl_substance *substance);

/* Value times cosine for light from `in`, on the side of `out`, and the density with which
 * tl_scatter_sample finds it. Perfectly smooth boundaries, and what passes, count as zero. */
tl_float3 tl_scatter_value(const tl_scatter *s, tl_float3 in, float *density);

/* Chooses a direction; false: the light ends here. */
bool tl_scatter_sample(const tl_scatter *s, float choice, tl_float2 u, tl_scattered *out);

#endif
