/* Rotations as unit quaternions, and poses: how a frame stands in the world. */
#ifndef TL_MATH_POSE_H
#define TL_MATH_POSE_H

#include "math/vec3.h"

typedef struct tl_turn {
    double w, x, y, z;
} tl_turn;

static inline tl_turn tl_turn_none(void) { return (tl_turn){1, 0, 0, 0}; }

/* By `angle` (rad) about a unit vector, counter-clockwise seen from its tip. */
static inline tl_turn tl_turn_about(tl_vec3 axis, double angle) {
    const double s = sin(angle / 2);
    return (tl_turn){cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

/* By the length of v about its direction. */
static inline tl_turn tl_turn_by(tl_vec3 v) {
    return tl_turn_about(tl_vec3_unit(v), tl_vec3_length(v));
}

/* First b, then a. */
static inline tl_turn tl_turn_after(tl_turn a, tl_turn b) {
    return (tl_turn){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline tl_turn tl_turn_inverse(tl_turn a) { return (tl_turn){a.w, -a.x, -a.y, -a.z}; }

/* What rounding makes of a product is not quite of unit length. */
static inline tl_turn tl_turn_unit(tl_turn a) {
    const double s = 1 / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return (tl_turn){s * a.w, s * a.x, s * a.y, s * a.z};
}

static inline tl_vec3 tl_turn_apply(tl_turn a, tl_vec3 v) {
    const tl_vec3 u = {a.x, a.y, a.z}, t = tl_vec3_scale(tl_vec3_cross(u, v), 2);
    return tl_vec3_add(tl_vec3_mad(v, a.w, t), tl_vec3_cross(u, t));
}

/* Axis times angle, the angle in -π..π: the inverse of tl_turn_by. */
static inline tl_vec3 tl_turn_vector(tl_turn a) {
    const double sign = a.w < 0 ? -1 : 1;
    const tl_vec3 u = {sign * a.x, sign * a.y, sign * a.z};
    const double s = tl_vec3_length(u);
    return s > 0 ? tl_vec3_scale(u, 2 * atan2(s, sign * a.w) / s) : (tl_vec3){0, 0, 0};
}

/* x in the world = place + turn · x in the frame. */
typedef struct tl_pose {
    tl_vec3 place;
    tl_turn turn;
} tl_pose;

static inline tl_pose tl_pose_none(void) { return (tl_pose){{0, 0, 0}, {1, 0, 0, 0}}; }

static inline tl_vec3 tl_pose_apply(const tl_pose *p, tl_vec3 x) {
    return tl_vec3_add(p->place, tl_turn_apply(p->turn, x));
}

/* Where a point of the world is in the frame. */
static inline tl_vec3 tl_pose_back(const tl_pose *p, tl_vec3 x) {
    return tl_turn_apply(tl_turn_inverse(p->turn), tl_vec3_sub(x, p->place));
}

/* First b, then a. */
static inline tl_pose tl_pose_after(const tl_pose *a, const tl_pose *b) {
    return (tl_pose){tl_pose_apply(a, b->place), tl_turn_after(a->turn, b->turn)};
}

#endif
