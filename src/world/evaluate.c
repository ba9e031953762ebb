/* One evaluation of the flow: neighbours, walls, first pass (density, stress), second pass
 * (acceleration). See flow/passes.h for the equations. */
#include "base/timer.h"
#include "world/state.h"

#include <math.h>

static tl_pass make_pass(const tl_world *w) {
    return (tl_pass){&w->parallel, &w->records, &w->list, (tl_kernel)w->def.flow.kernel,
                     (float)tl_common_support(&w->sizes)};
}

/* α c h, with the smoothing length h half the support. Matter that approaches feels a stress of 0.3
 * α c h ρ times the rate by it (shear α c h / 10, bulk 5/3 of that: Monaghan 2005), and of 2 ν ρ
 * times the rate by viscosity: where the latter is more, complete viscosity can do without, from
 * twice as much on altogether. */
static float damping_strength(const tl_world *w, double least_viscosity) {
    const double damping =
        w->def.flow.artificial_viscosity * w->sound_speed * 0.5 * tl_common_support(&w->sizes);
    if (w->records.tensors != TL_TENSORS_TRACELESS)
        return (float)damping;
    return (float)fmin(damping, fmax(2 * damping - least_viscosity / 0.15, 0));
}

/* Crowding is looked for where viscosity is complete: thinner liquids find their order themselves.
 */
static tl_filling choose_filling(const tl_world *w) {
    if (w->def.flow.density == TL_DENSITY_SUMMATION)
        return TL_FILLING_COUNT;
    return w->records.tensors == TL_TENSORS_TRACELESS ? TL_FILLING_VOLUME : TL_FILLING_NONE;
}

static tl_extrapolation make_extrapolation(tl_world *w) { /* but for the damping */
    const double density = w->fluids[0].rest_density;
    return (tl_extrapolation){.shapes = &w->shapes,
                              .samples = &w->samples,
                              .records = &w->records,
                              .origin = w->origin,
                              .force = tl_world_body_force(w),
                              .stiffness = (float)w->stiffness,
                              .sample_mass =
                                  (float)(density * tl_volume_of_spacing(w->def.spacing)),
                              .sample_density = (float)density,
                              .pulls = w->def.flow.pulls};
}

/* First pass: ∇v to density, pressure and stress. */
static tl_status update_stress(tl_world *w, double dt, tl_stress_sums *out, tl_error *error) {
    const size_t n = w->fields.count;
    TL_TRY(tl_world_partials(w, n, sizeof(tl_stress_sums), error));
    TL_TRY(tl_world_even_densities(w, error));
    const tl_pass pass = make_pass(w);
    const tl_filling filling = choose_filling(w);
    tl_stress_update update = {.records = &w->records,
                               .filling = filling,
                               .units = tl_units_of_pass(&pass),
                               .density = tl_density(w),
                               .pressure = tl_field_data(&w->fields, w->handle.pressure),
                               .strain_rate = tl_field_data(&w->fields, w->handle.strain_rate),
                               .shift = tl_field_data(&w->fields, w->handle.shift),
                               .viscosity = tl_field_data(&w->fields, w->handle.viscosity),
                               .strain = tl_strain_of(w),
                               .memory = tl_memory_of(w),
                               .temperature = tl_temperature(w),
                               .molten = tl_molten(w),
                               .held = tl_held(w),
                               .body = tl_field_data(&w->fields, w->handle.body),
                               .rigid_of = w->rigids.of_body,
                               .bodies = w->rigids.body_count,
                               .rigid_viscosity = tl_world_rigid_viscosity(w),
                               .even = w->rigids.count || w->layered ? w->even : NULL,
                               .material = tl_material_of(w),
                               .fluids = w->fluids,
                               .materials = w->materials,
                               .params = &w->def.flow,
                               .dt = dt,
                               .sound_speed = w->sound_speed,
                               .sizes = w->sizes,
                               .lattice = w->lattice,
                               .force = tl_world_body_force(w),
                               .partial = w->partial};
    tl_pass_rates(&pass, filling, tl_stress_finish, &update);
    *out = tl_stress_total(update.partial, n);
    return TL_OK;
}

