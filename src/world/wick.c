/* Flames on wicks (heat/wick.h): how far the matter reaches up a wick, what the flame on it burns
 * and sets free, and what the wick soaks up. All of it between exchanges of heat; particles are
 * soaked up whole, and what they bring along is in the books. */
#include "base/log.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* Spacings from its surface within which a wick finds matter: the next layer, wherever it lies. */
static const double reach = 1;

/* Spacings below the surface to which a wick leads heat. */
static const double depth = 2;

/* s: in which a wick notices how high the matter stands. What is soaked up leaves a dent, for as
 * long as the next layer takes to close it. */
static const double notice = 20;

/* A wick with less than this part of its store is dry. */
static const double dry = 0.01;

static const tl_wick_def *wick_of(const tl_world *w, size_t source) {
    return &w->def.sources[source].wick;
}

/* How high a particle is along a wick (m), if it is beside it: else negative. */
static double height_at(const tl_world *w, const tl_wick_def *wick, size_t i) {
    const tl_vec3 axis = tl_wick_axis(wick);
    const tl_vec3 d = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), tl_vec3_of(wick->foot));
    const double along = tl_vec3_dot(d, axis);
    const double away = tl_vec3_length(tl_vec3_mad(d, -along, axis));
    return away < wick->radius + reach * tl_spacing_of(&w->sizes, i) ? along : -1;
}

/* How far up the wick the matter reaches, m. */
static double level_at(const tl_world *w, const tl_wick_def *wick) {
    double level = 0;
    for (size_t i = 0; i < w->fields.count; i++) {
        const double along = tl_rigid_of(w, i) ? -1 : height_at(w, wick, i);
        if (along >= 0)
            level = fmax(level, along + 0.5 * tl_spacing_of(&w->sizes, i));
    }
    return level;
}

tl_status tl_world_begin_flames(tl_world *w, tl_error *error) {
    const size_t count = w->def.source_count;
    w->surface.flames = tl_allocate(count, sizeof *w->surface.flames);
    if (!w->surface.flames)
        return tl_fail_memory(error, count, sizeof *w->surface.flames);
    for (size_t s = 0; s < count; s++) {
        if (!w->def.sources[s].has_wick)
            continue;
        w->surface.burns = true;
        const tl_wick_def *wick = wick_of(w, s);
        const double top = tl_wick_reach(wick), level = level_at(w, wick);
        const double whole = fmax(top - level, tl_least_spacing(&w->sizes));
        w->surface.flames[s] =
            (tl_flame){.top = top, .whole = whole, .level = level, .fuel = wick->store};
    }
    return TL_OK;
}

/* ---- Burning -----------------------------------------------------------------------------------
 */

static void go_out(tl_world *w, size_t source, const char *why) {
    w->surface.flames[source].out = 1;
    tl_log_message(&w->log, TL_LOG_WARNING, "flame %.60s is out at %.4g s: %s",
                   w->def.sources[source].name, w->state.time, why);
}

/* What comes down the wick is shared by mass among what is beside it at the surface. */
static void lead_down(tl_world *w, size_t source) {
    const tl_wick_def *wick = wick_of(w, source);
    const double level = level_at(w, wick);
    const double power = wick->conducted * w->surface.flames[source].power;
    double mass = 0;
    for (int giving = 0; giving < 2 && power > 0; giving++)
        for (size_t i = 0; i < w->fields.count; i++) {
            const double along = tl_rigid_of(w, i) ? -1 : height_at(w, wick, i);
            if (along < 0 || along < level - depth * tl_spacing_of(&w->sizes, i))
                continue;
            if (giving)
                w->surface.warmed[i] += power * (double)tl_mass(w)[i] / mass;
            else
                mass += (double)tl_mass(w)[i];
        }
}

/* Sets the power of the flame over `dt` (s of heat), and burns what that takes. */
static void burn(tl_world *w, size_t source, double full, double dt) {
    const tl_wick_def *wick = wick_of(w, source);
    tl_flame *flame = &w->surface.flames[source];
    flame->level += -expm1(-dt / notice) * (level_at(w, wick) - flame->level);
    flame->top = fmin(flame->top, flame->level + flame->whole);
    flame->power = 0;
    if (flame->out > 0 || !(full > 0))
        return;
    if (flame->top <= flame->level)
        go_out(w, source, "its wick has drowned");
    else if (flame->fuel < dry * wick->store)
        go_out(w, source, "its wick is dry");
    if (flame->out > 0)
        return;
    const double power =
        tl_wick_power(wick, full, flame->top - flame->level, flame->whole, flame->fuel);
    const double burnt = fmin(power * dt / wick->heat_of_combustion, flame->fuel);
    flame->fuel -= burnt;
    flame->power = dt > 0 ? burnt * wick->heat_of_combustion / dt : power;
    w->state.flame_heat += burnt * wick->heat_of_combustion;
    lead_down(w, source);
}

