/* A flame on a wick in a cup of molten wax burns what its power takes, and its light goes down with
 * the level: m = ∫P/H dt, dz/dt = −P/(H ρ A). */
#include "tallow/tallow.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Heat is a hundred times as fast as the motion; nothing cools. */
static const char cup[] =
    "spacing: %g mm\nduration: 4 s\nframe_rate: 10\nheat: {speed: 100}\n"
    "materials:\n"
    "  wax: {density: 800, viscosity: 0.2 Pa·s, specific_heat: 2 kJ/(kg·K), conductivity: 0.2,\n"
    "        solidus: 50, liquidus: 60, latent_heat: 170 kJ/kg, absorptivity: 0.1}\n"
    "bodies:\n"
    "  - {material: wax, box: {from: [0, 0, 0], to: [16 mm, 16 mm, 12 mm]}, temperature: 80}\n"
    "walls: [{name: cup, box: {from: [0, 0, 0], to: [16 mm, 16 mm, 5 cm]}, open: z,\n"
    "         contact: free-slip}]\n"
    "sources: [{name: flame, shape: sphere, radius: 2 mm, power: 80 W,\n"
    "           wick: {foot: [8 mm, 8 mm, 0], tip: [8 mm, 8 mm, 22 mm], conducted: 0}}]\n";

static double middle_of(tl_world *world) {
    tl_field_view places;
    double sum = 0;
    cr_assert(tl_world_field(world, "position", &places));
    for (size_t i = 0; i < tl_world_count(world); i++)
        sum += ((const double *)places.data)[3 * i + 2];
    return sum / (double)tl_world_count(world);
}

static void burns_down(double spacing) {
    char text[2048];
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    tl_error error = {0};
    tl_ledger start, end;
    tl_vec3 before, after;
    double power;
    snprintf(text, sizeof text, cup, spacing);
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "cup", NULL, &scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_advance(world, 0.4, &error), TL_OK, "%s", error.what); /* settles */
    tl_world_ledger(world, &start);
    const double high = middle_of(world);
    cr_assert(tl_world_flame(world, 0, &before, &power));
    cr_assert_eq(tl_world_advance(world, 2, &error), TL_OK, "%s", error.what);
    tl_world_ledger(world, &end);
    cr_assert(tl_world_flame(world, 0, &after, &power));
    const double mass = 80 / 43e6 * 100 * 1.6, area = 16e-3 * 16e-3;
    const double burnt = (end.flame_heat - start.flame_heat) / 43e6;
    const double soaked = end.soaked_mass - start.soaked_mass, sunk = 2 * (high - middle_of(world));
    const double way = mass / (800 * area);
    cr_log_info("%g mm: %.4g mg burnt, %.4g mg soaked up (exact %.4g mg); level -%.4g mm, flame "
                "-%.4g mm (exact %.4g mm); books %.2g J",
                spacing, 1e6 * burnt, 1e6 * soaked, 1e6 * mass, 1e3 * sunk,
                1e3 * (before.z - after.z), 1e3 * way, end.heat_error);
    cr_expect_float_eq(burnt, mass, 0.02 * mass, "%g of %g kg", burnt, mass);
    /* Particles are soaked up whole. */
    cr_expect_float_eq(soaked, mass, 0.02 * mass + 800 * pow(1e-3 * spacing, 3));
    cr_expect_float_eq(sunk, way, 0.05 * way, "%g of %g m", sunk, way);
    cr_expect_float_eq(before.z - after.z, way, 1e-3 * spacing, "%g of %g m", before.z - after.z,
                       way);
    cr_expect_lt(fabs(end.heat_error), 1e-9 * end.thermal_energy);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(wick, a_cup_of_wax_burns_down_as_its_flame_takes) {
    burns_down(2);
    burns_down(1.6);
}
