/* Rigid bodies (rigid/rigid.h) in the step of a world: what they see of it, what the implicit solve
 * is told of them and finds (flow/rigid_modes.h), and what the books get. */
#include "boundary/rigid_links.h"
#include "flow/rigid_contacts.h"
#include "world/state.h"

#include <string.h>

static tl_rigid_matter matter_of(const tl_world *w) {
    return (tl_rigid_matter){.count = w->fields.count,
                             .body = tl_field_data(&w->fields, w->handle.body),
                             .position = tl_position(w),
                             .velocity = tl_velocity(w),
                             .mass = tl_mass(w),
                             .frame_place = tl_field_data(&w->fields, w->rigids.frame_place),
                             .depth = tl_field_data(&w->fields, w->rigids.depth),
                             .moved = tl_field_data(&w->fields, w->handle.last_move),
                             .sizes = w->sizes,
                             .spacing = w->def.spacing,
                             .force = tl_world_body_force(w)};
}

tl_status tl_world_begin_rigids(tl_world *w, tl_error *error) {
    if (w->def.rigid_count == 0)
        return TL_OK;
    TL_TRY(tl_rigids_declare(&w->rigids, &w->fields, error));
    const tl_rigid_matter matter = matter_of(w);
    return tl_rigids_make(&w->rigids, w->def.rigids, w->def.rigid_count, &matter, error);
}

/* ---- Pairs -------------------------------------------------------------------------------------
 */

tl_status tl_world_cut_rigid_rows(tl_world *w, tl_error *error) {
    if (w->rigids.count == 0)
        return TL_OK;
    const tl_rigid_matter matter = matter_of(w);
    return tl_rigids_cut_rows(&w->rigids, &matter, &w->records, &w->list, w->def.with_heat, error);
}

tl_status tl_world_find_touching(tl_world *w, tl_error *error) {
    if (w->rigids.count == 0)
        return TL_OK;
    const tl_rigid_matter matter = matter_of(w);
    return tl_rigids_find_touching(&w->rigids, &matter, &w->parallel, &w->list,
                                   (uint32_t)tl_records_total(&w->records), error);
}

void tl_world_even_rigids(tl_world *w, float unit) {
    if (w->rigids.count == 0)
        return;
    const tl_rigid_matter matter = matter_of(w);
    const tl_rigid_pass pass = {&w->records, &w->list, (tl_kernel)w->def.flow.kernel, unit};
    tl_rigids_even(&w->rigids, &matter, &pass, w->even);
}

float tl_world_rigid_viscosity(const tl_world *w) {
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    float least = HUGE_VALF;
    for (size_t i = 0; w->rigids.count && i < w->fields.count; i++)
        least = tl_rigid_of(w, i) ? least : fminf(least, viscosity[i]);
    return least < HUGE_VALF ? least : 0;
}

/* ---- The implicit solve ------------------------------------------------------------------------
 */

static void feel(tl_world *w) {
    if (w->rigids.count == 0)
        return;
    const tl_rigid_matter matter = matter_of(w);
    tl_rigids_feel(&w->rigids, &matter);
}

static void show_body(const tl_rigid *r, tl_rigid_mode *mode) {
    const tl_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double start[6] = {r->velocity.x, r->velocity.y, r->velocity.z,
                             r->spin.x,     r->spin.y,     r->spin.z};
    const double pull[6] = {r->pull.x, r->pull.y, r->pull.z, r->torque.x, r->torque.y, r->torque.z};
    mode->mass = r->mass;
    memcpy(mode->start, start, sizeof start);
    memcpy(mode->now, start, sizeof start);
    memcpy(mode->pull, pull, sizeof pull);
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
    feel(w);
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

static tl_meeting meeting_of(const tl_world *w, double dt) {
    /* What lies on a floor gets the speed that gravity gives in a step, and must not bounce. */
    const double slow = 2 * dt * tl_vec3_length(tl_world_mean_force(w));
    return (tl_meeting){&w->shapes, w->def.spacing, dt, slow};
}

tl_status tl_world_show_contacts(tl_world *w, double dt, tl_error *error) {
    tl_rigids *all = &w->rigids;
    tl_rigid_modes *modes = &w->solver.modes;
    if (all->count == 0)
        return TL_OK;
    const tl_meeting meeting = meeting_of(w, dt);
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
    const tl_vec3 down = tl_world_mean_force(w);
    tl_contacts_find_carried(modes, (const double[]){down.x, down.y, down.z});
    tl_contacts_stiffen(modes, mass);
    return TL_OK;
}

/* Takes on what the solve has found. */
static void take(tl_world *w) {
    for (size_t k = 0; k < w->rigids.count; k++) {
        tl_rigid *r = &w->rigids.items[k];
        const double *now = w->solver.modes.items[k].now;
        const tl_vec3 spin = tl_vec3_of(now + 3), change = tl_vec3_sub(spin, r->spin);
        r->velocity = tl_vec3_of(now);
        r->angular_momentum = tl_vec3_add(r->angular_momentum, tl_rigid_moment(r, change));
        r->spin = spin;
    }
}

/* ---- Motion ------------------------------------------------------------------------------------
 */

/* What a rejection goes back by. */
static void keep_particles(tl_world *w, const double *velocities) {
    const double *density = tl_density(w);
    float *kept_v = tl_field_data(&w->fields, w->handle.kept_velocity);
    double *kept_density = tl_field_data(&w->fields, w->handle.kept_density);
    for (size_t i = 0; i < w->fields.count; i++) {
        if (!tl_rigid_of(w, i))
            continue;
        kept_density[i] = density[i];
        for (size_t c = 3 * i; c < 3 * i + 3; c++)
            kept_v[c] = (float)velocities[c];
    }
}

static tl_status meet(tl_world *w, double dt, tl_error *error) {
    const tl_body_force force = tl_world_body_force(w);
    const double *g = force.uniform, power = tl_rigids_weight_power(&w->rigids, g);
    const tl_meeting meeting = meeting_of(w, dt);
    tl_contact_books books = {0};
    TL_TRY(tl_rigids_meet(&w->rigids, &meeting, &books, error));
    w->state.wall_work += books.wall_work;
    /* Contacts change the way, and so the work of forces from afar that went into the speed. */
    w->state.numerical_heat += books.loss - dt * (power - tl_rigids_weight_power(&w->rigids, g));
    for (int k = 0; k < 3; k++)
        w->state.wall_impulse[k] += books.wall_impulse[k];
    tl_world_book_contacts(w);
    return TL_OK;
}

tl_status tl_world_move_rigids(tl_world *w, const double *velocities, double dt, double *fastest2,
                               tl_error *error) {
    tl_rigids *all = &w->rigids;
    *fastest2 = 0;
    if (all->count == 0)
        return TL_OK;
    const tl_rigid_matter matter = matter_of(w);
    tl_rigids_keep(all);
    if (w->dynamics->accelerates) {
        tl_rigids_feel(all, &matter);
        tl_rigids_gather(all, &matter, tl_field_data(&w->fields, w->handle.acceleration), dt);
        w->state.numerical_heat += tl_rigids_kick_loss(all, matter.force.uniform, dt);
    } else {
        take(w);
    }
    TL_TRY(meet(w, dt, error));
    tl_rigids_advance(all, dt);
    keep_particles(w, velocities);
    *fastest2 = tl_rigids_place(all, &matter);
    return TL_OK;
}

tl_pose tl_world_rigid_pose(const tl_world *w, size_t rigid) {
    return tl_rigid_surface(&w->rigids.items[rigid]);
}
