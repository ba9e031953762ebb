/* What the scenes show whose walls are forms, that move, or that are soft (docs/gallery.md). */
#include "stage.h"

#include "scene/scene.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Extent (m) along an axis of what is between two heights. */
static double width(stage *s, size_t axis, double low, double high) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        if (x[2] < low || x[2] >= high)
            continue;
        least = fmin(least, x[axis]);
        most = fmax(most, x[axis]);
    }
    return most - least;
}

/* ---- Clay in a hand: PPLT09 fig. 1 ---- */

/* A finger of clay-hand: a capsule along y that closes along x and opens again. */
typedef struct finger {
    double x, z, radius;
} finger;

static const finger hand[] = {
    {-0.042, 0.066, 0.008}, {-0.042, 0.048, 0.008}, {-0.042, 0.03, 0.008}, {0.044, 0.048, 0.01}};

/* Distance (m) of a place from the surface of a finger that has closed by so much. */
static double finger_distance(const finger *f, const double *x, double closed) {
    const double X = x[0] - f->x + copysign(1, f->x) * closed, Z = x[2] - f->z,
                 Y = fmax(fabs(x[1]) - 0.04, 0);
    return sqrt(X * X + Y * Y + Z * Z) - f->radius;
}

/* Distance (m) of the nearest particle from the fingers' surfaces; negative: it is in one. */
static double clearance(stage *s, double time) {
    const double closed = 0.018 * fmin(time / 0.5, 1) - 0.1 * fmax(time - 0.6, 0);
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < sizeof hand / sizeof *hand; k++)
            nearest = fmin(nearest, finger_distance(&hand[k], stage_positions(s) + 3 * i, closed));
    return nearest;
}

Test(clay_hand, clay_keeps_the_imprint_of_fingers) {
    stage s = stage_open("clay-hand", SET("spacing=5mm"));
    const double before = width(&s, 0, 0.04, 0.056);
    double nearest = HUGE_VAL, closed = 0;
    for (int k = 1; k <= 10; k++) {
        stage_run(&s, 0.1 * k);
        nearest = fmin(nearest, clearance(&s, 0.1 * k));
        closed = k == 6 ? width(&s, 0, 0.04, 0.056) : closed;
    }
    const double open = width(&s, 0, 0.04, 0.056), head = width(&s, 0, 0.075, 0.095);
    stage_run(&s, 1.3);
    const double end = width(&s, 0, 0.04, 0.056);
    cr_log_info("waist %.4f m, in the hand %.4f m, then %.4f m, then %.4f m; head %.4f m; %.5f m "
                "from a finger",
                before, closed, open, end, head, nearest);
    cr_expect_lt(open, 0.8 * before, "%g m of %g m", open, before);
    cr_expect_gt(head, 0.9 * before, "%g m of %g m", head, before);
    cr_expect_float_eq(open, closed, 0.02 * before, "%g m, then %g m", closed, open);
    cr_expect_float_eq(end, open, 0.02 * before, "%g m, then %g m", open, end);
    cr_expect_gt(nearest, 0, "in a finger by %g m", -nearest);
    stage_close(&s);
}

/* The geometric mean of the viscosity (Pa·s) of what is at these distances from the fingers. */
static double viscosity_at(stage *s, double time, double near, double far) {
    const double closed = 0.018 * time / 0.5;
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        double nearest = HUGE_VAL;
        for (size_t k = 0; k < sizeof hand / sizeof *hand; k++)
            nearest = fmin(nearest, finger_distance(&hand[k], stage_positions(s) + 3 * i, closed));
        if (nearest < near || nearest >= far)
            continue;
        sum += log((double)stage_viscosities(s)[i]);
        count++;
    }
    cr_assert_gt(count, 20);
    return exp(sum / count);
}

/* PPLT09 fig. 2. */
Test(clay_hand, viscosity_falls_under_the_fingers) {
    stage s = stage_open("clay-hand", SET("spacing=5mm"));
    stage_run(&s, 0.4);
    const double under = viscosity_at(&s, 0.4, 0, 0.01), away = viscosity_at(&s, 0.4, 0.025, 1);
    cr_log_info("under the fingers %.0f Pa·s, away from them %.0f Pa·s", under, away);
    cr_expect_lt(under, 0.1 * 60e3, "%g Pa·s, at rest 60 kPa·s", under);
    cr_expect_lt(under, 0.3 * away, "%g Pa·s, away from the fingers %g Pa·s", under, away);
    stage_close(&s);
}

