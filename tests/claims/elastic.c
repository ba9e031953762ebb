/* What the elastic scenes show, on coarser particles than their films. */
#include "stage.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

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
