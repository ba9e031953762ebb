/* Short ways to ask matter for its response. */
#ifndef TL_TESTS_SAMPLE_RESPONSE_H
#define TL_TESTS_SAMPLE_RESPONSE_H

#include "materials/material.h"
#include "materials/respond.h"

/* Viscosities of particles [0, n); `molten` may be NULL. */
static inline void viscosities_of(const tl_material *materials, const uint8_t *material,
                                  const float *rate, const float *temperature, const float *molten,
                                  float *viscosity, size_t n) {
    const tl_strained in = {.rate = rate,
                            .materials = materials,
                            .material = material,
                            .temperature = temperature,
                            .molten = molten};
    tl_respond(&in, TL_RESPOND_VISCOSITY, &(tl_response){.viscosity = viscosity}, n);
}

/* The response of matter of one viscosity, TL_BLOCK particles at most. */
static inline void respond_evenly(double viscosity, const tl_strained *flow, unsigned wanted,
                                  const tl_response *out, size_t n) {
    static const uint8_t first[256];
    static const float cold[256];
    const tl_material m = {.viscosity.value = viscosity};
    tl_strained in = *flow;
    in.materials = &m;
    in.material = first;
    in.temperature = cold;
    tl_respond(&in, wanted, out, n);
}

#endif
