/* Which points of a lattice are inside of a mesh, however the mesh is cracked, crossed or turned.
 */
#include "base/random.h"
#include "mesh/form.h"
#include "mesh/repair.h"
#include "mesh/scan.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static tl_mesh make(const tl_form_def *form, double spacing) {
    tl_mesh mesh = {0};
    tl_error error = {0};
    cr_assert_eq(tl_form_make(form, spacing, &mesh, &error), TL_OK, "%s", error.what);
    return mesh;
}

/* A lattice of n³ points around a mesh. */
static tl_lattice lattice_around(const tl_mesh *mesh, size_t n) {
    tl_vec3 low, high;
    tl_mesh_bounds(mesh, &low, &high);
    const double from[3] = {low.x, low.y, low.z}, to[3] = {high.x, high.y, high.z};
    tl_lattice l = {.n = {n, n + 1, n + 2}};
    for (int k = 0; k < 3; k++) {
        l.step[k] = 1.1 * (to[k] - from[k]) / (double)l.n[k];
        l.start[k] = (from[k] + to[k]) / 2 - l.step[k] * ((double)l.n[k] - 1) / 2;
    }
    return l;
}

static tl_vec3 point_of(const tl_lattice *l, size_t i) {
    return (tl_vec3){l->start[0] + (double)(i % l->n[0]) * l->step[0],
                     l->start[1] + (double)(i / l->n[0] % l->n[1]) * l->step[1],
                     l->start[2] + (double)(i / l->n[0] / l->n[1]) * l->step[2]};
}

static uint8_t *scan(const tl_mesh *mesh, const tl_lattice *l, int threads, size_t *count) {
    const size_t all = l->n[0] * l->n[1] * l->n[2];
    uint8_t *inside = malloc(all);
    tl_error error = {0};
    const tl_parallel parallel = tl_parallel_adverse(threads);
    cr_assert_eq(tl_mesh_scan(mesh, l, &parallel, inside, &error), TL_OK, "%s", error.what);
    *count = 0;
    for (size_t i = 0; i < all; i++)
        *count += inside[i];
    return inside;
}

Test(scan, agrees_with_the_winding_number_of_each_point) {
    const tl_form_def ring = {.scale = 1,
                              .has_torus = true,
                              .torus = {.axis = {1, 2, 3}, .radius = 0.3, .tube_radius = 0.1}};
    tl_mesh mesh = make(&ring, 0.2);
    const tl_lattice l = lattice_around(&mesh, 16);
    size_t count;
    uint8_t *inside = scan(&mesh, &l, 1, &count);
    cr_assert_gt(count, 100);
    for (size_t i = 0; i < l.n[0] * l.n[1] * l.n[2]; i++) {
        const double winding = tl_mesh_winding(&mesh, 0, mesh.triangle_count, point_of(&l, i));
        cr_assert_eq(inside[i], winding > 0.5, "point %zu: winding %g", i, winding);
    }
    free(inside);
    tl_mesh_free(&mesh);
}

Test(scan, counts_follow_the_volume_for_any_turn_and_threads) {
    for (int turn = 1; turn < 8; turn++) {
        const tl_form_def form = {.scale = 1,
                                  .has_rounded_box = true,
                                  .rounded_box = {.to = {0.5, 0.3, 0.2}, .radius = 0.03},
                                  .rotate = {0.3 * turn, 0.7 * turn, turn}};
        tl_mesh mesh = make(&form, 0.02);
        const tl_lattice l = lattice_around(&mesh, 50);
        size_t count, again;
        uint8_t *one = scan(&mesh, &l, 1, &count), *three = scan(&mesh, &l, 3, &again);
        cr_assert_eq(memcmp(one, three, l.n[0] * l.n[1] * l.n[2]), 0);
        const double cell = l.step[0] * l.step[1] * l.step[2];
        cr_assert_float_eq((double)count * cell / tl_mesh_find_moments(&mesh).volume, 1, 0.01);
        free(one);
        free(three);
        tl_mesh_free(&mesh);
    }
}

/* Lines of the lattice run through edges and corners of the boxes. */
Test(scan, points_on_edges_and_corners_do_no_harm) {
    const tl_form_def form = {
        .scale = 1, .has_cone = true, .cone = {.to = {0, 0, 1}, .radius = 0.5, .end_radius = 0.5}};
    tl_mesh mesh = make(&form, 0.2);
    const tl_lattice l = {
        .start = {-0.75, -0.75, -0.25}, .step = {0.125, 0.125, 0.125}, .n = {13, 13, 13}};
    size_t count;
    uint8_t *inside = scan(&mesh, &l, 1, &count);
    for (size_t i = 0; i < 13 * 13 * 13; i++) {
        const tl_vec3 x = point_of(&l, i);
        const double across = hypot(x.x, x.y), eps = 0.02;
        if (across < 0.5 - eps && x.z > eps && x.z < 1 - eps)
            cr_assert(inside[i], "(%g, %g, %g)", x.x, x.y, x.z);
        if (across > 0.5 + eps || x.z < -eps || x.z > 1 + eps)
            cr_assert_not(inside[i], "(%g, %g, %g)", x.x, x.y, x.z);
    }
    free(inside);
    tl_mesh_free(&mesh);
}

