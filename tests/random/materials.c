/* Materials of random scenes: those of the library, some with heat that it has not, and all laws of
 * flow with numbers that may follow the temperature. */
#include "plan.h"

#include <stdio.h>
#include <string.h>

/* Temperatures at which the library's materials do something, and their stiffest there:
 * of elastic ones, more than explicit steps can take. */
static const struct {
    matter is;
    bool heat, conducts;
} library[] = {
    {{"aluminium", 640, 700, 2700, 1e6, 900}, true, true},
    {{"basalt-lava", 950, 1150, 2600, 9.4e5, 1000}, true, true},
    {{"beeswax", 20, 90, 964, 1e5, 3400}, true, true},
    {{"bitumen", 60, 140, 1028, 400, 2000}, false, false},
    {{"butter", 5, 45, 936, 8e6, 2300}, true, true},
    {{"clay", 10, 30, 1660, 200, 1500}, false, false},
    {{"concrete", 10, 30, 2300, 5e4, 900}, true, true},
    {{"copper", 1060, 1120, 8960, 1e6, 400}, true, true},
    {{"dark-chocolate", 30, 50, 1242, 606, 1800}, false, false},
    {{"dough", 10, 40, 1240, 1e12, 2800}, true, true},
    {{"egg-white", 5, 40, 1030, 1, 3900}, true, true},
    {{"egg-yolk", 5, 40, 1037, 5, 3100}, true, true},
    {{"glycerine", 5, 95, 1261, 8, 2400}, false, false},
    {{"honey", 15, 70, 1425, 60, 2400}, true, true},
    {{"ice", -20, 60, 917, 1e15, 3000}, true, true},
    {{"jelly", 15, 50, 1056, 1e12, 3800}, true, true},
    {{"mercury", 10, 50, 13534, 1.6e-3, 140}, true, true},
    {{"milk-chocolate", 30, 50, 1279, 870, 1800}, true, false},
    {{"olive-oil", 10, 40, 912, 0.084, 2000}, true, false},
    {{"paraffin", 20, 95, 916, 1e5, 2400}, true, true},
    {{"paraffin-rt27", 20, 50, 760, 3.5e-3, 2400}, true, true},
    {{"seawater", 5, 40, 1025, 1.1e-3, 4000}, false, false},
    {{"shaving-foam", 10, 40, 77.7, 1e4, 3000}, false, false},
    {{"soda-lime-glass", 700, 1300, 2530, 1.2e7, 750}, true, true},
    {{"solder", 150, 250, 8010, 1e5, 190}, true, true},
    {{"tallow", 15, 60, 897, 1e7, 2000}, true, true},
    {{"toothpaste", 10, 40, 1300, 1e4, 3000}, false, false},
    {{"water", 5, 60, 998, 1e-3, 4200}, true, true},
};

/* A number, or a law of the temperature that is near it. */
static void print_law(plan *p, const char *key, double value) {
    tl_text *t = &p->materials;
    const double ratio = spread(&p->dice, 1e-3, 1);
    tl_text_print(t, "%s: ", key);
    switch (pick(&p->dice, 16)) {
    case 0:
        tl_text_print(t, "{law: linear, from: [20, %.4g], to: [80, %.4g]}", value, ratio * value);
        break;
    case 1:
        tl_text_print(t, "{law: exponential, slope: %.4g, offset: %.4g}", log10(ratio) / 80,
                      log10(value));
        break;
    case 2:
        tl_text_print(t, "{law: arrhenius, value: %.4g, at: 25 °C, energy: %.4g kJ/mol}", value,
                      between(&p->dice, 20, 100));
        break;
    case 3:
        tl_text_print(t,
                      "{law: table, points: [[20, %.4g], [50, %.4g], [80, %.4g]], interpolation: "
                      "logarithmic}",
                      value, sqrt(ratio) * value, ratio * value);
        break;
    default: tl_text_print(t, "%.4g", value);
    }
}

