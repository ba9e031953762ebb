/* What a surface loses to the air and the room around it:
 *   P(T) = A (ε σ (T⁴ - Ta⁴) + h (T - Ta)),  T in kelvin                 [Chao12 eq. 3.20]
 * with the exposed area instead of the paper's area of a whole particle. The slope dP/dT lets an
 * implicit solve take the loss at the end of its step. */
#ifndef TL_HEAT_LOSS_H
#define TL_HEAT_LOSS_H

#include <math.h>

#define TL_STEFAN_BOLTZMANN 5.670374419e-8 /* W/(m² K⁴) */
#define TL_ZERO_CELSIUS     273.15         /* K */

/* One surface's loss. Positive powers leave the matter. */
typedef struct tl_loss {
    double radiation, convection; /* W */
    double slope;                 /* W/K: of their sum, never negative */
} tl_loss;

/* area            m²
 * emissivity      0 to 1
 * convection      W/(m² K), of Newton's law of cooling
 * temperature, ambient   °C */
static inline tl_loss tl_loss_at(double area, double emissivity, double convection,
                                 double temperature, double ambient) {
    const double t = temperature + TL_ZERO_CELSIUS, a = ambient + TL_ZERO_CELSIUS;
    const double grey = emissivity * TL_STEFAN_BOLTZMANN * area;
    /* T⁴ - Ta⁴ by factors: exact where both are nearly equal. */
    return (tl_loss){
        .radiation = grey * (t - a) * (t + a) * (t * t + a * a),
        .convection = convection * area * (t - a),
        .slope = 4 * grey * t * t * t + convection * area,
    };
}

#endif
