/* See fill_form.h. A lattice lies evenly about the middle of the form along x and y, and begins
 * half a layer above its foot; what mesh/scan.h finds inside is kept. A close packing is four
 * lattices, of every other row and layer. */
#include "scene/fill_form.h"

#include "base/random.h"
#include "mesh/scan.h"
#include "scene/fill.h"
#include "scene/relax.h"
#include "scene/shapes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 1000000000 }; /* in the box around a form */

typedef struct packing {
    double start[3], step[3];
    size_t n[3];
    int parts; /* along y and z: 2 for a close packing, else 1 */
} packing;

static packing lay_packing(const tl_body_def *b, double spacing) {
    packing p = {.step = {spacing, spacing, spacing}, .parts = 1};
    const tl_box_def bounds = tl_body_bounds(b);
    if (b->fill == TL_FILL_HEXAGONAL) { /* neighbours at d, each with the volume d³/√2 */
        const double d = spacing * pow(2, 1.0 / 6);
        p.step[0] = d;
        p.step[1] = d * sqrt(3.0) / 2;
        p.step[2] = d * sqrt(2.0 / 3);
        p.parts = 2;
    }
    for (int k = 0; k < 3; k++) {
        const double extent = bounds.to[k] - bounds.from[k];
        p.n[k] = (size_t)ceil(extent / p.step[k]) + (k < 2);
        p.start[k] =
            k == 2 ? bounds.from[2] + p.step[2] / 2
                   : (bounds.from[k] + bounds.to[k]) / 2 - ((double)p.n[k] - 1) / 2 * p.step[k];
    }
    return p;
}

/* Layers are ABAB: rows are shifted by half a step, layers by a third of a row. */
static tl_lattice part_of(const packing *p, size_t row, size_t layer) {
    const double parts = p->parts;
    tl_lattice l = {.start = {p->start[0], p->start[1] + (double)row * p->step[1],
                              p->start[2] + (double)layer * p->step[2]},
                    .step = {p->step[0], parts * p->step[1], parts * p->step[2]},
                    .n = {p->n[0], (p->n[1] - row + (size_t)p->parts - 1) / (size_t)p->parts,
                          (p->n[2] - layer + (size_t)p->parts - 1) / (size_t)p->parts}};
    if (p->parts == 2) {
        l.start[0] += ((row + layer) % 2 ? 0.25 : -0.25) * p->step[0];
        l.start[1] += (layer ? 1.0 / 6 : -1.0 / 6) * p->step[1];
    }
    return l;
}

static tl_status scan_parts(const tl_body_def *b, const packing *p, const tl_parallel *parallel,
                            tl_lattice part[4], uint8_t *inside[4], tl_error *error) {
    const size_t parts = (size_t)p->parts;
    for (size_t i = 0; i < parts * parts; i++) {
        part[i] = part_of(p, i % parts, i / parts);
        /* Of a thin form, the box around it may hold far more points than it does. */
        size_t count;
        if (!tl_size_multiply(part[i].n[0] * part[i].n[1], part[i].n[2], &count) ||
            count > MOST_PLACES || count > tl_available_memory() / 2 ||
            !(inside[i] = tl_allocate(count, 1)))
            return tl_fail_memory(error, part[i].n[0] * part[i].n[1], part[i].n[2]);
        TL_TRY(tl_mesh_scan(&b->mesh, &part[i], parallel, inside[i], error));
    }
    return TL_OK;
}

/* Layer by layer, row by row, be it one lattice or four. */
static tl_status gather(const packing *p, const tl_lattice part[4], uint8_t *const inside[4],
                        tl_places *out, tl_error *error) {
    const size_t parts = (size_t)p->parts;
    for (size_t k = 0; k < p->n[2]; k++)
        for (size_t j = 0; j < p->n[1]; j++) {
            const size_t which = j % parts + parts * (k % parts);
            const tl_lattice *l = &part[which];
            const size_t row = j / parts, layer = k / parts;
            const uint8_t *in = inside[which] + l->n[0] * (row + l->n[1] * layer);
            TL_TRY(TL_ARRAY_RESERVE(out->items, out->count, out->count + l->n[0], error));
            for (size_t i = 0; i < l->n[0]; i++)
                if (in[i])
                    out->items[out->count++] = (tl_vec3){l->start[0] + (double)i * l->step[0],
                                                         l->start[1] + (double)row * l->step[1],
                                                         l->start[2] + (double)layer * l->step[2]};
        }
    return TL_OK;
}

static tl_status fill_packing(const tl_body_def *b, double spacing, const tl_parallel *parallel,
                              tl_places *out, tl_error *error) {
    const packing p = lay_packing(b, spacing);
    tl_lattice part[4];
    uint8_t *inside[4] = {NULL};
    tl_status status = scan_parts(b, &p, parallel, part, inside, error);
    if (status == TL_OK)
        status = gather(&p, part, inside, out, error);
    for (int i = 0; i < 4; i++)
        free(inside[i]);
    return status;
}

static void shake(const tl_body_def *b, double spacing, uint64_t random, tl_places *places) {
    const double most = b->jitter * spacing;
    for (size_t i = 0; i < places->count; i++) {
        double d[3];
        for (uint64_t k = 0; k < 3; k++)
            d[k] = most * (2 * tl_random_uniform(random, 3 * i + k) - 1);
        places->items[i] = tl_vec3_add(places->items[i], tl_vec3_of(d));
    }
}

