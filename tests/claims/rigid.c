/* What scenes with rigid bodies show, on coarser particles than their films. */
#include "stage.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>

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

/* ---- The ball and the wall: PPLT09 fig. 13 ---- */

/* How far (m) the ball is ahead of the middle of the wall, and how much faster (m/s). */
static void shoot(const char *velocity, double time, double *ahead, double *faster) {
    stage s = stage_open("ball-through-wall", SET("spacing=10mm", velocity));
    stage_run(&s, time);
    const double *x = stage_positions(&s), *v = stage_velocities(&s);
    *ahead = mean(&s, x, 1, 0) - mean(&s, x, 0, 0);
    *faster = mean(&s, v, 1, 0) - mean(&s, v, 0, 0);
    cr_log_info("%s: %.3f m ahead, %.3f m/s faster", velocity, *ahead, *faster);
    stage_close(&s);
}

Test(ball_through_wall, drills_through_when_fast_and_sticks_when_slow) {
    double fast[2], slow[2];
    shoot("bodies.ball.velocity=[8,0,0]", 0.04, &fast[0], &fast[1]);
    shoot("bodies.ball.velocity=[2,0,0]", 0.1, &slow[0], &slow[1]);
    /* Half the wall and a radius are 5 cm. */
    cr_expect_gt(fast[0], 0.06, "the fast ball is %g m ahead", fast[0]);
    cr_expect_gt(fast[1], 1, "and goes on: %g m/s", fast[1]);
    cr_expect_lt(slow[0], 0.05, "the slow ball is %g m ahead", slow[0]);
    cr_expect_lt(slow[1], 0.3, "and stays: %g m/s", slow[1]);
}
