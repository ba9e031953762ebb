/* Measures against what they must be: fills, linear fields, balances of momentum and of mass. */
#include "measure/measure.h"
#include "scene/scene.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct setup {
    tl_scene *scene;
    tl_world *world;
    tl_measures measures;
} setup;

static setup make(const char *text, int threads) {
    setup s = {0};
    tl_error error = {0};
    const tl_world_options options = {.threads = threads};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &s.scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(s.scene, &options, &s.world, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_measures_make(s.scene->measures.items, s.scene->measures.count, s.world,
                                  &s.measures, &error),
                 TL_OK, "%s", error.what);
    return s;
}

static void end(setup *s) {
    tl_measures_free(&s->measures);
    tl_world_destroy(s->world);
    tl_scene_destroy(s->scene);
}

static void advance(setup *s, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(s->world, time, &error), TL_OK, "%s", error.what);
}

/* The value of a column now. */
static double value(setup *s, const char *name) {
    tl_error error = {0};
    cr_assert_eq(tl_measures_look(&s->measures, s->world, &error), TL_OK, "%s", error.what);
    for (size_t i = 0; i < s->measures.column_count; i++)
        if (strcmp(s->measures.columns[i].name, name) == 0)
            return s->measures.values[i];
    cr_assert_fail("no column %s", name);
    return 0;
}

static void expect(setup *s, const char *name, double wanted, double tolerance) {
    const double found = value(s, name);
    cr_expect(fabs(found - wanted) <= tolerance, "%s: %.9g, not %.9g", name, found, wanted);
}

/* ---- What there is -----------------------------------------------------------------------------
 */

static const char block[] =
    "{spacing: 1 cm, gravity: [0, 0, -9.81], materials: {oil: {density: 900, viscosity: 1}},\n"
    " bodies: [{name: slab, material: oil, velocity: [0.1, 0, 0], temperature: {along: z, from: 20,"
    " to: 95}, box: {from: [-0.1, 0, 0], to: [0.1, 0.06, 0.08]}}],\n"
    " measures: [{name: slab, body: slab, field: velocity_x}, {name: oil, material: oil},\n"
    "  {name: half, box: {from: [-1, -1, 0], to: [1, 1, 0.04]}, field: temperature}, {name: all},\n"
    "  {name: ball, sphere: {center: [0, 0, 0], radius: 1}},\n"
    "  {name: probe, point: [0.013, 0.031, 0.042], field: temperature},\n"
    "  {name: away, point: [1, 1, 1], field: temperature},\n"
    "  {name: rake, line: {from: [0, 0.03, 0.02], to: [0.02, 0.03, 0.06], points: 5},\n"
    "   field: temperature}]}";

Test(measure, of_a_filled_box_has_its_mass_centre_and_extents) {
    setup s = make(block, 1);
    const double volume = 0.2 * 0.06 * 0.08, mass = 900 * volume;
    expect(&s, "slab.particles", 960, 0);
    expect(&s, "slab.mass", mass, 1e-6 * mass);
    expect(&s, "slab.volume", volume, 1e-6 * volume);
    expect(&s, "slab.momentum_x", 0.1 * mass, 1e-6 * mass);
    expect(&s, "slab.kinetic_energy", 0.005 * mass, 1e-6 * mass);
    expect(&s, "slab.angular_momentum_z", 0, 1e-9);
    expect(&s, "slab.center_x", 0, 1e-8);
    expect(&s, "slab.center_y", 0.03, 1e-8);
    expect(&s, "slab.center_z", 0.04, 1e-8);
    expect(&s, "slab.low_x", -0.1, 1e-12);
    expect(&s, "slab.high_y", 0.06, 1e-12);
    expect(&s, "slab.height", 0.08, 1e-12);
    /* from the middle to the middle of the particle at the corner, and half a spacing */
    expect(&s, "slab.spread", hypot(0.095, 0.025) + 0.005, 1e-8);
    expect(&s, "slab.velocity_x_mean", 0.1, 1e-9);
    expect(&s, "oil.mass", mass, 1e-6 * mass);
    expect(&s, "all.mass", mass, 1e-6 * mass);
    expect(&s, "ball.particles", 960, 0);
    expect(&s, "half.mass", mass / 2, 1e-6 * mass);
    end(&s);
}

Test(measure, at_points_reads_a_linear_field_back) {
    setup s = make(block, 1);
    const double slope = 75 / 0.08; /* over the extent of the body */
    expect(&s, "probe.temperature", 20 + slope * 0.042, 1e-3);
    for (int k = 0; k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "rake.%d.temperature", k + 1);
        expect(&s, name, 20 + slope * (0.02 + 0.01 * k), 1e-3);
    }
    cr_expect(isnan(value(&s, "away.temperature")), "there is no matter");
    /* layers at 5, 15, 25 and 35 mm */
    expect(&s, "half.temperature_mean", 20 + slope * 0.02, 1e-3);
    expect(&s, "half.temperature_min", 20 + slope * 0.005, 1e-3);
    expect(&s, "half.temperature_max", 20 + slope * 0.035, 1e-3);
    end(&s);
}

