/* Implicit solves whose answer is known. */
#include "solve_problem.h"

#include <criterion/logging.h>

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

/* ---- Power of what the fit leaves over ---------------------------------------------------------
 */

static void keep_viscosities(void *context, const tl_strained *flow, unsigned wanted,
                             const tl_response *out, size_t begin, size_t end) {
    (void)context;
    for (size_t i = 0; i < end - begin && wanted & TL_RESPOND_TANGENT; i++)
        out->tangent[i] = 1;
    wanted &= TL_RESPOND_STRESS | TL_RESPOND_HEAT;
    tl_respond(flow, wanted | TL_RESPOND_HELD, out, end - begin);
}

/* Thin matter of 1 mPa·s on a solid of 10⁵ Pa·s, of one material, that turn together. */
static double power_taken(double damping) {
    static const uint8_t material[1024];
    const double dt = 0.01, angle = 0.3, c = (cos(angle) - 1) / dt, s = sin(angle) / dt;
    const double turn[3][3] = {{c, 0, -s}, {0, 0, 0}, {s, 0, c}};
    problem o;
    tl_error error = {0};
    problem_make(&o, &block, 1e-3, dt);
    for (size_t i = 0; i < o.p.count; i++)
        o.viscosity[i] = packing_motion(&o.p, i)->x[2] < 4.5f * (float)packing_dx ? 1e5f : 1e-3f;
    tl_pairs_plan pairs = packing_pairs(&o.p);
    pairs.viscosity = o.viscosity;
    pairs.material = material;
    packing_ok(tl_pairs_make(&o.p.solver, &pairs, &error), &error);
    o.task.respond = keep_viscosities;
    o.task.part = TL_SOLVE_VISCOSITY; /* without pressure */
    o.task.brace = 0;
    o.task.damping = damping;
    o.task.max_outer = 0; /* a look at how things stand */
    problem_start(&o, still, turn);
    const double power = solve(&o).numerical_power;
    problem_free(&o);
    return power;
}

Test(solve, artificial_viscosity_takes_energy_beside_stiff_matter_that_turns) {
    const double taken = power_taken(0.1) - power_taken(0);
    cr_log_info("%g W", taken);
    cr_expect_geq(taken, 0, "%g", taken);
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
    o->task.force.uniform[2] = -9.81;
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
        o.task.pulls = k == 1; /* what slides is neither pressed nor pulled */
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
        o.task.force.uniform[2] = -9.81;
        const tl_solve_report report = solve(&o);
        const double creep = density * 9.81 * pow(9 * packing_dx, 2) / eta;
        const double speed = departure(&o, still);
        cr_expect(report.converged, "viscosity %g", eta);
        cr_expect(speed > 0.01 * creep && speed < creep, "viscosity %g: %g of %g", eta, speed,
                  creep);
        problem_free(&o);
    }
}

/* The velocities that soft matter on a floor has after a step under gravity, or under a force on
 * each particle. */
static problem let_slump(bool each) {
    problem o;
    problem_make(&o, &standing, 10, 0.01);
    problem_start(&o, (const double[]){0.1, 0, 0}, none);
    float *force = calloc(3 * o.p.count, sizeof *force);
    for (size_t i = 0; i < o.p.count; i++)
        force[3 * i + 2] = -9.8125f;
    o.task.force = each ? (tl_body_force){.each = force} : (tl_body_force){{0, 0, -9.8125}, NULL};
    cr_assert(solve(&o).converged);
    free(force);
    return o;
}

Test(solve, a_force_on_each_particle_moves_as_gravity_does) {
    problem gravity = let_slump(false), field = let_slump(true);
    for (size_t k = 0; k < 3 * field.p.count; k++)
        cr_assert_float_eq(field.velocity[k], gravity.velocity[k], 1e-9, "%zu", k);
    cr_assert_gt(departure(&field, (const double[]){0.1, 0, 0}), 1e-3);
    problem_free(&gravity);
    problem_free(&field);
}

/* Water on a floor, from no pressure at all; each solve goes on from the last one's. */
Test(solve, a_layer_at_rest_gets_hydrostatic_pressure) {
    enum { HIGH = 12 };
    const packing_plan layer = {
        .n = {6, 6, HIGH}, .periodic = {true, true}, .walls = floors, .wall_count = 1};
    const double foot = density * 9.81 * HIGH * packing_dx, dt = 0.004;
    problem o;
    problem_make(&o, &layer, 1e-3, dt);
    o.task.force.uniform[2] = -9.81;
    tl_solve_report report = {0};
    for (int again = 0; again < 40; again++) {
        problem_start(&o, still, none);
        report = solve(&o);
        cr_assert(report.converged);
        memcpy(o.p.solver.lambda, o.p.solver.pressure, o.p.count * sizeof(float));
    }
    double worst = 0;
    for (size_t i = 0; i < o.p.count; i++) {
        const double depth = HIGH * packing_dx - (double)packing_motion(&o.p, i)->x[2];
        worst = fmax(worst, fabs((double)o.p.solver.pressure[i] - density * 9.81 * depth) / foot);
    }
    cr_expect_lt(worst, 0.03, "pressure is off by %g", worst);
    cr_expect_lt(departure(&o, still), 0.01 * 9.81 * dt, "%g", departure(&o, still));
    cr_expect_lt(report.volume_error, 1e-5, "%g", report.volume_error);
    const double weight = foot * 36 * packing_dx * packing_dx;
    cr_expect_float_eq(report.wall_force[2] / weight, 1, 0.01, "%g", report.wall_force[2] / weight);
    problem_free(&o);
}
