/* Particles that split and merge where the scene's `refine` says so (resample/refine.h), while it
 * runs: by what is saved alone, so that bits depend neither on threads nor on a resumption.
 *
 * Who is to be how fine is found first for each by itself, and then from neighbours, with one level
 * less: for splitting from those nearby, for staying as fine as one is from all within the support,
 * so that those on the border do not split and merge by turns. Neighbours differ by a factor of 3
 * in volume at most: who is the coarsest around splits first, who is the finest merges first. */
#include "world/sight.h"

#include <math.h>
#include <string.h>

/* Steps from one look to the next; at every other one of them particles split, at the others they
 * merge. */
enum { LOOK_EVERY = 2 };

/* Part of the support of a pair within which neighbours must not differ much, and by which factor
 * in volume. A little rounding is none. */
static const double nearby = 0.9, largest_contrast = 3, rounding = 1e-6;

/* What merges becomes no more than √2 of what is wished, and is halved from 2 on: so it is by so
 * much too fine or too coarse at most, whatever it is the sum of. */
static const double fullest = 1.4142;

/* Two become one that are no farther apart than this, in spacings of the larger: next
 * neighbours. */
static const double next_to = 1.2;

/* No nearer to a wall is what they become, in its spacings: half as near as a first layer. */
static const double off_wall = 0.25;

/* Bits of the mantissa of a mass: sums of several are floats then, too. */
static const double mass_bits = 65536;

/* Matter has a free surface where a cone of this cosine has no neighbour within so many spacings,
 * on the side where they lack, or where it has so much less than it is full: 4π/3 · 2³ volumes. */
static const double cone = 0.5, seen_from = 2, half_empty = 0.55 * 33.5;

typedef struct wish {
    float fine, keep; /* levels: it is to be as fine at least; it may be as fine */
} wish;

typedef struct refining {
    const tl_world *w;
    const float *distance; /* [n] m: from the free surface; NULL: nobody asks */
    float *next_distance;
    const wish *wishes; /* [n] */
    wish *next;
    size_t *partner; /* [n] whom it becomes one with; n: nobody */
    tl_vec3 *way;    /* [n] m: from its centre to its first part; 0: it does not split */
} refining;

void tl_world_begin_whole(tl_world *w, size_t i, double whole) {
    int exponent;
    const double size = tl_spacing_of(&w->sizes, i), edge = whole > 0 ? whole : size;
    const double mass = w->fluids[tl_material_of(w)[i]].rest_density * tl_volume_of_spacing(edge);
    const double part = frexp(mass, &exponent), level = round(3 * log2(edge / size));
    tl_whole_of(w)[i] = (float)ldexp(round(part * mass_bits) / mass_bits, exponent);
    tl_mass(w)[i] = (float)((double)tl_whole_of(w)[i] * exp2(-level));
}

static double volume_of(const tl_world *w, size_t i) { return tl_volume_of(&w->sizes, i); }

/* How near a neighbour is, in supports of the pair. */
static double nearness(const tl_world *w, size_t i, const tl_sighted *s) {
    return s->r / tl_support_of_spacing(&w->sizes, tl_spacing_between(&w->sizes, i, s->of));
}

/* ---- The free surface --------------------------------------------------------------------------
 */

