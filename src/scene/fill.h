/* Filling shapes with particles on a lattice whose cells have the volume spacing³. */
#ifndef TL_SCENE_FILL_H
#define TL_SCENE_FILL_H

#include "base/parallel.h"
#include "scene/scene.h"

/* About how many particles a body takes, without making any: its volume by that of a particle. */
double tl_fill_estimate(const tl_body_def *body, double spacing);

/* How many particles a body takes that is not a form. */
size_t tl_fill_count(const tl_body_def *body, double spacing);

/* Writes the positions of tl_fill_count particles, always in the same order, to position[0] of each
 * seed. `random` is the seed of the jitter. */
void tl_fill_body(const tl_body_def *body, double spacing, uint64_t random, tl_seed *seeds);

/* All particles of a scene's bodies, checked by overlap.h. *seeds is freed with free(). */
tl_status tl_scene_seed(const tl_scene *scene, const tl_parallel *parallel, tl_seed **seeds,
                        size_t *count, tl_error *error);

#endif
