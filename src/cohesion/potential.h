/* The bireciprocal pair potential of thermal particles, [Ton91 eq. 4, 11, 12] with the sign that
 * makes r0 a minimum, and of any depth D:
 *
 *   φ(r) = D u(r) S(r),   u = (m s^n/2 - n s^m/2) / (n - m),   s = (r0² + δ²) / (r² + δ²)
 *
 * With δ = 0, s^½ is r0/r, and this is Mie's potential; the paper adds δ to r instead, which moves
 * the minimum away from r0. S falls from 1 to 0 over the last part of the range, with two
 * continuous derivatives. All is a function of r²: no roots.
 *
 * A particle with the heat ψ has the depth ε - ψ, and a pair the mean of both:
 * D = ε - ½ (ψ_i + ψ_j) [Ton91 eq. 13]; no particle's depth falls below least·ε. */
#ifndef TL_COHESION_POTENTIAL_H
#define TL_COHESION_POTENTIAL_H

#include "base/error.h"
#include "base/simd_double.h"
#include "materials/cohesion.h"

/* Pairs of exponents with loops of their own. */
typedef enum tl_exponents {
    TL_EXPONENTS_ANY,
    TL_EXPONENTS_WHOLE, /* any whole numbers */
    TL_EXPONENTS_4_2,
    TL_EXPONENTS_8_6,
    TL_EXPONENTS_12_6,
} tl_exponents;

typedef struct tl_potential {
    tl_exponents exponents;
    double n, m;
    double energy, least; /* ε, J; the part of it that is left */
    double separation;    /* r0, m */
    double range;         /* m: nothing is felt beyond */
    double stretch[3];    /* distances are taken between stretched places */
    /* Made ready: */
    double square, offset_square;       /* r0² + δ², δ² */
    double range_square, inverse_fade;  /* S goes by t = (range² - r²) inverse_fade */
    double repelling, attracting, pull; /* m/(n-m), n/(n-m), nm/(n-m) */
} tl_potential;

/* A potential made ready; TL_BAD_INPUT when n <= m and the like. `where` names it in messages. */
tl_status tl_potential_make(const tl_cohesion *cohesion, double spacing, const char *where,
                            tl_potential *out, tl_error *error);

/* The depth of a particle with the heat ψ (J). */
static inline double tl_potential_depth(const tl_potential *p, double heat) {
    const double depth = p->energy - heat, least = p->least * p->energy;
    return depth > least ? depth : least;
}

/* u S at a squared distance, for a depth of one; *force is what the displacement from the partner
 * is multiplied by to give the force. Plainly written: the oracle of the wide one. */
double tl_potential_at(const tl_potential *p, double r2, double *force);

/* Angular frequency² of the fastest vibration in close packing, of mass m and depth D:
 * 8 φ''(r0) / m. */
static inline double tl_potential_frequency2(const tl_potential *p, double depth, double mass) {
    return 8 * depth * p->n * p->m / (p->separation * p->separation * mass);
}

/* x^n by squaring. */
TL_INLINE tl_wide_double tl_power_double_(tl_wide_double x, unsigned n) {
    tl_wide_double power = tl_splat_double(1);
    for (; n; n >>= 1, x *= x)
        if (n & 1)
            power *= x;
    return power;
}

/* s^n/2 and s^m/2. */
TL_INLINE void tl_potential_powers_(tl_exponents exponents, const tl_potential *p, tl_wide_double s,
                                    tl_wide_double *sn, tl_wide_double *sm) {
    const tl_wide_double s2 = s * s, s3 = s2 * s;
    switch (exponents) {
    case TL_EXPONENTS_4_2: *sn = s2, *sm = s; break;
    case TL_EXPONENTS_8_6: *sn = s2 * s2, *sm = s3; break;
    case TL_EXPONENTS_12_6: *sn = s3 * s3, *sm = s3; break;
    case TL_EXPONENTS_WHOLE: {
        const tl_wide_double root = tl_sqrt_double(s);
        *sn = tl_power_double_(root, (unsigned)p->n);
        *sm = tl_power_double_(root, (unsigned)p->m);
        break;
    }
    case TL_EXPONENTS_ANY:
        for (int l = 0; l < TL_DOUBLE_LANES; l++) {
            const double x = tl_lane_double(s, l);
            *sn = tl_set_lane_double(*sn, l, __builtin_pow(x, 0.5 * p->n));
            *sm = tl_set_lane_double(*sm, l, __builtin_pow(x, 0.5 * p->m));
        }
        break;
    }
}

/* tl_potential_at, lane by lane. */
TL_INLINE tl_wide_double tl_potential_wide(tl_exponents exponents, const tl_potential *p,
                                           tl_wide_double r2, tl_wide_double *force) {
    const tl_wide_double zero = tl_splat_double(0), one = tl_splat_double(1);
    const tl_wide_double inverse = 1.0 / (r2 + p->offset_square);
    tl_wide_double sn = zero, sm = zero;
    tl_potential_powers_(exponents, p, p->square * inverse, &sn, &sm);
    const tl_wide_double u = p->repelling * sn - p->attracting * sm;
    const tl_wide_double t =
        tl_min_double(tl_max_double((p->range_square - r2) * p->inverse_fade, zero), one);
    const tl_wide_double t2 = t * t, back = 1.0 - t;
    const tl_wide_double fade = t2 * t * (10.0 + t * (6.0 * t - 15.0));
    const tl_wide_double slope = 30.0 * t2 * back * back; /* dS/dt */
    *force = fade * (p->pull * (sn - sm) * inverse) + 2.0 * p->inverse_fade * slope * u;
    return u * fade;
}

#endif
