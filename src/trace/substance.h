/* A matter made ready for light: its numbers in linear space, and how much of the light that comes
 * at an angle its rough boundary sends back. */
#ifndef TL_TRACE_SUBSTANCE_H
#define TL_TRACE_SUBSTANCE_H

#include "trace/facets.h"
#include "trace/trace.h"

enum { TL_ALBEDO_STEPS = 32 };

/* A function of the cosine, at (k / (TL_ALBEDO_STEPS - 1))². */
typedef struct tl_albedo {
    float at[TL_ALBEDO_STEPS];
} tl_albedo;

typedef struct tl_substance {
    tl_float3 colour;
    float alpha;                /* 0: perfectly smooth */
    float index;                /* of refraction */
    float clarity, metal, path; /* path: m, mean free; 0: opaque */
    tl_float3 absorption;       /* 1/m, of clear matter */
    bool thin;
    tl_albedo mirror;                 /* of facets that reflect all */
    tl_albedo reflected[2], whole[2]; /* what the boundary reflects, and that with what it lets
                                         pass; from outside and from inside */
    float mean_reflected;             /* of light that comes from everywhere outside */
} tl_substance;

void tl_substance_make(const tl_trace_matter *matter, tl_substance *out);

/* The table's value; for smooth boundaries call tl_fresnel instead. */
float tl_albedo_at(const tl_albedo *albedo, float cosine);

/* What the boundary reflects of light at a cosine; side 0: from outside, 1: from inside. */
float tl_substance_reflects(const tl_substance *s, int side, float cosine);

/* Single-scattering albedo of matter whose surface reflects `colour` of light from everywhere, when
 * it is thick (van de Hulst 1980; inverted by Kulla & Conty 2017). */
tl_float3 tl_substance_scattering(tl_float3 colour);

#endif
