/* Rigid bodies: they float and sink as liquids ask, keep momenta, rest, slide, bounce and tumble.
 */
#include "build.h"

#include "mesh/form.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double G = 9.81, pi = 3.14159265358979323846;

/* ---- Worlds from text -------------------------------------------------------------------------
 */

typedef struct play {
    tl_scene *scene;
    tl_world *world;
} play;

static play play_make(const char *text, int threads) {
    play p;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "rigid.yaml", NULL, &p.scene, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    const tl_world_options options = {.threads = threads};
    cr_assert_eq(tl_world_create(p.scene, &options, &p.world, &error), TL_OK, "%s", error.what);
    return p;
}

static void play_free(play *p) {
    tl_world_destroy(p->world);
    tl_scene_destroy(p->scene);
}

static const tl_rigid *body(const tl_world *w, size_t k) { return &w->rigids.items[k]; }

static double mechanical(const tl_world *w) {
    const tl_ledger l = books(w);
    return l.kinetic_energy + l.potential_energy + l.elastic_energy;
}

/* Of all matter, about the origin. */
static tl_vec3 angular_momentum(tl_world *w) {
    tl_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < tl_world_count(w); i++)
        if (!tl_rigid_of(w, i))
            sum = tl_vec3_mad(
                sum, (double)tl_mass(w)[i],
                tl_vec3_cross(tl_vec3_of(positions(w) + 3 * i), tl_vec3_of(velocities(w) + 3 * i)));
    for (size_t k = 0; k < w->rigids.count; k++) {
        const tl_rigid *r = body(w, k);
        sum = tl_vec3_mad(tl_vec3_add(sum, r->angular_momentum), r->mass,
                          tl_vec3_cross(r->pose.place, r->velocity));
    }
    return sum;
}

/* ---- Bodies alone -----------------------------------------------------------------------------
 */

#define BRICK "materials: {stone: {density: 2000, viscosity: 1}}\nspacing: 5 cm\nduration: 9\n"
#define FLOOR "walls: [{name: floor, plane: z, at: 0}]\n"

Test(rigid, bricks_on_each_other_rest) {
    play p = play_make(
        BRICK FLOOR
        "bodies:\n"
        "  - {material: stone, rigid: true, box: {from: [0, 0, 0], to: [0.3, 0.2, 0.2]}}\n"
        "  - {material: stone, rigid: true,"
        " box: {from: [0.05, 0, 0.2], to: [0.3, 0.2, 0.4]}}\n",
        1);
    double drift = 0, speed = 0;
    const tl_vec3 start[2] = {body(p.world, 0)->start, body(p.world, 1)->start};
    for (int k = 1; k <= 20; k++) {
        run_to(p.world, 0.1 * k);
        for (size_t b = 0; b < 2; b++) {
            const tl_rigid *r = body(p.world, b);
            drift = fmax(drift, tl_vec3_length(tl_vec3_sub(r->pose.place, start[b])));
            speed = fmax(speed, tl_vec3_length(r->velocity) + 0.3 * tl_vec3_length(r->spin));
        }
    }
    cr_log_info("drift %.2g spacings, speed %.2g m/s", drift / 0.05, speed);
    cr_expect_lt(drift, 0.02 * 0.05, "drift %g m", drift);
    cr_expect_lt(speed, 1e-3, "speed %g m/s", speed);
    play_free(&p);
}

/* How far (m) a brick of friction ½ comes in half a second; the slope is a turn of gravity. */
static double slide(double angle) {
    char text[600];
    snprintf(text, sizeof text,
             BRICK FLOOR "gravity: [%.9g, 0, %.9g]\n"
                         "bodies: [{material: stone, rigid: true, friction: 0.5,"
                         " box: {from: [0, 0, 0], to: [0.4, 0.3, 0.1]}}]\n",
             G * sin(angle), -G * cos(angle));
    play p = play_make(text, 1);
    run_to(p.world, 0.5);
    const double way = body(p.world, 0)->pose.place.x - body(p.world, 0)->start.x;
    const double energy = books(p.world).energy_error;
    cr_expect_lt(fabs(energy), 1e-3 * body(p.world, 0)->mass * G * 0.1, "%g J in no book", energy);
    play_free(&p);
    return way;
}

