/* A glass that is spun, tilted and shaken for seconds keeps every particle: nothing passes through
 * its mesh, however it moves. */
#include "build.h"

#include "boundary/move.h"
#include "mesh/form.h"
#include "mesh/solid.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

enum { MOVES = 3 };

static const double foot = 0.08, rim = 0.16, tall = 0.4, level = 0.24;

/* A cone that opens upwards, with a lid, and what is in it. */
static setup fill_glass(double dx) {
    setup s = setup_make(dx);
    s.def.gravity[2] = -9.81;
    for (double z = 0; z < level - dx / 2; z += dx)
        for (double y = -10 * dx; y < 10 * dx; y += dx)
            for (double x = -10 * dx; x < 10 * dx; x += dx)
                if (hypot(x + dx / 2, y + dx / 2) < foot + (rim - foot) * z / tall - 0.5 * dx)
                    setup_add_box(&s, x, y, z, x + dx, y + dx, z + dx);
    const tl_form_def form = {
        .has_cone = true, .scale = 1, .cone = {{0, 0, 0}, {0, 0, tall}, foot, rim}};
    tl_wall_def *glass = &s.walls[s.def.wall_count++];
    tl_error error = {0};
    cr_assert_eq(tl_form_make(&form, dx, &glass->mesh, &error), TL_OK, "%s", error.what);
    glass->hollow = true;
    for (size_t t = 0; t < glass->mesh.triangle_count; t++) {
        const uint32_t swapped = glass->mesh.triangles[t][1];
        glass->mesh.triangles[t][1] = glass->mesh.triangles[t][2];
        glass->mesh.triangles[t][2] = swapped;
    }
    cr_assert_eq(tl_solid_make(&glass->mesh, &glass->solid, &error), TL_OK, "%s", error.what);
    return s;
}

/* Distance (m) into the glass from its nearest side, of a particle in the frame of the glass. */
static double depth(tl_vec3 x) {
    const double lean = atan2(rim - foot, tall);
    const double side = (foot + (rim - foot) * x.z / tall - hypot(x.x, x.y)) * cos(lean);
    return fmin(side, fmin(x.z, tall - x.z));
}

static void expect_kept(setup *s, double seconds) {
    tl_move_def moves[MOVES] = {
        {.about = TL_SIDE_Z, .has_spin = true, .spin = 9},
        {.about = TL_SIDE_X,
         .has_rock = true,
         .rock = 1,
         .frequency = 0.8,
         .center = {0, 0, tall / 2}},
        {.along = TL_SIDE_X, .has_shake = true, .shake = 0.06, .frequency = 1.9}};
    s->walls[0].motion = (tl_param_list){moves, MOVES};
    tl_world *world = setup_world(s, 1);
    const size_t count = tl_world_count(world);
    double nearest = HUGE_VAL;
    for (int k = 1; k <= 30; k++) {
        run_to(world, seconds * k / 30);
        const tl_pose pose = tl_moves_at(&s->walls[0].motion, seconds * k / 30);
        cr_assert_eq(tl_world_count(world), count);
        for (size_t i = 0; i < count; i++) {
            const tl_vec3 own = tl_pose_back(&pose, tl_vec3_of(positions(world) + 3 * i));
            nearest = fmin(nearest, depth(own));
            cr_assert(depth(own) > 0, "it left at (%g, %g, %g) after %g s", own.x, own.y, own.z,
                      seconds * k / 30);
        }
    }
    cr_log_info("%zu particles, %g spacings from the glass at least", count,
                nearest / s->def.spacing);
    tl_world_destroy(world);
    tl_solid_free(s->walls[0].solid);
    tl_mesh_free(&s->walls[0].mesh);
}

Test(glass, of_water_that_is_spun_tilted_and_shaken_keeps_all) {
    setup s = fill_glass(0.02);
    expect_kept(&s, 3);
}

Test(glass, of_syrup_that_is_spun_tilted_and_shaken_keeps_all) {
    setup s = fill_glass(0.02);
    setup_implicit(&s, 0.01);
    s.material.viscosity.value = 20;
    expect_kept(&s, 3);
}

/* A minute, coarsely. */
Test(glass, of_water_keeps_all_for_a_minute) {
    setup s = fill_glass(0.034);
    expect_kept(&s, 60);
}

Test(glass, of_syrup_keeps_all_for_a_minute) {
    setup s = fill_glass(0.034);
    setup_implicit(&s, 0.02);
    s.material.viscosity.value = 20;
    expect_kept(&s, 60);
}

/* Friction holds nothing back. */
Test(glass, that_is_slippery_keeps_all) {
    setup s = fill_glass(0.02);
    s.walls[0].contact = TL_CONTACT_FREE_SLIP;
    expect_kept(&s, 3);
}
