/* Vectors of three doubles. */
#ifndef TL_MATH_VEC3_H
#define TL_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

typedef struct tl_vec3 {
    double x, y, z;
} tl_vec3;

static inline tl_vec3 tl_vec3_of(const double v[3]) { return (tl_vec3){v[0], v[1], v[2]}; }
static inline tl_vec3 tl_vec3_add(tl_vec3 a, tl_vec3 b) {
    return (tl_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline tl_vec3 tl_vec3_sub(tl_vec3 a, tl_vec3 b) {
    return (tl_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline tl_vec3 tl_vec3_scale(tl_vec3 a, double s) {
    return (tl_vec3){a.x * s, a.y * s, a.z * s};
}
/* a + s b */
static inline tl_vec3 tl_vec3_mad(tl_vec3 a, double s, tl_vec3 b) {
    return (tl_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double tl_vec3_dot(tl_vec3 a, tl_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline tl_vec3 tl_vec3_cross(tl_vec3 a, tl_vec3 b) {
    return (tl_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline void tl_cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static inline double tl_vec3_length(tl_vec3 a) { return sqrt(tl_vec3_dot(a, a)); }
/* Unit vector along a; zero stays zero. */
static inline tl_vec3 tl_vec3_unit(tl_vec3 a) {
    const double length = tl_vec3_length(a);
    return length > 0 ? tl_vec3_scale(a, 1 / length) : a;
}
static inline bool tl_vec3_finite(tl_vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

#endif
