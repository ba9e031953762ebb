/* Elastic matter in implicit steps: the springs of a step before it is solved, and what the matter
 * remembers once it is accepted. See materials/elastic.h and flow/springs.h. */
#include "base/blocks.h"
#include "flow/spin.h"
#include "flow/springs.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* κ: stiffness of the springs against hourglasses, over the modulus. */
static const double spring_part = 2;

/* Stress, over the modulus, up to which springs do against hourglasses; and the strain in the time
 * for which stress beyond it counts, where that is shorter than what is remembered. */
static const double unbraced = 0.5, longest_brace = 3;

/* Spacings from a wall up to which a particle touches it. */
static const double touching = 0.75;

/* What forgets this slowly is a solid, as long as it has forgotten no more than that of its past.
 */
static const double long_memory = 1000, most_forgotten = 0.1;

/* Part of the time that a wave takes to cross a body which a step may take, where it bounces. */
static const double part_of_wave = 0.08;

/* ---- Springs of a step -------------------------------------------------------------------------
 */

bool tl_world_is_elastic(const tl_world *w, size_t i) {
    return w->handle.way >= 0 && w->materials[tl_material_of(w)[i]].has_elastic;
}

/* What is asked of elastic matter about particle i alone, in a step of response_dt. */
static tl_strained strained_at(const tl_world *w, size_t i) {
    return (tl_strained){.strain = (const float(*)[6])(tl_strain_of(w) + i),
                         .temperature = tl_temperature(w) + i,
                         .dt = w->response_dt,
                         .stiffest = w->stiffest};
}

static tl_spring spring_of(const tl_world *w, size_t i) {
    const tl_material *m = &w->materials[tl_material_of(w)[i]];
    const tl_strained in = strained_at(w, i);
    void *memory[TL_MEMORIES];
    tl_spring spring;
    tl_memory_of_elastic(&w->memory, i, memory);
    tl_elastic_springs(&m->elastic, &in, m->density, memory, &spring, 1);
    return spring;
}

/* Pa·s: ς of a liquid that is stretched so far that those who were neighbours have left each other,
 * and no springs are between those who are. Its stress would drive hourglasses on: it is braced as
 * a viscous liquid of that stress is, and in the time in which that has come to be. */
static double held_back(const tl_world *w, size_t i, double modulus) {
    const tl_elastic *e = &w->materials[tl_material_of(w)[i]].elastic;
    void *memory[TL_MEMORIES];
    double square = 0;
    if (!e->has_relaxation_time || e->has_yield_stress || tl_ties_has(tl_world_ties(w), i))
        return 0;
    tl_memory_of_elastic(&w->memory, i, memory);
    const float *S = memory[TL_ELASTIC_STRESS];
    for (int k = 0; k < 6; k++)
        square += (k < 3 ? 0.5 : 1) * (double)S[k] * (double)S[k];
    const double rate =
        (double)((const float *)tl_field_data(&w->fields, w->handle.strain_rate))[i];
    const double lambda = tl_law_at(&e->relaxation_time, (double)tl_temperature(w)[i]);
    return fmin(lambda, rate > 0 ? longest_brace / rate : lambda) *
           fmax(sqrt(square) - unbraced * modulus, 0);
}

/* How much stiffer than its modulus the springs of particle i are. Those of stretched matter are as
 * stiff as it is; those of a solid stay what they are, as an energy must that is to be given back.
 */
static double spring_stiffness(const tl_world *w, size_t i, const tl_spring *s) {
    return tl_ties_has(tl_world_ties(w), i) ? 1 : s->stiffness;
}

/* dt/λ */
static double pace_of(const tl_spring *s) { return -log(fmax(s->keeps, 1e-30)); }

static void aim_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_world *w = context;
    for (size_t i = begin; i < end; i++) {
        const bool elastic = tl_world_is_elastic(w, i);
        const tl_spring s = elastic ? spring_of(w, i) : (tl_spring){.keeps = 1};
        const double own = 1 - s.now * (1 - s.keeps);
        const double stiff = s.now * s.viscosity;
        w->springs.stiffness[i] =
            elastic ? (float)(spring_part * s.modulus * spring_stiffness(w, i, &s) * own) : 0;
        w->solver.modulus[i] = (float)s.modulus;
        w->solver.springy[i] = (float)(fmax(spring_part - w->def.flow.stabilization, 0) * stiff +
                                       (elastic ? held_back(w, i, s.modulus) : 0));
        w->springs.lag[i] = elastic ? (float)(s.last / own * w->response_dt) : 0;
        w->springs.pace[i] = (float)(pace_of(&s) / w->response_dt);
    }
}

