/* Jump number (Mendes, Naccache, Varges & Marchesini, J. Non-Newtonian Fluid Mech. 142 (2007) 207;
 * [PPLT06 eq. 5; PPLT09 eq. 5]): a plateau, a yield stress τ0, and a power law beyond.
 *
 *   η = η_ref (1 - e^(-(J+1)γ*)) (γ*^(n-1) + 1/γ*),  γ* = γ̇ / γ̇_ref
 *
 * With τ0 = η_ref γ̇_ref, K = η_ref γ̇_ref^(1-n) and η0 = (J+1) η_ref the same curve is
 *
 *   η = (1 - e^(-η0γ̇/τ0)) (τ0/γ̇ + K γ̇^(n-1))
 *
 * so that γ̇_ref = (τ0/K)^(1/n), η_ref = τ0/γ̇_ref and J = η0/η_ref - 1. */
#include "materials/model_lanes.h"

#include <math.h>

/* c: η0, η0/τ0, ln K, n - 1 */
static void prepare(const tl_rheology *r, tl_wide T, tl_wide *c) {
    const tl_wide n = tl_wide_of(r, TL_EXPONENT, T);
    c[3] = n - 1.0f;
    if (r->by_stress) {
        c[0] = tl_wide_of(r, TL_PLATEAU_VISCOSITY, T);
        c[1] = c[0] / tl_wide_of(r, TL_YIELD_STRESS, T);
        c[2] = tl_log(tl_wide_of(r, TL_CONSISTENCY, T));
    } else {
        const tl_wide J1 = tl_wide_of(r, TL_JUMP, T) + 1.0f;
        const tl_wide eta_ref = tl_wide_of(r, TL_REFERENCE_VISCOSITY, T);
        const tl_wide rate_ref = tl_wide_of(r, TL_REFERENCE_RATE, T);
        c[0] = J1 * eta_ref;
        c[1] = J1 / rate_ref;
        c[2] = tl_log(eta_ref) - c[3] * tl_log(rate_ref);
    }
}

static tl_wide viscosity(const tl_wide *c, tl_wide rate) {
    const tl_wide x = tl_min(c[1] * rate, tl_splat(1e30f)), relaxation = tl_relaxation(x);
    return c[0] * relaxation + x * relaxation * tl_power_of_rate(c[2], c[3], rate);
}

static void viscosities(const tl_rheology *r, const float *rate, const float *T, float *out,
                        size_t n) {
    tl_model_loop(r, prepare, viscosity, rate, T, out, n);
}

static double at(const tl_rheology *r, double rate, double T) {
    const double n = tl_value_of(r, TL_EXPONENT, T);
    if (r->by_stress) {
        const double eta0 = tl_value_of(r, TL_PLATEAU_VISCOSITY, T);
        const double tau0 = tl_value_of(r, TL_YIELD_STRESS, T);
        const double K = tl_value_of(r, TL_CONSISTENCY, T);
        if (rate == 0)
            return eta0;
        return -expm1(-eta0 * rate / tau0) * (tau0 / rate + K * pow(rate, n - 1));
    }
    const double J = tl_value_of(r, TL_JUMP, T);
    const double eta_ref = tl_value_of(r, TL_REFERENCE_VISCOSITY, T);
    const double g = rate / tl_value_of(r, TL_REFERENCE_RATE, T);
    if (g == 0)
        return (J + 1) * eta_ref;
    return eta_ref * -expm1(-(J + 1) * g) * (pow(g, n - 1) + 1 / g);
}

/* For n < 1 the viscosity rises from the plateau before it falls: by a fifth at J = 1, n = ½, and
 * at most to twice the plateau for J >= 0. */
static double largest(const tl_rheology *r, double T) {
    double low = -70, high = 70; /* of ln γ̇ */
    for (int i = 0; i < 200; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (at(r, exp(a), T) < at(r, exp(b), T))
            low = a;
        else
            high = b;
    }
    return fmax(at(r, 0, T), at(r, exp(0.5 * (low + high)), T));
}

static const tl_param params[] = {
    TL_MODEL_WORD("jump"),
    {.name = "jump",
     TL_MODEL_LAW(TL_JUMP),
     .min = 0,
     .max = 1e12,
     .flags = TL_PARAM_OPTIONAL,
     .doc = "Jump number J: the viscosity at rest is J + 1 times the reference"},
    {.name = "exponent",
     TL_MODEL_EXPONENT(1),
     .default_value = "0.5",
     .doc = "Power law index n of the flow beyond the yield stress"},
    {.name = "reference_viscosity",
     TL_MODEL_VISCOSITY(TL_REFERENCE_VISCOSITY),
     .default_value = "1 Pa·s",
     .flags = TL_PARAM_OPTIONAL,
     .doc = "η_ref; the yield stress is η_ref times the reference rate"},
    {.name = "reference_rate",
     TL_MODEL_LAW(TL_REFERENCE_RATE),
     .unit = TL_UNIT_FREQUENCY,
     .default_value = "1 1/s",
     .min = 1e-6,
     .max = 1e6,
     .flags = TL_PARAM_OPTIONAL,
     .doc = "Shear rate that counts as one"},
    {.name = "yield_stress",
     TL_MODEL_LAW(TL_YIELD_STRESS),
     .unit = TL_UNIT_PRESSURE,
     .min = 1e-6,
     .max = 1e12,
     .flags = TL_PARAM_OPTIONAL,
     .doc = "τ0, instead of the jump number; with consistency and plateau_viscosity"},
    {.name = "consistency", TL_MODEL_CONSISTENCY, .flags = TL_PARAM_OPTIONAL, .doc = "K in Pa·s^n"},
    {.name = "plateau_viscosity",
     TL_MODEL_VISCOSITY(TL_PLATEAU_VISCOSITY),
     .flags = TL_PARAM_OPTIONAL,
     .doc = "Viscosity at rest"},
};

const tl_param_table tl_jump_table = TL_PARAM_TABLE(
    tl_rheology, "jump", "Mendes: a plateau, a yield stress and a power law in one", params);

const tl_model tl_model_jump = {.viscosities = viscosities, .at = at, .largest = largest};
