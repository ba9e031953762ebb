/* Nothing passes through a mesh. Sides are judged here by the plainest means: the winding of what
 * is closed, and segments against all triangles in long double. */
#include "mesh/sweep.h"
#include "meshes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Flights of each kind; more than ten million in all have been flown with 1300000. */
#ifndef TL_FLIGHTS
#define TL_FLIGHTS 130000
#endif

static const double spacing = 0.1, radius = 0.005;

/* ---- First touches ---- */

/* The first touch with one triangle by walking as far as is surely free, again and again; 2: none;
 * negative: it grazes and walking does not end. */
static double touch_by_walking(const tl_solid *one, tl_vec3 from, tl_vec3 way, double r) {
    const double length = tl_vec3_length(way);
    double time = 0;
    for (int k = 0; k < 500; k++) {
        tl_nearest near;
        if (!tl_solid_nearest(one, tl_vec3_mad(from, time, way), HUGE_VAL, &near))
            return 2;
        if (near.distance <= r * (1 + 1e-9))
            return time;
        time += (near.distance - r) / length;
        if (time > 1)
            return 2;
    }
    return -1;
}

static void is_as_walking_says(tl_mesh m, int flights) {
    const size_t count = m.triangle_count;
    tl_solid **each = calloc(count, sizeof *each), *all;
    m.closed = false;
    cr_assert_eq(tl_solid_make(&m, &all, NULL), TL_OK);
    for (size_t t = 0; t < count; t++) {
        const tl_mesh one = {.vertices = m.vertices,
                             .vertex_count = m.vertex_count,
                             .triangles = m.triangles + t,
                             .triangle_count = 1};
        cr_assert_eq(tl_solid_make(&one, &each[t], NULL), TL_OK);
    }
    dice d = {3, 0};
    int touches = 0;
    for (int k = 0; k < flights; k++) {
        const double r = roll_magnitude(&d, 1e-4, 0.3);
        const tl_vec3 from = roll_in_box(&d, 1.5), to = roll_in_box(&d, 1.5);
        tl_nearest near;
        tl_touch touch;
        if (tl_solid_nearest(all, from, r, &near))
            continue;
        double first = 2;
        for (size_t t = 0; t < count; t++)
            first = fmin(first, touch_by_walking(each[t], from, tl_vec3_sub(to, from), r));
        const bool found = tl_solid_sweep(all, from, to, r, &touch);
        if (first < 0)
            continue;
        cr_assert_eq(found, first <= 1, "%g", first);
        if (!found)
            continue;
        touches++;
        const tl_vec3 centre = tl_vec3_mad(from, touch.time, tl_vec3_sub(to, from));
        cr_assert_float_eq(touch.time, first, 1e-4 * r, "%.12g %.12g", touch.time, first);
        cr_assert_float_eq(tl_vec3_length(tl_vec3_sub(centre, touch.point)), r, 1e-11);
        cr_assert_float_eq(tl_vec3_dot(touch.normal, tl_vec3_sub(centre, touch.point)), r, 1e-11);
        cr_assert(tl_solid_nearest(each[touch.triangle], touch.point, 1e-11, &near));
    }
    cr_assert_gt(touches, flights / 8);
    for (size_t t = 0; t < count; t++)
        tl_solid_free(each[t]);
    free(each);
    tl_solid_free(all);
    tl_mesh_free(&m);
}

Test(sweep, first_touches_are_those_of_all_triangles) {
    is_as_walking_says(mesh_of_box((tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 1}), 800);
    is_as_walking_says(mesh_of_soup(100, 0.3, 12), 80);
    is_as_walking_says(mesh_of_soup(20, 2, 13), 500);
    is_as_walking_says(mesh_of_needles(60, 14), 120);
    is_as_walking_says(mesh_of_ball(1, 8, 0.2, 15), 60);
}

Test(sweep, what_overlaps_is_met_at_once_or_not_at_all) {
    tl_solid *floor = solid_of(mesh_of_box((tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 0}));
    const tl_vec3 from = {0.3, 0.1, 0.05};
    tl_touch touch;
    cr_assert(tl_solid_sweep(floor, from, (tl_vec3){0.4, 0.1, 0.049}, 0.1, &touch));
    cr_assert_eq(touch.time, 0);
    cr_assert_float_eq(touch.normal.z, 1, 1e-15);
    cr_assert_not(tl_solid_sweep(floor, from, (tl_vec3){0.3, 0.1, 0.06}, 0.1, &touch));
    tl_solid_free(floor);
}

/* ---- Flights ---- */

static void difference(tl_vec3 a, tl_vec3 b, long double out[3]) {
    out[0] = (long double)a.x - (long double)b.x;
    out[1] = (long double)a.y - (long double)b.y;
    out[2] = (long double)a.z - (long double)b.z;
}

