/* Impulses of contacts between rigid bodies. Velocities and spins q after them have the least
 *
 *   ½ (q - qⁿ)·M (q - qⁿ) + Σ N(v) + Σ F(v),   N = max(0, target - n·v)² / 2ε,
 *   F = |v_t|² / 2ε, no steeper than the bound of friction (Huber),
 *
 * v = J q the speed of a contact: each gives way by ε times its impulse, so that there is one
 * answer however many points touch. Found by Newton's method with a search along its step (Todorov
 * 2014 solves such contacts alike). The matrix is factored, so a heavy body on a light one costs no
 * more than others; impulses from contact to contact (Catto 2005) need as many sweeps as the ratio
 * of masses. Coulomb's bound is friction times the push, which is found by doing it again. */
#include "rigid/rigid.h"

#include <string.h>

/* ε, of the mobility of the contact. */
static const double softness = 1e-6;

/* Newton's steps at most; and what they may still gain, of the energy of all changes. */
enum { MOST_STEPS = 50 };
static const double least_gain = 1e-16;

/* Tries to find how far to go along such a step, up to where that part of the slope is left. */
enum { MOST_TRIES = 50 };
static const double flattest = 0.01;

/* Rounds in which the bounds of friction are found, and their change that is none. */
enum { MOST_ROUNDS = 30 };
static const double least_change = 1e-6;

/* ---- Contacts and bodies -----------------------------------------------------------------------
 */

/* What a contact sees of six numbers a body. */
static tl_vec3 speed_of(const tl_rigid *r, const double q[6], tl_vec3 point) {
    const tl_vec3 spin = {q[3], q[4], q[5]}, arm = tl_vec3_sub(point, r->pose.place);
    return tl_vec3_add((tl_vec3){q[0], q[1], q[2]}, tl_vec3_cross(spin, arm));
}

static tl_vec3 difference(const tl_rigids *all, const tl_rigid_contact *c, const double *q) {
    const uint32_t *block = all->settling.block;
    const tl_vec3 own = speed_of(&all->items[c->a], q + 6 * (size_t)(block[c->a] - 1), c->point);
    if (c->b == c->a)
        return own;
    return tl_vec3_sub(own,
                       speed_of(&all->items[c->b], q + 6 * (size_t)(block[c->b] - 1), c->point));
}

static tl_vec3 contact_speed(const tl_rigids *all, const tl_rigid_contact *c, const double *q) {
    const tl_vec3 v = difference(all, c, q);
    return c->b == c->a ? tl_vec3_sub(v, c->wall) : v;
}

/* How much a unit impulse along n changes the speed of the point along n. */
static double mobility(const tl_rigid *r, tl_vec3 point, tl_vec3 n) {
    const tl_vec3 arm = tl_vec3_sub(point, r->pose.place);
    const tl_vec3 turned = tl_vec3_cross(tl_rigid_twist(r, tl_vec3_cross(arm, n)), arm);
    return 1 / r->mass + tl_vec3_dot(turned, n);
}

static double push_of(const tl_rigid_contact *c, tl_vec3 v) {
    return fmax(c->target - tl_vec3_dot(c->normal, v), 0) / c->give;
}

static tl_vec3 slip_of(const tl_rigid_contact *c, tl_vec3 v) {
    return tl_vec3_mad(v, -tl_vec3_dot(c->normal, v), c->normal);
}

/* The impulse on a at the speed v. */
static tl_vec3 impulse_at(const tl_rigid_contact *c, tl_vec3 v) {
    const tl_vec3 slip = slip_of(c, v);
    const double speed = tl_vec3_length(slip), stick = speed / c->give;
    const double part = stick > c->bound ? c->bound / speed : 1 / c->give;
    return tl_vec3_mad(tl_vec3_scale(slip, -part), push_of(c, v), c->normal);
}

/* Minus its derivative by v. */
static void stiffness_at(const tl_rigid_contact *c, tl_vec3 v, double out[3][3]) {
    const tl_vec3 slip = slip_of(c, v);
    const double speed = tl_vec3_length(slip);
    const bool slides = speed / c->give > c->bound;
    const double across = slides ? c->bound / speed : 1 / c->give;
    const double along = push_of(c, v) > 0 ? 1 / c->give : 0;
    const double n[3] = {c->normal.x, c->normal.y, c->normal.z};
    const double t[3] = {slip.x, slip.y, slip.z};
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            out[k][l] = along * n[k] * n[l] + across * ((k == l) - n[k] * n[l]);
            if (slides)
                out[k][l] -= across * t[k] * t[l] / (speed * speed);
        }
}

