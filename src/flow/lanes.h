/* Eight particles at a time: what the implicit solve does between its sweeps. */
#ifndef TL_FLOW_LANES_H
#define TL_FLOW_LANES_H

#include "flow/strain.h"

TL_INLINE void tl_load_fit(const tl_fit *fits, const uint32_t index[TL_LANES], tl_wide b[8]) {
    TL_GATHER4(fits, b, index, b);
    TL_GATHER4(fits, b[4], index, b + 4);
}

/* The b that the terms with ς know. */
TL_INLINE void tl_load_braced(const tl_fit *fits, const uint32_t index[TL_LANES],
                              const tl_wide b[6], tl_wide out[6]) {
    tl_wide unbraced[8];
    TL_GATHER4(fits, unbraced, index, unbraced);
    TL_GATHER4(fits, unbraced[4], index, unbraced + 4);
    for (int k = 0; k < 6; k++)
        out[k] = b[k] - unbraced[k];
}

TL_INLINE void tl_load_inverse(const tl_strain *s, size_t first, tl_wide inverse[TL_SYM6]) {
    for (int k = 0; k < TL_SYM6; k++)
        inverse[k] = tl_load(s->inverse + first * TL_SYM6 + (size_t)k * TL_LANES);
}

/* l of eight particles, and 1 for those at a border. */
TL_INLINE void tl_load_level(const tl_strain *s, size_t first, const uint32_t index[TL_LANES],
                             tl_wide level[6], tl_wide *at_border) {
    tl_wide end[4];
    TL_GATHER4(&s->side[first], level, index, level);
    TL_GATHER4(&s->side[first], level[4], index, end);
    level[4] = end[0];
    level[5] = end[1];
    *at_border = end[2];
}

/* By how much more eight particles grow than tr E, E = A⁻¹ b, if they are at a border. */
TL_INLINE tl_wide tl_growth_beyond(const tl_strain *s, const tl_fit *fits, size_t first,
                                   const uint32_t index[TL_LANES], const tl_wide b[6],
                                   const tl_wide E[6]) {
    tl_wide level[6], at_border, found[4];
    tl_load_level(s, first, index, level, &at_border);
    TL_GATHER4(fits, growth, index, found);
    tl_wide growth = found[0];
    for (int k = 0; k < 6; k++)
        growth += level[k] * b[k];
    return at_border * (growth - (E[0] + E[1] + E[2]));
}

TL_INLINE void tl_store_six(tl_traction *tractions, size_t count, const tl_wide x[6]) {
    float lanes[6][TL_LANES];
    for (int k = 0; k < 6; k++)
        tl_store(lanes[k], x[k]);
    for (size_t l = 0; l < count; l++)
        for (int k = 0; k < 6; k++)
            tractions[l].T[k] = lanes[k][l];
}

/* T = A⁻¹ (stress - ς b), stored to the traction records of the group. */
TL_INLINE void tl_store_traction(const tl_strain *s, size_t first, size_t count,
                                 const tl_wide inverse[TL_SYM6], const tl_wide stress[6],
                                 const tl_wide b[6], tl_wide brace) {
    tl_wide load[6], T[6];
    for (int k = 0; k < 6; k++)
        load[k] = stress[k] - brace * (1 / (1 + TL_LEAST_ROUND)) * b[k];
    tl_sym6_times(inverse, load, T);
    tl_store_six(&s->traction[first], count, T);
}

/* The same where viscosities differ, with the round part π of the stress apart: T gets π l. */
TL_INLINE void tl_store_uneven_traction(const tl_strain *s, size_t first, size_t count,
                                        const uint32_t index[TL_LANES],
                                        const tl_wide inverse[TL_SYM6], const tl_wide stress[6],
                                        tl_wide round, const tl_wide b[6], tl_wide brace) {
    tl_wide load[6], T[6], level[6], at_border;
    float lanes[TL_LANES];
    tl_load_level(s, first, index, level, &at_border);
    for (int k = 0; k < 6; k++)
        load[k] = stress[k] - brace * (1 / (1 + TL_LEAST_ROUND)) * b[k];
    tl_sym6_times(inverse, load, T);
    for (int k = 0; k < 6; k++)
        T[k] += round * level[k];
    tl_store_six(&s->traction[first], count, T);
    tl_store(lanes, round);
    for (size_t l = 0; l < count; l++)
        s->pressed[first + l].round = lanes[l];
}

/* 2 η dev E + κ tr E I, where shear and bulk are η and K dt. Stress and strain work as Σ σ_k E_k:
 * shear components of σ count twice. */
TL_INLINE void tl_stress_of(const tl_wide E[6], tl_wide shear, tl_wide bulk, tl_wide out[6]) {
    const tl_wide trace = E[0] + E[1] + E[2];
    const tl_wide round = (bulk - (2.0f / 3) * shear) * trace;
    for (int k = 0; k < 3; k++)
        out[k] = 2.0f * shear * E[k] + round;
    for (int k = 3; k < 6; k++)
        out[k] = 4.0f * shear * E[k];
}

#endif
