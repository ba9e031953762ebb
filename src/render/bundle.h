/* Pixels on their way to be lit together, as many as there are lanes. */
#ifndef TL_RENDER_BUNDLE_H
#define TL_RENDER_BUNDLE_H

#include "render/shine.h"

typedef struct tl_bundle {
    int count;
    size_t pixel[TL_LANES];
    float position[3][TL_LANES], normal[3][TL_LANES], colour[3][TL_LANES];
    float open[TL_LANES], turn[2][TL_LANES];
} tl_bundle;

static inline void tl_bundle_put(float to[3][TL_LANES], int lane, tl_float3 a) {
    to[0][lane] = a.x, to[1][lane] = a.y, to[2][lane] = a.z;
}

static inline tl_float3 tl_bundle_get(const float from[3][TL_LANES], int lane) {
    return (tl_float3){from[0][lane], from[1][lane], from[2][lane]};
}

/* Adds what is seen in pixel (x, y), and returns its lane. */
static inline int tl_bundle_add(tl_bundle *b, const tl_air *air, int x, int y, const tl_surface *s,
                                tl_float3 colour) {
    const int lane = b->count++;
    b->pixel[lane] = (size_t)y * (size_t)air->view->width + (size_t)x;
    tl_bundle_put(b->position, lane, s->position);
    tl_bundle_put(b->normal, lane, s->normal);
    tl_bundle_put(b->colour, lane, colour);
    b->open[lane] = air->view->open[b->pixel[lane]];
    for (int k = 0; k < 2; k++)
        b->turn[k][lane] = air->turns[k][y % TL_TURNS][x % TL_TURNS_WIDE];
    return lane;
}

static inline tl_surfaces tl_bundle_surfaces(const tl_bundle *b) {
    return (tl_surfaces){.position = tl_wide3_load(b->position),
                         .normal = tl_wide3_load(b->normal),
                         .colour = tl_wide3_load(b->colour),
                         .open = tl_load(b->open),
                         .turn = {tl_load(b->turn[0]), tl_load(b->turn[1])}};
}

#endif