Test(rigid, a_brick_slides_down_a_slope_steeper_than_its_friction) {
    const double steep = 35 * pi / 180, gentle = 20 * pi / 180;
    const double exact = 0.125 * G * (sin(steep) - 0.5 * cos(steep));
    const double way = slide(steep), stay = slide(gentle);
    cr_log_info("slides %.4f m of %.4f m, stays to %.2g m", way, exact, stay);
    cr_expect_lt(fabs(way / exact - 1), 0.02, "%g m of %g m", way, exact);
    cr_expect_lt(fabs(stay), 1e-3 * 0.05, "%g m", stay);
}

Test(rigid, a_ball_that_keeps_its_speed_comes_back_to_its_height) {
    play p = play_make(BRICK FLOOR "bodies: [{material: stone, rigid: true, bounce: 1,"
                                   " sphere: {center: [0, 0, 1.2], radius: 0.2}}]\n",
                       1);
    const double start = body(p.world, 0)->start.z, fall = sqrt(2 * (start - 0.2) / G);
    double top = 0;
    run_to(p.world, fall * 1.5);
    for (int k = 0; k < 100; k++) {
        run_to(p.world, fall * (1.5 + 0.01 * k));
        top = fmax(top, body(p.world, 0)->pose.place.z);
    }
    cr_log_info("back to %.4f of its height", (top - 0.2) / (start - 0.2));
    cr_expect_lt(fabs((top - 0.2) / (start - 0.2) - 1), 0.05, "%g m of %g m", top, start);
    play_free(&p);
}

/* About its middle axis, where the motion is not stable, so that it turns over. */
Test(rigid, a_box_that_tumbles_keeps_its_angular_momentum_and_energy) {
    play p = play_make(BRICK "gravity: [0, 0, 0]\n"
                             "bodies: [{material: stone, rigid: true, spin: [0.2, 10, 0.1],"
                             " box: {from: [0, 0, 0], to: [0.2, 0.3, 0.5]}}]\n",
                       1);
    const tl_vec3 before = body(p.world, 0)->angular_momentum;
    const double energy = mechanical(p.world);
    double least = 1, error = 0;
    for (int k = 1; k <= 50; k++) {
        run_to(p.world, 0.1 * k);
        const tl_rigid *r = body(p.world, 0);
        const tl_vec3 axis = tl_turn_apply(r->pose.turn, (tl_vec3){0, 1, 0});
        least = fmin(least, axis.y);
        error = fmax(error, fabs(mechanical(p.world) / energy - 1));
    }
    const tl_vec3 lost = tl_vec3_sub(body(p.world, 0)->angular_momentum, before);
    cr_log_info("axis %.2f, angular momentum %.2g, energy %.2g", least,
                tl_vec3_length(lost) / tl_vec3_length(before), error);
    cr_expect_lt(tl_vec3_length(lost), 1e-9 * tl_vec3_length(before));
    cr_expect_lt(error, 1e-9, "energy %g", error);
    cr_expect_lt(least, -0.5, "it turns over: %g", least);
    play_free(&p);
}

/* ---- Mass and inertia -------------------------------------------------------------------------
 */

/* Worst difference of mass and inertia from those of a shape of this volume, with the moments of
 * inertia per mass about the axes. */
static double off_shape(const char *bodies, double volume, tl_vec3 centre, const double square[3]) {
    char text[1000];
    snprintf(text, sizeof text,
             BRICK "gravity: [0, 0, 0]\nbodies: [{material: stone, rigid: true, %s}]\n", bodies);
    play p = play_make(text, 1);
    const tl_rigid *r = body(p.world, 0);
    const double mass = 2000 * volume, size = fmax(fmax(square[0], square[1]), square[2]);
    double worst = fabs(r->mass / mass - 1), sum = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            worst = fmax(worst, fabs(r->inertia[a][b] / mass - (a == b ? square[a] : 0)) / size);
    worst = fmax(worst, tl_vec3_length(tl_vec3_sub(r->start, centre)) / sqrt(size));
    for (size_t i = 0; i < tl_world_count(p.world); i++)
        sum += (double)tl_mass(p.world)[i];
    cr_log_info("%zu particles: %+.1f %% as cubes, %.1e off: %s", tl_world_count(p.world),
                100 * ((double)tl_world_count(p.world) * pow(0.05, 3) / volume - 1), worst, bodies);
    cr_expect_lt(fabs(sum / r->mass - 1), 1e-6, "its particles have %g kg", sum);
    cr_expect_lt(fabs(books(p.world).mass / r->mass - 1), 1e-6);
    play_free(&p);
    return worst;
}