/* Second pass: stress to acceleration. */
static tl_status apply_forces(tl_world *w, float damping, double xsph, tl_momentum_sums *out,
                              tl_error *error) {
    const size_t n = w->fields.count;
    TL_TRY(tl_world_partials(w, n, sizeof(tl_momentum_sums), error));
    const tl_pass pass = make_pass(w);
    tl_momentum_update update = {.units = tl_units_of_pass(&pass),

                                 .records = &w->records,
                                 .acceleration = tl_field_data(&w->fields, w->handle.acceleration),
                                 .velocity = tl_velocity(w),
                                 .force = tl_world_body_force(w),
                                 .xsph = xsph,
                                 .held = tl_held(w),
                                 .partial = w->partial};
    tl_pass_forces(&pass, damping, xsph > 0, tl_momentum_finish, &update);
    *out = tl_momentum_total(update.partial, n);
    return TL_OK;
}

/* Stress of the samples, and what the walls do. *numerical is the power that is the scheme's. */
static tl_status press_walls(tl_world *w, tl_extrapolation *e, double *numerical, tl_error *error) {
    TL_TRY(tl_world_want_pushes(w, &w->gauges.thrust, w->samples.count, &e->thrust, error));
    TL_TRY(tl_world_partials(w, w->samples.count, sizeof(tl_wall_action), error));
    const tl_pass pass = make_pass(w);
    const tl_wall_action action = tl_extrapolate_stress(&pass, e, w->partial);
    for (int k = 0; k < 3; k++)
        w->state.wall_force[k] = action.force[k];
    w->state.wall_power = action.power;
    *numerical = action.numerical;
    tl_world_note_thrusts(w);
    return TL_OK;
}

tl_status tl_world_evaluate(tl_world *w, double dt, bool *broken, size_t *worst, tl_error *error) {
    double since = tl_now();
    *worst = 0;
    TL_TRY(tl_world_find_neighbors(w, broken, worst, error));
    tl_world_lap(w, TL_STAGE_NEIGHBORS, &since);
    if (*broken)
        return TL_OK;

    const tl_pass pass = make_pass(w);
    tl_extrapolation e = make_extrapolation(w);
    tl_extrapolate_velocity(&pass, &e);
    tl_images_update_a(&w->records);
    tl_world_lap(w, TL_STAGE_WALLS, &since);

    tl_stress_sums stress;
    TL_TRY(update_stress(w, dt, &stress, error));
    tl_world_lap(w, TL_STAGE_STRESS, &since);

    e.damping = damping_strength(w, stress.least_viscosity);
    tl_images_update_b(&w->records); /* of the matter, which samples look at */
    double beside_walls;
    TL_TRY(press_walls(w, &e, &beside_walls, error));
    tl_images_update_b(&w->records); /* of the samples */
    tl_world_lap(w, TL_STAGE_WALLS, &since);

    tl_momentum_sums momentum;
    /* An evaluation that advances nothing must not filter the velocity either. */
    TL_TRY(apply_forces(w, e.damping, dt > 0 ? w->def.flow.xsph : 0, &momentum, error));
    tl_world_lap(w, TL_STAGE_FORCES, &since);

    w->state.wall_power += momentum.holding_power;
    for (int k = 0; k < 3; k++)
        w->state.wall_force[k] += momentum.holding[k];
    w->state.viscous_power = stress.viscous_power + momentum.viscous_power;
    w->state.numerical_power = stress.numerical_power + beside_walls - momentum.damping_power;
    w->state.density_error = w->fields.count > 0 ? stress.compression : 0;
    w->state.max_kinematic_viscosity = stress.kinematic_viscosity;
    w->state.max_acceleration = sqrt((double)fmaxf(momentum.acceleration2, 0));
    w->state.numerical_heat += momentum.xsph_loss;
    *broken = stress.broken || momentum.broken;
    *worst = stress.broken ? stress.worst : momentum.broken ? momentum.worst : stress.worst;
    return TL_OK;
}
