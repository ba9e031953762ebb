/* See rigid.h. Making rigid bodies, and their part of the step. */
#include "math/mat3.h"
#include "world/state.h"

#include <stdlib.h>
#include <string.h>

static const tl_field_desc field_frame_place = {
    "frame_place", TL_F64, 3, "m", "Place in the frame of its rigid body", TL_FIELD_SAVED};
static const tl_field_desc field_depth = {
    "depth", TL_F32, 1, "m", "Depth below the surface of its rigid body", TL_FIELD_SAVED};

static double *frame_places(const tl_world *w) {
    return tl_field_data(&w->fields, w->rigids.frame_place);
}

/* To find the mean spin of a step. Each round divides the error by a part of the angle. */
enum { ROUNDS = 20 };

/* ---- Making ------------------------------------------------------------------------------------
 */

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

/* How deep the particles of body k are. Those on the way out of a staircase are at the surface. */
static void sound(const tl_world *w, size_t k) {
    float *depth = tl_field_data(&w->fields, w->rigids.depth);
    const tl_rigid *r = &w->rigids.items[k];
    const double far = 2 * w->support;
    for (size_t i = 0; i < w->fields.count; i++) {
        if (tl_rigid_of(w, i) != k + 1)
            continue;
        const tl_vec3 place = tl_vec3_add(r->start, tl_vec3_of(frame_places(w) + 3 * i));
        tl_nearest nearest;
        const bool found = tl_solid_nearest(r->def->solid, place, far, &nearest);
        depth[i] = (float)(found ? fmax(-nearest.distance, 0) : far);
    }
}

/* Mass, centre and inertia of body k, from its shape. Its particles are as many as the spacing lets
 * them be; each has its part of the volume, so that the body displaces and stores what it should.
 */
static tl_status weigh(tl_world *w, size_t k, tl_error *error) {
    tl_rigid *r = &w->rigids.items[k];
    const tl_mesh_moments shape =
        r->def->moments.volume > 0 ? r->def->moments : tl_mesh_find_moments(r->def->mesh);
    size_t count = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        count += tl_rigid_of(w, i) == k + 1;
    r->start = shape.centroid;
    r->pose = (tl_pose){r->start, tl_turn_none()};
    r->part = shape.volume / ((double)count * pow(w->def.spacing, 3));
    for (size_t i = 0; i < w->fields.count; i++) {
        if (tl_rigid_of(w, i) != k + 1)
            continue;
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), r->start);
        memcpy(frame_places(w) + 3 * i, (const double[3]){d.x, d.y, d.z}, 3 * sizeof(double));
        tl_mass(w)[i] = (float)((double)tl_mass(w)[i] * r->part);
        r->mass += (double)tl_mass(w)[i];
    }
    for (int e = 0; e < 9; e++)
        r->inertia[e / 3][e % 3] = r->mass / shape.volume * shape.inertia[e / 3][e % 3];
    sound(w, k);
    if (count == 0 || !(shape.volume > 0) || !tl_mat3_invert(r->inertia, r->inverse))
        return tl_fail(error, TL_BAD_INPUT, "bodies", "make it thicker, or the spacing smaller",
                       "a rigid body needs a volume, and particles in it");
    return TL_OK;
}

/* What the particles cannot tell, such as the spin of a single row of them about itself, is none.
 */
static const double untold = 1e-12;

/* The motion of body k that is nearest to the velocities of its particles. */
static void find_motion(tl_world *w, size_t k) {
    tl_rigid *r = &w->rigids.items[k];
    tl_vec3 middle = {0, 0, 0}, velocity = middle, moment = middle;
    double inertia[3][3], inverse[3][3];
    for (int e = 0; e < 9; e++)
        inertia[e / 3][e % 3] = untold * r->inertia[e / 3][e % 3];
    for (size_t i = 0; i < w->fields.count; i++) {
        const double part = (double)tl_mass(w)[i] / r->mass;
        if (tl_rigid_of(w, i) != k + 1)
            continue;
        middle = tl_vec3_mad(middle, part, tl_vec3_of(frame_places(w) + 3 * i));
        velocity = tl_vec3_mad(velocity, part, tl_vec3_of(tl_velocity(w) + 3 * i));
    }
    for (size_t i = 0; i < w->fields.count; i++) {
        if (tl_rigid_of(w, i) != k + 1)
            continue;
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(frame_places(w) + 3 * i), middle);
        const double mass = (double)tl_mass(w)[i], p[3] = {d.x, d.y, d.z};
        moment = tl_vec3_mad(moment, mass, tl_vec3_cross(d, tl_vec3_of(tl_velocity(w) + 3 * i)));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                inertia[a][b] += mass * ((a == b ? tl_vec3_dot(d, d) : 0) - p[a] * p[b]);
    }
    tl_mat3_invert(inertia, inverse);
    r->spin = tl_mat3_times(inverse, moment);
    r->velocity = tl_vec3_sub(velocity, tl_vec3_cross(r->spin, middle));
    r->angular_momentum = tl_rigid_moment(r, r->spin);
}