/* At spacings of 5 cm: a few particles each. */
Test(rigid, mass_and_inertia_are_those_of_the_shape) {
    const double ball[3] = {0.4 * 0.0225, 0.4 * 0.0225, 0.4 * 0.0225}, third = 0.17 * 0.17 / 12;
    const double box[3] = {third + 0.33 * 0.33 / 12, third + 0.23 * 0.23 / 12,
                           0.23 * 0.23 / 12 + 0.33 * 0.33 / 12};
    cr_expect_lt(off_shape("box: {from: [0, 0, 0], to: [0.23, 0.33, 0.17]}", 0.23 * 0.33 * 0.17,
                           (tl_vec3){0.115, 0.165, 0.085}, box),
                 1e-6);
    const char *const fills[] = {"cubic", "hexagonal", "jittered"};
    for (int k = 0; k < 3; k++) {
        char text[200];
        snprintf(text, sizeof text, "fill: %s, sphere: {center: [0.1, 0, 1], radius: 0.15}",
                 fills[k]);
        cr_expect_lt(off_shape(text, 4 * pi / 3 * 0.003375, (tl_vec3){0.1, 0, 1}, ball), 1e-3);
    }
    const double across = 0.0169 / 4 + 0.16 / 12;
    cr_expect_lt(off_shape("cylinder: {from: [0, 0, 0], to: [0.4, 0, 0], radius: 0.13}",
                           pi * 0.0169 * 0.4, (tl_vec3){0.2, 0, 0},
                           (const double[3]){0.0169 / 2, across, across}),
                 1e-3);
    const char *const ways[] = {"relaxed", "conforming", "cubic, particles: 150"};
    const double tube = 0.07 * 0.07, ring = 0.04, side = (4 * ring + 5 * tube) / 8;
    for (int k = 0; k < 3; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "fill: %s, torus: {axis: [0, 1, 0], radius: 0.2, tube_radius: 0.07}", ways[k]);
        cr_expect_lt(off_shape(text, 2 * pi * pi * 0.2 * tube, (tl_vec3){0, 0, 0},
                               (const double[3]){side, ring + 0.75 * tube, side}),
                     1e-3);
    }
}

/* Writes boxes from (low, 0, 0) to (high, 0.3, 0.2) as one mesh. */
static void write_boxes(const char *path, const double (*boxes)[2], int count) {
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    FILE *file = fopen(path, "w");
    cr_assert(file);
    for (int b = 0; b < count; b++)
        for (int k = 0; k < 8; k++)
            fprintf(file, "v %g %g %g\n", boxes[b][k & 1], k & 2 ? 0.3 : 0.0, k & 4 ? 0.2 : 0.0);
    for (int b = 0; b < count; b++)
        for (int f = 0; f < 6; f++)
            fprintf(file, "f %d %d %d %d\n", 8 * b + faces[f][0] + 1, 8 * b + faces[f][1] + 1,
                    8 * b + faces[f][2] + 1, 8 * b + faces[f][3] + 1);
    fclose(file);
}

/* Boxes in one mesh: side by side, and partly in each other, which counts once. Faces along the
 * lattice that counts are its worst case. */
