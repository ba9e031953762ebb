/* What no single parameter can tell: how the parts of a scene fit together. */
#ifndef TL_SCENE_CHECK_H
#define TL_SCENE_CHECK_H

#include "scene/report.h"
#include "scene/scene.h"

/* Checks what holds between the parameters of materials and of temperatures, and completes them by
 * what follows: which of the alternatives is in use. */
void tl_scene_complete(tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Reports what is wrong with a bound scene, at its place in `root`. Geometry is looked at only when
 * nothing was wrong before: half-read shapes would give errors of their own. */
void tl_scene_check(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Sources, and heat that is lost to the air. check_sources.c */
void tl_scene_check_sources(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* What walls are, and then, once that is right, what they have. check_walls.c */
void tl_scene_check_wall_kinds(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);
void tl_scene_check_walls(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Walls that move. check_motion.c */
void tl_scene_check_motion(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Emitters and drains. check_emitters.c */
void tl_scene_check_emitters(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Where the camera goes. check_camera.c */
void tl_scene_check_camera(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* What is measured; finds what measures name. check_measures.c */
void tl_scene_check_measures(tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* What lights the pictures. check_lights.c */
void tl_scene_check_lights(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* What thermal particles ask for, and what only they can do. check_cohesive.c */
void tl_scene_check_cohesive(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Surface tension where nothing finds it. check_tension.c */
void tl_scene_check_tension(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Elastic matter, and what cannot move it. check_elastic.c */
void tl_scene_check_elastic(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* Particles of different sizes. check_sizes.c */
void tl_scene_check_sizes(const tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* How far neighbours are searched for, m: the range of forces and the skin. */
double tl_scene_reach(const tl_scene *scene);

#endif
