/* Thermal particles (cohesion/cohesive.h) as a kind of dynamics: attempts of leap-frog or midpoint
 * steps, what makes them acceptable, and what the books get. Heat and friction follow once a step
 * is accepted: the energy that bonds gain by heat is the ledger's softening_work. */
#include "base/log.h"
#include "base/timer.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void *own_field(const tl_world *w, int handle) {
    return handle < 0 ? NULL : tl_field_data(&w->fields, handle);
}

static tl_cohesive_matter matter_of(const tl_world *w) {
    const tl_cohesive *t = &w->cohesive;
    return (tl_cohesive_matter){.parallel = &w->parallel,
                                .count = w->fields.count,
                                .position = tl_position(w),
                                .velocity = tl_velocity(w),
                                .mass = tl_mass(w),
                                .material = tl_material_of(w),
                                .body = tl_field_data(&w->fields, w->handle.body),
                                .enthalpy = own_field(w, w->handle.enthalpy),
                                .temperature = tl_temperature(w),
                                .acceleration = own_field(w, t->acceleration),
                                .kept_position = own_field(w, t->kept_position),
                                .kept_velocity = own_field(w, t->kept_velocity),
                                .unspent_heat = own_field(w, t->unspent_heat),
                                .change = own_field(w, t->change),
                                .last_velocity = own_field(w, t->last_velocity),
                                .records = &w->records,
                                .materials = w->materials,
                                .material_count = w->def.material_count,
                                .calorics = w->heat.calorics,
                                .shapes = &w->shapes,
                                .walls = w->heat.walls,
                                .wall_count = w->def.wall_count,
                                .origin = w->origin,
                                .period = {w->period[0], w->period[1], w->period[2]},
                                .force = tl_world_body_force(w),
                                .sizes = w->sizes,
                                .range = tl_largest_support(&w->sizes)};
}

/* ---- Making ------------------------------------------------------------------------------------
 */

static tl_status declare(tl_world *w, tl_error *error) {
    const bool midpoint = w->def.cohesive.integrator == TL_MIDPOINT;
    return tl_cohesive_declare(&w->cohesive, &w->fields, midpoint, error);
}

/* Range of the neighbour search, potentials and collisions. */
static tl_status derive(tl_world *w, tl_error *error) {
    tl_cohesive *t = &w->cohesive;
    TL_TRY(tl_cohesive_make(t, &w->def.cohesive, w->def.materials, w->def.material_count,
                            w->def.spacing, error));
    double range = 0;
    for (size_t i = 0; i < w->def.seed_count; i++) {
        const size_t m = w->def.seeds[i].material;
        if (!w->def.materials[m].has_cohesion)
            return tl_fail(error, TL_BAD_INPUT, w->def.materials[m].name,
                           "add cohesion: {energy: 200 J} to the material",
                           "a material of thermal particles without cohesion");
        const tl_potential *p = &t->potentials[m];
        const double least = fmin(p->stretch[0], fmin(p->stretch[1], p->stretch[2]));
        range = fmax(range, p->range / least);
        if (w->def.seeds[i].body + 1 > t->bodies)
            t->bodies = w->def.seeds[i].body + 1;
    }
    if (t->bodies > 1)
        range = fmax(range, t->collision.distance);
    w->sizes = tl_sizes_alike(w->def.spacing, range);
    w->skin = w->def.cohesive.skin * range;
    return TL_OK;
}

static size_t bytes(const tl_world *w) { return tl_cohesive_bytes(&w->cohesive); }
static void free_all(tl_world *w) { tl_cohesive_free(&w->cohesive); }

/* ---- Forces ------------------------------------------------------------------------------------
 */

