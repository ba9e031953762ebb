/* Particles that are born in voids [Mao06 4.3], after a step that was accepted and by what is saved
 * alone. A sphere through four particles or more with nobody in it, larger than 0.95 of their
 * spacings, has a void in its middle, if that is in the convex hull of those within two spacings.
 * They give to a new one there, each the more the nearer it is, so that the centre of what they
 * give is the middle (resample/shares.h): centre of mass, momentum and spin are kept, which the
 * paper's interpolation does not. And nobody gives so much that dust is left. */
#include "resample/voids.h"
#include "base/array.h"
#include "resample/shares.h"
#include "world/sight.h"

#include <math.h>
#include <stdlib.h>

/* Steps from one look to the next. */
enum { LOOK_EVERY = 4 };

/* Largest radius of a sphere that is no void, and how far those are who give, in spacings
 * [Mao06]. */
static const double largest_radius = 0.95, neighborhood = 2;

/* Nobody becomes lighter than this part of the heaviest who gives, and no newborn is. */
static const double largest_contrast = 0.25;

/* Those around a void. */
typedef struct ring {
    tl_vec3 center;
    double spacing; /* m: mean of its corners */
    size_t count, givers;
    uint32_t all[TL_MOST_SIGHTS], giver[TL_MOST_SIGHTS];
    tl_vec3 d[TL_MOST_SIGHTS]; /* m: from the middle; first of all, then of those who give */
    double weight[TL_MOST_SIGHTS], gift[TL_MOST_SIGHTS], least[TL_MOST_SIGHTS]; /* of givers; kg */
} ring;

static double mass_of(const tl_world *w, size_t i) { return (double)tl_mass(w)[i]; }

static tl_vec3 way_to(const tl_world *w, const ring *r, size_t i) {
    return tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), r->center);
}

/* kg: of a particle of the scene's spacing. */
static double whole_like(const tl_world *w, size_t i) {
    return w->fluids[tl_material_of(w)[i]].rest_density * w->sizes.volume;
}

/* ---- Who is around -----------------------------------------------------------------------------
 */

static void add(const tl_world *w, ring *r, size_t i) {
    const tl_vec3 d = way_to(w, r, i);
    bool known = tl_vec3_length(d) > neighborhood * r->spacing;
    for (size_t k = 0; k < r->count && !known; k++)
        known = r->all[k] == i;
    if (known || r->count == TL_MOST_SIGHTS)
        return;
    r->d[r->count] = d;
    r->all[r->count++] = (uint32_t)i;
}

/* Those in sight of the corners. */
static void look_around(const tl_world *w, const tl_void *place, ring *r) {
    tl_sighted seen[TL_MOST_SIGHTS];
    r->count = 0;
    for (size_t c = 0; c < 4; c++)
        add(w, r, place->corners[c]);
    for (size_t c = 0; c < 4; c++) {
        const size_t count = tl_sight_around(w, place->corners[c], TL_SIGHT_PAIR, seen);
        for (size_t s = 0; s < count; s++)
            if (!seen[s].image)
                add(w, r, seen[s].of);
    }
}

/* Whether all are on one side, as they are at a surface: then no hull holds the middle. */
static bool is_outside(const ring *r) {
    tl_vec3 side = {0, 0, 0};
    for (size_t k = 0; k < r->count; k++)
        side = tl_vec3_add(side, tl_vec3_unit(r->d[k]));
    for (size_t k = 0; k < r->count; k++)
        if (tl_vec3_dot(side, r->d[k]) < 0)
            return false;
    return true;
}

/* ---- Who gives ---------------------------------------------------------------------------------
 */

/* Matter like the nearest, that splits at all and has something to give. */
static void choose_givers(const tl_world *w, ring *r) {
    size_t nearest = 0;
    double heaviest = 0;
    for (size_t k = 1; k < r->count; k++)
        nearest = tl_vec3_length(r->d[k]) < tl_vec3_length(r->d[nearest]) ? k : nearest;
    const size_t first = r->all[nearest];
    for (size_t k = 0; k < r->count; k++)
        heaviest = fmax(heaviest, mass_of(w, r->all[k]));
    const double least =
        fmax(w->def.resample.smallest * whole_like(w, first), largest_contrast * heaviest);
    r->givers = 0;
    for (size_t k = 0; k < r->count; k++) {
        const size_t j = r->all[k];
        const double q = tl_vec3_length(r->d[k]) / (neighborhood * r->spacing), m = mass_of(w, j);
        if (tl_material_of(w)[j] != tl_material_of(w)[first] || !(q < 1) || !(m > least) ||
            !tl_sight_takes_part(w, j))
            continue;
        r->giver[r->givers] = (uint32_t)j;
        r->d[r->givers] = r->d[k];
        r->least[r->givers] = least;
        r->weight[r->givers++] = (m - least) * pow(1 - q, 4) * (1 + 4 * q);
    }
}

