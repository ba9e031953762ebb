/* What scenes with rigid bodies show, on coarser particles than their films. */
#include "stage.h"

#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Mean place or velocity of a body along an axis. */
static double mean(stage *s, const double *values, uint32_t body, size_t axis) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            sum += values[3 * i + axis];
            n++;
        }
    cr_assert_gt(n, 0);
    return sum / n;
}

static tl_ledger books(const stage *s) {
    tl_ledger l;
    tl_world_ledger(s->world, &l);
    return l;
}

static double mechanical(const tl_ledger *l) { return l->kinetic_energy + l->potential_energy; }

/* Steps to `time`: energy may only fall, and no numerical loss is given back. */
static void run_and_watch(stage *s, double time) {
    const tl_ledger first = books(s);
    const double whole = mechanical(&first);
    tl_ledger last = first;
    enum { LOOKS = 20 };
    for (int k = 1; k <= LOOKS; k++) {
        stage_run(s, first.time + (time - first.time) * k / LOOKS);
        const tl_ledger now = books(s);
        cr_expect_leq(mechanical(&now), mechanical(&last), "energy grows to %g J at %g s",
                      mechanical(&now), now.time);
        cr_expect_gt(now.numerical_heat, last.numerical_heat - 1e-3 * whole,
                     "numerical heat falls to %g J at %g s", now.numerical_heat, now.time);
        cr_expect_lt(fabs(now.energy_error), 1e-3 * whole, "%g J in no book", now.energy_error);
        last = now;
    }
}

/* ---- The ball and the wall: PPLT09 fig. 13 ---- */

/* How far (m) the ball is ahead of the middle of the wall, and how much faster (m/s). */
static void compare(stage *s, double *ahead, double *faster) {
    const double *x = stage_positions(s), *v = stage_velocities(s);
    *ahead = mean(s, x, 1, 0) - mean(s, x, 0, 0);
    *faster = mean(s, v, 1, 0) - mean(s, v, 0, 0);
    cr_log_info("%.3f m ahead, %.3f m/s faster, %.3f m high", *ahead, *faster, mean(s, x, 1, 2));
}

Test(ball_through_wall, a_fast_ball_drills_through_and_lands) {
    stage s = stage_open("ball-through-wall", SET("spacing=10mm"));
    double ahead, faster;
    run_and_watch(&s, 0.04);
    compare(&s, &ahead, &faster);
    /* Half the wall and a radius are 5 cm. */
    cr_expect_gt(ahead, 0.06, "it is %g m ahead", ahead);
    cr_expect_gt(faster, 1, "and goes on: %g m/s", faster);
    run_and_watch(&s, 0.25);
    compare(&s, &ahead, &faster);
    const double height = mean(&s, stage_positions(&s), 1, 2);
    cr_expect_gt(ahead, 0.3, "it lands %g m behind the wall", ahead);
    cr_expect(height > 0.029 && height < 0.05, "its centre is %g m high", height);
    stage_close(&s);
}

/* How far (m) the wall's back has gone on in the mean, at these distances from the ball's way at
 * the start, and how much of that is still ahead of the ball. */
static double bulge(stage *s, const double *distance, double near, double far, double *ahead) {
    const double ball = mean(s, stage_positions(s), 1, 0);
    double sum = 0, count = 0;
    *ahead = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double x = stage_positions(s)[3 * i], d = distance[stage_ids(s)[i]];
        if (d < near || d >= far)
            continue;
        sum += x - 0.035;
        *ahead += x > ball + 0.03;
        count++;
    }
    cr_assert_gt(count, 10);
    *ahead /= count;
    return sum / count;
}

/* It has gone on by a spacing before the ball has come through a tenth of it, and beside the ball
 * the wall goes with it. */
Test(ball_through_wall, bulges_before_the_ball_is_through) {
    const double dx = 0.01;
    stage s = stage_open("ball-through-wall", SET("spacing=10mm"));
    double *distance = calloc(s.count, sizeof *distance), most = 0, beside = 0, ahead = 1;
    cr_assert_not_null(distance);
    for (size_t i = 0; i < s.count; i++) {
        const double *x = stage_positions(&s) + 3 * i;
        const bool is_back = stage_bodies(&s)[i] == 0 && x[0] > 0.03;
        distance[stage_ids(&s)[i]] = is_back ? hypot(x[1], x[2] - 0.13) : HUGE_VAL;
    }
    for (int k = 1; k <= 40 && ahead > 0.9; k++) {
        double part;
        stage_run(&s, 0.001 * k);
        const double now = bulge(&s, distance, 0, 0.03, &ahead);
        most = ahead > 0.9 ? now : most;
        beside = ahead > 0.9 ? bulge(&s, distance, 0.03, 0.06, &part) : beside;
    }
    cr_log_info("back at %.4f m, and %.4f m beside the ball", most, beside);
    cr_expect_gt(most, dx, "%g m", most);
    cr_expect_gt(beside, 0.1 * most, "%g m", beside);
    free(distance);
    stage_close(&s);
}

Test(ball_through_wall, a_slow_ball_sticks_and_the_wall_stands) {
    stage s = stage_open("ball-through-wall", SET("spacing=10mm", "bodies.ball.velocity=[2,0,0]"));
    const double before = mean(&s, stage_positions(&s), 0, 2);
    double ahead, faster;
    run_and_watch(&s, 0.25);
    compare(&s, &ahead, &faster);
    cr_expect_lt(ahead, 0.05, "it is %g m ahead", ahead);
    cr_expect_lt(fabs(faster), 0.02, "and stays: %g m/s", faster);
    const double ball = mean(&s, stage_positions(&s), 1, 2);
    cr_expect_gt(ball, 0.1, "it does not fall off: %g m high", ball);
    const double after = mean(&s, stage_positions(&s), 0, 2);
    cr_expect_gt(after, 0.95 * before, "the wall is %g m high of %g m", after, before);
    stage_close(&s);
}

/* ---- Balls and towers: Mao06 fig. 4-8 ---- */

Test(towers, fall_to_balls_and_stand_without) {
    enum { FIRST, SECOND, THIRD, ROLLS, FLIES };
    stage s = stage_open("towers", SET("spacing=15mm"));
    double before[3], after[3];
    for (uint32_t k = FIRST; k <= THIRD; k++)
        before[k] = mean(&s, stage_positions(&s), k, 2);
    run_and_watch(&s, 0.35);
    for (uint32_t k = FIRST; k <= THIRD; k++)
        after[k] = mean(&s, stage_positions(&s), k, 2) / before[k];
    cr_log_info("heights %.3f %.3f %.3f of those at the start, balls at %.3f and %.3f m", after[0],
                after[1], after[2], mean(&s, stage_positions(&s), ROLLS, 0),
                mean(&s, stage_positions(&s), FLIES, 0));
    cr_expect_lt(after[FIRST], 0.7, "%g", after[FIRST]);
    cr_expect_lt(after[SECOND], 0.7, "%g", after[SECOND]);
    cr_expect_gt(after[THIRD], 0.98, "%g", after[THIRD]);
    cr_expect_lt(fabs(mean(&s, stage_positions(&s), THIRD, 0) - 0.03), 0.002, "it does not lean");
    for (uint32_t k = ROLLS; k <= FLIES; k++) {
        const double speed = fabs(mean(&s, stage_velocities(&s), k, 0));
        cr_expect_lt(speed, 0.3, "ball %u is caught: %g m/s", k, speed);
    }
    stage_close(&s);
}
