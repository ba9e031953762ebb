/* See wall_level.h. */
#include "flow/wall_level.h"

#include "flow/border.h"
#include "materials/material.h"

#include <math.h>

/* How much of the plain l is mixed in where matter alone cannot tell how it grows along a wall, by
 * the square of what it tells: in spray. */
static const double plainness = 0.05;

static void stretch_of(const float d[3], float m[6]) {
    const float all[6] = {d[0] * d[0],     d[1] * d[1],     d[2] * d[2],
                          2 * d[0] * d[1], 2 * d[0] * d[2], 2 * d[1] * d[2]};
    memcpy(m, all, sizeof all);
}

void tl_wall_level_add(tl_wall_link *link, const float d[3], float w, const float n[3]) {
    if (n[0] == 0 && n[1] == 0 && n[2] == 0)
        return;
    const float across = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
    const float t[3] = {d[0] - across * n[0], d[1] - across * n[1], d[2] - across * n[2]};
    float whole[6], along[6];
    stretch_of(d, whole);
    stretch_of(t, along);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            link->untold[r][c] += w * along[r] * whole[c];
    link->tells_less = true;
}

static bool tells_less(const tl_strain *s, size_t i) {
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next)
        if (s->link[l - 1].tells_less)
            return true;
    return false;
}

/* The part of l that is not plain: 1 in thin matter, 0 in thick and in solids. */
static double part_of(const tl_strain *s, const tl_strain_matter *matter, size_t i) {
    const double dx = tl_spacing_of(&s->sizes, i);
    const bool elastic = matter->materials && matter->materials[matter->material[i]].has_elastic;
    const double reach = (double)matter->viscosity[i] * (double)s->records->a[i].inverse_density *
                         matter->dt / (dx * dx);
    return elastic || !(matter->dt > 0) || tl_strain_is_held(s, i) ? 0 : fmax(1 - reach, 0);
}

bool tl_wall_level_wanted(const tl_strain *s, const tl_strain_matter *matter) {
    for (size_t i = 0; i < s->particles; i++)
        if (s->link_of[i] && tells_less(s, i) && part_of(s, matter, i) > 0)
            return true;
    return false;
}

/* x = N⁻¹ x for a positive N, by elimination. */
static void solve_six(double N[6][6], double x[6]) {
    for (int j = 0; j < 6; j++)
        for (int r = j + 1; r < 6; r++) {
            const double f = N[r][j] / N[j][j];
            for (int c = j; c < 6; c++)
                N[r][c] -= f * N[j][c];
            x[r] -= f * x[j];
        }
    for (int j = 5; j >= 0; j--) {
        for (int c = j + 1; c < 6; c++)
            x[j] -= N[j][c] * x[c];
        x[j] /= N[j][j];
    }
}

/* Adds weight MᵀM to N and weight Mᵀ1 to x. */
static void add_squares(double M[6][6], double weight, double N[6][6], double x[6]) {
    for (int r = 0; r < 6; r++) {
        x[r] += weight * (M[0][r] + M[1][r] + M[2][r]);
        for (int c = 0; c < 6; c++)
            for (int k = 0; k < 6; k++)
                N[r][c] += weight * M[k][r] * M[k][c];
    }
}

void tl_wall_level_find(tl_strain *s, const tl_strain_matter *matter, size_t i,
                        const float moments[TL_FOURTHS], float S) {
    const double part = part_of(s, matter, i);
    if (!(part > 0) || !(S > 0) || !tells_less(s, i))
        return;
    double A[6][6], B[6][6], N[6][6] = {{0}}, level[6] = {0};
    tl_wide q[TL_FOURTHS], packed[TL_SYM6];
    for (int k = 0; k < TL_FOURTHS; k++)
        q[k] = tl_splat(moments[k] / S);
    tl_fourths_matrix(q, packed);
    tl_moments_round(packed, tl_splat(1.0f));
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            A[r][c] = B[r][c] = (double)tl_lane(packed[tl_sym6_at(r, c)], 0);
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next)
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                B[r][c] -= (double)(s->link[l - 1].untold[r][c] / S);
    add_squares(B, 1, N, level);
    add_squares(A, plainness, N, level);
    solve_six(N, level);
    const double scale = part * (1 + (double)TL_LEAST_ROUND) / (double)S;
    for (int r = 0; r < 6; r++)
        s->side[i].level[r] += (float)(scale * level[r] - part * (double)s->side[i].level[r]);
    s->side[i].at_border = 1;
}
