/* The preview picture: where things are drawn, what hides and shades what, and that threads and bad
 * numbers leave no trace in it. */
#include "preview_pictures.h"

enum { HEAP = 3000 };
static double heap[3 * HEAP];
static float heap_colours[3 * HEAP];

static tl_preview_scene heap_scene(void) {
    for (uint64_t i = 0; i < 3 * HEAP; i++) {
        heap[i] = 2 * tl_random_uniform(5, i) - 1;
        heap_colours[i] = (float)tl_random_uniform(6, i);
    }
    tl_preview_scene scene = tl_preview_default();
    scene.positions = heap;
    scene.count = HEAP;
    scene.radius = 0.06;
    scene.colours = heap_colours;
    return scene;
}

Test(render, pixels_do_not_depend_on_the_number_of_threads) {
    tl_preview_scene scene = heap_scene();
    const tl_preview_plane floor = {.point = {0, 0, -1}, .normal = {0, 0, 1}, .colour = {1, 1, 1}};
    const tl_preview_box boxes[2] = {{.from = {-1, -1, -1}, .to = {1, 1, 1}},
                                     {.from = {0, 0, -1}, .to = {2, 2, 0}, .filled = true}};
    const tl_preview_mesh mesh = sheet_mesh(0.3);
    scene.meshes = &mesh, scene.mesh_count = 1;
    const tl_preview_legend legend = {"speed, m/s", 0, 2, tl_colormap_by_name("turbo")};
    scene.planes = &floor, scene.plane_count = 1;
    scene.boxes = boxes, scene.box_count = 2;
    scene.legend = &legend, scene.caption = "t = 1 s";
    tl_camera camera;
    tl_camera_frame((tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 1}, W, H, &camera);
    unsigned char *one = draw_sized(&scene, &camera, W, H, 1);
    for (int threads = 2; threads <= 8; threads += threads == 3 ? 5 : 1) {
        unsigned char *many = draw_sized(&scene, &camera, W, H, threads);
        cr_expect_eq(memcmp(one, many, 3 * W * H), 0, "%d threads", threads);
        free(many);
    }
    free(one);
}

Test(render, sphere_covers_the_disc_of_its_tangent_cone) {
    const double position[3] = {0, 0, 0};
    tl_preview_scene scene = red_on_black();
    scene.positions = position, scene.count = 1, scene.radius = 1.5;
    const tl_camera camera = front_camera();
    unsigned char *rgb = draw(&scene, &camera);
    const double radius = tan(asin(1.5 / 10)) * pixels_per_slope(0.5);
    const double expected = 3.14159265 * radius * radius, area = drawn_area(rgb);
    cr_expect_lt(fabs(area / expected - 1), 0.02, "%g pixels instead of %g", area, expected);
    free(rgb);
}

Test(render, sphere_off_the_axis_spans_its_tangent_rays) {
    const double x = 2.2, z = -1.1, r = 0.7, position[3] = {x, 0, z};
    tl_preview_scene scene = red_on_black();
    scene.positions = position, scene.count = 1, scene.radius = r;
    const tl_camera camera = front_camera();
    unsigned char *rgb = draw(&scene, &camera);
    int left = W, right = -1, top = H, bottom = -1;
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++)
            if (is_drawn(rgb, i, j)) {
                left = i < left ? i : left, right = i > right ? i : right;
                top = j < top ? j : top, bottom = j > bottom ? j : bottom;
            }
    /* In the plane of an axis the tangents are the direction of the centre ± asin(r / distance). */
    const double scale = pixels_per_slope(0.5);
    const double ax = atan2(x, 10), bx = asin(r / hypot(x, 10));
    const double az = atan2(z, 10), bz = asin(r / hypot(z, 10));
    cr_expect_lt(fabs(left - (W / 2.0 + tan(ax - bx) * scale)), 1.2);
    cr_expect_lt(fabs(right + 1 - (W / 2.0 + tan(ax + bx) * scale)), 1.2);
    cr_expect_lt(fabs(top - (H / 2.0 - tan(az + bz) * scale)), 1.2);
    cr_expect_lt(fabs(bottom + 1 - (H / 2.0 - tan(az - bz) * scale)), 1.2);
    free(rgb);
}