/* Around particle i, walls included: calls it open where a side of it is. */
static bool is_open(const tl_world *w, size_t i) {
    const tl_records *r = &w->records;
    const double *x = tl_position(w) + 3 * i;
    const double origin[3] = {w->origin.x, w->origin.y, w->origin.z};
    const double sample = tl_world_sample_spacing(w);
    tl_vec3 near[TL_MOST_SIGHTS], side = {0, 0, 0};
    size_t size, count = 0;
    double volume = 0;
    const uint32_t *row = tl_neighbor_row(&w->list, i, &size);
    for (size_t e = 0; e < size && count < TL_MOST_SIGHTS; e++) {
        const bool matter = tl_records_is_matter(r, row[e]);
        const size_t j = matter ? tl_source_of(r, row[e]) : i;
        double d[3];
        for (size_t k = 0; k < 3; k++)
            d[k] = matter ? tl_position(w)[3 * j + k] + (double)(r->a[row[e]].x[k] - r->a[j].x[k]) -
                                x[k]
                          : (double)r->a[row[e]].x[k] + origin[k] - x[k];
        const double away = tl_vec3_length(tl_vec3_of(d));
        const double between = matter ? tl_spacing_between(&w->sizes, i, j)
                                      : 0.5 * (tl_spacing_of(&w->sizes, i) + sample);
        if (!(away > 0) || away > seen_from * between)
            continue;
        near[count] = tl_vec3_scale(tl_vec3_of(d), 1 / away);
        const double part = matter ? volume_of(w, j) : tl_volume_of_spacing(sample);
        side = tl_vec3_mad(side, -part, near[count++]);
        volume += part;
    }
    const double lack = tl_vec3_length(side);
    bool open = lack > 1e-3 * volume;
    for (size_t k = 0; k < count && open; k++)
        open = tl_vec3_dot(side, near[k]) < cone * lack;
    return open || volume < half_empty * volume_of(w, i);
}

static void open_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const refining *c = context;
    for (size_t i = begin; i < end; i++)
        c->next_distance[i] =
            is_open(c->w, i) ? 0.5f * (float)tl_spacing_of(&c->w->sizes, i) : HUGE_VALF;
}

static void distance_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const refining *c = context;
    tl_sighted all[TL_MOST_SIGHTS];
    for (size_t i = begin; i < end; i++) {
        const size_t count = tl_sight_around(c->w, i, TL_SIGHT_PAIR, all);
        c->next_distance[i] = c->distance[i];
        for (size_t s = 0; s < count; s++)
            c->next_distance[i] =
                fminf(c->next_distance[i], c->distance[all[s].of] + (float)all[s].r);
    }
}

static void swap_distances(refining *c, float **first, float **second) {
    float *kept = *first;
    *first = *second;
    *second = kept;
    c->distance = *first;
    c->next_distance = *second;
}

/* Along neighbours, as far as anybody asks. */
static void find_distances(refining *c, float *first, float *second) {
    const tl_world *w = c->w;
    const double most = (double)tl_refine_most(w->def.refine, w->def.refine_count);
    const double far =
        tl_refine_depth(w->def.refine, w->def.refine_count) + (2 * most + 1) * w->def.most_size;
    const double passes = fmin(ceil(far / tl_least_support(&w->sizes)), 64);
    c->next_distance = first;
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, open_range, c);
    c->distance = first;
    c->next_distance = second;
    for (int k = 0; k < (int)passes; k++) {
        tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, distance_range, c);
        swap_distances(c, &first, &second);
    }
}

/* ---- Wishes ------------------------------------------------------------------------------------
 */

static void wish_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const refining *c = context;
    const tl_world *w = c->w;
    const uint32_t *body = tl_field_data(&w->fields, w->handle.body);
    for (size_t i = begin; i < end; i++) {
        const double density = w->fluids[tl_material_of(w)[i]].rest_density;
        tl_refine_view view = {.place = tl_vec3_of(tl_position(w) + 3 * i),
                               .body = body[i],
                               .temperature = (double)tl_temperature(w)[i],
                               .surface = c->distance ? (double)c->distance[i] : HUGE_VAL,
                               .spacing = cbrt((double)tl_whole_of(w)[i] / density)};
        c->next[i].fine = (float)tl_refine_level(w->def.refine, w->def.refine_count, &view);
        view.stays = true;
        c->next[i].keep = (float)tl_refine_level(w->def.refine, w->def.refine_count, &view);
    }
}

static void grade_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const refining *c = context;
    tl_sighted all[TL_MOST_SIGHTS];
    for (size_t i = begin; i < end; i++) {
        const size_t count = tl_sight_around(c->w, i, TL_SIGHT_PAIR, all);
        wish own = c->wishes[i];
        for (size_t s = 0; s < count; s++) {
            const wish *other = &c->wishes[all[s].of];
            own.keep = fmaxf(own.keep, other->keep - 1);
            if (other->fine - 1 > own.fine && nearness(c->w, i, &all[s]) < nearby)
                own.fine = other->fine - 1;
        }
        c->next[i] = own;
    }
}

