/* How a material looks in pictures, beside its colour. */
#ifndef TL_MATERIALS_LOOK_H
#define TL_MATERIALS_LOOK_H

#include "base/param.h"

typedef struct tl_look {
    double roughness;    /* 0: a mirror; 1: chalk */
    double translucency; /* m: how far light goes in it before it turns; 0: opaque */
    double clarity;      /* 0 to 1: the part of the light that goes straight on, as in water */
    double refraction;   /* index of refraction */
    double metal;        /* 0 to 1: reflects in its own colour, and nothing else */
    bool glows;          /* shines by itself when it is hot enough, as a black body */
    double melt_roughness, melt_translucency; /* of what is molten, where they are given */
    bool has_melt_roughness, has_melt_translucency;
} tl_look;

extern const tl_param_table tl_look_table;

#endif
