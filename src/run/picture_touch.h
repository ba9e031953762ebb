/* Where thermal particles touch walls. A wall holds them off by up to d0, the distance at which its
 * push begins (cohesion/obstacles.h), which is more than the half of their distance from each other
 * that skins are drawn at: matter that rests would hover. What is nearer than d0 is drawn as
 * reaching the wall. */
#ifndef TL_RUN_PICTURE_TOUCH_H
#define TL_RUN_PICTURE_TOUCH_H

#include "run/picture_looks.h"

/* The ways of particles to the walls that they touch, three floats a particle; NULL in other
 * dynamics, and without walls. */
tl_status tl_shot_find_ways(const tl_shot *shot, tl_arena *arena, const float **out,
                            tl_error *error);

#endif