/* Six times the volume of a tetrahedron, in long double; 0 when rounding hides its sign. */
static long double volume(tl_vec3 a, tl_vec3 b, tl_vec3 c, tl_vec3 d) {
    long double u[3], v[3], w[3];
    difference(a, d, u);
    difference(b, d, v);
    difference(c, d, w);
    long double sum = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        sum += u[k] * (v[l] * w[m] - v[m] * w[l]);
        size += fabsl(u[k]) * (fabsl(v[l] * w[m]) + fabsl(v[m] * w[l]));
    }
    return fabsl(sum) > 8 * LDBL_EPSILON * size ? sum : 0;
}

static bool crosses(const tl_mesh *m, tl_vec3 p, tl_vec3 q) {
    for (size_t t = 0; t < m->triangle_count; t++) {
        const tl_vec3 a = tl_mesh_corner(m, t, 0), b = tl_mesh_corner(m, t, 1),
                      c = tl_mesh_corner(m, t, 2);
        if (volume(a, b, c, p) * volume(a, b, c, q) >= 0)
            continue;
        const long double u = volume(p, q, a, b), v = volume(p, q, b, c), w = volume(p, q, c, a);
        if ((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))
            return true;
    }
    return false;
}

/* Up to a thousand spacings in a step, all magnitudes as likely. */
static tl_vec3 roll_way(dice *d) {
    return tl_vec3_scale(roll_direction(d), roll_magnitude(d, 1e-3, 1000) * spacing);
}

/* Flights that stick where they touch have a straight path: it must cross nothing. Starts are
 * anywhere, also much nearer to a triangle than the radius. */
static void is_never_crossed(tl_mesh m, double r, long flights, uint64_t seed) {
    tl_solid *solid;
    dice d = {seed, 0};
    long wrong = 0, stopped = 0;
    cr_assert_eq(tl_solid_make(&m, &solid, NULL), TL_OK);
    for (long k = 0; k < flights; k++) {
        tl_vec3 from = roll_in_box(&d, 1.3), aim = roll_in_box(&d, 1);
        const size_t t = (size_t)roll(&d, 0, (double)m.triangle_count);
        if (k % 2) /* at a corner, an edge or a face of a triangle, from near or far */
            aim = tl_mesh_corner(&m, t, 0);
        if (k % 4 == 3)
            aim = tl_vec3_mad(aim, 0.5, tl_vec3_sub(tl_mesh_corner(&m, t, 1), aim));
        if (k % 8 == 7)
            from = tl_vec3_mad(aim, roll_magnitude(&d, 1e-14, 1e-2), roll_direction(&d));
        const double length = roll_magnitude(&d, 1e-3, 1000) * spacing;
        const tl_vec3 to = tl_vec3_mad(from, length, tl_vec3_unit(tl_vec3_sub(aim, from)));
        const tl_slide slide = tl_solid_move(solid, from, to, r, 0, 0);
        wrong += crosses(&m, from, slide.start) || crosses(&m, slide.start, slide.end);
        stopped += slide.touches > 0;
    }
    cr_assert_eq(wrong, 0, "%ld of %ld", wrong, flights);
    cr_assert_gt(stopped, flights / 20);
    tl_solid_free(solid);
    tl_mesh_free(&m);
}

Test(move, soups_of_triangles_are_never_crossed) {
    is_never_crossed(mesh_of_soup(60, 0.4, 21), radius, TL_FLIGHTS, 31);
    is_never_crossed(mesh_of_soup(30, 2, 22), 1e-7, TL_FLIGHTS / 2, 32);
    is_never_crossed(mesh_of_soup(30, 0.8, 22), 0, TL_FLIGHTS / 2, 33);
}

Test(move, needles_and_triangles_without_area_are_never_crossed) {
    is_never_crossed(mesh_of_needles(60, 23), radius, TL_FLIGHTS, 34);
}

/* A body as the world moves it: turning and accelerating; paths are straight in the world. */
typedef struct pose {
    tl_vec3 place, axis;
    double angle;
} pose;

static tl_vec3 turn(tl_vec3 v, tl_vec3 axis, double angle) {
    const tl_vec3 along = tl_vec3_scale(axis, tl_vec3_dot(axis, v)), rest = tl_vec3_sub(v, along);
    return tl_vec3_add(along, tl_vec3_add(tl_vec3_scale(rest, cos(angle)),
                                          tl_vec3_scale(tl_vec3_cross(axis, v), sin(angle))));
}
static tl_vec3 into_frame(pose p, tl_vec3 x) {
    return turn(tl_vec3_sub(x, p.place), p.axis, -p.angle);
}
static tl_vec3 out_of_frame(pose p, tl_vec3 x) {
    return tl_vec3_add(turn(x, p.axis, p.angle), p.place);
}

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

enum { STEPS = 10 };

