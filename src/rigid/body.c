/* One rigid body: its inertia as it turns, its surface, its state as numbers. See rigid.h. */
#include "math/mat3.h"
#include "rigid/rigid.h"

#include <string.h>

/* In the frame of the body the inertia stays. */
static tl_vec3 in_frame(const double a[3][3], tl_turn turn, tl_vec3 v) {
    return tl_turn_apply(turn, tl_mat3_times(a, tl_turn_apply(tl_turn_inverse(turn), v)));
}

tl_vec3 tl_rigid_twist(const tl_rigid *r, tl_vec3 moment) {
    return in_frame(r->inverse, r->pose.turn, moment);
}

tl_vec3 tl_rigid_moment(const tl_rigid *r, tl_vec3 spin) {
    return in_frame(r->inertia, r->pose.turn, spin);
}

tl_vec3 tl_rigid_spin(const tl_rigid *r, tl_turn turn) {
    return in_frame(r->inverse, turn, r->angular_momentum);
}

tl_pose tl_rigid_surface(const tl_rigid *r) {
    return (tl_pose){tl_vec3_sub(r->pose.place, tl_turn_apply(r->pose.turn, r->start)),
                     r->pose.turn};
}

void tl_rigid_save(const tl_rigid *r, double out[TL_RIGID_STATE]) {
    const double all[TL_RIGID_STATE] = {r->pose.place.x,
                                        r->pose.place.y,
                                        r->pose.place.z,
                                        r->pose.turn.w,
                                        r->pose.turn.x,
                                        r->pose.turn.y,
                                        r->pose.turn.z,
                                        r->velocity.x,
                                        r->velocity.y,
                                        r->velocity.z,
                                        r->angular_momentum.x,
                                        r->angular_momentum.y,
                                        r->angular_momentum.z,
                                        r->spin.x,
                                        r->spin.y,
                                        r->spin.z};
    memcpy(out, all, sizeof all);
}

void tl_rigid_load(tl_rigid *r, const double s[TL_RIGID_STATE]) {
    r->pose = (tl_pose){{s[0], s[1], s[2]}, {s[3], s[4], s[5], s[6]}};
    r->velocity = (tl_vec3){s[7], s[8], s[9]};
    r->angular_momentum = (tl_vec3){s[10], s[11], s[12]};
    r->spin = (tl_vec3){s[13], s[14], s[15]};
}
