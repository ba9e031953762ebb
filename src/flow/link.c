/* What one link does to its particle. See strain.h. */
#include "flow/strain.h"

#include <math.h>

/* A pair is taken to turn by no more than this in half a step: beyond it a correction for curved
 * paths is none (rad). */
static const float most_turn = 0.25f;

void tl_link_speed(const tl_strain *s, const tl_wall_link *link, bool exact, float out[3]) {
    const float *u = s->motion + (size_t)link->particle * TL_MOTION + 4;
    const float *low = s->low + (size_t)link->particle * 4;
    if (!link->body) {
        for (int k = 0; k < 3; k++)
            out[k] = u[k] + (exact ? low[k] : 0);
        return;
    }
    const double *v = s->body_motion[link->body - 1], *spin = v + 3;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double own = (double)u[k] + (exact ? (double)low[k] : 0);
        out[k] =
            (float)(own - v[k] - spin[a] * (double)link->arm[b] + spin[b] * (double)link->arm[a]);
    }
}

/* A S for the matrix A = Σ m mᵀ with the fourth moments q (strain.c has the same in lanes). */
static void fourth_times(const float q[TL_MOMENTS], const float S[6], float out[6]) {
    const float A[6][6] = {
        {q[0], q[9], q[10], 2 * q[3], 2 * q[4], 2 * q[12]},
        {q[9], q[1], q[11], 2 * q[5], 2 * q[13], 2 * q[6]},
        {q[10], q[11], q[2], 2 * q[14], 2 * q[7], 2 * q[8]},
        {2 * q[3], 2 * q[5], 2 * q[14], 4 * q[9], 4 * q[12], 4 * q[13]},
        {2 * q[4], 2 * q[13], 2 * q[7], 4 * q[12], 4 * q[10], 4 * q[14]},
        {2 * q[12], 2 * q[6], 2 * q[8], 4 * q[13], 4 * q[14], 4 * q[11]},
    };
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int c = 0; c < 6; c++)
            out[r] += A[r][c] * S[c];
    }
}

/* A body that spins carries the far ends of the pairs with it: they move with s v + spin × d, where
 * v is the velocity of the body relative to the particle. |s v|² is what walls have; the rest is
 * 2 s d·(v × spin) + |spin × d|². */
static void add_spin(const tl_strain *s, const tl_wall_link *link, float curve, const float v[3],
                     float b[6], float lift[3]) {
    const double *motion = s->body_motion[link->body - 1] + 3;
    const float spin[3] = {(float)motion[0], (float)motion[1], (float)motion[2]};
    const float x = spin[0], y = spin[1], z = spin[2], rate2 = x * x + y * y + z * z;
    if (!(rate2 > 0))
        return;
    const float part = fminf(1, most_turn / (curve * __builtin_sqrtf(rate2)));
    const float strength = 2 * part * curve * s->affine[link->particle];
    const float across[3] = {strength * (v[1] * z - v[2] * y), strength * (v[2] * x - v[0] * z),
                             strength * (v[0] * y - v[1] * x)};
    const float square = 0.5f * part * strength;
    /* |spin × d|² = S·m */
    const float S[6] = {square * (rate2 - x * x), square * (rate2 - y * y),
                        square * (rate2 - z * z), -square * x * y,
                        -square * x * z,          -square * y * z};
    float lever[6][3], fourth[6], drag[3];
    tl_strain_lever(link->thirds, lever);
    fourth_times(link->moments, S, fourth);
    tl_link_drag(link, across, drag);
    for (int r = 0; r < 6; r++) {
        b[r] += fourth[r];
        for (int c = 0; c < 3; c++)
            b[r] += lever[r][c] * across[c];
    }
    for (int k = 0; k < 3; k++) {
        lift[k] += link->loose * drag[k];
        for (int r = 0; r < 6; r++)
            lift[k] += lever[r][k] * S[r];
    }
}

/* Layers of thick matter that slide along a wall from one step to the next are not affine: there
 * the viscosity of ς leaves the curvature to the fit. */
void tl_link_bend(const tl_strain *s, const tl_wall_link *link, float curve, float b[6],
                  float lift[3]) {
    float v[3], speed2 = 0;
    tl_link_speed(s, link, true, v);
    for (int k = 0; k < 3; k++) {
        v[k] = link->velocity[k] - v[k];
        speed2 += v[k] * v[k];
    }
    const float most2 = curve > 0 ? most_turn * most_turn / (curve * curve) * link->reach2 : 0;
    const float held2 = curve > 0 ? fminf(speed2, most2) : speed2;
    const float bent = curve * s->affine[link->particle] * held2;
    for (int r = 0; r < 6; r++)
        b[r] = bent * link->bend[r];
    for (int k = 0; k < 3; k++)
        lift[k] = link->loose * bent * link->lift[k];
    if (!link->body || !(curve > 0))
        return;
    const float part = speed2 > held2 ? __builtin_sqrtf(held2 / speed2) : 1;
    for (int k = 0; k < 3; k++)
        v[k] *= part;
    add_spin(s, link, curve, v, b, lift);
}

void tl_link_force(const tl_strain *s, const tl_wall_link *link, const float *lift, float out[3]) {
    const float *T = s->tension + (size_t)link->particle * TL_TENSION;
    const float hold = s->motion[(size_t)link->particle * TL_MOTION + 3];
    float u[3], drag[3], lever[6][3];
    tl_link_speed(s, link, lift != NULL, u);
    tl_link_drag(link, u, drag);
    tl_strain_lever(link->thirds, lever);
    for (int k = 0; k < 3; k++) {
        out[k] = hold * ((lift ? link->pull[k] + lift[k] : 0) - drag[k]);
        for (int r = 0; r < 6; r++)
            out[k] += lever[r][k] * T[r];
    }
}
