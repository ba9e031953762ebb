/* Carreau (Trans. Soc. Rheol. 16 (1972) 99): η = η∞ + (η0 - η∞) (1 + (λγ̇)²)^((n-1)/2). */
#include "materials/model_lanes.h"

#include <math.h>

/* c: η∞, η0 - η∞, (n - 1)/2, ln λ */
static void prepare(const tl_rheology *r, tl_wide T, tl_wide *c) {
    c[0] = tl_wide_of(r, TL_INFINITE_VISCOSITY, T);
    c[1] = tl_positive(tl_wide_of(r, TL_PLATEAU_VISCOSITY, T) - c[0]);
    c[2] = 0.5f * tl_wide_of(r, TL_EXPONENT, T) - 0.5f;
    c[3] = tl_log(tl_wide_of(r, TL_RELAXATION_TIME, T));
}

static tl_wide viscosity(const tl_wide *c, tl_wide rate) {
    /* ln(1 + e^y) as max(y, 0) + ln(1 + e^-|y|): the square of λγ̇ may be too large for a float. */
    const tl_wide y = 2.0f * (tl_log(rate) + c[3]);
    const tl_wide ln_sum = tl_positive(y) + tl_log(1.0f + tl_exp(tl_min(y, -y)));
    return c[0] + c[1] * tl_exp(c[2] * ln_sum);
}

static void viscosities(const tl_rheology *r, const float *rate, const float *T, float *out,
                        size_t n) {
    tl_model_loop(r, prepare, viscosity, rate, T, out, n);
}

static double at(const tl_rheology *r, double rate, double T) {
    const double infinite = tl_value_of(r, TL_INFINITE_VISCOSITY, T);
    const double eta0 = fmax(tl_value_of(r, TL_PLATEAU_VISCOSITY, T), infinite);
    const double reduced = tl_value_of(r, TL_RELAXATION_TIME, T) * rate;
    const double n = tl_value_of(r, TL_EXPONENT, T);
    return infinite + (eta0 - infinite) * pow(1 + reduced * reduced, 0.5 * (n - 1));
}

static const tl_param params[] = {
    TL_MODEL_WORD("carreau"),
    {.name = "plateau_viscosity",
     TL_MODEL_VISCOSITY(TL_PLATEAU_VISCOSITY),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Viscosity η0 at rest"},
    {.name = "infinite_viscosity",
     TL_MODEL_VISCOSITY(TL_INFINITE_VISCOSITY),
     .default_value = "0",
     .doc = "Viscosity η∞ at high rates"},
    {.name = "time",
     TL_MODEL_LAW(TL_RELAXATION_TIME),
     .unit = TL_UNIT_TIME,
     .min = 0,
     .max = 1e9,
     .flags = TL_PARAM_REQUIRED,
     .doc = "λ: it begins to thin at the rate 1/λ"},
    {.name = "exponent",
     TL_MODEL_EXPONENT(1),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Index n of the power law beyond"},
};

const tl_param_table tl_carreau_table = TL_PARAM_TABLE(
    tl_rheology, "carreau", "Thins when sheared, as melts and solutions of polymers do", params);

const tl_model tl_model_carreau = {.viscosities = viscosities, .at = at};
