/* What a surface loses to the air and the room around it:
 *   P(Ts) = A (ε σ (Ts⁴ - Ta⁴) + h (Ts - Ta)),  in kelvin                [Chao12 eq. 3.20]
 * with the exposed area instead of the paper's area of a whole particle, and with the temperature
 * Ts of the surface, which lies by d above the particle: through that much matter goes what the
 * surface loses beyond what it absorbs,
 *   k A / d (T - Ts) = P(Ts) - absorbed.
 * Taken at the particle's own temperature T the loss is too large: a ball at Biot number 10 with 16
 * particles to its surface was 5 % too cold. The slope dP/dT lets an implicit solve take the loss
 * at the end of its step. */
#ifndef TL_HEAT_LOSS_H
#define TL_HEAT_LOSS_H

#include <math.h>

#define TL_STEFAN_BOLTZMANN 5.670374419e-8 /* W/(m² K⁴) */
#define TL_ZERO_CELSIUS     273.15         /* K */

/* A surface that is open to the air. */
typedef struct tl_open_surface {
    double area;        /* m² */
    double emissivity;  /* 0 to 1 */
    double convection;  /* W/(m² K), of Newton's law of cooling */
    double ambient;     /* °C */
    double conductance; /* W/K: k A / d, from the particle to its surface; 0: no way between them */
    double absorbed;    /* W: radiation that the surface takes up */
} tl_open_surface;

/* The area by which each particle at a surface loses heat in [Chao12 eq. 3.21], whatever of it is
 * open: 4π h², h its support. What is at a surface is what shows a tenth of a face of its cell. */
static inline double tl_loss_area_of_particle(double exposed, double support, double spacing) {
    return exposed > 0.1 * spacing * spacing ? 4 * 3.14159265358979323846 * support * support : 0;
}

/* One surface's loss. Positive powers leave the matter. */
typedef struct tl_loss {
    double radiation, convection; /* W */
    double radiation_slope,
        convection_slope; /* W/K: over the particle's temperature, not below 0 */
} tl_loss;

/* The loss of a surface whose own temperature is t K. */
static inline tl_loss tl_loss_of_surface(const tl_open_surface *s, double t) {
    const double a = s->ambient + TL_ZERO_CELSIUS;
    const double grey = s->emissivity * TL_STEFAN_BOLTZMANN * s->area;
    /* T⁴ - Ta⁴ by factors: exact where both are nearly equal. */
    return (tl_loss){.radiation = grey * (t - a) * (t + a) * (t * t + a * a),
                     .convection = s->convection * s->area * (t - a),
                     .radiation_slope = 4 * grey * t * t * t,
                     .convection_slope = s->convection * s->area};
}

/* temperature  °C, of the particle */
static inline tl_loss tl_loss_at(const tl_open_surface *s, double temperature) {
    const double t = temperature + TL_ZERO_CELSIUS, G = s->conductance;
    double ts = t; /* of the surface, K */
    tl_loss loss = tl_loss_of_surface(s, ts);
    if (!(G > 0))
        return loss;
    /* Newton: what is sought rises and bends upwards, so that from the second step on it comes from
     * above and cannot miss. */
    for (int k = 0; k < 30; k++) {
        const double off = G * (ts - t) + loss.radiation + loss.convection - s->absorbed;
        const double step = off / (G + loss.radiation_slope + loss.convection_slope);
        ts = fmax(ts - step, 0);
        loss = tl_loss_of_surface(s, ts);
        if (fabs(step) <= 1e-10 * ts)
            break;
    }
    const double part = G / (G + loss.radiation_slope + loss.convection_slope); /* dTs/dT */
    loss.radiation_slope *= part;
    loss.convection_slope *= part;
    return loss;
}

#endif
