/* Making a world of thermal particles, and what becomes of it. See thermal.h. */
#include "base/hash.h"
#include "base/log.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAVED = TL_FIELD_SAVED };

static const tl_field_desc
    field_acceleration = {"force_acceleration", TL_F64, 3, "m/s²", "Acceleration by all forces", 0},
    field_kept_position = {"place_before", TL_F64, 3, "m", "Place before the step", 0},
    field_kept_velocity = {"velocity_before", TL_F64, 3, "m/s", "Velocity before the step", 0},
    field_unspent_heat = {"unspent_heat", TL_F64, 1, "J", "Friction that has not warmed it yet",
                          SAVED},
    field_change = {"midpoint_change", TL_F64, 3, "m", "Last sub-step's way", 0},
    field_last_velocity = {"midpoint_velocity", TL_F64, 3, "m/s", "Velocity a sub-step before", 0};

tl_status tl_world_thermal_fields(tl_world *w, tl_error *error) {
    tl_world_thermal *t = &w->thermal;
    const bool midpoint = w->def.thermal.integrator == TL_MIDPOINT;
    const struct {
        int *handle;
        const tl_field_desc *desc;
        bool wanted;
    } all[] = {{&t->acceleration, &field_acceleration, true},
               {&t->kept_position, &field_kept_position, true},
               {&t->kept_velocity, &field_kept_velocity, true},
               {&t->unspent_heat, &field_unspent_heat, true},
               {&t->change, &field_change, midpoint},
               {&t->last_velocity, &field_last_velocity, midpoint}};
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
        *all[f].handle = all[f].wanted ? tl_fields_declare(&w->fields, all[f].desc) : -1;
        if (all[f].wanted && *all[f].handle < 0)
            return tl_fail_memory(error, w->fields.capacity, 24);
    }
    return TL_OK;
}

static tl_status make_potentials(tl_world *w, tl_error *error) {
    w->thermal.potentials = tl_allocate(w->def.material_count, sizeof *w->thermal.potentials);
    if (!w->thermal.potentials)
        return tl_fail_memory(error, w->def.material_count, sizeof *w->thermal.potentials);
    for (size_t m = 0; m < w->def.material_count; m++) {
        const tl_material *material = &w->def.materials[m];
        const char *name = material->name ? material->name : "material";
        if (!material->has_cohesion) /* no body is made of it, or the scene would not have passed */
            continue;
        TL_TRY(tl_potential_make(&material->cohesion, w->def.spacing, name,
                                 &w->thermal.potentials[m], error));
    }
    return TL_OK;
}

tl_status tl_world_thermal_constants(tl_world *w, tl_error *error) {
    TL_TRY(make_potentials(w, error));
    TL_TRY(
        tl_collision_make(&w->def.thermal.collision, w->def.spacing, &w->thermal.collision, error));
    w->support = 0;
    for (size_t i = 0; i < w->def.seed_count; i++) {
        const size_t m = w->def.seeds[i].material;
        if (!w->def.materials[m].has_cohesion)
            return tl_fail(error, TL_BAD_INPUT, w->def.materials[m].name,
                           "add cohesion: {energy: 200 J} to the material",
                           "a material of thermal particles without cohesion");
        const tl_potential *p = &w->thermal.potentials[m];
        const double least = fmin(p->stretch[0], fmin(p->stretch[1], p->stretch[2]));
        w->support = fmax(w->support, p->range / least);
        if (w->def.seeds[i].body + 1 > w->thermal.bodies)
            w->thermal.bodies = w->def.seeds[i].body + 1;
    }
    if (w->thermal.bodies > 1)
        w->support = fmax(w->support, w->thermal.collision.distance);
    w->skin = w->def.thermal.skin * w->support;
    return TL_OK;
}

/* Said once: where nothing is cold enough to hold together, there is only gas. */
static void say_when_gas(const tl_world *w) {
    for (size_t i = 0; i < w->fields.count; i++) {
        const tl_potential *p = &w->thermal.potentials[tl_material_of(w)[i]];
        if (w->thermal.bonds.record[4 * i + 3] > p->least * p->energy)
            return;
    }
    tl_log_message(&w->log, TL_LOG_WARNING,
                   "every particle has more heat than its bonds have energy: the matter is a gas; "
                   "lower the temperature or raise cohesion.energy");
}

tl_status tl_world_begin_thermal(tl_world *w, bool *broken, tl_error *error) {
    size_t worst;
    if (w->def.thermal.relax)
        TL_TRY(tl_world_thermal_relax(w, error));
    TL_TRY(tl_world_thermal_forces(w, broken, &worst, error));
    if (*broken) {
        const double *x = tl_position(w) + 3 * worst;
        char where[128];
        snprintf(where, sizeof where, "particle %zu at (%.4g, %.4g, %.4g) m", worst, x[0], x[1],
                 x[2]);
        return tl_fail(error, TL_BAD_INPUT, where,
                       "move the bodies apart and off the walls, or give cohesion an offset",
                       "the forces at the start are not finite: particles coincide, or stand in a "
                       "wall");
    }
    if (w->fields.count > 0)
        say_when_gas(w);
    return w->def.with_heat ? tl_world_thermal_heat_step(w, error) : TL_OK;
}

uint64_t tl_world_thermal_hash(const tl_world *w, uint64_t hash) {
    const tl_thermal_params *t = &w->def.thermal;
    const double numbers[] = {t->integrator,
                              (double)t->substeps,
                              t->step,
                              t->max_step,
                              t->damping,
                              t->friction,
                              t->skin,
                              t->neighbors,
                              w->support,
                              t->relax,
                              w->thermal.collision.beta,
                              w->thermal.collision.exponent,
                              w->thermal.collision.distance};
    hash = tl_hash(hash, numbers, sizeof numbers);
    for (size_t m = 0; m < w->def.material_count; m++) {
        const tl_potential *p = &w->thermal.potentials[m];
        const double own[] = {
            p->n,          p->m,          p->energy,        p->least,
            p->square,     p->range,      p->offset_square, p->inverse_fade,
            p->stretch[0], p->stretch[1], p->stretch[2],    w->materials[m].specific_heat};
        hash = tl_hash(hash, own, sizeof own);
    }
    return hash;
}

size_t tl_world_thermal_bytes(const tl_world *w) {
    const tl_world_thermal *t = &w->thermal;
    return tl_bonds_bytes(&t->bonds) +
           sizeof(double) * (t->heat.record_capacity + t->power_capacity + t->weight_capacity +
                             t->wall_heat_capacity);
}

void tl_world_free_thermal(tl_world *w) {
    tl_bonds_free(&w->thermal.bonds);
    tl_bond_heat_free(&w->thermal.heat);
    free(w->thermal.potentials);
    free(w->thermal.power);
    free(w->thermal.weight);
    free(w->thermal.wall_heat);
    w->thermal = (tl_world_thermal){0};
}