/* ---- The system --------------------------------------------------------------------------------
 */

static void give_block(tl_settling *s, uint32_t body) {
    if (s->block[body])
        return;
    s->order[s->blocks++] = body;
    s->block[body] = (uint32_t)s->blocks;
}

/* Bodies that touch something, each after one that it touches, so that rows are short. */
static tl_status number(tl_rigids *all, tl_error *error) {
    tl_settling *s = &all->settling;
    TL_TRY(TL_ARRAY_RESERVE(s->block, 0, all->count, error));
    TL_TRY(TL_ARRAY_RESERVE(s->order, 0, all->count, error));
    memset(s->block, 0, all->count * sizeof *s->block);
    s->blocks = 0;
    for (size_t k = 0, next = 0; k < all->contact_count; k++) {
        give_block(s, all->contacts[k].a);
        for (; next < s->blocks; next++)
            for (size_t e = 0; e < all->contact_count; e++) {
                const tl_rigid_contact *c = &all->contacts[e];
                if (c->a == s->order[next] || c->b == s->order[next]) {
                    give_block(s, c->a);
                    give_block(s, c->b);
                }
            }
    }
    return TL_OK;
}

/* Room for rows and vectors. */
static tl_status lay_out(tl_rigids *all, tl_error *error) {
    tl_settling *s = &all->settling;
    const size_t rows = 6 * s->blocks;
    TL_TRY(TL_ARRAY_RESERVE(s->first, 0, rows + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(s->begin, 0, rows + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(s->vectors, 0, 4 * rows, error));
    s->start = s->vectors, s->now = s->start + rows;
    s->slope = s->now + rows, s->step = s->slope + rows;
    for (size_t r = 0; r < rows; r++)
        s->first[r] = r / 6 * 6;
    for (size_t k = 0; k < all->contact_count; k++) {
        const size_t a = s->block[all->contacts[k].a] - 1, b = s->block[all->contacts[k].b] - 1;
        for (size_t r = 6 * (a > b ? a : b), e = r + 6; r < e; r++)
            s->first[r] = s->first[r] < 6 * (a < b ? a : b) ? s->first[r] : 6 * (a < b ? a : b);
    }
    s->begin[0] = 0;
    for (size_t r = 0; r < rows; r++)
        s->begin[r + 1] = s->begin[r] + r - s->first[r] + 1;
    return TL_ARRAY_RESERVE(s->matrix, 0, s->begin[rows], error);
}

static double *entry(const tl_settling *s, size_t row, size_t column) {
    return &s->matrix[s->begin[row] + column - s->first[row]];
}

/* Adds JᵀKJ of a contact to the rows of one body and the columns of another. */
static void add_block(const tl_rigids *all, const tl_rigid_contact *c, uint32_t at, uint32_t by,
                      const double K[3][3]) {
    const tl_settling *s = &all->settling;
    const size_t row = 6 * (size_t)(s->block[at] - 1), column = 6 * (size_t)(s->block[by] - 1);
    const double sign = at == by ? 1 : -1;
    double J[2][3][6] = {0};
    for (int e = 0; e < 2; e++) {
        const tl_vec3 r = tl_vec3_sub(c->point, all->items[e ? by : at].pose.place);
        const double turn[3][3] = {{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}};
        for (int k = 0; k < 3; k++) {
            J[e][k][k] = 1;
            memcpy(&J[e][k][3], turn[k], sizeof turn[k]);
        }
    }
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6 && column + j <= row + i; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += J[0][k][i] * K[k][l] * J[1][l][j];
            *entry(s, row + i, column + j) += sign * sum;
        }
}

/* M v, for one body. */
static void weigh(const tl_rigid *r, const double v[6], double out[6]) {
    const tl_vec3 L = tl_rigid_moment(r, (tl_vec3){v[3], v[4], v[5]});
    const double all[6] = {r->mass * v[0], r->mass * v[1], r->mass * v[2], L.x, L.y, L.z};
    memcpy(out, all, sizeof all);
}

static void fill_matrix(const tl_rigids *all) {
    const tl_settling *s = &all->settling;
    memset(s->matrix, 0, s->begin[6 * s->blocks] * sizeof *s->matrix);
    for (size_t k = 0; k < s->blocks; k++)
        for (size_t j = 0; j < 6; j++) {
            double unit[6] = {0}, column[6];
            unit[j] = 1;
            weigh(&all->items[s->order[k]], unit, column);
            for (size_t i = j; i < 6; i++)
                *entry(s, 6 * k + i, 6 * k + j) = column[i];
        }
    for (size_t k = 0; k < all->contact_count; k++) {
        const tl_rigid_contact *c = &all->contacts[k];
        const bool later = s->block[c->b] > s->block[c->a];
        double K[3][3];
        stiffness_at(c, contact_speed(all, c, s->now), K);
        add_block(all, c, c->a, c->a, K);
        if (c->b == c->a)
            continue;
        add_block(all, c, c->b, c->b, K);
        add_block(all, c, later ? c->b : c->a, later ? c->a : c->b, K);
    }
}

/* Cholesky's factor in place of the matrix, then step = -matrix⁻¹ slope. */
static void solve(const tl_settling *s) {
    const size_t rows = 6 * s->blocks;
    for (size_t r = 0; r < rows; r++) {
        double rest = -s->slope[r];
        for (size_t c = s->first[r]; c <= r; c++) {
            double sum = *entry(s, r, c);
            const size_t from = s->first[r] > s->first[c] ? s->first[r] : s->first[c];
            for (size_t k = from; k < c; k++)
                sum -= *entry(s, r, k) * *entry(s, c, k);
            *entry(s, r, c) = c < r ? sum / *entry(s, c, c) : sqrt(fmax(sum, 0));
            if (c < r)
                rest -= *entry(s, r, c) * s->step[c];
        }
        s->step[r] = rest / *entry(s, r, r);
    }
    for (size_t r = rows; r-- > 0;) {
        s->step[r] /= *entry(s, r, r);
        for (size_t c = s->first[r]; c < r; c++)
            s->step[c] -= *entry(s, r, c) * s->step[r];
    }
}

/* ---- Newton's method ---------------------------------------------------------------------------
 */

/* The gradient at q. Returns the energy of all changes. */
static double find_slope(const tl_rigids *all) {
    const tl_settling *s = &all->settling;
    double energy = 0;
    for (size_t k = 0; k < s->blocks; k++) {
        double change[6];
        for (size_t i = 0; i < 6; i++)
            change[i] = s->now[6 * k + i] - s->start[6 * k + i];
        weigh(&all->items[s->order[k]], change, s->slope + 6 * k);
        for (size_t i = 0; i < 6; i++)
            energy += change[i] * s->slope[6 * k + i];
    }
    for (size_t k = 0; k < all->contact_count; k++) {
        const tl_rigid_contact *c = &all->contacts[k];
        const tl_vec3 push = impulse_at(c, contact_speed(all, c, s->now));
        for (int e = 0; e < (c->b == c->a ? 1 : 2); e++) {
            const uint32_t body = e ? c->b : c->a;
            const tl_vec3 arm = tl_vec3_sub(c->point, all->items[body].pose.place);
            const tl_vec3 turn = tl_vec3_cross(arm, push);
            const double load[6] = {push.x, push.y, push.z, turn.x, turn.y, turn.z};
            for (size_t i = 0; i < 6; i++)
                s->slope[6 * (size_t)(s->block[body] - 1) + i] -= e ? -load[i] : load[i];
        }
    }
    return energy;
}

/* The slope along the step, at `part` of it. */
static double slope_along(const tl_rigids *all, double part) {
    const tl_settling *s = &all->settling;
    double sum = 0;
    for (size_t k = 0; k < s->blocks; k++) {
        double change[6], momentum[6];
        for (size_t i = 0; i < 6; i++)
            change[i] = s->now[6 * k + i] + part * s->step[6 * k + i] - s->start[6 * k + i];
        weigh(&all->items[s->order[k]], change, momentum);
        for (size_t i = 0; i < 6; i++)
            sum += s->step[6 * k + i] * momentum[i];
    }
    for (size_t k = 0; k < all->contact_count; k++) {
        const tl_rigid_contact *c = &all->contacts[k];
        const tl_vec3 way = difference(all, c, s->step);
        const tl_vec3 v = tl_vec3_mad(contact_speed(all, c, s->now), part, way);
        sum -= tl_vec3_dot(way, impulse_at(c, v));
    }
    return sum;
}

/* How far to go along the step, where a whole one may lead up again: by regula falsi (Illinois),
 * since matter that slides a little sticks, which stops a step after a tiny part of it. */
static double search(const tl_rigids *all) {
    const double flat = flattest * slope_along(all, 0);
    double low = 0, high = 1, at_low = flat / flattest, at_high = slope_along(all, 1), part = 1;
    if (at_high <= 0)
        return 1;
    for (int k = 0; k < MOST_TRIES; k++) {
        part = (low * at_high - high * at_low) / (at_high - at_low);
        const double slope = slope_along(all, part);
        if (fabs(slope) <= -flat)
            break;
        if (slope > 0) {
            high = part, at_high = slope;
            at_low *= 0.5;
        } else {
            low = part, at_low = slope;
            at_high *= 0.5;
        }
    }
    return part;
}

static void descend(tl_rigids *all) {
    tl_settling *s = &all->settling;
    for (int k = 0; k < MOST_STEPS; k++) {
        const double energy = find_slope(all);
        double gain = 0;
        fill_matrix(all);
        solve(s);
        for (size_t r = 0; r < 6 * s->blocks; r++)
            gain -= s->step[r] * s->slope[r];
        /* The last step is taken too: impulses are a million times as sensitive as speeds. */
        const bool last = !(gain > least_gain * energy);
        const double part = last ? 1 : search(all);
        for (size_t r = 0; r < 6 * s->blocks; r++)
            s->now[r] += part * s->step[r];
        if (last)
            return;
    }
}

/* Renews the bounds of friction by the pushes. Returns whether some have changed. */
static bool renew_bounds(tl_rigids *all) {
    double most = 0, change = 0;
    for (size_t k = 0; k < all->contact_count; k++) {
        tl_rigid_contact *c = &all->contacts[k];
        const double bound = c->friction * push_of(c, contact_speed(all, c, all->settling.now));
        most = fmax(most, bound);
        change = fmax(change, fabs(bound - c->bound));
        c->bound = bound;
    }
    return change > least_change * most;
}

tl_status tl_rigids_settle(tl_rigids *all, tl_error *error) {
    tl_settling *s = &all->settling;
    TL_TRY(number(all, error));
    TL_TRY(lay_out(all, error));
    for (size_t k = 0; k < s->blocks; k++) {
        const tl_rigid *r = &all->items[s->order[k]];
        const double q[6] = {r->velocity.x, r->velocity.y, r->velocity.z,
                             r->spin.x,     r->spin.y,     r->spin.z};
        memcpy(s->start + 6 * k, q, sizeof q);
        memcpy(s->now + 6 * k, q, sizeof q);
    }
    for (size_t k = 0; k < all->contact_count; k++) {
        tl_rigid_contact *c = &all->contacts[k];
        c->bound = 0;
        c->give = mobility(&all->items[c->a], c->point, c->normal);
        if (c->b != c->a)
            c->give += mobility(&all->items[c->b], c->point, c->normal);
        c->give *= softness;
    }
    for (int k = 0; k < MOST_ROUNDS; k++) {
        descend(all);
        if (!renew_bounds(all))
            break;
    }
    for (size_t k = 0; k < all->contact_count; k++) {
        tl_rigid_contact *c = &all->contacts[k];
        c->impulse = impulse_at(c, contact_speed(all, c, s->now));
    }
    return TL_OK;
}

#define ARRAYS(s) (s)->block, (s)->order, (s)->first, (s)->begin, (s)->matrix, (s)->vectors

size_t tl_settling_bytes(const tl_settling *s) { return TL_ARRAYS_BYTES(ARRAYS(s)); }

void tl_settling_free(tl_settling *s) {
    TL_ARRAYS_FREE(ARRAYS(s));
    *s = (tl_settling){0};
}
