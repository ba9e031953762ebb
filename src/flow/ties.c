/* See ties.h. */
#include "flow/strain.h"
#include "math/mat3.h"

/* Neighbours from which the map is fitted: flatter than this (determinant, over that of a round
 * neighbourhood) they do not tell. */
static const double flattest = 0.05;

/* Σ (1 - |Y|/R)² of Y Yᵀ and of d Yᵀ about their means, over particle i and what is tied to it.
 * (Seen from the particle itself, one at a surface that moved outward would take its neighbourhood
 * for larger, and one that is lifted off a wall for smaller: pressed for it, it would be lifted
 * on.) */
static void sum_ties(const tl_strain *s, size_t i, double YY[3][3], double dY[3][3]) {
    const tl_tied *places = s->ties->places, *self = &places[i];
    const tl_motion *own = &s->motion[i];
    size_t size;
    const uint32_t *row = tl_neighbor_row(s->ties->list, i, &size);
    tl_wide sums[2][9], means[2][3], all = tl_splat(0.0f);
    for (int k = 0; k < 9; k++)
        sums[0][k] = sums[1][k] = tl_splat(0.0f);
    for (int k = 0; k < 3; k++)
        means[0][k] = means[1][k] = tl_splat(0.0f);
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide y[4], x[4], d[3], Y[3], r2 = tl_splat(0.0f);
        tl_gather4((const float *)places, 4, row + k, y);
        TL_GATHER4(s->motion, x, row + k, x);
        for (int a = 0; a < 3; a++) {
            Y[a] = y[a] - self->y[a];
            d[a] = x[a] - own->x[a];
            r2 += Y[a] * Y[a];
        }
        const tl_wide apart = y[3] - self->body;
        const tl_wide near = tl_positive(1.0f - tl_sqrt(r2) * (1 / s->support));
        const tl_wide w =
            tl_select_less(apart * apart, tl_splat(0.25f), near * near, tl_splat(0.0f));
        all += w;
        for (int a = 0; a < 3; a++) {
            means[0][a] += w * Y[a];
            means[1][a] += w * d[a];
            for (int b = 0; b < 3; b++) {
                sums[0][3 * a + b] += w * Y[a] * Y[b];
                sums[1][3 * a + b] += w * d[a] * Y[b];
            }
        }
    }
    const double weight = 1 + (double)tl_sum(all);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const double mean = (double)tl_sum(means[0][b]) / weight;
            YY[a][b] = (double)tl_sum(sums[0][3 * a + b]) - (double)tl_sum(means[0][a]) * mean;
            dY[a][b] = (double)tl_sum(sums[1][3 * a + b]) - (double)tl_sum(means[1][a]) * mean;
        }
}

static double determinant(const double (*a)[3]) {
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

double tl_ties_growth(const tl_strain *s, size_t i) {
    double YY[3][3], dY[3][3];
    sum_ties(s, i, YY, dY);
    const double round = (YY[0][0] + YY[1][1] + YY[2][2]) / 3;
    const double before = determinant((const double(*)[3])YY);
    if (!(before > flattest * round * round * round))
        return 0;
    return determinant((const double(*)[3])dY) / before - 1;
}

float tl_ties_trace(const tl_strain *s, size_t i) {
    size_t size;
    const uint32_t *row = tl_neighbor_row(s->ties->list, i, &size);
    tl_wide sum = tl_splat(0.0f);
    for (size_t k = 0; k < size; k += TL_LANES) {
        tl_wide Y[3];
        const tl_wide w = tl_ties_load(s, i, row + k, Y);
        const tl_wide r2 = Y[0] * Y[0] + Y[1] * Y[1] + Y[2] * Y[2];
        sum += w * r2 * r2;
    }
    return tl_sum(sum);
}
