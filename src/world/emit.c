/* Emitters in a world. While a particle is in a nozzle, its velocity is that of the emitter, and
 * the books have what that takes: impulse and work. A layer is born when the flow has advanced by
 * its thickness, where it would be if it had come from behind the mouth; what is left of the
 * advance is carried on, so the flow rate is exact. */
#include "base/log.h"
#include "world/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The flow in a nozzle advances by no more than this part of a layer in a step. */
static const double longest_advance = 0.5;

/* Nobody is born nearer than this to another particle, in spacings. */
static const double least_distance = 0.5;

static uint8_t *nozzle_of(const tl_world *w) { return tl_field_data(&w->fields, w->handle.nozzle); }

tl_status tl_world_begin_emitters(tl_world *w, tl_error *error) {
    const tl_world_def *def = &w->def;
    if (def->emitter_count == 0)
        return TL_OK;
    w->emitters = tl_allocate(def->emitter_count, sizeof *w->emitters);
    if (!w->emitters)
        return tl_fail_memory(error, def->emitter_count, sizeof *w->emitters);
    for (size_t e = 0; e < def->emitter_count; e++)
        TL_TRY(tl_nozzle_make(&def->emitters[e], def->spacing, &w->emitters[e].nozzle, error));
    return TL_OK;
}

void tl_world_free_emitters(tl_world *w) {
    for (size_t e = 0; w->emitters && e < w->def.emitter_count; e++)
        tl_nozzle_free(&w->emitters[e].nozzle);
    free(w->emitters);
    w->emitters = NULL;
}

double tl_world_emitter_step_size(const tl_world *w) {
    double dt = HUGE_VAL;
    for (size_t e = 0; e < w->def.emitter_count; e++) {
        const tl_emitter_def *def = &w->def.emitters[e];
        const tl_nozzle *nozzle = &w->emitters[e].nozzle;
        const double peak = tl_emitter_peak(def, nozzle->area);
        if (peak > 0 && !(def->has_until && w->state.time >= def->until))
            dt = fmin(dt, longest_advance * nozzle->layer / peak);
    }
    return dt;
}

/* False when the next layer would be more than the emitter may give. */
static bool has_more(const tl_world *w, size_t e) {
    const tl_emitter_def *def = &w->def.emitters[e];
    const double next = w->emitters[e].particles + (double)w->emitters[e].nozzle.count;
    return !def->has_limit ||
           next * tl_volume_of_spacing(w->def.spacing) <= def->limit * (1 + 1e-9);
}

void tl_world_aim_emitters(tl_world *w, double dt) {
    for (size_t e = 0; e < w->def.emitter_count; e++) {
        tl_world_emitter *own = &w->emitters[e];
        const bool open = own->advance < own->nozzle.layer && has_more(w, e);
        own->way = open ? tl_emitter_way(&w->def.emitters[e], own->nozzle.area, w->state.time,
                                         w->state.time + dt)
                        : 0;
        const tl_vec3 v = tl_vec3_mad(own->nozzle.velocity, own->way / dt, own->nozzle.direction);
        own->velocity[0] = v.x, own->velocity[1] = v.y, own->velocity[2] = v.z;
    }
}

const double *tl_world_led_velocity(const tl_world *w, size_t i) {
    const uint8_t nozzle = w->handle.nozzle < 0 ? 0 : nozzle_of(w)[i];
    return nozzle ? w->emitters[nozzle - 1].velocity : NULL;
}

void tl_world_lead_explicit(tl_world *w, double dt) {
    float *a = tl_field_data(&w->fields, w->handle.acceleration);
    float *shift = tl_field_data(&w->fields, w->handle.shift);
    const double *v = tl_velocity(w);
    for (size_t i = 0; w->handle.nozzle >= 0 && i < w->fields.count; i++) {
        const double *wanted = tl_world_led_velocity(w, i);
        for (size_t k = 3 * i; wanted && k < 3 * i + 3; k++) {
            const double free_change = dt * (double)a[k], mass = (double)tl_mass(w)[i];
            a[k] = (float)((wanted[k - 3 * i] - v[k]) / dt);
            shift[k] = 0;
            const double change = dt * (double)a[k], impulse = mass * (change - free_change);
            w->state.emitter_impulse[k - 3 * i] += impulse;
            w->state.emitter_work += impulse * (v[k] + 0.5 * change);
        }
    }
}

