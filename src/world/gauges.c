/* What is counted for measures. See gauges.h, state.h. */
#include "world/gauges.h"

#include "cohesion/obstacles.h"
#include "world/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tl_status tl_world_begin_gauges(tl_world *w, tl_error *error) {
    tl_world_gauges *g = &w->gauges;
    const size_t gates = w->def.gate_count, walls = w->def.wall_count;
    if (gates > 0) {
        g->gates = tl_allocate(gates, sizeof *g->gates);
        g->defs = tl_allocate(gates, sizeof *g->defs);
        if (!g->gates || !g->defs)
            return tl_fail_memory(error, gates, sizeof *g->gates);
        memcpy(g->defs, w->def.gates, gates * sizeof *g->defs);
    }
    w->def.gates = g->defs;
    if (w->def.books_walls && walls > 0) {
        g->walls = tl_allocate(walls, sizeof *g->walls);
        g->kept = tl_allocate(walls, sizeof *g->kept);
        if (!g->walls || !g->kept)
            return tl_fail_memory(error, walls, sizeof *g->walls);
    }
    tl_world_mark_sides(w);
    return TL_OK;
}

void tl_world_free_gauges(tl_world *w) {
    free(w->gauges.gates);
    free(w->gauges.defs);
    free(w->gauges.walls);
    free(w->gauges.kept);
}

const tl_gate *tl_world_gate(const tl_world *w, size_t gate) { return &w->gauges.gates[gate]; }

const tl_wall_books *tl_world_wall_books(const tl_world *w, size_t wall) {
    return w->gauges.walls ? &w->gauges.walls[wall] : NULL;
}

/* ---- Gates -------------------------------------------------------------------------------------
 */

/* Bits of the field: one a gate, set before it (where its normal points), and the last for those
 * whose sides have been noted. */
static const uint32_t noted = UINT32_C(1) << TL_MOST_GATES;

static double height_over(const tl_gate_def *gate, tl_vec3 x) {
    return tl_vec3_dot(gate->normal, tl_vec3_sub(x, gate->through));
}

static uint32_t sides_of(const tl_world *w, tl_vec3 x) {
    uint32_t sides = noted;
    for (size_t g = 0; g < w->def.gate_count; g++)
        sides |= height_over(&w->def.gates[g], x) >= 0 ? UINT32_C(1) << g : 0;
    return sides;
}

/* What leaves a periodic world on one side and enters on the other has passed no gate between. */
static bool counts(const tl_world *w, const tl_gate_def *gate, tl_vec3 x) {
    const double height = height_over(gate, x);
    const tl_vec3 foot = tl_vec3_mad(x, -height, gate->normal);
    return fabs(height) < tl_largest_support(&w->sizes) &&
           (gate->radius == 0 || tl_vec3_length(tl_vec3_sub(foot, gate->through)) <= gate->radius);
}

static void pass(const tl_world *w, size_t i, double way, tl_gate *gate) {
    const double mass = (double)tl_mass(w)[i];
    gate->mass += way * mass;
    gate->volume += way * mass / tl_density(w)[i];
    gate->heat += way * tl_world_heat_of(w, i);
    for (size_t k = 0; k < 3; k++)
        gate->momentum[k] += way * mass * tl_velocity(w)[3 * i + k];
}

void tl_world_count_gates(tl_world *w) {
    if (w->def.gate_count == 0)
        return;
    uint32_t *sides = tl_field_data(&w->fields, w->handle.sides);
    for (size_t i = 0; i < w->fields.count; i++) {
        const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * i);
        const uint32_t now = sides_of(w, x), changed = now ^ sides[i];
        for (size_t g = 0; changed && g < w->def.gate_count; g++)
            if ((changed >> g & 1) && counts(w, &w->def.gates[g], x))
                pass(w, i, now >> g & 1 ? 1 : -1, &w->gauges.gates[g]);
        sides[i] = now;
    }
}

void tl_world_mark_sides(tl_world *w) {
    if (w->def.gate_count == 0)
        return;
    uint32_t *sides = tl_field_data(&w->fields, w->handle.sides);
    for (size_t i = 0; i < w->fields.count; i++)
        if (!(sides[i] & noted))
            sides[i] = sides_of(w, tl_vec3_of(tl_position(w) + 3 * i));
}

/* ---- Walls -------------------------------------------------------------------------------------
 */

void tl_world_keep_gauges(tl_world *w) {
    if (w->gauges.walls)
        memcpy(w->gauges.kept, w->gauges.walls, w->def.wall_count * sizeof *w->gauges.kept);
}

