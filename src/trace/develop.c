/* From light to bytes: tl_trace_develop of trace.h. */
#include "render/develop.h"
#include "trace/trace.h"

static unsigned char to_byte(float light) {
    const float c = tl_clamp01(tl_shoulder(light));
    const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
    return (unsigned char)(255 * s + 0.5f);
}

void tl_trace_develop(const float *light, size_t pixels, float exposure, unsigned char *rgb) {
    for (size_t i = 0; i < 3 * pixels; i++)
        rgb[i] = to_byte(exposure * light[i]);
}
