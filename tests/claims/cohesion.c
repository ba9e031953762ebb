/* What the scenes of thermal particles show [Ton91 fig. 5 to 7]. */
#include "stage.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static const double separation = 1.192;

/* Places by name; freed with free(). */
static double *places(stage *s) {
    double *out = malloc(3 * s->count * sizeof *out);
    cr_assert(out);
    for (size_t i = 0; i < s->count; i++)
        memcpy(out + 3 * stage_ids(s)[i], stage_positions(s) + 3 * i, 3 * sizeof *out);
    return out;
}

static double distance(const double *x, size_t i, size_t j) {
    double sum = 0;
    for (size_t k = 0; k < 3; k++)
        sum += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
    return sqrt(sum);
}

/* The longest that a bond between neighbours has become, and the root mean square of the change of
 * all distances, relative: zero for a rigid body, however it moves. */
static double longest_bond(const double *before, const double *now, size_t n, double *shape_error) {
    double longest = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const double d = distance(before, i, j), e = distance(now, i, j);
            sum += (e / d - 1) * (e / d - 1);
            if (d < 1.1 * separation)
                longest = fmax(longest, e);
        }
    *shape_error = sqrt(2 * sum / ((double)n * (double)(n - 1)));
    return longest;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The height that all but a twentieth of the particles stay below. */
static double height(stage *s) {
    double *z = malloc(s->count * sizeof *z);
    cr_assert(z);
    for (size_t i = 0; i < s->count; i++)
        z[i] = stage_positions(s)[3 * i + 2];
    qsort(z, s->count, sizeof *z, compare);
    const double h = z[s->count * 19 / 20];
    free(z);
    return h;
}

static double top(const double *x, size_t n) {
    double z = 0;
    for (size_t i = 0; i < n; i++)
        z = fmax(z, x[3 * i + 2]);
    return z;
}

/* ---- Gables: fig. 5 and 6 ---- */

/* How far the ridge comes down in 30 s, as a part of its height. */
static double sag(const char *scene) {
    stage s = stage_open(scene, SET("output.film=false"));
    cr_assert_eq(s.count, 69);
    double *before = places(&s), error;
    stage_run(&s, 30);
    double *now = places(&s);
    const double longest = longest_bond(before, now, s.count, &error) / separation;
    const double part = 1 - top(now, s.count) / top(before, s.count);
    cr_log_info(
        "%s: the ridge came down by %.1f %%; longest bond %.3f separations; shape error %.3f",
        scene, 100 * part, longest, error);
    cr_expect_lt(longest, 1.3, "it does not break: a bond of %g separations", longest);
    free(before);
    free(now);
    stage_close(&s);
    return part;
}

Test(gable, the_flexible_one_bends_and_the_stiff_one_holds_and_neither_breaks) {
    const double flexible = sag("gable-flexible"), stiff = sag("gable-stiff");
    cr_expect_gt(flexible, 0.1, "it bends: %g", flexible);
    cr_expect_lt(stiff, 0.04, "it holds: %g", stiff);
    cr_expect_gt(flexible, 4 * stiff);
}

/* ---- The beam: fig. 7 ---- */

/* Mean temperature of the lower and of the upper half. */
static void halves(stage *s, double out[2]) {
    double *z = malloc(s->count * sizeof *z), count[2] = {0};
    cr_assert(z);
    for (size_t i = 0; i < s->count; i++)
        z[i] = stage_positions(s)[3 * i + 2];
    qsort(z, s->count, sizeof *z, compare);
    const double middle = z[s->count / 2];
    out[0] = out[1] = 0;
    for (size_t i = 0; i < s->count; i++) {
        const int half = stage_positions(s)[3 * i + 2] > middle;
        out[half] += (double)stage_temperatures(s)[i];
        count[half]++;
    }
    out[0] /= count[0];
    out[1] /= count[1];
    free(z);
}

Test(beam, falls_bounces_is_heated_where_it_touches_and_flows) {
    stage s = stage_open("beam-on-sphere", SET("output.film=false"));
    cr_assert_eq(s.count, 192);
    double *before = places(&s), error, half[2];
    /* It bounces: its middle rises again after the first contact. */
    double lowest = 1e9, rise = 0, last = 1e9;
    for (int k = 1; k <= 24; k++) {
        stage_run(&s, 0.5 * k);
        double z = 0;
        for (size_t i = 0; i < s.count; i++)
            z += stage_positions(&s)[3 * i + 2] / (double)s.count;
        rise = fmax(rise, z - last);
        last = z;
        lowest = fmin(lowest, z);
        if (k == 12)
            halves(&s, half);
    }
    double *now = places(&s);
    const double longest = longest_bond(before, now, s.count, &error) / separation;
    cr_log_info("rises by %.3f m in half a second; at 6 s %.1f °C below, %.2f °C above; at 12 s "
                "shape error %.4f, longest bond %.3f",
                rise, half[0], half[1], error, longest);
    cr_expect_gt(rise, 0.1, "it bounces");
    cr_expect_gt(half[0], 3 * half[1] + 1, "the contacts heat first");
    cr_expect_lt(error, 0.02, "it keeps its shape while cold: %g", error);
    stage_run(&s, 90);
    const double end = height(&s);
    /* Layers of close packing are √(2/3) separations apart; the first stands d0 above the floor. */
    const double layer = separation * sqrt(2.0 / 3);
    cr_log_info("at 90 s nineteen of twenty stay below %.2f m; two layers are %.2f m", end,
                1 + layer);
    cr_expect_lt(end, 1 + layer, "it spreads when hot");
    free(before);
    free(now);
    stage_close(&s);
}

/* ---- Freezing ---- */

typedef struct drop {
    double height;  /* m, at 40 s */
    double hottest; /* °C, at 40 s */
    double change;  /* of distances from 30 s to 40 s, relative: 0 for what keeps its shape */
} drop;

static drop run_drop(const char *floor) {
    stage s = stage_open("frozen-drop", SET("output.film=false", floor));
    drop d = {.hottest = -1e9};
    stage_run(&s, 30);
    double *before = places(&s);
    stage_run(&s, 40);
    double *now = places(&s);
    d.height = height(&s);
    for (size_t i = 0; i < s.count; i++)
        d.hottest = fmax(d.hottest, (double)stage_temperatures(&s)[i]);
    longest_bond(before, now, s.count, &d.change);
    cr_log_info("%s: %.2f m high at 40 s, at most %.1f °C; distances changed by %.4f in 10 s",
                floor, d.height, d.hottest, d.change);
    free(before);
    free(now);
    stage_close(&s);
    return d;
}

Test(drop, freezes_on_a_cold_floor_before_it_has_run_out) {
    const drop cold = run_drop("walls.floor.temperature=0"),
               hot = run_drop("walls.floor.temperature=199");
    cr_expect_gt(cold.height, 1.4 * hot.height, "%g m, where it is hot %g m", cold.height,
                 hot.height);
    cr_expect_lt(cold.hottest, 160, "all of it has cooled: %g °C", cold.hottest);
    cr_expect_lt(cold.change, 0.005, "it stands still: %g", cold.change);
    cr_expect_gt(hot.change, 0.02, "and where it is hot it does not: %g", hot.change);
}
