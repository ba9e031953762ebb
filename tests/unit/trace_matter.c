/* Light within wax, the light of hot matter, and how samples become a picture. */
#include "trace/flames.h"
#include "trace/picture.h"
#include "trace/scatter.h"
#include "trace/walk.h"
#include "trace_things.h"

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
    tl_glow_make(&glow, 0);
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
    /* 1 and 2 are 0.8 and 0.911 of white behind the shoulder. */
    const unsigned char expected[6] = {0, 137, 231, 245, 5, 0};
    cr_expect_eq(memcmp(rgb, expected, 6), 0);
    tl_trace_develop(light, 2, 2, rgb);
    cr_expect_eq(rgb[1], 188);
}

/* ---- Flames -------------------------------------------------------------------------------- */

/* Light along a ray that is turned about y together with the flame, by an angle. */
static tl_float3 light_of_turned(double angle, tl_vec3 from, tl_vec3 along, float *passes) {
    const double c = cos(angle), s = sin(angle);
    const tl_trace_flame flame = {.up = {s, 0, c}, .width = 0.1, .strength = 1};
    const tl_trace_scene scene = {.flames = &flame, .flame_count = 1};
    tl_space space = {0};
    tl_flames flames;
    tl_error error;
    cr_assert_eq(tl_flames_make(&scene, &space, &flames, &error), TL_OK);
    tl_ray ray = {0};
    ray.from = tl_float3_of((tl_vec3){c * from.x + s * from.z, from.y, c * from.z - s * from.x});
    ray.along =
        tl_float3_of((tl_vec3){c * along.x + s * along.z, along.y, c * along.z - s * along.x});
    const tl_float3 light = tl_flames_meet(&flames, &ray, 10, passes);
    tl_arena_free(&space.arena);
    return light;
}

Test(flames, lean_without_a_change_of_their_light) {
    const tl_vec3 from = {0.01, -1, 0.05}, along = {0, 1, 0};
    float stays, passes;
    const tl_float3 upright = light_of_turned(0, from, along, &stays);
    cr_expect_gt(upright.x, 0.5f);
    for (int k = -2; k <= 2; k++) {
        const tl_float3 leans = light_of_turned(0.4 * k, from, along, &passes);
        cr_expect_float_eq(leans.x, upright.x, 1e-4f, "%g", (double)leans.x);
        cr_expect_float_eq(leans.z, upright.z, 1e-4f);
        cr_expect_float_eq(passes, stays, 1e-4f);
    }
    const tl_float3 missed = light_of_turned(0.8, from, (tl_vec3){0, -1, 0}, &passes);
    cr_expect(missed.x == 0 && passes == 1);
}