Test(scan, overlapping_shells_count_once_and_hollows_are_empty) {
    const tl_form_def a = {.scale = 1, .has_capsule = true, .capsule = {.radius = 0.3}};
    const tl_form_def b = {.scale = 1,
                           .has_capsule = true,
                           .capsule = {.from = {0.3, 0, 0}, .to = {0.3, 0, 0}, .radius = 0.3}};
    tl_mesh mesh = make(&a, 0.1), other = make(&b, 0.1), hollow = make(&a, 0.1);
    const uint32_t first = (uint32_t)mesh.vertex_count;
    for (size_t i = 0; i < other.vertex_count; i++)
        tl_mesh_add_vertex(&mesh, other.vertices[i], NULL);
    for (size_t t = 0; t < other.triangle_count; t++)
        tl_mesh_add_triangle(&mesh, first + other.triangles[t][0], first + other.triangles[t][1],
                             first + other.triangles[t][2], NULL);
    for (size_t i = 0; i < hollow.vertex_count; i++)
        tl_mesh_add_vertex(&mesh, tl_vec3_scale(hollow.vertices[i], 0.4), NULL);
    const uint32_t second = first + (uint32_t)other.vertex_count;
    for (size_t t = 0; t < hollow.triangle_count; t++)
        tl_mesh_add_triangle(&mesh, second + hollow.triangles[t][0],
                             second + hollow.triangles[t][2], second + hollow.triangles[t][1],
                             NULL);
    const tl_lattice l = lattice_around(&mesh, 30);
    size_t count;
    uint8_t *inside = scan(&mesh, &l, 1, &count);
    for (size_t i = 0; i < l.n[0] * l.n[1] * l.n[2]; i++) {
        const tl_vec3 x = point_of(&l, i);
        const double to_a = tl_vec3_length(x), to_b = hypot(hypot(x.x - 0.3, x.y), x.z);
        if ((to_a < 0.298 && to_a > 0.121) || (to_b < 0.298 && to_a > 0.121))
            cr_assert(inside[i]);
        if ((to_a > 0.301 && to_b > 0.301) || (to_a < 0.117 && to_b > 0.301))
            cr_assert_not(inside[i]);
    }
    free(inside);
    tl_mesh_free(&mesh);
    tl_mesh_free(&other);
    tl_mesh_free(&hollow);
}

/* Each triangle shrinks by 1/1000 towards its middle: cracks along all edges, through which one
 * line in 250 slips. One direction alone would be wrong at some hundred points, two at a few at
 * most. */
Test(scan, two_of_three_directions_outvote_a_line_through_a_crack) {
    const tl_form_def ball = {
        .scale = 1, .has_capsule = true, .capsule = {.radius = 0.3}, .rotate = {0.3, 0.5, 0.7}};
    tl_mesh whole = make(&ball, 0.1), cracked = {0};
    for (size_t t = 0; t < whole.triangle_count; t++) {
        tl_vec3 middle = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            middle = tl_vec3_mad(middle, 1.0 / 3, tl_mesh_corner(&whole, t, k));
        for (int k = 0; k < 3; k++)
            tl_mesh_add_vertex(&cracked,
                               tl_vec3_mad(tl_mesh_corner(&whole, t, k), 0.001,
                                           tl_vec3_sub(middle, tl_mesh_corner(&whole, t, k))),
                               NULL);
        tl_mesh_add_triangle(&cracked, (uint32_t)(3 * t), (uint32_t)(3 * t + 1),
                             (uint32_t)(3 * t + 2), NULL);
    }
    const tl_lattice l = lattice_around(&whole, 40);
    const size_t all = l.n[0] * l.n[1] * l.n[2];
    size_t count, expected, wrong = 0;
    uint8_t *right = scan(&whole, &l, 1, &expected), *inside = scan(&cracked, &l, 1, &count);
    for (size_t i = 0; i < all; i++)
        wrong += right[i] != inside[i];
    cr_assert_leq(wrong, all / 20000, "%zu of %zu", wrong, all);
    free(right);
    free(inside);
    tl_mesh_free(&whole);
    tl_mesh_free(&cracked);
}
