/* What the viscoplastic scenes show, on coarser particles than their films. */
#include "stage.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Highest particle of a body (m). */
static double height(stage *s, uint32_t body) {
    double top = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body)
            top = fmax(top, stage_positions(s)[3 * i + 2]);
    return top;
}

static double mean_height(stage *s) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += stage_positions(s)[3 * i + 2];
    return sum / (double)s->count;
}

/* ---- Jump numbers: PPLT09 fig. 3 ---- */

Test(jump_spheres, the_larger_the_jump_number_the_higher_the_ball_stands) {
    stage s = stage_open("jump-spheres", SET("spacing=10mm"));
    stage_run(&s, 4);
    double top[4];
    for (uint32_t b = 0; b < 4; b++)
        top[b] = height(&s, b);
    cr_log_info("J = 15, 50, 100, 150: %.3f, %.3f, %.3f, %.3f m", top[0], top[1], top[2], top[3]);
    cr_expect_lt(top[0], 0.05, "J = 15 is a puddle: %g m", top[0]);
    cr_expect_gt(top[3], 0.06, "J = 150 is still a ball: %g m", top[3]);
    for (int b = 1; b < 4; b++)
        cr_expect_gt(top[b], top[b - 1] + 0.004, "ball %d: %g m, %g m", b, top[b - 1], top[b]);
    stage_close(&s);
}

/* ---- The soft block ---- */

Test(soft_block, yields_under_its_weight_and_comes_to_rest) {
    stage s = stage_open("soft-block", SET("spacing=16mm", "bodies.block.box.from=[-0.08,-0.08,0]",
                                           "bodies.block.box.to=[0.08,0.08,0.208]"));
    const double start = mean_height(&s);
    stage_run(&s, 1.5);
    const double settled = mean_height(&s);
    stage_run(&s, 3);
    const double end = mean_height(&s);
    cr_log_info("mean height %.4f, %.4f, %.4f m", start, settled, end);
    cr_expect_lt(settled, 0.9 * start, "it yields: %g m of %g m", settled, start);
    cr_expect_gt(end, 0.5 * start, "it stands: %g m of %g m", end, start);
    cr_expect_lt(settled - end, 0.03 * start, "it rests: %g m, then %g m", settled, end);
    stage_close(&s);
}

/* ---- Toothpaste ---- */

/* Mean height (m) of the first particles that came out of the nozzle. */
static double height_of_first(stage *s, uint64_t count) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_ids(s)[i] < count) {
            sum += stage_positions(s)[3 * i + 2];
            n++;
        }
    cr_assert_eq(n, count);
    return sum / n;
}

/* What is left at the end of the mean height that the first wave of the strand had when it lay and
 * the nozzle had moved on. */
static double kept(const char *rheology) {
    stage s = stage_open("toothpaste", SET("spacing=2mm", rheology));
    stage_run(&s, 1.7);
    const double down = height_of_first(&s, 400);
    stage_run(&s, 2.4);
    const double end = height_of_first(&s, 400);
    cr_log_info("%s: mean height %.5f m, then %.5f m", rheology, down, end);
    stage_close(&s);
    return end / down;
}

Test(toothpaste, keeps_its_shape_where_a_newtonian_strand_spreads) {
    const double paste = kept("title=Toothpaste");
    const double liquid = kept("materials.paste.rheology={model: newtonian, viscosity: 10}");
    cr_expect_gt(paste, 0.97, "the paste keeps %g of its height", paste);
    cr_expect_lt(liquid, 0.85, "the liquid keeps %g of its height", liquid);
}

/* ---- The wax figure: PPLT06 fig. 1 ---- */

/* Mean height (m) of the particles that are between two temperatures. */
static double height_between(stage *s, float low, float high) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++) {
        const float t = stage_temperatures(s)[i];
        if (t < low || t >= high)
            continue;
        sum += stage_positions(s)[3 * i + 2];
        n++;
    }
    cr_assert_gt(n, 50);
    return sum / (double)n;
}

Test(wax_figure, hot_ears_sink_first_and_cold_feet_stand) {
    stage s = stage_open("wax-figure", SET("spacing=6mm"));
    const double feet = height_between(&s, 0, 35), head = height_between(&s, 55, 70),
                 ears = height_between(&s, 78, 100);
    stage_run(&s, 0.5);
    const double early_ears = height_between(&s, 78, 100) / ears,
                 early_head = height_between(&s, 55, 70) / head;
    stage_run(&s, 3);
    const double late_feet = height_between(&s, 0, 35) / feet,
                 late_head = height_between(&s, 55, 70) / head,
                 late_ears = height_between(&s, 78, 100) / ears;
    cr_log_info("after 0.5 s ears %.3f, head %.3f; after 3 s ears %.3f, head %.3f, feet %.3f",
                early_ears, early_head, late_ears, late_head, late_feet);
    cr_expect_lt(early_ears, early_head - 0.1, "ears first: %g, head %g", early_ears, early_head);
    cr_expect_lt(late_head, 0.92, "the head follows: %g", late_head);
    cr_expect_gt(late_feet, 0.95, "the feet stand: %g", late_feet);
    cr_expect_lt(late_ears, late_head - 0.1, "ears %g, head %g", late_ears, late_head);
    stage_close(&s);
}

