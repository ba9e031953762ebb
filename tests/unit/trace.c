/* Light that is followed through scenes whose answer is known. */
#include "trace/scatter.h"
#include "trace/walk.h"
#include "trace_things.h"

/* ---- Energy -------------------------------------------------------------------------------- */

static void expect_white(const char *what, tl_trace_matter matter) {
    const tl_trace_mesh mesh = ball(matter);
    const tl_trace_scene scene = {.meshes = &mesh, .mesh_count = 1, .sky = white_sky};
    const double light = mean_light(&scene, front(), 64);
    cr_expect_float_eq(light, 1, 0.004, "%s: %.4f", what, light);
}

Test(trace, white_things_vanish_under_a_white_sky) {
    expect_white("chalk", chalk(1));
    tl_trace_matter m = {.colour = {1, 1, 1}, .roughness = 0.4f, .refraction = 1.5f};
    expect_white("plaster", m);
    m.roughness = 0;
    expect_white("porcelain", m);
    m.roughness = 0.8f, m.metal = 1;
    expect_white("rough metal", m);
    m.roughness = 0;
    expect_white("mirror", m);
    m.roughness = 0.4f, m.metal = 0, m.translucency = 0.1;
    expect_white("wax", m);
    expect_white("glass", glass(1.5f));
    m = glass(1.33f), m.roughness = 0.3f;
    expect_white("frosted glass", m);
    m.clarity = 0.5f, m.metal = 0.3f, m.roughness = 0.6f;
    expect_white("all at once", m);
}

Test(trace, opaque_matter_scatters_the_same_both_ways) {
    const tl_trace_matter m = {.colour = {0.7f, 0.7f, 0.7f}, .roughness = 0.5f, .refraction = 1.5f};
    const tl_float3 a = {0.6f, 0, 0.8f}, b = {0, 0.98f, 0.19899749f};
    tl_substance substance;
    float density;
    tl_substance_make(&m, &substance);
    const tl_scatter there = tl_scatter_make(&substance, substance.colour, a, 0, 0.5f);
    const tl_scatter back = tl_scatter_make(&substance, substance.colour, b, 0, 0.5f);
    const float f = tl_scatter_value(&there, b, &density).x / b.z;
    const float g = tl_scatter_value(&back, a, &density).x / a.z;
    cr_expect_float_eq(f, g, 1e-5f * f, "%g, %g", (double)f, (double)g);
}

Test(trace, grey_chalk_has_its_own_brightness) {
    const tl_trace_plane plane = ground(0.5f);
    const tl_trace_scene scene = {.planes = &plane, .plane_count = 1, .sky = white_sky};
    const double linear = pow((0.5 + 0.055) / 1.055, 2.4);
    cr_expect_float_eq(mean_light(&scene, above(), 4), linear, 1e-5);
}

Test(trace, an_empty_scene_is_sky) {
    static float rgb[3 * W * H];
    const tl_trace_scene scene = {.sky = {{0.2f, 0.4f, 0.8f}, {0.1f, 0.1f, 0.1f}}};
    const tl_camera up = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, 0.001};
    light_of(&scene, up, 1, rgb);
    cr_expect_float_eq(rgb[0], 0.2f, 1e-5f);
    cr_expect_float_eq(rgb[2], 0.8f, 1e-5f);
    light_of(&scene, (tl_camera){{0, 0, 0}, {1, 0, -1}, {0, 0, 1}, 0.001}, 1, rgb);
    cr_expect_float_eq(rgb[1], 0.1f, 1e-5f);
}

/* ---- Lamps --------------------------------------------------------------------------------- */

/* π L sin²θ cos over π, and the same for a point. */
Test(trace, a_lamp_lights_a_sheet_as_the_inverse_square_says) {
    const tl_trace_plane plane = ground(1);
    const double sizes[] = {0, 0.5, 1};
    for (int k = 0; k < 3; k++) {
        const tl_trace_light lamp = {
            .position = {1, 0, 2}, .size = sizes[k], .power = {1, 0.5f, 2}};
        const tl_trace_scene scene = {
            .planes = &plane, .plane_count = 1, .lights = &lamp, .light_count = 1};
        const double cosine = 2 / sqrt(5.0), expected = 3.5 / 3 * cosine / 5;
        cr_expect_float_eq(mean_light(&scene, above(), 64), expected, 0.003 * expected);
    }
}

