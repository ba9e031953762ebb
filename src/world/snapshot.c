/* What of a world goes into a snapshot: the saved fields and every scalar of the state. Neighbour
 * lists are not saved: they are rebuilt from the places of the last build, which are a field, so
 * that a resumed world sums in the same order and ends with the same bits. */
#include "world/snapshot_check.h"
#include "world/snapshot_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAVED(name, count, whole) {#name, offsetof(tl_world_state, name), count, whole},

/* The state is all doubles; each is saved under the name of its member. */
static const struct scalar {
    const char *name;
    size_t offset, count;
    bool whole; /* counts something */
} scalars[] = {
#define BOOKED(name, unit, doc)  SAVED(name, 1, false)
#define BOOKED3(name, unit, doc) SAVED(name, 3, false)
#define COUNTED(name, unit, doc) SAVED(name, 1, true)
#define KEPT(name, doc)          SAVED(name, 1, false)
#define KEPT3(name, doc)         SAVED(name, 3, false)
#define KEPT_COUNT(name, doc)    SAVED(name, 1, true)
#include "world/books.def"
};

enum { SCALAR_COUNT = sizeof(tl_world_state) / sizeof(double) };

/* The scalars, the temperatures of walls that have a heat capacity, how walls are driven, how far
 * emitters are, how sources burn, and last the fingerprint. */
typedef struct values {
    tl_snapshot_value *value;
    char (*name)[40];
    size_t count;
} values;

static void free_values(values *all) {
    free(all->value);
    free(all->name);
    *all = (values){0};
}

static void add_value(values *all, double number) {
    const char *name = all->name[all->count];
    all->value[all->count++] = (tl_snapshot_value){.name = name, .type = TL_F64, .f64 = number};
}

/* One after the other: "rigid_2_0", "rigid_2_1", ... */
static void add_values(values *all, const char *kind, size_t index, const double *numbers,
                       size_t count) {
    for (size_t s = 0; s < count; s++) {
        snprintf(all->name[all->count], sizeof *all->name, "%s_%zu_%zu", kind, index, s);
        add_value(all, numbers[s]);
    }
}

/* What is counted for measures: structs of doubles. */
enum {
    GATE_VALUES = sizeof(tl_gate) / sizeof(double),
    WALL_VALUES = sizeof(tl_wall_books) / sizeof(double),
    FLAME_VALUES = sizeof(tl_flame) / sizeof(double)
};

/* Sources of a world, as far as they have a state. */
static size_t flame_count(const tl_world *w) { return w->surface.flames ? w->def.source_count : 0; }

static size_t gauge_count(const tl_world *w) {
    return GATE_VALUES * w->def.gate_count +
           (w->gauges.walls ? WALL_VALUES * w->def.wall_count : 0);
}

static void add_gauges(values *out, const tl_world *w) {
    for (size_t k = 0; k < w->def.gate_count; k++)
        add_values(out, "gate", k, (const void *)&w->gauges.gates[k], GATE_VALUES);
    for (size_t k = 0; w->gauges.walls && k < w->def.wall_count; k++)
        add_values(out, "wall", k, (const void *)&w->gauges.walls[k], WALL_VALUES);
}

