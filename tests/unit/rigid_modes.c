/* Rigid bodies in the implicit solve: a box of a packing that keeps its shape. */
#include "boundary/rigid_links.h"
#include "flow/balance.h"
#include "flow/border.h"
#include "flow/iterate.h"
#include "packing.h"
#include "sample_response.h"

#include <stdlib.h>

static const double density = 1000, stiff = 100;

/* A packing with a body in its middle, and the solve that is asked of it. */
typedef struct problem {
    packing p;
    tl_solve_task task;
    tl_shape surface;
    double centre[3];
    double *velocity;
    float *mass, *strain_rate, *viscosity;
} problem;

static void one_viscosity(void *context, const tl_strained *flow, unsigned wanted,
                          const tl_response *out, size_t begin, size_t end) {
    (void)context;
    respond_evenly(stiff, flow, wanted, out, end - begin);
}

/* The body is all within these corners, in spacings. */
static const double low[3] = {3, 3, 2}, high[3] = {7, 6, 5};

static bool is_inside(const float *x) {
    bool inside = true;
    for (int k = 0; k < 3; k++)
        inside =
            inside && (double)x[k] > packing_dx * low[k] && (double)x[k] < packing_dx * high[k];
    return inside;
}

static double depth_of(const problem *o, const float *x) {
    tl_vec3 normal;
    const tl_vec3 place = {(double)x[0], (double)x[1], (double)x[2]};
    return -tl_box_distance(&o->surface, place, &normal);
}

static void weigh(problem *o, tl_rigid_mode *body) {
    double sum[3] = {0};
    for (size_t i = 0; i < o->p.count; i++) {
        const float *x = packing_motion(&o->p, i)->x;
        body->mass += is_inside(x) ? (double)o->mass[i] : 0;
        for (int k = 0; k < 3; k++)
            sum[k] += is_inside(x) ? (double)o->mass[i] * (double)x[k] : 0;
    }
    for (int k = 0; k < 3; k++)
        o->centre[k] = sum[k] / body->mass;
    for (size_t i = 0; i < o->p.count; i++) {
        const float *x = packing_motion(&o->p, i)->x;
        double d[3], square = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = (double)x[k] - o->centre[k];
            square += d[k] * d[k];
        }
        for (int k = 0; k < 9 && is_inside(x); k++)
            body->inertia[k / 3][k % 3] +=
                (double)o->mass[i] * ((k % 4 == 0 ? square : 0) - d[k / 3] * d[k % 3]);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const double(*I)[3] = (const double(*)[3])body->inertia;
            const int p = (r + 1) % 3, q = (r + 2) % 3, s = (c + 1) % 3, t = (c + 2) % 3;
            double determinant = 0;
            for (int k = 0; k < 3; k++)
                determinant += I[0][k] * (I[1][(k + 1) % 3] * I[2][(k + 2) % 3] -
                                          I[1][(k + 2) % 3] * I[2][(k + 1) % 3]);
            body->inverse[c][r] = (I[p][s] * I[q][t] - I[p][t] * I[q][s]) / determinant;
        }
}

static void add_body(problem *o) {
    tl_rigid_modes *modes = &o->p.solver.modes;
    tl_error error = {0};
    o->surface =
        (tl_shape){.is_box = true,
                   .from = {packing_dx * low[0], packing_dx * low[1], packing_dx * low[2]},
                   .to = {packing_dx * high[0], packing_dx * high[1], packing_dx * high[2]}};
    packing_ok(tl_modes_begin(modes, 1, o->p.count, &error), &error);
    weigh(o, &modes->items[0]);
    for (size_t i = 0; i < o->p.count; i++) {
        const float *x = packing_motion(&o->p, i)->x;
        tl_rigid_member member = {.particle = (uint32_t)i, .depth = (float)depth_of(o, x)};
        for (int k = 0; k < 3; k++)
            member.arm[k] = (double)x[k] - o->centre[k];
        if (is_inside(x))
            packing_ok(tl_modes_add(modes, &member, &error), &error);
    }
    const tl_shapes surfaces = {.items = &o->surface, .count = 1};
    tl_pairs_plan pairs = packing_pairs(&o->p);
    pairs.bodies = &surfaces;
    pairs.viscosity = o->viscosity;
    pairs.thin = HUGE_VAL; /* all is */
    packing_ok(tl_pairs_make(&o->p.solver, &pairs, &error), &error);
}

