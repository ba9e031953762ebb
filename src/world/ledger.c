/* The books and their columns. See ledger.h. */
#include "world/ledger.h"

#include "world/state.h"

#include <math.h>

#define AT(member) offsetof(tl_ledger, member)

const tl_ledger_column tl_ledger_columns[] = {
    {"time", "s", "Simulated time", AT(time)},
    {"steps", "", "Accepted steps so far", AT(steps)},
    {"rejected", "", "Rejected steps so far", AT(rejected)},
    {"iterations", "", "Iterations of implicit solves so far, without rejected steps",
     AT(iterations)},
    {"dt", "s", "Last step", AT(dt)},
    {"particles", "", "Number of particles", AT(particles)},
    {"mass", "kg", "Total mass", AT(mass)},
    {"momentum_x", "kg m/s", "Total momentum along x", AT(momentum[0])},
    {"momentum_y", "kg m/s", "Total momentum along y", AT(momentum[1])},
    {"momentum_z", "kg m/s", "Total momentum along z", AT(momentum[2])},
    {"wall_impulse_x", "N s", "Impulse of walls on the matter so far, along x",
     AT(wall_impulse[0])},
    {"wall_impulse_y", "N s", "Impulse of walls on the matter so far, along y",
     AT(wall_impulse[1])},
    {"wall_impulse_z", "N s", "Impulse of walls on the matter so far, along z",
     AT(wall_impulse[2])},
    {"kinetic_energy", "J", "Energy of motion", AT(kinetic_energy)},
    {"potential_energy", "J", "Energy in gravity, relative to the origin", AT(potential_energy)},
    {"elastic_energy", "J", "Energy of compression", AT(elastic_energy)},
    {"bond_energy", "J", "Energy of the bonds of thermal particles", AT(bond_energy)},
    {"contact_energy", "J", "Energy of thermal particles in collisions", AT(contact_energy)},
    {"viscous_heat", "J", "Heat made by viscosity so far", AT(viscous_heat)},
    {"numerical_heat", "J", "Energy taken by numerical damping so far", AT(numerical_heat)},
    {"wall_work", "J", "Work of walls on the matter so far", AT(wall_work)},
    {"damping_loss", "J", "Energy taken by damping and friction of thermal particles so far",
     AT(damping_loss)},
    {"softening_work", "J", "Energy that bonds have gained by becoming hot so far",
     AT(softening_work)},
    {"energy_error", "J", "Energy that the other columns do not explain", AT(energy_error)},
    {"thermal_energy", "J", "Enthalpy of the matter, from 0 °C on; 0 without heat",
     AT(thermal_energy)},
    {"conducted_heat", "J", "Heat given by walls so far", AT(conducted_heat)},
    {"volumetric_heat", "J", "Heat made in the materials so far", AT(volumetric_heat)},
    {"friction_heat", "J", "Heat of viscous heating so far", AT(friction_heat)},
    {"radiated_heat", "J", "Radiation taken up so far", AT(radiated_heat)},
    {"lost_radiation", "J", "Heat radiated to the surroundings so far", AT(lost_radiation)},
    {"lost_convection", "J", "Heat given to the air so far", AT(lost_convection)},
    {"boiled_mass", "kg", "Mass that has boiled away", AT(boiled_mass)},
    {"boiled_energy", "J", "Enthalpy that it took with it", AT(boiled_energy)},
    {"emitted_mass", "kg", "Mass that has come from emitters", AT(emitted_mass)},
    {"emitted_energy", "J", "Energy of motion and in gravity that it had when it was born",
     AT(emitted_energy)},
    {"emitter_work", "J", "Work of emitters on what is in their nozzles so far", AT(emitter_work)},
    {"emitted_heat", "J", "Enthalpy that came from emitters; 0 without heat", AT(emitted_heat)},
    {"emitter_impulse_x", "N s", "Momentum from emitters so far, along x", AT(emitter_impulse[0])},
    {"emitter_impulse_y", "N s", "Momentum from emitters so far, along y", AT(emitter_impulse[1])},
    {"emitter_impulse_z", "N s", "Momentum from emitters so far, along z", AT(emitter_impulse[2])},
    {"blocked_time", "s", "Time for which emitters had no room so far", AT(blocked_time)},
    {"drained_mass", "kg", "Mass that has left by drains", AT(drained_mass)},
    {"drained_energy", "J", "Energy of motion, in gravity and of compression that it took along",
     AT(drained_energy)},
    {"drained_heat", "J", "Enthalpy that it took along; 0 without heat", AT(drained_heat)},
    {"drained_impulse_x", "N s", "Momentum that it took along, x", AT(drained_impulse[0])},
    {"drained_impulse_y", "N s", "Momentum that it took along, y", AT(drained_impulse[1])},
    {"drained_impulse_z", "N s", "Momentum that it took along, z", AT(drained_impulse[2])},
    {"heat_error", "J", "Enthalpy that the other columns do not explain", AT(heat_error)},
    {"heat_iterations", "", "Sub-steps and iterations of heat so far", AT(heat_iterations)},
    {"temperature_min", "°C", "Coldest particle; 0 without heat", AT(temperature_min)},
    {"temperature_mean", "°C", "Mean temperature by mass; 0 without heat", AT(temperature_mean)},
    {"temperature_max", "°C", "Warmest particle; 0 without heat", AT(temperature_max)},
    {"liquid_fraction", "", "Part of the mass that is molten; 0 without heat", AT(liquid_fraction)},
    {"max_speed", "m/s", "Fastest particle", AT(max_speed)},
    {"density_error", "", "Largest compression, relative", AT(density_error)},
};

