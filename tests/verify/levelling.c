/* Thick liquid that levels out in a tank keeps its volume. Its lattice is flattened to a half on
 * the way, and its lowest layers would come to stand on the floor, unseen by the divergence: 12 %
 * of the height are lost unless crowding is corrected (world/crowd.c). */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double side = 0.1;

/* A block that fills half of a tank, from top to bottom twice as high as it will be. */
static tl_world *block(double dx, tl_contact floor, double longest) {
    setup s = setup_make(dx);
    s.def.gravity[2] = -9.81;
    s.material.viscosity.value = 20;
    setup_implicit(&s, longest);
    setup_add_box(&s, 0, 0, 0, side / 2, side, side);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = floor;
    setup_add_plane(&s, TL_SIDE_X, 0)->contact = TL_CONTACT_FREE_SLIP;
    setup_add_plane(&s, TL_SIDE_MINUS_X, side)->contact = TL_CONTACT_FREE_SLIP;
    setup_add_plane(&s, TL_SIDE_Y, 0)->contact = TL_CONTACT_FREE_SLIP;
    setup_add_plane(&s, TL_SIDE_MINUS_Y, side)->contact = TL_CONTACT_FREE_SLIP;
    return setup_world(&s, 1);
}

/* The worst error of the level in the second second, when it is flat within half a spacing. */
static double level_error(double dx, tl_contact floor, double longest) {
    tl_world *world = block(dx, floor, longest);
    double worst = 0;
    for (int k = 0; k <= 5; k++) {
        run_to(world, 1 + 0.2 * k);
        const double off = 2 * mean_of(world, 2) / (side / 2) - 1;
        worst = fabs(off) > fabs(worst) ? off : worst;
    }
    cr_log_info("%2.0f layers, %s floor, steps of %2.0f ms: level off by %+.4f", side / 2 / dx,
                floor == TL_CONTACT_NO_SLIP ? "sticky  " : "slippery", 1e3 * longest, worst);
    tl_world_destroy(world);
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
