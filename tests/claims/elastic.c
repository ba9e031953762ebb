/* What the elastic scenes show, on coarser particles than their films. */
#include "stage.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <string.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static double mean_height(stage *s, uint32_t body) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            sum += stage_positions(s)[3 * i + 2];
            n++;
        }
    cr_assert_gt(n, 0);
    return sum / n;
}

/* ---- Six balls: Mao06 fig. 4-2 ---- */

enum { SOLIDS = 3, BALLS = 6 };

typedef struct bounce {
    double lowest, rise; /* m: mean height so far, and how far it has come up again at most */
} bounce;

static void follow(stage *s, bounce balls[BALLS]) {
    for (uint32_t b = 0; b < BALLS; b++) {
        const double z = mean_height(s, b);
        balls[b].lowest = fmin(balls[b].lowest, z);
        balls[b].rise = fmax(balls[b].rise, z - balls[b].lowest);
    }
}

static double potential_of(stage *s) {
    tl_ledger l;
    tl_world_ledger(s->world, &l);
    return l.potential_energy;
}

/* What has been lost to heat, J. It never comes back. */
static double heat_of(stage *s) {
    tl_ledger l;
    tl_world_ledger(s->world, &l);
    return l.viscous_heat + l.numerical_heat;
}

Test(six_balls, solids_bounce_the_softer_the_flatter_and_what_forgets_does_not) {
    stage s = stage_open("six-balls", SET("spacing=8mm"));
    const double first = mean_height(&s, 0), radius = 0.04;
    bounce balls[BALLS];
    for (int b = 0; b < BALLS; b++)
        balls[b] = (bounce){.lowest = first};
    tl_ledger l;
    tl_world_ledger(s.world, &l);
    const double fall = l.mass * 9.81 * (first - radius);
    double most = 0, taken_back = 0;
    for (int k = 1; k <= 60; k++) {
        stage_run(&s, 0.01 * k);
        follow(&s, balls);
        const double heat = heat_of(&s) / fall;
        most = fmax(most, heat);
        taken_back = fmax(taken_back, most - heat);
    }
    for (uint32_t b = 0; b < BALLS; b++)
        cr_log_info("ball %u: down to %.4f m, up by %.4f m, at %.4f m in the end", b,
                    balls[b].lowest, balls[b].rise, mean_height(&s, b));
    cr_log_info("heat: %.4f of the energy of the fall; taken back: %.4f", most, taken_back);
    cr_expect_lt(taken_back, 0.02, "energy is gained: %g", taken_back);
    for (uint32_t b = 0; b < SOLIDS; b++) {
        const double solid = balls[b].rise, liquid = balls[b + SOLIDS].rise;
        cr_expect_lt(liquid, 0.1 * solid, "what forgets stays down: %g m, %g m", liquid, solid);
        cr_expect_lt(mean_height(&s, b + SOLIDS), 0.9 * mean_height(&s, b), "and is flatter");
        cr_expect_gt(solid, 0.5 * (first - radius), "ball %u rises by %g m", b, solid);
        if (b > 0)
            cr_expect_gt(balls[b].lowest, 1.1 * balls[b - 1].lowest, "the softer, the flatter");
    }
    stage_close(&s);
}

/* ---- A cube of jelly ---- */

static void extent(stage *s, uint32_t body, int axis, double out[2]) {
    out[0] = HUGE_VAL;
    out[1] = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            const double x = stage_positions(s)[3 * i + (size_t)axis];
            out[0] = fmin(out[0], x);
            out[1] = fmax(out[1], x);
        }
}

