/* The first guess of an implicit step for matter that touches nothing: both momenta of each lump of
 * it are known, whatever goes on inside. Stiff matter moves rigidly, so that guess is the solution;
 * a solve in single precision could not find it where η is large enough (glass that is cold).
 *
 * What spins is turned: u is the way over the step, and in one along (R - 1) y / dt a lump is not
 * strained (H in flow/solve.h), y being places about its centre. Velocities along which it was not
 * strained in the last step, or at the start, would strain it by ½ (ω dt)², and stiff matter
 * answers to that with a stress that has nothing to do with the flow. That holds for what tumbles
 * along a wall, too. */
#include "base/groups.h"
#include "math/mat3.h"
#include "math/pose.h"
#include "world/state.h"

#include <string.h>

/* ν dt / dx²: stiffer matter moves almost as a rigid body does; lumps that are so for more than
 * half of their mass are turned. */
static const double stiff = 100;

/* The part of its energy of motion about its centre that a lump which turns may have in strains. */
static const double strained = 0.1;

/* Added to the inertia, relative to itself: a single row of particles has no spin about itself. */
static const double untold = 1e-9;

/* The angle that a momentum goes with is found so often; each time the error is less by a part that
 * is the angle itself. */
enum { TURNS = 12 };

/* A lump turns by less than this in a step, rad, or its guess is left alone. If it leans on
 * something, it must turn by more than the second: else what it did in the last step tells more. */
static const double widest_turn = 0.5, least_turn = 0.003;

/* A lump: particles that feel each other. */
struct tl_lump {
    double mass, stiff_mass; /* kg */
    bool leans;              /* walls or bodies have a part in its flow: momenta are not known */
    bool led;                /* so have nozzles, what is held, or a body that it is part of */
    tl_vec3 centre, velocity, pull; /* pull: what forces from afar change its velocity by */
    tl_vec3 guess;                  /* mean of the guess */
    double motion;                  /* Σ m u², about its own velocity */
    double spread[3][3];            /* Σ m y yᵀ */
    double moment[3][3];            /* Σ m u yᵀ, with the velocities at the start */
    double torque[3][3];            /* Σ m (dt g) yᵀ */
    double guessed[3][3];           /* Σ m u yᵀ, with the guess */
    bool turns;
    tl_vec3 spin;          /* rad/s: of the start, or of what the guess has too much */
    tl_turn before, after; /* of the last step and of this one */
};

/* ---- Lumps -------------------------------------------------------------------------------------
 */

typedef struct joining {
    const tl_neighbor_list *list;
    tl_member *group;
} joining;

/* Joins particles [begin, end) with those of lower index in their rows: there are no images, and
 * who is near is so from both sides. */
static void join_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const joining *c = context;
    for (size_t i = begin; i < end; i++) {
        size_t size;
        const uint32_t *row = tl_neighbor_row(c->list, i, &size);
        uint32_t own = tl_group_first(c->group, (uint32_t)i);
        for (size_t e = 0; e < size; e++)
            if (row[e] < i && tl_group_get(c->group, row[e]) != own)
                own = tl_group_join(c->group, own, row[e]);
    }
}

/* From the first particles of lumps to the numbers of these, in their order. */
static size_t number_lumps(tl_member *group, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) { /* who leads has a lower index, and a number already */
        const uint32_t leader = tl_group_get(group, i);
        tl_group_set(group, i, leader == i ? (uint32_t)count++ : tl_group_get(group, leader));
    }
    return count;
}

tl_status tl_world_find_lumps(tl_world *w, size_t *count, tl_error *error) {
    const size_t n = w->fields.count;
    TL_TRY(TL_ARRAY_RESERVE(w->lump_of, 0, n, error));
    tl_group_begin(w->lump_of, n);
    tl_parallel_for(&w->parallel, n, TL_BLOCK, join_range, &(joining){&w->list, w->lump_of});
    *count = number_lumps(w->lump_of, n);
    return TL_OK;
}

static tl_lump *lump_at(const tl_world *w, size_t i) {
    return &w->lumps[tl_group_get(w->lump_of, i)];
}