/* Neighbours, and the accelerations at the present places; the energies into the state. */
static tl_status find_forces(tl_world *w, bool *broken, size_t *worst, tl_error *error) {
    double since = tl_now();
    *worst = 0;
    TL_TRY(tl_world_find_neighbors(w, broken, worst, error));
    if (*broken)
        return TL_OK;
    const tl_cohesive_matter m = matter_of(w);
    TL_TRY(tl_cohesive_bind(&w->cohesive, &m, &w->list, error));
    tl_world_lap(w, TL_STAGE_NEIGHBORS, &since);
    TL_TRY(tl_world_partials(w, w->fields.count, sizeof(tl_cohesive_sums), error));
    tl_cohesive_sums all;
    tl_cohesive_forces(&w->cohesive, &m, w->partial, &all);
    w->state.bond_energy = all.bond_energy;
    w->state.contact_energy = all.contact_energy;
    memcpy(w->state.wall_force, all.wall_force, sizeof all.wall_force);
    w->state.max_acceleration = sqrt(fmax(all.acceleration2, 0));
    *broken = all.broken;
    *worst = all.worst;
    tl_world_lap(w, TL_STAGE_FORCES, &since);
    return TL_OK;
}

/* Leap-frog keeps energy while its step stays the same: it is changed when it must become shorter,
 * and when it could be more than twice as long. */
static double step_size(const tl_world *w) {
    const tl_cohesive_matter m = matter_of(w);
    const double now = w->state.free_dt;
    const double stable = tl_cohesive_stable_step(&w->cohesive, &m, &w->def.cohesive,
                                                  w->state.max_speed, w->state.max_acceleration);
    if (!(now > 0) || now > stable)
        return now > stable ? 0.8 * stable : stable;
    return now > 0.4 * stable ? now : 0.8 * stable;
}

/* ---- An attempt --------------------------------------------------------------------------------
 */

/* A step that makes or loses a good part of a bond's energy was too long. */
static bool keeps_energy(const tl_world *w, const tl_world_state *before,
                         const tl_cohesive_sums *from, const tl_cohesive_sums *to, double loss) {
    double bond = 0;
    for (size_t m = 0; m < w->def.material_count; m++)
        bond = fmax(bond, w->cohesive.potentials[m].energy);
    const double change = to->kinetic_energy - from->kinetic_energy + to->potential_energy -
                          from->potential_energy + w->state.bond_energy - before->bond_energy +
                          w->state.contact_energy - before->contact_energy + loss -
                          (to->pulled - from->pulled) -
                          (w->state.returned_energy - before->returned_energy);
    return fabs(change) <= 0.02 * bond + 0.001 * (from->kinetic_energy + to->kinetic_energy);
}

static tl_status move(tl_world *w, tl_cohesive_part part, double dt, double factor,
                      tl_cohesive_sums *out, tl_error *error) {
    double since = tl_now();
    const tl_cohesive_matter m = matter_of(w);
    TL_TRY(tl_world_partials(w, w->fields.count, sizeof(tl_cohesive_sums), error));
    tl_cohesive_move(&m, part, dt, factor, w->partial, out);
    tl_world_lap(w, TL_STAGE_MOVE, &since);
    return TL_OK;
}

static tl_status sub_step(tl_world *w, tl_cohesive_part part, double h, double factor,
                          tl_cohesive_sums *sums, bool *broken, size_t *worst, tl_error *error) {
    TL_TRY(move(w, part, h, factor, sums, error));
    *worst = sums->worst;
    *broken = sums->broken;
    return *broken ? TL_OK : find_forces(w, broken, worst, error);
}

