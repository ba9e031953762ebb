/* Implicit solves whose answer is known, and what they report of themselves. */
#include "flow/iterate.h"
#include "packing.h"

#include <stdlib.h>

static const double still[3] = {0}, density = 1000;

/* A packing and the solve that is asked of it. */
typedef struct problem {
    packing p;
    tl_solve_task task;
    double *velocity;
    float *mass, *strain_rate, *viscosity;
    float eta; /* of every particle */
} problem;

static void one_viscosity(void *context, const float *rate, float *viscosity, size_t begin,
                          size_t end) {
    (void)rate;
    for (size_t i = begin; i < end; i++)
        viscosity[i] = ((const problem *)context)->eta;
}

/* Start and first guess are base + G x; no compression, no pressure, no gravity. */
static void problem_make(problem *o, const packing_plan *plan, double eta, double dt) {
    packing_make(&o->p, plan);
    const size_t n = o->p.count;
    o->eta = (float)eta;
    o->velocity = calloc(3 * n, sizeof *o->velocity);
    o->mass = calloc(n, sizeof *o->mass);
    o->strain_rate = calloc(n, sizeof *o->strain_rate);
    o->viscosity = calloc(n, sizeof *o->viscosity);
    tl_solver *s = &o->p.solver;
    for (size_t i = 0; i < n; i++) {
        o->mass[i] = (float)(density * packing_volume(&o->p, i));
        o->viscosity[i] = o->eta;
        s->rest_density[i] = (float)density;
        s->lambda[i] = s->compression[i] = 0;
    }
    o->task =
        (tl_solve_task){.part = TL_SOLVE_COUPLED,
                        .dt = dt,
                        .spacing = packing_dx,
                        .full = 3 * tl_lattice_sums(TL_KERNEL_WENDLAND, packing_support).moment,
                        .stiffness = 100 * density * 9.81 * 10 * packing_dx,
                        .relief = 0.1,
                        .thick_relief = 0.1,
                        .hold = 0.1,
                        .damping = 0.1,
                        .tolerance = 1e-3,
                        .max_iterations = 500,
                        .max_outer = 8,
                        .curved = true,
                        .velocity = o->velocity,
                        .mass = o->mass,
                        .strain_rate = o->strain_rate,
                        .viscosity = o->viscosity,
                        .law = one_viscosity,
                        .law_context = o};
}

static void problem_start(problem *o, const double base[3], const double G[3][3]) {
    for (size_t i = 0; i < o->p.count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float *x = packing_motion(&o->p, i);
            o->velocity[3 * i + k] =
                base[k] + G[k][0] * (double)x[0] + G[k][1] * (double)x[1] + G[k][2] * (double)x[2];
        }
    memcpy(o->p.solver.start, o->velocity, 3 * o->p.count * sizeof *o->velocity);
}

static tl_solve_report solve(problem *o) {
    tl_solve_report report;
    tl_error error = {0};
    cr_assert_eq(tl_solve(&o->p.solver, &o->task, &report, &error), TL_OK, "%s", error.what);
    return report;
}

static void problem_free(problem *o) {
    packing_free(&o->p);
    free(o->velocity);
    free(o->mass);
    free(o->strain_rate);
    free(o->viscosity);
}

static const packing_plan block = {.n = {9, 8, 9}, .jitter = 0.2, .uneven = true};
static const double none[3][3] = {{0}};

/* ---- Motions that a solve must leave alone -----------------------------------------------------
 */

Test(solve, leaves_a_translation_alone) {
    const double wind[3] = {0.7, -0.3, 0.1}, viscosities[] = {0, 1, 1e12};
    for (int k = 0; k < 3; k++) {
        problem o;
        problem_make(&o, &block, viscosities[k], 0.01);
        problem_start(&o, wind, none);
        const tl_solve_report report = solve(&o);
        cr_expect(report.converged && report.iterations == 0 && report.residual == 0);
        for (size_t i = 0; i < o.p.count; i++)
            cr_assert_eq(memcmp(o.velocity + 3 * i, wind, sizeof wind), 0);
        problem_free(&o);
    }
}

/* The displacements of a turn by a tenth, in one step. */
Test(solve, lets_matter_turn_through_a_finite_angle) {
    const double dt = 0.01, c = (cos(0.1) - 1) / dt, s = sin(0.1) / dt, viscosities[] = {0, 1, 1e4};
    const double turn[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        problem o;
        problem_make(&o, &block, viscosities[k], dt);
        o.task.tolerance = 0.05;
        problem_start(&o, still, turn);
        cr_expect(solve(&o).converged);
        double change = 0, size = 0;
        for (size_t i = 0; i < 3 * o.p.count; i++) {
            change += pow(o.velocity[i] - o.p.solver.start[i], 2);
            size += pow(o.velocity[i], 2);
        }
        cr_expect_lt(sqrt(change / size), 1e-5, "viscosity %g: %g", viscosities[k],
                     sqrt(change / size));
        problem_free(&o);
    }
}

