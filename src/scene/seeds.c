/* The particles of a whole scene. See fill.h. */
#include "base/random.h"
#include "scene/fill.h"
#include "scene/fill_form.h"
#include "scene/overlap.h"
#include "scene/refine.h"
#include "scene/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t find_material(const tl_scene *scene, const char *name) {
    const tl_material *materials = scene->materials.items;
    uint32_t m = 0;
    while (strcmp(materials[m].name, name) != 0) /* the scene was checked: it is there */
        m++;
    return m;
}

/* The colour of the surface nearest to a place: of its corners, by their parts of the triangle. */
static double colour_at(const tl_body_def *body, const tl_box_def *bounds, tl_vec3 x, int channel) {
    tl_nearest nearest;
    const double reach =
        tl_vec3_length(tl_vec3_sub(tl_vec3_of(bounds->to), tl_vec3_of(bounds->from)));
    if (!tl_solid_nearest(body->solid, x, reach, &nearest))
        return 0;
    tl_vec3 v[3];
    for (int k = 0; k < 3; k++)
        v[k] = tl_vec3_sub(tl_mesh_corner(&body->mesh, nearest.triangle, k), nearest.point);
    double sum = 0, all = 0;
    for (int k = 0; k < 3; k++) {
        const double part = tl_vec3_length(tl_vec3_cross(v[(k + 1) % 3], v[(k + 2) % 3]));
        const uint32_t corner = body->mesh.triangles[nearest.triangle][k];
        sum += part * (double)body->mesh.colours[corner][channel];
        all += part;
    }
    return all > 0 ? sum / all : 0;
}

/* What a source sheds on a place at the start, but for a factor; 1 without a source. */
static double light_at(const tl_temperature_def *t, const double place[3]) {
    if (!t->heater)
        return 1;
    const tl_vec3 way = tl_vec3_sub(tl_vec3_of(place), tl_source_place(t->heater, 0));
    return tl_source_fall_off(t->heater, fmax(tl_vec3_length(way), 1e-9));
}

/* `brightest` is the most light that a particle of the body gets from its source. */
static double temperature_at(const tl_body_def *body, const tl_box_def *bounds,
                             const double place[3], double brightest) {
    const tl_temperature_def *t = &body->temperature;
    if (t->heater)
        return t->to + (brightest > 0 ? (t->from - t->to) * light_at(t, place) / brightest : 0);
    if (t->has_value)
        return t->value;
    if (t->has_radius) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double middle = (bounds->from[k] + bounds->to[k]) / 2;
            const double away = place[k] - (t->has_center ? t->center[k] : middle);
            square += away * away;
        }
        return t->from + (t->to - t->from) * fmin(sqrt(square) / t->radius, 1);
    }
    if (t->colour)
        return t->from +
               (t->to - t->from) * colour_at(body, bounds, tl_vec3_of(place), t->colour - 1);
    const int k = t->along - 1;
    const double part = (place[k] - bounds->from[k]) / (bounds->to[k] - bounds->from[k]);
    return t->from + (t->to - t->from) * fmin(fmax(part, 0), 1);
}

/* The particles of one body; some are found before they can be counted. */
typedef struct filling {
    tl_places places;
    size_t count;
} filling;

static tl_status count_body(const tl_scene *scene, const tl_parallel *parallel, size_t index,
                            filling *f, tl_error *error) {
    const tl_body_def *body = (const tl_body_def *)scene->bodies.items + index;
    if (tl_fills_places(body)) {
        TL_TRY(tl_fill_places(body, tl_body_spacing(scene, body),
                              tl_random_bits((uint64_t)scene->seed, index), parallel, &f->places,
                              error));
        f->count = f->places.count;
    } else {
        f->count = tl_fill_count(body, tl_body_spacing(scene, body));
    }
    return TL_OK;
}

/* Velocity of a body that moves and turns. */
static void set_velocity(const tl_body_def *body, const tl_box_def *bounds, tl_seed *seed) {
    const tl_vec3 middle =
        tl_vec3_scale(tl_vec3_add(tl_vec3_of(bounds->from), tl_vec3_of(bounds->to)), 0.5);
    const tl_vec3 arm = tl_vec3_sub(tl_vec3_of(seed->position), middle);
    const tl_vec3 turn = tl_vec3_cross(tl_vec3_of(body->spin), arm);
    const double own[3] = {turn.x, turn.y, turn.z};
    for (int k = 0; k < 3; k++)
        seed->velocity[k] = body->velocity[k] + own[k];
}

static void fill_one(const tl_scene *scene, size_t index, const filling *f, tl_seed *seeds) {
    const tl_body_def *body = (const tl_body_def *)scene->bodies.items + index;
    const uint32_t material = find_material(scene, body->material);
    for (size_t i = 0; i < f->places.count; i++) {
        const tl_vec3 x = f->places.items[i];
        memcpy(seeds[i].position, (const double[3]){x.x, x.y, x.z}, sizeof seeds[i].position);
    }
    if (!f->places.items)
        tl_fill_body(body, tl_body_spacing(scene, body),
                     tl_random_bits((uint64_t)scene->seed, index), seeds);
    const tl_box_def bounds = tl_body_bounds(body);
    double brightest = 0;
    for (size_t i = 0; i < f->count; i++)
        brightest = fmax(brightest, light_at(&body->temperature, seeds[i].position));
    for (size_t i = 0; i < f->count; i++) {
        seeds[i].temperature = (float)temperature_at(body, &bounds, seeds[i].position, brightest);
        set_velocity(body, &bounds, &seeds[i]);
        seeds[i].material = material;
        seeds[i].size = tl_body_spacing(scene, body);
        seeds[i].body = (uint32_t)index;
    }
}

static tl_status fill_all(const tl_scene *scene, const tl_parallel *parallel, filling *fillings,
                          tl_seed **seeds, size_t *count, tl_error *error) {
    size_t total = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        TL_TRY(count_body(scene, parallel, i, &fillings[i], error));
        total += fillings[i].count;
    }
    *seeds = tl_allocate(total, sizeof **seeds);
    if (!*seeds)
        return tl_fail_memory(error, total, sizeof **seeds);
    for (size_t i = 0, done = 0; i < scene->bodies.count; done += fillings[i++].count)
        fill_one(scene, i, &fillings[i], *seeds + done);
    *count = total;
    return tl_seeds_check(scene, *seeds, total, error);
}

tl_status tl_scene_seed(const tl_scene *scene, const tl_parallel *parallel, tl_seed **seeds,
                        size_t *count, tl_error *error) {
    const tl_body_def *bodies = scene->bodies.items;
    const size_t body_count = scene->bodies.count;
    double estimate = 0;
    for (size_t i = 0; i < body_count; i++)
        estimate += tl_fill_estimate(&bodies[i], tl_body_spacing(scene, &bodies[i]));
    if (estimate > 4e9)
        return tl_fail(error, TL_BAD_INPUT, NULL, "use a larger spacing",
                       "%.3g particles are more than can be counted", estimate);
    filling *fillings = tl_allocate(body_count, sizeof *fillings);
    if (!fillings)
        return tl_fail_memory(error, body_count, sizeof *fillings);
    tl_seed *made = NULL;
    tl_status status = fill_all(scene, parallel, fillings, &made, count, error);
    if (status == TL_OK)
        status = tl_seeds_refine(scene, &made, count, error);
    for (size_t i = 0; i < body_count; i++)
        tl_array_free(fillings[i].places.items);
    free(fillings);
    if (status != TL_OK)
        free(made);
    else
        *seeds = made;
    return status;
}