/* ---- Births ------------------------------------------------------------------------------------
 */

/* True when nothing will come out of an emitter any more. */
static bool has_ended(const tl_world *w, size_t e) {
    const tl_emitter_def *def = &w->def.emitters[e];
    return !has_more(w, e) || (def->has_until && w->state.time >= def->until);
}

/* Lets go what has come through, and what an emitter that has ended still holds. In a nozzle matter
 * is never thin: a wall or empty space behind it, which it leaves, must not look like stretching.
 */
static void release(tl_world *w) {
    for (size_t i = 0; i < w->fields.count; i++) {
        uint8_t *own = &nozzle_of(w)[i];
        if (!*own)
            continue;
        const tl_nozzle *nozzle = &w->emitters[*own - 1].nozzle;
        double *density = &tl_density(w)[i];
        *density = fmax(*density, w->fluids[tl_material_of(w)[i]].rest_density);
        const double depth =
            tl_nozzle_depth(nozzle, w->state.time, tl_vec3_of(tl_position(w) + 3 * i));
        if (depth > nozzle->length || has_ended(w, *own - 1u))
            *own = 0;
    }
}

/* True when somebody is where a layer is to be born. */
static bool is_occupied(const tl_world *w, const tl_nozzle *nozzle, double depth) {
    const double least = least_distance * w->def.spacing, time = w->state.time;
    const tl_vec3 middle =
        tl_vec3_mad(tl_vec3_mad(nozzle->center, time, nozzle->velocity), depth, nozzle->direction);
    for (size_t i = 0; i < w->fields.count; i++) {
        const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * i);
        if (fabs(tl_nozzle_depth(nozzle, time, x) - depth) >= least ||
            tl_vec3_length(tl_vec3_sub(x, middle)) >= nozzle->reach + 2 * least)
            continue;
        for (size_t s = 0; s < nozzle->count; s++)
            if (tl_vec3_length(tl_vec3_sub(x, tl_nozzle_place(nozzle, time, depth, s))) < least)
                return true;
    }
    return false;
}

static tl_status add_layer(tl_world *w, size_t e, double depth, tl_error *error) {
    tl_world_emitter *own = &w->emitters[e];
    const tl_emitter_def *def = &w->def.emitters[e];
    const tl_newborn born = {.velocity = own->velocity,
                             .temperature = tl_schedule_at(&def->temperature, w->state.time),
                             .material = def->material_index,
                             .body = def->body,
                             .nozzle = e + 1};
    const size_t before = w->fields.count;
    TL_TRY(tl_fields_resize(&w->fields, before + own->nozzle.count, error));
    for (size_t s = 0; s < own->nozzle.count; s++) {
        const tl_vec3 place = tl_nozzle_place(&own->nozzle, w->state.time, depth, s);
        double *x = tl_position(w) + 3 * (before + s);
        x[0] = place.x, x[1] = place.y, x[2] = place.z;
        tl_world_bear(w, before + s, &born);
    }
    own->particles += (double)own->nozzle.count;
    return TL_OK;
}

static void tell_blocked(tl_world *w, size_t e, bool blocked) {
    const char *name = w->def.emitters[e].name;
    if (blocked && !w->emitters[e].blocked)
        tl_log_message(&w->log, TL_LOG_WARNING,
                       "emitter \"%.60s\" is blocked at %.6g s: it waits for its mouth to be free",
                       name ? name : "", w->state.time);
    w->emitters[e].blocked = blocked;
}

tl_status tl_world_emit(tl_world *w, double dt, tl_error *error) {
    const size_t before = w->fields.count;
    if (w->def.emitter_count == 0)
        return TL_OK;
    release(w);
    for (size_t e = 0; e < w->def.emitter_count; e++) {
        tl_world_emitter *own = &w->emitters[e];
        const double layer = own->nozzle.layer;
        own->advance += own->way;
        bool blocked = false;
        while (own->advance >= layer && has_more(w, e) && !blocked) {
            const double depth = own->advance - 0.5 * layer;
            blocked = is_occupied(w, &own->nozzle, depth);
            if (blocked)
                continue;
            TL_TRY(add_layer(w, e, depth, error));
            own->advance -= layer;
        }
        w->state.blocked_time += blocked ? dt : 0;
        tell_blocked(w, e, blocked);
    }
    return w->fields.count == before ? TL_OK : tl_world_matter_changed(w, error);
}
