/* Rigid bodies meet walls and each other: where their surfaces are about to touch, and what the
 * impulses that settle.c finds there do. */
#include "rigid/rigid.h"

/* How near, in spacings, points come before they count. */
static const double near = 0.3;

/* Normals with this cosine between them are those of one surface. */
static const double alike = 0.9;

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

/* Distance of x from the line between two points. */
static double off_line(tl_vec3 x, tl_vec3 from, tl_vec3 to) {
    const tl_vec3 along = tl_vec3_sub(to, from), d = tl_vec3_sub(x, from);
    const double length2 = tl_vec3_dot(along, along);
    const double part = length2 > 0 ? fmin(fmax(tl_vec3_dot(d, along) / length2, 0), 1) : 0;
    return tl_vec3_length(tl_vec3_mad(d, -part, along));
}

/* True if exact contact e is of the same surfaces as c. */
static bool is_alike(const tl_rigid_contact *e, const tl_rigid_contact *c) {
    const double along = tl_vec3_dot(e->normal, c->normal);
    return (e->a == c->a && e->b == c->b && along > alike) ||
           (e->a == c->b && e->b == c->a && -along > alike);
}

/* True where an exact contact, or the line between two of them, stands for a point of a surface.
 * Corners of facets ahead of what rolls would stop it: their velocities point into the floor, which
 * they only glide past. They do so farther away than twice their way in a step. */
static bool is_covered(const tl_rigids *all, const tl_rigid_contact *c, const tl_meeting *m) {
    const tl_rigid *r = &all->items[c->a];
    const tl_vec3 other = c->b == c->a ? (tl_vec3){0, 0, 0} : all->items[c->b].spin;
    const double turn = tl_vec3_length(tl_vec3_sub(r->spin, other)) * m->dt;
    const double arm = tl_vec3_length(tl_vec3_sub(c->point, r->pose.place));
    const double reach = m->spacing + 2 * turn * arm;
    for (size_t k = 0; k < all->exact_count; k++)
        for (size_t l = k; l < all->exact_count && is_alike(&all->contacts[k], c) &&
                           is_alike(&all->contacts[l], c);
             l++)
            if (off_line(c->point, all->contacts[k].point, all->contacts[l].point) < reach)
                return true;
    return false;
}

static tl_status add(tl_rigids *all, tl_rigid_contact c, const tl_meeting *m, tl_error *error) {
    const double dt = m->dt;
    if (is_covered(all, &c, m))
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(all->contacts, all->contact_count, all->contact_count + 1, error));
    const double approach = tl_vec3_dot(relative_speed(all, &c), c.normal);
    c.target = c.gap > 0 ? -c.gap / dt : -mended * c.gap / dt;
    if (-approach * dt > c.gap && approach < -m->slow)
        c.target = fmax(c.target, -c.bounce * approach);
    all->contacts[all->contact_count++] = c;
    return TL_OK;
}

static tl_ring ring_of(const tl_rigid *r, size_t k) {
    tl_ring ring = r->def->rings[k];
    ring.centre = tl_pose_apply(&r->pose, tl_vec3_sub(ring.centre, r->start));
    ring.axis = tl_turn_apply(r->pose.turn, ring.axis);
    return ring;
}

/* Body k at x, which is `gap` off a wall whose normal there is n. */
static tl_status meet_wall(tl_rigids *all, uint32_t k, const tl_shape *wall, tl_vec3 x, double gap,
                           tl_vec3 n, const tl_meeting *m, tl_error *error) {
    const tl_rigid *r = &all->items[k];
    const tl_vec3 velocity = tl_shape_velocity(wall, x);
    const double closing = -tl_vec3_dot(tl_vec3_sub(speed_at(r, x), velocity), n) * m->dt;
    if (gap > near * m->spacing + fmax(closing, 0) || gap < -2 * m->spacing)
        return TL_OK;
    return add(all,
               (tl_rigid_contact){.a = k,
                                  .b = k,
                                  .point = x,
                                  .normal = n,
                                  .wall = velocity,
                                  .gap = gap,
                                  .friction = r->def->friction,
                                  .bounce = fmax(r->def->bounce, wall->bounce)},
               m, error);
}

/* What is round of body k, at walls. Walls that move are met where they will be. */
static tl_status meet_walls_by_rings(tl_rigids *all, uint32_t k, const tl_meeting *m,
                                     tl_error *error) {
    for (size_t e = 0; e < all->items[k].def->ring_count * m->walls->count; e++) {
        const size_t rings = all->items[k].def->ring_count;
        const tl_ring ring = ring_of(&all->items[k], e % rings);
        const tl_shape *wall = &m->walls->items[e / rings];
        tl_vec3 n, x;
        tl_shape_distance(wall, ring.centre, &n);
        if (!tl_ring_farthest(&ring, tl_vec3_scale(n, -1), &x))
            continue;
        const double gap = tl_shape_distance(wall, x, &n) - ring.thickness;
        x = tl_vec3_mad(x, -ring.thickness, n);
        TL_TRY(meet_wall(all, k, wall, x, gap, n, m, error));
    }
    return TL_OK;
}

