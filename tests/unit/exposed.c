/* Exposed areas: the sum is the area of the body, whatever its shape and order. */
#include "cloud.h"

#include <stdio.h>
#include <stdlib.h>

static const double origin[3] = {0};

/* Area found over the true one. A lattice fills a shape a little more or less than its volume: the
 * true area is that of the matter that is there. */
static double part_of_area(cloud_shape *shape, const double size[3], cloud_fill fill, double jitter,
                           double area) {
    cloud c = {0};
    cloud_fill_shape(&c, shape, size, origin, fill, jitter);
    cloud_build(&c, NULL, 0, 2, 1);
    const double volume =
        shape == cloud_ball ? 4 * TL_PI / 3 * pow(size[0], 3) : size[0] * size[1] * size[2];
    const double there = area * pow((double)c.count / volume, 2.0 / 3);
    const double part = c.exposed.area / (there * cloud_dx * cloud_dx);
    cloud_free(&c);
    return part;
}

static double box_area(const double s[3]) { return 2 * (s[0] * s[1] + s[1] * s[2] + s[0] * s[2]); }

static void expect_area(const char *name, cloud_shape *shape, const double size[3], double area) {
    static const struct {
        const char *name;
        cloud_fill fill;
        double jitter;
    } fills[] = {{"cubic", CLOUD_CUBIC, 0},   {"cubic, shaken", CLOUD_CUBIC, 0.2},
                 {"turned", CLOUD_TURNED, 0}, {"turned, shaken", CLOUD_TURNED, 0.2},
                 {"close", CLOUD_CLOSE, 0},   {"close, shaken", CLOUD_CLOSE, 0.2}};
    for (size_t k = 0; k < sizeof fills / sizeof fills[0]; k++) {
        /* A sheet of few layers is one only along the lattice. */
        if (shape == cloud_box && fmin(size[0], size[2]) < 6 && fills[k].fill != CLOUD_CUBIC)
            continue;
        const double part = part_of_area(shape, size, fills[k].fill, fills[k].jitter, area);
        cr_log_info("%s, %s: %.3f of the area", name, fills[k].name, part);
        cr_expect_float_eq(part, 1, 0.05, "%s, %s: %.3f", name, fills[k].name, part);
    }
}

Test(exposed, a_sphere_has_its_area) {
    for (double r = 6; r < 15; r += 4) {
        char name[32];
        snprintf(name, sizeof name, "sphere of %g", r);
        expect_area(name, cloud_ball, (double[3]){r}, 4 * TL_PI * r * r);
    }
}

Test(exposed, a_cube_has_its_area) {
    for (double s = 10; s < 21; s += 5) {
        char name[32];
        snprintf(name, sizeof name, "cube of %g", s);
        const double size[3] = {s, s, s};
        expect_area(name, cloud_box, size, box_area(size));
    }
}

Test(exposed, a_sheet_has_both_its_sides) {
    for (double t = 1; t < 4; t++) {
        char name[32];
        snprintf(name, sizeof name, "sheet of %g", t);
        const double size[3] = {24, 24, t};
        expect_area(name, cloud_box, size, box_area(size));
    }
}

/* A row of particles is a round thread of the same volume; its ends are flat. */
Test(exposed, a_thread_and_a_lone_particle_are_round) {
    const double row[3] = {40, 1, 1}, one[3] = {1, 1, 1};
    expect_area("thread", cloud_box, row, 40 * 2 * sqrt(TL_PI) + 2);
    expect_area("lone particle", cloud_box, one, cbrt(36 * TL_PI));
}

Test(exposed, faces_at_walls_are_not_exposed) {
    static const tl_wall_def walls[] = {{.plane = TL_SIDE_Z}, {.plane = TL_SIDE_X}};
    const double size[3] = {16, 16, 16}, middle[3] = {8, 8, 8};
    for (int jittered = 0; jittered < 2; jittered++) {
        cloud c = {0};
        cloud_fill_shape(&c, cloud_box, size, middle, CLOUD_CUBIC, 0.2 * jittered);
        cloud_build(&c, walls, 2, 2, 1);
        const double part = c.exposed.area / (4 * 16 * 16 * cloud_dx * cloud_dx);
        cr_log_info("cube in a corner: %.3f of its four free faces", part);
        cr_expect_float_eq(part, 1, 0.05, "%.3f", part);
        /* Particles at the walls and away from edges have nothing. */
        double hidden = 0;
        for (size_t i = 0; i < c.count; i++) {
            const float *x = c.places + 3 * i;
            const bool at_wall =
                x[2] < 1.5f * 0.01f && x[0] < 0.12f && x[1] > 0.04f && x[1] < 0.12f;
            hidden += at_wall ? tl_exposed_area(&c.exposed, i) : 0;
        }
        cr_expect_leq(hidden, 0.02 * 8 * 12 * cloud_dx * cloud_dx, "%g m² at the wall", hidden);
        cloud_free(&c);
    }
}

