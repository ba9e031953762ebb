/* Heat of thermal particles: conduction within and between bodies, contact with walls that have a
 * temperature, friction; and what it does to the bonds. Heat is exchanged between steps, at fixed
 * places: the energy that bonds gain by it is the ledger's softening_work. See thermal.h. */
#include "base/timer.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* Exchanges come at least so many steps apart, unless conduction asks for more. */
static const double steps_an_exchange = 8;

/* Of the longest stable sub-step. */
static const double safety = 0.4;

static double *enthalpies(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.enthalpy);
}

static const tl_caloric *caloric_of(const tl_world *w, size_t i) {
    return &w->heat.calorics[tl_material_of(w)[i]];
}

/* ---- Friction ----------------------------------------------------------------------------------
 */

typedef struct friction_sums {
    double loss, work; /* J: taken from the motion, and done by walls that move */
} friction_sums;

typedef struct friction_context {
    tl_world *w;
    double dt;
    friction_sums *partial;
} friction_context;

/* Coulomb's law over dt: a particle loses at most the speed that it has along the surface. */
static void rub(const tl_world *w, size_t i, const tl_shape *shape, double dt,
                friction_sums *sums) {
    double *v = tl_velocity(w) + 3 * i, force;
    tl_vec3 n;
    const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * i);
    const double d = tl_shape_distance(shape, x, &n);
    if (d >= w->thermal.collision.distance)
        return;
    tl_collision_at(&w->thermal.collision, d, &force);
    tl_vec3 slip = tl_vec3_sub(tl_vec3_of(v), tl_shape_velocity(shape, x));
    slip = tl_vec3_mad(slip, -tl_vec3_dot(slip, n), n);
    const double mass = (double)tl_mass(w)[i], speed = tl_vec3_length(slip);
    const double taken = fmin(w->def.thermal.friction * force * dt / mass, speed);
    if (!(taken > 0))
        return;
    const double unit[3] = {slip.x / speed, slip.y / speed, slip.z / speed};
    double change = 0;
    for (int k = 0; k < 3; k++) {
        change -= v[k] * v[k];
        v[k] -= taken * unit[k];
        change += v[k] * v[k];
    }
    const double loss = 0.5 * mass * taken * (2 * speed - taken);
    sums->loss += loss;
    sums->work += 0.5 * mass * change + loss;
    if (w->def.with_heat)
        ((double *)tl_field_data(&w->fields, w->thermal.unspent_heat))[i] += loss;
}

static void rub_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const friction_context *c = context;
    friction_sums sums = {0};
    for (size_t i = begin; i < end; i++)
        for (size_t s = 0; s < c->w->shapes.count; s++)
            rub(c->w, i, &c->w->shapes.items[s], c->dt, &sums);
    c->partial[begin / TL_BLOCK] = sums;
}

static tl_status apply_friction(tl_world *w, double dt, tl_error *error) {
    TL_TRY(tl_world_partials(w, w->fields.count, sizeof(friction_sums), error));
    friction_context c = {w, dt, w->partial};
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, rub_range, &c);
    for (size_t b = 0; b < tl_block_count(w->fields.count, TL_BLOCK); b++) {
        w->state.damping_loss += c.partial[b].loss;
        w->state.wall_work += c.partial[b].work;
    }
    return TL_OK;
}

/* ---- Exchange ----------------------------------------------------------------------------------
 */

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    for (size_t i = begin; i < end; i++) {
        double *record = w->thermal.heat.record + 4 * i;
        const double e = enthalpies(w)[i];
        record[0] = tl_temperature_at(caloric_of(w, i), e);
        record[1] = tl_conductivity_at(caloric_of(w, i), e);
        record[2] = (double)tl_mass(w)[i] / w->materials[tl_material_of(w)[i]].density;
    }
}

static void fill_records(tl_world *w) {
    const tl_bonds *b = &w->thermal.bonds;
    double *record = w->thermal.heat.record;
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, fill_range, w);
    for (size_t image = 0; image < b->total - b->particles; image++)
        memcpy(record + 4 * (b->particles + image),
               record + 4 * (size_t)w->records.image_source[image], 4 * sizeof *record);
}

