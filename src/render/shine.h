/* How a surface looks in the light of sky and lamps: a diffuse part, a translucent part, and a
 * highlight after GGX (Walter et al. 2007) with Fresnel's reflection after Schlick. */
#ifndef TL_RENDER_SHINE_H
#define TL_RENDER_SHINE_H

#include "render/lamp.h"

enum { TL_TURNS = 16 };

typedef struct tl_air {
    const tl_view *view;
    tl_lamps lamps;
    tl_float3 up;                  /* camera space */
    tl_float3 sky, horizon, earth; /* light from above, from the side and from below */
    float turns[TL_TURNS][2];      /* cosines and sines; see lamp.h */
} tl_air;

/* What a surface is made of. */
typedef struct tl_substance {
    tl_float3 colour;
    float roughness, reflection; /* of light that falls straight on it */
    float metal;
    float translucency; /* m */
    bool is_matter;     /* under the skin: in the maps of lamps */
} tl_substance;

/* Light that leaves a surface towards the eye. */
typedef struct tl_shine {
    tl_float3 body;   /* what went in and came out again */
    tl_float3 mirror; /* what was thrown back */
    float thrown;     /* the part of it that a smooth surface throws back, seen as it is */
} tl_shine;

tl_status tl_air_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                      tl_air *out, tl_error *error);

/* Light from a direction, where nothing is. */
tl_float3 tl_air_sky(const tl_air *air, tl_float3 direction);

/* `open` is the part of the sky that is seen. */
tl_shine tl_shine_at(const tl_air *air, const tl_surface *surface, const tl_substance *substance,
                     float open);

/* The same of a dull surface that is no matter. */
tl_float3 tl_shine_matte(const tl_air *air, const tl_surface *surface, tl_float3 colour,
                         float open);

/* The light of everything but the skin: see shade.c. */
tl_status tl_shade_backdrop(const tl_parallel *parallel, tl_arena *arena, const tl_air *air,
                            tl_float3 *light, tl_error *error);

/* (n - 1)² / (n + 1)². */
static inline float tl_reflection_of(float refraction) {
    const float r = (refraction - 1) / (refraction + 1);
    return r * r;
}

#endif
