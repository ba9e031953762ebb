/* See rigid_contacts.h. */
#include "flow/rigid_contacts.h"

#include <math.h>
#include <string.h>

/* κ of a contact over the mass of all there is: what lies on it sinks into it by a ten thousandth
 * of what it would fall by. */
static const double stiffness = 1e4;

/* Friction that changes by less than this part is settled. */
static const double settled = 0.1;

/* So often is looked at who pushes and at friction. After that nobody lets go and friction stays as
 * it is, so that the solve ends; impulses after it see to the rest. */
enum { most_looks = 4 };

/* ---- Motions -----------------------------------------------------------------------------------
 */

static bool with_wall(const tl_mode_contact *c) { return c->b == c->a; }

/* N q at an arm. */
static void add_speed(const double q[6], const double arm[3], double sign, double out[3]) {
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] += sign * (q[k] + q[3 + l] * arm[m] - q[3 + m] * arm[l]);
    }
}

/* out += sign Nᵀ f */
static void add_impulse(const double arm[3], const double f[3], double sign, double out[6]) {
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] += sign * f[k];
        out[3 + k] += sign * (arm[l] * f[m] - arm[m] * f[l]);
    }
}

static double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Adds an impulse on a, and the opposite on b if that is a body, to r or q of the bodies. */
static void push(const tl_rigid_modes *m, const tl_mode_contact *c, const double f[3],
                 size_t member) {
    double *a = (double *)((char *)&m->items[c->a] + member);
    add_impulse(c->arm_a, f, 1, a);
    if (!with_wall(c))
        add_impulse(c->arm_b, f, -1, (double *)((char *)&m->items[c->b] + member));
}

/* ---- Contacts ----------------------------------------------------------------------------------
 */

tl_status tl_contacts_add(tl_rigid_modes *m, const tl_mode_contact *c, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(m->contacts, m->contact_count, m->contact_count + 1, error));
    m->contacts[m->contact_count++] = *c;
    return TL_OK;
}

void tl_contacts_stiffen(tl_rigid_modes *m, double mass) {
    m->stiffness = stiffness * mass;
    for (size_t k = 0; k < m->contact_count; k++)
        m->contacts[k].rub = m->stiffness, m->contacts[k].pushes = true;
}

/* Whether one of the two that touch rests on the other, `up` towards it: what slides along a wall,
 * or hangs on it by friction, does not. */
static bool rests(const tl_mode_contact *c, const double gravity[3], double up) {
    return -up * dot3(c->normal, gravity) > 0.5 * sqrt(dot3(gravity, gravity));
}

void tl_contacts_find_carried(tl_rigid_modes *m, const double gravity[3]) {
    bool more = true;
    for (size_t k = 0; k < m->count; k++)
        m->items[k].carried = false;
    while (more) {
        more = false;
        for (size_t k = 0; k < m->contact_count; k++) {
            const tl_mode_contact *c = &m->contacts[k];
            tl_rigid_mode *a = &m->items[c->a], *b = &m->items[c->b];
            const bool lifts_a = !a->carried && (with_wall(c) || b->carried);
            const bool lifts_b = !b->carried && !with_wall(c) && a->carried;
            a->carried = a->carried || (lifts_a && rests(c, gravity, 1));
            b->carried = b->carried || (lifts_b && rests(c, gravity, -1));
            more = more || (lifts_a && a->carried) || (lifts_b && b->carried);
        }
    }
}

/* What friction resists slip with: as stiff as the contact until it reaches Coulomb's `most`, and
 * then what takes it there at the present slip. When it begins to slide that slip is still that of
 * the spring, and the mass behind it tells more. The first look is at a guess, which no contact has
 * stopped yet. */
static double find_rub(const tl_rigid_modes *m, const tl_mode_contact *c, double slip,
                       double most) {
    const double drawn = c->rub * slip;
    if (c->looks == 0)
        return m->stiffness;
    if (c->looks >= most_looks)
        return c->rub;
    if (c->rub < m->stiffness)
        return slip > 0 ? fmin(most / slip, m->stiffness) : m->stiffness;
    return drawn > most ? fmin(most * c->mass / (drawn - most), m->stiffness) : m->stiffness;
}

/* The impulse of a contact at the relative velocity v. */
static void find_impulse(const tl_rigid_modes *m, tl_mode_contact *c, const double v[3],
                         double out[3]) {
    const double along = dot3(v, c->normal);
    double slip[3];
    for (int k = 0; k < 3; k++)
        slip[k] = v[k] - along * c->normal[k];
    const double push = m->stiffness * (c->target - along);
    c->pushes = push > 0 || (c->pushes && c->looks >= most_looks);
    if (c->pushes)
        c->rub = find_rub(m, c, sqrt(dot3(slip, slip)), c->friction * fmax(push, 0));
    c->looks++;
    for (int k = 0; k < 3; k++)
        out[k] = c->pushes ? push * c->normal[k] - c->rub * slip[k] : 0;
}

bool tl_contacts_balance(tl_rigid_modes *m, double dt, tl_modes_sums *sums) {
    bool changed = false;
    for (size_t k = 0; k < m->contact_count; k++) {
        tl_mode_contact *c = &m->contacts[k];
        double own[3] = {0}, v[3], impulse[3];
        add_speed(m->items[c->a].now, c->arm_a, 1, own);
        if (!with_wall(c))
            add_speed(m->items[c->b].now, c->arm_b, -1, own);
        for (int e = 0; e < 3; e++)
            v[e] = own[e] - c->wall[e];
        const tl_mode_contact before = *c;
        find_impulse(m, c, v, impulse);
        memcpy(c->impulse, impulse, sizeof impulse);
        changed = changed || c->pushes != before.pushes ||
                  fabs(c->rub - before.rub) > settled * before.rub;
        push(m, c, impulse, offsetof(tl_rigid_mode, r));
        sums->force_power += dot3(impulse, own) / dt;
        sums->wall_power += dot3(impulse, c->wall) / dt;
        for (int e = 0; e < 3 && with_wall(c); e++)
            sums->wall_force[e] += impulse[e] / dt;
    }
    return changed;
}