/* ---- Lava on rough ground: PPLT09 fig. 8 ---- */

/* How far (m) the foremost twentieth of the lava has come down the slope of 20°. */
static double front(stage *s) {
    enum { BINS = 400 };
    size_t bins[BINS] = {0}, before = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        const double way = cos(0.3491) * x[0] - sin(0.3491) * x[2];
        bins[(size_t)fmin(fmax((way + 1) / 0.005, 0), BINS - 1)]++;
    }
    for (size_t b = BINS; b-- > 0;)
        if (20 * (before += bins[b]) >= s->count)
            return 0.005 * (double)b - 1;
    return -1;
}

static double run_out(const char *scene) {
    stage s = stage_open(scene, SET("spacing=3cm"));
    stage_run(&s, 4);
    const double far = front(&s);
    cr_log_info("%s: %zu particles, front at %.3f m", scene, s.count, far);
    stage_close(&s);
    return far;
}

Test(lava_terrain, runs_farther_on_soft_ground) {
    const double vent = -0.6 * cos(0.3491) - 0.4 * sin(0.3491);
    const double rough = run_out("lava-terrain") - vent, soft = run_out("lava-soft") - vent;
    cr_expect_gt(rough, 0.4, "%g m", rough);
    cr_expect_gt(soft, 1.1 * rough, "%g m on soft ground, %g m on rough", soft, rough);
}

/* ---- A chair on a hand: PPLT09 fig. 12 ---- */

/* Distance (m) from the surface of the nearest bone. */
static double bone_distance(const stage *s, const double *x) {
    const tl_wall_def *walls = s->scene->walls.items;
    double nearest = HUGE_VAL;
    for (size_t w = 0; w < s->scene->walls.count; w++) {
        const tl_capsule_def *bone = &walls[w].form.capsule;
        if (!walls[w].form.has_capsule)
            continue;
        const tl_vec3 a = tl_vec3_of(bone->from), ab = tl_vec3_sub(tl_vec3_of(bone->to), a);
        const tl_vec3 ax = tl_vec3_sub(tl_vec3_of(x), a);
        const double along = tl_vec3_dot(ax, ab) / tl_vec3_dot(ab, ab);
        const tl_vec3 from = tl_vec3_mad(ax, -fmin(fmax(along, 0), 1), ab);
        nearest = fmin(nearest, tl_vec3_length(from) - bone->radius);
    }
    return nearest;
}

Test(chair_hand, wax_flows_between_the_fingers_and_part_of_it_stays_glued) {
    const double dx = 0.006;
    stage s = stage_open("chair-hand", SET("spacing=6mm"));
    double nearest = HUGE_VAL, falling = 0;
    for (int k = 1; k <= 6; k++) {
        stage_run(&s, 0.4 * k);
        for (size_t i = 0; i < s.count; i++)
            nearest = fmin(nearest, bone_distance(&s, stage_positions(&s) + 3 * i));
    }
    size_t below = 0, glued = 0;
    for (size_t i = 0; i < s.count; i++) {
        const double *x = stage_positions(&s) + 3 * i, *v = stage_velocities(&s) + 3 * i;
        below += x[2] < 0.08;
        if (bone_distance(&s, x) < 1.5 * dx) {
            glued++;
            falling += fabs(v[2]);
        }
    }
    const double part = 1.0 / (double)s.count;
    cr_log_info("%.3f of the wax below the hand, %.3f glued to it and falling at %.4f m/s, %.2f "
                "spacings from a bone at least",
                part * (double)below, part * (double)glued, falling / (double)glued, nearest / dx);
    cr_expect_gt(nearest, 0);
    cr_expect_gt(part * (double)below, 0.1);
    cr_expect_gt(part * (double)glued, 0.1);
    cr_expect_lt(falling / (double)glued, 0.01);
    stage_close(&s);
}

