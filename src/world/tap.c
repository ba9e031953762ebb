/* A tap that is held in a hand, in a steered world. As from an emitter (emit.c) a layer comes out
 * when the flow has advanced by its thickness, but it is free at once, and may come out anywhere:
 * each particle of it only where no other is too near and no wall. What is in the way loses no flow
 * that is made good later. */
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The flow advances by no more than this part of a layer in a step. */
static const double longest_advance = 0.5;

/* Nobody is born nearer than this to another particle, or to a wall; in spacings. In the middle of
 * a cell of a lattice its corners are 0.87 away. */
static const double least_distance = 0.88, wall_distance = 0.4;

/* Its mouth is no farther from the middle of the world, in spacings; and no faster, m/s. */
static const double farthest = 1e5, fastest = 1e3;

/* °C */
static const double coldest = -273.15, hottest = 1e5;

/* ---- What is told ------------------------------------------------------------------------------
 */

bool tl_world_may_pour(const tl_world *w, size_t material) {
    return w->is_steered && w->dynamics->flows && w->flows[material];
}

/* The number of a material that may be poured; material_count: there is none. */
static size_t find_material(const tl_world *w, const char *name) {
    char number[24];
    for (size_t m = 0; m < w->def.material_count; m++) {
        snprintf(number, sizeof number, "%zu", m);
        if (tl_world_may_pour(w, m) &&
            (strcmp(w->def.materials[m].name, name) == 0 || strcmp(number, name) == 0))
            return m;
    }
    return w->def.material_count;
}

static tl_status check_world(const tl_world *w, tl_error *error) {
    if (!w->is_steered)
        return tl_fail(error, TL_BAD_INPUT, "world",
                       "set steered in the options when the world is made",
                       "nothing is poured into this world");
    return w->dynamics->flows ? TL_OK
                              : tl_fail(error, TL_BAD_INPUT, "pour", "let the matter flow",
                                        "only matter that flows can be poured");
}

/* The numbers of a tap that may be. */
static bool is_in_range(const tl_world *w, const tl_tap *tap) {
    const tl_vec3 middle = {w->origin.x, w->origin.y, w->origin.z};
    const tl_vec3 way = tl_vec3_sub(tl_vec3_of(tap->place), middle);
    const double speed = tl_vec3_length(tl_vec3_of(tap->velocity));
    return tl_vec3_length(way) <= farthest * w->def.spacing && speed > 0 && speed <= fastest &&
           tap->radius >= w->def.spacing * (1 - 1e-6) && tap->radius <= farthest * w->def.spacing &&
           tap->temperature >= coldest && tap->temperature <= hottest;
}

static tl_status check_stream(const tl_world *w, const tl_stream *s, const tl_tap *tap,
                              tl_error *error) {
    if (tap->material == (double)w->def.material_count)
        return tl_fail(error, TL_BAD_INPUT, "pour", "name one that flows in the scene",
                       "there is no \"%.60s\" to be poured", s->material);
    if (!is_in_range(w, tap))
        return tl_fail(error, TL_BAD_INPUT, "pour",
                       "give a place in the world, a speed above zero, a radius of a spacing or "
                       "more, and a temperature",
                       "a stream at (%g, %g, %g) m, %g m wide, at %g m/s and %g °C", s->place[0],
                       s->place[1], s->place[2], 2 * s->radius,
                       tl_vec3_length(tl_vec3_of(s->velocity)), s->temperature);
    return TL_OK;
}

/* The mouth is that of an emitter, with its rings of places. */
static tl_status make_nozzle(const tl_world *w, const tl_tap *tap, tl_nozzle *out,
                             tl_error *error) {
    tl_emitter_def mouth = {.has_disc = true, .disc = {.radius = tap->radius}};
    memcpy(mouth.disc.center, tap->place, sizeof mouth.disc.center);
    memcpy(mouth.disc.direction, tap->velocity, sizeof mouth.disc.direction);
    return tl_nozzle_make(&mouth, w->def.spacing, out, error);
}

tl_status tl_world_pour(tl_world *w, const tl_stream *s, tl_error *error) {
    tl_nozzle nozzle;
    TL_TRY(check_world(w, error));
    tl_tap tap = {.open = 1,
                  .radius = s->radius,
                  .temperature = s->temperature,
                  .material = (double)find_material(w, s->material),
                  .most = (double)s->most,
                  .advance = w->steered.tap.advance};
    memcpy(tap.place, s->place, sizeof tap.place);
    memcpy(tap.velocity, s->velocity, sizeof tap.velocity);
    TL_TRY(check_stream(w, s, &tap, error));
    TL_TRY(make_nozzle(w, &tap, &nozzle, error));
    tap.advance = fmin(tap.advance, nozzle.layer);
    tl_nozzle_free(&w->tap);
    w->tap = nozzle;
    w->steered.tap = tap;
    if (w->pouring == TL_POURING_NOTHING)
        w->pouring = TL_POURING;
    return TL_OK;
}

