/* Glass tanks: boxes of which one sees the edges, as thin smooth lines, and a breath of the faces,
 * both only where nothing stands before them. */
#ifndef TL_RENDER_GLASS_H
#define TL_RENDER_GLASS_H

#include "render/view.h"

/* A thing that covers part of a pixel, for what must be hidden behind it. */
typedef struct tl_layer {
    float depth, weight; /* the weights of a pixel's layers add up to 1 */
} tl_layer;

/* An edge on screen, in pixels. 1 / depth is linear along it. */
typedef struct tl_edge {
    float x0, y0, x1, y1, inverse0, inverse1;
    tl_float3 colour;
} tl_edge;

typedef struct tl_glass {
    tl_edge *edges;
    size_t count;
    float width; /* pixels, of an edge */
} tl_glass;

tl_status tl_glass_build(tl_arena *arena, const tl_view *view, tl_glass *out, tl_error *error);

/* The numbers of the edges that come near the pixels [x, x + size) × [y, y + size); `list` has room
 * for all. Returns how many. */
size_t tl_glass_near(const tl_glass *glass, int x, int y, int size, uint32_t *list);

/* The colour of pixel (x, y) with glass over it. */
tl_float3 tl_glass_over(const tl_view *view, const tl_glass *glass, const uint32_t *list,
                        size_t count, int x, int y, const tl_layer *layers, int layer_count,
                        tl_float3 colour);

#endif
