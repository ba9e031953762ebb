/* What holds between the parameters of a material, a temperature or a limb, and what follows from
 * them. See check.h. */
#include "scene/check.h"

#include "base/text.h"
#include "scene/forms.h"
#include "scene/pace.h"
#include "scene/rigids.h"
#include "scene/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct site {
    tl_report *report;
    const tl_yaml_node *node; /* of the material */
} site;

static const tl_yaml_node *key_of(const site *s, const char *key) {
    return tl_yaml_place(s->node, "rheology.%s", key);
}

/* A jump number is given by itself or by stresses, never by both. */
static void complete_jump(const site *s, tl_rheology *r) {
    static const struct {
        tl_rheology_law law;
        const char *key;
        bool of_stress, needed;
    } keys[] = {{TL_JUMP, "jump", false, true},
                {TL_REFERENCE_VISCOSITY, "reference_viscosity", false, false},
                {TL_REFERENCE_RATE, "reference_rate", false, false},
                {TL_YIELD_STRESS, "yield_stress", true, true},
                {TL_CONSISTENCY, "consistency", true, true},
                {TL_PLATEAU_VISCOSITY, "plateau_viscosity", true, true}};
    enum { COUNT = sizeof keys / sizeof keys[0] };
    static const char hint[] = "give jump, reference_viscosity and reference_rate; or "
                               "yield_stress, consistency and plateau_viscosity";
    const char *first[2] = {NULL, NULL};
    for (size_t k = 0; k < COUNT; k++)
        if (r->given[keys[k].law] && !first[keys[k].of_stress])
            first[keys[k].of_stress] = keys[k].key;
    if (first[0] && first[1]) {
        tl_report_error(s->report, key_of(s, first[1]), hint,
                        "%s and %s belong to two ways to give the same curve", first[0], first[1]);
        return;
    }
    r->by_stress = first[1] != NULL;
    for (size_t k = 0; k < COUNT; k++) {
        if (keys[k].of_stress != r->by_stress || r->given[keys[k].law])
            continue;
        if (keys[k].needed)
            tl_report_error(s->report, tl_yaml_place(s->node, "rheology"), hint,
                            "jump has no %s, which it needs", keys[k].key);
        r->given[keys[k].law] = true; /* a default that counts is written like the rest */
    }
}

/* Two constants of which one must not be the larger. */
static void check_order(const site *s, const tl_rheology *r, tl_rheology_law low,
                        tl_rheology_law high, const char *low_key, const char *high_key) {
    const tl_law *a = &r->law[low], *b = &r->law[high];
    if (!r->given[high] || a->kind != TL_LAW_CONSTANT || b->kind != TL_LAW_CONSTANT ||
        a->value <= b->value)
        return;
    tl_report_error(s->report, key_of(s, high_key), NULL, "%s is less than %s: %g < %g", high_key,
                    low_key, b->value, a->value);
}

static void complete_rheology(const site *s, tl_rheology *r) {
    if (r->model == TL_RHEOLOGY_JUMP)
        complete_jump(s, r);
    check_order(s, r, TL_PLASTIC_VISCOSITY, TL_PLATEAU_VISCOSITY, "plastic_viscosity",
                "plateau_viscosity");
    check_order(s, r, TL_INFINITE_VISCOSITY, TL_PLATEAU_VISCOSITY, "infinite_viscosity",
                "plateau_viscosity");
    check_order(s, r, TL_MIN_VISCOSITY, TL_MAX_VISCOSITY, "min_viscosity", "max_viscosity");
}

/* Temperatures of melting and boiling stand in their order. */
static void check_phases(const site *s, const tl_material *m) {
    const bool melts = m->has_solidus || m->has_liquidus;
    const double liquidus = m->has_liquidus ? m->liquidus : m->solidus;
    if (m->has_solidus && m->has_liquidus && m->solidus > m->liquidus)
        tl_report_error(s->report, tl_yaml_place(s->node, "liquidus"), NULL,
                        "material \"%.60s\" is molten before it begins to melt: %g °C < %g °C",
                        m->name, m->liquidus, m->solidus);
    if (m->has_boiling && melts && m->boiling < liquidus)
        tl_report_error(s->report, tl_yaml_place(s->node, "boiling"), NULL,
                        "material \"%.60s\" boils before it is molten: %g °C < %g °C", m->name,
                        m->boiling, liquidus);
}

