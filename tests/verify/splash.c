/* A ring of wax, warm above and cold below, is thrown aslant on the ground: it splashes, but what
 * moves was given by the throw and by gravity, the books close, and steps are seldom refused. */
#include "tallow/tallow.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <string.h>

static const char ring[] =
    "spacing: 2 cm\nframe_rate: 100\nduration: 0.3 s\n"
    "bodies: [{material: paraffin, velocity: [1, 0, -1], temperature: {along: z, from: 10, to: "
    "200},"
    " torus: {center: [0, 0, 0.3], axis: [0.4, -1, 0.6], radius: 0.1, tube_radius: 0.04}}]\n"
    "walls: [{plane: z}]\n";

/* m/s: what the highest particle has when it has fallen to the ground. */
static double falling_speed(tl_world *world) {
    tl_field_view places;
    double highest = 0;
    cr_assert(tl_world_field(world, "position", &places));
    for (size_t i = 0; i < tl_world_count(world); i++)
        highest = fmax(highest, ((const double *)places.data)[3 * i + 2]);
    return sqrt(2 + 2 * 9.81 * highest);
}

/* Steps from frame to frame, as a run does; returns the speed of the fastest step (m/s). */
static double run_frames(tl_world *world, int frames) {
    tl_error error = {0};
    double fastest = 0;
    for (int frame = 1; frame <= frames; frame++) {
        tl_step_report step = {0};
        tl_world_set_stop(world, frame / 100.0);
        while (step.time < frame / 100.0) {
            cr_assert_eq(tl_world_step(world, &step, &error), TL_OK, "%s", error.what);
            fastest = fmax(fastest, step.max_speed);
        }
    }
    return fastest;
}

Test(splash, of_a_ring_is_no_faster_than_its_fall_and_its_books_close) {
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    tl_error error = {0};
    tl_ledger start, end;
    cr_assert_eq(tl_scene_load_memory(ring, strlen(ring), "ring", NULL, &scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_OK, "%s", error.what);
    tl_world_ledger(world, &start);
    const double given = falling_speed(world), fastest = run_frames(world, 30);
    tl_world_ledger(world, &end);
    const double moved = start.kinetic_energy + start.potential_energy - end.potential_energy;
    cr_log_info("%.3g m/s, falling gives %.3g m/s; energy error %.2g J of %.3g J that moved; %.0f "
                "steps, %.0f refused",
                fastest, given, end.energy_error, moved, end.steps, end.rejected);
    cr_expect_gt(moved, 0.9 * (start.kinetic_energy + start.potential_energy), "it has come down");
    cr_expect_lt(fastest, 1.2 * given, "%g m/s of %g m/s", fastest, given);
    cr_expect_lt(fabs(end.energy_error), 0.01 * moved, "%g J of %g J", end.energy_error, moved);
    cr_expect_leq(end.rejected, 0.1 * (end.steps + end.rejected), "%g refused", end.rejected);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}
