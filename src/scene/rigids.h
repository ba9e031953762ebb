/* Rigid bodies of a scene: their surfaces, and what a world needs to know of them. */
#ifndef TL_SCENE_RIGIDS_H
#define TL_SCENE_RIGIDS_H

#include "scene/report.h"
#include "scene/scene.h"

/* Surfaces and definitions of all bodies that are rigid, once nothing else is wrong. */
void tl_scene_make_rigids(tl_scene *scene, const tl_yaml_node *root, tl_report *report);

#endif
