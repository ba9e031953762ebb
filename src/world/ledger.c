/* The books and their columns. See ledger.h. */
#include "world/ledger.h"

#include "world/state.h"

#include <math.h>
#include <string.h>

#define ONE(name, unit, doc) {#name, unit, doc, offsetof(tl_ledger, name)},
#define ALONG(axis, k, name, unit, doc)                                                            \
    {#name "_" #axis, unit, doc ", along " #axis, offsetof(tl_ledger, name[k])},
#define THREE(name, unit, doc)                                                                     \
    ALONG(x, 0, name, unit, doc) ALONG(y, 1, name, unit, doc) ALONG(z, 2, name, unit, doc)

const tl_ledger_column tl_ledger_columns[] = {
#define BOOKED  ONE
#define BOOKED3 THREE
#define COUNTED ONE
#define FOUND   ONE
#define FOUND3  THREE
#include "world/books.def"
};

const size_t tl_ledger_column_count = sizeof tl_ledger_columns / sizeof tl_ledger_columns[0];

bool tl_book_at(size_t index, tl_book *out) {
    if (index >= tl_ledger_column_count)
        return false;
    const tl_ledger_column *c = &tl_ledger_columns[index];
    *out = (tl_book){c->name, c->unit, c->doc};
    return true;
}

/* Elastic energy of the state equation per mass: ∫ p/ρ² dρ. Unless pressure may pull, a rarefied
 * particle stores none; neither does matter whose volume an implicit solve keeps. */
static double elastic_energy(const tl_world *w, double density, const tl_fluid *fluid) {
    const double rest = fluid->rest_density;
    if (!w->dynamics->compresses || (density < rest && !w->def.flow.pulls))
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
    out->elastic_energy += mass * elastic_energy(w, density, &w->fluids[tl_material_of(w)[i]]) +
                           tl_world_strain_energy(w, i);
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

/* The columns that the state holds. */
static void copy_books(const tl_world_state *s, tl_ledger *out) {
#define BOOKED(name, unit, doc)  out->name = s->name;
#define BOOKED3(name, unit, doc) memcpy(out->name, s->name, sizeof out->name);
#define COUNTED(name, unit, doc) out->name = s->name;
#include "world/books.def"
}

void tl_world_ledger(const tl_world *w, tl_ledger *out) {
    const tl_world_state *s = &w->state;
    *out = (tl_ledger){.particles = (double)w->fields.count};
    copy_books(s, out);
    tl_world_add_energies(w, out);
    out->elastic_energy += s->spring_energy;
    out->thermal_energy = tl_world_enthalpy(w);
    add_temperatures(w, out);
    out->field_work = w->field_work;
    out->heat_error = out->thermal_energy - s->initial_heat - s->conducted_heat -
                      s->volumetric_heat - s->friction_heat - s->radiated_heat - s->wick_heat +
                      s->lost_radiation + s->lost_convection + s->boiled_energy + s->soaked_heat -
                      s->emitted_heat + s->drained_heat;
    out->energy_error = out->kinetic_energy + out->potential_energy + out->elastic_energy -
                        s->initial_energy + s->viscous_heat + s->numerical_heat - s->wall_work +
                        s->resample_heat + s->bond_energy + s->contact_energy + s->damping_loss -
                        s->softening_work - s->emitted_energy - s->emitter_work +
                        s->drained_energy - w->field_work - s->returned_energy - s->tension_work;
}

size_t tl_world_books(const tl_world *w, double *out, size_t room) {
    tl_ledger ledger;
    tl_world_ledger(w, &ledger);
    for (size_t i = 0; i < tl_ledger_column_count && i < room; i++)
        memcpy(&out[i], (const char *)&ledger + tl_ledger_columns[i].offset, sizeof *out);
    return tl_ledger_column_count;
}
