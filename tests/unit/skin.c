/* The smooth skin over particles: shapes, nearness and normals, light in and through matter, the
 * colour of heat, and that threads and strange scenes leave no trace. */
#include "render/develop.h"
#include "render/glow.h"
#include "render/lay.h"
#include "render/preview.h"
#include "render/triangles.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { W = 320, H = 240, MOST = 60000 };

static double places[3 * MOST];

/* From (0, -d, 0) along y: world x is right, z is up. */
static tl_camera front_camera(double distance) {
    return (tl_camera){{0, -distance, 0}, {0, 0, 0}, {0, 0, 1}, 0.5};
}

/* The particles of a lattice, moved by up to `jitter` spacings, that `is_in` wants. */
static size_t fill(double spacing, double reach, double jitter, bool (*is_in)(tl_vec3)) {
    const int n = (int)ceil(reach / spacing);
    size_t count = 0;
    for (int k = -n; k <= n; k++)
        for (int j = -n; j <= n; j++)
            for (int i = -n; i <= n; i++) {
                const tl_vec3 p = {(i + 0.5) * spacing, (j + 0.5) * spacing, (k + 0.5) * spacing};
                const double at[3] = {p.x, p.y, p.z};
                if (!is_in(p))
                    continue;
                cr_assert_lt(count, MOST);
                for (size_t c = 0; c < 3; c++)
                    places[3 * count + c] =
                        at[c] + jitter * spacing * (2 * tl_random_uniform(3, 3 * count + c) - 1);
                count++;
            }
    return count;
}

static bool in_ball(tl_vec3 p) { return tl_vec3_length(p) < 1; }
static bool in_block(tl_vec3 p) { return fabs(p.x) < 1 && fabs(p.y) < 0.5 && fabs(p.z) < 1; }
/* A sheet to the left, and one farther off to the right that reaches behind it. */
static bool in_sheets(tl_vec3 p) {
    return fabs(p.z) < 1 && ((p.x < 0 && p.y > -1 && p.y < -0.8) || (p.y > 0.8 && p.y < 1));
}

static tl_preview_scene skinned(const tl_preview_skin *skin) {
    tl_preview_scene scene = tl_preview_default();
    scene.positions = places;
    scene.count = skin->count;
    scene.radius = 0.5 * skin->spacing;
    scene.skin = skin;
    return scene;
}

/* A picture up to its skin. */
typedef struct studio {
    tl_arena arena;
    tl_view view;
    tl_skin skin;
    tl_preview_scene rest;
    float raw[W * H]; /* nearness before it is smoothed */
} studio;

static void set_up(studio *s, const tl_preview_scene *scene, const tl_camera *camera) {
    const tl_parallel parallel = {.threads = 2};
    tl_error error;
    *s = (studio){.rest = *scene};
    s->rest.count = 0;
    cr_assert_eq(tl_view_create(&s->arena, &s->rest, camera, W, H, &s->view, &error), TL_OK);
    cr_assert_eq(tl_skin_make(&parallel, &s->arena, &s->view, scene, &s->skin, &error), TL_OK);
    s->view.skin = &s->skin;
    cr_assert_eq(tl_triangles_build(&parallel, &s->arena, &s->view, &error), TL_OK);
    cr_assert_eq(tl_raster(&parallel, &s->arena, &s->view, &error), TL_OK);
    memcpy(s->raw, s->skin.near, sizeof s->raw);
    cr_assert_eq(tl_skin_soften(&parallel, &s->arena, &s->view, &error), TL_OK);
    static tl_float3 scratch[W * H];
    tl_skin_turn(&parallel, &s->view, scratch);
}

static tl_surface at_pixel(const studio *s, int x, int y) {
    return tl_skin_at(&s->skin, (size_t)y * W + (size_t)x, tl_pixel_x(&s->view, x),
                      tl_pixel_y(&s->view, y));
}

