/* See sight.h. */
#include "world/sight.h"

#include <math.h>

/* Spacings from a wall within which nobody splits or merges. */
static const double beside_wall = 1.25;

tl_parts tl_world_parts(tl_world *w) {
    return (tl_parts){.fields = &w->fields,
                      .id = w->handle.id,
                      .position = w->handle.position,
                      .velocity = w->handle.velocity,
                      .mass = w->handle.mass,
                      .density = w->handle.density,
                      .size = w->handle.size,
                      .next_id = &w->state.next_id};
}

bool tl_world_may_part(const tl_world *w, size_t i) {
    return !tl_rigid_of(w, i) && !tl_world_led_velocity(w, i) && !tl_world_is_elastic(w, i);
}

size_t tl_sight_around(const tl_world *w, size_t i, tl_sight_reach how, tl_sighted *out) {
    const tl_records *r = &w->records;
    const double *x = tl_position(w), own = tl_support_of(&w->sizes, i);
    size_t size, count = 0;
    const uint32_t *row = tl_neighbor_row(&w->list, i, &size);
    for (size_t e = 0; e < size && count < TL_MOST_SIGHTS; e++) {
        if (!tl_records_is_matter(r, row[e]))
            continue;
        tl_sighted *s = &out[count];
        s->of = tl_source_of(r, row[e]);
        s->image = row[e] >= w->fields.count;
        const double reach =
            how == TL_SIGHT_OWN ? own : 0.5 * (own + tl_support_of(&w->sizes, s->of));
        double r2 = 0;
        for (size_t k = 0; k < 3; k++) {
            const double image = (double)(r->a[row[e]].x[k] - r->a[s->of].x[k]);
            s->d[k] = x[3 * s->of + k] + image - x[3 * i + k];
            r2 += s->d[k] * s->d[k];
        }
        s->r = sqrt(r2);
        count += s->of != i && s->r < reach && s->r > 0;
    }
    return count;
}

size_t tl_sight_takers(const tl_world *w, size_t j, const tl_sighted *all, size_t count,
                       uint32_t *out) {
    size_t found = 0;
    for (size_t s = 0; s < count; s++) {
        const size_t k = all[s].of;
        bool known = k == j || !(tl_mass(w)[k] > 0) || (tl_held(w) && tl_held(w)[k]) ||
                     tl_rigid_of(w, k) || tl_world_led_velocity(w, k);
        for (size_t f = 0; f < found && !known; f++)
            known = out[f] == k;
        if (!known)
            out[found++] = (uint32_t)k;
    }
    return found;
}

bool tl_sight_is_off_walls(const tl_world *w, tl_vec3 x, double spacing) {
    for (size_t s = 0; s < w->shapes.count; s++)
        if (tl_shape_distance(&w->shapes.items[s], x, &(tl_vec3){0, 0, 0}) < beside_wall * spacing)
            return false;
    return true;
}

bool tl_sight_takes_part(const tl_world *w, size_t i) {
    return !(tl_held(w) && tl_held(w)[i]) && tl_world_may_part(w, i) &&
           tl_sight_is_off_walls(w, tl_vec3_of(tl_position(w) + 3 * i),
                                 tl_spacing_of(&w->sizes, i));
}