Test(jelly_cube, it_is_squashed_bounces_and_stands_as_it_was) {
    const double dx = 0.00625;
    stage s = stage_open("jelly-cube", SET("spacing=6.25mm"));
    double at[2], squashed = HUGE_VAL, bounced = 0, most = 0, taken_back = 0;
    extent(&s, 0, 2, at);
    const double height = at[1] - at[0], fall = potential_of(&s) * at[0] / mean_height(&s, 0);
    for (int k = 1; k <= 40; k++) {
        stage_run(&s, 0.02 * k);
        extent(&s, 0, 2, at);
        squashed = fmin(squashed, (at[1] - at[0]) / height);
        most = fmax(most, heat_of(&s));
        taken_back = fmax(taken_back, most - heat_of(&s));
        if (k > 6 && k < 15)
            bounced = fmax(bounced, at[0]);
    }
    double wide[2];
    extent(&s, 0, 0, wide);
    cr_log_info("squashed to %.3f, lifts off by %.4f m, ends %.3f high and %.3f wide", squashed,
                bounced - dx / 2, (at[1] - at[0]) / height, (wide[1] - wide[0]) / height);
    cr_log_info("of %.4f J that became heat %.5f were taken back", most, taken_back);
    cr_expect_lt(taken_back, 0.01 * fall, "energy is stored that nobody gave: %g J", taken_back);
    cr_expect_lt(squashed, 0.85, "it is hardly squashed: %g", squashed);
    cr_expect_gt(bounced, 1.5 * dx, "it stays on the table: %g", bounced);
    cr_expect_float_eq((at[1] - at[0]) / height, 1, 0.15, "height");
    cr_expect_float_eq((wide[1] - wide[0]) / height, 1, 0.15, "width");
    stage_close(&s);
}

/* ---- Towers: Mao06 fig. 4-8 ---- */

/* How far the head of a tower leans out, m: the mean x of its highest tenth less that at its foot.
 */
static double lean_of(stage *s, uint32_t body) {
    double z[2], head = 0, foot = 0, heads = 0, feet = 0;
    extent(s, body, 2, z);
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        if (stage_bodies(s)[i] != body)
            continue;
        if (x[2] > 0.9 * z[1]) {
            head += x[0];
            heads++;
        }
        if (x[2] < 0.1 * z[1]) {
            foot += x[0];
            feet++;
        }
    }
    return head / heads - foot / feet;
}

Test(bent_towers, what_does_not_yield_springs_back_and_what_does_stays_bent_or_falls) {
    stage s = stage_open("bent-towers", SET("spacing=15mm"));
    double most = 0, least = 0, high[2];
    for (int k = 1; k <= 25; k++) {
        stage_run(&s, 0.02 * k);
        most = fmax(most, lean_of(&s, 0));
        least = k > 10 ? fmin(least, lean_of(&s, 0)) : 0;
    }
    extent(&s, 2, 2, high);
    double ball = 0, balls = 0;
    for (size_t i = 0; i < s.count; i++)
        if (stage_bodies(&s)[i] == 3) {
            ball += stage_velocities(&s)[3 * i];
            balls++;
        }
    cr_log_info("the first leans by %.3f m, then %.3f m; the second by %.3f m in the end; the "
                "third is %.3f m "
                "high; the first ball goes back with %.2f m/s",
                most, least, lean_of(&s, 1), high[1], -ball / balls);
    cr_expect_gt(most, 0.03, "the first tower is bent: %g", most);
    cr_expect_lt(least, 0, "and swings back: %g", least);
    cr_expect_lt(ball / balls, 0, "its ball is thrown back");
    cr_expect_gt(lean_of(&s, 1), 0.05, "the second stays bent: %g", lean_of(&s, 1));
    cr_expect_lt(high[1], 0.15, "the third falls: %g", high[1]);
    stage_close(&s);
}

/* ---- Four blocks that are pulled: Mao06 fig. 4-9 ---- */

