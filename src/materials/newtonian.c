/* Newtonian: η does not depend on the rate. */
#include "materials/model_lanes.h"

void tl_newtonian_viscosities(const tl_law *law, const float *T, float *out, size_t n) {
    for (size_t i = 0; i < n; i += TL_LANES) {
        const size_t count = n - i < TL_LANES ? n - i : TL_LANES;
        float lanes[TL_LANES] = {0};
        memcpy(lanes, T + i, count * sizeof *T);
        tl_store(lanes, tl_law_wide(law, tl_load(lanes)));
        memcpy(out + i, lanes, count * sizeof *out);
    }
}

static void viscosities(const tl_rheology *r, const float *rate, const float *T, float *out,
                        size_t n) {
    (void)rate;
    tl_newtonian_viscosities(&r->law[TL_VISCOSITY], T, out, n);
}

static double at(const tl_rheology *r, double rate, double T) {
    (void)rate;
    return tl_value_of(r, TL_VISCOSITY, T);
}

static const tl_param params[] = {
    TL_MODEL_WORD("newtonian"),
    {.name = "viscosity",
     TL_MODEL_VISCOSITY(TL_VISCOSITY),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Dynamic viscosity η"},
};

const tl_param_table tl_newtonian_table =
    TL_PARAM_TABLE(tl_rheology, "newtonian", "Viscosity that does not depend on the rate", params);

const tl_model tl_model_newtonian = {.viscosities = viscosities, .at = at};
