/* Particles that split and merge after a step that was accepted (resample/parts.h), by what is
 * saved alone: places, masses and lists. So results are the same bits after a resumption.
 *
 * `strain` halves a particle along the widest direction of its neighbourhood where those before and
 * behind it are far, and it is drawn: others crowd beside it, or there are hardly any. `close`
 * lets two equal parts become one that have come near, up to the mass they began with.
 *
 * `chao` is the criterion of [Chao12 3.4] as printed: a particle is drawn out where the force from
 * outside is against that from inside, and larger. At rest the two are equal up to the tolerance of
 * the solve, so that it takes half of a pool.
 *
 * With `void` nobody is halved, but new ones are born (voids.c); masses are all different then, and
 * those who merge need not be equal. */
#include "math/eigen3.h"
#include "resample/parts.h"
#include "world/sight.h"

#include <math.h>
#include <string.h>

/* Spacings of its own by which neighbours before and behind are far, in the mean; and below which
 * the nearest crowds. */
static const double apart = 1.5, crowding = 0.85;

/* With fewer neighbours than this a particle is in a file. On a lattice there are 80. */
enum { FILE_OF = 12 };

/* Cosine of the angle to the direction up to which a neighbour is before or behind: from any
 * direction some of the six next on a lattice are no farther than this. */
static const double ahead = 0.5;

/* Two parts closer than this (spacings of their own) become one. */
static const double nearby = 0.6;

/* No part is lighter than this part of the heaviest beside it. */
static const double largest_contrast = 0.25;

/* ---- Splitting ---------------------------------------------------------------------------------
 */

/* The direction in which a neighbourhood is widest about its own centre. */
static tl_vec3 widest_direction(const tl_sighted *all, size_t count) {
    double C[3][3] = {{0}}, mean[3] = {0}, value[3], direction[3][3];
    for (size_t s = 0; s < count; s++)
        for (int a = 0; a < 3; a++) {
            mean[a] += all[s].d[a] / (double)count;
            for (int b = 0; b < 3; b++)
                C[a][b] += all[s].d[a] * all[s].d[b] / (double)count;
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            C[a][b] -= mean[a] * mean[b];
    tl_eigen3(C, value, direction);
    const int first = value[1] > value[0];
    return tl_vec3_of(direction[value[2] > value[first] ? 2 : first]);
}

/* How far the nearest ones before and behind are in the mean, m; 0: on one side there is none. */
static double gap_along(const tl_sighted *all, size_t count, tl_vec3 direction) {
    double before = HUGE_VAL, behind = HUGE_VAL;
    for (size_t s = 0; s < count; s++) {
        const double along = tl_vec3_dot(tl_vec3_of(all[s].d), direction);
        if (along > ahead * all[s].r)
            before = fmin(before, all[s].r);
        if (-along > ahead * all[s].r)
            behind = fmin(behind, all[s].r);
    }
    return isfinite(before + behind) ? 0.5 * (before + behind) : 0;
}

/* Whether the parts of particle i are not too light. */
static bool may_halve(const tl_world *w, size_t i) {
    const double whole = w->fluids[tl_material_of(w)[i]].rest_density * w->sizes.volume;
    return 0.5 * (double)tl_mass(w)[i] >= (1 - 1e-6) * w->def.resample.smallest * whole &&
           tl_sight_takes_part(w, i);
}

/* Whether f_ext . f_int < 0 and |f_ext| > |f_int|, per mass; and the way that it goes. */
static bool is_forced(const tl_world *w, size_t i, tl_vec3 *direction) {
    const tl_body_force force = tl_world_body_force(w);
    const float *before = tl_field_data(&w->fields, w->handle.kept_velocity);
    const tl_vec3 outside = tl_body_force_on(&force, i), v = tl_vec3_of(tl_velocity(w) + 3 * i);
    const double kept[3] = {(double)before[3 * i], (double)before[3 * i + 1],
                            (double)before[3 * i + 2]};
    const tl_vec3 inside =
        tl_vec3_sub(tl_vec3_scale(tl_vec3_sub(v, tl_vec3_of(kept)), 1 / w->state.dt), outside);
    *direction = tl_vec3_length(v) > 0 ? v : outside;
    return may_halve(w, i) && tl_vec3_dot(outside, inside) < 0 &&
           tl_vec3_dot(outside, outside) > tl_vec3_dot(inside, inside);
}

/* Whether matter around particle i is drawn out, and along what. */
static bool is_drawn(const tl_world *w, size_t i, tl_vec3 *direction) {
    const double spacing = tl_spacing_of(&w->sizes, i), mass = (double)tl_mass(w)[i];
    if (!may_halve(w, i))
        return false;
    tl_sighted all[TL_MOST_SIGHTS];
    const size_t count = tl_sight_around(w, i, TL_SIGHT_OWN, all);
    double nearest = HUGE_VAL, heaviest = 0;
    for (size_t s = 0; s < count; s++) {
        nearest = fmin(nearest, all[s].r);
        heaviest = fmax(heaviest, (double)tl_mass(w)[all[s].of]);
    }
    if (count < 2 || (count >= FILE_OF && nearest > crowding * spacing) ||
        0.5 * mass < (1 - 1e-6) * largest_contrast * heaviest)
        return false;
    *direction = widest_direction(all, count);
    return gap_along(all, count, *direction) > apart * spacing;
}

typedef struct drawn {
    tl_vec3 direction;
    bool any;
} drawn;

typedef struct look_context {
    const tl_world *w;
    drawn *found;
} look_context;

static void look_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const look_context *c = context;
    for (size_t i = begin; i < end; i++)
        c->found[i].any = c->w->def.resample.split == TL_SPLIT_CHAO
                              ? is_forced(c->w, i, &c->found[i].direction)
                              : is_drawn(c->w, i, &c->found[i].direction);
}