void tl_world_return_gauges(tl_world *w) {
    for (size_t k = 0; w->gauges.walls && k < w->def.wall_count; k++) {
        tl_wall_books *now = &w->gauges.walls[k];
        memcpy(now->impulse, w->gauges.kept[k].impulse, sizeof now->impulse);
        memcpy(now->turn, w->gauges.kept[k].turn, sizeof now->turn);
    }
}

void tl_world_settle_gauges(tl_world *w, double dt) {
    for (size_t k = 0; w->gauges.walls && k < w->def.wall_count; k++) {
        tl_wall_books *now = &w->gauges.walls[k];
        const tl_wall_books *before = &w->gauges.kept[k];
        for (int e = 0; e < 3; e++) {
            now->force[e] = (now->impulse[e] - before->impulse[e]) / dt;
            now->torque[e] = (now->turn[e] - before->turn[e]) / dt;
        }
    }
}

tl_status tl_world_want_pushes(tl_world *w, double (**array)[3], size_t count, double (**out)[3],
                               tl_error *error) {
    *out = NULL;
    if (!w->gauges.walls)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(*array, 0, count, error));
    *out = *array;
    return TL_OK;
}

/* Matter acts on the wall as the wall acts on it, turned round. */
static void book(tl_world *w, size_t wall, tl_vec3 place, tl_vec3 impulse) {
    tl_wall_books *b = &w->gauges.walls[wall];
    const tl_vec3 turn = tl_vec3_cross(place, impulse);
    b->impulse[0] -= impulse.x, b->impulse[1] -= impulse.y, b->impulse[2] -= impulse.z;
    b->turn[0] -= turn.x, b->turn[1] -= turn.y, b->turn[2] -= turn.z;
}

/* The surfaces that a place is nearest to, nearest first. */
enum { MOST_NEAR = 3 };
typedef struct near_surfaces {
    size_t wall[MOST_NEAR], count;
    double distance[MOST_NEAR];
    tl_vec3 normal[MOST_NEAR];
} near_surfaces;

static void note_surface(near_surfaces *s, size_t wall, double distance, tl_vec3 normal) {
    size_t at = s->count;
    for (; at > 0 && distance < s->distance[at - 1]; at--)
        if (at < MOST_NEAR) {
            s->wall[at] = s->wall[at - 1];
            s->distance[at] = s->distance[at - 1];
            s->normal[at] = s->normal[at - 1];
        }
    if (at == MOST_NEAR)
        return;
    s->wall[at] = wall;
    s->distance[at] = distance;
    s->normal[at] = normal;
    s->count += s->count < MOST_NEAR;
}

static near_surfaces surfaces_near(const tl_world *w, tl_vec3 x) {
    near_surfaces found = {.count = 0};
    const double reach = tl_largest_support(&w->sizes);
    for (size_t k = 0; k < w->shapes.count; k++) {
        tl_vec3 normal = {0, 0, 0};
        const double distance = tl_shape_distance(&w->shapes.items[k], x, &normal);
        if (distance < reach)
            note_surface(&found, w->shapes.items[k].wall, distance, normal);
    }
    return found;
}

/* Parts of an impulse along the normals of surfaces, so that these leave as little of it as they
 * can: pressure in a corner is told apart exactly. Gauss-Seidel, which also ends where normals are
 * nearly the same; no surface pulls for another. */
static void split(const near_surfaces *s, tl_vec3 impulse, double part[MOST_NEAR]) {
    enum { ROUNDS = 60 };
    memset(part, 0, MOST_NEAR * sizeof *part);
    for (int round = 0; round < ROUNDS; round++)
        for (size_t k = 0; k < s->count; k++) {
            tl_vec3 rest = impulse;
            for (size_t o = 0; o < s->count; o++)
                rest = o == k ? rest : tl_vec3_mad(rest, -part[o], s->normal[o]);
            part[k] = fmax(tl_vec3_dot(rest, s->normal[k]), 0);
        }
}

void tl_world_book_push(tl_world *w, tl_vec3 place, tl_vec3 impulse) {
    if (!w->gauges.walls || tl_vec3_dot(impulse, impulse) == 0)
        return;
    const near_surfaces s = surfaces_near(w, place);
    double part[MOST_NEAR] = {0};
    bool one = true;
    for (size_t k = 1; k < s.count; k++)
        one = one && s.wall[k] == s.wall[0];
    if (s.count == 0)
        return;
    if (!one)
        split(&s, impulse, part);
    for (size_t k = 0; k < s.count; k++) {
        const tl_vec3 own = tl_vec3_scale(s.normal[k], part[k]);
        impulse = tl_vec3_sub(impulse, own);
        book(w, s.wall[k], place, own);
    }
    book(w, s.wall[0], place, impulse);
}

