/* Drains: places where matter leaves the world. They are given like walls, and take what would be
 * in the wall. */
#ifndef TL_BOUNDARY_DRAIN_H
#define TL_BOUNDARY_DRAIN_H

#include "boundary/shapes.h"

#include <stdint.h>

/* One drain as the scene gives it: exactly one of plane, normal (with through), box and sphere. */
typedef struct tl_drain_def {
    char *name;
    int plane;         /* tl_side: points away from what leaves */
    double at;         /* m, along that axis */
    double normal[3];  /* of an oblique plane; zero when not given */
    double through[3]; /* a point of the oblique plane */
    tl_box_def box;
    tl_sphere_def sphere;
    bool has_box, has_sphere;
    bool outside; /* what is outside of the box or sphere leaves, not what is inside */
} tl_drain_def;

extern const tl_param_table tl_drain_table;

/* How far `x` is from what the drain takes (m); negative: it is taken. */
double tl_drain_distance(const tl_drain_def *drain, tl_vec3 x);

#endif
