/* Making, asking and freeing a world. See world.h; the step itself is in step.c. */
#include "base/hash.h"
#include "base/log.h"
#include "base/timer.h"
#include "world/snapshot_check.h"
#include "world/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------
 */

/* Samples below the surfaces of meshes, as deep as kernels reach. */
static tl_status cover_meshes(tl_world *w, tl_error *error) {
    for (size_t s = 0; s < w->shapes.count; s++) {
        tl_shape *shape = &w->shapes.items[s];
        if (!shape->solid)
            continue;
        shape->reach = 2 * tl_largest_support(&w->sizes);
        TL_TRY(tl_cover_make(shape->solid, tl_world_sample_spacing(w),
                             tl_largest_support(&w->sizes), &w->parallel, &shape->cover, error));
    }
    return TL_OK;
}

/* Slip lengths are known once the spacing is. The drag of a rough wall adds to that of a smooth
 * one. */
static void set_slips(tl_world *w) {
    for (size_t k = 0; k < w->shapes.count; k++) {
        tl_shape *shape = &w->shapes.items[k];
        const tl_wall_def *wall = &w->def.walls[shape->wall];
        if (wall->has_slip_length)
            shape->slip = (float)tl_slip_of_length(wall->slip_length, w->def.spacing);
        if (!wall->has_roughness || !(shape->slip > 0))
            continue;
        const double smooth = tl_slip_length((double)shape->slip, w->def.spacing);
        const double drag = 1 / smooth + 1 / tl_roughness_length(&wall->roughness);
        shape->slip = (float)tl_slip_of_length(1 / drag, w->def.spacing);
    }
}

/* Checks of the scene tell so where it asks for the explicit scheme. */
static void say_what_does_nothing(const tl_world *w) {
    if (w->choice.asked == TL_SCHEME_AUTOMATIC && w->def.flow.scheme == TL_SCHEME_EXPLICIT &&
        tl_shapes_let_go(&w->shapes))
        tl_log_message(&w->log, TL_LOG_WARNING,
                       "the matter is so thin that the scheme is explicit, in which stickiness of "
                       "walls does nothing; set flow.scheme to coupled");
}

bool tl_world_def_flows(const tl_world_def *def, size_t m) {
    for (size_t e = 0; e < def->emitter_count; e++)
        if (def->emitters[e].material_index == m)
            return true;
    for (size_t i = 0; i < def->seed_count; i++)
        if (def->seeds[i].material == m && !tl_world_def_is_rigid(def, def->seeds[i].body))
            return true;
    return false;
}

/* All liquids are as stiff as the densest one, c² ρ: a light one must bear the weight of a heavy
 * one, and pressure that goes on from one to the other is the same compression in both. */
static void set_stiffness(tl_world *w) {
    const tl_world_def *def = &w->def;
    const double c2 = w->sound_speed * w->sound_speed;
    double densest = 0, fastest2 = c2;
    for (size_t m = 0; m < def->material_count; m++)
        if (tl_world_def_flows(def, m))
            densest = fmax(densest, def->materials[m].density);
    for (size_t m = 0; m < def->material_count; m++) {
        const double density = def->materials[m].density;
        const double own = tl_world_def_flows(def, m) ? c2 * (densest / density) : c2;
        w->layered = w->layered || (tl_world_def_flows(def, m) && density != densest);
        w->fluids[m] = (tl_fluid){density, own};
        fastest2 = fmax(fastest2, own);
    }
    w->fastest_sound = sqrt(fastest2);
    w->stiffness = densest > 0 ? c2 * densest : c2 * w->fluids[0].rest_density;
}

/* What is never strained, or by explicit steps, has no springs. */
static void copy_materials(tl_world *w) {
    const tl_world_def *def = &w->def;
    for (size_t m = 0; m < def->material_count; m++) {
        w->materials[m] = def->materials[m];
        w->materials[m].has_elastic &= w->dynamics->solves && tl_world_def_flows(def, m);
    }
}

