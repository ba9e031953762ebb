/* See balance.h. */
#include "flow/balance.h"

#include "base/blocks.h"
#include "flow/lanes.h"
#include "flow/response.h"
#include "math/extremes.h"

#include <math.h>
#include <string.h>

/* Bulk stiffness times dt, relative to viscosity: enough to keep the volume, little enough for the
 * grids. */
static const double bulk_of_viscosity = 3;

/* Bulk stiffness relative to the modulus of elastic matter: its volume changes at once, not when
 * the spring is let out. */
static const float bulk_of_modulus = 10;

/* Bulk stiffness in units of ρ (dx / dt)², of thick and of thin matter: pressure crosses three and
 * not quite two spacings a step. Iterations grow with the root of it. Thin matter, which flows by
 * 0.4 of a spacing a step, is compressed by some per cent of its dynamic pressure's worth until λ
 * has followed. */
static const double bulk_of_inertia = 10, thin_bulk_of_inertia = 3;

/* Twice the mean height over the height: below the first matter is a splash or a heap, whose depth
 * for thin matter is the former, above the second it lies evenly, and its depth is the latter. */
static const double heaped = 0.7, level = 0.9;

/* Part of the largest θ that keeps pressure steady. */
static const double steadiness = 0.5;

/* Viscosities relative to the artificial one: below the first it acts in full, above the second
 * not at all. */
static const float thin_part = 0.02f, thick_part = 0.1f;

/* How far pressure may pull, relative to η γ̇. Planar stretch of a free sheet needs 1. */
static const float cohesion = 2;

/* Part of its neighbours' mean that a particle takes on when pressure is smoothed. */
static const float smoothing = 0.7f;

/* Part of a full neighbourhood whose mean is worth that much: a drop does not take on the pressure
 * of one that it hardly touches. */
static const float enough = 0.4f;

/* Viscosities that an outer iteration changes by less than this factor are settled. */
static const float settled = 1.1f;

/* Least viscosity of what a fit leaves over, relative to the matter's. This, the power below and
 * the next number were chosen by channels of all laws, on lattices and in disorder. */
static const float softest = 0.36f;

/* How many times the least one around ς may be. */
static const float stiffest = 1.6f;

/* Matter that grows by more than this in a step, by the first guess, comes apart. */
static const float parting = 0.05f;

/* The strain of a step up to which the square of it counts. In splashes of thin liquid fits of few
 * neighbours find strains near 1: they seem to shrink by the square, pressure drives them apart,
 * and that is more strain, which no correction catches up with. */
static const float most_strain = 0.5f, most_thin_strain = 0.1f;

/* Below this part of a full neighbourhood no pressure acts: spray. */
static const float thinnest = 0.2f, thin = 0.4f;

/* ---- State of stress ---------------------------------------------------------------------------
 */

typedef struct balance_context {
    tl_solver *s;
    const tl_solve_task *task;
    int outer; /* number of the outer iteration */
    tl_balance *partial;
    float (*brace)[4]; /* [n] the force of ς, which waits for the second sweep */
    float *least;      /* [n] Pa·s: viscosity around */
    float viscous;     /* 1/s: bulk stiffness that viscosity asks for, over it */
    float steady;      /* the largest θ, times density over bulk stiffness */
    double shallow;    /* depth to thin matter over that to thick */
} balance_context;

/* What counts of the depth for thin matter, by its part: all of it, where layers lie evenly. */
static double shallowness(double ratio) {
    const double even = fmin(fmax((ratio - heaped) / (level - heaped), 0), 1);
    return ratio + even * (1 - ratio);
}

/* Letting out the spring feeds the slowest wave of pressure, a quarter of which spans the depth of
 * the matter, unless the step damps it more: θ < (ω dt)². */
