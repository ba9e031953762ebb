/* See rigid_modes.h. */
#include "flow/rigid_contacts.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Matter that is sheared along a body by less than the first in a step sticks to it, by more than
 * the second it slides (rad). */
static const double sticks = 0.05, slides = 0.2;

/* ---- Room --------------------------------------------------------------------------------------
 */

tl_status tl_modes_begin(tl_rigid_modes *m, size_t count, size_t n, tl_error *error) {
    m->count = count;
    m->member_count = m->contact_count = 0;
    if (count == 0)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(m->items, 0, count, error));
    TL_TRY(TL_ARRAY_RESERVE(m->motion, 0, count, error));
    TL_TRY(TL_ARRAY_RESERVE(m->member_of, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(m->body_of, 0, n, error));
    memset(m->items, 0, count * sizeof *m->items);
    memset(m->member_of, 0, n * sizeof *m->member_of);
    memset(m->body_of, 0, n * sizeof *m->body_of);
    return TL_OK;
}

#define ARRAYS(m)                                                                                  \
    (m)->items, (m)->members, (m)->member_of, (m)->body_of, (m)->motion, (m)->contacts,            \
        (m)->joint, (m)->mobile

size_t tl_modes_bytes(const tl_rigid_modes *m) { return TL_ARRAYS_BYTES(ARRAYS(m)); }

void tl_modes_free(tl_rigid_modes *m) {
    TL_ARRAYS_FREE(ARRAYS(m));
    *m = (tl_rigid_modes){0};
}

tl_status tl_modes_add(tl_rigid_modes *m, const tl_rigid_member *member, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(m->members, m->member_count, m->member_count + 1, error));
    m->members[m->member_count++] = *member;
    m->member_of[member->particle] = (uint32_t)m->member_count;
    m->body_of[member->particle] = member->body + 1;
    m->items[member->body].particles++;
    return TL_OK;
}

void tl_modes_hold(const tl_rigid_modes *m, tl_strain *s) {
    s->body_of = m->count ? m->body_of : NULL;
    for (size_t k = 0; k < m->member_count; k++)
        s->motion[m->members[k].particle].volume = 0;
    if (m->count)
        tl_images_share(s->records, TL_SHARED_MEMBER(s->motion, tl_motion, volume));
}

/* ---- Rigid motions -----------------------------------------------------------------------------
 */

/* N q at an arm from the centre. */
static void speed_at(const double q[6], const double arm[3], double out[3]) {
    tl_cross(q + 3, arm, out);
    for (int k = 0; k < 3; k++)
        out[k] += q[k];
}

/* out += Nᵀ f */
static void add_load(const double arm[3], const double f[3], double out[6]) {
    double moment[3];
    tl_cross(arm, f, moment);
    for (int k = 0; k < 3; k++) {
        out[k] += f[k];
        out[3 + k] += moment[k];
    }
}

static void times(const double a[3][3], const double x[3], double out[3]) {
    for (int r = 0; r < 3; r++)
        out[r] = a[r][0] * x[0] + a[r][1] * x[1] + a[r][2] * x[2];
}

/* M q, and its inverse. */
static void momentum_of(const tl_rigid_mode *b, const double q[6], double out[6]) {
    for (int k = 0; k < 3; k++)
        out[k] = b->mass * q[k];
    times(b->inertia, q + 3, out + 3);
}

static void motion_of(const tl_rigid_mode *b, const double momentum[6], double out[6]) {
    for (int k = 0; k < 3; k++)
        out[k] = momentum[k] / b->mass;
    times(b->inverse, momentum + 3, out + 3);
}

static double dot(const double a[6], const double b[6]) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += a[k] * b[k];
    return sum;
}

/* |r|² of members that share a momentum r as a rigid motion does, for equal masses. */
static double spread_size2(const tl_rigid_mode *b) {
    double motion[6];
    motion_of(b, b->r, motion);
    return b->mass / (double)b->particles * dot(b->r, motion);
}