/* ---- Known answers -----------------------------------------------------------------------------
 */

/* The largest departure of velocities from u. */
static double departure(const problem *o, const double u[3]) {
    double worst = 0;
    for (size_t i = 0; i < o->p.count; i++)
        for (size_t k = 0; k < 3; k++)
            worst = fmax(worst, fabs(o->velocity[3 * i + k] - u[k]));
    return worst;
}

static tl_solve_report let_fall(problem *o, double eta, double tolerance) {
    problem_make(o, &block, eta, 0.01);
    problem_start(o, (const double[]){0.3, 0, 0}, none);
    o->task.gravity[2] = -9.81;
    o->task.tolerance = tolerance;
    return solve(o);
}

Test(solve, lets_matter_that_touches_nothing_fall) {
    /* η dt / (ρ dx²) = 10⁷ is where single precision ends. */
    const double viscosities[] = {0, 1e-3, 1, 1e4, 1e8},
                 tolerances[] = {1e-3, 1e-3, 1e-3, 1e-3, 0.05};
    for (int k = 0; k < 5; k++) {
        problem o;
        const tl_solve_report report = let_fall(&o, viscosities[k], tolerances[k]);
        cr_expect(report.converged, "viscosity %g", viscosities[k]);
        const double off = departure(&o, (const double[]){0.3, 0, -0.0981}) / 0.0981;
        cr_expect_lt(off, 3 * tolerances[k], "viscosity %g: %g", viscosities[k], off);
        cr_expect_float_eq(report.acceleration, 9.81, 30 * tolerances[k]);
        problem_free(&o);
    }
}

Test(solve, says_so_when_it_has_not_found_the_answer) {
    for (double eta = 1e9; eta < 2e14; eta *= 10) {
        problem o;
        const tl_solve_report report = let_fall(&o, eta, 0.05);
        const double off = departure(&o, (const double[]){0.3, 0, -0.0981}) / 0.0981;
        cr_expect(report.broken || !report.converged || off < 0.2, "viscosity %g: %g", eta, off);
        problem_free(&o);
    }
}

/* Momentum and angular momentum about the origin. */
static void momenta(const problem *o, const double *velocity, double out[6]) {
    memset(out, 0, 6 * sizeof *out);
    for (size_t i = 0; i < o->p.count; i++)
        for (size_t a = 0; a < 3; a++) {
            const size_t b = (a + 1) % 3, c = (a + 2) % 3;
            const float *x = packing_motion(&o->p, i);
            const double *u = velocity + 3 * i, m = (double)o->mass[i];
            out[a] += m * u[a];
            out[3 + a] += m * ((double)x[b] * u[c] - (double)x[c] * u[b]);
        }
}

Test(solve, great_viscosity_turns_shear_into_rotation) {
    const double shear[3][3] = {{0, 0, 3}, {0, 0, 0}, {0, 0, 0}}, viscosities[] = {1e5, 1e8};
    const double tolerances[] = {1e-3, 0.05};
    for (int k = 0; k < 2; k++) {
        problem o;
        problem_make(&o, &block, viscosities[k], 0.01);
        problem_start(&o, still, shear);
        o.task.tolerance = tolerances[k];
        cr_expect(solve(&o).converged);
        double before[6], after[6], rate = 0;
        momenta(&o, o.p.solver.start, before);
        momenta(&o, o.velocity, after);
        for (size_t i = 0; i < o.p.count; i++)
            rate = fmax(rate, (double)o.strain_rate[i]);
        cr_expect_lt(rate, 0.03, "viscosity %g: %g", viscosities[k], rate);
        for (int a = 0; a < 6; a += 4) /* along x, about y */
            cr_expect_float_eq(after[a], before[a], 0.2 * tolerances[k] * fabs(before[a]),
                               "viscosity %g: %g, not %g", viscosities[k], after[a], before[a]);
        problem_free(&o);
    }
}

Test(solve, without_viscosity_shear_goes_on) {
    const double shear[3][3] = {{0, 0, 3}, {0, 0, 0}, {0, 0, 0}};
    problem o;
    problem_make(&o, &block, 0, 0.001);
    problem_start(&o, still, shear);
    o.task.damping = 0;
    cr_expect(solve(&o).converged);
    double change = 0, size = 0;
    for (size_t i = 0; i < 3 * o.p.count; i++) {
        change += pow(o.velocity[i] - o.p.solver.start[i], 2);
        size += pow(o.velocity[i], 2);
    }
    cr_expect_lt(sqrt(change / size), 0.01, "%g", sqrt(change / size));
    problem_free(&o);
}

