/* What the scenes show in which fluids meet fluids (docs/gallery.md). */
#include "stage.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- Balls run into disks: Mao06 fig. 5-14 ---- */

static double middle_of(stage *s, uint32_t body, size_t axis) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (stage_bodies(s)[i] == body) {
            sum += stage_positions(s)[3 * i + axis];
            count++;
        }
    return sum / count;
}

/* The part of a disk that lies no farther along x than its ball's rear; and that within 7 cm of the
 * ball's middle. */
typedef struct parts {
    double behind, taken;
} parts;

static parts parts_of(stage *s, uint32_t disk, uint32_t ball) {
    const double at[3] = {middle_of(s, ball, 0), middle_of(s, ball, 1), middle_of(s, ball, 2)};
    double count = 0;
    parts p = {0};
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        if (stage_bodies(s)[i] != disk)
            continue;
        count++;
        p.behind += x[0] < at[0] - 0.07;
        p.taken += hypot(hypot(x[0] - at[0], x[1] - at[1]), x[2] - at[2]) < 0.07;
    }
    return (parts){p.behind / count, p.taken / count};
}

Test(ball_through_disk, a_fast_and_heavy_ball_runs_through_and_takes_a_piece_along) {
    stage s = stage_open("ball-through-disk", SET("spacing=1.6cm"));
    stage_run(&s, 0.3);
    double gone[3];
    parts of[3];
    for (uint32_t k = 0; k < 3; k++) { /* fast, slow, light */
        gone[k] = middle_of(&s, 3 + k, 0) - middle_of(&s, k, 0);
        of[k] = parts_of(&s, k, 3 + k);
    }
    cr_log_info("balls are %.0f, %.0f and %.0f mm beyond the middle of their disks; of these "
                "%.2f, %.2f, %.2f is far behind and %.2f, %.2f, %.2f near",
                1e3 * gone[0], 1e3 * gone[1], 1e3 * gone[2], of[0].behind, of[1].behind,
                of[2].behind, of[0].taken, of[1].taken, of[2].taken);
    cr_expect_gt(gone[0], 0.25, "the fast and heavy ball runs through");
    cr_expect_gt(of[0].behind, 0.7, "the disk stays behind");
    cr_expect(of[0].taken > 0.02 && of[0].taken < 0.3, "a piece of it goes along");
    for (int k = 1; k < 3; k++) {
        cr_expect_lt(gone[k], 0.12, "ball %d does not get through", k);
        cr_expect_gt(of[k].taken, 0.2, "ball %d stays in its disk", k);
    }
    stage_close(&s);
}