static double angle_between(tl_float3 a, tl_float3 b) {
    return acos(fmin(fmax((double)tl_float3_dot(a, b), -1), 1)) * 180 / M_PI;
}

Test(skin, a_ball_of_particles_has_the_normals_of_a_ball) {
    const double spacing = 0.08;
    const tl_preview_skin skin = {.count = fill(spacing, 1, 0.1, in_ball), .spacing = spacing};
    const tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    static studio s;
    set_up(&s, &scene, &camera);
    const tl_float3 middle = {0, 0, 6};
    double squares = 0, number = 0, offset = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const float rx = tl_pixel_x(&s.view, x), ry = tl_pixel_y(&s.view, y);
            if (rx * rx + ry * ry > 0.8f * 0.8f / 36)
                continue; /* within eight tenths of the radius: up to 53° from the line of sight */
            cr_assert_eq(s.skin.cover[y * W + x], 4, "a hole at %d, %d", x, y);
            const tl_surface at = at_pixel(&s, x, y);
            const tl_float3 out = tl_float3_sub(at.position, middle);
            const double angle = angle_between(at.normal, tl_float3_unit(out));
            squares += angle * angle, number++;
            offset += sqrt((double)tl_float3_dot(out, out)) - 1;
        }
    cr_expect_lt(sqrt(squares / number), 6, "%g degrees", sqrt(squares / number));
    /* It lies where the ball ends, to a third of a spacing. */
    cr_expect_lt(fabs(offset / number), 0.35 * spacing, "%g", offset / number / spacing);
    tl_arena_free(&s.arena);
}

Test(skin, faces_of_a_block_are_flat) {
    const double spacing = 0.1;
    const tl_preview_skin skin = {.count = fill(spacing, 1, 0.1, in_block), .spacing = spacing};
    const tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    static studio s;
    set_up(&s, &scene, &camera);
    const tl_float3 straight = {0, 0, -1};
    double squares = 0, number = 0, depths = 0;
    for (int y = H / 2 - 50; y < H / 2 + 50; y++)
        for (int x = W / 2 - 50; x < W / 2 + 50; x++) {
            const tl_surface at = at_pixel(&s, x, y);
            const double angle = angle_between(at.normal, straight);
            squares += angle * angle, number++;
            depths += (double)at.depth;
        }
    cr_expect_lt(sqrt(squares / number), 3, "%g degrees", sqrt(squares / number));
    cr_expect_lt(fabs(depths / number - 5.5), 0.25 * spacing, "%g", depths / number);
    tl_arena_free(&s.arena);
}

Test(skin, smoothing_leaves_no_dents_at_edges_of_depth) {
    const double spacing = 0.05;
    const tl_preview_skin skin = {.count = fill(spacing, 1, 0, in_sheets), .spacing = spacing};
    const tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    static studio s;
    set_up(&s, &scene, &camera);
    int front = 0, back = 0;
    for (int y = H / 2 - 40; y < H / 2 + 40; y++)
        for (int x = W / 2 - 40; x < W / 2 + 40; x++) {
            /* The sheets are 1.8 m apart, and nothing is between them. */
            const double depth = (double)at_pixel(&s, x, y).depth;
            const double drawn = 1 / (double)s.raw[y * W + x];
            const bool is_front = fabs(depth - 5) < 1.3 * spacing;
            const bool is_back = fabs(depth - 6.8) < 1.3 * spacing;
            cr_assert(is_front || is_back, "%g m at %d, %d", depth, x, y);
            cr_assert_lt(fabs(depth - drawn), 0.3 * spacing, "%g instead of %g", depth, drawn);
            front += is_front, back += is_back;
        }
    cr_expect_gt(front, 2000);
    cr_expect_gt(back, 2000);
    tl_arena_free(&s.arena);
}

/* Pixels of the skin in a row. */
static int width_of(const studio *s, int y) {
    int wide = 0;
    for (int x = 0; x < W; x++)
        wide += s->skin.near[y * W + x] > 0;
    return wide;
}

