/* The preview picture: where things are drawn, what hides and shades what, and that threads and bad
 * numbers leave no trace in it. */
#include "render/preview.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { W = 320, H = 240 };
static const double not_a_number = (double)NAN;

static unsigned char *draw_sized(const tl_preview_scene *scene, const tl_camera *camera, int width,
                                 int height, int threads) {
    const tl_parallel parallel = {threads};
    tl_error error;
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    cr_assert(rgb);
    cr_assert_eq(tl_preview_draw(&parallel, scene, camera, width, height, rgb, &error), TL_OK);
    return rgb;
}

static unsigned char *draw(const tl_preview_scene *scene, const tl_camera *camera) {
    return draw_sized(scene, camera, W, H, 2);
}

/* From (0, -10, 0) along y: world x is right, z is up. */
static tl_camera front_camera(void) { return (tl_camera){{0, -10, 0}, {0, 0, 0}, {0, 0, 1}, 0.5}; }

static double pixels_per_slope(double field_of_view) { return H / (2 * tan(field_of_view / 2)); }

/* Red spheres before black: whatever is not black is sphere. */
static tl_preview_scene red_on_black(void) {
    tl_preview_scene scene = tl_preview_default();
    memset(scene.background_top, 0, sizeof scene.background_top);
    memset(scene.background_bottom, 0, sizeof scene.background_bottom);
    scene.colour[0] = 1, scene.colour[1] = 0.2f, scene.colour[2] = 0.2f;
    return scene;
}

static bool is_drawn(const unsigned char *rgb, int x, int y) {
    const unsigned char *p = rgb + 3 * (y * W + x);
    return p[0] > 2;
}

static double brightness(const unsigned char *rgb, int x, int y) {
    const unsigned char *p = rgb + 3 * (y * W + x);
    return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
}

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

/* A bumpy sheet of 2 × 40 × 40 triangles over [-1, 1]², counter-clockwise seen from above. */
enum { SHEET = 40 };
static tl_vec3 sheet_vertices[(SHEET + 1) * (SHEET + 1)];
static uint32_t sheet_triangles[2 * SHEET * SHEET][3];

