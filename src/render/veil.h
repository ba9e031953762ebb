/* Meshes that one sees through: a veil over what is behind their faces, laid last, tile by tile.
 * The faces of a tile are laid over each other as they come, not by depth: veils of one colour look
 * the same in any order. */
#ifndef TL_RENDER_VEIL_H
#define TL_RENDER_VEIL_H

#include "render/view.h"

/* The veils of one tile's samples. */
typedef struct tl_veil {
    bool any;                           /* there is one; else the rest is not set */
    float left[TL_TILE * TL_TILE];      /* part of the light from behind that comes through */
    tl_float3 light[TL_TILE * TL_TILE]; /* of the veils themselves */
} tl_veil;

/* Whether the picture has such meshes. */
bool tl_veil_wanted(const tl_view *view);

/* Finds the veils of a tile. */
void tl_veil_find(const tl_view *view, size_t tile, tl_veil *veil);

/* The colour of a pixel, (x, y) counted from the corner of the tile, with the veils over it. */
tl_float3 tl_veil_over(const tl_veil *veil, int x, int y, tl_float3 colour);

#endif
