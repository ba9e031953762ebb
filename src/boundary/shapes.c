/* See shapes.h. */
#include "boundary/shapes.h"

#include <math.h>

static tl_status add(tl_shapes *shapes, const tl_wall_def *wall, size_t index, tl_shape shape,
                     tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(shapes->items, shapes->count, shapes->count + 1, error));
    shape.slip = wall->has_slip ? (float)wall->slip : wall->contact == TL_CONTACT_FREE_SLIP ? 1 : 0;
    shape.contact_cosine = wall->has_contact_angle ? (float)cos(wall->contact_angle) : NAN;
    shape.stickiness = wall->has_stickiness ? wall->stickiness : HUGE_VAL;
    shape.bounce = wall->bounce;
    shape.belt = tl_vec3_of(wall->velocity);
    shape.wall = index;
    shape.motion = wall->motion.count ? &wall->motion : NULL;
    shape.drive = wall->has_driven ? &shapes->drives[index] : NULL;
    shape.moves = shape.motion || shape.drive;
    shape.pose = shape.other = tl_pose_none();
    shapes->items[shapes->count++] = shape;
    return TL_OK;
}

/* The half-spaces around a tank; the open face is the one its outward normal names. */
static tl_status add_tank(tl_shapes *shapes, const tl_wall_def *wall, size_t index,
                          tl_error *error) {
    /* The floor first: where faces meet, the first one owns the corner. */
    static const int inward[] = {TL_SIDE_Z, TL_SIDE_X,       TL_SIDE_MINUS_X,
                                 TL_SIDE_Y, TL_SIDE_MINUS_Y, TL_SIDE_MINUS_Z};
    for (size_t f = 0; f < sizeof inward / sizeof inward[0]; f++) {
        const int side = inward[f];
        const int outward = side >= TL_SIDE_MINUS_X ? side - 3 : side + 3;
        if (wall->open == outward)
            continue;
        const tl_vec3 normal = tl_side_normal(side);
        const double *corner = side >= TL_SIDE_MINUS_X ? wall->box.to : wall->box.from;
        TL_TRY(add(shapes, wall, index,
                   (tl_shape){.normal = normal, .offset = tl_vec3_dot(normal, tl_vec3_of(corner))},
                   error));
    }
    return TL_OK;
}

tl_status tl_shapes_make(const tl_wall_def *walls, size_t count, tl_shapes *out, tl_error *error) {
    *out = (tl_shapes){0};
    TL_TRY(TL_ARRAY_RESERVE(out->drives, 0, count, error));
    for (size_t w = 0; w < count; w++) {
        const tl_wall_def *wall = &walls[w];
        out->drives[w] = (tl_drive){0};
        if (wall->solid) {
            TL_TRY(add(out, wall, w,
                       (tl_shape){.solid = wall->solid,
                                  .hollow = tl_wall_is_sealed(wall),
                                  .reach = HUGE_VAL},
                       error));
        } else if (wall->has_sphere) {
            TL_TRY(add(out, wall, w,
                       (tl_shape){.is_ball = true,
                                  .from = tl_vec3_of(wall->sphere.center),
                                  .radius = wall->sphere.radius},
                       error));
        } else if (wall->has_box && wall->outside) {
            TL_TRY(add(out, wall, w,
                       (tl_shape){.is_box = true,
                                  .from = tl_vec3_of(wall->box.from),
                                  .to = tl_vec3_of(wall->box.to)},
                       error));
        } else if (wall->has_box) {
            TL_TRY(add_tank(out, wall, w, error));
        } else if (wall->plane != TL_SIDE_NONE) {
            const tl_vec3 normal = tl_side_normal(wall->plane);
            const double sign = wall->plane >= TL_SIDE_MINUS_X ? -1 : 1;
            TL_TRY(
                add(out, wall, w, (tl_shape){.normal = normal, .offset = sign * wall->at}, error));
        } else {
            const tl_vec3 normal = tl_vec3_unit(tl_vec3_of(wall->normal));
            if (!(tl_vec3_length(normal) > 0.5))
                return tl_fail(error, TL_BAD_INPUT, wall->name,
                               "give the wall a plane, a normal, a box, a sphere or a form",
                               "a wall without a shape");
            TL_TRY(add(out, wall, w,
                       (tl_shape){.normal = normal,
                                  .offset = tl_vec3_dot(normal, tl_vec3_of(wall->through))},
                       error));
        }
    }
    return TL_OK;
}