void tl_modes_guess(tl_rigid_modes *m, const float *mass, const double *velocity, double dt,
                    const double gravity[3]) {
    for (size_t k = 0; k < m->count; k++)
        memset(m->items[k].load, 0, sizeof m->items[k].load);
    for (size_t k = 0; k < m->member_count; k++) {
        const tl_rigid_member *e = &m->members[k];
        const double *v = velocity + 3 * (size_t)e->particle, own = (double)mass[e->particle];
        double momentum[3];
        speed_at(m->items[e->body].start, e->arm, momentum);
        for (int c = 0; c < 3; c++)
            momentum[c] = own * (v[c] - momentum[c]);
        add_load(e->arm, momentum, m->items[e->body].load);
    }
    for (size_t k = 0; k < m->count; k++) {
        tl_rigid_mode *b = &m->items[k];
        double change[6], twist[3];
        motion_of(b, b->load, change);
        times(b->inverse, b->pull + 3, twist);
        for (int c = 0; c < 6; c++) {
            const double fall = dt * (c < 3 ? gravity[c] + b->pull[c] : twist[c - 3]);
            b->now[c] = b->start[c] + (b->bound ? change[c] : fall);
        }
    }
}

void tl_modes_slide(const tl_rigid_modes *m, tl_strain *s, const double *start, double dt) {
    for (size_t l = 0; l < s->link_count; l++) {
        const tl_wall_link *link = &s->link[l];
        if (!link->body)
            continue;
        const double arm[3] = {(double)link->arm[0], (double)link->arm[1], (double)link->arm[2]};
        double v[3], speed2 = 0, into = 0, size2 = 0;
        speed_at(m->items[link->body - 1].start, arm, v);
        for (size_t k = 0; k < 3; k++) {
            v[k] -= start[3 * (size_t)link->particle + k];
            speed2 += v[k] * v[k];
            into += v[k] * (double)link->lift[k];
            size2 += pow((double)link->lift[k], 2);
        }
        /* `lift` points into the body: what goes that way does not slide. */
        const double along2 = fmax(speed2 - (size2 > 0 ? into * into / size2 : 0), 0);
        const double angle = dt * sqrt(along2 / (double)link->reach2);
        const float part = (float)fmin(fmax((slides - angle) / (slides - sticks), 0), 1);
        float *affine = &s->affine[link->particle];
        *affine = fminf(*affine, part);
    }
}

void tl_modes_restart(tl_rigid_modes *m) {
    for (size_t k = 0; k < m->count; k++)
        memcpy(m->items[k].start, m->items[k].now, sizeof m->items[k].start);
}

/* ---- Balance -----------------------------------------------------------------------------------
 */

void tl_modes_show(tl_rigid_modes *m, tl_strain *s) {
    for (size_t k = 0; k < m->count; k++)
        memcpy(m->motion[k], m->items[k].now, sizeof m->motion[k]);
    s->body_motion = (const double(*)[6])m->motion;
}

static void find_loads(tl_rigid_modes *m, const tl_strain *s, bool exact, float curve) {
    for (size_t k = 0; k < m->count; k++)
        memset(m->items[k].load, 0, sizeof m->items[k].load);
    for (size_t l = 0; l < s->link_count; l++) {
        const tl_wall_link *link = &s->link[l];
        if (!link->body)
            continue;
        float force[3];
        tl_link_force(s, link, exact, curve, force);
        const double volume = (double)s->motion[link->particle].volume;
        double arm[3], f[3];
        for (int k = 0; k < 3; k++) {
            arm[k] = (double)link->arm[k];
            f[k] = volume * (double)force[k];
        }
        add_load(arm, f, m->items[link->body - 1].load);
    }
}