Test(skin, drops_of_ellipsoids_protrude_and_have_tips) {
    /* A thread that ends: with balls its end is blunt [Chao12 fig. 4.5]. */
    const double spacing = 0.1;
    size_t count = 0;
    for (int k = 0; k < 8; k++, count++)
        places[3 * count] = 0, places[3 * count + 1] = 0, places[3 * count + 2] = k * spacing;
    int low[2] = {0}, tip[2] = {0};
    for (int round = 0; round < 2; round++) {
        const tl_preview_skin skin = {.count = count, .spacing = spacing, .round = round};
        const tl_preview_scene scene = skinned(&skin);
        const tl_camera camera = front_camera(3);
        static studio s;
        set_up(&s, &scene, &camera);
        for (int y = 0; y < H; y++)
            low[round] = width_of(&s, y) > 0 ? y : low[round];
        tip[round] = width_of(&s, low[round] - 5);
        tl_arena_free(&s.arena);
    }
    cr_expect_gt(low[0], low[1] + 4, "%d %d", low[0], low[1]);
    cr_expect_lt(tip[0], 0.8 * tip[1], "%d %d", tip[0], tip[1]);
}

/* The lowest row of the skin over a column, in m below the middle, at a distance from the eye. */
static double lowest(const studio *s, int x, double distance) {
    int y = H - 1;
    while (y > 0 && s->skin.cover[y * W + x] < 2)
        y--;
    return -distance * (double)tl_pixel_y(&s->view, y);
}

/* A block whose lowest particles are to touch something, and one particle alone. */
Test(skin, what_has_a_way_to_a_wall_reaches_it) {
    const double spacing = 0.1, reach = 0.15;
    static float ways[3 * MOST];
    size_t count = fill(spacing, 1, 0, in_block);
    for (size_t i = 0; i < count; i++)
        ways[3 * i + 2] = places[3 * i + 2] < -0.9 ? -(float)reach : 0;
    const double alone[3] = {1.5, -0.5, 0};
    memcpy(&places[3 * count], alone, sizeof alone);
    ways[3 * count++ + 2] = -(float)reach;
    const tl_preview_skin skin = {.count = count, .spacing = spacing, .ways = ways};
    const tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    static studio s;
    set_up(&s, &scene, &camera);
    const double pixel = 5.5 * (double)s.view.pixel;
    const int column = (int)(W / 2 + 1.5 / pixel), below = (int)(W / 2 + 0.05 / pixel);
    /* Shapes of the front are moved inwards: their lowest points lie behind the particles. */
    cr_expect_float_eq(lowest(&s, below, 5.6), 0.95 + reach, 2 * pixel, "the block: %g",
                       lowest(&s, below, 5.6));
    cr_expect_float_eq(lowest(&s, column, 5.5), reach, 1.5 * pixel, "the one: %g",
                       lowest(&s, column, 5.5));
    cr_expect_lt(s.skin.cover[(int)(H / 2 - 0.02 / pixel) * W + column], 4, "it is moved");
    tl_arena_free(&s.arena);
}

/* Two that are stretched towards the eye, and a third that makes colours differ. */
Test(skin, what_points_at_the_eye_has_its_colour) {
    const double spacing = 0.1;
    const double at[9] = {0, -0.6 * spacing, 0, 0, 0.6 * spacing, 0, 1, 0, 0};
    static float colours[9] = {1, 0.5f, 0.25f, 1, 0.5f, 0.25f, 0, 1, 0};
    memcpy(places, at, sizeof at);
    const tl_preview_skin skin = {.count = 3, .spacing = spacing};
    tl_preview_scene scene = skinned(&skin);
    scene.colours = colours;
    const tl_camera camera = front_camera(6);
    static studio s;
    set_up(&s, &scene, &camera);
    const tl_float3 wanted = tl_linear(colours);
    for (int y = H / 2 - 1; y <= H / 2; y++)
        for (int x = W / 2 - 1; x <= W / 2; x++) {
            const tl_float3 found = tl_skin_paint(&s.skin, (size_t)(y * W + x)).colour;
            cr_assert_eq(s.skin.cover[y * W + x], 4);
            cr_expect_float_eq(found.x, wanted.x, 1e-4f, "%g", (double)found.x);
            cr_expect_float_eq(found.y, wanted.y, 1e-4f, "%g", (double)found.y);
        }
    tl_arena_free(&s.arena);
}