void tl_world_stop_pouring(tl_world *w) {
    w->steered.tap = (tl_tap){0};
    w->pouring = TL_POURING_NOTHING;
}

tl_pouring tl_world_pouring(const tl_world *w) { return w->pouring; }

/* ---- Steps -------------------------------------------------------------------------------------
 */

static bool is_open(const tl_world *w) { return w->is_steered && w->steered.tap.open > 0; }

static double speed_of(const tl_tap *tap) { return tl_vec3_length(tl_vec3_of(tap->velocity)); }

double tl_world_tap_step_size(const tl_world *w) {
    return is_open(w) ? longest_advance * w->tap.layer / speed_of(&w->steered.tap) : HUGE_VAL;
}

static bool is_in_wall(const tl_world *w, tl_vec3 x) {
    tl_vec3 normal;
    for (size_t s = 0; s < w->shapes.count; s++)
        if (tl_shape_distance(&w->shapes.items[s], x, &normal) < wall_distance * w->def.spacing)
            return true;
    return false;
}

/* The places of the next layer, at a depth, that are free: marks those, and returns how many. */
static size_t find_free(const tl_world *w, double depth, bool *is_free) {
    const tl_nozzle *nozzle = &w->tap;
    const double least = least_distance * w->def.spacing;
    const tl_vec3 middle = tl_vec3_mad(nozzle->center, depth, nozzle->direction);
    size_t count = 0;
    for (size_t s = 0; s < nozzle->count; s++)
        is_free[s] = !is_in_wall(w, tl_nozzle_place(nozzle, 0, depth, s));
    for (size_t i = 0; i < w->fields.count; i++) {
        const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * i);
        if (fabs(tl_nozzle_depth(nozzle, 0, x) - depth) >= least ||
            tl_vec3_length(tl_vec3_sub(x, middle)) >= nozzle->reach + least)
            continue;
        for (size_t s = 0; s < nozzle->count; s++)
            is_free[s] =
                is_free[s] &&
                tl_vec3_length(tl_vec3_sub(x, tl_nozzle_place(nozzle, 0, depth, s))) >= least;
    }
    for (size_t s = 0; s < nozzle->count; s++)
        count += is_free[s];
    return count;
}

static tl_status add_layer(tl_world *w, double depth, const bool *is_free, size_t count,
                           tl_error *error) {
    const tl_tap *tap = &w->steered.tap;
    const tl_newborn born = {.velocity = tap->velocity,
                             .temperature = tap->temperature,
                             .material = (uint32_t)tap->material,
                             .body = w->body_count};
    size_t i = w->fields.count;
    TL_TRY(tl_fields_resize(&w->fields, i + count, error));
    for (size_t s = 0; s < w->tap.count; s++) {
        if (!is_free[s])
            continue;
        const tl_vec3 place = tl_nozzle_place(&w->tap, 0, depth, s);
        double *x = tl_position(w) + 3 * i;
        x[0] = place.x, x[1] = place.y, x[2] = place.z;
        tl_world_bear(w, i++, &born);
    }
    return TL_OK;
}

tl_status tl_world_run_tap(tl_world *w, double dt, tl_error *error) {
    tl_tap *tap = &w->steered.tap;
    if (!is_open(w))
        return TL_OK;
    tap->advance = fmin(tap->advance + dt * speed_of(tap), 2 * w->tap.layer);
    if (tap->advance < w->tap.layer)
        return TL_OK;
    tap->advance -= w->tap.layer;
    const double depth = tap->advance + 0.5 * w->tap.layer;
    bool *is_free = tl_allocate(w->tap.count, sizeof *is_free);
    if (!is_free)
        return tl_fail_memory(error, w->tap.count, sizeof *is_free);
    const size_t count = find_free(w, depth, is_free);
    const bool full = (double)(w->fields.count + count) > tap->most;
    tl_status status = TL_OK;
    if (!full && count > 0)
        status = add_layer(w, depth, is_free, count, error);
    free(is_free);
    w->pouring = full ? TL_POURING_FULL : count < w->tap.count ? TL_POURING_BLOCKED : TL_POURING;
    return status != TL_OK || full || count == 0 ? status : tl_world_matter_changed(w, error);
}

/* ---- Going on ----------------------------------------------------------------------------------
 */

bool tl_world_tap_is_good(const tl_world *w) {
    const tl_tap *tap = &w->steered.tap;
    if (tap->open == 0)
        return true;
    return tap->open == 1 && is_in_range(w, tap) && tap->material >= 0 &&
           tap->material < (double)w->def.material_count && tap->material == floor(tap->material) &&
           tap->most >= 0 && tap->advance >= 0 &&
           tap->advance <= 2 * tap->radius + 2 * w->def.spacing;
}

tl_status tl_world_resume_tap(tl_world *w, tl_error *error) {
    tl_nozzle_free(&w->tap);
    w->tap = (tl_nozzle){0};
    w->pouring = is_open(w) ? TL_POURING : TL_POURING_NOTHING;
    return is_open(w) ? make_nozzle(w, &w->steered.tap, &w->tap, error) : TL_OK;
}
