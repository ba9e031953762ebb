/* What the scenes of melting figures show [PPLT06 fig. 3, 5, 6; PPLT09 fig. 10], on coarser
 * particles than their films. */
#include "stage.h"

#include "world/state.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- Pieces of matter --------------------------------------------------------------------------
 */

/* Particles within `reach` (m) of each other are of one piece: part[i] is the number of the piece
 * of particle i, counted from 0. */
static size_t find_pieces(const double *x, size_t count, double reach, size_t *part) {
    size_t *queue = malloc(count * sizeof *queue), pieces = 0;
    cr_assert_not_null(queue);
    for (size_t i = 0; i < count; i++)
        part[i] = SIZE_MAX;
    for (size_t first = 0; first < count; first++) {
        size_t waiting = 0;
        if (part[first] != SIZE_MAX)
            continue;
        part[first] = pieces;
        queue[waiting++] = first;
        while (waiting > 0) {
            const double *a = x + 3 * queue[--waiting];
            for (size_t j = 0; j < count; j++) {
                const double *b = x + 3 * j;
                const double square =
                    pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2);
                if (part[j] != SIZE_MAX || square > reach * reach)
                    continue;
                part[j] = pieces;
                queue[waiting++] = j;
            }
        }
        pieces++;
    }
    free(queue);
    return pieces;
}

/* ---- A chair on a rack: PPLT06 fig. 3 ---- */

enum { LEGS = 4 };

/* Which leg a particle is of, by the place it had at the start; LEGS: of none. */
static size_t leg_of(const double *x) {
    return x[2] > 0.115 ? LEGS : (size_t)(x[0] > 0) + 2 * (size_t)(x[1] > 0.01);
}

/* Pieces of ten particles and more, those of them that lie below `z` as a whole, and of each leg
 * the part of what is below that is in one of these. */
typedef struct topology {
    size_t pieces, fallen;
    double joined[LEGS];
} topology;

static topology look_below(stage *s, const size_t *leg, double z, double reach) {
    topology t = {0};
    const double *x = stage_positions(s);
    size_t *part = malloc(s->count * sizeof *part), *size = calloc(s->count, sizeof *size),
           *low = calloc(s->count, sizeof *low), of[LEGS + 1] = {0}, in[LEGS + 1] = {0};
    cr_assert(part && size && low);
    const size_t pieces = find_pieces(x, s->count, reach, part);
    for (size_t i = 0; i < s->count; i++) {
        size[part[i]]++;
        low[part[i]] += x[3 * i + 2] < z;
    }
    for (size_t p = 0; p < pieces; p++) {
        t.pieces += size[p] >= 10;
        t.fallen += size[p] >= 10 && low[p] == size[p];
    }
    for (size_t i = 0; i < s->count; i++) {
        const size_t k = leg[stage_ids(s)[i]];
        of[k] += x[3 * i + 2] < z;
        in[k] += size[part[i]] >= 10 && low[part[i]] == size[part[i]];
    }
    for (size_t k = 0; k < LEGS; k++)
        t.joined[k] = of[k] > 0 ? (double)in[k] / (double)of[k] : 0;
    free(part);
    free(size);
    free(low);
    return t;
}

/* Four legs become one piece on the floor or two: at the film's spacing it is two. */
Test(melting_chair, legs_part_from_it_and_join) {
    const double dx = 0.005, reach = 1.5 * dx;
    stage s = stage_open("melting-chair", SET("spacing=5mm"));
    size_t leg[4000], most = 0;
    cr_assert_lt(s.count, sizeof leg / sizeof *leg);
    for (size_t i = 0; i < s.count; i++)
        leg[stage_ids(&s)[i]] = leg_of(stage_positions(&s) + 3 * i);
    const topology start = look_below(&s, leg, 0.05, reach);
    for (int k = 1; k <= 6; k++) {
        stage_run(&s, 0.3 * k);
        const topology t = look_below(&s, leg, 0.05, reach);
        most = t.pieces > most ? t.pieces : most;
    }
    stage_run(&s, 2.5);
    const topology end = look_below(&s, leg, 0.05, reach);
    cr_log_info("%zu piece, then up to %zu, then %zu, %zu of them on the floor with %.2f %.2f %.2f "
                "%.2f of what the legs have there",
                start.pieces, most, end.pieces, end.fallen, end.joined[0], end.joined[1],
                end.joined[2], end.joined[3]);
    cr_expect_eq(start.pieces, 1);
    cr_expect_geq(most, 3, "%zu pieces", most);
    cr_expect(end.fallen == 1 || end.fallen == 2, "%zu pieces on the floor", end.fallen);
    for (int k = 0; k < LEGS; k++)
        cr_expect_gt(end.joined[k], 0.8, "%g of leg %d", end.joined[k], k);
    stage_close(&s);
}

