/* Walls as shapes, and the samples that continue the lattice of the matter into them. */
#include "boundary/samples.h"
#include "math/kernels.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* ---- Shapes ---- */

static tl_shapes shapes_of(const tl_wall_def *walls, size_t count) {
    tl_shapes shapes;
    tl_error error = {0};
    cr_assert_eq(tl_shapes_make(walls, count, &shapes, &error), TL_OK, "%s", error.what);
    return shapes;
}

static double distance_to(const tl_shapes *shapes, size_t i, double x, double y, double z) {
    tl_vec3 normal;
    const double d = tl_shape_distance(&shapes->items[i], (tl_vec3){x, y, z}, &normal);
    cr_assert_float_eq(tl_vec3_length(normal), 1, 1e-12);
    return d;
}

static void near_to(double found, double expected) {
    cr_assert_float_eq(found, expected, 1e-12, "%.17g, not %.17g", found, expected);
}

Test(shapes, planes_have_their_matter_where_the_side_points) {
    for (int side = TL_SIDE_X; side <= TL_SIDE_MINUS_Z; side++) {
        const tl_wall_def wall = {.plane = side, .at = 0.3};
        tl_shapes s = shapes_of(&wall, 1);
        const int axis = (side - 1) % 3;
        const double sign = side < TL_SIDE_MINUS_X ? 1 : -1;
        double x[3] = {5, 6, 7};
        x[axis] = 0.3 + 0.1;
        near_to(distance_to(&s, 0, x[0], x[1], x[2]), sign * 0.1);
        x[axis] = 0.3 - 2;
        near_to(distance_to(&s, 0, x[0], x[1], x[2]), sign * -2);
        tl_shapes_free(&s);
    }
}

Test(shapes, oblique_normals_may_have_any_length) {
    const tl_wall_def wall = {.normal = {30, 0, 40}, .through = {1, 2, 3}};
    tl_shapes s = shapes_of(&wall, 1);
    near_to(s.items[0].normal.x, 0.6);
    near_to(s.items[0].normal.z, 0.8);
    near_to(distance_to(&s, 0, 1, -9, 3), 0);
    near_to(distance_to(&s, 0, 1 + 0.6, 5, 3 + 0.8), 1);
    near_to(distance_to(&s, 0, 1 - 1.2, 5, 3 - 1.6), -2);
    tl_shapes_free(&s);
}

Test(shapes, a_wall_without_a_shape_is_named) {
    const tl_wall_def walls[] = {{.plane = TL_SIDE_Z}, {.name = (char *)"odd"}};
    tl_shapes s;
    tl_error error = {0};
    cr_assert_eq(tl_shapes_make(walls, 2, &s, &error), TL_BAD_INPUT);
    cr_assert_str_eq(error.where, "odd");
    tl_shapes_free(&s);
}

/* The least distance to any shape. */
static double clearance(const tl_shapes *s, double x, double y, double z) {
    double least = HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        least = fmin(least, distance_to(s, i, x, y, z));
    return least;
}

Test(shapes, an_open_tank_is_five_half_spaces) {
    const tl_wall_def tank = {.has_box = true,
                              .box = {{-1, 0, 2}, {1, 3, 4}},
                              .open = TL_SIDE_Z,
                              .contact = TL_CONTACT_FREE_SLIP,
                              .velocity = {1, 2, 3}};
    tl_shapes s = shapes_of(&tank, 1);
    cr_assert_eq(s.count, 5);
    near_to(clearance(&s, 0, 1.5, 3.9), 1);    /* the lid is far: it is not there */
    near_to(clearance(&s, 0, 1.5, 100), 1);    /* nor is anything above it */
    near_to(clearance(&s, -0.9, 1.5, 3), 0.1); /* a wall */
    near_to(clearance(&s, 0.9, 1.5, 3), 0.1);  /* its opposite */
    near_to(clearance(&s, 0, 0.2, 3), 0.2);    /* the sides */
    near_to(clearance(&s, 0, 2.8, 3), 0.2);
    near_to(clearance(&s, 0, 1.5, 2.05), 0.05); /* the floor */
    near_to(clearance(&s, 0, 1.5, 1.5), -0.5);
    for (size_t i = 0; i < 5; i++)
        cr_assert(!s.items[i].is_box && s.items[i].slip == 1 && s.items[i].belt.z == 3 &&
                  s.items[i].wall == 0);
    near_to(s.items[0].normal.z, 1); /* the floor owns the corners */
    tl_shapes_free(&s);
}

