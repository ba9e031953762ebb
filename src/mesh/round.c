/* See round.h. Cones, capsules and rings are profiles turned about an axis; a rounded box is a ball
 * whose eighths are moved apart, with flat strips between them. */
#include "mesh/round.h"

#include "math/pi.h"
#include <stdlib.h>

/* With the most, a circle of four thousand spacings is as right as it should be. */
enum { LEAST_SIDES = 16, MOST_SIDES = 1024 };

/* Sides of a polygon in a circle whose edges are nowhere farther than `deviation` from it; a
 * multiple of four. */
static size_t count_sides(double radius, double deviation) {
    const double part = fmin(deviation / radius, 1);
    const double sides = fmin(fmax(TL_PI / acos(1 - part), LEAST_SIDES), MOST_SIDES);
    return 4 * (size_t)ceil(sides / 4);
}

/* A profile beside an axis: radius and height. */
typedef struct profile {
    double (*points)[2];
    size_t count;
    bool closed; /* the last point is followed by the first */
} profile;

typedef struct frame {
    tl_vec3 origin, axis[3];
} frame;

static frame make_frame(tl_vec3 origin, tl_vec3 along) {
    const tl_vec3 w =
        along.x == 0 && along.y == 0 && along.z == 0 ? (tl_vec3){0, 0, 1} : tl_vec3_unit(along);
    const tl_vec3 helper = fabs(w.x) > 0.9 ? (tl_vec3){0, 1, 0} : (tl_vec3){1, 0, 0};
    const tl_vec3 u = tl_vec3_unit(tl_vec3_mad(helper, -tl_vec3_dot(helper, w), w));
    return (frame){origin, {u, tl_vec3_cross(w, u), w}};
}

static tl_status add_ring(tl_mesh *m, const frame *f, const double point[2], size_t sides,
                          tl_error *error) {
    const tl_vec3 middle = tl_vec3_mad(f->origin, point[1], f->axis[2]);
    for (size_t k = 0; k < (point[0] > 0 ? sides : 1); k++) {
        const double angle = 2 * TL_PI * (double)k / (double)sides;
        const tl_vec3 x = tl_vec3_mad(middle, point[0] * cos(angle), f->axis[0]);
        TL_TRY(tl_mesh_add_vertex(m, tl_vec3_mad(x, point[0] * sin(angle), f->axis[1]), error));
    }
    return TL_OK;
}

/* The band between the rings that begin at vertices a and b, of which one may be a single point. */
static tl_status add_band(tl_mesh *m, size_t a, size_t b, bool a_point, bool b_point, size_t sides,
                          tl_error *error) {
    for (size_t k = 0; k < sides; k++) {
        const size_t next = (k + 1) % sides;
        const uint32_t a0 = (uint32_t)(a + (a_point ? 0 : k)),
                       a1 = (uint32_t)(a + (a_point ? 0 : next)),
                       b0 = (uint32_t)(b + (b_point ? 0 : k)),
                       b1 = (uint32_t)(b + (b_point ? 0 : next));
        if (!a_point)
            TL_TRY(tl_mesh_add_triangle(m, a0, a1, b1, error));
        if (!b_point)
            TL_TRY(tl_mesh_add_triangle(m, a0, b1, b0, error));
    }
    return TL_OK;
}

/* The profile runs upwards where it is farthest from the axis, so that triangles look outwards. */
static tl_status revolve(const profile *p, const frame *f, size_t sides, tl_mesh *m,
                         tl_error *error) {
    size_t begin = 0, before = 0;
    for (size_t i = 0; i < p->count; i++) {
        before = begin;
        begin = m->vertex_count;
        TL_TRY(add_ring(m, f, p->points[i], sides, error));
        if (i > 0)
            TL_TRY(add_band(m, before, begin, p->points[i - 1][0] == 0, p->points[i][0] == 0, sides,
                            error));
    }
    return p->closed ? add_band(m, begin, 0, false, false, sides, error) : TL_OK;
}

tl_status tl_cone_mesh(const tl_cone_def *cone, double deviation, tl_mesh *out, tl_error *error) {
    const tl_vec3 from = tl_vec3_of(cone->from), along = tl_vec3_sub(tl_vec3_of(cone->to), from);
    const double length = tl_vec3_length(along), widest = fmax(cone->radius, cone->end_radius);
    if (!(length > 0))
        return tl_fail(error, TL_BAD_INPUT, "cone.to", NULL, "the cone ends where it begins");
    if (!(widest > 0))
        return tl_fail(error, TL_BAD_INPUT, "cone.radius", "give it a radius",
                       "the cone has no width");
    double points[4][2] = {{0, 0}, {cone->radius, 0}, {cone->end_radius, length}, {0, length}};
    const bool sharp = cone->end_radius == 0;
    const size_t first = cone->radius == 0, last = sharp ? 3 : 4;
    const profile p = {points + first, last - first, false};
    const frame f = make_frame(from, along);
    return revolve(&p, &f, count_sides(widest, deviation), out, error);
}

