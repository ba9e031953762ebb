/* Where bodies and walls are: the geometry that checks and fills share. */
#ifndef TL_SCENE_SHAPES_H
#define TL_SCENE_SHAPES_H

#include "math/vec3.h"
#include "scene/scene.h"

/* The least n·x over a body, for a unit vector n. */
double tl_body_extent(const tl_body_def *body, tl_vec3 n);

/* The box along the axes around a body. */
tl_box_def tl_body_bounds(const tl_body_def *body);

/* How deep `x` is inside a body (m); negative outside. */
double tl_body_depth(const tl_body_def *body, tl_vec3 x);

/* The surface nearest to `x`, if it is within `reach`: how deep below it `x` is (m, negative
 * outside), and the unit vector outwards. */
bool tl_body_surface(const tl_body_def *body, tl_vec3 x, double reach, double *depth,
                     tl_vec3 *outward);

/* The flat faces of a wall, as unit normals into the matter and offsets: matter has n·x >= offset.
 * A plane has one, a tank up to six, an obstacle none. Returns the count. */
int tl_wall_faces(const tl_wall_def *wall, tl_vec3 normal[6], double offset[6]);

/* True for a wall that is no plane and no tank. */
static inline bool tl_wall_is_obstacle(const tl_wall_def *wall) {
    return wall->has_sphere || wall->solid || (wall->has_box && wall->outside);
}

/* How deep `x` is inside a box, and inside an obstacle, which is a box, a ball or a mesh (m); not
 * positive outside. */
double tl_box_depth(const tl_box_def *box, tl_vec3 x);
double tl_obstacle_depth(const tl_wall_def *wall, tl_vec3 x);
/* Whether that is positive, which is quicker to tell. */
bool tl_obstacle_holds(const tl_wall_def *wall, tl_vec3 x);

#endif
