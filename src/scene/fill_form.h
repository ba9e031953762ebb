/* Filling forms with particles, and any shape without a lattice. */
#ifndef TL_SCENE_FILL_FORM_H
#define TL_SCENE_FILL_FORM_H

#include "base/parallel.h"
#include "scene/scene.h"

/* Particles to be: a list that grows. */
typedef struct tl_places {
    tl_vec3 *items;
    size_t count;
} tl_places;

/* Whether a body is filled here rather than by fill.h. */
bool tl_fills_places(const tl_body_def *body);

/* The places of the particles of such a body, always in the same order; items are an
 * array. `random` is the seed of what is random. */
tl_status tl_fill_places(const tl_body_def *body, double spacing, uint64_t random,
                         const tl_parallel *parallel, tl_places *out, tl_error *error);

#endif
