/* Flames and what melts beside them, in pictures. */
#include "render/preview.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = 160, H = 120, SIDE = 6, COUNT = SIDE * SIDE * SIDE };

static double places[3 * COUNT];

static unsigned char *draw(const tl_preview_scene *scene) {
    const tl_camera camera = {{0, -3, 0}, {0, 0, 0}, {0, 0, 1}, 0.5};
    const tl_parallel parallel = tl_parallel_adverse(1);
    tl_error error = {0};
    unsigned char *rgb = malloc((size_t)3 * W * H);
    cr_assert(rgb);
    cr_assert_eq(tl_preview_draw(&parallel, scene, &camera, W, H, rgb, &error), TL_OK);
    return rgb;
}

/* A block of matter that is all as warm. */
static unsigned char *draw_block(tl_preview_matter matter, float celsius) {
    static float temperatures[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        places[3 * i] = 0.1 * (double)(i % SIDE),
                   places[3 * i + 1] = 0.1 * (double)(i / SIDE % SIDE);
        places[3 * i + 2] = 0.1 * (double)(i / SIDE / SIDE);
        temperatures[i] = celsius;
    }
    const tl_preview_skin skin = {.count = COUNT,
                                  .spacing = 0.1,
                                  .temperatures = temperatures,
                                  .matters = &matter,
                                  .matter_count = 1};
    tl_preview_scene scene = tl_preview_default();
    scene.positions = places, scene.count = COUNT, scene.radius = 0.05;
    scene.skin = &skin;
    return draw(&scene);
}

Test(flames, what_is_molten_looks_as_its_melt_and_what_is_solid_as_before) {
    const tl_preview_matter solid = {.roughness = 0.4f, .translucency = 0.1f, .refraction = 1.4f};
    tl_preview_matter wax = solid, melt = solid;
    wax.melts = true, wax.solidus = wax.liquidus = 60;
    wax.melt_roughness = melt.roughness = 0.05f;
    wax.melt_translucency = melt.translucency = 0.3f;
    unsigned char *cold = draw_block(wax, 20), *warm = draw_block(wax, 80);
    unsigned char *as_solid = draw_block(solid, 20), *as_melt = draw_block(melt, 80);
    cr_expect_eq(memcmp(cold, as_solid, (size_t)3 * W * H), 0);
    cr_expect_eq(memcmp(warm, as_melt, (size_t)3 * W * H), 0);
    cr_expect_neq(memcmp(cold, warm, (size_t)3 * W * H), 0);
    free(cold), free(warm), free(as_solid), free(as_melt);
}

/* The principal axis of what is bright in a picture, from the vertical (rad). */
static double lean_of(tl_preview_flame flame) {
    const tl_preview_skin skin = {.spacing = 0.1};
    tl_preview_scene scene = tl_preview_default();
    scene.skin = &skin, scene.daylight = 0.05f;
    scene.flames = &flame, scene.flame_count = 1;
    unsigned char *rgb = draw(&scene);
    double sum = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++) {
            const unsigned char *p = rgb + 3 * (j * W + i);
            if (p[0] < 200)
                continue;
            sum++, x += i, y -= j, xx += i * i, xy -= i * j, yy += j * j;
        }
    free(rgb);
    cr_assert_gt(sum, 50);
    x /= sum, y /= sum;
    return 0.5 * atan2(2 * (xy / sum - x * y), yy / sum - y * y - (xx / sum - x * x));
}

Test(flames, are_drawn_along_their_way) {
    const tl_preview_flame upright = {.width = 0.2, .strength = 1};
    cr_expect_float_eq(lean_of(upright), 0, 0.01);
    for (int k = -2; k <= 2; k++) {
        const double angle = 0.3 * k;
        tl_preview_flame leans = upright;
        leans.up = (tl_vec3){sin(angle), 0, cos(angle)};
        const double found = lean_of(leans);
        cr_log_info("%.3f rad: drawn at %.3f", angle, found);
        cr_expect_float_eq(found, angle, 0.02);
    }
}

static int redness(double ember_width) {
    const tl_preview_skin skin = {.spacing = 0.1};
    tl_preview_scene scene = tl_preview_default();
    const tl_preview_flame flame = {.at = {0, 0, 5},
                                    .width = 0.01,
                                    .strength = 1,
                                    .ember = {0, 0, 0},
                                    .ember_width = ember_width};
    scene.skin = &skin, scene.daylight = 0.05f;
    scene.flames = &flame, scene.flame_count = 1;
    unsigned char *rgb = draw(&scene);
    const unsigned char *p = rgb + 3 * (H / 2 * W + W / 2);
    const int out = p[0] - p[2];
    free(rgb);
    return out;
}

Test(flames, the_end_of_a_wick_glows) {
    cr_expect_lt(redness(0), 20);
    cr_expect_gt(redness(0.2), 120);
}