/* All are judged before any is halved. */
static tl_status split(tl_world *w, bool *changed, tl_error *error) {
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    TL_TRY(tl_scratch_reserve(&w->scratch, tl_scratch_room(n, sizeof(drawn)), error));
    look_context c = {w, TL_SCRATCH_TAKE(&w->scratch, drawn, n, "who is drawn out")};
    tl_parallel_for(&w->parallel, n, TL_BLOCK, look_range, &c);
    const tl_parts parts = tl_world_parts(w);
    tl_status status = TL_OK;
    for (size_t i = 0; i < n && status == TL_OK; i++)
        if (c.found[i].any) {
            const double spacing = tl_spacing_of(&w->sizes, i);
            status =
                tl_parts_split(&parts, i, TL_PATTERN_PAIR, c.found[i].direction, spacing, error);
            w->sizes.own = tl_size_of(w); /* it may have moved */
            w->state.splits += 1;
            *changed = true;
        }
    tl_scratch_release(&w->scratch, mark);
    return status;
}

/* ---- Merging -----------------------------------------------------------------------------------
 */

/* kg: of a particle of the scene's spacing, up to which parts merge; a little rounding is none. */
static double whole_like(const tl_world *w, size_t i) {
    return (1 + 1e-6) * w->fluids[tl_material_of(w)[i]].rest_density * w->sizes.volume;
}

static bool merge_unequal(const tl_world *w) { return w->def.resample.split == TL_SPLIT_VOID; }

/* The nearest that particle i may become one with; n: none. */
static size_t find_partner(const tl_world *w, size_t i, const tl_sighted *all, size_t count) {
    const size_t n = w->fields.count;
    const float mass = tl_mass(w)[i];
    size_t best = n;
    double nearest = HUGE_VAL;
    for (size_t s = 0; s < count; s++) {
        const size_t j = all[s].of;
        const bool fits =
            merge_unequal(w)
                ? tl_mass(w)[j] > 0 && (double)mass + (double)tl_mass(w)[j] <= whole_like(w, i)
                : tl_mass(w)[j] == mass;
        if (j > i && fits && tl_material_of(w)[j] == tl_material_of(w)[i] &&
            all[s].r < nearby * tl_spacing_between(&w->sizes, i, j) && all[s].r < nearest &&
            !all[s].image && tl_sight_takes_part(w, j)) {
            nearest = all[s].r;
            best = j;
        }
    }
    return best;
}

/* Whether no other is so light that it could become one with particle i. */
static bool is_full(const tl_world *w, size_t i) {
    const double mass = (double)tl_mass(w)[i];
    return merge_unequal(w) ? mass >= whole_like(w, i) : 2 * mass > whole_like(w, i);
}

static tl_status merge(tl_world *w, bool *changed, tl_error *error) {
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    const tl_parts parts = tl_world_parts(w);
    TL_TRY(tl_scratch_reserve(&w->scratch, tl_scratch_room(n, 1), error));
    unsigned char *stays = TL_SCRATCH_TAKE(&w->scratch, unsigned char, n, "who is not merged");
    bool any = false;
    memset(stays, 1, n);
    for (size_t i = 0; i < n; i++) {
        if (!stays[i] || is_full(w, i) || !tl_sight_takes_part(w, i))
            continue;
        tl_sighted all[TL_MOST_SIGHTS];
        uint32_t around[TL_MOST_SIGHTS];
        const size_t count = tl_sight_around(w, i, TL_SIGHT_OWN, all),
                     j = find_partner(w, i, all, count);
        double lost;
        if (j == n ||
            !tl_parts_merge(&parts, i, j, around, tl_sight_takers(w, j, all, count, around), &lost))
            continue;
        stays[j] = 0;
        any = true;
        w->state.merges += 1;
        w->state.resample_heat += lost;
    }
    if (any)
        tl_fields_compact(&w->fields, stays);
    tl_scratch_release(&w->scratch, mark);
    *changed = *changed || any;
    if (any && w->def.with_heat)
        tl_world_refresh_heat(w);
    return TL_OK;
}

void tl_world_size_parts(tl_world_def *def) {
    if (def->resample.split == TL_SPLIT_NONE)
        return;
    const double least = cbrt(def->resample.smallest) * def->spacing;
    def->most_size = fmax(def->most_size, def->spacing);
    def->least_size = def->least_size > 0 ? fmin(def->least_size, least) : least;
}

tl_status tl_world_resample(tl_world *w, tl_error *error) {
    const tl_resample_params *r = &w->def.resample;
    bool changed = false;
    if (r->split == TL_SPLIT_NONE)
        return TL_OK;
    /* First those that are near: lists know nobody who has just been born. */
    if (r->merge == TL_MERGE_CLOSE)
        TL_TRY(merge(w, &changed, error));
    if (changed)
        TL_TRY(tl_world_matter_changed(w, error));
    changed = false;
    TL_TRY(r->split == TL_SPLIT_VOID ? tl_world_fill_voids(w, &changed, error)
                                     : split(w, &changed, error));
    return changed ? tl_world_matter_changed(w, error) : TL_OK;
}
