/* See curvature.h. */
#include "tension/curvature.h"

#include "tension/facing.h"

#include <math.h>
#include <string.h>

/* What averages take from waves besides the one of κ, in units of that. */
static const float sharpening = 3.8f;

/* Added to the moments of the fit, relative to their trace, for rows of particles. */
static const float least_round = 0.02f;

/* Depths, and normals near walls, know of the curvature of the surface, which is found from them.
 */
enum { ROUNDS = 3, INWARDS = 1 };

typedef struct curvature_job {
    tl_tension *out;
    const tl_strain *s;
    float bend; /* of depths (depth.h) */
} curvature_job;

/* ---- The fit -----------------------------------------------------------------------------------
 */

/* Two directions along the surface. */
static void find_tangents(const float n[3], float t[2][3]) {
    const float sign = n[2] < 0 ? -1.0f : 1.0f, a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    const float rows[2][3] = {{1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]},
                              {b, sign + n[1] * n[1] * a, -n[1]}};
    memcpy(t, rows, sizeof rows);
}

/* Over the pairs of a row: Σ w u u (xx yy xy) and Σ w v u (xx xy yx yy). */
typedef struct curvature_sums {
    float uu[4], vu[4];
} curvature_sums;

static void sum_row(const curvature_job *c, size_t i, curvature_sums *out) {
    const tl_strain *s = c->s;
    const tl_motion *self = &s->motion[i];
    const tl_facing *own = &c->out->facing[i];
    const float h = tl_strain_own_support(s, i);
    const float deeper = 0.5f * c->bend * h * h; /* m: than it seems, per κ */
    const float depth = own->depth + deeper * c->out->bent[i].curvature;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide uu[3] = {zero, zero, zero}, vu[4] = {zero, zero, zero, zero};
    float t[2][3];
    find_tangents(own->normal, t);
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        const uint32_t *index = s->index + s->begin[i] + k;
        tl_wide x[4], f[4], bent[4], q2 = zero, u[2] = {zero, zero}, v[2] = {zero, zero};
        TL_GATHER4(s->motion, x, index, x);
        TL_GATHER4(c->out->facing, normal, index, f);
        TL_GATHER4(c->out->bent, curvature, index, bent);
        const tl_wide other = f[3] + deeper * bent[0];
        for (int a = 0; a < 3; a++) {
            const tl_wide d = x[a] - self->x[a], y = d + other * f[a] - depth * own->normal[a];
            q2 += d * d;
            for (int r = 0; r < 2; r++) {
                u[r] += t[r][a] * y;
                v[r] += t[r][a] * (f[a] - own->normal[a]);
            }
        }
        const tl_wide w = bent[1] * tl_select_less(zero, tl_load(s->weight + s->begin[i] + k),
                                                   tl_facing_weight(q2 * (1 / (h * h))), zero);
        uu[0] += w * u[0] * u[0], uu[1] += w * u[1] * u[1], uu[2] += w * u[0] * u[1];
        for (int r = 0; r < 4; r++)
            vu[r] += w * v[r / 2] * u[r % 2];
    }
    TL_STORE_SUM4(out, uu, uu[0], uu[1], uu[2], zero);
    TL_STORE_SUM4(out, vu, vu[0], vu[1], vu[2], vu[3]);
}

/* The trace of (Σ v u) (Σ u u)⁻¹. */
static float fitted(const curvature_sums *s) {
    const float more = least_round * (s->uu[0] + s->uu[1]);
    const float xx = s->uu[0] + more, yy = s->uu[1] + more, xy = s->uu[2];
    const float det = xx * yy - xy * xy;
    return det > 0 ? (1 + 2 * least_round) *
                         (s->vu[0] * yy - s->vu[1] * xy + s->vu[3] * xx - s->vu[2] * xy) / det
                   : 0;
}

static void fit_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const curvature_job *c = context;
    for (size_t i = begin; i < end; i++) {
        curvature_sums sums;
        c->out->smooth[i] = 0;
        if (!(c->out->bent[i].part > 0))
            continue;
        sum_row(c, i, &sums);
        c->out->smooth[i] = fitted(&sums);
    }
}

/* ---- Means -------------------------------------------------------------------------------------
 */

typedef enum counting { AT_SURFACE, WHERE_KNOWN } counting;

/* Means over neighbours, where there are any that count. */
TL_INLINE void mean_row(const curvature_job *c, counting counts, size_t i) {
    const tl_strain *s = c->s;
    const tl_motion *self = &s->motion[i];
    const tl_bent *own = &c->out->bent[i];
    const float h = tl_strain_own_support(s, i), mine = counts == AT_SURFACE ? own->part : 0;
    const tl_wide zero = tl_splat(0.0f);
    tl_wide sum = zero, all = zero;
    float sums[4];
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        const uint32_t *index = s->index + s->begin[i] + k;
        tl_wide x[4], bent[4], q2 = zero;
        TL_GATHER4(s->motion, x, index, x);
        TL_GATHER4(c->out->bent, curvature, index, bent);
        for (int a = 0; a < 3; a++)
            q2 += (x[a] - self->x[a]) * (x[a] - self->x[a]);
        const tl_wide w = tl_select_less(zero, tl_load(s->weight + s->begin[i] + k),
                                         tl_facing_weight(q2 * (1 / (h * h))), zero) *
                          bent[counts == AT_SURFACE ? 1 : 2];
        sum += w * bent[0];
        all += w;
    }
    tl_store_sum4(sums, sum, all, zero, zero);
    const float weight = sums[1] + mine;
    c->out->smooth[i] = weight > 1e-6f ? (sums[0] + mine * own->curvature) / weight : 0;
    c->out->found[i] = weight > 1e-6f;
}

static void mean_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t i = begin; i < end; i++)
        mean_row(context, AT_SURFACE, i);
}

static void inward_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const curvature_job *c = context;
    for (size_t i = begin; i < end; i++) {
        if (c->out->bent[i].known > 0) {
            c->out->smooth[i] = c->out->bent[i].curvature;
            c->out->found[i] = 1;
            continue;
        }
        mean_row(c, WHERE_KNOWN, i);
    }
}

/* Takes what a sweep has found. */
static void keep(const curvature_job *c) {
    tl_tension *t = c->out;
    for (size_t i = 0; i < c->s->particles; i++) {
        t->bent[i].curvature = t->smooth[i];
        t->bent[i].known = t->found[i];
    }
    tl_images_share(c->s->records, TL_SHARED(t->bent));
}

static void sweep(curvature_job *c, void (*range)(void *, size_t, size_t, int)) {
    tl_parallel_for(c->s->parallel, c->s->particles, TL_BLOCK, range, c);
}

void tl_curvature_find(tl_tension *t, const tl_strain *s) {
    const size_t n = s->particles;
    curvature_job c = {t, s, (float)t->depths.bend};
    memset(t->found, 0, n * sizeof *t->found);
    for (int k = 0; k < ROUNDS; k++) {
        tl_facing_wet(t, s);
        sweep(&c, fit_range);
        keep(&c);
        sweep(&c, mean_range);
        keep(&c);
    }
    sweep(&c, mean_range);
    for (size_t i = 0; i < n; i++)
        t->smooth[i] = t->bent[i].curvature + sharpening * (t->bent[i].curvature - t->smooth[i]);
    keep(&c);
    for (int k = 0; k < INWARDS; k++) {
        sweep(&c, inward_range);
        keep(&c);
    }
}