Test(rigid, mass_and_inertia_of_a_mesh_are_those_of_its_inside) {
    char path[] = P_tmpdir "/tallow_rigid_XXXXXX.obj", text[200];
    const int file = mkstemps(path, 4);
    cr_assert_geq(file, 0);
    close(file);
    snprintf(text, sizeof text, "mesh: {file: %s}", path);
    const double y2 = 0.09 / 12, z2 = 0.04 / 12;
    write_boxes(path, (const double[2][2]){{0, 0.2}, {0.3, 0.5}}, 2);
    const double gap = (0.5 * 0.5 * 0.5 - 0.1 * 0.1 * 0.1) / (12 * 0.4);
    cr_expect_lt(off_shape(text, 0.4 * 0.06, (tl_vec3){0.25, 0.15, 0.1},
                           (const double[3]){y2 + z2, gap + z2, gap + y2}),
                 1e-6);
    write_boxes(path, (const double[2][2]){{0, 0.3}, {0.2, 0.5}}, 2);
    cr_expect_lt(off_shape(text, 0.5 * 0.06, (tl_vec3){0.25, 0.15, 0.1},
                           (const double[3]){y2 + z2, 0.25 / 12 + z2, 0.25 / 12 + y2}),
                 0.01);
    write_boxes(path, (const double[3][2]){{0, 0.3}, {0.11, 0.5}, {0.2, 0.4}}, 3);
    cr_expect_lt(off_shape(text, 0.5 * 0.06, (tl_vec3){0.25, 0.15, 0.1},
                           (const double[3]){y2 + z2, 0.25 / 12 + z2, 0.25 / 12 + y2}),
                 0.01);
    unlink(path);
}

/* Balls of 3 and 2 spacings, head on: what they keep tells their masses. */
Test(rigid, balls_that_bounce_share_speeds_by_their_masses) {
    play p = play_make(BRICK "gravity: [0, 0, 0]\n"
                             "bodies:\n"
                             "  - {material: stone, rigid: true, bounce: 1, velocity: [0, 0, 1],"
                             " sphere: {center: [0, 0, -0.2], radius: 0.15}}\n"
                             "  - {material: stone, rigid: true, bounce: 1,"
                             " sphere: {center: [0, 0, 0.2], radius: 0.1}}\n",
                       1);
    run_to(p.world, 0.5);
    const double m = 27, n = 8;
    const double first = body(p.world, 0)->velocity.z, second = body(p.world, 1)->velocity.z;
    cr_log_info("%.6f m/s of %.6f, %.6f m/s of %.6f", first, (m - n) / (m + n), second,
                2 * m / (m + n));
    cr_expect_lt(fabs(first - (m - n) / (m + n)), 1e-3);
    cr_expect_lt(fabs(second - 2 * m / (m + n)), 1e-3);
    play_free(&p);
}

/* A ball hits the end of a beam without friction: speed and spin after tell mass and inertia. */
Test(rigid, a_beam_that_is_hit_at_its_end_turns_by_its_inertia) {
    play p = play_make(BRICK "gravity: [0, 0, 0]\n"
                             "bodies:\n"
                             "  - {material: stone, rigid: true, bounce: 1, velocity: [0, 0, 1],"
                             " sphere: {center: [0, 0.3, -0.2], radius: 0.15}}\n"
                             "  - {material: stone, rigid: true, bounce: 1, friction: 0,"
                             " box: {from: [-0.06, -0.41, 0], to: [0.06, 0.41, 0.07]}}\n",
                       1);
    run_to(p.world, 0.1);
    const double m = 2000 * 4 * pi / 3 * 0.003375, n = 2000 * 0.12 * 0.82 * 0.07;
    const double inertia = n * (0.82 * 0.82 + 0.07 * 0.07) / 12;
    const double push = 2 / (1 / m + 1 / n + 0.09 / inertia);
    const double speed = body(p.world, 1)->velocity.z / (push / n);
    const double spin = body(p.world, 1)->spin.x / (0.3 * push / inertia);
    cr_log_info("speed %+.1e, spin %+.1e off", speed - 1, spin - 1);
    cr_expect_lt(fabs(speed - 1), 1e-3, "%g of its speed", speed);
    cr_expect_lt(fabs(spin - 1), 1e-3, "%g of its spin", spin);
    play_free(&p);
}

/* ---- Collisions in empty space ----------------------------------------------------------------
 */

