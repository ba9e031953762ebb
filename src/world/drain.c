/* Matter that leaves a world: by drains here, by boiling in heat.c. What it takes along is in the
 * books. */
#include "world/state.h"

#include <string.h>

/* How far the fastest particle may go before drains are looked at again, in spacings: taking
 * particles away costs new neighbour lists. */
static const double longest_way = 0.25;

/* Rigid bodies are never taken: they could not be in part. */
static bool is_taken(const tl_world *w, size_t i) {
    if (tl_rigid_of(w, i))
        return false;
    const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * i);
    for (size_t d = 0; d < w->def.drain_count; d++)
        if (tl_drain_distance(&w->def.drains[d], x) < 0)
            return true;
    return false;
}

static void book_out(tl_world *w, size_t i) {
    tl_ledger own = {0};
    tl_world_add_particle(w, i, &own);
    w->state.drained_mass += own.mass;
    w->state.drained_energy += own.kinetic_energy + own.potential_energy + own.elastic_energy;
    w->state.drained_heat += tl_world_heat_of(w, i);
    for (int k = 0; k < 3; k++)
        w->state.drained_impulse[k] += own.momentum[k];
}

tl_status tl_world_drain(tl_world *w, double dt, tl_error *error) {
    const size_t n = w->fields.count;
    w->state.drain_travel += dt * w->state.max_speed;
    if (w->def.drain_count == 0 ||
        (w->state.drain_travel < longest_way * tl_least_spacing(&w->sizes) &&
         w->state.time < w->stop))
        return TL_OK;
    w->state.drain_travel = 0;
    const size_t mark = tl_scratch_mark(&w->scratch);
    TL_TRY(tl_scratch_reserve(&w->scratch, tl_scratch_room(n, 1), error));
    unsigned char *stays = TL_SCRATCH_TAKE(&w->scratch, unsigned char, n, "who is not drained");
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        stays[i] = !is_taken(w, i);
        any = any || !stays[i];
        if (!stays[i])
            book_out(w, i);
    }
    if (any)
        tl_fields_compact(&w->fields, stays);
    tl_scratch_release(&w->scratch, mark);
    return any ? tl_world_matter_changed(w, error) : TL_OK;
}