/* A law of flow about the viscosity η; returns its stiffest. */
static double print_rheology(plan *p, double eta, double stress) {
    tl_text *t = &p->materials;
    dice *d = &p->dice;
    const double plateau = eta * spread(d, 10, 1000), n = between(d, 0.2, 0.95);
    static const char *const models[] = {
        "power-law", "bingham", "herschel-bulkley", "casson", "cross", "carreau", "jump"};
    const size_t model = pick(d, COUNT_OF(models));
    tl_text_print(t, "rheology: {model: %s, ", models[model]);
    switch (model) {
    case 0:
        print_law(p, "consistency", eta);
        tl_text_print(t, ", exponent: %.3g, min_viscosity: %.4g, max_viscosity: %.4g",
                      chance(d, 0.2) ? between(d, 1, 2) : n, eta / 100, plateau);
        break;
    case 1:
    case 3:
        print_law(p, "yield_stress", stress);
        tl_text_print(t, ", plastic_viscosity: %.4g, plateau_viscosity: %.4g", eta, plateau);
        break;
    case 2:
        print_law(p, "yield_stress", stress);
        tl_text_print(t, ", consistency: %.4g, exponent: %.3g, plateau_viscosity: %.4g", eta, n,
                      plateau);
        break;
    case 4:
    case 5:
        print_law(p, "plateau_viscosity", plateau);
        tl_text_print(t, ", infinite_viscosity: %.4g, time: %.4g, exponent: %.3g", plateau * 1e-4,
                      spread(d, 0.01, 10), n);
        break;
    default:
        print_law(p, "jump", spread(d, 5, 1500));
        tl_text_print(t, ", exponent: %.3g, reference_viscosity: %.4g", n, eta);
        tl_text_print(t, "}");
        return 2000 * eta;
    }
    tl_text_print(t, "}");
    return plateau;
}

static void print_heat(plan *p, matter *m) {
    tl_text *t = &p->materials;
    dice *d = &p->dice;
    m->specific_heat = spread(d, 200, 4000);
    tl_text_print(t, ", specific_heat: %.4g, conductivity: %.4g, emissivity: %.3g",
                  m->specific_heat, spread(d, 0.1, 100), between(d, 0.05, 1));
    if (chance(d, 0.6)) {
        const double solidus = between(d, 30, 70);
        tl_text_print(t, ", latent_heat: %.4g, solidus: %.4g, liquidus: %.4g", spread(d, 1e3, 3e5),
                      solidus, chance(d, 0.5) ? solidus : solidus + between(d, 1, 30));
        if (chance(d, 0.5)) {
            const double solid = spread(d, 1e3, 1e6);
            m->stiff = fmax(m->stiff, solid);
            tl_text_print(t, ", solid_viscosity: %.4g", solid);
        }
        if (chance(d, 0.3))
            tl_text_print(t, ", solid: held");
    }
    if (chance(d, 0.15))
        tl_text_print(t, ", boiling: 110, latent_heat_of_vaporisation: %.4g", spread(d, 1e4, 2e6));
    if (chance(d, 0.15))
        tl_text_print(t, ", heating: %.4g", m->density * m->specific_heat * 20 / p->duration);
}

static void invent(plan *p, matter *m) {
    dice *d = &p->dice;
    m->density = spread(d, 300, 5000);
    m->cold = 15;
    m->hot = 100;
    const double eta = spread(d, 1e-3, 1e4);
    const double stress = spread(d, 0.01, 3) * m->density * 9.81 * 8 * p->dx;
    tl_text_print(&p->materials, "  %s: {density: %.4g, ", m->name, m->density);
    m->stiff = eta;
    if (chance(d, 0.35))
        print_law(p, "viscosity", eta);
    else
        m->stiff = print_rheology(p, eta, stress);
    if (p->heat)
        print_heat(p, m);
    tl_text_print(&p->materials, "}\n");
}

/* Whether one of the first k has the name of this one: then it is written already. */
static bool is_written(const plan *p, size_t k) {
    for (size_t m = 0; m < k; m++)
        if (strcmp(p->matter[m].name, p->matter[k].name) == 0)
            return true;
    return false;
}

void plan_materials(plan *p) {
    dice *d = &p->dice;
    p->matters = 1 + pick(d, MOST_MATTER);
    for (size_t k = 0; k < p->matters; k++) {
        matter *m = &p->matter[k];
        *m = (matter){0};
        if (chance(d, 0.5)) {
            const size_t l = pick(d, COUNT_OF(library));
            *m = library[l].is;
            if (!p->heat || (library[l].heat && chance(d, 0.9)))
                continue;
            snprintf(m->name, sizeof m->name, "warm %s", library[l].is.name);
            if (is_written(p, k))
                continue;
            tl_text_print(&p->materials,
                          "  %s: {like: %s, specific_heat: %.4g, conductivity: 0.3, emissivity: "
                          "0.9}\n",
                          m->name, library[l].is.name, m->specific_heat);
        } else {
            snprintf(m->name, sizeof m->name, "matter %zu", k + 1);
            invent(p, m);
        }
    }
}