Test(render, sphere_in_a_long_lens_keeps_its_size) {
    /* 12 pixels at 10 km: the textbook formula in floats turns it into noise. */
    const double position[3] = {20, 10000, 10};
    tl_preview_scene scene = red_on_black();
    tl_camera camera = front_camera();
    camera.field_of_view = 0.01;
    const double scale = pixels_per_slope(camera.field_of_view);
    scene.positions = position, scene.count = 1, scene.radius = 12 / scale * 10010;
    unsigned char *rgb = draw(&scene, &camera);
    const double expected = 3.14159265 * 12 * 12;
    cr_expect_lt(fabs(drawn_area(rgb) / expected - 1), 0.04, "%g", drawn_area(rgb));
    free(rgb);
}

Test(render, sphere_behind_the_camera_or_around_it_is_not_drawn) {
    const double positions[3][3] = {{0, -30, 0}, {0, -10.5, 0}, {0, -9.5, 0}};
    tl_preview_scene scene = red_on_black();
    scene.positions = positions[0], scene.count = 3, scene.radius = 3;
    const tl_camera camera = front_camera();
    unsigned char *rgb = draw(&scene, &camera);
    cr_expect_eq(drawn_area(rgb), 0);
    free(rgb);
}

Test(render, nearer_sphere_hides_the_farther_in_any_order) {
    for (int first = 0; first < 2; first++) {
        const double positions[2][3] = {{0, first ? 2 : -2, 0}, {0, first ? -2 : 2, 0}};
        const float colours[2][3] = {{first ? 0 : 1, 0, first ? 1 : 0},
                                     {first ? 1 : 0, 0, first ? 0 : 1}};
        tl_preview_scene scene = red_on_black();
        scene.positions = positions[0], scene.count = 2, scene.radius = 0.5;
        scene.colours = colours[0];
        const tl_camera camera = front_camera();
        unsigned char *rgb = draw(&scene, &camera);
        const unsigned char *p = rgb + 3 * (H / 2 * W + W / 2);
        cr_expect(p[0] > 60 && p[0] > 2 * p[2], "%d %d %d", p[0], p[1], p[2]);
        free(rgb);
    }
}

Test(render, picture_of_nothing_is_the_background) {
    tl_preview_scene scene = tl_preview_default();
    const tl_camera camera = front_camera();
    unsigned char *rgb = draw(&scene, &camera);
    for (int k = 0; k < 3; k++) {
        cr_expect_lt(fabs(rgb[k] - 255 * (double)scene.background_top[k]), 1.5);
        cr_expect_lt(fabs(rgb[3 * (H - 1) * W + k] - 255 * (double)scene.background_bottom[k]),
                     1.5);
    }
    for (int y = 0; y < H; y++)
        for (int x = 1; x < 3 * W; x++)
            cr_assert_leq(abs(rgb[3 * y * W + x] - rgb[3 * y * W + x % 3]), 1);
    free(rgb);
}

Test(render, spheres_that_cannot_be_seen_change_nothing) {
    static double positions[3 * (HEAP + 8)];
    static float radii[HEAP + 8], colours[3 * (HEAP + 8)];
    tl_preview_scene scene = heap_scene();
    const double strange[8][3] = {{0, not_a_number, 0}, {HUGE_VAL, 0, 0}, {1e300, 1e300, -1e300},
                                  {0, -90, 0},          {0, -10, 1e9},    {0, 0, 0},
                                  {0.1, 0, -0.2},       {0, 0, 1e18}};
    memcpy(positions, strange, sizeof strange);
    memcpy(positions + 24, heap, sizeof heap);
    memcpy(colours + 24, heap_colours, sizeof heap_colours);
    for (int i = 0; i < HEAP + 8; i++)
        radii[i] = 0.0625f;
    radii[5] = 0, radii[6] = -1;
    colours[0] = (float)not_a_number, colours[1] = 1e30f, colours[2] = -INFINITY;
    const tl_camera camera = front_camera();
    scene.radius = 0.0625;
    unsigned char *clean = draw(&scene, &camera);
    scene.positions = positions, scene.count = HEAP + 8, scene.radii = radii;
    scene.colours = colours;
    unsigned char *dirty = draw(&scene, &camera);
    cr_expect_eq(memcmp(clean, dirty, 3 * W * H), 0);
    free(clean);
    free(dirty);
}

