/* See strain.h. Making of pairs and fits; the sweeps of the solver are in sweeps.c. */
#include "flow/border.h"
#include "flow/wall_level.h"

#include "math/extremes.h"

#include <math.h>
#include <string.h>

/* ---- Room --------------------------------------------------------------------------------------
 */

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_strain *s = context;
    for (size_t i = begin; i < end; i++) {
        const tl_record *a = &s->records->a[i];
        /* Samples weigh nothing here: links stand for them. */
        const bool counts = i < s->total && tl_records_is_matter(s->records, i);
        s->motion[i] = (tl_motion){.x = {a->x[0], a->x[1], a->x[2]},
                                   .volume = counts ? tl_record_volume(a) : 0};
        /* While pairs are made, and nobody has a velocity yet. */
        if (s->graded && counts)
            s->motion[i].u[0] = tl_strain_own_support(s, tl_source_of(s->records, i));
        else if (s->ties && counts)
            s->motion[i].u[0] = s->ties->pull[tl_source_of(s->records, i)];
    }
}

static void rest_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_strain *s = context;
    for (size_t i = begin; i < end; i++)
        s->motion[i].u[0] = 0;
}

/* Begins of rows that have room for neighbours and ties. */
static tl_status begin_rows(tl_strain *s, const tl_neighbor_list *list, size_t *room,
                            tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(s->longer, 0, s->particles, error));
    *room = 0;
    for (size_t i = 0; i < s->particles; i++) {
        s->longer[i] = *room;
        *room += tl_pad_lanes(list->size[i]) + tl_pad_lanes(s->ties->list->size[i]);
    }
    s->begin = s->longer;
    return TL_OK;
}

