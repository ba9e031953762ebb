/* See shapes.h. */
#include "scene/shapes.h"

#include "scene/gable.h"

static double component(tl_vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

static tl_vec3 axis(int k, double length) {
    return (tl_vec3){k == 0 ? length : 0, k == 1 ? length : 0, k == 2 ? length : 0};
}

static const tl_limb_def *limb_at(const tl_body_def *body, size_t k) {
    return (const tl_limb_def *)body->limbs.items + k;
}

static double limbs_extent(const tl_body_def *body, tl_vec3 n) {
    double least = HUGE_VAL;
    for (size_t k = 0; k < body->limbs.count; k++) {
        const tl_limb_def *limb = limb_at(body, k);
        least = fmin(least, fmin(tl_vec3_dot(n, tl_vec3_of(limb->from)) - limb->radius,
                                 tl_vec3_dot(n, tl_vec3_of(limb->to)) - limb->end_radius));
    }
    return least;
}

static double box_extent(const tl_box_def *box, tl_vec3 n) {
    double least = 0;
    for (int k = 0; k < 3; k++) {
        const double c = component(n, k);
        least += fmin(c * box->from[k], c * box->to[k]);
    }
    return least;
}

static double mesh_extent(const tl_mesh *mesh, tl_vec3 n) {
    double least = HUGE_VAL;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        least = fmin(least, tl_vec3_dot(n, mesh->vertices[i]));
    return least;
}

double tl_body_extent(const tl_body_def *body, tl_vec3 n) {
    if (tl_form_given(&body->form))
        return mesh_extent(&body->mesh, n);
    if (body->has_gable) {
        const tl_box_def bounds = tl_gable_bounds(&body->gable);
        return box_extent(&bounds, n);
    }
    if (body->has_limbs)
        return limbs_extent(body, n);
    if (body->has_sphere)
        return tl_vec3_dot(n, tl_vec3_of(body->sphere.center)) - body->sphere.radius;
    if (body->has_cylinder) {
        const tl_vec3 from = tl_vec3_of(body->cylinder.from), to = tl_vec3_of(body->cylinder.to);
        const double along = tl_vec3_dot(n, tl_vec3_unit(tl_vec3_sub(to, from)));
        const double across = sqrt(fmax(0, 1 - along * along));
        return fmin(tl_vec3_dot(n, from), tl_vec3_dot(n, to)) - body->cylinder.radius * across;
    }
    return box_extent(&body->box, n);
}

tl_box_def tl_body_bounds(const tl_body_def *body) {
    tl_box_def bounds;
    for (int k = 0; k < 3; k++) {
        bounds.from[k] = tl_body_extent(body, axis(k, 1));
        bounds.to[k] = -tl_body_extent(body, axis(k, -1));
    }
    return bounds;
}

int tl_wall_faces(const tl_wall_def *wall, tl_vec3 normal[6], double offset[6]) {
    if (tl_wall_is_form(wall))
        return 0;
    if (wall->has_box) {
        int count = 0;
        for (int side = TL_SIDE_X; !wall->outside && side <= TL_SIDE_MINUS_Z; side++) {
            /* The face that lies on `side` of the middle looks the other way. */
            if (side == wall->open)
                continue;
            const int k = (side - TL_SIDE_X) % 3;
            const bool high = side < TL_SIDE_MINUS_X;
            normal[count] = axis(k, high ? -1 : 1);
            offset[count++] = high ? -wall->box.to[k] : wall->box.from[k];
        }
        return count;
    }
    if (wall->plane != TL_SIDE_NONE) {
        normal[0] = tl_side_normal(wall->plane);
        offset[0] = wall->plane >= TL_SIDE_MINUS_X ? -wall->at : wall->at;
    } else {
        normal[0] = tl_vec3_unit(tl_vec3_of(wall->normal));
        offset[0] = tl_vec3_dot(normal[0], tl_vec3_of(wall->through));
    }
    return 1;
}

double tl_box_depth(const tl_box_def *box, tl_vec3 x) {
    double depth = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        depth = fmin(depth, fmin(component(x, k) - box->from[k], box->to[k] - component(x, k)));
    return depth;
}

double tl_obstacle_depth(const tl_wall_def *wall, tl_vec3 x) {
    tl_nearest nearest;
    if (wall->solid)
        return tl_solid_nearest(wall->solid, x, HUGE_VAL, &nearest) ? -nearest.distance : 0;
    if (!wall->has_sphere)
        return tl_box_depth(&wall->box, x);
    return wall->sphere.radius - tl_vec3_length(tl_vec3_sub(x, tl_vec3_of(wall->sphere.center)));
}

bool tl_obstacle_holds(const tl_wall_def *wall, tl_vec3 x) {
    return wall->solid ? tl_solid_inside(wall->solid, x) : tl_obstacle_depth(wall, x) > 0;
}

/* A limb is all balls with centre and radius between those of its ends. The depth in the ball at s,
 * r + k s - √((s - along)² + across²), has one maximum. */
static double limb_depth(const tl_limb_def *limb, tl_vec3 x) {
    const tl_vec3 from = tl_vec3_of(limb->from),
                  axis_vector = tl_vec3_sub(tl_vec3_of(limb->to), from);
    const tl_vec3 d = tl_vec3_sub(x, from);
    const double length = tl_vec3_length(axis_vector), growth = limb->end_radius - limb->radius;
    if (fabs(growth) >= length) /* one end swallows the other */
        return fmax(limb->radius - tl_vec3_length(d),
                    limb->end_radius - tl_vec3_length(tl_vec3_sub(d, axis_vector)));
    const double along = tl_vec3_dot(d, axis_vector) / length, k = growth / length;
    const double across = sqrt(fmax(0, tl_vec3_dot(d, d) - along * along));
    const double s = fmin(fmax(along + k * across / sqrt(1 - k * k), 0), length);
    return limb->radius + k * s - hypot(s - along, across);
}

static double limbs_depth(const tl_body_def *body, tl_vec3 x) {
    double deepest = -HUGE_VAL;
    for (size_t k = 0; k < body->limbs.count; k++)
        deepest = fmax(deepest, limb_depth(limb_at(body, k), x));
    return deepest;
}

/* Beyond this part of the body, nobody asks how deep. */
static double solid_depth(const tl_body_def *body, tl_vec3 x) {
    tl_nearest nearest;
    const double reach = cbrt(body->volume);
    if (tl_solid_nearest(body->solid, x, reach, &nearest))
        return -nearest.distance;
    return tl_solid_inside(body->solid, x) ? reach : -reach;
}

double tl_body_depth(const tl_body_def *body, tl_vec3 x) {
    if (tl_form_given(&body->form))
        return solid_depth(body, x);
    if (body->has_gable)
        return tl_gable_depth(&body->gable, (const double[3]){x.x, x.y, x.z});
    if (body->has_limbs)
        return limbs_depth(body, x);
    if (body->has_sphere)
        return body->sphere.radius -
               tl_vec3_length(tl_vec3_sub(x, tl_vec3_of(body->sphere.center)));
    if (body->has_cylinder) {
        const tl_vec3 from = tl_vec3_of(body->cylinder.from);
        const tl_vec3 axis_vector = tl_vec3_sub(tl_vec3_of(body->cylinder.to), from);
        const double length = tl_vec3_length(axis_vector);
        const tl_vec3 along = tl_vec3_unit(axis_vector), d = tl_vec3_sub(x, from);
        const double s = tl_vec3_dot(d, along);
        const double across = tl_vec3_length(tl_vec3_mad(d, -s, along));
        return fmin(body->cylinder.radius - across, fmin(s, length - s));
    }
    return tl_box_depth(&body->box, x);
}

/* Depths are distances: their slope is the way outwards. */
static tl_vec3 find_outward(const tl_body_def *body, tl_vec3 x, double step) {
    double slope[3];
    for (int k = 0; k < 3; k++)
        slope[k] = tl_body_depth(body, tl_vec3_sub(x, axis(k, step))) -
                   tl_body_depth(body, tl_vec3_add(x, axis(k, step)));
    return tl_vec3_unit(tl_vec3_of(slope));
}

bool tl_body_surface(const tl_body_def *body, tl_vec3 x, double reach, double *depth,
                     tl_vec3 *outward) {
    if (tl_form_given(&body->form)) {
        tl_nearest nearest;
        if (!tl_solid_nearest(body->solid, x, reach, &nearest))
            return false;
        *depth = -nearest.distance;
        *outward = nearest.normal;
        return true;
    }
    *depth = tl_body_depth(body, x);
    if (fabs(*depth) > reach)
        return false;
    *outward = find_outward(body, x, 1e-3 * reach);
    return true;
}