tl_status tl_capsule_mesh(const tl_capsule_def *capsule, double deviation, tl_mesh *out,
                          tl_error *error) {
    const tl_vec3 from = tl_vec3_of(capsule->from),
                  along = tl_vec3_sub(tl_vec3_of(capsule->to), from);
    const double length = tl_vec3_length(along), r = capsule->radius;
    /* A band of a ball bends both ways. */
    const size_t sides = count_sides(r, deviation / 2), quarter = sides / 4;
    profile p = {.points = tl_allocate(2 * quarter + 2, sizeof *p.points)};
    if (!p.points)
        return tl_fail_memory(error, 2 * quarter + 2, sizeof *p.points);
    for (size_t half = 0; half < 2; half++)
        for (size_t k = 0; k <= quarter; k++) {
            const double angle = TL_PI / 2 * ((double)k / (double)quarter - 1 + (double)half);
            const bool pole = half == 0 ? k == 0 : k == quarter;
            if (half == 1 && k == 0 && length == 0)
                continue; /* a ball has one equator */
            double *point = p.points[p.count++];
            point[0] = pole ? 0 : r * cos(angle);
            point[1] = r * sin(angle) + (half ? length : 0);
        }
    const frame f = make_frame(from, along);
    const tl_status status = revolve(&p, &f, sides, out, error);
    free(p.points);
    return status;
}

tl_status tl_cone_vessel(const tl_cone_def *cone, double thickness, double deviation, tl_mesh *out,
                         tl_error *error) {
    const tl_vec3 from = tl_vec3_of(cone->from), along = tl_vec3_sub(tl_vec3_of(cone->to), from);
    const double length = tl_vec3_length(along), r = cone->radius, end = cone->end_radius;
    if (!(length > 0))
        return tl_fail(error, TL_BAD_INPUT, "to", NULL, "the vessel ends where it begins");
    if (!(end > 0))
        return tl_fail(error, TL_BAD_INPUT, "open", "open its other end, or give it an end_radius",
                       "the cone has a tip where it is to be open");
    /* The outer side is parallel to the inner one, at the distance of the thickness. */
    const double slope = (end - r) / length, away = thickness * sqrt(1 + slope * slope);
    double points[6][2] = {{0, -thickness},
                           {r - slope * thickness + away, -thickness},
                           {end + away, length},
                           {end, length},
                           {r, 0},
                           {0, 0}};
    const profile p = {points, r > 0 ? 6 : 5, false};
    const frame f = make_frame(from, along);
    return revolve(&p, &f, count_sides(fmax(r, end) + away, deviation), out, error);
}

tl_status tl_capsule_vessel(const tl_capsule_def *capsule, tl_vec3 axis, double thickness,
                            double deviation, tl_mesh *out, tl_error *error) {
    const tl_vec3 from = tl_vec3_of(capsule->from),
                  along = tl_vec3_sub(tl_vec3_of(capsule->to), from);
    const double length = tl_vec3_length(along);
    const size_t sides = count_sides(capsule->radius + thickness, deviation / 2);
    const size_t quarter = sides / 4, room = 2 * quarter + 4;
    profile p = {.points = tl_allocate(room, sizeof *p.points)};
    if (!p.points)
        return tl_fail_memory(error, room, sizeof *p.points);
    for (size_t inner = 0; inner < 2; inner++) { /* outside upwards, then inside downwards */
        const double r = capsule->radius + (inner ? 0 : thickness);
        for (size_t k = 0; k <= quarter; k++) {
            const double angle = TL_PI / 2 * (double)(inner ? k : quarter - k) / (double)quarter;
            double *point = p.points[p.count++];
            point[0] = k == (inner ? quarter : 0) ? 0 : r * cos(angle);
            point[1] = -r * sin(angle);
            if (length > 0 && k == (inner ? 0 : quarter)) { /* the straight part up to the rim */
                double *rim = p.points[p.count++];
                rim[0] = r, rim[1] = inner ? 0 : length;
                point[1] = inner ? length : 0;
            }
        }
    }
    const frame f = make_frame(from, length > 0 ? along : axis);
    const tl_status status = revolve(&p, &f, sides, out, error);
    free(p.points);
    return status;
}