static tl_preview_mesh sheet_mesh(double bumps) {
    for (uint32_t j = 0; j <= SHEET; j++)
        for (uint32_t i = 0; i <= SHEET; i++)
            sheet_vertices[j * (SHEET + 1) + i] =
                (tl_vec3){2.0 * i / SHEET - 1, 2.0 * j / SHEET - 1,
                          bumps * tl_random_uniform(7, j * (SHEET + 1) + i)};
    for (uint32_t k = 0; k < SHEET * SHEET; k++) {
        const uint32_t a = k / SHEET * (SHEET + 1) + k % SHEET, d = a + SHEET + 1;
        const uint32_t two[2][3] = {{a, a + 1, d + 1}, {a, d + 1, d}};
        memcpy(sheet_triangles[2 * k], two, sizeof two);
    }
    return (tl_preview_mesh){.vertices = sheet_vertices,
                             .vertex_count = (SHEET + 1) * (SHEET + 1),
                             .triangles = (const uint32_t(*)[3])sheet_triangles,
                             .triangle_count = 2 * SHEET * SHEET,
                             .pose = tl_pose_none(),
                             .colour = {1, 0.2f, 0.2f}};
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

/* Pixels of spheres, those at the rim counted half. */
static double drawn_area(const unsigned char *rgb) {
    double area = 0;
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            if (is_drawn(rgb, x, y))
                area += is_drawn(rgb, x - 1, y) && is_drawn(rgb, x + 1, y) &&
                                is_drawn(rgb, x, y - 1) && is_drawn(rgb, x, y + 1)
                            ? 1
                            : 0.5;
    return area;
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

    const tl_parallel parallel = {1};
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

static int count_drawn(const unsigned char *rgb) {
    int count = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            count += is_drawn(rgb, x, y);
    return count;
}

/* A quarter turn about x: what looked up looks at the front camera. */
static tl_pose upright(double y) {
    return (tl_pose){{0, y, 0}, tl_turn_about((tl_vec3){1, 0, 0}, acos(-1.0) / 2)};
}

Test(render, triangle_covers_the_projection_of_its_corners) {
    const tl_vec3 vertices[3] = {{-2, 0, -1.5}, {2.5, -1, -1}, {0.5, 3, 2}};
    const uint32_t triangles[1][3] = {{0, 1, 2}};
    const tl_preview_mesh mesh = {.vertices = vertices,
                                  .vertex_count = 3,
                                  .triangles = triangles,
                                  .triangle_count = 1,
                                  .pose = tl_pose_none(),
                                  .colour = {1, 0.2f, 0.2f}};
    tl_preview_scene scene = red_on_black();
    scene.meshes = &mesh, scene.mesh_count = 1;
    const tl_camera camera = front_camera();
    unsigned char *rgb = draw(&scene, &camera);
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = vertices[k].x / (10 + vertices[k].y) * pixels_per_slope(0.5);
        y[k] = vertices[k].z / (10 + vertices[k].y) * pixels_per_slope(0.5);
    }
    const double area = 0.5 * ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
    cr_expect_lt(fabs(drawn_area(rgb) / area - 1), 0.01, "%g of %g", drawn_area(rgb), area);
    /* Each side has pixels of the triangle two pixels within, and none two pixels beyond. */
    for (int k = 0; k < 3; k++) {
        const int a = k, b = (k + 1) % 3;
        const double length = hypot(x[b] - x[a], y[b] - y[a]);
        const double nx = (y[a] - y[b]) / length, ny = (x[b] - x[a]) / length;
        const double mx = (x[a] + x[b]) / 2, my = (y[a] + y[b]) / 2;
        for (int side = -1; side <= 1; side += 2)
            cr_expect_eq(is_drawn(rgb, (int)floor(W / 2.0 + mx + 2 * side * nx),
                                  (int)floor(H / 2.0 - my - 2 * side * ny)),
                         side > 0, "edge %d, side %d", k, side);
    }
    free(rgb);
}

Test(render, triangles_that_share_edges_leave_no_gaps) {
    tl_preview_mesh mesh = sheet_mesh(0.05);
    mesh.pose = upright(0);
    tl_preview_scene scene = red_on_black();
    scene.meshes = &mesh, scene.mesh_count = 1;
    tl_camera camera = front_camera();
    camera.field_of_view = 0.1; /* the sheet is larger than the picture */
    scene.background_top[0] = scene.background_bottom[0] = 1;
    unsigned char *red = draw(&scene, &camera);
    scene.background_top[0] = scene.background_bottom[0] = 0;
    unsigned char *black = draw(&scene, &camera);
    cr_expect_eq(memcmp(red, black, 3 * W * H), 0, "the background shines through");
    free(red);
    free(black);
}

Test(render, mesh_is_hidden_by_what_stands_before_it_and_seen_else) {
    const double position[3] = {0, 0, 0};
    const tl_camera camera = front_camera();
    tl_preview_mesh mesh = sheet_mesh(0);
    for (int behind = 0; behind < 2; behind++) {
        tl_preview_scene scene = tl_preview_default();
        mesh.pose = upright(behind ? 4 : -4);
        scene.positions = position, scene.count = 1, scene.radius = 1.9;
        unsigned char *without = draw(&scene, &camera);
        scene.meshes = &mesh, scene.mesh_count = 1;
        unsigned char *with = draw(&scene, &camera);
        /* Its shadow falls elsewhere: only the middle is looked at. */
        const size_t middle = 3 * (H / 2 * W + W / 2);
        cr_expect_eq(memcmp(without + middle, with + middle, 3) == 0, behind);
        free(without);
        free(with);
    }
}

Test(render, vessel_is_seen_from_within_alone) {
    const tl_camera camera = front_camera();
    for (int turned = 0; turned < 2; turned++)
        for (int hollow = 0; hollow < 2; hollow++) {
            tl_preview_mesh mesh = sheet_mesh(0);
            mesh.pose = upright(0);
            mesh.hollow = hollow;
            const tl_turn back = tl_turn_about((tl_vec3){1, 0, 0}, acos(-1.0));
            if (turned)
                mesh.pose.turn = tl_turn_after(back, mesh.pose.turn);
            tl_preview_scene scene = red_on_black();
            scene.meshes = &mesh, scene.mesh_count = 1;
            unsigned char *rgb = draw(&scene, &camera);
            const double side = 2.0 / 10 * pixels_per_slope(0.5);
            const double expected = hollow && turned ? 0 : side * side;
            cr_expect_lt(fabs(count_drawn(rgb) - expected), 0.03 * side * side, "%d %d: %d", turned,
                         hollow, count_drawn(rgb));
            free(rgb);
        }
}

Test(render, triangles_reach_behind_the_eye_and_strange_ones_change_nothing) {
    const tl_vec3 vertices[] = {
        {-1e4, -1e4, -1}, {1e4, -1e4, -1}, {0, 1e5, -1}, {not_a_number, 0, 0}, {1e300, 0, 5},
        {0, -20, 0},      {1, -20, 0},     {0, -20, 1},  {0, 0, HUGE_VAL},
    };
    const uint32_t triangles[][3] = {{0, 1, 2}, {0, 1, 3}, {0, 4, 2}, {5, 6, 7},
                                     {1, 8, 2}, {0, 0, 0}, {0, 1, 1}};
    const size_t count = sizeof triangles / sizeof triangles[0];
    const tl_camera camera = front_camera();
    unsigned char *pictures[2];
    for (int all = 0; all < 2; all++) {
        const tl_preview_mesh mesh = {.vertices = vertices,
                                      .vertex_count = sizeof vertices / sizeof vertices[0],
                                      .triangles = triangles,
                                      .triangle_count = all ? count : 1,
                                      .pose = tl_pose_none(),
                                      .colour = {1, 0.2f, 0.2f}};
        tl_preview_scene scene = red_on_black();
        scene.meshes = &mesh, scene.mesh_count = 1;
        pictures[all] = draw(&scene, &camera);
    }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (abs(y - H / 2) > 1)
                cr_assert_eq(is_drawn(pictures[0], x, y), y > H / 2, "%d %d", x, y);
    cr_expect_eq(memcmp(pictures[0], pictures[1], 3 * W * H), 0);
    free(pictures[0]);
    free(pictures[1]);
}

Test(render, tank_is_hidden_by_what_stands_before_it_and_seen_else) {
    const double positions[2][3] = {{0, -4, 0}, {0, 4, 0}};
    const tl_preview_box tank = {.from = {-0.5, -0.5, -0.5}, .to = {0.5, 0.5, 0.5}};
    const tl_camera camera = front_camera();
    for (int behind = 0; behind < 2; behind++) {
        tl_preview_scene scene = tl_preview_default();
        scene.positions = positions[behind], scene.count = 1, scene.radius = 2;
        unsigned char *without = draw(&scene, &camera);
        scene.boxes = &tank, scene.box_count = 1;
        unsigned char *with = draw(&scene, &camera);
        cr_expect_eq(memcmp(without, with, 3 * W * H) != 0, behind);
        free(without);
        free(with);
    }
}

Test(render, frame_holds_the_whole_box_and_fills_the_picture) {
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
            cr_expect(widest <= 0.93 && highest <= 0.93 && lowest >= -0.77);
            cr_expect(widest > 0.9 || highest - lowest > 1.65, "%d %d", s, b);
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

static double luminance(const tl_colormap *map, double t) {
    float rgb[3];
    tl_colormap_at(map, t, rgb);
    double linear[3];
    for (int k = 0; k < 3; k++)
        linear[k] = pow((double)rgb[k], 2.2);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

Test(colormap, viridis_and_inferno_only_get_brighter) {
    const char *const names[] = {"viridis", "inferno"};
    for (int m = 0; m < 2; m++) {
        const tl_colormap *map = tl_colormap_by_name(names[m]);
        for (int i = 0; i < 1000; i++)
            cr_assert_gt(luminance(map, (i + 1) / 1000.0), luminance(map, i / 1000.0), "%s at %d",
                         names[m], i);
    }
}

Test(colormap, ends_are_the_published_colours_and_strays_are_held) {
    const tl_colormap *map = tl_colormap_by_name("viridis");
    const double first[3] = {0x44, 0x01, 0x54}, last[3] = {0xFD, 0xE7, 0x25};
    float low[3], high[3], none[3];
    tl_colormap_at(map, -HUGE_VAL, low);
    tl_colormap_at(map, 7, high);
    tl_colormap_at(map, not_a_number, none);
    for (int k = 0; k < 3; k++) {
        cr_expect_float_eq(255 * (double)low[k], first[k], 0.01);
        cr_expect_float_eq(255 * (double)high[k], last[k], 0.01);
        cr_expect_float_eq((double)none[k], 0.5, 1e-6);
    }
}

Test(colormap, every_name_is_found_and_no_other) {
    for (const char *const *name = tl_colormap_names; *name; name++)
        cr_expect_not_null(tl_colormap_by_name(*name));
    cr_expect_null(tl_colormap_by_name("jet"));
}