/* What knows one size alone is refused, not done wrong. */
static tl_status check_sizes(const tl_world *w, tl_error *error) {
    const tl_world_def *def = &w->def;
    if (!(def->most_size > 0))
        return TL_OK;
    if (def->thermal_particles)
        return tl_fail(error, TL_BAD_INPUT, "dynamics", "give all bodies the scene's spacing",
                       "thermal particles all have one size");
    if (w->dynamics->flows && !w->dynamics->solves)
        return tl_fail(error, TL_BAD_INPUT, "flow.scheme", "set flow.scheme to coupled",
                       "the explicit scheme knows particles of one size only");
    for (size_t m = 0; m < def->material_count; m++)
        if (def->materials[m].has_elastic && tl_world_def_flows(def, (uint32_t)m))
            return tl_fail(error, TL_BAD_INPUT, def->materials[m].name,
                           "give all bodies the scene's spacing",
                           "elastic matter knows particles of one size only");
    return TL_OK;
}

/* So is tension in explicit steps, which would leave it out. */
static tl_status check_tension(const tl_world *w, tl_error *error) {
    const tl_world_def *def = &w->def;
    for (size_t m = 0; m < def->material_count && w->dynamics->flows && !w->dynamics->solves; m++)
        if (def->materials[m].has_surface_tension && tl_world_def_flows(def, (uint32_t)m))
            return tl_fail(error, TL_BAD_INPUT, "flow.scheme", "set flow.scheme to coupled",
                           "explicit flow has no surface tension, and material \"%.60s\" has one",
                           def->materials[m].name);
    if (def->interface_count > 0 && w->dynamics->flows && !w->dynamics->solves)
        return tl_fail(error, TL_BAD_INPUT, "flow.scheme", "set flow.scheme to coupled",
                       "explicit flow has no tension between liquids");
    return TL_OK;
}

static tl_status derive_constants(tl_world *w, tl_error *error) {
    const tl_world_def *def = &w->def;
    TL_TRY(tl_world_begin_steering(w, error));
    TL_TRY(tl_world_begin_emitters(w, error));
    const tl_extent b = tl_world_extent(w);
    w->origin = (tl_vec3){0.5 * (b.low[0] + b.high[0]), 0.5 * (b.low[1] + b.high[1]),
                          0.5 * (b.low[2] + b.high[2])};
    for (int k = 0; k < 3; k++)
        w->period[k] = fmax(0, def->period_to[k] - def->period_from[k]);
    w->stop = HUGE_VAL;
    TL_TRY(tl_shapes_make(def->walls, def->wall_count, &w->shapes, error));
    set_slips(w);
    tl_world_choose(w);
    TL_TRY(check_sizes(w, error));
    TL_TRY(check_tension(w, error));
    say_what_does_nothing(w);
    w->records.tensors = tl_flow_tensors(&w->def.flow);
    w->def.flow.support = w->choice.support = tl_flow_support(&w->def.flow);
    w->sizes = tl_sizes_alike(def->spacing, w->def.flow.support * def->spacing);
    if (def->most_size > 0) {
        w->sizes.least = def->least_size;
        w->sizes.largest = def->most_size;
    }
    w->skin = def->flow.skin * tl_least_support(&w->sizes);
    TL_TRY(cover_meshes(w, error));
    if (w->dynamics->derive)
        TL_TRY(w->dynamics->derive(w, error));
    w->lattice = tl_lattice_sums((tl_kernel)def->flow.kernel, def->flow.support);
    w->fluids = tl_allocate(def->material_count, sizeof *w->fluids);
    w->materials = tl_allocate(def->material_count, sizeof *w->materials);
    if (!w->fluids || !w->materials)
        return tl_fail_memory(error, def->material_count, sizeof *w->materials);
    copy_materials(w);
    TL_TRY(tl_world_begin_tension(w, error));
    set_stiffness(w);
    return TL_OK;
}

static tl_status check_def(const tl_world_def *def, tl_error *error) {
    if (!(def->spacing > 0) || !isfinite(def->spacing))
        return tl_fail(error, TL_BAD_INPUT, "spacing", "give a length above zero, such as 5 mm",
                       "the spacing is %g m", def->spacing);
    if (def->most_size > 0 && !(def->least_size > 0 && def->least_size <= def->most_size))
        return tl_fail(error, TL_BAD_INPUT, "spacing", "give sizes above zero",
                       "particles are to have sizes from %g m to %g m", def->least_size,
                       def->most_size);
    if (def->material_count == 0 || def->material_count > 256)
        return tl_fail(error, TL_BAD_INPUT, "materials", "use 1 to 256 materials", "%zu materials",
                       def->material_count);
    if (def->emitter_count > UINT8_MAX)
        return tl_fail(error, TL_BAD_INPUT, "emitters", "use 255 at most", "%zu emitters",
                       def->emitter_count);
    if (def->emitter_count + def->drain_count > 0 &&
        (def->thermal_particles || def->flow.scheme == TL_SCHEME_NONE))
        return tl_fail(error, TL_BAD_INPUT, "emitters", "let the matter flow",
                       "emitters and drains need matter that flows");
    for (size_t i = 0; i < def->seed_count; i++) {
        const tl_seed *seed = &def->seeds[i];
        if (!tl_vec3_finite(tl_vec3_of(seed->position)) ||
            !tl_vec3_finite(tl_vec3_of(seed->velocity)) || !isfinite(seed->temperature) ||
            seed->material >= def->material_count)
            return tl_fail(error, TL_BAD_INPUT, "particles", NULL,
                           "particle %zu has no finite place, velocity and temperature or no "
                           "material",
                           i);
    }
    return TL_OK;
}

