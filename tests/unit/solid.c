/* Distances and sides of meshes, against all triangles and against exact shapes. */
#include "mesh/predicates.h"
#include "meshes.h"

#include <math.h>
#include <string.h>

/* ---- Predicates ---- */

Test(predicates, see_sides_that_rounding_hides) {
    const tl_vec3 a = {0.1, 0.1, 0.1}, b = {0.7, 0.3, 0.5};
    for (int k = 0; k < 1000; k++) {
        /* On the line a b up to rounding; then one ulp off. */
        const double t = tl_random_uniform(1, (uint64_t)k);
        const tl_vec3 c = tl_vec3_mad(a, t, tl_vec3_sub(b, a)), d = {c.x, c.y, c.z + 1};
        const tl_vec3 left = {nextafter(b.x, 2), b.y, b.z}, right = {nextafter(b.x, 0), b.y, b.z};
        const int with_left = tl_orientation(a, b, d, left),
                  with_right = tl_orientation(a, b, d, right);
        cr_assert_neq(with_left, 0);
        cr_assert_eq(with_left, -with_right);
    }
    cr_assert_eq(tl_orientation(a, b, (tl_vec3){2, 3, 4}, a), 0);
    const tl_vec3 e = {0.1, 0.2, 0.3}, f = {0.2, 0.4, 0.6};
    cr_assert_eq(tl_vec3_length(tl_area_vector(e, f, (tl_vec3){0.4, 0.8, 1.2})), 0);
    cr_assert_gt(tl_vec3_length(tl_area_vector(e, f, (tl_vec3){0.4, 0.8, nextafter(1.2, 2)})), 0);
}

