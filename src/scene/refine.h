/* Smaller particles where a scene asks for them (`refine`). A particle is the cube of its spacing;
 * each level halves it across its longest edges, and what it is cut into become particles, with
 * their mass and their centre of mass. Three levels make eight cubes: a lattice stays one. Around a
 * region levels fall by one every two spacings, so that nobody meets others of more than twice its
 * volume. */
#ifndef TL_SCENE_REFINE_H
#define TL_SCENE_REFINE_H

#include "scene/scene.h"

/* Replaces seeds by smaller ones; *seeds is freed with free(), as before. */
tl_status tl_seeds_refine(const tl_scene *scene, tl_seed **seeds, size_t *count, tl_error *error);

#endif