static tl_status place_seeds(tl_world *w, tl_error *error) {
    const size_t n = w->def.seed_count;
    TL_TRY(tl_fields_resize(&w->fields, n, error));
    uint64_t *id = tl_field_data(&w->fields, w->handle.id);
    uint32_t *body = tl_field_data(&w->fields, w->handle.body);
    for (size_t i = 0; i < n; i++) {
        const tl_seed *seed = &w->def.seeds[i];
        const double density = w->fluids[seed->material].rest_density;
        id[i] = i;
        body[i] = seed->body;
        memcpy(tl_position(w) + 3 * i, seed->position, sizeof seed->position);
        memcpy(tl_velocity(w) + 3 * i, seed->velocity, sizeof seed->velocity);
        tl_density(w)[i] = density;
        if (tl_size_of(w))
            tl_size_of(w)[i] = (float)(seed->size > 0 ? seed->size : w->def.spacing);
        tl_material_of(w)[i] = (uint8_t)seed->material;
        tl_temperature(w)[i] = seed->temperature;
    }
    tl_world_measure_sizes(w);
    for (size_t i = 0; i < n; i++)
        tl_mass(w)[i] = (float)(tl_density(w)[i] * tl_volume_of(&w->sizes, i));
    for (size_t i = 0; i < n && tl_whole_of(w); i++)
        tl_world_begin_whole(w, i, w->def.seeds[i].whole);
    w->state.next_id = (double)n;
    return TL_OK;
}

static double fastest(const tl_world *w) {
    double speed = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        speed = fmax(speed, tl_vec3_length(tl_vec3_of(tl_velocity(w) + 3 * i)));
    return speed;
}

static tl_status fill_world(tl_world *w, tl_error *error) {
    TL_TRY(derive_constants(w, error));
    w->search =
        tl_search_create((tl_search_method)(w->def.thermal_particles ? w->def.cohesive.neighbors
                                                                     : w->def.flow.neighbors));
    if (!w->search)
        return tl_fail_memory(error, 1, 1);
    w->surface.wanted = tl_world_wants_surface(&w->def);
    TL_TRY(tl_world_declare_fields(w, error));
    TL_TRY(place_seeds(w, error));
    w->body_count = tl_world_count_bodies(w);
    TL_TRY(tl_world_begin_rigids(w, error));
    TL_TRY(tl_world_begin_gauges(w, error));
    w->state.max_speed = fastest(w);
    tl_world_place_walls(w, 0, 0);
    if (w->def.with_heat)
        TL_TRY(tl_world_begin_heat(w, error));
    bool broken;
    TL_TRY(w->dynamics->begin(w, &broken, error));
    if (broken)
        return tl_fail(error, TL_DIVERGED, "particles", "look for particles that coincide",
                       "the initial state has forces that are not finite");
    if (w->def.with_heat && !w->dynamics->heats)
        TL_TRY(tl_world_first_exchange(w, error));
    tl_ledger ledger = {0};
    tl_world_add_energies(w, &ledger);
    w->state.initial_potential = ledger.potential_energy;
    w->state.initial_energy = ledger.kinetic_energy + ledger.potential_energy +
                              ledger.elastic_energy + w->state.bond_energy +
                              w->state.contact_energy;
    return TL_OK;
}

static const char *const stage_names[TL_STAGE_COUNT] = {"move",   "neighbours", "walls", "stress",
                                                        "forces", "pairs",      "solve", "heat"};

