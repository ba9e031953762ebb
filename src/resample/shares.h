/* Who gives how much of what is to be somewhere: shares of particles around a place whose mean is
 * that place, Σ s = 1 and Σ s d = 0. Of all such the nearest to given weights w, in the sense of
 * least information: s = w exp(λ·d) / Σ, all above 0. They exist where the place is in the convex
 * hull of the others. */
#ifndef TL_RESAMPLE_SHARES_H
#define TL_RESAMPLE_SHARES_H

#include "math/vec3.h"

#include <stdbool.h>
#include <stddef.h>

/* d: from the place, of about `scale` length; `shares` [count]. False: there are none. */
bool tl_shares_find(const tl_vec3 *d, const double *weights, size_t count, double scale,
                    double *shares);

#endif
