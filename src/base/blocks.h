/* Totals of partial results, one a block of TL_BLOCK of a loop over `count` (parallel.h). They are
 * joined from the first block to the last, whatever thread found them: that order is part of every
 * result, so no sum over blocks is written by hand. */
#ifndef TL_BASE_BLOCKS_H
#define TL_BASE_BLOCKS_H

#include "base/parallel.h"

/* The sum of one value a block; it stands `stride` values behind that of the block before. */
double tl_sum_blocks(const double *partial, size_t stride, size_t count);

/* The largest of them, and at least 0. NaN is passed over. */
double tl_max_blocks(const double *partial, size_t stride, size_t count);

/* Joins one partial result to the total. */
typedef void tl_join_fn(void *total, const void *partial);

/* Joins partial results of `size` bytes to what is in `total`. */
void tl_join_blocks(void *total, const void *partial, size_t size, size_t count, tl_join_fn *join);

#endif
