/* Heat between rigid bodies and the walls they touch. */
#include "scene/scene.h"
#include "tallow/tallow.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* A rigid cube of 1 cm, `layers` particles thick, so far above a hot floor; its other faces are
 * insulated. `wall` adds to the floor. Returns its mean temperature at `time`, with closed books.
 */
static double heat_cube(int layers, double height, const char *wall, double time) {
    char text[1024];
    tl_scene *scene;
    tl_world *world;
    tl_error error = {0};
    snprintf(text, sizeof text,
             "spacing: %.17g\nflow: {scheme: coupled, max_step: 20 ms}\ngravity: [0, 0, %d]\n"
             "materials: {metal: {density: 8000, specific_heat: 500, conductivity: 40}}\n"
             "bodies: [{material: metal, rigid: true, box: {from: [0, 0, %.17g], to: [1 cm, 1 cm, "
             "%.17g]}}]\n"
             "walls: [{name: floor, plane: z, temperature: 100%s}]\nheat: {}\n",
             0.01 / layers, height > 0 ? 0 : -10, height, height + 0.01, wall);
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    cr_assert_eq(tl_world_create(scene, &(tl_world_options){.threads = 1}, &world, &error), TL_OK);
    cr_assert_eq(tl_world_advance(world, time, &error), TL_OK, "%s", error.what);
    tl_ledger ledger;
    tl_world_ledger(world, &ledger);
    cr_expect_lt(fabs(ledger.heat_error), 1e-9, "%g J", ledger.heat_error);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return ledger.temperature_mean;
}

/* The mean temperature of a slab (m) whose one face is at 100 °C from time 0 on and whose other is
 * insulated, 20 °C before. */
static double slab_mean(double thickness, double diffusivity, double time) {
    double sum = 0;
    for (int n = 0; n < 50; n++) {
        const double odd = (2 * n + 1) * PI / 2;
        sum += 2 / (odd * odd) * exp(-odd * odd * diffusivity * time / (thickness * thickness));
    }
    return 100 - 80 * sum;
}

Test(heat_rigid, a_cube_on_a_hot_floor_warms_as_it_should) {
    const double time = 2, wanted = slab_mean(0.01, 1e-5, time);
    double error[2];
    for (int k = 0; k < 2; k++) {
        const double mean = heat_cube(k ? 16 : 8, 0, "", time);
        error[k] = (mean - wanted) / (wanted - 20);
        cr_log_info("%d layers: %.3f °C for %.3f °C, off by %+.5f", k ? 16 : 8, mean, wanted,
                    error[k]);
    }
    cr_expect_lt(fabs(error[1]), 0.003);
    cr_expect_gt(log2(fabs(error[0] / error[1])), 1, "order %g", log2(fabs(error[0] / error[1])));
}

/* 40 W/(m²·K) and 80 °C warm a cube of 4e4 J/(m²·K). Edges pass too much through a film, in matter
 * as in rigid bodies, which falls with the spacing. */
Test(heat_rigid, an_interface_resists) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        const double wanted = 40 * 80 * 0.4 / 4e4;
        error[k] = (heat_cube(k ? 16 : 8, 0, ", conductance: 40", 0.4) - 20) / wanted - 1;
        cr_log_info("%d layers: off by %+.4f", k ? 16 : 8, error[k]);
    }
    cr_expect_lt(fabs(error[1]), 0.06);
    cr_expect_gt(log2(fabs(error[0] / error[1])), 0.9);
}

Test(heat_rigid, what_does_not_touch_stays_cold) { cr_expect_eq(heat_cube(5, 0.01, "", 0.4), 20); }
