/* Borders between matter of different viscosity, where the flow has a kink: stress is continuous,
 * so the thinner side shears faster.
 *
 * Viscosity. Matter that is stiff must not take part in the flow beside it, or all melt within a
 * support of a solid would be as stiff as the solid: a pair counts less in the fit of the stiffer
 * one, by a = min(1, 4 η_j / η_i). For the thinner one nearly all of the pair's shear is on its own
 * side of the border, while the pair shows the mean over its length. So it counts more,
 *
 *   a = (δ_i + δ_j) / (δ_i + δ_j 4 η_i / η_j),
 *
 * where δ are the distances of the two from the border, as it is with walls and their samples
 * (boundary/links.h). A particle knows its distance by how much of its neighbourhood is unlike: a
 * half of it at a plane border, nothing at a support's distance. (Without this thin layers slip
 * along thick ones as if a spacing were missing.) In one material viscosities differ by degrees:
 * where it hardly flows, such as in the plug of a Bingham flow, or with temperature. There is no
 * kink then, and only the first rule holds.
 *
 * Pressure has no kink, and what a particle at such a border grows by is fitted to all its pairs
 * alike, or liquids would mix: tr E = Σ ω p m·l with l = A⁻¹ 1 over plain weights. Both the sweep
 * that fits and the one that sums forces have l in their tensors already (T has π l, if π is the
 * round part of the stress); what is left of a pair, z = ω (1 - a) m·l, is stored. (Two more
 * unknowns in that fit, for the jump of shear at the border, were tried: no calmer.) */
#ifndef TL_FLOW_BORDER_H
#define TL_FLOW_BORDER_H

#include "flow/strain.h"

/* Viscosities that differ by no more than this factor count as one. */
#define TL_BORDER_CONTRAST 4.0f

enum { TL_BORDER_TABLE = 32 };

/* Part of a neighbourhood that lies beyond a plane, by its distance from the centre. */
typedef struct tl_border_profile {
    float beyond[TL_BORDER_TABLE + 1]; /* at the distance k support / TL_BORDER_TABLE */
} tl_border_profile;

tl_border_profile tl_border_profile_make(tl_kernel kernel);

/* Whether viscosities differ much somewhere. */
bool tl_border_is_there(const tl_strain *s, const float *viscosity);

/* Room, viscosities and materials. */
tl_status tl_border_begin(tl_strain *s, const tl_strain_matter *matter, tl_error *error);

/* Finds whether row i, which is packed, crosses a border, and where that is. */
void tl_border_find(tl_strain *s, const tl_border_profile *profile, size_t i);

/* After all have been found: room for the rows at borders. */
tl_status tl_border_reserve(tl_strain *s, tl_error *error);

/* The weights of row i at a border, once all borders have been found and shared with images. */
void tl_border_weigh(tl_strain *s, size_t i);

/* l of particle i at a border, from its moments and S over plain weights, walls included. */
void tl_border_level(tl_strain *s, size_t i, const float moments[TL_FOURTHS], float S);

/* z of row i, and Σ ω (m·l) d, once all l have been found and shared. */
void tl_border_finish(tl_strain *s, size_t i, const tl_thirds *thirds);

/* Copies sides to the images. */
void tl_border_share(const tl_strain *s);

/* Adds TL_LEAST_ROUND times A as it would be in a round neighbourhood, (2 E + tr E I) S / 15. S is
 * Σ ω r⁴. */
TL_INLINE void tl_moments_round(tl_wide A[TL_SYM6], tl_wide S) {
    const tl_wide unit = TL_LEAST_ROUND / 15.0f * S;
    for (int r = 0; r < 6; r++)
        A[tl_sym6_at(r, r)] += (r < 3 ? 3.0f : 4.0f) * unit;
    A[tl_sym6_at(1, 0)] += unit;
    A[tl_sym6_at(2, 0)] += unit;
    A[tl_sym6_at(2, 1)] += unit;
}

/* (1 + TL_LEAST_ROUND) A⁻¹, with A made round by as much. */
TL_INLINE void tl_moments_invert(tl_wide A[TL_SYM6], tl_wide S, tl_wide out[TL_SYM6]) {
    tl_moments_round(A, S);
    tl_sym6_invert(A, 1e-6f * S, out);
    for (int k = 0; k < TL_SYM6; k++)
        out[k] *= 1 + TL_LEAST_ROUND;
}

#endif