static bool is_spread(const tl_body_def *b) {
    return b->fill == TL_FILL_RELAXED || b->fill == TL_FILL_CONFORMING;
}

bool tl_fills_places(const tl_body_def *b) {
    return tl_form_given(&b->form) || (is_spread(b) && !b->has_gable);
}

/* Shapes that fill.h knows, on its lattice. */
static tl_status fill_shape(const tl_body_def *b, double spacing, tl_places *out, tl_error *error) {
    const size_t count = tl_fill_count(b, spacing);
    TL_TRY(TL_ARRAY_RESERVE(out->items, 0, count, error));
    tl_seed *seeds = tl_allocate(count, sizeof *seeds);
    if (!seeds)
        return tl_fail_memory(error, count, sizeof *seeds);
    tl_fill_body(b, spacing, 0, seeds);
    for (size_t i = 0; i < count; i++)
        out->items[i] = tl_vec3_of(seeds[i].position);
    out->count = count;
    free(seeds);
    return TL_OK;
}

static tl_status fill_lattice(const tl_body_def *b, double spacing, const tl_parallel *parallel,
                              tl_places *out, tl_error *error) {
    out->count = 0;
    return tl_form_given(&b->form) ? fill_packing(b, spacing, parallel, out, error)
                                   : fill_shape(b, spacing, out, error);
}

typedef struct ranked {
    double depth;
    uint32_t place;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

/* Drops what is too many from the surface, so that no hole opens inside. */
static tl_status thin_out(const tl_body_def *b, double spacing, size_t wanted, tl_places *places,
                          tl_error *error) {
    ranked *all = tl_allocate(places->count, sizeof *all);
    if (!all)
        return tl_fail_memory(error, places->count, sizeof *all);
    for (size_t i = 0; i < places->count; i++) {
        double depth;
        tl_vec3 outward;
        if (!tl_body_surface(b, places->items[i], spacing, &depth, &outward))
            depth = spacing;
        all[i] = (ranked){depth, (uint32_t)i};
    }
    qsort(all, places->count, sizeof *all, compare_ranked);
    for (size_t i = 0; i < places->count - wanted; i++)
        places->items[all[i].place].x = HUGE_VAL;
    size_t kept = 0;
    for (size_t i = 0; i < places->count; i++)
        if (isfinite(places->items[i].x))
            places->items[kept++] = places->items[i];
    places->count = kept;
    free(all);
    return TL_OK;
}

/* A lattice a little narrower or wider than that in `out`, with at least so many points, less those
 * that are too many. */
static tl_status fill_exactly(const tl_body_def *b, double spacing, size_t wanted,
                              const tl_parallel *parallel, tl_places *out, tl_error *error) {
    enum { TRIES = 40 };
    double width = spacing * cbrt((double)out->count / (double)wanted);
    for (int k = 0; k < TRIES; k++, width *= 0.9995) {
        TL_TRY(fill_lattice(b, width, parallel, out, error));
        if (out->count >= wanted)
            break;
        width *= out->count ? cbrt((double)out->count / (double)wanted) : 0.5;
    }
    if (out->count < wanted)
        return tl_fail(error, TL_BAD_INPUT, b->name, "ask for another number, or leave it out",
                       "body \"%.60s\" cannot be filled with %zu particles", b->name, wanted);
    return out->count == wanted ? TL_OK : thin_out(b, spacing, wanted, out, error);
}

/* Limbs overlap as they like: a finer lattice tells what they cover. */
static double measure_limbs(const tl_body_def *b, double spacing, size_t on_lattice) {
    const double finer = on_lattice < 100000 ? 3 : on_lattice < 1000000 ? 2 : 1;
    return (double)tl_fill_count(b, spacing / finer) / (finer * finer * finer);
}

/* Particles of the volume spacing³ that make up the body's. */
static size_t count_wanted(const tl_body_def *b, double spacing, size_t on_lattice) {
    if (b->particles && tl_form_given(&b->form))
        return (size_t)b->particles;
    if (!is_spread(b))
        return on_lattice;
    const double volume =
        b->has_limbs ? measure_limbs(b, spacing, on_lattice) : tl_fill_estimate(b, spacing);
    return (size_t)fmax(1, round(volume));
}

tl_status tl_fill_places(const tl_body_def *b, double spacing, uint64_t random,
                         const tl_parallel *parallel, tl_places *out, tl_error *error) {
    TL_TRY(fill_lattice(b, spacing, parallel, out, error));
    if (out->count == 0)
        return tl_fail(error, TL_BAD_INPUT, b->name, "make it larger, or the spacing smaller",
                       "body \"%.60s\" has no room for a single particle", b->name);
    const size_t wanted = count_wanted(b, spacing, out->count);
    if (wanted != out->count)
        TL_TRY(fill_exactly(b, spacing, wanted, parallel, out, error));
    if (b->fill == TL_FILL_JITTERED)
        shake(b, spacing, random, out);
    if (is_spread(b))
        TL_TRY(tl_relax(b, spacing, b->fill == TL_FILL_CONFORMING, random, parallel, out, error));
    return TL_OK;
}