/* A driven wall is not turned. */
static tl_pose pose_at(const tl_shape *shape, double time) {
    return shape->drive ? (tl_pose){tl_drive_at(shape->drive, time), tl_turn_none()}
                        : tl_moves_at(shape->motion, time);
}

void tl_shapes_aim(tl_shapes *shapes, double from, double to) {
    for (size_t s = 0; s < shapes->count; s++) {
        tl_shape *shape = &shapes->items[s];
        if (!tl_shape_is_led(shape))
            continue;
        shape->pose = pose_at(shape, from);
        shape->other = pose_at(shape, to);
        shape->rate = to > from ? 1 / (to - from) : 0;
    }
}

void tl_shapes_arrive(tl_shapes *shapes) {
    for (size_t s = 0; s < shapes->count; s++) {
        tl_shape *shape = &shapes->items[s];
        const tl_pose now = shape->pose;
        shape->pose = shape->other;
        shape->other = now;
        shape->rate = -shape->rate;
    }
}

bool tl_shapes_move(const tl_shapes *shapes) {
    bool any = false;
    for (size_t s = 0; s < shapes->count; s++)
        any = any || tl_shape_is_led(&shapes->items[s]);
    return any;
}

bool tl_shapes_let_go(const tl_shapes *shapes) {
    for (size_t s = 0; s < shapes->count; s++)
        if (shapes->items[s].stickiness < HUGE_VAL)
            return true;
    return false;
}

double tl_box_distance(const tl_shape *box, tl_vec3 x, tl_vec3 *normal) {
    const double p[3] = {x.x, x.y, x.z};
    const double from[3] = {box->from.x, box->from.y, box->from.z};
    const double to[3] = {box->to.x, box->to.y, box->to.z};
    double out[3], depth = HUGE_VAL, n[3] = {0};
    bool inside = true;
    int axis = 0, sign = 1;
    for (int k = 0; k < 3; k++) {
        out[k] = p[k] < from[k] ? p[k] - from[k] : p[k] > to[k] ? p[k] - to[k] : 0;
        inside = inside && out[k] == 0;
        if (p[k] - from[k] < depth)
            depth = p[k] - from[k], axis = k, sign = -1;
        if (to[k] - p[k] < depth)
            depth = to[k] - p[k], axis = k, sign = 1;
    }
    if (inside) {
        n[axis] = sign;
        *normal = tl_vec3_of(n);
        return -depth;
    }
    *normal = tl_vec3_unit(tl_vec3_of(out));
    return tl_vec3_length(tl_vec3_of(out));
}

double tl_mesh_wall_distance(const tl_shape *shape, tl_vec3 x, tl_vec3 *normal) {
    tl_nearest nearest;
    if (tl_solid_nearest(shape->solid, x, shape->reach, &nearest)) {
        *normal = nearest.normal;
        return nearest.distance;
    }
    tl_vec3 low, high;
    tl_solid_bounds(shape->solid, &low, &high);
    const bool within =
        x.x > low.x && x.y > low.y && x.z > low.z && x.x < high.x && x.y < high.y && x.z < high.z;
    *normal = (tl_vec3){0, 0, 0};
    return (shape->hollow && !within) || tl_solid_inside(shape->solid, x) ? -shape->reach
                                                                          : shape->reach;
}

size_t tl_shapes_bytes(const tl_shapes *shapes) {
    size_t bytes = TL_ARRAYS_BYTES(shapes->items, shapes->drives);
    for (size_t s = 0; s < shapes->count; s++)
        bytes += tl_array_bytes(shapes->items[s].cover.items);
    return bytes;
}

void tl_shapes_free(tl_shapes *shapes) {
    for (size_t s = 0; s < shapes->count; s++)
        tl_cover_free(&shapes->items[s].cover);
    TL_ARRAYS_FREE(shapes->items, shapes->drives);
    *shapes = (tl_shapes){0};
}