/* ---- A bunny on bumpy ground: PPLT09 fig. 10 ---- */

/* Of what is at these temperatures: the mean distance (m) from its middle, in all directions or
 * in level ones. */
static double spread(stage *s, float low, float high, size_t directions) {
    double middle[3] = {0}, sum = 0;
    size_t count = 0;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < s->count; i++) {
            const float T = stage_temperatures(s)[i];
            const double *x = stage_positions(s) + 3 * i;
            double square = 0;
            if (T < low || T >= high)
                continue;
            for (size_t k = 0; k < directions; k++) {
                middle[k] += round ? 0 : x[k];
                square += round ? pow(x[k] - middle[k] / (double)count, 2) : 0;
            }
            count += !round;
            sum += sqrt(square);
        }
    return sum / (double)count;
}

Test(bunny_bumps, feet_run_into_the_dents_and_the_head_stays_whole) {
    const double dx = 0.008;
    stage s = stage_open("bunny-bumps", SET("spacing=8mm"));
    const tl_wall_def *ground = s.scene->walls.items;
    const double feet = spread(&s, 75, 100, 2), head = spread(&s, 0, 45, 3);
    double lowest = HUGE_VAL, highest = -HUGE_VAL, nearest = HUGE_VAL;
    for (int k = 1; k <= 5; k++) {
        stage_run(&s, 0.5 * k);
        lowest = HUGE_VAL, highest = -HUGE_VAL;
        for (size_t i = 0; i < s.count; i++) {
            tl_nearest near;
            const tl_vec3 x = tl_vec3_of(stage_positions(&s) + 3 * i);
            if (!tl_solid_nearest(ground->solid, x, 1.5 * dx, &near))
                continue;
            nearest = fmin(nearest, near.distance);
            lowest = fmin(lowest, x.z);
            highest = fmax(highest, x.z);
        }
    }
    const double feet_after = spread(&s, 75, 100, 2), head_after = spread(&s, 0, 45, 3);
    cr_log_info("feet %.4f m, then %.4f m; head %.4f m, then %.4f m; on the ground from %.4f to "
                "%.4f m, %.2f spacings off at least",
                feet, feet_after, head, head_after, lowest, highest, nearest / dx);
    cr_expect_gt(nearest, 0, "in the ground by %g m", -nearest);
    cr_expect_gt(feet_after, 1.3 * feet, "%g m, then %g m", feet, feet_after);
    cr_expect_float_eq(head_after, head, 0.1 * head, "%g m, then %g m", head, head_after);
    cr_expect_gt(highest - lowest, 2 * dx, "from %g to %g m", lowest, highest);
    stage_close(&s);
}

/* ---- Chocolate on a ball ---- */

Test(chocolate_ball, is_coated_and_the_chocolate_reaches_the_plate) {
    const double radius = 0.025, dx = 0.004;
    stage s = stage_open("chocolate-ball", SET("spacing=4mm"));
    double nearest = HUGE_VAL;
    for (int k = 1; k <= 6; k++) {
        stage_run(&s, 0.25 * k);
        for (size_t i = 0; i < s.count; i++) {
            const double *x = stage_positions(&s) + 3 * i;
            const double r = sqrt(x[0] * x[0] + x[1] * x[1] + pow(x[2] - radius, 2));
            nearest = fmin(nearest, r - radius);
        }
    }
    /* Eight sectors of three belts: the sides below and above the middle, and the top. */
    size_t near[3][8] = {{0}}, down = 0, bare = 0;
    for (size_t i = 0; i < s.count; i++) {
        const double *x = stage_positions(&s) + 3 * i;
        const double z = x[2] - radius, r = sqrt(x[0] * x[0] + x[1] * x[1] + z * z);
        const double turn = atan2(x[1], x[0]) / (2 * acos(-1));
        const int belt = z < -0.4 * r ? -1 : z < 0 ? 0 : z < 0.6 * r ? 1 : 2;
        down += x[2] < dx;
        if (belt >= 0 && r < radius + 2 * dx)
            near[belt][(int)(8 * (turn - floor(turn))) % 8]++;
    }
    for (int k = 0; k < 24; k++)
        bare += near[k / 8][k % 8] == 0;
    cr_log_info("%zu particles, %zu on the plate, %zu of 24 fields bare; %.5f m from the ball",
                s.count, down, bare, nearest);
    cr_expect_eq(bare, 0, "%zu of 24 fields of the ball are bare", bare);
    cr_expect_gt(down, s.count / 20, "%zu of %zu on the plate", down, s.count);
    cr_expect_gt(nearest, 0, "in the ball by %g m", -nearest);
    stage_close(&s);
}

