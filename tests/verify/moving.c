/* Walls that move by plan: what they do to the matter is known. */
#include "build.h"

#include "boundary/move.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A tank of liquid that moves as told. */
static setup tank_of(double dx, double viscosity, double width, double height, double level) {
    setup s = setup_make(dx);
    s.material.viscosity.value = viscosity;
    setup_add_box(&s, 0, 0, 0, width, width, level);
    tl_wall_def *wall = &s.walls[s.def.wall_count++];
    *wall = (tl_wall_def){.box = {{0, 0, 0}, {width, width, height}}, .has_box = true};
    return s;
}

/* Angular velocity about a vertical axis, and what is left when it is taken away. */
static double spin_of(tl_world *world, double center, double *rest) {
    const double *x = positions(world), *v = velocities(world);
    double moment = 0, inertia = 0, speed2 = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double X = x[3 * i] - center, Y = x[3 * i + 1] - center;
        moment += X * v[3 * i + 1] - Y * v[3 * i];
        inertia += X * X + Y * Y;
    }
    const double spin = moment / inertia;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double X = x[3 * i] - center, Y = x[3 * i + 1] - center;
        speed2 += pow(v[3 * i] + spin * Y, 2) + pow(v[3 * i + 1] - spin * X, 2);
    }
    *rest = sqrt(speed2 / inertia) / spin;
    return spin;
}

/* Every particle is in the tank, wherever that has gone. */
static void expect_inside(tl_world *world, const tl_param_list *motion, double width) {
    const tl_pose pose = tl_moves_at(motion, tl_world_time(world));
    const double *x = positions(world);
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const tl_vec3 own = tl_pose_back(&pose, tl_vec3_of(x + 3 * i));
        cr_assert(own.x > 0 && own.x < width && own.y > 0 && own.y < width && own.z > 0 &&
                      own.z < width,
                  "particle at (%g, %g, %g)", own.x, own.y, own.z);
    }
}

/* Liquid that fills a tank which spins turns with it as if it were rigid, and stays in it. */
Test(moving, a_full_tank_that_spins_takes_its_liquid_with_it) {
    const double dx = 0.05, width = 0.4, rate = 2;
    setup s = tank_of(dx, 200, width, width, width);
    setup_implicit(&s, 0.01);
    tl_move_def moves[] = {
        {.about = TL_SIDE_Z, .has_spin = true, .spin = rate, .center = {width / 2, width / 2, 0}}};
    s.walls[0].motion = (tl_param_list){moves, 1};
    tl_world *world = setup_world(&s, 2);
    run_to(world, 1);
    double rest;
    const double spin = spin_of(world, width / 2, &rest);
    cr_expect(fabs(spin / rate - 1) < 0.01, "spin %g of %g 1/s", spin, rate);
    cr_expect(rest < 0.03, "%g of the motion is not that of the tank", rest);
    expect_inside(world, &s.walls[0].motion, width);
    tl_world_destroy(world);
}

/* Work of the walls on water that is shaken about for some time, by both schemes: it is in the
 * books, and no particle is lost. */
static void expect_shaken(bool implicit, double limit) {
    const double dx = 0.05, width = 0.4;
    setup s = tank_of(dx, implicit ? 50 : 0.001, width, width, width / 2);
    s.def.gravity[2] = -9.81;
    if (implicit)
        setup_implicit(&s, 0.01);
    tl_move_def moves[] = {
        {.about = TL_SIDE_Y,
         .has_rock = true,
         .rock = pi / 4,
         .frequency = 0.7,
         .center = {width / 2, width / 2, width / 2}},
        {.along = TL_SIDE_X, .has_shake = true, .shake = 0.05, .frequency = 1.1}};
    s.walls[0].motion = (tl_param_list){moves, 2};
    tl_world *world = setup_world(&s, 2);
    double work = 0;
    for (int k = 1; k <= 10; k++) {
        run_to(world, 0.15 * k);
        work = fmax(work, fabs(books(world).wall_work));
    }
    const tl_ledger l = books(world);
    cr_expect(fabs(l.energy_error) < limit * work, "energy %g J of %g J", l.energy_error, work);
    expect_inside(world, &s.walls[0].motion, width);
    tl_world_destroy(world);
}

Test(moving, a_tank_that_is_shaken_keeps_every_particle_explicit) { expect_shaken(false, 0.1); }
Test(moving, a_tank_that_is_shaken_keeps_every_particle_coupled) { expect_shaken(true, 0.01); }

/* A plane that slides along itself drags the matter as a belt does. */
Test(moving, a_plane_that_slides_is_a_belt) {
    double mean[2];
    for (int planned = 0; planned < 2; planned++) {
        const double dx = 0.05;
        setup s = setup_make(dx);
        s.material.viscosity.value = 100;
        setup_add_box(&s, 0, 0, 0, 0.4, 0.4, 0.2);
        setup_implicit(&s, 0.01);
        s.def.gravity[2] = -9.81;
        tl_wall_def *floor = setup_add_plane(&s, TL_SIDE_Z, 0);
        tl_move_def moves[] = {{.along = TL_SIDE_X, .has_speed = true, .speed = 0.3}};
        if (planned)
            floor->motion = (tl_param_list){moves, 1};
        else
            floor->velocity[0] = 0.3;
        tl_world *world = setup_world(&s, 2);
        run_to(world, 0.3);
        mean[planned] = mean_of(world, 0);
        tl_world_destroy(world);
    }
    cr_expect(mean[0] > 0.2 + 0.05, "it moved to %g m", mean[0]);
    cr_expect(fabs(mean[1] - mean[0]) < 1e-3 * (mean[0] - 0.2), "%g and %g m", mean[0], mean[1]);
}

/* Two plates that come nearer squeeze what is between them: its volume stays, so the free sides go
 * out as fast as volume asks for, and the work of the plates is the viscous heat. */
Test(moving, plates_that_press_spend_their_work_in_the_matter) {
    const double dx = 0.05, side = 0.6, height = 0.4, speed = 0.1;
    setup s = setup_make(dx);
    s.material.viscosity.value = 1000;
    setup_add_box(&s, -side / 2, -side / 2, 0, side / 2, side / 2, height);
    setup_implicit(&s, 0.01);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = TL_CONTACT_FREE_SLIP;
    tl_wall_def *plate = setup_add_plane(&s, TL_SIDE_MINUS_Z, height);
    plate->contact = TL_CONTACT_FREE_SLIP;
    tl_move_def moves[] = {{.along = TL_SIDE_MINUS_Z, .has_speed = true, .speed = speed}};
    plate->motion = (tl_param_list){moves, 1};
    tl_world *world = setup_world(&s, 2);
    run_to(world, 1);
    /* Between slippery plates the rate of strain is even: heat 3 η V ∫ (speed / h)² dt. */
    const double volume = side * side * height;
    const double heat = 3 * 1000 * volume * speed * (1 / (height - speed) - 1 / height);
    const tl_ledger l = books(world);
    cr_expect(fabs(l.viscous_heat / heat - 1) < 0.03, "%g J of %g J", l.viscous_heat, heat);
    cr_expect(fabs(l.wall_work / heat - 1) < 0.05, "%g J of %g J", l.wall_work, heat);
    cr_expect(fabs(l.energy_error) < 1e-3 * heat, "%g J", l.energy_error);
    tl_world_destroy(world);
}
