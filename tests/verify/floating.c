/* Balls that are dropped into a liquid come to float where they displace their mass. */
#include "build.h"
#include "scene/scene.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double radius = 0.1, width = 0.4, pi = 3.14159265358979323846;

/* How deep a ball of half the density of the liquid is in it: to its middle. */
static double archimedes(const tl_world *w) {
    double liquid = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        liquid += tl_rigid_of(w, i) ? 0 : pow(w->def.spacing, 3);
    return (liquid + 2 * pi / 3 * pow(radius, 3)) / (width * width);
}

/* How much too high it floats, of its diameter, on the mean of the last part of the time. The walls
 * are slippery: on others liquid that sticks keeps the level from rising evenly. */
static double floats(int spacings, double viscosity, const char *scheme, double time) {
    char text[800];
    snprintf(text, sizeof text,
             "spacing: %.10f\nduration: 10\nflow: {scheme: %s}\n"
             "materials: {oil: {density: 1000, viscosity: %g}, wood: {density: 500}}\n"
             "bodies:\n"
             "  - {material: oil, box: {from: [-0.2, -0.2, 0], to: [0.2, 0.2, 0.3]}}\n"
             "  - {material: wood, rigid: true, sphere: {center: [0, 0, 0.42], radius: 0.1}}\n"
             "walls: [{name: tank, box: {from: [-0.2, -0.2, 0], to: [0.2, 0.2, 1]}, open: z,"
             " contact: free-slip}]\n",
             radius / spacings, scheme, viscosity);
    tl_scene *scene;
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "floating.yaml", NULL, &scene, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    const tl_world_options options = {.threads = 1};
    cr_assert_eq(tl_world_create(scene, &options, &world, &error), TL_OK, "%s", error.what);
    const double exact = archimedes(world);
    enum { LOOKS = 20 };
    double mean = 0;
    for (int k = 1; k <= LOOKS; k++) {
        run_to(world, time * (0.6 + 0.4 * k / LOOKS));
        mean += world->rigids.items[0].pose.place.z / LOOKS;
    }
    const double off = (mean - exact) / (2 * radius);
    cr_log_info("%g Pa s, R = %d spacings: %+.4f diameters too high", viscosity, spacings, off);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return fabs(off);
}

Test(floating, in_syrup_is_as_deep_as_archimedes_says) {
    cr_expect_lt(floats(2, 20, "coupled", 3), 0.05);
    cr_expect_lt(floats(3, 20, "coupled", 3), 0.05);
    cr_expect_lt(floats(4, 20, "coupled", 3), 0.03);
    cr_expect_lt(floats(5, 20, "coupled", 3), 0.03);
}

Test(floating, in_water_is_as_deep_as_archimedes_says) {
    cr_expect_lt(floats(3, 1e-3, "explicit", 4), 0.03);
    cr_expect_lt(floats(4, 1e-3, "explicit", 4), 0.03);
}