tl_modes_sums tl_modes_balance(tl_rigid_modes *m, const tl_strain *s, double dt,
                               const double gravity[3], float curve) {
    tl_modes_sums sums = {0};
    find_loads(m, s, true, curve);
    for (size_t k = 0; k < m->count; k++) {
        tl_rigid_mode *b = &m->items[k];
        double change[6], momentum[6], farthest2 = 0;
        for (int c = 0; c < 6; c++)
            change[c] = b->now[c] - b->start[c];
        momentum_of(b, change, momentum);
        sums.force_power -= dot(b->load, b->now);
        sums.lag += 0.5 * dot(change, momentum);
        for (int c = 0; c < 6; c++) {
            const double given = c < 3 ? b->mass * dt * (gravity[c] + b->pull[c]) : dt * b->pull[c];
            b->r[c] = given - momentum[c] - dt * b->load[c];
        }
        /* The radius of gyration is as far as half of the body is. */
        for (int c = 0; c < 3; c++)
            farthest2 += b->inertia[c][c] / b->mass;
        const double spin = sqrt(farthest2) * sqrt(change[3] * change[3] + change[4] * change[4] +
                                                   change[5] * change[5]);
        const double speed =
            sqrt(change[0] * change[0] + change[1] * change[1] + change[2] * change[2]);
        sums.acceleration2 = fmax(sums.acceleration2, (speed + spin) * (speed + spin));
    }
    for (size_t k = 0; k < m->count; k++)
        sums.free2 += spread_size2(&m->items[k]);
    sums.changed = tl_contacts_balance(m, dt, &sums);
    for (size_t k = 0; k < m->count; k++) {
        sums.residual2 += spread_size2(&m->items[k]);
        sums.along += dot(m->items[k].r, m->items[k].w);
    }
    return sums;
}

/* ---- Preconditioner ----------------------------------------------------------------------------
 */

void tl_modes_begin_blocks(tl_rigid_modes *m) {
    for (size_t k = 0; k < m->count; k++) {
        tl_rigid_mode *b = &m->items[k];
        memset(b->factor, 0, sizeof b->factor);
        for (int c = 0; c < 3; c++) {
            b->factor[c][c] = b->mass;
            memcpy(&b->factor[3 + c][3], b->inertia[c], sizeof b->inertia[c]);
        }
    }
}

/* Adds Nᵀ B N. */
void tl_modes_add_block(tl_rigid_modes *m, const tl_wall_link *link, const float B[6]) {
    const double x = (double)link->arm[0], y = (double)link->arm[1], z = (double)link->arm[2];
    const double N[3][6] = {{1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}, {0, 0, 1, y, -x, 0}};
    const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    tl_rigid_mode *body = &m->items[link->body - 1];
    for (int r = 0; r < 6; r++)
        for (int a = 0; a < 3; a++) {
            double row = 0;
            for (int b = 0; b < 3; b++)
                row += N[b][r] * (double)B[at[b][a]];
            for (int c = 0; c < 6; c++)
                body->factor[r][c] += row * N[a][c];
        }
}

tl_status tl_modes_end_blocks(tl_rigid_modes *m, tl_error *error) {
    if (m->contact_count > 0)
        return tl_contacts_factor(m, error);
    for (size_t k = 0; k < m->count; k++) {
        double(*L)[6] = m->items[k].factor;
        for (int r = 0; r < 6; r++)
            for (int c = 0; c <= r; c++) {
                double s = L[r][c];
                for (int j = 0; j < c; j++)
                    s -= L[r][j] * L[c][j];
                /* Positive but for rounding. */
                L[r][c] = r == c ? sqrt(fmax(s, 1e-12 * L[r][r])) : s / L[c][c];
            }
    }
    return TL_OK;
}

static void solve_block(const tl_rigid_mode *b, double part, double out[6]) {
    const double(*L)[6] = (const double(*)[6])b->factor;
    for (int r = 0; r < 6; r++) {
        double s = part * b->r[r];
        for (int c = 0; c < r; c++)
            s -= L[r][c] * out[c];
        out[r] = s / L[r][r];
    }
    for (int r = 5; r >= 0; r--) {
        double s = out[r];
        for (int c = r + 1; c < 6; c++)
            s -= L[c][r] * out[c];
        out[r] = s / L[r][r];
    }
}

/* z = part block⁻¹ r of the bodies, and the motions that their residuals make. */
static void precondition(tl_rigid_modes *m, double part) {
    for (size_t k = 0; k < m->count && m->contact_count == 0; k++) {
        motion_of(&m->items[k], m->items[k].r, m->motion[k]);
        solve_block(&m->items[k], part, m->items[k].z);
    }
    if (m->contact_count == 0)
        return;
    tl_contacts_solve(m, part, m->motion);
    for (size_t k = 0; k < m->count; k++) {
        memcpy(m->items[k].z, m->motion[k], sizeof m->motion[k]);
        memcpy(m->motion[k], m->items[k].r, sizeof m->motion[k]);
    }
    tl_contacts_move(m, m->motion);
}

