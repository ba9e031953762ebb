/* Lights, and maps of how far each shines before it meets matter: for shadows with soft edges, and
 * for light that comes through what is translucent [Dachsbacher & Stamminger 2003; Chao12 3.5.3].
 *
 * A light far away has one map, with parallel rays. One at a place has the six faces of a cube, so
 * that matter may be all around it. Clear matter casts a shadow of its own, which is faint. */
#ifndef TL_RENDER_LAMP_H
#define TL_RENDER_LAMP_H

#include "render/skin.h"

enum { TL_MAP_BLOCK = 16 };

/* Depth of the nearest matter, in camera space. */
typedef struct tl_light_map {
    tl_float3 eye, right, down, forward;
    float x0, y0, scale; /* texels a m, or a unit of slope */
    bool flat;
    int size;     /* texels on a side; 0: there is nothing in this map */
    float *depth; /* [y][x], m along forward; infinite: nothing */
    float *least; /* [y][x] of blocks of TL_MAP_BLOCK texels: the least depth in and near each */
} tl_light_map;

enum { TL_CUBE = 6 };

typedef struct tl_lamp {
    tl_float3 at; /* camera space: its place, or the unit vector towards it */
    bool is_near;
    tl_float3 light; /* what reaches a sheet that faces it; times m² if it is near */
    float size;
    float
        soft; /* m: within, the light of a near lamp grows no more: a picture has no room for it */
    float grain;       /* m: how rough the matter in the maps is */
    bool is_key;       /* walls cast its shadows, too */
    tl_float3 axes[3]; /* of the cube; its faces are +x, -x, +y, ... */
    tl_light_map solid[TL_CUBE], clear;
} tl_lamp;

typedef struct tl_lamps {
    tl_lamp *items;
    size_t count;
} tl_lamps;

tl_status tl_lamps_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                        tl_lamps *out, tl_error *error);

/* Towards the lamp from a point in camera space; *strength is its light there, before shadows. */
tl_float3 tl_lamp_towards(const tl_lamp *lamp, tl_float3 point, tl_float3 *strength);

/* The part of the light that reaches a point in camera space, 0 to 1. The map is looked up at some
 * places around; `turn`, a cosine and a sine, tells which, and is to differ between pixels. */
float tl_lamp_reaches(const tl_lamp *lamp, tl_float3 point, const float turn[2]);

/* The same at a point of the skin, and what of each colour comes through the matter to it:
 * exp(-d / length) after a way d in it, unless length.x is zero. `shift` is how much deeper than
 * the point light is to be sought inside, and less deep outside, so that the grain of the matter
 * does not show. */
float tl_lamp_enters(const tl_lamp *lamp, tl_float3 point, float shift, tl_float3 length,
                     const float turn[2], tl_float3 *through);

#endif
