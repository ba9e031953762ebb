/* The sweeps of the implicit solve over pairs with stored weights. See strain.h. */
#include "flow/along.h"
#include "flow/strain.h"

#include <math.h>

/* ---- Fits --------------------------------------------------------------------------------------
 */

/* How many pairs ahead index and weight are fetched: some ten rows, across the pages at which the
 * processor's own foresight ends. */
enum { AHEAD = 1024 };

TL_INLINE void fetch_ahead(const uint32_t *index, const float *weight) {
    __builtin_prefetch(index + AHEAD);
    __builtin_prefetch(weight + AHEAD);
}

typedef struct fit_context {
    const tl_strain *s;
    bool exact;
    float curve;
    tl_fit_fn *finish;
    void *context;
} fit_context;

/* Keeps the ratio of the weights of no pair finite. */
static const float least_weight = 1e-30f;

/* The weight of a pair at a border in the terms with ς, which have the square of what it shows: by
 * ω a² where it counts more (a > 1), by ω a where it counts less. */
TL_INLINE tl_wide bracing(tl_wide weight, tl_wide plain) {
    return tl_max(weight, weight * weight / (plain + least_weight));
}

/* Groups of pairs of row i, at a border. */
TL_INLINE const tl_across *across_of(const tl_strain *s, size_t i) {
    return s->across + (s->border[i] - 1);
}

/* Σ ω a_ij p m, Σ ω (a_ij ς_i + a_ji ς_j) p d and Σ z p over the pairs of row i. */
TL_INLINE void fit_row(const tl_strain *s, bool even, bool exact, float curve, size_t i,
                       tl_fit *out) {
    const tl_motion *self = &s->motion[i];
    const tl_low *self_low = &s->low[i];
    const uint32_t *index = s->index + s->begin[i];
    const float *weight = s->weight + s->begin[i];
    const tl_across *across = even ? NULL : across_of(s, i);
    const tl_wide zero = tl_splat(0.0f);
    tl_wide growth = zero;
    const float fastest = curve > 0 ? 0.0625f / (curve * curve) : 0; /* of 1/s², |Δu| dt <= r/2 */
    const float bent = curve * s->affine[i];
    tl_wide b[6], c[6], f[3];
    for (int k = 0; k < 6; k++)
        b[k] = c[k] = zero;
    for (int k = 0; k < 3; k++)
        f[k] = zero;
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        fetch_ahead(index + k, weight + k);
        tl_wide p[4], v[4];
        TL_GATHER4(s->motion, x, index + k, p);
        TL_GATHER4(s->motion, u, index + k, v);
        const tl_wide x = p[0] - self->x[0], y = p[1] - self->x[1], z = p[2] - self->x[2];
        tl_wide du = v[0] - self->u[0], dv = v[1] - self->u[1], dw = v[2] - self->u[2];
        if (exact) {
            tl_wide low[4];
            TL_GATHER4(s->low, u, index + k, low);
            du += low[0] - self_low->u[0], dv += low[1] - self_low->u[1],
                dw += low[2] - self_low->u[2];
        }
        const tl_across *g = even ? NULL : &across[k / TL_LANES];
        const tl_wide plain = tl_load(weight + k);
        const tl_wide w = even ? plain : tl_load(g->own), o = even ? plain : tl_load(g->other);
        tl_wide longer = x * du + y * dv + z * dw, between = longer;
        if (exact) { /* capped where a step bends a pair too far for a correction */
            const tl_wide bend =
                tl_min(du * du + dv * dv + dw * dw, fastest * (x * x + y * y + z * z));
            longer += bent * bend;
            /* What acts between two must be the same for both, or momentum is lost. */
            between +=
                (even ? tl_splat(curve) : curve * tl_min(w, o) / (tl_max(w, o) + least_weight)) *
                bend;
        }
        if (exact && !even) {
            const tl_wide t = w * (longer - between), tx = t * x, ty = t * y;
            c[0] += tx * x, c[1] += ty * y, c[2] += t * z * z;
            c[3] += tx * y, c[4] += tx * z, c[5] += ty * z;
        }
        const tl_wide t = w * longer;
        const tl_wide tx = t * x, ty = t * y, tz = t * z;
        b[0] += tx * x, b[1] += ty * y, b[2] += tz * z;
        b[3] += tx * y, b[4] += tx * z, b[5] += ty * z;
        if (!even)
            growth += tl_load(g->own_rest) * longer;
        const tl_wide brace = (even ? w * (p[3] + self->brace)
                                    : bracing(o, plain) * p[3] + bracing(w, plain) * self->brace) *
                              between;
        f[0] += brace * x, f[1] += brace * y, f[2] += brace * z;
    }
    tl_fit sums = {0};
    TL_STORE_SUM4(&sums, b, b[0], b[1], b[2], b[3]);
    TL_STORE_SUM4(&sums, b[4], b[4], b[5], f[0], f[1]);
    TL_STORE_SUM4(&sums, brace[2], f[2], growth, zero, zero);
    if (exact && !even) {
        TL_STORE_SUM4(&sums, unbraced, c[0], c[1], c[2], c[3]);
        TL_STORE_SUM4(&sums, unbraced[4], c[4], c[5], zero, zero);
    }
    for (int k = 3; k < 6; k++) {
        sums.b[k] *= 2;
        sums.unbraced[k] *= 2;
    }
    *out = sums;
}

