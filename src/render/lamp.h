/* Lights, and maps of how far each shines before it meets matter: for shadows with soft edges, and
 * for light that comes through what is translucent [Dachsbacher & Stamminger 2003; Chao12 3.5.3].
 *
 * A light far away has one map, with parallel rays. One at a place has the six faces of a cube, so
 * that matter may be all around it. Clear matter casts a shadow of its own, which is faint. */
#ifndef TL_RENDER_LAMP_H
#define TL_RENDER_LAMP_H

#include "render/skin.h"
#include "render/wide3.h"

/* TL_WIDEST: texels from the middle of a lookup to its rim, at most. */
enum { TL_MAP_BLOCK = 16, TL_WIDEST = 24 };

enum { TL_CUBE = 6 };

/* Depth of the nearest matter, in camera space: of one face, or of the six of a cube, which lie one
 * after the other. */
typedef struct tl_light_map {
    tl_float3 eye,
        axes[3];         /* x, y and depth of a face; or of the cube, with faces +x, -x, +y ... */
    float x0, y0, scale; /* texels a m, or a unit of slope */
    bool is_cube;
    int size;     /* texels on a side; 0: there is nothing in this map */
    float *depth; /* [face][y][x], m; infinite: nothing */
    float *least; /* [face][y][x] of blocks of TL_MAP_BLOCK texels: the least in and near each */
} tl_light_map;

typedef struct tl_lamp {
    tl_float3 at; /* camera space: its place, or the unit vector towards it */
    bool is_near;
    tl_float3 light; /* what reaches a sheet that faces it; times m² if it is near */
    float size;
    float
        soft; /* m: within, the light of a near lamp grows no more: a picture has no room for it */
    float grain; /* m: how rough the matter in the maps is */
    bool is_key; /* walls cast its shadows, too */
    tl_light_map solid, clear;
} tl_lamp;

typedef struct tl_lamps {
    tl_lamp *items;
    size_t count;
} tl_lamps;

tl_status tl_lamps_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                        tl_lamps *out, tl_error *error);

/* What follows is in reach.c, and of points in camera space. */

/* Towards the lamp; *strength is its light there, before shadows. */
tl_wide3 tl_lamp_towards(const tl_lamp *lamp, tl_wide3 point, tl_wide3 *strength);

/* The part of the light that reaches a point, 0 to 1. The map is looked up at some places around;
 * `turn`, a cosine and a sine, tells which, and is to differ between pixels. */
tl_wide tl_lamp_reaches(const tl_lamp *lamp, tl_wide3 point, const tl_wide turn[2]);

/* The same at a point of the skin, and what of each colour comes through the matter to it:
 * exp(-d / length) after a way d in it, unless length.x is zero. `shift` is how much deeper than
 * the point light is to be sought inside, and less deep outside, so that the grain of the matter
 * does not show. */
tl_wide tl_lamp_enters(const tl_lamp *lamp, tl_wide3 point, tl_wide shift, tl_wide3 length,
                       const tl_wide turn[2], tl_wide3 *through);

#endif
