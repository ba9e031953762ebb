/* The part of all rigid bodies in a step: momenta from their particles, places for them. See
 * rigid.h. */
#include "math/mat3.h"
#include "rigid/rigid.h"

#include <math.h>
#include <string.h>

/* m/s²: gravity and what else pulls a body as a whole. */
static tl_vec3 weight_of(const tl_rigid *r, const double gravity[3]) {
    return tl_vec3_add(tl_vec3_of(gravity), r->pull);
}

/* To find the mean spin of a step. Each round divides the error by a part of the angle. */
enum { ROUNDS = 20 };

void tl_rigids_feel(tl_rigids *all, const tl_rigid_matter *m) {
    if (!m->force.each)
        return;
    for (size_t k = 0; k < all->count; k++)
        all->items[k].pull = all->items[k].torque = all->items[k].middle = (tl_vec3){0, 0, 0};
    for (size_t i = 0; i < m->count; i++) {
        const uint32_t k = tl_rigid_owner(all, m, i);
        if (k == 0)
            continue;
        tl_rigid *r = &all->items[k - 1];
        const float *f = m->force.each + 3 * i;
        const tl_vec3 own = {(double)f[0], (double)f[1], (double)f[2]};
        const tl_vec3 arm = tl_vec3_sub(tl_vec3_of(m->position + 3 * i), r->pose.place);
        const double part = (double)m->mass[i];
        r->middle = tl_vec3_mad(r->middle, part / r->mass, arm);
        r->pull = tl_vec3_mad(r->pull, part / r->mass, own);
        r->torque = tl_vec3_mad(r->torque, part, tl_vec3_cross(arm, own));
    }
    for (size_t k = 0; k < all->count; k++) {
        tl_rigid *r = &all->items[k];
        r->torque = tl_vec3_mad(r->torque, -r->mass, tl_vec3_cross(r->middle, r->pull));
    }
}

void tl_rigids_gather(tl_rigids *all, const tl_rigid_matter *m, const float *a, double dt) {
    const double *x = m->position, *v = m->velocity;
    const float *mass = m->mass;
    for (size_t i = 0; i < m->count; i++) {
        const uint32_t k = tl_rigid_owner(all, m, i);
        if (k == 0)
            continue;
        const tl_rigid *was = &all->kept[k - 1];
        tl_rigid *r = &all->items[k - 1];
        const tl_vec3 arm = tl_vec3_sub(tl_vec3_of(x + 3 * i), was->pose.place);
        const tl_vec3 own = tl_vec3_add(was->velocity, tl_vec3_cross(was->spin, arm));
        const tl_vec3 push = {(double)(a[3 * i] - (float)tl_body_force_along(&m->force, i, 0)),
                              (double)(a[3 * i + 1] - (float)tl_body_force_along(&m->force, i, 1)),
                              (double)(a[3 * i + 2] - (float)tl_body_force_along(&m->force, i, 2))};
        const tl_vec3 change = tl_vec3_mad(tl_vec3_sub(tl_vec3_of(v + 3 * i), own), dt, push);
        const double part = (double)mass[i];
        r->velocity = tl_vec3_mad(r->velocity, part / r->mass, change);
        r->angular_momentum = tl_vec3_mad(r->angular_momentum, part, tl_vec3_cross(arm, change));
    }
    for (size_t k = 0; k < all->count; k++) {
        tl_rigid *r = &all->items[k];
        r->velocity = tl_vec3_mad(r->velocity, dt, weight_of(r, m->force.uniform));
        if (m->force.each)
            r->angular_momentum = tl_vec3_mad(r->angular_momentum, dt, r->torque);
        r->spin = tl_rigid_spin(r, r->pose.turn);
    }
}

double tl_rigids_weight_power(const tl_rigids *all, const double gravity[3]) {
    double power = 0;
    for (size_t k = 0; k < all->count; k++) {
        const tl_rigid *r = &all->items[k];
        power += r->mass * tl_vec3_dot(weight_of(r, gravity), r->velocity);
        power += tl_vec3_dot(r->torque, r->spin);
    }
    return power;
}

