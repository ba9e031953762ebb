/* Making what worlds of thermal particles hold. See cohesive.h. */
#include "cohesion/cohesive.h"

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

tl_status tl_cohesive_declare(tl_cohesive *t, tl_fields *fields, bool midpoint, tl_error *error) {
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
        *all[f].handle = all[f].wanted ? tl_fields_declare(fields, all[f].desc) : -1;
        if (all[f].wanted && *all[f].handle < 0)
            return tl_fail_memory(error, fields->count, 24);
    }
    return TL_OK;
}

tl_status tl_cohesive_make(tl_cohesive *t, const tl_cohesive_params *params,
                           const tl_material *materials, size_t count, double spacing,
                           tl_error *error) {
    t->potentials = tl_allocate(count, sizeof *t->potentials);
    if (!t->potentials)
        return tl_fail_memory(error, count, sizeof *t->potentials);
    for (size_t m = 0; m < count; m++) {
        const char *name = materials[m].name ? materials[m].name : "material";
        if (!materials[m]
                 .has_cohesion) /* no body is made of it, or the scene would not have passed */
            continue;
        TL_TRY(tl_potential_make(&materials[m].cohesion, spacing, name, &t->potentials[m], error));
    }
    return tl_collision_make(&params->collision, spacing, &t->collision, error);
}

bool tl_cohesive_is_gas(const tl_cohesive *t, const tl_cohesive_matter *m) {
    for (size_t i = 0; i < m->count; i++) {
        const tl_potential *p = &t->potentials[m->material[i]];
        if (t->bonds.record[4 * i + 3] > p->least * p->energy)
            return false;
    }
    return m->count > 0;
}

size_t tl_cohesive_bytes(const tl_cohesive *t) {
    return tl_bonds_bytes(&t->bonds) +
           TL_ARRAYS_BYTES(t->heat.record, t->power, t->weight, t->wall_heat);
}

void tl_cohesive_free(tl_cohesive *t) {
    tl_bonds_free(&t->bonds);
    tl_bond_heat_free(&t->heat);
    free(t->potentials);
    TL_ARRAYS_FREE(t->power, t->weight, t->wall_heat);
    *t = (tl_cohesive){0};
}
