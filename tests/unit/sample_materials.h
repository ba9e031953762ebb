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

/* One of everything, with parameters of everyday life. Returns how many. */
static inline size_t everyday(tl_material out[12]) {
    size_t n = 0;
    out[n++] = (tl_material){.density = 1000, .viscosity.value = 3};
    out[n++] = of_model(TL_RHEOLOGY_NEWTONIAN);
    out[n - 1].rheology.law[TL_VISCOSITY] = constant(7);
    out[n++] = jump(1500, 0.5, 10, 2);
    out[n++] = jump(0, 0.5, 10, 2);
    out[n++] = jump_by_stress(25, 4, 0.4, 1e4);
    out[n++] = power_law(12, 0.3, 1e-3, 1e5);
    out[n++] = power_law(0.2, 1.6, 1e-3, 1e5);
    out[n++] = plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000);
    out[n++] = herschel_bulkley(15, 8, 0.45, 5000);
    out[n++] = plastic(TL_RHEOLOGY_CASSON, 10, 1.5, 1000);
    out[n++] = thinning(TL_RHEOLOGY_CROSS, 500, 0.1, 3, 0.7);
    out[n++] = thinning(TL_RHEOLOGY_CARREAU, 500, 0.1, 3, 0.3);
    return n;
}

#endif
