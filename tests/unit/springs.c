/* Springs against hourglasses: they know nothing of affine motions, keep both momenta, and have an
 * energy. */
#include "flow/springs.h"

#include "strain_sweeps.h"

#include "math/pose.h"

typedef struct sprung {
    packing p;
    double *way, *velocity;
    float *stiffness, *lag;
    tl_springs_task task;
} sprung;

static void sprung_make(sprung *s, const packing_plan *plan) {
    packing_make(&s->p, plan);
    const size_t n = s->p.count;
    tl_error error = {0};
    s->way = calloc(3 * n, sizeof *s->way);
    s->velocity = calloc(3 * n, sizeof *s->velocity);
    s->stiffness = calloc(n, sizeof *s->stiffness);
    s->lag = calloc(n, sizeof *s->lag);
    packing_ok(TL_ARRAY_RESERVE(s->p.solver.recalled, 0, n, &error), &error);
    for (size_t i = 0; i < n; i++)
        s->stiffness[i] = (float)random_between(100, 1000, 31, i);
    s->task =
        (tl_springs_task){.way = s->way,
                          .velocity = s->velocity,
                          .stiffness = s->stiffness,
                          .lag = s->lag,
                          .full = 3 * tl_lattice_sums(TL_KERNEL_WENDLAND, packing_support).moment};
}

static void sprung_free(sprung *s) {
    packing_free(&s->p);
    free(s->way);
    free(s->velocity);
    free(s->stiffness);
    free(s->lag);
}

/* D = x - F⁻¹ x: what is at x now was at `back` x + shift. */
static void move_by(sprung *s, const double back[3][3], const double shift[3]) {
    for (size_t i = 0; i < s->p.count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float *x = packing_motion(&s->p, i)->x;
            s->way[3 * i + k] = (double)x[k] - shift[k];
            for (size_t l = 0; l < 3; l++)
                s->way[3 * i + k] -= back[k][l] * (double)x[l];
        }
}

static void move_at_random(sprung *s, double most) {
    for (size_t i = 0; i < 3 * s->p.count; i++)
        s->way[i] = most * random_between(-1, 1, 32, i);
}

static double spring_force(const sprung *s, size_t i, size_t k) {
    return packing_volume(&s->p, i) * (double)s->p.solver.recalled[i][k];
}

static double largest_force(const sprung *s) {
    double most = 0;
    for (size_t i = 0; i < s->p.count; i++)
        for (size_t k = 0; k < 3; k++)
            most = fmax(most, fabs(spring_force(s, i, k)));
    return most;
}

/* ---- Affine motions ----------------------------------------------------------------------------
 */

/* The inverse of a turn by `angle`, after a stretch. */
static void turn_and_stretch(double angle, const double stretch[3], double back[3][3]) {
    const tl_turn R = tl_turn_about(tl_vec3_unit((tl_vec3){1, -2, 0.5}), -angle);
    for (int k = 0; k < 3; k++) {
        const tl_vec3 column = tl_turn_apply(R, (tl_vec3){k == 0, k == 1, k == 2});
        back[0][k] = column.x / stretch[0];
        back[1][k] = column.y / stretch[1];
        back[2][k] = column.z / stretch[2];
    }
}

/* Force and energy of affine motions, relative to those of random ones by a spacing: none but
 * rounding in rigid motions, and what TL_LEAST_ROUND leaves of a strain. */
static void affine_motions_are_free(const packing_plan *plan, double strained) {
    static const double stretches[][3] = {{1, 1, 1}, {1.5, 0.8, 0.9}, {3, 0.6, 0.6}},
                        shift[3] = {0.3, -2, 1};
    static const double angles[] = {0, 0.3, 1.5, 3};
    sprung s;
    sprung_make(&s, plan);
    for (size_t k = 0; k < 3; k++)
        for (size_t a = 0; a < 4; a++) {
            const double most = k == 0 ? 1e-5 : strained;
            double back[3][3];
            turn_and_stretch(angles[a], stretches[k], back);
            move_at_random(&s, packing_dx);
            const double energy = tl_springs_find(&s.p.solver, &s.task), force = largest_force(&s);
            move_by(&s, back, shift);
            const double left = tl_springs_find(&s.p.solver, &s.task);
            cr_expect_lt(largest_force(&s), most * force, "stretch %zu, angle %g: %g of %g", k,
                         angles[a], largest_force(&s), force);
            cr_expect_lt(fabs(left), most * energy, "stretch %zu, angle %g: %g of %g", k, angles[a],
                         left, energy);
        }
    sprung_free(&s);
}

