/* From linear light to the bytes of a picture. */
#ifndef TL_RENDER_DEVELOP_H
#define TL_RENDER_DEVELOP_H

#include "render/float3.h"

enum { TL_DEVELOP_STEPS = 4096 };

typedef struct tl_develop {
    float to_srgb[TL_DEVELOP_STEPS + 1]; /* 0..255 */
} tl_develop;

void tl_develop_make(tl_develop *out);

/* The bytes of `count` pixels of row y from a multiple of 4 on, with an ordered dither of one step
 * against bands in smooth colours. */
void tl_develop_row(const tl_develop *develop, int y, const tl_float3 *light, int count,
                    unsigned char *rgb);

/* Keeps highlights from clipping: straight up to TL_SHOULDER, then ever flatter towards 1. A white
 * sheet in full light has room above it: twice as bright is still told from it. */
#define TL_SHOULDER 0.6f
static inline float tl_shoulder(float x) {
    const float over = (x - TL_SHOULDER) / (1 - TL_SHOULDER);
    return over > 0 ? TL_SHOULDER + (1 - TL_SHOULDER) * over / (1 + over) : x;
}

#endif