/* Not the sum alone: the middle of a flat face has its area, whatever the order of the particles in
 * memory, and single particles have theirs to a part. */
Test(exposed, a_flat_face_has_its_area_everywhere) {
    for (int jittered = 0; jittered < 2; jittered++) {
        cloud c = {0};
        cloud_fill_shape(&c, cloud_box, (double[3]){40, 40, 4}, origin, CLOUD_CUBIC,
                         0.2 * jittered);
        cloud_build(&c, NULL, 0, 2, 1);
        double sum = 0, square = 0, n = 0;
        for (size_t i = 0; i < c.count; i++) {
            const float *x = c.places + 3 * i;
            if (fabsf(x[0]) > 0.15f || fabsf(x[1]) > 0.15f || x[2] < 0)
                continue;
            const double area = tl_exposed_area(&c.exposed, i) / (cloud_dx * cloud_dx);
            sum += area;
            square += x[2] > 0.01f ? (area - 1) * (area - 1) : 0;
            n += x[2] > 0.01f;
        }
        cr_log_info("middle of a face: %.3f of its area, one particle +-%.3f", sum / n,
                    sqrt(square / n));
        cr_expect_float_eq(sum / n, 1, 0.05, "%g", sum / n);
        cr_expect_lt(sqrt(square / n), 0.25, "%g", sqrt(square / n));
        cloud_free(&c);
    }
}

Test(exposed, normals_of_a_sphere_point_outward) {
    cloud c = {0};
    cloud_fill_shape(&c, cloud_ball, (double[3]){10}, origin, CLOUD_CUBIC, 0.2);
    cloud_build(&c, NULL, 0, 2, 1);
    double sum = 0, inner = 0;
    for (size_t i = 0; i < c.count; i++) {
        const float *x = c.places + 3 * i, *s = c.exposed.surface + i * TL_SURFACE;
        const double r = sqrt((double)(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        sum += (double)(s[3] * (s[0] * x[0] + s[1] * x[1] + s[2] * x[2])) / r;
        inner += r < 8 * cloud_dx ? (double)s[3] : 0;
    }
    cr_log_info("mean cosine %.4f, %.2g of the area below two layers", sum / c.exposed.area,
                inner / c.exposed.area);
    cr_expect_gt(sum / c.exposed.area, 0.95);
    cr_expect_lt(inner / c.exposed.area, 0.01);
    cloud_free(&c);
}

Test(exposed, longer_lists_change_nothing) {
    double area[2];
    for (int k = 0; k < 2; k++) {
        cloud c = {0};
        cloud_fill_shape(&c, cloud_ball, (double[3]){8}, origin, CLOUD_CUBIC, 0.2);
        cloud_build(&c, NULL, 0, k ? 3 : 2, 1);
        area[k] = c.exposed.area;
        cloud_free(&c);
    }
    cr_expect_float_eq(area[0] / area[1], 1, 1e-3, "%g and %g", area[0], area[1]);
}

Test(exposed, any_number_of_threads_gives_the_same_bits) {
    cloud one = {0}, four = {0};
    cloud_fill_shape(&one, cloud_ball, (double[3]){12}, origin, CLOUD_CLOSE, 0.2);
    cloud_fill_shape(&four, cloud_ball, (double[3]){12}, origin, CLOUD_CLOSE, 0.2);
    cloud_build(&one, NULL, 0, 2, 1);
    cloud_build(&four, NULL, 0, 2, 4);
    cr_expect_eq(
        memcmp(one.exposed.surface, four.exposed.surface, one.count * TL_SURFACE * sizeof(float)),
        0);
    cr_expect(one.exposed.area == four.exposed.area);
    cloud_free(&one);
    cloud_free(&four);
}

Test(exposed, no_particles_have_no_area) {
    cloud c = {0};
    cloud_build(&c, NULL, 0, 2, 1);
    cr_expect_eq(c.exposed.area, 0);
    cloud_free(&c);
}
