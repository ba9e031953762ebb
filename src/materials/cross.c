/* Cross (J. Colloid Sci. 20 (1965) 417): η = η∞ + (η0 - η∞) / (1 + (λγ̇)^m). */
#include "materials/model_lanes.h"

#include <math.h>

/* c: η∞, η0 - η∞, m, λ, ln λ */
static void prepare(const tl_rheology *r, tl_wide T, tl_wide *c) {
    c[0] = tl_wide_of(r, TL_INFINITE_VISCOSITY, T);
    c[1] = tl_positive(tl_wide_of(r, TL_PLATEAU_VISCOSITY, T) - c[0]);
    c[2] = tl_wide_of(r, TL_EXPONENT, T);
    c[3] = tl_wide_of(r, TL_RELAXATION_TIME, T);
    c[4] = tl_log(c[3]);
}

static tl_wide viscosity(const tl_wide *c, tl_wide rate) {
    const tl_wide zero = tl_splat(0.0f), power = tl_exp(c[2] * (tl_log(rate) + c[4]));
    return c[0] + c[1] / (1.0f + tl_select_less(zero, c[3] * rate, power, zero));
}

static void viscosities(const tl_rheology *r, const float *rate, const float *T, float *out,
                        size_t n) {
    tl_model_loop(r, prepare, viscosity, rate, T, out, n);
}

static double at(const tl_rheology *r, double rate, double T) {
    const double infinite = tl_value_of(r, TL_INFINITE_VISCOSITY, T);
    const double eta0 = fmax(tl_value_of(r, TL_PLATEAU_VISCOSITY, T), infinite);
    const double reduced = tl_value_of(r, TL_RELAXATION_TIME, T) * rate;
    return infinite + (eta0 - infinite) / (1 + pow(reduced, tl_value_of(r, TL_EXPONENT, T)));
}

static const tl_param params[] = {
    TL_MODEL_WORD("cross"),
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
     .doc = "λ: at the rate 1/λ it is half-way between both"},
    {.name = "exponent",
     TL_MODEL_EXPONENT(1),
     .flags = TL_PARAM_REQUIRED,
     .doc = "m: how steeply it thins; 1 - m is the index of the power law between"},
};

const tl_param_table tl_cross_table =
    TL_PARAM_TABLE(tl_rheology, "cross", "Thins when sheared from one plateau to another", params);

const tl_model tl_model_cross = {.viscosities = viscosities, .at = at};
