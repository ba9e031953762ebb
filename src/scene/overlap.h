/* Particles that would start where others or an obstacle already are. */
#ifndef TL_SCENE_OVERLAP_H
#define TL_SCENE_OVERLAP_H

#include "scene/scene.h"

/* TL_BAD_INPUT, with both names and a place, when a seed is closer than half a spacing to one of
 * another body, deeper than a quarter inside another body, or inside an obstacle. Seeds are in the
 * order of their bodies. */
tl_status tl_seeds_check(const tl_scene *scene, const tl_seed *seeds, size_t count,
                         tl_error *error);

#endif
