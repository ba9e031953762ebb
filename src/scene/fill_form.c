/* See fill_form.h. A lattice lies evenly about the middle of the form along x and y, and begins
 * half a layer above its foot; what mesh/scan.h finds inside is kept. A close packing is four
 * lattices, of every other row and layer. */
#include "scene/fill_form.h"

#include "base/random.h"
#include "mesh/scan.h"
#include "scene/shapes.h"

#include <stdlib.h>
#include <string.h>

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
        size_t count;
        if (!tl_size_multiply(part[i].n[0] * part[i].n[1], part[i].n[2], &count) ||
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
            TL_TRY(TL_RESERVE(out->items, out->capacity, out->count, out->count + l->n[0], error));
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

tl_status tl_fill_form(const tl_body_def *body, double spacing, uint64_t random,
                       const tl_parallel *parallel, tl_places *out, tl_error *error) {
    TL_TRY(fill_packing(body, spacing, parallel, out, error));
    if (body->fill == TL_FILL_JITTERED)
        shake(body, spacing, random, out);
    if (out->count == 0)
        return tl_fail(error, TL_BAD_INPUT, body->name, "make it larger, or the spacing smaller",
                       "body \"%.60s\" has no room for a single particle", body->name);
    return TL_OK;
}