static bool leans(const tl_world *w, size_t i) { return w->solver.strain.link_of[i] != 0; }

static bool is_led(const tl_world *w, size_t i) {
    return tl_rigid_of(w, i) || tl_world_led_velocity(w, i) || (tl_held(w) && tl_held(w)[i]);
}

/* ---- What is stiff -----------------------------------------------------------------------------
 */

/* ν dt / dx² of particles [begin, end), TL_BLOCK at most. Before the first step nobody has asked
 * for viscosities. */
static void find_stiffness(tl_world *w, double dt, size_t begin, size_t end, double *out) {
    const float *rate = tl_field_data(&w->fields, w->handle.strain_rate);
    float viscosity[TL_BLOCK];
    if (w->state.steps > 0)
        memcpy(viscosity, (float *)tl_field_data(&w->fields, w->handle.viscosity) + begin,
               (end - begin) * sizeof *viscosity);
    else
        tl_world_respond(w, &(tl_strained){.rate = rate + begin}, TL_RESPOND_VISCOSITY,
                         &(tl_response){.viscosity = viscosity}, begin, end);
    for (size_t i = begin; i < end; i++) {
        const double dx = tl_spacing_of(&w->sizes, i);
        const double rest = w->fluids[tl_material_of(w)[i]].rest_density;
        out[i - begin] = (double)viscosity[i - begin] / rest * dt / (dx * dx);
    }
}

/* Whether there is any, and, with lumps, how much of each. */
static bool find_stiff(tl_world *w, double dt, tl_lump *lumps) {
    bool any = false;
    double stiffness[TL_BLOCK];
    for (size_t begin = 0; begin < w->fields.count; begin += TL_BLOCK) {
        const size_t left = w->fields.count - begin, count = left < TL_BLOCK ? left : TL_BLOCK;
        find_stiffness(w, dt, begin, begin + count, stiffness);
        for (size_t k = 0; k < count; k++) {
            const bool is = stiffness[k] > stiff && !tl_rigid_of(w, begin + k);
            any = any || is;
            if (lumps && is)
                lumps[tl_group_get(w->lump_of, begin + k)].stiff_mass +=
                    (double)tl_mass(w)[begin + k];
        }
    }
    return any;
}

/* ---- Momenta -----------------------------------------------------------------------------------
 */

/* dt g of particle i. */
static tl_vec3 pull_of(const tl_body_force *force, double dt, size_t i) {
    return (tl_vec3){dt * tl_body_force_along(force, i, 0), dt * tl_body_force_along(force, i, 1),
                     dt * tl_body_force_along(force, i, 2)};
}

/* a += m u yᵀ */
static void add_product(double a[3][3], double mass, tl_vec3 u, tl_vec3 y) {
    const double left[3] = {u.x, u.y, u.z}, right[3] = {y.x, y.y, y.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            a[r][c] += mass * left[r] * right[c];
}

/* Σ m y × u of Σ m u yᵀ */
static tl_vec3 axial(const double a[3][3]) {
    return (tl_vec3){a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]};
}

static void find_means(tl_world *w, const tl_body_force *force, double dt, size_t count) {
    for (size_t i = 0; i < w->fields.count; i++) {
        tl_lump *l = lump_at(w, i);
        const double mass = (double)tl_mass(w)[i];
        l->mass += mass;
        l->leans = l->leans || leans(w, i);
        l->led = l->led || is_led(w, i);
        l->centre = tl_vec3_mad(l->centre, mass, tl_vec3_of(tl_position(w) + 3 * i));
        l->velocity = tl_vec3_mad(l->velocity, mass, tl_vec3_of(w->solver.start + 3 * i));
        l->guess = tl_vec3_mad(l->guess, mass, tl_vec3_of(tl_velocity(w) + 3 * i));
        l->pull = tl_vec3_mad(l->pull, mass, pull_of(force, dt, i));
    }
    for (size_t k = 0; k < count; k++) {
        tl_lump *l = &w->lumps[k];
        tl_vec3 *const means[] = {&l->centre, &l->velocity, &l->guess, &l->pull};
        for (size_t m = 0; m < sizeof means / sizeof *means; m++)
            *means[m] = tl_vec3_scale(*means[m], 1 / l->mass);
    }
}

