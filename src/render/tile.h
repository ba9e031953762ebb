/* A tile while it is drawn: the rays of its samples, and what is nearest along each so far. */
#ifndef TL_RENDER_TILE_H
#define TL_RENDER_TILE_H

#include "render/view.h"

/* Depth and content of one tile's samples. */
typedef struct tl_tile {
    int x0, y0;                           /* first sample */
    float ray_x[2][TL_TILE];              /* [odd row][column] */
    float ray_y[TL_TILE], shift[TL_TILE]; /* y of a sample is ray_y[row] + shift[column] */
    float depth[TL_TILE * TL_TILE];
    uint32_t *shown;
} tl_tile;

/* The part of a rectangle in this tile, counted from its corner. */
static inline tl_rect tl_tile_clip(const tl_tile *t, tl_rect r) {
    const int x0 = r.x0 - t->x0, x1 = r.x1 - t->x0, y0 = r.y0 - t->y0, y1 = r.y1 - t->y0;
    return (tl_rect){
        (uint16_t)(x0 < 0         ? 0
                   : x0 > TL_TILE ? TL_TILE
                                  : x0),
        (uint16_t)(y0 < 0         ? 0
                   : y0 > TL_TILE ? TL_TILE
                                  : y0),
        (uint16_t)(x1 < 0         ? 0
                   : x1 > TL_TILE ? TL_TILE
                                  : x1),
        (uint16_t)(y1 < 0         ? 0
                   : y1 > TL_TILE ? TL_TILE
                                  : y1),
    };
}

#endif
