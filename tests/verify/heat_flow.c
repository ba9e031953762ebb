/* Heat with walls that warm up, and in matter that flows. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Matter of 0 °C and heat capacity 1 J/K meets a wall of 90 °C with 2 J/K: both end at 60 °C. */
Test(heat_flow, a_wall_with_a_heat_capacity_shares_its_heat) {
    const int schemes[] = {TL_HEAT_EXPLICIT, TL_HEAT_IMPLICIT};
    for (int k = 0; k < 2; k++) {
        plate p = plate_make(0.1);
        p.def.heat.scheme = schemes[k];
        p.def.heat.max_step = 0.1;
        plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, 1, 1}, 0, 0);
        plate_add_plane(&p, TL_SIDE_Z, 0, 90)->heat_capacity = 2;
        tl_world *w = plate_world(&p);
        plate_run(w, 20);
        double low = 1e9, high = -1e9;
        for (size_t i = 0; i < tl_world_count(w); i++) {
            low = fmin(low, (double)plate_temperatures(w)[i]);
            high = fmax(high, (double)plate_temperatures(w)[i]);
        }
        const tl_ledger l = plate_books(w);
        cr_log_info("%s: %.5f to %.5f °C, %.6f J conducted, %g J unexplained",
                    k ? "implicit" : "explicit", low, high, l.conducted_heat, l.heat_error);
        cr_expect(fabs(low - 60) < 1e-3 && fabs(high - 60) < 1e-3);
        cr_expect_float_eq(l.conducted_heat, 60, 1e-3);
        plate_expect_closed(w);
        tl_world_destroy(w);
    }
}

/* Between a plate at rest and one that moves, 1 m apart: η γ̇² makes the matter warmer by 1 K/s
 * everywhere. */
static void shear(int scheme, double step, double time, double speed) {
    const double dx = 0.1, width = 6 * dx;
    plate p = plate_make(dx);
    p.materials[0].viscosity.value = 1;
    p.materials[0].conductivity = 1e-6;
    p.def.heat.viscous_heating = true;
    p.def.heat.speed = speed;
    p.def.flow.scheme = scheme;
    p.def.flow.pulls = true;
    p.def.flow.max_step = step;
    p.def.flow.tolerance = 1e-3;
    p.def.flow.artificial_viscosity = 0;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){width, width, 1}, 0, 20);
    for (size_t i = 0; i < p.count; i++)
        p.seeds[i].velocity[0] = p.seeds[i].position[2];
    plate_periodic(&p, 0, 0, width);
    plate_periodic(&p, 1, 0, width);
    plate_add_plane(&p, TL_SIDE_Z, 0, 0)->has_temperature = false;
    tl_wall_def *lid = plate_add_plane(&p, TL_SIDE_MINUS_Z, 1, 0);
    lid->has_temperature = false;
    lid->velocity[0] = 1;
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    double mean = 0, spread = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        mean += ((double)plate_temperatures(w)[i] - 20) / time / (double)tl_world_count(w);
    for (size_t i = 0; i < tl_world_count(w); i++)
        spread = fmax(spread, fabs(((double)plate_temperatures(w)[i] - 20) / time - mean));
    const tl_ledger l = plate_books(w);
    cr_log_info("scheme %d: %.4f K/s of 1, spread %.4f; %.6f J of viscous heat, %.6f J warm the "
                "matter, wall work %.6f J",
                scheme, mean, spread, l.viscous_heat, l.friction_heat, l.wall_work);
    cr_expect_lt(fabs(mean - 1), 0.02);
    cr_expect_lt(spread, 0.1);
    cr_expect_float_eq(l.friction_heat, l.viscous_heat, 1e-9 * l.viscous_heat);
    plate_expect_closed(w);
    tl_world_destroy(w);
}