/* Free with free_values. */
static tl_status collect(const tl_world *w, values *out, tl_error *error) {
    const size_t most = SCALAR_COUNT + w->def.wall_count * (1 + TL_DRIVE_STATE) +
                        w->rigids.count * TL_RIGID_STATE + 2 * w->def.emitter_count +
                        gauge_count(w) + FLAME_VALUES * flame_count(w) + TL_STEERED_STATE +
                        3 * w->def.source_count + 2;
    *out = (values){tl_allocate(most, sizeof *out->value), tl_allocate(most, sizeof *out->name), 0};
    if (!out->value || !out->name) {
        free_values(out);
        return tl_fail_memory(error, most, sizeof *out->value);
    }
    for (size_t s = 0; s < sizeof scalars / sizeof scalars[0]; s++)
        for (size_t k = 0; k < scalars[s].count; k++) {
            double number;
            memcpy(&number, (const char *)&w->state + scalars[s].offset + k * sizeof number,
                   sizeof number);
            snprintf(out->name[out->count], sizeof *out->name,
                     scalars[s].count > 1 ? "%s_%c" : "%s", scalars[s].name, "xyz"[k]);
            add_value(out, number);
        }
    for (size_t k = 0; k < w->def.wall_count; k++) {
        if (!tl_world_wall_warms(w, k))
            continue;
        snprintf(out->name[out->count], sizeof *out->name, "wall_temperature_%zu", k);
        add_value(out, w->heat.walls[k].temperature);
    }
    for (size_t k = 0; k < w->rigids.count; k++) {
        double state[TL_RIGID_STATE];
        tl_rigid_save(&w->rigids.items[k], state);
        add_values(out, "rigid", k, state, TL_RIGID_STATE);
    }
    for (size_t k = 0; k < w->def.wall_count; k++)
        if (w->def.walls[k].has_driven)
            add_values(out, "drive", k, (const void *)&w->shapes.drives[k], TL_DRIVE_STATE);
    for (size_t e = 0; e < w->def.emitter_count; e++) {
        snprintf(out->name[out->count], sizeof *out->name, "emitter_advance_%zu", e);
        add_value(out, w->emitters[e].advance);
        snprintf(out->name[out->count], sizeof *out->name, "emitter_particles_%zu", e);
        add_value(out, w->emitters[e].particles);
    }
    add_gauges(out, w);
    for (size_t s = 0; s < flame_count(w); s++)
        add_values(out, "flame", s, (const void *)&w->surface.flames[s], FLAME_VALUES);
    if (w->handle.body_force >= 0) {
        snprintf(out->name[out->count], sizeof *out->name, "field_work");
        add_value(out, w->field_work);
    }
    if (w->is_steered)
        add_values(out, "steered", 0, (const void *)&w->steered, TL_STEERED_STATE);
    for (size_t k = 0; w->is_steered && k < w->def.source_count; k++)
        add_values(out, "source", k, w->def.sources[k].position, 3);
    out->value[out->count++] =
        (tl_snapshot_value){.name = "fingerprint", .type = TL_U64, .u64 = tl_world_fingerprint(w)};
    return TL_OK;
}

/* Puts the values back where they were collected. */
static void distribute(const values *all, tl_world *w) {
    size_t n = 0;
    for (size_t s = 0; s < sizeof scalars / sizeof scalars[0]; s++)
        for (size_t k = 0; k < scalars[s].count; k++, n++)
            memcpy((char *)&w->state + scalars[s].offset + k * sizeof(double), &all->value[n].f64,
                   sizeof(double));
    for (size_t k = 0; k < w->def.wall_count; k++)
        if (tl_world_wall_warms(w, k))
            w->heat.walls[k].temperature = all->value[n++].f64;
    for (size_t k = 0; k < w->rigids.count; k++) {
        double state[TL_RIGID_STATE];
        for (int s = 0; s < TL_RIGID_STATE; s++)
            state[s] = all->value[n++].f64;
        tl_rigid_load(&w->rigids.items[k], state);
    }
    for (size_t k = 0; k < w->def.wall_count; k++)
        for (size_t s = 0; w->def.walls[k].has_driven && s < TL_DRIVE_STATE; s++)
            ((double *)(void *)&w->shapes.drives[k])[s] = all->value[n++].f64;
    for (size_t e = 0; e < w->def.emitter_count; e++) {
        w->emitters[e].advance = all->value[n++].f64;
        w->emitters[e].particles = all->value[n++].f64;
    }
    for (size_t k = 0; k < GATE_VALUES * w->def.gate_count; k++)
        ((double *)(void *)w->gauges.gates)[k] = all->value[n++].f64;
    for (size_t k = 0; w->gauges.walls && k < WALL_VALUES * w->def.wall_count; k++)
        ((double *)(void *)w->gauges.walls)[k] = all->value[n++].f64;
    for (size_t k = 0; k < FLAME_VALUES * flame_count(w); k++)
        ((double *)(void *)w->surface.flames)[k] = all->value[n++].f64;
    if (w->handle.body_force >= 0)
        w->field_work = all->value[n++].f64;
    for (size_t k = 0; w->is_steered && k < TL_STEERED_STATE; k++)
        ((double *)(void *)&w->steered)[k] = all->value[n++].f64;
    for (size_t k = 0; w->is_steered && k < 3 * w->def.source_count; k++)
        w->own_sources[k / 3].position[k % 3] = all->value[n++].f64;
}

