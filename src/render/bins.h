/* Sorts things by the tiles of an image that they touch, so that each tile is drawn by one thread,
 * in the order of the things: the same picture for any number of threads. */
#ifndef TL_RENDER_BINS_H
#define TL_RENDER_BINS_H

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

enum { TL_TILE = 64 }; /* samples on a side */

/* Samples [x0, x1) × [y0, y1). Empty where x0 >= x1. */
typedef struct tl_rect {
    uint16_t x0, y0, x1, y1;
} tl_rect;

/* The numbers of the things that touch tile t, ascending: items[start[t] .. start[t + 1]). */
typedef struct tl_bins {
    size_t *start;
    uint32_t *items;
    int tiles_x, tiles_y;
} tl_bins;

/* Builds the bins of rectangles that lie within tiles_x × tiles_y tiles. */
tl_status tl_bins_build(const tl_parallel *parallel, tl_arena *arena, const tl_rect *rects,
                        size_t count, int tiles_x, int tiles_y, tl_bins *out, tl_error *error);

#endif