Test(springs, affine_motions_are_free_on_a_lattice) { affine_motions_are_free(&lattice, 2e-3); }

Test(springs, affine_motions_are_free_in_disorder) { affine_motions_are_free(&uneven, 1e-2); }

Test(springs, affine_motions_are_free_beside_walls) { affine_motions_are_free(&in_a_corner, 1e-2); }

/* ---- Momenta -----------------------------------------------------------------------------------
 */

static void momenta_are_kept(const packing_plan *plan, bool lags) {
    sprung s;
    sprung_make(&s, plan);
    move_at_random(&s, 0.5 * packing_dx);
    for (size_t i = 0; i < s.p.count && lags; i++) {
        s.lag[i] = 0.01f;
        for (size_t k = 0; k < 3; k++)
            s.velocity[3 * i + k] = random_between(-0.1, 0.1, 33, 3 * i + k);
    }
    tl_springs_find(&s.p.solver, &s.task);
    double force[3] = {0}, torque[3] = {0};
    for (size_t i = 0; i < s.p.count; i++)
        for (size_t a = 0; a < 3; a++) {
            const size_t b = (a + 1) % 3, c = (a + 2) % 3;
            const float *x = packing_motion(&s.p, i)->x;
            force[a] += spring_force(&s, i, a);
            torque[a] +=
                (double)x[b] * spring_force(&s, i, c) - (double)x[c] * spring_force(&s, i, b);
        }
    const double most = largest_force(&s);
    cr_assert_gt(most, 0);
    for (int a = 0; a < 3; a++) {
        cr_expect_lt(fabs(force[a]), 2e-5 * most, "force %g of %g", force[a], most);
        cr_expect_lt(fabs(torque[a]), 2e-5 * most * 10 * packing_dx, "torque %g of %g", torque[a],
                     most * packing_dx);
    }
    sprung_free(&s);
}

Test(springs, forces_and_torques_add_up_to_nothing) {
    momenta_are_kept(&lattice, false);
    momenta_are_kept(&uneven, false);
    momenta_are_kept(&uneven, true);
}

Test(springs, walls_have_none) {
    momenta_are_kept(&in_a_corner, false);
    momenta_are_kept(&in_a_corner, true);
}

/* ---- Energy ------------------------------------------------------------------------------------
 */

/* P is d·ΔD - ½ |ΔD|²: what moves D and x by δ changes it by d·Δδ, and D alone by (d - ΔD)·Δδ. The
 * force is along d: minus the gradient over D alone where ΔD is small. */
static void force_is_the_gradient(const packing_plan *plan) {
    const double small = 1e-3 * packing_dx, step = 1e-4 * packing_dx;
    sprung s;
    sprung_make(&s, plan);
    move_at_random(&s, small);
    double *start = calloc(3 * s.p.count, sizeof *start);
    memcpy(start, s.way, 3 * s.p.count * sizeof *start);
    for (uint64_t seed = 40; seed < 44; seed++) {
        double energy[2], work = 0;
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < 3 * s.p.count; i++)
                s.way[i] = start[i] + (side ? step : -step) * random_between(-1, 1, seed, i);
            energy[side] = tl_springs_find(&s.p.solver, &s.task);
        }
        memcpy(s.way, start, 3 * s.p.count * sizeof *start);
        tl_springs_find(&s.p.solver, &s.task);
        for (size_t i = 0; i < s.p.count; i++)
            for (size_t k = 0; k < 3; k++)
                work += 2 * step * random_between(-1, 1, seed, 3 * i + k) * spring_force(&s, i, k);
        const double size = energy[1] * step / small;
        cr_expect_float_eq(energy[1] - energy[0], -work, 2e-2 * fabs(work) + 2e-3 * size,
                           "%g, work %g, of %g", energy[1] - energy[0], work, energy[1]);
    }
    free(start);
    sprung_free(&s);
}

Test(springs, force_is_minus_the_gradient_of_the_energy) {
    force_is_the_gradient(&lattice);
    force_is_the_gradient(&uneven);
}

Test(springs, force_is_minus_the_gradient_of_the_energy_beside_walls) {
    force_is_the_gradient(&in_a_corner);
}

Test(springs, energy_is_never_negative) {
    const packing_plan *plans[] = {&lattice, &uneven, &in_a_corner};
    for (int k = 0; k < 3; k++) {
        sprung s;
        sprung_make(&s, plans[k]);
        for (double size = 1e-6; size < 3; size *= 10) {
            move_at_random(&s, size * packing_dx);
            cr_expect_gt(tl_springs_find(&s.p.solver, &s.task), 0);
        }
        sprung_free(&s);
    }
}