tl_status tl_world_burn(tl_world *w, double time, double dt, tl_error *error) {
    const size_t n = w->fields.count;
    TL_TRY(TL_ARRAY_RESERVE(w->surface.warmed, 0, n, error));
    memset(w->surface.warmed, 0, n * sizeof *w->surface.warmed);
    for (size_t s = 0; s < w->def.source_count; s++)
        if (w->def.sources[s].has_wick)
            burn(w, s, tl_schedule_at(&w->def.sources[s].power, time), dt);
    return TL_OK;
}

void tl_world_add_wick_heat(void *context, const double *temperature, double *power, double *slope,
                            size_t begin, size_t end) {
    (void)temperature, (void)slope;
    const tl_world *w = context;
    for (size_t i = begin; i < end; i++)
        power[i - begin] += w->surface.warmed[i];
}

/* ---- Soaking up --------------------------------------------------------------------------------
 */

static bool may_be_soaked(const tl_world *w, size_t i) {
    return tl_molten(w)[i] >= 0.5f && !(tl_held(w) && tl_held(w)[i]) && !tl_rigid_of(w, i) &&
           !tl_world_led_velocity(w, i);
}

/* The topmost of what is molten beside the wick, up to its tip; of two as high the older one. */
static size_t find_food(const tl_world *w, size_t source, const unsigned char *stays) {
    const uint64_t *id = tl_field_data(&w->fields, w->handle.id);
    size_t best = w->fields.count;
    double highest = -1;
    for (size_t i = 0; i < w->fields.count; i++) {
        if (!stays[i] || !may_be_soaked(w, i))
            continue;
        const double along = height_at(w, wick_of(w, source), i);
        if (along < 0 || along > w->surface.flames[source].top)
            continue;
        if (along > highest || (along >= highest && id[i] < id[best])) {
            highest = along;
            best = i;
        }
    }
    return best;
}

static void book_out(tl_world *w, size_t i) {
    tl_ledger own = {0};
    tl_world_add_particle(w, i, &own);
    w->state.soaked_mass += own.mass;
    w->state.soaked_heat += tl_world_heat_of(w, i);
    w->state.initial_energy -= own.kinetic_energy + own.potential_energy + own.elastic_energy;
}

/* True when the wick has taken something. */
static bool soak_up(tl_world *w, size_t source, unsigned char *stays) {
    tl_flame *flame = &w->surface.flames[source];
    bool any = false;
    while (flame->out == 0) {
        const size_t i = find_food(w, source, stays);
        const double mass = i < w->fields.count ? (double)tl_mass(w)[i] : 0;
        if (!(mass > 0) || flame->fuel + 0.5 * mass > wick_of(w, source)->store)
            break;
        flame->fuel += mass;
        book_out(w, i);
        stays[i] = 0;
        any = true;
    }
    return any;
}

tl_status tl_world_soak_wicks(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    bool any = false;
    if (!w->surface.burns)
        return TL_OK;
    TL_TRY(tl_scratch_reserve(&w->scratch, tl_scratch_room(n, 1), error));
    unsigned char *stays = TL_SCRATCH_TAKE(&w->scratch, unsigned char, n, "who is not soaked up");
    memset(stays, 1, n * sizeof *stays);
    for (size_t s = 0; s < w->def.source_count; s++)
        if (w->def.sources[s].has_wick)
            any = soak_up(w, s, stays) || any;
    if (any)
        tl_fields_compact(&w->fields, stays);
    tl_scratch_release(&w->scratch, mark);
    return any ? tl_world_matter_changed(w, error) : TL_OK;
}

/* ---- For others --------------------------------------------------------------------------------
 */

bool tl_world_flame(const tl_world *w, size_t source, tl_vec3 *place, double *power) {
    const tl_source_def *def = &w->def.sources[source];
    if (!w->surface.burns)
        return false;
    *place = def->has_wick ? tl_wick_flame(&def->wick, w->surface.flames[source].top)
                           : tl_source_place(def, w->state.time);
    *power = def->has_wick ? w->surface.flames[source].power
                           : tl_schedule_at(&def->power, w->state.time);
    return true;
}

bool tl_world_flame_is_good(const tl_world *w, size_t source) {
    const tl_flame *f = &w->surface.flames[source];
    bool good = f->share >= 0 && f->share <= 1 && (f->out == 0 || f->out == 1);
    good = good && isfinite(f->seen[0] + f->seen[1] + f->seen[2]);
    if (!w->def.sources[source].has_wick)
        return good;
    const tl_wick_def *wick = wick_of(w, source);
    return good && f->top >= 0 && f->top <= tl_wick_reach(wick) && f->whole > 0 &&
           isfinite(f->whole + f->level) && f->fuel >= 0 && isfinite(f->fuel) && f->power >= 0 &&
           isfinite(f->power);
}