typedef struct clash {
    double momentum, spin; /* what is lost, of what is exchanged */
    double exchanged;      /* kg m/s */
    double growth, error;  /* of the energy, between looks and in no book */
} clash;

static clash collide_in(const char *text, double time) {
    play p = play_make(text, 1);
    clash c = {0};
    const tl_ledger start = books(p.world);
    const tl_vec3 turned = angular_momentum(p.world), first = body(p.world, 0)->velocity;
    const double whole = mechanical(p.world);
    double last = whole;
    for (int k = 1; k <= 20; k++) {
        run_to(p.world, time * k / 20);
        const double now = mechanical(p.world);
        c.growth = fmax(c.growth, (now - last) / whole);
        last = now;
    }
    const tl_ledger end = books(p.world);
    const tl_rigid *r = body(p.world, 0);
    c.exchanged = r->mass * tl_vec3_length(tl_vec3_sub(r->velocity, first));
    c.momentum =
        hypot(hypot(end.momentum[0] - start.momentum[0], end.momentum[1] - start.momentum[1]),
              end.momentum[2] - start.momentum[2]) /
        c.exchanged;
    c.spin = tl_vec3_length(tl_vec3_sub(angular_momentum(p.world), turned)) / c.exchanged;
    c.error = fabs(end.energy_error) / whole;
    cr_log_info("exchanged %.3g, momentum %.2g, angular %.2g m, growth %.2g, unexplained %.2g",
                c.exchanged, c.momentum, c.spin, c.growth, c.error);
    cr_assert_gt(c.exchanged, 0.2 * r->mass * tl_vec3_length(first));
    play_free(&p);
    return c;
}

Test(rigid, two_bodies_that_collide_keep_momentum) {
    const clash c =
        collide_in(BRICK "gravity: [0, 0, 0]\n"
                         "bodies:\n"
                         "  - {material: stone, rigid: true, bounce: 0.5, velocity: [2, 0, 0],"
                         " sphere: {center: [-0.3, 0, 0], radius: 0.15}}\n"
                         "  - {material: stone, rigid: true,"
                         " box: {from: [0, -0.1, -0.3], to: [0.2, 0.1, 0.1]}}\n",
                   0.4);
    cr_expect_lt(c.momentum, 1e-9, "momentum %g", c.momentum);
    cr_expect_lt(c.spin, 1e-9, "angular momentum %g m", c.spin);
    cr_expect_lt(c.growth, 1e-9, "energy grows by %g", c.growth);
    cr_expect_lt(c.error, 1e-3, "energy %g", c.error);
}

#define BLOB                                                                                       \
    "gravity: [0, 0, 0]\nspacing: 5 cm\nduration: 9\n"                                             \
    "bodies:\n"                                                                                    \
    "  - {material: stone, rigid: true, velocity: [2, 0, 0],"                                      \
    " sphere: {center: [-0.25, 0, 0], radius: 0.15}}\n"                                            \
    "  - {material: soft, box: {from: [0, -0.2, -0.25], to: [0.4, 0.2, 0.15]}}\n"

Test(rigid, a_ball_that_hits_a_viscous_blob_keeps_momentum) {
    const clash c = collide_in(BLOB "flow: {scheme: coupled, max_step: 5 ms, tolerance: 1e-4}\n"
                                    "materials:\n"
                                    "  stone: {density: 2000, viscosity: 1}\n"
                                    "  soft: {density: 1000, viscosity: 200}\n",
                               0.3);
    cr_expect_lt(c.momentum, 1e-6, "momentum %g", c.momentum);
    cr_expect_lt(c.growth, 1e-9, "energy grows by %g", c.growth);
    cr_expect_lt(c.error, 0.01, "energy %g", c.error);
}

Test(rigid, a_ball_that_hits_water_keeps_momentum) {
    const clash c = collide_in(BLOB "flow: {scheme: explicit}\n"
                                    "materials:\n"
                                    "  stone: {density: 2000, viscosity: 0.001}\n"
                                    "  soft: {density: 1000, viscosity: 0.001}\n",
                               0.3);
    cr_expect_lt(c.momentum, 1e-6, "momentum %g", c.momentum);
    cr_expect_lt(c.growth, 0.01, "energy grows by %g", c.growth);
    cr_expect_lt(c.error, 0.05, "energy %g", c.error);
}