/* The mean of a field of one value, or of √(½ S:S), over the middle third of a body. */
static double middle_of(stage *s, uint32_t body, const char *name) {
    tl_field_view view;
    double z[2], sum = 0, n = 0;
    cr_assert(tl_world_field(s->world, name, &view), "no %s", name);
    const float *value = view.data;
    const bool tensor = strcmp(name, "elastic_stress") == 0;
    extent(s, body, 2, z);
    for (size_t i = 0; i < s->count; i++) {
        if (stage_bodies(s)[i] != body ||
            fabs(stage_positions(s)[3 * i + 2] - (z[0] + z[1]) / 2) > (z[1] - z[0]) / 6)
            continue;
        double square = 0;
        for (size_t k = 0; k < 6 && tensor; k++)
            square += (k < 3 ? 0.5 : 1) * pow((double)value[6 * i + k], 2);
        sum += tensor ? sqrt(square) : (double)value[i];
        n++;
    }
    cr_assert_gt(n, 0);
    return sum / n;
}

Test(pull_four, what_is_held_keeps_all_of_its_stress_or_what_it_yields_at) {
    stage s = stage_open("pull-four", NULL);
    stage_run(&s, 0.9); /* ten λ after the plate has stopped */
    double stress[4], flowed[4], wide[2];
    for (uint32_t b = 0; b < 4; b++) {
        stress[b] = middle_of(&s, b, "elastic_stress");
        flowed[b] = middle_of(&s, b, "plastic_strain");
        extent(&s, b, 2, wide);
        cr_log_info("block %u: stress %.0f Pa, flowed %.3f, from %.4f to %.4f m", b, stress[b],
                    flowed[b], wide[0], wide[1]);
        cr_expect_gt(wide[1], 0.045, "block %u has come off the plate: %g", b, wide[1]);
        cr_expect_lt(wide[0], 0.004, "block %u has come off the table: %g", b, wide[0]);
    }
    /* Drawn to s = 1.6 it has G (s² - 1/s)/√3 = 11 kPa, and more in the middle, which is thinnest.
     */
    cr_expect_gt(stress[1], 11000, "the solid keeps its stress: %g", stress[1]);
    cr_expect_float_eq(stress[2], 1500, 75, "what yields keeps its yield stress: %g", stress[2]);
    cr_expect_float_eq(stress[3], 500, 25, "and so does what is weak: %g", stress[3]);
    cr_expect_eq(flowed[1], 0);
    cr_expect_gt(flowed[2], 0.3, "it flows: %g", flowed[2]);
    cr_expect_gt(flowed[3], flowed[2], "what is weak flows more: %g", flowed[3]);
    stage_close(&s);
}

/* ---- Hot bars on a cold plate: Mao06 fig. 6-1 ---- */

/* The mean distance of a body's particles from its middle, in the plane of the plate, m. */
static double width_of(stage *s, uint32_t body) {
    double middle[2] = {0}, sum = 0, n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            middle[0] += stage_positions(s)[3 * i];
            middle[1] += stage_positions(s)[3 * i + 1];
            n++;
        }
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body)
            sum += hypot(stage_positions(s)[3 * i] - middle[0] / n,
                         stage_positions(s)[3 * i + 1] - middle[1] / n);
    return sum / n;
}

static double warmth_of(stage *s, uint32_t body) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            sum += (double)stage_temperatures(s)[i];
            n++;
        }
    return sum / n;
}

Test(bars_cold_plate, the_liquid_flows_and_the_others_become_blobs_the_sooner_they_cool) {
    stage s = stage_open("bars-cold-plate", SET("spacing=5mm"));
    double early[3], late[3], warmth[3];
    stage_run(&s, 0.3);
    for (uint32_t b = 0; b < 3; b++) {
        early[b] = width_of(&s, b);
        warmth[b] = warmth_of(&s, b);
    }
    stage_run(&s, 0.8);
    for (uint32_t b = 0; b < 3; b++) {
        late[b] = width_of(&s, b);
        cr_log_info("bar %u: %.1f °C and %.4f m wide at 0.3 s, %.4f m at 0.8 s, %.4f m high", b,
                    warmth[b], early[b], late[b], mean_height(&s, b));
    }
    cr_expect_lt(warmth[2], warmth[1] - 10, "the third cools sooner: %g and %g °C", warmth[2],
                 warmth[1]);
    cr_expect_gt(late[0], 1.1 * early[0], "the liquid flows on");
    cr_expect_gt(late[0], 1.2 * late[1], "farther than the second: %g and %g m", late[0], late[1]);
    cr_expect_gt(late[1], 1.05 * late[2], "which is wider than the third, %g m", late[2]);
    cr_expect_lt(late[2], 1.03 * early[2], "and that keeps its form");
    cr_expect_gt(mean_height(&s, 2), 1.2 * mean_height(&s, 0), "it is a blob, not a puddle");
    stage_close(&s);
}

