/* Solids that are held [Chao12 3.2.2]: matter that is less than half molten and frozen to a wall
 * does not move, but counts as neighbour. Solid particles that touch are one group; a group that
 * touches a no-slip wall has the velocity of that wall, and one that touches none is no solid to
 * the flow: it moves as the very viscous fluid that it is, so nothing hangs in the air. Groups are
 * found anew with every exchange of heat. What comes to rest gives its momentum to the wall and its
 * energy of motion, relative to the wall, to the numerical heat. */
#include "base/groups.h"
#include "world/state.h"

#include <string.h>

/* Matter is held as long as less than this part of it is molten: the front has not passed the
 * middle of the particle. */
static const float held_below = 0.5f;

/* Solid particles this near touch each other: the 26 around one on a lattice. Walls this near are
 * touched by the first layer, and not by the second (spacings). */
static const double touching = 1.8, on_wall = 1;

static bool is_solid(const tl_world *w, size_t i) {
    return w->materials[tl_material_of(w)[i]].solid == TL_SOLID_HELD &&
           tl_molten(w)[i] < held_below;
}

/* ---- Groups ------------------------------------------------------------------------------------
 */

/* Joins the groups of solid particles that touch; the lower index leads. */
static void join_groups(const tl_world *w, tl_member *group) {
    const tl_records *r = &w->records;
    tl_group_begin(group, w->fields.count);
    for (size_t i = 0; i < w->fields.count; i++) {
        size_t size;
        const uint32_t *row = tl_neighbor_row(&w->list, i, &size);
        const float *self = r->a[i].x;
        for (size_t e = is_solid(w, i) ? 0 : size; e < size; e++) {
            if (!tl_records_is_matter(r, row[e]))
                continue;
            const size_t j = tl_source_of(r, row[e]);
            const float *x = r->a[row[e]].x;
            const float d[3] = {x[0] - self[0], x[1] - self[1], x[2] - self[2]};
            const float reach = (float)(touching * tl_spacing_between(&w->sizes, i, j));
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > reach * reach || !is_solid(w, j))
                continue;
            tl_group_join(group, (uint32_t)i, (uint32_t)j);
        }
    }
}

/* Index + 1 of the first no-slip shape that particle i touches and that stays; 0: none. */
static uint32_t touched_shape(const tl_world *w, size_t i) {
    const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * i);
    for (size_t s = 0; s < w->shapes.count; s++) {
        const tl_shape *shape = &w->shapes.items[s];
        if (!(shape->slip > 0) && !shape->moves &&
            tl_shape_distance(shape, x, &(tl_vec3){0, 0, 0}) <
                on_wall * tl_spacing_of(&w->sizes, i))
            return (uint32_t)s + 1;
    }
    return 0;
}

/* The first shape that any of a group touches is its anchor. */
static void find_anchors(const tl_world *w, tl_member *group, uint32_t *anchors) {
    memset(anchors, 0, w->fields.count * sizeof *anchors);
    for (size_t i = 0; i < w->fields.count; i++) {
        const uint32_t shape = is_solid(w, i) ? touched_shape(w, i) : 0;
        uint32_t *anchor = &anchors[tl_group_first(group, (uint32_t)i)];
        if (shape && (*anchor == 0 || shape < *anchor))
            *anchor = shape;
    }
}

/* ---- Changes -----------------------------------------------------------------------------------
 */

/* Brings particle i to the velocity of what holds it. */
static void stop(tl_world *w, size_t i, tl_vec3 velocity) {
    const double mass = (double)tl_mass(w)[i], to[3] = {velocity.x, velocity.y, velocity.z};
    double *v = tl_velocity(w) + 3 * i;
    float *acceleration = tl_field_data(&w->fields, w->handle.acceleration);
    float *shift = tl_field_data(&w->fields, w->handle.shift);
    float *kept = tl_field_data(&w->fields, w->handle.kept_velocity);
    tl_world_state *s = &w->state;
    for (size_t k = 0; k < 3; k++) {
        const double change = to[k] - v[k];
        if (s->steps > 0) {
            s->wall_impulse[k] += mass * change;
            s->wall_work += mass * change * to[k];
            s->numerical_heat += 0.5 * mass * change * change;
        }
        v[k] = to[k];
        kept[3 * i + k] = (float)to[k];
        acceleration[3 * i + k] = shift[3 * i + k] = 0;
    }
    if (w->dynamics->solves)
        tl_density(w)[i] = w->fluids[tl_material_of(w)[i]].rest_density;
}

/* A particle that is let go begins with the mean pressure of the matter around it that moves. */
static void let_go(tl_world *w, size_t i) {
    const tl_records *r = &w->records;
    float *pressure = tl_field_data(&w->fields, w->handle.pressure);
    double sum = 0, count = 0;
    size_t size;
    const uint32_t *row = tl_neighbor_row(&w->list, i, &size);
    for (size_t e = 0; e < size; e++) {
        if (!tl_records_is_matter(r, row[e]))
            continue;
        const size_t j = tl_source_of(r, row[e]);
        if (tl_held(w)[j] || j == i)
            continue;
        sum += (double)pressure[j];
        count++;
    }
    pressure[i] = count > 0 ? (float)(sum / count) : 0;
}

/* Holds and lets go. True when that has changed for some.
 * group    the number of one in it, of solid particles that touch
 * anchors  of a group: index + 1 of the shape that holds it; 0: none */
static bool hold(tl_world *w, tl_member *group, const uint32_t *anchors) {
    uint8_t *held = tl_held(w);
    bool changed = false;
    for (size_t i = 0; i < w->fields.count; i++) {
        const uint32_t anchor = anchors[tl_group_first(group, (uint32_t)i)];
        if (anchor) /* only groups of solids have one */
            stop(w, i, w->shapes.items[anchor - 1].belt);
        else if (held[i] && w->dynamics->solves)
            let_go(w, i);
        changed = changed || held[i] != (anchor != 0);
        held[i] = anchor != 0;
    }
    return changed;
}

tl_status tl_world_find_held(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    if (!tl_held(w))
        return TL_OK;
    TL_TRY(tl_scratch_reserve(&w->scratch, 2 * tl_scratch_room(n, sizeof(uint32_t)), error));
    tl_member *group = TL_SCRATCH_TAKE(&w->scratch, tl_member, n, "groups of solids");
    uint32_t *anchors = TL_SCRATCH_TAKE(&w->scratch, uint32_t, n, "anchors of groups");
    join_groups(w, group);
    find_anchors(w, group, anchors);
    const bool changed = hold(w, group, anchors);
    tl_scratch_release(&w->scratch, mark);
    if (!changed || !w->dynamics->accelerates)
        return TL_OK;
    /* The next step moves, and keeps its books, by forces at velocities as they are now. */
    bool broken;
    size_t worst;
    return tl_world_evaluate(w, 0, &broken, &worst, error);
}