tl_status tl_strain_begin(tl_strain *s, const tl_parallel *parallel, const tl_records *records,
                          const tl_neighbor_list *list, const tl_ties *ties, tl_kernel kernel,
                          tl_sizes sizes, tl_error *error) {
    const size_t n = records->particles, total = tl_records_total(records);
    const size_t lanes = tl_pad_lanes(n);
    size_t room = list->index_count;
    s->parallel = parallel;
    s->records = records;
    s->kernel = kernel;
    s->sizes = sizes;
    s->graded = tl_sizes_differ(&sizes);
    s->support = s->graded ? (float)sizes.support : (float)tl_common_support(&sizes);
    s->particles = n;
    s->total = total;
    s->ties = ties;
    s->begin = list->begin;
    s->holds = false;
    if (ties) {
        TL_TRY(begin_rows(s, list, &room, error));
        TL_TRY(TL_ARRAY_RESERVE(s->trace_then, 0, n, error));
    }
    TL_TRY(TL_ARRAY_RESERVE(s->motion, 0, total + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(s->low, 0, total + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(s->traction, 0, total + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(s->size, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(s->index, 0, room, error));
    TL_TRY(TL_ARRAY_RESERVE(s->weight, 0, room, error));
    TL_TRY(TL_ARRAY_RESERVE(s->inverse, 0, lanes * TL_SYM6, error));
    TL_TRY(TL_ARRAY_RESERVE(s->around, 0, lanes, error));
    if (s->graded) {
        TL_TRY(TL_ARRAY_RESERVE(s->own, 0, lanes, error));
        TL_TRY(TL_ARRAY_RESERVE(s->spread, 0, lanes, error));
    }
    TL_TRY(TL_ARRAY_RESERVE(s->trace, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->filling, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->affine, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->thirds, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->link_of, 0, n, error));
    memset(s->link_of, 0, n * sizeof *s->link_of);
    memset(s->low, 0, (total + 1) * sizeof *s->low);
    memset(s->traction, 0, (total + 1) * sizeof *s->traction);
    s->link_count = 0;
    s->body_of = NULL;
    s->uneven = false;
    s->mirrors.plane_count = 0;
    tl_parallel_for(parallel, total + 1, TL_BLOCK, fill_range, s);
    return TL_OK;
}

void tl_strain_hold(tl_strain *s, const uint8_t *held) {
    for (size_t i = 0; i < s->particles; i++)
        if (held[i]) {
            s->motion[i].volume = 0;
            s->holds = true;
        }
    tl_images_share(s->records, TL_SHARED_MEMBER(s->motion, tl_motion, volume));
}

#define ARRAYS(s)                                                                                  \
    (s)->motion, (s)->low, (s)->traction, (s)->longer, (s)->size, (s)->index, (s)->weight,         \
        (s)->side, (s)->pressed, (s)->border, (s)->across, (s)->inverse, (s)->around, (s)->own,    \
        (s)->spread, (s)->trace, (s)->trace_then, (s)->filling, (s)->affine, (s)->thirds,          \
        (s)->link, (s)->link_of, TL_MIRROR_ARRAYS(&(s)->mirrors)

size_t tl_strain_bytes(const tl_strain *s) { return TL_ARRAYS_BYTES(ARRAYS(s)); }

void tl_strain_free(tl_strain *s) {
    TL_ARRAYS_FREE(ARRAYS(s));
    *s = (tl_strain){0};
}

/* ---- Pairs -------------------------------------------------------------------------------------
 */

/* A row of pairs that is being packed. */
typedef struct packing {
    uint32_t *index, found;
    float *weight;
    tl_wide filling;
    tl_wide side[3], full, spread; /* where pairs are graded: Σ by the particle's own support */
} packing;

/* Keeps the pairs that have a weight. */
TL_INLINE void keep_pairs(tl_wide w, const uint32_t *row, packing *p) {
    const unsigned mask = tl_mask_less(tl_splat(0.0f), w);
    tl_compress_store_float(p->weight + p->found, w, mask);
    p->found += (uint32_t)tl_compress_store(p->index + p->found, tl_load_int(row), mask);
}

/* Adds pairs of matter at distances whose squares are r2, with the part `counts` of them. The
 * particle itself, and whatever lies on top of it, is no pair: it has no direction. */
TL_INLINE void pack_pairs(tl_kernel kernel, const tl_strain *s, float unit, tl_wide r2,
                          tl_wide volume, const uint32_t *row, packing *p) {
    const float tiny = 1e-12f * s->support * s->support;
    const tl_wide q = tl_sqrt(r2) * (1 / s->support), zero = tl_splat(0.0f);
    const tl_wide slope = -tl_kernel_slope(kernel, q);
    p->filling += volume * tl_kernel_shape(kernel, q);
    const tl_wide w = tl_select_less(tl_splat(tiny), r2, unit * volume * slope / r2, zero);
    keep_pairs(w, row, p);
}

/* The same of pairs d whose others have the support h, with g the same from both sides. */
TL_INLINE void pack_graded(tl_kernel kernel, float norm, float own, tl_wide h, const tl_wide d[3],
                           tl_wide volume, const uint32_t *row, packing *p) {
    const tl_wide r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = tl_sqrt(r2);
    const tl_wide inverse = 2.0f / (own + h), square = inverse * inverse, zero = tl_splat(0.0f);
    const tl_wide g = norm * (square * square * inverse) * -tl_kernel_slope(kernel, r * inverse);
    const tl_wide w = tl_select_less(tl_splat(1e-12f), r2 * square, volume * (g / r2), zero);
    keep_pairs(w, row, p);
    /* Sums by its own support, per h³ and h⁵. */
    const tl_wide q = r * (1 / own), part = volume * -tl_kernel_slope(kernel, q);
    p->filling += volume * tl_kernel_shape(kernel, q);
    for (int k = 0; k < 3; k++)
        p->side[k] += part * d[k];
    p->full += part * r2;
    p->spread += part * r2 * tl_max(h - own, own - h);
}

/* What a row has found by the support of its particle. */
static void store_own(const tl_strain *s, size_t i, float norm, float own, const packing *p) {
    const float inverse = 1 / own, cube = norm * inverse * inverse * inverse,
                unit = cube * inverse * inverse;
    const float full = unit * tl_sum(p->full);
    for (int k = 0; k < 3; k++)
        s->own[i].side[k] = unit * tl_sum(p->side[k]);
    s->own[i].full = full;
    s->spread[i] = full > 0 ? unit * tl_sum(p->spread) * inverse / full : 0;
    s->filling[i] = cube * tl_sum(p->filling);
}

/* The part by which pairs with others at places b count by their present distance; `pull` is that
 * of both together. */
TL_INLINE tl_wide present_part(const tl_strain *s, const tl_tied *self, const tl_wide b[4],
                               tl_wide pull) {
    const tl_wide one = tl_splat(1.0f), none = tl_splat(0.0f);
    const tl_wide x = b[0] - self->y[0], y = b[1] - self->y[1], z = b[2] - self->y[2];
    const tl_wide was = tl_sqrt(x * x + y * y + z * z) * (1 / s->support);
    const tl_wide far = (was - TL_TIED_UP_TO) * (1 / (TL_STRANGERS - TL_TIED_UP_TO));
    const tl_wide part = 0.5f + 0.5f * tl_min(tl_positive(far), one);
    const tl_wide apart = b[3] - self->body;
    const tl_wide holds = tl_select_less(none, pull, none, one);
    const tl_wide solid = tl_select_less(none, b[3], holds, one);
    const tl_wide own = tl_select_less(was, tl_splat(TL_STRANGERS), part, holds);
    return tl_select_less(apart * apart, tl_splat(0.25f), own, solid);
}

/* The ties of particle i. */
TL_INLINE void pack_ties(tl_kernel kernel, const tl_strain *s, float unit, size_t i, packing *p) {
    const tl_tied *places = s->ties->places, *self = &places[i];
    size_t size;
    const uint32_t *row = tl_neighbor_row(s->ties->list, i, &size);
    const tl_wide zero = tl_splat(0.0f);
    for (size_t k = 0; self->body > 0 && k < size; k += TL_LANES) {
        tl_wide b[4], u[4];
        tl_gather4((const float *)places, 4, row + k, b);
        TL_GATHER4(s->motion, u, row + k, u);
        const tl_wide x = b[0] - self->y[0], y = b[1] - self->y[1], z = b[2] - self->y[2];
        const tl_wide apart = b[3] - self->body;
        const tl_wide volume = tl_select_less(apart * apart, tl_splat(0.25f), 0.5f * u[3], zero);
        pack_pairs(kernel, s, unit, x * x + y * y + z * z, volume, row + k, p);
    }
}

/* Keeps the pairs of matter of row i, with their weights, and finds its filling. Those that are
 * graded have no ties. */
TL_INLINE void pack_row(tl_kernel kernel, bool graded, bool tied, tl_strain *s,
                        const tl_neighbor_list *list, float unit, size_t i) {
    const tl_motion *self = &s->motion[i];
    size_t size;
    const uint32_t *row = tl_neighbor_row(list, i, &size);
    const bool held = tl_strain_is_held(s, i);
    const float norm = (float)tl_kernel_norm(kernel);
    packing p = {.index = s->index + s->begin[i],
                 .weight = s->weight + s->begin[i],
                 .filling = tl_splat(0.0f)};
    if (graded)
        p.side[0] = p.side[1] = p.side[2] = p.full = p.spread = p.filling;
    for (size_t k = 0; k < size && !held; k += TL_LANES) {
        tl_wide x[4], u[4];
        TL_GATHER4(s->motion, x, row + k, x);
        TL_GATHER4(s->motion, u, row + k, u);
        const tl_wide dx = x[0] - self->x[0], dy = x[1] - self->x[1], dz = x[2] - self->x[2];
        tl_wide volume = u[3];
        if (graded) {
            pack_graded(kernel, norm, self->u[0], u[0], (const tl_wide[3]){dx, dy, dz}, volume,
                        row + k, &p);
            continue;
        }
        if (tied) {
            tl_wide b[4];
            tl_gather4((const float *)s->ties->places, 4, row + k, b);
            volume *= present_part(s, &s->ties->places[i], b, self->u[0] + u[0]);
        }
        pack_pairs(kernel, s, unit, dx * dx + dy * dy + dz * dz, volume, row + k, &p);
    }
    if (tied && !held)
        pack_ties(kernel, s, unit, i, &p);
    const uint32_t padded = (uint32_t)tl_pad_lanes(p.found);
    for (uint32_t k = p.found; k < padded; k++) {
        p.index[k] = (uint32_t)i; /* at no distance, with no weight */
        p.weight[k] = 0;
    }
    s->size[i] = padded;
    if (graded)
        store_own(s, i, norm, tl_strain_own_support(s, i), &p);
    else
        s->filling[i] = unit * s->support * s->support * tl_sum(p.filling);
}

/* Sums over the pairs of a row, and its links. */
typedef struct pair_sums {
    float moments[TL_FOURTHS];
    tl_thirds thirds;
    tl_around around;
    float alike, unused[2]; /* S of what is alike */
} pair_sums;

typedef struct wide_sums {
    tl_wide moments[TL_FOURTHS];
    tl_wide xxx, yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz;
    tl_wide side[3], full, alike;
} wide_sums;

TL_INLINE void store_sums(const wide_sums *q, pair_sums *out) {
    const tl_wide zero = tl_splat(0.0f), *m = q->moments;
    for (int k = 0; k < 12; k += 4)
        tl_store_sum4(out->moments + k, m[k], m[k + 1], m[k + 2], m[k + 3]);
    TL_STORE_SUM4(out, moments[12], m[12], m[13], m[14], q->xxx);
    TL_STORE_SUM4(out, thirds.yyy, q->yyy, q->zzz, q->xxy, q->xxz);
    TL_STORE_SUM4(out, thirds.yyx, q->yyx, q->yyz, q->zzx, q->zzy);
    TL_STORE_SUM4(out, thirds.xyz, q->xyz, q->side[0], q->side[1], q->side[2]);
    TL_STORE_SUM4(out, around.full, q->full, q->alike, zero, zero);
}

/* Adds pairs to the moments, with the weight `fit`, and to the thirds. Returns r². */
TL_INLINE tl_wide add_directions(wide_sums *q, tl_wide w, tl_wide fit, tl_wide x, tl_wide y,
                                 tl_wide z) {
    const tl_wide xx = x * x, yy = y * y, zz = z * z;
    const tl_wide wxx = w * xx, wyy = w * yy, wzz = w * zz;
    tl_fourths_add(q->moments, fit, x, y, z);
    q->xxx += wxx * x, q->yyy += wyy * y, q->zzz += wzz * z;
    q->xxy += wxx * y, q->xxz += wxx * z, q->yyx += wyy * x;
    q->yyz += wyy * z, q->zzx += wzz * x, q->zzy += wzz * y;
    q->xyz += w * (x * y) * z;
    return xx + yy + zz;
}

/* Pairs with images. They are on no side: there the matter ends. */
static void sum_images(const tl_mirrors *m, size_t i, wide_sums *q) {
    for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const tl_image_pairs *p = &m->pairs[k];
        const tl_wide x = tl_load(p->d[0]), y = tl_load(p->d[1]), z = tl_load(p->d[2]);
        const tl_wide w = tl_load(p->weight), r2 = add_directions(q, w, w, x, y, z);
        q->full += w * r2 * r2;
        q->alike += w * r2 * r2;
    }
}

/* A pair with a kink counts once in the moments, whatever it shows. */
TL_INLINE void sum_pairs(const tl_strain *s, bool border, size_t i, pair_sums *out) {
    const tl_motion *self = &s->motion[i];
    const uint32_t *index = s->index + s->begin[i];
    const tl_across *across = border ? s->across + (s->border[i] - 1) : NULL;
    wide_sums q;
    memset(&q, 0, sizeof q);
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        tl_wide p[4];
        TL_GATHER4(s->motion, x, index + k, p);
        const tl_wide plain = tl_load(s->weight + s->begin[i] + k);
        const tl_wide w = border ? tl_load(across[k / TL_LANES].own) : plain;
        const tl_wide o = border ? tl_load(across[k / TL_LANES].other) : plain;
        const tl_wide fit = border ? tl_min(w, plain) : plain;
        const tl_wide x = p[0] - self->x[0], y = p[1] - self->x[1], z = p[2] - self->x[2];
        const tl_wide r2 = add_directions(&q, w, fit, x, y, z), g = plain * r2;
        q.side[0] += g * x, q.side[1] += g * y, q.side[2] += g * z, q.full += g * r2;
        q.alike += tl_min(fit, o) * r2 * r2;
    }
    if (tl_mirrors_any(&s->mirrors, i))
        sum_images(&s->mirrors, i, &q);
    store_sums(&q, out);
}

/* ---- Fits --------------------------------------------------------------------------------------
 */

/* The inverses for eight particles; sums[l] are those of lane l. */
static void invert_lanes(const pair_sums *sums, const uint32_t index[TL_LANES], float *out,
                         float *trace) {
    tl_wide q[16], A[TL_SYM6], inverse[TL_SYM6], all[4];
    TL_GATHER4(sums, moments, index, q);
    TL_GATHER4(sums, moments[4], index, q + 4);
    TL_GATHER4(sums, moments[8], index, q + 8);
    TL_GATHER4(sums, moments[12], index, q + 12); /* and one of what follows */
    TL_GATHER4(sums, around.full, index, all);
    tl_fourths_matrix(q, A);
    tl_store(trace, tl_fourths_sum(q));
    /* S of all neighbours: one that is much stiffer than all around it has no fit, and no stress */
    tl_moments_invert(A, all[0] + tl_splat(1e-12f), inverse);
    for (int k = 0; k < TL_SYM6; k++)
        tl_store(out + k * TL_LANES, inverse[k]);
}

typedef struct make_context {
    tl_strain *s;
    const tl_neighbor_list *list;
    const tl_strain_matter *matter;
    float unit; /* of ω: norm / support⁵ */
    tl_border_profile profile;
} make_context;

static void add_link(const tl_strain *s, size_t i, pair_sums *sums) {
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next) {
        const tl_wall_link *link = &s->link[l - 1];
        for (int k = 0; k < TL_FOURTHS; k++)
            sums->moments[k] += link->moments[k];
        for (int k = 0; k < TL_THIRDS; k++)
            sums->thirds.all[k] += link->thirds.all[k];
        sums->around.full += link->fullness;
    }
}

static void fill_links(const tl_strain *s, size_t i) {
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next) {
        s->filling[i] += s->link[l - 1].filling;
        if (s->graded)
            s->own[i].full += s->link[l - 1].fullness;
    }
}

