/* What the scenes with surface tension show. */
#include "stage.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
static const double pi = 3.14159265358979;

/* ---- A cube becomes a ball ---- */

/* √5 times the root of the mean square about the middle: the radius, of a ball along any axis. */
static double radius_along(stage *s, size_t axis) {
    double sum = 0, square = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double x = stage_positions(s)[3 * i + axis];
        sum += x;
        square += x * x;
    }
    const double n = (double)s->count, mean = sum / n;
    return sqrt(5 * (square / n - mean * mean));
}

/* From the middle to the outermost particle. */
static double farthest(stage *s) {
    double most = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        most = fmax(most, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    }
    return most;
}

Test(cube_of_water, becomes_a_ball_that_stays_where_it_is) {
    stage s = stage_open("cube-of-water", SET("duration=0.6s"));
    const double radius = cbrt(3 * (double)s.count / (4 * pi)) * 1e-3, before = farthest(&s);
    double middle = 0;
    stage_run(&s, 0.6);
    for (size_t k = 0; k < 3; k++) {
        const double found = radius_along(&s, k) / radius;
        cr_log_info("radius along %zu: %.3f", k, found);
        cr_expect_float_eq(found, 1, 0.05); /* it still swings a little */
    }
    for (size_t i = 0; i < 3 * s.count; i++)
        middle += stage_positions(&s)[i] / (double)s.count;
    cr_log_info("farthest particle: %.2f, then %.2f radii", before / radius, farthest(&s) / radius);
    cr_expect_gt(before, 1.2 * radius);
    cr_expect_lt(farthest(&s), 1.1 * radius);
    cr_expect_lt(fabs(middle), 0.1e-3);
    stage_close(&s);
}

/* ---- Drops on plates ---- */

/* Height of the centre of a cap with this contact angle, over the cube root of its volume. */
static double height_of_cap(double angle) {
    const double c = cos(angle), h = 1 - c, volume = pi / 3 * (2 + c) * h * h;
    return (3 * (2 - h) * (2 - h) / (4 * (3 - h)) - c) / cbrt(volume);
}

static double angle_of(stage *s, uint32_t body, double spacing) {
    double sum = 0, n = 0, low = 0.05, high = pi - 0.05;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            sum += stage_positions(s)[3 * i + 2];
            n++;
        }
    for (int k = 0; k < 50; k++) {
        const double middle = 0.5 * (low + high);
        *(height_of_cap(middle) < sum / n / (cbrt(n) * spacing) ? &low : &high) = middle;
    }
    return low * 180 / pi;
}

Test(drop_on_plate, drops_sit_at_the_angles_of_their_plates) {
    stage s = stage_open("drop-on-plate", SET("duration=60ms"));
    stage_run(&s, 0.06);
    for (uint32_t b = 0; b < 3; b++) {
        const double wanted = 60 + 30.0 * b, found = angle_of(&s, b, 0.2e-3);
        cr_log_info("plate of %.0f°: %.1f°", wanted, found);
        cr_expect_float_eq(found, wanted, 5);
    }
    stage_close(&s);
}

/* ---- A drop that hangs ---- */

/* Part of 2πrγ/g that falls, by the ratio of the radius to the cube root of the drop's volume
 * (Harkins and Brown 1919). */
static double falling_part(double ratio) {
    static const double parts[] = {0.7256, 0.7011, 0.6828, 0.6669, 0.6515,
                                   0.6362, 0.6250, 0.6171, 0.6093, 0.6032}; /* 0.3, 0.35 … */
    const double k = fmin(fmax((ratio - 0.3) / 0.05, 0), 8.999);
    const int below = (int)k;
    return parts[below] + (k - below) * (parts[below + 1] - parts[below]);
}

/* What hangs from the tap, led by it or not, and what has left it. */
Test(hanging_drop, falls_off_when_it_is_too_heavy) {
    stage s = stage_open("hanging-drop", SET("spacing=0.5mm", "duration=1.6s"));
    const double tate = 2 * pi * 2e-3 * 0.05 / 9.81;
    double hanging = 0, fallen = 0, when = 0;
    for (int k = 1; k <= 80 && fallen == 0; k++) {
        tl_ledger l;
        stage_run(&s, 0.02 * k);
        tl_world_ledger(s.world, &l);
        hanging = fmax(hanging, l.emitted_mass - l.drained_mass);
        if (l.drained_mass > 0.2 * tate) {
            stage_run(&s, 0.02 * k + 0.2); /* the rest of it */
            tl_world_ledger(s.world, &l);
            fallen = l.drained_mass;
            when = 0.02 * k;
        }
    }
    const double wanted = tate * falling_part(2e-3 / cbrt(fallen / 1000));
    cr_log_info("%.1f mg hung, %.1f fell by %.2f s; %.1f by Tate, Harkins and Brown", hanging * 1e6,
                fallen * 1e6, when, wanted * 1e6);
    cr_expect_float_eq(fallen / wanted, 1, 0.3);
    stage_close(&s);
}
