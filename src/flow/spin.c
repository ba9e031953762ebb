/* See spin.h. */
#include "flow/spin.h"

#include "math/polar.h"

typedef struct spin_context {
    const tl_strain *s;
    const float (*rates)[6];
    double dt;
    float (*turn)[3];
} spin_context;

/* K = Σ ω (d + dt Δu) dᵀ over the pairs of row i. */
static void sum_row(const tl_strain *s, float dt, size_t i, double K[3][3]) {
    const tl_motion *self = &s->motion[i];
    const uint32_t *index = s->index + s->begin[i];
    const float *weight = s->weight + s->begin[i];
    tl_wide sums[9];
    for (int k = 0; k < 9; k++)
        sums[k] = tl_splat(0.0f);
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        tl_wide p[4], v[4];
        TL_GATHER4(s->motion, x, index + k, p);
        TL_GATHER4(s->motion, u, index + k, v);
        const tl_wide w = tl_load(weight + k);
        tl_wide d[3], end[3];
        for (int a = 0; a < 3; a++) {
            d[a] = p[a] - self->x[a];
            end[a] = w * (d[a] + dt * (v[a] - self->u[a]));
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                sums[3 * a + b] += end[a] * d[b];
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            K[a][b] = (double)tl_sum(sums[3 * a + b]);
}

/* U = exp(dt H), to second order, by rows. */
static void strain_of_step(const float H[6], double dt, double U[3][3]) {
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double h[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            h[a][b] = dt * (double)H[at[a][b]];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            U[a][b] = (a == b) + h[a][b];
            for (int c = 0; c < 3; c++)
                U[a][b] += 0.5 * h[a][c] * h[c][b];
        }
}

static void spin_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const spin_context *c = context;
    for (size_t i = begin; i < end; i++) {
        double K[3][3], U[3][3], A[3][3] = {{0}};
        sum_row(c->s, (float)c->dt, i, K);
        strain_of_step(c->rates[i], c->dt, U);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                for (int k = 0; k < 3; k++)
                    A[a][b] += K[a][k] * U[k][b];
        const tl_vec3 turn = tl_turn_vector(tl_turn_of((const double(*)[3])A));
        c->turn[i][0] = (float)turn.x;
        c->turn[i][1] = (float)turn.y;
        c->turn[i][2] = (float)turn.z;
    }
}

void tl_spin_find(const tl_strain *s, const float (*rates)[6], double dt, float (*turn)[3]) {
    spin_context c = {s, rates, dt, turn};
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, spin_range, &c);
}