/* ---- A plate that pulls: Mao06 fig. 4-9 ---- */

/* The narrowest width (m) along x between table and plate, over slices of two spacings. */
static double neck(stage *s, double plate, double dx) {
    double least = HUGE_VAL;
    for (double z = dx; z + 3 * dx < plate; z += dx)
        least = fmin(least, width(s, 0, z, z + 2 * dx));
    return least;
}

Test(pull_plate, a_neck_thins_while_the_ends_stay) {
    const double dx = 0.005, lift = 0.08;
    stage s = stage_open("pull-plate", SET("spacing=5mm"));
    const double foot = width(&s, 0, 0, dx);
    double last = neck(&s, 0.03, dx);
    for (int k = 1; k <= 4; k++) {
        stage_run(&s, 0.15 * k);
        const double plate = 0.03 + lift * 0.15 * k, now = neck(&s, plate, dx);
        const double low = width(&s, 0, 0, dx), high = width(&s, 0, plate - dx, plate);
        cr_log_info("plate at %.3f m: neck %.4f m, foot %.4f m, head %.4f m", plate, now, low,
                    high);
        cr_expect_lt(now, last - 0.002, "the neck thins: %g m, then %g m", last, now);
        cr_expect_gt(low, 0.95 * foot, "foot %g m of %g m", low, foot);
        cr_expect_gt(high, 0.95 * foot, "head %g m of %g m", high, foot);
        last = now;
    }
    stage_close(&s);
}

/* ---- A thread between table and plate: Mao06 fig. 4-4 ---- */

/* The widest gap (m) along z. */
static double widest_gap(stage *s) {
    const double *x = stage_positions(s);
    double widest = 0;
    for (size_t i = 0; i < s->count; i++) {
        double next = HUGE_VAL;
        for (size_t j = 0; j < s->count; j++)
            if (x[3 * j + 2] > x[3 * i + 2])
                next = fmin(next, x[3 * j + 2] - x[3 * i + 2]);
        widest = isfinite(next) ? fmax(widest, next) : widest;
    }
    return widest;
}

Test(stretch, a_block_is_drawn_to_ten_times_its_height_without_a_gap) {
    const double dx = 0.0025;
    stage s = stage_open("stretch", SET("spacing=2.5mm"));
    const size_t before = s.count;
    stage_run(&s, 2.25);
    const double gap = widest_gap(&s);
    cr_log_info("%zu particles, then %zu; widest gap along the thread %.2f spacings", before,
                s.count, gap / dx);
    cr_expect_lt(gap, 1.5 * dx, "a gap of %g spacings", gap / dx);
    cr_expect_leq(s.count, 2 * before);
    stage_close(&s);
}

/* At 4.2 times its height; the same block on the same lattice. */
Test(stretch_torn, a_lattice_parts_unless_it_is_resampled) {
    const double dx = 0.0025;
    double gaps[2];
    for (int k = 0; k < 2; k++) {
        stage s = stage_open("stretch-torn", k ? SET("spacing=2.5mm", "resample.split=strain",
                                                     "resample.smallest=0.125")
                                               : SET("spacing=2.5mm"));
        stage_run(&s, 0.8);
        gaps[k] = widest_gap(&s);
        stage_close(&s);
    }
    cr_log_info("widest gaps %.2f and %.2f spacings", gaps[0] / dx, gaps[1] / dx);
    cr_expect_gt(gaps[0], 2 * dx, "it does not part: %g spacings", gaps[0] / dx);
    cr_expect_lt(gaps[1], 1.5 * dx, "it parts: %g spacings", gaps[1] / dx);
}