static unsigned char *draw(const tl_preview_scene *scene, const tl_camera *camera, int threads) {
    const tl_parallel parallel = tl_parallel_adverse(threads);
    tl_error error;
    unsigned char *rgb = malloc((size_t)3 * W * H);
    cr_assert(rgb);
    cr_assert_eq(tl_preview_draw(&parallel, scene, camera, W, H, rgb, &error), TL_OK);
    return rgb;
}

Test(skin, pixels_do_not_depend_on_the_number_of_threads) {
    enum { COUNT = 5000 };
    static float colours[3 * (COUNT + 1)], temperatures[COUNT], velocities[3 * COUNT];
    static uint8_t kinds[COUNT];
    static float radii[COUNT + 1];
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < 3; k++) {
            places[3 * i + k] = tl_random_uniform(1, 3 * i + k) - 0.5;
            colours[3 * i + k] = (float)tl_random_uniform(2, 3 * i + k);
            velocities[3 * i + k] = (float)tl_random_uniform(3, 3 * i + k);
        }
        temperatures[i] = (float)(1300 * tl_random_uniform(4, i));
        kinds[i] = (uint8_t)(i % 2);
        radii[i] = 0.05f;
    }
    places[3 * COUNT] = 1, places[3 * COUNT + 1] = 0, places[3 * COUNT + 2] = 0;
    radii[COUNT] = 0.3f;
    const tl_preview_matter matters[2] = {
        {.roughness = 0.3f, .translucency = 0.1f, .refraction = 1.4f, .glows = true},
        {.roughness = 0.1f, .clarity = 0.9f, .refraction = 1.3f}};
    const tl_preview_skin skin = {.count = COUNT,
                                  .spacing = 0.06,
                                  .velocities = velocities,
                                  .shutter = 0.1,
                                  .temperatures = temperatures,
                                  .kinds = kinds,
                                  .matters = matters,
                                  .matter_count = 2};
    const tl_preview_light lights[2] = {
        {.at = {-1, -1, 2}, .colour = {1, 1, 1}, .strength = 1, .size = 0.1f},
        {.at = {0, 0, 0.9}, .is_near = true, .colour = {1, 0.8f, 0.5f}, .strength = 1}};
    const tl_preview_flame flame = {.at = {0, 0, 0.9}, .width = 0.1, .strength = 1};
    const tl_preview_plane floor = {
        .point = {0, 0, -0.5}, .normal = {0, 0, 1}, .colour = {1, 1, 1}};
    const tl_preview_box tank = {.from = {-0.6, -0.6, -0.5}, .to = {0.6, 0.6, 0.6}};
    tl_preview_scene scene = skinned(&skin);
    scene.count = COUNT + 1, scene.radii = radii, scene.colours = colours;
    scene.lights = lights, scene.light_count = 2;
    scene.flames = &flame, scene.flame_count = 1;
    scene.planes = &floor, scene.plane_count = 1;
    scene.boxes = &tank, scene.box_count = 1;
    const tl_camera camera = {{1, -3, 1.5}, {0, 0, 0}, {0, 0, 1}, 0.6};
    unsigned char *one = draw(&scene, &camera, 1);
    for (int threads = 2; threads <= 3; threads++) {
        unsigned char *many = draw(&scene, &camera, threads);
        cr_expect_eq(memcmp(one, many, 3 * W * H), 0, "%d threads", threads);
        free(many);
    }
    free(one);
}

