/* See parts.h. */
#include "resample/parts.h"

#include "math/mat3.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 8 };

/* Distances of parts from the centre, in spacings of the whole, that disturb Σ V W in a lattice
 * least: by 3.9, 2.0 and 2.0 %. */
static const double pair_distance = 0.5, tetrahedron_distance = 0.64, cube_distance = 0.66;

/* And where all are halved: then a cubic lattice becomes the centred one of half the volume, √3/4.
 */
static const double near_distance = 0.4330127018922193;

/* Those around cannot take a spin if their least moment of inertia is less than this part of the
 * largest. */
static const double roundest_line = 1e-3;

/* ---- Patterns ----------------------------------------------------------------------------------
 */

size_t tl_pattern_count(tl_pattern pattern) {
    switch (pattern) {
    case TL_PATTERN_PAIR:
    case TL_PATTERN_NEAR_PAIR: return 2;
    case TL_PATTERN_TETRAHEDRON: return 4;
    case TL_PATTERN_CUBE: break;
    }
    return 8;
}

double tl_pair_distance(tl_pattern pattern) {
    return pattern == TL_PATTERN_PAIR ? pair_distance : near_distance;
}

/* Three directions at right angles, the third along `n`. */
static void make_axes(tl_vec3 n, tl_vec3 axis[3]) {
    const tl_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    axis[2] = tl_vec3_scale(n, 1 / tl_vec3_length(n));
    const tl_vec3 side = tl_vec3_cross(axis[2], fabs(axis[2].x) < 0.7 ? x : y);
    axis[0] = tl_vec3_scale(side, 1 / tl_vec3_length(side));
    axis[1] = tl_vec3_cross(axis[2], axis[0]);
}

/* Corners of a cube about the centre whose first diagonal is the third axis: of a tetrahedron every
 * other one. */
static void find_places(tl_pattern pattern, tl_vec3 direction, double spacing, tl_vec3 *out) {
    tl_vec3 axis[3];
    make_axes(direction, axis);
    if (tl_pattern_count(pattern) == 2) {
        const double away = tl_pair_distance(pattern) * spacing;
        out[0] = tl_vec3_scale(axis[2], away);
        out[1] = tl_vec3_scale(axis[2], -away);
        return;
    }
    const double reach = pattern == TL_PATTERN_CUBE ? cube_distance : tetrahedron_distance;
    const double third = 1.0 / 3, root = sqrt(8) / 3, angle = 2 * acos(-1) / 3;
    for (int k = 0; k < 4; k++) {
        const double up = k ? -third : 1, aside = k ? root : 0;
        tl_vec3 d = tl_vec3_scale(axis[2], up);
        d = tl_vec3_mad(d, aside * cos(k * angle), axis[0]);
        d = tl_vec3_mad(d, aside * sin(k * angle), axis[1]);
        out[k] = tl_vec3_scale(d, reach * spacing);
        if (pattern == TL_PATTERN_CUBE)
            out[k + 4] = tl_vec3_scale(out[k], -1);
    }
}

/* ---- Fields ------------------------------------------------------------------------------------
 */

static double *vector_of(const tl_parts *p, int handle, size_t i) {
    return (double *)tl_field_data(p->fields, handle) + 3 * i;
}
static float *mass_of(const tl_parts *p, size_t i) {
    return (float *)tl_field_data(p->fields, p->mass) + i;
}
static double *density_of(const tl_parts *p, size_t i) {
    return (double *)tl_field_data(p->fields, p->density) + i;
}
static float *size_of(const tl_parts *p, size_t i) {
    return (float *)tl_field_data(p->fields, p->size) + i;
}
static void give_name(const tl_parts *p, size_t i) {
    ((uint64_t *)tl_field_data(p->fields, p->id))[i] = (uint64_t)*p->next_id;
    *p->next_id += 1;
}

static bool is_real(const tl_field *field) {
    return field->desc->type == TL_F32 || field->desc->type == TL_F64;
}

static double get(const tl_field *field, size_t at) {
    return field->desc->type == TL_F32 ? (double)((const float *)field->data)[at]
                                       : ((const double *)field->data)[at];
}

