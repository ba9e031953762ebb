/* See potential.h. */
#include "cohesion/potential.h"

#include <math.h>

static tl_exponents choose_exponents(double n, double m) {
    if (n == 4 && m == 2)
        return TL_EXPONENTS_4_2;
    if (n == 8 && m == 6)
        return TL_EXPONENTS_8_6;
    if (n == 12 && m == 6)
        return TL_EXPONENTS_12_6;
    return n == floor(n) && m == floor(m) ? TL_EXPONENTS_WHOLE : TL_EXPONENTS_ANY;
}

static tl_status check(const tl_cohesion *c, const char *where, tl_error *error) {
    if (!(c->repulsion > c->attraction) || !(c->attraction > 0))
        return tl_fail(error, TL_BAD_INPUT, where,
                       "make repulsion larger than attraction, such as 8 and 6",
                       "the exponent of the repulsion, %g, does not exceed that of the "
                       "attraction, %g: particles would not keep apart",
                       c->repulsion, c->attraction);
    if (!(c->energy > 0))
        return tl_fail(error, TL_BAD_INPUT, where, "give it an energy above zero",
                       "the cohesion has an energy of %g J", c->energy);
    for (int k = 0; k < 3; k++)
        if (!(c->stretch[k] >= 0.1 && c->stretch[k] <= 10))
            return tl_fail(error, TL_BAD_INPUT, where, "use factors from 0.1 to 10",
                           "the stretch along %c is %g", "xyz"[k], c -> stretch[k]);
    return TL_OK;
}

tl_status tl_potential_make(const tl_cohesion *c, double spacing, const char *where,
                            tl_potential *out, tl_error *error) {
    TL_TRY(check(c, where, error));
    const double n = c->repulsion, m = c->attraction;
    /* Close packing with the volume spacing³ each: neighbours at 2^1/6 spacings. */
    const double r0 = c->separation > 0 ? c->separation : spacing * pow(2, 1.0 / 6);
    const double range = c->range * r0, from = c->smoothing * range;
    *out = (tl_potential){.exponents = choose_exponents(n, m),
                          .n = n,
                          .m = m,
                          .energy = c->energy,
                          .least = c->least,
                          .separation = r0,
                          .range = range,
                          .stretch = {c->stretch[0], c->stretch[1], c->stretch[2]},
                          .square = r0 * r0 + c->offset * c->offset,
                          .offset_square = c->offset * c->offset,
                          .range_square = range * range,
                          .inverse_fade = 1 / (range * range - from * from),
                          .repelling = m / (n - m),
                          .attracting = n / (n - m),
                          .pull = n * m / (n - m)};
    return TL_OK;
}

double tl_potential_at(const tl_potential *p, double r2, double *force) {
    *force = 0;
    if (r2 >= p->range_square)
        return 0;
    const double rho2 = r2 + p->offset_square, ratio = sqrt(p->square / rho2);
    const double sn = pow(ratio, p->n), sm = pow(ratio, p->m);
    const double u = (p->m * sn - p->n * sm) / (p->n - p->m);
    const double du = p->n * p->m / (p->n - p->m) * (sn - sm) / rho2; /* -2 du/d(r²) */
    const double t = fmin((p->range_square - r2) * p->inverse_fade, 1);
    const double fade = t * t * t * (10 - 15 * t + 6 * t * t);
    const double slope = -30 * t * t * (1 - t) * (1 - t) * p->inverse_fade; /* dS/d(r²) */
    *force = fade * du - 2 * slope * u;
    return u * fade;
}