/* ---- A figure that is all liquid: PPLT06 fig. 5 ---- */

/* How far (root mean square, m) particles are from where a turn and a shift of their places at the
 * start would have them at best: Horn's quaternion, by power iterations on his matrix. */
static double distortion(const double *before, const double *after, size_t count) {
    double a[3] = {0}, b[3] = {0}, S[3][3] = {{0}}, squares = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            a[k] += before[3 * i + (size_t)k] / (double)count;
            b[k] += after[3 * i + (size_t)k] / (double)count;
        }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double p = before[3 * i + (size_t)k] - a[k], q = after[3 * i + (size_t)k] - b[k];
            squares += p * p + q * q;
            for (int l = 0; l < 3; l++)
                S[k][l] += p * (after[3 * i + (size_t)l] - b[l]);
        }
    const double N[4][4] = {
        {S[0][0] + S[1][1] + S[2][2], S[1][2] - S[2][1], S[2][0] - S[0][2], S[0][1] - S[1][0]},
        {S[1][2] - S[2][1], S[0][0] - S[1][1] - S[2][2], S[0][1] + S[1][0], S[2][0] + S[0][2]},
        {S[2][0] - S[0][2], S[0][1] + S[1][0], S[1][1] - S[0][0] - S[2][2], S[1][2] + S[2][1]},
        {S[0][1] - S[1][0], S[2][0] + S[0][2], S[1][2] + S[2][1], S[2][2] - S[0][0] - S[1][1]}};
    double v[4] = {1, 0.1, 0.1, 0.1}, top = 0;
    for (int round = 0; round < 300; round++) {
        double w[4],
            length = 0; /* shifted, so that the largest eigenvalue is the farthest from 0 */
        for (int k = 0; k < 4; k++) {
            w[k] = squares * v[k];
            for (int l = 0; l < 4; l++)
                w[k] += N[k][l] * v[l];
            length += w[k] * w[k];
        }
        for (int k = 0; k < 4; k++)
            v[k] = w[k] / sqrt(length);
        top = sqrt(length) - squares;
    }
    return sqrt(fmax(squares - 2 * top, 0) / (double)count);
}

/* The head of the gargoyle without horns, ears and muzzle; arms and breast, which bear it. */
enum { HEAD, CHEST, REST };

static int zone_of(const double *x) {
    if (hypot(hypot(x[0], x[1] + 0.02), x[2] - 0.118) < 0.024)
        return HEAD;
    return x[1] < 0.015 && x[2] < 0.09 ? CHEST : REST;
}

/* Places of the particles that were in a zone at the start, by id; all for REST. */
static size_t gather(stage *s, const double *first, int zone, double *out) {
    size_t count = 0;
    double *all = malloc(3 * s->count * sizeof *all);
    cr_assert_not_null(all);
    for (size_t i = 0; i < s->count; i++) {
        cr_assert_lt(stage_ids(s)[i], s->count);
        memcpy(all + 3 * stage_ids(s)[i], stage_positions(s) + 3 * i, 3 * sizeof *all);
    }
    for (size_t id = 0; id < s->count; id++)
        if (zone == REST || zone_of(first + 3 * id) == zone)
            memcpy(out + 3 * count++, all + 3 * id, 3 * sizeof *all);
    free(all);
    return count;
}

static double top_of(stage *s) {
    double top = 0;
    for (size_t i = 0; i < s->count; i++)
        top = fmax(top, stage_positions(s)[3 * i + 2]);
    return top;
}