/* Points of its surface. */
static tl_status meet_walls(tl_rigids *all, uint32_t k, const tl_meeting *m, tl_error *error) {
    const tl_rigid *r = &all->items[k];
    for (size_t p = 0; p < r->point_count; p++) {
        const tl_vec3 x = tl_pose_apply(&r->pose, r->points[p]);
        for (size_t s = 0; s < m->walls->count; s++) {
            tl_vec3 n;
            const double gap = tl_shape_distance(&m->walls->items[s], x, &n);
            TL_TRY(meet_wall(all, k, &m->walls->items[s], x, gap, n, m, error));
        }
    }
    return TL_OK;
}

/* The nearest point of body b; its normal points away from b. */
static bool find_nearest(const tl_rigid *b, tl_vec3 x, double reach, tl_nearest *out) {
    const tl_vec3 there = tl_vec3_add(tl_pose_back(&b->pose, x), b->start);
    const bool found = tl_solid_nearest(b->def->solid, there, reach, out);
    if (found)
        out->normal = tl_turn_apply(b->pose.turn, out->normal);
    return found;
}

/* Body a at x, near body b. */
static tl_status meet_point(tl_rigids *all, uint32_t a, uint32_t b, tl_vec3 x, double gap,
                            tl_vec3 n, const tl_meeting *m, tl_error *error) {
    const tl_rigid_def *own = all->items[a].def, *other = all->items[b].def;
    return add(all,
               (tl_rigid_contact){.a = a,
                                  .b = b,
                                  .point = x,
                                  .normal = n,
                                  .gap = gap,
                                  .friction = sqrt(own->friction * other->friction),
                                  .bounce = fmax(own->bounce, other->bounce)},
               m, error);
}

/* What is round of body a, at the surface of body b. */
static tl_status meet_body_by_rings(tl_rigids *all, uint32_t a, uint32_t b, const tl_meeting *m,
                                    tl_error *error) {
    const tl_rigid *own = &all->items[a], *other = &all->items[b];
    for (size_t p = 0; p < own->def->ring_count; p++) {
        const tl_ring ring = ring_of(own, p);
        const tl_vec3 speed = tl_vec3_sub(speed_at(own, ring.centre), speed_at(other, ring.centre));
        const double reach = near * m->spacing + tl_vec3_length(speed) * m->dt + ring.thickness;
        tl_nearest nearest;
        tl_vec3 x;
        if (!find_nearest(other, ring.centre, reach + ring.radius, &nearest) ||
            !tl_ring_farthest(&ring, tl_vec3_scale(nearest.normal, -1), &x) ||
            !find_nearest(other, x, reach, &nearest))
            continue;
        x = tl_vec3_mad(x, -ring.thickness, nearest.normal);
        TL_TRY(
            meet_point(all, a, b, x, nearest.distance - ring.thickness, nearest.normal, m, error));
    }
    return TL_OK;
}

/* Points of body a at the surface of body b. */
static tl_status meet_body(tl_rigids *all, uint32_t a, uint32_t b, const tl_meeting *m,
                           tl_error *error) {
    const tl_rigid *own = &all->items[a], *other = &all->items[b];
    for (size_t p = 0; p < own->point_count; p++) {
        const tl_vec3 x = tl_pose_apply(&own->pose, own->points[p]);
        const tl_vec3 speed = tl_vec3_sub(speed_at(own, x), speed_at(other, x));
        tl_nearest nearest;
        if (find_nearest(other, x, near * m->spacing + tl_vec3_length(speed) * m->dt, &nearest))
            TL_TRY(meet_point(all, a, b, x, nearest.distance, nearest.normal, m, error));
    }
    return TL_OK;
}

typedef tl_status meet_walls_by(tl_rigids *, uint32_t, const tl_meeting *, tl_error *);
typedef tl_status meet_body_by(tl_rigids *, uint32_t, uint32_t, const tl_meeting *, tl_error *);

static tl_status meet_all(tl_rigids *all, meet_walls_by walls, meet_body_by body,
                          const tl_meeting *m, tl_error *error) {
    for (uint32_t k = 0; k < all->count; k++) {
        TL_TRY(walls(all, k, m, error));
        for (uint32_t other = 0; other < all->count; other++)
            if (other != k)
                TL_TRY(body(all, k, other, m, error));
    }
    return TL_OK;
}

tl_status tl_rigids_find_contacts(tl_rigids *all, const tl_meeting *meeting, tl_error *error) {
    all->contact_count = all->exact_count = 0;
    TL_TRY(meet_all(all, meet_walls_by_rings, meet_body_by_rings, meeting, error));
    all->exact_count = all->contact_count;
    TL_TRY(meet_all(all, meet_walls, meet_body, meeting, error));
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