/* Corners of the surface, and points along its edges: no gap between them is larger than a spacing.
 */
static tl_status place_points(tl_rigid *r, double spacing, tl_error *error) {
    const tl_mesh *mesh = r->def->mesh;
    TL_TRY(TL_RESERVE(r->points, r->point_capacity, 0, mesh->vertex_count, error));
    for (size_t i = 0; i < mesh->vertex_count; i++)
        r->points[r->point_count++] = tl_vec3_sub(mesh->vertices[i], r->start);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t from = mesh->triangles[t][k], to = mesh->triangles[t][(k + 1) % 3];
            const tl_vec3 a = mesh->vertices[from], d = tl_vec3_sub(mesh->vertices[to], a);
            const size_t pieces = (size_t)ceil(tl_vec3_length(d) / spacing);
            for (size_t p = 1; from < to && p < pieces; p++) {
                TL_TRY(TL_RESERVE(r->points, r->point_capacity, r->point_count, r->point_count + 1,
                                  error));
                r->points[r->point_count++] =
                    tl_vec3_sub(tl_vec3_mad(a, (double)p / (double)pieces, d), r->start);
            }
        }
    return TL_OK;
}

tl_pose tl_rigid_surface(const tl_rigid *r) {
    return (tl_pose){tl_vec3_sub(r->pose.place, tl_turn_apply(r->pose.turn, r->start)),
                     r->pose.turn};
}

static tl_status add_surface(tl_world *w, const tl_rigid *r, tl_error *error) {
    tl_shapes *s = &w->rigids.shapes;
    TL_TRY(TL_RESERVE(s->items, s->capacity, s->count, s->count + 1, error));
    s->items[s->count++] = (tl_shape){.solid = r->def->solid,
                                      .moves = true,
                                      .reach = 2 * w->support,
                                      .pose = tl_pose_none(),
                                      .other = tl_pose_none()};
    return TL_OK;
}

tl_status tl_world_begin_rigids(tl_world *w, tl_error *error) {
    tl_rigids *all = &w->rigids;
    all->count = w->def.rigid_count;
    if (all->count == 0)
        return TL_OK;
    for (size_t k = 0; k < all->count; k++)
        all->body_count =
            w->def.rigids[k].body >= all->body_count ? w->def.rigids[k].body + 1 : all->body_count;
    all->items = tl_allocate(all->count, sizeof *all->items);
    all->kept = tl_allocate(all->count, sizeof *all->kept);
    all->of_body = tl_allocate(all->body_count, sizeof *all->of_body);
    all->frame_place = tl_fields_declare(&w->fields, &field_frame_place);
    all->depth = tl_fields_declare(&w->fields, &field_depth);
    if (!all->items || !all->kept || !all->of_body || all->frame_place < 0 || all->depth < 0)
        return tl_fail_memory(error, all->count, sizeof *all->items);
    for (size_t k = 0; k < all->count; k++) {
        all->items[k].def = &w->def.rigids[k];
        all->of_body[w->def.rigids[k].body] = (uint32_t)k + 1;
    }
    for (size_t k = 0; k < all->count; k++) {
        TL_TRY(weigh(w, k, error));
        find_motion(w, k);
        TL_TRY(place_points(&all->items[k], w->def.spacing, error));
        TL_TRY(add_surface(w, &all->items[k], error));
    }
    return TL_OK;
}

void tl_world_free_rigids(tl_world *w) {
    tl_rigids *all = &w->rigids;
    for (size_t k = 0; all->items && k < all->count; k++)
        free(all->items[k].points);
    free(all->items);
    free(all->kept);
    free(all->of_body);
    free(all->contacts);
    tl_settling_free(&all->settling);
    free(all->even);
    free(all->near_first);
    free(all->near);
    free(all->near_touches);
    tl_neighbor_list_free(&all->touching);
    tl_shapes_free(&all->shapes);
    *all = (tl_rigids){0};
}