static void problem_make(problem *o, const packing_plan *plan, double dt) {
    *o = (problem){0};
    packing_make(&o->p, plan);
    const size_t n = o->p.count;
    o->velocity = calloc(3 * n, sizeof *o->velocity);
    o->mass = calloc(n, sizeof *o->mass);
    o->strain_rate = calloc(n, sizeof *o->strain_rate);
    o->viscosity = calloc(n, sizeof *o->viscosity);
    for (size_t i = 0; i < n; i++) {
        o->mass[i] = (float)(density * packing_volume(&o->p, i));
        o->viscosity[i] = (float)stiff;
    }
    add_body(o);
    for (size_t i = 0; i < n; i++) {
        o->p.solver.rest_density[i] = (float)density;
        o->p.solver.lambda[i] = o->p.solver.compression[i] = 0;
    }
    o->task =
        (tl_solve_task){.part = TL_SOLVE_COUPLED,
                        .dt = dt,
                        .spacing = packing_dx,
                        .sizes = tl_sizes_alike(packing_dx, packing_support * packing_dx),
                        .full = 3 * tl_lattice_sums(TL_KERNEL_WENDLAND, packing_support).moment,
                        .stiffness = 100 * density * 9.81 * 10 * packing_dx,
                        .relief = 0.1,
                        .thick_relief = 0.1,
                        .brace = 0.1,
                        .damping = 0.1,
                        .tolerance = 1e-4,
                        .max_iterations = 500,
                        .max_outer = 8,
                        .curved = true,
                        .pulls = true,
                        .velocity = o->velocity,
                        .mass = o->mass,
                        .strain_rate = o->strain_rate,
                        .viscosity = o->viscosity,
                        .respond = one_viscosity,
                        .respond_context = o};
}

/* The body moves with a velocity and a spin, and matter turns with it through the angle of a step.
 */
static void problem_turn(problem *o, const double base[3], const double spin[3]) {
    tl_solver *s = &o->p.solver;
    const double dt = o->task.dt;
    for (size_t i = 0; i < o->p.count; i++) {
        const float *x = packing_motion(&o->p, i)->x;
        const tl_vec3 arm = {(double)x[0] - o->centre[0], (double)x[1] - o->centre[1],
                             (double)x[2] - o->centre[2]};
        const tl_turn turn = tl_turn_by(tl_vec3_scale(tl_vec3_of(spin), dt));
        const tl_vec3 way = tl_vec3_sub(tl_turn_apply(turn, arm), arm);
        const tl_vec3 u = tl_vec3_mad(tl_vec3_of(base), 1 / dt, way);
        const double all[3] = {u.x, u.y, u.z};
        memcpy(o->velocity + 3 * i, all, sizeof all);
    }
    for (int k = 0; k < 6; k++)
        s->modes.items[0].now[k] = k < 3 ? base[k] : spin[k - 3];
    tl_modes_clear(&s->modes);
    tl_modes_restart(&s->modes);
    tl_modes_take(&s->modes, 1, o->velocity);
    memcpy(s->start, o->velocity, 3 * o->p.count * sizeof *o->velocity);
}

static tl_solve_report solve(problem *o) {
    tl_solve_report report;
    tl_error error = {0};
    cr_assert_eq(tl_solve(&o->p.solver, &o->task, &report, &error), TL_OK, "%s", error.what);
    return report;
}

/* Momentum and, about the origin, angular momentum of all. */
static void momenta(const problem *o, const double *velocity, double out[6]) {
    memset(out, 0, 6 * sizeof *out);
    for (size_t i = 0; i < o->p.count; i++)
        for (int k = 0; k < 3; k++) {
            const float *x = packing_motion(&o->p, i)->x;
            const double *u = velocity + 3 * i, m = (double)o->mass[i];
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            out[k] += m * u[k];
            out[3 + k] += m * ((double)x[a] * u[b] - (double)x[b] * u[a]);
        }
}

static void problem_free(problem *o) {
    packing_free(&o->p);
    free(o->velocity);
    free(o->mass);
    free(o->strain_rate);
    free(o->viscosity);
}

static const packing_plan block = {.n = {10, 9, 8}, .jitter = 0.15, .uneven = true};

