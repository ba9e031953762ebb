/* See develop.h. */
#include "render/develop.h"

#include "render/wide3.h"

#include <string.h>

void tl_develop_make(tl_develop *out) {
    for (int i = 0; i <= TL_DEVELOP_STEPS; i++) {
        const float x = (float)i / TL_DEVELOP_STEPS;
        out->to_srgb[i] =
            255 * (x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f);
    }
}

/* The dither of rows, as the channels of pixels lie: it repeats after 4 pixels of 3. */
enum { PERIOD = 12, DITHERS = 2 * PERIOD };

static void set_dither(int y, float out[DITHERS]) {
    static const unsigned char bayer[4][4] = {
        {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    for (int k = 0; k < DITHERS; k++)
        out[k] = ((float)bayer[y & 3][k / 3 & 3] + 0.5f) / 16;
}

static void develop(const tl_develop *develop, const float *channels, const float *dither,
                    int count, unsigned char *out) {
    float bytes[TL_LANES];
    const tl_wide_int step =
        tl_to_int(tl_wide_part(tl_load(channels)) * (float)TL_DEVELOP_STEPS + 0.5f);
    tl_store(bytes, tl_min(tl_gather(develop->to_srgb, step) + tl_load(dither), tl_splat(255)));
    for (int l = 0; l < count; l++)
        out[l] = (unsigned char)bytes[l];
}

void tl_develop_row(const tl_develop *d, int y, const tl_float3 *light, int count,
                    unsigned char *rgb) {
    const float *channels = &light->x;
    float dither[DITHERS], last[TL_LANES] = {0};
    int k = 0;
    set_dither(y, dither);
    for (; k + TL_LANES <= 3 * count; k += TL_LANES)
        develop(d, channels + k, dither + k % DITHERS, TL_LANES, rgb + k);
    if (k < 3 * count) {
        memcpy(last, channels + k, (size_t)(3 * count - k) * sizeof *last);
        develop(d, last, dither + k % DITHERS, 3 * count - k, rgb + k);
    }
}
