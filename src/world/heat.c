/* Heat in a world: when it is exchanged, between whom, what comes from outside, and what leaves.
 * The equations are in src/heat. Heat flows between particles where the neighbour lists have them:
 * at the end of an explicit step, at the start of an implicit one. */
#include "base/log.h"
#include "base/timer.h"
#include "world/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far the fastest particle may go between two exchanges, in spacings. */
static const double longest_way = 0.25;

/* The longest time between two exchanges while matter moves (s): rheology waits for them. */
static const double longest_wait = 0.02;

/* Nothing is colder, °C. */
static const float coldest = -273.15f;

/* Explicit sub-steps in a step of matter that does not move. */
static const double substeps_at_rest = 16;

/* The channels of heat from elsewhere, in the order of tl_heat_sources. */
enum { VOLUMETRIC, FRICTION, RADIATED, LOST_RADIATION, LOST_CONVECTION, LED, CHANNELS };

static double *enthalpies(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.enthalpy);
}

static const tl_caloric *caloric_of(const tl_world *w, size_t i) {
    return &w->heat.calorics[tl_material_of(w)[i]];
}

/* ---- What follows from enthalpies --------------------------------------------------------------
 */

static void refresh_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    const double *e = enthalpies(w);
    float *fraction = tl_field_data(&w->fields, w->handle.liquid_fraction);
    uint8_t *phase = tl_field_data(&w->fields, w->handle.phase);
    for (size_t i = begin; i < end; i++) {
        tl_temperature(w)[i] = (float)tl_temperature_at(caloric_of(w, i), e[i]);
        fraction[i] = (float)tl_liquid_fraction(caloric_of(w, i), e[i]);
        phase[i] = (uint8_t)tl_phase_at(caloric_of(w, i), e[i]);
    }
}

void tl_world_warm_newborn(tl_world *w, size_t i) {
    enthalpies(w)[i] = tl_enthalpy_at(caloric_of(w, i), (double)tl_temperature(w)[i]);
    refresh_range(w, i, i + 1, 0);
}

tl_status tl_world_warm(tl_world *w, const float *temperatures, tl_error *error) {
    for (size_t i = 0; i < w->fields.count; i++)
        if (isinf(temperatures[i]) || temperatures[i] < coldest)
            return tl_fail(error, TL_BAD_INPUT, "temperature", "give temperatures in °C",
                           "particle %zu would have %g °C", i, (double)temperatures[i]);
    for (size_t i = 0; i < w->fields.count; i++) {
        if (isnan(temperatures[i]))
            continue;
        const double before = tl_world_heat_of(w, i);
        tl_temperature(w)[i] = temperatures[i];
        if (w->def.with_heat)
            tl_world_warm_newborn(w, i);
        w->state.initial_heat += tl_world_heat_of(w, i) - before;
    }
    return TL_OK;
}

double tl_world_heat_of(const tl_world *w, size_t i) {
    return w->def.with_heat ? (double)tl_mass(w)[i] * enthalpies(w)[i] : 0;
}

void tl_world_refresh_heat(tl_world *w) {
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, refresh_range, w);
}

/* What is exchanged is small beside the whole: the sum keeps what rounding cuts off (Neumaier). */
double tl_world_enthalpy(const tl_world *w) {
    double energy = 0, cut = 0;
    for (size_t i = 0; w->def.with_heat && i < w->fields.count; i++) {
        const double part = (double)tl_mass(w)[i] * enthalpies(w)[i], sum = energy + part;
        cut += fabs(energy) >= fabs(part) ? (energy - sum) + part : (part - sum) + energy;
        energy = sum;
    }
    return energy + cut;
}

/* ---- Sources -----------------------------------------------------------------------------------
 */

/* Heat made in the materials. */
static void add_volumetric(void *context, const double *temperature, double *power, double *slope,
                           size_t begin, size_t end) {
    (void)temperature, (void)slope;
    const tl_world *w = context;
    for (size_t i = begin; i < end; i++) {
        const tl_material *m = &w->materials[tl_material_of(w)[i]];
        power[i - begin] += m->heating * (double)tl_mass(w)[i] / m->density;
    }
}

/* What viscosity took from the motion, shared by the heat that the matter answers with. */
static void add_friction(void *context, const double *temperature, double *power, double *slope,
                         size_t begin, size_t end) {
    (void)temperature, (void)slope;
    const tl_world *w = context;
    for (size_t i = begin; i < end; i++)
        power[i - begin] += w->heat.friction * (double)w->heat.share[i];
}

