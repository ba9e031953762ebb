/* Rigid bodies that lie on each other. */
#include "build.h"

#include "world/state.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
