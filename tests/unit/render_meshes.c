/* Meshes in the preview picture: what they cover and hide, and from which side they are there. */
#include "preview_pictures.h"

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

/* How far a picture is from one towards another: 0 the first, 1 the second, in the middle. */
static double share_of(const unsigned char *rgb, const unsigned char *first,
                       const unsigned char *second) {
    const size_t at = 3 * ((size_t)H / 2 * W + (size_t)W / 2);
    double part = 0, whole = 0;
    for (size_t k = at; k < at + 3; k++) {
        part += fabs((double)rgb[k] - first[k]);
        whole += fabs((double)second[k] - first[k]);
    }
    return part / whole;
}

Test(render, mesh_that_is_clear_shows_what_is_behind_it) {
    const double position[3] = {0, 0, 0};
    const tl_camera camera = front_camera();
    tl_preview_mesh mesh = sheet_mesh(0);
    double before[3];
    for (int behind = 0; behind < 2; behind++) {
        tl_preview_scene scene = tl_preview_default();
        mesh.pose = upright(behind ? 4 : -4);
        mesh.colour[0] = 1, mesh.colour[1] = mesh.colour[2] = 0;
        scene.positions = position, scene.count = 1, scene.radius = 1.9;
        unsigned char *without = draw(&scene, &camera);
        scene.meshes = &mesh, scene.mesh_count = 1;
        mesh.clarity = 0;
        unsigned char *opaque = draw(&scene, &camera);
        for (int k = 0; k < 3; k++) {
            mesh.clarity = 0.3f + 0.3f * (float)k;
            unsigned char *veiled = draw(&scene, &camera);
            before[k] = behind ? before[k] : share_of(veiled, without, opaque);
            const size_t middle = 3 * ((size_t)H / 2 * W + (size_t)W / 2);
            if (behind)
                cr_expect_eq(memcmp(veiled + middle, without + middle, 3), 0,
                             "a sheet behind the ball shows through it");
            free(veiled);
        }
        free(without);
        free(opaque);
    }
    cr_expect(before[0] < 0.8 && before[0] > before[1] && before[1] > before[2] && before[2] > 0.01,
              "%g %g %g", before[0], before[1], before[2]);
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