/* From 1 where all neighbours are alike to 0 where a third of them are not. */
static float affine_part(const pair_sums *sums) {
    const float full = sums->around.full;
    return full > 0 ? tl_larger(1 - 3 * (1 - sums->alike / full), 0) : 1;
}

/* Fits of eight particles whose rows are packed. */
static void fit_lanes(tl_strain *s, size_t first, size_t count) {
    pair_sums sums[TL_LANES];
    uint32_t index[TL_LANES];
    tl_group(first, first + count, index);
    for (size_t l = 0; l < count; l++) {
        const size_t i = first + l;
        if (s->uneven && s->border[i])
            sum_pairs(s, true, i, &sums[l]);
        else
            sum_pairs(s, false, i, &sums[l]);
        s->affine[i] = affine_part(&sums[l]);
        add_link(s, i, &sums[l]);
        fill_links(s, i);
        s->thirds[i] = sums[l].thirds;
        s->around[i] = sums[l].around;
        if (tl_ties_has(s->ties, i))
            s->trace_then[i] = tl_ties_trace(s, i);
    }
    invert_lanes(sums, index, s->inverse + first * TL_SYM6, s->trace + first);
}

/* Without borders a row is fitted while it is at hand. */
TL_INLINE void make_rows(tl_kernel kernel, bool graded, const make_context *c, size_t begin,
                         size_t end) {
    tl_strain *s = c->s;
    for (size_t first = begin; first < end; first += TL_LANES) {
        const size_t count = end - first < TL_LANES ? end - first : TL_LANES;
        for (size_t l = 0; l < count; l++)
            if (!graded && s->ties && s->ties->places[first + l].body > 0)
                pack_row(kernel, graded, true, s, c->list, c->unit, first + l);
            else
                pack_row(kernel, graded, false, s, c->list, c->unit, first + l);
        for (size_t i = first; i < first + count && s->mirrors.plane_count > 0; i++)
            s->filling[i] += s->mirrors.filling[i];
        if (!s->uneven)
            fit_lanes(s, first, count);
    }
    for (size_t i = begin; s->contrast && i < end; i++)
        tl_border_find(s, &c->profile, i);
}