/* Rounds what they give to what floats of their masses can be less by. */
static double round_gifts(const tl_world *w, ring *r) {
    int exponent;
    double sum = 0;
    frexp(fmax(whole_like(w, r->giver[0]), mass_of(w, r->giver[0])), &exponent);
    const double unit = ldexp(1, exponent - 23);
    size_t kept = 0;
    for (size_t k = 0; k < r->givers; k++) {
        const double gift = round(r->gift[k] / unit) * unit;
        if (!(gift > 0))
            continue;
        r->giver[kept] = r->giver[k];
        r->gift[kept++] = gift;
        sum += gift;
    }
    r->givers = kept;
    return sum;
}

/* What each gives: of the mean of their masses as much as nobody is left too light by. False: it
 * would be dust. */
static bool share_out(const tl_world *w, ring *r) {
    double wish = 0, most = HUGE_VAL, total = 0;
    if (r->givers < 4 || !tl_shares_find(r->d, r->weight, r->givers, r->spacing, r->gift))
        return false;
    for (size_t k = 0; k < r->givers; k++) {
        wish += r->weight[k] * mass_of(w, r->giver[k]);
        total += r->weight[k];
        most = fmin(most, (mass_of(w, r->giver[k]) - r->least[k]) / r->gift[k]);
    }
    const double mass = fmin(wish / total, most), least = r->least[0];
    for (size_t k = 0; k < r->givers; k++)
        r->gift[k] *= mass;
    return mass >= least && round_gifts(w, r) > 0;
}

/* ---- Births ------------------------------------------------------------------------------------
 */

static int larger_first(const void *a, const void *b) {
    const tl_void *x = a, *y = b;
    if (x->radius != y->radius)
        return x->radius > y->radius ? -1 : 1;
    for (int c = 0; c < 4; c++)
        if (x->corners[c] != y->corners[c])
            return x->corners[c] < y->corners[c] ? -1 : 1;
    return 0;
}

/* Whether somebody was born in this sphere just now: nobody sees him yet. */
static bool is_taken(const tl_world *w, const tl_void *place, size_t from) {
    for (size_t i = from; i < w->fields.count; i++)
        if (tl_vec3_length(tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), place->center)) <
            place->radius * (1 - 1e-6))
            return true;
    return false;
}

static tl_status fill(tl_world *w, const tl_void *place, ring *r, bool *changed, tl_error *error) {
    bool holds = false, born = false;
    double lost = 0;
    r->center = place->center;
    r->spacing = 0;
    for (size_t c = 0; c < 4; c++)
        r->spacing += 0.25 * tl_spacing_of(&w->sizes, place->corners[c]);
    if (place->radius >= neighborhood * r->spacing ||
        !tl_sight_is_off_walls(w, r->center, r->spacing))
        return TL_OK;
    look_around(w, place, r);
    if (is_outside(r))
        return TL_OK;
    TL_TRY(tl_hull_holds(r->d, r->count, (tl_vec3){0, 0, 0}, 0, &holds, error));
    if (!holds)
        return TL_OK;
    choose_givers(w, r);
    if (!share_out(w, r))
        return TL_OK;
    const tl_parts parts = tl_world_parts(w);
    TL_TRY(tl_parts_insert(&parts, r->giver, r->gift, r->givers, &born, &lost, error));
    w->sizes.own = tl_size_of(w); /* it may have moved */
    w->state.splits += born;
    w->state.resample_heat += lost;
    *changed = *changed || born;
    return TL_OK;
}

static tl_status fill_all(tl_world *w, tl_void *voids, size_t count, ring *r, bool *changed,
                          tl_error *error) {
    const size_t from = w->fields.count;
    qsort(voids, count, sizeof *voids, larger_first);
    for (size_t v = 0; v < count; v++)
        if (!is_taken(w, &voids[v], from))
            TL_TRY(fill(w, &voids[v], r, changed, error));
    return TL_OK;
}

tl_status tl_world_fill_voids(tl_world *w, bool *changed, tl_error *error) {
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    tl_void *voids = NULL;
    size_t count = 0;
    if (fmod(w->state.steps, LOOK_EVERY) != 0)
        return TL_OK;
    TL_TRY(tl_scratch_reserve(
        &w->scratch, tl_scratch_room(n, sizeof(double)) + tl_scratch_room(1, sizeof(ring)), error));
    double *limits = TL_SCRATCH_TAKE(&w->scratch, double, n, "largest empty spheres");
    ring *r = TL_SCRATCH_TAKE(&w->scratch, ring, 1, "who is around a void");
    for (size_t i = 0; i < n; i++)
        limits[i] = largest_radius * tl_spacing_of(&w->sizes, i);
    tl_status status = tl_voids_find(tl_position(w), n, limits, &voids, &count, error);
    if (status == TL_OK)
        status = fill_all(w, voids, count, r, changed, error);
    tl_array_free(voids);
    tl_scratch_release(&w->scratch, mark);
    return status;
}
