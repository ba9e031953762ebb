/* See rheology.h. */
#include "materials/rheology.h"

#include "base/hash.h"
#include "materials/material.h"
#include "materials/model.h"

#include <math.h>

static const tl_model *const models[TL_RHEOLOGY_COUNT] = {
    [TL_RHEOLOGY_NEWTONIAN] = &tl_model_newtonian,
    [TL_RHEOLOGY_JUMP] = &tl_model_jump,
    [TL_RHEOLOGY_POWER_LAW] = &tl_model_power_law,
    [TL_RHEOLOGY_BINGHAM] = &tl_model_bingham,
    [TL_RHEOLOGY_HERSCHEL_BULKLEY] = &tl_model_herschel_bulkley,
    [TL_RHEOLOGY_CASSON] = &tl_model_casson,
    [TL_RHEOLOGY_CROSS] = &tl_model_cross,
    [TL_RHEOLOGY_CARREAU] = &tl_model_carreau,
};

const char *const tl_rheology_names[] = {
    "newtonian", "jump",  "power-law", "bingham", "herschel-bulkley",
    "casson",    "cross", "carreau",   NULL};

static const tl_param_table *const tables[] = {
    &tl_newtonian_table,        &tl_jump_table,   &tl_power_law_table, &tl_bingham_table,
    &tl_herschel_bulkley_table, &tl_casson_table, &tl_cross_table,     &tl_carreau_table};

const tl_param_variants tl_rheology_variants = {"model", tl_rheology_names, tables};

void tl_viscosities(const tl_material *materials, const uint8_t *material, const float *rate,
                    const float *temperature, float *viscosity, size_t n) {
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && material[end] == material[begin];)
            end++;
        const tl_material *m = &materials[material[begin]];
        if (m->has_rheology)
            models[m->rheology.model]->viscosities(&m->rheology, rate + begin, temperature + begin,
                                                   viscosity + begin, end - begin);
        else
            tl_newtonian_viscosities(&m->viscosity, temperature + begin, viscosity + begin,
                                     end - begin);
    }
}

double tl_viscosity_at(const tl_material *material, double rate, double temperature) {
    if (!material->has_rheology)
        return tl_law_at(&material->viscosity, temperature);
    return models[material->rheology.model]->at(&material->rheology, rate, temperature);
}

double tl_plateau_viscosity(const tl_material *material, double temperature) {
    if (material->has_rheology && models[material->rheology.model]->largest)
        return models[material->rheology.model]->largest(&material->rheology, temperature);
    return fmax(tl_viscosity_at(material, 0, temperature),
                tl_viscosity_at(material, 1e30, temperature));
}

uint64_t tl_rheology_hash(uint64_t hash, const tl_material *material) {
    const tl_rheology *r = &material->rheology;
    if (!material->has_rheology)
        return tl_law_hash(hash, &material->viscosity);
    const int kind[] = {r->model, r->by_stress};
    hash = tl_hash(hash, kind, sizeof kind);
    for (int k = 0; k < TL_RHEOLOGY_LAWS; k++)
        hash = tl_law_hash(hash, &r->law[k]);
    return hash;
}