/* What particles do between two frames of a slow flow: all move a little, each its own way. */
Test(skin, small_moves_change_the_picture_little) {
    const double spacing = 0.08;
    const tl_preview_matter wax = {.roughness = 0.35f, .translucency = 0.1f, .refraction = 1.45f};
    const tl_preview_skin skin = {.count = fill(spacing, 1, 0.2, in_ball),
                                  .spacing = spacing,
                                  .matters = &wax,
                                  .matter_count = 1};
    const tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    unsigned char *before = draw(&scene, &camera, 2);
    for (size_t i = 0; i < 3 * skin.count; i++)
        places[i] += 0.005 * spacing * (2 * tl_random_uniform(9, i) - 1);
    unsigned char *after = draw(&scene, &camera, 2);
    int most = 0, most_at_rim = 0;
    double sum = 0;
    for (int i = 0; i < 3 * W * H; i++) {
        const int change = abs((int)before[i] - (int)after[i]);
        const bool is_within = hypot(i / 3 % W - W / 2, i / 3 / W - H / 2) < 72; /* of 78 pixels */
        int *greatest = is_within ? &most : &most_at_rim;
        *greatest = change > *greatest ? change : *greatest;
        sum += change;
    }
    cr_expect_lt(sum / (3 * W * H), 0.1, "%g", sum / (3 * W * H));
    cr_expect_lt(most, 12, "%d", most);
    cr_expect_lt(most_at_rim, 110, "%d", most_at_rim); /* samples come and go */
    free(before);
    free(after);
}

static bool in_slab(tl_vec3 p) { return fabs(p.x) < 1 && fabs(p.y) < 1 && fabs(p.z) < 0.25; }

static tl_lamp lamp_of(studio *s, const tl_preview_light *light, tl_preview_scene *scene) {
    const tl_parallel parallel = {.threads = 1};
    tl_lamps lamps;
    tl_error error;
    scene->lights = light, scene->light_count = 1;
    cr_assert_eq(tl_lamps_make(&parallel, &s->arena, &s->view, &lamps, &error), TL_OK);
    return lamps.items[0];
}

/* Light through a slab half a metre thick, lit from above, where it leaves it. */
static void expect_exponential(const tl_preview_light *light) {
    const double spacing = 0.05;
    const tl_preview_skin skin = {.count = fill(spacing, 1, 0, in_slab), .spacing = spacing};
    tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    const tl_wide turn[2] = {tl_splat(1), tl_splat(0)}, none = tl_splat(0);
    static studio s;
    set_up(&s, &scene, &camera);
    const tl_lamp lamp = lamp_of(&s, light, &scene);
    const tl_wide3 below =
        tl_wide3_splat(tl_float3_of(tl_view_point(&s.view, (tl_vec3){0, 0, -0.25})));
    for (double length = 0.1; length < 1; length *= 2) {
        const tl_wide3 lengths =
            tl_wide3_splat((tl_float3){(float)length, (float)length / 2, 1e9f});
        tl_wide3 left;
        cr_expect_eq(tl_lane(tl_lamp_enters(&lamp, below, none, lengths, turn, &left), 0), 0);
        /* The face is known to a quarter of a spacing. */
        const double off = 0.25 * spacing / length;
        cr_expect_float_eq((double)tl_lane(left.x, 0), exp(-0.5 / length),
                           off * exp(-0.5 / length));
        cr_expect_float_eq((double)tl_lane(left.y, 0), exp(-1 / length),
                           2 * off * exp(-1 / length) + 1e-6);
        cr_expect_float_eq((double)tl_lane(left.z, 0), 1, 1e-6);
    }
    cr_expect_eq(tl_lane(tl_lamp_reaches(&lamp, below, turn), 0), 0);
    const tl_wide3 above =
        tl_wide3_splat(tl_float3_of(tl_view_point(&s.view, (tl_vec3){0, 0, 0.3})));
    cr_expect_eq(tl_lane(tl_lamp_reaches(&lamp, above, turn), 0), 1);
    tl_arena_free(&s.arena);
}

