/* Materials of each rheology, by the numbers of docs/rheology.md. */
#ifndef TL_TESTS_SAMPLE_MATERIALS_H
#define TL_TESTS_SAMPLE_MATERIALS_H

#include "materials/material.h"

static inline tl_law constant(double value) { return (tl_law){.value = value}; }

static inline tl_material of_model(tl_rheology_model model) {
    return (tl_material){.density = 1000, .has_rheology = true, .rheology.model = (int)model};
}

static inline tl_material jump(double J, double n, double eta_ref, double rate_ref) {
    tl_material m = of_model(TL_RHEOLOGY_JUMP);
    m.rheology.law[TL_JUMP] = constant(J);
    m.rheology.law[TL_EXPONENT] = constant(n);
    m.rheology.law[TL_REFERENCE_VISCOSITY] = constant(eta_ref);
    m.rheology.law[TL_REFERENCE_RATE] = constant(rate_ref);
    return m;
}

static inline tl_material jump_by_stress(double tau0, double K, double n, double eta0) {
    tl_material m = of_model(TL_RHEOLOGY_JUMP);
    m.rheology.by_stress = true;
    m.rheology.law[TL_YIELD_STRESS] = constant(tau0);
    m.rheology.law[TL_CONSISTENCY] = constant(K);
    m.rheology.law[TL_EXPONENT] = constant(n);
    m.rheology.law[TL_PLATEAU_VISCOSITY] = constant(eta0);
    return m;
}

static inline tl_material plastic(tl_rheology_model model, double tau0, double eta_p, double eta0) {
    tl_material m = of_model(model);
    m.rheology.law[TL_YIELD_STRESS] = constant(tau0);
    m.rheology.law[TL_PLASTIC_VISCOSITY] = constant(eta_p);
    m.rheology.law[TL_PLATEAU_VISCOSITY] = constant(eta0);
    return m;
}

static inline tl_material herschel_bulkley(double tau0, double K, double n, double eta0) {
    tl_material m = jump_by_stress(tau0, K, n, eta0);
    m.rheology.model = TL_RHEOLOGY_HERSCHEL_BULKLEY;
    return m;
}

static inline tl_material power_law(double K, double n, double least, double largest) {
    tl_material m = of_model(TL_RHEOLOGY_POWER_LAW);
    m.rheology.law[TL_CONSISTENCY] = constant(K);
    m.rheology.law[TL_EXPONENT] = constant(n);
    m.rheology.law[TL_MIN_VISCOSITY] = constant(least);
    m.rheology.law[TL_MAX_VISCOSITY] = constant(largest);
    return m;
}

/* Cross or Carreau. */
static inline tl_material thinning(tl_rheology_model model, double eta0, double infinite,
                                   double time, double n) {
    tl_material m = of_model(model);
    m.rheology.law[TL_PLATEAU_VISCOSITY] = constant(eta0);
    m.rheology.law[TL_INFINITE_VISCOSITY] = constant(infinite);
    m.rheology.law[TL_RELAXATION_TIME] = constant(time);
    m.rheology.law[TL_EXPONENT] = constant(n);
    return m;
}

#endif