Test(render, any_size_and_camera_is_drawn_or_refused) {
    tl_preview_scene scene = heap_scene();
    scene.caption = "caf\xC3\xA9 \xC2";
    const int sizes[][2] = {{1, 1}, {1, 70}, {70, 1}, {33, 65}, {2, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tl_camera camera;
        tl_camera_frame((tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 1}, sizes[i][0], sizes[i][1],
                        &camera);
        free(draw_sized(&scene, &camera, sizes[i][0], sizes[i][1], 2));
    }
    const tl_camera cameras[] = {
        {{0, 0, 0.5}, {0, 1, 0.5}, {0, 0, 1}, 1.5},        /* amid the spheres */
        {{0, 0, 5}, {0, 0, 0}, {0, 0, 1}, 0.5},            /* `up` along the line of sight */
        {{0, 0, 5}, {0, 0, 0}, {not_a_number, 0, 0}, 0.5}, /* no `up` at all */
        {{1e12, 0, 5}, {0, 0, 0}, {0, 0, 1}, 1e-6},
    };
    for (size_t i = 0; i < sizeof cameras / sizeof cameras[0]; i++)
        free(draw(&scene, &cameras[i]));

    const tl_parallel parallel = {.threads = 1};
    unsigned char rgb[3];
    const tl_camera good = front_camera();
    tl_camera bad = good;
    bad.look_at = bad.from;
    cr_expect_eq(tl_preview_draw(&parallel, &scene, &bad, 1, 1, rgb, NULL), TL_BAD_INPUT);
    bad = good;
    bad.field_of_view = not_a_number;
    cr_expect_eq(tl_preview_draw(&parallel, &scene, &bad, 1, 1, rgb, NULL), TL_BAD_INPUT);
    cr_expect_eq(tl_preview_draw(&parallel, &scene, &good, 0, 1, rgb, NULL), TL_BAD_INPUT);
    cr_expect_eq(tl_preview_draw(&parallel, &scene, &good, 1, 1 << 20, rgb, NULL), TL_BAD_INPUT);
}

/* Camera that sees the ground point (0, 0, 0) in the middle, past a thing that hovers above it. */
static const tl_camera low_camera = {{0, -8, 2}, {0, 0, 0}, {0, 0, 1}, 0.5};
static const tl_preview_plane ground = {
    .normal = {0, 0, 1}, .colour = {0.8f, 0.8f, 0.8f}, .grid = -1};

Test(render, shadow_darkens_the_ground_below_and_nothing_else) {
    const double position[3] = {0, 0, 1.2};
    const tl_preview_box box = {.from = {-0.4, -0.4, 1}, .to = {0.4, 0.4, 1.4}, .filled = true};
    for (int kind = 0; kind < 4; kind++) { /* a sphere, a box, a mesh, a vessel */
        tl_preview_scene scene = tl_preview_default();
        scene.planes = &ground, scene.plane_count = 1;
        scene.to_light = (tl_vec3){0, 0, 2};
        unsigned char *without = draw(&scene, &low_camera);
        scene.positions = position, scene.radius = 0.4, scene.count = kind == 0;
        scene.boxes = &box, scene.box_count = kind == 1;
        tl_preview_mesh mesh = sheet_mesh(0.1);
        mesh.pose.place.z = 1.2;
        mesh.hollow = kind == 3;
        scene.meshes = &mesh, scene.mesh_count = kind >= 2;
        unsigned char *with = draw(&scene, &low_camera);
        const double before = brightness(without, W / 2, H / 2),
                     after = brightness(with, W / 2, H / 2);
        cr_expect(kind == 3 ? fabs(after - before) < 1.1 : after < 0.9 * before, "%d: %g of %g",
                  kind, after, before);
        cr_expect_lt(fabs(brightness(with, W / 8, H / 2) - brightness(without, W / 8, H / 2)), 1.1);
        free(without);
        free(with);
    }
}

Test(render, corner_where_sphere_meets_ground_is_occluded) {
    /* Light from the side, so that the near foot of the sphere is in no shadow. */
    const double position[3] = {0, 0, 0.5};
    tl_preview_scene scene = tl_preview_default();
    scene.planes = &ground, scene.plane_count = 1;
    scene.to_light = (tl_vec3){0, -1, 1};
    unsigned char *without = draw(&scene, &low_camera);
    scene.positions = position, scene.radius = 0.5, scene.count = 1;
    unsigned char *with = draw(&scene, &low_camera);
    /* A point of the ground a little before the foot: (0, -0.3, 0). */
    const double scale = pixels_per_slope(0.5), length = hypot(8, 2);
    const double along = (0.3 * -8 / length) + length, up = -0.3 * 2 / length;
    const int y = (int)(H / 2.0 - up / along * scale);
    cr_expect_lt(brightness(with, W / 2, y), 0.97 * brightness(without, W / 2, y), "%g, %g",
                 brightness(with, W / 2, y), brightness(without, W / 2, y));
    free(without);
    free(with);
}

Test(render, wall_is_not_there_from_behind) {
    tl_preview_scene scene = tl_preview_default();
    const tl_camera camera = front_camera();
    unsigned char *nothing = draw(&scene, &camera);
    tl_preview_plane wall = {.normal = {0, 1, 0}, .half_u = {1, 0, 0}, .half_v = {0, 0, 1}};
    scene.planes = &wall, scene.plane_count = 1;
    unsigned char *behind = draw(&scene, &camera);
    cr_expect_eq(memcmp(nothing, behind, 3 * W * H), 0);
    wall.normal.y = -1;
    unsigned char *before = draw(&scene, &camera);
    int changed = 0;
    for (int i = 0; i < W * H; i++)
        changed += memcmp(nothing + 3 * i, before + 3 * i, 3) != 0;
    const double side = 2.0 / 10 * pixels_per_slope(0.5);
    cr_expect_lt(fabs(changed / (side * side) - 1), 0.03);
    free(nothing);
    free(behind);
    free(before);
}

Test(render, frame_holds_the_whole_box_in_two_thirds_of_the_height) {
    const int sizes[][2] = {{1280, 720}, {400, 400}, {300, 900}};
    const tl_vec3 boxes[][2] = {
        {{0, 0, 0}, {2, 1, 1}}, {{-1e-3, 5, 5}, {1e-3, 5.01, 5.1}}, {{-50, -1, 0}, {50, 1, 1}}};
    for (int s = 0; s < 3; s++)
        for (int b = 0; b < 3; b++) {
            tl_camera camera;
            tl_camera_frame(boxes[b][0], boxes[b][1], sizes[s][0], sizes[s][1], &camera);
            const tl_vec3 f = tl_vec3_unit(tl_vec3_sub(camera.look_at, camera.from));
            const tl_vec3 right = tl_vec3_unit(tl_vec3_cross(f, camera.up));
            const tl_vec3 up = tl_vec3_cross(right, f);
            const double t = tan(camera.field_of_view / 2),
                         shape = sizes[s][0] / (double)sizes[s][1];
            double widest = 0, lowest = 0, highest = 0;
            for (int c = 0; c < 8; c++) {
                const tl_vec3 p = {boxes[b][c & 1].x, boxes[b][c >> 1 & 1].y, boxes[b][c >> 2].z};
                const tl_vec3 d = tl_vec3_sub(p, camera.from);
                const double z = tl_vec3_dot(d, f) * t;
                cr_assert_gt(z, 0);
                widest = fmax(widest, fabs(tl_vec3_dot(d, right) / (z * shape)));
                highest = fmax(highest, tl_vec3_dot(d, up) / z);
                lowest = fmin(lowest, tl_vec3_dot(d, up) / z);
            }
            cr_expect(widest <= 0.87 && highest <= 0.72 && lowest >= -0.63);
            cr_expect(widest > 0.85 || highest - lowest > 1.32, "%d %d", s, b);
        }
    tl_camera camera;
    tl_camera_frame((tl_vec3){not_a_number, 0, 0}, (tl_vec3){1, 1, 1}, W, H, &camera);
    cr_expect(tl_vec3_finite(camera.from) && tl_vec3_finite(camera.look_at));
}

Test(render, caption_and_legend_stay_in_their_corners) {
    tl_preview_scene scene = tl_preview_default();
    const tl_preview_legend legend = {"T, °C", 20, 95, tl_colormap_by_name("inferno")};
    const tl_camera camera = front_camera();
    unsigned char *bare = draw(&scene, &camera);
    scene.caption = "t = 0.25 s", scene.legend = &legend;
    unsigned char *words = draw(&scene, &camera);
    int left = 0, right = 0, elsewhere = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const size_t k = 3 * ((size_t)y * W + (size_t)x);
            if (memcmp(bare + k, words + k, 3) == 0)
                continue;
            if (y < H * 3 / 4)
                elsewhere++;
            else if (x < W / 2)
                left++;
            else
                right++;
        }
    cr_expect(left > 50 && right > 300 && elsewhere == 0, "%d %d %d", left, right, elsewhere);
    free(bare);
    free(words);
}
