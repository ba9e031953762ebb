/* The fields that worlds have, by what they are made of. */
#include "world/state.h"

enum {
    SAVED = TL_FIELD_SAVED,
    SHOWN = TL_FIELD_SHOWN,
    SHARED = TL_FIELD_SHARED,
    PLACE = TL_FIELD_PLACE
};

static const tl_field_desc
    field_id = {"id", TL_U64, 1, "", "Name of the particle, for ever", SAVED | SHOWN},
    field_position = {"position", TL_F64, 3, "m", "Place", SAVED | SHOWN | PLACE},
    field_velocity = {"velocity", TL_F64, 3, "m/s", "Velocity", SAVED | SHOWN},
    field_density = {"density", TL_F64, 1, "kg/m³", "Density", SAVED | SHOWN},
    field_mass = {"mass", TL_F32, 1, "kg", "Mass", SAVED | SHARED},
    field_material = {"material", TL_U8, 1, "", "Index of the material", SAVED | SHOWN},
    field_body = {"body", TL_U32, 1, "", "Index of the body it came from", SAVED | SHOWN},
    field_pressure = {"pressure", TL_F32, 1, "Pa", "Pressure", SAVED | SHOWN},
    field_strain_rate = {"strain_rate", TL_F32, 1, "1/s", "Shear rate", SAVED | SHOWN},
    field_temperature = {"temperature", TL_F32, 1, "°C", "Temperature", SAVED | SHOWN},
    field_viscosity = {"viscosity", TL_F32, 1, "Pa·s", "Viscosity", SAVED | SHOWN},
    field_acceleration = {"acceleration", TL_F32, 3, "m/s²", "Acceleration", SAVED},
    field_shift = {"shift", TL_F32, 3, "m/s", "Velocity by which motion differs from velocity",
                   SAVED},
    field_list_position = {"list_position",
                           TL_F32,
                           3,
                           "m",
                           "Place at the last neighbour build, from the origin of records",
                           SAVED | PLACE},
    field_last_move = {"last_move", TL_F32, 3, "m", "What the last step added to the place", 0},
    field_kept_velocity = {"kept_velocity", TL_F32, 3, "m/s", "Velocity before the step", SAVED},
    field_kept_density = {"kept_density", TL_F64, 1, "kg/m³", "Density before the step", 0},
    field_enthalpy = {"enthalpy", TL_F64, 1, "J/kg", "Heat per mass, from 0 °C on", SAVED | SHOWN},
    field_liquid_fraction = {"liquid_fraction", TL_F32, 1, "", "Molten part", SHOWN},
    field_exposed_area = {"exposed_area",        TL_F32, 1, "m²", "Area that is open to the air",
                          SAVED | SHOWN | SHARED},
    field_lit_part = {"lit_part",
                      TL_F32,
                      1,
                      "",
                      "Part of the sources' power that falls on it",
                      SAVED | SHOWN | SHARED},
    field_held = {"held", TL_U8, 1, "", "1: solid that is frozen to a wall", SAVED | SHOWN},
    field_nozzle = {"nozzle",
                    TL_U8,
                    1,
                    "",
                    "Number of the emitter that leads it; 0: it is free",
                    SAVED | SHOWN},
    field_strain = {"strain", TL_F32, 6, "1/s", "Rate of strain: xx yy zz xy xz yz", SAVED | SHOWN},
    field_size = {"size", TL_F32, 1, "m", "Edge of its cube at rest", SAVED | SHOWN},
    field_whole = {"whole", TL_F32, 1, "kg", "Mass of what it was cut from", SAVED},
    field_way = {"way", TL_F64, 3, "m", "How far it has moved within its memory", SAVED},
    field_apart = {"apart", TL_F32, 3, "m", "How far it has moved from where it was on its wall",
                   SAVED},
    field_forgotten = {"forgotten", TL_F32, 1, "", "Part of its past that it has forgotten", SAVED},
    field_sides = {"sides", TL_U32, 1, "", "On which side of the gates it is, a bit each", SAVED},
    field_phase = {"phase", TL_U8, 1, "", "0 solid, 1 mushy, 2 liquid, 3 gas", SHOWN};

/* Whether matter that moves may be held. */
static bool may_hold(const tl_world *w) {
    bool any = false;
    for (size_t m = 0; m < w->def.material_count; m++)
        any = any || w->def.materials[m].solid == TL_SOLID_HELD;
    return any && w->def.with_heat && w->dynamics->flows;
}