/* What all wish, in one of two arrays. */
static void find_wishes(refining *c, wish *first, wish *second) {
    const tl_world *w = c->w;
    const size_t n = w->fields.count;
    c->next = first;
    tl_parallel_for(&w->parallel, n, TL_BLOCK, wish_range, c);
    c->wishes = first;
    for (int k = tl_refine_most(w->def.refine, w->def.refine_count); k > 1; k--) {
        c->next = second;
        tl_parallel_for(&w->parallel, n, TL_BLOCK, grade_range, c);
        c->wishes = second;
        second = first;
        first = c->next;
    }
}

/* ---- Splitting ---------------------------------------------------------------------------------
 */

static bool has_parts(const refining *c, size_t i) {
    return c->way[i].x != 0 || c->way[i].y != 0 || c->way[i].z != 0;
}

/* Whether particle i is to be halved: it is at least twice as heavy as is wished, and nobody nearby
 * is so coarse that the parts would be too fine for it. */
static bool is_due(const refining *c, size_t i) {
    const tl_world *w = c->w;
    const double wanted = (double)tl_whole_of(w)[i] * exp2(-(double)c->wishes[i].fine);
    if ((double)tl_mass(w)[i] < 2 * (1 - rounding) * wanted || !tl_world_may_part(w, i))
        return false;
    tl_sighted all[TL_MOST_SIGHTS];
    const size_t count = tl_sight_around(w, i, TL_SIGHT_PAIR, all);
    double largest = 0;
    for (size_t s = 0; s < count; s++)
        if (nearness(w, i, &all[s]) < nearby && tl_world_may_part(w, all[s].of))
            largest = fmax(largest, volume_of(w, all[s].of));
    return 0.5 * largest_contrast * volume_of(w, i) > (1 - rounding) * largest;
}

static void due_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const refining *c = context;
    for (size_t i = begin; i < end; i++) {
        const double away = tl_pair_distance(TL_PATTERN_NEAR_PAIR) * tl_spacing_of(&c->w->sizes, i);
        c->way[i] = (tl_vec3){is_due(c, i) ? away : 0, 0, 0};
    }
}

/* How much room a part has that is `way` from the centre of particle i: to the nearest there is, in
 * spacings of the two; its image behind a wall counts. */
static double room_at(const refining *c, size_t i, const tl_sighted *all, size_t count,
                      tl_vec3 way) {
    const tl_world *w = c->w;
    const double halved = cbrt(0.5), own = halved * tl_spacing_of(&w->sizes, i);
    const tl_vec3 x = tl_vec3_add(tl_vec3_of(tl_position(w) + 3 * i), way);
    double room = HUGE_VAL;
    for (size_t k = 0; k < w->shapes.count; k++)
        room = fmin(room, 2 * tl_shape_distance(&w->shapes.items[k], x, &(tl_vec3){0, 0, 0}) / own);
    for (size_t s = 0; s < count; s++) {
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(all[s].d), way), part = c->way[all[s].of];
        const bool pair = has_parts(c, all[s].of);
        const double size = tl_spacing_of(&w->sizes, all[s].of) * (pair ? halved : 1);
        for (int k = 0; k < 1 + pair; k++) {
            const tl_vec3 away = tl_vec3_mad(d, k ? -1 : 1, part);
            room = fmin(room, 2 * tl_vec3_length(away) / (own + size));
        }
    }
    return room;
}

/* Turns the pair of particle i to where it has most room, of diagonals, axes and edges of a cube:
 * a lattice whose particles all take the same diagonal is one again. */