static balance_context make_context(tl_solver *s, const tl_solve_task *t, int outer) {
    const double dt2 = t->dt * t->dt;
    const bool two = t->thin_depth > 0 && t->depth > 0;
    return (balance_context){
        .s = s,
        .task = t,
        .outer = outer,
        .partial = s->partial,
        .viscous = (float)(bulk_of_viscosity / t->dt),
        .steady = (float)(steadiness * 2.47 * dt2 / fmax(t->depth * t->depth, 1e-30)),
        .shallow = two ? shallowness(t->thin_depth / t->depth) : 1};
}

/* H from E, both in place: the part of LᵀL is in E already (the sweep adds it to p). Held where the
 * step strains a particle by more than `most`. */
TL_INLINE void logarithmic(tl_wide E[6], tl_wide step, tl_wide most) {
    const tl_wide size = tl_sqrt(E[0] * E[0] + E[1] * E[1] + E[2] * E[2] +
                                 2.0f * (E[3] * E[3] + E[4] * E[4] + E[5] * E[5]));
    const tl_wide dt = tl_min(step, most / tl_max(size, tl_splat(1e-20f)));
    const tl_wide xx = E[0], yy = E[1], zz = E[2], xy = E[3], xz = E[4], yz = E[5];
    E[0] -= dt * (xx * xx + xy * xy + xz * xz);
    E[1] -= dt * (xy * xy + yy * yy + yz * yz);
    E[2] -= dt * (xz * xz + yz * yz + zz * zz);
    E[3] -= dt * (xx * xy + xy * yy + xz * yz);
    E[4] -= dt * (xx * xz + xy * yz + xz * zz);
    E[5] -= dt * (xy * xz + yy * yz + yz * zz);
}

/* dx² of particle i. */
TL_INLINE double square_of_spacing(const balance_context *c, size_t i) {
    const double dx = tl_spacing_of(&c->task->sizes, i);
    return dx * dx;
}

/* m²/s: artificial viscosity, at the speed of pressure. */
static double artificial_of(double damping, double spacing, double dt) {
    const double wave = sqrt(bulk_of_inertia) * spacing / dt;
    return damping * spacing * wave;
}

/* ν dt / dx²: above 1 the matter is thick. */
TL_INLINE float thickness(const balance_context *c, size_t i) {
    const float per_viscosity = (float)(c->task->dt / square_of_spacing(c, i));
    return c->task->viscosity[i] * per_viscosity / c->s->rest_density[i];
}

/* 1 of thin matter, in which artificial viscosity acts in full; 0 where none does. */
TL_INLINE float thinness(const balance_context *c, size_t i) {
    const tl_solve_task *t = c->task;
    const float damped = (float)artificial_of(t->damping, tl_spacing_of(&t->sizes, i), t->dt);
    const float part = t->viscosity[i] / (damped * c->s->rest_density[i]);
    const bool elastic = c->s->modulus && c->s->modulus[i] > 0;
    return damped > 0 && !elastic ? tl_part(1 - (part - thin_part) / (thick_part - thin_part)) : 0;
}

/* The least bulk stiffness of particle i, Pa. */
TL_INLINE float least_bulk(const balance_context *c, size_t i) {
    const tl_solve_task *t = c->task;
    const double part = (double)thinness(c, i);
    const double units = bulk_of_inertia + part * (thin_bulk_of_inertia - bulk_of_inertia);
    const double inertia = units * square_of_spacing(c, i) / (t->dt * t->dt);
    const double weight = t->stiffness * (1 + part * (c->shallow - 1));
    return tl_larger((float)weight, (float)inertia * c->s->rest_density[i]);
}

/* Bulk stiffness of particle i, Pa. */
TL_INLINE float bulk_stiffness(const balance_context *c, size_t i) {
    const tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    const float fullness = tl_strain_around(&s->strain, i)->full / (float)t->full;
    const float least = least_bulk(c, i);
    const float known = s->strain.uneven ? s->strain.side[i].thinnest : HUGE_VALF;
    const float springs = s->modulus ? tl_larger(least, bulk_of_modulus * s->modulus[i]) : least;
    const float K = tl_larger(c->viscous * tl_smaller(t->viscosity[i], known), springs);
    return K * tl_part((fullness - thinnest) / (thin - thinnest));
}

