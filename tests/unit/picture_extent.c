/* The camera that stands by itself holds the whole action: what is in view is projected into the
 * picture, and has a margin to its rims. */
#include "run/picture.h"

#include <criterion/criterion.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 360 };

#define TANK   "  - {box: {from: [0, 0, 0], to: [2, 1, 1]}, open: z}\n"
#define FLOOR  "  - {plane: z, at: 0}\n"
#define HEATED "materials: {m: {density: 1000, viscosity: 10, specific_heat: 1, conductivity: 1}}\n"

static tl_scene *load(const char *text) {
    tl_scene *scene;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    return scene;
}

/* The camera of a scene, whose matter may be known. */
static tl_camera camera_of(const tl_scene *scene, const tl_extent *seen) {
    tl_picture_options options = tl_picture_options_of(scene);
    tl_picture *picture;
    tl_error error = {0};
    options.width = WIDTH, options.height = HEIGHT;
    if (seen)
        options.seen = *seen, options.has_seen = true;
    cr_assert_eq(tl_picture_create(scene, &options, &picture, &error), TL_OK, "%s", error.what);
    const tl_camera camera = tl_picture_camera(picture, 0);
    tl_picture_destroy(picture);
    return camera;
}

/* Where a point is in the picture: -1 .. 1 from left to right and from the bottom to the top. */
static void project(const tl_camera *c, tl_vec3 p, double *x, double *y) {
    const tl_vec3 f = tl_vec3_unit(tl_vec3_sub(c->look_at, c->from));
    const tl_vec3 right = tl_vec3_unit(tl_vec3_cross(f, c->up)), up = tl_vec3_cross(right, f);
    const tl_vec3 d = tl_vec3_sub(p, c->from);
    const double depth = tl_vec3_dot(d, f) * tan(0.5 * c->field_of_view);
    cr_assert_gt(depth, 0);
    *x = tl_vec3_dot(d, right) / depth * HEIGHT / WIDTH;
    *y = tl_vec3_dot(d, up) / depth;
}

/* The part of the picture's height that a box takes; all of it is to be within the margins. */
static double height_of(const tl_camera *camera, tl_vec3 from, tl_vec3 to) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int c = 0; c < 8; c++) {
        double x, y;
        project(camera,
                (tl_vec3){c & 1 ? to.x : from.x, c & 2 ? to.y : from.y, c & 4 ? to.z : from.z}, &x,
                &y);
        cr_expect(fabs(x) < 0.9 && fabs(y) < 0.9, "corner %d at %.2f, %.2f", c, x, y);
        low = fmin(low, y), high = fmax(high, y);
    }
    return 0.5 * (high - low);
}

static bool is_seen(const tl_camera *camera, tl_vec3 p) {
    double x, y;
    project(camera, p, &x, &y);
    return fabs(x) < 0.95 && fabs(y) < 0.95;
}

Test(picture_extent, a_tank_is_in_view_with_room_above_it) {
    tl_scene *scene =
        load("spacing: 0.1\nduration: 1\n"
             "bodies: [{material: water, box: {from: [0, 0, 0], to: [0.5, 1, 0.5]}}]\n"
             "walls:\n" TANK);
    const tl_camera camera = camera_of(scene, NULL);
    const double part = height_of(&camera, (tl_vec3){0, 0, 0}, (tl_vec3){2, 1, 1});
    cr_expect(part > 0.5 && part < 0.67, "%.2f of the height", part);
    cr_expect(is_seen(&camera, (tl_vec3){2, 0.5, 1.2}), "what splashes over the rim");
    tl_scene_destroy(scene);
}

/* 3 m/s to the side from 1 m above the floor: 1.35 m, in 0.45 s. */
Test(picture_extent, a_jet_is_in_view_until_it_meets_the_floor) {
    tl_scene *scene = load("spacing: 0.05\nduration: 2\n"
                           "emitters: [{material: water, speed: 3, until: 0.1,\n"
                           "  disc: {center: [0, 0, 1], direction: [1, 0, 0], radius: 0.1}}]\n"
                           "walls:\n" FLOOR);
    const tl_camera camera = camera_of(scene, NULL);
    const double part = height_of(&camera, (tl_vec3){0, -0.1, 0}, (tl_vec3){1.35, 0.1, 1.1});
    cr_expect(part > 0.4 && part < 0.67, "%.2f of the height", part);
    cr_expect(!is_seen(&camera, (tl_vec3){3.5, 0, 0}), "it goes no farther");
    tl_scene_destroy(scene);
}

Test(picture_extent, a_jet_goes_no_farther_than_the_wall_of_its_tank) {
    tl_scene *scene =
        load("spacing: 0.05\nduration: 2\n"
             "emitters: [{material: water, speed: 20, until: 0.1,\n"
             "  disc: {center: [0.3, 0.5, 0.8], direction: [1, 0, 0], radius: 0.1}}]\n"
             "walls:\n" TANK);
    const tl_extent e = tl_extent_guess(scene);
    cr_expect(e.to.x > 1.85 && e.to.x < 2.5, "%g", e.to.x);
    tl_scene_destroy(scene);
}