/* Adds what the links of particle i do. */
static void fit_links(const tl_strain *s, bool exact, float curve, size_t i, tl_fit *out) {
    const float brace = s->motion[i].brace;
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next) {
        const tl_wall_link *link = &s->link[l - 1];
        float u[3], lever[6][3], drag[3], bend[6] = {0}, lift[3] = {0};
        tl_link_speed(s, link, exact, exact ? curve : 0, u);
        tl_strain_lever(&link->thirds, lever);
        if (exact)
            tl_link_bend(s, link, curve, bend, lift);
        for (int r = 0; r < 6; r++) {
            float sum = exact ? link->drive[r] + bend[r] : 0;
            for (int c = 0; c < 3; c++)
                sum -= lever[r][c] * u[c];
            out->b[r] += sum;
            out->unbraced[r] += (1 - link->loose) * bend[r];
        }
        tl_link_drag(link->drag, u, drag);
        for (int k = 0; k < 3; k++)
            out->brace[k] += brace * ((exact ? link->pull[k] + lift[k] : 0) - drag[k]);
        if (link->rubs)
            tl_link_rub(link, exact, u, out->brace);
    }
}

TL_INLINE void fit_block(bool even, bool exact, const fit_context *c, size_t begin, size_t end) {
    tl_fit fits[TL_BLOCK];
    for (size_t i = begin; i < end; i++) {
        if (even || !c->s->border[i])
            fit_row(c->s, true, exact, c->curve, i, &fits[i - begin]);
        else
            fit_row(c->s, false, exact, c->curve, i, &fits[i - begin]);
        if (tl_mirrors_any(&c->s->mirrors, i))
            tl_mirrors_fit(c->s, exact, c->curve, i, &fits[i - begin]);
        if (c->s->link_of[i])
            fit_links(c->s, exact, c->curve, i, &fits[i - begin]);
    }
    c->finish(c->context, fits, begin, end);
}

static void fit_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const fit_context *c = context;
    const bool even = !c->s->uneven;
    if (even && c->exact)
        fit_block(true, true, c, begin, end);
    else if (even)
        fit_block(true, false, c, begin, end);
    else if (c->exact)
        fit_block(false, true, c, begin, end);
    else
        fit_block(false, false, c, begin, end);
}

void tl_strain_fit(const tl_strain *s, bool exact, float curve, tl_fit_fn *finish, void *context) {
    fit_context c = {s, exact, curve, finish, context};
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, fit_range, &c);
}

/* ---- Forces ------------------------------------------------------------------------------------
 */

typedef struct force_context {
    const tl_strain *s;
    tl_averaged *means;
    float enough;
    tl_force_fn *finish;
    void *context;
} force_context;

/* Sums of the two scalars that are averaged, with weight g = ω r², and Σ g r². */
typedef struct mean_sums {
    tl_wide first, second, all, full;
} mean_sums;

TL_INLINE mean_sums no_sums(void) {
    const tl_wide zero = tl_splat(0.0f);
    return (mean_sums){zero, zero, zero, zero};
}

TL_INLINE void add_scalars(mean_sums *sums, tl_wide w, tl_wide r2, const tl_wide scalar[2]) {
    const tl_wide g = w * r2;
    sums->first += g * scalar[0];
    sums->second += g * scalar[1];
    sums->all += g;
    sums->full += g * r2;
}

/* The means of particle i; its own values as far as it is alone. */
TL_INLINE void store_means(const tl_strain *s, const mean_sums *sums, float enough, size_t i,
                           tl_averaged *out) {
    const float *own = s->traction[i].averaged.scalar, all = tl_sum(sums->all);
    const float known = tl_sum(sums->full), part = known < enough ? known / enough : 1;
    out[i].scalar[0] = own[0] + (all > 0 ? part * (tl_sum(sums->first) / all - own[0]) : 0);
    out[i].scalar[1] = own[1] + (all > 0 ? part * (tl_sum(sums->second) / all - own[1]) : 0);
}

