/* See obstacles.h. */
#include "cohesion/obstacles.h"

#include <math.h>

tl_status tl_collision_make(const tl_collision_params *p, double spacing, tl_collision *out,
                            tl_error *error) {
    const double d0 = p->has_distance ? p->distance : spacing;
    if (!(d0 > 0) || !(p->force > 0) || !(p->exponent > 0))
        return tl_fail(error, TL_BAD_INPUT, "thermal_particles.collision",
                       "make all of them larger than zero",
                       "collisions with a distance of %g m, a force of %g N and an exponent of %g "
                       "keep nothing apart",
                       d0, p->force, p->exponent);
    const double alpha = p->force * pow(d0, p->exponent + 1) / p->exponent;
    *out = (tl_collision){.exponent = p->exponent,
                          .distance = d0,
                          .alpha = alpha,
                          .beta = p->force,
                          .gamma = -alpha * pow(d0, -p->exponent) - p->force * d0};
    return TL_OK;
}

double tl_collision_at(const tl_collision *c, double d, double *force) {
    *force = 0;
    if (d >= c->distance)
        return 0;
    if (!(d > 0)) {
        *force = HUGE_VAL;
        return HUGE_VAL;
    }
    const double repulsion = c->alpha * pow(d, -c->exponent);
    *force = c->exponent * repulsion / d - c->beta;
    return repulsion + c->beta * d + c->gamma;
}

tl_obstacle_sum tl_obstacles_at(const tl_collision *c, const tl_shapes *shapes, tl_vec3 x) {
    tl_obstacle_sum sum = {.nearest = HUGE_VAL};
    for (size_t s = 0; s < shapes->count; s++) {
        tl_vec3 n;
        double force;
        const double d = tl_shape_distance(&shapes->items[s], x, &n);
        sum.nearest = fmin(sum.nearest, d);
        if (d >= c->distance)
            continue;
        sum.energy += tl_collision_at(c, d, &force);
        sum.force[0] += force * n.x;
        sum.force[1] += force * n.y;
        sum.force[2] += force * n.z;
    }
    return sum;
}
