/* Forms that are round, as meshes: vertices lie on them, flat triangles within `deviation`. */
#ifndef TL_MESH_ROUND_H
#define TL_MESH_ROUND_H

#include "mesh/form.h"

tl_status tl_cone_mesh(const tl_cone_def *cone, double deviation, tl_mesh *out, tl_error *error);
tl_status tl_capsule_mesh(const tl_capsule_def *capsule, double deviation, tl_mesh *out,
                          tl_error *error);
tl_status tl_torus_mesh(const tl_torus_def *torus, double deviation, tl_mesh *out, tl_error *error);
tl_status tl_rounded_box_mesh(const tl_rounded_box_def *box, double deviation, tl_mesh *out,
                              tl_error *error);

/* Vessels of the same forms, open at `to`: solids whose inside is the form, `thickness` beyond it,
 * with a flat rim. Of a capsule, half of the ball at `to` is not there: a bowl when both ends are
 * one, which opens along `axis`. */
tl_status tl_cone_vessel(const tl_cone_def *cone, double thickness, double deviation, tl_mesh *out,
                         tl_error *error);
tl_status tl_capsule_vessel(const tl_capsule_def *capsule, tl_vec3 axis, double thickness,
                            double deviation, tl_mesh *out, tl_error *error);

#endif