/* ---- The step ----------------------------------------------------------------------------------
 */

float tl_world_rigid_viscosity(const tl_world *w) {
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    float least = HUGE_VALF;
    for (size_t i = 0; w->rigids.count && i < w->fields.count; i++)
        least = tl_rigid_of(w, i) ? least : fminf(least, viscosity[i]);
    return least < HUGE_VALF ? least : 0;
}

/* Gives the bodies the momenta that their particles get in dt, by their acceleration and by filters
 * of velocities. Gravity acts at the centre, which need not be that of the particles. Energy of
 * motion that is not rigid is lost. Explicit forces within a body do no work on it, and what they
 * would do is in no book. */
static void gather(tl_world *w, double dt) {
    tl_rigids *all = &w->rigids;
    const double *x = tl_position(w), *v = tl_velocity(w), *g = w->def.gravity;
    const float *a = tl_field_data(&w->fields, w->handle.acceleration), *mass = tl_mass(w);
    for (size_t i = 0; i < w->fields.count; i++) {
        const uint32_t k = tl_rigid_of(w, i);
        if (k == 0)
            continue;
        const tl_rigid *was = &all->kept[k - 1];
        tl_rigid *r = &all->items[k - 1];
        const tl_vec3 arm = tl_vec3_sub(tl_vec3_of(x + 3 * i), was->pose.place);
        const tl_vec3 own = tl_vec3_add(was->velocity, tl_vec3_cross(was->spin, arm));
        const tl_vec3 push = {(double)(a[3 * i] - (float)g[0]),
                              (double)(a[3 * i + 1] - (float)g[1]),
                              (double)(a[3 * i + 2] - (float)g[2])};
        const tl_vec3 change = tl_vec3_mad(tl_vec3_sub(tl_vec3_of(v + 3 * i), own), dt, push);
        const double m = (double)mass[i];
        r->velocity = tl_vec3_mad(r->velocity, m / r->mass, change);
        r->angular_momentum = tl_vec3_mad(r->angular_momentum, m, tl_vec3_cross(arm, change));
    }
    for (size_t k = 0; k < all->count; k++) {
        tl_rigid *r = &all->items[k];
        r->velocity = tl_vec3_mad(r->velocity, dt, tl_vec3_of(g));
        r->spin = tl_rigid_spin(r, r->pose.turn);
    }
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

/* Puts the particles where their bodies are. Returns the square of the largest speed. */
static double place_particles(tl_world *w, const double *velocities) {
    double *x = tl_position(w), *v = tl_velocity(w), *density = tl_density(w), fastest2 = 0;
    float *moved = tl_field_data(&w->fields, w->handle.last_move);
    float *kept_v = tl_field_data(&w->fields, w->handle.kept_velocity);
    double *kept_density = tl_field_data(&w->fields, w->handle.kept_density);
    for (size_t i = 0; i < w->fields.count; i++) {
        const uint32_t k = tl_rigid_of(w, i);
        if (k == 0)
            continue;
        const tl_rigid *r = &w->rigids.items[k - 1];
        const tl_vec3 place = tl_pose_apply(&r->pose, tl_vec3_of(frame_places(w) + 3 * i));
        const tl_vec3 arm = tl_vec3_sub(place, r->pose.place);
        const tl_vec3 u = tl_vec3_add(r->velocity, tl_vec3_cross(r->spin, arm));
        const double to[3] = {place.x, place.y, place.z}, own[3] = {u.x, u.y, u.z};
        kept_density[i] = density[i];
        for (size_t c = 0; c < 3; c++) {
            kept_v[3 * i + c] = (float)velocities[3 * i + c];
            moved[3 * i + c] = (float)(to[c] - x[3 * i + c]);
            x[3 * i + c] = to[c];
            v[3 * i + c] = own[c];
        }
        fastest2 = fmax(fastest2, tl_vec3_dot(u, u));
    }
    return fastest2;
}

/* The power of gravity on all bodies (W). */
static double weight_power(const tl_world *w) {
    double power = 0;
    for (size_t k = 0; k < w->rigids.count; k++) {
        const tl_rigid *r = &w->rigids.items[k];
        power += r->mass * tl_vec3_dot(tl_vec3_of(w->def.gravity), r->velocity);
    }
    return power;
}

/* What an explicit step loses under forces that are known before it: bodies go on with the speed
 * at its end, while the mean of both ends does the work (J). */
static double kick_loss(const tl_world *w, double dt) {
    double loss = 0;
    for (size_t k = 0; k < w->rigids.count; k++) {
        const tl_rigid *r = &w->rigids.items[k];
        const tl_vec3 change = tl_vec3_sub(r->velocity, w->rigids.kept[k].velocity);
        loss += r->mass * (dt * tl_vec3_dot(tl_vec3_of(w->def.gravity), change) -
                           0.5 * tl_vec3_dot(change, change));
    }
    return loss;
}

tl_meeting tl_world_meeting(const tl_world *w, double dt) {
    /* What lies on a floor gets the speed that gravity gives in a step, and must not bounce. */
    const double slow = 2 * dt * tl_vec3_length(tl_vec3_of(w->def.gravity));
    return (tl_meeting){&w->shapes, w->def.spacing, dt, slow};
}

tl_status tl_world_move_rigids(tl_world *w, const double *velocities, double dt, double *fastest2,
                               tl_error *error) {
    tl_rigids *all = &w->rigids;
    *fastest2 = 0;
    if (all->count == 0)
        return TL_OK;
    memcpy(all->kept, all->items, all->count * sizeof *all->kept);
    if (w->dynamics->accelerates) {
        gather(w, dt);
        w->state.numerical_heat += kick_loss(w, dt);
    } else {
        tl_world_take_rigids(w);
    }
    const double power = weight_power(w);
    tl_contact_books books = {0};
    const tl_meeting meeting = tl_world_meeting(w, dt);
    TL_TRY(tl_rigids_meet(all, &meeting, &books, error));
    w->state.wall_work += books.wall_work;
    /* Contacts change the way, and so the work of gravity that went into the speed. */
    w->state.numerical_heat += books.loss - dt * (power - weight_power(w));
    for (int k = 0; k < 3; k++)
        w->state.wall_impulse[k] += books.wall_impulse[k];
    for (size_t k = 0; k < all->count; k++) {
        all->shapes.items[k].pose = tl_rigid_surface(&all->items[k]);
        advance(&all->items[k], dt);
        all->shapes.items[k].other = tl_rigid_surface(&all->items[k]);
    }
    *fastest2 = place_particles(w, velocities);
    return TL_OK;
}

void tl_world_take_back_rigids(tl_world *w) {
    if (w->rigids.count)
        memcpy(w->rigids.items, w->rigids.kept, w->rigids.count * sizeof *w->rigids.items);
}

/* Keeps what particle i of body `own` feels: matter, and the body itself. A sample has no body.
 * What is of other bodies is kept as well, elsewhere. */
static tl_status cut_row(tl_world *w, size_t i, uint32_t own, uint32_t *near, tl_error *error) {
    const tl_records *r = &w->records;
    tl_rigids *all = &w->rigids;
    uint32_t *row = w->list.index + w->list.begin[i], kept = 0;
    for (uint32_t k = 0; k < w->list.size[i]; k++) {
        const uint32_t j = row[k] < r->particles ? tl_rigid_of(w, row[k]) : 0;
        if (own && j && j != own && w->def.with_heat) {
            TL_TRY(TL_RESERVE(all->near, all->near_capacity, *near, *near + 1, error));
            all->near[(*near)++] = row[k];
        } else if (tl_records_is_matter(r, row[k]) && (j == 0 || j == own)) {
            row[kept++] = row[k];
        }
    }
    for (size_t k = kept; k < tl_pad_lanes(w->list.size[i]); k++)
        row[k] = (uint32_t)tl_records_total(r);
    w->list.pair_count -= w->list.size[i] - kept;
    w->list.size[i] = kept;
    return TL_OK;
}

/* Lists of pairs: bodies meet walls and each other by contacts, not by their particles. Neither do
 * samples of walls see them: their push would be in the books twice. */
tl_status tl_world_cut_rigid_rows(tl_world *w, tl_error *error) {
    const tl_records *r = &w->records;
    tl_rigids *all = &w->rigids;
    uint32_t near = 0;
    if (all->count == 0)
        return TL_OK;
    TL_TRY(TL_RESERVE(all->near_first, all->near_first_capacity, 0, r->particles + 1, error));
    for (size_t i = 0; i < r->particles + r->samples; i++) {
        const bool sample = i >= r->particles;
        const uint32_t own = sample ? 0 : tl_rigid_of(w, i);
        if (!sample)
            all->near_first[i] = near;
        if (own || sample)
            TL_TRY(cut_row(w, i, own, &near, error));
    }
    all->near_first[r->particles] = near;
    return TL_OK;
}

/* ---- State -------------------------------------------------------------------------------------
 */

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
