/* What a program changes while a world runs, besides walls (drive.c) and hands (hand.c): live
 * parameters, gravity, and where heat sources are. */
#include "base/memory.h"
#include "base/text.h"
#include "materials/param_live.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* m/s²: gravity is no stronger. */
static const double strongest = 1e5;

/* m: sources are no farther. */
static const double farthest = 1e6;

/* ---- A world's own definition ------------------------------------------------------------------
 */

static void *copy(const void *items, size_t count, size_t size) {
    void *own = tl_allocate(count, size);
    if (own && count > 0)
        memcpy(own, items, count * size);
    return own;
}

tl_status tl_world_begin_steering(tl_world *w, tl_error *error) {
    tl_world_def *def = &w->def;
    w->own_materials = copy(def->materials, def->material_count, sizeof *def->materials);
    w->own_walls = copy(def->walls, def->wall_count, sizeof *def->walls);
    w->own_sources = copy(def->sources, def->source_count, sizeof *def->sources);
    w->own_emitters = copy(def->emitters, def->emitter_count, sizeof *def->emitters);
    w->flows = tl_allocate(def->material_count, sizeof *w->flows);
    if (!w->own_materials || !w->own_walls || !w->own_sources || !w->own_emitters || !w->flows)
        return tl_fail_memory(error, def->wall_count + def->source_count, sizeof *def->walls);
    for (size_t m = 0; m < def->material_count; m++)
        w->flows[m] = tl_world_def_flows(def, m);
    def->materials = w->own_materials;
    def->walls = w->own_walls;
    def->sources = w->own_sources;
    def->emitters = w->own_emitters;
    memcpy(w->steered.gravity, def->gravity, sizeof def->gravity);
    return TL_OK;
}

void tl_world_free_steering(tl_world *w) {
    free(w->own_materials);
    free(w->own_walls);
    free(w->own_sources);
    free(w->own_emitters);
    free(w->flows);
    tl_nozzle_free(&w->tap);
}

/* ---- Live parameters ---------------------------------------------------------------------------
 */

static tl_status check_live(const tl_world *w, const tl_world_def *def, tl_error *error) {
    bool differs = def->scene != w->def.scene || def->asked_flow != w->def.asked_flow ||
                   def->with_heat != w->def.with_heat ||
                   tl_world_wants_surface(def) != w->surface.wanted;
    for (size_t k = 0; !differs && k < def->wall_count; k++)
        differs = w->def.walls[k].heat_capacity > 0 &&
                  w->def.walls[k].has_temperature != def->walls[k].has_temperature;
    if (differs)
        return tl_fail(error, TL_BAD_INPUT, "scene",
                       "change what `tallow describe` marks as live, and start anew for the rest",
                       "the change is of something that has to stay as it is while a world runs");
    return TL_OK;
}

static void take_walls(tl_world *w, const tl_world_def *def) {
    for (size_t k = 0; k < def->wall_count; k++) {
        tl_param_take_live(&tl_wall_table, &w->own_walls[k], &def->walls[k]);
        if (!w->def.with_heat)
            continue;
        tl_heat_wall *heat = &w->heat.walls[k];
        const tl_wall_def *wall = &w->own_walls[k];
        heat->open = wall->has_temperature;
        heat->conductance = wall->conductance;
        if (!(heat->capacity > 0))
            heat->temperature = tl_schedule_at(&wall->temperature, w->state.time);
    }
    for (size_t s = 0; s < w->shapes.count; s++) {
        tl_shape *shape = &w->shapes.items[s];
        const tl_wall_def *wall = &w->own_walls[shape->wall];
        shape->stickiness = wall->has_stickiness ? wall->stickiness : HUGE_VAL;
    }
}

/* Light is shared among sources by their powers. */
static void take_sources(tl_world *w, const tl_world_def *def) {
    for (size_t k = 0; k < def->source_count; k++) {
        const uint64_t before = tl_schedule_hash(0, &w->own_sources[k].power);
        tl_param_take_live(&tl_source_table, &w->own_sources[k], &def->sources[k]);
        if (tl_schedule_hash(0, &w->own_sources[k].power) != before)
            w->state.surface_time = -1;
    }
}

