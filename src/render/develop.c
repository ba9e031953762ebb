/* See develop.h. */
#include "render/develop.h"

void tl_develop_make(tl_develop *out) {
    for (int i = 0; i <= TL_DEVELOP_STEPS; i++) {
        const float x = (float)i / TL_DEVELOP_STEPS;
        out->to_srgb[i] =
            255 * (x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f);
    }
}

void tl_develop_pixel(const tl_develop *develop, int x, int y, tl_float3 light,
                      unsigned char rgb[3]) {
    static const unsigned char bayer[4][4] = {
        {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const float dither = ((float)bayer[y & 3][x & 3] + 0.5f) / 16;
    const float channels[3] = {light.x, light.y, light.z};
    for (int k = 0; k < 3; k++) {
        const int step = (int)(tl_clamp01(channels[k]) * TL_DEVELOP_STEPS + 0.5f);
        const float s = develop->to_srgb[step] + dither;
        rgb[k] = (unsigned char)(s < 255 ? s : 255);
    }
}