/* θ of particle i. */
TL_INLINE float relief_of(const balance_context *c, size_t i, float bulk) {
    const tl_solve_task *t = c->task;
    const float more = (float)(t->thick_relief - t->relief);
    const float most = (float)t->relief + tl_part(thickness(c, i)) * more;
    const float shallow = (float)(1 + (double)thinness(c, i) * (c->shallow - 1));
    return tl_smaller(most, c->steady / (shallow * shallow) * bulk / c->s->rest_density[i]);
}

/* The strain of a step up to which the logarithmic one is found, of a group of particles. */
TL_INLINE tl_wide load_most_strain(const balance_context *c, size_t first, size_t count) {
    float lanes[TL_LANES] = {0};
    for (size_t l = 0; l < count; l++)
        lanes[l] =
            most_thin_strain + tl_part(thickness(c, first + l)) * (most_strain - most_thin_strain);
    return tl_load(lanes);
}

/* How far the first guess may be wrong about who comes apart. Thick matter (ν dt > dx²) moves on so
 * evenly that its guess is taken at its word; so is that of thin matter alone, most of whose
 * residual would come from holding what comes apart. */
TL_INLINE float doubt(const balance_context *c, size_t i) {
    return thickness(c, i) > 1 || c->s->thin ? 0 : parting;
}

/* What a change of pressure may take back, beyond what matter bears. */
TL_INLINE float carried_by(const tl_solve_task *t, size_t i) {
    return t->carried ? t->carried[i] : 0;
}

/* η, less what yielding takes of it. */
TL_INLINE float left_of(const tl_solver *s, const tl_solve_task *t, size_t i) {
    return s->slack ? t->viscosity[i] - s->slack[i].loss : t->viscosity[i];
}

/* η and pressure of one particle at strain rate H, with the stress η γ̇. */
static void set_state(const balance_context *c, size_t i, float stress, float trace,
                      tl_balance *sums) {
    tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    const float eta = t->part == TL_SOLVE_PRESSURE ? 0 : left_of(s, t, i);
    const float K = bulk_stiffness(c, i);
    const float dt = (float)t->dt, relief = relief_of(c, i, K);
    /* Kept through the solve: a bound that moves keeps the set from settling. But a first guess of
     * no motion knows nothing of how matter will hold when it is pulled: the first correction, in
     * which all hold, does. */
    if (c->outer < 2) {
        const float own = s->bears ? s->bears[i] : 0;
        const float bears = t->pulls ? 1e30f : tl_larger(cohesion * stress, own) + carried_by(t, i);
        s->pull[i] = c->outer == 0 ? bears : tl_larger(bears, s->pull[i]);
    }
    const float pull = s->pull[i];
    const float p = s->lambda[i] + K * (relief * s->compression[i] - dt * trace);
    /* At free surfaces the set may flicker for ever: after the renewals nobody leaves it. Who
     * should is kept back a little in this step. */
    const bool pushes = p >= -pull, keeps = c->outer == 0 || c->outer > TL_RENEWALS;
    const bool before = c->outer == 0 ? p >= -pull - K * doubt(c, i) : s->bulk[i] > 0;
    const bool pressed = t->part != TL_SOLVE_VISCOSITY && K > 0 && (pushes || (keeps && before));
    sums->kept += pressed && !pushes;
    sums->doubtful += doubt(c, i) > 0;
    sums->changed = sums->changed || (K > 0 && pressed != before);
    s->shear[i] = eta;
    s->bulk[i] = pressed ? K * dt : 0;
    s->pressure[i] = t->part == TL_SOLVE_VISCOSITY ? s->lambda[i]
                     : pressed                     ? p
                     : K > 0                       ? -pull
                                                   : -carried_by(t, i);
    /* For the means that the second sweep finds. What no pressure acts on shrinks as it likes, and
     * so pushes nobody. */
    tl_averaged *averaged = &s->strain.traction[i].averaged;
    averaged->compression = pressed ? s->compression[i] : tl_smaller(s->compression[i], 0);
    averaged->growth = pressed ? dt * trace : tl_larger(dt * trace, 0);
}