static double size_of(const double *x, size_t count) {
    double middle[3] = {0}, sum = 0;
    for (size_t i = 0; i < 3 * count; i++)
        middle[i % 3] += x[i] / (double)count;
    for (size_t i = 0; i < 3 * count; i++)
        sum += pow(x[i] - middle[i % 3], 2);
    return sqrt(sum / (double)count);
}

Test(liquid_figure, head_stays_well_defined_while_what_bears_it_runs_out) {
    stage s = stage_open("liquid-figure", SET("spacing=6mm"));
    double *first = malloc(9 * s.count * sizeof *first), *before = first + 3 * s.count,
           *after = before + 3 * s.count, bent[2];
    cr_assert_not_null(first);
    gather(&s, NULL, REST, first);
    const double height = top_of(&s);
    stage_run(&s, 0.4);
    for (int k = HEAD; k <= CHEST; k++) {
        size_t n = 0;
        for (size_t id = 0; id < s.count; id++)
            if (zone_of(first + 3 * id) == k)
                memcpy(before + 3 * n++, first + 3 * id, 3 * sizeof *first);
        cr_assert_eq(gather(&s, first, k, after), n);
        bent[k] = distortion(before, after, n) / size_of(before, n);
        cr_log_info("%zu particles are distorted by %.3f of their size", n, bent[k]);
    }
    cr_log_info("%.3f m high, then %.3f m", height, top_of(&s));
    cr_expect_lt(top_of(&s), 0.5 * height);
    cr_expect_lt(bent[HEAD], 0.2);
    cr_expect_gt(bent[CHEST], 2 * bent[HEAD]);
    free(first);
    stage_close(&s);
}

/* ---- A word that is hot at its top: PPLT06 fig. 6 ---- */

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

Test(logo_melts, heads_of_letters_run_down_and_feet_stand) {
    stage s = stage_open("logo-melts", SET("spacing=6mm"));
    const double feet = height_between(&s, 0, 32), heads = height_between(&s, 65, 100);
    stage_run(&s, 3);
    const double feet_after = height_between(&s, 0, 32), heads_after = height_between(&s, 65, 100);
    cr_log_info("feet %.4f m, then %.4f m; heads %.4f m, then %.4f m", feet, feet_after, heads,
                heads_after);
    cr_expect_gt(feet_after, 0.95 * feet, "%g of %g m", feet_after, feet);
    cr_expect_lt(heads_after, 0.75 * heads, "%g of %g m", heads_after, heads);
    stage_close(&s);
}

/* ---- Lava on the Sugar Loaf: PPLT09 fig. 4 ---- */