TL_INLINE void make_block(tl_kernel kernel, const make_context *c, size_t begin, size_t end) {
    if (c->s->graded)
        make_rows(kernel, true, c, begin, end);
    else
        make_rows(kernel, false, c, begin, end);
}

static void make_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const make_context *c = context;
    switch (c->s->kernel) {
    case TL_KERNEL_WENDLAND: make_block(TL_KERNEL_WENDLAND, c, begin, end); break;
    case TL_KERNEL_QUINTIC: make_block(TL_KERNEL_QUINTIC, c, begin, end); break;
    case TL_KERNEL_QUARTIC: make_block(TL_KERNEL_QUARTIC, c, begin, end); break;
    case TL_KERNEL_CUBIC: make_block(TL_KERNEL_CUBIC, c, begin, end); break;
    case TL_KERNEL_POLY6: make_block(TL_KERNEL_POLY6, c, begin, end); break;
    case TL_KERNEL_SPIKY: make_block(TL_KERNEL_SPIKY, c, begin, end); break;
    case TL_KERNEL_VISCOSITY: make_block(TL_KERNEL_VISCOSITY, c, begin, end); break;
    case TL_KERNEL_COUNT: break;
    }
}

/* l of what is at no border: A⁻¹ 1. */
static void plain_level(tl_strain *s, size_t i) {
    const float *inverse = s->inverse + i / TL_LANES * TL_LANES * TL_SYM6 + i % TL_LANES;
    for (int r = 0; r < 6; r++) {
        s->side[i].level[r] = 0;
        for (int c = 0; c < 3; c++)
            s->side[i].level[r] += inverse[tl_sym6_at(r, c) * TL_LANES];
    }
}

