/* Which places are near the matter: cells as large as the reach, each marked when it or one beside
 * it holds a point. */
#ifndef TL_BOUNDARY_VICINITY_H
#define TL_BOUNDARY_VICINITY_H

#include "base/array.h"
#include "math/vec3.h"

typedef struct tl_vicinity {
    tl_vec3 low;
    double cell;         /* m */
    size_t size[3];      /* cells along each axis, with a margin of one */
    unsigned char *mark; /* 1: a point is near; 2: a point is here */
} tl_vicinity;

/* Marks what is near `count` points at places[stride * i]. */
tl_status tl_vicinity_make(tl_vicinity *v, const float *places, size_t stride, size_t count,
                           double reach, tl_error *error);

/* False when no point is within the reach of `x`. */
bool tl_vicinity_has(const tl_vicinity *v, tl_vec3 x);

void tl_vicinity_free(tl_vicinity *v);

#endif
