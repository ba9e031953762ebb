/* See yield.h. */
#include "materials/yield.h"

#include <math.h>

/* Matter that softens faster than this part of its modulus would snap. */
static const double fastest_softening = 0.9;

/* The end for a yield stress τ that stays, and how fast it grows with τ. Of what was too much k is
 * left, of what is new m. */
static double end_at(const tl_yield *y, double tau, double start, double trial, double *slope) {
    const double x = y->steps, k = exp(-x), m = x < 1e-8 ? 1 : -expm1(-x) / x;
    const double left = k * fmax(start - tau, 0) + m * (trial - fmax(start, tau));
    const double end = tau + fmax(left, 0);
    *slope = !(end < trial) ? 0 : !(left > 0) ? 1 : start > tau ? 1 - k : 1 - m;
    return fmin(end, trial);
}

double tl_yield_end(const tl_yield *y, double modulus, double start, double trial) {
    const double H = modulus > 0 ? fmax(y->hardening / modulus, -fastest_softening) : 0;
    double tau = fmax(y->stress, 0), slope;
    double end = end_at(y, tau, start, trial, &slope);
    if (!(end < trial) || H == 0)
        return end;
    /* Straight in pieces: Newton is there as soon as it is on the right one. */
    for (int k = 0; k < 4; k++) {
        tau -= (tau - y->stress - H * (trial - end)) / (1 + H * slope);
        tau = fmax(tau, 0);
        end = end_at(y, tau, start, trial, &slope);
    }
    return end;
}