/* Heat from the particles of other bodies that it touches: k A (θ_j - θ_i) / r, the harmonic mean
 * of k, through the face of a cell. */
static void add_strangers(const tl_world *w, size_t i, double *power, double *weight) {
    const tl_strangers *s = &w->thermal.bonds.strangers;
    const double area = w->def.spacing * w->def.spacing, *own = w->thermal.heat.record + 4 * i;
    for (size_t k = s->begin[i]; k < s->begin[i + 1]; k++) {
        const double *other = w->thermal.heat.record + 4 * (size_t)s->index[k];
        const double r = tl_vec3_length(tl_world_from_stranger(w, i, s->index[k]));
        if (r >= w->thermal.collision.distance || !(own[1] > 0 && other[1] > 0))
            continue;
        const double g = 2 * own[1] * other[1] / (own[1] + other[1]) * area / r;
        *power += g * (other[0] - own[0]);
        *weight += g;
    }
}

/* Heat from a wall that it touches, through a cell's face: the interface, and half a cell. */
static double wall_weight(const tl_world *w, size_t i, const tl_shape *shape) {
    tl_vec3 n;
    const tl_heat_wall *wall = &w->heat.walls[shape->wall];
    const double k = w->thermal.heat.record[4 * i + 1], spacing = w->def.spacing;
    if (!wall->open || !(k > 0) ||
        tl_shape_distance(shape, tl_vec3_of(tl_position(w) + 3 * i), &n) >=
            w->thermal.collision.distance)
        return 0;
    const double interface = wall->conductance > 0 ? 1 / wall->conductance : 0;
    return spacing * spacing / (interface + 0.5 * spacing / k);
}

/* J/(kg·K), no more than it is in any phase. */
static double least_specific_heat(const tl_material *m) {
    return m->liquid_specific_heat > 0 ? fmin(m->specific_heat, m->liquid_specific_heat)
                                       : m->specific_heat;
}

typedef struct exchange_context {
    tl_world *w;
    double dt;         /* s, of a sub-step; 0: only weights are wanted */
    double *wall_heat; /* [blocks * walls] J: given by each wall */
    double *partial;   /* [3 * blocks] largest weight per heat capacity; J made; J of friction */
} exchange_context;

static void exchange_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const exchange_context *c = context;
    tl_world *w = c->w;
    double *unspent = tl_field_data(&w->fields, w->thermal.unspent_heat);
    double *given = c->wall_heat + begin / TL_BLOCK * w->def.wall_count, fastest = 0, made = 0,
           rubbed = 0;
    for (size_t k = 0; k < w->def.wall_count; k++)
        given[k] = 0;
    for (size_t i = begin; i < end; i++) {
        const tl_material *material = &w->materials[tl_material_of(w)[i]];
        const double mass = (double)tl_mass(w)[i], temperature = w->thermal.heat.record[4 * i];
        double power = w->thermal.power[i], weight = w->thermal.weight[i], heat;
        if (w->thermal.bodies > 1)
            add_strangers(w, i, &power, &weight);
        for (size_t s = 0; s < w->shapes.count; s++) {
            const size_t wall = w->shapes.items[s].wall;
            const double g = wall_weight(w, i, &w->shapes.items[s]);
            const double q = g * (w->heat.walls[wall].temperature - temperature);
            power += q;
            weight += g;
            given[wall] += c->dt * q;
        }
        heat = c->dt * material->heating * w->thermal.heat.record[4 * i + 2];
        fastest = fmax(fastest, weight / (mass * least_specific_heat(material)));
        made += heat;
        if (!(c->dt > 0))
            continue;
        enthalpies(w)[i] += (c->dt * power + heat + unspent[i]) / mass;
        rubbed += unspent[i];
        unspent[i] = 0;
    }
    double *partial = c->partial + 3 * (begin / TL_BLOCK);
    partial[0] = fastest, partial[1] = made, partial[2] = rubbed;
}

