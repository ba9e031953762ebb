/* Worlds from scenes: counts the particles, sees that they fit into memory, fills the bodies. */
#include "materials/param_hash.h"
#include "scene/fill.h"
#include "scene/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes for `count` particles while the world is made: the seeds and the overlap search go away. */
static double bytes_for(const tl_scene *scene, double count) {
    if (count > (double)(UINT32_MAX / 2))
        return HUGE_VAL;
    return (double)tl_world_bytes_needed((size_t)count, &scene->flow, scene->has_heat) +
           count * (double)(sizeof(tl_seed) + 3 * sizeof(uint32_t));
}

/* What an emitter gives while the scene lasts, m³. */
static double emitted_volume(const tl_scene *scene, size_t e) {
    const tl_emitter_def *emitter = (const tl_emitter_def *)scene->emitters.items + e;
    const double area = tl_emitter_area(emitter);
    const double volume = area * tl_emitter_way(emitter, area, 0, scene->duration);
    return emitter->has_limit ? fmin(volume, emitter->limit) : volume;
}

static double emitted_count(const tl_scene *scene, double spacing) {
    double count = 0;
    for (size_t e = 0; e < scene->emitters.count; e++)
        count += emitted_volume(scene, e) / pow(spacing, 3);
    return count;
}

double tl_scene_emitted(const tl_scene *scene) { return emitted_count(scene, scene->spacing); }

/* With spacings that are `part` of those of the scene and its bodies. */
static double estimate_count(const tl_scene *scene, double part) {
    const tl_body_def *bodies = scene->bodies.items;
    double count = emitted_count(scene, part * scene->spacing);
    for (size_t i = 0; i < scene->bodies.count; i++)
        count += tl_fill_estimate(&bodies[i], part * tl_body_spacing(scene, &bodies[i]));
    return count;
}

/* Said before anything is filled: a machine that swaps itself to death tells nobody why. */
static tl_status check_memory(const tl_scene *scene, tl_error *error) {
    const double available = (double)tl_available_memory();
    const double count = estimate_count(scene, 1);
    const double needed = bytes_for(scene, count);
    if (needed <= available)
        return TL_OK;
    double part = 1;
    while (bytes_for(scene, estimate_count(scene, part)) > available)
        part *= 1.02;
    const double spacing = part * scene->spacing;
    const double digit = pow(10, floor(log10(spacing)) - 1);
    char fix[160], size[64] = "far more memory";
    if (isfinite(needed))
        snprintf(size, sizeof size, "%.3g GiB of memory", needed / 0x1p30);
    snprintf(fix, sizeof fix, "a spacing of %.2g m would fit", ceil(spacing / digit) * digit);
    return tl_fail(error, TL_NO_MEMORY, NULL, fix,
                   "%.3g particles need %s; this machine has %.3g GiB free", count, size,
                   available / 0x1p30);
}

/* Places of a lattice, times limbs, that are looked at to fill a figure: some 10 s. */
static const double most_looks = 1e9;

/* Limbs that are far apart have a box around them that is mostly empty. */
static tl_status check_figures(const tl_scene *scene, tl_error *error) {
    const tl_body_def *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        if (!bodies[i].has_limbs)
            continue;
        const tl_box_def box = tl_body_bounds(&bodies[i]);
        double places = 1;
        for (int k = 0; k < 3; k++)
            places *= (box.to[k] - box.from[k]) / tl_body_spacing(scene, &bodies[i]) + 2;
        if (places * (double)bodies[i].limbs.count > most_looks)
            return tl_fail(error, TL_BAD_INPUT, bodies[i].name,
                           "make several bodies of it, or the spacing larger",
                           "the box around the limbs of body \"%.60s\" has room for %.3g particles",
                           bodies[i].name, places);
    }
    return TL_OK;
}

/* The sizes that particles may have, where they differ. What comes from emitters has the spacing.
 */
static void set_sizes(const tl_scene *scene, tl_world_def *def) {
    if (!tl_scene_sizes_differ(scene))
        return;
    def->least_size = def->most_size = def->spacing;
    for (size_t i = 0; i < def->seed_count; i++) {
        def->least_size = fmin(def->least_size, def->seeds[i].size);
        def->most_size = fmax(def->most_size, fmax(def->seeds[i].size, def->seeds[i].whole));
    }
    if (def->refine_count > 0)
        def->least_size =
            fmin(def->least_size, tl_scene_least_spacing(scene) *
                                      exp2(-tl_refine_most(def->refine, def->refine_count) / 3.0));
}

