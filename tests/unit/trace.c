/* Light that is followed through scenes whose answer is known. */
#include "trace/trace.h"

#include "trace/picture.h"
#include "trace/scatter.h"
#include "trace/walk.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { W = 48, H = 48 };

/* ---- Things -------------------------------------------------------------------------------- */

/* Without a boundary: Lambert's law. */
static tl_trace_matter chalk(float grey) {
    return (tl_trace_matter){.colour = {grey, grey, grey}, .roughness = 1, .refraction = 1};
}

static tl_trace_matter glass(float index) {
    return (tl_trace_matter){.colour = {1, 1, 1}, .clarity = 1, .refraction = index};
}

enum { RINGS = 48, AROUND = 96 };
static tl_vec3 ball_vertices[(RINGS + 1) * AROUND];
static float ball_normals[3 * (RINGS + 1) * AROUND];
static uint32_t ball_triangles[2 * RINGS * AROUND][3];

/* A ball of radius 1. */
static tl_trace_mesh ball(tl_trace_matter matter) {
    for (uint32_t r = 0; r <= RINGS; r++)
        for (uint32_t a = 0; a < AROUND; a++) {
            const double theta = M_PI * r / RINGS, phi = 2 * M_PI * a / AROUND;
            const uint32_t i = r * AROUND + a;
            ball_vertices[i] = (tl_vec3){sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
            ball_normals[3 * i] = (float)ball_vertices[i].x;
            ball_normals[3 * i + 1] = (float)ball_vertices[i].y;
            ball_normals[3 * i + 2] = (float)ball_vertices[i].z;
        }
    for (uint32_t r = 0; r < RINGS; r++)
        for (uint32_t a = 0; a < AROUND; a++) {
            const uint32_t i = r * AROUND + a, j = r * AROUND + (a + 1) % AROUND;
            uint32_t(*t)[3] = &ball_triangles[2 * i];
            t[0][0] = i, t[0][1] = i + AROUND, t[0][2] = j;
            t[1][0] = j, t[1][1] = i + AROUND, t[1][2] = j + AROUND;
        }
    return (tl_trace_mesh){.vertices = ball_vertices,
                           .triangles = (const uint32_t(*)[3])ball_triangles,
                           .vertex_count = (RINGS + 1) * AROUND,
                           .triangle_count = 2 * RINGS * AROUND,
                           .normals = ball_normals,
                           .pose = tl_pose_none(),
                           .matter = matter};
}

static tl_vec3 box_vertices[8];
static const uint32_t box_triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static tl_trace_mesh box(tl_vec3 from, tl_vec3 to, tl_trace_matter matter) {
    for (int c = 0; c < 8; c++)
        box_vertices[c] =
            (tl_vec3){c & 1 ? to.x : from.x, c & 2 ? to.y : from.y, c & 4 ? to.z : from.z};
    return (tl_trace_mesh){.vertices = box_vertices,
                           .triangles = box_triangles,
                           .vertex_count = 8,
                           .triangle_count = 12,
                           .pose = tl_pose_none(),
                           .matter = matter};
}

static tl_trace_plane ground(float grey) {
    return (tl_trace_plane){.normal = {0, 0, 1}, .matter = chalk(grey)};
}

static const tl_trace_sky white_sky = {{1, 1, 1}, {1, 1, 1}};

/* ---- Pictures ------------------------------------------------------------------------------ */

static tl_trace *trace(const tl_trace_scene *scene, tl_camera camera, int samples, int threads) {
    const tl_parallel parallel = {threads};
    tl_error error = {0};
    tl_trace *t;
    cr_assert_eq(tl_trace_create(&parallel, scene, &camera, W, H, &t, &error), TL_OK, "%s",
                 error.what);
    tl_trace_add(t, samples);
    return t;
}

static void light_of(const tl_trace_scene *scene, tl_camera camera, int samples, float *rgb) {
    tl_trace *t = trace(scene, camera, samples, 2);
    tl_trace_light_of(t, rgb);
    tl_trace_destroy(t);
}

/* The mean light of a picture. */
static double mean_light(const tl_trace_scene *scene, tl_camera camera, int samples) {
    static float rgb[3 * W * H];
    double sum = 0;
    light_of(scene, camera, samples, rgb);
    for (int i = 0; i < 3 * W * H; i++)
        sum += (double)rgb[i];
    return sum / (3 * W * H);
}

/* From (0, -10, 0); the ball of radius 1 fills most of it. */
static tl_camera front(void) { return (tl_camera){{0, -10, 0}, {0, 0, 0}, {0, 0, 1}, 0.21}; }

/* Straight down on a spot around the origin. */
static tl_camera above(void) { return (tl_camera){{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 0.002}; }

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

/* ---- Wax ----------------------------------------------------------------------------------- */

typedef struct slab_result {
    double reflected, passed;
} slab_result;

/* Walks into the top of a slab of a thickness in mean free paths. */
static slab_result walk_slab(double thickness, float grey, int count) {
    tl_trace_matter wax = {.colour = {grey, grey, grey}, .refraction = 1, .translucency = 1};
    const double wide = 20000;
    const tl_trace_mesh slab =
        box((tl_vec3){-wide, -wide, -thickness}, (tl_vec3){wide, wide, 0}, wax);
    const tl_trace_scene scene = {.meshes = &slab, .mesh_count = 1};
    const tl_camera camera = {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 1};
    tl_space space;
    tl_error error;
    slab_result r = {0, 0};
    cr_assert_eq(tl_space_make(&scene, &camera, &space, &error), TL_OK);
    tl_meeting enters = {.substance = space.things[0].substance,
                         .thing = &space.things[0],
                         .face = {0, 0, 1},
                         .normal = {0, 0, 1},
                         .colour = space.things[0].substance->colour};
    for (int i = 0; i < count; i++) {
        tl_meeting leaves;
        tl_float3 left;
        uint64_t rays = 0;
        if (!tl_walk(&space, &enters, tl_random_bits(3, (uint64_t)i), &leaves, &left, &rays))
            continue;
        *(leaves.face.z > 0 ? &r.reflected : &r.passed) += (double)left.x / count;
    }
    tl_space_free(&space);
    return r;
}

Test(trace, light_that_is_not_absorbed_leaves) {
    for (int k = 0; k < 3; k++) {
        const slab_result r = walk_slab(1 + 4 * k, 1, 20000);
        cr_expect_float_eq(r.reflected + r.passed, 1, 1e-6);
    }
}

/* Lambert's light through a slab of L mean free paths: T (L + 2 · 0.7104) = 4/3 when nothing is
 * absorbed (the walls of Milne's problem); the wall's 0.7104 holds from a few paths on. */
Test(trace, a_thick_slab_passes_as_diffusion_says) {
    for (int k = 0; k < 3; k++) {
        const double length = 4 << k;
        const slab_result r = walk_slab(length, 1, 100000);
        const double expected = 4.0 / 3 / (length + 2 * 0.7104);
        cr_expect_float_eq(r.passed, expected, 0.02 * expected, "%g: %.4f, %.4f", length, r.passed,
                           expected);
    }
}

/* With absorption it falls as exp(−κL), where a/2κ · ln((1 + κ)/(1 − κ)) = 1. */
Test(trace, a_thick_slab_of_dark_matter_passes_as_transport_says) {
    const float grey = 0.75f;
    const float linear = powf((0.75f + 0.055f) / 1.055f, 2.4f);
    const double a = (double)tl_substance_scattering((tl_float3){linear, linear, linear}).x;
    double low = 1e-6, high = 1 - 1e-9;
    for (int i = 0; i < 100; i++) {
        const double k = 0.5 * (low + high);
        *(a / (2 * k) * log((1 + k) / (1 - k)) < 1 ? &low : &high) = k;
    }
    const double t4 = walk_slab(4, grey, 200000).passed, t8 = walk_slab(8, grey, 200000).passed;
    cr_expect_float_eq(t8 / t4, exp(-4 * low), 0.03 * exp(-4 * low), "%.4f, %.4f", t8 / t4,
                       exp(-4 * low));
}

/* What the colour of a material promises. */
Test(trace, thick_wax_has_the_colour_of_its_material) {
    const float greys[] = {0.3f, 0.6f, 0.8f, 0.95f};
    for (int k = 0; k < 4; k++) {
        const double linear = pow(((double)greys[k] + 0.055) / 1.055, 2.4);
        const slab_result r = walk_slab(200, greys[k], 40000);
        cr_expect_float_eq(r.reflected, linear, 0.012, "%.3f for %.3f", r.reflected, linear);
    }
}

/* ---- Glow ---------------------------------------------------------------------------------- */

/* Platinum freezes at 2041.4 K and then has 60 cd/cm²: once the definition of the candela. */
Test(trace, platinum_shines_as_the_candela_had_it) {
    double xyz[3];
    tl_black_body(2041.4, xyz);
    cr_expect_float_eq(683 * xyz[1], 600000, 0.03 * 600000);
}

Test(trace, hot_matter_glows) {
    static float hot[(RINGS + 1) * AROUND];
    tl_trace_matter lava = chalk(0);
    lava.glows = true;
    tl_trace_mesh mesh = ball(lava);
    for (int i = 0; i < (RINGS + 1) * AROUND; i++)
        hot[i] = 1100;
    mesh.temperatures = hot;
    const tl_trace_scene scene = {.meshes = &mesh, .mesh_count = 1};
    tl_camera camera = front();
    camera.field_of_view = 0.02;
    static float rgb[3 * W * H];
    tl_glow glow;
    light_of(&scene, camera, 1, rgb);
    tl_glow_make(&glow);
    const tl_float3 expected = tl_glow_at(&glow, 1100);
    cr_expect_float_eq(rgb[0], expected.x, 1e-4f * expected.x);
    cr_expect_float_eq(rgb[1], expected.y, 1e-4f * expected.y);
}

/* ---- Samples ------------------------------------------------------------------------------- */

/* A bit of everything. */
static tl_trace_scene still_life(void) {
    static tl_trace_mesh meshes[2];
    static tl_trace_sphere sphere;
    static tl_trace_plane plane;
    static const tl_trace_light lights[2] = {
        {.towards = {-1, -1, 2}, .size = 0.4, .power = {0.5f, 0.5f, 0.4f}},
        {.position = {2, -2, 3}, .size = 0.3, .power = {2, 2, 2}}};
    meshes[0] = ball((tl_trace_matter){
        .colour = {0.9f, 0.8f, 0.6f}, .roughness = 0.4f, .refraction = 1.45f, .translucency = 0.1});
    meshes[1] = box((tl_vec3){0.8, -1.5, -1}, (tl_vec3){1.6, -0.8, 0}, glass(1.33f));
    sphere = (tl_trace_sphere){
        {-1.5, -0.8, -0.6},
        0.4,
        {.colour = {0.8f, 0.5f, 0.3f}, .metal = 1, .roughness = 0.3f, .refraction = 1.5f}};
    plane = (tl_trace_plane){
        .point = {0, 0, -1}, .normal = {0, 0, 1}, .fade = 20, .matter = chalk(0.7f)};
    return (tl_trace_scene){.meshes = meshes,
                            .mesh_count = 2,
                            .spheres = &sphere,
                            .sphere_count = 1,
                            .planes = &plane,
                            .plane_count = 1,
                            .lights = lights,
                            .light_count = 2,
                            .sky = {{0.3f, 0.4f, 0.5f}, {0.6f, 0.6f, 0.6f}},
                            .most = 8};
}

static tl_camera still_camera(void) {
    return (tl_camera){{1, -9, 3}, {0, 0, -0.2}, {0, 0, 1}, 0.4};
}

Test(trace, pixels_do_not_depend_on_the_number_of_threads) {
    static float a[3 * W * H], b[3 * W * H];
    const tl_trace_scene scene = still_life();
    tl_error error;
    tl_trace *one = trace(&scene, still_camera(), 5, 1),
             *three = trace(&scene, still_camera(), 5, 3);
    tl_trace_light_of(one, a), tl_trace_light_of(three, b);
    cr_expect_eq(memcmp(a, b, sizeof a), 0);
    cr_expect_eq(tl_trace_rays(one), tl_trace_rays(three));
    cr_assert_eq(tl_trace_denoise(one, a, &error), TL_OK);
    cr_assert_eq(tl_trace_denoise(three, b, &error), TL_OK);
    cr_expect_eq(memcmp(a, b, sizeof a), 0);
    tl_trace_destroy(one), tl_trace_destroy(three);
}

Test(trace, samples_may_be_added_in_parts) {
    static float a[3 * W * H], b[3 * W * H];
    const tl_trace_scene scene = still_life();
    tl_trace *once = trace(&scene, still_camera(), 6, 2),
             *parts = trace(&scene, still_camera(), 1, 2);
    tl_trace_add(parts, 2), tl_trace_add(parts, 3);
    tl_trace_light_of(once, a), tl_trace_light_of(parts, b);
    cr_expect_eq(tl_trace_samples(parts), 6);
    cr_expect_eq(memcmp(a, b, sizeof a), 0);
    tl_trace_destroy(once), tl_trace_destroy(parts);
}

/* Every 2^k samples of a pair have one in each of the 2^k boxes of any shape. */
Test(trace, samples_are_spread_evenly) {
    enum { COUNT = 64 };
    for (uint32_t pixel = 0; pixel < 20; pixel++)
        for (int columns = 1; columns <= COUNT; columns *= 2) {
            bool taken[COUNT] = {false};
            const int rows = COUNT / columns;
            for (uint32_t s = 0; s < COUNT; s++) {
                tl_sampler sampler = {pixel, s, 7};
                const tl_float2 u = tl_sampler_next(&sampler);
                const int box_number =
                    (int)(u.x * (float)columns) * rows + (int)(u.y * (float)rows);
                cr_assert_not(taken[box_number]);
                taken[box_number] = true;
            }
        }
}

static double distance_between(const float *a, const float *b) {
    double sum = 0;
    for (int i = 0; i < 3 * W * H; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum / (3 * W * H));
}

Test(trace, denoising_comes_nearer_to_the_truth) {
    static float truth[3 * W * H], noisy[3 * W * H], clean[3 * W * H];
    const tl_trace_scene scene = still_life();
    tl_error error;
    light_of(&scene, still_camera(), 256, truth);
    tl_trace *t = trace(&scene, still_camera(), 8, 2);
    tl_trace_light_of(t, noisy);
    cr_assert_eq(tl_trace_denoise(t, clean, &error), TL_OK);
    tl_trace_destroy(t);
    const double before = distance_between(noisy, truth), after = distance_between(clean, truth);
    cr_expect(after < 0.6 * before, "%.4f, %.4f", before, after);
}

Test(trace, light_becomes_bytes) {
    const float light[6] = {0, 0.25f, 1, 2, 0.0015f, -1};
    unsigned char rgb[6];
    tl_trace_develop(light, 2, 1, rgb);
    const unsigned char expected[6] = {0, 137, 255, 255, 5, 0};
    cr_expect_eq(memcmp(rgb, expected, 6), 0);
    tl_trace_develop(light, 2, 2, rgb);
    cr_expect_eq(rgb[1], 188);
}