/* Through links of particles, and through contacts of rigid bodies that the solve knew of. */
void tl_world_book_solve(tl_world *w, double dt) {
    if (!w->gauges.walls)
        return;
    for (size_t i = 0; i < w->fields.count; i++)
        tl_world_book_push(w, tl_vec3_of(tl_position(w) + 3 * i),
                           tl_vec3_scale(tl_vec3_of(w->gauges.push[i]), dt));
    const tl_rigid_modes *modes = &w->solver.modes;
    for (size_t k = 0; k < modes->contact_count; k++) {
        const tl_mode_contact *c = &modes->contacts[k];
        if (c->a == c->b)
            tl_world_book_push(w,
                               tl_vec3_add(w->rigids.items[c->a].pose.place, tl_vec3_of(c->arm_a)),
                               tl_vec3_of(c->impulse));
    }
}

void tl_world_book_contacts(tl_world *w) {
    for (size_t k = 0; k < w->rigids.contact_count; k++) {
        const tl_rigid_contact *c = &w->rigids.contacts[k];
        if (c->a == c->b)
            tl_world_book_push(w, c->point, c->impulse);
    }
}

static void act(tl_wall_books *b, tl_vec3 place, tl_vec3 force) {
    const tl_vec3 twist = tl_vec3_cross(place, force);
    b->acting[0] -= force.x, b->acting[1] -= force.y, b->acting[2] -= force.z;
    b->twist[0] -= twist.x, b->twist[1] -= twist.y, b->twist[2] -= twist.z;
}

static void clear_acting(tl_world *w) {
    for (size_t k = 0; k < w->def.wall_count; k++) {
        memset(w->gauges.walls[k].acting, 0, sizeof w->gauges.walls[k].acting);
        memset(w->gauges.walls[k].twist, 0, sizeof w->gauges.walls[k].twist);
    }
}

void tl_world_note_thrusts(tl_world *w) {
    if (!w->gauges.walls)
        return;
    clear_acting(w);
    for (size_t k = 0; k < w->samples.count; k++) {
        const tl_sample *sample = &w->samples.items[k];
        const float *p = sample->position, *n = sample->normal;
        const tl_vec3 normal = {(double)n[0], (double)n[1], (double)n[2]};
        const tl_vec3 below = {(double)p[0], (double)p[1], (double)p[2]};
        const tl_vec3 surface = tl_vec3_mad(below, (double)sample->depth, normal);
        act(&w->gauges.walls[w->shapes.items[sample->shape].wall], tl_vec3_add(surface, w->origin),
            tl_vec3_of(w->gauges.thrust[k]));
    }
}

static void advance(tl_wall_books *b, double dt) {
    for (int e = 0; e < 3; e++) {
        b->impulse[e] += dt * b->acting[e];
        b->turn[e] += dt * b->twist[e];
    }
}

void tl_world_book_thrusts(tl_world *w, double dt) {
    for (size_t k = 0; w->gauges.walls && k < w->def.wall_count; k++)
        advance(&w->gauges.walls[k], dt);
}

void tl_world_book_obstacles(tl_world *w, double dt) {
    if (!w->gauges.walls)
        return;
    tl_world_book_thrusts(w, 0.5 * dt);
    clear_acting(w);
    for (size_t i = 0; i < w->fields.count; i++) {
        const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * i);
        for (size_t k = 0; k < w->shapes.count; k++) {
            const tl_shapes one = {.items = &w->shapes.items[k], .count = 1};
            const tl_obstacle_sum o = tl_obstacles_at(&w->cohesive.collision, &one, x);
            act(&w->gauges.walls[one.items->wall], x, tl_vec3_of(o.force));
        }
    }
    tl_world_book_thrusts(w, 0.5 * dt);
}

/* ---- Asking ------------------------------------------------------------------------------------
 */

const tl_world_def *tl_world_definition(const tl_world *w) { return &w->def; }

double tl_world_support(const tl_world *w) { return tl_largest_support(&w->sizes); }

size_t tl_world_faces_near(const tl_world *w, size_t wall, tl_vec3 x, double reach) {
    size_t count = 0;
    for (size_t k = 0; k < w->shapes.count; k++)
        count += w->shapes.items[k].wall == wall &&
                 tl_shape_distance(&w->shapes.items[k], x, &(tl_vec3){0, 0, 0}) < reach;
    return count;
}

double tl_world_wall_temperature(const tl_world *w, size_t wall) {
    return w->def.with_heat && w->heat.walls[wall].open ? w->heat.walls[wall].temperature
                                                        : (double)NAN;
}
