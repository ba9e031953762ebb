/* The field of blobs on a grid, in the blocks where it crosses the level. */
#ifndef TL_SURFACE_FIELD_H
#define TL_SURFACE_FIELD_H

#include "surface/blobs.h"
#include "surface/blocks.h"

typedef struct tl_field_options {
    float cell;      /* in spacings */
    bool everywhere; /* evaluate the midst of matter too: slower, and the same */
} tl_field_options;

/* Fills empty blocks with φ minus the level. The blocks do not depend on the number of threads. */
tl_status tl_field_make(const tl_cloud *cloud, const tl_blobs *blobs,
                        const tl_field_options *options, const tl_parallel *parallel,
                        tl_blocks *out, tl_error *error);

#endif