/* Stress and heat at the present rates, for particles from `first` on, and η as long as it is
 * renewed. Returns for how many it is another one. */
static size_t find_response(const balance_context *c, size_t first, size_t count, float *stress,
                            float *heat) {
    const tl_solve_task *t = c->task;
    float before[TL_LANES];
    for (size_t l = 0; l < count; l++)
        before[l] = left_of(c->s, t, first + l);
    tl_response_find(c->s, t, c->outer < TL_VISCOSITY_RENEWALS, first, count, stress, heat);
    if (c->s->slack)
        tl_response_slacken(c->s, t, first, count);
    size_t unsettled = 0;
    for (size_t l = 0; l < count; l++) {
        const float now = left_of(c->s, t, first + l);
        unsettled += now > settled * before[l] || settled * now < before[l];
    }
    return unsettled;
}

/* Stores the tractions of a group with that stress and pressure. Changes the stress. */
TL_INLINE void store_stress(const tl_strain *s, size_t first, size_t count,
                            const uint32_t index[TL_LANES], const tl_wide inverse[TL_SYM6],
                            tl_wide stress[6], tl_wide pressure, const tl_wide braced[6],
                            tl_wide brace) {
    if (s->uneven) {
        tl_store_uneven_traction(s, first, count, index, inverse, stress, -pressure, braced, brace);
        return;
    }
    for (int k = 0; k < 3; k++)
        stress[k] -= pressure;
    tl_store_traction(s, first, count, inverse, stress, braced, brace);
}

/* Tractions anew, with the stress of laws that remember: it is more than η and H tell. */
static void recall_stress(const balance_context *c, const tl_fit *fits, size_t begin, size_t end) {
    tl_solver *s = c->s;
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        tl_wide b[8], inverse[TL_SYM6], x[4], stress[6], braced[6];
        float pressures[TL_LANES] = {0};
        memcpy(pressures, s->pressure + first, count * sizeof *pressures);
        TL_GATHER4(&s->strain.motion[first], x, index, x);
        tl_load_fit(fits + (first - begin), index, b);
        tl_load_inverse(&s->strain, first, inverse);
        tl_load_braced(fits + (first - begin), index, b, braced);
        tl_response_recall(c->task, first, count, stress);
        store_stress(&s->strain, first, count, index, inverse, stress, tl_load(pressures), braced,
                     x[3]);
    }
}

static void finish_state_fit(void *context, const tl_fit *fits, size_t begin, size_t end) {
    const balance_context *c = context;
    tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    tl_balance sums = {0};
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        tl_wide b[8], inverse[TL_SYM6], H[6], x[4];
        float rates[TL_LANES], traces[TL_LANES], pressures[TL_LANES];
        float stresses[TL_LANES], heats[TL_LANES];
        TL_GATHER4(&s->strain.motion[first], x, index, x);
        tl_load_fit(fits + (first - begin), index, b);
        tl_load_inverse(&s->strain, first, inverse);
        tl_sym6_times(inverse, b, H);
        const bool uneven = s->strain.uneven;
        const tl_wide more =
            uneven ? tl_growth_beyond(&s->strain, fits + (first - begin), first, index, b, H)
                   : tl_splat(0.0f);
        if (t->curved)
            logarithmic(H, (float)t->dt * tl_load(s->strain.affine + first),
                        load_most_strain(c, first, count));
        const tl_wide trace = H[0] + H[1] + H[2];
        /* γ̇² = 2 dev H : dev H */
        const tl_wide squares = H[0] * H[0] + H[1] * H[1] + H[2] * H[2] +
                                2.0f * (H[3] * H[3] + H[4] * H[4] + H[5] * H[5]);
        tl_store(rates, tl_sqrt(tl_positive(2.0f * (squares - trace * trace * (1.0f / 3)))));
        tl_store(traces, uneven ? trace + more : trace);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            t->strain_rate[i] = rates[l];
            s->dilation[i] = traces[l];
        }
        if (t->strain)
            tl_response_keep(t, first, count, H);
        sums.unsettled += find_response(c, first, count, stresses, heats);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            set_state(c, i, stresses[l], traces[l], &sums);
            pressures[l] = s->pressure[i];
            if (!isfinite(rates[l]) && !sums.broken)
                sums.broken = i + 1;
            sums.viscous_power += t->part == TL_SOLVE_PRESSURE ? 0 : (double)heats[l];
        }
        for (size_t l = count; l < TL_LANES; l++)
            pressures[l] = 0;
        tl_wide stress[6], braced[6];
        tl_load_braced(fits + (first - begin), index, b, braced);
        tl_stress_of(H, tl_load(s->shear + first), tl_splat(0.0f), stress);
        store_stress(&s->strain, first, count, index, inverse, stress, tl_load(pressures), braced,
                     x[3]);
    }
    if (t->strain && t->part != TL_SOLVE_PRESSURE)
        recall_stress(c, fits, begin, end);
    for (size_t i = begin; i < end; i++)
        memcpy(c->brace[i], fits[i - begin].brace, 3 * sizeof(float));
    c->partial[begin / TL_BLOCK] = sums;
}