static void find_way(const refining *c, size_t i) {
    static const double sides[13][3] = {{1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}, {1, 0, 0},
                                        {0, 1, 0},  {0, 0, 1},  {1, 1, 0},  {1, 0, 1},  {0, 1, 1},
                                        {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};
    const double away = tl_pair_distance(TL_PATTERN_NEAR_PAIR) * tl_spacing_of(&c->w->sizes, i);
    tl_sighted all[TL_MOST_SIGHTS];
    const size_t count = tl_sight_around(c->w, i, TL_SIGHT_PAIR, all);
    double most = -HUGE_VAL;
    tl_vec3 best = {0, 0, 0};
    for (int k = 0; k < 13; k++) {
        const tl_vec3 way = tl_vec3_scale(tl_vec3_unit(tl_vec3_of(sides[k])), away);
        const double room =
            fmin(room_at(c, i, all, count, way), room_at(c, i, all, count, tl_vec3_scale(way, -1)));
        if (room > most * (most > 0 ? 1 + rounding : 1)) {
            most = room;
            best = way;
        }
    }
    c->way[i] = best;
}

/* All are judged before any is halved; then pairs turn, each knowing of the others. */
static tl_status split(tl_world *w, refining *c, bool *changed, tl_error *error) {
    enum { TURNS = 2 };
    const size_t n = w->fields.count;
    const tl_parts parts = tl_world_parts(w);
    tl_parallel_for(&w->parallel, n, TL_BLOCK, due_range, c);
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < n; i++)
            if (has_parts(c, i))
                find_way(c, i);
    for (size_t i = 0; i < n; i++) {
        if (!has_parts(c, i))
            continue;
        TL_TRY(tl_parts_split(&parts, i, TL_PATTERN_NEAR_PAIR, c->way[i],
                              tl_spacing_of(&w->sizes, i), error));
        w->sizes.own = tl_size_of(w); /* it may have moved */
        w->state.splits += 1;
        *changed = true;
    }
    return TL_OK;
}

/* ---- Merging -----------------------------------------------------------------------------------
 */

/* kg: up to which particle i may grow. */
static double most_mass(const refining *c, size_t i) {
    return fullest * (double)tl_whole_of(c->w)[i] * exp2(-(double)c->wishes[i].keep);
}

static bool are_alike(const tl_world *w, size_t i, size_t j) {
    const uint32_t *body = tl_field_data(&w->fields, w->handle.body);
    return body[i] == body[j] && tl_material_of(w)[i] == tl_material_of(w)[j] &&
           (!tl_held(w) || tl_held(w)[i] == tl_held(w)[j]);
}

/* The volume of the smallest nearby. */
static double least_around(const tl_world *w, const tl_sighted *all, size_t count, size_t but) {
    double least = HUGE_VAL;
    for (size_t s = 0; s < count; s++)
        if (all[s].of != but)
            least = fmin(least, volume_of(w, all[s].of));
    return least;
}

static bool keeps_off_walls(const tl_world *w, size_t i, size_t j, const tl_sighted *s) {
    const double mi = (double)tl_mass(w)[i], mj = (double)tl_mass(w)[j];
    const tl_vec3 x =
        tl_vec3_mad(tl_vec3_of(tl_position(w) + 3 * i), mj / (mi + mj), tl_vec3_of(s->d));
    const double spacing = cbrt(volume_of(w, i) + volume_of(w, j));
    for (size_t k = 0; k < w->shapes.count; k++)
        if (tl_shape_distance(&w->shapes.items[k], x, &(tl_vec3){0, 0, 0}) < off_wall * spacing)
            return false;
    return true;
}

/* Whether i and its neighbour may become one, as far as those around i know. */
static bool may_join(const refining *c, size_t i, const tl_sighted *s) {
    const tl_world *w = c->w;
    const size_t j = s->of;
    const double mass = (double)tl_mass(w)[i] + (double)tl_mass(w)[j];
    return !s->image &&
           s->r < next_to * fmax(tl_spacing_of(&w->sizes, i), tl_spacing_of(&w->sizes, j)) &&
           (double)(float)mass == mass && mass <= most_mass(c, i) && mass <= most_mass(c, j) &&
           are_alike(w, i, j) && tl_world_may_part(w, j) && keeps_off_walls(w, i, j, s);
}

/* The nearest that particle i may become one with, of those after it; n: none. */
static size_t find_partner(const refining *c, size_t i) {
    const tl_world *w = c->w;
    const size_t n = w->fields.count;
    if ((double)tl_mass(w)[i] >= most_mass(c, i) || !tl_world_may_part(w, i))
        return n;
    tl_sighted all[TL_MOST_SIGHTS], others[TL_MOST_SIGHTS];
    const size_t count = tl_sight_around(w, i, TL_SIGHT_PAIR, all);
    size_t best = n;
    double nearest = HUGE_VAL;
    for (size_t s = 0; s < count; s++) {
        const size_t j = all[s].of;
        if (j < i || all[s].r >= nearest || !may_join(c, i, &all[s]))
            continue;
        const size_t more = tl_sight_around(w, j, TL_SIGHT_PAIR, others);
        const double least = fmin(least_around(w, all, count, j), least_around(w, others, more, i));
        if (volume_of(w, i) + volume_of(w, j) > largest_contrast * (1 + rounding) * least)
            continue;
        nearest = all[s].r;
        best = j;
    }
    return best;
}