Test(rigid_modes, matter_turns_with_a_body_through_a_finite_angle) {
    const double base[3] = {0.1, -0.2, 0.3}, spin[3] = {12, -20, 18};
    problem o;
    problem_make(&o, &block, 0.01);
    problem_turn(&o, base, spin);
    solve(&o);
    double change = 0, whole = 0;
    for (size_t k = 0; k < 3 * o.p.count; k++) {
        change += pow(o.velocity[k] - o.p.solver.start[k], 2);
        whole += pow(o.p.solver.start[k], 2);
    }
    cr_expect_gt(o.p.solver.modes.items[0].links, 100);
    cr_expect_lt(sqrt(change / whole), 1e-4, "%g", sqrt(change / whole));
    problem_free(&o);
}

Test(rigid_modes, body_and_matter_keep_both_momenta) {
    const double base[3] = {0.1, -0.2, 0.3}, spin[3] = {1, -2, 3};
    problem o;
    problem_make(&o, &block, 0.002);
    problem_turn(&o, base, spin);
    for (int k = 0; k < 6; k++) /* the body has a motion of its own */
        o.p.solver.modes.items[0].start[k] = o.p.solver.modes.items[0].now[k] = k < 3 ? 0.5 : 20;
    tl_modes_take(&o.p.solver.modes, 1, o.velocity);
    memcpy(o.p.solver.start, o.velocity, 3 * o.p.count * sizeof *o.velocity);
    double before[6], after[6];
    momenta(&o, o.p.solver.start, before);
    const tl_solve_report report = solve(&o);
    momenta(&o, o.velocity, after);
    const double size = hypot(hypot(before[0], before[1]), before[2]);
    cr_expect(report.converged);
    for (int k = 0; k < 6; k++)
        cr_expect_lt(fabs(after[k] - before[k]), 1e-5 * size * (k < 3 ? 1 : 0.1), "%d: %g of %g", k,
                     after[k] - before[k], size);
    cr_expect_gt(report.viscous_power, 0);
    cr_expect_gt(report.numerical_power, -1e-3 * report.viscous_power, "%g and %g",
                 report.numerical_power, report.viscous_power);
    problem_free(&o);
}

/* The least of how affine the matter beside the body is said to be, and the mean. */
static double affinity(problem *o, double *mean) {
    const tl_strain *s = &o->p.solver.strain;
    double least = 1, sum = 0;
    tl_modes_slide(&o->p.solver.modes, &o->p.solver.strain, o->p.solver.start, o->task.dt);
    for (size_t l = 0; l < s->link_count; l++) {
        least = fmin(least, (double)s->affine[s->link[l].particle]);
        sum += (double)s->affine[s->link[l].particle];
    }
    *mean = sum / (double)s->link_count;
    return least;
}

Test(rigid_modes, what_slides_along_a_body_is_told_from_what_turns_with_it) {
    const double base[3] = {0.1, -0.2, 0.3}, spin[3] = {2, -3, 3};
    double mean;
    problem o;
    problem_make(&o, &block, 0.01);
    problem_turn(&o, base, spin);
    const double turning = affinity(&o, &mean);
    cr_expect_float_eq(turning, 1, 1e-6, "%g", turning);
    o.p.solver.modes.items[0].start[0] += 1; /* two spacings of way in the step */
    affinity(&o, &mean);
    cr_expect_lt(mean, 0.3, "%g", mean);
    problem_free(&o);
}

/* ---- The iteration -----------------------------------------------------------------------------
 */

enum { MOST = 4 * 1024 };

typedef struct vector {
    double flow[MOST], body[6];
} vector;

/* One iteration from a random r leaves the direction p = M⁻¹ r and A p. */
static void one_iteration(problem *o, uint64_t seed, vector *r, vector *p, vector *q) {
    tl_solver *s = &o->p.solver;
    tl_rigid_mode *body = &s->modes.items[0];
    const size_t mark = tl_scratch_mark(s->scratch);
    tl_balance_take(s);
    tl_iterate_take(s);
    for (size_t i = 0; i < 4 * o->p.count; i++) {
        const bool known = i % 4 == 3 || tl_strain_is_held(&s->strain, i / 4);
        s->r[i] = known ? 0 : (float)random_between(-1, 1, seed, i);
        r->flow[i] = (double)s->r[i];
    }
    for (int k = 0; k < 6; k++)
        r->body[k] = body->r[k] = random_between(-9, 9, seed + 9, (size_t)k) * (k < 3 ? 1 : 0.03);
    o->task.max_iterations = 1;
    double gain;
    tl_iterate(s, &o->task, 0, &gain);
    for (size_t i = 0; i < 4 * o->p.count; i++) {
        p->flow[i] = i % 4 < 3 ? (double)packing_motion(&o->p, i / 4)->u[i % 4] : 0;
        q->flow[i] = i % 4 < 3 ? (double)s->q[i] : 0;
    }
    tl_scratch_release(s->scratch, mark);
    memcpy(p->body, body->p, sizeof body->p);
    memcpy(q->body, body->q, sizeof body->q);
}