Test(shapes, any_face_of_a_tank_can_be_the_open_one) {
    for (int open = TL_SIDE_NONE; open <= TL_SIDE_MINUS_Z; open++) {
        const tl_wall_def tank = {.has_box = true, .box = {{-1, -1, -1}, {1, 1, 1}}, .open = open};
        tl_shapes s = shapes_of(&tank, 1);
        cr_assert_eq(s.count, open == TL_SIDE_NONE ? 6 : 5);
        for (int side = TL_SIDE_X; side <= TL_SIDE_MINUS_Z; side++) {
            double x[3] = {0};
            x[(side - 1) % 3] = side < TL_SIDE_MINUS_X ? 2 : -2;
            near_to(clearance(&s, x[0], x[1], x[2]), side == open ? 1 : -1);
        }
        tl_shapes_free(&s);
    }
}

Test(shapes, an_obstacle_is_one_box_with_the_matter_outside) {
    const tl_wall_def walls[] = {{.plane = TL_SIDE_Z},
                                 {.has_box = true, .box = {{0, 0, 0}, {4, 2, 1}}, .outside = true}};
    tl_shapes s = shapes_of(walls, 2);
    cr_assert(s.count == 2 && s.items[1].is_box && s.items[1].wall == 1);
    near_to(distance_to(&s, 1, 2, 1, 3), 2);         /* over a face */
    near_to(distance_to(&s, 1, -3, 1, 0.5), 3);      /* before another */
    near_to(distance_to(&s, 1, 2, 2 + 3, 1 + 4), 5); /* over an edge */
    near_to(distance_to(&s, 1, -2, -3, -6), 7);      /* off a corner */
    near_to(distance_to(&s, 1, 2, 1, 0.9), -0.1);    /* below the top */
    near_to(distance_to(&s, 1, 2, 0.2, 0.5), -0.2);  /* behind a side */
    near_to(distance_to(&s, 1, 3.97, 1.98, 0.99), -0.01);
    near_to(distance_to(&s, 1, 4, 2, 1), 0);
    tl_shapes_free(&s);
}

Test(shapes, the_normal_of_a_box_leads_out_of_it) {
    const tl_shape box = {.is_box = true, .from = {0, 0, 0}, .to = {4, 2, 1}};
    const double h = 1e-6;
    for (int i = 0; i < 1000; i++) {
        const tl_vec3 x = {-1 + 6 * (i % 10) / 9.7, -1 + 4 * (i / 10 % 10) / 9.3,
                           -1 + 3 * (i / 100) / 9.1};
        tl_vec3 normal, ignored;
        const double d = tl_box_distance(&box, x, &normal);
        const double further = tl_box_distance(&box, tl_vec3_mad(x, h, normal), &ignored);
        cr_assert_float_eq((further - d) / h, 1, 1e-6, "at %g %g %g", x.x, x.y, x.z);
    }
}

/* ---- Samples ---- */

static const double dx = 0.01;

/* Points on a lattice, and the samples that go with them. */
typedef struct patch {
    float *xyz;
    size_t count;
    tl_shapes shapes;
    tl_samples samples;
    tl_sampling sampling;
} patch;

static patch patch_make(const tl_wall_def *walls, size_t count) {
    return (patch){
        .shapes = shapes_of(walls, count),
        .sampling = {.spacing = dx, .reach = 2.1 * dx, .depth = 2 * dx, .origin = {0.013, 0, 0}}};
}

/* Adds particles at from + (k + ½) dx, with coordinates relative to the origin. */
static void fill(patch *p, double x, double y, double z, int nx, int ny, int nz) {
    const tl_vec3 o = p->sampling.origin;
    for (int i = 0; i < nx * ny * nz; i++) {
        cr_assert_eq(TL_ARRAY_RESERVE(p->xyz, 3 * p->count, 3 * p->count + 3, NULL), TL_OK);
        float *at = p->xyz + 3 * p->count++;
        at[0] = (float)(x + (i % nx + 0.5) * dx - o.x);
        at[1] = (float)(y + (i / nx % ny + 0.5) * dx - o.y);
        at[2] = (float)(z + (i / nx / ny + 0.5) * dx - o.z);
    }
}

static void sample(patch *p) {
    tl_error error = {0};
    cr_assert_eq(
        tl_samples_make(&p->samples, &p->shapes, &p->sampling, p->xyz, 3, p->count, &error), TL_OK,
        "%s", error.what);
}