static void complete_material(const site *s, tl_material *m) {
    if (m->has_rheology && m->has_viscosity)
        tl_report_error(s->report, tl_yaml_place(s->node, "viscosity"),
                        "a viscosity alone is a newtonian rheology; leave out one of them",
                        "material \"%.60s\" has both a viscosity and a rheology", m->name);
    if (m->has_rheology)
        complete_rheology(s, &m->rheology);
    m->has_viscosity = !m->has_rheology;
    const char *phase = m->has_solid_viscosity    ? "solid_viscosity"
                        : m->has_liquid_viscosity ? "liquid_viscosity"
                                                  : NULL;
    if (phase && !m->has_solidus && !m->has_liquidus)
        tl_report_error(s->report, tl_yaml_place(s->node, "%s", phase),
                        "give it a solidus, a liquidus or both",
                        "material \"%.60s\" has a %s, but does not melt", m->name, phase);
    if (m->solid == TL_SOLID_HELD && !m->has_solidus && !m->has_liquidus)
        tl_report_error(s->report, tl_yaml_place(s->node, "solid"),
                        "give it a solidus, a liquidus or both",
                        "material \"%.60s\" is held while solid, but does not melt", m->name);
    if (!m->has_absorptivity)
        m->absorptivity = m->emissivity;
    check_phases(s, m);
}

/* The source that a temperature falls from. */
static void find_heater(const tl_scene *scene, tl_report *report, const tl_yaml_node *at,
                        tl_temperature_def *t) {
    const tl_source_def *sources = scene->sources.items;
    for (size_t i = 0; i < scene->sources.count; i++)
        if (strcmp(sources[i].name, t->source) == 0)
            t->heater = &sources[i];
    if (t->heater)
        return;
    tl_text names = {0};
    for (size_t i = 0; i < scene->sources.count; i++)
        tl_text_print(&names, "%s%.60s", i ? ", " : "there are: ", sources[i].name);
    tl_report_error(report, at, names.length ? names.bytes : "add it to sources",
                    "there is no source \"%.60s\"", t->source);
    free(names.bytes);
}

/* One value, or both ends along an axis or a radius, with a colour, or from a source. */
static void complete_temperature(const tl_scene *scene, tl_report *report, const tl_yaml_node *node,
                                 tl_temperature_def *t) {
    static const char hint[] =
        "write a number, {along: z, from: 20, to: 95} or {radius: 5 cm, from: 95, to: 20}";
    const int ways = (t->along != 0) + t->has_radius + (t->colour != 0) + (t->source != NULL);
    const bool ends = t->has_from || t->has_to, varies = ways > 0;
    if (ways > 1)
        tl_report_error(
            report,
            tl_yaml_place(node, t->source       ? "source"
                                : t->has_radius ? "radius"
                                                : "colour"),
            hint,
            "a temperature lies along an axis, a radius or a colour or falls from a source, not "
            "several");
    else if (!varies && ends)
        tl_report_error(report, node, hint, "from and to need an axis to lie along");
    else if (varies && !(t->has_from && t->has_to))
        tl_report_error(report, node, hint, "a temperature along an axis has two ends");
    else if (varies && t->has_value)
        tl_report_error(report, tl_yaml_place(node, "value"), hint,
                        "a temperature is one value or two ends, not both");
    else if (t->has_center && !t->has_radius)
        tl_report_error(report, tl_yaml_place(node, "center"), hint,
                        "center does nothing without radius");
    t->has_value = !varies;
    if (t->source)
        find_heater(scene, report, tl_yaml_place(node, "source"), t);
}

static void complete_limbs(tl_param_list *limbs) {
    for (size_t k = 0; k < limbs->count; k++) {
        tl_limb_def *limb = (tl_limb_def *)limbs->items + k;
        if (!limb->has_to)
            memcpy(limb->to, limb->from, sizeof limb->to);
        if (!limb->has_end_radius)
            limb->end_radius = limb->radius;
    }
}

/* A flame on a wick begins at its tip. */
static void complete_sources(tl_scene *scene) {
    tl_source_def *sources = scene->sources.items;
    for (size_t i = 0; i < scene->sources.count; i++) {
        if (!sources[i].has_wick || sources[i].has_position)
            continue;
        const tl_wick_def *wick = &sources[i].wick;
        const tl_vec3 flame = tl_wick_flame(wick, tl_wick_reach(wick));
        memcpy(sources[i].position, (const double[]){flame.x, flame.y, flame.z},
               sizeof sources[i].position);
    }
}

