/* See overlap.h. */
#include "scene/overlap.h"

#include "scene/shapes.h"

#include <stdlib.h>

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

static tl_status make_cells(cells *c, size_t used, size_t count, double spacing, tl_error *error) {
    size_t slots = 1024;
    while (slots < used)
        slots *= 2;
    c->first = tl_allocate(slots, sizeof *c->first);
    c->next = tl_allocate(count, sizeof *c->next);
    c->mask = slots - 1;
    c->size = spacing;
    return c->first && c->next ? TL_OK : tl_fail_memory(error, slots + count, sizeof *c->next);
}

static tl_status refuse_overlap(const tl_scene *scene, const tl_seed *seed, uint32_t other,
                                tl_error *error) {
    const tl_body_def *bodies = scene->bodies.items;
    const uint32_t first = seed->body < other ? seed->body : other;
    const uint32_t second = seed->body < other ? other : seed->body;
    return tl_fail(error, TL_BAD_INPUT, bodies[second].name, "move one of them",
                   "bodies \"%.60s\" and \"%.60s\" overlap at (%.4g, %.4g, %.4g) m",
                   bodies[first].name, bodies[second].name, seed->position[0], seed->position[1],
                   seed->position[2]);
}

/* Whether the boxes around two bodies come within half a spacing of each other. */
static bool are_near(const tl_box_def *a, const tl_box_def *b, double spacing) {
    for (int k = 0; k < 3; k++)
        if (a->from[k] > b->to[k] + spacing / 2 || b->from[k] > a->to[k] + spacing / 2)
            return false;
    return true;
}

static bool is_within(const tl_box_def *box, const double x[3], double margin) {
    for (int k = 0; k < 3; k++)
        if (x[k] < box->from[k] - margin || x[k] > box->to[k] + margin)
            return false;
    return true;
}

/* Refuses a seed well inside another body, since lattices that interlock can keep their distance.
 * Marks the seeds that come near another body at all, and counts them. */
static tl_status check_depth(const tl_scene *scene, const tl_box_def *bounds, const tl_seed *seeds,
                             size_t count, bool *near, size_t *near_count, tl_error *error) {
    const tl_body_def *bodies = scene->bodies.items;
    const double spacing = tl_scene_least_spacing(scene);
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        const uint32_t body = seeds[begin].body;
        while (end < count && seeds[end].body == body)
            end++;
        for (size_t j = 0; j < scene->bodies.count; j++) {
            if (j == body || !are_near(&bounds[body], &bounds[j], spacing))
                continue;
            for (size_t i = begin; i < end; i++) {
                if (!is_within(&bounds[j], seeds[i].position, spacing / 2))
                    continue;
                if (tl_body_depth(&bodies[j], tl_vec3_of(seeds[i].position)) > spacing / 4)
                    return refuse_overlap(scene, &seeds[i], (uint32_t)j, error);
                *near_count += !near[i];
                near[i] = true;
            }
        }
    }
    return TL_OK;
}

static tl_status check_distance(const tl_scene *scene, const tl_seed *seeds, size_t count,
                                const bool *near, size_t near_count, tl_error *error) {
    if (near_count == 0)
        return TL_OK;
    cells c = {0};
    tl_status status = make_cells(&c, near_count, count, tl_scene_least_spacing(scene), error);
    for (size_t i = 0; status == TL_OK && i < count; i++) {
        if (!near[i])
            continue;
        const int64_t close = find_close(&c, seeds, &seeds[i]);
        if (close >= 0)
            status = refuse_overlap(scene, &seeds[i], seeds[close].body, error);
        int64_t cell[3];
        find_cell(&c, seeds[i].position, 0, cell);
        const size_t slot = cell_slot(&c, cell);
        c.next[i] = c.first[slot];
        c.first[slot] = (uint32_t)i + 1;
    }
    free(c.first);
    free(c.next);
    return status;
}

static tl_status check_obstacles(const tl_scene *scene, const tl_seed *seeds, size_t count,
                                 tl_error *error) {
    const tl_wall_def *walls = scene->walls.items;
    const tl_body_def *bodies = scene->bodies.items;
    for (size_t w = 0; w < scene->walls.count; w++) {
        if (!tl_wall_is_obstacle(&walls[w]))
            continue;
        for (size_t i = 0; i < count; i++)
            if (tl_obstacle_holds(&walls[w], tl_vec3_of(seeds[i].position)))
                return tl_fail(error, TL_BAD_INPUT, bodies[seeds[i].body].name,
                               "move the body, or the wall",
                               "body \"%.60s\" reaches into wall \"%.60s\" at "
                               "(%.4g, %.4g, %.4g) m",
                               bodies[seeds[i].body].name, walls[w].name, seeds[i].position[0],
                               seeds[i].position[1], seeds[i].position[2]);
    }
    return TL_OK;
}

tl_status tl_seeds_check(const tl_scene *scene, const tl_seed *seeds, size_t count,
                         tl_error *error) {
    const tl_body_def *bodies = scene->bodies.items;
    const size_t body_count = scene->bodies.count;
    tl_box_def *bounds = tl_allocate(body_count, sizeof *bounds);
    bool *near = tl_allocate(count, sizeof *near);
    size_t near_count = 0;
    if (!bounds || !near) {
        free(bounds);
        free(near);
        return tl_fail_memory(error, count, sizeof *near);
    }
    for (size_t i = 0; i < body_count; i++)
        bounds[i] = tl_body_bounds(&bodies[i]);
    tl_status status = check_depth(scene, bounds, seeds, count, near, &near_count, error);
    if (status == TL_OK)
        status = check_distance(scene, seeds, count, near, near_count, error);
    free(bounds);
    free(near);
    return status == TL_OK ? check_obstacles(scene, seeds, count, error) : status;
}
