/* What a solve reports of itself and what it iterates with, against sums in double precision. */
#include "flow/balance.h"
#include "solve_problem.h"

/* ---- The residual in double precision ----------------------------------------------------------
 */

/* The particle a record stands for. */
static size_t source_of(const problem *o, size_t j) { return tl_source_of(&o->p.records, j); }

static void times_inverse(const problem *o, size_t i, const double x[6], double out[6]) {
    const float *inverse =
        o->p.solver.strain.inverse + i / TL_LANES * TL_LANES * TL_SYM6 + i % TL_LANES;
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int c = 0; c < 6; c++)
            out[r] += (double)inverse[tl_sym6_at(r, c) * TL_LANES] * x[c];
    }
}

/* d and m of pair k of row i; the other record. */
static size_t pair_of(const problem *o, size_t i, size_t k, double d[3], double m[6]) {
    const tl_strain *s = &o->p.solver.strain;
    const size_t j = s->index[s->begin[i] + k];
    for (size_t a = 0; a < 3; a++)
        d[a] = (double)packing_motion(&o->p, j)->x[a] - (double)packing_motion(&o->p, i)->x[a];
    for (int a = 0; a < 3; a++)
        m[a] = d[a] * d[a];
    m[3] = 2 * d[0] * d[1], m[4] = 2 * d[0] * d[2], m[5] = 2 * d[1] * d[2];
    return j;
}

