/* Tanks that are filled: the level rises as what comes in divided by the area, from below, where
 * the emitter carries all that is above it, and from above. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double dx = 0.01, g = 9.81;

static setup begin(bool coupled) {
    setup s = setup_make(dx);
    s.def.gravity[2] = -g;
    if (coupled)
        setup_implicit(&s, 0.005);
    else
        s.def.flow.sound_speed = 20;
    return s;
}

/* A tank with slippery walls, open above. */
static void add_tank(setup *s, double side) {
    s->walls[s->def.wall_count++] =
        (tl_wall_def){.box = {{-side / 2, -side / 2, 0}, {side / 2, side / 2, 1}},
                      .has_box = true,
                      .open = TL_SIDE_Z,
                      .contact = TL_CONTACT_FREE_SLIP};
}

/* How much higher what lies below `top` stands than its volume over the area, relative. */
static double excess(tl_world *world, double top, double area, double *volume) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double z = positions(world)[3 * i + 2];
        sum += z < top ? z : 0;
        n += z < top;
    }
    *volume = n * dx * dx * dx;
    return 2 * sum / n / (*volume / area) - 1;
}

/* The floor is the mouth: a piston of new matter. Its force is the weight, its work the lift. */
Test(filling, from_below_lifts_all_that_is_above) {
    for (int coupled = 0; coupled < 2; coupled++) {
        const double side = 0.1, speed = 0.1;
        setup s = begin(coupled);
        setup_periodic(&s, 0, -side / 2, side / 2);
        setup_periodic(&s, 1, -side / 2, side / 2);
        s.material.viscosity.value = coupled ? 1 : 1e-3;
        const tl_emitter_def piston = {.has_rectangle = true,
                                       .rectangle = {{0, 0, 0}, {0, 0, 1}, side, side},
                                       .has_speed = true,
                                       .speed.value = speed};
        s.def.emitters = &piston;
        s.def.emitter_count = 1;
        tl_world *world = setup_world(&s, 2);
        double worst = 0;
        for (int k = 1; k <= 7; k++) {
            run_to(world, 0.55 + 0.1 * k);
            /* Below the last layer there is room for a part of the next. */
            const double way = speed * tl_world_time(world);
            const double gap = way - books(world).mass / (1000 * side * side);
            worst = fmax(worst, fabs((2 * mean_of(world, 2) - gap) / way - 1));
        }
        const double before = books(world).emitter_impulse[2];
        run_to(world, 1.45);
        const tl_ledger l = books(world);
        /* 12, 13 and 14 layers of 0.1 kg in turn, of which two got their momentum. */
        const double force = (l.emitter_impulse[2] - before) / 0.2, weight = 13 * 0.1 * g + 0.1;
        const double lift = l.potential_energy + l.kinetic_energy - l.emitted_energy;
        cr_log_info("%s: level off by %.4f, force %.3f N of %.3f N, work %.4f J for a lift of %.4f "
                    "J, unexplained %.5f J",
                    coupled ? "coupled" : "explicit", worst, force, weight, l.emitter_work, lift,
                    l.energy_error);
        cr_expect_lt(worst, 0.005);
        cr_expect_float_eq(force, weight, 0.01 * weight);
        cr_expect_float_eq(l.emitter_work, lift, 0.02 * lift);
        cr_expect_lt(fabs(l.energy_error), 0.002 * lift);
        cr_expect_eq(l.blocked_time, 0);
        tl_world_destroy(world);
    }
}

/* Oil so thick that it neither splashes nor leaves the tap as drops. */
Test(filling, from_a_tap_above_raises_the_level_as_rate_over_area) {
    const double side = 0.1, rate = 5e-4;
    setup s = begin(true);
    add_tank(&s, side);
    s.material.viscosity.value = 20;
    const tl_emitter_def tap = {.has_disc = true,
                                .disc = {{0, 0, 0.12}, {0, 0, -1}, 0.03},
                                .has_flow_rate = true,
                                .flow_rate.value = rate,
                                .has_until = true,
                                .until = 1};
    s.def.emitters = &tap;
    s.def.emitter_count = 1;
    tl_world *world = setup_world(&s, 2);
    for (int k = 0; k < 4; k++) { /* once the last drop is level */
        run_to(world, 2 + k);
        double volume;
        const double off = excess(world, 0.07, side * side, &volume);
        const double all = books(world).mass / 1000;
        cr_log_info("%.4g of %.4g L came, %.4g L are down; level off by %.4f", 1e3 * all,
                    1e3 * rate, 1e3 * volume, off);
        cr_expect_float_eq(all, rate, 28.3 * dx * dx * dx, "a layer at most is missing");
        cr_expect_float_eq(volume, all, 1e-9);
        cr_expect_lt(fabs(off), 0.025, "an eighth of a spacing");
    }
    tl_world_destroy(world);
}