/* What pressure needs of particle i. */
static void find_level(const make_context *c, size_t i) {
    tl_strain *s = c->s;
    pair_sums sums;
    plain_level(s, i);
    if (!(s->side[i].at_border > 0) && !s->link_of[i])
        return;
    sum_pairs(s, false, i, &sums);
    add_link(s, i, &sums);
    if (s->side[i].at_border > 0)
        tl_border_level(s, i, sums.moments, sums.around.full);
    if (s->link_of[i])
        tl_wall_level_find(s, c->matter, i, sums.moments, sums.around.full);
}

/* Weights at borders; fits; and what pressure needs. */
static void fit_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const make_context *c = context;
    tl_strain *s = c->s;
    for (size_t i = begin; i < end; i++)
        if (s->border[i])
            tl_border_weigh(s, i);
    for (size_t first = begin; first < end; first += TL_LANES)
        fit_lanes(s, first, end - first < TL_LANES ? end - first : TL_LANES);
    for (size_t i = begin; i < end; i++)
        find_level(c, i);
}

static void finish_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_strain *s = context;
    for (size_t i = begin; i < end; i++)
        tl_border_finish(s, i, &s->thirds[i]);
}

tl_status tl_strain_make(tl_strain *s, const tl_neighbor_list *list, const tl_strain_matter *matter,
                         tl_error *error) {
    const double R = (double)s->support;
    make_context c = {
        s, list, matter, (float)(tl_kernel_norm(s->kernel) / (R * R * R * R * R)), {{0}}};
    s->contrast = matter && tl_border_is_there(s, matter->viscosity);
    s->uneven = s->contrast || (matter && tl_wall_level_wanted(s, matter));
    if (s->uneven)
        TL_TRY(tl_border_begin(s, matter, error));
    if (s->contrast)
        c.profile = tl_border_profile_make(s->kernel);
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, make_range, &c);
    if (s->graded || s->ties)
        tl_parallel_for(s->parallel, s->total + 1, TL_BLOCK, rest_range, s);
    if (!s->uneven)
        return TL_OK;
    TL_TRY(tl_border_reserve(s, error));
    tl_border_share(s);
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, fit_range, &c);
    tl_border_share(s);
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, finish_range, s);
    return TL_OK;
}