Test(skin, light_from_afar_fades_exponentially_in_matter) {
    expect_exponential(
        &(tl_preview_light){.at = {0, 0, 1}, .colour = {1, 1, 1}, .strength = 1, .size = 0.01f});
}

Test(skin, light_of_a_lamp_near_by_fades_exponentially_in_matter) {
    expect_exponential(&(tl_preview_light){
        .at = {0, 0, 2}, .is_near = true, .colour = {1, 1, 1}, .strength = 1, .size = 0.01f});
}

/* A second one, far off, makes the texels as large as they are in a scene. */
Test(skin, the_shadow_of_one_particle_has_no_holes) {
    const double spacing = 0.1, at[6] = {0, 0, 0, 2, 0, 0};
    memcpy(places, at, sizeof at);
    const tl_preview_skin skin = {.count = 2, .spacing = spacing};
    tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    const tl_preview_light light = {
        .at = {0, 0, 1}, .colour = {1, 1, 1}, .strength = 1, .size = 0.02f};
    static studio s;
    set_up(&s, &scene, &camera);
    const tl_lamp lamp = lamp_of(&s, &light, &scene);
    const tl_vec3 below = {0.3 * spacing, 0, -1.5 * spacing};
    const tl_wide3 point = tl_wide3_splat(tl_float3_of(tl_view_point(&s.view, below)));
    for (int k = 0; k < 64; k++) {
        const float angle = (float)(2 * M_PI / 64 * k);
        const tl_wide turn[2] = {tl_splat(cosf(angle)), tl_splat(sinf(angle))};
        const double lit = (double)tl_lane(tl_lamp_reaches(&lamp, point, turn), 0);
        cr_expect_lt(lit, 0.1, "%g of the light at %g", lit, (double)angle);
    }
    tl_arena_free(&s.arena);
}

Test(skin, a_black_body_has_the_chromaticity_of_illuminant_a) {
    double xyz[3];
    tl_black_body(2856, xyz);
    const double sum = xyz[0] + xyz[1] + xyz[2];
    cr_expect_float_eq(xyz[0] / sum, 0.4476, 0.003, "%g", xyz[0] / sum);
    cr_expect_float_eq(xyz[1] / sum, 0.4074, 0.003, "%g", xyz[1] / sum);
}

Test(skin, heat_glows_dull_red_then_orange) {
    static tl_glow glow;
    tl_glow_make(&glow, 0);
    const tl_float3 cold = tl_glow_at(&glow, 300), dull = tl_glow_at(&glow, 700),
                    orange = tl_glow_at(&glow, 1100);
    cr_expect_eq(cold.x, 0);
    cr_expect(dull.x > 0.02f && dull.x < 0.2f && dull.y < 0.25f * dull.x, "%g", (double)dull.x);
    /* The red is more than a screen can show, and the green makes it orange. */
    cr_expect(orange.x > 1 && orange.y > 0.2f && orange.y < 0.7f && orange.z < 0.1f);
    for (int t = 500; t < 1500; t += 50)
        cr_expect_gt(tl_glow_at(&glow, (float)t + 50).x, tl_glow_at(&glow, (float)t).x);
}

/* How bright the eye finds linear light. */
static double luminance(tl_float3 c) {
    return 0.2126 * (double)c.x + 0.7152 * (double)c.y + 0.0722 * (double)c.z;
}

