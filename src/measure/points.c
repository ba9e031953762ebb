/* Fields at points: of the fit f(y) = a + b·(y - x) with weights V W(|y - x|), the value a. With
 * the moments M of (1, y - x) this is the first row of M⁻¹ Σ V W (1, y - x) f. Where particles lie
 * in a plane or on a line M has no inverse; then it is their weighted mean. See look.h. */
#include "math/pi.h"
#include "measure/look.h"

#include <math.h>
#include <string.h>

/* Less than this part of a full neighbourhood is no matter: the spray of a splash. */
static const double least_filling = 0.1;

/* Pivots below this part of the largest are taken for zero. */
static const double flat = 1e-6;

/* Per point: the ten sums of M, the four of the right side. */
enum { MOMENTS = 14 };

/* Wendland's C2, of norm 1 over the ball with radius 1. */
static double weight(double q) {
    const double r = 1 - q;
    return q < 1 ? 21 / (2 * TL_PI) * r * r * r * r * (4 * q + 1) : 0;
}

static void add(double *m, tl_vec3 d, double w, double value) {
    const double row[4] = {1, d.x, d.y, d.z};
    size_t n = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            m[n++] += w * row[i] * row[j];
    for (int i = 0; i < 4; i++)
        m[10 + i] += w * row[i] * value;
}

/* Solves the four equations by elimination, the gradient first; false where M is flat. */
static bool fit(const double *m, double *out) {
    double A[4][5];
    size_t n = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            A[j][i] = A[i][j] = m[n++];
    for (int i = 0; i < 4; i++)
        A[i][4] = m[10 + i];
    for (int k = 3; k > 0; k--) {
        if (A[k][k] < flat * m[0])
            return false;
        for (int i = 0; i < k; i++) {
            const double part = A[i][k] / A[k][k];
            for (int j = 0; j < 5; j++)
                A[i][j] -= part * A[k][j];
        }
    }
    if (A[0][0] < flat * m[0])
        return false;
    *out = A[0][4] / A[0][0];
    return true;
}

/* From a point to a particle, by the shortest way in a periodic world. */
static tl_vec3 way_to(const tl_world_def *def, tl_vec3 from, const double *x) {
    double d[3] = {x[0] - from.x, x[1] - from.y, x[2] - from.z};
    for (int k = 0; k < 3; k++) {
        const double period = def->period_to[k] - def->period_from[k];
        if (period > 0)
            d[k] -= period * round(d[k] / period);
    }
    return tl_vec3_of(d);
}

/* In units of the support, so that moments are of one size. */
static void add_particle(const tl_matter *m, size_t i, const tl_measured *field, tl_vec3 point,
                         double *moments) {
    const double support = tl_world_support(m->world);
    const tl_vec3 d = tl_vec3_scale(way_to(m->def, point, m->position + 3 * i), 1 / support);
    const double q = tl_vec3_length(d);
    if (!(q < 1))
        return;
    const double volume = (double)m->mass[i] / m->density[i] / (support * support * support);
    add(moments, d, volume * weight(q), tl_measured_of(field, i));
}

/* The points that may be near a particle: all, in a periodic world. */
static void points_near(const tl_matter *m, const double *x, tl_vec3 from, tl_vec3 step,
                        size_t count, size_t *begin, size_t *end) {
    const double length2 = tl_vec3_dot(step, step), reach = tl_world_support(m->world);
    bool periodic = false;
    for (int k = 0; k < 3; k++)
        periodic = periodic || m->def->period_to[k] > m->def->period_from[k];
    *begin = 0;
    *end = count;
    if (periodic || !(length2 > 0))
        return;
    const double at = tl_vec3_dot(tl_vec3_sub(tl_vec3_of(x), from), step) / length2;
    const double wide = reach / sqrt(length2);
    *begin = (size_t)fmin(fmax(ceil(at - wide), 0), (double)count);
    *end = (size_t)fmin(fmax(floor(at + wide) + 1, 0), (double)count);
}

tl_status tl_look_at_points(const tl_matter *m, const tl_measured *field, tl_vec3 from, tl_vec3 to,
                            size_t count, double **moments, double *out, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(*moments, 0, MOMENTS * count, error));
    memset(*moments, 0, MOMENTS * count * sizeof **moments);
    const tl_vec3 step =
        tl_vec3_scale(tl_vec3_sub(to, from), count > 1 ? 1 / (double)(count - 1) : 0);
    for (size_t i = 0; i < m->count; i++) {
        size_t begin, end;
        points_near(m, m->position + 3 * i, from, step, count, &begin, &end);
        for (size_t p = begin; p < end; p++)
            add_particle(m, i, field, tl_vec3_mad(from, (double)p, step), *moments + MOMENTS * p);
    }
    for (size_t p = 0; p < count; p++) {
        const double *sums = *moments + MOMENTS * p;
        if (sums[0] < least_filling)
            out[p] = (double)NAN;
        else if (!fit(sums, &out[p]))
            out[p] = sums[10] / sums[0];
    }
    return TL_OK;
}