const size_t tl_ledger_column_count = sizeof tl_ledger_columns / sizeof tl_ledger_columns[0];

/* Elastic energy of the state equation per mass: ∫ p/ρ² dρ. Without tension a rarefied particle
 * stores none; neither does matter whose volume an implicit solve keeps. */
static double elastic_energy(const tl_world *w, double density, const tl_fluid *fluid) {
    const double rest = fluid->rest_density;
    if (!w->dynamics->compresses || (density < rest && !w->def.flow.tension))
        return 0;
    const double s = density / rest - 1; /* ln(1+s) - s/(1+s), without cancellation near s = 0 */
    return fluid->squared_speed * (log1p(s) - s / (1 + s));
}

void tl_world_add_particle(const tl_world *w, size_t i, tl_ledger *out) {
    const double *x = tl_position(w) + 3 * i, *v = tl_velocity(w) + 3 * i, *g = w->def.gravity;
    const double mass = (double)tl_mass(w)[i], density = tl_density(w)[i];
    out->mass += mass;
    for (int k = 0; k < 3; k++)
        out->momentum[k] += mass * v[k];
    out->kinetic_energy += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    out->potential_energy -= mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
    out->elastic_energy += mass * elastic_energy(w, density, &w->fluids[tl_material_of(w)[i]]);
}

/* Momentum and energies of a rigid body; its particles have its mass, but not its inertia. */
static void add_body(const tl_rigid *r, const double gravity[3], tl_ledger *out) {
    const tl_vec3 v = r->velocity;
    out->momentum[0] += r->mass * v.x;
    out->momentum[1] += r->mass * v.y;
    out->momentum[2] += r->mass * v.z;
    out->kinetic_energy +=
        0.5 * (r->mass * tl_vec3_dot(v, v) + tl_vec3_dot(r->spin, r->angular_momentum));
    out->potential_energy -= r->mass * tl_vec3_dot(tl_vec3_of(gravity), r->pose.place);
}

