/* See move.h. */
#include "boundary/move.h"

#include "boundary/wall.h"
#include "math/pi.h"

#define AT(member)   offsetof(tl_move_def, member)
#define KIND(member) .flags = TL_PARAM_OPTIONAL, .present = AT(has_##member)

static const tl_param move_params[] = {
    {.name = "along",
     .type = TL_PARAM_CHOICE,
     .offset = AT(along),
     .default_value = "none",
     .choices = tl_side_names,
     .doc = "Axis of a shift"},
    {.name = "about",
     .type = TL_PARAM_CHOICE,
     .offset = AT(about),
     .default_value = "none",
     .choices = tl_side_names,
     .doc = "Axis of a turn, counter-clockwise seen from its tip"},
    {.name = "center",
     .type = TL_PARAM_VECTOR,
     .offset = AT(center),
     .unit = TL_UNIT_LENGTH,
     .default_value = "[0, 0, 0]",
     .doc = "A point of the axis of a turn"},
    {.name = "speed",
     .type = TL_PARAM_NUMBER,
     .offset = AT(speed),
     .unit = TL_UNIT_SPEED,
     KIND(speed),
     .doc = "Shift at this speed"},
    {.name = "displacement",
     .type = TL_PARAM_SCHEDULE,
     .offset = AT(displacement),
     .unit = TL_UNIT_LENGTH,
     KIND(displacement),
     .doc = "Shift by key frames: [[0 s, 0 m], [2 s, 10 cm]]"},
    {.name = "shake",
     .type = TL_PARAM_NUMBER,
     .offset = AT(shake),
     .unit = TL_UNIT_LENGTH,
     KIND(shake),
     .doc = "Shift to and fro by this much, as a sine of the time"},
    {.name = "spin",
     .type = TL_PARAM_NUMBER,
     .offset = AT(spin),
     .unit = TL_UNIT_ANGULAR_SPEED,
     KIND(spin),
     .doc = "Turn at this rate, such as 2 rev/s"},
    {.name = "angle",
     .type = TL_PARAM_SCHEDULE,
     .offset = AT(angle),
     .unit = TL_UNIT_ANGLE,
     KIND(angle),
     .doc = "Turn by key frames: [[0 s, 0 deg], [1 s, 90 deg]]"},
    {.name = "rock",
     .type = TL_PARAM_NUMBER,
     .offset = AT(rock),
     .unit = TL_UNIT_ANGLE,
     KIND(rock),
     .doc = "Turn to and fro by this much, as a sine of the time"},
    {.name = "frequency",
     .type = TL_PARAM_NUMBER,
     .offset = AT(frequency),
     .unit = TL_UNIT_FREQUENCY,
     .default_value = "1 Hz",
     .min = 0,
     .max = 1e6,
     .doc = "Of shake and rock"},
    {.name = "from",
     .type = TL_PARAM_NUMBER,
     .offset = AT(from),
     .unit = TL_UNIT_TIME,
     .default_value = "0 s",
     .doc = "When it begins; the times of key frames count from here"},
    {.name = "until",
     .type = TL_PARAM_NUMBER,
     .offset = AT(until),
     .unit = TL_UNIT_TIME,
     KIND(until),
     .doc = "When it ends"},
};

const tl_param_table tl_move_table =
    TL_PARAM_TABLE(tl_move_def, "move", "One shift or turn of a wall that moves", move_params);

/* How far one move has gone: m or rad. */
static double extent_at(const tl_move_def *m, double time) {
    const double t = fmax(0, (m->has_until ? fmin(time, m->until) : time) - m->from);
    const double wave = sin(2 * TL_PI * m->frequency * t);
    return m->has_speed          ? m->speed * t
           : m->has_displacement ? tl_schedule_at(&m->displacement, t)
           : m->has_shake        ? m->shake * wave
           : m->has_spin         ? m->spin * t
           : m->has_angle        ? tl_schedule_at(&m->angle, t)
                                 : m->rock * wave;
}

static tl_pose move_at(const tl_move_def *m, double time) {
    const double extent = extent_at(m, time);
    const bool shifts = m->has_speed || m->has_displacement || m->has_shake;
    const tl_vec3 axis = tl_side_normal(shifts ? m->along : m->about);
    if (shifts)
        return (tl_pose){tl_vec3_scale(axis, extent), tl_turn_none()};
    const tl_turn turn = tl_turn_about(axis, extent);
    const tl_vec3 center = tl_vec3_of(m->center);
    return (tl_pose){tl_vec3_sub(center, tl_turn_apply(turn, center)), turn};
}

tl_pose tl_moves_at(const tl_param_list *moves, double time) {
    tl_pose pose = tl_pose_none();
    for (size_t k = 0; k < moves->count; k++) {
        const tl_pose next = move_at((const tl_move_def *)moves->items + k, time);
        pose = tl_pose_after(&next, &pose);
    }
    pose.turn = tl_turn_unit(pose.turn);
    return pose;
}

/* The steepest slope of a schedule. */
static double steepest(const tl_schedule *schedule) {
    const double(*point)[2] = schedule->points.items;
    double slope = 0;
    for (size_t k = 1; k < schedule->points.count; k++)
        slope =
            fmax(slope, fabs((point[k][1] - point[k - 1][1]) / (point[k][0] - point[k - 1][0])));
    return slope;
}

/* The farthest corner of a box from a point. */
static double reach_of(tl_vec3 low, tl_vec3 high, tl_vec3 center) {
    const tl_vec3 far = {fmax(fabs(low.x - center.x), fabs(high.x - center.x)),
                         fmax(fabs(low.y - center.y), fabs(high.y - center.y)),
                         fmax(fabs(low.z - center.z), fabs(high.z - center.z))};
    return tl_vec3_length(far);
}

double tl_moves_fastest(const tl_param_list *moves, tl_vec3 low, tl_vec3 high) {
    double speed = 0;
    for (size_t k = 0; k < moves->count; k++) {
        const tl_move_def *m = (const tl_move_def *)moves->items + k;
        const double arm = reach_of(low, high, tl_vec3_of(m->center));
        speed += m->has_speed          ? fabs(m->speed)
                 : m->has_displacement ? steepest(&m->displacement)
                 : m->has_shake        ? 2 * TL_PI * m->frequency * fabs(m->shake)
                 : m->has_spin         ? arm * fabs(m->spin)
                 : m->has_angle        ? arm * steepest(&m->angle)
                                       : arm * 2 * TL_PI * m->frequency * fabs(m->rock);
    }
    return speed;
}
