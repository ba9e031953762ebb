/* What the scenes of several candles show, on coarser particles than their films. */
#include "stage.h"

#include "world/world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The mean height (m) of a body's topmost particles. */
static double top_of(stage *s, uint32_t body) {
    enum { TOP = 40 };
    double high[TOP], sum = 0;
    for (int k = 0; k < TOP; k++)
        high[k] = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++) {
        double z = stage_positions(s)[3 * i + 2];
        for (int k = 0; stage_bodies(s)[i] == body && k < TOP; k++)
            if (z > high[k]) {
                const double next = high[k];
                high[k] = z;
                z = next;
            }
    }
    for (int k = 0; k < TOP; k++)
        sum += high[k] / TOP;
    return sum;
}

/* What of a body was in the lower half of its shaft has moved so far, on the mean (m); and what is
 * on its outside there that was above. The candle stands at x. */
static double shaft_moved(stage *s, uint32_t body, const double *start, double x, size_t *come) {
    double sum = 0, count = 0;
    *come = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *at = stage_positions(s) + 3 * i, *was = start + 3 * stage_ids(s)[i];
        if (stage_bodies(s)[i] != body)
            continue;
        const bool low = was[2] > 0.006 && was[2] < 0.018;
        sum += low ? hypot(hypot(at[0] - was[0], at[1] - was[1]), at[2] - was[2]) : 0;
        count += low;
        *come += was[2] > 0.02 && at[2] < 0.015 && hypot(at[0] - x, at[1]) > 0.008;
    }
    return sum / count;
}

/* Chao12 fig. 4.7 and 4.8: the candle of PPLT09 sags as one piece, and nothing runs down its side;
 * the shaft of the one on a wick stands, and wax has run down it. */
Test(candle_pair, the_viscoplastic_one_sags_and_the_one_on_a_wick_runs_down_its_side) {
    stage s = stage_open("candle-pair", SET("spacing=2.2mm"));
    const double high[2] = {top_of(&s, 0), top_of(&s, 1)};
    double *start = malloc(3 * s.count * sizeof *start);
    cr_assert_not_null(start);
    for (size_t i = 0; i < s.count; i++)
        memcpy(start + 3 * stage_ids(&s)[i], stage_positions(&s) + 3 * i, 3 * sizeof *start);
    stage_run(&s, 12);
    size_t come[2];
    const double moved[2] = {shaft_moved(&s, 0, start, -0.014, &come[0]),
                             shaft_moved(&s, 1, start, 0.014, &come[1])};
    cr_log_info("tops %.1f, %.1f mm, then %.1f, %.1f; shafts moved by %.2f, %.3f mm; %zu, %zu have "
                "come down their sides",
                1e3 * high[0], 1e3 * high[1], 1e3 * top_of(&s, 0), 1e3 * top_of(&s, 1),
                1e3 * moved[0], 1e3 * moved[1], come[0], come[1]);
    cr_expect_lt(top_of(&s, 0), high[0] - 0.002, "its top has sunk");
    cr_expect_gt(moved[0], 1e-4, "what is below gives way: %g m", moved[0]);
    cr_expect_eq(come[0], 0, "nothing has run down it: %zu", come[0]);
    cr_expect_lt(top_of(&s, 1), high[1] - 0.002, "the other burns down");
    cr_expect_lt(moved[1], 1e-9, "but its shaft stands: %g m", moved[1]);
    cr_expect_gt(come[1], 10, "and wax has run down it: %zu", come[1]);
    free(start);
    stage_close(&s);
}

/* The farthest (m) that anything has moved which was below 30 mm. */
static double foot_moved(stage *s, const double *start, size_t count) {
    double far = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *at = stage_positions(s) + 3 * i, *was = start + 3 * stage_ids(s)[i];
        if (stage_ids(s)[i] < count && was[2] < 0.03)
            far = fmax(far, hypot(hypot(at[0] - was[0], at[1] - was[1]), at[2] - was[2]));
    }
    return far;
}

Test(rabbit_candle, burns_down_from_both_ears_and_stands) {
    stage s = stage_open("rabbit-candle", SET("spacing=2.6mm"));
    const size_t count = s.count;
    double *start = malloc(3 * count * sizeof *start), power[2];
    tl_vec3 first[2], last[2];
    tl_ledger l;
    cr_assert_not_null(start);
    for (size_t i = 0; i < count; i++)
        memcpy(start + 3 * stage_ids(&s)[i], stage_positions(&s) + 3 * i, 3 * sizeof *start);
    for (size_t k = 0; k < 2; k++)
        cr_assert(tl_world_flame(s.world, k, &first[k], &power[k]));
    stage_run(&s, 2.5);
    tl_world_ledger(s.world, &l);
    for (size_t k = 0; k < 2; k++) {
        cr_assert(tl_world_flame(s.world, k, &last[k], &power[k]));
        cr_log_info("flame %zu: %.1f mm lower, %.0f W", k, 1e3 * (first[k].z - last[k].z),
                    power[k]);
        cr_expect_gt(power[k], 10, "it burns");
        cr_expect_gt(first[k].z - last[k].z, 0.001, "%g m", first[k].z - last[k].z);
    }
    cr_log_info("foot moved by %.2g m; heat error %.2g J of %.3g J", foot_moved(&s, start, count),
                l.heat_error, l.radiated_heat);
    cr_expect_lt(foot_moved(&s, start, count), 1e-9, "it stands");
    cr_expect_lt(fabs(l.heat_error), 1e-6 * l.radiated_heat);
    free(start);
    stage_close(&s);
}