static void find_moments(tl_world *w, const tl_body_force *force, double dt) {
    for (size_t i = 0; i < w->fields.count; i++) {
        tl_lump *l = lump_at(w, i);
        const double mass = (double)tl_mass(w)[i];
        const tl_vec3 y = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), l->centre);
        const tl_vec3 seen = tl_vec3_sub(tl_vec3_of(w->solver.start + 3 * i), l->velocity);
        l->motion += mass * tl_vec3_dot(seen, seen);
        add_product(l->spread, mass, y, y);
        add_product(l->moment, mass, tl_vec3_of(w->solver.start + 3 * i), y);
        add_product(l->guessed, mass, tl_vec3_of(tl_velocity(w) + 3 * i), y);
        add_product(l->torque, mass, pull_of(force, dt, i), y);
    }
}

/* ---- Turns -------------------------------------------------------------------------------------
 */

static bool invert_inertia(const tl_lump *l, double out[3][3]) {
    const double trace = l->spread[0][0] + l->spread[1][1] + l->spread[2][2];
    double inertia[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inertia[r][c] = (r == c ? (1 + untold) * trace : 0) - l->spread[r][c];
    return tl_mat3_invert((const double(*)[3])inertia, out);
}

/* R a, by columns. */
static void turn_columns(tl_turn turn, const double a[3][3], double out[3][3]) {
    for (int c = 0; c < 3; c++) {
        const tl_vec3 v = tl_turn_apply(turn, (tl_vec3){a[0][c], a[1][c], a[2][c]});
        out[0][c] = v.x, out[1][c] = v.y, out[2][c] = v.z;
    }
}

/* The turn R with the angular momentum Σ m y × R a y = `wanted`, where a is some Σ m (y / dt) yᵀ.
 * False where that is far from any. */
static bool find_turn(const double a[3][3], const double inverse[3][3], double dt, tl_vec3 wanted,
                      tl_turn *out) {
    tl_vec3 angle = {0, 0, 0}, step = {0, 0, 0};
    for (int k = 0; k < TURNS; k++) {
        double turned[3][3];
        turn_columns(tl_turn_by(angle), a, turned);
        const tl_vec3 missing = tl_vec3_sub(wanted, axial((const double(*)[3])turned));
        step = tl_vec3_scale(tl_mat3_times(inverse, missing), dt);
        angle = tl_vec3_add(angle, step);
        if (!(tl_vec3_length(angle) < widest_turn))
            return false;
    }
    *out = tl_turn_by(angle);
    return tl_vec3_length(step) < 1e-6 * widest_turn;
}

/* Velocity of a place along the way on which a lump was not strained: that of the last step, or at
 * the start that of its spin. */
static tl_vec3 unstrained(const tl_world *w, const tl_lump *l, tl_vec3 y) {
    if (w->state.steps == 0)
        return tl_vec3_cross(l->spin, y);
    const tl_vec3 there = tl_turn_apply(tl_turn_inverse(l->before), y);
    return tl_vec3_scale(tl_vec3_sub(y, there), 1 / w->state.dt);
}

/* How a stiff lump turns: its spin is that of the last step, and what strains it turns with it. */
static bool find_turns(const tl_world *w, tl_lump *l, const double inverse[3][3], double dt) {
    const tl_vec3 momentum = axial((const double(*)[3])l->moment);
    double a[3][3];
    l->spin = tl_mat3_times(inverse, momentum);
    l->before = l->after = tl_turn_none();
    if (!(tl_vec3_dot(l->spin, momentum) >= (1 - strained) * l->motion) ||
        (l->leans && tl_vec3_length(l->spin) * dt < least_turn))
        return false;
    const double last = w->state.dt;
    if (w->state.steps > 0) {
        for (int k = 0; k < 9; k++)
            a[k / 3][k % 3] = l->spread[k / 3][k % 3] / last;
        if (!find_turn((const double(*)[3])a, inverse, last, tl_vec3_scale(momentum, -1),
                       &l->before))
            return false;
        l->before = tl_turn_inverse(l->before);
    }
    for (int c = 0; c < 3; c++) { /* Σ m (y / dt + what strains) yᵀ */
        const tl_vec3 y = {l->spread[0][c], l->spread[1][c], l->spread[2][c]};
        const tl_vec3 rigid = unstrained(w, l, y);
        a[0][c] = l->moment[0][c] - rigid.x + y.x / dt;
        a[1][c] = l->moment[1][c] - rigid.y + y.y / dt;
        a[2][c] = l->moment[2][c] - rigid.z + y.z / dt;
    }
    const tl_vec3 torque = l->leans ? (tl_vec3){0, 0, 0} : axial((const double(*)[3])l->torque);
    const tl_vec3 wanted = tl_vec3_add(momentum, torque);
    return find_turn((const double(*)[3])a, inverse, dt, wanted, &l->after);
}

static void find_motion(const tl_world *w, tl_lump *l, double dt) {
    double inverse[3][3];
    l->spin = (tl_vec3){0, 0, 0};
    if (l->led || !invert_inertia(l, inverse))
        return;
    l->turns = l->stiff_mass > 0.5 * l->mass && find_turns(w, l, (const double(*)[3])inverse, dt);
    if (l->turns || l->leans)
        return;
    const tl_vec3 had = axial((const double(*)[3])l->moment);
    const tl_vec3 given = axial((const double(*)[3])l->torque);
    const tl_vec3 wrong =
        tl_vec3_sub(axial((const double(*)[3])l->guessed), tl_vec3_add(had, given));
    l->spin = tl_mat3_times((const double(*)[3])inverse, wrong);
}

/* The guess of particle i. */
static tl_vec3 guess_of(const tl_world *w, const tl_lump *l, size_t i, double dt) {
    const tl_vec3 y = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), l->centre);
    const tl_vec3 mean = l->leans ? l->guess : tl_vec3_add(l->velocity, l->pull);
    if (!l->turns) {
        const tl_vec3 own = tl_vec3_sub(tl_vec3_of(tl_velocity(w) + 3 * i), l->guess);
        return tl_vec3_add(mean, tl_vec3_sub(own, tl_vec3_cross(l->spin, y)));
    }
    const tl_vec3 seen = tl_vec3_sub(tl_vec3_of(w->solver.start + 3 * i), l->velocity);
    const tl_vec3 strains = tl_vec3_sub(seen, unstrained(w, l, y));
    const tl_vec3 way = tl_vec3_sub(tl_turn_apply(l->after, y), y);
    return tl_vec3_add(tl_vec3_mad(mean, 1 / dt, way), tl_turn_apply(l->after, strains));
}

