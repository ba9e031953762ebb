/* What the scenes show whose particles split, merge, or lie in disorder: threads, coats and necks
 * that stay whole and smooth (docs/gallery.md). */
#include "stage.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static const double pi = 3.14159265358979;

static const char *const splits[] = {"resample.split=none", "resample.split=strain"};

/* m: of a particle, which has the volume of its cube. */
static double size_of(stage *s, size_t i, double spacing) {
    tl_field_view view;
    const bool differ = tl_world_field(s->world, "size", &view);
    return differ ? (double)((const float *)view.data)[i] : spacing;
}

/* ---- Threads ---- */

/* Matter that hangs together, from one to the next in leaps of up to 1.8 of their own spacings. */
typedef struct piece {
    double volume, low, high; /* m³; m: along z */
} piece;

static bool touch(stage *s, size_t i, size_t j, double spacing) {
    const double *x = stage_positions(s);
    const double leap = 0.9 * (size_of(s, i, spacing) + size_of(s, j, spacing));
    double r2 = 0;
    for (size_t k = 0; k < 3; k++)
        r2 += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
    return r2 < leap * leap;
}

/* That of particle `from`, whose particles are marked. */
static piece piece_of(stage *s, size_t from, double spacing, bool *marked) {
    size_t *queue = malloc(s->count * sizeof *queue), count = 1;
    piece p = {0, HUGE_VAL, -HUGE_VAL};
    marked[queue[0] = from] = true;
    for (size_t q = 0; q < count; q++) {
        const double z = stage_positions(s)[3 * queue[q] + 2];
        p.volume += pow(size_of(s, queue[q], spacing), 3);
        p.low = fmin(p.low, z);
        p.high = fmax(p.high, z);
        for (size_t j = 0; j < s->count; j++)
            if (!marked[j] && touch(s, queue[q], j, spacing))
                marked[queue[count++] = j] = true;
    }
    free(queue);
    return p;
}

typedef struct pieces {
    size_t count;    /* of more than a particle */
    double longest;  /* m: along z */
    double all;      /* m: from the lowest to the highest of any */
    double greatest; /* part of the volume that the greatest has */
} pieces;

static pieces look_at_pieces(stage *s, double spacing) {
    bool *marked = calloc(s->count, sizeof *marked);
    double low = HUGE_VAL, high = -HUGE_VAL, volume = 0;
    pieces out = {0};
    for (size_t i = 0; i < s->count; i++) {
        if (marked[i])
            continue;
        const piece p = piece_of(s, i, spacing, marked);
        out.count += p.high > p.low;
        out.longest = fmax(out.longest, p.high - p.low);
        out.greatest = fmax(out.greatest, p.volume);
        low = fmin(low, p.low);
        high = fmax(high, p.high);
        volume += p.volume;
    }
    out.all = high - low;
    out.greatest /= volume;
    free(marked);
    return out;
}

/* Chao12 fig. 4.4: the drop is at the end of the slope. */
Test(drop_slope, the_thread_is_whole_with_splitting_and_beads_without) {
    const char *const scenes[] = {"drop-slope-unsplit", "drop-slope"};
    pieces found[2];
    for (int k = 0; k < 2; k++) {
        stage s = stage_open(scenes[k], NULL);
        stage_run(&s, 0.58);
        found[k] = look_at_pieces(&s, 1e-3);
        cr_log_info("%s: %zu particles in %zu pieces, the longest %.0f of %.0f mm", scenes[k],
                    s.count, found[k].count, 1e3 * found[k].longest, 1e3 * found[k].all);
        stage_close(&s);
    }
    cr_expect_gt(found[0].count, 10);
    cr_expect_lt(found[0].longest, 0.4 * found[0].all);
    cr_expect_gt(found[1].all, 0.1);
    cr_expect_gt(found[1].longest, 0.99 * found[1].all);
}

/* The front has landed, and what follows falls 20 cm. Without splitting it is in beads long before.
 */
Test(honey_thread, hangs_together_over_its_whole_fall) {
    pieces found[2];
    for (int k = 0; k < 2; k++) {
        stage s = stage_open("honey-thread", SET("spacing=1.6mm", splits[k]));
        stage_run(&s, k ? 0.7 : 0.5);
        found[k] = look_at_pieces(&s, 1.6e-3);
        cr_log_info("%s: %zu particles in %zu pieces, the longest %.0f of %.0f mm", splits[k],
                    s.count, found[k].count, 1e3 * found[k].longest, 1e3 * found[k].all);
        stage_close(&s);
    }
    cr_expect_lt(found[0].longest, 0.3 * found[0].all);
    cr_expect_gt(found[1].longest, 0.19);
    cr_expect_gt(found[1].longest, 0.98 * found[1].all);
}

