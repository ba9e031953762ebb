/* Exponential, logarithm and power on the wide type, to about two units in the last place: the
 * reductions and polynomials of the Cephes library (Moshier 1989), without branches. Arguments out
 * of range are held at its ends, so that a finite or infinite argument gives a finite result. */
#ifndef TL_MATH_ELEMENTARY_H
#define TL_MATH_ELEMENTARY_H

#include "math/exponential.h"

/* ln x; x is held above the smallest normal number, whose logarithm is -87.34. */
TL_INLINE tl_wide tl_log(tl_wide x) {
    const tl_wide_int bits = tl_bits(tl_max(x, tl_splat(1.17549435e-38f)));
    /* x = 2^e (1 + f) with 1 + f from √½ to √2 */
    const tl_wide_int above = bits - 0x3f3504f3; /* √½ */
    const tl_wide f = tl_of_bits(bits - (above & ~0x7fffff)) - 1.0f;
    const tl_wide power = tl_of_int(above >> 23);
    const tl_wide z = f * f;
    tl_wide p = 7.0376836292e-2f * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    const tl_wide low = p * f * z - 2.12194440e-4f * power - 0.5f * z;
    return low + f + 0.693359375f * power;
}

/* x^y for x >= 0, as e^(y ln x) with the ends of both; the relative error is 10⁻⁷ (1 + |y ln x|).
 */
TL_INLINE tl_wide tl_pow(tl_wide x, tl_wide y) { return tl_exp(y * tl_log(x)); }

/* (1 - e^-x) / x for x >= 0: 1 at x = 0, 1/x far out. By its series where the difference would lose
 * digits. */
TL_INLINE tl_wide tl_relaxation(tl_wide x) {
    tl_wide p = -1.0f / 40320 * x + 1.0f / 5040;
    p = p * x - 1.0f / 720;
    p = p * x + 1.0f / 120;
    p = p * x - 1.0f / 24;
    p = p * x + 1.0f / 6;
    p = p * x - 0.5f;
    p = p * x + 1.0f;
    return tl_select_less(x, tl_splat(0.5f), p, (1.0f - tl_exp(-x)) / x);
}

#endif
