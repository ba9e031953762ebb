/* Rigid bodies and the implicit solve: what it is told of them, and what it finds. See
 * flow/rigid_modes.h. */
#include "boundary/rigid_links.h"
#include "flow/rigid_contacts.h"
#include "world/state.h"

#include <string.h>

static void show_body(const tl_rigid *r, tl_rigid_mode *mode) {
    const tl_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double start[6] = {r->velocity.x, r->velocity.y, r->velocity.z,
                             r->spin.x,     r->spin.y,     r->spin.z};
    mode->mass = r->mass;
    memcpy(mode->start, start, sizeof start);
    memcpy(mode->now, start, sizeof start);
    for (int c = 0; c < 3; c++) {
        const tl_vec3 column = tl_rigid_moment(r, axes[c]), inverse = tl_rigid_twist(r, axes[c]);
        mode->inertia[0][c] = column.x, mode->inverse[0][c] = inverse.x;
        mode->inertia[1][c] = column.y, mode->inverse[1][c] = inverse.y;
        mode->inertia[2][c] = column.z, mode->inverse[2][c] = inverse.z;
    }
}

tl_status tl_world_show_rigids(tl_world *w, tl_error *error) {
    tl_rigid_modes *modes = &w->solver.modes;
    const float *depth = w->rigids.count ? tl_field_data(&w->fields, w->rigids.depth) : NULL;
    TL_TRY(tl_modes_begin(modes, w->rigids.count, w->fields.count, error));
    for (size_t k = 0; k < w->rigids.count; k++) {
        show_body(&w->rigids.items[k], &modes->items[k]);
        w->rigids.shapes.items[k].pose = tl_rigid_surface(&w->rigids.items[k]);
    }
    for (size_t i = 0; w->rigids.count && i < w->fields.count; i++) {
        const uint32_t k = tl_rigid_of(w, i);
        if (k == 0)
            continue;
        const double *x = tl_position(w) + 3 * i;
        const tl_vec3 arm = tl_vec3_sub(tl_vec3_of(x), w->rigids.items[k - 1].pose.place);
        const tl_rigid_member member = {(uint32_t)i, k - 1, depth[i], {arm.x, arm.y, arm.z}};
        TL_TRY(tl_modes_add(modes, &member, error));
    }
    return TL_OK;
}

/* Who touches a body that matter moves takes part in the solve: it may hold that up. */
static void bind_bodies(const tl_rigids *all, tl_rigid_modes *modes) {
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < all->contact_count; k++) {
            bool *a = &modes->items[all->contacts[k].a].bound;
            bool *b = &modes->items[all->contacts[k].b].bound;
            more = more || *a != *b;
            *a = *b = *a || *b;
        }
    }
}

static tl_mode_contact contact_of(const tl_rigids *all, const tl_rigid_contact *c) {
    const tl_vec3 a = tl_vec3_sub(c->point, all->items[c->a].pose.place);
    const tl_vec3 b = tl_vec3_sub(c->point, all->items[c->b].pose.place);
    return (tl_mode_contact){.a = c->a,
                             .b = c->b,
                             .arm_a = {a.x, a.y, a.z},
                             .arm_b = {b.x, b.y, b.z},
                             .normal = {c->normal.x, c->normal.y, c->normal.z},
                             .wall = {c->wall.x, c->wall.y, c->wall.z},
                             .target = c->target,
                             .friction = c->friction,
                             .mass = fmin(all->items[c->a].mass, all->items[c->b].mass)};
}

tl_status tl_world_show_contacts(tl_world *w, double dt, tl_error *error) {
    tl_rigids *all = &w->rigids;
    tl_rigid_modes *modes = &w->solver.modes;
    if (all->count == 0)
        return TL_OK;
    const tl_meeting meeting = tl_world_meeting(w, dt);
    TL_TRY(tl_rigids_find_contacts(all, &meeting, error));
    bind_bodies(all, modes);
    for (size_t k = 0; k < all->contact_count; k++) {
        const tl_mode_contact c = contact_of(all, &all->contacts[k]);
        if (modes->items[c.a].bound)
            TL_TRY(tl_contacts_add(modes, &c, error));
    }
    double mass = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        mass += (double)tl_mass(w)[i];
    tl_contacts_find_carried(modes, w->def.gravity);
    tl_contacts_stiffen(modes, mass);
    return TL_OK;
}

void tl_world_take_rigids(tl_world *w) {
    for (size_t k = 0; k < w->rigids.count; k++) {
        tl_rigid *r = &w->rigids.items[k];
        const double *now = w->solver.modes.items[k].now;
        const tl_vec3 spin = tl_vec3_of(now + 3), change = tl_vec3_sub(spin, r->spin);
        r->velocity = tl_vec3_of(now);
        r->angular_momentum = tl_vec3_add(r->angular_momentum, tl_rigid_moment(r, change));
        r->spin = spin;
    }
}