void tl_modes_spread(tl_rigid_modes *m, const float *mass, double part, float *r, float *z) {
    precondition(m, part);
    for (size_t k = 0; k < m->count; k++) {
        const tl_rigid_mode *b = &m->items[k];
        if (!b->bound) {
            memset(m->motion[k], 0, sizeof m->motion[k]);
            memset(m->items[k].z, 0, sizeof b->z);
        }
    }
    for (size_t k = 0; k < m->member_count; k++) {
        const tl_rigid_member *e = &m->members[k];
        const size_t i = e->particle;
        double v[3];
        speed_at(m->motion[e->body], e->arm, v);
        for (size_t c = 0; c < 3; c++) {
            r[4 * i + c] = mass[i] * (float)v[c];
            z[4 * i + c] = 0;
        }
    }
}

double tl_modes_gather(tl_rigid_modes *m, const float *mass, float *r, float *z) {
    double sum = 0;
    for (size_t k = 0; k < m->count; k++)
        memset(m->motion[k], 0, sizeof m->motion[k]);
    for (size_t k = 0; k < m->member_count; k++) {
        const tl_rigid_member *e = &m->members[k];
        const size_t i = e->particle;
        double f[3];
        for (size_t c = 0; c < 3; c++) {
            f[c] = (double)(mass[i] * z[4 * i + c]);
            r[4 * i + c] = z[4 * i + c] = 0;
        }
        add_load(e->arm, f, m->motion[e->body]);
    }
    if (m->contact_count > 0)
        tl_contacts_move(m, m->motion);
    for (size_t k = 0; k < m->count; k++) {
        double found[6];
        memcpy(found, m->motion[k], sizeof found);
        if (m->contact_count == 0)
            motion_of(&m->items[k], m->motion[k], found);
        for (int c = 0; c < 6 && m->items[k].bound; c++)
            m->items[k].z[c] += found[c];
        sum += dot(m->items[k].r, m->items[k].z);
    }
    return sum;
}

/* ---- Conjugate gradients -----------------------------------------------------------------------
 */

void tl_modes_clear(tl_rigid_modes *m) {
    for (size_t k = 0; k < m->count; k++)
        memset(m->items[k].w, 0, sizeof m->items[k].w);
}

void tl_modes_direct(tl_rigid_modes *m, tl_strain *s, double beta) {
    for (size_t k = 0; k < m->count; k++) {
        tl_rigid_mode *b = &m->items[k];
        for (int c = 0; c < 6; c++)
            b->p[c] = m->motion[k][c] = b->z[c] + (beta > 0 ? beta * b->p[c] : 0);
    }
    s->body_motion = (const double(*)[6])m->motion;
}

double tl_modes_apply(tl_rigid_modes *m, const tl_strain *s, double dt) {
    double sum = 0;
    find_loads(m, s, false, 0);
    for (size_t k = 0; k < m->count; k++) {
        tl_rigid_mode *b = &m->items[k];
        momentum_of(b, b->p, b->q);
        for (int c = 0; c < 6; c++)
            b->q[c] += dt * b->load[c];
    }
    tl_contacts_apply(m);
    for (size_t k = 0; k < m->count; k++)
        sum += dot(m->items[k].p, m->items[k].q);
    return sum;
}

double tl_modes_advance(tl_rigid_modes *m, double alpha) {
    double sum = 0;
    for (size_t k = 0; k < m->count; k++) {
        tl_rigid_mode *b = &m->items[k];
        for (int c = 0; c < 6; c++) {
            b->w[c] += alpha * b->p[c];
            b->r[c] -= alpha * b->q[c];
        }
        sum += spread_size2(b);
    }
    return sum;
}

void tl_modes_take(tl_rigid_modes *m, double part, double *velocity) {
    for (size_t k = 0; k < m->count; k++)
        for (int c = 0; c < 6; c++)
            m->items[k].now[c] += part * m->items[k].w[c];
    for (size_t k = 0; k < m->member_count; k++) {
        const tl_rigid_member *e = &m->members[k];
        speed_at(m->items[e->body].now, e->arm, velocity + 3 * (size_t)e->particle);
    }
}
