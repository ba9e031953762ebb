/* See border.h. */
#include "flow/border.h"

#include "math/extremes.h"

#include <math.h>
#include <string.h>

/* Pa·s: keeps the ratio of two that are zero finite. */
static const float least_viscosity = 1e-30f;

/* Nobody is taken to be nearer to the border than this part of the support. */
static const float nearest = 0.08f;

/* S of a full neighbourhood. */
static const float full = 3;

/* The bulk of matter at a border knows viscosities up to this many times the least one around: a
 * solid must not make what flows beside it as hard to squeeze as itself. */
static const float border_bulk = 4;

/* ---- Distances ---------------------------------------------------------------------------------
 */

/* |W'| r³ at q = r / support: what a shell holds of S. */
static double shell(tl_kernel kernel, double q) {
    return -(double)tl_lane(tl_kernel_slope(kernel, tl_splat((float)q)), 0) * q * q * q;
}

/* A shell of radius r has the part ½ (1 - δ / r) beyond a plane at the distance δ. */
tl_border_profile tl_border_profile_make(tl_kernel kernel) {
    enum { PARTS = 256 };
    tl_border_profile p = {{0}};
    for (int k = 0; k <= TL_BORDER_TABLE; k++) {
        const double distance = (double)k / TL_BORDER_TABLE;
        double beyond = 0, all = 0;
        for (int e = 0; e < PARTS; e++) {
            const double q = (e + 0.5) / PARTS, S = shell(kernel, q);
            all += S;
            beyond += q > distance ? 0.5 * S * (1 - distance / q) : 0;
        }
        p.beyond[k] = (float)(beyond / all);
    }
    return p;
}

/* The distance of a plane beyond which there is `part` of a neighbourhood, in supports. */
static float distance_of(const tl_border_profile *p, float part) {
    for (int k = 0; k < TL_BORDER_TABLE; k++) {
        const float here = p->beyond[k], next = p->beyond[k + 1];
        if (part >= next)
            return ((float)k + tl_part((here - part) / (here - next))) / TL_BORDER_TABLE;
    }
    return 1;
}

/* ---- Finding -----------------------------------------------------------------------------------
 */

bool tl_border_is_there(const tl_strain *s, const float *viscosity) {
    float least = HUGE_VALF, most = 0;
    for (size_t i = 0; i < s->particles; i++) {
        if (tl_strain_is_held(s, i))
            continue;
        least = tl_smaller(least, viscosity[i]);
        most = tl_larger(most, viscosity[i]);
    }
    return most > TL_BORDER_CONTRAST * least;
}

tl_status tl_border_begin(tl_strain *s, const tl_strain_matter *matter, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(s->side, 0, s->total + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(s->pressed, 0, s->total + 1, error));
    memset(s->pressed, 0, (s->total + 1) * sizeof *s->pressed);
    TL_TRY(TL_ARRAY_RESERVE(s->border, 0, s->particles, error));
    memset(s->side, 0, (s->total + 1) * sizeof *s->side);
    for (size_t i = 0; i < s->particles; i++) {
        s->side[i].viscosity = matter->viscosity[i] + least_viscosity;
        s->side[i].material = matter->material ? (float)matter->material[i] : 0;
        s->side[i].thinnest = HUGE_VALF;
    }
    tl_border_share(s);
    return TL_OK;
}

void tl_border_share(const tl_strain *s) { tl_images_share(s->records, TL_SHARED(s->side)); }

/* η of one over that of another, by which there is a kink between them: in one material viscosities
 * differ by degrees, with temperature and rate. */
static float kink_ratio(const tl_border_side *own, const tl_border_side *other) {
    return own->material == other->material ? 1 : own->viscosity / other->viscosity;
}

/* 0 for a ratio that counts as 1, up to 1 for two that have nothing in common. */
static float unlikeness(float ratio) {
    return 1 - tl_smaller(TL_BORDER_CONTRAST * tl_smaller(ratio, 1 / ratio), 1);
}

void tl_border_find(tl_strain *s, const tl_border_profile *profile, size_t i) {
    tl_border_side *side = &s->side[i];
    const tl_motion *self = &s->motion[i];
    const size_t begin = s->begin[i];
    float part = 0, least = side->viscosity;
    for (size_t k = begin; k < begin + s->size[i]; k++) {
        const tl_motion *other = &s->motion[s->index[k]];
        const float weight = s->weight[k];
        const tl_border_side *there = &s->side[s->index[k]];
        if (!(weight > 0) || !(unlikeness(side->viscosity / there->viscosity) > 0))
            continue;
        const float unlike = unlikeness(kink_ratio(side, there));
        side->crosses = 1;
        const float d[3] = {other->x[0] - self->x[0], other->x[1] - self->x[1],
                            other->x[2] - self->x[2]};
        const float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        part += unlike * weight * r2 * r2;
        if (unlike > 0)
            least = tl_smaller(least, there->viscosity);
    }
    side->at_border = part > 0 ? 1 : 0;
    side->distance =
        (float)tl_support_of(&s->sizes, i) * tl_larger(distance_of(profile, part / full), nearest);
    side->thinnest = side->at_border > 0 ? border_bulk * least : HUGE_VALF;
}

