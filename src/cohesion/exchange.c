/* Heat of thermal particles: conduction within and between bodies, contact with walls that have a
 * temperature. Heat is exchanged between steps, at fixed places. See cohesive.h. */
#include "base/blocks.h"
#include "cohesion/cohesive.h"

#include <math.h>

static const tl_caloric *caloric_of(const tl_cohesive_matter *m, size_t i) {
    return &m->calorics[m->material[i]];
}

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_cohesive_work *c = context;
    const tl_cohesive *t = c->cohesive;
    const tl_cohesive_matter *m = c->matter;
    for (size_t i = begin; i < end; i++) {
        double *record = t->heat.record + 4 * i;
        const double e = m->enthalpy[i];
        record[0] = tl_temperature_at(caloric_of(m, i), e);
        record[1] = tl_conductivity_at(caloric_of(m, i), e);
        record[2] = (double)m->mass[i] / m->materials[m->material[i]].density;
    }
}

static void fill_records(tl_cohesive *t, const tl_cohesive_matter *m) {
    tl_cohesive_work c = {t, m, NULL};
    tl_parallel_for(m->parallel, m->count, TL_BLOCK, fill_range, &c);
    tl_images_share(m->records, TL_SHARED_GROUP(t->heat.record, 4));
}

/* The particle that a record is, or is an image of. */
static size_t source_of(const tl_cohesive_matter *m, size_t record) {
    return record < m->count ? record : m->records->image_source[record - m->count];
}

/* Heat from the particles of other bodies that it touches: k A (θ_j - θ_i) / r, the harmonic mean
 * of k, through the face of a cell. */
static void add_strangers(const tl_cohesive *t, const tl_cohesive_matter *m, size_t i,
                          double *power, double *weight) {
    const tl_strangers *s = &t->bonds.strangers;
    const double *own = t->heat.record + 4 * i;
    for (size_t k = s->begin[i]; k < s->begin[i + 1]; k++) {
        const double *other = t->heat.record + 4 * (size_t)s->index[k];
        const double r = tl_vec3_length(tl_cohesive_from_stranger(m, i, s->index[k]));
        if (r >= t->collision.distance || !(own[1] > 0 && other[1] > 0))
            continue;
        const double edge = tl_spacing_between(&m->sizes, i, source_of(m, s->index[k]));
        const double g = 2 * own[1] * other[1] / (own[1] + other[1]) * (edge * edge) / r;
        *power += g * (other[0] - own[0]);
        *weight += g;
    }
}

/* Heat from a wall that it touches, through a cell's face: the interface, and half a cell. */
static double wall_weight(const tl_cohesive *t, const tl_cohesive_matter *m, size_t i,
                          const tl_shape *shape) {
    tl_vec3 n;
    const tl_heat_wall *wall = &m->walls[shape->wall];
    const double k = t->heat.record[4 * i + 1], spacing = tl_spacing_of(&m->sizes, i);
    if (!wall->open || !(k > 0) ||
        tl_shape_distance(shape, tl_vec3_of(m->position + 3 * i), &n) >= t->collision.distance)
        return 0;
    const double interface = wall->conductance > 0 ? 1 / wall->conductance : 0;
    return spacing * spacing / (interface + 0.5 * spacing / k);
}

/* J/(kg·K), no more than it is in any phase. */
static double least_specific_heat(const tl_material *own) {
    return own->liquid_specific_heat > 0 ? fmin(own->specific_heat, own->liquid_specific_heat)
                                         : own->specific_heat;
}

typedef struct exchange_context {
    const tl_cohesive *t;
    const tl_cohesive_matter *m;
    double dt;         /* s, of a sub-step; 0: only weights are wanted */
    double *wall_heat; /* [blocks * walls] J: given by each wall */
    double *partial;   /* [3 * blocks] largest weight per heat capacity; J made; J of friction */
} exchange_context;

static void exchange_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const exchange_context *c = context;
    const tl_cohesive *t = c->t;
    const tl_cohesive_matter *m = c->m;
    double *unspent = m->unspent_heat;
    double *given = c->wall_heat + begin / TL_BLOCK * m->wall_count, fastest = 0, made = 0,
           rubbed = 0;
    for (size_t k = 0; k < m->wall_count; k++)
        given[k] = 0;
    for (size_t i = begin; i < end; i++) {
        const tl_material *material = &m->materials[m->material[i]];
        const double mass = (double)m->mass[i], temperature = t->heat.record[4 * i];
        double power = t->power[i], weight = t->weight[i], heat;
        if (t->bodies > 1)
            add_strangers(t, m, i, &power, &weight);
        for (size_t s = 0; s < m->shapes->count; s++) {
            const size_t wall = m->shapes->items[s].wall;
            const double g = wall_weight(t, m, i, &m->shapes->items[s]);
            const double q = g * (m->walls[wall].temperature - temperature);
            power += q;
            weight += g;
            given[wall] += c->dt * q;
        }
        heat = c->dt * material->heating * t->heat.record[4 * i + 2];
        fastest = fmax(fastest, weight / (mass * least_specific_heat(material)));
        made += heat;
        if (!(c->dt > 0))
            continue;
        m->enthalpy[i] += (c->dt * power + heat + unspent[i]) / mass;
        rubbed += unspent[i];
        unspent[i] = 0;
    }
    double *partial = c->partial + 3 * (begin / TL_BLOCK);
    partial[0] = fastest, partial[1] = made, partial[2] = rubbed;
}

/* What each wall gave, into the first of the blocks' rows. */
static void add_up_walls(const tl_cohesive_matter *m, double *wall_heat) {
    for (size_t k = 0; k < m->wall_count; k++)
        wall_heat[k] = tl_sum_blocks(wall_heat + k, m->wall_count, m->count);
}

static void join_sums(void *total, const void *partial) {
    tl_exchange_sums *out = total;
    const double *p = partial;
    out->fastest = fmax(out->fastest, p[0]);
    out->made += p[1];
    out->rubbed += p[2];
}

tl_status tl_cohesive_exchange(tl_cohesive *t, const tl_cohesive_matter *m, double dt,
                               double *partial, tl_exchange_sums *out, tl_error *error) {
    const size_t blocks = tl_block_count(m->count, TL_BLOCK);
    TL_TRY(TL_ARRAY_RESERVE(t->wall_heat, 0, blocks * m->wall_count, error));
    fill_records(t, m);
    tl_bond_heat_conduct(&t->heat, &t->bonds, m->parallel, t->potentials, m->material, t->power,
                         t->weight);
    exchange_context c = {t, m, dt, t->wall_heat, partial};
    tl_parallel_for(m->parallel, m->count, TL_BLOCK, exchange_range, &c);
    out->fastest = 0;
    out->given = t->wall_heat;
    tl_join_blocks(out, partial, 3 * sizeof *partial, m->count, join_sums);
    add_up_walls(m, t->wall_heat);
    return TL_OK;
}

tl_status tl_cohesive_prepare_exchange(tl_cohesive *t, const tl_cohesive_matter *m,
                                       tl_error *error) {
    TL_TRY(tl_bond_heat_reserve(&t->heat, &t->bonds, error));
    TL_TRY(TL_ARRAY_RESERVE(t->power, 0, m->count, error));
    TL_TRY(TL_ARRAY_RESERVE(t->weight, 0, m->count, error));
    tl_bond_heat_weigh(&t->heat, &t->bonds, m->parallel, t->potentials, m->material);
    return TL_OK;
}
