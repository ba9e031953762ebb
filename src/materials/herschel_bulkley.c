/* Herschel-Bulkley (1926), regularised (Papanastasiou, J. Rheol. 31 (1987) 385):
 *
 *   η = min(η0, K γ̇^(n-1) + τ0 (1 - e^(-mγ̇)) / γ̇),  m = η0 / τ0
 *
 * The minimum keeps the power law with n < 1 finite at rest, and with n > 1 at high rates. */
#include "materials/model_lanes.h"

#include <math.h>

/* c: η0, m, ln K, n - 1, τ0 m (none without a yield stress) */
static void prepare(const tl_rheology *r, tl_wide T, tl_wide *c) {
    const tl_wide tau0 = tl_wide_of(r, TL_YIELD_STRESS, T), zero = tl_splat(0.0f);
    c[0] = tl_wide_of(r, TL_PLATEAU_VISCOSITY, T);
    c[1] = c[0] / tl_above_zero(tau0);
    c[2] = tl_log(tl_wide_of(r, TL_CONSISTENCY, T));
    c[3] = tl_wide_of(r, TL_EXPONENT, T) - 1.0f;
    c[4] = tl_select_less(zero, tau0, c[0], zero);
}

static tl_wide viscosity(const tl_wide *c, tl_wide rate) {
    return tl_min(c[0], tl_power_of_rate(c[2], c[3], rate) + c[4] * tl_relaxation(c[1] * rate));
}

static void viscosities(const tl_rheology *r, const float *rate, const float *T, float *out,
                        size_t n) {
    tl_model_loop(r, prepare, viscosity, rate, T, out, n);
}

static double at(const tl_rheology *r, double rate, double T) {
    const double eta0 = tl_value_of(r, TL_PLATEAU_VISCOSITY, T);
    const double tau0 = tl_value_of(r, TL_YIELD_STRESS, T);
    const double n = tl_value_of(r, TL_EXPONENT, T);
    double eta = tl_value_of(r, TL_CONSISTENCY, T) * pow(fmax(rate, TL_SLOWEST_RATE), n - 1);
    if (tau0 > 0)
        eta += rate == 0 ? eta0 : -tau0 * expm1(-eta0 / tau0 * rate) / rate;
    return fmin(eta0, eta);
}

static const tl_param params[] = {
    TL_MODEL_WORD("herschel-bulkley"),
    {.name = "yield_stress",
     TL_MODEL_YIELD_STRESS,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Stress τ0 below which it does not flow"},
    {.name = "consistency", TL_MODEL_CONSISTENCY, .flags = TL_PARAM_REQUIRED, .doc = "K in Pa·s^n"},
    {.name = "exponent",
     TL_MODEL_EXPONENT(3),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Index n: below 1 it thins when sheared"},
    {.name = "plateau_viscosity",
     TL_MODEL_VISCOSITY(TL_PLATEAU_VISCOSITY),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Viscosity at rest, and the largest there is"},
};

const tl_param_table tl_herschel_bulkley_table = TL_PARAM_TABLE(
    tl_rheology, "herschel-bulkley", "A yield stress, and a power law beyond", params);

const tl_model tl_model_herschel_bulkley = {.viscosities = viscosities, .at = at};