void tl_world_add_energies(const tl_world *w, tl_ledger *out) {
    for (size_t i = 0; i < w->fields.count; i++) {
        tl_ledger own = {0};
        if (tl_rigid_of(w, i)) {
            tl_world_add_particle(w, i, &own);
            out->mass += own.mass;
            out->elastic_energy += own.elastic_energy;
        } else {
            tl_world_add_particle(w, i, out);
        }
    }
    for (size_t k = 0; k < w->rigids.count; k++)
        add_body(&w->rigids.items[k], w->def.gravity, out);
}

static void add_temperatures(const tl_world *w, tl_ledger *out) {
    if (!w->def.with_heat || w->fields.count == 0)
        return;
    const float *fraction = tl_field_data(&w->fields, w->handle.liquid_fraction);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < w->fields.count; i++) {
        const double mass = (double)tl_mass(w)[i], temperature = (double)tl_temperature(w)[i];
        low = fmin(low, temperature);
        high = fmax(high, temperature);
        out->temperature_mean += mass * temperature;
        out->liquid_fraction += mass * (double)fraction[i];
    }
    out->temperature_mean /= out->mass;
    out->liquid_fraction /= out->mass; /* exactly 1 when all is molten: the sums are the same */
    out->temperature_min = low;
    out->temperature_max = high;
}

/* What came and went. */
static void add_passage(const tl_world_state *s, tl_ledger *out) {
    out->emitted_mass = s->emitted_mass;
    out->emitted_energy = s->emitted_energy;
    out->emitter_work = s->emitter_work;
    out->emitted_heat = s->emitted_heat;
    out->blocked_time = s->blocked_time;
    out->drained_mass = s->drained_mass;
    out->drained_energy = s->drained_energy;
    out->drained_heat = s->drained_heat;
    for (int k = 0; k < 3; k++) {
        out->emitter_impulse[k] = s->emitter_impulse[k];
        out->drained_impulse[k] = s->drained_impulse[k];
    }
}

void tl_world_ledger(const tl_world *w, tl_ledger *out) {
    const tl_world_state *s = &w->state;
    *out = (tl_ledger){.time = s->time,
                       .steps = s->steps,
                       .rejected = s->rejected,
                       .iterations = s->iterations,
                       .dt = s->dt,
                       .particles = (double)w->fields.count,
                       .viscous_heat = s->viscous_heat,
                       .numerical_heat = s->numerical_heat,
                       .bond_energy = s->bond_energy,
                       .contact_energy = s->contact_energy,
                       .damping_loss = s->damping_loss,
                       .softening_work = s->softening_work,
                       .wall_work = s->wall_work,
                       .wall_impulse = {s->wall_impulse[0], s->wall_impulse[1], s->wall_impulse[2]},
                       .max_speed = s->max_speed,
                       .density_error = s->compression};
    tl_world_add_energies(w, out);
    out->thermal_energy = tl_world_thermal_energy(w);
    add_temperatures(w, out);
    out->conducted_heat = s->conducted_heat;
    out->volumetric_heat = s->volumetric_heat;
    out->friction_heat = s->friction_heat;
    out->radiated_heat = s->radiated_heat;
    out->lost_radiation = s->lost_radiation;
    out->lost_convection = s->lost_convection;
    out->boiled_mass = s->boiled_mass;
    out->boiled_energy = s->boiled_energy;
    add_passage(s, out);
    out->heat_iterations = s->heat_iterations;
    out->heat_error = out->thermal_energy - s->initial_heat - s->conducted_heat -
                      s->volumetric_heat - s->friction_heat - s->radiated_heat + s->lost_radiation +
                      s->lost_convection + s->boiled_energy - s->emitted_heat + s->drained_heat;
    out->energy_error = out->kinetic_energy + out->potential_energy + out->elastic_energy -
                        s->initial_energy + s->viscous_heat + s->numerical_heat - s->wall_work +
                        s->bond_energy + s->contact_energy + s->damping_loss - s->softening_work -
                        s->emitted_energy - s->emitter_work + s->drained_energy;
}