/* b, what of it ς does not know, and the force of ς of particle i, per volume. */
static void fit(const problem *o, size_t i, double b[6], double unbraced[6], double brace[3]) {
    const tl_strain *s = &o->p.solver.strain;
    const double *u = o->velocity + 3 * i, half = 0.5 * o->task.dt;
    memset(b, 0, 6 * sizeof *b);
    memset(unbraced, 0, 6 * sizeof *unbraced);
    memset(brace, 0, 3 * sizeof *brace);
    for (size_t k = 0; k < s->size[i]; k++) {
        double d[3], m[6], longer = 0;
        const size_t j = pair_of(o, i, k, d, m);
        const double *v = o->velocity + 3 * source_of(o, j), w = (double)s->weight[s->begin[i] + k];
        for (int a = 0; a < 3; a++)
            longer += d[a] * (v[a] - u[a]) + half * pow(v[a] - u[a], 2);
        for (int a = 0; a < 6; a++)
            b[a] += w * longer * m[a];
        const double both =
            (double)packing_motion(&o->p, i)->brace + (double)packing_motion(&o->p, j)->brace;
        for (int a = 0; a < 3; a++)
            brace[a] += w * both * longer * d[a];
    }
    if (!s->link_of[i])
        return;
    const tl_wall_link *link = &s->link[s->link_of[i] - 1];
    static const int packed[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    float lever[6][3];
    tl_strain_lever(&link->thirds, lever);
    double speed2 = 0;
    for (int a = 0; a < 3; a++)
        speed2 += pow((double)link->velocity[a] - u[a], 2);
    for (int a = 0; a < 6; a++) {
        const double bend = half * speed2 * (double)link->bend[a];
        unbraced[a] = (1 - (double)link->loose) * bend;
        b[a] += (double)link->drive[a] + bend;
        for (int c = 0; c < 3; c++)
            b[a] -= (double)lever[a][c] * u[c];
    }
    for (int a = 0; a < 3; a++) {
        const double lift = half * speed2 * (double)link->loose;
        double f = (double)link->pull[a] + lift * (double)link->lift[a];
        for (int c = 0; c < 3; c++)
            f -= (double)link->drag[packed[a][c]] * u[c];
        brace[a] += (double)packing_motion(&o->p, i)->brace * f;
    }
}

/* The time over which the square of a strain rate counts: until it has strained thin matter by a
 * tenth, thick matter by a half. */
static double time_of_square(const problem *o, size_t i, const double E[6]) {
    double size2 = 0;
    for (int a = 0; a < 6; a++)
        size2 += (a < 3 ? 1 : 2) * E[a] * E[a];
    const double nu = (double)(o->task.viscosity[i] / o->p.solver.rest_density[i]);
    const double thick = fmin(nu * o->task.dt / (packing_dx * packing_dx), 1);
    return fmin(o->task.dt, (0.1 + 0.4 * thick) / fmax(sqrt(size2), 1e-20));
}

/* T of particle i from its b. */
static void traction(const problem *o, size_t i, const double b[6], const double unbraced[6],
                     double T[6]) {
    const tl_solver *s = &o->p.solver;
    double E[6], load[6];
    times_inverse(o, i, b, E);
    const double full[3][3] = {{E[0], E[3], E[4]}, {E[3], E[1], E[5]}, {E[4], E[5], E[2]}};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double time = time_of_square(o, i, E);
    for (int a = 0; a < 6; a++)
        for (int c = 0; c < 3; c++)
            E[a] -= time * full[row[a]][c] * full[c][column[a]];
    const double trace = E[0] + E[1] + E[2], eta = (double)s->shear[i];
    const double p = (double)s->lambda[i] +
                     (double)s->bulk[i] / o->task.dt *
                         (o->task.relief * (double)s->compression[i] - o->task.dt * trace);
    for (int a = 0; a < 6; a++)
        load[a] = (a < 3 ? 2 * eta * (E[a] - trace / 3) - p : 4 * eta * E[a]) -
                  (double)packing_motion(&o->p, i)->brace / (1 + (double)TL_LEAST_ROUND) *
                      (b[a] - unbraced[a]);
    times_inverse(o, i, load, T);
}

/* |m (dt g - (u - uⁿ)) + dt F| over all particles. */
static double true_residual(const problem *o) {
    const tl_strain *s = &o->p.solver.strain;
    double(*T)[6] = calloc(o->p.count, sizeof *T), (*f)[3] = calloc(o->p.count, sizeof *f);
    double sum = 0, b[6], unbraced[6];
    for (size_t i = 0; i < o->p.count; i++) {
        fit(o, i, b, unbraced, f[i]);
        traction(o, i, b, unbraced, T[i]);
    }
    for (size_t i = 0; i < o->p.count; i++) {
        for (size_t k = 0; k < s->size[i]; k++) {
            double d[3], m[6], along = 0;
            const size_t j = source_of(o, pair_of(o, i, k, d, m));
            for (int a = 0; a < 6; a++)
                along += m[a] * (T[i][a] + T[j][a]);
            for (int a = 0; a < 3; a++)
                f[i][a] += (double)s->weight[s->begin[i] + k] * along * d[a];
        }
        float lever[6][3] = {{0}};
        if (s->link_of[i])
            tl_strain_lever(&s->link[s->link_of[i] - 1].thirds, lever);
        for (size_t a = 0; a < 3; a++) {
            for (int c = 0; c < 6; c++)
                f[i][a] += (double)lever[c][a] * T[i][c];
            const double change = o->velocity[3 * i + a] - o->p.solver.start[3 * i + a];
            sum += pow((double)o->mass[i] * (o->task.dt * o->task.force.uniform[a] - change) +
                           o->task.dt * packing_volume(&o->p, i) * f[i][a],
                       2);
        }
    }
    free(T);
    free(f);
    return sqrt(sum);
}

static const tl_wall_def corner[] = {{.plane = TL_SIDE_Z, .velocity = {0.1, 0, 0}},
                                     {.plane = TL_SIDE_Y, .contact = TL_CONTACT_FREE_SLIP}};
static const packing_plan plans[] = {
    {.n = {9, 8, 9}, .jitter = 0.2, .uneven = true},
    {.n = {9, 8, 9}, .jitter = 0.2, .uneven = true, .walls = corner, .wall_count = 2},
    {.n = {9, 8, 9}, .jitter = 0.2, .periodic = {true}, .walls = corner, .wall_count = 1}};

/* Compressed matter under gravity that is stirred: everything at once. */
static void problem_stir(problem *o, const packing_plan *plan, double eta) {
    const double G[3][3] = {{0.2, -0.4, 0.1}, {0.1, -0.6, 0.8}, {0.5, 0.02, 0.4}};
    problem_make(o, plan, eta, 0.005);
    problem_start(o, (const double[]){0.02, 0.01, -0.02}, G);
    o->task.force.uniform[0] = 2;
    o->task.force.uniform[2] = -9.81;
    o->task.pulls = true; /* all under pressure, so that p is known from λ, e and H */
    for (size_t i = 0; i < o->p.count; i++) {
        o->p.solver.lambda[i] = (float)random_between(0, 1000, 41, i);
        o->p.solver.compression[i] = (float)random_between(-0.01, 0.02, 42, i);
    }
}

/* Of what gravity gives, the part that counts: in thin matter what velocities change by, but a
 * fifth at least. */
static double counted(const problem *o, bool thin, double given) {
    double change = 0;
    for (size_t i = 0; thin && i < 3 * o->p.count; i++)
        change += pow((double)o->mass[i / 3] * (o->velocity[i] - o->p.solver.start[i]), 2);
    return thin ? fmin(fmax(sqrt(change), 0.2 * given), given) : given;
}

Test(solve, the_residual_it_reports_is_the_true_one) {
    const double viscosities[] = {0, 1, 1e4};
    for (int k = 0; k < 9; k++) {
        problem o;
        problem_stir(&o, &plans[k / 3], viscosities[k % 3]);
        double weight = 0;
        for (size_t i = 0; i < o.p.count; i++)
            weight += pow((double)o.mass[i] * hypot(9.81, 2) * o.task.dt, 2);
        /* Without an iteration the solve only looks at where it stands. */
        o.task.max_outer = 0;
        solve(&o);
        const double given = counted(&o, viscosities[k % 3] == 0, sqrt(weight)),
                     first = true_residual(&o), scale = fmax(given, 0.1 * first);
        o.task.max_outer = 8;
        const tl_solve_report report = solve(&o);
        const double left = true_residual(&o) / scale;
        cr_expect(report.converged && report.outer > 0, "case %d", k);
        cr_expect_float_eq(report.residual, left, 0.02 * left + 1e-5, "case %d: %g, not %g", k,
                           report.residual, left);
        problem_free(&o);
    }
}

/* Between particles forces cancel: what is left of all comes from the walls. */
Test(solve, the_force_of_walls_and_gravity_is_the_change_of_momentum) {
    for (int k = 0; k < 3; k++) {
        problem o;
        problem_stir(&o, &plans[k], 1);
        const tl_solve_report report = solve(&o);
        double before[6], after[6], mass = 0;
        momenta(&o, o.p.solver.start, before);
        momenta(&o, o.velocity, after);
        for (size_t i = 0; i < o.p.count; i++)
            mass += (double)o.mass[i];
        for (int a = 0; a < 3; a++) {
            const double given =
                o.task.dt * (mass * o.task.force.uniform[a] + report.wall_force[a]);
            /* |Σ r| <= √n |r| */
            cr_expect_float_eq(after[a] - before[a], given,
                               2 * o.task.tolerance * mass * 9.81 * o.task.dt + 1e-6 * mass,
                               "plan %d, axis %d: %g, not %g", k, a, after[a] - before[a], given);
        }
        problem_free(&o);
    }
}

/* ---- The iteration -----------------------------------------------------------------------------
 */

/* One iteration from a random r leaves the direction p = M⁻¹ r in the motion and A p in q. */
static void one_iteration(problem *o, uint64_t seed, double *r, double *p, double *q) {
    tl_solver *s = &o->p.solver;
    const size_t mark = tl_scratch_mark(s->scratch);
    tl_balance_take(s);
    tl_iterate_take(s);
    for (size_t i = 0; i < 4 * o->p.count; i++) {
        s->r[i] = i % 4 < 3 ? (float)random_between(-1, 1, seed, i) : 0;
        r[i] = (double)s->r[i];
    }
    o->task.max_iterations = 1;
    double gain;
    tl_iterate(s, &o->task, 0, &gain);
    for (size_t i = 0; i < 4 * o->p.count; i++) {
        p[i] = i % 4 < 3 ? (double)packing_motion(&o->p, i / 4)->u[i % 4] : 0;
        q[i] = i % 4 < 3 ? (double)s->q[i] : 0;
    }
    tl_scratch_release(s->scratch, mark);
}

static double dot(const problem *o, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < 4 * o->p.count; i++)
        sum += a[i] * b[i];
    return sum;
}