tl_status tl_world_make(const tl_world_def *def, const tl_world_options *options, tl_world **out,
                        tl_error *error) {
    *out = NULL;
    TL_TRY(check_def(def, error));
    tl_world *w = tl_allocate(1, sizeof *w);
    if (!w)
        return tl_fail_memory(error, 1, sizeof *w);
    w->def = *def;
    tl_world_size_parts(&w->def);
    w->solver.scratch = w->heat.exchange.scratch = &w->scratch;
    w->parallel = tl_parallel_create(options ? options->threads : 0);
    if (options)
        w->log = options->log;
    w->is_steered = options && options->steered;
    for (int s = 0; s < TL_STAGE_COUNT; s++)
        w->stages[s].name = stage_names[s];
    const tl_status status = fill_world(w, error);
    /* The seeds have become particles; the caller may free them. */
    w->def.seeds = NULL;
    w->def.seed_count = 0;
    if (status != TL_OK) {
        tl_world_destroy(w);
        return status;
    }
    *out = w;
    return TL_OK;
}

void tl_world_make_adverse(tl_world *w) { w->parallel = tl_parallel_adverse(w->parallel.threads); }

#define WORLD_ARRAYS(w)                                                                            \
    (w)->even, (w)->radii, (w)->partial, (w)->kept_flow, (w)->lump_of, (w)->lumps,                 \
        TL_SPRING_ARRAYS(&(w)->springs), TL_TENSION_ARRAYS(&(w)->tension),                         \
        TL_GAUGE_ARRAYS(&(w)->gauges)

void tl_world_destroy(tl_world *w) {
    if (!w)
        return;
    tl_fields_free(&w->fields);
    tl_records_free(&w->records);
    tl_samples_free(&w->samples);
    tl_shapes_free(&w->shapes);
    tl_search_destroy(w->search);
    tl_neighbor_list_free(&w->list);
    tl_world_free_heat(w);
    if (w->dynamics && w->dynamics->free)
        w->dynamics->free(w);
    tl_rigids_free(&w->rigids);
    tl_scratch_free(&w->scratch);
    tl_world_free_emitters(w);
    tl_world_free_gauges(w);
    tl_world_free_steering(w);
    free(w->fluids);
    free(w->materials);
    tl_memory_free(&w->memory);
    tl_neighbor_list_free(&w->springs.list);
    tl_tension_free(&w->tension.surface);
    tl_tension_free(&w->tension.border);
    tl_array_free(w->tension.between);
    TL_ARRAYS_FREE(WORLD_ARRAYS(w));
    free(w);
}