static void patch_free(patch *p) {
    tl_array_free(p->xyz);
    tl_shapes_free(&p->shapes);
    tl_samples_free(&p->samples);
}

static tl_vec3 sample_place(const patch *p, size_t s) {
    const float *x = p->samples.items[s].position;
    return tl_vec3_add((tl_vec3){(double)x[0], (double)x[1], (double)x[2]}, p->sampling.origin);
}

/* Distance of x from the nearest whole number and a half of spacings. */
static double off_lattice(double x) { return fabs(remainder(x / dx - 0.5, 1)); }

static double least_distance(const patch *p) {
    double least = HUGE_VAL;
    for (size_t a = 0; a < p->samples.count; a++)
        for (size_t b = 0; b < a; b++)
            least =
                fmin(least, tl_vec3_length(tl_vec3_sub(sample_place(p, a), sample_place(p, b))));
    return least;
}

Test(samples, of_a_plane_stand_on_the_lattice_half_a_spacing_below_and_as_deep_as_kernels_reach) {
    const tl_wall_def floor = {.plane = TL_SIDE_Z, .at = 0.05};
    const struct {
        double depth;
        int layers;
    } depths[] = {{2, 2}, {2.5, 2}, {2.6, 3}, {3, 3}, {1.2, 1}};
    for (size_t d = 0; d < 5; d++) {
        patch p = patch_make(&floor, 1);
        p.sampling.depth = depths[d].depth * dx;
        fill(&p, 0.02, 0, 0.05, 6, 5, 4);
        sample(&p);
        int layer_count[5] = {0};
        for (size_t s = 0; s < p.samples.count; s++) {
            const tl_vec3 x = sample_place(&p, s);
            const double layer = (0.05 - x.z) / dx - 0.5;
            cr_assert(off_lattice(x.x) < 1e-4 && off_lattice(x.y) < 1e-4);
            cr_assert_float_eq(layer, round(layer), 1e-4);
            cr_assert(layer > -0.5 && layer < 4.5);
            layer_count[lround(layer)]++;
            cr_assert(p.samples.items[s].normal[2] == 1 && p.samples.items[s].shape == 0);
        }
        /* Matter and two columns around it, in each layer. */
        for (int l = 0; l < 5; l++)
            cr_assert_eq(layer_count[l], l < depths[d].layers ? 10 * 9 : 0, "depth %g, layer %d",
                         depths[d].depth, l);
        patch_free(&p);
    }
}

Test(samples, of_a_tank_are_a_shell_without_a_gap_or_a_double) {
    enum { NX = 7, NY = 5, NZ = 4 };
    const tl_wall_def tank = {
        .has_box = true, .box = {{0, 0, 0}, {NX * 0.01, NY * 0.01, 0.2}}, .open = TL_SIDE_Z};
    patch p = patch_make(&tank, 1);
    fill(&p, 0, 0, 0, NX, NY, NZ);
    sample(&p);
    /* Two layers below the floor, and around the matter to two layers over its surface. */
    const size_t outer = (NX + 4) * (NY + 4);
    cr_assert_eq(p.samples.count, outer * 2 + (outer - NX * NY) * (NZ + 2));
    cr_assert_gt(least_distance(&p), 0.99 * dx);
    for (size_t s = 0; s < p.samples.count; s++) {
        const tl_vec3 x = sample_place(&p, s);
        cr_assert(off_lattice(x.x) < 1e-4 && off_lattice(x.y) < 1e-4 && off_lattice(x.z) < 1e-4);
        cr_assert_lt(clearance(&p.shapes, x.x, x.y, x.z), -0.49 * dx);
    }
    patch_free(&p);
}

Test(samples, of_an_obstacle_are_its_shell) {
    const tl_wall_def box = {
        .has_box = true, .outside = true, .box = {{0.1, 0.1, 0}, {0.17, 0.16, 0.08}}};
    patch p = patch_make(&box, 1);
    fill(&p, 0, 0, 0, 20, 20, 10); /* around it on all sides */
    sample(&p);
    cr_assert_eq(p.samples.count, 7 * 6 * 8 - 3 * 2 * 4);
    cr_assert_gt(least_distance(&p), 0.99 * dx);
    for (size_t s = 0; s < p.samples.count; s++) {
        const tl_vec3 x = sample_place(&p, s);
        const double depth = -distance_to(&p.shapes, 0, x.x, x.y, x.z);
        cr_assert(depth > 0.49 * dx && depth < 2 * dx);
    }
    patch_free(&p);
}