static int by_temperature(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many times as viscous the coldest tenth of the matter is as the hottest, in geometric means.
 */
static double stiffening(stage *s) {
    double(*pair)[2] = malloc(s->count * sizeof *pair), sum[2] = {0};
    const size_t tenth = s->count / 10;
    cr_assert_not_null(pair);
    for (size_t i = 0; i < s->count; i++) {
        pair[i][0] = (double)stage_temperatures(s)[i];
        pair[i][1] = log((double)stage_viscosities(s)[i]);
    }
    qsort(pair, s->count, sizeof *pair, by_temperature);
    cr_log_info("%.0f to %.0f degrees", pair[0][0], pair[s->count - 1][0]);
    for (size_t i = 0; i < tenth; i++) {
        sum[0] += pair[i][1] / (double)tenth;
        sum[1] += pair[s->count - 1 - i][1] / (double)tenth;
    }
    free(pair);
    return exp(sum[0] - sum[1]);
}

/* The part of the lava that has come down to the lower half of the hill; it is looked at as well.
 */
static double part_down(const char *heat, double *stiffer) {
    stage s = stage_open("sugar-loaf", SET("spacing=4cm", heat));
    stage_run(&s, 4);
    *stiffer = stiffening(&s);
    size_t down = 0;
    for (size_t i = 0; i < s.count; i++)
        down += stage_positions(&s)[3 * i + 2] < 0.5;
    cr_log_info("%s: %zu of %zu down, cold lava is %.1f times as viscous", heat, down, s.count,
                *stiffer);
    stage_close(&s);
    return (double)down / (double)s.count;
}

Test(sugar_loaf, lava_that_cools_becomes_viscous_and_stays_on_the_hill) {
    double stiffer, same;
    const double cools = part_down("heat.speed=10", &stiffer),
                 keeps = part_down("heat.speed=1e-3", &same);
    cr_expect_gt(stiffer, 3, "%g times", stiffer);
    cr_expect_lt(cools, 0.8 * keeps, "%g down, without cooling %g", cools, keeps);
}

/* ---- Lobes: PPLT09 fig. 11 ---- */

/* How far (m) lava has come from below its vent, direction by direction around it. */
enum { DIRECTIONS = 36 };

static void find_outline(stage *s, double reach[DIRECTIONS]) {
    memset(reach, 0, DIRECTIONS * sizeof *reach);
    for (size_t i = 0; i < s->count; i++) {
        const double x = stage_positions(s)[3 * i] + 0.6, y = stage_positions(s)[3 * i + 1];
        const double turn = atan2(y, x) / (2 * acos(-1));
        double *at = &reach[(size_t)((turn - floor(turn)) * DIRECTIONS) % DIRECTIONS];
        *at = fmax(*at, hypot(x, y));
    }
}

/* Rises and falls of the outline by `least` and more, once around from where it is nearest. */
static int count_lobes(const double reach[DIRECTIONS], double least) {
    int lobes = 0, first = 0;
    for (int k = 0; k < DIRECTIONS; k++)
        first = reach[k] < reach[first] ? k : first;
    double high = reach[first], low = high;
    bool is_rising = true;
    for (int k = 1; k <= DIRECTIONS; k++) {
        const double r = reach[(first + k) % DIRECTIONS];
        high = fmax(high, r);
        low = fmin(low, r);
        if (is_rising ? r < high - least : r > low + least) {
            lobes += is_rising;
            is_rising = !is_rising;
            high = low = r;
        }
    }
    return lobes;
}

static int lobes_on(const char *ground) {
    const double dx = 0.03;
    stage s = stage_open("lava-lobes", SET("spacing=3cm", ground));
    double reach[DIRECTIONS];
    stage_run(&s, 3);
    find_outline(&s, reach);
    const int lobes = count_lobes(reach, 3 * dx);
    cr_log_info("%s: %d lobes of %zu particles", ground, lobes, s.count);
    stage_close(&s);
    return lobes;
}

Test(lava_lobes, lava_divides_into_lobes_which_even_ground_does_not_make) {
    const int rough = lobes_on("title=Lobes"),
              even = lobes_on("walls.ground.terrain={from: [-90 cm, -60 cm, -1 mm], to: [90 cm, 60 "
                              "cm, 0], thickness: 10 cm}");
    cr_expect_geq(rough, 2, "%d lobes", rough);
    cr_expect_eq(even, 1, "%d lobes on even ground", even);
}

/* ---- Cost: PPLT09 fig. 10 ---- */

/* Pairs of neighbours, which all that a step does goes through. */
static double pairs_of(const char *spacing, double *particles) {
    stage s = stage_open("bunny-bumps", SET(spacing, "flow.scheme=explicit"));
    stage_run(&s, 1e-4);
    const double pairs = (double)s.world->list.pair_count;
    *particles = (double)s.count;
    cr_log_info("%zu particles, %.1f neighbours each", s.count, pairs / *particles);
    stage_close(&s);
    return pairs;
}

/* The exponent with which work grows: 1 is in proportion, and what is at a surface has less. */
Test(bunny_bumps, work_of_a_step_grows_in_proportion_to_the_particles) {
    double few, many;
    const double coarse = pairs_of("spacing=10mm", &few), fine = pairs_of("spacing=6mm", &many);
    const double exponent = log(fine / coarse) / log(many / few);
    cr_log_info("%.2f times the particles, %.2f times the pairs: exponent %.3f", many / few,
                fine / coarse, exponent);
    cr_expect(exponent > 0.95 && exponent < 1.15, "exponent %g", exponent);
}
