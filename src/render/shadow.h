/* What the key light sees: a map of heights towards the light, looked up with soft edges. */
#ifndef TL_RENDER_SHADOW_H
#define TL_RENDER_SHADOW_H

#include "base/memory.h"
#include "base/parallel.h"
#include "render/float3.h"
#include "render/preview.h"

/* Light space: x and y across the map in texels, z towards the light in m. */
typedef struct tl_shadow_map {
    float *heights;       /* [y][x], of what is nearest to the light; -infinity: nothing */
    int size;             /* texels on a side; 0: nothing casts a shadow */
    tl_float3 row[3];     /* rows of the matrix from camera space to light space, */
    float offset[3];      /* and its offset */
    float bias, softness; /* m */
} tl_shadow_map;

struct tl_view;

/* Draws the map of everything within a few times the viewing distance of what is looked at. */
tl_status tl_shadow_build(const tl_parallel *parallel, tl_arena *arena, struct tl_view *view,
                          tl_error *error);

/* 1 where a point in camera space is lit, 0 in full shadow. */
float tl_shadow_light(const tl_shadow_map *map, tl_float3 point);

#endif