Test(trace, a_far_light_makes_a_sheet_white_that_faces_it) {
    const tl_trace_plane plane = ground(1);
    const double sizes[] = {0, 0.3, 1.2};
    for (int k = 0; k < 3; k++) {
        tl_trace_light sun = {.towards = {0, 0, 3}, .size = sizes[k], .power = {1, 1, 1}};
        const tl_trace_scene scene = {
            .planes = &plane, .plane_count = 1, .lights = &sun, .light_count = 1};
        cr_expect_float_eq(mean_light(&scene, above(), 64), 1, 0.003);
        sun.towards = (tl_vec3){0, 3, 4};
        cr_expect_float_eq(mean_light(&scene, above(), 64), 0.8, 0.003);
    }
}

/* The same light found by asking lamps and by meeting them: a metal that is dull enough for both.
 */
Test(trace, lamps_count_once) {
    tl_trace_plane plane = ground(1);
    plane.matter.metal = 1;
    for (int k = 1; k <= 4; k++) {
        plane.matter.roughness = 0.25f * (float)k;
        const tl_trace_light dome = {.towards = {0, 0, 1}, .size = M_PI, .power = {1, 1, 1}};
        const tl_trace_scene scene = {
            .planes = &plane, .plane_count = 1, .lights = &dome, .light_count = 1};
        const tl_trace_scene sky = {.planes = &plane, .plane_count = 1, .sky = white_sky};
        const double a = mean_light(&scene, above(), 64), b = mean_light(&sky, above(), 64);
        cr_expect_float_eq(a, b, 0.01, "roughness %.2f: %.4f, %.4f", (double)plane.matter.roughness,
                           a, b);
    }
}

Test(trace, a_ball_casts_its_shadow) {
    static float rgb[3 * W * H];
    const tl_trace_plane plane = ground(1);
    const tl_trace_sphere sphere = {{0, 0, 3}, 0.5, chalk(0)};
    const tl_trace_light sun = {.towards = {0, 0.6, 0.8}, .power = {1, 1, 1}};
    const tl_trace_scene scene = {.planes = &plane,
                                  .plane_count = 1,
                                  .spheres = &sphere,
                                  .sphere_count = 1,
                                  .lights = &sun,
                                  .light_count = 1};
    /* The shadow is an ellipse around (0, -2.25), 0.5 / 0.8 long along y. */
    const tl_camera camera = {{0, -2.25, 100}, {0, -2.25, 0}, {0, 1, 0}, 2 * atan(0.01)};
    light_of(&scene, camera, 16, rgb);
    double dark = 0;
    for (int i = 0; i < W * H; i++)
        dark += 1 - (double)rgb[3 * i] / 0.8;
    cr_expect_float_eq(dark / (W * H) * 4, M_PI * 0.5 * 0.625, 0.01);
    cr_expect_float_eq(rgb[3 * (H / 2 * W + W / 2)], 0, 1e-6f);
    cr_expect_float_eq(rgb[0], 0.8f, 1e-4f);
}

/* ---- Glass --------------------------------------------------------------------------------- */

Test(trace, light_bends_by_the_law_of_snell) {
    for (int k = 0; k < 8; k++) {
        const float angle = 0.2f * (float)k, eta = 1.5f;
        const tl_float3 v = {sinf(angle), 0, cosf(angle)}, z = {0, 0, 1};
        tl_float3 t, back;
        cr_assert(tl_refract(v, z, eta, &t));
        cr_expect_float_eq(-t.x * eta, sinf(angle), 1e-6f);
        cr_assert(tl_refract((tl_float3){-t.x, 0, -t.z}, z, 1 / eta, &back));
        cr_expect_float_eq(-back.x, v.x, 1e-5f);
    }
    const tl_float3 flat = {0.8f, 0, 0.6f};
    tl_float3 t;
    cr_expect_not(tl_refract(flat, (tl_float3){0, 0, 1}, 1 / 1.5f, &t));
}

Test(trace, a_boundary_reflects_what_fresnel_says) {
    cr_expect_float_eq(tl_fresnel(1, 1.5f), 0.04f, 1e-6f);
    cr_expect_float_eq(tl_fresnel(1, 1 / 1.5f), 0.04f, 1e-6f);
    cr_expect_float_eq(tl_fresnel(0.5f, 1.5f), 0.0891867f, 1e-6f); /* 60° */
    cr_expect_float_eq(tl_fresnel(0.1f, 1 / 1.5f), 1, 0);
    /* At Brewster's angle only half of the light is reflected at all. */
    const float n = 1.5f, brewster = 1 / sqrtf(1 + n * n), r = (n * n - 1) / (n * n + 1);
    cr_expect_float_eq(tl_fresnel(brewster, n), 0.5f * r * r, 1e-6f);
}