Test(gum, is_pulled_to_ten_times_its_length_in_one_piece_and_hangs_through) {
    stage s = stage_open("gum", SET("spacing=2mm"));
    const size_t before = s.count;
    stage_run(&s, 20);
    const pieces found = look_at_pieces(&s, 2e-3);
    double low = HUGE_VAL, left = HUGE_VAL, right = -HUGE_VAL;
    for (size_t i = 0; i < s.count; i++) {
        const double *x = stage_positions(&s) + 3 * i;
        low = fmin(low, x[2]);
        left = fmin(left, x[0]);
        right = fmax(right, x[0]);
    }
    cr_log_info("%zu particles, then %zu in %zu pieces, %.3f m long, lowest at %.1f mm", before,
                s.count, found.count, right - left, 1e3 * low);
    cr_expect_gt(found.greatest, 0.999);
    cr_expect_gt(right - left, 0.195);
    cr_expect_lt(low, -0.015);
    cr_expect_leq(s.count, 2 * before);
    stage_close(&s);
}

/* ---- A neck without rings: Mao06 fig. 4-9 ---- */

/* Heights (m) by name, as the block begins. */
static double *heights(stage *s) {
    uint64_t most = 0;
    for (size_t i = 0; i < s->count; i++)
        most = stage_ids(s)[i] > most ? stage_ids(s)[i] : most;
    double *out = calloc(most + 1, sizeof *out);
    for (size_t i = 0; i < s->count; i++)
        out[stage_ids(s)[i]] = stage_positions(s)[3 * i + 2];
    return out;
}

/* The height that matter here began at, evened out over `width` (m): the line that fits its
 * neighbourhood in the core best. */
static double began_at(stage *s, const double *began, double height, double width) {
    double sum = 0, moment = 0, square = 0, of = 0, along = 0;
    for (size_t j = 0; j < s->count; j++) {
        const double *x = stage_positions(s) + 3 * j, d = (x[2] - height) / width;
        if (fabs(x[0]) > 0.01 || fabs(x[1]) > 0.01)
            continue;
        const double w = exp(-0.5 * d * d), z = began[stage_ids(s)[j]];
        sum += w, moment += w * d, square += w * d * d;
        of += w * z, along += w * d * z;
    }
    return (square * of - moment * along) / (square * sum - moment * moment);
}

/* How much of the core's profile has the period of the layers it began in, as they are stretched
 * now: the power of Σ exp(2πi z0/dx), over that of as many at random. */
static double rings(stage *s, const double *began, double plate, double spacing) {
    const double width = 0.75 * plate * spacing / 0.03;
    double re = 0, im = 0, n = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        if (fabs(x[0]) > 0.01 || fabs(x[1]) > 0.01 || fabs(x[2] / plate - 0.5) > 0.25)
            continue;
        const double phase = 2 * pi * began_at(s, began, x[2], width) / spacing;
        re += cos(phase);
        im += sin(phase);
        n++;
    }
    return (re * re + im * im) / n;
}

/* Drawn to 1.8 times its height; 1 is what disorder has in the mean. */
Test(pull_plate, has_no_rings_where_a_lattice_has) {
    const char *const fills[] = {"bodies.block.fill=cubic", "bodies.block.fill=relaxed"};
    double power[2];
    for (int k = 0; k < 2; k++) {
        stage s = stage_open("pull-plate", SET("spacing=3.75mm", fills[k]));
        double *began = heights(&s);
        stage_run(&s, 0.3);
        power[k] = rings(&s, began, 0.054, 3.75e-3);
        cr_log_info("%s: power %.2f at the spacing of the layers", fills[k], power[k]);
        free(began);
        stage_close(&s);
    }
    cr_expect_lt(power[1], 0.1 * power[0]);
}

/* ---- Coats: chocolate on a ball, honey on pancakes ---- */

/* What is coated: places along its meridians from the top on, and where on it a particle lies. */
typedef struct form {
    double length;                                           /* m: of a meridian */
    void (*place)(double way, double around, double out[3]); /* m along it; rad */
    double (*project)(const double x[3], double out[3]);     /* returns the height above it, m */
} form;

static const double ball_radius = 0.025, pancake_radius = 0.04;