Test(solve, operator_and_preconditioner_are_symmetric_and_positive) {
    const double viscosities[] = {0, 1, 1e4};
    for (int k = 0; k < 9; k++) {
        problem o;
        problem_stir(&o, &plans[k / 3], viscosities[k % 3]);
        o.task.max_outer = 1; /* sets all that the operator needs */
        solve(&o);
        double *v[6];
        for (int e = 0; e < 6; e++)
            v[e] = calloc(4 * o.p.count, sizeof(double));
        one_iteration(&o, 1, v[0], v[1], v[2]);
        one_iteration(&o, 2, v[3], v[4], v[5]);
        const double M = dot(&o, v[0], v[1]), N = dot(&o, v[3], v[4]);
        const double A = dot(&o, v[1], v[2]), B = dot(&o, v[4], v[5]);
        cr_expect(M > 0 && N > 0 && A > 0 && B > 0, "case %d", k);
        const double skew_M = (dot(&o, v[0], v[4]) - dot(&o, v[3], v[1])) / sqrt(M * N);
        const double skew_A = (dot(&o, v[1], v[5]) - dot(&o, v[4], v[2])) / sqrt(A * B);
        cr_expect_lt(fabs(skew_M), 1e-5, "case %d: %g", k, skew_M);
        cr_expect_lt(fabs(skew_A), 1e-5, "case %d: %g", k, skew_A);
        for (int e = 0; e < 6; e++)
            free(v[e]);
        problem_free(&o);
    }
}

Test(solve, does_not_depend_on_the_number_of_threads) {
    packing_plan plan = plans[1];
    plan.n[0] = 12, plan.n[1] = 11, plan.n[2] = 10; /* several blocks */
    problem one, two;
    problem_stir(&one, &plan, 1);
    plan.threads = 2;
    problem_stir(&two, &plan, 1);
    const tl_solve_report a = solve(&one), b = solve(&two);
    cr_assert(a.converged && a.iterations == b.iterations && a.residual == b.residual);
    cr_assert_eq(memcmp(one.velocity, two.velocity, 3 * one.p.count * sizeof(double)), 0);
    cr_assert_eq(memcmp(one.p.solver.pressure, two.p.solver.pressure, one.p.count * sizeof(float)),
                 0);
    problem_free(&one);
    problem_free(&two);
}