/* What laws remember, and what they are told to do so. */
static tl_status declare_memory(tl_world *w, tl_error *error) {
    bool elastic = false;
    w->handle.strain = w->handle.way = w->handle.apart = w->handle.forgotten = -1;
    if (!w->dynamics->flows)
        return TL_OK;
    TL_TRY(tl_memory_declare(&w->memory, &w->fields, w->materials, w->def.material_count, error));
    if (!tl_memory_of(w))
        return TL_OK;
    w->handle.strain = tl_fields_declare(&w->fields, &field_strain);
    for (size_t m = 0; m < w->def.material_count; m++)
        elastic = elastic || w->materials[m].has_elastic;
    if (elastic) {
        w->handle.way = tl_fields_declare(&w->fields, &field_way);
        w->handle.apart = tl_fields_declare(&w->fields, &field_apart);
        w->handle.forgotten = tl_fields_declare(&w->fields, &field_forgotten);
    }
    return w->handle.strain < 0 || (elastic && (w->handle.way < 0 || w->handle.apart < 0 ||
                                                w->handle.forgotten < 0))
               ? tl_fail_memory(error, w->fields.count, 24)
               : TL_OK;
}

tl_status tl_world_declare_fields(tl_world *w, tl_error *error) {
    const struct {
        int *handle;
        const tl_field_desc *desc;
    } all[] = {
        {&w->handle.id, &field_id},
        {&w->handle.position, &field_position},
        {&w->handle.velocity, &field_velocity},
        {&w->handle.density, &field_density},
        {&w->handle.mass, &field_mass},
        {&w->handle.material, &field_material},
        {&w->handle.body, &field_body},
        {&w->handle.pressure, &field_pressure},
        {&w->handle.strain_rate, &field_strain_rate},
        {&w->handle.temperature, &field_temperature},
        {&w->handle.viscosity, &field_viscosity},
        {&w->handle.acceleration, &field_acceleration},
        {&w->handle.shift, &field_shift},
        {&w->handle.list_position, &field_list_position},
        {&w->handle.last_move, &field_last_move},
        {&w->handle.kept_velocity, &field_kept_velocity},
        {&w->handle.kept_density, &field_kept_density},
    };
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
        *all[f].handle = tl_fields_declare(&w->fields, all[f].desc);
        if (*all[f].handle < 0)
            return tl_fail_memory(error, w->fields.count, 24);
    }
    w->handle.enthalpy = w->handle.liquid_fraction = w->handle.phase = -1;
    w->handle.exposed_area = w->handle.lit_part = w->handle.held = w->handle.nozzle = -1;
    w->handle.body_force = w->handle.size = w->handle.whole = w->handle.sides = -1;
    w->handle.caught = -1;
    TL_TRY(tl_world_declare_hand(w, error));
    if (w->def.most_size > 0) {
        w->handle.size = tl_fields_declare(&w->fields, &field_size);
        if (w->handle.size < 0)
            return tl_fail_memory(error, w->fields.count, 4);
    }
    if (w->def.refine_count > 0) {
        w->handle.whole = tl_fields_declare(&w->fields, &field_whole);
        if (w->handle.whole < 0)
            return tl_fail_memory(error, w->fields.count, 4);
    }
    if (w->def.gate_count > 0) {
        w->handle.sides = tl_fields_declare(&w->fields, &field_sides);
        if (w->handle.sides < 0)
            return tl_fail_memory(error, w->fields.count, 4);
    }
    if (w->def.emitter_count > 0) {
        w->handle.nozzle = tl_fields_declare(&w->fields, &field_nozzle);
        if (w->handle.nozzle < 0)
            return tl_fail_memory(error, w->fields.count, 1);
    }
    TL_TRY(declare_memory(w, error));
    if (w->dynamics->declare)
        TL_TRY(w->dynamics->declare(w, error));
    if (!w->def.with_heat)
        return TL_OK;
    w->handle.enthalpy = tl_fields_declare(&w->fields, &field_enthalpy);
    w->handle.liquid_fraction = tl_fields_declare(&w->fields, &field_liquid_fraction);
    w->handle.phase = tl_fields_declare(&w->fields, &field_phase);
    if (may_hold(w)) {
        w->handle.held = tl_fields_declare(&w->fields, &field_held);
        if (w->handle.held < 0)
            return tl_fail_memory(error, w->fields.count, 1);
    }
    if (w->surface.wanted) {
        w->handle.exposed_area = tl_fields_declare(&w->fields, &field_exposed_area);
        w->handle.lit_part = tl_fields_declare(&w->fields, &field_lit_part);
        if (w->handle.exposed_area < 0 || w->handle.lit_part < 0)
            return tl_fail_memory(error, w->fields.count, 24);
    }
    return w->handle.enthalpy < 0 || w->handle.liquid_fraction < 0 || w->handle.phase < 0
               ? tl_fail_memory(error, w->fields.count, 24)
               : TL_OK;
}
