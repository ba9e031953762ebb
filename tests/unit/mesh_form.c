/* Forms: meshes that are closed, look outwards, and have the volume and area of what they mean. */
#include "mesh/form.h"
#include "mesh/solid.h"
#include "mesh/terrain.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

static tl_mesh make(const tl_form_def *form, double spacing) {
    tl_mesh mesh = {0};
    tl_error error = {0};
    cr_assert_eq(tl_form_make(form, spacing, &mesh, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    cr_assert(mesh.closed);
    return mesh;
}

/* Triangles lie within 2 % of the spacing of the form, all on its inner side where it is convex:
 * the volume is short by less than that times the area. */
static void has(const tl_form_def *form, double spacing, double volume, double area) {
    tl_mesh mesh = make(form, spacing);
    const double found = tl_mesh_find_moments(&mesh).volume;
    cr_assert_lt(fabs(found - volume), 0.02 * spacing * area, "volume %g for %g", found, volume);
    cr_assert_lt(fabs(tl_mesh_area(&mesh) / area - 1), 0.01, "area %g for %g", tl_mesh_area(&mesh),
                 area);
    tl_mesh_free(&mesh);
}

static const double skew[2][3] = {{0.1, -0.2, 0.3}, {0.4, 0.1, 0.9}};

static double skew_length(void) {
    return tl_vec3_length(tl_vec3_sub(tl_vec3_of(skew[1]), tl_vec3_of(skew[0])));
}

#define SKEW                                                                                       \
    .from = {skew[0][0], skew[0][1], skew[0][2]}, .to = {skew[1][0], skew[1][1], skew[1][2]}

Test(form, cones_have_their_volume_and_area) {
    const double h = skew_length(), r = 0.2, s = 0.05;
    const tl_form_def whole = {.scale = 1, .has_cone = true, .cone = {SKEW, .radius = r}};
    has(&whole, 0.05, pi * r * r * h / 3, pi * r * (r + hypot(r, h)));
    const tl_form_def cut = {
        .scale = 1, .has_cone = true, .cone = {SKEW, .radius = r, .end_radius = s}};
    has(&cut, 0.05, pi * h * (r * r + r * s + s * s) / 3,
        pi * (r * r + s * s + (r + s) * hypot(r - s, h)));
    const tl_form_def standing = {.scale = 1, .has_cone = true, .cone = {SKEW, .end_radius = r}};
    has(&standing, 0.05, pi * r * r * h / 3, pi * r * (r + hypot(r, h)));
}

/* The wall of a vessel: closed, as large as its outside less its inside, and empty within. */
static void walls_have(const tl_form_def *form, tl_vec3 open, double thickness, double volume,
                       double area, tl_vec3 within) {
    tl_mesh mesh = {0};
    tl_error error = {0};
    tl_solid *solid;
    cr_assert_eq(tl_form_vessel(form, open, thickness, 0.02, &mesh, &error), TL_OK, "%s",
                 error.what);
    cr_assert(mesh.closed);
    const double found = tl_mesh_find_moments(&mesh).volume;
    cr_assert_lt(fabs(found - volume), 0.02 * 0.02 * area, "volume %g for %g", found, volume);
    cr_assert_eq(tl_solid_make(&mesh, &solid, &error), TL_OK);
    cr_assert_not(tl_solid_inside(solid, within));
    tl_solid_free(solid);
    tl_mesh_free(&mesh);
}

Test(form, open_vessels_have_a_wall_around_their_inside) {
    const double R = 0.2, t = 0.03, H = 0.5;
    const tl_vec3 up = {0, 0, 1}, down = {0, 0, -1}, middle = {0, 0, 0.25};
    const tl_form_def pipe = {.has_cone = true, .cone = {{0, 0, 0}, {0, 0, H}, R, R}};
    const double wall = pi * ((R + t) * (R + t) * (H + t) - R * R * H);
    walls_have(&pipe, up, t, wall, 4, middle);
    walls_have(&pipe, down, t, wall, 4, middle);
    const tl_form_def ball = {.has_capsule = true, .capsule = {{0, 0, 0}, {0, 0, 0}, R}};
    walls_have(&ball, up, t, 2 * pi / 3 * (pow(R + t, 3) - pow(R, 3)), 2, (tl_vec3){0, 0, -0.1});
    walls_have(&ball, (tl_vec3){1, 0, 0}, t, 2 * pi / 3 * (pow(R + t, 3) - pow(R, 3)), 2,
               (tl_vec3){-0.1, 0, 0});
    const tl_form_def tube = {.has_capsule = true, .capsule = {{0, 0, 0}, {0, 0, H}, R}};
    walls_have(&tube, up, t,
               (2.0 / 3) * pi * (pow(R + t, 3) - pow(R, 3)) + pi * H * ((R + t) * (R + t) - R * R),
               4, middle);
}

Test(form, what_cannot_be_opened_is_refused) {
    const tl_vec3 up = {0, 0, 1}, aside = {1, 0, 0};
    const tl_form_def pipe = {.has_cone = true, .cone = {{0, 0, 0}, {0, 0, 1}, 0.2, 0.2}},
                      tip = {.has_cone = true, .cone = {{0, 0, 0}, {0, 0, 1}, 0.2, 0}},
                      ring = {.has_torus = true, .torus = {{0, 0, 0}, {0, 0, 1}, 0.3, 0.1}};
    tl_form_def moved = pipe;
    moved.has_foot = true;
    const struct {
        const tl_form_def *form;
        tl_vec3 open;
        const char *what;
    } cases[] = {{&pipe, aside, "no end on the side"},
                 {&tip, up, "a tip where it is to be open"},
                 {&ring, up, "a torus cannot be opened"},
                 {&moved, up, "cannot be turned, scaled or moved"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        tl_mesh mesh = {0};
        tl_error error = {0};
        cr_assert_eq(tl_form_vessel(cases[k].form, cases[k].open, 0.03, 0.02, &mesh, &error),
                     TL_BAD_INPUT);
        cr_assert(strstr(error.what, cases[k].what), "%s", error.what);
        cr_assert_str_eq(error.where, "open");
        tl_mesh_free(&mesh);
    }
}

Test(form, capsules_and_balls_have_their_volume_and_area) {
    const double h = skew_length(), r = 0.15;
    const tl_form_def capsule = {.scale = 1, .has_capsule = true, .capsule = {SKEW, .radius = r}};
    has(&capsule, 0.05, pi * r * r * (h + 4 * r / 3), 2 * pi * r * (h + 2 * r));
    const tl_form_def ball = {.scale = 1, .has_capsule = true, .capsule = {.radius = r}};
    has(&ball, 0.05, 4 * pi / 3 * r * r * r, 4 * pi * r * r);
}

Test(form, rings_have_their_volume_and_area) {
    const double R = 0.3, r = 0.1;
    const tl_form_def ring = {
        .scale = 1,
        .has_torus = true,
        .torus = {.center = {1, 2, 3}, .axis = {1, 1, -2}, .radius = R, .tube_radius = r}};
    has(&ring, 0.05, 2 * pi * pi * R * r * r, 4 * pi * pi * R * r);
}

Test(form, rounded_boxes_have_their_volume_and_area_down_to_a_ball) {
    const double r = 0.1, a = 0.5, b = 0.3, c = 0.4; /* edges of the box that the centres span */
    const tl_form_def box = {.scale = 1,
                             .has_rounded_box = true,
                             .rounded_box = {.from = {-0.1, -0.1, -0.1},
                                             .to = {a + 0.1, b + 0.1, c + 0.1},
                                             .radius = r}};
    has(&box, 0.05,
        a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) +
            4 * pi / 3 * r * r * r,
        2 * (a * b + b * c + c * a) + 2 * pi * r * (a + b + c) + 4 * pi * r * r);
    const tl_form_def ball = {
        .scale = 1,
        .has_rounded_box = true,
        .rounded_box = {.from = {-0.1, -0.1, -0.1}, .to = {0.1, 0.1, 0.1}, .radius = r}};
    has(&ball, 0.05, 4 * pi / 3 * r * r * r, 4 * pi * r * r);
}

Test(form, triangles_stay_within_two_percent_of_the_spacing) {
    const tl_form_def ball = {.scale = 3, .has_capsule = true, .capsule = {.radius = 0.1}};
    for (double spacing = 0.2; spacing > 0.005; spacing /= 2) {
        tl_mesh mesh = make(&ball, spacing);
        double deepest = 0;
        for (size_t t = 0; t < mesh.triangle_count; t++) {
            tl_vec3 middle = {0, 0, 0};
            for (int k = 0; k < 3; k++)
                middle = tl_vec3_mad(middle, 1.0 / 3, tl_mesh_corner(&mesh, t, k));
            deepest = fmax(deepest, 0.3 - tl_vec3_length(middle));
        }
        cr_assert_leq(deepest, 0.02 * spacing);
        tl_mesh_free(&mesh);
    }
}

Test(form, a_form_is_turned_scaled_to_its_height_and_put_on_its_foot) {
    const tl_form_def form = {.scale = 1,
                              .has_cone = true,
                              .cone = {.to = {0, 2, 0}, .radius = 0.5},
                              .rotate = {pi / 2, 0, 0},
                              .has_height = true,
                              .height = 0.1,
                              .has_foot = true,
                              .foot = {1, 2, 3}};
    tl_mesh mesh = make(&form, 0.01);
    tl_vec3 low, high;
    tl_mesh_bounds(&mesh, &low, &high);
    cr_assert_float_eq(low.z, 3, 1e-12);
    cr_assert_float_eq(high.z, 3.1, 1e-12);
    cr_assert_float_eq((low.x + high.x) / 2, 1, 1e-12);
    cr_assert_float_eq((low.y + high.y) / 2, 2, 1e-12);
    const tl_mesh_moments moments = tl_mesh_find_moments(&mesh);
    cr_assert_float_eq(moments.centroid.z, 3 + 0.1 / 4, 1e-6); /* y became z: the tip is up */
    cr_assert_float_eq(moments.volume, pi * 0.025 * 0.025 * 0.1 / 3, 2e-4 * 0.01);
    tl_mesh_free(&mesh);
}

Test(form, angles_turn_about_x_then_y_then_z) {
    const tl_form_def form = {.scale = 1,
                              .has_cone = true,
                              .cone = {.to = {0, 0, 1}, .radius = 0.1},
                              .rotate = {pi / 2, 0, pi / 2}};
    tl_mesh mesh = make(&form, 0.01);
    tl_vec3 low, high;
    tl_mesh_bounds(&mesh, &low, &high); /* z → -y → x: the tip points along x */
    cr_assert_float_eq(high.x - low.x, 1, 1e-9);
    cr_assert_gt((low.x + high.x) / 2, tl_mesh_find_moments(&mesh).centroid.x);
    tl_mesh_free(&mesh);
}

static void refuses(const tl_form_def *form, const char *where, const char *what) {
    tl_mesh mesh = {0};
    tl_error error = {0};
    cr_assert_eq(tl_form_make(form, 0.01, &mesh, &error), TL_BAD_INPUT);
    cr_assert_str_eq(error.where, where);
    cr_assert(strstr(error.what, what), "%s", error.what);
    cr_assert_null(mesh.vertices);
}

Test(form, impossible_forms_are_named) {
    refuses(&(tl_form_def){.scale = 1, .has_cone = true, .cone = {.radius = 1}}, "cone.to",
            "ends where it begins");
    refuses(&(tl_form_def){.scale = 1, .has_cone = true, .cone = {.to = {1, 0, 0}}}, "cone.radius",
            "no width");
    refuses(&(tl_form_def){.scale = 1,
                           .has_torus = true,
                           .torus = {.axis = {0, 0, 1}, .radius = 1, .tube_radius = 1}},
            "torus.tube_radius", "meets itself");
    refuses(
        &(tl_form_def){.scale = 1, .has_torus = true, .torus = {.radius = 1, .tube_radius = 0.1}},
        "torus.axis", "no axis");
    refuses(&(tl_form_def){.scale = 1,
                           .has_rounded_box = true,
                           .rounded_box = {.to = {1, 1, 0.1}, .radius = 0.1}},
            "rounded_box.radius", "do not fit");
    refuses(&(tl_form_def){.scale = 1,
                           .has_rounded_box = true,
                           .rounded_box = {.to = {1, -1, 1}, .radius = 0.1}},
            "rounded_box.to", "no extent along y");
}

Test(form, a_file_that_is_not_there_is_an_error_of_its_key) {
    char nowhere[] = "/nowhere.obj";
    const tl_form_def form = {.scale = 1, .has_mesh = true, .mesh = {.file = nowhere}};
    tl_mesh mesh = {0};
    tl_error error = {0};
    cr_assert_eq(tl_form_make(&form, 0.01, &mesh, &error), TL_IO_FAILED);
    cr_assert_str_eq(error.where, "mesh.file");
}

/* ---- Terrain ---- */

static const tl_terrain_def hills = {
    .from = {0, 0, 0.1}, .to = {1, 0.5, 0.3}, .thickness = 0.02, .roughness = 0.4, .seed = 1};

Test(terrain, noise_reaches_from_the_lowest_to_the_highest_corner) {
    const tl_form_def form = {.scale = 1, .has_terrain = true, .terrain = hills};
    tl_mesh mesh = make(&form, 0.01);
    tl_vec3 low, high;
    double least = HUGE_VAL;
    tl_mesh_bounds(&mesh, &low, &high);
    for (size_t i = 0; i < mesh.vertex_count; i++)
        if (mesh.vertices[i].z > 0.081)
            least = fmin(least, mesh.vertices[i].z);
    cr_assert_float_eq(low.z, 0.08, 1e-7);
    cr_assert_float_eq(least, 0.1, 1e-7);
    cr_assert_float_eq(high.z, 0.3, 1e-7);
    cr_assert_float_eq(high.x - low.x, 1, 1e-12);
    cr_assert_float_eq(high.y - low.y, 0.5, 1e-12);
    tl_mesh_free(&mesh);
}

Test(terrain, hills_do_not_depend_on_the_spacing_but_on_the_seed) {
    tl_form_def form = {.scale = 1, .has_terrain = true, .terrain = hills};
    form.terrain.roughness = 0;
    double volume[3];
    for (int k = 0; k < 3; k++) {
        form.terrain.seed = k == 2 ? 2 : 1;
        tl_mesh mesh = make(&form, k == 1 ? 0.005 : 0.01);
        volume[k] = tl_mesh_find_moments(&mesh).volume;
        tl_mesh_free(&mesh);
    }
    cr_assert_float_eq(volume[0] / volume[1], 1, 2e-3);
    cr_assert_gt(fabs(volume[0] / volume[2] - 1), 1e-2);
}

/* A ramp: half of the box above the slab. */
Test(terrain, images_are_heights_with_their_upper_edge_far_along_y) {
    static const char images[2][64] = {"P2 # plain\n2 2\n10\n10 10\n0 0\n",
                                       "P5 2 2 255\n\xFF\xFF\x00\x00"};
    for (int k = 0; k < 2; k++) {
        char path[] = P_tmpdir "/tallow-image-XXXXXX";
        const int file = mkstemp(path);
        cr_assert_geq(file, 0);
        const size_t size = k ? 15 : strlen(images[0]);
        cr_assert_eq(write(file, images[k], size), (ssize_t)size);
        close(file);
        tl_form_def form = {.scale = 1, .has_terrain = true, .terrain = hills};
        form.terrain.image = path;
        tl_mesh mesh = make(&form, 0.01);
        unlink(path);
        const tl_mesh_moments moments = tl_mesh_find_moments(&mesh);
        cr_assert_float_eq(moments.volume, 0.5 * (0.02 + 0.1), 1e-9);
        cr_assert_gt(moments.centroid.y, 0.25);
        tl_mesh_free(&mesh);
    }
}

Test(terrain, what_is_no_image_is_said) {
    static const struct {
        const char *bytes, *what;
    } wrong[] = {{"PNG is not for us", "neither a PNG nor a PGM"},
                 {"P2 1 2 255 0 0", "1 × 2 pixels"},
                 {"P2 2 2 0 0 0 0 0", "pixels up to 0"},
                 {"P2 9999 2 255 0 ", "9999 × 2 pixels"},
                 {"P2 2 2 255 0 1 2", "ends after 3 of 4 pixels"},
                 {"P5 2 2 255 abc", "ends after 3 of 4 pixels"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        tl_heights heights = {0};
        tl_error error = {0};
        cr_assert_eq(tl_read_pgm(wrong[k].bytes, strlen(wrong[k].bytes), "image", &heights, &error),
                     TL_BAD_INPUT);
        cr_assert(strstr(error.what, wrong[k].what), "%s", error.what);
    }
}

/* ---- Moments ---- */

static void is_near(double found, double wanted, double scale, const char *what) {
    cr_assert_float_eq(found, wanted, 1e-12 * scale, "%s: %g for %g", what, found, wanted);
}

/* A box with these edges and its corner at the origin. */
static tl_mesh make_box(const double edge[3]) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    tl_mesh m = {.closed = true};
    for (int k = 0; k < 8; k++)
        tl_mesh_add_vertex(
            &m, (tl_vec3){edge[0] * (k & 1), edge[1] * (k >> 1 & 1), edge[2] * (k >> 2 & 1)}, NULL);
    for (int t = 0; t < 12; t++)
        tl_mesh_add_triangle(&m, faces[t][0], faces[t][1], faces[t][2], NULL);
    return m;
}

/* Turned about z by an angle and moved: Ixx and Iyy mix, Ixy appears, the rest stays. */
Test(moments, of_a_box_are_exact_wherever_it_is_and_however_it_is_turned) {
    const double edge[3] = {2, 3, 5}, volume = 30;
    const double x = volume * (9 + 25) / 12, y = volume * (4 + 25) / 12, z = volume * (4 + 9) / 12;
    for (double angle = 0; angle < 3; angle += 0.7) {
        const tl_vec3 shift = {100 * angle, -7, 3};
        const double c = cos(angle), s = sin(angle);
        tl_mesh m = make_box(edge);
        for (size_t i = 0; i < m.vertex_count; i++) {
            const tl_vec3 v = m.vertices[i];
            m.vertices[i] =
                tl_vec3_add(shift, (tl_vec3){c * v.x - s * v.y, s * v.x + c * v.y, v.z});
        }
        const tl_mesh_moments found = tl_mesh_find_moments(&m);
        is_near(found.volume, volume, volume, "volume");
        is_near(found.centroid.x, shift.x + c * 1 - s * 1.5, 300, "centroid");
        is_near(found.centroid.y, shift.y + s * 1 + c * 1.5, 300, "centroid");
        is_near(found.centroid.z, shift.z + 2.5, 300, "centroid");
        is_near(found.inertia[0][0], c * c * x + s * s * y, x, "xx");
        is_near(found.inertia[1][1], s * s * x + c * c * y, x, "yy");
        is_near(found.inertia[2][2], z, x, "zz");
        is_near(found.inertia[0][1], c * s * (x - y), x, "xy");
        is_near(found.inertia[0][2], 0, x, "xz");
        is_near(tl_mesh_area(&m), 2 * (6 + 15 + 10), 62, "area");
        tl_mesh_free(&m);
    }
}

Test(moments, of_a_ball_come_near_as_triangles_become_finer) {
    const double r = 0.5, volume = 4 * pi / 3 * r * r * r, inertia = 0.4 * volume * r * r;
    double before = 0;
    for (double spacing = 1; spacing > 0.05; spacing /= 4) {
        const tl_form_def ball = {.scale = 1,
                                  .has_capsule = true,
                                  .capsule = {.from = {1, 2, 3}, .to = {1, 2, 3}, .radius = r}};
        tl_mesh m = make(&ball, spacing);
        const tl_mesh_moments found = tl_mesh_find_moments(&m);
        const double off = 1 - found.inertia[0][0] / inertia;
        cr_assert_gt(off, 0);
        if (before > 0) /* it falls with the deviation */
            cr_assert_float_eq(before / off, 4, 1, "%g", before / off);
        before = off;
        cr_assert_float_eq(found.inertia[1][1], found.inertia[0][0], 1e-9);
        cr_assert_float_eq(found.centroid.z, 3, 1e-9);
        tl_mesh_free(&m);
    }
    cr_assert_lt(before, 0.01);
}