/* s: of the correction for curved paths (strain.h). */
static float curve_of(const tl_solve_task *t) { return t->curved ? 0.5f * (float)t->dt : 0; }

/* Heat of the friction of a link, and the power of its wall. */
static void add_friction(const tl_wall_link *link, const float u[3], float volume,
                         tl_balance *sums) {
    float drag[3], towed = 0, braked = 0;
    tl_link_drag(link->rub, u, drag);
    for (int k = 0; k < 3; k++) {
        towed += link->tow[k] * u[k];
        braked += drag[k] * u[k];
    }
    const float scale = volume * link->slick;
    sums->viscous_power += (double)(scale * (link->grind - 2 * towed + braked));
    sums->wall_power += (double)(scale * (link->grind - towed));
}

/* What walls do to particle i: the part of its force that comes through its link to them. */
static void add_wall_force(const tl_strain *s, size_t i, float curve, float volume, double *push,
                           tl_balance *sums) {
    const tl_wall_link *link = &s->link[s->link_of[i] - 1];
    if (link->body)
        return;
    const float *T = s->traction[i].T, *u = s->motion[i].u, *v = link->velocity;
    float bend[6], lift[3], force[3];
    tl_link_bend(s, link, curve, bend, lift);
    tl_link_force(s, link, true, curve, force);
    for (int k = 0; k < 3; k++)
        sums->wall_force[k] += (double)(volume * force[k]);
    for (int k = 0; k < 3 && push; k++)
        push[k] = (double)(volume * force[k]);
    float power = link->stir;
    for (int k = 0; k < 3; k++)
        power += lift[k] * v[k] - link->pull[k] * u[k];
    power *= s->motion[i].brace;
    for (int r = 0; r < 6; r++)
        power += link->drive[r] * T[r];
    sums->wall_power += (double)(volume * power);
    if (link->rubs)
        add_friction(link, u, volume, sums);
}

/* The same through images in walls that are mirrors, which are at rest. */
static void add_image_force(const tl_strain *s, size_t i, float curve, float volume, double *push,
                            tl_balance *sums) {
    float force[3] = {0};
    tl_mirrors_push(s, curve, i, force);
    for (int k = 0; k < 3; k++)
        sums->wall_force[k] += (double)(volume * force[k]);
    for (int k = 0; k < 3 && push; k++)
        push[k] += (double)(volume * force[k]);
}

/* What is held needs no balance: whatever holds it carries its weight. */
static void add_held(const tl_solve_task *t, size_t i, tl_balance *sums) {
    for (size_t k = 0; k < 3; k++) {
        const double force = -(double)t->mass[i] * tl_body_force_along(&t->force, i, k);
        sums->wall_force[k] += force;
        sums->wall_power += force * t->velocity[3 * i + k];
        sums->force_power += force * t->velocity[3 * i + k];
    }
}