/* ---- Energy -----------------------------------------------------------------------------------
 */

/* A ball that rolls over stiff matter that yields, on a floor, and takes some of it along. */
Test(rigid, a_ball_that_rolls_through_stiff_matter_gains_no_energy) {
    play p =
        play_make("spacing: 2 cm\nduration: 9\nwalls: [{name: floor, plane: z, at: 0}]\n"
                  "flow: {scheme: coupled}\n"
                  "materials:\n"
                  "  stone: {density: 2500, viscosity: 1}\n"
                  "  soft:\n"
                  "    density: 1000\n"
                  "    rheology: {model: bingham, yield_stress: 1 kPa, plastic_viscosity: 20 Pa·s,"
                  " plateau_viscosity: 20 kPa·s}\n"
                  "bodies:\n"
                  "  - {material: soft, box: {from: [0, -14 cm, 0], to: [40 cm, 14 cm, 4 cm]}}\n"
                  "  - {material: stone, rigid: true, velocity: [3, 0, 0], spin: [0, 60, 0],"
                  " sphere: {center: [-10 cm, 0, 8 cm], radius: 8 cm}}\n",
                  1);
    const double whole = mechanical(p.world);
    double last = whole, growth = 0, heat = 0, fall = 0;
    for (int k = 1; k <= 40; k++) {
        run_to(p.world, 0.005 * k);
        const double now = mechanical(p.world), numerical = books(p.world).numerical_heat;
        growth = fmax(growth, now - last);
        fall = fmax(fall, heat - numerical);
        last = now;
        heat = numerical;
    }
    const tl_ledger end = books(p.world);
    cr_log_info("energy %.3g of %.3g J, grows by %.2g; numerical heat %.3g falls by %.2g; "
                "unexplained %.2g J",
                last, whole, growth, heat, fall, end.energy_error);
    cr_expect_lt(last, 0.7 * whole, "it is slowed down");
    cr_expect_leq(growth, 1e-9 * whole, "energy grows by %g J", growth);
    cr_expect_lt(fall, 1e-3 * whole, "numerical heat falls by %g J", fall);
    cr_expect_lt(fabs(end.energy_error), 1e-3 * whole, "%g J in no book", end.energy_error);
    play_free(&p);
}

/* ---- A ball in a vessel -----------------------------------------------------------------------
 */

/* A ball in a liquid that leaves it room, in a concentric vessel. */
typedef struct pool {
    double spacing, radius, density; /* of the ball */
    double vessel;                   /* m: its radius */
    double viscosity, liquid;        /* of the liquid; its density */
} pool;

typedef struct tank {
    setup s;
    tl_material materials[2];
    tl_mesh mesh;
    tl_rigid_def rigid;
    tl_world *world;
} tank;

static tl_form_def ball_form(double radius) {
    return (tl_form_def){.has_capsule = true, .scale = 1, .capsule = {.radius = radius}};
}

/* Particles of the liquid and, within it, of the ball. */
static void tank_fill(setup *s, const pool *p) {
    setup_add_box(s, -p->vessel, -p->vessel, -p->vessel, p->vessel, p->vessel, p->vessel);
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = s->seeds[i].position, r = hypot(hypot(x[0], x[1]), x[2]);
        if (r > p->vessel)
            continue;
        s->seeds[i].material = s->seeds[i].body = r < p->radius;
        s->seeds[kept++] = s->seeds[i];
    }
    s->count = kept;
}

static void tank_wall(setup *s, const pool *p) {
    tl_wall_def *wall = &s->walls[s->def.wall_count++];
    tl_error error = {0};
    *wall = (tl_wall_def){.form = ball_form(p->vessel), .hollow = true};
    cr_assert_eq(tl_form_make(&wall->form, p->spacing, &wall->mesh, &error), TL_OK);
    for (size_t k = 0; k < wall->mesh.triangle_count; k++) {
        uint32_t *v = wall->mesh.triangles[k], first = v[0];
        v[0] = v[1];
        v[1] = first;
    }
    cr_assert_eq(tl_solid_make(&wall->mesh, &wall->solid, &error), TL_OK);
}

