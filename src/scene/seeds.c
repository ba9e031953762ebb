/* The particles of a whole scene. See fill.h. */
#include "base/random.h"
#include "scene/fill.h"
#include "scene/overlap.h"
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

static double temperature_at(const tl_body_def *body, const tl_box_def *bounds,
                             const double place[3]) {
    const tl_temperature_def *t = &body->temperature;
    if (t->along == 0)
        return t->value;
    const int k = t->along - 1;
    const double part = (place[k] - bounds->from[k]) / (bounds->to[k] - bounds->from[k]);
    return t->from + (t->to - t->from) * fmin(fmax(part, 0), 1);
}

static void fill_one(const tl_scene *scene, size_t index, tl_seed *seeds, size_t count) {
    const tl_body_def *body = (const tl_body_def *)scene->bodies.items + index;
    const uint32_t material = find_material(scene, body->material);
    tl_fill_body(body, scene->spacing, tl_random_bits((uint64_t)scene->seed, index), seeds);
    const tl_box_def bounds = tl_body_bounds(body);
    for (size_t i = 0; i < count; i++) {
        seeds[i].temperature = (float)temperature_at(body, &bounds, seeds[i].position);
        memcpy(seeds[i].velocity, body->velocity, sizeof body->velocity);
        seeds[i].material = material;
        seeds[i].body = (uint32_t)index;
    }
}

tl_status tl_scene_seed(const tl_scene *scene, tl_seed **seeds, size_t *count, tl_error *error) {
    const tl_body_def *bodies = scene->bodies.items;
    const size_t body_count = scene->bodies.count;
    size_t total = 0;
    double estimate = 0;
    for (size_t i = 0; i < body_count; i++)
        estimate += tl_fill_estimate(&bodies[i], scene->spacing);
    if (estimate > 4e9)
        return tl_fail(error, TL_BAD_INPUT, NULL, "use a larger spacing",
                       "%.3g particles are more than can be counted", estimate);
    size_t *counts = tl_allocate(body_count, sizeof *counts);
    if (!counts)
        return tl_fail_memory(error, body_count, sizeof *counts);
    for (size_t i = 0; i < body_count; i++)
        total += counts[i] = tl_fill_count(&bodies[i], scene->spacing);
    tl_seed *made = tl_allocate(total, sizeof *made);
    if (!made) {
        free(counts);
        return tl_fail_memory(error, total, sizeof *made);
    }
    for (size_t i = 0, done = 0; i < body_count; done += counts[i++])
        fill_one(scene, i, made + done, counts[i]);
    free(counts);
    const tl_status status = tl_seeds_check(scene, made, total, error);
    if (status != TL_OK) {
        free(made);
        return status;
    }
    *seeds = made;
    *count = total;
    return TL_OK;
}