static const tl_wall_def floors[] = {{.plane = TL_SIDE_Z}};
static const packing_plan standing = {
    .n = {9, 8, 9}, .jitter = 0.2, .uneven = true, .walls = floors, .wall_count = 1};

/* Linear flows that begin at the floor, with a step long enough for paths to be curved: they leave
 * nothing over for ς, and what rises feels no pressure. */
Test(solve, leaves_matter_alone_that_rises_from_a_floor_or_slides_over_it) {
    const double flows[2][3][3] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 6}}, {{0, 0, 6}, {0, 0, 0}, {0}}};
    for (int k = 0; k < 2; k++) {
        problem o;
        problem_make(&o, &standing, 0, 0.02);
        problem_start(&o, still, flows[k]);
        o.task.tolerance = 0.01;
        o.task.tension = k == 1; /* what slides is neither pressed nor pulled */
        cr_expect(solve(&o).converged);
        double change = 0, size = 0;
        for (size_t i = 0; i < 3 * o.p.count; i++) {
            change += pow(o.velocity[i] - o.p.solver.start[i], 2);
            size += pow(o.velocity[i], 2);
        }
        cr_expect_lt(sqrt(change / size), 1e-3, "flow %d: %g", k, sqrt(change / size));
        problem_free(&o);
    }
}

/* Creep: u is of the order of ρ g H² / η. */
Test(solve, the_stiffest_matter_stands_on_a_floor) {
    for (double eta = 1e4; eta < 2e12; eta *= 1e4) {
        problem o;
        problem_make(&o, &standing, eta, 0.01);
        problem_start(&o, still, none);
        o.task.gravity[2] = -9.81;
        const tl_solve_report report = solve(&o);
        const double creep = density * 9.81 * pow(9 * packing_dx, 2) / eta;
        const double speed = departure(&o, still);
        cr_expect(report.converged, "viscosity %g", eta);
        cr_expect(speed > 0.01 * creep && speed < creep, "viscosity %g: %g of %g", eta, speed,
                  creep);
        problem_free(&o);
    }
}

/* Water on a floor, from no pressure at all; each solve goes on from the last one's. */
Test(solve, a_layer_at_rest_gets_hydrostatic_pressure) {
    enum { HIGH = 12 };
    const packing_plan layer = {
        .n = {6, 6, HIGH}, .periodic = {true, true}, .walls = floors, .wall_count = 1};
    const double foot = density * 9.81 * HIGH * packing_dx, dt = 0.004;
    problem o;
    problem_make(&o, &layer, 1e-3, dt);
    o.task.gravity[2] = -9.81;
    tl_solve_report report = {0};
    for (int again = 0; again < 40; again++) {
        problem_start(&o, still, none);
        report = solve(&o);
        cr_assert(report.converged);
        memcpy(o.p.solver.lambda, o.p.solver.pressure, o.p.count * sizeof(float));
    }
    double worst = 0;
    for (size_t i = 0; i < o.p.count; i++) {
        const double depth = HIGH * packing_dx - (double)packing_motion(&o.p, i)[2];
        worst = fmax(worst, fabs((double)o.p.solver.pressure[i] - density * 9.81 * depth) / foot);
    }
    cr_expect_lt(worst, 0.03, "pressure is off by %g", worst);
    cr_expect_lt(departure(&o, still), 0.01 * 9.81 * dt, "%g", departure(&o, still));
    cr_expect_lt(report.volume_error, 1e-5, "%g", report.volume_error);
    const double weight = foot * 36 * packing_dx * packing_dx;
    cr_expect_float_eq(report.wall_force[2] / weight, 1, 0.01, "%g", report.wall_force[2] / weight);
    problem_free(&o);
}

/* ---- The residual in double precision ----------------------------------------------------------
 */

/* The particle a record stands for. */
static size_t source_of(const problem *o, size_t j) {
    const tl_records *r = &o->p.records;
    return j < r->particles ? j : r->image_source[j - r->particles - r->samples];
}

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
        d[a] = (double)packing_motion(&o->p, j)[a] - (double)packing_motion(&o->p, i)[a];
    for (int a = 0; a < 3; a++)
        m[a] = d[a] * d[a];
    m[3] = 2 * d[0] * d[1], m[4] = 2 * d[0] * d[2], m[5] = 2 * d[1] * d[2];
    return j;
}