tl_status tl_world_take_live(tl_world *w, const tl_world_def *def, tl_error *error) {
    TL_TRY(check_live(w, def, error));
    for (size_t m = 0; w->def.with_heat && m < def->material_count; m++)
        TL_TRY(tl_caloric_make(&def->materials[m], &w->heat.calorics[m], error));
    tl_param_take_live(&tl_flow_table, &w->def.flow, &def->flow);
    tl_param_take_live(&tl_heat_table, &w->def.heat, &def->heat);
    for (size_t m = 0; m < def->material_count; m++) {
        tl_param_take_live(&tl_material_table, &w->own_materials[m], &def->materials[m]);
        tl_param_take_live(&tl_material_table, &w->materials[m], &def->materials[m]);
    }
    take_walls(w, def);
    take_sources(w, def);
    for (size_t e = 0; e < def->emitter_count; e++)
        tl_param_take_live(&tl_emitter_table, &w->own_emitters[e], &def->emitters[e]);
    return TL_OK;
}

/* ---- Gravity and sources -----------------------------------------------------------------------
 */

static tl_status check_steered(const tl_world *w, tl_error *error) {
    return w->is_steered ? TL_OK
                         : tl_fail(error, TL_BAD_INPUT, "world",
                                   "set steered in the options when the world is made",
                                   "the world is not to be steered");
}

static double potential_of(const tl_world *w) {
    tl_ledger books = {0};
    tl_world_add_energies(w, &books);
    return books.potential_energy;
}

tl_status tl_world_set_gravity(tl_world *w, const double gravity[3], tl_error *error) {
    TL_TRY(check_steered(w, error));
    if (!(tl_vec3_length(tl_vec3_of(gravity)) <= strongest))
        return tl_fail(error, TL_BAD_INPUT, "gravity", "give three numbers in m/s²",
                       "gravity of %g m/s² is too strong", tl_vec3_length(tl_vec3_of(gravity)));
    const double before = potential_of(w);
    memcpy(w->steered.gravity, gravity, sizeof w->steered.gravity);
    memcpy(w->def.gravity, gravity, sizeof w->def.gravity);
    const double gained = potential_of(w) - before;
    w->state.initial_energy += gained;
    w->state.initial_potential += gained;
    return TL_OK;
}

void tl_world_gravity(const tl_world *w, double out[3]) {
    memcpy(out, w->def.gravity, sizeof w->def.gravity);
}

/* The index of a source; source_count: there is none. */
static size_t find_source(const tl_world *w, const char *name) {
    char number[24];
    for (size_t s = 0; s < w->def.source_count; s++) {
        snprintf(number, sizeof number, "%zu", s);
        if ((w->def.sources[s].name && strcmp(w->def.sources[s].name, name) == 0) ||
            strcmp(number, name) == 0)
            return s;
    }
    return w->def.source_count;
}

tl_status tl_world_place_source(tl_world *w, const char *name, const double place[3],
                                tl_error *error) {
    TL_TRY(check_steered(w, error));
    const size_t s = find_source(w, name);
    if (s == w->def.source_count)
        return tl_fail(error, TL_BAD_INPUT, "sources", "name one of the scene, or its number",
                       "there is no source \"%.60s\"", name);
    if (w->def.sources[s].has_wick)
        return tl_fail(error, TL_BAD_INPUT, "sources", "place one that has no wick",
                       "source \"%.60s\" sits on its wick", name);
    if (!(tl_vec3_length(tl_vec3_of(place)) <= farthest))
        return tl_fail(error, TL_BAD_INPUT, "sources", "give a place in m",
                       "a source is to be at (%g, %g, %g) m", place[0], place[1], place[2]);
    tl_source_def *source = &w->own_sources[s];
    for (int k = 0; k < 3; k++)
        source->position[k] = place[k] - w->state.time * source->velocity[k];
    w->state.surface_time = -1;
    return TL_OK;
}

/* ---- Going on ----------------------------------------------------------------------------------
 */

bool tl_world_steering_is_good(const tl_world *w) {
    const tl_steered *s = &w->steered;
    bool good = tl_vec3_length(tl_vec3_of(s->gravity)) <= strongest &&
                (s->holds == 0 || s->holds == 1) && s->strength >= 0 && isfinite(s->strength) &&
                tl_vec3_finite(tl_vec3_of(s->place)) && tl_world_tap_is_good(w);
    for (size_t k = 0; k < w->def.source_count; k++)
        good = good && tl_vec3_finite(tl_vec3_of(w->def.sources[k].position));
    return good;
}

tl_status tl_world_resume_steering(tl_world *w, tl_error *error) {
    if (!w->is_steered)
        return TL_OK;
    memcpy(w->def.gravity, w->steered.gravity, sizeof w->def.gravity);
    return tl_world_resume_tap(w, error);
}