Test(skin, exposed_for_the_hottest_a_crust_is_as_dark_as_it_is) {
    static tl_glow glow;
    double hot[3], crust[3];
    tl_glow_make(&glow, 1150);
    tl_black_body(1150 + 273.15, hot);
    tl_black_body(950 + 273.15, crust);
    const tl_float3 core = tl_glow_at(&glow, 1150), rim = tl_glow_at(&glow, 950);
    cr_expect_float_eq(luminance(rim) / luminance(core), crust[1] / hot[1], 0.03, "%g of %g",
                       luminance(rim) / luminance(core), crust[1] / hot[1]);
    cr_expect(core.x > 1 && core.x < 2, "a little over white: %g", (double)core.x);
    cr_expect_lt(rim.x, 0.2f, "%g", (double)rim.x);
}

Test(skin, what_is_brighter_than_white_is_told_from_it) {
    cr_expect_eq(tl_shoulder(0.5f), 0.5f);
    cr_expect_lt(tl_shoulder(1) + 0.05f, tl_shoulder(2));
    cr_expect_lt(tl_shoulder(2) + 0.05f, tl_shoulder(6));
    cr_expect_lt(tl_shoulder(1e6f), 1.0001f);
}

/* Bytes of a ball of metal over a floor, where it mirrors what is straight below and above it. */
static void mirror_floor(float grey, int *below, int *above) {
    const tl_preview_matter metal = {.roughness = 0.2f, .refraction = 1.45f, .metal = 1};
    const tl_preview_plane floor = {
        .point = {0, 0, -1.5}, .normal = {0, 0, 1}, .colour = {grey, grey, grey}, .grid = -1};
    const tl_preview_skin skin = {
        .count = fill(0.1, 1, 0.05, in_ball), .spacing = 0.1, .matters = &metal, .matter_count = 1};
    tl_preview_scene scene = skinned(&skin);
    const tl_camera camera = front_camera(6);
    scene.planes = &floor, scene.plane_count = 1;
    scene.colour[0] = scene.colour[1] = scene.colour[2] = 0.9f;
    unsigned char *rgb = draw(&scene, &camera, 2);
    const int away = 62; /* rows, to where the normal lies half way between that and the eye */
    *below = rgb[3 * ((H / 2 + away) * W + W / 2)];
    *above = rgb[3 * ((H / 2 - away) * W + W / 2)];
    free(rgb);
}

Test(skin, metal_mirrors_the_floor_below_it) {
    int white[2], black[2];
    mirror_floor(0.9f, &white[0], &white[1]);
    mirror_floor(0, &black[0], &black[1]);
    cr_expect_gt(white[0], 180, "%d", white[0]);
    cr_expect_lt(black[0], 60, "%d", black[0]);
    cr_expect_eq(white[1], black[1], "the sky does not change");
}

Test(skin, strange_scenes_are_drawn) {
    const tl_camera camera = front_camera(6);
    tl_preview_skin skin = {.spacing = 0.1};
    tl_preview_scene scene = skinned(&skin);
    free(draw(&scene, &camera, 2)); /* nothing at all */
    memset(places, 0, sizeof places);
    skin.count = scene.count = 1;
    unsigned char *one = draw(&scene, &camera, 2);
    const unsigned char *middle = one + 3 * (H / 2 * W + W / 2);
    cr_expect_gt(middle[2], middle[0] + 40, "one particle is seen, and is blue");
    free(one);
    places[0] = (double)NAN, places[3] = 1e300, places[6] = (double)INFINITY, places[9] = 1e12;
    skin.count = scene.count = 20; /* the others all at one place */
    free(draw(&scene, &camera, 2));
    skin.count = scene.count = fill(0.1, 1, 0.1, in_ball);
    const tl_camera within = {{0, 0.03, 0.02}, {1, 1, 1}, {0, 0, 1}, 1.5};
    free(draw(&scene, &within, 2));
    for (size_t i = 0; i < MOST; i++) /* all behind the camera */
        places[3 * i] = (double)(i % 200), places[3 * i + 1] = -100 - (double)(i / 200),
                   places[3 * i + 2] = 0;
    skin.count = scene.count = MOST;
    free(draw(&scene, &camera, 2));
}