static double dot(const problem *o, const vector *a, const vector *b) {
    double sum = 0;
    for (size_t i = 0; i < 4 * o->p.count; i++)
        sum += a->flow[i] * b->flow[i];
    for (int k = 0; k < 6; k++)
        sum += a->body[k] * b->body[k];
    return sum;
}

Test(rigid_modes, operator_and_preconditioner_are_symmetric_and_positive) {
    const double base[3] = {0}, spin[3] = {1, 2, 3};
    static vector v[6];
    problem o;
    problem_make(&o, &block, 0.005);
    problem_turn(&o, base, spin);
    o.task.force.uniform[2] = -9.81;
    o.task.max_outer = 1; /* sets all that the operator needs */
    solve(&o);
    one_iteration(&o, 1, &v[0], &v[1], &v[2]);
    one_iteration(&o, 2, &v[3], &v[4], &v[5]);
    const double M = dot(&o, &v[0], &v[1]), N = dot(&o, &v[3], &v[4]);
    const double A = dot(&o, &v[1], &v[2]), B = dot(&o, &v[4], &v[5]);
    cr_expect(M > 0 && N > 0 && A > 0 && B > 0);
    const double skew_M = (dot(&o, &v[0], &v[4]) - dot(&o, &v[3], &v[1])) / sqrt(M * N);
    const double skew_A = (dot(&o, &v[1], &v[5]) - dot(&o, &v[4], &v[2])) / sqrt(A * B);
    cr_expect_lt(fabs(skew_M), 1e-5, "%g", skew_M);
    cr_expect_lt(fabs(skew_A), 1e-5, "%g", skew_A);
    problem_free(&o);
}

/* What the terms with ς take through a link at velocity u, over ς, when the neighbours move as is
 * worst: u·D u - b·A⁻¹b, b = B u. */
static double taken_through(const tl_wall_link *link, const float u[3]) {
    tl_wide moments[TL_FOURTHS], A[TL_SYM6], inverse[TL_SYM6], b[6], x[6];
    float lever[6][3], drag[3];
    for (int k = 0; k < TL_FOURTHS; k++)
        moments[k] = tl_splat(link->moments[k]);
    tl_fourths_matrix(moments, A);
    tl_moments_invert(A, tl_splat(link->fullness), inverse);
    tl_strain_lever(&link->thirds, lever);
    tl_link_drag(link->drag, u, drag);
    double taken = 0;
    for (int r = 0; r < 6; r++)
        b[r] = tl_splat(lever[r][0] * u[0] + lever[r][1] * u[1] + lever[r][2] * u[2]);
    tl_sym6_times(inverse, b, x);
    for (int k = 0; k < 3; k++)
        taken += (double)(drag[k] * u[k]);
    for (int r = 0; r < 6; r++)
        taken -= (double)tl_lane(b[r] * x[r], 0) / (1 + (double)TL_LEAST_ROUND);
    return taken;
}

/* Beside edges the part of a link that acts along curved surfaces is no sum over pairs; it gave
 * energy there, and solves with a melt that runs over the rim of a board did not converge. */
Test(rigid_modes, every_link_takes_energy_beside_edges_too) {
    static const packing_plan loose = {.n = {10, 9, 8}, .jitter = 0.4};
    problem o;
    problem_make(&o, &loose, 0.005);
    const tl_strain *s = &o.p.solver.strain;
    cr_assert_gt(s->link_count, 100);
    double least = HUGE_VAL;
    for (size_t l = 0; l < s->link_count; l++)
        for (uint64_t seed = 0; seed < 30; seed++) {
            float u[3];
            for (size_t k = 0; k < 3; k++)
                u[k] = (float)random_between(-1, 1, 7 + seed, 3 * l + k);
            const tl_wall_link *link = &s->link[l];
            const double size = (double)(link->drag[0] + link->drag[1] + link->drag[2]);
            least = fmin(least, taken_through(link, u) / size);
        }
    cr_expect_gt(least, -1e-5, "%g", least);
    problem_free(&o);
}
