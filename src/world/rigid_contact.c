/* Rigid bodies meet walls and each other: where their surfaces are about to touch, and what the
 * impulses that rigid_settle.c finds there do. */
#include "world/rigid.h"

/* How near, in spacings, points come before they count. */
static const double near = 0.3;

/* Part of a wrong overlap that is mended in a step. */
static const double mended = 0.2;

static tl_vec3 speed_at(const tl_rigid *r, tl_vec3 point) {
    return tl_vec3_add(r->velocity, tl_vec3_cross(r->spin, tl_vec3_sub(point, r->pose.place)));
}

static tl_vec3 relative_speed(const tl_rigids *all, const tl_rigid_contact *c) {
    const tl_vec3 other = c->b == c->a ? c->wall : speed_at(&all->items[c->b], c->point);
    return tl_vec3_sub(speed_at(&all->items[c->a], c->point), other);
}

/* ---- Finding ----------------------------------------------------------------------------------
 */

static tl_status add(tl_rigids *all, tl_rigid_contact c, const tl_meeting *m, tl_error *error) {
    const double dt = m->dt;
    TL_TRY(TL_RESERVE(all->contacts, all->contact_capacity, all->contact_count,
                      all->contact_count + 1, error));
    const double approach = tl_vec3_dot(relative_speed(all, &c), c.normal);
    c.target = c.gap > 0 ? -c.gap / dt : -mended * c.gap / dt;
    if (-approach * dt > c.gap && approach < -m->slow)
        c.target = fmax(c.target, -c.bounce * approach);
    all->contacts[all->contact_count++] = c;
    return TL_OK;
}

static tl_status meet_walls(tl_rigids *all, uint32_t k, const tl_meeting *m, tl_error *error) {
    const tl_rigid *r = &all->items[k];
    const tl_shapes *walls = m->walls;
    const double spacing = m->spacing, dt = m->dt;
    for (size_t p = 0; p < r->point_count; p++) {
        const tl_vec3 x = tl_pose_apply(&r->pose, r->points[p]);
        for (size_t s = 0; s < walls->count; s++) {
            const tl_shape *wall = &walls->items[s];
            tl_vec3 normal;
            /* Walls that move are met where they will be. */
            const double gap = tl_shape_distance(wall, x, &normal);
            const tl_vec3 velocity = tl_shape_velocity(wall, x);
            const double closing = -tl_vec3_dot(tl_vec3_sub(speed_at(r, x), velocity), normal) * dt;
            if (gap > near * spacing + fmax(closing, 0) || gap < -2 * spacing)
                continue;
            TL_TRY(add(all,
                       (tl_rigid_contact){.a = k,
                                          .b = k,
                                          .point = x,
                                          .normal = normal,
                                          .wall = velocity,
                                          .gap = gap,
                                          .friction = r->def->friction,
                                          .bounce = fmax(r->def->bounce, wall->bounce)},
                       m, error));
        }
    }
    return TL_OK;
}

/* Points of body a at the surface of body b. */
static tl_status meet_body(tl_rigids *all, uint32_t a, uint32_t b, const tl_meeting *m,
                           tl_error *error) {
    const tl_rigid *own = &all->items[a], *other = &all->items[b];
    for (size_t p = 0; p < own->point_count; p++) {
        const tl_vec3 x = tl_pose_apply(&own->pose, own->points[p]);
        const tl_vec3 there = tl_vec3_add(tl_pose_back(&other->pose, x), other->start);
        const tl_vec3 speed = tl_vec3_sub(speed_at(own, x), speed_at(other, x));
        const double reach = near * m->spacing + tl_vec3_length(speed) * m->dt;
        tl_nearest nearest;
        if (!tl_solid_nearest(other->def->solid, there, reach, &nearest))
            continue;
        TL_TRY(add(all,
                   (tl_rigid_contact){.a = a,
                                      .b = b,
                                      .point = x,
                                      .normal = tl_turn_apply(other->pose.turn, nearest.normal),
                                      .gap = nearest.distance,
                                      .friction = sqrt(own->def->friction * other->def->friction),
                                      .bounce = fmax(own->def->bounce, other->def->bounce)},
                   m, error));
    }
    return TL_OK;
}

tl_status tl_rigids_find_contacts(tl_rigids *all, const tl_meeting *meeting, tl_error *error) {
    all->contact_count = 0;
    for (uint32_t k = 0; k < all->count; k++) {
        TL_TRY(meet_walls(all, k, meeting, error));
        for (uint32_t other = 0; other < all->count; other++)
            if (other != k)
                TL_TRY(meet_body(all, k, other, meeting, error));
    }
    return TL_OK;
}

/* ---- Impulses ----------------------------------------------------------------------------------
 */

static void push(tl_rigid *r, tl_vec3 point, tl_vec3 impulse) {
    const tl_vec3 moment = tl_vec3_cross(tl_vec3_sub(point, r->pose.place), impulse);
    r->velocity = tl_vec3_mad(r->velocity, 1 / r->mass, impulse);
    r->angular_momentum = tl_vec3_add(r->angular_momentum, moment);
    r->spin = tl_vec3_add(r->spin, tl_rigid_twist(r, moment));
}

/* Applies an impulse to a, and the opposite to b; the mean of the speeds before and after tells its
 * work. */
static void apply(tl_rigids *all, const tl_rigid_contact *c, tl_vec3 impulse,
                  tl_contact_books *books) {
    const bool wall = c->b == c->a;
    const tl_vec3 before = wall ? speed_at(&all->items[c->a], c->point) : relative_speed(all, c);
    push(&all->items[c->a], c->point, impulse);
    if (!wall)
        push(&all->items[c->b], c->point, tl_vec3_scale(impulse, -1));
    const tl_vec3 after = wall ? speed_at(&all->items[c->a], c->point) : relative_speed(all, c);
    books->loss -= 0.5 * tl_vec3_dot(impulse, tl_vec3_add(before, after));
    if (!wall)
        return;
    const double work = tl_vec3_dot(impulse, c->wall);
    books->wall_work += work;
    books->loss += work;
    books->wall_impulse[0] += impulse.x;
    books->wall_impulse[1] += impulse.y;
    books->wall_impulse[2] += impulse.z;
}

tl_status tl_rigids_meet(tl_rigids *all, const tl_meeting *meeting, tl_contact_books *books,
                         tl_error *error) {
    TL_TRY(tl_rigids_find_contacts(all, meeting, error));
    if (all->contact_count == 0)
        return TL_OK;
    TL_TRY(tl_rigids_settle(all, error));
    for (size_t k = 0; k < all->contact_count; k++)
        apply(all, &all->contacts[k], all->contacts[k].impulse, books);
    return TL_OK;
}