static void finish_state_force(void *context, const float (*force)[4], size_t begin, size_t end) {
    const balance_context *c = context;
    tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    tl_balance *sums = &c->partial[begin / TL_BLOCK];
    for (size_t i = begin; i < end; i++) {
        const double mass = (double)t->mass[i];
        const float volume = s->strain.motion[i].volume;
        const bool led = t->led && t->led[i];
        double change2 = 0, *push = t->push ? t->push[i] : NULL;
        for (int k = 0; k < 3 && push; k++)
            push[k] = 0;
        if (tl_strain_is_held(&s->strain, i)) {
            memset(s->r + 4 * i, 0, 4 * sizeof *s->r);
            if (!tl_strain_body_of(&s->strain, i))
                add_held(t, i, sums);
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            const double u = t->velocity[3 * i + k], change = u - s->start[3 * i + k];
            double pull = (double)volume * (double)(c->brace[i][k] + force[i - begin][k]);
            if (s->recalled && t->part != TL_SOLVE_PRESSURE)
                pull += (double)volume * (double)s->recalled[i][k];
            if (s->tension && t->part != TL_SOLVE_PRESSURE)
                pull += (double)volume * (double)s->tension[i][k];
            const double given = t->dt * tl_body_force_along(&t->force, i, k);
            const double r = mass * (given - change) + t->dt * pull;
            s->r[4 * i + k] = led ? 0 : (float)r;
            sums->residual2 += led ? 0 : r * r;
            sums->along += led ? 0 : r * (double)s->w[4 * i + k];
            sums->led_impulse[k] -= led ? r : 0;
            sums->led_work -= led ? r * u : 0;
            sums->force_power += pull * u;
            change2 += change * change;
        }
        sums->lag += 0.5 * mass * change2;
        sums->acceleration2 = fmax(sums->acceleration2, led ? 0 : change2);
        if (s->strain.link_of[i])
            add_wall_force(&s->strain, i, curve_of(t), volume, push, sums);
        if (tl_mirrors_any(&s->strain.mirrors, i))
            add_image_force(&s->strain, i, curve_of(t), volume, push, sums);
        if (!isfinite(sums->residual2) && !sums->broken)
            sums->broken = i + 1;
    }
}

static void split_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const balance_context *o = context;
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < 3; k++) {
            const double u = o->task->velocity[3 * i + k];
            const float high = (float)u;
            o->s->strain.motion[i].u[k] = high;
            o->s->strain.low[i].u[k] = (float)(u - (double)high);
        }
}

/* ---- ς -----------------------------------------------------------------------------------------
 */

double tl_solve_thin(double damping, double spacing, double dt) {
    return (double)thick_part * artificial_of(damping, spacing, dt);
}

static void brace_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const balance_context *c = context;
    tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    for (size_t i = begin; i < end; i++) {
        const double dx = tl_spacing_of(&t->sizes, i);
        const float damped = (float)artificial_of(t->damping, dx, t->dt);
        const float S = tl_strain_brace_trace(&s->strain, i);
        const float artificial = damped * s->rest_density[i];
        const float own = tl_smaller(s->strain.traction[i].viscosity, stiffest * c->least[i]);
        const float viscosity = t->part == TL_SOLVE_PRESSURE ? 0 : own;
        /* Matter that is viscous by itself needs none. */
        const float lack = 1 - (own / artificial - thin_part) / (thick_part - thin_part);
        const float damping = artificial > 0 ? artificial * tl_part(lack) : 0;
        const float springy = s->springy && t->part != TL_SOLVE_PRESSURE ? s->springy[i] : 0;
        const float both = (float)t->brace * viscosity + damping + springy;
        s->strain.motion[i].brace = 15 * both / tl_larger(S, 0.1f * (float)t->full);
        for (uint32_t l = s->strain.link_of[i]; l; l = s->strain.link[l - 1].next) {
            tl_wall_link *link = &s->strain.link[l - 1];
            link->loose = both > 0 ? damping / both : 0;
            link->slick = link->rubs && t->part != TL_SOLVE_PRESSURE ? t->viscosity[i] : 0;
        }
    }
}