/* A vessel with a ball that takes the place of the liquid that was there. */
static void tank_make(tank *t, const pool *p) {
    *t = (tank){.s = setup_make(p->spacing)};
    setup *s = &t->s;
    s->def.gravity[2] = -G;
    setup_implicit(s, 0.01);
    tank_fill(s, p);
    tank_wall(s, p);
    t->materials[0] = s->material;
    t->materials[0].viscosity.value = p->viscosity;
    t->materials[1] = t->materials[0];
    t->materials[0].density = p->liquid;
    t->materials[1].density = p->density;
    tl_error error = {0};
    const tl_form_def form = ball_form(p->radius);
    cr_assert_eq(tl_form_make(&form, p->spacing, &t->mesh, &error), TL_OK, "%s", error.what);
    tl_solid *solid;
    cr_assert_eq(tl_solid_make(&t->mesh, &solid, &error), TL_OK, "%s", error.what);
    const double volume = 4 * pi / 3 * pow(p->radius, 3);
    const double inertia = 0.4 * volume * p->radius * p->radius;
    t->rigid = (tl_rigid_def){
        .body = 1,
        .mesh = &t->mesh,
        .solid = solid,
        .moments = {volume, {0, 0, 0}, {{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}}};
    s->def.materials = t->materials;
    s->def.material_count = 2;
    s->def.walls = s->walls;
    s->def.rigids = &t->rigid;
    s->def.rigid_count = 1;
    s->def.seeds = s->seeds;
    s->def.seed_count = s->count;
    const tl_world_options options = {.threads = 1};
    cr_assert_eq(tl_world_make(&s->def, &options, &t->world, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    TL_ARRAYS_FREE(s->seeds);
}

static void tank_free(tank *t) {
    tl_world_destroy(t->world);
    tl_solid_free((tl_solid *)(uintptr_t)t->rigid.solid);
    tl_mesh_free(&t->mesh);
    tl_solid_free(t->s.walls[0].solid);
    tl_mesh_free(&t->s.walls[0].mesh);
}

/* Its particles have a quarter less volume than those of the water, which is no density. */
Test(rigid, water_at_rest_beside_a_body_stays_at_rest) {
    play p = play_make(
        "spacing: 5 cm\nduration: 9\ngravity: [0, 0, 0]\nflow: {scheme: explicit}\n"
        "materials: {water: {density: 1000, viscosity: 0.001}}\n"
        "bodies:\n"
        "  - {material: water, rigid: true, box: {from: [0, 0, 0], to: [0.18, 0.18, 0.18]}}\n"
        "  - {material: water, box: {from: [0.2, 0, 0], to: [0.5, 0.2, 0.2]}}\n",
        1);
    tl_error error = {0};
    cr_assert_lt(body(p.world, 0)->part, 0.75);
    for (int k = 0; k < 50; k++)
        cr_assert_eq(tl_world_step(p.world, NULL, &error), TL_OK, "%s", error.what);
    cr_log_info("%.2g m/s, compressed by %.2g", books(p.world).max_speed,
                books(p.world).density_error);
    cr_expect_lt(books(p.world).max_speed, 1e-6);
    play_free(&p);
}

/* The drag in a concentric vessel, of that without walls: exact for slow flow (Cunningham 1910,
 * Williams 1915; Happel & Brenner 1965, eq. 4-22.11). */
static double vessel_factor(double ratio) {
    const double c = pow(ratio, 3), e = pow(ratio, 5);
    return (1 - e) / (1 - 2.25 * ratio + 2.5 * c - 2.25 * e + pow(ratio, 6));
}

/* The speed of a ball in a vessel three times as wide, of the exact one. The liquid weighs nothing,
 * so that drag alone carries the ball. */
static double sinks(int spacings) {
    const double radius = 0.15, viscosity = 1000;
    tank t;
    tank_make(&t, &(pool){.spacing = radius / spacings,
                          .radius = radius,
                          .density = 2000,
                          .vessel = 3 * radius,
                          .viscosity = viscosity,
                          .liquid = 1});
    run_to(t.world, 0.08);
    const double from = body(t.world, 0)->pose.place.z;
    run_to(t.world, 0.1);
    const double speed = (from - body(t.world, 0)->pose.place.z) / 0.02;
    const double weight = body(t.world, 0)->mass * G;
    const double exact = weight / (6 * pi * viscosity * radius * vessel_factor(1.0 / 3));
    cr_log_info("R = %d spacings: %+.1f %%", spacings, 100 * (speed / exact - 1));
    tank_free(&t);
    return speed / exact;
}

Test(rigid, a_ball_sinks_with_the_speed_of_stokes) {
    const double coarse = fabs(sinks(2) - 1), middle = fabs(sinks(3) - 1),
                 fine = fabs(sinks(4) - 1);
    cr_expect_lt(coarse, 0.12, "%g", coarse);
    cr_expect_lt(middle, 0.12, "%g", middle);
    cr_expect_lt(fine, 0.1, "%g", fine);
}

/* ---- The same bits ----------------------------------------------------------------------------
 */

static void expect_equal(tl_world *a, tl_world *b) {
    const size_t bytes = 3 * tl_world_count(a) * sizeof(double);
    cr_assert_eq(tl_world_count(a), tl_world_count(b));
    cr_expect_eq(memcmp(positions(a), positions(b), bytes), 0, "places differ");
    cr_expect_eq(memcmp(velocities(a), velocities(b), bytes), 0, "velocities differ");
    cr_expect_eq(memcmp(tl_temperature(a), tl_temperature(b), tl_world_count(a) * sizeof(float)), 0,
                 "temperatures differ");
}

static void expect_bits(const char *text) {
    play one = play_make(text, 1), three = play_make(text, 3), again = {0};
    tl_world_make_adverse(three.world);
    char path[] = P_tmpdir "/tallow_rigid_XXXXXX";
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    tl_error error = {0};
    /* Ends of steps are those of the world's own choosing, so that the three take the same ones. */
    for (int k = 0; k < 20; k++) {
        if (k == 10)
            cr_assert_eq(tl_world_save(one.world, path, &error), TL_OK, "%s", error.what);
        cr_assert_eq(tl_world_step(one.world, NULL, &error), TL_OK, "%s", error.what);
        cr_assert_eq(tl_world_step(three.world, NULL, &error), TL_OK, "%s", error.what);
    }
    cr_assert_eq(tl_world_load(one.scene, NULL, path, &again.world, &error), TL_OK, "%s",
                 error.what);
    for (int k = 10; k < 20; k++)
        cr_assert_eq(tl_world_step(again.world, NULL, &error), TL_OK, "%s", error.what);
    expect_equal(one.world, three.world);
    expect_equal(one.world, again.world);
    tl_world_destroy(again.world);
    play_free(&one);
    play_free(&three);
    unlink(path);
}

Test(rigid, threads_and_snapshots_give_the_same_bits) {
    expect_bits(BLOB "walls: [{name: floor, plane: z, at: -25 cm}]\n"
                     "flow: {scheme: coupled, max_step: 5 ms}\n"
                     "materials:\n"
                     "  stone: {density: 2000, viscosity: 1}\n"
                     "  soft: {density: 1000, viscosity: 200}\n");
    expect_bits(BLOB "flow: {scheme: explicit}\n"
                     "materials:\n"
                     "  stone: {density: 2000, viscosity: 0.001}\n"
                     "  soft: {density: 1000, viscosity: 0.001}\n");
    expect_bits("spacing: 5 cm\nduration: 9\nheat: {}\n" FLOOR
                "materials: {stone: {density: 2000, specific_heat: 1000, conductivity: 200}}\n"
                "flow: {scheme: coupled, max_step: 5 ms}\n"
                "bodies:\n"
                "  - {material: stone, rigid: true, box: {from: [0, 0, 0], to: [0.6, 0.6, 0.2]}}\n"
                "  - {material: stone, rigid: true, temperature: 90, spin: [0, 0, 1],"
                " box: {from: [0.13, 0.1, 0.2], to: [0.43, 0.4, 0.5]}}\n");
}
