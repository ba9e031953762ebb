/* The exponential on the wide type: see elementary.h. Apart from the rest for those who know the
 * public header, which has another tl_log. */
#ifndef TL_MATH_EXPONENTIAL_H
#define TL_MATH_EXPONENTIAL_H

#include "base/simd.h"

/* e^x; x is held within [-87, 88], where the result is a normal number. */
TL_INLINE tl_wide tl_exp(tl_wide x) {
    x = tl_min(tl_max(x, tl_splat(-87.0f)), tl_splat(88.0f));
    /* x = k ln 2 + r; adding 1.5 · 2²³ rounds to a whole number in the low bits */
    const tl_wide shifter = tl_splat(12582912.0f);
    const tl_wide shifted = x * 1.44269504088896341f + shifter;
    const tl_wide k = shifted - shifter;
    const tl_wide r = (x - k * 0.693359375f) - k * -2.12194440e-4f;
    tl_wide p = 1.9875691500e-4f * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    const tl_wide_int power = tl_bits(shifted) - tl_bits(shifter) + 127;
    return p * tl_of_bits(power << 23);
}

#endif
