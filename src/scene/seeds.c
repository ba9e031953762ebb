/* The particles of a whole scene. See fill.h. */
#include "base/random.h"
#include "scene/fill.h"
#include "scene/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seeds in cells of one spacing: chains through `next`, found by a hash of the cell. Cells that
 * share a slot share a chain, which distances sort out. */
typedef struct cells {
    uint32_t *first, *next; /* index + 1; 0 ends a chain */
    size_t mask;
    double size;
} cells;

static size_t cell_slot(const cells *c, const int64_t cell[3]) {
    uint64_t h = (uint64_t)cell[0] * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29)) + (uint64_t)cell[1] * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 31)) + (uint64_t)cell[2] * 0x94D049BB133111EBu;
    return (size_t)(h ^ (h >> 32)) & c->mask;
}

static void find_cell(const cells *c, const double x[3], double shift, int64_t cell[3]) {
    for (int k = 0; k < 3; k++)
        cell[k] = (int64_t)floor(x[k] / c->size + shift);
}

/* A seed of another body closer than half a cell, or -1. The half cell around x touches two cells
 * along each axis. */
static int64_t find_close(const cells *c, const tl_seed *seeds, const tl_seed *at) {
    int64_t low[3], cell[3];
    find_cell(c, at->position, -0.5, low);
    const double limit = c->size * c->size / 4 * (1 - 1e-9);
    for (int corner = 0; corner < 8; corner++) {
        for (int k = 0; k < 3; k++)
            cell[k] = low[k] + (corner >> k & 1);
        for (uint32_t i = c->first[cell_slot(c, cell)]; i; i = c->next[i - 1]) {
            const tl_seed *other = &seeds[i - 1];
            if (other->body == at->body)
                continue;
            const tl_vec3 d = tl_vec3_sub(tl_vec3_of(at->position), tl_vec3_of(other->position));
            if (tl_vec3_dot(d, d) < limit)
                return i - 1;
        }
    }
    return -1;
}

static tl_status make_cells(cells *c, size_t count, double spacing, tl_error *error) {
    size_t slots = 1024;
    while (slots < count)
        slots *= 2;
    c->first = tl_allocate(slots, sizeof *c->first);
    c->next = tl_allocate(count, sizeof *c->next);
    c->mask = slots - 1;
    c->size = spacing;
    return c->first && c->next ? TL_OK : tl_fail_memory(error, slots + count, sizeof *c->next);
}

static tl_status refuse_overlap(const tl_scene *scene, const tl_seed *a, const tl_seed *b,
                                tl_error *error) {
    const tl_body_def *bodies = scene->bodies.items;
    return tl_fail(error, TL_BAD_INPUT, bodies[a->body].name, "move one of them",
                   "bodies \"%.60s\" and \"%.60s\" overlap at (%.4g, %.4g, %.4g) m",
                   bodies[b->body].name, bodies[a->body].name, a->position[0], a->position[1],
                   a->position[2]);
}

/* Whether the boxes around two bodies come within half a spacing of each other. */
static bool are_near(const tl_box_def *a, const tl_box_def *b, double spacing) {
    for (int k = 0; k < 3; k++)
        if (a->from[k] > b->to[k] + spacing / 2 || b->from[k] > a->to[k] + spacing / 2)
            return false;
    return true;
}

/* Marks the bodies that may overlap others, so that the rest need no search. */
static size_t find_suspects(const tl_scene *scene, bool *suspect) {
    const tl_body_def *bodies = scene->bodies.items;
    size_t count = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const tl_box_def box = tl_body_bounds(&bodies[i]);
        for (size_t j = 0; j < scene->bodies.count && !suspect[i]; j++) {
            const tl_box_def other = tl_body_bounds(&bodies[j]);
            suspect[i] = i != j && are_near(&box, &other, scene->spacing);
        }
        count += suspect[i];
    }
    return count;
}

static tl_status check_overlap(const tl_scene *scene, const tl_seed *seeds, size_t count,
                               tl_error *error) {
    bool *suspect = tl_allocate(scene->bodies.count, sizeof *suspect);
    if (!suspect)
        return tl_fail_memory(error, scene->bodies.count, sizeof *suspect);
    cells c = {0};
    tl_status status = TL_OK;
    if (find_suspects(scene, suspect) > 0)
        status = make_cells(&c, count, scene->spacing, error);
    for (size_t i = 0; c.next && status == TL_OK && i < count; i++) {
        if (!suspect[seeds[i].body])
            continue;
        const int64_t close = find_close(&c, seeds, &seeds[i]);
        if (close >= 0)
            status = refuse_overlap(scene, &seeds[i], &seeds[close], error);
        int64_t cell[3];
        find_cell(&c, seeds[i].position, 0, cell);
        const size_t slot = cell_slot(&c, cell);
        c.next[i] = c.first[slot];
        c.first[slot] = (uint32_t)i + 1;
    }
    free(c.first);
    free(c.next);
    free(suspect);
    return status;
}

static tl_status check_obstacles(const tl_scene *scene, const tl_seed *seeds, size_t count,
                                 tl_error *error) {
    const tl_wall_def *walls = scene->walls.items;
    const tl_body_def *bodies = scene->bodies.items;
    for (size_t w = 0; w < scene->walls.count; w++) {
        if (!walls[w].has_box || !walls[w].outside)
            continue;
        for (size_t i = 0; i < count; i++)
            if (tl_box_depth(&walls[w].box, tl_vec3_of(seeds[i].position)) > 0)
                return tl_fail(error, TL_BAD_INPUT, bodies[seeds[i].body].name,
                               "move the body, or the wall",
                               "body \"%.60s\" reaches into wall \"%.60s\" at "
                               "(%.4g, %.4g, %.4g) m",
                               bodies[seeds[i].body].name, walls[w].name, seeds[i].position[0],
                               seeds[i].position[1], seeds[i].position[2]);
    }
    return TL_OK;
}

static uint32_t find_material(const tl_scene *scene, const char *name) {
    const tl_material *materials = scene->materials.items;
    uint32_t m = 0;
    while (strcmp(materials[m].name, name) != 0) /* the scene was checked: it is there */
        m++;
    return m;
}

static void fill_one(const tl_scene *scene, size_t index, tl_seed *seeds, size_t count) {
    const tl_body_def *body = (const tl_body_def *)scene->bodies.items + index;
    const uint32_t material = find_material(scene, body->material);
    tl_fill_body(body, scene->spacing, tl_random_bits((uint64_t)scene->seed, index), seeds);
    for (size_t i = 0; i < count; i++) {
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
    tl_status status = check_overlap(scene, made, total, error);
    if (status == TL_OK)
        status = check_obstacles(scene, made, total, error);
    if (status != TL_OK) {
        free(made);
        return status;
    }
    *seeds = made;
    *count = total;
    return TL_OK;
}
