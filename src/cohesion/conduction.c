/* See conduction.h. */
#include "cohesion/conduction.h"

typedef struct sweep {
    const tl_bond_heat *heat;
    const tl_bonds *bonds;
    const tl_potential *potentials;
    const uint8_t *material;
    double *power, *weight;
} sweep;

tl_status tl_bond_heat_reserve(tl_bond_heat *heat, const tl_bonds *bonds, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(heat->record, 0, 4 * (bonds->total + 1), error));
    double *dummy = heat->record + 4 * bonds->total;
    dummy[0] = dummy[1] = dummy[2] = 0;
    dummy[3] = 1;
    return TL_OK;
}

/* The squared distances of a row's lanes. */
TL_INLINE tl_wide_double squares(const tl_bonds *b, const double *self, const uint32_t *row) {
    tl_wide_double r[4];
    tl_gather4_double(b->record, row, r);
    const tl_wide_double dx = self[0] - r[0], dy = self[1] - r[1], dz = self[2] - r[2];
    return dx * dx + dy * dy + dz * dz;
}

/* The fading S of the potential. */
TL_INLINE tl_wide_double fade(const tl_potential *p, tl_wide_double r2) {
    const tl_wide_double t =
        tl_min_double(tl_max_double((p->range_square - r2) * p->inverse_fade, tl_splat_double(0)),
                      tl_splat_double(1));
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

static void weigh_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sweep *s = context;
    for (size_t i = begin; i < end; i++) {
        const tl_potential *p = &s->potentials[s->material[i]];
        tl_wide_double sum = tl_splat_double(0);
        size_t size;
        const uint32_t *row = tl_neighbor_row(s->bonds->list, i, &size);
        for (size_t k = 0; k < size; k += TL_DOUBLE_LANES)
            sum += fade(p, squares(s->bonds, s->bonds->record + 4 * i, row + k));
        s->heat->record[4 * i + 3] = tl_sum_double(sum);
    }
}

static void conduct_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const sweep *s = context;
    /* Keeps what conducts nothing, and what has no neighbours, from being 0/0. */
    const double tiny = 1e-200;
    for (size_t i = begin; i < end; i++) {
        const tl_potential *p = &s->potentials[s->material[i]];
        const double *own = s->heat->record + 4 * i;
        tl_wide_double power = tl_splat_double(0), weight = power;
        size_t size;
        const uint32_t *row = tl_neighbor_row(s->bonds->list, i, &size);
        for (size_t k = 0; k < size; k += TL_DOUBLE_LANES) {
            tl_wide_double h[4];
            tl_gather4_double(s->heat->record, row + k, h);
            const tl_wide_double r2 = squares(s->bonds, s->bonds->record + 4 * i, row + k);
            /* 6 · 2 k_i k_j/(k_i + k_j) · ½ (V_i + V_j) / ½ (W_i + W_j) · w / r² */
            const tl_wide_double g = 12.0 * (own[1] * h[1]) / (own[1] + h[1] + tiny) *
                                     (own[2] + h[2]) / (own[3] + h[3] + tiny) * fade(p, r2) /
                                     (r2 + p->offset_square + tiny);
            power += g * (h[0] - own[0]);
            weight += g;
        }
        s->power[i] = tl_sum_double(power);
        s->weight[i] = tl_sum_double(weight);
    }
}

void tl_bond_heat_weigh(tl_bond_heat *heat, const tl_bonds *bonds, const tl_parallel *parallel,
                        const tl_potential *potentials, const uint8_t *material) {
    sweep s = {heat, bonds, potentials, material, NULL, NULL};
    tl_parallel_for(parallel, bonds->particles, TL_BLOCK, weigh_range, &s);
}

void tl_bond_heat_conduct(const tl_bond_heat *heat, const tl_bonds *bonds,
                          const tl_parallel *parallel, const tl_potential *potentials,
                          const uint8_t *material, double *power, double *weight) {
    sweep s = {heat, bonds, potentials, material, power, weight};
    tl_parallel_for(parallel, bonds->particles, TL_BLOCK, conduct_range, &s);
}

void tl_bond_heat_free(tl_bond_heat *heat) {
    tl_array_free(heat->record);
    *heat = (tl_bond_heat){0};
}