/* What resists the relative velocity v. */
static void stiff_impulse(const tl_rigid_modes *m, const tl_mode_contact *c, const double v[3],
                          double out[3]) {
    const double along = dot3(v, c->normal);
    for (int k = 0; k < 3; k++)
        out[k] = c->rub * v[k] + (m->stiffness - c->rub) * along * c->normal[k];
}

bool tl_contacts_push(const tl_rigid_modes *m, size_t k) {
    bool pushed = false;
    for (size_t c = 0; c < m->contact_count && !pushed; c++)
        pushed = m->contacts[c].pushes && (m->contacts[c].a == k || m->contacts[c].b == k);
    return pushed;
}

void tl_contacts_apply(tl_rigid_modes *m) {
    for (size_t k = 0; k < m->contact_count; k++) {
        const tl_mode_contact *c = &m->contacts[k];
        double v[3] = {0}, impulse[3];
        if (!c->pushes)
            continue;
        add_speed(m->items[c->a].p, c->arm_a, 1, v);
        if (!with_wall(c))
            add_speed(m->items[c->b].p, c->arm_b, -1, v);
        stiff_impulse(m, c, v, impulse);
        push(m, c, impulse, offsetof(tl_rigid_mode, q));
    }
}

/* ---- Factors -----------------------------------------------------------------------------------
 */

/* Adds what contact c does to the matrix of all bodies, column by column. */
static void add_contact(const tl_rigid_modes *m, const tl_mode_contact *c, double *matrix) {
    const size_t n = 6 * m->count;
    const uint32_t bodies[2] = {c->a, c->b};
    const double *arms[2] = {c->arm_a, c->arm_b};
    const int sides = with_wall(c) ? 1 : 2;
    for (int from = 0; from < sides; from++)
        for (size_t e = 0; e < 6; e++) {
            double unit[6] = {0}, v[3] = {0}, f[3];
            unit[e] = 1;
            add_speed(unit, arms[from], from ? -1 : 1, v);
            stiff_impulse(m, c, v, f);
            for (int to = 0; to < sides; to++) {
                double column[6] = {0};
                add_impulse(arms[to], f, to ? -1 : 1, column);
                for (size_t r = 0; r < 6; r++)
                    matrix[(6 * bodies[to] + r) * n + 6 * bodies[from] + e] += column[r];
            }
        }
}

/* L of the matrix A = L Lᵀ, in its lower triangle. */
static void factor(double *A, size_t n) {
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c <= r; c++) {
            double sum = A[r * n + c];
            for (size_t k = 0; k < c; k++)
                sum -= A[r * n + k] * A[c * n + k];
            /* Positive but for rounding. */
            A[r * n + c] = r == c ? sqrt(fmax(sum, 1e-12 * A[r * n + r])) : sum / A[c * n + c];
        }
}

static void solve(const double *L, size_t n, double *x) {
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < r; c++)
            x[r] -= L[r * n + c] * x[c];
        x[r] /= L[r * n + r];
    }
    for (size_t r = n; r-- > 0;) {
        for (size_t c = r + 1; c < n; c++)
            x[r] -= L[c * n + r] * x[c];
        x[r] /= L[r * n + r];
    }
}

tl_status tl_contacts_factor(tl_rigid_modes *m, tl_error *error) {
    const size_t n = 6 * m->count;
    TL_TRY(TL_ARRAY_RESERVE(m->joint, 0, n * n, error));
    TL_TRY(TL_ARRAY_RESERVE(m->mobile, 0, n * n, error));
    memset(m->joint, 0, n * n * sizeof *m->joint);
    memset(m->mobile, 0, n * n * sizeof *m->mobile);
    for (size_t b = 0; b < m->count; b++) {
        const tl_rigid_mode *body = &m->items[b];
        for (size_t r = 0; r < 6; r++) {
            for (size_t c = 0; c < 6; c++)
                m->joint[(6 * b + r) * n + 6 * b + c] = body->factor[r][c];
            if (r < 3)
                m->mobile[(6 * b + r) * n + 6 * b + r] = body->mass;
            for (size_t c = 0; r >= 3 && c < 3; c++)
                m->mobile[(6 * b + r) * n + 6 * b + 3 + c] = body->inertia[r - 3][c];
        }
    }
    for (size_t k = 0; k < m->contact_count; k++)
        if (m->contacts[k].pushes) {
            add_contact(m, &m->contacts[k], m->joint);
            add_contact(m, &m->contacts[k], m->mobile);
        }
    factor(m->joint, n);
    factor(m->mobile, n);
    return TL_OK;
}

void tl_contacts_solve(const tl_rigid_modes *m, double part, double (*out)[6]) {
    for (size_t b = 0; b < m->count; b++)
        for (int k = 0; k < 6; k++)
            out[b][k] = part * m->items[b].r[k];
    solve(m->joint, 6 * m->count, out[0]);
}

void tl_contacts_move(const tl_rigid_modes *m, double (*momentum)[6]) {
    solve(m->mobile, 6 * m->count, momentum[0]);
}
