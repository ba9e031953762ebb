/* The sums over the samples of a picture's pixels. */
#ifndef TL_TRACE_PICTURE_H
#define TL_TRACE_PICTURE_H

#include "trace/path.h"

typedef struct tl_trace_pixel {
    tl_float3 light, colour, normal; /* sums; the last two of what is seen first */
    float distance;                  /* sum */
    float squares;                   /* of the samples' brightness */
    tl_float3 flame;                 /* sums of what is before all that, and has no noise: light, */
    float passes;                    /* and the part of the rest that it lets through */
} tl_trace_pixel;

struct tl_trace {
    tl_parallel parallel;
    tl_scenery scenery;
    tl_float3 eye, right, up, forward; /* right and up reach from pixel to pixel */
    int width, height, samples;
    tl_trace_pixel *pixels;
    uint64_t *rays; /* of each block of pixels */
};

/* The flames of a picture, over the rest of it. */
void tl_trace_add_flames(const tl_trace *trace, float *rgb);

static inline float tl_brightness(tl_float3 c) {
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

#endif
