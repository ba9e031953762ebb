/* Heat that comes from elsewhere than from neighbours and walls: radiation, loss to the air, heat
 * made in the matter. Each is a channel with a function that tells its power for temperatures; the
 * exchange (exchange.h) calls it as often as it needs, takes the slope for Newton's method, and
 * books the energy that particles in fact got. */
#ifndef TL_HEAT_SOURCES_H
#define TL_HEAT_SOURCES_H

#include <stddef.h>

/* Adds the power (W) and its slope over temperature (W/K, never above zero) of particles
 * [begin, end) to power[i - begin] and slope[i - begin]. temperature: °C, of all particles. */
typedef void tl_heat_source_fn(void *context, const double *temperature, double *power,
                               double *slope, size_t begin, size_t end);

typedef struct tl_heat_source {
    tl_heat_source_fn *add;
    void *context;
    double energy; /* J: given to the matter in the last exchange */
} tl_heat_source;

enum { TL_MAX_HEAT_SOURCES = 8 };

typedef struct tl_heat_sources {
    tl_heat_source items[TL_MAX_HEAT_SOURCES];
    size_t count;
} tl_heat_sources;

#endif
