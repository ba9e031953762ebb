/* Casson (1959), regularised (Pham & Mitsoulis, Can. J. Chem. Eng. 72 (1994) 1080):
 *
 *   √η = √η_p + √(τ0/γ̇) (1 - e^(-√(mγ̇))),  √m = (√η0 - √η_p) / √τ0
 *
 * so that η0 is the viscosity at rest. Without a yield stress it is η_p at every rate. */
#include "materials/model_lanes.h"

#include <math.h>

/* c: √η_p, √η0 - √η_p, √m */
static void prepare(const tl_rheology *r, tl_wide T, tl_wide *c) {
    const tl_wide tau0 = tl_wide_of(r, TL_YIELD_STRESS, T), zero = tl_splat(0.0f);
    c[0] = tl_sqrt(tl_wide_of(r, TL_PLASTIC_VISCOSITY, T));
    c[1] = tl_select_less(
        zero, tau0, tl_positive(tl_sqrt(tl_wide_of(r, TL_PLATEAU_VISCOSITY, T)) - c[0]), zero);
    c[2] = c[1] / tl_sqrt(tl_above_zero(tau0));
}

static tl_wide viscosity(const tl_wide *c, tl_wide rate) {
    const tl_wide root = c[0] + c[1] * tl_relaxation(c[2] * tl_sqrt(rate));
    return root * root;
}

static void viscosities(const tl_rheology *r, const float *rate, const float *T, float *out,
                        size_t n) {
    tl_model_loop(r, prepare, viscosity, rate, T, out, n);
}

static double at(const tl_rheology *r, double rate, double T) {
    const double eta_p = tl_value_of(r, TL_PLASTIC_VISCOSITY, T);
    const double eta0 = fmax(tl_value_of(r, TL_PLATEAU_VISCOSITY, T), eta_p);
    const double tau0 = tl_value_of(r, TL_YIELD_STRESS, T);
    if (tau0 == 0)
        return eta_p;
    if (rate == 0)
        return eta0;
    const double m = pow(sqrt(eta0) - sqrt(eta_p), 2) / tau0;
    return pow(sqrt(eta_p) - sqrt(tau0 / rate) * expm1(-sqrt(m * rate)), 2);
}

static const tl_param params[] = {
    TL_MODEL_WORD("casson"),
    {.name = "yield_stress",
     TL_MODEL_YIELD_STRESS,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Stress τ0 below which it does not flow"},
    {.name = "plastic_viscosity",
     TL_MODEL_VISCOSITY(TL_PLASTIC_VISCOSITY),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Viscosity at high rates"},
    {.name = "plateau_viscosity",
     TL_MODEL_VISCOSITY(TL_PLATEAU_VISCOSITY),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Viscosity at rest; some hundred times the plastic viscosity is nearly rigid"},
};

const tl_param_table tl_casson_table =
    TL_PARAM_TABLE(tl_rheology, "casson", "A yield stress, as chocolate and blood have it", params);

const tl_model tl_model_casson = {.viscosities = viscosities, .at = at};
