/* All smoothing kernels in three dimensions, on the wide type, as functions of q = r / support.
 *
 *   W(r) = norm / support³ * shape(q)
 *   ∇W = x_ij * norm / support⁵ * slope(q),  slope(q) = shape'(q) / q
 *
 * Every kernel and its slope vanish by themselves for q >= 1, so pair loops need no masks: skin and
 * padding entries add exact zeros. Constants are those of the papers where these are right; the
 * quintic [PPLT06 eq. 2, printed 0.28 % off] and the cubic [Mao06 eq. 3-22, printed 8x too small]
 * are corrected: tests/unit/kernels.c integrates each. */
#ifndef TL_MATH_KERNELS_H
#define TL_MATH_KERNELS_H

#include "base/simd.h"
#include "math/pi.h"

typedef enum tl_kernel {
    TL_KERNEL_WENDLAND,  /* Wendland C2: the default, has no pairing instability */
    TL_KERNEL_QUINTIC,   /* quintic spline [PPLT06] */
    TL_KERNEL_QUARTIC,   /* [PPLT09 eq. 7] */
    TL_KERNEL_CUBIC,     /* cubic spline [Mao06 eq. 3-22] */
    TL_KERNEL_POLY6,     /* [Chao12; Mao06] */
    TL_KERNEL_SPIKY,     /* [Chao12; Mao06] */
    TL_KERNEL_VISCOSITY, /* [Chao12; Mao06], whose Laplacian is positive */
    TL_KERNEL_COUNT
} tl_kernel;

/* The words for the kernels, in order, NULL-terminated. */
extern const char *const tl_kernel_names[];

/* 1 / ∫ shape(q) dq³ */
TL_INLINE double tl_kernel_norm(tl_kernel kernel) {
    switch (kernel) {
    case TL_KERNEL_WENDLAND: return 21 / (2 * TL_PI);
    case TL_KERNEL_QUINTIC: return 27 / (120 * TL_PI);
    case TL_KERNEL_QUARTIC: return 8 * 315 / (208 * TL_PI);
    case TL_KERNEL_CUBIC: return 8 / TL_PI;
    case TL_KERNEL_POLY6: return 315 / (64 * TL_PI);
    case TL_KERNEL_SPIKY: return 15 / TL_PI;
    case TL_KERNEL_VISCOSITY: return 15 / (2 * TL_PI);
    case TL_KERNEL_COUNT: break;
    }
    return 0;
}

TL_INLINE tl_wide tl_cube_(tl_wide x) { return x * x * x; }
TL_INLINE tl_wide tl_fourth_(tl_wide x) {
    const tl_wide s = x * x;
    return s * s;
}

/* W / (norm / support³). The viscosity kernel is infinite at q = 0 and is held at its value at
 * q = 1/1000 below that. */
TL_INLINE tl_wide tl_kernel_shape(tl_kernel kernel, tl_wide q) {
    const tl_wide one = tl_splat(1.0f);
    switch (kernel) {
    case TL_KERNEL_WENDLAND: return tl_fourth_(tl_positive(one - q)) * (4.0f * q + 1.0f);
    case TL_KERNEL_QUINTIC: {
        const tl_wide a = tl_positive(3.0f - 3.0f * q), b = tl_positive(2.0f - 3.0f * q),
                      c = tl_positive(1.0f - 3.0f * q);
        return tl_fourth_(a) * a - 6.0f * (tl_fourth_(b) * b) + 15.0f * (tl_fourth_(c) * c);
    }
    case TL_KERNEL_QUARTIC: { /* of s = 2q; the polynomial and its slope are zero at s = 2 */
        const tl_wide s = 2.0f * tl_min(q, one), t = 2.0f - s;
        /* 2/3 - 9/8 s² + 19/24 s³ - 5/32 s⁴ with the double root at s = 2 taken out, so that
         * rounding cannot make it negative there. */
        return t * t * (1.0f / 6.0f + s * (1.0f / 6.0f - (5.0f / 32.0f) * s));
    }
    case TL_KERNEL_CUBIC: {
        const tl_wide a = tl_positive(one - q), b = tl_positive(0.5f - q);
        return 2.0f * tl_cube_(a) - 8.0f * tl_cube_(b);
    }
    case TL_KERNEL_POLY6: return tl_cube_(tl_positive(one - q * q));
    case TL_KERNEL_SPIKY: return tl_cube_(tl_positive(one - q));
    case TL_KERNEL_VISCOSITY: { /* -q³/2 + q² + 1/(2q) - 1, with its triple root at q = 1 taken out
                                 */
        const tl_wide s = tl_max(tl_min(q, one), tl_splat(1e-3f));
        return tl_cube_(1.0f - s) * (1.0f + s) * 0.5f / s;
    }
    case TL_KERNEL_COUNT: break;
    }
    return tl_splat(0.0f);
}

/* Kernels whose slope is infinite at q = 0 are held there, so that the self pair gives 0 and not
 * NaN. */
TL_INLINE tl_wide tl_away_from_zero_(tl_wide q) { return tl_max(q, tl_splat(1e-3f)); }

/* (dW/dr / r) / (norm / support⁵); never positive. */
TL_INLINE tl_wide tl_kernel_slope(tl_kernel kernel, tl_wide q) {
    const tl_wide one = tl_splat(1.0f);
    switch (kernel) {
    case TL_KERNEL_WENDLAND: return -20.0f * tl_cube_(tl_positive(one - q));
    case TL_KERNEL_QUINTIC: {
        const tl_wide a = tl_positive(3.0f - 3.0f * q), b = tl_positive(2.0f - 3.0f * q),
                      c = tl_positive(1.0f - 3.0f * q);
        return (-15.0f * tl_fourth_(a) + 90.0f * tl_fourth_(b) - 225.0f * tl_fourth_(c)) /
               tl_away_from_zero_(q);
    }
    case TL_KERNEL_QUARTIC: { /* 4 (-9/4 + 19/8 s - 5/8 s²) = (2 - s)(-9/2 + 5/2 s) */
        const tl_wide s = 2.0f * tl_min(q, one);
        return (2.0f - s) * (2.5f * s - 4.5f);
    }
    case TL_KERNEL_CUBIC: {
        const tl_wide a = tl_positive(one - q), b = tl_positive(0.5f - q);
        return (24.0f * (b * b) - 6.0f * (a * a)) / tl_away_from_zero_(q);
    }
    case TL_KERNEL_POLY6: {
        const tl_wide a = tl_positive(one - q * q);
        return -6.0f * (a * a);
    }
    case TL_KERNEL_SPIKY: {
        const tl_wide a = tl_positive(one - q);
        return -3.0f * (a * a) / tl_away_from_zero_(q);
    }
    case TL_KERNEL_VISCOSITY: { /* -3/2 q + 2 - 1/(2q³), with its double root at q = 1 taken out */
        const tl_wide s = tl_max(tl_min(q, one), tl_splat(1e-3f)), t = 1.0f - s;
        return -0.5f * (t * t) * (1.0f + s * (2.0f + 3.0f * s)) / tl_cube_(s);
    }
    case TL_KERNEL_COUNT: break;
    }
    return tl_splat(0.0f);
}

#endif