/* Whether matter forgets at a pace that heat changes: neighbours do so at different ones. */
static bool forgets_unevenly(const tl_material *m) {
    return m->has_elastic && m->elastic.has_relaxation_time && !m->elastic.has_yield_stress &&
           m->elastic.relaxation_time.kind != TL_LAW_CONSTANT;
}

/* Where some of the matter yields, or forgets unevenly, there is room for what that takes. */
static tl_status make_room_for_forgetting(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    bool yields = false, uneven = false;
    for (size_t m = 0; m < w->def.material_count; m++) {
        const tl_material *material = &w->materials[m];
        yields = yields || (material->has_elastic && material->elastic.has_yield_stress);
        uneven = uneven || forgets_unevenly(material);
    }
    if (yields || uneven)
        TL_TRY(TL_ARRAY_RESERVE(w->springs.kept, 0, n, error));
    if (yields) {
        TL_TRY(TL_ARRAY_RESERVE(w->solver.slack, 0, n, error));
        memset(w->solver.slack, 0, n * sizeof *w->solver.slack);
    }
    return TL_OK;
}

tl_status tl_world_aim_springs(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    if (w->handle.way < 0)
        return TL_OK;
    TL_TRY(make_room_for_forgetting(w, error));
    TL_TRY(TL_ARRAY_RESERVE(w->springs.stiffness, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(w->springs.lag, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(w->springs.pace, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(w->solver.recalled, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(w->solver.modulus, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(w->solver.springy, 0, n, error));
    tl_parallel_for(&w->parallel, n, TL_BLOCK, aim_range, w);
    const tl_springs_task task = {.way = tl_field_data(&w->fields, w->handle.way),
                                  .velocity = tl_velocity(w),
                                  .stiffness = w->springs.stiffness,
                                  .lag = w->springs.lag,
                                  .pace = w->springs.pace,
                                  .full = 3 * w->lattice.moment};
    w->springs.energy = tl_springs_find(&w->solver, &task);
    tl_world_renew_viscosities(w, 0, n);
    return TL_OK;
}

/* ---- Ties -------------------------------------------------------------------------------------
 */

static bool remembers(const tl_world *w, size_t i) {
    const tl_elastic *e = &w->materials[tl_material_of(w)[i]].elastic;
    const float *forgotten = tl_field_data(&w->fields, w->handle.forgotten);
    return !e->has_relaxation_time ||
           ((double)forgotten[i] < most_forgotten &&
            tl_law_at(&e->relaxation_time, (double)tl_temperature(w)[i]) >= long_memory);
}

/* The number of the solid that particle i is part of; 0: none. */
static float solid_of(const tl_world *w, size_t i) {
    const tl_material *m = &w->materials[tl_material_of(w)[i]];
    const uint32_t *body = tl_field_data(&w->fields, w->handle.body);
    const bool solid = m->has_elastic && !m->elastic.has_yield_stress && remembers(w, i);
    return solid && !tl_rigid_of(w, i) ? (float)(body[i] + 1) : 0;
}

/* Where matter was in its memory; what has none, and walls, where they are. */
static void place_ties(tl_world *w) {
    const double *x = tl_position(w), *way = tl_field_data(&w->fields, w->handle.way);
    const double origin[3] = {w->origin.x, w->origin.y, w->origin.z};
    tl_tied *places = w->springs.places;
    for (size_t i = 0; i <= tl_records_total(&w->records); i++) {
        memcpy(places[i].y, w->records.a[i].x, sizeof places[i].y);
        places[i].body = i < w->fields.count ? solid_of(w, i) : 0;
        for (size_t k = 0; k < 3 && places[i].body > 0; k++)
            places[i].y[k] = (float)(x[3 * i + k] - way[3 * i + k] - origin[k]);
    }
    tl_images_share_all(&w->records, TL_SHARED(places));
    tl_images_move(&w->records, (float *)places, sizeof *places / sizeof(float));
}

tl_status tl_world_build_ties(tl_world *w, tl_error *error) {
    bool any = false;
    for (size_t i = 0; i < w->fields.count && w->handle.way >= 0 && !any; i++)
        any = solid_of(w, i) > 0;
    w->springs.tied = any;
    if (!any)
        return TL_OK;
    const size_t total = tl_records_total(&w->records);
    TL_TRY(TL_ARRAY_RESERVE(w->springs.places, 0, total + 1, error));
    place_ties(w);
    const tl_points points = {.xyz = (const float *)w->springs.places,
                              .stride = sizeof *w->springs.places / sizeof(float),
                              .count = total,
                              .radius = (float)tl_largest_support(&w->sizes)};
    TL_TRY(tl_search_build(w->search, &w->parallel, &points, w->fields.count, &w->springs.list,
                           error));
    w->springs.ties = (tl_ties){.places = w->springs.places,
                                .list = &w->springs.list,
                                .apart = tl_field_data(&w->fields, w->handle.apart)};
    return TL_OK;
}

const tl_ties *tl_world_ties(const tl_world *w) {
    return w->springs.tied ? &w->springs.ties : NULL;
}

/* The link of particle i to a wall that grips, if it feels one. */
static const tl_wall_link *grip_of(const tl_world *w, size_t i) {
    const tl_strain *s = &w->solver.strain;
    const tl_wall_link *link = s->link_of[i] ? &s->link[s->link_of[i] - 1] : NULL;
    return link && !link->body && !link->slips && link->fullness > 0 ? link : NULL;
}

static bool touches(const tl_world *w, size_t i) {
    const tl_wall_link *link = grip_of(w, i);
    const double near = touching * tl_spacing_of(&w->sizes, i);
    return link && (double)link->reach2 < near * near;
}

/* What touches a wall sticks to it, and with it what is tied to that and feels the wall. */
static bool sticks(const tl_world *w, size_t i) {
    const float *apart = (const float *)tl_field_data(&w->fields, w->handle.apart) + 3 * i;
    if (!grip_of(w, i) || !(w->springs.places[i].body > 0))
        return false;
    bool found = touches(w, i) || apart[0] != 0 || apart[1] != 0 || apart[2] != 0;
    size_t size;
    const uint32_t *row = tl_neighbor_row(&w->springs.list, i, &size);
    for (size_t k = 0; k < size && !found; k++)
        found = row[k] < w->fields.count && touches(w, row[k]);
    return found;
}

static void stick_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_world *w = context;
    const tl_strain *s = &w->solver.strain;
    float *apart = tl_field_data(&w->fields, w->handle.apart);
    for (size_t i = begin; i < end; i++) {
        const float *wall = s->link_of[i] ? s->link[s->link_of[i] - 1].velocity : NULL;
        const bool stuck = sticks(w, i);
        for (size_t k = 0; k < 3; k++)
            apart[3 * i + k] =
                stuck ? apart[3 * i + k] +
                            (float)w->response_dt * ((float)tl_velocity(w)[3 * i + k] - wall[k])
                      : 0;
    }
}

/* ---- After a step ------------------------------------------------------------------------------
 */

double tl_world_strain_energy(const tl_world *w, size_t i) {
    if (!tl_world_is_elastic(w, i))
        return 0;
    void *memory[TL_MEMORIES];
    tl_memory_of_elastic(&w->memory, i, memory);
    return (double)tl_mass(w)[i] / w->fluids[tl_material_of(w)[i]].rest_density *
           tl_elastic_energy(&w->materials[tl_material_of(w)[i]].elastic, memory);
}

typedef struct elastic_sums {
    double heat, before;
    double flowed, flowed2; /* Σ of what yields, and of its square */
    double stiff, pace;     /* Σ of the stiffness of springs that forget unevenly, and of that
                               times their paces */
} elastic_sums;
enum { SUMS = sizeof(elastic_sums) / sizeof(double) };

/* Before memories change: how far particles have come within theirs, and what became of the work.
 */
static void move_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_world *w = context;
    double *way = tl_field_data(&w->fields, w->handle.way);
    float *forgotten = tl_field_data(&w->fields, w->handle.forgotten);
    elastic_sums sums = {0};
    for (size_t i = begin; i < end; i++) {
        if (w->springs.kept)
            w->springs.kept[i] = 1;
        if (!tl_world_is_elastic(w, i))
            continue;
        const tl_material *m = &w->materials[tl_material_of(w)[i]];
        const tl_spring s = spring_of(w, i);
        const tl_strained in = strained_at(w, i);
        void *memory[TL_MEMORIES];
        tl_memory_of_elastic(&w->memory, i, memory);
        sums.before += tl_world_strain_energy(w, i);
        sums.heat += (double)tl_mass(w)[i] / m->density *
                     tl_elastic_heat(&m->elastic, &in, m->density, memory);
        const bool uneven = forgets_unevenly(m) && !tl_ties_has(tl_world_ties(w), i);
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            way[k] = (uneven ? 1 : s.keeps) * (way[k] + w->response_dt * tl_velocity(w)[k]);
        forgotten[i] += (1 - forgotten[i]) * (float)(1 - s.keeps);
        if (!w->springs.kept)
            continue;
        if (uneven) {
            const double stiffness = (double)w->springs.stiffness[i];
            w->springs.kept[i] = (float)s.keeps;
            sums.stiff += stiffness;
            sums.pace += stiffness * pace_of(&s);
            continue;
        }
        const tl_flowed flowed = tl_elastic_flow(&m->elastic, &in, m->density, memory);
        w->springs.kept[i] = (float)flowed.keeps;
        sums.flowed += flowed.strain;
        sums.flowed2 += flowed.strain * flowed.strain;
    }
    ((elastic_sums *)w->partial)[begin / TL_BLOCK] = sums;
}

static elastic_sums total_of(const tl_world *w, size_t n) {
    elastic_sums sums;
    for (size_t k = 0; k < SUMS; k++)
        ((double *)&sums)[k] = tl_sum_blocks((const double *)w->partial + k, SUMS, n);
    return sums;
}

/* Ways to what is left of them, k, of the matter that is picked. */
static void shrink_ways(tl_world *w, double k, bool (*picked)(const tl_material *m)) {
    double *way = tl_field_data(&w->fields, w->handle.way);
    for (size_t i = 0; i < w->fields.count; i++)
        if (picked(&w->materials[tl_material_of(w)[i]]) && !tl_ties_has(tl_world_ties(w), i))
            for (size_t c = 3 * i; c < 3 * i + 3; c++)
                way[c] *= k;
}

static bool yields(const tl_material *m) { return m->elastic.has_yield_stress; }

/* What yields, and what heat makes forget at different paces, forgets what is not affine of its
 * ways as its stress does, and the rest of it all at the same pace, lest particles that move
 * together be torn apart in what they remember: that of what flows most, or that of the springs in
 * the mean. */
static void forget_ways(tl_world *w, const elastic_sums *sums) {
    if (!(sums->flowed > 0) && !(sums->pace > 0))
        return;
    tl_springs_forget(&w->solver, w->springs.kept, tl_field_data(&w->fields, w->handle.way));
    if (sums->flowed > 0)
        shrink_ways(w, exp(-sums->flowed2 / sums->flowed), yields);
    if (sums->stiff > 0)
        shrink_ways(w, exp(-sums->pace / sums->stiff), forgets_unevenly);
}

tl_status tl_world_turn_matter(tl_world *w, double dt, tl_error *error) {
    const size_t n = w->fields.count;
    if (w->handle.way < 0)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(w->springs.turn, 0, n, error));
    TL_TRY(tl_world_partials(w, n, sizeof(elastic_sums), error));
    tl_spin_find(&w->solver.strain, (const float(*)[6])tl_strain_of(w), dt, w->springs.turn);
    tl_parallel_for(&w->parallel, n, TL_BLOCK, move_range, w);
    if (w->springs.tied)
        tl_parallel_for(&w->parallel, n, TL_BLOCK, stick_range, w);
    const elastic_sums sums = total_of(w, n);
    forget_ways(w, &sums);
    const double springs = w->springs.energy - w->state.spring_energy;
    w->state.spring_energy = w->springs.energy;
    w->state.viscous_heat += sums.heat;
    w->state.numerical_heat += sums.before - sums.heat - springs; /* less what is stored, below */
    return TL_OK;
}

void tl_world_book_strain(tl_world *w) {
    double after = 0;
    for (size_t i = 0; i < w->fields.count && w->handle.way >= 0; i++)
        after += tl_world_strain_energy(w, i);
    w->state.numerical_heat -= after;
}

/* ---- Step size ---------------------------------------------------------------------------------
 */

double tl_world_wave_step(const tl_world *w) {
    double fastest2 = 0, mass = 0, density = 0;
    for (size_t i = 0; i < w->fields.count && w->handle.way >= 0; i++) {
        if (!tl_world_is_elastic(w, i))
            continue;
        const tl_material *m = &w->materials[tl_material_of(w)[i]];
        const double G = tl_law_at(&m->elastic.modulus, (double)tl_temperature(w)[i]);
        fastest2 = fmax(fastest2, G / m->density);
        mass += (double)tl_mass(w)[i];
        density = fmax(density, m->density);
    }
    return fastest2 > 0 ? part_of_wave * cbrt(mass / density) / sqrt(fastest2) : HUGE_VAL;
}