static void set(const tl_field *field, size_t at, double value) {
    if (field->desc->type == TL_F32)
        ((float *)field->data)[at] = (float)value;
    else
        ((double *)field->data)[at] = value;
}

static void copy(const tl_field *field, size_t from, size_t to) {
    const size_t bytes = tl_type_size(field->desc->type) * (size_t)field->desc->components;
    memcpy((char *)field->data + to * bytes, (const char *)field->data + from * bytes, bytes);
}

/* ---- Splitting ---------------------------------------------------------------------------------
 */

/* Particle `to` becomes one of `count` parts of particle i, at d from its centre. */
static void make_part(const tl_parts *p, size_t i, size_t to, size_t count, tl_vec3 d) {
    const double step[3] = {d.x, d.y, d.z};
    for (size_t f = 0; f < p->fields->field_count; f++) {
        const tl_field *field = &p->fields->field[f];
        const size_t components = (size_t)field->desc->components;
        copy(field, i, to);
        for (size_t c = to * components; c < (to + 1) * components; c++) {
            if (field->desc->flags & TL_FIELD_SHARED)
                set(field, c, get(field, c) / (double)count);
            if (field->desc->flags & TL_FIELD_PLACE)
                set(field, c, get(field, c) + step[c - to * components]);
        }
    }
    if (p->size >= 0)
        *size_of(p, to) = (float)((double)*size_of(p, to) / cbrt((double)count));
    give_name(p, to);
}

tl_status tl_parts_split(const tl_parts *p, size_t i, tl_pattern pattern, tl_vec3 direction,
                         double spacing, tl_error *error) {
    const size_t count = tl_pattern_count(pattern), before = p->fields->count;
    tl_vec3 places[MOST_PARTS];
    find_places(pattern, direction, spacing, places);
    TL_TRY(tl_fields_resize(p->fields, before + count - 1, error));
    for (size_t k = 1; k < count; k++)
        make_part(p, i, before + k - 1, count, places[k]);
    make_part(p, i, i, count, places[0]);
    return TL_OK;
}

/* ---- Merging -----------------------------------------------------------------------------------
 */

static double energy_of(const tl_parts *p, size_t i) {
    const tl_vec3 v = tl_vec3_of(vector_of(p, p->velocity, i));
    return 0.5 * (double)*mass_of(p, i) * tl_vec3_dot(v, v);
}

/* What takes a spin: inertia and centre of those around. */
static tl_vec3 center_of(const tl_parts *p, const uint32_t *around, size_t count) {
    tl_vec3 sum = {0, 0, 0};
    double mass = 0;
    for (size_t k = 0; k < count; k++) {
        const double m = (double)*mass_of(p, around[k]);
        sum = tl_vec3_mad(sum, m, tl_vec3_of(vector_of(p, p->position, around[k])));
        mass += m;
    }
    return mass > 0 ? tl_vec3_scale(sum, 1 / mass) : sum;
}

/* ω = I⁻¹ L. False: they lie nearly in a line, or there are too few. */
static bool find_turn(const tl_parts *p, const uint32_t *around, size_t count, tl_vec3 center,
                      tl_vec3 spin, tl_vec3 *turn) {
    double I[3][3] = {{0}}, inverse[3][3];
    for (size_t k = 0; k < count; k++) {
        const double m = (double)*mass_of(p, around[k]);
        const tl_vec3 r = tl_vec3_sub(tl_vec3_of(vector_of(p, p->position, around[k])), center);
        const double x[3] = {r.x, r.y, r.z}, r2 = tl_vec3_dot(r, r);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                I[a][b] += m * ((a == b ? r2 : 0) - x[a] * x[b]);
    }
    const double trace = I[0][0] + I[1][1] + I[2][2];
    if (count < 3 || !(trace > 0) || !tl_mat3_invert(I, inverse))
        return false;
    *turn = tl_mat3_times(inverse, spin);
    /* The trace of the inverse is that of 1 over the least moment, or a little more. */
    return (inverse[0][0] + inverse[1][1] + inverse[2][2]) * trace < 1 / roundest_line;
}

