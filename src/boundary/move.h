/* How a wall moves by plan: a list of moves, each a shift along an axis or a turn about one. They
 * are done one after the other, each to where those before it have brought the wall, so
 * [spin about z, move along x] is a wheel that rolls away. Where a wall is depends on the time
 * alone: there is no state. */
#ifndef TL_BOUNDARY_MOVE_H
#define TL_BOUNDARY_MOVE_H

#include "base/schedule.h"
#include "math/pose.h"

/* Exactly one of speed, displacement, shake, spin, angle and rock. */
typedef struct tl_move_def {
    int along, about;         /* tl_side: the axis of a shift, of a turn */
    double speed;             /* m/s */
    tl_schedule displacement; /* m */
    double shake;             /* m: amplitude */
    double spin;              /* rad/s */
    tl_schedule angle;        /* rad */
    double rock;              /* rad: amplitude */
    double frequency;         /* 1/s: of shake and rock */
    double center[3];         /* m: a point of the axis of a turn, in the world */
    double from, until;       /* s: it rests before and after */
    bool has_speed, has_displacement, has_shake, has_spin, has_angle, has_rock, has_until;
} tl_move_def;

extern const tl_param_table tl_move_table;

/* Where a list of tl_move_def has brought a wall that stood in the pose of none. */
tl_pose tl_moves_at(const tl_param_list *moves, double time);

/* A speed (m/s) that no point of a box which takes part in the motion exceeds while it stays near.
 */
double tl_moves_fastest(const tl_param_list *moves, tl_vec3 low, tl_vec3 high);

#endif