Test(samples, of_a_plate_thinner_than_the_spacing_are_one_layer) {
    const tl_wall_def plate = {
        .has_box = true, .outside = true, .box = {{0, 0, 0}, {0.05, 0.04, 0.004}}};
    patch p = patch_make(&plate, 1);
    fill(&p, 0, 0, 0.01, 3, 3, 3);
    sample(&p);
    cr_assert_eq(p.samples.count, 5 * 4);
    patch_free(&p);
}

Test(samples, are_there_for_all_that_feels_them_and_only_near_matter) {
    const tl_wall_def floor = {.plane = TL_SIDE_Z};
    patch p = patch_make(&floor, 1);
    fill(&p, 0, 0, 0, 2, 2, 2);
    fill(&p, 0.5, 0.3, 0.01, 1, 1, 1);  /* a second heap, one layer up */
    fill(&p, -0.5, 0.3, 0.02, 3, 3, 1); /* too high to feel the floor */
    sample(&p);
    for (size_t s = 0; s < p.samples.count; s++) {
        double nearest = HUGE_VAL;
        for (size_t i = 0; i < p.count; i++) {
            const float *x = p.xyz + 3 * i, *y = p.samples.items[s].position;
            nearest = fmin(nearest, (double)fmaxf(fabsf(x[0] - y[0]), fabsf(x[1] - y[1])));
        }
        cr_assert_lt(nearest, p.sampling.reach + 1e-6);
        cr_assert_gt(sample_place(&p, s).x, -0.1);
    }
    cr_assert_eq(p.samples.count, 2 * (6 * 6 + 5 * 5));
    p.count = 0;
    sample(&p);
    cr_assert_eq(p.samples.count, 0);
    patch_free(&p);
}

Test(samples, are_the_same_in_the_same_order_for_the_same_matter_in_any_order) {
    const tl_wall_def walls[] = {{.plane = TL_SIDE_Z},
                                 {.normal = {1, 0.3, 0.5}, .through = {-0.01, 0, 0}},
                                 {.plane = TL_SIDE_MINUS_Y, .at = 0.05}};
    patch a = patch_make(walls, 3), b = patch_make(walls, 3);
    fill(&a, 0, 0, 0, 5, 5, 5);
    fill(&b, 0.3, 0, 0, 9, 4, 5); /* leaves its marks in the memory that is used again */
    sample(&a);
    sample(&b);
    b.count = 0;
    fill(&b, 0, 0, 0, 5, 5, 5);
    for (size_t i = 0; i < b.count / 2; i++)
        for (size_t k = 0; k < 3; k++) {
            const float kept = b.xyz[3 * i + k];
            b.xyz[3 * i + k] = b.xyz[3 * (b.count - 1 - i) + k];
            b.xyz[3 * (b.count - 1 - i) + k] = kept;
        }
    sample(&b);
    cr_assert_gt(a.samples.count, 100);
    cr_assert_eq(a.samples.count, b.samples.count);
    cr_assert_eq(memcmp(a.samples.items, b.samples.items, a.samples.count * sizeof(tl_sample)), 0);
    patch_free(&a);
    patch_free(&b);
}

/* Every sample of a plane across z, or an image of it, has its four neighbours in its layer. */
static void wraps_without_gap(int side, const double from[3], const double period[3]) {
    const tl_wall_def wall = {.plane = side};
    patch p = patch_make(&wall, 1);
    p.sampling.anchor = tl_vec3_of(from);
    memcpy(p.sampling.period, period, sizeof p.sampling.period);
    const int nx = (int)lround(period[0] / dx), ny = (int)lround(period[1] / dx);
    const double below = side == TL_SIDE_Z ? 0 : -2 * dx;
    /* The matter with two columns of its images around it. */
    fill(&p, from[0] - 2 * dx, from[1] - 2 * dx, below, nx + 4, ny + 4, 2);
    sample(&p);
    cr_assert_eq(p.samples.count, (size_t)nx * (size_t)ny * 2);
    const double step[2] = {period[0] / nx, period[1] / ny};
    for (size_t a = 0; a < p.samples.count; a++) {
        const tl_vec3 x = sample_place(&p, a);
        int neighbours = 0;
        cr_assert(x.x > from[0] && x.x < from[0] + period[0]);
        cr_assert(x.y > from[1] && x.y < from[1] + period[1]);
        for (size_t b = 0; b < p.samples.count; b++) {
            const tl_vec3 d = tl_vec3_sub(sample_place(&p, b), x);
            const double u = fabs(remainder(d.x, period[0])) / step[0],
                         v = fabs(remainder(d.y, period[1])) / step[1];
            neighbours += fabs(d.z) < 0.1 * dx && fabs(u + v - 1) < 1e-3 && fmin(u, v) < 1e-3;
        }
        cr_assert_eq(neighbours, 4);
    }
    patch_free(&p);
}

