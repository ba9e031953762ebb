/* Particles that come into a world while it runs, by emitters and by hand. */
#include "world/state.h"

#include <math.h>

/* Who has no use for accelerations would add them all the same. */
static void begin_motion(tl_world *w, size_t i, const double *velocity) {
    const double origin[3] = {w->origin.x, w->origin.y, w->origin.z};
    float *acceleration = tl_field_data(&w->fields, w->handle.acceleration);
    float *kept_velocity = tl_field_data(&w->fields, w->handle.kept_velocity);
    float *list_position = tl_field_data(&w->fields, w->handle.list_position);
    const bool accelerates = w->dynamics->accelerates;
    const tl_body_force force = tl_world_body_force(w);
    for (size_t k = 0; k < 3; k++) {
        acceleration[3 * i + k] = accelerates ? (float)tl_body_force_along(&force, i, k) : 0;
        tl_velocity(w)[3 * i + k] = velocity[k];
        kept_velocity[3 * i + k] = (float)velocity[k];
        list_position[3 * i + k] = (float)(tl_position(w)[3 * i + k] - origin[k]);
    }
}

static void give_birth(tl_world *w, size_t i, const tl_newborn *born) {
    const double density = w->fluids[born->material].rest_density;
    ((uint64_t *)tl_field_data(&w->fields, w->handle.id))[i] = (uint64_t)w->state.next_id;
    ((uint32_t *)tl_field_data(&w->fields, w->handle.body))[i] = born->body;
    w->state.next_id += 1;
    if (born->nozzle)
        ((uint8_t *)tl_field_data(&w->fields, w->handle.nozzle))[i] = (uint8_t)born->nozzle;
    tl_density(w)[i] = density;
    tl_mass(w)[i] = (float)(density * w->sizes.volume);
    if (tl_size_of(w))
        tl_size_of(w)[i] = (float)w->def.spacing;
    if (tl_whole_of(w))
        tl_world_begin_whole(w, i, w->def.spacing);
    tl_material_of(w)[i] = (uint8_t)born->material;
    tl_temperature(w)[i] = (float)born->temperature;
    begin_motion(w, i, born->velocity);
    const float rest = 0;
    float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    const tl_strained in = {.rate = &rest,
                            .materials = w->materials,
                            .material = &tl_material_of(w)[i],
                            .temperature = &tl_temperature(w)[i]};
    tl_respond(&in, TL_RESPOND_VISCOSITY, &(tl_response){.viscosity = &viscosity[i]}, 1);
    if (w->def.with_heat)
        tl_world_warm_newborn(w, i);
}

void tl_world_bear(tl_world *w, size_t i, const tl_newborn *born) {
    tl_ledger own = {0};
    give_birth(w, i, born);
    tl_world_add_particle(w, i, &own);
    w->state.emitted_mass += own.mass;
    w->state.emitted_energy += own.kinetic_energy + own.potential_energy + own.elastic_energy;
    w->state.emitted_heat += tl_world_heat_of(w, i);
    for (int k = 0; k < 3; k++)
        w->state.emitter_impulse[k] += own.momentum[k];
}