/* The motion makes this heat: in its own time, however fast heat is conducted. */
Test(heat_flow, heat_of_friction_does_not_follow_the_speed_of_heat) {
    shear(TL_SCHEME_COUPLED, 0.01, 0.2, 10);
}

Test(heat_flow, sheared_matter_warms_by_its_viscosity_implicit) {
    shear(TL_SCHEME_COUPLED, 0.01, 0.2, 1);
}

Test(heat_flow, sheared_matter_warms_by_its_viscosity_explicit) {
    shear(TL_SCHEME_EXPLICIT, 0, 0.05, 1);
}

/* A block that falls apart on a hot plate: stiff while solid, thin when molten. */
static double melt_and_flow(int flow, bool hot) {
    plate p = plate_make(0.1);
    static double points[][2] = {{10, 1e5}, {30, 1}};
    p.materials[0] = (tl_material){.name = (char *)"fat",
                                   .density = 1000,
                                   .specific_heat = 1,
                                   .conductivity = 2e3,
                                   .latent_heat = 20,
                                   .solidus = 10,
                                   .liquidus = 30,
                                   .has_solidus = true,
                                   .has_liquidus = true,
                                   .viscosity = {.kind = TL_LAW_TABLE,
                                                 .points = {points, 2},
                                                 .interpolation = TL_INTERPOLATION_LOGARITHMIC}};
    p.def.gravity[2] = -10;
    p.def.flow.scheme = flow;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){0.8, 0.8, 0.8}, 0, 0);
    plate_add_plane(&p, TL_SIDE_Z, 0, hot ? 100 : 0);
    tl_world *w = plate_world(&p);
    plate_run(w, 0.3);
    double height = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        height += plate_places(w)[3 * i + 2] / (double)tl_world_count(w);
    const tl_ledger l = plate_books(w);
    cr_log_info("scheme %d, %s plate: mean height %.3f m after %g s; %g J conducted, %g J "
                "unexplained; %g steps, %g of heat",
                flow, hot ? "hot" : "cold", height, l.time, l.conducted_heat, l.heat_error, l.steps,
                l.heat_iterations);
    if (hot)
        plate_expect_closed(w);
    tl_world_destroy(w);
    return height;
}

Test(heat_flow, what_melts_flows_and_the_books_of_heat_close) {
    const double cold = melt_and_flow(TL_SCHEME_COUPLED, false);
    const double hot = melt_and_flow(TL_SCHEME_COUPLED, true);
    cr_expect_gt(cold, 0.38);
    cr_expect_lt(hot, 0.8 * cold);
}

/* Steps for a block of a liquid that thins to fall and slump, of which no viscosity depends on the
 * temperature. */
static double steps_of_a_slump(const char *heat) {
    char text[512];
    snprintf(text, sizeof text,
             "spacing: 1 mm\nduration: 0.1 s\n%sflow: {scheme: coupled}\n"
             "materials: {paste: {density: 1300, specific_heat: 3000, conductivity: 0.3, rheology: "
             "{model: power-law, consistency: 300, exponent: 0.3, max_viscosity: 10 kPa·s}}}\n"
             "bodies: [{material: paste, temperature: 20, "
             "box: {from: [0, 0, 3 mm], to: [5 mm, 5 mm, 11 mm]}}]\n"
             "walls: [{plane: z, at: 0}]\n",
             heat);
    tl_scene *scene;
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    cr_assert_eq(tl_world_create(scene, NULL, &world, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_advance(world, 0.1, &error), TL_OK, "%s", error.what);
    const double steps = (double)tl_world_steps(world);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return steps;
}

/* Steps are short where heat changes viscosities, not where the flow does. */
Test(heat_flow, heat_that_changes_no_viscosity_costs_no_steps) {
    const double without = steps_of_a_slump(""), with = steps_of_a_slump("heat: {}\n");
    cr_log_info("%g steps with heat, %g without", with, without);
    cr_expect_leq(with, 1.1 * without, "%g steps with heat, %g without", with, without);
}