/* 4 m/s upwards: 0.82 m. */
Test(picture_extent, a_body_that_is_thrown_is_in_view_at_the_top_of_its_way) {
    tl_scene *scene =
        load("spacing: 0.1\nduration: 2\n"
             "bodies: [{material: water, sphere: {center: [0, 0, 0.3], radius: 0.3},\n"
             "  velocity: [1, 0, 4]}]\nwalls:\n" FLOOR);
    const tl_camera camera = camera_of(scene, NULL);
    height_of(&camera, (tl_vec3){-0.3, -0.3, 0}, (tl_vec3){1.1, 0.3, 1.4});
    const tl_extent e = tl_extent_guess(scene);
    cr_expect_float_eq(e.to.z, 0.6 + 16 / (2 * 9.81), 0.02, "%g", e.to.z);
    tl_scene_destroy(scene);
}

Test(picture_extent, flames_are_in_view_from_the_foot_to_the_tip) {
    tl_scene *scene =
        load("spacing: 0.1\nduration: 2\n" HEATED "heat: {ambient: 20}\n"
             "bodies: [{material: m, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\nwalls:\n" FLOOR
             "sources: [{shape: sphere, position: [0.5, 0.5, 1.5], radius: 0.15,\n"
             "  velocity: [0.5, 0, 0], power: [[0, 0 W], [1, 9 W]]}]\n");
    const tl_camera camera = camera_of(scene, NULL);
    const double part = height_of(&camera, (tl_vec3){0, 0, 0}, (tl_vec3){1.6, 1, 2.1});
    cr_expect(part > 0.5 && part < 0.68, "%.2f of the height", part);
    tl_scene_destroy(scene);
}

Test(picture_extent, walls_that_move_are_in_view_where_they_are_near_matter) {
    tl_scene *scene =
        load("spacing: 0.1\nduration: 4\n"
             "bodies: [{material: honey, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\nwalls:\n" FLOOR
             "  - {sphere: {center: [0.5, 0.5, 20], radius: 0.2},\n"
             "     motion: [{speed: -4.7, along: z}]}\n");
    const tl_camera camera = camera_of(scene, NULL);
    height_of(&camera, (tl_vec3){0, 0, 0}, (tl_vec3){1, 1, 1.6});
    cr_expect(!is_seen(&camera, (tl_vec3){0.5, 0.5, 15}));
    tl_scene_destroy(scene);
}

Test(picture_extent, what_frames_tell_comes_before_what_the_scene_does) {
    tl_scene *scene = load("spacing: 0.1\nduration: 1\n"
                           "bodies: [{material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n"
                           "walls:\n" FLOOR);
    const tl_extent seen = {{-4, -1, 0}, {5, 2, 3}};
    const tl_camera guessed = camera_of(scene, NULL), camera = camera_of(scene, &seen);
    cr_expect(!is_seen(&guessed, seen.from));
    const double part = height_of(&camera, seen.from, seen.to);
    cr_expect(part > 0.4 && part < 0.67, "%.2f of the height", part);
    tl_scene_destroy(scene);
}

Test(picture_extent, frames_widen_by_all_but_strays) {
    enum { COUNT = 2000 };
    static float places[3 * COUNT];
    tl_frame frame = {.count = COUNT, .array_count = 1};
    frame.array[0] = (tl_frame_array){"position", "m", "", TL_F32, 3, places};
    for (int i = 0; i < COUNT; i++) {
        places[3 * i] = (float)i / COUNT;
        places[3 * i + 1] = (float)(i % 50) / 50;
        places[3 * i + 2] = 2;
    }
    tl_extent e = tl_extent_none();
    cr_expect(tl_extent_is_none(&e));
    tl_extent_add_frame(&e, &frame, 0);
    cr_expect(e.from.x < 0.01 && e.to.x > 0.99 && e.from.z == 2 && e.to.z == 2);
    for (int i = 0; i < 3; i++)
        places[3 * i] = 1000; /* splashed away */
    e = tl_extent_none();
    tl_extent_add_frame(&e, &frame, 0);
    cr_expect(e.to.x > 0.99 && e.to.x < 1.01, "%g", e.to.x);
    frame.count = 100; /* too few to tell strays from the rest */
    e = tl_extent_none();
    tl_extent_add_frame(&e, &frame, 0);
    cr_expect_float_eq(e.to.x, 1000, 1);
    frame.count = 0;
    e = tl_extent_none();
    tl_extent_add_frame(&e, &frame, 0);
    cr_expect(tl_extent_is_none(&e));
}
