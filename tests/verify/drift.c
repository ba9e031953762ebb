/* What is at rest stays so in the implicit scheme, over ten thousand steps: a block of very viscous
 * matter that only creeps, and a thin liquid in a small tank. Volume, places and energy must not
 * drift. */
#include "../unit/sample_materials.h"
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

enum { STEPS = 10000 };

static const double DX = 0.01, G = 9.81;

typedef struct state {
    double place[3]; /* m: mean */
    double volume;   /* relative to that at rest: mean */
    double speed;    /* m/s: mean */
    double lost;     /* energy that no column of the books explains, relative to m g H */
} state;

static state look_at(tl_world *world, double depth) {
    const size_t n = tl_world_count(world);
    state out = {{mean_of(world, 0), mean_of(world, 1), mean_of(world, 2)}, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        const double *u = velocities(world) + 3 * i;
        out.volume += 1000 / densities(world)[i] / (double)n;
        out.speed += sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / (double)n;
    }
    out.lost = books(world).energy_error / (1000 * pow(DX, 3) * (double)n * G * depth);
    return out;
}

static void step(tl_world *world, int steps) {
    for (int k = 0; k < steps; k++) {
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    }
}

static void say(const char *what, state s) {
    cr_log_info("%s: mean place %.7f %.7f %.7f m, volume %.7f, speed %.3g m/s, energy %.2g", what,
                s.place[0], s.place[1], s.place[2], s.volume, s.speed, s.lost);
}

Test(drift, block_creeps_evenly_and_goes_nowhere) {
    const double side = 7 * DX, height = 6 * DX;
    setup s = setup_make(DX);
    s.material = (tl_material){.density = 1000, .viscosity.value = 1e8};
    setup_implicit(&s, 0.01);
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, side, side, height);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_world *world = setup_world(&s, 1);
    const state start = look_at(world, height);
    step(world, STEPS / 2);
    const state half = look_at(world, height);
    step(world, STEPS / 2);
    const state end = look_at(world, height);
    say("half", half);
    say("end", end);
    cr_expect_lt(fabs(end.place[0] - start.place[0]), 1e-5 * DX);
    cr_expect_lt(fabs(end.place[1] - start.place[1]), 1e-5 * DX);
    cr_expect_lt(fabs(end.volume - 1), 1e-6);
    cr_expect_lt(fabs(end.lost), 1e-8);
    const double first = start.place[2] - half.place[2], second = half.place[2] - end.place[2];
    cr_log_info("sinks by %.4g m, then by %.4g m", first, second);
    cr_expect_lt(fabs(second / first - 1), 0.03);
    tl_world_destroy(world);
}

Test(drift, thin_liquid_keeps_its_level_and_its_volume) {
    const double side = 6 * DX, depth = 8 * DX;
    setup s = setup_make(DX);
    s.material = (tl_material){.density = 1000, .viscosity.value = 0.01};
    setup_implicit(&s, 0.005);
    s.def.flow.artificial_viscosity = 0.1;
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, side, side, depth);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_X, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_X, side);
    setup_add_plane(&s, TL_SIDE_Y, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Y, side);
    tl_world *world = setup_world(&s, 1);
    step(world, STEPS / 10);
    const state settled = look_at(world, depth);
    step(world, STEPS - STEPS / 10);
    const state end = look_at(world, depth);
    say("settled", settled);
    say("end", end);
    cr_expect_lt(fabs(settled.place[2] / (0.5 * depth) - 1), 0.01);
    cr_expect_lt(fabs(end.place[2] / settled.place[2] - 1), 0.01);
    cr_expect_lt(fabs(end.volume - 1), 1e-3);
    cr_expect_lt(end.speed, 0.005 * sqrt(G * depth));
    cr_expect_lt(fabs(end.lost), 0.005);
    tl_world_destroy(world);
}