/* b and the force of ς of particle i, per volume. */
static void fit(const problem *o, size_t i, double b[6], double hold[3]) {
    const tl_strain *s = &o->p.solver.strain;
    const double *u = o->velocity + 3 * i, half = 0.5 * o->task.dt;
    memset(b, 0, 6 * sizeof *b);
    memset(hold, 0, 3 * sizeof *hold);
    for (size_t k = 0; k < s->size[i]; k++) {
        double d[3], m[6], longer = 0;
        const size_t j = pair_of(o, i, k, d, m);
        const double *v = o->velocity + 3 * source_of(o, j), w = (double)s->weight[s->begin[i] + k];
        for (int a = 0; a < 3; a++)
            longer += d[a] * (v[a] - u[a]) + half * pow(v[a] - u[a], 2);
        for (int a = 0; a < 6; a++)
            b[a] += w * longer * m[a];
        const double both =
            (double)packing_motion(&o->p, i)[3] + (double)packing_motion(&o->p, j)[3];
        for (int a = 0; a < 3; a++)
            hold[a] += w * both * longer * d[a];
    }
    if (!s->link_of[i])
        return;
    const tl_wall_link *link = &s->link[s->link_of[i] - 1];
    static const int packed[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    float lever[6][3];
    tl_strain_lever(link->thirds, lever);
    double speed2 = 0;
    for (int a = 0; a < 3; a++)
        speed2 += pow((double)link->velocity[a] - u[a], 2);
    for (int a = 0; a < 6; a++) {
        b[a] += (double)link->drive[a] + half * speed2 * (double)link->bend[a];
        for (int c = 0; c < 3; c++)
            b[a] -= (double)lever[a][c] * u[c];
    }
    for (int a = 0; a < 3; a++) {
        const double lift = half * speed2 * (double)link->loose;
        double f = (double)link->pull[a] + lift * (double)link->lift[a];
        for (int c = 0; c < 3; c++)
            f -= (double)link->drag[packed[a][c]] * u[c];
        hold[a] += (double)packing_motion(&o->p, i)[3] * f;
    }
}

/* T of particle i from its b. */
static void tension(const problem *o, size_t i, const double b[6], double T[6]) {
    const tl_solver *s = &o->p.solver;
    double E[6], load[6];
    times_inverse(o, i, b, E);
    const double full[3][3] = {{E[0], E[3], E[4]}, {E[3], E[1], E[5]}, {E[4], E[5], E[2]}};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int a = 0; a < 6; a++)
        for (int c = 0; c < 3; c++)
            E[a] -= o->task.dt * full[row[a]][c] * full[c][column[a]];
    const double trace = E[0] + E[1] + E[2], eta = (double)s->shear[i];
    const double p = (double)s->lambda[i] +
                     (double)s->bulk[i] / o->task.dt *
                         (o->task.relief * (double)s->compression[i] - o->task.dt * trace);
    for (int a = 0; a < 6; a++)
        load[a] = (a < 3 ? 2 * eta * (E[a] - trace / 3) - p : 4 * eta * E[a]) -
                  (double)packing_motion(&o->p, i)[3] / (1 + (double)TL_LEAST_ROUND) * b[a];
    times_inverse(o, i, load, T);
}

/* |m (dt g - (u - uⁿ)) + dt F| over all particles. */
static double true_residual(const problem *o) {
    const tl_strain *s = &o->p.solver.strain;
    double(*T)[6] = calloc(o->p.count, sizeof *T), (*f)[3] = calloc(o->p.count, sizeof *f), b[6];
    double sum = 0;
    for (size_t i = 0; i < o->p.count; i++) {
        fit(o, i, b, f[i]);
        tension(o, i, b, T[i]);
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
            tl_strain_lever(s->link[s->link_of[i] - 1].thirds, lever);
        for (size_t a = 0; a < 3; a++) {
            for (int c = 0; c < 6; c++)
                f[i][a] += (double)lever[c][a] * T[i][c];
            const double change = o->velocity[3 * i + a] - o->p.solver.start[3 * i + a];
            sum += pow((double)o->mass[i] * (o->task.dt * o->task.gravity[a] - change) +
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
    o->task.gravity[0] = 2;
    o->task.gravity[2] = -9.81;
    o->task.tension = true; /* all under pressure, so that p is known from λ, e and H */
    for (size_t i = 0; i < o->p.count; i++) {
        o->p.solver.lambda[i] = (float)random_between(0, 1000, 41, i);
        o->p.solver.compression[i] = (float)random_between(-0.01, 0.02, 42, i);
    }
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
        const double first = true_residual(&o), scale = fmax(sqrt(weight), 0.1 * first);
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
            const double given = o.task.dt * (mass * o.task.gravity[a] + report.wall_force[a]);
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
    for (size_t i = 0; i < 4 * o->p.count; i++) {
        s->r[i] = i % 4 < 3 ? (float)random_between(-1, 1, seed, i) : 0;
        r[i] = (double)s->r[i];
    }
    o->task.max_iterations = 1;
    tl_iterate(s, &o->task, 0);
    for (size_t i = 0; i < 4 * o->p.count; i++) {
        p[i] = i % 4 < 3 ? (double)packing_motion(&o->p, i / 4)[4 + i % 4] : 0;
        q[i] = i % 4 < 3 ? (double)s->q[i] : 0;
    }
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
