/* The larger and the smaller of two numbers in one instruction: fmaxf and fminf are calls, for the
 * sake of NaNs. Here b counts where one of them is NaN. */
#ifndef TL_MATH_EXTREMES_H
#define TL_MATH_EXTREMES_H

static inline float tl_larger(float a, float b) { return a > b ? a : b; }
static inline float tl_smaller(float a, float b) { return a < b ? a : b; }

/* x, or the nearest of the ends of 0 to 1. */
static inline float tl_part(float x) { return tl_smaller(tl_larger(x, 0), 1); }

#endif