tl_status tl_border_reserve(tl_strain *s, tl_error *error) {
    size_t groups = 0;
    for (size_t i = 0; i < s->particles; i++) {
        s->border[i] = s->side[i].crosses > 0 ? groups + 1 : 0;
        groups += s->border[i] ? s->size[i] / TL_LANES : 0;
    }
    return TL_ARRAY_RESERVE(s->across, 0, groups, error);
}

/* ---- Weights -----------------------------------------------------------------------------------
 */

/* a of a pair for one of its two. */
static float weight_of(const tl_border_side *own, const tl_border_side *other) {
    const float ratio = own->viscosity / other->viscosity, here = own->distance;
    if (ratio >= 1)
        return tl_smaller(TL_BORDER_CONTRAST / ratio, 1);
    const float thin = tl_smaller(TL_BORDER_CONTRAST * kink_ratio(own, other), 1);
    return (here + other->distance) / (here + other->distance * thin);
}

void tl_border_weigh(tl_strain *s, size_t i) {
    const tl_border_side *own = &s->side[i];
    tl_across *groups = s->across + (s->border[i] - 1);
    for (size_t k = 0; k < s->size[i]; k++) {
        const tl_border_side *other = &s->side[s->index[s->begin[i] + k]];
        const float w = s->weight[s->begin[i] + k];
        tl_across *g = &groups[k / TL_LANES];
        const size_t l = k % TL_LANES;
        g->own[l] = w * weight_of(own, other);
        g->other[l] = w * weight_of(other, own);
    }
}

/* ---- Growth ------------------------------------------------------------------------------------
 */

/* l = A⁻¹ 1 over plain weights. */
void tl_border_level(tl_strain *s, size_t i, const float moments[TL_FOURTHS], float S) {
    tl_wide q[TL_FOURTHS], A[TL_SYM6], inverse[TL_SYM6];
    for (int k = 0; k < TL_FOURTHS; k++)
        q[k] = tl_splat(moments[k]);
    tl_fourths_matrix(q, A);
    tl_moments_invert(A, tl_splat(S + 1e-12f), inverse);
    for (int r = 0; r < 6; r++)
        s->side[i].level[r] = tl_lane(
            inverse[tl_sym6_at(r, 0)] + inverse[tl_sym6_at(r, 1)] + inverse[tl_sym6_at(r, 2)], 0);
}

/* m·l */
static float level_along(const tl_border_side *side, const float d[3]) {
    const float *l = side->level;
    return l[0] * d[0] * d[0] + l[1] * d[1] * d[1] + l[2] * d[2] * d[2] +
           2 * (l[3] * d[0] * d[1] + l[4] * d[0] * d[2] + l[5] * d[1] * d[2]);
}

/* z of one side of a pair. What is not at a border has all of its pressure in its traction. */
static float rest_of(const tl_border_side *side, const float d[3], float plain, float weight) {
    return side->at_border > 0 ? (plain - weight) * level_along(side, d) : 0;
}

void tl_border_finish(tl_strain *s, size_t i, const tl_thirds *thirds) {
    const tl_motion *self = &s->motion[i];
    tl_border_side *own = &s->side[i];
    float lever[6][3];
    tl_strain_lever(thirds, lever);
    for (int k = 0; k < 3; k++) {
        own->lever[k] = 0;
        for (int r = 0; r < 6; r++)
            own->lever[k] += own->level[r] * lever[r][k];
    }
    for (size_t k = 0; k < s->size[i] && s->border[i]; k++) {
        const uint32_t j = s->index[s->begin[i] + k];
        const tl_motion *other = &s->motion[j];
        const float w = s->weight[s->begin[i] + k];
        const float d[3] = {other->x[0] - self->x[0], other->x[1] - self->x[1],
                            other->x[2] - self->x[2]};
        tl_across *g = &s->across[s->border[i] - 1 + k / TL_LANES];
        const size_t l = k % TL_LANES;
        g->own_rest[l] = rest_of(own, d, w, g->own[l]);
        g->other_rest[l] = rest_of(&s->side[j], d, w, g->other[l]);
        for (int c = 0; c < 3; c++)
            own->lever[c] += g->own_rest[l] * d[c];
    }
}