tl_status tl_world_guess_fall(tl_world *w, double dt, tl_error *error) {
    const size_t n = w->fields.count;
    const tl_body_force force = tl_world_body_force(w);
    bool touches = false;
    for (size_t i = 0; i < n && !touches; i++)
        touches = leans(w, i) || is_led(w, i);
    if (w->period[0] > 0 || w->period[1] > 0 || w->period[2] > 0 ||
        (touches && !find_stiff(w, dt, NULL)))
        return TL_OK;
    size_t count;
    TL_TRY(tl_world_find_lumps(w, &count, error));
    TL_TRY(TL_ARRAY_RESERVE(w->lumps, 0, count, error));
    memset(w->lumps, 0, count * sizeof *w->lumps);
    find_means(w, &force, dt, count);
    find_moments(w, &force, dt);
    find_stiff(w, dt, w->lumps);
    for (size_t k = 0; k < count; k++)
        find_motion(w, &w->lumps[k], dt);
    for (size_t i = 0; i < n; i++) {
        const tl_lump *l = lump_at(w, i);
        if (l->led || (l->leans && !l->turns))
            continue;
        const tl_vec3 u = guess_of(w, l, i, dt);
        double *guess = tl_velocity(w) + 3 * i;
        guess[0] = u.x, guess[1] = u.y, guess[2] = u.z;
    }
    return TL_OK;
}
