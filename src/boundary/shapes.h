/* Walls as geometry: half-spaces, solid boxes and balls, made from the scene's walls. A tank is the
 * half-spaces of its faces. Distances are positive in the matter and negative in the solid. */
#ifndef TL_BOUNDARY_SHAPES_H
#define TL_BOUNDARY_SHAPES_H

#include "base/memory.h"
#include "boundary/wall.h"
#include "math/vec3.h"

typedef struct tl_shape {
    bool is_box, is_ball;
    tl_vec3 normal;   /* of a half-space, unit, into the matter */
    double offset;    /* the surface is where normal·x = offset */
    tl_vec3 from, to; /* of a box; `from` is the centre of a ball */
    double radius;    /* of a ball */
    tl_vec3 velocity; /* of the surface, along itself */
    int contact;      /* tl_contact */
    size_t wall;      /* index of the scene's wall it belongs to */
} tl_shape;

typedef struct tl_shapes {
    tl_shape *items;
    size_t count, capacity;
} tl_shapes;

/* The shapes of all walls, in their order. TL_BAD_INPUT for a wall that is no shape. */
tl_status tl_shapes_make(const tl_wall_def *walls, size_t count, tl_shapes *out, tl_error *error);

/* Signed distance from a solid box: outside, to its nearest point; inside, minus the depth below
 * the nearest face. */
double tl_box_distance(const tl_shape *box, tl_vec3 x, tl_vec3 *normal);

/* Signed distance of `x` from the surface, and the unit normal there, into the matter. */
static inline double tl_shape_distance(const tl_shape *shape, tl_vec3 x, tl_vec3 *normal) {
    if (shape->is_box)
        return tl_box_distance(shape, x, normal);
    if (shape->is_ball) {
        const tl_vec3 d = tl_vec3_sub(x, shape->from);
        *normal = tl_vec3_unit(d);
        return tl_vec3_length(d) - shape->radius;
    }
    *normal = shape->normal;
    return tl_vec3_dot(shape->normal, x) - shape->offset;
}

void tl_shapes_free(tl_shapes *shapes);

#endif