/* Particles that start on either side, with all kinds of contact, over several steps of a body that
 * spins and accelerates: the winding of the mesh around each never changes. Between the steps
 * places are kept in the world, with its rounding. */
static void keeps_its_sides(tl_mesh m, bool sheet, double r, long flights, uint64_t seed) {
    tl_solid *solid;
    dice d = {seed, 0};
    long wrong = 0, inside = 0;
    m.closed = !sheet;
    cr_assert_eq(tl_solid_make(&m, &solid, NULL), TL_OK);
    for (long k = 0; k < flights / STEPS; k++) {
        pose now = {roll_in_box(&d, 5), roll_direction(&d), roll(&d, -3, 3)};
        const double keep[2] = {k % 3 ? roll(&d, 0, 1) : k % 2, k % 5 ? roll(&d, 0, 1) : 1};
        tl_vec3 drift = k % 4 ? roll_way(&d) : (tl_vec3){0, 0, 0}, body = roll_in_box(&d, 1.1);
        double spin = k % 2 ? roll_magnitude(&d, 1e-3, 3) : 0;
        const double side = winding(&m, body);
        tl_vec3 x = out_of_frame(now, body), v = tl_vec3_add(drift, roll_way(&d));
        inside += side > 0.5;
        for (int step = 0; step < STEPS; step++) {
            pose next = now;
            drift = tl_vec3_add(drift, roll_in_box(&d, spacing));
            next.place = tl_vec3_add(now.place, drift);
            next.angle += spin *= 1.1;
            const tl_slide slide =
                tl_solid_move(solid, into_frame(now, x), into_frame(next, tl_vec3_add(x, v)), r,
                              keep[0], keep[1]);
            x = out_of_frame(next, slide.end);
            v = turn(slide.way, next.axis, next.angle);
            v = tl_vec3_add(v, tl_vec3_add(drift, roll_in_box(&d, spacing)));
            now = next;
        }
        wrong += fabs(winding(&m, into_frame(now, x)) - side) > 0.5;
    }
    cr_assert_eq(wrong, 0, "%ld of %ld", wrong, flights);
    cr_assert_gt(inside, flights / STEPS / 50);
    tl_solid_free(solid);
    tl_mesh_free(&m);
}

Test(move, spinning_and_accelerating_bodies_keep_their_sides) {
    const tl_vec3 low = {-1, -1, -1}, high = {1, 1, 1};
    keeps_its_sides(mesh_of_box(low, high), false, radius, TL_FLIGHTS, 41);
    keeps_its_sides(mesh_of_ball(1, 7, 0.5, 5), false, radius, TL_FLIGHTS, 42);
    keeps_its_sides(mesh_of_torus(0.8, 0.3, 9, 7), false, radius, TL_FLIGHTS, 43);
    /* Nothing but thin walls. */
    keeps_its_sides(mesh_of_box(low, high), true, radius, TL_FLIGHTS, 44);
    keeps_its_sides(mesh_of_ball(1, 6, 0.3, 6), true, 1e-3 * radius, TL_FLIGHTS, 45);
}

/* ---- Response ---- */

/* A sheet in the plane z = 0 of n x n squares with corners off the lattice. */
static tl_solid *make_floor(uint32_t n) {
    tl_mesh m = {0};
    dice d = {8, 0};
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n; j++)
            put_vertex(&m,
                       (tl_vec3){(i + roll(&d, -0.3, 0.3)) / n, (j + roll(&d, -0.3, 0.3)) / n, 0});
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            put_quad(&m, i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1,
                     i * (n + 1) + j + 1);
    return solid_of(m);
}

Test(move, an_elastic_particle_in_a_box_keeps_its_energy) {
    tl_solid *box = solid_of(mesh_of_box((tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 1}));
    tl_vec3 x = {0.1, 0.2, 0.3}, way = {0.31, 0.17, -0.23};
    const double before = tl_vec3_dot(way, way);
    int touches = 0;
    for (int k = 0; k < 100000; k++) {
        const tl_slide slide = tl_solid_move(box, x, tl_vec3_add(x, way), radius, 1, 1);
        x = slide.end, way = slide.way;
        touches += slide.touches;
        cr_assert_lt(fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))), 1 - 0.99 * radius);
    }
    cr_assert_float_eq(touches, 100000 * (0.31 + 0.17 + 0.23) / (2 - 2 * radius), 10);
    cr_assert_float_eq(tl_vec3_dot(way, way) / before, 1, 1e-11);
    tl_solid_free(box);
}