/* ---- Cold matter and what is hot: Mao06 figs. 6-2, 6-4, 6-7 to 6-9 ---- */

/* What energy came back that had become heat, J: of runs in which nothing but falling gives any. */
typedef struct heat_watch {
    double most, taken_back;
} heat_watch;

static void watch_heat(stage *s, heat_watch *w) {
    w->most = fmax(w->most, heat_of(s));
    w->taken_back = fmax(w->taken_back, w->most - heat_of(s));
}

static double height_of(stage *s, uint32_t body) {
    double z[2];
    extent(s, body, 2, z);
    return z[1] - z[0];
}

/* Mean temperature between two parts of a body's height. */
static double warmth_between(stage *s, uint32_t body, double from, double to) {
    double z[2], sum = 0, n = 0;
    extent(s, body, 2, z);
    for (size_t i = 0; i < s->count; i++) {
        const double part = (stage_positions(s)[3 * i + 2] - z[0]) / (z[1] - z[0]);
        if (stage_bodies(s)[i] == body && part >= from && part <= to) {
            sum += (double)stage_temperatures(s)[i];
            n++;
        }
    }
    cr_assert_gt(n, 0);
    return sum / n;
}

Test(bar_hot_plate, it_stands_melts_from_its_foot_and_gains_no_energy) {
    stage s = stage_open("bar-hot-plate", SET("spacing=5mm"));
    const double first = height_of(&s, 0), fall = potential_of(&s);
    heat_watch heat = {0};
    double standing = 0, foot = 0, head = 0;
    for (int k = 1; k <= 50; k++) {
        stage_run(&s, 0.05 * k);
        watch_heat(&s, &heat);
        if (k == 14) {
            standing = height_of(&s, 0);
            foot = warmth_between(&s, 0, 0, 0.2);
            head = warmth_between(&s, 0, 0.8, 1);
        }
    }
    cr_log_info(
        "%.2f of its height at 0.7 s, foot at %.0f °C, head at %.0f °C; %.2f in the end; %.4f "
        "of the energy of the fall taken back",
        standing / first, foot, head, height_of(&s, 0) / first, heat.taken_back / fall);
    cr_expect_gt(standing, 0.8 * first, "it stands: %g", standing / first);
    cr_expect_gt(foot, head + 10, "its foot is warm: %g and %g °C", foot, head);
    cr_expect_lt(head, 12, "its head is cold: %g °C", head);
    cr_expect_lt(height_of(&s, 0), 0.5 * first, "it has melted down");
    cr_expect_lt(heat.taken_back, 0.01 * fall, "energy is gained: %g J", heat.taken_back);
    stage_close(&s);
}

Test(ball_hot_plate, it_bounces_first_and_then_melts) {
    stage s = stage_open("ball-hot-plate", SET("spacing=5mm"));
    const double radius = 0.025, fall = potential_of(&s) * (1 - radius / mean_height(&s, 0));
    bounce ball = {.lowest = mean_height(&s, 0)};
    heat_watch heat = {0};
    for (int k = 1; k <= 40; k++) {
        stage_run(&s, 0.05 * k);
        watch_heat(&s, &heat);
        const double z = mean_height(&s, 0);
        if (k <= 10)
            ball.rise = fmax(ball.rise, z - ball.lowest);
        ball.lowest = fmin(ball.lowest, z);
    }
    cr_log_info("bounces by %.4f m, ends at %.4f m; %.4f of the fall taken back", ball.rise,
                mean_height(&s, 0), heat.taken_back / fall);
    cr_expect_gt(ball.rise, 0.2 * radius, "it bounces: %g m", ball.rise);
    cr_expect_lt(mean_height(&s, 0), 0.4 * radius, "it melts: %g m", mean_height(&s, 0));
    cr_expect_lt(heat.taken_back, 0.01 * fall, "energy is gained: %g J", heat.taken_back);
    stage_close(&s);
}

