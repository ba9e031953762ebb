/* Flames on wicks: what they set free and burn, what wicks soak up, and that it is in the books. */
#include "heat/wick.h"
#include "scene_texts.h"
#include "scratch_folder.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

TestSuite(wick, .init = scratch_make, .fini = scratch_remove);

/* A cup of molten wax, which neither cools nor flows, with a wick in the middle. */
#define CUP                                                                                        \
    "spacing: 2 mm\nduration: 1 s\nflow: {scheme: none}\nheat: {max_step: 0.5 s}\n"                \
    "materials:\n"                                                                                 \
    "  wax: {like: paraffin, solidus: 50, liquidus: 60}\n"                                         \
    "bodies:\n"                                                                                    \
    "  - {material: wax, box: {from: [-1 cm, -1 cm, 0], to: [1 cm, 1 cm, 1 cm]}, "                 \
    "temperature: 80}\n"                                                                           \
    "walls: [{plane: z}]\n"

static const char burning[] =
    CUP "sources: [{name: flame, shape: sphere, radius: 3 mm, power: 80 W, "
        "wick: {foot: [0, 0, 0], tip: [0, 0, 2 cm], conducted: 0.01}}]\n";

static tl_world *world_of(const tl_scene *scene, int threads) {
    tl_world *world = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_world_create(scene, &(tl_world_options){.threads = threads}, &world, &error),
                 TL_OK, "%s", error.what);
    return world;
}

static void advance(tl_world *world, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(world, time, &error), TL_OK, "%s", error.what);
}

static tl_ledger books(const tl_world *world) {
    tl_ledger ledger;
    tl_world_ledger(world, &ledger);
    return ledger;
}

Test(wick, a_flame_is_as_strong_as_its_wick_is_long_and_full) {
    const tl_wick_def wick = {.store = 2e-5};
    cr_expect_eq(tl_wick_power(&wick, 80, 0.01, 0.01, 2e-5), 80);
    cr_expect_eq(tl_wick_power(&wick, 80, 0.02, 0.01, 2e-5), 80, "no stronger than whole");
    cr_expect_float_eq(tl_wick_power(&wick, 80, 0.005, 0.01, 2e-5), 40, 1e-12);
    cr_expect_float_eq(tl_wick_power(&wick, 80, 0.01, 0.01, 5e-6), 40, 1e-12);
    cr_expect_eq(tl_wick_power(&wick, 80, -1e-3, 0.01, 2e-5), 0, "drowned");
    cr_expect_eq(tl_wick_power(&wick, 80, 0.01, 0.01, 0), 0, "dry");
}

/* All that burns was soaked up or there before; it sets free its heat of combustion; and what is
 * melted and lost is explained to rounding. */
