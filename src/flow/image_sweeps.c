/* What images add to the sweeps of the solve. See mirror.h. */
#include "flow/along.h"
#include "flow/strain.h"

/* Eight pairs: ω p for the fit and for the force of ς, as in the sweep over matter. */
typedef struct stretching {
    tl_wide d[3], fit, between;
} stretching;

/* |Q u_k - u_i|² */
TL_INLINE tl_wide find_bend(const tl_mirrors *m, const tl_image_pairs *p, const tl_wide theirs[3],
                            const float own[3]) {
    tl_wide sum = tl_splat(0.0f);
    for (int r = 0; r < 3; r++) {
        tl_wide Q[4];
        tl_gather4((const float *)m->items + 4 * r, sizeof *m->items / sizeof(float), p->mirror, Q);
        const tl_wide more = Q[0] * theirs[0] + Q[1] * theirs[1] + Q[2] * theirs[2] - own[r];
        sum += more * more;
    }
    return sum;
}

TL_INLINE stretching find_stretching(const tl_strain *s, bool exact, float curve, size_t i,
                                     const tl_image_pairs *p) {
    const float fastest = curve > 0 ? 0.0625f / (curve * curve) : 0;
    const tl_motion *self = &s->motion[i];
    float own[3] = {self->u[0], self->u[1], self->u[2]};
    tl_wide x[4], u[4], low[4], longer = tl_splat(0.0f), r2 = longer;
    stretching out;
    TL_GATHER4(s->motion, x, p->index, x);
    TL_GATHER4(s->motion, u, p->index, u);
    if (exact) {
        TL_GATHER4(s->low, u, p->index, low);
        for (int k = 0; k < 3; k++) {
            u[k] += low[k];
            own[k] += s->low[i].u[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        out.d[k] = tl_load(p->d[k]);
        longer += tl_load(p->e[k]) * u[k] - out.d[k] * own[k];
        r2 += out.d[k] * out.d[k];
    }
    const tl_wide w = tl_load(p->weight);
    const tl_wide bend =
        exact ? tl_min(find_bend(&s->mirrors, p, u, own), fastest * r2) : tl_splat(0.0f);
    out.fit = w * (longer + curve * s->affine[i] * bend);
    out.between = w * (x[3] + self->brace) * (longer + curve * bend);
    return out;
}

TL_INLINE void fit_images(const tl_strain *s, bool exact, float curve, size_t i, tl_fit *out) {
    const tl_mirrors *m = &s->mirrors;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide b[6] = {zero, zero, zero, zero, zero, zero}, f[3] = {zero, zero, zero};
    float sums[12];
    for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const stretching p = find_stretching(s, exact, curve, i, &m->pairs[k]);
        const tl_wide tx = p.fit * p.d[0], ty = p.fit * p.d[1];
        b[0] += tx * p.d[0], b[1] += ty * p.d[1], b[2] += p.fit * p.d[2] * p.d[2];
        b[3] += tx * p.d[1], b[4] += tx * p.d[2], b[5] += ty * p.d[2];
        for (int c = 0; c < 3; c++)
            f[c] += p.between * p.d[c];
    }
    tl_store_sum4(sums, b[0], b[1], b[2], b[3]);
    tl_store_sum4(sums + 4, b[4], b[5], f[0], f[1]);
    tl_store_sum4(sums + 8, f[2], zero, zero, zero);
    for (int k = 0; k < 6; k++)
        out->b[k] += (k < 3 ? 1 : 2) * sums[k];
    for (int k = 0; k < 3; k++)
        out->brace[k] += sums[6 + k];
}

void tl_mirrors_fit(const tl_strain *s, bool exact, float curve, size_t i, tl_fit *out) {
    if (exact)
        fit_images(s, true, curve, i, out);
    else
        fit_images(s, false, 0, i, out);
}

/* ω (d·T_i d + e·T_k e) of eight pairs. */
TL_INLINE tl_wide find_traction(const tl_strain *s, size_t i, const tl_image_pairs *p,
                                tl_wide d[3]) {
    const float *T = s->traction[i].T;
    tl_wide a[4], b[4], e[3], own[6];
    TL_GATHER4(s->traction, T, p->index, a);
    TL_GATHER4(s->traction, T[4], p->index, b);
    for (int k = 0; k < 3; k++) {
        d[k] = tl_load(p->d[k]);
        e[k] = tl_load(p->e[k]);
    }
    for (int k = 0; k < 6; k++)
        own[k] = tl_splat(T[k]);
    const tl_wide theirs[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
    return tl_load(p->weight) * (tl_along(d, own) + tl_along(e, theirs));
}

void tl_mirrors_force(const tl_strain *s, size_t i, float out[3]) {
    const tl_mirrors *m = &s->mirrors;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide f[3] = {zero, zero, zero}, d[3];
    float sums[4];
    for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const tl_wide t = find_traction(s, i, &m->pairs[k], d);
        for (int c = 0; c < 3; c++)
            f[c] += t * d[c];
    }
    tl_store_sum4(sums, f[0], f[1], f[2], zero);
    for (int c = 0; c < 3; c++)
        out[c] += sums[c];
}

void tl_mirrors_push(const tl_strain *s, float curve, size_t i, float out[3]) {
    const tl_mirrors *m = &s->mirrors;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide f[3] = {zero, zero, zero}, d[3];
    float sums[4];
    for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const stretching p = find_stretching(s, true, curve, i, &m->pairs[k]);
        const tl_wide t = find_traction(s, i, &m->pairs[k], d) + p.between;
        for (int c = 0; c < 3; c++)
            f[c] += t * d[c];
    }
    tl_store_sum4(sums, f[0], f[1], f[2], zero);
    for (int c = 0; c < 3; c++)
        out[c] += sums[c];
}

void tl_mirrors_diagonal(const tl_strain *s, size_t i, tl_block *out) {
    const tl_mirrors *m = &s->mirrors;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide D[6] = {zero, zero, zero, zero, zero, zero};
    float sums[8];
    for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const tl_image_pairs *p = &m->pairs[k];
        tl_wide x[4], b[4];
        TL_GATHER4(s->motion, x, p->index, x);
        TL_GATHER4(s->traction, T[4], p->index, b);
        const tl_wide d[3] = {tl_load(p->d[0]), tl_load(p->d[1]), tl_load(p->d[2])};
        const tl_wide r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], w = tl_load(p->weight);
        const tl_wide t = w * (s->motion[i].brace + x[3] + w * r2 * r2 * b[2]);
        const tl_wide tx = t * d[0], ty = t * d[1];
        D[0] += tx * d[0], D[1] += ty * d[1], D[2] += t * d[2] * d[2];
        D[3] += tx * d[1], D[4] += tx * d[2], D[5] += ty * d[2];
    }
    tl_store_sum4(sums, D[0], D[1], D[2], D[3]);
    tl_store_sum4(sums + 4, D[4], D[5], zero, zero);
    for (int k = 0; k < 6; k++)
        out->D[k] += sums[k];
}