/* Adds ω × (x - x̄), and returns the energy that this takes. */
static double turn_around(const tl_parts *p, const uint32_t *around, size_t count, tl_vec3 center,
                          tl_vec3 turn) {
    double gained = 0;
    for (size_t k = 0; k < count; k++) {
        double *v = vector_of(p, p->velocity, around[k]);
        const tl_vec3 r = tl_vec3_sub(tl_vec3_of(vector_of(p, p->position, around[k])), center);
        const tl_vec3 more = tl_vec3_cross(turn, r);
        gained -= energy_of(p, around[k]);
        v[0] += more.x, v[1] += more.y, v[2] += more.z;
        gained += energy_of(p, around[k]);
    }
    return gained;
}

/* All fields of i with those of j in them; `part` is that of j in the mass. */
static void join(const tl_parts *p, size_t i, size_t j, double part) {
    for (size_t f = 0; f < p->fields->field_count; f++) {
        const tl_field *field = &p->fields->field[f];
        const size_t components = (size_t)field->desc->components;
        if (!is_real(field)) {
            if (part > 0.5)
                copy(field, j, i);
            continue;
        }
        for (size_t c = 0; c < components; c++) {
            const double own = get(field, i * components + c),
                         other = get(field, j * components + c);
            const bool shared = field->desc->flags & TL_FIELD_SHARED;
            set(field, i * components + c, shared ? own + other : own + part * (other - own));
        }
    }
}

bool tl_parts_merge(const tl_parts *p, size_t i, size_t j, const uint32_t *around, size_t count,
                    double *lost) {
    const double mi = (double)*mass_of(p, i), mj = (double)*mass_of(p, j), sum = mi + mj;
    const tl_vec3 d = tl_vec3_sub(tl_vec3_of(vector_of(p, p->position, j)),
                                  tl_vec3_of(vector_of(p, p->position, i)));
    const tl_vec3 u = tl_vec3_sub(tl_vec3_of(vector_of(p, p->velocity, j)),
                                  tl_vec3_of(vector_of(p, p->velocity, i)));
    const tl_vec3 spin = tl_vec3_scale(tl_vec3_cross(d, u), mi * mj / sum);
    const tl_vec3 center = center_of(p, around, count);
    tl_vec3 turn;
    const bool spins = tl_vec3_dot(spin, spin) > 0;
    if ((double)(float)sum != sum || (spins && !find_turn(p, around, count, center, spin, &turn)))
        return false;
    const double volume = mi / *density_of(p, i) + mj / *density_of(p, j);
    const double before = energy_of(p, i) + energy_of(p, j);
    const double cubes =
        p->size < 0 ? 0 : pow((double)*size_of(p, i), 3) + pow((double)*size_of(p, j), 3);
    join(p, i, j, mj / sum);
    *density_of(p, i) = sum / volume;
    if (p->size >= 0)
        *size_of(p, i) = (float)cbrt(cubes);
    *mass_of(p, j) = 0;
    *lost = before - energy_of(p, i);
    if (spins)
        *lost -= turn_around(p, around, count, center, turn);
    return true;
}

/* ---- Birth -------------------------------------------------------------------------------------
 */

/* All fields of particle `to` as the mean of those who give. */
static void gather(const tl_parts *p, const uint32_t *givers, const double *gifts, size_t count,
                   double sum, size_t to) {
    size_t largest = 0;
    for (size_t k = 1; k < count; k++)
        largest = gifts[k] > gifts[largest] ? k : largest;
    for (size_t f = 0; f < p->fields->field_count; f++) {
        const tl_field *field = &p->fields->field[f];
        const size_t components = (size_t)field->desc->components;
        copy(field, givers[largest], to);
        for (size_t c = 0; c < components && is_real(field); c++) {
            double mean = 0;
            for (size_t k = 0; k < count; k++)
                mean += gifts[k] / sum * get(field, givers[k] * components + c);
            set(field, to * components + c, mean);
        }
    }
}

