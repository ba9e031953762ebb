/* Meshes to test with, and flights around them. */
#ifndef TL_TESTS_MESHES_H
#define TL_TESTS_MESHES_H

#include "base/random.h"
#include "mesh/mesh.h"
#include "mesh/solid.h"

#include <criterion/criterion.h>

/* Random numbers in a row. */
typedef struct dice {
    uint64_t seed, count;
} dice;

static inline double roll(dice *d, double low, double high) {
    return low + (high - low) * tl_random_uniform(d->seed, d->count++);
}

static inline tl_vec3 roll_in_box(dice *d, double half) {
    const double x = roll(d, -half, half), y = roll(d, -half, half), z = roll(d, -half, half);
    return (tl_vec3){x, y, z};
}

static inline tl_vec3 roll_direction(dice *d) {
    tl_vec3 v;
    do
        v = roll_in_box(d, 1);
    while (tl_vec3_dot(v, v) > 1 || tl_vec3_dot(v, v) < 1e-4);
    return tl_vec3_unit(v);
}

/* Between low and high with all magnitudes as likely. */
static inline double roll_magnitude(dice *d, double low, double high) {
    return low * pow(high / low, roll(d, 0, 1));
}

static inline uint32_t put_vertex(tl_mesh *m, tl_vec3 v) {
    cr_assert_eq(tl_mesh_add_vertex(m, v, NULL), TL_OK);
    return (uint32_t)(m->vertex_count - 1);
}

static inline void put_triangle(tl_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
    cr_assert_eq(tl_mesh_add_triangle(m, a, b, c, NULL), TL_OK);
}

static inline void put_quad(tl_mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    put_triangle(m, a, b, c);
    put_triangle(m, a, c, d);
}

static inline tl_mesh mesh_of_box(tl_vec3 low, tl_vec3 high) {
    tl_mesh m = {.closed = true};
    for (int k = 0; k < 8; k++)
        put_vertex(
            &m, (tl_vec3){k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
    const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; f++)
        put_quad(&m, faces[f][0], faces[f][1], faces[f][2], faces[f][3]);
    return m;
}

static inline tl_mesh mesh_of_torus(double large, double small, uint32_t n, uint32_t around) {
    tl_mesh m = {.closed = true};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < around; j++) {
            const double u = 2 * M_PI * i / n, v = 2 * M_PI * j / around;
            const double r = large + small * cos(v);
            put_vertex(&m, (tl_vec3){r * cos(u), r * sin(u), small * sin(v)});
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < around; j++) {
            const uint32_t k = (i + 1) % n, l = (j + 1) % around;
            put_quad(&m, i * around + j, k * around + j, k * around + l, i * around + l);
        }
    return m;
}

/* A ball of `rings` rings; each vertex at radius * (1 ± rough), so that it is star-shaped. */
static inline tl_mesh mesh_of_ball(double radius, uint32_t rings, double rough, uint64_t seed) {
    tl_mesh m = {.closed = true};
    dice d = {seed, 0};
    const uint32_t n = 2 * rings;
    for (uint32_t i = 1; i < rings; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double u = M_PI * i / rings, v = 2 * M_PI * j / n;
            const double r = radius * (1 + rough * roll(&d, -1, 1));
            put_vertex(&m, (tl_vec3){r * sin(u) * cos(v), r * sin(u) * sin(v), r * cos(u)});
        }
    const uint32_t north = put_vertex(&m, (tl_vec3){0, 0, radius}),
                   south = put_vertex(&m, (tl_vec3){0, 0, -radius});
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t k = (j + 1) % n, base = (rings - 2) * n;
        put_triangle(&m, north, j, k);
        put_triangle(&m, south, base + k, base + j);
        for (uint32_t i = 0; i + 2 < rings; i++)
            put_quad(&m, i * n + j, (i + 1) * n + j, (i + 1) * n + k, i * n + k);
    }
    return m;
}

static inline tl_mesh mesh_of_soup(size_t triangles, double size, uint64_t seed) {
    tl_mesh m = {0};
    dice d = {seed, 0};
    for (size_t t = 0; t < triangles; t++) {
        const tl_vec3 middle = roll_in_box(&d, 1);
        uint32_t v[3];
        for (int k = 0; k < 3; k++)
            v[k] = put_vertex(&m, tl_vec3_add(middle, roll_in_box(&d, size)));
        put_triangle(&m, v[0], v[1], v[2]);
    }
    return m;
}

/* Long triangles, from 1e-3 of their length in width down to nothing at all. */
static inline tl_mesh mesh_of_needles(size_t triangles, uint64_t seed) {
    tl_mesh m = {0};
    dice d = {seed, 0};
    for (size_t t = 0; t < triangles; t++) {
        const tl_vec3 a = roll_in_box(&d, 1), b = roll_in_box(&d, 1), side = roll_direction(&d);
        const double width = t % 8 ? roll_magnitude(&d, 1e-17, 1e-3) : 0;
        const uint32_t i = put_vertex(&m, a), j = put_vertex(&m, b);
        const tl_vec3 on = tl_vec3_mad(a, roll(&d, 0, 1), tl_vec3_sub(b, a));
        put_triangle(&m, i, j, put_vertex(&m, tl_vec3_mad(on, width, side)));
    }
    put_triangle(&m, 0, 0, 0);
    return m;
}

static inline tl_solid *solid_of(tl_mesh m) {
    tl_solid *solid;
    tl_error error = {0};
    cr_assert_eq(tl_solid_make(&m, &solid, &error), TL_OK, "%s", error.what);
    tl_mesh_free(&m);
    return solid;
}

#endif
