/* See bonds.h. Each pair of exponents gets its own copy of the loop through a constant argument. */
#include "cohesion/bonds.h"

/* ---- Rows --------------------------------------------------------------------------------------
 */

typedef struct cut_context {
    tl_neighbor_list *list;
    const tl_bond_matter *matter;
    tl_strangers *strangers;
    uint32_t dummy;
} cut_context;

static uint32_t body_of(const tl_bond_matter *m, size_t record) {
    return m->body[tl_source_of(m->records, record)];
}

static void count_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cut_context *c = context;
    for (size_t i = begin; i < end; i++) {
        size_t size, strangers = 0;
        const uint32_t *row = tl_neighbor_row(c->list, i, &size);
        for (size_t k = 0; k < size; k++)
            strangers += body_of(c->matter, row[k]) != c->matter->body[i];
        c->strangers->begin[i + 1] = strangers;
    }
}

static void cut_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const cut_context *c = context;
    for (size_t i = begin; i < end; i++) {
        uint32_t *row = c->list->index + c->list->begin[i];
        const size_t size = c->list->size[i];
        size_t kept = 0, put = c->matter->many ? c->strangers->begin[i] : 0;
        for (size_t k = 0; k < size; k++) {
            const uint32_t j = row[k];
            if (j == i)
                continue;
            if (c->matter->many && body_of(c->matter, j) != c->matter->body[i])
                c->strangers->index[put++] = j;
            else
                row[kept++] = j;
        }
        c->list->size[i] = (uint32_t)kept;
        for (size_t k = kept; k < tl_pad_lanes(size); k++)
            row[k] = c->dummy;
    }
}

tl_status tl_bonds_make(tl_bonds *bonds, const tl_parallel *parallel, tl_neighbor_list *list,
                        const tl_bond_matter *matter, tl_error *error) {
    const size_t n = matter->records->particles, total = tl_records_total(matter->records);
    tl_strangers *s = &bonds->strangers;
    TL_TRY(TL_ARRAY_RESERVE(bonds->record, 0, 4 * (total + 1), error));
    TL_TRY(TL_ARRAY_RESERVE(s->begin, 0, n + 1, error));
    bonds->list = list;
    bonds->particles = n;
    bonds->total = total;
    double *dummy = bonds->record + 4 * total; /* so far away that nothing is felt */
    dummy[0] = dummy[1] = dummy[2] = 1e30;
    dummy[3] = 0;
    cut_context c = {list, matter, s, (uint32_t)total};
    s->begin[0] = s->count = 0;
    if (matter->many) {
        tl_parallel_for(parallel, n, TL_BLOCK, count_range, &c);
        for (size_t i = 0; i < n; i++)
            s->begin[i + 1] += s->begin[i];
        s->count = s->begin[n];
        TL_TRY(TL_ARRAY_RESERVE(s->index, 0, s->count, error));
    }
    tl_parallel_for(parallel, n, TL_BLOCK, cut_range, &c);
    return TL_OK;
}

/* ---- The sweep ---------------------------------------------------------------------------------
 */

TL_INLINE void sum_row(tl_exponents exponents, const tl_bonds *b, const tl_potential *p, size_t i,
                       tl_bond_sum *out) {
    const tl_wide_double zero = tl_splat_double(0);
    const double *self = b->record + 4 * i;
    tl_wide_double fx = zero, fy = zero, fz = zero, shape = zero;
    size_t size;
    const uint32_t *row = tl_neighbor_row(b->list, i, &size);
    for (size_t k = 0; k < size; k += TL_DOUBLE_LANES) {
        tl_wide_double r[4], force;
        tl_gather4_double(b->record, row + k, r);
        const tl_wide_double dx = self[0] - r[0], dy = self[1] - r[1], dz = self[2] - r[2];
        shape += tl_potential_wide(exponents, p, dx * dx + dy * dy + dz * dz, &force);
        force *= self[3] + r[3]; /* twice the depth */
        fx += force * dx, fy += force * dy, fz += force * dz;
    }
    *out =
        (tl_bond_sum){{0.5 * tl_sum_double(fx), 0.5 * tl_sum_double(fy), 0.5 * tl_sum_double(fz)},
                      tl_sum_double(shape)};
}

typedef struct sweep_context {
    const tl_bonds *bonds;
    const tl_potential *potentials;
    const uint8_t *material;
    tl_bonds_fn *finish;
    void *context;
} sweep_context;

static void sweep_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sweep_context *c = context;
    tl_bond_sum sums[TL_BLOCK];
    for (size_t i = begin; i < end; i++) {
        const tl_potential *p = &c->potentials[c->material[i]];
        tl_bond_sum *sum = &sums[i - begin];
        switch (p->exponents) {
        case TL_EXPONENTS_4_2: sum_row(TL_EXPONENTS_4_2, c->bonds, p, i, sum); break;
        case TL_EXPONENTS_8_6: sum_row(TL_EXPONENTS_8_6, c->bonds, p, i, sum); break;
        case TL_EXPONENTS_12_6: sum_row(TL_EXPONENTS_12_6, c->bonds, p, i, sum); break;
        case TL_EXPONENTS_WHOLE: sum_row(TL_EXPONENTS_WHOLE, c->bonds, p, i, sum); break;
        case TL_EXPONENTS_ANY: sum_row(TL_EXPONENTS_ANY, c->bonds, p, i, sum); break;
        }
    }
    c->finish(c->context, sums, begin, end);
}

void tl_bonds_sweep(const tl_bonds *bonds, const tl_parallel *parallel,
                    const tl_potential *potentials, const uint8_t *material, tl_bonds_fn *finish,
                    void *context) {
    sweep_context c = {bonds, potentials, material, finish, context};
    tl_parallel_for(parallel, bonds->particles, TL_BLOCK, sweep_range, &c);
}

size_t tl_bonds_bytes(const tl_bonds *b) {
    return TL_ARRAYS_BYTES(b->record, b->strangers.index, b->strangers.begin);
}

void tl_bonds_free(tl_bonds *bonds) {
    TL_ARRAYS_FREE(bonds->record, bonds->strangers.index, bonds->strangers.begin);
    *bonds = (tl_bonds){0};
}
