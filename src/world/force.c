/* Forces on particles from afar: gravity, and a field for what else acts on each. Who acts declares
 * the field and fills it before a step; what reads it goes through tl_body_force. Its work is
 * booked when the step is done, by the ways that matter went. */
#include "world/state.h"

static const tl_field_desc field_body_force = {
    "body_force", TL_F32, 3, "m/s^2", "Acceleration by forces from afar besides gravity", 0};

tl_status tl_world_want_body_force(tl_world *w, tl_error *error) {
    w->handle.body_force = tl_fields_declare(&w->fields, &field_body_force);
    return w->handle.body_force < 0 ? tl_fail_memory(error, w->fields.count, 3 * sizeof(float))
                                    : TL_OK;
}

tl_body_force tl_world_body_force(const tl_world *w) {
    const double *g = w->def.gravity;
    return (tl_body_force){
        {g[0], g[1], g[2]},
        w->handle.body_force < 0 ? NULL : tl_field_data(&w->fields, w->handle.body_force)};
}

void tl_world_book_force(tl_world *w, double dt) {
    const tl_body_force force = tl_world_body_force(w);
    const float *moved = tl_field_data(&w->fields, w->handle.last_move);
    for (size_t i = 0; force.each && w->dynamics->flows && i < w->fields.count; i++)
        for (size_t k = 3 * i; k < 3 * i + 3 && !tl_rigid_of(w, i); k++)
            w->field_work += (double)tl_mass(w)[i] * (double)force.each[k] * (double)moved[k];
    if (force.each)
        w->field_work += tl_rigids_pull_work(&w->rigids, dt);
}

tl_vec3 tl_world_mean_force(const tl_world *w) {
    const tl_body_force force = tl_world_body_force(w);
    double mass = 0, sum[3] = {0};
    for (size_t i = 0; force.each && i < w->fields.count; i++) {
        mass += (double)tl_mass(w)[i];
        for (size_t k = 0; k < 3; k++)
            sum[k] += (double)tl_mass(w)[i] * (double)force.each[3 * i + k];
    }
    const tl_vec3 gravity = tl_vec3_of(force.uniform);
    return mass > 0 ? tl_vec3_mad(gravity, 1 / mass, tl_vec3_of(sum)) : gravity;
}