/* Shares of the viscous heat since the last exchange. */
static tl_status find_friction(tl_world *w, double dt, tl_error *error) {
    const size_t n = w->fields.count;
    const float *rate = tl_field_data(&w->fields, w->handle.strain_rate);
    float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    double sum = 0;
    TL_TRY(TL_ARRAY_RESERVE(w->heat.share, 0, n, error));
    for (size_t begin = 0; begin < n; begin += TL_BLOCK) {
        const size_t end = n - begin < TL_BLOCK ? n : begin + TL_BLOCK;
        double volume[TL_BLOCK];
        for (size_t i = begin; i < end; i++)
            volume[i - begin] = (double)tl_mass(w)[i] / tl_density(w)[i];
        tl_world_respond(
            w, &(tl_strained){.rate = rate + begin, .volume = volume},
            TL_RESPOND_HELD | TL_RESPOND_HEAT,
            &(tl_response){.viscosity = viscosity + begin, .heat = w->heat.share + begin}, begin,
            end);
    }
    for (size_t i = 0; i < n; i++)
        sum += (double)w->heat.share[i];
    const double due = w->state.viscous_heat - w->state.viscous_taken;
    w->heat.friction = sum > 0 && dt > 0 ? fmax(due, 0) / (dt * sum) : 0;
    return TL_OK;
}

static void add_source(tl_heat_sources *all, tl_heat_source_fn *add, void *context) {
    all->items[all->count++] = (tl_heat_source){.add = add, .context = context};
}

/* The channels, in the order of the enum. */
static tl_status gather_sources(tl_world *w, double dt, tl_heat_sources *all, tl_error *error) {
    *all = (tl_heat_sources){0};
    add_source(all, add_volumetric, w);
    add_source(all, add_friction, w);
    if (w->surface.wanted) {
        add_source(all, tl_world_add_radiation, w);
        add_source(all, tl_world_add_lost_radiation, w);
        add_source(all, tl_world_add_lost_convection, w);
    }
    if (w->surface.burns)
        add_source(all, tl_world_add_wick_heat, w);
    w->heat.friction = 0;
    if (w->def.heat.viscous_heating)
        TL_TRY(find_friction(w, dt, error));
    else
        TL_TRY(TL_ARRAY_RESERVE(w->heat.share, 0, w->fields.count, error));
    return TL_OK;
}

/* ---- The exchange ------------------------------------------------------------------------------
 */

static tl_status mark_rigid(tl_world *w, tl_error *error) {
    if (w->rigids.count == 0)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(w->heat.rigid, 0, w->fields.count, error));
    for (size_t i = 0; i < w->fields.count; i++)
        w->heat.rigid[i] = tl_rigid_of(w, i) != 0;
    return TL_OK;
}

/* Pairs, fits and conductances for the places in the records. */
static tl_status prepare(tl_world *w, tl_error *error) {
    tl_world_heat *h = &w->heat;
    tl_conduction *c = &h->exchange.conduction;
    const size_t n = w->fields.count;
    TL_TRY(mark_rigid(w, error));
    const tl_heat_place place = {.list = &w->list,
                                 .shapes = &w->shapes,
                                 .samples = &w->samples,
                                 .walls = h->walls,
                                 .origin = w->origin,
                                 .spacing = w->def.spacing,
                                 .rigid = w->rigids.count ? h->rigid : NULL};
    if (!h->fitted || w->dynamics->moves) {
        TL_TRY(tl_conduction_begin(c, &w->parallel, &w->records, &w->list,
                                   (tl_kernel)w->def.flow.kernel, w->sizes, error));
        TL_TRY(tl_heat_contact_find(&h->exchange.contact, c, &place, error));
        TL_TRY(tl_world_find_touching(w, error));
        tl_conduction_fit(c, &w->list, w->rigids.count ? &w->rigids.touching : NULL);
        h->fitted = true;
    }
    TL_TRY(TL_ARRAY_RESERVE(h->conductivity, 0, n, error));
    for (size_t i = 0; i < n; i++)
        h->conductivity[i] = (float)tl_conductivity_at(caloric_of(w, i), enthalpies(w)[i]);
    c->laplacian = w->def.heat.conduction == TL_CONDUCTION_LAPLACIAN;
    tl_conduction_weigh(c, h->conductivity);
    tl_heat_contact_weigh(&h->exchange.contact, c, &place);
    return TL_OK;
}

/* Walls whose temperature is given follow their schedule, taken in the middle of the exchange. */
static void set_walls(tl_world *w, double time) {
    for (size_t k = 0; k < w->def.wall_count; k++)
        if (w->heat.walls[k].capacity == 0)
            w->heat.walls[k].temperature = tl_schedule_at(&w->def.walls[k].temperature, time);
}