/* A slab over black: F + (1 − F)² F + (1 − F)² F³ ... = 2 F / (1 + F). */
Test(trace, a_slab_of_glass_reflects_with_both_faces) {
    const tl_trace_mesh slab = box((tl_vec3){-50, -50, 0.01}, (tl_vec3){50, 50, 0.02}, glass(1.5f));
    const tl_trace_plane black = ground(0);
    const tl_trace_scene scene = {
        .meshes = &slab, .mesh_count = 1, .planes = &black, .plane_count = 1, .sky = white_sky};
    for (int k = 0; k < 3; k++) {
        const double angle = 0.5 * k, f = (double)tl_fresnel((float)cos(angle), 1.5f);
        const tl_camera camera = {
            {0, -10 * sin(angle), 10 * cos(angle)}, {0, 0, 0}, {0, 0, 1}, 0.01};
        const double expected = 2 * f / (1 + f);
        cr_expect_float_eq(mean_light(&scene, camera, 64), expected, 0.003);
    }
}

/* Through to a white sky below, with a part a absorbed on the way. */
Test(trace, clear_matter_takes_its_colour_from_its_depth) {
    tl_trace_matter amber = glass(1.5f);
    amber.colour[0] = amber.colour[1] = amber.colour[2] = 0.5f;
    amber.depth = 0.4;
    const tl_trace_mesh slab = box((tl_vec3){-50, -50, -0.1}, (tl_vec3){50, 50, 0.1}, amber);
    const tl_trace_scene scene = {.meshes = &slab, .mesh_count = 1, .sky = white_sky};
    const double a = sqrt(pow((0.5 + 0.055) / 1.055, 2.4)), f = 0.04; /* half the depth */
    const double passed = (1 - f) * (1 - f) * a / (1 - f * f * a * a);
    const double back = f + (1 - f) * (1 - f) * f * a * a / (1 - f * f * a * a);
    cr_expect_float_eq(mean_light(&scene, above(), 64), passed + back, 0.003);
}

Test(trace, panes_let_lamps_through) {
    tl_trace_matter pane = glass(1.5f);
    pane.thin = true;
    const tl_trace_mesh panes = box((tl_vec3){-50, -50, 1}, (tl_vec3){50, 50, 2}, pane);
    const tl_trace_plane plane = ground(1);
    const tl_trace_light sun = {.towards = {0, 0, 1}, .size = 0.2, .power = {1, 1, 1}};
    const tl_trace_scene scene = {.meshes = &panes,
                                  .mesh_count = 1,
                                  .planes = &plane,
                                  .plane_count = 1,
                                  .lights = &sun,
                                  .light_count = 1};
    const tl_camera below = {{0, 0, 0.9}, {0, 0, 0}, {0, 1, 0}, 0.002};
    /* Straight through both; what the floor gives back, the panes reflect in part, and again. */
    double back = 0;
    for (int i = 0; i < 1000; i++) {
        const double c = (i + 0.5) / 1000, f = (double)tl_fresnel((float)c, 1.5f);
        const double one = 2 * f / (1 + f), both = 2 * one / (1 + one);
        back += both * 2 * c / 1000;
    }
    const double r = 2 * 0.04 / 1.04, expected = (1 - r) * (1 - r) / (1 - back);
    cr_expect_float_eq(mean_light(&scene, below, 64), expected, 0.01 * expected);
}

Test(trace, one_sided_meshes_are_not_there_from_behind) {
    tl_trace_mesh shell = box((tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 1}, chalk(0));
    shell.one_sided = true;
    const tl_trace_scene scene = {.meshes = &shell, .mesh_count = 1, .sky = white_sky};
    const tl_camera inside = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, 0.5};
    const tl_camera outside = {{0, -9, 0}, {0, 1, 0}, {0, 0, 1}, 0.05};
    cr_expect_float_eq(mean_light(&scene, inside, 1), 1, 1e-6);
    cr_expect_float_eq(mean_light(&scene, outside, 1), 0, 1e-6);
}
