/* A scalar field on a regular grid of points, kept only in blocks where it changes its sign.
 *
 * A block has 8 points along each axis and 7 cells: it shares its outermost points with the blocks
 * beside it and knows all of its cells by itself. Blocks that share a point hold the same bits of
 * it. A point that is in no block is as good as far away: nothing is cut there. */
#ifndef TL_SURFACE_BLOCKS_H
#define TL_SURFACE_BLOCKS_H

#include "base/array.h"

enum {
    TL_BLOCK_SIDE = 8,  /* points */
    TL_BLOCK_CELLS = 7, /* along an axis */
    TL_BLOCK_POINTS = TL_BLOCK_SIDE * TL_BLOCK_SIDE * TL_BLOCK_SIDE
};

/* Zero-initialise, then set origin and cell. */
typedef struct tl_blocks {
    double origin[3]; /* m: of point 0 of block 0 */
    double cell;      /* m */
    size_t count;
    int32_t (*at)[3];                /* [count] in ascending order of z, y, x */
    float (*value)[TL_BLOCK_POINTS]; /* [count] inside where >= 0; x runs fastest */
} tl_blocks;

/* Before, at or after: the order of blocks. */
int tl_block_compare(const int32_t a[3], const int32_t b[3]);

/* True when some values are inside and some are not. */
bool tl_block_is_mixed(const float value[TL_BLOCK_POINTS]);

/* Appends a block, which comes after all others in the order. */
tl_status tl_blocks_add(tl_blocks *blocks, const int32_t at[3], const float value[TL_BLOCK_POINTS],
                        tl_error *error);

/* Index of the block at a place, or SIZE_MAX. */
size_t tl_blocks_find(const tl_blocks *blocks, const int32_t at[3]);

void tl_blocks_free(tl_blocks *blocks);

#endif