/* ---- Walls -------------------------------------------------------------------------------------
 */

static const char pool[] =
    "{spacing: 1 cm, gravity: [0, 0, -10], materials: {oil: {density: 1000, viscosity: 10}},\n"
    " flow: {scheme: %s, tolerance: 1e-4},\n"
    " bodies: [{material: oil, box: {from: [0, 0, 0], to: [0.08, 0.08, 0.08]}}],\n"
    " walls: [{name: floor, plane: z, at: 0}, {name: left, plane: x, at: 0},\n"
    "  {name: right, plane: -x, at: 0.08}, {name: back, plane: y, at: 0},\n"
    "  {name: front, plane: -y, at: 0.08}],\n"
    " measures: [{name: floor, wall: floor}, {name: left, wall: left}, {name: right, wall: "
    "right},\n"
    "  {name: back, wall: back}, {name: front, wall: front}, {name: all}]}";

static double of_walls(setup *s, const char *what) {
    static const char *const walls[] = {"floor", "left", "right", "back", "front"};
    double sum = 0;
    for (size_t k = 0; k < 5; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", walls[k], what);
        sum += value(s, name);
    }
    return sum;
}

/* The weight of 0.512 kg at 10 m/s²; and the force of pressure on a side, ½ ρ g h² w. */
static void check_pool(const char *scheme, double time) {
    char text[2048];
    snprintf(text, sizeof text, pool, scheme);
    setup s = make(text, 1);
    advance(&s, time);
    const double weight = 5.12, side = 0.5 * 1000 * 10 * 0.08 * 0.08 * 0.08;
    /* What walls have taken and what the matter has got is what gravity gave. */
    cr_expect_float_eq(of_walls(&s, "impulse_z") + value(&s, "all.momentum_z"), -weight * time,
                       2e-4 * weight * time, "%s: %g", scheme, of_walls(&s, "impulse_z"));
    cr_expect_float_eq(of_walls(&s, "impulse_x") + value(&s, "all.momentum_x"), 0,
                       2e-4 * weight * time);
    cr_expect_float_eq(of_walls(&s, "force_z"), -weight, 0.02 * weight, "%s", scheme);
    /* Viscosity without pressure, the first part of a split solve, hangs matter on the sides. */
    if (strcmp(scheme, "split") != 0)
        cr_expect_float_eq(value(&s, "right.force_x"), side, 0.15 * side, "%s: %g of %g", scheme,
                           value(&s, "right.force_x"), side);
    cr_expect_float_eq(value(&s, "left.force_x"), -value(&s, "right.force_x"), 0.02 * side);
    expect(&s, "floor.contact_area", 0.0064, 0.02 * 0.0064);
    end(&s);
}

Test(measure, of_walls_around_an_implicit_pool_is_its_weight) { check_pool("coupled", 0.1); }
Test(measure, of_walls_in_a_solve_of_two_parts_is_its_weight) { check_pool("split", 0.1); }
Test(measure, of_walls_around_an_explicit_pool_is_its_weight) { check_pool("explicit", 0.02); }

/* ---- Planes ------------------------------------------------------------------------------------
 */

static const char jet[] =
    "{spacing: 5 mm, gravity: [0, 0, 0], materials: {oil: {density: 900, viscosity: 10}},\n"
    " flow: {scheme: coupled}, emitters: [{material: oil, flow_rate: 40 mL/s,\n"
    "  rectangle: {center: [0, 0, 0.1], direction: [0, 0, -1], width: 2 cm, height: 2 cm}}],\n"
    " measures: [{name: gate, plane: {through: [0, 0, 0.07], normal: [0, 0, -1]}, field: velocity},"
    "  {name: aside, plane: {through: [0.5, 0, 0.07], normal: [0, 0, -1], radius: 1 cm}},\n"
    "  {name: up, plane: {through: [0, 0, 0.07]}}]}";

