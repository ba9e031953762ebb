/* What one link does to its particle. See strain.h. */
#include "flow/strain.h"
#include "math/vec3.h"

#include <math.h>

/* A pair is taken to turn by no more than this in half a step: beyond it a correction for curved
 * paths is none (rad). */
static const float most_turn = 0.25f;

void tl_link_speed(const tl_strain *s, const tl_wall_link *link, bool exact, float curve,
                   float out[3]) {
    const float *u = s->motion[link->particle].u, *low = s->low[link->particle].u;
    if (!link->body) {
        for (int k = 0; k < 3; k++)
            out[k] = u[k] + (exact ? low[k] : 0);
        return;
    }
    const double *v = s->body_motion[link->body - 1], *spin = v + 3;
    const double arm[3] = {(double)link->arm[0], (double)link->arm[1], (double)link->arm[2]};
    /* The way of a turn by the angle 2 a: (spin × arm) sin 2a / 2a + ½ dt inward sin² a / a². */
    const double a =
        (double)curve * sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    const double half = a > 1e-6 ? sin(a) / a : 1, whole = half * cos(a);
    double along[3], inward[3];
    tl_cross(spin, arm, along);
    tl_cross(spin, along, inward);
    for (int k = 0; k < 3; k++) {
        const double own = (double)u[k] + (exact ? (double)low[k] : 0);
        const double bent = (double)curve * half * half * inward[k];
        out[k] = (float)(own - v[k] - whole * along[k] - bent);
    }
}

/* A body that spins carries the far ends of the pairs with it on arcs: they move with
 * s v + spin × d - ½ dt |spin × d|² along d, where v is the velocity of the body relative to the
 * particle. Of the square of that, |s v|² is what walls have and |spin × d|² cancels;
 * 2 s d·(v × spin) is left. */
static void add_spin(const tl_strain *s, const tl_wall_link *link, float curve, const float v[3],
                     float b[6], float lift[3]) {
    const double *spin = s->body_motion[link->body - 1] + 3;
    const float x = (float)spin[0], y = (float)spin[1], z = (float)spin[2];
    const float rate = __builtin_sqrtf(x * x + y * y + z * z);
    const float part = curve * rate > most_turn ? most_turn / (curve * rate) : 1;
    const float strength = 2 * part * curve * s->affine[link->particle];
    const float across[3] = {strength * (v[1] * z - v[2] * y), strength * (v[2] * x - v[0] * z),
                             strength * (v[0] * y - v[1] * x)};
    float lever[6][3], drag[3];
    tl_strain_lever(&link->thirds, lever);
    tl_link_drag(link->drag, across, drag);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 3; c++)
            b[r] += lever[r][c] * across[c];
    for (int k = 0; k < 3; k++)
        lift[k] += link->loose * drag[k];
}

/* Layers of thick matter that slide along a wall from one step to the next are not affine: there
 * the viscosity of ς leaves the curvature to the fit. */
void tl_link_bend(const tl_strain *s, const tl_wall_link *link, float curve, float b[6],
                  float lift[3]) {
    float v[3], speed2 = 0;
    tl_link_speed(s, link, true, curve, v);
    for (int k = 0; k < 3; k++) {
        v[k] = link->velocity[k] - v[k];
        speed2 += v[k] * v[k];
    }
    const float most2 = curve > 0 ? most_turn * most_turn / (curve * curve) * link->reach2 : 0;
    const float capped2 = curve > 0 ? fminf(speed2, most2) : speed2;
    const float bent = curve * s->affine[link->particle] * capped2;
    for (int r = 0; r < 6; r++)
        b[r] = bent * link->bend[r];
    for (int k = 0; k < 3; k++)
        lift[k] = link->loose * bent * link->lift[k];
    if (!link->body || !(curve > 0))
        return;
    const float part = speed2 > capped2 ? __builtin_sqrtf(capped2 / speed2) : 1;
    for (int k = 0; k < 3; k++)
        v[k] *= part;
    add_spin(s, link, curve, v, b, lift);
}

void tl_link_rub(const tl_wall_link *link, bool exact, const float u[3], float out[3]) {
    float drag[3];
    tl_link_drag(link->rub, u, drag);
    for (int k = 0; k < 3; k++)
        out[k] += link->slick * ((exact ? link->tow[k] : 0) - drag[k]);
}

void tl_link_force(const tl_strain *s, const tl_wall_link *link, bool exact, float curve,
                   float out[3]) {
    const float *T = s->traction[link->particle].T;
    const float brace = s->motion[link->particle].brace;
    float u[3], drag[3], lever[6][3], bend[6], lift[3] = {0};
    tl_link_speed(s, link, exact, curve, u);
    tl_link_drag(link->drag, u, drag);
    tl_strain_lever(&link->thirds, lever);
    if (exact)
        tl_link_bend(s, link, curve, bend, lift);
    for (int k = 0; k < 3; k++) {
        out[k] = brace * ((exact ? link->pull[k] + lift[k] : 0) - drag[k]);
        for (int r = 0; r < 6; r++)
            out[k] += lever[r][k] * T[r];
    }
    if (link->rubs)
        tl_link_rub(link, exact, u, out);
}