static tl_status attempt(tl_world *w, double dt, bool *fine, size_t *worst, tl_error *error) {
    const tl_world_state before = w->state;
    const bool midpoint = w->def.cohesive.integrator == TL_MIDPOINT;
    const int64_t count = midpoint ? w->def.cohesive.substeps : 1;
    const double factor = exp(-0.5 * dt * w->def.cohesive.damping), h = dt / (double)count;
    tl_cohesive_sums from, middle, to;
    bool broken;
    *fine = false;
    TL_TRY(sub_step(w, midpoint ? TL_MIDPOINT_FIRST : TL_MOVE_BEGIN, h, factor, &from, &broken,
                    worst, error));
    for (int64_t q = 1; q < count && !broken; q++)
        TL_TRY(sub_step(w, TL_MIDPOINT_NEXT, h, 1, &middle, &broken, worst, error));
    if (broken)
        return TL_OK;
    TL_TRY(move(w, midpoint ? TL_MIDPOINT_LAST : TL_MOVE_END, h, factor, &to, error));
    if (midpoint) /* the last sub-step moved places too */
        TL_TRY(find_forces(w, &broken, worst, error));
    *fine = !broken && !to.broken && keeps_energy(w, &before, &from, &to, from.loss + to.loss);
    if (!*fine)
        return TL_OK;
    w->state.max_speed = sqrt(fmax(to.speed2, 0));
    w->state.damping_loss += from.loss + to.loss;
    w->field_work += to.pulled - from.pulled;
    for (int k = 0; k < 3; k++)
        w->state.wall_impulse[k] += 0.5 * dt * (before.wall_force[k] + w->state.wall_force[k]);
    tl_world_book_obstacles(w, dt);
    return TL_OK;
}

static tl_status resume(tl_world *w, tl_error *error) {
    bool broken;
    size_t worst;
    return find_forces(w, &broken, &worst, error);
}

/* Evaluates anew as well: whoever wrote fields since the last step has changed the energies of the
 * state that was kept. */
static tl_status take_back(tl_world *w, const tl_world_state *kept, tl_error *error) {
    tl_cohesive_matter m = matter_of(w);
    tl_world_return_to(w, kept);
    tl_cohesive_take_back(&m);
    return resume(w, error);
}

static tl_status explain(const tl_world *w, double dt, const char *where, size_t worst,
                         tl_error *error) {
    return tl_fail(error, TL_DIVERGED, where,
                   "lower thermal_particles.step, or give cohesion an offset",
                   "at %.6g s no step down to %.3g s is acceptable: speed %.3g m/s, largest "
                   "acceleration %.3g m/s²",
                   w->state.time, dt, tl_world_speed_of(w, worst), w->state.max_acceleration);
}

/* ---- Friction and heat -------------------------------------------------------------------------
 */

/* Exchanges come at least so many steps apart, unless conduction asks for more. */
static const double steps_an_exchange = 8;

/* Of the longest stable sub-step. */
static const double safety = 0.4;

static tl_status rub(tl_world *w, double dt, tl_error *error) {
    const tl_cohesive_matter m = matter_of(w);
    tl_friction_sums books = {w->state.damping_loss, w->state.wall_work};
    TL_TRY(tl_world_partials(w, w->fields.count, sizeof books, error));
    tl_cohesive_rub(&w->cohesive, &m, w->def.cohesive.friction, dt, w->partial, &books);
    w->state.damping_loss = books.loss;
    w->state.wall_work = books.work;
    return TL_OK;
}

/* Walls take what they gave from their own heat, or are held at their temperature. */
static void settle_walls(tl_world *w, const double *given) {
    for (size_t k = 0; k < w->def.wall_count; k++) {
        w->state.conducted_heat += given[k];
        if (tl_world_wall_warms(w, k))
            w->heat.walls[k].temperature -= given[k] / w->heat.walls[k].capacity;
    }
}

/* One sub-step, or none with dt = 0: then only the longest stable one is found. */
static tl_status exchange(tl_world *w, double dt, tl_error *error) {
    const tl_cohesive_matter m = matter_of(w);
    tl_exchange_sums sums = {w->state.volumetric_heat, w->state.friction_heat, 0, NULL};
    TL_TRY(tl_world_partials(w, w->fields.count, 3 * sizeof(double), error));
    TL_TRY(tl_cohesive_exchange(&w->cohesive, &m, dt, w->partial, &sums, error));
    w->state.volumetric_heat = sums.made;
    w->state.friction_heat = sums.rubbed;
    if (dt > 0)
        settle_walls(w, sums.given);
    w->state.heat_stable = sums.fastest > 0 ? safety / sums.fastest / w->def.heat.speed : 1e30;
    return TL_OK;
}