/* The viscosity of what a fit leaves over, η (η_t/η)^⅔. In a curved flow pairs are sheared faster
 * and slower than their mean. To second order the law makes of that what the tangent viscosity
 * does, η_t = d(ηγ̇)/dγ̇; what lies across the flow feels η. */
static void soften_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const balance_context *c = context;
    const tl_solver *s = c->s;
    const tl_solve_task *t = c->task;
    float tangent[TL_BLOCK];
    tl_response_tangent(t, begin, end, tangent);
    for (size_t i = begin; i < end; i++) {
        const float part = tangent[i - begin];
        s->strain.traction[i].viscosity = left_of(s, t, i) * tl_larger(cbrtf(part * part), softest);
    }
}

static bool is_even(const float *viscosity, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (viscosity[i] != viscosity[0])
            return false;
    return n > 0;
}

/* ς: hardly stronger than the least around, or matter at rest would stiffen the flow beside it;
 * with some damping at the speed of pressure where there is little. As long as all viscosities are
 * one and stay so, nothing is to be done. */
static void renew_brace(tl_solver *s, const tl_solve_task *t) {
    const size_t n = s->strain.particles;
    balance_context c = make_context(s, t, 0);
    const bool even = !s->slack && is_even(t->viscosity, n);
    if (even && t->viscosity[0] == s->even_viscosity)
        return;
    s->even_viscosity = even ? t->viscosity[0] : NAN;
    for (size_t i = 0; i < n; i++)
        s->strain.traction[i].viscosity = t->viscosity[i];
    const size_t mark = tl_scratch_mark(s->scratch);
    c.least = TL_SCRATCH_TAKE(s->scratch, float, tl_pad_lanes(n), "least viscosity");
    if (even) {
        memcpy(c.least, t->viscosity, n * sizeof *c.least);
    } else {
        tl_parallel_for(s->strain.parallel, n, TL_BLOCK, soften_range, &c);
        tl_strain_share_traction(&s->strain);
        tl_strain_least(&s->strain, c.least);
    }
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, brace_range, &c);
    tl_scratch_release(s->scratch, mark);
}

void tl_balance_take(tl_solver *s) {
    const size_t n = s->strain.particles, lanes = tl_pad_lanes(n);
    s->w = TL_SCRATCH_TAKE(s->scratch, float, 4 * lanes, "correction");
    s->r = TL_SCRATCH_TAKE(s->scratch, float, 4 * lanes, "residual");
    s->means = TL_SCRATCH_TAKE(s->scratch, tl_averaged, lanes, "means");
    memset(s->w, 0, 4 * n * sizeof *s->w);
    memset(s->r, 0, 4 * n * sizeof *s->r);
}

void tl_balance_begin(tl_solver *s, const tl_solve_task *t) {
    s->even_viscosity = NAN;
    renew_brace(s, t);
    const balance_context c = make_context(s, t, 0);
    s->thin = true;
    for (size_t i = 0; i < s->strain.particles && s->thin; i++)
        s->thin = tl_strain_is_held(&s->strain, i) || thinness(&c, i) == 1;
}

/* ---- The balance -------------------------------------------------------------------------------
 */

static void join_balance(void *to, const void *from) {
    tl_balance *total = to;
    const tl_balance *p = from;
    total->viscous_power += p->viscous_power;
    total->force_power += p->force_power;
    total->wall_power += p->wall_power;
    total->lag += p->lag;
    total->acceleration2 = fmax(total->acceleration2, p->acceleration2);
    total->residual2 += p->residual2;
    total->free2 += p->residual2;
    total->along += p->along;
    total->led_work += p->led_work;
    for (int k = 0; k < 3; k++) {
        total->wall_force[k] += p->wall_force[k];
        total->led_impulse[k] += p->led_impulse[k];
    }
    if (!total->broken)
        total->broken = p->broken;
    total->kept += p->kept;
    total->doubtful += p->doubtful;
    total->unsettled += p->unsettled;
    total->changed = total->changed || p->changed;
}