Test(samples, of_a_periodic_world_continue_across_its_faces) {
    wraps_without_gap(TL_SIDE_Z, (double[]){0, 0, 0}, (double[]){0.06, 0.08, 0});
    wraps_without_gap(TL_SIDE_MINUS_Z, (double[]){0.013, -0.2, 0}, (double[]){0.06, 0.08, 0});
    wraps_without_gap(TL_SIDE_Z, (double[]){-1, 0.5, 0}, (double[]){0.064, 0.077, 0});
}

/* Images stand for what goes on beyond a face: with samples of its own there it would count twice.
 */
Test(samples, of_an_obstacle_that_goes_on_across_periodic_faces_are_those_in_the_box) {
    const tl_wall_def beam = {
        .has_box = true, .outside = true, .box = {{-0.04, 0.1, 0}, {0.1, 0.13, 0.03}}};
    patch p = patch_make(&beam, 1);
    p.sampling.period[0] = 0.06;
    fill(&p, -0.02, 0.06, -0.03, 10, 11, 9); /* with two columns of images on either side */
    sample(&p);
    cr_assert_eq(p.samples.count, 6 * 3 * 3);
    for (size_t s = 0; s < p.samples.count; s++) {
        const double x = sample_place(&p, s).x;
        cr_assert(x > 0 && x < 0.06, "%g", x);
    }
    patch_free(&p);
}

Test(samples, of_an_oblique_plane_leave_no_holes) {
    const double normals[][3] = {{0.3, -0.2, 1}, {1, 1, 1}, {-1, 2, 0.1}, {0, 1, 1}};
    for (size_t n = 0; n < 4; n++) {
        tl_wall_def wall = {0};
        memcpy(wall.normal, normals[n], sizeof wall.normal);
        patch p = patch_make(&wall, 1);
        fill(&p, -0.05, -0.05, -0.05, 10, 10, 10);
        /* Keep what is on the right side. */
        size_t kept = 0;
        for (size_t i = 0; i < p.count; i++) {
            const float *x = p.xyz + 3 * i;
            if (distance_to(&p.shapes, 0, (double)x[0] + 0.013, (double)x[1], (double)x[2]) > 0)
                memmove(p.xyz + 3 * kept++, x, 3 * sizeof *x);
        }
        p.count = kept;
        sample(&p);
        const tl_vec3 normal = p.shapes.items[0].normal;
        size_t lowest = 0;
        for (size_t i = 0; i < p.count; i++) {
            const float *c = p.xyz + 3 * i;
            const tl_vec3 x = {(double)c[0] + 0.013, (double)c[1], (double)c[2]};
            const double height = tl_vec3_dot(normal, x);
            if (height > dx)
                continue;
            const tl_vec3 foot = tl_vec3_mad(x, -height, normal);
            double nearest = HUGE_VAL;
            for (size_t s = 0; s < p.samples.count; s++)
                nearest = fmin(nearest, tl_vec3_length(tl_vec3_sub(sample_place(&p, s), foot)));
            cr_assert_lt(nearest, dx);
            lowest++;
        }
        cr_assert_gt(lowest, 20);
        cr_assert_gt(least_distance(&p), 0.99 * dx);
        patch_free(&p);
    }
}

/* Σ W over the matter and the samples around a point, in units of the kernel. */
static double filling_at(const patch *p, const float x[3]) {
    double sum = 0;
    const double support = 2 * dx;
    for (size_t i = 0; i < p->count + p->samples.count; i++) {
        const float *y = i < p->count ? p->xyz + 3 * i : p->samples.items[i - p->count].position;
        const float r = hypotf(hypotf(y[0] - x[0], y[1] - x[1]), y[2] - x[2]);
        sum +=
            (double)tl_lane(tl_kernel_shape(TL_KERNEL_WENDLAND, tl_splat(r / (float)support)), 0);
    }
    return sum;
}