tl_status tl_torus_mesh(const tl_torus_def *torus, double deviation, tl_mesh *out,
                        tl_error *error) {
    const double tube = torus->tube_radius, ring = torus->radius;
    if (!(tube < ring))
        return tl_fail(error, TL_BAD_INPUT, "torus.tube_radius", "make the tube thinner",
                       "the tube of the torus meets itself in the middle: radius %g m of a ring of "
                       "%g m",
                       tube, ring);
    if (!(tl_vec3_length(tl_vec3_of(torus->axis)) > 0))
        return tl_fail(error, TL_BAD_INPUT, "torus.axis", "write [0, 0, 1]",
                       "the torus has no axis");
    const size_t around = count_sides(tube, deviation / 2);
    profile p = {.points = tl_allocate(around, sizeof *p.points), .count = around, .closed = true};
    if (!p.points)
        return tl_fail_memory(error, around, sizeof *p.points);
    for (size_t k = 0; k < around; k++) {
        const double angle = 2 * TL_PI * (double)k / (double)around;
        p.points[k][0] = ring + tube * cos(angle);
        p.points[k][1] = tube * sin(angle);
    }
    const frame f = make_frame(tl_vec3_of(torus->center), tl_vec3_of(torus->axis));
    const tl_status status = revolve(&p, &f, count_sides(ring + tube, deviation / 2), out, error);
    free(p.points);
    return status;
}

/* Cosine of step k of m from 0 to a right angle, zero at its end, so that flat strips of no width
 * close up exactly. */
static double step_cos(size_t k, size_t m) {
    return k == m ? 0 : cos(TL_PI / 2 * (double)k / (double)m);
}

/* Rings from the lower pole upwards; each is four arcs around the four upright edges. */
static tl_status add_box_rings(const tl_vec3 middle, const double half[3], double r, size_t m,
                               tl_mesh *out, tl_error *error) {
    static const double side[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (size_t row = 0; row < 2 * m + 2; row++) {
        const bool upper = row > m;
        const size_t k = upper ? 2 * m + 1 - row : row; /* steps from the pole */
        const double across = r * step_cos(m - k, m), up = r * step_cos(k, m);
        for (size_t q = 0; q < 4; q++)
            for (size_t j = 0; j <= m; j++) {
                const double c = step_cos(j, m), s = step_cos(m - j, m);
                const double n[2] = {q % 2 ? -s : c, q % 2 ? c : s};
                const double sign = q < 2 ? 1 : -1;
                const tl_vec3 offset = {side[q][0] * half[0] + sign * across * n[0],
                                        side[q][1] * half[1] + sign * across * n[1],
                                        upper ? half[2] + up : -half[2] - up};
                TL_TRY(tl_mesh_add_vertex(out, tl_vec3_add(middle, offset), error));
            }
    }
    return TL_OK;
}

tl_status tl_rounded_box_mesh(const tl_rounded_box_def *box, double deviation, tl_mesh *out,
                              tl_error *error) {
    const double r = box->radius;
    double half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = (box->to[k] - box->from[k]) / 2 - r;
        if (!(box->from[k] < box->to[k]))
            return tl_fail(error, TL_BAD_INPUT, "rounded_box.to", "from is the lowest corner",
                           "the box has no extent along %c: from %g m to %g m", "xyz"[k],
                           box -> from[k], box -> to[k]);
        if (half[k] < -1e-12 * r)
            return tl_fail(error, TL_BAD_INPUT, "rounded_box.radius", "make it smaller",
                           "edges of radius %g m do not fit into a box of %g m along %c", r,
                           box->to[k] - box->from[k], "xyz"[k]);
        half[k] = fmax(half[k], 0);
    }
    const tl_vec3 middle =
        tl_vec3_scale(tl_vec3_add(tl_vec3_of(box->from), tl_vec3_of(box->to)), 0.5);
    const size_t m = count_sides(r, deviation / 2) / 4, ring = 4 * (m + 1), rows = 2 * m + 2;
    TL_TRY(add_box_rings(middle, half, r, m, out, error));
    for (size_t row = 1; row < rows; row++)
        TL_TRY(add_band(out, (row - 1) * ring, row * ring, false, false, ring, error));
    /* The pole rings are rectangles: their four corners close them. */
    const uint32_t step = (uint32_t)m + 1, top = (uint32_t)((rows - 1) * ring);
    TL_TRY(tl_mesh_add_triangle(out, 0, 2 * step, step, error));
    TL_TRY(tl_mesh_add_triangle(out, 0, 3 * step, 2 * step, error));
    TL_TRY(tl_mesh_add_triangle(out, top, top + step, top + 2 * step, error));
    return tl_mesh_add_triangle(out, top, top + 2 * step, top + 3 * step, error);
}
