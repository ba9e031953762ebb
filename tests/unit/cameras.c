/* Cameras that move, and meshes with colours of their own. */
#include "render/preview.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cameras ------------------------------------------------------------------------------- */

static const tl_camera_key keys[] = {
    {1, {{0, 0, 0}, {0, 9, 0}, {0, 0, 1}, 0.5}},
    {2, {{1, 0, 2}, {0, 9, 0}, {0, 0, 1}, 0.5}},
    {4, {{3, 0, 0}, {0, 9, 0}, {0, 0, 1}, 0.7}},
    {5, {{4, 0, 1}, {0, 9, 0}, {0, 0, 1}, 0.7}},
};

static tl_vec3 place(double time) { return tl_camera_along(keys, 4, time).from; }

Test(cameras, path_goes_through_its_keys_and_rests_outside) {
    for (int k = 0; k < 4; k++) {
        const tl_vec3 p = place(keys[k].time), wanted = keys[k].camera.from;
        cr_expect_lt(tl_vec3_length(tl_vec3_sub(p, wanted)), 1e-14, "key %d", k);
    }
    cr_expect(place(-3).z == 0 && place(1e9).z == 1 && place(0.99).x == 0);
    cr_expect_float_eq(place(3).x, 2, 1e-12,
                       "a straight line in time stays one between inner keys");
    const double view = tl_camera_along(keys, 4, 3).field_of_view;
    cr_expect(view > 0.55 && view < 0.65);
    cr_expect_eq(tl_camera_along(keys, 1, 3).from.x, 0, "one key");
}

/* Places and velocities have no jumps: second differences fall with the square of the step. */
Test(cameras, path_is_smooth_in_time) {
    double largest[2] = {0, 0};
    for (int fine = 0; fine < 2; fine++) {
        const double h = fine ? 0.005 : 0.01;
        for (double t = 0.5; t < 5.5; t += h) {
            const tl_vec3 a = place(t - h), b = place(t), c = place(t + h);
            const tl_vec3 bend = tl_vec3_add(tl_vec3_sub(a, b), tl_vec3_sub(c, b));
            largest[fine] = fmax(largest[fine], tl_vec3_length(bend));
        }
    }
    cr_expect(largest[0] / largest[1] > 3.6 && largest[0] / largest[1] < 4.4, "%g",
              largest[0] / largest[1]);
}

Test(cameras, turn_goes_round_what_is_looked_at) {
    tl_camera c = {{3, 1, 4}, {1, 1, 2}, {0, 0, 1}, 0.5};
    tl_camera_turn(&c, acos(-1) / 2);
    cr_expect(fabs(c.from.x - 1) < 1e-12 && fabs(c.from.y - 3) < 1e-12 && c.from.z == 4);
    cr_expect(c.look_at.x == 1 && c.up.z == 1);
    for (int k = 0; k < 3; k++)
        tl_camera_turn(&c, acos(-1) / 2);
    cr_expect(fabs(c.from.x - 3) < 1e-12 && fabs(c.from.y - 1) < 1e-12);
}

/* ---- Meshes -------------------------------------------------------------------------------- */

enum { W = 90, H = 60 };

static void draw_triangle(const float *colours, const float *normals, unsigned char *rgb) {
    static const tl_vec3 vertices[3] = {{-3, 0, -2}, {3, 0, -2}, {0, 0, 3}};
    static const uint32_t triangle[1][3] = {{0, 1, 2}};
    const tl_preview_mesh mesh = {.vertices = vertices,
                                  .vertex_count = 3,
                                  .triangles = triangle,
                                  .triangle_count = 1,
                                  .pose = tl_pose_none(),
                                  .colour = {0.5f, 0.5f, 0.5f},
                                  .colours = colours,
                                  .normals = normals};
    const tl_camera camera = {{0, -10, 0}, {0, 0, 0}, {0, 0, 1}, 0.5};
    const tl_parallel parallel = {.threads = 1};
    tl_preview_scene scene = tl_preview_default();
    scene.meshes = &mesh, scene.mesh_count = 1;
    cr_assert_eq(tl_preview_draw(&parallel, &scene, &camera, W, H, rgb, NULL), TL_OK);
}

static const unsigned char *pixel(const unsigned char *rgb, int x, int y) {
    return rgb + 3 * (y * W + x);
}

Test(cameras, colours_of_vertices_are_mixed_over_a_triangle) {
    const float red_green_blue[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const float grey[9] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    static unsigned char mixed[3 * W * H], plain[3 * W * H], same[3 * W * H];
    draw_triangle(red_green_blue, NULL, mixed);
    const unsigned char *left = pixel(mixed, 18, 48), *right = pixel(mixed, 71, 48),
                        *top = pixel(mixed, 45, 6), *middle = pixel(mixed, 45, 34);
    cr_expect(left[0] > 2 * left[1] && left[0] > 2 * left[2]);
    cr_expect(right[1] > 2 * right[0] && right[1] > 2 * right[2]);
    cr_expect(top[2] > 2 * top[0] && top[2] > 2 * top[1]);
    cr_expect(middle[0] > 60 && middle[1] > 60 && middle[2] > 60, "%d %d %d", middle[0], middle[1],
              middle[2]);
    draw_triangle(NULL, NULL, plain);
    draw_triangle(grey, NULL, same);
    for (size_t i = 0; i < sizeof plain; i++)
        cr_assert(abs(plain[i] - same[i]) <= 1, "one colour at all corners is that of the mesh");
}

Test(cameras, normals_of_vertices_turn_the_light) {
    const float down[9] = {0, -0.6f, -0.8f, 0, -0.6f, -0.8f, 0, -0.6f, -0.8f};
    const float up[9] = {0, -0.6f, 0.8f, 0, -0.6f, 0.8f, 0, -0.6f, 0.8f};
    static unsigned char below[3 * W * H], above[3 * W * H];
    draw_triangle(NULL, down, below);
    draw_triangle(NULL, up, above);
    cr_expect_gt(pixel(above, 45, 34)[1], pixel(below, 45, 34)[1] + 40);
}