/* Walls take what they gave from their own heat, or are held at their temperature. */
static void settle_walls(tl_world *w, const exchange_context *c, size_t blocks) {
    for (size_t k = 0; k < w->def.wall_count; k++) {
        double given = 0;
        for (size_t b = 0; b < blocks; b++)
            given += c->wall_heat[b * w->def.wall_count + k];
        w->state.conducted_heat += given;
        if (tl_world_wall_warms(w, k))
            w->heat.walls[k].temperature -= given / w->heat.walls[k].capacity;
    }
}

/* One sub-step, or none with dt = 0: then only the longest stable one is found. */
static tl_status exchange(tl_world *w, double dt, tl_error *error) {
    tl_world_thermal *t = &w->thermal;
    const size_t blocks = tl_block_count(w->fields.count, TL_BLOCK);
    TL_TRY(tl_world_partials(w, w->fields.count, 3 * sizeof(double), error));
    TL_TRY(TL_RESERVE(t->wall_heat, t->wall_heat_capacity, 0, blocks * w->def.wall_count, error));
    fill_records(w);
    tl_bond_heat_conduct(&t->heat, &t->bonds, &w->parallel, t->potentials, tl_material_of(w),
                         t->power, t->weight);
    exchange_context c = {w, dt, t->wall_heat, w->partial};
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, exchange_range, &c);
    double fastest = 0;
    for (size_t b = 0; b < blocks; b++) {
        fastest = fmax(fastest, c.partial[3 * b]);
        w->state.volumetric_heat += c.partial[3 * b + 1];
        w->state.friction_heat += c.partial[3 * b + 2];
    }
    if (dt > 0)
        settle_walls(w, &c, blocks);
    w->state.heat_stable = fastest > 0 ? safety / fastest / w->def.heat.speed : 1e30;
    return TL_OK;
}

static tl_status prepare_exchange(tl_world *w, tl_error *error) {
    tl_world_thermal *t = &w->thermal;
    TL_TRY(tl_bond_heat_reserve(&t->heat, &t->bonds, error));
    TL_TRY(TL_RESERVE(t->power, t->power_capacity, 0, w->fields.count, error));
    TL_TRY(TL_RESERVE(t->weight, t->weight_capacity, 0, w->fields.count, error));
    tl_bond_heat_weigh(&t->heat, &t->bonds, &w->parallel, t->potentials, tl_material_of(w));
    for (size_t k = 0; k < w->def.wall_count; k++)
        if (!tl_world_wall_warms(w, k))
            w->heat.walls[k].temperature =
                tl_schedule_at(&w->def.walls[k].temperature, w->state.time);
    return TL_OK;
}

tl_status tl_world_thermal_heat_step(tl_world *w, tl_error *error) {
    TL_TRY(prepare_exchange(w, error));
    return exchange(w, 0, error);
}

static bool is_due(const tl_world *w) {
    const tl_world_state *s = &w->state;
    return s->time >= w->stop ||
           s->heat_due + s->dt > fmin(s->heat_stable, steps_an_exchange * s->dt);
}

static tl_status exchange_due(tl_world *w, tl_error *error) {
    double since = tl_now();
    const double due = w->state.heat_due;
    TL_TRY(prepare_exchange(w, error));
    /* What is stable may have changed since the last time. */
    TL_TRY(exchange(w, 0, error));
    const double count = ceil(due / w->state.heat_stable);
    for (double n = 0; n < count; n++)
        TL_TRY(exchange(w, w->def.heat.speed * due / count, error));
    w->state.heat_due = 0;
    w->state.heat_iterations += count;
    tl_world_refresh_heat(w);
    tl_world_lap(w, TL_STAGE_HEAT, &since);
    return TL_OK;
}

tl_status tl_world_thermal_after(tl_world *w, double dt, tl_error *error) {
    if (w->def.thermal.friction > 0)
        TL_TRY(apply_friction(w, dt, error));
    if (!w->def.with_heat || w->fields.count == 0)
        return TL_OK;
    w->state.heat_due += dt;
    if (!is_due(w))
        return TL_OK;
    TL_TRY(exchange_due(w, error));
    const double before = w->state.bond_energy;
    bool broken;
    size_t worst;
    TL_TRY(tl_world_thermal_forces(w, &broken, &worst, error));
    w->state.softening_work += w->state.bond_energy - before;
    return TL_OK;
}