static tl_status prepare_exchange(tl_world *w, tl_error *error) {
    const tl_cohesive_matter m = matter_of(w);
    TL_TRY(tl_cohesive_prepare_exchange(&w->cohesive, &m, error));
    for (size_t k = 0; k < w->def.wall_count; k++)
        if (!tl_world_wall_warms(w, k))
            w->heat.walls[k].temperature =
                tl_schedule_at(&w->def.walls[k].temperature, w->state.time);
    return TL_OK;
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

static tl_status after(tl_world *w, double dt, tl_error *error) {
    if (w->def.cohesive.friction > 0)
        TL_TRY(rub(w, dt, error));
    if (!w->def.with_heat || w->fields.count == 0)
        return TL_OK;
    w->state.heat_due += dt;
    if (!is_due(w))
        return TL_OK;
    TL_TRY(exchange_due(w, error));
    const double before = w->state.bond_energy;
    bool broken;
    size_t worst;
    TL_TRY(find_forces(w, &broken, &worst, error));
    w->state.softening_work += w->state.bond_energy - before;
    return TL_OK;
}

/* ---- The start ---------------------------------------------------------------------------------
 */

enum { MOST_RELAXING = 20000 }; /* steps */

static tl_status descend(tl_world *w, tl_error *error) {
    tl_cohesive_matter m = matter_of(w);
    tl_fire fire = tl_fire_light(&w->cohesive, &m, step_size(w) / w->def.cohesive.step);
    for (int step = 0; step < MOST_RELAXING; step++) {
        bool broken;
        size_t worst;
        TL_TRY(find_forces(w, &broken, &worst, error));
        if (broken)
            return TL_OK; /* the evaluation of the initial state will name the particle */
        m = matter_of(w); /* sorting may have moved fields */
        if (tl_fire_step(&fire, &m)) {
            tl_log_message(&w->log, TL_LOG_INFO, "relaxed in %d steps to a bond energy of %.6g J",
                           step, w->state.bond_energy);
            return TL_OK;
        }
    }
    tl_log_message(&w->log, TL_LOG_WARNING, "not quite relaxed after %d steps", MOST_RELAXING);
    return TL_OK;
}

/* The packing of least energy: all bodies at once, each by itself. */
static tl_status relax(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    double *kept = tl_field_data(&w->fields, w->cohesive.kept_velocity);
    memcpy(kept, tl_velocity(w), 3 * n * sizeof *kept);
    w->state.max_acceleration = 0;
    w->cohesive.bonds_only = true;
    const tl_status status = descend(w, error);
    w->cohesive.bonds_only = false;
    /* Sorting may have moved the field, and reordered it along with the particles. */
    kept = tl_field_data(&w->fields, w->cohesive.kept_velocity);
    memcpy(tl_velocity(w), kept, 3 * n * sizeof *kept);
    return status;
}

static tl_status begin(tl_world *w, bool *broken, tl_error *error) {
    size_t worst;
    if (w->def.cohesive.relax)
        TL_TRY(relax(w, error));
    TL_TRY(find_forces(w, broken, &worst, error));
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
    const tl_cohesive_matter m = matter_of(w);
    if (tl_cohesive_is_gas(&w->cohesive, &m))
        tl_log_message(&w->log, TL_LOG_WARNING,
                       "every particle has more heat than its bonds have energy: the matter is a "
                       "gas; lower the temperature or raise cohesion.energy");
    if (!w->def.with_heat)
        return TL_OK;
    TL_TRY(prepare_exchange(w, error));
    return exchange(w, 0, error);
}

const tl_dynamics tl_cohesive_dynamics = {
    .moves = true,
    .heats = true,
    .meets_depths = true,
    .declare = declare,
    .derive = derive,
    .begin = begin,
    .resume = resume,
    .step_size = step_size,
    .attempt = attempt,
    .take_back = take_back,
    .after = after,
    .explain = explain,
    .bytes = bytes,
    .free = free_all,
};