Test(measure, of_a_plane_is_what_the_emitter_gives) {
    setup s = make(jet, 1);
    const double rate = 900 * 40e-6, layer = 900 * 0.02 * 0.02 * 0.005;
    advance(&s, 0.5);
    const double before = value(&s, "gate.mass_passed");
    advance(&s, 1.0);
    const double passed = value(&s, "gate.mass_passed") - before;
    /* counted in whole layers, at both ends */
    cr_expect_float_eq(passed, rate * 0.5, layer, "%g of %g", passed, rate * 0.5);
    cr_expect_gt(passed, 3 * layer);
    expect(&s, "gate.mass_flow", rate, 0.05 * rate);
    expect(&s, "gate.volume_flow", 40e-6, 0.05 * 40e-6);
    expect(&s, "gate.velocity_mean", 0.1, 0.005);
    expect(&s, "aside.mass_passed", 0, 0);
    expect(&s, "up.mass_passed", -value(&s, "gate.mass_passed"), 0);
    expect(&s, "gate.momentum_passed_z", -0.1 * value(&s, "gate.mass_passed"),
           0.05 * 0.1 * value(&s, "gate.mass_passed"));
    end(&s);
}

/* ---- The same bits -----------------------------------------------------------------------------
 */

Test(measure, does_not_depend_on_threads) {
    char text[2048];
    snprintf(text, sizeof text, pool, "coupled");
    setup one = make(text, 1), two = make(text, 2);
    tl_world_make_adverse(two.world);
    advance(&one, 0.02);
    advance(&two, 0.02);
    (void)value(&one, "all.mass");
    (void)value(&two, "all.mass");
    cr_expect_eq(memcmp(one.measures.values, two.measures.values,
                        one.measures.column_count * sizeof(double)),
                 0);
    end(&one);
    end(&two);
}

/* ---- Rigid bodies, heat, thermal particles -----------------------------------------------------
 */

/* A stone that lies on the floor, with a little oil beside it. */
static const char stone[] =
    "{spacing: 1 cm, gravity: [0, 0, -10], flow: {scheme: %s},\n"
    " materials: {rock: {density: 2500, viscosity: 10}, oil: {density: 1000, viscosity: 10}},\n"
    " bodies: [{name: stone, material: rock, rigid: true, box: {from: [0, 0, 0], to: [0.05, 0.05, "
    "0.04]}},\n  {material: oil, box: {from: [0.2, 0, 0], to: [0.23, 0.03, 0.02]}}],\n"
    " walls: [{name: floor, plane: z, at: 0}, {name: far, plane: x, at: -1}],\n"
    " measures: [{name: floor, wall: floor}, {name: far, wall: far}, {name: all},\n"
    "  {name: stone, body: stone}]}";

static void check_stone(const char *scheme) {
    char text[2048];
    snprintf(text, sizeof text, stone, scheme);
    setup s = make(text, 1);
    const double time = 0.1;
    advance(&s, time);
    const double weight = 10 * value(&s, "all.mass");
    const double given = value(&s, "floor.impulse_z") + value(&s, "all.momentum_z");
    cr_expect_float_eq(given, -weight * time, 5e-3 * weight * time, "%s: %g of %g", scheme, given,
                       -weight * time);
    cr_expect_float_eq(value(&s, "stone.mass"), 2500 * 0.05 * 0.05 * 0.04, 1e-6);
    expect(&s, "far.impulse_z", 0, 0);
    tl_ledger ledger;
    tl_world_ledger(s.world, &ledger);
    expect(&s, "floor.impulse_z", -ledger.wall_impulse[2], 1e-9);
    end(&s);
}

Test(measure, of_a_floor_under_a_stone_in_implicit_flow_is_its_weight) { check_stone("coupled"); }
Test(measure, of_a_floor_under_a_stone_in_explicit_flow_is_its_weight) { check_stone("explicit"); }

Test(measure, of_a_warm_wall_is_the_heat_that_the_ledger_has) {
    setup s =
        make("{spacing: 1 cm, flow: {scheme: none}, materials: {oil: {density: 900, viscosity: 1,\n"
             " conductivity: 0.2, specific_heat: 2000}}, bodies: [{name: slab, material: oil,\n"
             " temperature: 20, box: {from: [0, 0, 0], to: [0.05, 0.05, 0.05]}}],\n"
             " walls: [{name: hot, plane: z, at: 0, temperature: 80}, {name: cold, plane: -z, at: "
             "0.05,\n"
             " temperature: 10}], measures: [{name: hot, wall: hot}, {name: cold, wall: cold},\n"
             " {name: slab, body: slab}]}",
             1);
    const double before = value(&s, "slab.thermal_energy");
    advance(&s, 100);
    tl_ledger ledger;
    tl_world_ledger(s.world, &ledger);
    cr_expect_lt(value(&s, "hot.heat"), -10);
    cr_expect_gt(value(&s, "cold.heat"), 1);
    const double given = -value(&s, "hot.heat") - value(&s, "cold.heat");
    cr_expect_float_eq(given, ledger.conducted_heat, 1e-9 * fabs(given));
    cr_expect_float_eq(value(&s, "slab.thermal_energy") - before, given, 1e-6 * fabs(given));
    expect(&s, "hot.temperature", 80, 0);
    end(&s);
}