Test(samples, make_a_particle_in_the_corner_of_a_tank_feel_as_full_as_one_in_the_middle) {
    enum { N = 7 };
    const tl_wall_def tank = {
        .has_box = true, .box = {{0.05, 0, 0}, {0.12, 0.07, 0.2}}, .open = TL_SIDE_Z};
    patch p = patch_make(&tank, 1);
    fill(&p, 0.05, 0, 0, N, N, N);
    const double alone = filling_at(&p, p.xyz);
    sample(&p);
    const double middle = filling_at(&p, p.xyz + 3 * (3 + N * (3 + N * 3)));
    cr_assert_lt(alone, 0.8 * middle);
    for (size_t z = 0; z < 5; z++) /* the upper two layers feel the open air */
        for (size_t i = 0; i < N * N; i++)
            cr_assert_float_eq(filling_at(&p, p.xyz + 3 * (i + N * N * z)) / middle, 1, 1e-4);
    patch_free(&p);
}

/* ---- Sizes -------------------------------------------------------------------------------------
 */

/* A mountain under a few particles, and a drop that has run far: both must cost what matter can
 * feel, not what there is. */
Test(boundary, huge_walls_and_far_drops_cost_little) {
    const tl_wall_def mountain = {
        .has_box = true, .outside = true, .box = {{-500, -500, -500}, {500, 500, 0}}};
    const tl_wall_def floor = {.plane = TL_SIDE_Z, .at = 0};
    const float places[2][3] = {{0, 0, 0.05f}, {2000, -1500, 0.05f}};
    const tl_sampling sampling = {.spacing = 0.1, .reach = 0.2, .depth = 0.2};
    for (int k = 0; k < 2; k++) {
        tl_shapes shapes;
        tl_samples samples = {0};
        cr_assert_eq(tl_shapes_make(k ? &floor : &mountain, 1, &shapes, NULL), TL_OK);
        cr_assert_eq(
            tl_samples_make(&samples, &shapes, &sampling, &places[0][0], 3, k ? 2 : 1, NULL),
            TL_OK);
        cr_expect_gt(samples.count, 10);
        cr_expect_lt(samples.count, 200);
        cr_expect_lt(tl_array_capacity(samples.marks) + 4 * tl_array_capacity(samples.tile),
                     (size_t)1 << 24);
        tl_samples_free(&samples);
        tl_shapes_free(&shapes);
    }
}

/* How many of the samples are nearer to a place than this. */
static size_t samples_near(const tl_samples *samples, const float *x, double reach) {
    size_t count = 0;
    for (size_t s = 0; s < samples->count; s++) {
        double r2 = 0;
        for (size_t k = 0; k < 3; k++)
            r2 += pow((double)(samples->items[s].position[k] - x[k]), 2);
        count += r2 < reach * reach;
    }
    return count;
}

/* Beside small particles samples need not reach as far as large ones see; all that either sees is
 * there. */
Test(boundary, particles_of_different_sizes_get_the_samples_that_they_see_and_hardly_more) {
    const tl_wall_def walls[] = {{.plane = TL_SIDE_Z, .at = 0}, {.plane = TL_SIDE_X, .at = -0.07}};
    const float places[3][3] = {{0, 0, 0.05f}, {2.02f, 0.3f, 0.013f}, {2.3f, 0.3f, 0.2f}};
    const float reaches[3] = {0.5f, 0.1f, 0.15f};
    tl_sampling sampling = {.spacing = 0.04, .reach = 0.5, .depth = 0.5};
    tl_shapes shapes = shapes_of(walls, 2);
    tl_samples all = {0}, seen = {0};
    cr_assert_eq(tl_samples_make(&all, &shapes, &sampling, &places[0][0], 3, 3, NULL), TL_OK);
    sampling.reaches = reaches;
    cr_assert_eq(tl_samples_make(&seen, &shapes, &sampling, &places[0][0], 3, 3, NULL), TL_OK);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(samples_near(&seen, places[i], (double)reaches[i]),
                     samples_near(&all, places[i], (double)reaches[i]), "point %zu", i);
    cr_expect_gt(samples_near(&seen, places[1], 0.1), 20);
    cr_expect_lt(samples_near(&seen, places[1], 1), 0.2 * samples_near(&all, places[1], 1));
    tl_samples_free(&all);
    tl_samples_free(&seen);
    tl_shapes_free(&shapes);
}