Test(springs, matter_without_them_feels_none) {
    sprung s;
    sprung_make(&s, &uneven);
    memset(s.stiffness, 0, s.p.count * sizeof *s.stiffness);
    move_at_random(&s, packing_dx);
    cr_expect_eq(tl_springs_find(&s.p.solver, &s.task), 0);
    cr_expect_eq(largest_force(&s), 0);
    sprung_free(&s);
}

/* An hourglass: neighbours go to and fro, which strain does not see. */
Test(springs, what_strain_does_not_see_is_pulled_back) {
    sprung s;
    sprung_make(&s, &lattice);
    double along = 0;
    for (size_t i = 0; i < s.p.count; i++) {
        const size_t sum = i % 9 + i / 9 % 8 + i / 72;
        s.way[3 * i] = (sum % 2 ? 1e-3 : -1e-3) * packing_dx;
    }
    const double energy = tl_springs_find(&s.p.solver, &s.task);
    for (size_t i = 0; i < s.p.count; i++)
        along += s.way[3 * i] * spring_force(&s, i, 0);
    cr_expect_gt(energy, 0);
    cr_expect_lt(along, 0);
    cr_expect_float_eq(-along / 2, energy, 0.02 * energy, "%g, energy %g", along, energy);
    sprung_free(&s);
}

/* ---- Paces -------------------------------------------------------------------------------------
 */

Test(springs, only_those_who_forget_at_one_pace_know_of_each_other) {
    sprung s;
    sprung_make(&s, &uneven);
    float *pace = calloc(s.p.count, sizeof *pace);
    move_at_random(&s, 0.3 * packing_dx);
    const double plain = tl_springs_find(&s.p.solver, &s.task);
    s.task.pace = pace;
    for (size_t i = 0; i < s.p.count; i++)
        pace[i] = 5;
    cr_expect_eq(tl_springs_find(&s.p.solver, &s.task), plain);
    for (size_t i = 0; i < s.p.count; i++)
        pace[i] = powf(10, (float)(i % 31));
    const double strange = tl_springs_find(&s.p.solver, &s.task);
    cr_expect_lt(strange, 0.05 * plain, "%g of %g", strange, plain);
    cr_expect_gt(strange, -1e-6 * plain);
    free(pace);
    sprung_free(&s);
}

/* ---- Forgetting --------------------------------------------------------------------------------
 */

/* Whoever forgets how much: particles that move together stay together. */
Test(springs, affine_ways_are_not_forgotten) {
    static const packing_plan *const plans[] = {&lattice, &uneven, &in_a_corner};
    static const double stretch[3] = {1.3, 0.9, 0.85}, shift[3] = {30, -2, 1};
    for (size_t k = 0; k < 3; k++) {
        sprung s;
        sprung_make(&s, plans[k]);
        double back[3][3], most = 0;
        turn_and_stretch(0.4, stretch, back);
        move_by(&s, back, shift);
        double *before = calloc(3 * s.p.count, sizeof *before);
        memcpy(before, s.way, 3 * s.p.count * sizeof *before);
        for (size_t i = 0; i < s.p.count; i++)
            s.lag[i] = (float)random_between(0, 1, 35, i);
        tl_springs_forget(&s.p.solver, s.lag, s.way);
        for (size_t i = 0; i < 3 * s.p.count; i++)
            most = fmax(most, fabs(s.way[i] - before[i]));
        cr_expect_lt(most, 5e-3 * packing_dx, "%zu: %g", k, most / packing_dx);
        free(before);
        sprung_free(&s);
    }
}

Test(springs, what_is_not_affine_is_forgotten_by_those_who_flow_alone) {
    sprung s;
    sprung_make(&s, &uneven);
    move_at_random(&s, 0.3 * packing_dx);
    const double energy = tl_springs_find(&s.p.solver, &s.task);
    double *before = calloc(3 * s.p.count, sizeof *before);
    memcpy(before, s.way, 3 * s.p.count * sizeof *before);
    for (size_t i = 0; i < s.p.count; i++)
        s.lag[i] = i % 2 == 0 ? 1 : 0.2f;
    tl_springs_forget(&s.p.solver, s.lag, s.way);
    for (size_t i = 0; i < s.p.count; i++)
        if (i % 2 == 0)
            cr_assert_eq(s.way[3 * i], before[3 * i], "%zu forgets, and does not flow", i);
    memset(s.lag, 0, s.p.count * sizeof *s.lag);
    const double left = tl_springs_find(&s.p.solver, &s.task);
    cr_expect_lt(left, 0.8 * energy, "%g of %g", left, energy);
    free(before);
    sprung_free(&s);
}