double tl_rigids_pull_work(const tl_rigids *all, double dt) {
    double work = 0;
    for (size_t k = 0; k < all->count; k++) {
        const tl_rigid *r = &all->items[k];
        work +=
            dt * (r->mass * tl_vec3_dot(r->pull, r->velocity) + tl_vec3_dot(r->torque, r->spin));
    }
    return work;
}

double tl_rigids_kick_loss(const tl_rigids *all, const double gravity[3], double dt) {
    double loss = 0;
    for (size_t k = 0; k < all->count; k++) {
        const tl_rigid *r = &all->items[k];
        const tl_vec3 change = tl_vec3_sub(r->velocity, all->kept[k].velocity);
        loss += r->mass * (dt * tl_vec3_dot(weight_of(r, gravity), change) -
                           0.5 * tl_vec3_dot(change, change));
    }
    return loss;
}

double tl_rigids_place(const tl_rigids *all, const tl_rigid_matter *m) {
    double *x = m->position, *v = m->velocity, fastest2 = 0;
    for (size_t i = 0; i < m->count; i++) {
        const uint32_t k = tl_rigid_owner(all, m, i);
        if (k == 0)
            continue;
        const tl_rigid *r = &all->items[k - 1];
        const tl_vec3 place = tl_pose_apply(&r->pose, tl_vec3_of(m->frame_place + 3 * i));
        const tl_vec3 arm = tl_vec3_sub(place, r->pose.place);
        const tl_vec3 u = tl_vec3_add(r->velocity, tl_vec3_cross(r->spin, arm));
        const double to[3] = {place.x, place.y, place.z}, own[3] = {u.x, u.y, u.z};
        for (size_t c = 0; c < 3; c++) {
            m->moved[3 * i + c] = (float)(to[c] - x[3 * i + c]);
            x[3 * i + c] = to[c];
            v[3 * i + c] = own[c];
        }
        fastest2 = fmax(fastest2, tl_vec3_dot(u, u));
    }
    return fastest2;
}

void tl_rigids_keep(tl_rigids *all) {
    memcpy(all->kept, all->items, all->count * sizeof *all->kept);
}

void tl_rigids_take_back(tl_rigids *all) {
    if (all->count)
        memcpy(all->items, all->kept, all->count * sizeof *all->items);
}

/* Goes on with the angular momentum it has; its axes turn, so the spin changes within the step. In
 * its frame the angular momentum turns about the spin that goes with the mean of both ends: that
 * keeps the energy, whatever dt is (Simo & Wong 1991). */
static void advance(tl_rigid *r, double dt) {
    const tl_vec3 first = tl_turn_apply(tl_turn_inverse(r->pose.turn), r->angular_momentum);
    tl_vec3 last = first;
    tl_turn turn = tl_turn_none();
    for (int k = 0; k < ROUNDS; k++) {
        const tl_vec3 mean = tl_vec3_scale(tl_vec3_add(first, last), 0.5);
        turn = tl_turn_by(tl_vec3_scale(tl_mat3_times(r->inverse, mean), dt));
        last = tl_turn_apply(tl_turn_inverse(turn), first);
    }
    r->pose.place = tl_vec3_mad(r->pose.place, dt, r->velocity);
    r->pose.turn = tl_turn_unit(tl_turn_after(r->pose.turn, turn));
    r->spin = tl_rigid_spin(r, r->pose.turn);
}

void tl_rigids_advance(tl_rigids *all, double dt) {
    for (size_t k = 0; k < all->count; k++) {
        all->shapes.items[k].pose = tl_rigid_surface(&all->items[k]);
        advance(&all->items[k], dt);
        all->shapes.items[k].other = tl_rigid_surface(&all->items[k]);
    }
}