static void place_on_ball(double way, double around, double out[3]) {
    const double down = way / ball_radius, width = ball_radius * sin(down);
    out[0] = width * cos(around);
    out[1] = width * sin(around);
    out[2] = ball_radius * (1 + cos(down));
}

static double project_on_ball(const double x[3], double out[3]) {
    const double z = x[2] - ball_radius, r = sqrt(x[0] * x[0] + x[1] * x[1] + z * z);
    out[0] = ball_radius * x[0] / r;
    out[1] = ball_radius * x[1] / r;
    out[2] = ball_radius * (1 + z / r);
    return r - ball_radius;
}

/* Its face, and its side. */
static void place_on_pancake(double way, double around, double out[3]) {
    const double width = fmin(way, pancake_radius);
    out[0] = width * cos(around);
    out[1] = width * sin(around) - 0.002;
    out[2] = 0.036 - (way - width);
}

static double project_on_pancake(const double x[3], double out[3]) {
    const double y = x[1] + 0.002, r = sqrt(x[0] * x[0] + y * y);
    const double in = fmin(pancake_radius / r, 1);
    out[0] = in * x[0];
    out[1] = in * y - 0.002;
    out[2] = fmin(x[2], 0.036);
    return sqrt(pow(fmax(r - pancake_radius, 0), 2) + pow(fmax(x[2] - 0.036, 0), 2));
}

static const form ball = {0.75 * 3.14159265358979 * 0.025, place_on_ball, project_on_ball},
                  pancake = {0.052, place_on_pancake, project_on_pancake};

/* Whether matter lies there: within 0.7 of the scene's spacing. */
static bool is_coated(stage *s, const form *on, const double at[3], double spacing) {
    for (size_t i = 0; i < s->count; i++) {
        double x[3], d2 = 0;
        const double height = on->project(stage_positions(s) + 3 * i, x);
        for (int k = 0; k < 3; k++)
            d2 += (x[k] - at[k]) * (x[k] - at[k]);
        if (height < 3 * spacing && sqrt(d2) < 0.7 * spacing)
            return true;
    }
    return false;
}

typedef struct coat {
    double pits;   /* part of what is above the front */
    double ragged; /* m: from one meridian's front to the next one's, root of the mean square */
} coat;

static coat look_at_coat(stage *s, const form *on, double spacing) {
    enum { AROUND = 60, DOWN = 60 };
    double seen = 0, front[AROUND];
    coat c = {0};
    for (int a = 0; a < AROUND; a++) {
        int last = -1, covered = 0;
        for (int d = 0; d < DOWN; d++) {
            double at[3];
            on->place(on->length * (d + 0.5) / DOWN, 2 * pi * a / AROUND, at);
            if (!is_coated(s, on, at, spacing))
                continue;
            last = d;
            covered++;
        }
        front[a] = on->length * (last + 1) / DOWN;
        c.pits += last + 1 - covered;
        seen += last + 1;
    }
    for (int a = 0; a < AROUND; a++)
        c.ragged += pow(front[a] - front[(a + 1) % AROUND], 2) / AROUND;
    return (coat){c.pits / seen, sqrt(c.ragged)};
}

/* With splitting and without. */
static void look_at_coats(const char *scene, const form *on, double time, coat found[2]) {
    for (int k = 0; k < 2; k++) {
        stage s = stage_open(scene, SET("spacing=4mm", splits[k]));
        stage_run(&s, time);
        found[k] = look_at_coat(&s, on, 4e-3);
        cr_log_info("%s: %zu particles, %.2f %% of the coat are pits, its front is ragged by %.2f "
                    "mm",
                    splits[k], s.count, 100 * found[k].pits, 1e3 * found[k].ragged);
        stage_close(&s);
    }
}

/* The front is on the lower half of the ball. */
Test(chocolate_ball, coat_has_no_pits_and_its_front_no_fingers) {
    coat found[2];
    look_at_coats("chocolate-ball", &ball, 1, found);
    cr_expect_lt(found[1].pits, 0.01);
    cr_expect_lt(found[1].pits, 0.5 * found[0].pits);
    cr_expect_lt(found[1].ragged, 0.6 * found[0].ragged);
    cr_expect_lt(found[1].ragged, 0.5 * 4e-3);
}

/* The front is on the sides of the pancakes. */
Test(pancakes, coat_of_honey_has_no_pits) {
    coat found[2];
    look_at_coats("pancakes", &pancake, 1.6, found);
    cr_expect_lt(found[1].pits, 0.01);
    cr_expect_lt(found[1].pits, 0.7 * found[0].pits);
}
