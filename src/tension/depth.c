/* See depth.h. */
#include "tension/depth.h"

#include <math.h>

enum { FINE = 16, ALL = (TL_DEPTHS - 1) * FINE };

static double shape_at(tl_kernel kernel, double q) {
    return (double)tl_lane(tl_kernel_shape(kernel, tl_splat((float)q)), 0);
}

tl_depths tl_depths_make(tl_kernel kernel) {
    const double norm = tl_kernel_norm(kernel), dq = 1.0 / ALL;
    double plane[ALL + 1], bend = 0, sum = 0.5;
    tl_depths d = {{0}, 0};
    plane[ALL] = 0;
    for (int k = ALL; k > 0; k--) {
        const double q = (k - 0.5) * dq, ring = TL_PI * norm * shape_at(kernel, q) * q * dq;
        plane[k - 1] = plane[k] + 2 * ring;
        bend += ring * q * q;
    }
    for (int k = 0; k <= ALL; k++) {
        if (k % FINE == 0)
            d.filling[k / FINE] = sum;
        if (k < ALL)
            sum += 0.5 * (plane[k] + plane[k + 1]) * dq;
    }
    d.bend = bend / plane[0];
    return d;
}

double tl_depth_at(const tl_depths *d, double filling) {
    const double *f = d->filling, step = 1.0 / (TL_DEPTHS - 1);
    if (filling <= f[0])
        return fmax((filling - f[0]) / (f[1] - f[0]) * step, -0.2);
    for (int k = 1; k < TL_DEPTHS; k++)
        if (filling < f[k])
            return (k - 1 + (filling - f[k - 1]) / (f[k] - f[k - 1])) * step;
    return 1;
}