/* Particle `to` gets what is shared, and whose sums are kept: areas, cubes of sizes, volumes; the
 * masses of those who give are less by their gifts already. */
static void hand_over(const tl_parts *p, const uint32_t *givers, const double *gifts, size_t count,
                      double sum, size_t to) {
    double cubes = 0, volume = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t j = givers[k];
        const double left = (double)*mass_of(p, j), part = gifts[k] / (left + gifts[k]);
        volume += gifts[k] / *density_of(p, j);
        if (p->size >= 0) {
            const double cube = pow((double)*size_of(p, j), 3);
            cubes += part * cube;
            *size_of(p, j) = (float)cbrt((1 - part) * cube);
        }
    }
    *density_of(p, to) = sum / volume;
    if (p->size >= 0)
        *size_of(p, to) = (float)cbrt(cubes);
    for (size_t f = 0; f < p->fields->field_count; f++) {
        const tl_field *field = &p->fields->field[f];
        const size_t components = (size_t)field->desc->components;
        if (!(field->desc->flags & TL_FIELD_SHARED) || (int)f == p->mass)
            continue;
        for (size_t c = 0; c < components; c++) {
            double given = 0;
            for (size_t k = 0; k < count; k++) {
                const size_t at = givers[k] * components + c;
                const double left = (double)*mass_of(p, givers[k]);
                const double gift = get(field, at) * gifts[k] / (left + gifts[k]);
                set(field, at, get(field, at) - gift);
                given += gift;
            }
            set(field, to * components + c, given);
        }
    }
    *mass_of(p, to) = (float)sum;
    give_name(p, to);
}

/* Of what they give, about the centre of it. */
static tl_vec3 spin_of(const tl_parts *p, const uint32_t *givers, const double *gifts, size_t count,
                       double sum) {
    tl_vec3 center = {0, 0, 0}, mean = {0, 0, 0}, spin = {0, 0, 0};
    for (size_t k = 0; k < count; k++) {
        center =
            tl_vec3_mad(center, gifts[k] / sum, tl_vec3_of(vector_of(p, p->position, givers[k])));
        mean = tl_vec3_mad(mean, gifts[k] / sum, tl_vec3_of(vector_of(p, p->velocity, givers[k])));
    }
    for (size_t k = 0; k < count; k++) {
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(vector_of(p, p->position, givers[k])), center);
        const tl_vec3 u = tl_vec3_sub(tl_vec3_of(vector_of(p, p->velocity, givers[k])), mean);
        spin = tl_vec3_mad(spin, gifts[k], tl_vec3_cross(d, u));
    }
    return spin;
}

tl_status tl_parts_insert(const tl_parts *p, const uint32_t *givers, const double *gifts,
                          size_t count, bool *born, double *lost, tl_error *error) {
    const size_t to = p->fields->count;
    double sum = 0, before = 0;
    tl_vec3 turn;
    *born = false;
    for (size_t k = 0; k < count; k++) {
        sum += gifts[k];
        before += energy_of(p, givers[k]);
    }
    const tl_vec3 spin = spin_of(p, givers, gifts, count, sum);
    const bool spins = tl_vec3_dot(spin, spin) > 0;
    for (size_t k = 0; k < count; k++)
        *mass_of(p, givers[k]) = (float)((double)*mass_of(p, givers[k]) - gifts[k]);
    const tl_vec3 center = center_of(p, givers, count);
    if (spins && !find_turn(p, givers, count, center, spin, &turn)) {
        for (size_t k = 0; k < count; k++)
            *mass_of(p, givers[k]) = (float)((double)*mass_of(p, givers[k]) + gifts[k]);
        return TL_OK;
    }
    TL_TRY(tl_fields_resize(p->fields, to + 1, error));
    gather(p, givers, gifts, count, sum, to);
    hand_over(p, givers, gifts, count, sum, to);
    *lost = before - energy_of(p, to);
    for (size_t k = 0; k < count; k++)
        *lost -= energy_of(p, givers[k]);
    if (spins)
        *lost -= turn_around(p, givers, count, center, turn);
    *born = true;
    return TL_OK;
}