tl_status tl_world_save(const tl_world *world, const char *path, tl_error *error) {
    values all;
    TL_TRY(collect(world, &all, error));
    const tl_status status = tl_snapshot_write(path, &world->fields, all.value, all.count, error);
    free_values(&all);
    return status;
}

static bool is_count(double number) {
    return number >= 0 && number <= 0x1p53 && number == floor(number);
}

/* Turns have the length one. */
static bool is_pose(const double state[TL_RIGID_STATE]) {
    double square = 0;
    for (int s = 0; s < TL_RIGID_STATE; s++) {
        if (!isfinite(state[s]))
            return false;
        square += s >= 3 && s < 7 ? state[s] * state[s] : 0;
    }
    return fabs(square - 1) < 1e-3;
}

static tl_status check_state(const tl_world *w, const char *path, tl_error *error) {
    const double longest = 1e12; /* s */
    bool good = w->state.time >= 0 && w->state.time <= longest && w->state.dt >= 0 &&
                w->state.dt <= longest;
    for (size_t s = 0; s < sizeof scalars / sizeof scalars[0]; s++)
        for (size_t k = 0; k < scalars[s].count; k++) {
            double number;
            memcpy(&number, (const char *)&w->state + scalars[s].offset + k * sizeof number,
                   sizeof number);
            good = good && !isnan(number) && (!scalars[s].whole || is_count(number));
        }
    for (size_t k = 0; k < w->def.wall_count; k++)
        good = good && (!tl_world_wall_warms(w, k) || isfinite(w->heat.walls[k].temperature));
    for (size_t k = 0; k < w->rigids.count; k++) {
        double state[TL_RIGID_STATE];
        tl_rigid_save(&w->rigids.items[k], state);
        good = good && is_pose(state);
    }
    for (size_t k = 0; k < GATE_VALUES * w->def.gate_count; k++)
        good = good && isfinite(((const double *)(const void *)w->gauges.gates)[k]);
    for (size_t k = 0; w->gauges.walls && k < WALL_VALUES * w->def.wall_count; k++)
        good = good && isfinite(((const double *)(const void *)w->gauges.walls)[k]);
    for (size_t s = 0; s < flame_count(w); s++)
        good = good && tl_world_flame_is_good(w, s);
    for (size_t k = 0; k < w->def.wall_count; k++)
        good = good && (!w->def.walls[k].has_driven || tl_world_drive_is_good(w, k));
    good = good && (!w->is_steered || tl_world_steering_is_good(w));
    /* The flow does not advance beyond a layer that is due, but for the rest of a step. */
    for (size_t e = 0; e < w->def.emitter_count; e++)
        good = good && w->emitters[e].advance >= 0 &&
               w->emitters[e].advance <= 2 * w->emitters[e].nozzle.layer &&
               is_count(w->emitters[e].particles);
    return good ? TL_OK
                : tl_fail(error, TL_BAD_INPUT, path, "go on from an older snapshot",
                          "the snapshot is damaged: it has numbers that no run has");
}

static tl_status read_values(tl_world *w, const char *path, values *all, tl_error *error) {
    const uint32_t bodies = w->body_count + w->is_steered; /* what is poured is one more */
    TL_TRY(tl_snapshot_read(path, &w->fields, all->value, all->count, error));
    if (all->value[all->count - 1].u64 != tl_world_fingerprint(w))
        return tl_fail(error, TL_BAD_INPUT, path, "resume with the scene the run was started with",
                       "the snapshot is of another scene");
    TL_TRY(tl_world_check_fields(w, bodies, path, error));
    distribute(all, w);
    return check_state(w, path, error);
}

tl_status tl_world_restore(tl_world *w, const char *path, tl_error *error) {
    values all;
    TL_TRY(collect(w, &all, error));
    const tl_status status = read_values(w, path, &all, error);
    free_values(&all);
    TL_TRY(status);
    TL_TRY(tl_world_resume_steering(w, error));
    tl_world_measure_sizes(w);
    tl_world_place_walls(w, w->state.time, w->state.dt);
    if (w->def.with_heat)
        tl_world_refresh_heat(w);
    TL_TRY(tl_world_rebuild_lists(w, error));
    return w->dynamics->resume ? w->dynamics->resume(w, error) : TL_OK;
}
