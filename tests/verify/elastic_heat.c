/* Elastic matter that is warmed and cooled: what it stores follows its modulus, what it loses is
 * heat, nothing gives energy; and matter that forgets here and there at different paces moves
 * freely as a whole. */
#include "boundary/move.h"
#include "build.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>

static setup warm_setup(double dx, double step) {
    setup s = setup_make(dx);
    setup_implicit(&s, step);
    s.material.viscosity.value = 0;
    s.material.has_elastic = true;
    s.def.flow.tolerance = 0.01;
    return s;
}

static const void *field_of(tl_world *w, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(w, name, &view), "no %s", name);
    return view.data;
}

static void warm(tl_world *w, float temperature) {
    float *all = calloc(tl_world_count(w), sizeof *all);
    cr_assert(all);
    for (size_t i = 0; i < tl_world_count(w); i++)
        all[i] = temperature;
    cr_assert_eq(tl_world_warm(w, all, NULL), TL_OK);
    free(all);
}

static double mean_shear_stress(tl_world *w) {
    const float(*S)[6] = field_of(w, "elastic_stress");
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        sum += (double)S[i][4] / (double)tl_world_count(w);
    return sum;
}

/* ---- A block that is strained ------------------------------------------------------------------
 */

static void expect_near(double found, double expected, double relative, const char *what) {
    cr_expect_float_eq(found, expected, relative * fabs(expected), "%s: %.6g, not %.6g", what,
                       found, expected);
}

typedef struct held {
    double stress, stored, heat; /* Pa, J, J: heat and work of the steps */
} held;

static held look(tl_world *w) {
    const tl_ledger l = books(w);
    return (held){mean_shear_stress(w), l.elastic_energy, l.viscous_heat + l.numerical_heat};
}

/* J/m³ of a shear by γ whose excess c - 1 (S) a modulus that grew has left l of. */
static double stored_at(int law, double modulus, double shear, double l) {
    const double square = shear * shear;
    return law == TL_ELASTIC_CONVECTED
               ? 0.5 * modulus * (l * square - log(1 + l * (1 - l) * square))
               : 0.5 * modulus * l * l * square;
}

/* Sheared by 0.1 between belts, without inertia, and held; then warmed, which takes half of its
 * modulus, and cooled, which gives it back four times that. */
Test(elastic_heat, a_strained_block_stores_what_its_modulus_says_and_loses_the_rest_as_heat) {
    const double dx = 0.01, H = 0.1, L = 0.05, shear = 0.1, step = 0.005;
    for (int law = TL_ELASTIC_CONVECTED; law <= TL_ELASTIC_COROTATIONAL; law++) {
        setup s = warm_setup(dx, step);
        tl_move_def belt = {.along = TL_SIDE_X,
                            .has_speed = true,
                            .speed = shear * H / (4 * step),
                            .has_until = true,
                            .until = 4 * step};
        s.material.density = 1e-3 * 1e4 * step * step / (H * H);
        s.material.elastic.law = law;
        s.material.elastic.modulus =
            (tl_law){.kind = TL_LAW_EXPONENTIAL, .slope = -0.01 * log10(2), .offset = 4};
        s.def.flow.pulls = true;
        setup_periodic(&s, 0, 0, L);
        setup_periodic(&s, 1, 0, L);
        setup_add_box(&s, 0, 0, 0, L, L, H);
        setup_add_plane(&s, TL_SIDE_Z, 0);
        setup_add_plane(&s, TL_SIDE_MINUS_Z, H)->motion = (tl_param_list){&belt, 1};
        tl_world *w = setup_world(&s, 1);
        run_to(w, 0.1);
        const held cold = look(w);
        warm(w, 100);
        run_to(w, 0.2);
        const held soft = look(w);
        warm(w, -100);
        run_to(w, 0.3);
        const held hard = look(w);
        cr_log_info("law %d: stress %.2f, %.2f, %.2f Pa; stored %.5g, %.5g, %.5g J; heat of "
                    "warming %.5g J, of cooling %.5g J",
                    law, cold.stress, soft.stress, hard.stress, cold.stored, soft.stored,
                    hard.stored, soft.heat - cold.heat, hard.heat - soft.heat);
        expect_near(cold.stored, L * L * H * stored_at(law, 1e4, shear, 1), 0.02, "stored");
        expect_near(soft.stress, 0.5 * cold.stress, 1e-3, "it keeps its strain");
        expect_near(hard.stress, soft.stress, 1e-3, "it keeps its stress");
        expect_near(soft.stored, 0.5 * cold.stored, 1e-3, "stored in what is soft");
        /* The springs between particles of a solid harden with it. */
        cr_expect_float_eq(hard.stored, L * L * H * stored_at(law, 2e4, shear, 0.25),
                           0.01 * cold.stored, "stored in what has hardened: %g", hard.stored);
        expect_near(soft.heat - cold.heat, cold.stored - soft.stored, 1e-3, "heat of warming");
        expect_near(hard.heat - soft.heat, soft.stored - hard.stored, 1e-3, "heat of cooling");
        tl_world_destroy(w);
    }
}

/* ---- Different paces ---------------------------------------------------------------------------
 */

/* A block that forgets in 10 s where it is cold and in a millisecond where it is hot flies two and
 * a half times its length. */
Test(elastic_heat, what_flies_is_not_strained_by_forgetting_unevenly) {
    const double a = 0.04, speed = 1;
    setup s = warm_setup(0.005, 0.002);
    s.material.elastic.modulus.value = 1e4;
    s.material.elastic.relaxation_time =
        (tl_law){.kind = TL_LAW_EXPONENTIAL, .slope = -0.05, .offset = 1};
    s.material.elastic.has_relaxation_time = true;
    setup_add_box(&s, 0, 0, 0, a, a, a);
    for (size_t i = 0; i < s.count; i++) {
        s.seeds[i].velocity[0] = speed;
        s.seeds[i].temperature = (float)(80 * s.seeds[i].position[2] / a);
    }
    tl_world *w = setup_world(&s, 1);
    const double motion = books(w).kinetic_energy;
    double most = 0, stored = 0;
    for (int k = 1; k <= 10; k++) {
        run_to(w, 0.01 * k);
        stored = fmax(stored, books(w).elastic_energy);
    }
    for (size_t i = 0; i < tl_world_count(w); i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(velocities(w)[3 * i + (size_t)k] - (k == 0) * speed));
    cr_log_info("stores %.2g of the energy of its motion; velocities differ by %.2g m/s",
                stored / motion, most);
    cr_expect_lt(stored, 1e-6 * motion, "%g", stored / motion);
    cr_expect_lt(most, 2e-3 * speed, "%g m/s", most);
    tl_world_destroy(w);
}