/* Part of a body that is below a height. */
static double part_below(stage *s, uint32_t body, double z) {
    double below = 0, all = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            all++;
            below += stage_positions(s)[3 * i + 2] < z;
        }
    return below / all;
}

Test(box_hot_plate, it_lands_whole_melts_and_runs_over_the_edges) {
    stage s = stage_open("box-hot-plate", SET("spacing=5mm"));
    const double first = height_of(&s, 0);
    stage_run(&s, 0.2);
    const double landed = height_of(&s, 0), dry = part_below(&s, 0, 0.05);
    stage_run(&s, 2);
    cr_log_info("%.2f of its height at 0.2 s; %.2f of it below the plate in the end",
                landed / first, part_below(&s, 0, 0.05));
    cr_expect_gt(landed, 0.85 * first, "it is elastic while it is cold: %g", landed / first);
    cr_expect_eq(dry, 0, "nothing has run off yet: %g", dry);
    cr_expect_gt(part_below(&s, 0, 0.05), 0.4, "it runs off: %g", part_below(&s, 0, 0.05));
    stage_close(&s);
}

/* How much lower the ends of a bar are than its middle, m. */
static double droop_of(stage *s) {
    double x[2], ends = 0, at_ends = 0, top = -HUGE_VAL;
    extent(s, 0, 0, x);
    for (size_t i = 0; i < s->count; i++) {
        const double *at = stage_positions(s) + 3 * i;
        const bool end = at[0] < 0.9 * x[0] + 0.1 * x[1] || at[0] > 0.1 * x[0] + 0.9 * x[1];
        ends += end ? at[2] : 0;
        at_ends += end;
        top = fmax(top, at[2]);
    }
    return top - ends / at_ends;
}

Test(bar_hot_rod, it_bends_swings_up_again_and_then_hangs) {
    stage s = stage_open("bar-hot-rod", SET("spacing=4mm"));
    const double fall = potential_of(&s);
    double bent = 0, back = HUGE_VAL;
    heat_watch heat = {0};
    for (int k = 1; k <= 20; k++) {
        stage_run(&s, 0.04 * k);
        watch_heat(&s, &heat);
        if (k <= 6)
            bent = fmax(bent, droop_of(&s));
        else if (k <= 12)
            back = fmin(back, droop_of(&s));
    }
    cr_log_info("its ends hang by %.4f m, then %.4f m, then %.4f m; %.4f of the fall taken back",
                bent, back, droop_of(&s), heat.taken_back / fall);
    cr_expect_gt(bent, 0.03, "it bends: %g m", bent);
    cr_expect_lt(back, 0.75 * bent, "and swings up: %g m", back);
    cr_expect_gt(droop_of(&s), 1.3 * back, "and hangs where it is warm: %g m", droop_of(&s));
    cr_expect_lt(heat.taken_back, 0.01 * fall, "energy is gained: %g J", heat.taken_back);
    stage_close(&s);
}

Test(hot_ball_slab, one_falls_through_what_conducts_well_and_one_lies_on_what_does_not) {
    stage s = stage_open("hot-ball-slab", SET("spacing=4mm"));
    stage_run(&s, 0.7);
    cr_log_info("balls at %.4f and %.4f m", mean_height(&s, 2), mean_height(&s, 3));
    cr_expect_lt(mean_height(&s, 2), 0.045, "it falls through: %g m", mean_height(&s, 2));
    cr_expect_gt(mean_height(&s, 3), 0.055, "it lies on it: %g m", mean_height(&s, 3));
    stage_close(&s);
}
