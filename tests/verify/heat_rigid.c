/* Heat between rigid bodies and what they touch: walls and each other. */
#include "scene/scene.h"
#include "tallow/tallow.h"
#include "world/state.h"

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

/* ---- Two bodies ---- */

/* Two rigid bars of a length, one on the other and `gap` above it, insulated but for where they
 * touch, four particles wide; the lower of copper at 0 °C, the upper of `upper` at 100 °C. */
static tl_world *make_bars(double length, int layers, double gap, const char *upper,
                           tl_scene **scene) {
    char text[1024];
    tl_world *world;
    tl_error error = {0};
    const double dx = length / layers;
    snprintf(text, sizeof text,
             "spacing: %.17g\nflow: {scheme: coupled, max_step: 20 ms}\ngravity: [0, 0, 0]\n"
             "materials:\n"
             "  copper: {density: 9000, specific_heat: 400, conductivity: 360}\n"
             "  steel: {density: 8000, specific_heat: 500, conductivity: 40}\n"
             "bodies:\n"
             "  - {material: copper, rigid: true, temperature: 0,"
             " box: {from: [0, 0, %.17g], to: [%.17g, %.17g, 0]}}\n"
             "  - {material: %s, rigid: true, temperature: 100,"
             " box: {from: [0, 0, %.17g], to: [%.17g, %.17g, %.17g]}}\nheat: {}\n",
             dx, -length, 4 * dx, 4 * dx, upper, gap, 4 * dx, 4 * dx, gap + length);
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, scene, &error), TL_OK, "%s",
                 error.what);
    cr_assert_eq(tl_world_create(*scene, &(tl_world_options){.threads = 1}, &world, &error), TL_OK);
    return world;
}

static void run_bars(tl_world *world, double time) {
    tl_error error = {0};
    tl_ledger before, after;
    tl_world_ledger(world, &before);
    cr_assert_eq(tl_world_advance(world, time, &error), TL_OK, "%s", error.what);
    tl_world_ledger(world, &after);
    cr_expect_lt(fabs(after.heat_error), 1e-12 * before.thermal_energy, "%g J", after.heat_error);
    cr_expect_lt(fabs(after.thermal_energy / before.thermal_energy - 1), 1e-12);
}

/* Root of the mean square of what the temperatures are off from those of two half-spaces that meet
 * at time 0, of their difference; and how much more heat has passed than should, relative. */
static double off_half_spaces(int layers, double time, double *passed) {
    tl_scene *scene;
    tl_world *world = make_bars(0.1, layers, 0, "steel", &scene);
    run_bars(world, time);
    const double spread[2] = {360 / 3.6e6, 40 / 4e6}, e[2] = {sqrt(360 * 3.6e6), sqrt(40 * 4e6)};
    const double contact = 100 * e[1] / (e[0] + e[1]);
    double sum = 0, heat = 0;
    const double *x = tl_position(world);
    const size_t n = tl_world_count(world);
    for (size_t i = 0; i < n; i++) {
        const double z = x[3 * i + 2], far = z < 0 ? 0 : 100;
        const double root = 2 * sqrt(spread[z >= 0] * time);
        const double wanted = contact + (far - contact) * erf(fabs(z) / root);
        const double found = (double)tl_temperature(world)[i];
        sum += pow((found - wanted) / 100, 2);
        heat += z < 0 ? 3.6e6 * found * pow(0.1 / layers, 3) : 0;
    }
    const double area = pow(4 * 0.1 / layers, 2);
    *passed = heat / (area * 2 * e[0] * contact * sqrt(time / PI)) - 1;
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return sqrt(sum / (double)n);
}

Test(heat_rigid, bodies_that_touch_meet_at_the_temperature_of_half_spaces) {
    double error[2], passed[2];
    for (int k = 0; k < 2; k++) {
        error[k] = off_half_spaces(k ? 40 : 20, 2, &passed[k]);
        cr_log_info("%d layers: off by %.5f, %+.4f of the heat", k ? 40 : 20, error[k], passed[k]);
    }
    cr_expect_lt(error[1], 0.005);
    cr_expect_lt(fabs(passed[1]), 0.02);
    cr_expect_gt(log2(error[0] / error[1]), 0.9, "order %g", log2(error[0] / error[1]));
}

Test(heat_rigid, equal_bodies_that_touch_end_at_the_mean) {
    tl_scene *scene;
    tl_world *world = make_bars(0.01, 10, 0, "copper", &scene);
    tl_ledger ledger;
    run_bars(world, 6);
    tl_world_ledger(world, &ledger);
    cr_log_info("%.9f to %.9f °C", ledger.temperature_min, ledger.temperature_max);
    cr_expect_lt(fabs(ledger.temperature_min - 50), 1e-3);
    cr_expect_lt(fabs(ledger.temperature_max - 50), 1e-3);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

/* A fifth of a spacing of air. */
Test(heat_rigid, bodies_that_do_not_touch_insulate) {
    tl_scene *scene;
    tl_world *world = make_bars(0.1, 10, 0.002, "copper", &scene);
    tl_ledger ledger;
    run_bars(world, 2);
    tl_world_ledger(world, &ledger);
    cr_expect_eq(ledger.temperature_min, 0);
    cr_expect_eq(ledger.temperature_max, 100);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

/* What two cubes of 1 cm, so far apart, lose to the air in 0.1 s, of what one face does. */
static double faces_that_lose(double gap) {
    char text[1024];
    tl_scene *scene;
    tl_world *world;
    tl_error error = {0};
    tl_ledger ledger;
    snprintf(text, sizeof text,
             "spacing: 1 mm\ngravity: [0, 0, 0]\nflow: {scheme: coupled, max_step: 20 ms}\n"
             "materials: {metal: {density: 8000, specific_heat: 500, conductivity: 40,"
             " emissivity: 0}}\n"
             "bodies:\n"
             "  - {material: metal, rigid: true, temperature: 120,"
             " box: {from: [0, 0, 0], to: [1 cm, 1 cm, 1 cm]}}\n"
             "  - {material: metal, rigid: true, temperature: 120,"
             " box: {from: [0, 0, %.17g], to: [1 cm, 1 cm, %.17g]}}\n"
             "heat: {ambient: 20, convection: 20}\n",
             0.01 + gap, 0.02 + gap);
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    cr_assert_eq(tl_world_create(scene, &(tl_world_options){.threads = 1}, &world, &error), TL_OK);
    cr_assert_eq(tl_world_advance(world, 0.1, &error), TL_OK, "%s", error.what);
    tl_world_ledger(world, &ledger);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return ledger.lost_convection / (20 * 1e-4 * 100 * 0.1);
}

Test(heat_rigid, faces_that_touch_lose_nothing_to_the_air) {
    const double together = faces_that_lose(0), apart = faces_that_lose(0.02);
    cr_log_info("%.2f and %.2f faces", together, apart);
    cr_expect_lt(fabs(together - 10), 0.5, "%g faces of 10", together);
    cr_expect_lt(fabs(apart - 12), 0.5, "%g faces of 12", apart);
}
