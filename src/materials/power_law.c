/* Power law (Ostwald 1925, de Waele 1923): η = K γ̇^(n-1), held between two limits. */
#include "materials/model_lanes.h"

#include <math.h>

/* c: ln K, n - 1, least, largest */
static void prepare(const tl_rheology *r, tl_wide T, tl_wide *c) {
    c[0] = tl_log(tl_wide_of(r, TL_CONSISTENCY, T));
    c[1] = tl_wide_of(r, TL_EXPONENT, T) - 1.0f;
    c[2] = tl_wide_of(r, TL_MIN_VISCOSITY, T);
    c[3] = tl_wide_of(r, TL_MAX_VISCOSITY, T);
}

static tl_wide viscosity(const tl_wide *c, tl_wide rate) {
    return tl_min(tl_max(tl_power_of_rate(c[0], c[1], rate), c[2]), c[3]);
}

static void viscosities(const tl_rheology *r, const float *rate, const float *T, float *out,
                        size_t n) {
    tl_model_loop(r, prepare, viscosity, rate, T, out, n);
}

static double at(const tl_rheology *r, double rate, double T) {
    const double n = tl_value_of(r, TL_EXPONENT, T);
    const double free = tl_value_of(r, TL_CONSISTENCY, T) * pow(fmax(rate, TL_SLOWEST_RATE), n - 1);
    return fmin(fmax(free, tl_value_of(r, TL_MIN_VISCOSITY, T)),
                tl_value_of(r, TL_MAX_VISCOSITY, T));
}

static const tl_param params[] = {
    TL_MODEL_WORD("power-law"),
    {.name = "consistency", TL_MODEL_CONSISTENCY, .flags = TL_PARAM_REQUIRED, .doc = "K in Pa·s^n"},
    {.name = "exponent",
     TL_MODEL_EXPONENT(3),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Index n: below 1 it thins when sheared, above 1 it thickens"},
    {.name = "min_viscosity",
     TL_MODEL_VISCOSITY(TL_MIN_VISCOSITY),
     .default_value = "0",
     .doc = "Lower limit of the viscosity"},
    {.name = "max_viscosity",
     TL_MODEL_VISCOSITY(TL_MAX_VISCOSITY),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Upper limit of the viscosity"},
};

const tl_param_table tl_power_law_table = TL_PARAM_TABLE(
    tl_rheology, "power-law", "Thins or thickens when sheared, between two limits", params);

const tl_model tl_model_power_law = {.viscosities = viscosities, .at = at};