/* Emitted particles are told from each other, and from bodies, by the number after those. */
static void complete_emitters(tl_scene *scene) {
    tl_emitter_def *emitters = scene->emitters.items;
    const tl_material *materials = scene->materials.items;
    for (size_t e = 0; e < scene->emitters.count; e++) {
        emitters[e].body = (uint32_t)(scene->bodies.count + e);
        for (uint32_t m = 0; m < scene->materials.count; m++)
            if (emitters[e].material && strcmp(materials[m].name, emitters[e].material) == 0)
                emitters[e].material_index = m;
    }
}

/* Interfaces know their materials by their numbers. */
static void complete_interfaces(tl_scene *scene) {
    tl_interface_def *all = scene->interfaces.items;
    const tl_material *materials = scene->materials.items;
    for (size_t k = 0; k < scene->interfaces.count; k++)
        for (size_t m = 0; m < scene->materials.count; m++) {
            if (all[k].between && strcmp(materials[m].name, all[k].between) == 0)
                all[k].materials[0] = m;
            if (all[k].and &&strcmp(materials[m].name, all[k].and) == 0)
                all[k].materials[1] = m;
        }
}

/* Entries know their body by its number. */
static void complete_refine(tl_scene *scene) {
    tl_refine_def *all = scene->refine.items;
    const tl_body_def *bodies = scene->bodies.items;
    for (size_t k = 0; k < scene->refine.count; k++)
        for (uint32_t i = 0; i < scene->bodies.count && all[k].body; i++)
            if (strcmp(bodies[i].name, all[k].body) == 0)
                all[k].body_at = i + 1;
}

/* The section, be it empty, a source, a wall with a temperature, or a material that heats itself
 * turns heat on. */
static void complete_heat(tl_scene *scene, const tl_yaml_node *root) {
    const tl_material *materials = scene->materials.items;
    const tl_wall_def *walls = scene->walls.items;
    bool asked = tl_yaml_get(root, "heat") != NULL || scene->sources.count > 0;
    for (size_t i = 0; i < scene->materials.count; i++)
        asked = asked || materials[i].heating != 0;
    for (size_t i = 0; i < scene->walls.count; i++)
        asked = asked || walls[i].has_temperature;
    /* The section's defaults were not read, since the file may do without it. */
    if (!scene->has_heat)
        (void)tl_schema_defaults(&tl_heat_table, &scene->heat);
    scene->has_heat = scene->has_heat || asked;
}

/* A grid shows in all that is no box: round bodies get stairs, and fall apart along its axes where
 * they land; what a rigid one displaces depends on where it lies in the grid. Thermal particles
 * rest at the distance of their potential, and would burst where a fill has them closer. */
static void complete_fill(const tl_scene *scene, tl_body_def *b) {
    if (b->fill == TL_FILL_AUTOMATIC)
        b->fill = b->has_box || scene->dynamics == TL_DYNAMICS_COHESIVE ? TL_FILL_CUBIC
                                                                        : TL_FILL_CONFORMING;
}

void tl_scene_complete(tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    tl_material *materials = scene->materials.items;
    tl_body_def *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->materials.count; i++) {
        const tl_yaml_node *all = tl_yaml_get(root, "materials");
        complete_material(&(site){report, tl_yaml_get(all, materials[i].name)}, &materials[i]);
    }
    for (size_t i = 0; i < scene->bodies.count; i++) {
        complete_temperature(scene, report, tl_yaml_place(root, "bodies.%zu.temperature", i),
                             &bodies[i].temperature);
        complete_limbs(&bodies[i].limbs);
        complete_fill(scene, &bodies[i]);
        bodies[i].gable.distance = scene->spacing * pow(2, 1.0 / 6);
    }
    complete_emitters(scene);
    complete_sources(scene);
    if (scene->frame_rate == 0 && scene->duration > 0)
        scene->frame_rate = tl_pace_frame_rate(scene->duration);
    complete_refine(scene);
    complete_interfaces(scene);
    complete_heat(scene, root);
    if (!scene->has_thermal)
        (void)tl_schema_defaults(&tl_cohesive_table, &scene->cohesive);
    scene->has_thermal = scene->has_thermal || scene->dynamics == TL_DYNAMICS_COHESIVE;
    tl_scene_make_forms(scene, root, report);
    tl_scene_make_rigids(scene, root, report);
}