/* Σ (ω m·(a_ij T_i + a_ji T_j) + z_ij π_i + z_ji π_j) d over the pairs of row i. */
TL_INLINE void force_row(const tl_strain *s, bool even, tl_averaged *means, float enough, size_t i,
                         float out[4]) {
    const tl_motion *self = &s->motion[i];
    const float *T = s->traction[i].T;
    const uint32_t *index = s->index + s->begin[i];
    const float *weight = s->weight + s->begin[i], round = even ? 0 : s->pressed[i].round;
    const tl_across *across = even ? NULL : across_of(s, i);
    tl_wide f[3];
    for (int k = 0; k < 3; k++)
        f[k] = tl_splat(0.0f);
    mean_sums sums = no_sums();
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        fetch_ahead(index + k, weight + k);
        tl_wide p[4], a[4], b[4];
        TL_GATHER4(s->motion, x, index + k, p);
        TL_GATHER4(s->traction, T, index + k, a);
        TL_GATHER4(s->traction, T[4], index + k, b);
        const tl_wide x = p[0] - self->x[0], y = p[1] - self->x[1], z = p[2] - self->x[2];
        const tl_across *g = even ? NULL : &across[k / TL_LANES];
        const tl_wide plain = tl_load(weight + k);
        const tl_wide w = even ? plain : tl_load(g->own), o = even ? plain : tl_load(g->other);
        const tl_wide theirs[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
        tl_wide both[6];
        for (int c = 0; c < 6; c++)
            both[c] = even ? theirs[c] + T[c] : o * theirs[c] + w * T[c];
        const tl_wide along = tl_along((const tl_wide[3]){x, y, z}, both);
        tl_wide t = even ? w * along : along;
        if (!even) {
            tl_wide low[4];
            TL_GATHER4(s->pressed, u, index + k, low);
            t += tl_load(g->own_rest) * round + tl_load(g->other_rest) * low[3];
        }
        f[0] += t * x, f[1] += t * y, f[2] += t * z;
        if (means)
            add_scalars(&sums, even || s->side[i].at_border > 0 ? plain : w, x * x + y * y + z * z,
                        b + 2);
    }
    tl_store_sum4(out, f[0], f[1], f[2], tl_splat(0.0f));
    if (means)
        store_means(s, &sums, enough, i, means);
}

static void force_links(const tl_strain *s, size_t i, float out[4]) {
    const float *T = s->traction[i].T;
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next) {
        float lever[6][3];
        tl_strain_lever(&s->link[l - 1].thirds, lever);
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 6; r++)
                out[c] += lever[r][c] * T[r];
    }
}

TL_INLINE void force_block(const force_context *c, bool even, tl_averaged *means, size_t begin,
                           size_t end) {
    float force[TL_BLOCK][4];
    for (size_t i = begin; i < end; i++) {
        if (even || !c->s->border[i])
            force_row(c->s, true, means, c->enough, i, force[i - begin]);
        else
            force_row(c->s, false, means, c->enough, i, force[i - begin]);
        if (tl_mirrors_any(&c->s->mirrors, i))
            tl_mirrors_force(c->s, i, force[i - begin]);
        if (c->s->link_of[i])
            force_links(c->s, i, force[i - begin]);
    }
    c->finish(c->context, (const float(*)[4])force, begin, end);
}

static void force_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const force_context *c = context;
    const bool even = !c->s->uneven;
    if (even && c->means)
        force_block(c, true, c->means, begin, end);
    else if (even)
        force_block(c, true, NULL, begin, end);
    else if (c->means)
        force_block(c, false, c->means, begin, end);
    else
        force_block(c, false, NULL, begin, end);
}

void tl_strain_force(const tl_strain *s, tl_averaged *means, float enough, tl_force_fn *finish,
                     void *context) {
    force_context c = {s, means, enough, finish, context};
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, force_range, &c);
}

/* ---- Diagonal ----------------------------------------------------------------------------------
 */

typedef struct diagonal_context {
    const tl_strain *s;
    tl_block *out;
} diagonal_context;

/* What pair k of a row adds to the diagonal, over d d. `brace` and `kappa` are the neighbour's. */
TL_INLINE tl_wide diagonal_of(const tl_across *g, tl_wide plain, float own_brace, tl_wide brace,
                              tl_wide r4, const tl_wide kappa[2]) {
    if (!g)
        return plain * own_brace + plain * (brace + plain * r4 * kappa[0]);
    const tl_wide o = tl_load(g->other);
    return bracing(tl_load(g->own), plain) * own_brace + bracing(o, plain) * brace +
           r4 * (o * o * (kappa[0] - kappa[1]) + plain * plain * kappa[1]);
}

