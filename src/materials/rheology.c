/* See rheology.h. */
#include "materials/rheology.h"

#include "materials/material.h"
#include "materials/model.h"

#include <math.h>
#include <string.h>

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

/* ---- Phases ------------------------------------------------------------------------------------
 */

/* Pa·s: stands in for none where a logarithm is taken. */
#define LEAST_VISCOSITY 1e-30

static bool has_phases(const tl_material *m) {
    return m->has_solid_viscosity || m->has_liquid_viscosity;
}

double tl_molten_at(const tl_material *m, double temperature) {
    const double solidus = m->has_solidus ? m->solidus : m->liquidus;
    const double liquidus = m->has_liquidus ? m->liquidus : m->solidus;
    if (!(m->has_solidus || m->has_liquidus) || temperature >= liquidus)
        return 1;
    return temperature <= solidus ? 0 : (temperature - solidus) / (liquidus - solidus);
}

/* η_s^(1-f) η_l^f, the ends exactly. */
static double blend(double solid, double liquid, double molten) {
    if (molten <= 0 || molten >= 1)
        return molten <= 0 ? solid : liquid;
    return exp((1 - molten) * log(fmax(solid, LEAST_VISCOSITY)) +
               molten * log(fmax(liquid, LEAST_VISCOSITY)));
}

static tl_wide blend_wide(tl_wide solid, tl_wide liquid, tl_wide molten) {
    const tl_wide zero = tl_splat(0.0f), one = tl_splat(1.0f);
    const tl_wide least = tl_splat((float)LEAST_VISCOSITY);
    const tl_wide mixed = tl_exp((one - molten) * tl_log(tl_max(solid, least)) +
                                 molten * tl_log(tl_max(liquid, least)));
    return tl_select_less(zero, molten, tl_select_less(molten, one, mixed, liquid), solid);
}

/* Changes viscosities of the rheology to those of the phases. `molten` may be NULL. */
static void mix_phases(const tl_material *m, const float *temperature, const float *molten,
                       float *viscosity, size_t n) {
    for (size_t i = 0; i < n; i += TL_LANES) {
        const size_t count = n - i < TL_LANES ? n - i : TL_LANES;
        float lanes[3][TL_LANES] = {{0}};
        memcpy(lanes[0], temperature + i, count * sizeof *temperature);
        memcpy(lanes[2], viscosity + i, count * sizeof *viscosity);
        for (size_t l = 0; l < count; l++)
            lanes[1][l] = molten ? molten[i + l] : (float)tl_molten_at(m, (double)lanes[0][l]);
        const tl_wide T = tl_load(lanes[0]), own = tl_load(lanes[2]);
        const tl_wide solid = m->has_solid_viscosity ? tl_law_wide(&m->solid_viscosity, T) : own;
        const tl_wide liquid = m->has_liquid_viscosity ? tl_law_wide(&m->liquid_viscosity, T) : own;
        tl_store(lanes[2], blend_wide(solid, liquid, tl_load(lanes[1])));
        memcpy(viscosity + i, lanes[2], count * sizeof *viscosity);
    }
}

/* ---- Viscosities -------------------------------------------------------------------------------
 */

void tl_viscosities(const tl_material *materials, const uint8_t *material, const float *rate,
                    const float *temperature, const float *molten, float *viscosity, size_t n) {
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
        if (has_phases(m))
            mix_phases(m, temperature + begin, molten ? molten + begin : NULL, viscosity + begin,
                       end - begin);
    }
}

/* `own` is the viscosity of the rheology. */
static double of_phases(const tl_material *m, double own, double temperature, double molten) {
    const double solid = m->has_solid_viscosity ? tl_law_at(&m->solid_viscosity, temperature) : own;
    const double liquid =
        m->has_liquid_viscosity ? tl_law_at(&m->liquid_viscosity, temperature) : own;
    return has_phases(m) ? blend(solid, liquid, molten) : own;
}

double tl_viscosity_of(const tl_material *m, double rate, double temperature, double molten) {
    const double own = m->has_rheology
                           ? models[m->rheology.model]->at(&m->rheology, rate, temperature)
                           : tl_law_at(&m->viscosity, temperature);
    return of_phases(m, own, temperature, molten);
}

double tl_viscosity_at(const tl_material *material, double rate, double temperature) {
    return tl_viscosity_of(material, rate, temperature, tl_molten_at(material, temperature));
}

double tl_plateau_viscosity(const tl_material *material, double temperature) {
    if (material->has_rheology && models[material->rheology.model]->largest)
        return of_phases(
            material, models[material->rheology.model]->largest(&material->rheology, temperature),
            temperature, tl_molten_at(material, temperature));
    return fmax(tl_viscosity_at(material, 0, temperature),
                tl_viscosity_at(material, 1e30, temperature));
}