Test(move, scales_what_is_along_and_across_the_surface) {
    tl_solid *floor = make_floor(10);
    const tl_vec3 from = {0.3, 0.5, 0.1}, to = {0.5, 0.5, -0.1};
    const double ahead = (0.1 - radius) / 0.2, left = 1 - ahead;
    const double keeps[][2] = {{1, 1}, {0, 0}, {0, 1}, {0.5, 0.3}};
    for (size_t k = 0; k < 4; k++) {
        const tl_slide slide = tl_solid_move(floor, from, to, radius, keeps[k][0], keeps[k][1]);
        cr_assert_eq(slide.touches, 1);
        cr_assert_float_eq(slide.touch.time, ahead, 1e-6);
        cr_assert_float_eq(slide.way.x, 0.2 * keeps[k][1], 1e-15);
        cr_assert_float_eq(slide.way.z, 0.2 * keeps[k][0], 1e-15);
        cr_assert_float_eq(slide.end.x, 0.3 + 0.2 * (ahead + left * keeps[k][1]), 1e-6);
        cr_assert_float_eq(slide.end.z, radius + 0.2 * left * keeps[k][0], 1e-6);
    }
    tl_solid_free(floor);
}

Test(move, sliding_does_not_catch_on_the_edges_of_a_plane) {
    tl_solid *floor = make_floor(50);
    tl_vec3 x = {0.05, 0.1, radius};
    const tl_vec3 way = {8e-3, 7e-3, -1e-3};
    for (int k = 0; k < 100; k++) {
        const tl_slide slide = tl_solid_move(floor, x, tl_vec3_add(x, way), radius, 0, 1);
        cr_assert_leq(slide.touches, 2);
        cr_assert_float_eq(slide.end.x - x.x, way.x, 1e-9);
        cr_assert_float_eq(slide.end.y - x.y, way.y, 1e-9);
        cr_assert_float_eq(slide.end.z, radius, 2e-3 * radius);
        x = slide.end;
    }
    tl_solid_free(floor);
}

Test(move, what_is_squeezed_is_eased_out_on_its_own_side) {
    tl_solid *floor = make_floor(10);
    for (int k = 0; k < 16; k++) {
        const double height = (k % 2 ? -1 : 1) * radius * pow(10, -k);
        const tl_vec3 from = {0.41, 0.37, height};
        const tl_slide slide =
            tl_solid_move(floor, from, (tl_vec3){0.41, 0.37, -100 * height}, radius, 0, 1);
        cr_assert_float_eq(slide.end.z, copysign(radius, height), 2e-3 * radius, "%g from %g",
                           slide.end.z, height);
    }
    tl_solid_free(floor);
}

Test(move, in_a_gap_that_is_too_narrow_it_rests_in_the_middle) {
    tl_mesh m = mesh_of_box((tl_vec3){-1, -1, -radius / 4}, (tl_vec3){1, 1, radius});
    m.closed = false;
    tl_solid *gap = solid_of(m);
    tl_vec3 x = {0.1, 0.2, 0};
    for (int k = 0; k < 10; k++)
        x = tl_solid_move(gap, x, x, radius, 0, 1).end;
    cr_assert_float_eq(x.z, 0.375 * radius, 0.1 * radius);
    tl_solid_free(gap);
}

Test(move, between_two_sheets_it_stays_between_however_close_they_are) {
    for (double width = 1e-3; width > 1e-15; width /= 10) {
        tl_mesh m = mesh_of_box((tl_vec3){-1, -1, 0}, (tl_vec3){1, 1, width});
        m.closed = false;
        tl_solid *gap = solid_of(m);
        dice d = {9, 0};
        for (int k = 0; k < 2000; k++) {
            const tl_vec3 from = {roll(&d, -1, 1), roll(&d, -1, 1), width * roll(&d, 0.01, 0.99)};
            const tl_vec3 to = tl_vec3_add(from, roll_way(&d));
            const tl_slide slide = tl_solid_move(gap, from, to, radius, k % 2, k % 3 ? 1 : 0);
            cr_assert(slide.start.z > 0 && slide.start.z < width);
            cr_assert(slide.end.z > 0 && slide.end.z < width, "%g of %g", slide.end.z, width);
            cr_assert(fabs(slide.end.x) < 1 && fabs(slide.end.y) < 1);
        }
        tl_solid_free(gap);
    }
}

/* The tip of a funnel with a sharp angle, under gravity. */
Test(move, it_comes_to_rest_in_a_corner) {
    tl_solid *cone = solid_of(mesh_of_ball(1, 3, 0, 1)); /* pointed at its poles */
    tl_vec3 x = {0.05, 0.1, 0}, v = {0.3, 0.1, 0};
    for (int k = 0; k < 2000; k++) {
        v.z -= 0.01;
        const tl_slide slide = tl_solid_move(cone, x, tl_vec3_add(x, v), radius, 0, 0.9);
        x = slide.end, v = slide.way;
        cr_assert(tl_solid_inside(cone, x));
    }
    cr_assert_lt(tl_vec3_length(v), 0.02);
    cr_assert_lt(x.z, -1 + 3 * radius);
    tl_solid_free(cone);
}
