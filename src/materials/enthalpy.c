/* See enthalpy.h. */
#include "materials/enthalpy.h"

#include <math.h>

/* Adds the piece that begins at `start`, where the temperature is `temperature`. */
static void add_piece(tl_caloric *c, double start, double temperature, double slope) {
    c->start[c->pieces] = start;
    c->base[c->pieces] = c->pieces ? start : 0;
    c->temperature[c->pieces] = temperature;
    c->slope[c->pieces] = slope;
    if (slope > 0)
        c->least_heat = fmin(c->least_heat, 1 / slope);
    c->pieces++;
}

static double other(double value, double fallback) { return value > 0 ? value : fallback; }

static tl_status check(const tl_material *m, double solidus, double liquidus, bool melts,
                       tl_error *error) {
    const char *name = m->name ? m->name : "material";
    if (!(m->specific_heat > 0))
        return tl_fail(error, TL_BAD_INPUT, name, "give it a specific_heat, in J/(kg·K)",
                       "the material has no specific heat, which heat needs");
    if (m->latent_heat > 0 && !melts)
        return tl_fail(error, TL_BAD_INPUT, name, "give it a solidus, a liquidus or both",
                       "the material has a heat of melting, but no temperature at which it melts");
    if (melts && liquidus < solidus)
        return tl_fail(error, TL_BAD_INPUT, name, NULL,
                       "the material is molten before it begins to melt: %g °C < %g °C", liquidus,
                       solidus);
    if (m->latent_heat_of_vaporisation > 0 && !m->has_boiling)
        return tl_fail(error, TL_BAD_INPUT, name, "give it a boiling temperature",
                       "the material has a heat of boiling, but no temperature at which it boils");
    if (m->has_boiling && melts && m->boiling < liquidus)
        return tl_fail(error, TL_BAD_INPUT, name, NULL,
                       "the material boils before it is molten: %g °C < %g °C", m->boiling,
                       liquidus);
    return TL_OK;
}

tl_status tl_caloric_make(const tl_material *m, tl_caloric *out, tl_error *error) {
    const bool melts = m->has_solidus || m->has_liquidus;
    const double solidus = m->has_solidus ? m->solidus : m->liquidus;
    const double liquidus = m->has_liquidus ? m->liquidus : m->solidus;
    TL_TRY(check(m, solidus, liquidus, melts, error));
    const double c_s = m->specific_heat, c_l = other(m->liquid_specific_heat, c_s);
    tl_caloric c = {
        .melts = melts,
        .boils = m->has_boiling,
        .gas = HUGE_VAL,
        .conductivity = {m->conductivity, other(m->liquid_conductivity, m->conductivity)},
        .least_heat = HUGE_VAL};
    double e = 0, at = 0; /* where the liquid begins, or for want of melting, anywhere */
    if (melts) {
        add_piece(&c, -HUGE_VAL, 0, 1 / c_s);
        c.solidus = e = c_s * solidus;
        const double range = liquidus - solidus, heat = m->latent_heat + 0.5 * (c_s + c_l) * range;
        if (heat > 0)
            add_piece(&c, e, solidus, range / heat);
        c.liquidus = e += heat;
        at = liquidus;
        add_piece(&c, e, at, 1 / c_l);
    } else {
        add_piece(&c, -HUGE_VAL, 0, 1 / c_l);
    }
    if (c.boils) {
        e += c_l * (m->boiling - at);
        if (m->latent_heat_of_vaporisation > 0)
            add_piece(&c, e, m->boiling, 0);
        c.gas = e += m->latent_heat_of_vaporisation;
        add_piece(&c, e, m->boiling, 1 / other(m->gas_specific_heat, c_l));
    }
    *out = c;
    return TL_OK;
}

double tl_enthalpy_at(const tl_caloric *c, double temperature) {
    int p = c->pieces - 1;
    while (p > 0 && (temperature <= c->temperature[p] || c->slope[p] == 0))
        p--;
    /* A piece of one temperature is passed over from above: below it ends where it begins. */
    return c->base[p] + (temperature - c->temperature[p]) / c->slope[p];
}

int tl_caloric_piece(const tl_caloric *c, double enthalpy, double direction) {
    int p = c->pieces - 1;
    while (p > 0 && (enthalpy < c->start[p] || (enthalpy == c->start[p] && direction < 0)))
        p--;
    return p;
}

double tl_temperature_at(const tl_caloric *c, double enthalpy) {
    const int p = tl_caloric_piece(c, enthalpy, 0);
    return c->temperature[p] + c->slope[p] * (enthalpy - c->base[p]);
}

double tl_liquid_fraction(const tl_caloric *c, double enthalpy) {
    if (!c->melts || enthalpy >= c->liquidus)
        return 1;
    return enthalpy <= c->solidus ? 0 : (enthalpy - c->solidus) / (c->liquidus - c->solidus);
}

tl_phase tl_phase_at(const tl_caloric *c, double enthalpy) {
    if (enthalpy >= c->gas)
        return TL_PHASE_GAS;
    if (!c->melts || enthalpy >= c->liquidus)
        return TL_PHASE_LIQUID;
    return enthalpy > c->solidus ? TL_PHASE_MUSHY : TL_PHASE_SOLID;
}

double tl_conductivity_at(const tl_caloric *c, double enthalpy) {
    const double f = tl_liquid_fraction(c, enthalpy);
    return (1 - f) * c->conductivity[0] + f * c->conductivity[1];
}