static void keep_books(tl_world *w, const tl_heat_sources *sources, const tl_heat_report *report) {
    tl_world_state *s = &w->state;
    for (size_t k = 0; k < w->def.wall_count; k++)
        s->conducted_heat += w->heat.walls[k].heat;
    for (size_t k = 0; k < w->def.wall_count && w->gauges.walls; k++)
        w->gauges.walls[k].heat -= w->heat.walls[k].heat;
    s->volumetric_heat += sources->items[VOLUMETRIC].energy;
    s->friction_heat += sources->items[FRICTION].energy;
    if (w->surface.wanted) {
        s->radiated_heat += sources->items[RADIATED].energy;
        s->lost_radiation -= sources->items[LOST_RADIATION].energy;
        s->lost_convection -= sources->items[LOST_CONVECTION].energy;
    }
    if (w->surface.burns)
        s->wick_heat += sources->items[LED].energy;
    if (w->heat.friction > 0)
        s->viscous_taken = s->viscous_heat;
    s->heat_stable = report->stable_dt / w->def.heat.speed;
    s->heat_iterations += report->substeps + report->iterations;
}

/* `dt` is of the motion. Heat has `speed` times as long: what is exchanged is real energy, and what
 * friction has made in dt is spread over that time. */
static tl_status exchange(tl_world *w, double dt, tl_error *error) {
    const double heat_time = dt * w->def.heat.speed;
    tl_heat_sources sources;
    tl_heat_report report;
    TL_TRY(prepare(w, error));
    set_walls(w, w->state.time - 0.5 * dt);
    if (w->surface.burns)
        TL_TRY(tl_world_burn(w, w->state.time - 0.5 * dt, heat_time, error));
    if (w->surface.wanted)
        TL_TRY(tl_world_find_surface(w, w->state.time - 0.5 * dt, error));
    TL_TRY(gather_sources(w, heat_time, &sources, error));
    const tl_heat_task task = {.dt = heat_time,
                               .params = &w->def.heat,
                               .mass = tl_mass(w),
                               .material = tl_material_of(w),
                               .calorics = w->heat.calorics,
                               .enthalpy = enthalpies(w),
                               .walls = w->heat.walls,
                               .wall_count = w->def.wall_count,
                               .sources = &sources};
    TL_TRY(tl_heat_exchange_run(&w->heat.exchange, &task, &report, error));
    tl_log_message(&w->log, TL_LOG_DEBUG,
                   "heat over %.3g s: %d sub-steps, %d implicit steps, %d outer, %d iterations, "
                   "%d failures, residual %.3g",
                   heat_time, report.substeps, report.steps, report.outer, report.iterations,
                   report.failures, report.residual);
    keep_books(w, &sources, &report);
    tl_world_refresh_heat(w);
    return TL_OK;
}

/* ---- Boiling -----------------------------------------------------------------------------------
 */

enum { GONE, STAYS, LEAVES };

/* Books a particle out of the world: what it takes along is missing nowhere. */
static void book_out(tl_world *w, size_t i) {
    tl_ledger own = {0};
    tl_world_add_particle(w, i, &own);
    w->state.boiled_mass += own.mass;
    w->state.boiled_energy += tl_world_heat_of(w, i);
    w->state.initial_energy -= own.kinetic_energy + own.potential_energy + own.elastic_energy;
}

/* What a particle got after it had boiled goes to the neighbours that stay, as they conduct: then
 * gas takes along its heat of boiling and no more, however long the exchange was. */
static void pass_on(tl_world *w, const unsigned char *stays, size_t i) {
    const tl_conduction *c = &w->heat.exchange.conduction;
    const uint32_t *index = c->index + c->begin[i];
    const float *conductance = c->conductance + c->begin[i];
    double *e = enthalpies(w), sum = 0;
    const double excess = (double)tl_mass(w)[i] * (e[i] - caloric_of(w, i)->gas);
    for (int giving = 0; giving < 2; giving++) {
        for (size_t k = 0; k < c->size[i]; k++) {
            const size_t j = tl_source_of(&w->records, index[k]);
            if (stays[j] != STAYS)
                continue;
            if (giving)
                e[j] += excess * (double)conductance[k] / sum / (double)tl_mass(w)[j];
            else
                sum += (double)conductance[k];
        }
        if (!(sum > 0))
            return; /* the last of its kind takes all along */
    }
    e[i] = caloric_of(w, i)->gas;
}

/* Books out all that is gas and not yet gone. True when there was any. */
static bool book_gas(tl_world *w, unsigned char *stays) {
    const uint8_t *phase = tl_field_data(&w->fields, w->handle.phase);
    bool any = false;
    for (size_t i = 0; i < w->fields.count; i++)
        if (stays[i] == STAYS && phase[i] == TL_PHASE_GAS) {
            stays[i] = LEAVES;
            any = true;
        }
    for (size_t i = 0; i < w->fields.count && any; i++)
        if (stays[i] == LEAVES) {
            pass_on(w, stays, i);
            book_out(w, i);
            stays[i] = GONE;
        }
    return any;
}

