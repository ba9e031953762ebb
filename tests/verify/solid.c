/* Elastic solids far from where they were: drawn to three times and more their length they pull as
 * neo-Hooke's law says, squashed to two thirds they give back what they took, and no more. */
#include "boundary/move.h"
#include "build.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static setup solid_setup(double dx, double modulus, double step) {
    setup s = setup_make(dx);
    setup_implicit(&s, step);
    s.material.viscosity.value = 0;
    s.material.elastic = (tl_elastic){.modulus.value = modulus};
    s.material.has_elastic = true;
    s.def.flow.tolerance = 0.01;
    return s;
}

static const void *field_of(tl_world *w, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(w, name, &view), "no %s", name);
    return view.data;
}

/* ---- Drawn -------------------------------------------------------------------------------------
 */

/* Heights of particles when a run began, by their names. */
static double *heights_of(tl_world *w) {
    const size_t n = tl_world_count(w);
    const uint64_t *id = field_of(w, "id");
    double *z = calloc(n, sizeof *z);
    cr_assert(z);
    for (size_t i = 0; i < n; i++) {
        cr_assert_lt(id[i], n);
        z[id[i]] = positions(w)[3 * i + 2];
    }
    return z;
}

typedef struct drawn {
    double stretch; /* of the middle half */
    double stress;  /* S_zz - S_xx there, over G (s² - 1/s) */
    double spread;  /* of that, relative */
} drawn;

static drawn measure(tl_world *w, const double *heights, double length, double modulus) {
    const uint64_t *id = field_of(w, "id");
    const float(*S)[6] = field_of(w, "elastic_stress");
    double n = 0, z = 0, Z = 0, zZ = 0, ZZ = 0, pull = 0, pull2 = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double then = heights[id[i]], now = positions(w)[3 * i + 2];
        const double q = (double)(S[i][2] - S[i][0]);
        if (fabs(then - length / 2) > length / 4)
            continue;
        n++, z += now, Z += then, zZ += now * then, ZZ += then * then;
        pull += q, pull2 += q * q;
    }
    const double s = (zZ - z * Z / n) / (ZZ - Z * Z / n), mean = pull / n;
    return (drawn){s, mean / (modulus * (s * s - 1 / s)),
                   sqrt(fmax(pull2 / n - mean * mean, 0)) / mean};
}

/* A bar that is `across` particles wide and twice as long, between two plates that grip, is drawn
 * to `most` times its length within a second for each of it. */
static void draw(int across, double modulus, double step, double most) {
    const double dx = 0.005, W = across * dx, L = 2 * W;
    setup s = solid_setup(dx, modulus, step);
    setup_add_box(&s, -W / 2, -W / 2, 0, W / 2, W / 2, L);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_move_def up = {.along = TL_SIDE_Z, .has_speed = true, .speed = L};
    setup_add_plane(&s, TL_SIDE_MINUS_Z, L)->motion = (tl_param_list){&up, 1};
    tl_world *w = setup_world(&s, 1);
    double *heights = heights_of(w);
    for (double at = 1.5; at <= most; at += 0.5) {
        run_to(w, at - 1);
        const drawn d = measure(w, heights, L, modulus);
        const tl_ledger l = books(w);
        cr_log_info("%d across, %g Pa, %g ms, drawn to %g: stretch %.3f, stress %.4f of its law's, "
                    "uneven by %.3f; numerical heat %.3f of what is stored; %g refused",
                    across, modulus, 1e3 * step, at, d.stretch, d.stress, d.spread,
                    l.numerical_heat / l.elastic_energy, l.rejected);
        cr_expect_float_eq(d.stress, 1, 0.03, "stress at %g: %g", at, d.stress);
        cr_expect_gt(d.stretch, at, "ends that grip make the middle stretch more: %g", d.stretch);
        cr_expect_lt(d.spread, 0.05, "it is uneven: %g", d.spread);
    }
    free(heights);
    tl_world_destroy(w);
}

Test(solid, a_bar_is_drawn_to_three_and_a_half_times_its_length) { draw(6, 1e5, 0.01, 3.5); }

Test(solid, it_is_in_short_steps_too) { draw(6, 1e5, 0.005, 3); }

Test(solid, and_so_is_a_softer_and_finer_one_in_long_steps) { draw(8, 1e4, 0.02, 3); }

/* ---- Squashed ----------------------------------------------------------------------------------
 */

/* A cube of 1 kPa, which forgets within `memory` or (0) never, falls by its own height on a table.
 * What has become heat is not taken back: energy that springs store without having got it would
 * seem to be. */
static void squash(double dx, double viscosity, double memory) {
    const double a = 0.05;
    setup s = solid_setup(dx, 1e3, 0);
    s.material.viscosity.value = viscosity;
    s.material.elastic.relaxation_time.value = memory;
    s.material.elastic.has_relaxation_time = memory > 0;
    s.def.gravity[2] = -9.81;
    setup_add_box(&s, -a / 2, -a / 2, a, a / 2, a / 2, 2 * a);
    tl_wall_def *table = setup_add_plane(&s, TL_SIDE_Z, 0);
    table->contact = TL_CONTACT_FREE_SLIP;
    table->has_stickiness = true;
    tl_world *w = setup_world(&s, 1);
    const double fall = books(w).mass * 9.81 * a;
    double least = HUGE_VAL, most = 0, taken_back = 0;
    for (int k = 1; k <= 50; k++) {
        double z[2] = {HUGE_VAL, -HUGE_VAL};
        run_to(w, 0.004 * k);
        for (size_t i = 0; i < tl_world_count(w); i++) {
            z[0] = fmin(z[0], positions(w)[3 * i + 2]);
            z[1] = fmax(z[1], positions(w)[3 * i + 2]);
        }
        const tl_ledger l = books(w);
        const double heat = (l.viscous_heat + l.numerical_heat) / fall;
        least = fmin(least, (z[1] - z[0] + dx) / a);
        most = fmax(most, heat);
        taken_back = fmax(taken_back, most - heat);
        cr_expect_lt(fabs(l.energy_error), 1e-3 * fall, "%g J", l.energy_error);
    }
    cr_log_info("%g mm, %g Pa·s: squashed to %.3f, heat %.3f of the energy of the fall, of which "
                "%.4f was taken back",
                1e3 * dx, viscosity, least, most, taken_back);
    cr_expect_lt(least, 0.75, "it is hardly squashed: %g", least);
    cr_expect_lt(taken_back, 0.01, "energy is stored that nobody gave: %g", taken_back);
    tl_world_destroy(w);
}

Test(solid, a_cube_that_is_squashed_gives_back_no_more_than_it_took) {
    squash(0.00625, 1, 0);
    squash(0.00625, 0, 0);
    squash(0.005, 0.3, 0);
    squash(0.005, 0.3, 1e4);
}