void tl_world_bounds(const tl_world *w, tl_vec3 *low, tl_vec3 *high) {
    *low = (tl_vec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    *high = (tl_vec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < w->fields.count; i++) {
        const double *x = tl_position(w) + 3 * i;
        *low = (tl_vec3){fmin(low->x, x[0]), fmin(low->y, x[1]), fmin(low->z, x[2])};
        *high = (tl_vec3){fmax(high->x, x[0]), fmax(high->y, x[1]), fmax(high->z, x[2])};
    }
}

tl_status tl_world_partials(tl_world *w, size_t count, size_t size, tl_error *error) {
    return tl_array_reserve(&w->partial, 0, tl_block_count(count, TL_BLOCK) * size, 1, error);
}

/* ---- Asking ------------------------------------------------------------------------------------
 */

double tl_world_time(const tl_world *w) { return w->state.time; }
size_t tl_world_count(const tl_world *w) { return w->fields.count; }
uint64_t tl_world_steps(const tl_world *w) { return (uint64_t)w->state.steps; }
const tl_fields *tl_world_fields(const tl_world *w) { return &w->fields; }
const tl_choice *tl_world_choice(const tl_world *w) { return &w->choice; }

uint64_t tl_world_hash(const tl_world *w) {
    uint64_t hash = tl_hash(0, &w->state, sizeof w->state);
    for (size_t k = 0; k < w->def.wall_count; k++)
        if (tl_world_wall_warms(w, k))
            hash = tl_hash(hash, &w->heat.walls[k].temperature, sizeof(double));
    for (size_t k = 0; k < w->def.wall_count; k++)
        if (w->def.walls[k].has_driven)
            hash = tl_hash(hash, &w->shapes.drives[k], sizeof(tl_drive));
    for (size_t k = 0; k < w->rigids.count; k++) {
        double state[TL_RIGID_STATE];
        tl_rigid_save(&w->rigids.items[k], state);
        hash = tl_hash(hash, state, sizeof state);
    }
    if (w->handle.body_force >= 0)
        hash = tl_hash(hash, &w->field_work, sizeof(double));
    if (w->is_steered)
        hash = tl_hash(hash, &w->steered, sizeof w->steered);
    for (size_t s = 0; w->is_steered && s < w->def.source_count; s++)
        hash = tl_hash(hash, w->def.sources[s].position, sizeof w->def.sources[s].position);
    for (size_t e = 0; e < w->def.emitter_count; e++) {
        hash = tl_hash(hash, &w->emitters[e].advance, sizeof(double));
        hash = tl_hash(hash, &w->emitters[e].particles, sizeof(double));
    }
    hash = tl_hash(hash, w->gauges.gates, w->def.gate_count * sizeof *w->gauges.gates);
    if (w->gauges.walls)
        hash = tl_hash(hash, w->gauges.walls, w->def.wall_count * sizeof *w->gauges.walls);
    return tl_fields_hash(&w->fields, hash);
}

size_t tl_world_field_count(const tl_world *w) { return w->fields.field_count; }

bool tl_world_field_at(tl_world *w, size_t index, tl_field_view *out) {
    if (index >= w->fields.field_count)
        return false;
    const tl_field *field = &w->fields.field[index];
    const bool follows = w->def.with_heat && (int)index == w->handle.temperature;
    *out = (tl_field_view){field->desc->name,
                           field->desc->unit,
                           field->desc->doc,
                           field->desc->type,
                           field->desc->components,
                           w->fields.count,
                           field->data,
                           (field->desc->flags & TL_FIELD_SAVED) && !follows};
    return true;
}

bool tl_world_field(tl_world *w, const char *name, tl_field_view *out) {
    const int handle = tl_fields_find(&w->fields, name);
    return handle >= 0 && tl_world_field_at(w, (size_t)handle, out);
}

size_t tl_world_stages(const tl_world *w, const tl_stage_time **out) {
    *out = w->stages;
    return TL_STAGE_COUNT;
}

size_t tl_world_bytes(const tl_world *w) {
    size_t bytes =
        sizeof *w + TL_ARRAYS_BYTES(WORLD_ARRAYS(w)) + tl_scratch_bytes(&w->scratch) +
        tl_fields_bytes(&w->fields) + tl_records_bytes(&w->records) +
        tl_samples_bytes(&w->samples) + tl_search_bytes(w->search) +
        tl_neighbor_list_bytes(&w->list) + tl_neighbor_list_bytes(&w->springs.list) +
        tl_tension_bytes(&w->tension.surface) + tl_tension_bytes(&w->tension.border) +
        tl_shapes_bytes(&w->shapes) + tl_rigids_bytes(&w->rigids) +
        tl_heat_exchange_bytes(&w->heat.exchange) + TL_ARRAYS_BYTES(TL_HEAT_ARRAYS(&w->heat)) +
        tl_exposed_bytes(&w->surface.exposed) + tl_radiation_bytes(&w->surface.radiation) +
        tl_array_bytes(w->surface.parts) + tl_array_bytes(w->surface.warmed) +
        (w->dynamics->bytes ? w->dynamics->bytes(w) : 0);
    for (size_t e = 0; e < w->def.emitter_count; e++)
        bytes += sizeof *w->emitters + w->emitters[e].nozzle.count * sizeof(double[2]);
    return bytes;
}

size_t tl_world_bytes_needed(size_t count, const tl_flow_params *flow, bool with_heat) {
    const double reach = tl_flow_support(flow) * (1 + flow->skin);
    const double neighbors = 4.0 / 3 * TL_PI * reach * reach * reach + TL_LANES;
    /* Fields, records and search are about 300 bytes; walls and spare room come on top. An implicit
     * solve keeps its own pairs with a weight each, and vectors, fits and grids. */
    const bool implicit = flow->scheme != TL_SCHEME_EXPLICIT && flow->scheme != TL_SCHEME_NONE;
    const double tensor = tl_flow_tensors(flow) ? TL_TENSOR * sizeof(float) : 0;
    const double solve = implicit ? 600 + 1.3 * 8 * neighbors : 0;
    const double heat = with_heat ? 350 + 1.3 * 8 * neighbors : 0;
    return (size_t)((double)count * (300 + tensor + solve + heat + 1.3 * 4 * neighbors));
}
