/* Symmetric 3x3 matrices of floats: xx yy zz xy xz yz. */
#ifndef TL_MATH_SYM3_H
#define TL_MATH_SYM3_H

#include <stdbool.h>

typedef struct tl_sym3 {
    float xx, yy, zz, xy, xz, yz;
} tl_sym3;

static inline float tl_sym3_trace(tl_sym3 m) { return m.xx + m.yy + m.zz; }

static inline float tl_sym3_determinant(tl_sym3 m) {
    return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) +
           m.xz * (m.xy * m.yz - m.yy * m.xz);
}

/* The inverse, unless m is too flat: its determinant must be at least `flattest` of that of a
 * multiple of I with the same trace. */
static inline bool tl_sym3_inverse(tl_sym3 m, float flattest, tl_sym3 *out) {
    const float determinant = tl_sym3_determinant(m), mean = tl_sym3_trace(m) / 3;
    if (!(determinant > flattest * mean * mean * mean))
        return false;
    const float s = 1 / determinant;
    *out = (tl_sym3){.xx = s * (m.yy * m.zz - m.yz * m.yz),
                     .yy = s * (m.xx * m.zz - m.xz * m.xz),
                     .zz = s * (m.xx * m.yy - m.xy * m.xy),
                     .xy = s * (m.xz * m.yz - m.xy * m.zz),
                     .xz = s * (m.xy * m.yz - m.xz * m.yy),
                     .yz = s * (m.xy * m.xz - m.xx * m.yz)};
    return true;
}

/* out = a m for a general row-major 3x3 matrix a. */
static inline void tl_sym3_multiply(const float a[9], tl_sym3 m, float out[9]) {
    for (int r = 0; r < 3; r++) {
        const float x = a[3 * r], y = a[3 * r + 1], z = a[3 * r + 2];
        out[3 * r] = x * m.xx + y * m.xy + z * m.xz;
        out[3 * r + 1] = x * m.xy + y * m.yy + z * m.yz;
        out[3 * r + 2] = x * m.xz + y * m.yz + z * m.zz;
    }
}

#endif