/* Takes the particles away that have become gas. */
static tl_status let_gas_leave(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    TL_TRY(tl_scratch_reserve(&w->scratch, tl_scratch_room(n, 1), error));
    unsigned char *stays = TL_SCRATCH_TAKE(&w->scratch, unsigned char, n, "who does not boil");
    memset(stays, STAYS, n * sizeof *stays);
    bool any = false;
    for (; book_gas(w, stays); any = true) /* what was passed on may be enough for another one */
        tl_world_refresh_heat(w);
    if (any)
        tl_fields_compact(&w->fields, stays);
    tl_scratch_release(&w->scratch, mark);
    return any ? tl_world_matter_changed(w, error) : TL_OK;
}

/* ---- Calls from the step -----------------------------------------------------------------------
 */

double tl_world_heat_step_size(const tl_world *w) {
    const double longest = w->def.heat.max_step;
    const double own = substeps_at_rest * w->state.heat_stable;
    if (longest > 0)
        return longest;
    return isfinite(own) && own > 0 ? own : 1;
}

/* True when the heat of the last steps must be exchanged now. */
static bool is_due(const tl_world *w) {
    const tl_world_state *s = &w->state;
    if (!w->dynamics->moves || s->time >= w->stop)
        return true;
    double longest = fmin(s->heat_stable, longest_wait);
    if (s->max_speed > 0)
        longest = fmin(longest, longest_way * tl_least_spacing(&w->sizes) / s->max_speed);
    if (w->def.heat.max_step > 0)
        longest = fmin(longest, w->def.heat.max_step);
    return s->heat_due + s->dt > longest;
}

tl_status tl_world_exchange_heat(tl_world *w, double dt, tl_error *error) {
    /* What comes later has no part in the time before it. */
    w->state.heat_due = w->fields.count > 0 ? w->state.heat_due + dt : 0;
    w->state.surface_travel += dt * w->state.max_speed;
    if (w->fields.count == 0 || !is_due(w))
        return TL_OK;
    double since = tl_now();
    const double due = w->state.heat_due;
    w->state.heat_due = 0;
    tl_world_settle_viscosities(w);
    TL_TRY(exchange(w, due, error));
    TL_TRY(let_gas_leave(w, error));
    TL_TRY(tl_world_soak_wicks(w, error));
    TL_TRY(tl_world_find_held(w, error));
    TL_TRY(tl_world_follow_heat(w, due, error));
    tl_world_lap(w, TL_STAGE_HEAT, &since);
    return TL_OK;
}

tl_status tl_world_begin_heat(tl_world *w, tl_error *error) {
    const tl_world_def *def = &w->def;
    w->heat.calorics = tl_allocate(def->material_count, sizeof *w->heat.calorics);
    w->heat.walls = tl_allocate(def->wall_count, sizeof *w->heat.walls);
    if (!w->heat.calorics || !w->heat.walls)
        return tl_fail_memory(error, def->material_count + def->wall_count, sizeof(tl_caloric));
    for (size_t m = 0; m < def->material_count; m++)
        TL_TRY(tl_caloric_make(&def->materials[m], &w->heat.calorics[m], error));
    for (size_t k = 0; k < def->wall_count; k++)
        w->heat.walls[k] = (tl_heat_wall){
            .open = def->walls[k].has_temperature,
            .conductance = def->walls[k].conductance,
            .capacity = def->walls[k].has_temperature ? def->walls[k].heat_capacity : 0,
            .temperature = tl_schedule_at(&def->walls[k].temperature, 0)};
    for (size_t i = 0; i < w->fields.count; i++)
        enthalpies(w)[i] = tl_enthalpy_at(caloric_of(w, i), (double)tl_temperature(w)[i]);
    tl_world_refresh_heat(w);
    w->state.initial_heat = tl_world_enthalpy(w);
    w->state.surface_time = -1;
    return def->source_count > 0 ? tl_world_begin_flames(w, error) : TL_OK;
}

tl_status tl_world_first_exchange(tl_world *w, tl_error *error) {
    if (w->fields.count == 0)
        return TL_OK;
    TL_TRY(exchange(w, 0, error));
    w->state.heat_iterations = 0;
    return tl_world_find_held(w, error);
}

void tl_world_free_heat(tl_world *w) {
    tl_heat_exchange_free(&w->heat.exchange);
    free(w->heat.calorics);
    free(w->heat.walls);
    TL_ARRAYS_FREE(TL_HEAT_ARRAYS(&w->heat));
    tl_world_free_surface(w);
    w->heat = (tl_world_heat){0};
}
