/* Rigid bodies that lie on each other, and that roll. */
#include "build.h"

#include "world/state.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81, pi = 3.14159265358979323846;

typedef struct play {
    tl_scene *scene;
    tl_world *world;
} play;

static play play_make(const char *text) {
    play p;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "contacts.yaml", NULL, &p.scene, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    const tl_world_options options = {.threads = 1};
    cr_assert_eq(tl_world_create(p.scene, &options, &p.world, &error), TL_OK, "%s", error.what);
    return p;
}

static void play_free(play *p) {
    tl_world_destroy(p->world);
    tl_scene_destroy(p->scene);
}

static const tl_rigid *body(const tl_world *w, size_t k) { return &w->rigids.items[k]; }

/* ---- Stacks ------------------------------------------------------------------------------------
 */

#define STACK                                                                                      \
    "spacing: 5 cm\nduration: 9\nwalls: [{name: floor, plane: z, at: 0}]\nflow: {scheme: %s}\n"    \
    "materials:\n"                                                                                 \
    "  light: {density: 1000, viscosity: 1}\n"                                                     \
    "  heavy: {density: %g, viscosity: 1}\n"                                                       \
    "bodies:\n"

/* The farthest that any of `count` bodies comes from its place in a time, in spacings. */
static double drift_of(const char *bodies, const char *scheme, double ratio, size_t count,
                       double time) {
    char text[2000];
    int used = snprintf(text, sizeof text, STACK, scheme, 1000 * ratio);
    snprintf(text + used, sizeof text - (size_t)used, "%s", bodies);
    play p = play_make(text);
    double drift = 0;
    for (int k = 1; k <= 25; k++) {
        run_to(p.world, time * k / 25);
        for (size_t b = 0; b < count; b++) {
            const tl_rigid *r = body(p.world, b);
            drift = fmax(drift, tl_vec3_length(tl_vec3_sub(r->pose.place, r->start)));
        }
    }
    cr_log_info("%s, %g times as heavy: drift %.2g spacings", scheme, ratio, drift / 0.05);
    play_free(&p);
    return drift / 0.05;
}

static const char two[] =
    "  - {material: light, rigid: true, box: {from: [0, 0, 0], to: [0.3, 0.2, 0.2]}}\n"
    "  - {material: heavy, rigid: true, box: {from: [0.02, 0, 0.2], to: [0.3, 0.2, 0.4]}}\n";

/* Coulomb's friction holds the light box, too, which would be pressed out between the others. */
Test(contacts, a_heavy_box_stands_on_a_light_one) {
    cr_expect_lt(drift_of(two, "coupled", 10, 2, 5), 1e-3);
    cr_expect_lt(drift_of(two, "coupled", 100, 2, 5), 1e-3);
    cr_expect_lt(drift_of(two, "coupled", 1000, 2, 5), 1e-3);
    cr_expect_lt(drift_of(two, "explicit", 100, 2, 1), 1e-3);
}

static const char tower[] =
    "  - {material: light, rigid: true, box: {from: [0, 0, 0], to: [0.2, 0.2, 0.2]}}\n"
    "  - {material: heavy, rigid: true, box: {from: [0, 0, 0.2], to: [0.2, 0.2, 0.4]}}\n"
    "  - {material: light, rigid: true, box: {from: [0.02, 0, 0.4], to: [0.2, 0.2, 0.5]}}\n"
    "  - {material: light, rigid: true, box: {from: [0, 0.01, 0.5], to: [0.2, 0.2, 0.6]}}\n"
    "  - {material: heavy, rigid: true, box: {from: [0, 0, 0.6], to: [0.2, 0.2, 0.8]}}\n";

Test(contacts, a_tower_of_light_and_heavy_boxes_stands) {
    cr_expect_lt(drift_of(tower, "coupled", 100, 5, 5), 1e-3);
}

/* ---- Rolling -----------------------------------------------------------------------------------
 */

#define LAID                                                                                       \
    "materials: {stone: {density: 2000, viscosity: 1}}\nspacing: %g\nduration: 9\n"                \
    "walls: [{name: floor, plane: z, at: 0}]\ngravity: [%.9g, 0, %.9g]\nflow: {scheme: %s}\n"      \
    "bodies:\n"                                                                                    \
    "  - {material: stone, rigid: true, friction: 1, %s}\n"                                        \
    "%s"

/* The speed after a second on a slope of 15°, over that of what rolls without slip: g t sin θ /
 * (1 + I / m r²). */
static double rolls(const char *shape, const char *rest, double radius, double spacing,
                    const char *scheme) {
    char text[1000];
    const double angle = 15 * pi / 180, pull = G * sin(angle);
    snprintf(text, sizeof text, LAID, spacing, pull, -G * cos(angle), scheme, shape, rest);
    play p = play_make(text);
    run_to(p.world, 1);
    const tl_rigid *r = body(p.world, 0);
    const double exact = pull / (1 + r->inertia[1][1] / (r->mass * radius * radius));
    const double ratio = r->velocity.x / exact, slip = 1 - r->spin.y * radius / r->velocity.x;
    cr_log_info("%s, %s, spacing %g: %.1e off, slips by %.1e", shape, scheme, spacing, ratio - 1,
                slip);
    cr_expect_lt(fabs(slip), 1e-3, "slips by %g", slip);
    play_free(&p);
    return fabs(ratio - 1);
}

Test(contacts, what_is_round_rolls_down_a_slope_as_it_should) {
    const char *ball = "sphere: {center: [0, 0, 0.1], radius: 0.1}";
    const char *roll = "cylinder: {from: [0, -0.1, 0.1], to: [0, 0.1, 0.1], radius: 0.1}";
    cr_expect_lt(rolls(ball, "", 0.1, 0.05, "coupled"), 1e-3);
    cr_expect_lt(rolls(ball, "", 0.1, 0.025, "coupled"), 1e-3);
    cr_expect_lt(rolls(ball, "", 0.1, 0.05, "explicit"), 1e-3);
    cr_expect_lt(rolls(roll, "", 0.1, 0.05, "coupled"), 1e-3);
    cr_expect_lt(rolls(roll, "", 0.1, 0.025, "coupled"), 1e-3);
    cr_expect_lt(rolls("rotate: [0, 0, 90°], height: 20 cm, foot: [0, 0, 0],"
                       " capsule: {from: [0, 0, 0], to: [2, 0, 0], radius: 1}",
                       "", 0.1, 0.05, "coupled"),
                 1e-3);
    cr_expect_lt(rolls("torus: {center: [0, 0, 0.12], axis: [0, 1, 0], radius: 0.08, tube_radius:"
                       " 0.04}",
                       "", 0.12, 0.03, "coupled"),
                 1e-3);
}

/* A board of friction 1 lies still on such a slope. */
Test(contacts, a_ball_rolls_down_a_rigid_board) {
    const char *ball = "sphere: {center: [0, 0, 0.2], radius: 0.1}";
    const char *board = "  - {material: stone, rigid: true, friction: 1,"
                        " box: {from: [-0.2, -0.2, 0], to: [2, 0.2, 0.1]}}\n";
    cr_expect_lt(rolls(ball, board, 0.1, 0.05, "coupled"), 0.01);
}