/* ---- Rope and sheet ---- */

/* The largest distance from the plane x = 0 (m) of the mean place of a slice of the body, over
 * slices that were `thick` high at the start. `first` has the heights of the start, by id. */
static double off_plane(stage *s, const double *first, double thick) {
    enum { SLICES = 200 };
    double sum[SLICES][2] = {{0}}, farthest = 0;
    for (size_t i = 0; i < s->count; i++) {
        const size_t slice = (size_t)(first[stage_ids(s)[i]] / thick);
        cr_assert_lt(slice, SLICES);
        sum[slice][0] += stage_positions(s)[3 * i];
        sum[slice][1] += 1;
    }
    for (int a = 0; a < SLICES; a++)
        if (sum[a][1] > 0)
            farthest = fmax(farthest, fabs(sum[a][0]) / sum[a][1]);
    return farthest;
}

static double *first_heights(stage *s) {
    double *first = calloc(s->count, sizeof *first);
    cr_assert_not_null(first);
    for (size_t i = 0; i < s->count; i++) {
        cr_assert_lt(stage_ids(s)[i], s->count);
        first[stage_ids(s)[i]] = stage_positions(s)[3 * i + 2];
    }
    return first;
}

/* Where the rope is (m, off the axis of the spout) between two heights. */
static void rope_at(stage *s, double low, double high, double place[2]) {
    double n = 0;
    place[0] = place[1] = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        if (x[2] < low || x[2] > high)
            continue;
        place[0] += x[0];
        place[1] += x[1];
        n++;
    }
    cr_assert_gt(n, 0);
    place[0] /= n;
    place[1] /= n;
}

/* Above the heap the rope leans the way its foot runs. */
Test(rope_coil, foot_of_the_rope_runs_round_and_round) {
    stage s = stage_open("rope-coil", SET("spacing=2mm"));
    double turns = 0, ways = 0, away = 0, last = 0;
    for (int k = 40; k <= 90; k++) {
        double place[2];
        stage_run(&s, 0.04 * k);
        rope_at(&s, 0.03, 0.036, place);
        const double angle = atan2(place[1], place[0]) / (2 * acos(-1));
        if (k > 40) {
            const double turn = angle - last - round(angle - last);
            turns += turn;
            ways += fabs(turn);
        }
        last = angle;
        away += hypot(place[0], place[1]) / 51;
    }
    cr_log_info("%.2f turns in 2 s, %.2f to and fro; %.4f m off the axis in the mean", turns, ways,
                away);
    cr_expect_gt(fabs(turns), 2, "%g turns", turns);
    cr_expect_gt(fabs(turns), 0.9 * ways, "it coils, and does not fold: %g of %g", turns, ways);
    cr_expect_gt(away, 0.002, "%g m", away);
    stage_close(&s);
}

Test(sheet_buckle, middle_of_the_sheet_leaves_its_plane_by_more_than_its_thickness) {
    stage s =
        stage_open("sheet-buckle", SET("spacing=6mm", "bodies.sheet.box.from=[-0.006,-0.03,0.012]",
                                       "bodies.sheet.box.to=[0.006,0.03,0.36]"));
    double *first = first_heights(&s);
    cr_expect_lt(off_plane(&s, first, 0.012), 1e-6);
    stage_run(&s, 0.35);
    const double end = off_plane(&s, first, 0.012);
    cr_log_info("off the plane: %.4f m", end);
    cr_expect_gt(end, 0.012, "%g m", end);
    free(first);
    stage_close(&s);
}

/* ---- XSPH: PPLT09 fig. 6 ---- */

/* Root mean square difference (m/s) between particles' velocities and the mean around them. */
static double scatter(stage *s) {
    const double *x = stage_positions(s), *v = stage_velocities(s);
    const double reach = 1.5 * tl_scene_spacing(s->scene);
    double sum = 0;
    size_t counted = 0;
    for (size_t i = 0; i < s->count; i++) {
        double mean[3] = {0}, n = 0;
        for (size_t j = 0; j < s->count; j++) {
            const double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1],
                         dz = x[3 * i + 2] - x[3 * j + 2];
            if (dx * dx + dy * dy + dz * dz > reach * reach)
                continue;
            for (size_t k = 0; k < 3; k++)
                mean[k] += v[3 * j + k];
            n++;
        }
        for (size_t k = 0; k < 3 && n > 1; k++)
            sum += pow(v[3 * i + k] - mean[k] / n, 2);
        counted += n > 1;
    }
    cr_assert_gt(counted, s->count / 2);
    return sqrt(sum / (double)counted);
}

Test(xsph, keeps_neighbours_together) {
    const char *const scenes[2] = {"xsph-on", "xsph-off"};
    double rough[2], top[2];
    for (int k = 0; k < 2; k++) {
        stage s = stage_open(scenes[k], SET("spacing=3cm"));
        stage_run(&s, 0.15);
        rough[k] = scatter(&s);
        top[k] = height(&s, 0);
        stage_close(&s);
    }
    cr_log_info("scatter %.4f m/s with XSPH, %.4f without; highest %.3f m, %.3f m", rough[0],
                rough[1], top[0], top[1]);
    cr_expect_lt(rough[0], 0.5 * rough[1], "%g m/s against %g m/s", rough[0], rough[1]);
}
