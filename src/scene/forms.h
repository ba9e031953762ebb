/* Forms of a scene (mesh/form.h): their files found, their meshes made, put on what they stand on,
 * and what is wrong with them said at its place. */
#ifndef TL_SCENE_FORMS_H
#define TL_SCENE_FORMS_H

#include "scene/report.h"
#include "scene/scene.h"

/* The meshes of all bodies that are forms, once nothing else is wrong with the scene. */
void tl_scene_make_forms(tl_scene *scene, const tl_yaml_node *root, tl_report *report);

/* One of them: finds its file, and makes the mesh. False, and reported, when there is none. `node`
 * is the body or wall that the form is of. */
bool tl_scene_make_form(tl_scene *scene, tl_form_def *form, const tl_yaml_node *node,
                        tl_report *report, tl_mesh *out);

/* A ball and a cylinder as forms like any other. */
tl_form_def tl_form_of_ball(const tl_sphere_def *ball);
tl_form_def tl_form_of_cylinder(const tl_cylinder_def *cylinder);

/* Warns of what placement keys do not belong to, and of more than one size. */
void tl_scene_check_form(const tl_form_def *form, const tl_yaml_node *node, tl_report *report);

void tl_scene_free_forms(tl_scene *scene);

/* Refuses a form that was just made when the scene has more triangles than it may have. */
tl_status tl_scene_check_triangles(const tl_scene *scene, const tl_form_def *form, tl_error *error);

#endif
