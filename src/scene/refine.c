/* See refine.h. */
#include "scene/refine.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

double tl_scene_least_spacing(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    double least = scene->spacing;
    for (size_t i = 0; i < scene->bodies.count; i++)
        least = fmin(least, tl_body_spacing(scene, &bodies[i]));
    return least;
}

bool tl_scene_refines(const tl_scene *scene) {
    return tl_refine_follows(scene->refine.items, scene->refine.count);
}

bool tl_scene_sizes_differ(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    bool differ = scene->refine.count > 0;
    for (size_t i = 0; i < scene->bodies.count; i++)
        differ = differ || bodies[i].has_spacing;
    return differ;
}

/* How often a particle is halved. Rigid bodies are not: they are made of the scene's spacing. */
static int level_of(const tl_scene *scene, const tl_seed *seed) {
    const tl_body_def *body = (const tl_body_def *)scene->bodies.items + seed->body;
    const tl_refine_view view = {.place = tl_vec3_of(seed->position),
                                 .body = seed->body,
                                 .temperature = (double)seed->temperature,
                                 .surface = HUGE_VAL,
                                 .spacing = seed->size};
    return body->rigid ? 0 : tl_refine_level(scene->refine.items, scene->refine.count, &view);
}

/* The longest edge of a box; of equal ones, the one that chance likes best. */
static int longest_edge(const double edge[3], uint64_t chance) {
    int longest = (int)(chance % 3);
    for (int k = 1; k < 3; k++) {
        const int other = (int)((chance + (uint64_t)k) % 3);
        longest = edge[other] > edge[longest] * (1 + 1e-9) ? other : longest;
    }
    return longest;
}

/* Cuts a seed, which stands for a box of these edges, into 2^level seeds. */
static void cut(const tl_seed *seed, const double edge[3], int level, uint64_t number,
                tl_seed *out) {
    if (level == 0) {
        *out = *seed;
        out->whole = seed->size;
        out->size = cbrt(edge[0] * edge[1] * edge[2]);
        return;
    }
    const int axis = longest_edge(edge, tl_random_bits(number, (uint64_t)level));
    double half[3] = {edge[0], edge[1], edge[2]};
    half[axis] /= 2;
    for (int side = 0; side < 2; side++) {
        tl_seed part = *seed;
        part.position[axis] += (side - 0.5) * half[axis];
        cut(&part, half, level - 1, number, out + ((size_t)side << (level - 1)));
    }
}

tl_status tl_seeds_refine(const tl_scene *scene, tl_seed **seeds, size_t *count, tl_error *error) {
    size_t total = 0, made = 0;
    if (scene->refine.count == 0)
        return TL_OK;
    for (size_t i = 0; i < *count; i++)
        total += (size_t)1 << level_of(scene, &(*seeds)[i]);
    tl_seed *finer = tl_allocate(total, sizeof *finer);
    if (!finer)
        return tl_fail_memory(error, total, sizeof *finer);
    for (size_t i = 0; i < *count; i++) {
        const tl_seed *seed = &(*seeds)[i];
        const int level = level_of(scene, seed);
        const double edge[3] = {seed->size, seed->size, seed->size};
        cut(seed, edge, level, i, finer + made);
        made += (size_t)1 << level;
    }
    free(*seeds);
    *seeds = finer;
    *count = total;
    return TL_OK;
}
