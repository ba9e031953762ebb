/* See rheology.h. */
#include "materials/rheology.h"

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

const tl_model *tl_model_of(const tl_material *m) {
    if (!m->has_rheology)
        return &tl_model_newtonian;
    return m->rheology.own ? m->rheology.own : models[m->rheology.model];
}

bool tl_is_newtonian(const tl_material *m) { return tl_model_of(m) == &tl_model_newtonian; }

/* ---- Phases ------------------------------------------------------------------------------------
 */

bool tl_has_phases(const tl_material *m) {
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
    return exp((1 - molten) * log(fmax(solid, TL_LEAST_VISCOSITY)) +
               molten * log(fmax(liquid, TL_LEAST_VISCOSITY)));
}

/* ---- Viscosities -------------------------------------------------------------------------------
 */

/* `own` is the viscosity of the rheology. */
static double of_phases(const tl_material *m, double own, double temperature, double molten) {
    const double solid = m->has_solid_viscosity ? tl_law_at(&m->solid_viscosity, temperature) : own;
    const double liquid =
        m->has_liquid_viscosity ? tl_law_at(&m->liquid_viscosity, temperature) : own;
    return tl_has_phases(m) ? blend(solid, liquid, molten) : own;
}

double tl_viscosity_of(const tl_material *m, double rate, double temperature, double molten) {
    const double own = m->has_rheology ? tl_model_of(m)->at(&m->rheology, rate, temperature)
                                       : tl_law_at(&m->viscosity, temperature);
    return of_phases(m, own, temperature, molten);
}

double tl_viscosity_at(const tl_material *material, double rate, double temperature) {
    return tl_viscosity_of(material, rate, temperature, tl_molten_at(material, temperature));
}

double tl_plateau_viscosity(const tl_material *material, double temperature) {
    const tl_model *model = tl_model_of(material);
    if (material->has_rheology && model->largest)
        return of_phases(material, model->largest(&material->rheology, temperature), temperature,
                         tl_molten_at(material, temperature));
    return fmax(tl_viscosity_at(material, 0, temperature),
                tl_viscosity_at(material, 1e30, temperature));
}
