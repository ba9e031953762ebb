/* What the file of a rheological model is made with: its parameters at a temperature, the loop over
 * its particles, the words of its table. Private to this room. */
#ifndef TL_MATERIALS_MODEL_LANES_H
#define TL_MATERIALS_MODEL_LANES_H

#include "materials/law_wide.h"
#include "materials/model.h"

/* Rates below this (1/s) count as it where a power of the rate would be infinite. */
#define TL_SLOWEST_RATE 1e-30

/* ---- One value --------------------------------------------------------------------------------
 */

static inline double tl_value_of(const tl_rheology *r, tl_rheology_law law, double temperature) {
    return tl_law_at(&r->law[law], temperature);
}

/* ---- TL_LANES values --------------------------------------------------------------------------
 */

enum { TL_MODEL_CONSTANTS = 5 };

/* Sets what the viscosity needs besides the rate. */
typedef void tl_prepare_fn(const tl_rheology *r, tl_wide temperature,
                           tl_wide constants[TL_MODEL_CONSTANTS]);
typedef tl_wide tl_wide_viscosity_fn(const tl_wide constants[TL_MODEL_CONSTANTS], tl_wide rate);

TL_INLINE tl_wide tl_wide_of(const tl_rheology *r, tl_rheology_law law, tl_wide temperature) {
    return tl_law_wide(&r->law[law], temperature);
}

/* K γ̇^power of ln K and the power. */
TL_INLINE tl_wide tl_power_of_rate(tl_wide ln_factor, tl_wide power, tl_wide rate) {
    return tl_exp(ln_factor + power * tl_log(tl_max(rate, tl_splat((float)TL_SLOWEST_RATE))));
}

/* A divisor that may be zero. */
TL_INLINE tl_wide tl_above_zero(tl_wide x) { return tl_max(x, tl_splat(1e-20f)); }

static inline bool tl_rheology_varies(const tl_rheology *r) {
    for (int k = 0; k < TL_RHEOLOGY_LAWS; k++)
        if (r->law[k].kind != TL_LAW_CONSTANT)
            return true;
    return false;
}

/* The loop of all models. Constants that do not depend on the temperature are prepared once. */
TL_INLINE void tl_model_loop(const tl_rheology *r, tl_prepare_fn *prepare,
                             tl_wide_viscosity_fn *viscosity, const float *rate,
                             const float *temperature, float *out, size_t n) {
    const bool varies = tl_rheology_varies(r);
    tl_wide constants[TL_MODEL_CONSTANTS];
    if (!varies)
        prepare(r, tl_splat(0.0f), constants);
    size_t i = 0;
    for (; i + TL_LANES <= n; i += TL_LANES) {
        if (varies)
            prepare(r, tl_load(temperature + i), constants);
        tl_store(out + i, viscosity(constants, tl_load(rate + i)));
    }
    if (i < n) {
        float rest[3][TL_LANES] = {{0}};
        memcpy(rest[0], rate + i, (n - i) * sizeof *rate);
        memcpy(rest[1], temperature + i, (n - i) * sizeof *temperature);
        if (varies)
            prepare(r, tl_load(rest[1]), constants);
        tl_store(rest[2], viscosity(constants, tl_load(rest[0])));
        memcpy(out + i, rest[2], (n - i) * sizeof *out);
    }
}

/* ---- Parameters -------------------------------------------------------------------------------
 */

#define TL_MODEL_WORD(word)                                                                        \
    {                                                                                              \
        .name = "model", .type = TL_PARAM_CHOICE, .offset = offsetof(tl_rheology, model),          \
        .default_value = word, .choices = tl_rheology_names, .doc = "The rheological model"        \
    }

/* Type and places of a parameter that may follow a law. */
#define TL_MODEL_LAW(index)                                                                        \
    .type = TL_PARAM_LAW, .offset = offsetof(tl_rheology, law[index]),                             \
    .present = offsetof(tl_rheology, given[index])

#define TL_MODEL_VISCOSITY(index)                                                                  \
    TL_MODEL_LAW(index), .unit = TL_UNIT_VISCOSITY, .min = 0, .max = 1e15

#define TL_MODEL_YIELD_STRESS                                                                      \
    TL_MODEL_LAW(TL_YIELD_STRESS), .unit = TL_UNIT_PRESSURE, .min = 0, .max = 1e12

#define TL_MODEL_CONSISTENCY TL_MODEL_LAW(TL_CONSISTENCY), .min = 0, .max = 1e12

#define TL_MODEL_EXPONENT(largest) TL_MODEL_LAW(TL_EXPONENT), .min = 1e-6, .max = largest

#endif
