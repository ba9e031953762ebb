/* Thick liquid that levels out in a tank keeps its volume. Its lattice is flattened to a half on
 * the way, and its lowest layers would come to stand on the floor, unseen by the divergence: 12 %
 * of the height are lost unless crowding is corrected (world/crowd.c, flow/stress.c). */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double side = 0.1;

/* A block that fills half of a tank, from top to bottom twice as high as it will be. */
static setup block(double dx, double viscosity, tl_contact floor) {
    setup s = setup_make(dx);
    s.def.gravity[2] = -9.81;
    s.material.viscosity.value = viscosity;
    setup_add_box(&s, 0, 0, 0, side / 2, side, side);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = floor;
    setup_add_plane(&s, TL_SIDE_X, 0)->contact = TL_CONTACT_FREE_SLIP;
    setup_add_plane(&s, TL_SIDE_MINUS_X, side)->contact = TL_CONTACT_FREE_SLIP;
    setup_add_plane(&s, TL_SIDE_Y, 0)->contact = TL_CONTACT_FREE_SLIP;
    setup_add_plane(&s, TL_SIDE_MINUS_Y, side)->contact = TL_CONTACT_FREE_SLIP;
    return s;
}

/* The worst error of the level in the second second, when it is flat within half a spacing. */
static double worst_level(setup *s) {
    tl_world *world = setup_world(s, 1);
    double worst = 0;
    for (int k = 0; k <= 5; k++) {
        run_to(world, 1 + 0.2 * k);
        const double off = 2 * mean_of(world, 2) / (side / 2) - 1;
        worst = fabs(off) > fabs(worst) ? off : worst;
    }
    tl_world_destroy(world);
    return worst;
}

static const char *floor_name(tl_contact floor) {
    return floor == TL_CONTACT_NO_SLIP ? "sticky  " : "slippery";
}

static double level_error(double dx, tl_contact floor, double longest) {
    setup s = block(dx, 20, floor);
    setup_implicit(&s, longest);
    const double worst = worst_level(&s);
    cr_log_info("%2.0f layers, %s floor, steps of %2.0f ms: level off by %+.4f", side / 2 / dx,
                floor_name(floor), 1e3 * longest, worst);
    return fabs(worst);
}

static double explicit_error(double dx, double viscosity, tl_contact floor) {
    setup s = block(dx, viscosity, floor);
    s.def.flow.sound_speed = 20;
    const double worst = worst_level(&s);
    cr_log_info("%2.0f layers, %s floor, explicit, %2.0f Pa s: level off by %+.4f", side / 2 / dx,
                floor_name(floor), viscosity, worst);
    return fabs(worst);
}

Test(levelling, of_a_thick_liquid_keeps_its_volume) {
    cr_expect_lt(level_error(0.01, TL_CONTACT_FREE_SLIP, 0.005), 0.025);
    cr_expect_lt(level_error(0.01, TL_CONTACT_FREE_SLIP, 0.02), 0.04);
    cr_expect_lt(level_error(0.01, TL_CONTACT_NO_SLIP, 0.005), 0.025);
    cr_expect_lt(level_error(0.01, TL_CONTACT_NO_SLIP, 0.02), 0.025);
}

/* A fifth of a spacing at most, so less of more layers. */
Test(levelling, of_more_layers_is_better) {
    cr_expect_lt(level_error(0.01 / 1.6, TL_CONTACT_FREE_SLIP, 0.005), 0.02);
}

/* 12 % of the thinner liquid would be lost, and 10, 4 and 7 % of the thicker one. */
Test(levelling, of_a_thick_liquid_keeps_its_volume_in_explicit_steps) {
    cr_expect_lt(explicit_error(0.01, 5, TL_CONTACT_FREE_SLIP), 0.025);
    cr_expect_lt(explicit_error(0.01, 20, TL_CONTACT_FREE_SLIP), 0.025);
    cr_expect_lt(explicit_error(0.01, 20, TL_CONTACT_NO_SLIP), 0.015);
    cr_expect_lt(explicit_error(0.01 / 1.6, 20, TL_CONTACT_FREE_SLIP), 0.02);
}

/* A full box, whose lid is a belt that runs ten lengths of it: a void of a ninth of the height
 * would open below. */
Test(levelling, stirring_opens_no_void_in_explicit_steps) {
    const double dx = 0.01;
    setup s = setup_make(dx);
    s.material.viscosity.value = 20;
    s.def.gravity[2] = -9.81;
    s.def.flow.sound_speed = 20;
    setup_add_box(&s, 0, 0, 0, side, 6 * dx, side);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_plane(&s, TL_SIDE_X, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_X, side);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, side)->velocity[0] = 0.5;
    tl_world *world = setup_world(&s, 1);
    run_to(world, 2);
    const double off = mean_of(world, 2) / (side / 2) - 1;
    cr_log_info("stirred: middle off by %+.4f", off);
    cr_expect_lt(fabs(off), 0.02);
    tl_world_destroy(world);
}
