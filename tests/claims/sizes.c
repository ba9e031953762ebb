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

/* ---- Chocolate coats a ball ---- */

typedef struct coat {
    double holes, ragged; /* part of what is above the front; rad: from one meridian to the next */
} coat;

/* Whether chocolate lies on the ball in this direction: within 0.7 of its spacing. */
static bool is_coated(stage *s, const double direction[3], double spacing) {
    const double R = 0.025;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        const double y[3] = {x[0], x[1], x[2] - R};
        const double r = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
        double off = 0;
        for (int k = 0; k < 3; k++)
            off += pow(y[k] / r - direction[k], 2);
        if (r < R + 3 * spacing && sqrt(off) * R < 0.7 * size_of(s, i, spacing))
            return true;
    }
    return false;
}

/* Along 60 meridians, down to 45° below the equator. */
static coat look_at_coat(stage *s, double spacing) {
    enum { AROUND = 60, DOWN = 60 };
    double seen = 0, front[AROUND];
    coat c = {0};
    for (int a = 0; a < AROUND; a++) {
        const double around = 2 * pi * a / AROUND;
        int last = -1, covered = 0;
        for (int d = 0; d < DOWN; d++) {
            const double down = 0.75 * pi * (d + 0.5) / DOWN;
            const double direction[3] = {sin(down) * cos(around), sin(down) * sin(around),
                                         cos(down)};
            if (!is_coated(s, direction, spacing))
                continue;
            last = d;
            covered++;
        }
        front[a] = 0.75 * pi * (last + 1) / DOWN;
        c.holes += last + 1 - covered;
        seen += last + 1;
    }
    for (int a = 0; a < AROUND; a++)
        c.ragged += pow(front[a] - front[(a + 1) % AROUND], 2) / AROUND;
    return (coat){c.holes / seen, sqrt(c.ragged)};
}

/* The front is on the lower half of the ball. */
Test(chocolate_ball, coat_has_no_pits_and_its_front_no_fingers) {
    coat found[2];
    for (int k = 0; k < 2; k++) {
        stage s = stage_open("chocolate-ball", SET("spacing=4mm", splits[k]));
        stage_run(&s, 1);
        found[k] = look_at_coat(&s, 4e-3);
        cr_log_info("%s: %zu particles, %.2f %% of the coat are pits, the front is ragged by %.3f",
                    splits[k], s.count, 100 * found[k].holes, found[k].ragged);
        stage_close(&s);
    }
    cr_expect_lt(found[1].holes, 0.01);
    cr_expect_lt(found[1].holes, 0.5 * found[0].holes);
    cr_expect_lt(found[1].ragged, 0.6 * found[0].ragged);
    cr_expect_lt(0.025 * found[1].ragged, 0.5 * 4e-3);
}