Test(wick, burns_what_it_soaks_up_and_the_books_close) {
    tl_scene *scene = load(burning, NULL);
    tl_world *world = world_of(scene, 1);
    const tl_ledger first = books(world);
    advance(world, 120);
    const tl_ledger l = books(world);
    const double burnt = l.flame_heat / 43e6;
    cr_log_info("%.4g mg burnt of %.4g mg soaked up; %.3g J unexplained of %.4g J", 1e6 * burnt,
                1e6 * l.soaked_mass, l.heat_error, l.radiated_heat + l.wick_heat);
    cr_expect_gt(l.soaked_mass, 5 * first.mass / first.particles, "it has eaten");
    cr_expect_float_eq(l.mass + l.soaked_mass, first.mass, 1e-6 * first.mass);
    cr_expect_gt(burnt, l.soaked_mass - 1e-9);
    cr_expect_leq(burnt, l.soaked_mass + 15e-6 * (1 + 1e-9), "no more than it ever had");
    cr_expect_gt(l.wick_heat, 0.005 * l.flame_heat, "as long as something is there to take it");
    cr_expect_leq(l.wick_heat, (1 + 1e-9) * 0.01 * l.flame_heat);
    cr_expect_gt(l.radiated_heat, 0);
    cr_expect_leq(l.radiated_heat, 0.2 * l.flame_heat);
    cr_expect_lt(fabs(l.heat_error), 1e-9 * l.thermal_energy);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

/* Where nothing melts a flame lives on what its wick was soaked with. */
Test(wick, runs_dry_on_what_is_cold) {
    const char *const cold[] = {"bodies.0.temperature=10", "sources.0.wick.conducted=0",
                                "sources.0.wick.radiant=0"};
    const tl_scene_options options = {.overrides = cold, .override_count = 3};
    tl_error error = {0};
    tl_scene *scene = NULL;
    cr_assert_eq(tl_scene_load_memory(burning, strlen(burning), "test", &options, &scene, &error),
                 TL_OK, "%s", error.what);
    tl_world *world = world_of(scene, 1);
    tl_vec3 at;
    double power;
    cr_assert(tl_world_flame(world, 0, &at, &power));
    cr_expect_float_eq(power, 80, 1e-9);
    advance(world, 60);
    cr_assert(tl_world_flame(world, 0, &at, &power));
    const tl_ledger l = books(world);
    cr_expect_eq(power, 0);
    cr_expect_eq(l.soaked_mass, 0);
    cr_expect_leq(l.flame_heat, 15e-6 * 43e6 * (1 + 1e-9));
    cr_expect_geq(l.flame_heat, 0.98 * 15e-6 * 43e6);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(wick, drowns_where_matter_stands_above_its_tip) {
    tl_scene *scene = load(CUP "sources: [{name: flame, power: 80 W, wick: {foot: [0, 0, 0], tip: "
                               "[0, 0, 8 mm], flame_height: 10 mm}}]\n",
                           NULL);
    tl_world *world = world_of(scene, 1);
    tl_vec3 at;
    double power;
    advance(world, 1);
    cr_assert(tl_world_flame(world, 0, &at, &power));
    cr_expect_eq(power, 0);
    cr_expect_eq(books(world).flame_heat, 0);
    cr_expect_eq(books(world).soaked_mass, 0);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}

Test(wick, has_the_same_bits_on_any_number_of_threads_and_after_a_resumption) {
    tl_scene *scene = load(burning, NULL);
    tl_world *one = world_of(scene, 1), *four = world_of(scene, 4), *again = world_of(scene, 1);
    tl_world_make_adverse(four);
    tl_error error = {0};
    advance(one, 20), advance(four, 20);
    cr_expect_eq(tl_world_hash(one), tl_world_hash(four));
    cr_assert_eq(tl_world_save(one, in_scratch("flame.h5"), &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_restore(again, in_scratch("flame.h5"), &error), TL_OK, "%s", error.what);
    advance(one, 40), advance(again, 40);
    cr_expect_gt(books(one).soaked_mass, 0);
    cr_expect_eq(tl_world_hash(one), tl_world_hash(again));
    cr_expect_eq(books(one).flame_heat, books(again).flame_heat);
    tl_world_destroy(one), tl_world_destroy(four), tl_world_destroy(again);
    tl_scene_destroy(scene);
}

/* tan θ = u/w; wind from below only makes it taller, which is no lean. */
Test(wick, a_flame_leans_as_its_gas_goes_with_the_air) {
    tl_wick_def wick = {.tip = {0, 0, 0.02}, .flame_height = 0.005, .rise = 0.6};
    const tl_vec3 still = tl_wick_flame(&wick, 0.02);
    cr_expect(still.x == 0 && still.y == 0 && still.z == 0.02 + 0.005);
    wick.draught[0] = 0.3, wick.draught[1] = -0.4; /* 0.5 m/s to the side of 0.6 */
    const tl_vec3 leans = tl_wick_flame(&wick, 0.02);
    const double angle = atan2(hypot(leans.x, leans.y), leans.z - 0.02);
    cr_expect_float_eq(tan(angle), 0.5 / 0.6, 1e-12);
    cr_expect_float_eq(leans.y / leans.x, -4.0 / 3, 1e-12);
    cr_expect_float_eq(hypot(hypot(leans.x, leans.y), leans.z - 0.02), 0.005, 1e-15);
    wick = (tl_wick_def){
        .tip = {0, 0, 0.02}, .flame_height = 0.005, .rise = 0.6, .draught = {0, 0, 2}};
    cr_expect_float_eq(tl_wick_flame(&wick, 0.02).z, 0.025, 1e-15);
    wick.draught[2] = -0.5;
    cr_expect_float_eq(tl_wick_flame(&wick, 0.02).z, 0.025, 1e-15, "held back, not down");
    wick = (tl_wick_def){.tip = {0.03, 0, 0.04}, .flame_height = 0.005, .rise = 0.6};
    const tl_vec3 over = tl_wick_flame(&wick, 0.05);
    cr_expect_float_eq(over.x, 0.03, 1e-15, "it rises from a wick that is bent over, too");
    cr_expect_float_eq(over.z, 0.045, 1e-15);
}

/* Its light falls from where it leans to. */
Test(wick, a_draught_turns_the_light_of_a_flame_to_its_side) {
    double right[2] = {0}, all[2] = {0};
    for (int windy = 0; windy < 2; windy++) {
        const char *const still[] = {"sources.0.wick.flame_height=8mm", NULL};
        const char *const wind[] = {"sources.0.wick.flame_height=8mm",
                                    "sources.0.wick.draught=[0.6 m/s, 0, 0]"};
        const tl_scene_options options = {.overrides = windy ? wind : still,
                                          .override_count = windy ? 2 : 1};
        tl_error error = {0};
        tl_scene *scene = NULL;
        cr_assert_eq(
            tl_scene_load_memory(burning, strlen(burning), "test", &options, &scene, &error), TL_OK,
            "%s", error.what);
        tl_world *world = world_of(scene, 1);
        tl_vec3 at;
        double power;
        tl_field_view lit, x;
        advance(world, 1);
        cr_assert(tl_world_flame(world, 0, &at, &power));
        cr_expect_float_eq(at.x, windy ? 8e-3 * sqrt(0.5) : 0, 1e-12, "45° of equal speeds");
        cr_assert(tl_world_field(world, "lit_part", &lit) && tl_world_field(world, "position", &x));
        for (size_t i = 0; i < tl_world_count(world); i++) {
            const double part = (double)((const float *)lit.data)[i];
            all[windy] += part;
            right[windy] += ((const double *)x.data)[3 * i] > 0 ? part : 0;
        }
        tl_world_destroy(world);
        tl_scene_destroy(scene);
    }
    cr_log_info("light on the right: %.3f in still air, %.3f in a draught", right[0] / all[0],
                right[1] / all[1]);
    cr_expect_float_eq(right[0] / all[0], 0.5, 0.02);
    cr_expect_gt(right[1] / all[1], 0.57);
}

Test(wick, of_no_length_or_beside_a_position_is_refused) {
    refuses(CUP "sources: [{name: f, power: 1 W}]\n", NULL, "test", 10, 11, "has no position",
            "a wick");
    refuses(CUP "sources: [{name: f, power: 1 W, wick: {foot: [0, 0, 0], tip: [0, 0, 0]}}]\n", NULL,
            "test", 10, 39, "has no length", "above its foot");
    refuses(CUP "sources: [{name: f, power: 1 W, position: [0, 0, 0.1], "
                "wick: {foot: [0, 0, 0], tip: [0, 0, 0.02]}}]\n",
            NULL, "test", 10, 43, "sits on its tip", "leave it out");
    refuses(CUP "sources: [{name: f, power: 1 W, shape: disc, radius: 1 cm, "
                "wick: {foot: [0, 0, 0], tip: [0, 0, 0.02]}}]\n",
            NULL, "test", 10, 40, "is no disc", "sphere");
    refuses(CUP "sources: [{name: f, power: 1 W, wick: {foot: [0, 0, 0], tip: [0, 0, 0.02], "
                "rise: 0.5, draught: [0, 0, -0.5]}}]\n",
            NULL, "test", 10, 39, "holds its flame down", "from another side");
}