static void set_period(tl_world_def *def, const tl_periodic_def *periodic) {
    const bool along[3] = {periodic->x, periodic->y, periodic->z};
    for (int k = 0; k < 3; k++)
        if (along[k]) {
            def->period_from[k] = periodic->box.from[k];
            def->period_to[k] = periodic->box.to[k];
        }
}

/* What must be counted from step to step for measures. */
static void set_gauges(tl_world_def *def, const tl_scene *scene, tl_gate_def gates[TL_MOST_GATES]) {
    const tl_measure_def *measures = scene->measures.items;
    def->gates = gates;
    for (size_t i = 0; i < scene->measures.count; i++) {
        const tl_probe_plane_def *plane = &measures[i].plane;
        def->books_walls = def->books_walls || measures[i].kind == TL_MEASURE_WALL;
        if (measures[i].kind == TL_MEASURE_PLANE)
            gates[def->gate_count++] =
                (tl_gate_def){.through = tl_vec3_of(plane->through),
                              .normal = tl_vec3_unit(tl_vec3_of(plane->normal)),
                              .radius = plane->radius};
    }
}

uint64_t tl_scene_hash(const tl_scene *scene) { return tl_param_hash(0, &tl_scene_table, scene); }

/* The world hashes the flow, with the scheme that it takes: one that was chosen and one that was
 * asked for make the same run. */
static uint64_t hash_of(const tl_scene *scene) {
    tl_scene bare = *scene;
    bare.flow = (tl_flow_params){0};
    return tl_param_hash(0, &tl_scene_table, &bare);
}

/* The definition but for seeds, and gates, which are made in `gates`. */
static tl_world_def define(const tl_scene *scene, tl_gate_def gates[TL_MOST_GATES]) {
    tl_world_def def = {
        .scene = hash_of(scene),
        .asked_flow = tl_param_hash(0, &tl_flow_table, &scene->flow),
        .spacing = scene->spacing,
        .duration = scene->duration,
        .stop_every = 1 / scene->frame_rate,
        .gravity = {scene->gravity[0], scene->gravity[1], scene->gravity[2]},
        .flow = scene->flow,
        .cohesive = scene->cohesive,
        .thermal_particles = scene->dynamics == TL_DYNAMICS_COHESIVE,
        .heat = scene->heat,
        .with_heat = scene->has_heat,
        .sources = scene->sources.items,
        .source_count = scene->sources.count,
        .materials = scene->materials.items,
        .material_count = scene->materials.count,
        .interfaces = scene->interfaces.items,
        .interface_count = scene->interfaces.count,
        .walls = scene->walls.items,
        .wall_count = scene->walls.count,
        .rigids = scene->rigids,
        .rigid_count = scene->rigid_count,
        .emitters = scene->emitters.items,
        .emitter_count = scene->emitters.count,
        .drains = scene->drains.items,
        .drain_count = scene->drains.count,
    };
    if (scene->has_resample)
        def.resample = scene->resample;
    if (scene->has_periodic)
        set_period(&def, &scene->periodic);
    set_gauges(&def, scene, gates);
    return def;
}

tl_status tl_world_create(const tl_scene *scene, const tl_world_options *options, tl_world **out,
                          tl_error *error) {
    *out = NULL;
    tl_seed *seeds;
    tl_gate_def gates[TL_MOST_GATES];
    tl_world_def def = define(scene, gates);
    TL_TRY(check_memory(scene, error));
    TL_TRY(check_figures(scene, error));
    const tl_parallel parallel = tl_parallel_create(options ? options->threads : 0);
    TL_TRY(tl_scene_seed(scene, &parallel, &seeds, &def.seed_count, error));
    def.seeds = seeds;
    if (tl_scene_refines(scene)) {
        def.refine = scene->refine.items;
        def.refine_count = scene->refine.count;
    }
    set_sizes(scene, &def);
    const tl_status status = tl_world_make(&def, options, out, error);
    free(seeds);
    return status;
}

tl_status tl_world_adopt(tl_world *world, const tl_scene *scene, tl_error *error) {
    tl_gate_def gates[TL_MOST_GATES];
    const tl_world_def def = define(scene, gates);
    return tl_world_take_live(world, &def, error);
}

tl_status tl_world_load(const tl_scene *scene, const tl_world_options *options, const char *path,
                        tl_world **out, tl_error *error) {
    *out = NULL;
    tl_world *world;
    TL_TRY(tl_world_create(scene, options, &world, error));
    const tl_status status = tl_world_restore(world, path, error);
    if (status != TL_OK) {
        tl_world_destroy(world);
        return status;
    }
    *out = world;
    return TL_OK;
}
