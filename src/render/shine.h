/* How a surface looks in the light of sky and lamps: a diffuse part, a translucent part, and a
 * highlight after GGX (Walter et al. 2007) with Fresnel's reflection after Schlick. */
#ifndef TL_RENDER_SHINE_H
#define TL_RENDER_SHINE_H

#include "render/lamp.h"

enum { TL_TURNS = 4, TL_TURNS_WIDE = 8 };

typedef struct tl_air {
    const tl_view *view;
    tl_lamps lamps;
    tl_float3 up;                            /* camera space */
    tl_float3 sky, horizon, earth;           /* light from above, from the side and from below */
    tl_float3 ground;                        /* that is mirrored */
    float turns[2][TL_TURNS][TL_TURNS_WIDE]; /* of pixels: cosines and sines; see lamp.h */
} tl_air;

/* Points that are lit together. */
typedef struct tl_surfaces {
    tl_wide3 position, normal; /* camera space */
    tl_wide3 colour;
    tl_wide open; /* the part of the sky that is seen */
    tl_wide turn[2];
} tl_surfaces;

/* What they are made of. */
typedef struct tl_substances {
    tl_wide roughness, reflection; /* of light that falls straight on it */
    tl_wide metal;
    tl_wide translucency; /* m */
    bool is_matter;       /* under the skin: in the maps of lamps */
} tl_substances;

/* Light that leaves a surface towards the eye. */
typedef struct tl_shines {
    tl_wide3 body;   /* what went in and came out again */
    tl_wide3 mirror; /* what was thrown back */
    tl_wide thrown;  /* the part of it that a smooth surface throws back, seen as it is */
} tl_shines;

tl_status tl_air_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                      tl_air *out, tl_error *error);

tl_shines tl_shine_at(const tl_air *air, const tl_surfaces *surfaces,
                      const tl_substances *substances);

/* The same of dull surfaces that are no matter. */
tl_wide3 tl_shine_matte(const tl_air *air, const tl_surfaces *surfaces);

/* The light of everything but the skin: see backdrop.c. */
tl_status tl_shade_backdrop(const tl_parallel *parallel, tl_arena *arena, const tl_air *air,
                            tl_float3 *light, tl_error *error);

/* (n - 1)² / (n + 1)². */
static inline float tl_reflection_of(float refraction) {
    const float r = (refraction - 1) / (refraction + 1);
    return r * r;
}

#endif
