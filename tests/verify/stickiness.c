/* Walls pull at the matter that they leave with no more than their stickiness. */
#include "build.h"

#include "boundary/move.h"

#include <criterion/criterion.h>
#include <math.h>

static const double DX = 0.01, DENSITY = 1000, GRAVITY = 9.81;

typedef enum plate {
    NONE,
    STICKY,
    WET,
    DRY
} plate; /* dry and wet ones do not pull; wet ones slip */

typedef struct fate {
    double before,
        after;    /* m: height of the centre of mass when the plate is lifted, and 0.3 s on */
    double work;  /* J, of walls since then */
    double error; /* J, that the books do not explain, since then */
    double rejected;
} fate;

static setup block_of(double viscosity, double longest) {
    setup s = setup_make(DX);
    s.material.density = DENSITY;
    s.material.viscosity.value = viscosity;
    setup_implicit(&s, longest);
    s.def.gravity[2] = -GRAVITY;
    setup_add_box(&s, 0, 0, 0, 8 * DX, 8 * DX, 6 * DX);
    return s;
}

/* A plate is pressed on a block for 0.1 s, by `way`, then lifted. */
static fate lift(plate kind, double way) {
    setup s = block_of(1000, 0.01);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_move_def moves[] = {{.along = TL_SIDE_MINUS_Z,
                            .has_speed = true,
                            .speed = way / 0.1,
                            .has_until = true,
                            .until = 0.1},
                           {.along = TL_SIDE_Z, .has_speed = true, .speed = 0.1, .from = 0.1}};
    if (kind != NONE) {
        tl_wall_def *wall = setup_add_plane(&s, TL_SIDE_MINUS_Z, 6 * DX);
        wall->has_stickiness = kind != STICKY;
        wall->contact = kind == WET ? TL_CONTACT_FREE_SLIP : TL_CONTACT_NO_SLIP;
        wall->motion = (tl_param_list){moves, 2};
    }
    tl_world *world = setup_world(&s, 2);
    run_to(world, 0.1);
    const tl_ledger l = books(world);
    fate out = {.before = mean_of(world, 2)};
    run_to(world, 0.4);
    out.after = mean_of(world, 2);
    out.work = books(world).wall_work - l.wall_work;
    out.error = books(world).energy_error - l.energy_error;
    out.rejected = books(world).rejected;
    tl_world_destroy(world);
    return out;
}

/* After it was pressed flatter the block sinks less by itself, some (5/6)² of that. */
Test(stickiness, plates_without_it_leave_matter_where_it_is) {
    const fate alone = lift(NONE, 0);
    const double expected = alone.before - alone.after, weight = DENSITY * 384e-6 * GRAVITY;
    const plate kinds[] = {WET, DRY};
    for (int k = 0; k < 2; k++)
        for (int pressed = 0; pressed < 2; pressed++) {
            const fate now = lift(kinds[k], pressed * DX);
            const double sinks = (now.before - now.after) / expected;
            cr_log_info("%s plate, pressed by %d mm: block sinks by %.3f of what it does alone; "
                        "work %g J, error %g J, %g steps rejected",
                        kinds[k] == WET ? "wet" : "dry", 10 * pressed, sinks, now.work, now.error,
                        now.rejected);
            cr_expect(pressed ? sinks > 0.5 && sinks < 0.9 : fabs(sinks - 1) < 0.01, "%g", sinks);
            cr_expect_lt(fabs(now.work), 1e-6 * weight * DX);
            cr_expect_lt(fabs(now.error), 1e-4 * weight * DX);
            cr_expect_eq(now.rejected, 0);
        }
}

Test(stickiness, plates_without_a_limit_take_matter_along) {
    const fate sticky = lift(STICKY, 0);
    cr_log_info("rises by %.2f mm, work %g J", 1e3 * (sticky.after - sticky.before), sticky.work);
    cr_expect_gt(sticky.after - sticky.before, 0.012);
    cr_expect_gt(sticky.work, 0.1);
}

/* What falls in 0.2 s of a sheet under a ceiling that it pulls at with ρ g H, relative to a free
 * fall. */
static double falls(double stickiness, double step) {
    setup s = block_of(1e4, step);
    setup_periodic(&s, 0, 0, 8 * DX);
    setup_periodic(&s, 1, 0, 8 * DX);
    tl_wall_def *wall = setup_add_plane(&s, TL_SIDE_MINUS_Z, 6 * DX);
    wall->has_stickiness = true;
    wall->stickiness = stickiness;
    tl_world *world = setup_world(&s, 2);
    run_to(world, 0.2);
    const double fallen = 3 * DX - mean_of(world, 2);
    tl_world_destroy(world);
    return fallen / (0.5 * GRAVITY * 0.04);
}

/* The sheet also grows a little thinner, for which the estimate of the pull does not allow. What
 * does not carry lets go within two steps. */
Test(stickiness, carries_as_much_as_it_says_within_four_tenths) {
    const double weight = DENSITY * GRAVITY * 6 * DX, steps[] = {0.005, 0.0025};
    for (int k = 0; k < 2; k++) {
        const double late = 1 - 2 * steps[k] / 0.2, loose = falls(weight, steps[k]);
        cr_log_info("steps of %g ms: falls %g", 1e3 * steps[k], loose);
        cr_expect_gt(falls(0, steps[k]), late * late);
        cr_expect_gt(loose, late * late);
        cr_expect_lt(falls(1.4 * weight, steps[k]), 1e-3);
    }
}