Test(predicates, find_what_a_segment_meets) {
    const tl_vec3 a = {0, 0, 0}, b = {1, 0, 0}, c = {0, 1, 0};
    const struct {
        tl_vec3 p, q;
        bool meets;
    } cases[] = {
        {{0.2, 0.2, 1}, {0.2, 0.2, -1}, true},
        {{0.2, 0.2, 1}, {0.2, 0.2, 0}, true},
        {{0.2, 0.2, 1}, {0.2, 0.2, 1e-300}, false},
        {{0.5, 0.5, 1}, {0.5, 0.5, -1}, true},
        {{0, 0, 1}, {0, 0, -1}, true},
        {{0.6, 0.5, 1}, {0.6, 0.5, -1}, false},
        {{-1, 0.2, 0}, {2, 0.2, 0}, true},
        {{-1, -0.2, 0}, {2, -0.2, 0}, false},
        {{0.1, 0.1, 0}, {0.2, 0.1, 0}, true},
        {{-1, 0, 0}, {-0.5, 0, 0}, false},
        {{-1, 0, 0}, {0.5, 0, 0}, true},
        {{2, 2, 0}, {3, 3, 0}, false},
        {{0.3, 0.3, 2}, {0.3, 0.3, 2}, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cr_expect_eq(tl_segment_meets(cases[k].p, cases[k].q, a, b, c), cases[k].meets, "%zu", k);
        cr_expect_eq(tl_segment_meets(cases[k].q, cases[k].p, c, b, a), cases[k].meets, "%zu", k);
    }
}

/* ---- Distances ---- */

typedef struct exact3 {
    long double x, y, z;
} exact3;

static exact3 exact_of(tl_vec3 v) {
    return (exact3){(long double)v.x, (long double)v.y, (long double)v.z};
}
static exact3 minus(exact3 a, exact3 b) { return (exact3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static long double dot(exact3 a, exact3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static exact3 cross(exact3 a, exact3 b) {
    return (exact3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The distance of a triangle, in long double: from its face if the foot is in it, else from its
 * edges. */
static double triangle_distance(const tl_mesh *m, size_t t, tl_vec3 x) {
    exact3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = minus(exact_of(tl_mesh_corner(m, t, k)), exact_of(x));
    const exact3 normal = cross(minus(p[1], p[0]), minus(p[2], p[0]));
    long double best = HUGE_VALL;
    bool over = dot(normal, normal) > 0;
    for (int k = 0; k < 3; k++) {
        const exact3 a = p[k], edge = minus(p[(k + 1) % 3], a);
        const long double whole = dot(edge, edge);
        const long double s = whole > 0 ? fminl(fmaxl(-dot(a, edge) / whole, 0), 1) : 0;
        const exact3 foot = {a.x + s * edge.x, a.y + s * edge.y, a.z + s * edge.z};
        best = fminl(best, dot(foot, foot));
        over = over && dot(cross(edge, normal), a) >= 0;
    }
    if (over)
        best = fminl(best, powl(dot(normal, p[0]), 2) / dot(normal, normal));
    return (double)sqrtl(best);
}

static double mesh_distance(const tl_mesh *m, tl_vec3 x) {
    double best = HUGE_VAL;
    for (size_t t = 0; t < m->triangle_count; t++)
        best = fmin(best, triangle_distance(m, t, x));
    return best;
}

/* How often the mesh winds around x (van Oosterom & Strackee 1983). */
static double winding(const tl_mesh *m, tl_vec3 x) {
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        tl_vec3 v[3];
        double r[3];
        for (int k = 0; k < 3; k++) {
            v[k] = tl_vec3_sub(tl_mesh_corner(m, t, k), x);
            r[k] = tl_vec3_length(v[k]);
        }
        sum += atan2(tl_vec3_dot(v[0], tl_vec3_cross(v[1], v[2])),
                     r[0] * r[1] * r[2] + tl_vec3_dot(v[0], v[1]) * r[2] +
                         tl_vec3_dot(v[1], v[2]) * r[0] + tl_vec3_dot(v[2], v[0]) * r[1]);
    }
    return sum / (2 * M_PI);
}

/* Points everywhere around, many near the surface and near vertices. */
static tl_vec3 point_for(dice *d, const tl_mesh *m, int k) {
    const tl_vec3 vertex = m->vertices[(size_t)roll(d, 0, (double)m->vertex_count)];
    if (k % 3 == 0)
        return roll_in_box(d, 1.6);
    return tl_vec3_mad(vertex, roll_magnitude(d, 1e-9, 1), roll_direction(d));
}

static void is_as_brute_force_says(tl_mesh m, int points, double rounding) {
    tl_solid *solid;
    dice d = {7, 0};
    cr_assert_eq(tl_solid_make(&m, &solid, NULL), TL_OK);
    for (int k = 0; k < points; k++) {
        const tl_vec3 x = point_for(&d, &m, k);
        const double exact = mesh_distance(&m, x), reach = roll_magnitude(&d, 1e-3, 10);
        tl_nearest near;
        const bool found = tl_solid_nearest(solid, x, reach, &near);
        if (fabs(exact - reach) < 1e-9)
            continue;
        cr_assert_eq(found, exact < reach, "%g of %g", exact, reach);
        if (!found)
            continue;
        cr_assert_float_eq(fabs(near.distance), exact, rounding, "%g %g", near.distance, exact);
        cr_assert_float_eq(tl_vec3_length(tl_vec3_sub(near.point, x)), exact, rounding);
        cr_assert_lt(triangle_distance(&m, near.triangle, near.point), rounding);
        if (m.closed && exact > 1e-9) {
            const bool inside = winding(&m, x) > 0.5;
            cr_assert_eq(near.distance < 0, inside, "at %g: %g", near.distance, winding(&m, x));
            cr_assert_eq(tl_solid_inside(solid, x), inside);
        } else if (!m.closed && exact > 0) {
            cr_assert_gt(tl_vec3_dot(near.normal, tl_vec3_sub(x, near.point)), 0.999 * exact);
        }
    }
    tl_solid_free(solid);
    tl_mesh_free(&m);
}

Test(solid, distances_and_sides_are_those_of_all_triangles) {
    is_as_brute_force_says(mesh_of_box((tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 1}), 20000, 1e-14);
    is_as_brute_force_says(mesh_of_box((tl_vec3){-1, -1, 0}, (tl_vec3){1, 1, 1e-6}), 20000, 1e-14);
    is_as_brute_force_says(mesh_of_torus(0.8, 0.3, 24, 12), 4000, 1e-14);
    is_as_brute_force_says(mesh_of_ball(1, 12, 0.3, 5), 4000, 1e-14);
    is_as_brute_force_says(mesh_of_soup(500, 0.2, 2), 4000, 1e-14);
    is_as_brute_force_says(mesh_of_soup(40, 2, 3), 10000, 1e-14);
    /* The plane of a needle is lost to long double. */
    is_as_brute_force_says(mesh_of_needles(300, 4), 4000, 1e-9);
}

/* A wedge sharper than a right angle, whose edge is covered by triangles without area. */
Test(solid, sides_are_right_at_sharp_edges_with_flat_triangles_in_them) {
    tl_mesh m = {.closed = true};
    const uint32_t a = put_vertex(&m, (tl_vec3){0, 0, 0}), b = put_vertex(&m, (tl_vec3){1, 0, 0}),
                   c = put_vertex(&m, (tl_vec3){0.5, 1, 0.1}),
                   d = put_vertex(&m, (tl_vec3){0.5, 1, -0.1}),
                   e = put_vertex(&m, (tl_vec3){0.5, 0, 0});
    put_triangle(&m, a, b, c); /* above; its edge a b is cut in two at e below */
    put_triangle(&m, a, e, b); /* without area */
    put_triangle(&m, a, d, e);
    put_triangle(&m, e, d, b);
    put_triangle(&m, b, d, c);
    put_triangle(&m, a, c, d);
    is_as_brute_force_says(m, 20000, 1e-14);
}

Test(solid, a_mesh_without_triangles_is_nowhere) {
    tl_solid *solid = solid_of((tl_mesh){0});
    tl_nearest near;
    cr_assert_not(tl_solid_nearest(solid, (tl_vec3){0, 0, 0}, HUGE_VAL, &near));
    cr_assert_not(tl_solid_inside(solid, (tl_vec3){0, 0, 0}));
    tl_solid_free(solid);
}

Test(solid, bad_meshes_are_refused) {
    tl_solid *solid;
    tl_error error = {0};
    tl_mesh m = mesh_of_box((tl_vec3){0, 0, 0}, (tl_vec3){1, 1, 1});
    m.vertices[3].y = (double)NAN;
    cr_assert_eq(tl_solid_make(&m, &solid, &error), TL_BAD_INPUT);
    cr_assert_not_null(strstr(error.what, "vertex 3"));
    cr_assert_null(solid);
    m.vertices[3].y = 1;
    m.triangles[5][2] = 8;
    cr_assert_eq(tl_solid_make(&m, &solid, &error), TL_BAD_INPUT);
    cr_assert_not_null(strstr(error.what, "triangle 5"));
    tl_mesh_free(&m);
}