static void partner_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const refining *c = context;
    for (size_t i = begin; i < end; i++)
        c->partner[i] = find_partner(c, i);
}

/* All are judged before any merges; who has merged does so once. */
static void merge(tl_world *w, refining *c, bool *changed) {
    const size_t n = w->fields.count;
    const tl_parts parts = tl_world_parts(w);
    unsigned char *stays = TL_SCRATCH_TAKE(&w->scratch, unsigned char, n, "who is not merged");
    unsigned char *taken = TL_SCRATCH_TAKE(&w->scratch, unsigned char, n, "who has merged");
    memset(stays, 1, n);
    memset(taken, 0, n);
    tl_parallel_for(&w->parallel, n, TL_BLOCK, partner_range, c);
    for (size_t i = 0; i < n; i++) {
        const size_t j = c->partner[i];
        if (j == n || taken[i] || taken[j])
            continue;
        tl_sighted all[TL_MOST_SIGHTS];
        uint32_t around[TL_MOST_SIGHTS];
        const size_t count = tl_sight_around(w, i, TL_SIGHT_OWN, all);
        double lost;
        if (!tl_parts_merge(&parts, i, j, around, tl_sight_takers(w, j, all, count, around), &lost))
            continue;
        taken[i] = taken[j] = 1;
        stays[j] = 0;
        w->state.merges += 1;
        w->state.resample_heat += lost;
        *changed = true;
    }
    if (*changed)
        tl_fields_compact(&w->fields, stays);
}

/* ---- Both --------------------------------------------------------------------------------------
 */

static tl_status change(tl_world *w, bool merging, bool *changed, tl_error *error) {
    const size_t n = w->fields.count;
    refining c = {.w = w};
    TL_TRY(tl_scratch_reserve(&w->scratch,
                              2 * tl_scratch_room(n, sizeof(wish)) +
                                  2 * tl_scratch_room(n, sizeof(float)) +
                                  tl_scratch_room(n, sizeof(tl_vec3)) + 2 * tl_scratch_room(n, 1),
                              error));
    wish *first = TL_SCRATCH_TAKE(&w->scratch, wish, n, "how fine particles are to be");
    wish *second = TL_SCRATCH_TAKE(&w->scratch, wish, n, "the same, from neighbours");
    if (tl_refine_depth(w->def.refine, w->def.refine_count) >= 0) {
        float *near = TL_SCRATCH_TAKE(&w->scratch, float, n, "distances from the surface");
        float *far = TL_SCRATCH_TAKE(&w->scratch, float, n, "the same, from neighbours");
        find_distances(&c, near, far);
    }
    find_wishes(&c, first, second);
    if (merging) {
        c.partner = TL_SCRATCH_TAKE(&w->scratch, size_t, n, "who merges with whom");
        merge(w, &c, changed);
        return TL_OK;
    }
    c.way = TL_SCRATCH_TAKE(&w->scratch, tl_vec3, n, "ways of parts");
    return split(w, &c, changed, error);
}

tl_status tl_world_refine(tl_world *w, tl_error *error) {
    const size_t mark = tl_scratch_mark(&w->scratch);
    const bool merging = fmod(w->state.steps, 2 * LOOK_EVERY) != 0;
    bool changed = false;
    if (w->def.refine_count == 0 || fmod(w->state.steps, LOOK_EVERY) != 0)
        return TL_OK;
    const tl_status status = change(w, merging, &changed, error);
    tl_scratch_release(&w->scratch, mark);
    TL_TRY(status);
    if (changed && merging && w->def.with_heat)
        tl_world_refresh_heat(w);
    return changed ? tl_world_matter_changed(w, error) : TL_OK;
}