TL_INLINE void diagonal_row(const tl_strain *s, bool even, size_t i, tl_block *out) {
    const tl_motion *self = &s->motion[i];
    const uint32_t *index = s->index + s->begin[i];
    const float *weight = s->weight + s->begin[i];
    const tl_wide zero = tl_splat(0.0f);
    tl_wide D[6];
    for (int k = 0; k < 6; k++)
        D[k] = zero;
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        tl_wide p[4], b[4];
        TL_GATHER4(s->motion, x, index + k, p);
        TL_GATHER4(s->traction, T[4], index + k, b);
        const tl_wide x = p[0] - self->x[0], y = p[1] - self->x[1], z = p[2] - self->x[2];
        const tl_wide r2 = x * x + y * y + z * z;
        const tl_across *g = even ? NULL : across_of(s, i) + k / TL_LANES;
        const tl_wide t = diagonal_of(g, tl_load(weight + k), self->brace, p[3], r2 * r2, b + 2);
        const tl_wide tx = t * x, ty = t * y;
        D[0] += tx * x, D[1] += ty * y, D[2] += t * z * z;
        D[3] += tx * y, D[4] += tx * z, D[5] += ty * z;
    }
    TL_STORE_SUM4(out, D, D[0], D[1], D[2], D[3]);
    TL_STORE_SUM4(out, D[4], D[4], D[5], zero, zero);
}

static void diagonal_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const diagonal_context *c = context;
    for (size_t i = begin; i < end; i++) {
        tl_block *out = &c->out[i];
        if (c->s->uneven && c->s->border[i])
            diagonal_row(c->s, false, i, out);
        else
            diagonal_row(c->s, true, i, out);
        if (tl_mirrors_any(&c->s->mirrors, i))
            tl_mirrors_diagonal(c->s, i, out);
        for (uint32_t l = c->s->link_of[i]; l; l = c->s->link[l - 1].next) {
            const tl_wall_link *link = &c->s->link[l - 1];
            for (int k = 0; k < 6; k++)
                out->D[k] += c->s->motion[i].brace * link->drag[k];
            for (int k = 0; k < 6 && link->rubs; k++)
                out->D[k] += link->slick * link->rub[k];
        }
    }
}

void tl_strain_diagonal(const tl_strain *s, tl_block *out) {
    diagonal_context c = {s, out};
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, diagonal_range, &c);
}

/* ---- Means -------------------------------------------------------------------------------------
 */

typedef struct average_context {
    const tl_strain *s;
    tl_averaged *out;
    float enough;
} average_context;

static void average_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const average_context *c = context;
    const tl_strain *s = c->s;
    for (size_t i = begin; i < end; i++) {
        const tl_motion *self = &s->motion[i];
        const uint32_t *index = s->index + s->begin[i];
        const float *weight = s->weight + s->begin[i];
        mean_sums sums = no_sums();
        for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
            tl_wide p[4], b[4];
            TL_GATHER4(s->motion, x, index + k, p);
            TL_GATHER4(s->traction, T[4], index + k, b);
            const tl_wide x = p[0] - self->x[0], y = p[1] - self->x[1], z = p[2] - self->x[2];
            add_scalars(&sums, tl_load(weight + k), x * x + y * y + z * z, b + 2);
        }
        store_means(s, &sums, c->enough, i, c->out);
    }
}

void tl_strain_average(const tl_strain *s, float enough, tl_averaged *out) {
    average_context c = {s, out, enough};
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, average_range, &c);
}

typedef struct least_context {
    const tl_strain *s;
    float *out;
} least_context;

static void least_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const least_context *c = context;
    const tl_strain *s = c->s;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *index = s->index + s->begin[i];
        tl_wide low = tl_splat(s->traction[i].viscosity);
        for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
            tl_wide b[4];
            TL_GATHER4(s->traction, T[4], index + k, b);
            low = tl_min(low, b[2]);
        }
        float lanes[TL_LANES];
        tl_store(lanes, low);
        c->out[i] = lanes[0];
        for (int l = 1; l < TL_LANES; l++)
            c->out[i] = lanes[l] < c->out[i] ? lanes[l] : c->out[i];
    }
}

void tl_strain_least(const tl_strain *s, float *out) {
    least_context c = {s, out};
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, least_range, &c);
}

/* ---- Images ------------------------------------------------------------------------------------
 */

void tl_strain_share_motion(const tl_strain *s) {
    tl_images_share(s->records, TL_SHARED_MEMBER(s->motion, tl_motion, brace));
    tl_images_share(s->records, TL_SHARED_MEMBER(s->motion, tl_motion, u));
    tl_images_share(s->records, TL_SHARED(s->low));
}

void tl_strain_share_traction(const tl_strain *s) {
    tl_images_share(s->records, TL_SHARED(s->traction));
    if (s->uneven)
        tl_images_share(s->records, TL_SHARED_MEMBER(s->pressed, tl_low, round));
}