tl_balance tl_balance_find(tl_solver *s, const tl_solve_task *t, int outer) {
    balance_context c = make_context(s, t, outer);
    const size_t n = s->strain.particles, mark = tl_scratch_mark(s->scratch);
    c.brace = TL_SCRATCH_TAKE(s->scratch, float[4], n, "force of ς");
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, split_range, &c);
    tl_strain_share_motion(&s->strain);
    tl_modes_show(&s->modes, &s->strain);
    tl_strain_fit(&s->strain, true, curve_of(t), finish_state_fit, &c);
    tl_strain_share_traction(&s->strain);
    tl_strain_share_motion(&s->strain);
    tl_strain_force(&s->strain, s->means, enough * (float)t->full, finish_state_force, &c);
    tl_scratch_release(s->scratch, mark);
    const tl_modes_sums bodies =
        tl_modes_balance(&s->modes, &s->strain, t->dt, t->force.uniform, curve_of(t));
    tl_balance total = {.residual2 = bodies.residual2,
                        .along = bodies.along,
                        .free2 = bodies.free2,
                        .force_power = bodies.force_power,
                        .lag = bodies.lag,
                        .acceleration2 = bodies.acceleration2,
                        .wall_power = bodies.wall_power,
                        .changed = bodies.changed};
    memcpy(total.wall_force, bodies.wall_force, sizeof total.wall_force);
    /* Only now: neighbours must find ς in both sweeps as it was. */
    if (outer < TL_VISCOSITY_RENEWALS)
        renew_brace(s, t);
    tl_join_blocks(&total, c.partial, sizeof *c.partial, n, join_balance);
    return total;
}

/* ---- Smoothing ---------------------------------------------------------------------------------
 */

/* How far the flow is from letting out what it should, over the particles under pressure. */
typedef struct volume_sums {
    double missing, count;
} volume_sums;

static void smooth_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const balance_context *o = context;
    tl_solver *s = o->s;
    const tl_solve_task *t = o->task;
    volume_sums sums = {0};
    for (size_t i = begin; i < end; i++) {
        const float own = s->compression[i], grown = (float)t->dt * s->dilation[i];
        const float e = own + smoothing * (s->means[i].compression - own);
        const float growth = grown + smoothing * (s->means[i].growth - grown);
        const float K = bulk_stiffness(o, i);
        const float missing = relief_of(o, i, K) * e - growth;
        const float p = s->lambda[i] + K * missing;
        s->left[i] = e - growth;
        const bool counts = s->bulk[i] > 0 && !tl_strain_is_held(&s->strain, i);
        sums.missing += counts ? fabs((double)missing) : 0;
        sums.count += counts;
        if (t->part != TL_SOLVE_VISCOSITY)
            s->pressure[i] = K > 0 ? tl_larger(s->bulk[i] > 0 ? p : tl_smaller(p, 0), -s->pull[i])
                                   : -carried_by(t, i);
    }
    ((volume_sums *)s->partial)[begin / TL_BLOCK] = sums;
}

static void join_volumes(void *to, const void *from) {
    volume_sums *all = to;
    const volume_sums *p = from;
    all->missing += p->missing;
    all->count += p->count;
}

double tl_balance_smooth(tl_solver *s, const tl_solve_task *t) {
    balance_context o = make_context(s, t, 0);
    const size_t n = s->strain.particles;
    tl_parallel_for(s->strain.parallel, n, TL_BLOCK, smooth_range, &o);
    volume_sums all = {0};
    tl_join_blocks(&all, s->partial, sizeof all, n, join_volumes);
    return all.count > 0 ? all.missing / all.count : 0;
}
